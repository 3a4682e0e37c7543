//! Cylinders with flat ends.

use super::frustum::{Frustum, Tapered};

/// The points within `radius` of the z axis between z = -`height`/2 and z = `height`/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius \[m\], positive.
    pub radius: f64,
    /// Distance between the flat ends \[m\], positive.
    pub height: f64,
}

impl From<&Cylinder> for Frustum {
    fn from(&Cylinder { radius, height }: &Cylinder) -> Self {
        Self { bottom: radius, top: radius, half_height: 0.5 * height }
    }
}

impl Tapered for Cylinder {
    const NAME: &str = "cylinder";

    fn measures(&self) -> [f64; 2] {
        [self.radius, self.height]
    }

    fn frustum(&self) -> Frustum {
        self.into()
    }
}
