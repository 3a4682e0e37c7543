//! Plots of the recorded figures, beside the scene.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Layout, PopupCloseBehavior, RichText, ScrollArea, TextStyle, Ui};
use egui_plot::{GridInput, GridMark, HoverPosition, Line, LineStyle, PlotPoints, Points, VLine};

use super::super::app::App;
use super::super::plots::{self, Chart, Curve};
use super::super::table::number;
use crate::command::{Plot, ViewCommand};
use crate::frame::Frame;
use crate::legend::colour32;

/// Least and greatest height of a chart \[points\].
const HEIGHT: (f32, f32) = (84.0, 220.0);

/// Height that a chart needs besides, and a plot for its heading \[points\].
const AROUND: (f32, f32) = (32.0, 34.0);

/// Height of a list of plots in the menu; the rest is scrolled to \[points\].
const MENU: f32 = 160.0;

/// Points of a curve up to which each of them is marked.
const FEW: usize = 40;

/// A menu with a switch for each plot.
pub fn switches(app: &mut App, ui: &mut Ui) {
    let mut commands = Vec::new();
    // Several plots can be opened at once.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::new("Plots").config(stays).ui(ui, |ui| {
        let Some(frame) = app.shown_frame() else { return };
        let mut switch = |ui: &mut Ui, plot: Plot, name: &str| {
            let mut on = app.view.plots.contains(&plot);
            if ui.checkbox(&mut on, name).on_hover_text(explanation(plot)).changed() {
                commands.push(ViewCommand::Plot(plot, on));
            }
        };
        for plot in Plot::OF_SCENE {
            switch(ui, plot, &plots::title(plot, &frame));
        }
        for (heading, plots) in offered(app, &frame) {
            ui.separator();
            ui.weak(heading);
            ScrollArea::vertical().id_salt(heading).max_height(MENU).show(ui, |ui| {
                plots.iter().for_each(|(plot, name)| switch(ui, *plot, name));
            });
        }
    });
    button
        .on_hover_text("Figures of the recorded steps [1 to 5], of the selected body, of joints and sensors");
    commands.into_iter().for_each(|command| app.show(command));
}

/// Plots of parts of the scene, under headings: of what is selected, of sensors, of joints.
fn offered(app: &App, frame: &Frame) -> Vec<(&'static str, Vec<(Plot, String)>)> {
    let mut selected = Vec::new();
    if let Some(body) = app.view.selected {
        selected.push(Plot::Body(body));
        let pairs = frame.contacts.iter().filter(|contact| contact.is_of(body));
        let mut pairs: Vec<Plot> = pairs
            .map(|contact| contact.record.bodies.map(|id| id.0))
            .map(|[a, b]| Plot::Pair(a, b))
            .collect();
        pairs.dedup();
        selected.extend(pairs);
    }
    let named = |plot: Plot| (plot, plots::title(plot, frame));
    let sensors = (0..frame.model.sensors.len() as u32).map(|ix| named(Plot::Sensor(ix))).collect();
    let joints = (0..frame.model.joints.len() as u32).map(|ix| named(Plot::Joint(ix))).collect();
    let all = [
        ("Selected body and its contacts", selected.into_iter().map(named).collect()),
        ("Sensors", sensors),
        ("Joints", joints),
    ];
    all.into_iter().filter(|(_, plots): &(_, Vec<_>)| !plots.is_empty()).collect()
}

fn explanation(plot: Plot) -> &'static str {
    match plot {
        Plot::Energy => "Kinetic, potential and total energy over time [J].",
        Plot::Depth => "Depths of the contacts over time, by powers of ten [m].",
        Plot::Solver => "Sweeps, and the update norm that was left by powers of ten [N s], over time.",
        Plot::Sweeps => "Update norm after each sweep of the step that is shown, by powers of ten [N s].",
        Plot::Times => "Wall time of each phase, and device time of each stage [ms].",
        Plot::Body(_) => {
            "Position of the shape's frame, velocities, and the force of all contacts, along the world's axes."
        }
        Plot::Pair(..) => {
            "What presses and what rubs between two bodies, and how deep they are in each other."
        }
        Plot::Sensor(_) => "What the sensor measures, as sensors.csv has it.",
        Plot::Joint(_) => "Angle or travel, and the force and the torque that it carries.",
    }
}

/// The open plots, one below the other.
pub fn show(app: &mut App, ui: &mut Ui) {
    let Some(frame) = app.shown_frame() else { return };
    let plots: Vec<(Plot, Vec<Chart>)> =
        app.view.plots.iter().map(|plot| (*plot, plots::charts(*plot, &app.timeline, &frame))).collect();
    let n_charts: usize = plots.iter().map(|(_, charts)| charts.len()).sum();
    let room = ui.available_height() - AROUND.1 * plots.len() as f32;
    let height = (room / n_charts.max(1) as f32 - AROUND.0).clamp(HEIGHT.0, HEIGHT.1);
    let shown = app.view.shown.map(|_| frame.time);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (plot, charts) in &plots {
            ui.horizontal(|ui| {
                ui.strong(plots::title(*plot, &frame)).on_hover_text(explanation(*plot));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("×").on_hover_text("Close the plot").clicked() {
                        app.show(ViewCommand::Plot(*plot, false));
                    }
                });
            });
            for (ix, chart) in charts.iter().enumerate() {
                heading(ui, chart);
                diagram(ui, (*plot, ix), chart, height, shown);
            }
            ui.add_space(6.0);
        }
    });
}

/// What the chart is of, and which curve is which where there are several.
fn heading(ui: &mut Ui, chart: &Chart) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        ui.label(RichText::new(chart.title).small());
        for curve in chart.curves.iter().filter(|_| chart.curves.len() > 1) {
            ui.label(key(ui, curve));
        }
    });
}

/// A stroke as the curve's, and its name, which stay together.
fn key(ui: &Ui, curve: &Curve) -> LayoutJob {
    let font = TextStyle::Small.resolve(ui.style());
    let stroke = if curve.is_dashed { "- -" } else { "—" };
    let name = format!(" {}", curve.name).replace(' ', "\u{a0}");
    let mut job = LayoutJob::default();
    job.append(stroke, 0.0, TextFormat::simple(font.clone(), colour32(curve.colour)));
    job.append(&name, 0.0, TextFormat::simple(font, ui.visuals().text_color()));
    job
}

fn diagram(ui: &mut Ui, id: (Plot, usize), chart: &Chart, height: f32, shown: Option<f64>) {
    let (is_logarithmic, is_over_time) = (chart.is_logarithmic, chart.is_over_time);
    let diagram = egui_plot::Plot::new(id)
        .height(height)
        .allow_scroll(false)
        .y_axis_min_width(46.0)
        .link_cursor(ui.scope_id().with(is_over_time), [true, false])
        .x_grid_spacer(move |input| marks(&input, 3.0, if is_over_time { 0.0 } else { 1.0 }))
        .y_grid_spacer(
            move |input| if is_logarithmic { marks(&input, 5.0, 1.0) } else { marks(&input, 3.0, 0.0) },
        )
        .x_axis_formatter(move |mark, seen| match is_near_an_end(mark.value, seen) {
            true => String::new(),
            false => across(mark.value, is_over_time),
        })
        .y_axis_formatter(move |mark, _| upwards(mark, is_logarithmic))
        .label_formatter(move |position| match position {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                let value = if is_logarithmic { 10_f64.powf(position.y) } else { position.y };
                let of = if is_over_time { "" } else { "sweep " };
                Some(format!("{plot_name}: {}\n{of}{}", number(value), across(position.x, is_over_time)))
            }
            HoverPosition::Elsewhere { .. } => None,
        });
    let heights = if is_logarithmic { decades(chart) } else { level(chart) };
    let diagram = heights.into_iter().flatten().fold(diagram, egui_plot::Plot::include_y);
    let times = single_time(chart).map(|time| [time, time + 1.0]);
    let diagram = times.into_iter().flatten().fold(diagram, egui_plot::Plot::include_x);
    let ink = ui.visuals().strong_text_color();
    let curves = &chart.curves;
    diagram.show(ui, |ui| {
        curves.iter().for_each(|curve| draw(ui, curve));
        if let Some(time) = shown.filter(|_| is_over_time) {
            ui.vline(VLine::new("time shown", time).color(ink).style(LineStyle::dashed_loose()));
        }
    });
}

/// The whole decades around the curves, so that there is a mark at each end and noise is not drawn large.
fn decades(chart: &Chart) -> Option<[f64; 2]> {
    let heights = || chart.curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
    let (low, high) = (heights().reduce(f64::min)?, heights().reduce(f64::max)?);
    let low = low.floor();
    Some([low, high.ceil().max(low + 1.0)])
}

/// Where curves that are level but for rounding end above and below, so that it is not drawn as large as the chart; none for others.
fn level(chart: &Chart) -> Option<[f64; 2]> {
    /// Difference of values, in their size and in any unit, that is rounding.
    const ROUNDING: (f64, f64) = (1e-9, 1e-12);
    let heights = || chart.curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
    let (low, high) = (heights().reduce(f64::min)?, heights().reduce(f64::max)?);
    let size = low.abs().max(high.abs());
    let around = if size > ROUNDING.1 { 0.1 * size } else { 0.5 };
    (high - low <= (ROUNDING.0 * size).max(ROUNDING.1)).then_some([low - around, high + around])
}

/// The time of all points of a chart, if it is one only.
fn single_time(chart: &Chart) -> Option<f64> {
    let mut places = chart.curves.iter().flat_map(|curve| &curve.points).map(|point| point[0]);
    let first = places.next()?;
    places.all(|x| x == first).then_some(first)
}

/// Whether the label of a place on the axis from left to right would be cut off, or run into those of the other axis.
fn is_near_an_end(x: f64, seen: &std::ops::RangeInclusive<f64>) -> bool {
    /// Part of the axis that half a label takes.
    const HALF: f64 = 0.03;
    let room = HALF * (seen.end() - seen.start());
    x < seen.start() + room || x > seen.end() - room
}

fn draw<'a>(ui: &mut egui_plot::PlotUi<'a>, curve: &'a Curve) {
    let colour = colour32(curve.colour);
    let line = Line::new(&curve.name, PlotPoints::from(curve.points.clone())).color(colour).width(1.6);
    ui.line(if curve.is_dashed { line.style(LineStyle::dashed_dense()) } else { line });
    // A single point has no line.
    if curve.points.len() <= FEW {
        let points = PlotPoints::from(curve.points.clone());
        ui.points(Points::new(&curve.name, points).color(colour).radius(2.0));
    }
}

/// Marks of an axis: about `n` of them, one, two or five by a power of ten apart, and not less than `least`.
fn marks(input: &GridInput, n: f64, least: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let coarse = ((high - low) / n).max(least);
    if !(coarse > 0.0 && coarse.is_finite()) {
        return Vec::new();
    }
    let power = 10_f64.powf(coarse.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= 0.999 * coarse);
    let step_size = step_size.unwrap_or(coarse);
    let (first, last) = ((low / step_size).ceil() as i64, (high / step_size).floor() as i64);
    (first..=last).map(|k| GridMark { value: k as f64 * step_size, step_size }).collect()
}

/// A place on the axis from left to right.
fn across(x: f64, is_over_time: bool) -> String {
    let short = (1e6 * x).round() / 1e6;
    if is_over_time { format!("{short} s") } else { short.to_string() }
}

/// A mark of the axis upwards.
fn upwards(mark: GridMark, is_logarithmic: bool) -> String {
    let x = mark.value;
    match is_logarithmic {
        false => {
            // As many digits as the marks differ by.
            let power = mark.step_size.log10().floor() as i32;
            let short: f64 = format!("{:.0}e{power}", x / 10_f64.powi(power)).parse().unwrap_or(x);
            let is_plain = short == 0.0 || (1e-4..1e7).contains(&short.abs());
            if is_plain { format!("{}", short + 0.0) } else { format!("{short:e}") }
        }
        true if x.fract().abs() < 1e-9 => format!("1e{x:.0}"),
        true => format!("{:.1e}", 10_f64.powf(x)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers() {
        let values = |bounds, n, least| {
            let marks = marks(&GridInput { bounds, base_step_size: 0.1 }, n, least);
            marks.into_iter().map(|mark| mark.value).collect::<Vec<_>>()
        };
        assert_eq!(values((-0.05, 0.73), 3.0, 0.0), [0.0, 0.5]);
        assert_eq!(values((-5.2, -2.9), 3.0, 1.0), [-5.0, -4.0, -3.0]);
        assert_eq!(values((-11.0, 1.0), 3.0, 1.0), [-10.0, -5.0, 0.0]);
        assert_eq!(values((1.0, 1.0), 3.0, 0.0), [0.0; 0]);
    }

    #[test]
    fn a_logarithmic_axis_shows_whole_decades() {
        let points = |points: &[[f64; 2]]| Curve {
            name: String::new(),
            colour: [0.0; 3],
            is_dashed: false,
            points: points.to_vec(),
        };
        let chart = |curves| Chart { title: "", is_logarithmic: true, is_over_time: true, curves };
        let two = vec![points(&[[0.0, -5.3], [1.0, -5.30001]]), points(&[])];
        assert_eq!(decades(&chart(two)), Some([-6.0, -5.0]));
        assert_eq!(decades(&chart(vec![points(&[[0.0, -3.0]])])), Some([-3.0, -2.0]));
        assert_eq!(decades(&chart(vec![points(&[])])), None);
    }

    #[test]
    fn rounding_is_level_and_a_moment_has_a_second() {
        let chart = |points: &[[f64; 2]]| Chart {
            title: "",
            is_logarithmic: false,
            is_over_time: true,
            curves: vec![Curve {
                name: String::new(),
                colour: [0.0; 3],
                is_dashed: false,
                points: points.to_vec(),
            }],
        };
        assert_eq!(level(&chart(&[[0.0, -1e-16], [1.0, 2e-16]])), Some([-0.5 - 1e-16, 0.5 + 2e-16]));
        let [low, high] = level(&chart(&[[0.0, 20.0], [1.0, 20.0 + 1e-12]])).expect("it is level");
        assert!((low - 18.0).abs() < 1e-9 && (high - 22.0).abs() < 1e-9);
        assert_eq!(level(&chart(&[[0.0, 1e-7], [1.0, 2e-7]])), None);
        assert_eq!(level(&chart(&[])), None);
        assert_eq!(single_time(&chart(&[[0.2, 1.0]])), Some(0.2));
        assert_eq!(single_time(&chart(&[[0.2, 1.0], [0.3, 1.0]])), None);
        let seen = -0.05..=1.05;
        assert_eq!([-0.05, 0.0, 0.5, 1.04].map(|x| is_near_an_end(x, &seen)), [true, false, false, true]);
    }

    #[test]
    fn marks_tell_values_and_units() {
        let mark = |value| GridMark { value, step_size: 1.0 };
        assert_eq!([upwards(mark(-3.0), true), upwards(mark(-2.5), true)], ["1e-3", "3.2e-3"]);
        let linear = |value, step_size| upwards(GridMark { value, step_size }, false);
        assert_eq!(linear(0.1 + 0.2, 0.1), "0.3");
        assert_eq!([linear(-0.0, 0.5), linear(250.0, 50.0), linear(2e8, 1e8)], ["0", "250", "2e8"]);
        // Three marks of small values are three numbers.
        assert_eq!([-5e-10, 0.0, 1.5e-9].map(|x| linear(x, 5e-10)), ["-5e-10", "0", "1.5e-9"]);
        assert_eq!([across(0.1 + 0.2, true), across(12.0, false)], ["0.3 s", "12"]);
    }
}
