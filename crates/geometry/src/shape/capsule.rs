//! Capsules: cylinders with half balls at their ends.

use std::f64::consts::PI;

use glam::DVec3;

use super::form::{Form, ShapeKey, SizeError, Symmetry, check_size};
use super::round_end::RoundEnd;
use super::surface::capsule_rings;
use super::{Sphere, Surface};
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

/// The points within `radius` of the segment from (0, 0, -`half_length`) to (0, 0, `half_length`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Radius \[m\], positive.
    pub radius: f64,
    /// Half the length of the segment \[m\], positive.
    pub half_length: f64,
}

impl Form for Capsule {
    fn own_aabb(&self) -> Aabb {
        let half = DVec3::new(self.radius, self.radius, self.radius + self.half_length);
        Aabb { min: -half, max: half }
    }

    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        let end = DVec3::Z * self.half_length;
        Aabb { min: -end, max: end }.transformed(w_from_shape).inflated(self.radius)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.radius + self.half_length * direction.z.abs()
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Some(Symmetry::Axis)
    }

    fn side_ends(&self) -> Option<[RoundEnd; 2]> {
        let end = |z| RoundEnd { center: DVec3::Z * z, axis: None, radius: self.radius };
        Some([end(-self.half_length), end(self.half_length)])
    }

    /// Where the ray enters the cylinder between the ends of the segment, or else a ball about one of them.
    fn ray(&self, ray: &Ray) -> Option<f64> {
        let (o, d) = (ray.origin.truncate(), ray.direction.truncate());
        let (a, b, c) = (d.length_squared(), o.dot(d), o.length_squared() - self.radius * self.radius);
        let discriminant = b * b - a * c;
        let side = (a > 0.0 && discriminant >= 0.0).then(|| (-b - discriminant.sqrt()) / a).filter(|t| {
            let z = ray.origin.z + t * ray.direction.z;
            *t >= 0.0 && z.abs() <= self.half_length
        });
        let end = |z| ray.enters_ball(DVec3::Z * z, self.radius);
        let ends = [end(self.half_length), end(-self.half_length)];
        let first = [side].into_iter().chain(ends).flatten().min_by(f64::total_cmp)?;
        // From within the one ball a ray may enter the other.
        let start = ray.origin - DVec3::Z * ray.origin.z.clamp(-self.half_length, self.half_length);
        (start.length() >= self.radius).then_some(first)
    }

    fn surface(&self, meridians: u32) -> Surface<'_> {
        Surface::Rings(capsule_rings(self.radius, self.half_length, meridians))
    }

    /// A cylinder and two half balls, the latter moved outwards by the half length.
    fn unit_mass(&self) -> Option<MassMoments> {
        let (r, l) = (self.radius, self.half_length);
        let cylinder = 2.0 * PI * r * r * l;
        let ball = 4.0 / 3.0 * PI * r.powi(3);
        let across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
        // A half ball has its centroid 3r/8 above its base and mean square height r²/5.
        let along = cylinder * l * l / 3.0 + ball * (r * r / 5.0 + 2.0 * l * (3.0 / 8.0) * r + l * l);
        let volume = cylinder + ball;
        Some(MassMoments::symmetric(volume, DVec3::new(across, across, along) / volume))
    }

    fn check(&self) -> Result<(), SizeError> {
        check_size("radius", self.radius)?;
        check_size("half length", self.half_length)
    }

    fn key(&self) -> ShapeKey {
        ShapeKey::measures("capsule", DVec3::new(self.radius, self.half_length, 0.0))
    }
}

/// A capsule whose segment has no length: for methods that are for both.
impl From<&Sphere> for Capsule {
    fn from(sphere: &Sphere) -> Self {
        Self { radius: sphere.radius, half_length: 0.0 }
    }
}
