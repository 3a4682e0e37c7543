//! Marks of contacts: what each layer adds to the overlay.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DVec2, DVec3};
use tactum_sim::ContactPatch;
use tactum_sim::{BodyId, BodyKind, ContactMotion, EquivalentBox, JointKind};

use crate::body_marks::body_marks;
use crate::facet_marks::facet_marks;
use crate::frame::{ContactView, Frame};
use crate::layers::{Layer, Layers};
use crate::overlay::Overlay;
use crate::palette::{Rgb, mark};
use crate::penalty_marks::penalty_marks;
use crate::timeline::Timeline;

/// Corners of a drawn ellipse.
const ELLIPSE_CORNERS: u32 = 48;

/// Steps of the trail at most: more would not be told apart.
const TRAIL_STEPS: usize = 160;

/// Length of the force arrow of a body's own weight, as a part of the body's size. No unit.
const WEIGHT_ARROW: f64 = 0.55;

/// Size, in weights, from which on an arrow grows with the logarithm of its force.
const KNEE: f64 = 1.5;

/// Length, in arrows of a weight, that the arrow of no force reaches, however large it is.
const LONGEST: f64 = 4.0;

/// Number of contacts from which on dots are small.
const MANY: usize = 24;

/// Contacts that are marked in full; of more each has its patch alone, but these many that press most.
pub const IN_FULL: usize = 120;

/// Least normal-to-normal cosine of two steps' contacts for one to continue the other in a trail. No unit.
const SAME_NORMAL: f64 = 0.7;

/// What decides about marks besides the frame.
#[derive(Clone, Debug)]
pub struct MarkStyle {
    /// Layers that are shown.
    pub layers: Layers,
    /// Factor on the length of arrows.
    pub force_scale: f64,
    /// How much of the trail is shown \[s\].
    pub trail_time: f64,
    /// Colour of lines without a hue.
    pub ink: Rgb,
    /// Colour of rims, which part marks from what is behind them.
    pub rim: Rgb,
    /// Only contacts of this body, if one is given.
    pub only: Option<u32>,
}

/// What a contact does, in one word for its colour: the freest motion counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Bodies touch without pressing.
    Touching,
    /// Friction holds.
    Sticking,
    /// Friction is overcome along the plane.
    Sliding,
    /// Friction is overcome about the normal only.
    Spinning,
    /// The centre of pressure is at the border.
    Rolling,
}

impl State {
    /// All states, in the order of the legend.
    pub const ALL: [Self; 5] = [Self::Sticking, Self::Sliding, Self::Spinning, Self::Rolling, Self::Touching];

    /// The state of a contact.
    pub fn of(motion: ContactMotion) -> Self {
        match motion {
            ContactMotion { presses: false, .. } => Self::Touching,
            ContactMotion { slides: true, .. } => Self::Sliding,
            ContactMotion { rolls: true, .. } => Self::Rolling,
            ContactMotion { spins: true, .. } => Self::Spinning,
            _ => Self::Sticking,
        }
    }

    /// Its colour.
    pub fn colour(self) -> Rgb {
        match self {
            Self::Touching => crate::palette::STATIC,
            Self::Sticking => mark::BLUE,
            Self::Sliding => mark::ORANGE,
            Self::Spinning => mark::PURPLE,
            Self::Rolling => mark::GREEN,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Touching => "touching",
            Self::Sticking => "sticking",
            Self::Sliding => "sliding",
            Self::Spinning => "spinning",
            Self::Rolling => "rolling or tipping",
        }
    }
}

/// Colours of regions by their number.
const REGIONS: [Rgb; 8] = [
    mark::INK,
    mark::VERMILION,
    mark::SKY,
    mark::YELLOW,
    mark::GREEN,
    mark::PURPLE,
    mark::BLUE,
    mark::ORANGE,
];

/// Marks of a frame; `timeline` has the steps before it, for trails.
pub fn marks(frame: &Frame, timeline: &Timeline, style: &MarkStyle) -> Overlay {
    let mut overlay = Overlay::default();
    let scale = ArrowScale::of(frame);
    let history =
        if style.layers.has(Layer::Trail) { history(frame, timeline, style.trail_time) } else { Vec::new() };
    let width = if frame.contacts.len() > MANY && style.only.is_none() { 4.0 } else { 7.0 };
    let shown = |contact: &&ContactView| style.only.is_none_or(|body| contact.is_of(body));
    let contacts: Vec<&ContactView> = frame.contacts.iter().filter(shown).collect();
    let least = least_in_full(&contacts);
    for contact in contacts {
        let is_full = pressing(contact) >= least;
        patch_marks(&mut overlay, contact, is_full, style);
        if !is_full {
            continue;
        }
        axes_marks(&mut overlay, contact, style);
        if style.layers.has(Layer::Box)
            && let Some(equivalent) = &contact.insight.equivalent_box
        {
            box_marks(&mut overlay, equivalent);
        }
        trail_marks(&mut overlay, contact, &history, frame.time, style);
        wrench_marks(&mut overlay, contact, frame, &scale, style);
        cop_marks(&mut overlay, contact, width, style);
    }
    facet_marks(&mut overlay, frame, style);
    penalty_marks(&mut overlay, frame, &scale, style);
    if style.layers.has(Layer::Points) {
        point_marks(&mut overlay, frame, &scale, style);
    }
    if style.layers.has(Layer::Joints) {
        joint_marks(&mut overlay, frame, &scale, style);
    }
    body_marks(&mut overlay, frame, style);
    pull_marks(&mut overlay, frame, style);
    overlay
}

/// What a contact presses with in the step \[N s\].
fn pressing(contact: &ContactView) -> f64 {
    contact.record.impulse[0]
}

/// The least normal impulse of the contacts that are marked in full \[N s\].
fn least_in_full(contacts: &[&ContactView]) -> f64 {
    let mut impulses: Vec<f64> = contacts.iter().map(|contact| pressing(contact)).collect();
    impulses.sort_by(|a, b| b.total_cmp(a));
    impulses.get(IN_FULL).copied().unwrap_or(f64::NEG_INFINITY)
}

/// How long arrows are.
#[derive(Debug)]
pub struct ArrowScale {
    /// Weight of the median body \[N\].
    pub weight: f64,
    /// The torque that counts like it \[N m\].
    torque: f64,
    /// Length of the arrow of that weight \[m\].
    pub length: f64,
    /// Radius of shafts \[m\].
    pub radius: f64,
}

impl ArrowScale {
    /// The scale at which the median moving body's weight is drawn as long as a good half of that body.
    pub fn of(frame: &Frame) -> Self {
        let moving = frame.model.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic);
        let (mut sizes, mut masses): (Vec<f64>, Vec<f64>) =
            moving.map(|body| (body.shape.size() / 3_f64.sqrt(), body.mass.mass)).unzip();
        let median = |list: &mut Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(1.0)
        };
        let (size, mass) = (median(&mut sizes), median(&mut masses));
        // Standard gravity: the scale is to stay the same when gravity is turned.
        let weight = 9.81 * mass;
        Self { weight, torque: 0.1 * weight * size, length: WEIGHT_ARROW * size, radius: 0.014 * size }
    }

    /// The arrow of a vector whose size counts in units of `unit`.
    pub fn arrow(&self, vector: DVec3, unit: f64, factor: f64) -> DVec3 {
        vector.normalize_or_zero() * (drawn_length(vector.length() / unit) * self.length * factor)
    }
}

/// Length of an arrow by its size in weights: as long as it is large up to [`KNEE`], by its logarithm beyond, so that a wedge beside
/// a leaf is seen whole, and never [`LONGEST`].
fn drawn_length(size: f64) -> f64 {
    if size <= KNEE {
        return size;
    }
    let beyond = KNEE * (size / KNEE).ln();
    KNEE + beyond / (1.0 + beyond / (LONGEST - KNEE))
}

fn patch_corners(contact: &ContactView) -> Vec<DVec3> {
    let patch = &contact.insight.patch;
    match (patch, patch.hull()) {
        (ContactPatch::Ellipse(ellipse), _) => ellipse_corners(contact, ellipse.semi_axes()),
        (_, hull) => {
            hull.map(|polygon| polygon.corners().map(|x| contact.in_world(x)).collect()).unwrap_or_default()
        }
    }
}

fn ellipse_corners(contact: &ContactView, semi_axes: DVec2) -> Vec<DVec3> {
    let corner = |ix| {
        let (sin, cos) = (TAU * f64::from(ix) / f64::from(ELLIPSE_CORNERS)).sin_cos();
        contact.in_world(semi_axes * DVec2::new(cos, sin))
    };
    (0..ELLIPSE_CORNERS).map(corner).collect()
}

/// The patch of a contact, with its rim where the contact is marked in full.
fn patch_marks(overlay: &mut Overlay, contact: &ContactView, is_full: bool, style: &MarkStyle) {
    let layers = &style.layers;
    let by_state = State::of(contact.insight.motion).colour();
    let fill = if layers.has(Layer::State) { by_state } else { mark::SKY };
    let rim = if layers.has(Layer::Regions) {
        REGIONS[contact.record.region as usize % REGIONS.len()]
    } else {
        fill
    };
    if layers.has(Layer::Patch) || layers.has(Layer::State) || layers.has(Layer::Regions) {
        let corners = patch_corners(contact);
        if layers.has(Layer::Patch) || layers.has(Layer::State) {
            overlay.fan(&corners, fill, if is_full { 0.45 } else { 0.3 });
        }
        if !is_full && !layers.has(Layer::Regions) {
            return;
        }
        let width = if layers.has(Layer::Regions) { 3.0 } else { 2.0 };
        overlay.loop_line(&corners, width, rim, 0.95);
    }
    if layers.has(Layer::Ellipse)
        && let Some(equivalent) = &contact.insight.equivalent_box
    {
        let [u, w] = contact.record.axes.map(|axis| variance_along(equivalent, axis));
        let semi_axes = DVec2::new(u, w) * 4.0;
        overlay.loop_line(&ellipse_corners(contact, semi_axes.map(f64::sqrt)), 1.5, mark::SKY, 0.95);
    }
}

/// Variance of the overlap along a direction \[m²\].
fn variance_along(equivalent: &EquivalentBox, direction: DVec3) -> f64 {
    let part = |(axis, half): (&DVec3, &f64)| (axis.dot(direction) * half).powi(2) / 3.0;
    equivalent.axes.iter().zip(&equivalent.half_size).map(part).sum()
}

fn axes_marks(overlay: &mut Overlay, contact: &ContactView, style: &MarkStyle) {
    let record = &contact.record;
    let reach = contact.insight.patch.reach();
    let from = record.point;
    if style.layers.has(Layer::Frame) {
        for (axis, colour) in
            [(record.normal, style.ink), (record.axes[0], mark::BLUE), (record.axes[1], mark::GREEN)]
        {
            overlay.arrow(from, from + axis * reach, 0.025 * reach, colour, false);
        }
    } else if style.layers.has(Layer::Normal) {
        overlay.arrow(from, from + record.normal * (1.2 * reach), 0.025 * reach, style.ink, false);
    }
}

/// The edges and faces of a box.
pub fn box_marks(overlay: &mut Overlay, equivalent: &EquivalentBox) {
    let corner = |ix: usize| {
        (0..3).fold(equivalent.center, |x, axis| {
            let sign = if ix >> axis & 1 == 0 { -1.0 } else { 1.0 };
            x + equivalent.axes[axis] * (sign * equivalent.half_size[axis])
        })
    };
    for from in 0..8_usize {
        for axis in 0..3 {
            let to = from | 1 << axis;
            if to != from {
                overlay.line([corner(from), corner(to)], 2.0, mark::YELLOW, 0.95);
            }
        }
    }
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    faces.iter().for_each(|face| overlay.fan(&face.map(corner), mark::YELLOW, 0.10));
}

fn wrench_marks(
    overlay: &mut Overlay,
    contact: &ContactView,
    frame: &Frame,
    scale: &ArrowScale,
    style: &MarkStyle,
) {
    let Some(cop) = contact.cop() else { return };
    let (dt, side) = (frame.dt, frame.shown_side(contact.record.bodies.map(|BodyId(ix)| ix)));
    if style.layers.has(Layer::Force) {
        let force = scale.arrow(side * contact.force(dt), scale.weight, style.force_scale);
        overlay.arrow(cop, cop + force, scale.radius, mark::VERMILION, false);
    }
    if style.layers.has(Layer::Torque) {
        let torque = contact.record.normal * (side * contact.spin_torque(dt));
        let torque = scale.arrow(torque, scale.torque, style.force_scale);
        overlay.arrow(cop, cop + torque, scale.radius, mark::PURPLE, true);
    }
}

fn cop_marks(overlay: &mut Overlay, contact: &ContactView, width: f32, style: &MarkStyle) {
    let shows_free = style.layers.has(Layer::FreeCop);
    if let (true, Some(free)) = (shows_free, contact.free_cop()) {
        // A point far outside has no place in the picture; the direction is enough.
        let reach = contact.insight.patch.reach();
        let from = contact.cop().unwrap_or(contact.record.point);
        let away = (free - from).clamp_length_max(4.0 * reach);
        overlay.line([from, from + away], 1.5, mark::VERMILION, 0.9);
        overlay.dot(from + away, width, mark::VERMILION, style.rim);
    }
    if let (true, Some(cop)) = (style.layers.has(Layer::Cop), contact.cop()) {
        overlay.dot(cop, width, mark::PURPLE, style.rim);
    }
}

/// Frames of the last seconds before a frame, the newest first, not more than can be told apart.
fn history(frame: &Frame, timeline: &Timeline, time: f64) -> Vec<Arc<Frame>> {
    let end = timeline.place_of(frame.id).unwrap_or(timeline.len());
    let recent = (0..end).rev().filter_map(|ix| timeline.get(ix));
    let recent: Vec<_> = recent.take_while(|old| old.time >= frame.time - time).collect();
    let stride = recent.len().div_ceil(TRAIL_STEPS).max(1);
    recent.into_iter().step_by(stride).cloned().collect()
}

fn trail_marks(
    overlay: &mut Overlay,
    contact: &ContactView,
    history: &[Arc<Frame>],
    now: f64,
    style: &MarkStyle,
) {
    let (true, Some(mut at)) = (style.layers.has(Layer::Trail), contact.cop()) else { return };
    let mut latest = contact;
    for frame in history {
        let Some((before, cop)) = predecessor(latest, at, frame) else { break };
        let age = ((now - frame.time) / style.trail_time).clamp(0.0, 1.0) as f32;
        overlay.line([cop, at], 2.5, mark::PURPLE, 0.9 * (1.0 - age));
        (latest, at) = (before, cop);
    }
}

/// The contact of an earlier frame that a contact continues, and its centre of pressure.
fn predecessor<'a>(contact: &ContactView, at: DVec3, frame: &'a Frame) -> Option<(&'a ContactView, DVec3)> {
    let pair = contact.record.bodies;
    let first = frame.contacts.partition_point(|old| old.record.bodies < pair);
    let same = frame.contacts[first..].iter().take_while(|old| old.record.bodies == pair);
    same.filter(|old| old.record.normal.dot(contact.record.normal) > SAME_NORMAL)
        .filter_map(|old| old.cop().map(|cop| (old, cop)))
        .min_by(|(_, x), (_, y)| x.distance_squared(at).total_cmp(&y.distance_squared(at)))
}

/// Contacts that are solved as points: each point, and the force there.
fn point_marks(overlay: &mut Overlay, frame: &Frame, scale: &ArrowScale, style: &MarkStyle) {
    let shown = |bodies: &[u32; 2]| style.only.is_none_or(|body| bodies.contains(&body));
    for contact in frame.state.memory.contacts.iter().filter(|contact| shown(&contact.bodies)) {
        let key = |view: &ContactView| (view.record.bodies.map(|id| id.0), view.record.region);
        let Some(view) = frame.contacts.iter().find(|view| key(view) == (contact.bodies, contact.region))
        else {
            continue;
        };
        let side = frame.shown_side(contact.bodies);
        for point in &contact.points {
            let at = view.record.point + point.arm;
            let force = scale.arrow(side * point.impulse / frame.dt, scale.weight, style.force_scale);
            overlay.arrow(at, at + force, 0.6 * scale.radius, mark::ORANGE, false);
            overlay.dot(at, 5.0, mark::ORANGE, style.rim);
        }
    }
}

/// Joints: a dot at the second half, the way from there to the centres of mass, and the axis of those that have one.
fn joint_marks(overlay: &mut Overlay, frame: &Frame, scale: &ArrowScale, style: &MarkStyle) {
    for (joint, _, half) in frame.joints() {
        if style.only.is_some_and(|body| joint.b.0 != body && joint.a.is_none_or(|a| a.0 != body)) {
            continue;
        }
        for BodyId(ix) in joint.a.into_iter().chain([joint.b]) {
            let center = frame.state.bodies[ix as usize].position;
            overlay.line([center, half.origin], 1.5, style.ink, 0.5);
        }
        let along = half.rotation * DVec3::X * (0.6 * scale.length);
        match joint.kind {
            JointKind::Revolute { .. } => {
                overlay.line([half.origin - along, half.origin + along], 3.0, mark::SKY, 0.95);
            }
            JointKind::Prismatic { .. } => {
                for sign in [-1.0, 1.0] {
                    overlay.arrow(half.origin, half.origin + along * sign, scale.radius, mark::SKY, false);
                }
            }
            JointKind::Rigid | JointKind::Spherical { .. } => {}
        }
        overlay.dot(half.origin, 7.0, mark::SKY, style.rim);
    }
}

fn pull_marks(overlay: &mut Overlay, frame: &Frame, style: &MarkStyle) {
    if let Some(pull) = frame.pull {
        overlay.line([pull.anchor, pull.target], 3.0, mark::YELLOW, 1.0);
        overlay.dot(pull.anchor, 7.0, mark::YELLOW, style.rim);
        overlay.dot(pull.target, 7.0, mark::YELLOW, style.rim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{BodyInfo, Model};
    use tactum_geometry::Shape;

    #[test]
    fn forces_are_drawn_on_what_moves() {
        let body = |kind| BodyInfo { kind, ..BodyInfo::of_shape("it", Shape::HalfSpace) };
        let bodies = [BodyKind::Dynamic, BodyKind::Static, BodyKind::Dynamic].map(body).to_vec();
        let frame = Frame { model: Arc::new(Model { bodies, ..Model::default() }), ..Frame::default() };
        assert_eq!([[0, 1], [1, 2], [0, 2]].map(|pair| frame.shown_side(pair)), [-1.0, 1.0, 1.0]);
    }

    #[test]
    fn arrows_grow_with_their_force_and_are_bounded() {
        let sizes = [0.0, 0.5, KNEE, 1.6, 10.0, 1e3, 1e9];
        let lengths = sizes.map(drawn_length);
        assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
        assert_eq!(lengths[..3], sizes[..3]);
        assert!(lengths[6] < LONGEST);
        // The slope goes on through the knee: by 1 on both sides.
        let step = 1e-6;
        assert!(((drawn_length(KNEE + step) - KNEE) / step - 1.0).abs() < 1e-5);
    }
}
