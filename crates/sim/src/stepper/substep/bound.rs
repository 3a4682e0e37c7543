//! How long a sub-step may be.
//!
//! The leapfrog is stable while `ω h < 2` for every frequency of the linearised motion. A contact of stiffness k holds a body by no more than k at
//! places within it, at which a force moves the body by no more than its [`lightness`](super::extent::Extent::lightness) l: `ω²` is at most the largest over
//! the bodies of `2 Σ k l` (Gershgorin's circles). Sub-steps are so short that this ω h stays at `substep_phase`, a small part of that: stiffness is
//! predicted for the deepest that bodies can come to by their energy, and looked at in every sub-step. Nor are they so long that bodies could pass through each other
//! unseen, however fast and soft they are.

use glam::DVec3;
use tactum_geometry::facets::Pressure;

use super::near::{Near, NearPair};
use crate::law::facets::{Action, StoredFacets};
use crate::{Body, BodyKind};

/// Part of a velocity that dampers may take from a body in a sub-step; at 2 they would reverse it undiminished.
pub const MOST_DAMPED: f64 = 1.0;

/// Part of the smaller body's size that two bodies may come past each other by in a sub-step: so that none goes through another between two looks.
const PASSED: f64 = 0.5;

/// How contacts hold a pair of bodies, or will: stiffness \[N/m\] and coefficient of dampers \[N s/m\].
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold {
    /// The bodies.
    pub bodies: [u32; 2],
    /// See [`Hold`].
    pub stiffness: f64,
    /// See [`Hold`].
    pub damper: f64,
    /// How often in a second they come past each other by what they may in a sub-step \[1/s\].
    pub passing: f64,
    /// Whether the bodies touch. Of those that a body may yet come to touch, the stiffest counts: it seldom meets all of them at once,
    /// and what it does meet is seen in the next sub-step.
    pub touches: bool,
}

impl Hold {
    /// By what acts between two bodies.
    pub fn of(bodies: [u32; 2], action: &Action) -> Self {
        Self { bodies, stiffness: action.stiffness, damper: action.damper, passing: 0.0, touches: true }
    }
}

/// The longest sub-step \[s\] with these holds, infinite without any, and the pair on the body that asks for it.
pub fn longest(holds: impl Iterator<Item = Hold>, lightness: &[f64], phase: f64) -> (f64, [u32; 2]) {
    let mut sums = vec![OfBody::default(); lightness.len()];
    for hold in holds {
        hold.bodies.into_iter().for_each(|ix| sums[ix as usize].add(&hold));
    }
    let mut shortest = (f64::INFINITY, [0, 0]);
    for (OfBody { touching, coming, pair, passing, .. }, light) in sums.into_iter().zip(lightness) {
        let of_spring = phase / (2.0 * (touching[0] + coming[0]) * light).sqrt();
        let of_damper = MOST_DAMPED / (2.0 * (touching[1] + coming[1]) * light);
        for (h, pair) in [(of_spring.min(of_damper), pair), (passing.0.recip(), passing.1)] {
            if h < shortest.0 {
                shortest = (h, pair);
            }
        }
    }
    shortest
}

/// What holds a body: stiffness and dampers of what it touches, summed, and of what it comes to touch, the largest.
#[derive(Clone, Copy, Debug, Default)]
struct OfBody {
    touching: [f64; 2],
    coming: [f64; 2],
    /// The stiffest pair.
    pair: [u32; 2],
    stiffest: f64,
    /// The most passing, and its pair.
    passing: (f64, [u32; 2]),
}

impl OfBody {
    fn add(&mut self, hold: &Hold) {
        let new = [hold.stiffness, hold.damper];
        if hold.touches {
            self.touching = [0, 1].map(|i| self.touching[i] + new[i]);
        } else {
            self.coming = [0, 1].map(|i| self.coming[i].max(new[i]));
        }
        if hold.stiffness > self.stiffest {
            (self.pair, self.stiffest) = (hold.bodies, hold.stiffness);
        }
        if hold.passing > self.passing.0 {
            self.passing = (hold.passing, hold.bodies);
        }
    }
}

/// How near pairs will hold each other within `dt` \[s\] at most, from how they move and from what is remembered of them.
pub fn predicted<'a>(
    near: &'a Near,
    bodies: &'a [Body],
    stored: &'a [StoredFacets],
    gravity: DVec3,
    dt: f64,
) -> impl Iterator<Item = Hold> + 'a {
    near.pairs.iter().filter_map(move |pair| {
        let both = pair.bodies.map(|ix| &bodies[ix as usize]);
        let turning = |i: usize| near.farthest(pair.bodies[i]) * both[i].angular_velocity.length();
        let relative = (both[1].linear_velocity - both[0].linear_velocity).length();
        // Two bodies that fall do so together.
        let pull = gravity.length() + pull(both[0]) + pull(both[1]);
        let speed = relative + turning(0) + turning(1) + pull * dt;
        // What cannot be reached within the time holds nothing.
        if pair.between(both) > speed * dt {
            return None;
        }
        let known = stored.binary_search_by_key(&pair.bodies, |stored| stored.bodies).ok();
        let grips = known.map_or(&[][..], |ix| &stored[ix].patches[..]).iter();
        let grip: f64 = grips.map(|patch| patch.grip).sum();
        let size = both[0].mean_side.min(both[1].mean_side);
        let radius = widest_contact(pair, 0.5 * pair.law.mass * speed * speed, grip).min(size).max(grip);
        let area = std::f64::consts::PI * radius * radius;
        let stiffness = pair.law.stiffness(radius, area);
        let [along, across] = pair.law.most_damper(stiffness);
        let [areal, areal_across] = pair.law.areal.map(|coefficient| coefficient * area);
        let damper = (along + areal).max(across + areal_across);
        let stiffness = stiffness * pair.law.shear_part().max(1.0);
        let passing = speed / (PASSED * size);
        Some(Hold { bodies: pair.bodies, stiffness, damper, passing, touches: grip > 0.0 })
    })
}

/// What forces from outside accelerate a body by \[m/s²\].
fn pull(body: &Body) -> f64 {
    if body.kind == BodyKind::Dynamic { body.force.length() / body.mass.mass } else { 0.0 }
}

/// Radius of the contact that an energy \[J\] brings two bodies to which already touch with one of a radius \[m\].
fn widest_contact(pair: &NearPair, energy: f64, radius: f64) -> f64 {
    let k = pair.curvature;
    match pair.law.pressure {
        // Energy π s d³ / (3 k) with the area 2 π d / k.
        Pressure::Linear { stiffness } => {
            let depth = (3.0 * k * energy / (std::f64::consts::PI * stiffness)).cbrt();
            (2.0 * depth / k + radius * radius).sqrt()
        }
        // Hertz' energy 8/15 E* k² a⁵; what draws is wider by its own radius at no load.
        Pressure::Hertz { modulus }
        | Pressure::Jkr { modulus, .. }
        | Pressure::MaugisDugdale { modulus, .. } => {
            let pressed = 15.0 * energy / (8.0 * modulus * k * k) + radius.powi(5);
            let work = match pair.law.pressure {
                Pressure::Jkr { work, .. } | Pressure::MaugisDugdale { work, .. } => work,
                _ => 0.0,
            };
            pressed.powf(0.2) + (9.0 * std::f64::consts::PI * work / (2.0 * modulus * k * k)).cbrt()
        }
    }
}
