//! What is plotted: recorded figures as curves. Those of single bodies, pairs, joints and sensors are in `of_parts`.

mod of_parts;

use std::sync::Arc;

use crate::command::Plot;
use crate::frame::{Figures, Frame};
use crate::palette::{Rgb, mark};
use crate::timeline::Timeline;

/// Points of a curve at most: more than there are pixels.
const POINTS: usize = 600;

/// Curves over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What the curves are of, with the unit.
    pub title: &'static str,
    /// Whether heights are decimal logarithms of the values.
    pub is_logarithmic: bool,
    /// Whether the curves run over time \[s\], or else over sweeps.
    pub is_over_time: bool,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it is.
    pub name: String,
    /// Its colour.
    pub colour: Rgb,
    /// Whether it is dashed.
    pub is_dashed: bool,
    /// Its points.
    pub points: Vec<[f64; 2]>,
}

/// Name of a plot in the panel.
pub fn title(plot: Plot, frame: &Frame) -> String {
    let body = |ix: u32| frame.model.bodies.get(ix as usize).map_or("", |info| info.name.as_str());
    match plot {
        Plot::Energy => "Energy".to_owned(),
        Plot::Depth => "Overlap depth".to_owned(),
        Plot::Solver => "Solver".to_owned(),
        Plot::Sweeps => "Sweeps of the step".to_owned(),
        Plot::Times => "Times".to_owned(),
        Plot::Body(ix) => body(ix).to_owned(),
        Plot::Pair(a, b) => format!("{} and {}", body(a), body(b)),
        Plot::Sensor(ix) => frame.model.sensors.get(ix as usize).map_or("", |sensor| &sensor.name).to_owned(),
        Plot::Joint(ix) => frame.model.joints.get(ix as usize).map_or("", |joint| &joint.name).to_owned(),
    }
}

/// The charts of a plot over all recorded frames. A figure without a logarithm leaves a gap in those that need one.
pub fn charts(plot: Plot, timeline: &Timeline, frame: &Frame) -> Vec<Chart> {
    let frames = timeline.iter().step_by(timeline.len().div_ceil(POINTS).max(1));
    charts_of(plot, &Sampled(frames.collect()), frame)
}

/// The charts of a plot with the points of one frame.
pub fn at(plot: Plot, frame: &Arc<Frame>) -> Vec<Chart> {
    charts_of(plot, &Sampled(vec![frame]), frame)
}

fn charts_of(plot: Plot, frames: &Sampled<'_>, frame: &Frame) -> Vec<Chart> {
    let chart = |title, is_logarithmic, curves| Chart { title, is_logarithmic, is_over_time: true, curves };
    match plot {
        Plot::Energy => vec![chart(
            "energy [J]",
            false,
            vec![
                frames.curve("kinetic", mark::ORANGE, |f| Some(f.kinetic)),
                frames.curve("potential", mark::SKY, |f| Some(f.potential)),
                frames.curve("total", mark::GREEN, |f| Some(f.kinetic + f.potential)),
            ],
        )],
        Plot::Depth => vec![
            chart(
                "largest mean depth of a contact [m]",
                true,
                vec![frames.steps("depth", mark::BLUE, |f| logarithm(f.max_depth))],
            ),
            chart(
                "thickest region by the smaller body's size",
                true,
                vec![frames.steps("part of the size", mark::ORANGE, |f| logarithm(f.depth_of_size))],
            ),
        ],
        Plot::Solver => vec![
            chart(
                "sweeps of a step",
                false,
                vec![frames.steps("sweeps", mark::BLUE, |f| Some(f64::from(f.sweeps)))],
            ),
            chart(
                "update norm left [N s]",
                true,
                vec![frames.steps("update norm", mark::ORANGE, |f| logarithm(f.update_norm))],
            ),
        ],
        Plot::Sweeps => vec![Chart {
            is_over_time: false,
            ..chart("update norm after each sweep [N s]", true, vec![sweeps(frame)])
        }],
        Plot::Times => vec![chart("wall time of a step [ms]", false, times(frames, frame))],
        Plot::Body(body) => of_parts::body(frames, body),
        Plot::Pair(a, b) => of_parts::pair(frames, [a, b]),
        Plot::Joint(joint) => of_parts::joint(frames, frame, joint),
        Plot::Sensor(sensor) => of_parts::sensor(frames, frame, sensor),
    }
}

/// Frames evenly over the time line, as many as a curve needs.
struct Sampled<'a>(Vec<&'a Arc<Frame>>);

impl Sampled<'_> {
    /// A figure of states, which change from step to step.
    fn curve(&self, name: &str, colour: Rgb, value: impl Fn(&Figures) -> Option<f64>) -> Curve {
        self.of_frames(name, colour, |frame| value(&frame.figures))
    }

    /// Something else of the frames that have it.
    fn of_frames(&self, name: &str, colour: Rgb, value: impl Fn(&Frame) -> Option<f64>) -> Curve {
        let points = self.0.iter().filter_map(|frame| Some([frame.time, value(frame)?]));
        Curve { name: name.to_owned(), colour, is_dashed: false, points: points.collect() }
    }

    /// A figure of whole steps.
    fn steps(&self, name: &str, colour: Rgb, value: impl Fn(&Figures) -> Option<f64>) -> Curve {
        let curve = self.curve(name, colour, value);
        Curve { points: stairs(&curve.points), ..curve }
    }
}

/// Figures of steps as a staircase: each holds from the step before until its own time.
fn stairs(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let pairs = points.windows(2).flat_map(|pair| [[pair[0][0], pair[1][1]], pair[1]]);
    points.first().copied().into_iter().chain(pairs).collect()
}

fn logarithm(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.log10())
}

/// Update norm of each sweep of a frame's step.
fn sweeps(frame: &Frame) -> Curve {
    let norms = (1_u32..).zip(&frame.figures.update_norms);
    let points = norms.filter_map(|(sweep, norm)| Some([f64::from(sweep), logarithm(*norm)?]));
    Curve { name: "update norm".to_owned(), colour: mark::BLUE, is_dashed: false, points: points.collect() }
}

/// Phases, and dashed the stages on the device where there are any.
fn times(frames: &Sampled<'_>, frame: &Frame) -> Vec<Curve> {
    let ms = |x: f64| Some(1e3 * x);
    let mut curves = vec![
        frames.steps("broad phase", mark::SKY, |f| ms(f.times.broad)),
        frames.steps("overlaps", mark::BLUE, |f| ms(f.times.detect)),
        frames.steps("assemble", mark::GREEN, |f| ms(f.times.assemble)),
        frames.steps("solve", mark::ORANGE, |f| ms(f.times.solve)),
        frames.steps("integrate", mark::VERMILION, |f| ms(f.times.integrate)),
    ];
    for (ix, (stage, _)) in frame.figures.stages.iter().enumerate() {
        let time = |f: &Figures| {
            let found = f.stages.iter().find(|(name, _)| name == stage);
            found.map(|(_, time)| 1e3 * time.as_secs_f64())
        };
        let colour = mark::HUES[ix % mark::HUES.len()];
        curves.push(Curve { is_dashed: true, ..frames.steps(&format!("device: {stage}"), colour, time) });
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(n: u64) -> Timeline {
        let mut timeline = Timeline::default();
        for id in 0..n {
            let figures = Figures { kinetic: 2.0, potential: 1.0, max_depth: 1e-4, ..Figures::default() };
            let frame =
                Frame { id, after: id.checked_sub(1), time: 0.01 * id as f64, figures, ..Frame::default() };
            timeline.push(Arc::new(frame));
        }
        timeline
    }

    #[test]
    fn every_plot_has_titled_charts_of_what_was_recorded() {
        let timeline = timeline(5);
        let frame = timeline.last().expect("a frame");
        for plot in Plot::OF_SCENE {
            let charts = charts(plot, &timeline, frame);
            assert!(charts.iter().all(|chart| !chart.title.is_empty() && !chart.curves.is_empty()));
        }
        let energy = &charts(Plot::Energy, &timeline, frame)[0].curves;
        assert_eq!(
            energy.iter().map(|curve| curve.points[4]).collect::<Vec<_>>(),
            [[0.04, 2.0], [0.04, 1.0], [0.04, 3.0]]
        );
        let depth = charts(Plot::Depth, &timeline, frame);
        assert!((depth[0].curves[0].points[0][1] + 4.0).abs() < 1e-12);
        // There is no logarithm of nothing.
        assert_eq!(depth[1].curves[0].points, Vec::<[f64; 2]>::new());
    }

    /// A body that falls, its contact with another one and its joint, each as recorded; before it was there it has no points.
    #[test]
    fn bodies_pairs_and_joints_have_charts_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scene.toml");
        let text = "dt = 0.01\n[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n\
                    [[body]]\nname = 'box'\nmass = 2\nshape = { box = [1, 1, 1] }\nposition = [0, 0, 0.5]\nlinear_velocity = [1, 0, 0]\n\
                    [[body]]\nname = 'door'\nshape = { box = [1, 1, 1] }\nposition = [9, 0, 5]\nangular_velocity = [0, 0, 2]\n\
                    [[joint]]\nname = 'hinge'\nbodies = ['door']\nanchor = [9, 0, 5]\nkind = { revolute = {} }\n\
                    [[sensor]]\nname = 'load'\nmeasures = { contact = ['box', 'floor'] }\n[[sensor]]\nname = 'turn'\nmeasures = { joint = 'hinge' }\n";
        std::fs::write(&path, text).expect("a file");
        let options = tactum::backend::BackendOptions {
            backend: tactum::backend::Backend::Exact,
            ..tactum::backend::BackendOptions::default()
        };
        let mut engine = crate::simulation::Engine::open(&path, &options).expect("a scene");
        let mut timeline = Timeline::default();
        timeline.push(engine.frame().clone());
        for _ in 0..20 {
            timeline.push(engine.step().expect("a step").clone());
        }
        let frame = engine.frame().clone();
        let last = |plot: Plot, chart: usize, curve: usize| {
            let charts = charts(plot, &timeline, &frame);
            assert!(charts.iter().all(|chart| chart.curves.iter().all(|curve| curve.points.len() == 21)));
            charts[chart].curves[curve].points[20][1]
        };
        let body = &engine.world().bodies()[1];
        assert_eq!(last(Plot::Body(1), 0, 0), body.w_from_shape().translation.x);
        assert_eq!(last(Plot::Body(1), 1, 0), body.linear_velocity.x);
        // The floor carries its weight, and rubs with half of it against the motion; 1e-6: rounding and the tolerance of the solver.
        let weight = 2.0 * 9.81;
        for (found, wanted) in [
            (last(Plot::Body(1), 3, 2), weight),
            (last(Plot::Body(1), 3, 0), -0.5 * weight),
            (last(Plot::Body(0), 3, 2), -weight),
            (last(Plot::Pair(0, 1), 0, 0), weight),
            (last(Plot::Pair(0, 1), 0, 1), 0.5 * weight),
            (last(Plot::Joint(0), 0, 0), (2.0_f64 * 0.2).to_degrees()),
        ] {
            assert!((found - wanted).abs() < 1e-6 * wanted.abs(), "{found} for {wanted}");
        }
        // A sensor's plot has what its table has, in its names and units.
        let charts_of = |plot: Plot| {
            let chart = |chart: Chart| {
                (chart.title, chart.curves.into_iter().map(|curve| curve.name).collect::<Vec<_>>().join(" "))
            };
            charts(plot, &timeline, &frame).into_iter().map(chart).collect::<Vec<_>>()
        };
        let forces = || [("force [N]", "fx fy fz".to_owned()), ("torque [N m]", "tx ty tz".to_owned())];
        let counted = ("contacts", "contacts".to_owned());
        assert_eq!(charts_of(Plot::Sensor(0)), [forces().to_vec(), vec![counted]].concat());
        let coordinate = ("coordinate [rad]", "coordinate".to_owned());
        assert_eq!(charts_of(Plot::Sensor(1)), [vec![coordinate], forces().to_vec()].concat());
        assert_eq!(charts_of(Plot::Sensor(2)), []);
        assert!((last(Plot::Sensor(0), 0, 2) - weight).abs() < 1e-6 * weight);
        assert!((last(Plot::Sensor(1), 0, 0) - 2.0 * 0.2).abs() < 1e-6);
        assert_eq!(title(Plot::Sensor(0), &frame), "load");
        let titles = [Plot::Body(1), Plot::Pair(0, 1), Plot::Joint(0)].map(|plot| title(plot, &frame));
        assert_eq!(titles, ["box", "floor and box", "hinge"]);
        assert!(
            charts(Plot::Body(7), &timeline, &frame).iter().all(|chart| chart.curves[0].points.is_empty())
        );
    }

    #[test]
    fn a_staircase_holds_until_the_next_step() {
        assert_eq!(stairs(&[[0.0, 1.0], [1.0, 3.0]]), [[0.0, 1.0], [0.0, 3.0], [1.0, 3.0]]);
        assert_eq!(stairs(&[[0.0, 1.0]]), [[0.0, 1.0]]);
    }

    #[test]
    fn long_runs_are_thinned() {
        let timeline = timeline(3 * POINTS as u64 + 1);
        let frame = timeline.last().expect("a frame");
        let points = charts(Plot::Energy, &timeline, frame)[0].curves[0].points.len();
        assert!(points <= POINTS && points > POINTS / 2, "{points}");
    }
}
