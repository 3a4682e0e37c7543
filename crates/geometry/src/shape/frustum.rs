//! Cylinders and cones as one kind of body: what lies between two planes across the z axis, with a radius linear in height.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::Surface;
use super::form::{Form, ShapeKey, SizeError, Symmetry, check_size};
use super::round_end::RoundEnd;
use super::surface::ring;
use crate::mesh::MassMoments;
use crate::{Aabb, Pose, Ray};

/// The points with |z| <= `half_height` whose distance from the z axis is at most the radius at their height, which goes
/// evenly from `bottom` to `top`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frustum {
    /// Radius at z = -`half_height` \[m\].
    pub bottom: f64,
    /// Radius at z = `half_height` \[m\]; at most `bottom`, zero for a cone.
    pub top: f64,
    /// Half the height \[m\].
    pub half_height: f64,
}

/// A shape that is a frustum by its radius and height.
pub(super) trait Tapered {
    /// Its name, which tells it from others of the same measures.
    const NAME: &str;

    /// Radius and height \[m\].
    fn measures(&self) -> [f64; 2];

    /// The frustum that it is.
    fn frustum(&self) -> Frustum;
}

impl<T: Tapered> Form for T {
    fn own_aabb(&self) -> Aabb {
        self.frustum().own_aabb()
    }

    fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        self.frustum().aabb(w_from_shape)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.frustum().reach(direction)
    }

    fn symmetry(&self) -> Option<Symmetry> {
        Some(Symmetry::Axis)
    }

    fn side_ends(&self) -> Option<[RoundEnd; 2]> {
        let Frustum { bottom, top, half_height } = self.frustum();
        let end = |radius, z| RoundEnd { center: DVec3::Z * z, axis: Some(DVec3::Z), radius };
        Some([end(bottom, -half_height), end(top, half_height)])
    }

    fn ray(&self, ray: &Ray) -> Option<f64> {
        self.frustum().ray(ray)
    }

    fn surface(&self, meridians: u32) -> Surface<'_> {
        self.frustum().surface(meridians)
    }

    fn unit_mass(&self) -> Option<MassMoments> {
        Some(self.frustum().unit_mass())
    }

    fn check(&self) -> Result<(), SizeError> {
        let [radius, height] = self.measures();
        check_size("radius", radius)?;
        check_size("height", height)
    }

    fn key(&self) -> ShapeKey {
        let [radius, height] = self.measures();
        ShapeKey::measures(T::NAME, DVec3::new(radius, height, 0.0))
    }
}

impl Frustum {
    /// Radius at a height \[m\]. The same everywhere for a cylinder, and without loss of digits near the tip of a cone.
    pub fn radius_at(&self, z: f64) -> f64 {
        self.top + (self.bottom - self.top) * ((self.half_height - z) / (2.0 * self.half_height))
    }

    /// Change of the radius per height.
    pub fn slope(&self) -> f64 {
        (self.top - self.bottom) / (2.0 * self.half_height)
    }

    /// The smallest box around it.
    pub fn own_aabb(&self) -> Aabb {
        let half = DVec3::new(self.bottom, self.bottom, self.half_height);
        Aabb { min: -half, max: half }
    }

    /// The smallest box around the posed body but for rounding: that of its two end discs.
    pub fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        let axis = w_from_shape.vector(DVec3::Z);
        // The part of each world axis across the body's.
        let across = DMat3::from_quat(w_from_shape.rotation);
        let across = (across.x_axis * across.x_axis + across.y_axis * across.y_axis).map(f64::sqrt);
        let disc = |z: f64, radius: f64| {
            let center = w_from_shape.translation + z * axis;
            Aabb { min: center - radius * across, max: center + radius * across }
        };
        let both = disc(-self.half_height, self.bottom).union(&disc(self.half_height, self.top));
        // A few roundings of the numbers that were added.
        let magnitude = w_from_shape.translation.abs().max_element() + self.bottom + self.half_height;
        both.inflated(4.0 * f64::EPSILON * magnitude)
    }

    /// How far it reaches along a unit vector of its frame \[m\].
    pub fn reach(&self, direction: DVec3) -> f64 {
        let across = direction.truncate().length();
        let along = self.half_height * direction.z;
        (self.bottom * across - along).max(self.top * across + along)
    }

    /// Where a ray comes in from outside.
    ///
    /// The body is convex: the ray is in it where it is both between the end planes and in the round side's cone, of which
    /// only one half is between those planes.
    pub fn ray(&self, ray: &Ray) -> Option<f64> {
        let (o, d) = (ray.origin, ray.direction);
        let ends = DVec3::INFINITY.with_z(self.half_height);
        let slab = Aabb { min: -ends, max: ends };
        let [low, high] = ray.within(&slab)?;
        let (radius, change) = (self.radius_at(o.z), self.slope() * d.z);
        let a = d.truncate().length_squared() - change * change;
        let b = o.truncate().dot(d.truncate()) - radius * change;
        let c = o.truncate().length_squared() - radius * radius;
        let root = (b * b - a * c).max(0.0).sqrt();
        let misses = b * b < a * c;
        let larger = -(b + root.copysign(b));
        let (p, q) = (larger / a, c / larger);
        let inside = if a > 0.0 {
            // Between the roots.
            (!misses).then(|| [p.min(q), p.max(q)])
        } else {
            // Before the one or after the other, of which one is in the half of the cone beyond the tip. A ray along a line
            // of the cone has one root at infinity.
            let (first, last) = if a < 0.0 {
                (p.min(q), p.max(q))
            } else if b > 0.0 {
                (q, f64::INFINITY)
            } else {
                (f64::NEG_INFINITY, q)
            };
            let parts = [[f64::NEG_INFINITY, first], [last, f64::INFINITY]];
            parts.into_iter().map(|[s, t]| [s.max(low), t.min(high)]).find(|[s, t]| s < t)
        };
        let [enter, leave] = inside.map(|[s, t]| [s.max(low), t.min(high)])?;
        (enter <= leave && enter >= 0.0).then_some(enter)
    }

    /// Rings from the middle of the bottom over the two rims to the middle of the top, each rim twice for the two normals there;
    /// the tip of a cone is a ring without extent.
    pub fn surface(&self, meridians: u32) -> Surface<'static> {
        let Self { bottom, top, half_height } = *self;
        let side = [2.0 * half_height, bottom - top];
        let ring = |radius, z, normal| ring(meridians, radius, z, normal);
        let mut rings = vec![
            ring(0.0, -half_height, [0.0, -1.0]),
            ring(bottom, -half_height, [0.0, -1.0]),
            ring(bottom, -half_height, side),
            ring(top, half_height, side),
        ];
        if top > 0.0 {
            rings.extend([ring(top, half_height, [0.0, 1.0]), ring(0.0, half_height, [0.0, 1.0])]);
        }
        Surface::Rings(rings)
    }

    /// Volume, centre and inertia for density 1 of a cylinder or of a cone.
    pub fn unit_mass(&self) -> MassMoments {
        let Self { bottom: r, half_height, .. } = *self;
        let h = 2.0 * half_height;
        let square = PI * r * r * h;
        if self.top > 0.0 {
            let across = r * r / 4.0;
            return MassMoments::symmetric(square, DVec3::new(across, across, h * h / 12.0));
        }
        // Of a cone the centre is a quarter of the height above the base.
        let volume = square / 3.0;
        let across = 3.0 / 20.0 * r * r;
        let second = volume * DVec3::new(across, across, 3.0 / 80.0 * h * h);
        MassMoments::from_central(volume, DVec3::Z * (-h / 4.0), DMat3::from_diagonal(second))
    }
}
