//! Rigid motions of a step, and the straight paths that stand for them.

use glam::{DMat3, DVec3};

use super::path::Path;
use crate::{Aabb, Pose};

/// A motion between two poses. Every point goes straight from where it is at the start to where it is at the end; a true rotation leaves
/// that by [`Motion::arc`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// At τ = 0.
    pub start: Pose,
    /// At τ = 1.
    pub end: Pose,
}

impl Motion {
    /// No motion.
    pub fn at_rest(pose: Pose) -> Self {
        Self { start: pose, end: pose }
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.start.is_finite() && self.end.is_finite()
    }

    /// Angle between start and end \[rad\], at most π.
    pub fn angle(&self) -> f64 {
        self.start.rotation.angle_between(self.end.rotation)
    }

    /// How far a point at a distance \[m\] from the centre of rotation may leave its straight path, if the rotation is even: the height of
    /// its arc, `r (1 - cos(angle/2))`.
    pub fn arc(&self, distance: f64) -> f64 {
        let quarter = (0.25 * self.angle()).sin();
        2.0 * distance * quarter * quarter
    }
}

/// A motion as matrices, relative to an origin.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    ends: [(DMat3, DVec3); 2],
}

impl Mover {
    /// The motion as seen from an origin \[m\].
    pub fn new(motion: &Motion, origin: DVec3) -> Self {
        Self { ends: [motion.start, motion.end].map(|pose| (pose.matrix(), pose.translation - origin)) }
    }

    /// The path of a point of the body's frame.
    pub fn path(&self, x: DVec3) -> Path {
        let [start, end] = self.ends.map(|(turn, shift)| turn * x + shift);
        Path { start, end }
    }

    /// A direction of the body's frame at τ = 0.
    pub fn turned(&self, v: DVec3) -> DVec3 {
        self.ends[0].0 * v
    }

    /// A direction at τ = 0 in the body's frame.
    pub fn turned_back(&self, v: DVec3) -> DVec3 {
        self.ends[0].0.transpose() * v
    }

    /// A point at τ = 0 in the body's frame.
    pub fn back(&self, x: DVec3) -> DVec3 {
        let (turn, shift) = self.ends[0];
        turn.transpose() * (x - shift)
    }

    /// A box around all paths of points in a box of the body's frame.
    pub fn swept(&self, aabb: &Aabb) -> Aabb {
        let [start, end] = self.ends.map(|(turn, shift)| {
            let abs = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
            let (center, half) = (turn * aabb.center() + shift, abs * aabb.half_size());
            // Rounding leaves no point outside.
            let half = half + 1e-15 * (abs * aabb.center().abs() + shift.abs() + half);
            Aabb { min: center - half, max: center + half }
        });
        start.union(&end)
    }
}
