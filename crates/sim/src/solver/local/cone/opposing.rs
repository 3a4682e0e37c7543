//! Friction within its limit that opposes the slip it leaves, for a slip that is linear in it.

use glam::{DMat3, DVec3};

use super::{SHORTEST, is_within_all};
use crate::solver::LimitSurface;

/// Times that the ellipsoid may be made anew within one step. No unit.
const DIRECTION_STEPS: u32 = 20;

/// Change of the slip's direction that is left to the next step \[rad\].
const DIRECTION_CONVERGED: f64 = 0.1;

/// Steps of a multiplier; a few are usual. No unit.
const MULTIPLIER_STEPS: u32 = 50;

/// What finding a multiplier leaves of friction at the best, as a part of its limit: some ten roundings. No unit.
pub const MULTIPLIER_CONVERGED: f64 = 2e-15;

/// Part of the square of how far friction goes that finding a multiplier may leave of it: a step itself leaves about all of it. No unit.
const BENT: f64 = 0.1;

/// Multiplier, as a part of the response, from which a singular response is regular. No unit.
const MULTIPLIER_MIN: f64 = 1e-15;

/// Slip as a linear function of friction per normal force, `slip + response · g`.
pub struct LinearSlip {
    pub slip: DVec3,
    pub response: DMat3,
    /// The friction at hand, and the slip there, which is known and not taken for linear.
    pub from: DVec3,
    pub now: DVec3,
    /// What finding a multiplier may leave of friction, as a part of the limit.
    pub accuracy: f64,
}

impl LinearSlip {
    /// The friction that opposes the slip it leaves: it stops the slip if the limit allows, and else lies on the limit
    /// where that has the slip's direction for its normal. `toward` is that direction, before and after.
    ///
    /// Within the ellipsoid that touches the limit at `toward` friction is found exactly, and belongs to another
    /// direction: a step that is right to second order, and shortened where it overshoots.
    pub fn opposing_friction(
        &self,
        surface: &LimitSurface,
        friction: f64,
        toward: &mut DVec3,
    ) -> Option<DVec3> {
        if let Some(inverse) = self.response.try_inverse() {
            let stops = -(inverse * self.slip);
            if is_within_all(stops, friction) {
                return Some(stops);
            }
        }
        let mut kappa = None;
        let mut answer = |toward: DVec3| {
            let metric = surface.support(toward).metric;
            let inverse = metric.inverse();
            // Friction on the limit leaves the slip `-κ metric⁻¹ g`.
            let of_now = || self.now.dot(metric * self.now).max(0.0).sqrt() / friction;
            let (g, found) = self.within(&inverse, friction, kappa.unwrap_or_else(of_now))?;
            kappa = Some(found);
            let next = -(inverse * g).normalize_or(-toward);
            Some((g, next))
        };
        let (mut g, mut next) = answer(*toward)?;
        let mut part = 1.0;
        for _ in 0..DIRECTION_STEPS {
            let change = (next - *toward).length();
            if change <= DIRECTION_CONVERGED {
                break;
            }
            let tried = (*toward + (next - *toward) * part).normalize();
            let (tried_g, tried_next) = answer(tried)?;
            if (tried_next - tried).length() > (1.0 - 0.2 * part) * change && part > SHORTEST {
                part *= 0.5;
                continue;
            }
            (*toward, g, next) = (tried, tried_g, tried_next);
            part = (2.0 * part).min(1.0);
        }
        *toward = next;
        Some(g)
    }

    /// The same within an ellipsoid, by the multiplier κ of `(response + κ metric⁻¹) g = -slip` for which g reaches it:
    /// the equation of a trust region, with Hebden's iteration (1973) on the reciprocal of the length, from `start`. With the multiplier.
    ///
    /// It ends where friction can follow the last step to first order: where what that leaves is a part of what the slip's not being linear
    /// leaves, which is the square of how far friction goes.
    fn within(&self, inverse_metric: &DMat3, limit: f64, start: f64) -> Option<(DVec3, f64)> {
        let scale = self.response.x_axis.x.max(self.response.y_axis.y).max(self.response.z_axis.z);
        let mut kappa = start;
        let mut g = DVec3::ZERO;
        let mut stopped = kappa == 0.0;
        for _ in 0..MULTIPLIER_STEPS {
            let matrix = self.response + *inverse_metric * kappa;
            let Some(inverse) = matrix.try_inverse() else {
                kappa = kappa.max(MULTIPLIER_MIN * scale) * 10.0;
                continue;
            };
            g = -(inverse * self.slip);
            let along = *inverse_metric * g;
            let length = g.dot(along).max(0.0).sqrt();
            if kappa == 0.0 && length <= limit {
                return Some((g, 0.0));
            }
            let excess = length / limit - 1.0;
            // d|g|/dκ = -along·inverse·along / |g|.
            let falls = inverse * along;
            let slope = along.dot(falls) / length;
            let change = excess * length / slope;
            let next = kappa + change;
            if next.is_nan() || slope <= 0.0 {
                return None;
            }
            let follows = falls * change;
            let goes = (g - self.from).length() / limit;
            let left = follows.length() * change.abs() / (kappa * limit);
            if next > 0.0 && left <= self.accuracy.max(BENT * goes * goes) {
                (g, kappa) = (g - follows, next);
                break;
            }
            // From above the root a step may go too far: to where the slip stops.
            kappa = if next > 0.0 {
                next
            } else if stopped {
                0.1 * kappa
            } else {
                0.0
            };
            stopped |= kappa == 0.0;
        }
        let length = g.dot(*inverse_metric * g).max(0.0).sqrt();
        (length > 0.0 && length.is_finite()).then(|| (g * (limit / length).min(1.0), kappa))
    }
}
