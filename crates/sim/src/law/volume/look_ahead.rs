//! Which overlaps the law asks for: of each pair where it is, and where it may be at the end of the step.
//!
//! Contacts are known by their overlap, so bodies that only touch would fall into each other before they carry, and what
//! comes down flat or over a corner would be found too late.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;
use rayon::prelude::*;

use crate::Body;
use crate::broad_phase::Surroundings;
use crate::constants::{MAX_LANDING, MAX_UNEVENNESS, PARALLEL_CONTACTS, TOUCHING};
use crate::law::Situation;
use crate::law::volume::approach::{Approach, deepest_clear};
use crate::law::volume::contact::LookAhead;
use crate::law::volume::jolts::{self, Jolts};
use crate::law::volume::memory::{self, StoredContact};
use crate::law::volume::onward;
use crate::law::volume::overlaps::{PairAsked, Shift};
use crate::motion;

/// What is asked of each pair, in the order of the pairs.
///
/// A pair that no plane is seen between (sharing a point is enough) is measured where it is. A pair that was no contact in the last
/// step is also measured where it may be at the end of this one. What decides is how the two move against each other, so that a
/// scene in a lift is asked the same as one that stands.
///
/// `pairs` are those whose free motions lead together; what contacts among these may bring together besides is looked for in the
/// surroundings.
pub fn ask<'a>(
    situation: &Situation<'_>,
    pairs: &[[u32; 2]],
    surroundings: impl FnOnce() -> Surroundings<'a>,
) -> Vec<PairAsked> {
    let approach = |&bodies: &[u32; 2]| (bodies, Approach::new(situation, bodies));
    let mut near = Vec::with_capacity(pairs.len());
    pairs.par_iter().with_min_len(PARALLEL_CONTACTS).map(approach).collect_into_vec(&mut near);
    // A compliant contact wants its overlap before it pushes.
    let looks_ahead = situation.settings.compliance == 0.0;
    if looks_ahead {
        jolts::bring_together(situation, &mut near, surroundings);
    }
    let jolts = Jolts::new(situation, &near);
    let ask = |(ix, (bodies, approach)): (usize, &([u32; 2], Approach))| {
        let bodies = *bodies;
        let onward = onward::way(situation, bodies).filter(|_| approach.fast.is_none());
        let jolt = jolts.of_others(ix);
        let ahead = if looks_ahead { shifts(situation, bodies, approach, jolt) } else { Vec::new() };
        let fast = approach.fast.filter(|_| looks_ahead);
        PairAsked { bodies, now: approach.meet, fast, onward, ahead, jolt, first: 0 }
    };
    let mut asked = Vec::with_capacity(near.len());
    near.par_iter().enumerate().with_min_len(PARALLEL_CONTACTS).map(ask).collect_into_vec(&mut asked);
    asked.retain(|pair| pair.n_questions() > 0);
    let mut n_questions = 0;
    for pair in &mut asked {
        pair.first = n_questions;
        n_questions += pair.n_questions();
    }
    asked
}

/// How B is moved against A to where the bodies of a pair may touch at the end of the step: once for those that were no contact in the last
/// step, along the normal of each contact for others.
///
/// Of those that touch in several places and between which no plane lies, some may have come apart while others hold, as where what is
/// round rolls in a groove over its facets.
fn shifts(situation: &Situation<'_>, pair: [u32; 2], approach: &Approach, jolt: f64) -> Vec<Shift> {
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    let is_apart = contacts.len() < 2 || approach.gap >= 0.0;
    let is_new = is_apart && contacts.iter().all(|contact| contact.look_ahead == LookAhead::Touch);
    let as_a_whole = || {
        approach.shift(jolt, bulges_as_a_whole(situation, pair) + turning_to_touch(situation, pair, approach))
    };
    let at_contact = |contact: &StoredContact| match shift_to_land(situation, contact, approach.gap) {
        Some(shift) => Some(Shift::along(shift)),
        None => (contacts.len() == 1).then(as_a_whole),
    };
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
    let bulges = bulges(situation, contact);
    let lies_evenly = matches!(contact.look_ahead, LookAhead::Nothing | LookAhead::Onward);
    if bulges == 0.0 && lies_evenly && !turns(situation, pair, contact.normal) {
        return (gap < 0.0).then_some(DVec3::ZERO);
    }
    let size = a.shape.size().min(b.shape.size());
    let closing = (free_a.displacement - free_b.displacement).dot(contact.normal).max(0.0);
    // What is stopped at one end comes down at the other up to twice as fast.
    let nearest = coming_down(situation, pair, contact.normal, 2.0 * closing).min(MAX_LANDING * size);
    let thickness = [a, b].map(|body| body.farthest(contact.normal) + body.farthest(-contact.normal));
    let within = gap.max(0.0) + deepest_clear(thickness);
    Some(-contact.normal * (nearest.max(closing) + bulges).min(within))
}

/// How far the bodies of a pair that was about to touch in the last step, or may touch for the first time, bring corners down by turning \[m\].
fn turning_to_touch(situation: &Situation<'_>, pair: [u32; 2], approach: &Approach) -> f64 {
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    if contacts.is_empty() {
        return coming_down(situation, pair, -approach.toward, 0.0).max(0.0);
    }
    contacts.iter().map(|contact| coming_down(situation, pair, contact.normal, 0.0)).fold(0.0, f64::max)
}

/// How much farther than its shape a smooth surface of a pair may reach near a contact of the last step, twice: where it touches, the shapes have to
/// overlap \[m\]. Of two smooth bodies one rolls on the other only where that is hollow, which is known once they have met.
fn bulges(situation: &Situation<'_>, contact: &StoredContact) -> f64 {
    let bodies = contact.bodies.map(|ix| &situation.bodies[ix as usize]);
    let rolls = matches!(contact.look_ahead, LookAhead::NextCorner | LookAhead::Touch);
    if bodies.iter().all(|body| body.smooth.is_some()) && !rolls {
        return 0.0;
    }
    let point = contact.place(situation.bodies);
    let moving = |body: &Body| body.linear_velocity + body.angular_velocity.cross(point - body.position);
    let [a, b] = bodies;
    let size = a.shape.size().min(b.shape.size());
    let turning = (b.angular_velocity - a.angular_velocity).length();
    let way = situation.settings.dt * ((moving(b) - moving(a)).length() + turning * size);
    2.0 * bodies.map(|body| body.bulge_near(point, way)).into_iter().fold(0.0, f64::max)
}

/// The same for bodies as a whole.
fn bulges_as_a_whole(situation: &Situation<'_>, pair: [u32; 2]) -> f64 {
    let contacts = memory::of_pair(&situation.memory.contacts, pair);
    if contacts.is_empty() {
        let [a, b] = pair.map(|ix| situation.bodies[ix as usize].bulge());
        return if a.min(b) == 0.0 { 2.0 * a.max(b) } else { 0.0 };
    }
    contacts.iter().map(|contact| bulges(situation, contact)).fold(0.0, f64::max)
}

/// How far apart corners of a pair may be that come down on each other in the step, as the bodies turn against each other across a normal and
/// their centres come nearer by `closing` \[m\].
fn coming_down(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3, closing: f64) -> f64 {
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let turn = turn(situation, pair, normal);
    let comes_down = if turn == DVec3::ZERO {
        closing
    } else {
        highest_coming_down(b, -normal, -turn, closing).min(highest_coming_down(a, normal, turn, closing))
    };
    comes_down + rising(situation, pair, normal)
}

/// By how much the bodies of a pair turn against each other across a normal in the step, B as seen from A \[rad\]: as far as that brings
/// corners down. What spins about its own axis of symmetry brings none, nor does what is smooth all over.
fn turn(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3) -> DVec3 {
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let turns = |body: &Body, other: &Body| if is_oval(body, other) { DVec3::ZERO } else { body.sweeping() };
    situation.settings.dt * (turns(b, a) - turns(a, b)).reject_from_normalized(normal)
}

/// Whether a body is smooth all over, and touches one that is not.
fn is_oval(body: &Body, other: &Body) -> bool {
    other.smooth.is_none() && body.smooth.as_ref().is_some_and(|surface| surface.is_oval())
}

/// How much nearer to the other what is smooth all over comes by turning: by as much as it reaches farther than what touched \[m\].
fn rising(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3) -> f64 {
    let [a, b] = pair.map(|ix| &situation.bodies[ix as usize]);
    let rises = |body: &Body, other: &Body, toward: DVec3| {
        if !is_oval(body, other) {
            return 0.0;
        }
        let turned = situation.settings.dt * (other.angular_velocity - body.angular_velocity);
        let then = motion::exp(turned) * toward;
        (body.farthest(then) - then.dot(toward) * body.farthest(toward)).max(0.0)
    };
    rises(a, b, normal) + rises(b, a, -normal)
}

/// How high above a plane that a body touches those of its points are at most that come down to it, as the plane turns about its centre of
/// mass, across the way `toward` the plane, and comes nearer to that by `closing` \[m\].
///
/// With the support function `h`, a point that a turn by an angle θ brings to the plane has `x · n(θ) ≥ h(0) - closing`, as all have
/// `x · n(φ) ≤ h(φ)`. Of the three normals each is a sum of the others, which leaves
/// `h(0) - x · n(0) ≤ h(0) - ((h(0) - closing) sin φ - h(φ) sin θ) / sin(φ - θ)` for any φ > θ. That at twice the angle is near what comes
/// down of what is round, `2 R (1 - cos θ)` of a wheel; that at a right angle is near it where hardly anything turns.
fn highest_coming_down(body: &Body, toward: DVec3, turn: DVec3, closing: f64) -> f64 {
    let angle = turn.length();
    if angle >= FRAC_PI_2 {
        return f64::INFINITY;
    }
    let touching = body.farthest(toward);
    let at = |other: f64| {
        let beyond = body.farthest(motion::exp(turn * (other / angle)) * toward);
        touching - ((touching - closing) * other.sin() - beyond * angle.sin()) / (other - angle).sin()
    };
    at(2.0 * angle).min(at(FRAC_PI_2))
}

/// Whether turning is enough to make an even contact an uneven one.
pub fn turns(situation: &Situation<'_>, pair: [u32; 2], normal: DVec3) -> bool {
    let of_pair = |size: fn(&Body) -> f64| {
        pair.iter().map(|&ix| size(&situation.bodies[ix as usize])).fold(f64::INFINITY, f64::min)
    };
    let turned = turn(situation, pair, normal).length() * of_pair(|body| body.shape.size());
    let uneven = MAX_UNEVENNESS * situation.settings.target_depth * of_pair(|body| body.mean_side);
    turned + rising(situation, pair, normal) > uneven
}
