//! The exact contact block of a patch that is a point: Coulomb's law in three unknowns.
//!
//! A point carries no torque, so that the six rows come down to the three of the velocity there. Either it comes to rest, or friction
//! is at its limit and opposes the slip that it leaves, which is one equation for one angle, solved by Newton's method.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use super::{Cone, ConeSolution, RESIDUAL_STALLED};
use crate::solver::local::block::RESPONSE_MIN;
use crate::solver::local::point::{point_matrix, velocity_at};
use crate::solver::patch::Corner;
use crate::solver::spatial::Vec6;

/// Steps of the angle. Of 3,659 random blocks that slide 3,641 are found within six, five more within twelve and 13 not at all. No unit.
const ANGLE_STEPS: u32 = 12;

/// Longest step of the angle \[rad\]: Newton's steps from the wrong side of a circle go anywhere.
const MAX_TURN: f64 = 0.5;

/// A point of two bodies: how its velocity answers a force there, `(n, u, w)`.
struct Point {
    response: DMat3,
    /// Without the contact's impulse, past its gap \[m/s\].
    velocity: DVec3,
    friction: f64,
}

/// A point that slides with friction against a direction.
struct Sliding {
    force: DVec3,
    slip: DVec2,
    /// By how much the direction has to turn for friction to oppose the slip, to first order \[rad\].
    turn: f64,
}

impl Cone<'_> {
    /// The block of a patch that is this point; `None` where the angle is not found, as where friction leaves no normal response.
    pub(super) fn at_point(&self, corner: Corner, guess: &Vec6) -> Option<ConeSolution> {
        let [n, u, w] = point_matrix(self.block.matrix(), corner.at);
        let point = Point {
            response: DMat3::from_cols(n, u, w),
            velocity: velocity_at(&self.e.0, corner.at) + DVec3::X * corner.apart,
            friction: self.limits.friction,
        };
        let solution = |force: DVec3, residual, steps| {
            let [x, y] = corner.at.to_array();
            let torque = DVec3::new(x * force.z - y * force.y, y * force.x, -x * force.x);
            ConeSolution { impulse: Vec6::from_parts(force, torque), residual, steps }
        };
        let stops = -(point.response.inverse() * point.velocity);
        if point.holds(stops) {
            return Some(solution(stops, 0.0, 0));
        }
        let mut toward = point.start(guess)?;
        let mut last = f64::INFINITY;
        for steps in 1..=ANGLE_STEPS {
            let Sliding { force, slip, turn } = point.slides(toward)?;
            let residual = turn.abs();
            let is_found =
                residual <= self.accuracy || (residual <= RESIDUAL_STALLED && residual >= 0.5 * last);
            if is_found {
                return (slip.dot(toward) >= 0.0).then(|| solution(force, residual, steps));
            }
            toward = DVec2::from_angle(turn.clamp(-MAX_TURN, MAX_TURN)).rotate(toward);
            last = residual;
        }
        None
    }
}

impl Point {
    /// Whether friction can hold with this force.
    fn holds(&self, force: DVec3) -> bool {
        force.x > 0.0 && force.yz().length() <= self.friction * force.x
    }

    /// A direction in which it may slide: against the friction of the last impulse, or as it would without any.
    fn start(&self, guess: &Vec6) -> Option<DVec2> {
        let against_last = -DVec2::new(guess[1], guess[2]);
        let n = self.response.x_axis;
        let without = self.velocity.yz() - n.yz() * (self.velocity.x / n.x);
        let last = if guess[0] > 0.0 { against_last.try_normalize() } else { None };
        last.or_else(|| without.try_normalize())
    }

    /// The point with friction against `toward`; `None` where that leaves no normal response.
    fn slides(&self, toward: DVec2) -> Option<Sliding> {
        let DMat3 { x_axis: n, y_axis: u, z_axis: w } = self.response;
        let along = |direction: DVec2| u * direction.x + w * direction.y;
        let per_force = n - along(toward) * self.friction;
        if per_force.x.is_nan() || per_force.x <= RESPONSE_MIN * n.x {
            return None;
        }
        let normal = -self.velocity.x / per_force.x;
        let slip = self.velocity.yz() + per_force.yz() * normal;
        let aside = toward.perp();
        let across = along(aside) * self.friction;
        let normal_change = normal * across.x / per_force.x;
        let slip_change = per_force.yz() * normal_change - across.yz() * normal;
        let turn = -slip.dot(aside) / (slip_change.dot(aside) - slip.dot(toward));
        let friction = -toward * (self.friction * normal);
        turn.is_finite().then_some(Sliding { force: DVec3::new(normal, friction.x, friction.y), slip, turn })
    }
}
