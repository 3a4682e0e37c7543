//! How two bodies may come to touch within the step.

use glam::DVec3;

use crate::Body;
use crate::broad_phase::height_above;
use crate::constants::{OVERSHOOT, TOUCHING};
use crate::law::Situation;
use crate::law::volume::apart::{Apart, middle};
use crate::law::volume::contact::LookAhead;
use crate::law::volume::fast::{Passage, half_thickness};
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::overlaps::Shift;

/// How two bodies may come to touch within the step, in the direction in which they are apart.
#[derive(Debug)]
pub struct Approach {
    /// Whether they may overlap where they are.
    pub meet: bool,
    /// How far apart they are, or less \[m\]; negative where their boxes meet.
    pub gap: f64,
    /// From B to A in the direction in which they are apart.
    pub toward: DVec3,
    /// How far B moves against A, as much of it as may be looked ahead for \[m\].
    motion: DVec3,
    /// What of that forces add in the step \[m\].
    gained: DVec3,
    /// How far one may get into the other before it is no longer clear on which side it came in \[m\].
    depth: f64,
    /// How far one may be looked ahead for in the other \[m\], see [`deepest_clear`].
    within: f64,
    /// See [`PairAsked::fast`](crate::law::volume::overlaps::PairAsked::fast).
    pub fast: Option<f64>,
}

impl Approach {
    /// That of a pair on its free motion.
    pub fn new(situation: &Situation<'_>, bodies: [u32; 2]) -> Self {
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
                let leads = |passage: &Passage| match passage.fast() {
                    Some(_) => !has_met || passage.is_outside(),
                    // Where bodies have met, or a plane leaves them farther apart, is nearer than where their ways lead.
                    None => !has_met && passage.gap >= apart.gap,
                };
                return match passage.filter(leads) {
                    Some(passage) => {
                        let Passage { gap, toward, motion, depth } = passage;
                        let gained = free[1].gained - free[0].gained;
                        let fast = passage.fast();
                        Self { meet: apart.meet, gap, toward, motion, gained, depth, within: depth, fast }
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
        let thickness = thickness(body, up);
        let gap = height_above(w_from_plane.translation, up, body) - body.bulge();
        let (meet, depth) = (gap <= 0.0, 0.5 * thickness);
        let within = deepest_clear([thickness, f64::INFINITY]);
        Self { meet, gap, toward, motion, gained: DVec3::ZERO, depth, within, fast: None }
    }

    /// Bodies that overlapped are apart across the normal that they had, if anywhere. Where each reaches beyond the other's end, as rings
    /// of a chain do, no plane lies between them and only that normal tells; for such that have not met, what gravity and forces
    /// add in this step is looked ahead for, from centre to centre.
    fn of_shapes(situation: &Situation<'_>, pair: [u32; 2]) -> Self {
        let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
        let [of_a, of_b] = pair.map(|ix| &situation.free[ix as usize]);
        let rounding = TOUCHING * (bodies[0].shape.size() + bodies[1].shape.size());
        // What meets in several places is apart across none of their normals.
        let contacts = memory::of_pair(&situation.memory.contacts, pair);
        let last = match contacts {
            [contact] => Some(contact),
            _ => None,
        };
        let known = last.map(|last| Apart::along(bodies, last.normal));
        let motion = of_b.displacement - of_a.displacement;
        // What has not met, and is in each other by no more than it comes nearer in a step, has just come through the plane.
        let closing = |plane: &Apart| if contacts.is_empty() { -motion.dot(plane.normal) } else { 0.0 };
        let is_apart = |plane: &Apart| plane.gap >= -rounding.max(closing(plane));
        // What is round may have come over an edge since, and to lie on a face.
        let is_round = bodies.iter().any(|body| body.smooth.is_some() || body.shape.has_round_side());
        let keeps = |last: &StoredContact| last.look_ahead != LookAhead::Touch && !is_round;
        let plane = match (last, known) {
            (Some(last), Some(known)) if keeps(last) || is_apart(&known) => known,
            (Some(last), Some(known)) if last.look_ahead != LookAhead::Touch => {
                Some(Apart::of(bodies)).filter(is_apart).unwrap_or(known)
            }
            _ => Apart::of(bodies),
        };
        let meet = plane.gap <= rounding;
        if let Some(Apart { normal, gap }) = Some(plane).filter(is_apart).or(known) {
            let thickness = bodies.map(|body| thickness(body, normal));
            let motion = if last.is_some() { motion.project_onto_normalized(normal) } else { motion };
            let depth = 0.5 * thickness[0].min(thickness[1]);
            let gap = gap - bodies[0].bulge() - bodies[1].bulge();
            let gained = if last.is_some() { DVec3::ZERO } else { of_b.gained - of_a.gained };
            let within = deepest_clear(thickness);
            return Self { meet, gap, toward: -normal, motion, gained, depth, within, fast: None };
        }
        let [a, b] = bodies.map(middle);
        let toward = (a - b).normalize_or_zero();
        let motion = toward * (of_b.gained - of_a.gained).dot(toward);
        let depth = bodies.map(half_thickness).into_iter().fold(f64::INFINITY, f64::min);
        let gained = DVec3::ZERO;
        Self { meet, gap: plane.gap, toward, motion, gained, depth, within: depth, fast: None }
    }

    /// How far the bodies come nearer to each other in the step \[m\].
    fn closing(&self) -> f64 {
        self.motion.dot(self.toward)
    }

    /// How far the bodies come nearer to each other in the step, if they come to touch \[m\]: as much as their contact may
    /// change their ways.
    pub fn impact(&self) -> f64 {
        let closing = self.closing();
        if closing > self.gap { closing.max(0.0) } else { 0.0 }
    }

    /// How much nearer than by their own ways the bodies have to come to touch in the step \[m\]; zero or less where these lead together.
    pub fn parting(&self) -> f64 {
        self.gap - self.closing().max(0.0)
    }

    /// Where B may be relative to A at the end of the step, as far as it comes nearer; `jolt` is by how much the contacts of
    /// others may change their ways \[m\].
    ///
    /// A stack built without gaps would collapse level by level if contacts were found only once bodies overlap: what falls
    /// with it at the same speed is stopped in the same step. Of the way across no more is gone than on the way to there. Beyond where they touch
    /// it is a part of the depth only, as overlaps of flush sides lean towards these the deeper they are, and `besides` that \[m\].
    pub fn shift(&self, jolt: f64, besides: f64) -> Shift {
        let closing = self.closing().max(0.0);
        let gap = self.gap.max(0.0);
        let nearest = (closing + jolt).min(gap + OVERSHOOT * self.depth) + besides;
        let nearest = nearest.min(gap + self.within);
        if nearest <= self.gap {
            return Shift::along(DVec3::ZERO);
        }
        // What lies on something else does not fall while it slides on.
        let across = (self.motion - self.gained).reject_from_normalized(self.toward);
        let part = if closing > 0.0 { (nearest / closing).min(1.0) } else { 0.0 };
        Shift { by: self.toward * nearest + across * part, toward: self.toward }
    }
}

/// How thick a body is along a direction \[m\]. A box around it may be thicker: brought so far into another, a tilted ring would be under its surface.
fn thickness(body: &Body, along: DVec3) -> f64 {
    body.farthest(along) + body.farthest(-along)
}

/// Part of a body's thickness that stays out of another one in which it is looked ahead for. No unit.
const LEFT_OUT: f64 = 1e-3;

/// How far one of two bodies may be in the other along a normal for their overlap to tell on which side it came in \[m\], by how thick they are along
/// it: all but a little of the thinner one, of which what is farthest out does not come down, and no farther than to the middle of the other.
pub fn deepest_clear([a, b]: [f64; 2]) -> f64 {
    ((1.0 - LEFT_OUT) * a.min(b)).min(0.5 * a.max(b))
}
