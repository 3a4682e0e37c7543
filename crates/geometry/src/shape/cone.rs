//! Cones.

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey, SizeError, check_size};
use super::frustum::Frustum;
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

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

impl Form for Cone {
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
        ShapeKey::measures("cone", DVec3::new(self.radius, self.height, 0.0))
    }
}
