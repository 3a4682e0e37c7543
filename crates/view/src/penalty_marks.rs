//! Marks of continuous penalties: where vertices and edges were in each other in a step, along which normals, by what impulses, and when.

use glam::DVec3;
use tactum_sim::{BodyId, PenaltyDetail};

use crate::frame::Frame;
use crate::layers::Layer;
use crate::marks::{ArrowScale, MarkStyle};
use crate::overlay::Overlay;
use crate::palette::mark;

/// Length of the line of a normal, in arrows of a weight.
const NORMAL: f64 = 0.4;

/// Least distance of two marks of a pair, in arrows of a weight: closer ones are one blot.
const SPACING: f64 = 0.15;

/// Features of which those of a pair that are closer together than a distance are one, at the place of the first, with the impulse of all.
fn thinned<'a>(features: impl Iterator<Item = &'a PenaltyDetail>, distance: f64) -> Vec<PenaltyDetail> {
    let mut kept: Vec<PenaltyDetail> = Vec::new();
    for feature in features {
        let is_near = |one: &&mut PenaltyDetail| {
            one.bodies == feature.bodies && one.point.distance(feature.point) < distance
        };
        match kept.iter_mut().find(is_near) {
            Some(one) => one.impulse += feature.impulse,
            None => kept.push(*feature),
        }
    }
    kept
}

/// Adds the layers of continuous penalties to an overlay.
pub fn penalty_marks(overlay: &mut Overlay, frame: &Frame, scale: &ArrowScale, style: &MarkStyle) {
    let shown = |one: &&PenaltyDetail| style.only.is_none_or(|body| one.bodies.iter().any(|id| id.0 == body));
    for feature in &thinned(frame.penalties.iter().filter(shown), SPACING * scale.length) {
        if style.layers.has(Layer::Normal) {
            let tip = feature.point + NORMAL * scale.length * feature.normal;
            overlay.line([feature.point, tip], 1.5, style.ink, 0.9);
        }
        if style.layers.has(Layer::Points) {
            let force = frame.shown_side(feature.bodies.map(|BodyId(ix)| ix)) * feature.impulse / frame.dt;
            let force = scale.arrow(force, scale.weight, style.force_scale);
            overlay.arrow(feature.point, feature.point + force, 0.6 * scale.radius, mark::ORANGE, false);
            overlay.dot(feature.point, 5.0, mark::ORANGE, style.rim);
        }
    }
}

/// What a pair of features did in a step, as a bar on the step's time line.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The two bodies by name.
    pub pair: String,
    /// From when to when, in parts of the step.
    pub interval: [f64; 2],
    /// Unit normal from the first to the second body.
    pub normal: DVec3,
    /// Impulse on the second one along it \[N s\].
    pub pressing: f64,
    /// And across it \[N s\].
    pub rubbing: f64,
    /// Depth at most \[m\].
    pub depth: f64,
}

impl Bar {
    /// The bars of a body, pair by pair, in the order in which they begin.
    pub fn of(frame: &Frame, body: u32) -> Vec<Self> {
        let is_of = |one: &&PenaltyDetail| one.bodies.iter().any(|id| id.0 == body);
        let mut features: Vec<&PenaltyDetail> = frame.penalties.iter().filter(is_of).collect();
        features.sort_by(|x, y| x.bodies.cmp(&y.bodies).then(x.interval[0].total_cmp(&y.interval[0])));
        let name = |ix: u32| frame.model.bodies.get(ix as usize).map_or("?", |body| body.name.as_str());
        let bar = |one: &PenaltyDetail| {
            let pressing = one.impulse.dot(one.normal);
            Self {
                pair: format!("{} / {}", name(one.bodies[0].0), name(one.bodies[1].0)),
                interval: one.interval,
                normal: one.normal,
                pressing,
                rubbing: (one.impulse - pressing * one.normal).length(),
                depth: one.depth,
            }
        };
        features.into_iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two features of bodies 0 and 1, one of 1 and 2.
    fn frame() -> Frame {
        let feature = |bodies: [u32; 2], interval: [f64; 2], impulse: DVec3| PenaltyDetail {
            bodies: bodies.map(BodyId),
            interval,
            point: DVec3::X,
            normal: DVec3::Z,
            impulse,
            depth: 1e-4,
        };
        let penalties = vec![
            feature([1, 2], [0.0, 1.0], DVec3::Z),
            feature([0, 1], [0.5, 1.0], DVec3::new(3.0, 4.0, 2.0)),
            PenaltyDetail { point: DVec3::X * 9.0, ..feature([0, 1], [0.25, 0.5], DVec3::Z) },
        ];
        Frame { dt: 1e-3, penalties, ..Frame::default() }
    }

    #[test]
    fn bars_are_those_of_a_body_in_the_order_of_pairs_and_times() {
        let bars = Bar::of(&frame(), 1);
        let intervals: Vec<[f64; 2]> = bars.iter().map(|bar| bar.interval).collect();
        assert_eq!(intervals, [[0.25, 0.5], [0.5, 1.0], [0.0, 1.0]]);
        assert_eq!((bars[1].pressing, bars[1].rubbing), (2.0, 5.0));
        assert_eq!(Bar::of(&frame(), 2).len(), 1);
        assert!(Bar::of(&frame(), 7).is_empty());
    }

    #[test]
    fn each_feature_is_marked_by_its_normal_and_its_force() {
        let marked = |layers: &str, only: Option<u32>| {
            let layers = layers.parse().expect("layers");
            let style = MarkStyle {
                layers,
                force_scale: 1.0,
                trail_time: 1.0,
                ink: mark::INK,
                rim: mark::PAPER,
                only,
            };
            let mut overlay = Overlay::default();
            let frame = frame();
            penalty_marks(&mut overlay, &frame, &ArrowScale::of(&frame), &style);
            (overlay.strokes.len(), overlay.arrows.len())
        };
        assert_eq!(marked("normal", None), (3, 0));
        // A dot and its rim, and an arrow.
        assert_eq!(marked("points", Some(0)), (4, 2));
        // Those of a pair in about the same place are one mark with the force of both.
        let [a, b, c] = <[PenaltyDetail; 3]>::try_from(frame().penalties).expect("three");
        let near = PenaltyDetail { point: b.point + DVec3::X * 1e-3, ..c };
        let kept = thinned([&a, &b, &near].into_iter(), 0.01);
        assert_eq!(kept.iter().map(|one| one.impulse.z).collect::<Vec<_>>(), [1.0, 3.0]);
        assert_eq!(marked("patch", None), (0, 0));
    }
}
