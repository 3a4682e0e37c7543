//! The half-space.

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey};
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

/// The points with z <= 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfSpace;

impl Form for HalfSpace {
    fn own_aabb(&self) -> Aabb {
        Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY.with_z(0.0) }
    }

    /// Bounded along a world axis only if the normal lies along that axis exactly.
    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        let normal = w_from_shape.vector(DVec3::Z);
        let mut aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
        for axis in 0..3 {
            let others = normal[(axis + 1) % 3].abs().max(normal[(axis + 2) % 3].abs());
            if others == 0.0 && normal[axis] > 0.0 {
                aabb.max[axis] = w_from_shape.translation[axis];
            } else if others == 0.0 {
                aabb.min[axis] = w_from_shape.translation[axis];
            }
        }
        aabb
    }

    fn reach(&self, direction: DVec3) -> f64 {
        if direction == DVec3::Z { 0.0 } else { f64::INFINITY }
    }

    fn plane_normal(&self) -> Option<DVec3> {
        Some(DVec3::Z)
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        (ray.direction.z < 0.0 && ray.origin.z >= 0.0).then(|| ray.origin.z / -ray.direction.z)
    }

    fn surface(&self, _: u32) -> Surface<'_> {
        Surface::Endless
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        None
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::measures("half-space", DVec3::ZERO)
    }
}
