//! What two bodies do to each other, patch by patch, and what is remembered of it.

use std::ops::Range;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::layout::{FacetPair, FacetRound, FacetTouch, NOWHERE, law};
use super::memory::Memory;
use super::pressure::PI;
use super::spring::{Held, held_of, turned_with};
use super::stretch_layout::{MAX_PATCHES, PairAction, PairMemory, PatchMemory, PatchNow, StretchPair, cause};
use super::threads::{PAIRS, candidates_of};
use super::turn::{crossed, symmetric};

const PRESSED: f32 = 0.1875 * PI * 1.224_744_9;
const FIVE_SIXTHS: f32 = 5.0 / 6.0;

/// The patches of a pair, the places of A's shape that they are at, and which of those remembered they go on from.
#[derive(Default)]
struct Found {
    patches: [PatchNow; MAX_PATCHES],
    discs: [Vec3; MAX_PATCHES],
    heirs: [Option<usize>; MAX_PATCHES],
    n: usize,
    /// Energy that they all hold.
    stored: f32,
}

/// The dampers along the normals of all patches.
#[derive(Clone, Copy, Default)]
struct Dampers {
    per_weight: f32,
    rate: f32,
}

struct Slip {
    linear: Vec3,
    angular: Vec3,
    turning: Vec3,
}

/// What stays the same for all patches of a pair.
struct Acting<'a> {
    pair: &'a FacetPair,
    course: &'a StretchPair,
    before: &'a PairMemory,
    since_kick: f32,
}

/// The patch whose first part is at a place, and the energy with what it holds.
fn patch_from(memory: &Memory, first: usize, end: usize, mut stored: f32) -> (PatchNow, f32) {
    let (mut force, mut torque, mut point, mut normal) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let mut now = PatchNow::default();
    let parts = memory.parts[first..end].iter().take_while(|part| part.candidate != NOWHERE);
    let own = parts.filter(|part| part.first as usize == first);
    let touches = own.map(|part| &memory.touches[part.candidate as usize]);
    for touch in touches.clone() {
        force += Vec3::from(touch.push);
        torque = crossed(torque + Vec3::from(touch.moment), touch.center.into(), touch.push.into());
        point += Vec3::from(touch.center) * touch.grip;
        normal += Vec3::from(touch.normal) * touch.grip;
        stored += touch.energy;
        now.grip += touch.grip;
        now.area += touch.area;
        now.deepest = now.deepest.max(touch.overlap);
        now.n_facets += 1;
    }
    if now.grip > 0.0 {
        point /= now.grip;
        let length = normal.dot(normal).sqrt();
        if length > 0.0 {
            normal /= length;
        }
        now = with_spread(&now, [point, normal], touches);
    }
    torque = crossed(torque, force, point);
    let (point, normal, force, torque) = (point.into(), normal.into(), force.into(), torque.into());
    (PatchNow { point, normal, force, torque, ..now }, stored)
}

/// How far from its point and its axis a patch of some grip holds and presses.
fn with_spread<'a>(
    now: &PatchNow,
    [point, normal]: [Vec3; 2],
    touches: impl Iterator<Item = &'a FacetTouch>,
) -> PatchNow {
    let (mut spread, mut products) = (Vec3::ZERO, Vec3::ZERO);
    let (mut squares, mut levers, mut load) = (0.0_f32, 0.0_f32, 0.0_f32);
    for touch in touches {
        let arm = Vec3::from(touch.center) - point;
        let across = arm - normal * arm.dot(normal);
        let beside = across.dot(across);
        let pressed = PRESSED * touch.gyration;
        spread += (arm * arm) * touch.grip;
        products += Vec3::new(arm.y * arm.z, arm.x * arm.z, arm.x * arm.y) * touch.grip;
        squares += touch.grip * (beside + touch.gyration * touch.gyration);
        levers += touch.force.max(0.0) * (beside + pressed * pressed).sqrt();
        load += touch.force.max(0.0);
    }
    let lever = if load > 0.0 { levers / load } else { 0.0 };
    PatchNow {
        spread: (spread / now.grip).into(),
        products: (products / now.grip).into(),
        gyration: (squares / now.grip).sqrt(),
        lever,
        ..*now
    }
}

fn on_a(pair: &FacetPair, x: Vec3) -> Vec3 {
    let rows = pair.frame_from_a;
    let row = |k: usize| Vec3::new(rows[k][0], rows[k][1], rows[k][2]);
    let y = x - Vec3::new(rows[0][3], rows[1][3], rows[2][3]);
    (row(0) * y.x + row(1) * y.y) + row(2) * y.z
}

fn heir_of(before: &PairMemory, disc: Vec3, radius: f32) -> Option<usize> {
    let (mut best, mut nearest) = (None, 0.0);
    for (k, patch) in before.patches[..before.n as usize].iter().enumerate() {
        let arm = Vec3::from(patch.point) - disc;
        let distance = arm.dot(arm).sqrt();
        if distance <= radius + patch.grip && (best.is_none() || distance < nearest) {
            (best, nearest) = (Some(k), distance);
        }
    }
    best
}

fn slip_at(course: &StretchPair, at: Vec3) -> Slip {
    let [a, b] = &course.now;
    let velocity = |body: &super::stretch_layout::BodyNow| {
        crossed(body.velocity.into(), body.angular.into(), at - Vec3::from(body.center))
    };
    let [of_a, of_b] = [velocity(a), velocity(b)];
    let [turn_a, turn_b] = [a, b].map(|body| Vec3::from(body.angular));
    Slip { linear: of_b - of_a, angular: turn_b - turn_a, turning: 0.5 * (turn_a + turn_b) }
}

fn stiffness_of(pair: &FacetPair, grip: f32, area: f32) -> f32 {
    if pair.law == law::LINEAR { pair.modulus * area } else { 2.0 * pair.modulus * grip }
}

fn draws(pair: &FacetPair) -> bool {
    pair.law == law::JKR
}

/// What a patch weighs among those of its pair where dampers are shared out.
fn weight_of(pair: &FacetPair, now: &PatchNow) -> f32 {
    match draws(pair) {
        true => stiffness_of(pair, now.grip, now.area),
        false => Vec3::from(now.force).dot(now.normal.into()).max(0.0),
    }
}

impl Acting<'_> {
    fn dampers_of(&self, found: &Found) -> Dampers {
        let (pair, course) = (self.pair, self.course);
        let patches = || found.patches[..found.n].iter().filter(|now| now.grip > 0.0);
        let whole = patches().map(|now| weight_of(pair, now)).fold(0.0, |whole, one| whole + one);
        if whole <= 0.0 {
            return Dampers::default();
        }
        let (mut force, mut about) = (Vec3::ZERO, [Vec3::ZERO; 2]);
        let (mut squares, mut products) = (Vec3::ZERO, Vec3::ZERO);
        let (mut stiffness, mut area) = (0.0_f32, 0.0_f32);
        for now in patches() {
            let normal = Vec3::from(now.normal);
            let push = normal * (weight_of(pair, now) / whole);
            let arm = |i: usize| Vec3::from(now.point) - Vec3::from(course.now[i].center);
            force += push;
            about = [0, 1].map(|i| crossed(about[i], arm(i), push));
            squares += push * normal;
            products += Vec3::new(push.y * normal.z, push.x * normal.z, push.x * normal.y);
            stiffness += stiffness_of(pair, now.grip, now.area);
            area += now.area;
        }
        let turning =
            |i: usize| about[i].dot(symmetric(course.now[i].inertia, course.now[i].products, about[i]));
        let square_cosine = squares.dot(squares) + 2.0 * products.dot(products);
        let answers = force.dot(force) / course.mass + (turning(0) + turning(1));
        let inverse_mass = answers.max(square_cosine / course.mass);
        let secant = match draws(pair) {
            true => FIVE_SIXTHS * stiffness,
            false if found.stored > 0.0 => (whole * (whole / (2.0 * found.stored))).min(stiffness),
            false => stiffness,
        };
        let coefficient = course.damping * (secant / inverse_mass).sqrt();
        let rate = (coefficient + course.areal_normal * area) * inverse_mass;
        Dampers { per_weight: coefficient / whole, rate }
    }

    /// What acts over a patch besides its pressure, its stiffness and damper; what is remembered of it.
    fn act_over(&self, found: &mut Found, m: usize, dampers: Dampers) -> ([f32; 2], PatchMemory) {
        let (course, dt) = (self.course, self.since_kick);
        let now = found.patches[m];
        let normal = Vec3::from(now.normal);
        let slip = slip_at(course, now.point.into());
        let stiffness = stiffness_of(self.pair, now.grip, now.area);
        let by_restitution = dampers.per_weight * weight_of(self.pair, &now);
        let damper = by_restitution + course.areal_normal * now.area;
        let shear_damper = by_restitution * course.shear_root + course.areal_shear * now.area;
        let part = dampers.rate * dt;
        let felt = 1.0 + 0.25 * part;
        let met = damper * (felt / (1.0 + 0.5 * part * felt));
        let force = Vec3::from(now.force) - normal * (met * slip.linear.dot(normal));
        let load = force.dot(normal).max(0.0);
        let (held_by, memory) = self.hold(found, m, &slip, load, shear_damper);
        let tilting = symmetric(now.spread, now.products, normal.cross(slip.angular));
        let patch = &mut found.patches[m];
        patch.force = (force + held_by.truncate()).into();
        patch.torque = crossed(Vec3::from(patch.torque) + normal * held_by.w, normal * met, tilting).into();
        ([stiffness * course.shear.max(1.0), damper.max(shear_damper)], memory)
    }

    fn hold(&self, found: &Found, m: usize, slip: &Slip, load: f32, damper: f32) -> (Vec4, PatchMemory) {
        let (course, dt, now) = (self.course, self.since_kick, &found.patches[m]);
        let (point, n_springs) = (found.discs[m].into(), 0);
        let PatchNow { normal, grip, area, gyration, .. } = *now;
        let mut memory = PatchMemory { point, normal, grip, n_springs, ..PatchMemory::default() };
        if course.friction == 0.0 {
            return (Vec4::ZERO, memory);
        }
        let normal = Vec3::from(normal);
        let along = normal.dot(slip.linear);
        let across = slip.linear - normal * along;
        let moved = across + normal * (slip.angular.dot(normal) * gyration);
        let stiffness = stiffness_of(self.pair, grip, area) * course.shear;
        let most = course.friction * load;
        let way = -(moved * dt);
        let (mut held, mut missing) = (Held::default(), stiffness);
        if let Some(heir) = found.heirs[m] {
            let old = &self.before.patches[heir];
            let share = found.share(m, heir);
            let angle = slip.turning.dot(normal) * dt;
            for spring in &old.springs[..old.n_springs as usize] {
                let spring = Vec4::from(*spring);
                let own = (share * spring.w).min(missing);
                missing -= own;
                if own > 0.0 {
                    let stretch = turned_with(spring.truncate(), old.normal.into(), normal, angle) + way;
                    held.hold_one(stretch, own);
                }
            }
        }
        if missing > 0.0 {
            held.hold_one(0.5 * way, missing);
        }
        held.even_out();
        let lever = now.lever / gyration;
        let pull = held.slip(self.pair.law, most, normal, lever);
        let holds = held_of(pull - moved * damper, normal, lever, most);
        let about = holds.dot(normal);
        for (to, spring) in memory.springs.iter_mut().zip(held.springs()) {
            *to = (*spring).into();
        }
        memory.n_springs = held.springs().len() as u32;
        ((holds - normal * about).extend(about * gyration), memory)
    }
}

impl Found {
    /// The part of what is remembered that goes on in a patch.
    fn share(&self, m: usize, heir: usize) -> f32 {
        if self.n == 1 {
            return 1.0;
        }
        let mut taken = 0.0_f32;
        for k in 0..self.n {
            if self.heirs[k] == Some(heir) {
                taken += self.patches[k].grip;
            }
        }
        self.patches[m].grip / taken
    }
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    let stop = |stop: &mut u32, cause: u32| *stop = (*stop).min(round.index << cause::BITS | cause);
    if memory.n_wanted() > round.cap {
        if round.n_pairs > 0 {
            stop(&mut memory.stop[0], cause::ROOM);
        }
        return;
    }
    let (mut springs, mut actions) =
        (std::mem::take(&mut memory.springs), std::mem::take(&mut memory.actions));
    let (even, odd) = springs.split_at_mut(round.n_pairs as usize);
    let (before, after) = if round.index & 1 == 0 { (even, odd) } else { (odd, even) };
    let of_pairs = actions.par_iter_mut().zip(before).zip(after).enumerate().with_min_len(PAIRS);
    let stops = of_pairs.map(|(ix, ((action, before), after))| {
        let (mut found, stops) = found_of(memory, ix, before);
        let (pair, course) = (&memory.pairs[ix], &memory.courses[ix]);
        let (acts, remembered) =
            Acting { pair, course, before, since_kick: round.since_kick }.act(&mut found);
        put(action, &acts);
        put_memory(after, &remembered);
        stops
    });
    let first = stops.flatten_iter().min();
    (memory.springs, memory.actions) = (springs, actions);
    if let Some(first) = first {
        stop(&mut memory.stop[0], first);
    }
}

/// The patches of a pair, and what of them is for the processor.
fn found_of(memory: &Memory, ix: usize, before: &PairMemory) -> (Found, Option<u32>) {
    let (pair, Range { start, end }) = (&memory.pairs[ix], candidates_of(memory, ix));
    let (mut found, mut stops) = (Found::default(), None);
    for k in start..end {
        let part = memory.parts[k];
        if part.candidate == NOWHERE {
            break;
        }
        if part.first as usize != k {
            continue;
        }
        if found.n == MAX_PATCHES {
            stops = Some(cause::PATCHES);
            break;
        }
        let ((patch, stored), n) = (patch_from(memory, k, end, found.stored), found.n);
        found.stored = stored;
        found.discs[n] = on_a(pair, patch.point.into());
        found.heirs[n] = heir_of(before, found.discs[n], patch.grip);
        found.patches[n] = patch;
        found.n += 1;
    }
    if found.n > 0 && memory.courses[ix].is_faint != 0 {
        stops = Some(cause::DOUBT);
    }
    (found, stops)
}

impl Acting<'_> {
    fn act(&self, found: &mut Found) -> (PairAction, PairMemory) {
        let mut action = PairAction { n: found.n as u32, ..PairAction::default() };
        let mut after = PairMemory { in_touch: (found.n > 0).into(), ..PairMemory::default() };
        let (mut sum, mut about_a, mut about_b) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let dampers = self.dampers_of(found);
        for m in 0..found.n {
            if found.patches[m].grip > 0.0 {
                let ([stiffness, damper], memory) = self.act_over(found, m, dampers);
                action.stiffness += stiffness;
                action.damper += damper;
                after.patches[after.n as usize] = memory;
                after.n += 1;
            }
            let patch = &found.patches[m];
            after.deepest = after.deepest.max(patch.deepest);
            let (force, torque) = (Vec3::from(patch.force), Vec3::from(patch.torque));
            let arm = |ix: usize| Vec3::from(patch.point) - Vec3::from(self.course.now[ix].center);
            sum += force;
            about_a = crossed(about_a, arm(0), force) + torque;
            about_b = crossed(about_b, arm(1), force) + torque;
            action.patches[m] = *patch;
        }
        (action.force, action.torque_a, action.torque_b) = (sum.into(), (-about_a).into(), about_b.into());
        (action, after)
    }
}

/// Writes an action as the shader does: patches that there are not stay as they were.
fn put(to: &mut PairAction, from: &PairAction) {
    let n = from.n as usize;
    let mut patches = to.patches;
    patches[..n].copy_from_slice(&from.patches[..n]);
    *to = PairAction { patches, ..*from };
}

/// The same for what is remembered.
fn put_memory(to: &mut PairMemory, from: &PairMemory) {
    for (to, from) in to.patches.iter_mut().zip(&from.patches[..from.n as usize]) {
        let n = from.n_springs as usize;
        let mut springs = to.springs;
        springs[..n].copy_from_slice(&from.springs[..n]);
        *to = PatchMemory { springs, ..*from };
    }
    (to.in_touch, to.n, to.deepest) = (from.in_touch, from.n, from.deepest);
}
