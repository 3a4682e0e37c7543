//! Plots of the recorded figures.

use std::sync::Arc;

use egui::{CollapsingHeader, Ui, Window, pos2};
use egui_plot::{Legend, Line, LineStyle, Plot as Chart, PlotPoints, Points, VLine};

use super::super::app::App;
use crate::command::{Plot, ViewCommand};
use crate::frame::{Figures, Frame};
use crate::legend::colour32;
use crate::palette::{Rgb, mark};
use crate::timeline::Timeline;

/// Points of a line at most: more than there are pixels.
const POINTS: usize = 1000;

pub fn switches(app: &mut App, ui: &mut Ui) {
    let mut commands = Vec::new();
    CollapsingHeader::new("Plots").default_open(true).show(ui, |ui| {
        for plot in Plot::ALL {
            let mut on = app.view.plots.contains(&plot);
            if ui.checkbox(&mut on, plot.title()).on_hover_text(explanation(plot)).changed() {
                commands.push(ViewCommand::Plot(plot, on));
            }
        }
    });
    commands.into_iter().for_each(|command| app.show(command));
}

fn explanation(plot: Plot) -> &'static str {
    match plot {
        Plot::Energy => "Kinetic, potential and total energy over time [J].",
        Plot::Depth => "Largest mean depth of a contact [m] over time, by powers of ten.",
        Plot::Solver => "Sweeps, and the update norm that was left by powers of ten, over time.",
        Plot::Sweeps => "Update norm after each sweep of the step that is shown, by powers of ten.",
        Plot::Times => "Wall time of each phase, and device time of each stage [ms].",
    }
}

pub fn show(app: &mut App, ui: &Ui) {
    let Some(frame) = app.shown_frame() else { return };
    for (ix, plot) in app.view.plots.clone().into_iter().enumerate() {
        let mut is_open = true;
        let corner = ui.ctx().content_rect().right_top();
        let place =
            pos2(corner.x - 348.0 - 24.0 * (ix / 3) as f32, corner.y + 12.0 + 190.0 * (ix % 3) as f32);
        Window::new(plot.title()).default_pos(place).default_size([320.0, 150.0]).open(&mut is_open).show(
            ui,
            |ui| {
                chart(ui, plot, &app.timeline, &frame);
            },
        );
        if !is_open {
            app.show(ViewCommand::Plot(plot, false));
        }
    }
}

fn chart(ui: &mut Ui, plot: Plot, timeline: &Timeline, frame: &Frame) {
    let is_over_time = plot != Plot::Sweeps;
    let lines = lines(plot, timeline, frame);
    let is_logarithmic = matches!(plot, Plot::Depth | Plot::Sweeps);
    let mut chart = Chart::new(plot.title())
        .legend(Legend::default())
        .allow_scroll(false)
        .x_axis_label(if is_over_time { "time [s]" } else { "sweep" })
        .y_axis_label(axis(plot));
    if is_logarithmic {
        chart = chart.y_axis_formatter(|mark, _| format!("1e{:.0}", mark.value));
    }
    chart.show(ui, |ui| {
        for line in lines {
            ui.line(line);
        }
        if plot == Plot::Sweeps {
            // A step of one sweep has no line.
            ui.points(
                Points::new("update norm", sweep_points(frame)).color(colour32(mark::BLUE)).radius(2.5),
            );
        }
        if is_over_time {
            ui.vline(
                VLine::new("", frame.time).color(colour32(mark::ORANGE)).style(LineStyle::dashed_loose()),
            );
        }
    });
}

fn axis(plot: Plot) -> &'static str {
    match plot {
        Plot::Energy => "energy [J]",
        Plot::Depth => "depth [m]",
        Plot::Solver => "sweeps, log10 norm",
        Plot::Sweeps => "update norm",
        Plot::Times => "time [ms]",
    }
}

/// Frames evenly over the time line, as many as a line needs.
fn sampled(timeline: &Timeline) -> Vec<&Arc<Frame>> {
    timeline.iter().step_by(timeline.len().div_ceil(POINTS).max(1)).collect()
}

fn logarithm(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.log10())
}

/// Update norm of each sweep of a frame's step.
fn sweep_points(frame: &Frame) -> PlotPoints<'static> {
    let norms = (1_u32..).zip(&frame.figures.update_norms);
    let points = norms.filter_map(|(sweep, norm)| Some([f64::from(sweep), logarithm(*norm)?]));
    PlotPoints::new(points.collect())
}

fn lines(plot: Plot, timeline: &Timeline, frame: &Frame) -> Vec<Line<'static>> {
    let frames = sampled(timeline);
    let line = |name: &str, colour: Rgb, value: &dyn Fn(&Figures) -> Option<f64>| {
        let points = frames.iter().filter_map(|frame| Some([frame.time, value(&frame.figures)?]));
        Line::new(name, PlotPoints::new(points.collect())).color(colour32(colour)).width(1.6)
    };
    match plot {
        Plot::Energy => vec![
            line("kinetic", mark::ORANGE, &|f| Some(f.kinetic)),
            line("potential", mark::SKY, &|f| Some(f.potential)),
            line("total", mark::GREEN, &|f| Some(f.kinetic + f.potential)),
        ],
        Plot::Depth => vec![
            line("mean depth", mark::BLUE, &|f| logarithm(f.max_depth)),
            line("part of the body's size", mark::ORANGE, &|f| logarithm(f.depth_of_size)),
        ],
        Plot::Solver => vec![
            line("sweeps", mark::BLUE, &|f| Some(f64::from(f.sweeps))),
            line("log10 update norm", mark::ORANGE, &|f| logarithm(f.update_norm)),
        ],
        Plot::Sweeps => {
            let line = Line::new("update norm", sweep_points(frame));
            vec![line.color(colour32(mark::BLUE)).width(1.6)]
        }
        Plot::Times => {
            let ms = |x: f64| Some(1e3 * x);
            let mut lines = vec![
                line("broad phase", mark::SKY, &|f| ms(f.times.broad)),
                line("overlaps", mark::BLUE, &|f| ms(f.times.detect)),
                line("assemble", mark::GREEN, &|f| ms(f.times.assemble)),
                line("solve", mark::ORANGE, &|f| ms(f.times.solve)),
                line("integrate", mark::VERMILION, &|f| ms(f.times.integrate)),
            ];
            for (ix, (stage, _)) in frame.figures.stages.iter().enumerate() {
                let time = |f: &Figures| {
                    let found = f.stages.iter().find(|(name, _)| name == stage);
                    found.map(|(_, time)| 1e3 * time.as_secs_f64())
                };
                let colour = crate::palette::BODIES[ix % crate::palette::BODIES.len()];
                lines.push(line(&format!("device: {stage}"), colour, &time));
            }
            lines
        }
    }
}
