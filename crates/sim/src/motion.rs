//! Motion of a body without contacts: what forces do to its velocity and what its velocity does to its pose.

use glam::{DMat3, DQuat, DVec3};

use crate::constants::{
    MAX_ROTATION_ITERATIONS, MAX_ROTATION_SUBSTEP, MAX_ROTATION_SUBSTEPS, ROTATION_TOLERANCE,
};
use crate::placement::Placement;
use crate::twist::Twist;
use crate::{Body, BodyKind};

/// Velocity of a dynamic body after `dt` under gravity and its external wrench, contacts left out.
///
/// The gyroscopic term is not here: [`rotate`] turns the body at constant angular momentum.
fn free_twist(body: &Body, w_inverse_inertia: &DMat3, gravity: DVec3, dt: f64) -> Twist {
    Twist {
        linear: body.linear_velocity + dt * (gravity + body.force / body.mass.mass),
        angular: body.angular_velocity + dt * (*w_inverse_inertia * body.torque),
    }
}

/// Where a body goes within a step if nothing touches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeMotion {
    /// Its velocity after the forces have acted; of a body that nothing can move, the one that its path has then.
    pub twist: Twist,
    /// 1 / mass \[1/kg\]; zero for a body that nothing can move.
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass, world axes \[1/(kg m²)\]; zero for a body that nothing can move.
    pub inverse_inertia: DMat3,
    /// Inertia that is in that besides its own, for it to be steady under the pull of its joints \[kg m²\].
    pub steadying_inertia: DMat3,
    /// How far its centre of mass goes \[m\].
    pub displacement: DVec3,
    /// The part of that which gravity and forces, or the path, add in this step \[m\].
    pub gained: DVec3,
}

impl FreeMotion {
    /// The free motion of a body with this inverse inertia in its shape's axes; of one that sleeps that which it would have awake, so
    /// that what lies beside it comes no nearer by being awake.
    pub fn of(body: &Body, inverse_inertia: &DMat3, gravity: DVec3, dt: f64) -> Self {
        let held = body.twist();
        let along = dt * body.linear_velocity;
        if body.kind != BodyKind::Dynamic {
            let Twist { linear, angular } = body.acceleration;
            let gained = dt * dt * linear;
            return Self {
                twist: Twist { linear: held.linear + dt * linear, angular: held.angular + dt * angular },
                inverse_mass: 0.0,
                inverse_inertia: DMat3::ZERO,
                steadying_inertia: DMat3::ZERO,
                displacement: along + gained,
                gained,
            };
        }
        let inverse_inertia = to_world(inverse_inertia, body.orientation);
        let gained = dt * dt * (gravity + body.force / body.mass.mass);
        Self {
            twist: free_twist(body, &inverse_inertia, gravity, dt),
            inverse_mass: body.mass.mass.recip(),
            inverse_inertia,
            steadying_inertia: DMat3::ZERO,
            displacement: along + gained,
            gained,
        }
    }
}

/// A body on its way through a step: where it starts and how it turns.
#[derive(Clone, Debug)]
pub struct Drift {
    kind: BodyKind,
    start: Placement,
    /// Inertia and its inverse in the shape's axes.
    inertia: [DMat3; 2],
}

impl Drift {
    /// The drift of a body with this inverse inertia in its shape's axes.
    pub fn of(body: &Body, inverse_inertia: &DMat3) -> Self {
        Self {
            kind: if body.rest.asleep { BodyKind::Static } else { body.kind },
            start: Placement { origin: body.position, rotation: body.orientation },
            inertia: [body.mass.inertia, *inverse_inertia],
        }
    }

    /// Centre of mass and axes before the step.
    pub fn start(&self) -> &Placement {
        &self.start
    }

    /// Centre of mass and axes after `dt` at a twist, and the angular velocity then.
    pub fn after(&self, twist: &Twist, dt: f64) -> (Placement, DVec3) {
        let Placement { origin, rotation } = self.start;
        let (rotation, angular) = match self.kind {
            BodyKind::Static => return (self.start, twist.angular),
            BodyKind::Kinematic => ((exp(dt * twist.angular) * rotation).normalize(), twist.angular),
            BodyKind::Dynamic => rotate(rotation, twist.angular, &self.inertia[0], &self.inertia[1], dt),
        };
        (Placement { origin: origin + dt * twist.linear, rotation }, angular)
    }
}

/// Inverse inertia in world axes.
fn to_world(inverse_inertia: &DMat3, orientation: DQuat) -> DMat3 {
    let r = DMat3::from_quat(orientation);
    r * *inverse_inertia * r.transpose()
}

/// A velocity as it is now, and how the body turns on average on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Velocity now.
    pub twist: Twist,
    /// Mean angular velocity on the way \[rad/s\].
    pub turning: DVec3,
}

impl Course {
    /// That of a body which keeps its angular velocity.
    pub fn steady(twist: Twist) -> Self {
        Self { twist, turning: twist.angular }
    }

    /// That of a body with this inertia in world axes, which keeps its angular momentum for `h`: to second order its mean angular velocity
    /// is that which it has half-way, and no more than that momentum can make of it.
    pub fn free(twist: Twist, inertia: &DMat3, h: f64) -> Self {
        let half_way = DMat3::from_quat(exp(0.5 * h * twist.angular));
        let turned = half_way * *inertia * half_way.transpose();
        Self { twist, turning: turned.inverse() * (*inertia * twist.angular) }
    }

    /// The way of a point of the body, this far from the centre of mass, in a time \[m\].
    pub fn way(&self, arm: DVec3, h: f64) -> DVec3 {
        h * self.twist.linear + exp(h * self.turning) * arm - arm
    }
}

/// The mean of a vector that turns by the angle `|v|` about `v` (the left Jacobian of the rotation group), less the vector.
pub fn mean_turned_by(v: DVec3, x: DVec3) -> DVec3 {
    let square = v.length_squared();
    // (1 - cos t)/t² and (t - sin t)/t³ to the last bit for t < 1e-2.
    let (once, twice) = if square < 1e-4 {
        (0.5 - square * (1.0 / 24.0 - square / 720.0), 1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0))
    } else {
        let angle = square.sqrt();
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let across = v.cross(x);
    once * across + twice * v.cross(across)
}

/// The rotation by the angle `|v|` about `v` (exponential map), exact for any angle.
pub fn exp(v: DVec3) -> DQuat {
    let half = 0.5 * v.length();
    // sin(x)/x = 1 - x²/6 to the last bit for |x| < 1e-4.
    let sinc = if half < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
    let xyz = 0.5 * sinc * v;
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, half.cos())
}

/// The angle times the axis of a rotation, by the shorter way: [`exp`] undone, to rounding of the quaternion.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let sine = q.xyz().length();
    // The half angle by its tangent is exact at any angle; for a small one, angle / sine is 2 / w.
    if sine < 1e-9 { 2.0 / q.w * q.xyz() } else { 2.0 * sine.atan2(q.w) / sine * q.xyz() }
}

/// Turns a body freely for `dt`: orientation and angular velocity in world axes after it.
///
/// The body's angular momentum is carried over, so that the gyroscopic effect is part of the rotation. With body-frame
/// angular velocities w₀ before and w₁ after, m = (w₀ + w₁)/2 and the exponential map exp, solves
/// `I w₁ = exp(-dt m) I w₀` and turns the body by exp(dt m): an implicit midpoint rule on the rotation group. World
/// angular momentum is exact by construction. Kinetic energy is too, because `E₁ - E₀ = m · (I w₁ - I w₀)` and a
/// rotation about m changes no component along m. Rotation about a principal axis is exact at any speed.
///
/// Large angles are split into sub-steps, so that the angular velocity turns little within each.
pub fn rotate(
    orientation: DQuat,
    angular_velocity: DVec3,
    inertia: &DMat3,
    inverse_inertia: &DMat3,
    dt: f64,
) -> (DQuat, DVec3) {
    let mut w = orientation.conjugate() * angular_velocity;
    let gyroscopic = *inverse_inertia * w.cross(*inertia * w);
    if gyroscopic.length() * dt <= ROTATION_TOLERANCE * w.length() {
        // About a principal axis: exact in one go, and the axis does not move.
        return ((exp(dt * angular_velocity) * orientation).normalize(), angular_velocity);
    }
    let angle = dt * w.length().max(gyroscopic.length().sqrt());
    let n_substeps = (angle / MAX_ROTATION_SUBSTEP).ceil().clamp(1.0, f64::from(MAX_ROTATION_SUBSTEPS));
    let h = dt / n_substeps;
    let mut q = orientation;
    for _ in 0..n_substeps as u32 {
        let mid = midpoint_velocity(w, inertia, inverse_inertia, h);
        let turn = exp(h * mid);
        w = *inverse_inertia * (turn.conjugate() * (*inertia * w));
        q = (q * turn).normalize();
    }
    (q, q * w)
}

/// The body-frame angular velocity m with `I (2m - w) = exp(-h m) I w`, by Newton's method from w.
///
/// The derivative of `exp(-h m) L` is `h [L₁]× J(h m)` with `L₁ = exp(-h m) L` and the left Jacobian J of the
/// rotation group, taken to second order. `2 I - h [L₁]×` is regular because its symmetric part is positive definite,
/// so even a needle, for which a fixed-point iteration diverges, converges in three or four iterations.
fn midpoint_velocity(w: DVec3, inertia: &DMat3, inverse_inertia: &DMat3, h: f64) -> DVec3 {
    let momentum = *inertia * w;
    let scale = ROTATION_TOLERANCE * w.length();
    let mut mid = w;
    for _ in 0..MAX_ROTATION_ITERATIONS {
        let turned = exp(-h * mid) * momentum;
        // Multiplied by the inverse inertia, so that one tolerance fits all three components.
        let residual = 2.0 * mid - w - *inverse_inertia * turned;
        let m = h * cross_matrix(mid);
        let left_jacobian = DMat3::IDENTITY - m * 0.5 + m * m * (1.0 / 6.0);
        let jacobian = DMat3::IDENTITY * 2.0 - *inverse_inertia * (h * cross_matrix(turned)) * left_jacobian;
        let change = jacobian.inverse() * residual;
        mid -= change;
        if change.length() <= scale {
            break;
        }
    }
    mid
}

/// The matrix of `v ×`.
fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of a vector that turns, by a sum over its way, with angles on both sides of where the series ends.
    #[test]
    fn the_mean_of_what_turns_is_that_of_its_way() {
        let x = DVec3::new(0.3, -1.0, 0.5);
        for angle in [1e-6, 9.9e-3, 1.01e-2, 0.3, 3.0] {
            let v = angle * DVec3::new(0.6, 0.0, 0.8);
            let n = 10_000;
            let sum: DVec3 = (0..n).map(|k| exp(v * ((f64::from(k) + 0.5) / f64::from(n))) * x - x).sum();
            let (found, exact) = (mean_turned_by(v, x), sum / f64::from(n));
            // The sum's own error is a 24th of the square of its parts.
            assert!((found - exact).length() < 1e-8 * exact.length(), "{angle}: {found} for {exact}");
        }
    }

    /// The mean angular velocity of a free top is off by the third order of the step.
    #[test]
    fn a_free_top_turns_on_average_as_half_way() {
        let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5));
        let (inverse, w) = (inertia.inverse(), DVec3::new(1.0, 2.0, -0.5));
        let off = |h: f64| {
            let (turned, _) = rotate(DQuat::IDENTITY, w, &inertia, &inverse, h);
            let course = Course::free(Twist { linear: DVec3::ZERO, angular: w }, &inertia, h);
            (log(turned) / h - course.turning).length()
        };
        assert!(off(0.02) < 1e-3 * w.length(), "{}", off(0.02));
        let order = (off(0.02) / off(0.01)).log2();
        assert!(order > 1.9, "{order}");
    }
}
