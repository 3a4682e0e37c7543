//! Frames in the world, and frames that others carry along.

use glam::{DQuat, DVec3};

/// The frame of one half of a joint, or of the body that carries it: origin and axes in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Origin \[m\].
    pub origin: DVec3,
    /// From own axes to the world's.
    pub rotation: DQuat,
}

impl Placement {
    /// Where a frame fixed to this one stands in the world.
    pub fn carry(&self, part: &Self) -> Self {
        Self {
            origin: self.origin + self.rotation * part.origin,
            rotation: (self.rotation * part.rotation).normalize(),
        }
    }

    /// The frame `w` of the world as one fixed to this frame.
    pub fn locate(&self, w: &Self) -> Self {
        let back = self.rotation.conjugate();
        Self { origin: back * (w.origin - self.origin), rotation: (back * w.rotation).normalize() }
    }
}
