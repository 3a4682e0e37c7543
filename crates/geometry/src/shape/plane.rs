//! Planes that bound shapes.

use glam::DVec3;

/// A plane `normal · x = offset`; its inside is where `normal · x < offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance from the origin along the normal \[m\].
    pub offset: f64,
}

impl Plane {
    /// Signed distance of a point, positive outside \[m\].
    pub fn distance(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }
}
