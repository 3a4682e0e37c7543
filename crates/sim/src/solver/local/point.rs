//! One contact point: the block that most engines solve, here to compare with.

use glam::{DVec2, DVec3, Vec3Swizzles};

use crate::solver::Mat6;

/// The three rows (v_n, v_u, v_w) of a point: the normal row and then the two of friction, by projected Gauss-Seidel.
///
/// The limit of friction is the cone's circle at the present normal force. Both friction rows take the same divisor, so
/// that at rest of the iteration friction is opposite to the slip, whatever the bodies' inertia.
#[derive(Clone, Copy, Debug)]
pub struct PointBlock {
    /// Response of the three velocities to a normal impulse, compliance included.
    normal: DVec3,
    /// Reciprocal response of the normal row, and that of the friction row that responds most; 0 without response.
    inverse: [f64; 2],
    friction: f64,
}

impl PointBlock {
    /// The point at `x` of the contact plane whose six rows about the contact point have the matrix `s`; `compliance`
    /// is added to the normal row.
    pub fn new(s: &Mat6, x: DVec2, compliance: f64, friction: f64) -> Self {
        let [mut normal, u, w] = point_matrix(s, x);
        normal.x += compliance;
        // The larger eigenvalue of the two friction rows.
        let largest = 0.5 * (u.y + w.z) + (0.5 * (u.y - w.z)).hypot(u.z);
        let inverse = |x: f64| if x > 0.0 { x.recip() } else { 0.0 };
        Self { normal, inverse: [inverse(normal.x), inverse(largest)], friction }
    }

    /// Coefficient of friction.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The impulse after one relaxation of the normal row and one of the friction rows, from the present impulse \[N s\]
    /// and the velocity that it leaves (compliance included) \[m/s\].
    pub fn relax(&self, velocity: DVec3, impulse: DVec3) -> DVec3 {
        let normal = (impulse.x - velocity.x * self.inverse[0]).max(0.0);
        let slip = velocity + self.normal * (normal - impulse.x);
        let mut next = (impulse - slip * self.inverse[1]).with_x(normal);
        let (limit, length) = (self.friction * normal, next.y.hypot(next.z));
        if length > limit {
            let part = limit / length;
            next.y *= part;
            next.z *= part;
        }
        next
    }
}

/// `X S Xᵀ` with `X = [1 -r^]`: rows of the velocity at the point `x` of the contact plane by a force there.
pub(super) fn point_matrix(s: &Mat6, x: DVec2) -> [DVec3; 3] {
    // The columns of S moved to the point, then its rows; S is symmetric, so its rows serve as columns.
    let [n, u, w, spin, roll_u, roll_w] = [0, 1, 2, 3, 4, 5].map(|ix| velocity_at(&s.0[ix], x));
    [n + roll_u * x.y - roll_w * x.x, u - spin * x.y, w + spin * x.x]
}

/// Velocity at the point `x` of the contact plane, `v + ω × r` in contact axes.
pub(super) fn velocity_at(y: &[f64; 6], x: DVec2) -> DVec3 {
    DVec3::new(y[0] + x.y * y[4] - x.x * y[5], y[1] - x.y * y[3], y[2] + x.x * y[3])
}

/// Direction `(1, μ t)` along the side of the friction cone, with `t` that of a force's tangential part; `None` if
/// the force is not beyond the cone. A pulling force is beyond every cone.
pub(super) fn side_of_cone(force: DVec3, friction: f64) -> Option<DVec3> {
    if force.yz().length() <= friction * force.x {
        return None;
    }
    let t = force.with_x(0.0).normalize_or_zero();
    Some(DVec3::X + t * friction)
}
