//! Rigid motions.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

/// A rotation that takes one unit vector to another, the shortest one unless they are more than a right angle apart. A shortest arc between
/// nearly opposite vectors is known to rounding over what is left to opposite, which may be nothing.
pub fn turn_onto(from: DVec3, to: DVec3) -> DQuat {
    if from.dot(to) >= 0.0 {
        return short_arc(from, to);
    }
    short_arc(-from, to) * DQuat::from_axis_angle(from.any_orthonormal_vector(), PI)
}

/// The shortest rotation between unit vectors that are no more than a right angle apart, exact for small angles too.
fn short_arc(from: DVec3, to: DVec3) -> DQuat {
    let axis = from.cross(to);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + from.dot(to)).normalize()
}

/// A rigid motion that takes points of a body's frame to the world: `x_w = rotation * x_a + translation`.
///
/// Read a variable `w_from_a: Pose` as "world from a". The rotation is a unit quaternion; [`Pose::new`] normalises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation part, a unit quaternion.
    pub rotation: DQuat,
    /// Image of the frame's origin \[m\].
    pub translation: DVec3,
}

impl Pose {
    /// The motion that moves nothing.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A pose from a translation and a quaternion of any non-zero length, which is normalised in f64.
    pub fn new(translation: DVec3, rotation: DQuat) -> Self {
        Self { rotation: rotation.normalize(), translation }
    }

    /// A pure translation.
    pub fn from_translation(translation: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, translation }
    }

    /// The rotation as a matrix whose columns are the frame's axes in the world.
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation)
    }

    /// Image of a point.
    pub fn point(&self, x: DVec3) -> DVec3 {
        self.rotation * x + self.translation
    }

    /// Image of a direction (rotated, not translated).
    pub fn vector(&self, v: DVec3) -> DVec3 {
        self.rotation * v
    }

    /// The motion back.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// `a_from_b` of two poses `w_from_a = self` and `w_from_b`.
    ///
    /// The translations are subtracted before anything is rotated, so two bodies far from the world's origin lose
    /// only the digits that their positions have already lost.
    pub fn relative(&self, w_from_b: &Self) -> Self {
        let a_from_w = self.rotation.conjugate();
        Self {
            rotation: (a_from_w * w_from_b.rotation).normalize(),
            translation: a_from_w * (w_from_b.translation - self.translation),
        }
    }

    /// Composition: `w_from_b = w_from_a.then(a_from_b)`.
    pub fn then(&self, a_from_b: &Self) -> Self {
        Self {
            rotation: (self.rotation * a_from_b.rotation).normalize(),
            translation: self.point(a_from_b.translation),
        }
    }

    /// Whether every component is finite.
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_undoes_composition() {
        let w_from_a = Pose::new(DVec3::new(1.0, -2.0, 3.0), DQuat::from_xyzw(0.1, 0.7, -0.3, 0.5));
        let a_from_b = Pose::new(DVec3::new(0.2, 0.1, -4.0), DQuat::from_xyzw(-0.4, 0.2, 0.3, 0.9));
        let back = w_from_a.relative(&w_from_a.then(&a_from_b));
        // A handful of f64 operations on numbers below 10.
        assert!((back.translation - a_from_b.translation).length() < 1e-14);
        assert!(back.rotation.angle_between(a_from_b.rotation) < 1e-7);
        let x = DVec3::new(0.3, 0.4, 0.5);
        assert!((w_from_a.inverse().point(w_from_a.point(x)) - x).length() < 1e-14);
    }

    /// Vectors that are opposite to rounding, of lengths that are one to rounding: the rotation is known as well as they are.
    #[test]
    fn opposite_vectors_turn_onto_each_other() {
        for exponent in 0..20 {
            for (x, y) in [(1.0, 0.0), (0.3, -0.7), (-1.0, 0.2)] {
                for length in [1.0 - 3.4e-16, 1.0, 1.0 + 4.5e-16] {
                    let tilt = 0.5 * 0.1_f64.powi(exponent);
                    let to = DVec3::new(tilt * x, tilt * y, -1.0).normalize() * length;
                    let turned = turn_onto(DVec3::Z, to) * DVec3::Z;
                    assert!(turned.distance(to) < 1e-14, "{exponent} {x} {y} {length} {turned} {to}");
                }
            }
        }
    }
}
