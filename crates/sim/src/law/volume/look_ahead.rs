//! Which overlaps the law asks for: of each pair where it is, and where it may be at the end of the step.
//!
//! Contacts are known by their overlap, so bodies that only touch would fall into each other before they carry, and what
//! comes down flat or over a corner would be found too late.

use glam::DVec3;
use tactum_geometry::Symmetry;

use crate::Body;
use crate::broad_phase::height_above;
use crate::constants::{MAX_LANDING, MAX_UNEVENNESS, TOUCHING};
use crate::law::Situation;
use crate::law::volume::apart::{Apart, middle};
use crate::law::volume::contact::LookAhead;
use crate::law::volume::fast::{Passage, half_thickness};
use crate::law::volume::jolts::Jolts;
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::onward;
use crate::law::volume::overlaps::{PairAsked, Shift};
use crate::motion;

/// What is asked of each pair, in the order of the pairs.
///
/// A pair that no plane is seen between (sharing a point is enough) is measured where it is. A pair that was no contact in the last
/// step is also measured where it may be at the end of this one. What decides is how the two move against each other, so that a
/// scene in a lift is asked the same as one that stands.
pub fn ask(situation: &Situation<'_>, pairs: &[[u32; 2]]) -> Vec<PairAsked> {
    let approaches: Vec<Approach> = pairs.iter().map(|&bodies| Approach::new(situation, bodies)).collect();
    // A compliant contact wants its overlap before it pushes.
    let looks_ahead = situation.settings.compliance == 0.0;
    let jolts = Jolts::new(situation, pairs, approaches.iter().map(Approach::impact));
    let mut asked = Vec::with_capacity(pairs.len());
    let mut n_questions = 0;
    for (ix, (&bodies, approach)) in pairs.iter().zip(&approaches).enumerate() {
        let onward = onward::way(situation, bodies).filter(|_| approach.fast.is_none());
        let ahead = if looks_ahead && onward.is_none() {
            shifts(situation, bodies, approach, jolts.of_others(ix))
        } else {
            Vec::new()
        };
        let pair = PairAsked {
            bodies,
            now: approach.meet,
            fast: approach.fast.filter(|_| looks_ahead),
            onward,
            ahead,
            first: n_questions,
        };
        n_questions += pair.n_questions();
        if pair.n_questions() > 0 {
            asked.push(pair);
        }
    }
    asked
}

/// How two bodies may come to touch within the step, in the direction in which they are apart.
#[derive(Debug)]
struct Approach {
    /// Whether they may overlap where they are.
    meet: bool,
    /// How far apart they are, or less \[m\]; negative where their boxes meet.
    gap: f64,
    /// From B to A in the direction in which they are apart.
    toward: DVec3,
    /// How far B moves against A, as much of it as may be looked ahead for \[m\].
    motion: DVec3,
    /// How far one may get into the other before it is no longer clear on which side it came in \[m\].
    depth: f64,
    /// See [`PairAsked::fast`].
    fast: Option<f64>,
}

impl Approach {
    fn new(situation: &Situation<'_>, bodies: [u32; 2]) -> Self {
        let [a, b] = bodies.map(|ix| &situation.bodies[ix as usize]);
        let free = bodies.map(|ix| &situation.free[ix as usize]);
        let normals = [a, b].map(|body| body.shape.plane_normal());
        let (plane, normal, body) = match normals {
            [Some(normal), _] => (a, normal, b),
            [None, Some(normal)] => (b, normal, a),
            [None, None] => {
                let apart = Self::of_shapes(situation, bodies);
                let touches = apart.meet || apart.closing() > apart.gap;
                let passage = if touches { Passage::of(situation, bodies) } else { None };
                let has_met = !memory::of_pair(&situation.memory.contacts, bodies).is_empty();
                return match passage {
                    // Where bodies have met is nearer than where their ways lead.
                    Some(passage) if !has_met || passage.is_outside() && passage.fast().is_some() => {
                        let Passage { gap, toward, motion, depth } = passage;
                        Self { meet: apart.meet, gap, toward, motion, depth, fast: passage.fast() }
                    }
                    _ => apart,
                };
            }
        };
        let w_from_plane = plane.w_from_shape();
        let up = w_from_plane.vector(normal);
        let toward = if normals[0].is_some() { -up } else { up };
        // Along the plane nothing changes.
        let motion = toward * (free[1].displacement - free[0].displacement).dot(toward);
        let w_from_shape = body.w_from_shape();
        let thickness =
            [up, -up].map(|w| body.shape.reach(w_from_shape.rotation.conjugate() * w)).iter().sum::<f64>();
        let gap = height_above(w_from_plane.translation, up, body) - body.bulge();
        Self { meet: gap <= 0.0, gap, toward, motion, depth: 0.5 * thickness, fast: None }
    }

    /// Bodies that overlapped are apart across the normal that they had, if anywhere. Where each reaches beyond the other's end, as rings
    /// of a chain do, no plane lies between them and only that normal tells; for such that have not met, what gravity and forces
    /// add in this step is looked ahead for, from centre to centre.
    fn of_shapes(situation: &Situation<'_>, pair: [u32; 2]) -> Self {
        let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
        let [of_a, of_b] = pair.map(|ix| &situation.free[ix as usize]);
        let rounding = TOUCHING * (bodies[0].shape.size() + bodies[1].shape.size());
        // What meets in several places is apart across none of their normals.
        let last = match memory::of_pair(&situation.memory.contacts, pair) {
            [contact] => Some(contact),
            _ => None,
        };
        let known = last.map(|last| Apart::along(bodies, last.normal));
        let is_apart = |plane: &Apart| plane.gap >= -rounding;
        let plane = match (last, known) {
            (Some(last), Some(known)) if last.look_ahead != LookAhead::Touch || is_apart(&known) => known,
            _ => Apart::of(bodies),
        };
        let meet = plane.gap <= rounding;
        if let Some(Apart { normal, gap }) = Some(plane).filter(is_apart).or(known) {
            let thickness = bodies.map(|body| body.reach(normal) + body.reach(-normal));
            let motion = of_b.displacement - of_a.displacement;
            let motion = if last.is_some() { motion.project_onto_normalized(normal) } else { motion };
            let depth = 0.5 * thickness[0].min(thickness[1]);
            let gap = gap - bodies[0].bulge() - bodies[1].bulge();
            return Self { meet, gap, toward: -normal, motion, depth, fast: None };
        }
        let [a, b] = bodies.map(middle);
        let toward = (a - b).normalize_or_zero();
        let motion = toward * (of_b.gained - of_a.gained).dot(toward);
        let depth = bodies.map(half_thickness).into_iter().fold(f64::INFINITY, f64::min);
        Self { meet, gap: plane.gap, toward, motion, depth, fast: None }
    }

    fn closing(&self) -> f64 {
        self.motion.dot(self.toward)
    }

    /// How far the bodies come nearer to each other in the step, if they come to touch \[m\]: as much as their contact may
    /// change their ways.
    fn impact(&self) -> f64 {
        let closing = self.closing();
        if closing > self.gap { closing.max(0.0) } else { 0.0 }
    }

    /// Where B may be relative to A at the end of the step, as far as it comes nearer; `jolt` is by how much the contacts of
    /// others may change their ways \[m\].
    ///
    /// A stack built without gaps would collapse level by level if contacts were found only once bodies overlap: what falls
    /// with it at the same speed is stopped in the same step. Of the way across no more is gone than on the way to there.
    fn shift(&self, jolt: f64) -> Shift {
        let closing = self.closing().max(0.0);
        let nearest = (closing + jolt).min(self.gap.max(0.0) + self.depth);
        if nearest <= self.gap {
            return Shift::along(DVec3::ZERO);
        }
        let across = self.motion - self.toward * self.closing();
        let part = if closing > 0.0 { (nearest / closing).min(1.0) } else { 0.0 };
        Shift { by: self.toward * nearest + across * part, toward: self.toward }
    }
}

/// How B is moved against A to where the bodies of a pair may touch at the end of the step: once for those that were no contact in the last
/// step, along the normal of each contact for others.
///
/// Of those that touch in several places and between which no plane lies, some may have come apart while others hold, as where what is
/// round rolls in a groove over its facets. Two curved surfaces that hold each other in several places, as threads do, slide on each other: they are
/// measured where they slide to, see [`onward`].
fn shifts(situation: &Situation<'_>, pair: [u32; 2], approach: &Approach, jolt: f64) -> Vec<Shift> {
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    let is_apart = contacts.len() < 2 || approach.gap >= 0.0;
    let is_new = is_apart && contacts.iter().all(|contact| contact.look_ahead == LookAhead::Touch);
    let as_a_whole = || approach.shift(jolt + bulges(situation, pair) + turning_to_touch(situation, pair));
    let at_contact = |contact: &StoredContact| match shift_to_land(situation, contact, approach.gap) {
        Some(shift) => Some(Shift::along(shift)),
        None => (contacts.len() == 1).then(as_a_whole),
    };
    let are_curved = pair.iter().all(|&ix| situation.bodies[ix as usize].smooth.is_some());
    if contacts.len() > 1 && are_curved && !is_new {
        return Vec::new();
    }
    let all = if is_new { vec![as_a_whole()] } else { contacts.iter().filter_map(at_contact).collect() };
    let mut shifts: Vec<Shift> = Vec::with_capacity(all.len());
    for shift in all {
        // Feet that come down on one plane come down together.
        let is_known = |known: &Shift| known.by.distance(shift.by) <= TOUCHING * shift.by.length();
        if shift.by != DVec3::ZERO && !shifts.iter().any(is_known) {
            shifts.push(shift);
        }
    }
    shifts
}

/// How far corners of a contact of the last step may come down within this one, along its normal \[m\]: zero where they do not, `None` for
/// a pair that is apart, of which one was led away.
///
/// Only corners that overlap are known to touch. Without the others, a body that rocks on a corner would turn past the flat in
/// one step, to rock on the next corner for ever, and one that rolls would fall over each of them.
fn shift_to_land(situation: &Situation<'_>, contact: &StoredContact, gap: f64) -> Option<DVec3> {
    let pair = contact.bodies;
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let [free_a, free_b] = pair.map(|ix| &situation.free[ix as usize]);
    let bulges = bulges(situation, pair);
    let lies_evenly = matches!(contact.look_ahead, LookAhead::Nothing | LookAhead::Onward);
    if bulges == 0.0 && lies_evenly && !turns(situation, pair, contact.normal) {
        return (gap < 0.0).then_some(DVec3::ZERO);
    }
    let size = a.shape.size().min(b.shape.size());
    let closing = (free_a.displacement - free_b.displacement).dot(contact.normal).max(0.0);
    let nearest = (turning(situation, pair, contact.normal) + closing).min(MAX_LANDING * size);
    Some(-contact.normal * (nearest.max(closing) + bulges))
}

/// How far the bodies of a pair that was about to touch in the last step bring corners down by turning \[m\].
fn turning_to_touch(situation: &Situation<'_>, pair: [u32; 2]) -> f64 {
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    contacts.iter().map(|contact| turning(situation, pair, contact.normal)).fold(0.0, f64::max)
}

/// How much farther than its shape a smooth surface of a pair may reach, twice: where it touches, the shapes have to overlap \[m\]. Of two
/// smooth bodies one rolls on the other only where that is hollow, which is known once they have met.
fn bulges(situation: &Situation<'_>, pair: [u32; 2]) -> f64 {
    let [a, b] = pair.map(|ix| situation.bodies[ix as usize].bulge());
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    let mut ahead = contacts.iter().map(|contact| contact.look_ahead);
    let mut rolls = || ahead.any(|ahead| matches!(ahead, LookAhead::NextCorner | LookAhead::Touch));
    if a.min(b) == 0.0 || rolls() { 2.0 * a.max(b) } else { 0.0 }
}

/// How far the bodies of a pair bring corners down by turning against each other across a normal \[m\]. What spins about its own axis
/// of symmetry brings none, and what is smooth all over comes nearer to a body that is not only by as much as it reaches farther than what
/// touched.
fn turning(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3) -> f64 {
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let is_oval = |body: &Body| {
        let is_alone = a.smooth.is_none() || b.smooth.is_none();
        is_alone && body.smooth.as_ref().is_some_and(|surface| surface.is_oval())
    };
    let turns = |body: &Body| match body.shape.symmetry() {
        Some(Symmetry::Point) => DVec3::ZERO,
        Some(Symmetry::Axis) => {
            let axis = body.w_from_shape().vector(DVec3::Z);
            body.angular_velocity.reject_from_normalized(axis)
        }
        None if is_oval(body) => DVec3::ZERO,
        None => body.angular_velocity,
    };
    let across = (turns(b) - turns(a)).cross(normal).length();
    let dt = situation.settings.dt;
    let rises = |body: &Body, other: &Body, toward: DVec3| {
        if !is_oval(body) {
            return 0.0;
        }
        let then = motion::exp(dt * (other.angular_velocity - body.angular_velocity)) * toward;
        (body.farthest(then) - then.dot(toward) * body.farthest(toward)).max(0.0)
    };
    dt * across * a.shape.size().min(b.shape.size()) + rises(a, b, normal) + rises(b, a, -normal)
}

/// Whether that is enough to make an even contact an uneven one.
pub fn turns(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3) -> bool {
    let size = pair.iter().map(|&ix| situation.bodies[ix as usize].mean_side).fold(f64::INFINITY, f64::min);
    turning(situation, pair, normal) > MAX_UNEVENNESS * situation.settings.target_depth * size
}
