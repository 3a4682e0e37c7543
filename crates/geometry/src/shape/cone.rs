//! Cones.

use super::frustum::{Frustum, Tapered};

/// The points between a disc of `radius` at z = -`height`/2 and the tip at z = `height`/2 on the z axis: the origin is the middle
/// of the height, the centre of mass a quarter of the height below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Radius of the base \[m\], positive.
    pub radius: f64,
    /// Distance of the tip from the base \[m\], positive.
    pub height: f64,
}

impl From<&Cone> for Frustum {
    fn from(&Cone { radius, height }: &Cone) -> Self {
        Self { bottom: radius, top: 0.0, half_height: 0.5 * height }
    }
}

impl Tapered for Cone {
    const NAME: &str = "cone";

    fn measures(&self) -> [f64; 2] {
        [self.radius, self.height]
    }

    fn frustum(&self) -> Frustum {
        self.into()
    }
}
