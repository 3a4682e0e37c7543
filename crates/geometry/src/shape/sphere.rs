//! Balls.

use std::f64::consts::PI;

use glam::DVec3;

use super::Surface;
use super::form::{Form, ShapeKey, SizeError, Symmetry, check_size};
use super::round_end::RoundEnd;
use super::surface::capsule_rings;
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

/// A ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Radius \[m\], positive.
    pub radius: f64,
}

impl Form for Sphere {
    fn own_aabb(&self) -> Aabb {
        let half = DVec3::splat(self.radius);
        Aabb { min: -half, max: half }
    }

    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        Aabb { min: DVec3::ZERO, max: DVec3::ZERO }.transformed(w_from_shape).inflated(self.radius)
    }

    fn reach(&self, _: DVec3) -> f64 {
        self.radius
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Some(Symmetry::Point)
    }

    fn side_ends(&self) -> Option<[RoundEnd; 2]> {
        Some([RoundEnd { center: DVec3::ZERO, axis: None, radius: self.radius }; 2])
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        ray.enters_ball(DVec3::ZERO, self.radius)
    }

    fn surface(&self, meridians: u32) -> Surface<'_> {
        Surface::Rings(capsule_rings(self.radius, 0.0, meridians))
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        let r = self.radius;
        Some(MassMoments::symmetric(4.0 / 3.0 * PI * r.powi(3), DVec3::splat(r * r / 5.0)))
    }

    fn check(&self) -> Result<(), SizeError> {
        check_size("radius", self.radius)
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::measures("sphere", DVec3::new(self.radius, 0.0, 0.0))
    }
}
