//! Boxes.

use glam::DVec3;

use super::form::{Form, ShapeKey, SizeError, check_size};
use super::{Plane, Surface};
use crate::mesh::MassMoments;
use crate::{Aabb, Ray, TriangleMesh};

/// A box about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Half the side lengths \[m\], positive.
    pub half_size: DVec3,
}

impl Cuboid {
    /// Corners of the faces by the signs of their coordinates (bit k set: positive along axis k), in the order
    /// -x, +x, -y, +y, -z, +z, counter-clockwise from outside.
    pub(crate) const FACES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

    /// The plane of one of the [`Cuboid::FACES`].
    pub(crate) fn plane(&self, face: usize) -> Plane {
        let normal = DVec3::AXES[face / 2];
        let sign = if face.is_multiple_of(2) { -1.0 } else { 1.0 };
        Plane { normal: sign * normal, offset: self.half_size[face / 2] }
    }

    /// Its surface in twelve triangles.
    pub fn to_mesh(&self) -> TriangleMesh {
        let corner = |ix: u32| {
            let sign = |bit: u32| if ix >> bit & 1 == 0 { -1.0 } else { 1.0 };
            self.half_size * DVec3::new(sign(0), sign(1), sign(2))
        };
        TriangleMesh::of_polygons((0..8).map(corner).collect(), Self::FACES.iter().map(<[u32; 4]>::as_slice))
    }
}

impl Form for Cuboid {
    fn own_aabb(&self) -> Aabb {
        Aabb { min: -self.half_size, max: self.half_size }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.half_size.dot(direction.abs())
    }

    fn farthest_of_core(&self, direction: DVec3) -> Option<DVec3> {
        Some(self.half_size * direction.signum())
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        ray.within(&self.own_aabb()).map(|[enter, _]| enter).filter(|&enter| enter >= 0.0)
    }

    fn surface(&self, _: u32) -> Surface<'_> {
        Surface::faces(self.to_mesh())
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        let half = self.half_size;
        Some(MassMoments::symmetric(8.0 * half.element_product(), half * half / 3.0))
    }

    fn check(&self) -> Result<(), SizeError> {
        self.half_size.to_array().iter().try_for_each(|&x| check_size("half size", x))
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::measures("cuboid", self.half_size)
    }
}
