//! Cylinders with flat ends.

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey, SizeError, check_size};
use super::frustum::Frustum;
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

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

impl Form for Cylinder {
    fn own_aabb(&self) -> Aabb {
        Frustum::from(self).own_aabb()
    }

    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        Frustum::from(self).aabb(w_from_shape)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        Frustum::from(self).reach(direction)
    }

    fn has_round_side(&self) -> bool {
        true
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        Frustum::from(self).ray(ray)
    }

    fn surface(&self, meridians: u32) -> Surface<'_> {
        Frustum::from(self).surface(meridians)
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        Some(Frustum::from(self).unit_mass())
    }

    fn check(&self) -> Result<(), SizeError> {
        check_size("radius", self.radius)?;
        check_size("height", self.height)
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::measures("cylinder", DVec3::new(self.radius, self.height, 0.0))
    }
}
