//! Where an edge sticks out to: what may press on it comes from there.

use glam::DVec3;

use super::edge::LYING;
use super::motion::Mover;

/// The directions along which an edge of a closed surface sticks out, and those that leave them by a sine of [`LYING`]: all are within an angle about a
/// mean one.
#[derive(Clone, Copy, Debug)]
pub struct Ridge {
    /// The mean direction.
    out: DVec3,
    /// Cosine and sine of the angle, at most a right one and a little.
    spread: [f64; 2],
}

impl Ridge {
    /// Of an edge that sticks out either way.
    pub const ANYWHERE: Self = Self { out: DVec3::ZERO, spread: [-1.0, 0.0] };

    /// Of an edge between two faces with these normals and these directions across it into them.
    pub fn between([one, other]: [DVec3; 2], [into_one, into_other]: [DVec3; 2]) -> Self {
        // Both sums are along it, and one of them is long, whether the edge is sharp or blunt.
        let out = (one + other - into_one - into_other).normalize_or_zero();
        let half = (one - other).length().atan2((one + other).length());
        let (sin, cos) = (half + LYING.asin()).sin_cos();
        Self { out, spread: [cos, sin] }
    }

    /// As it is at the start of a motion.
    pub fn placed(&self, mover: &Mover) -> Self {
        Self { out: mover.turned(self.out), spread: self.spread }
    }

    /// Whether there may be a direction along which this one sticks out and against which the other one does: always where there is.
    pub fn may_meet(&self, other: &Self) -> bool {
        let ([cos, sin], [other_cos, other_sin]) = (self.spread, other.spread);
        // Both angles together are more than any two directions make.
        sin * other_cos + cos * other_sin <= 0.0
            || -self.out.dot(other.out) >= cos * other_cos - sin * other_sin
    }
}
