//! On which side of a plane, or of a line, points certainly are.

use glam::Vec3;

use super::place::fma;

/// Error of a product of three lengths, as a part of the sum of the magnitudes that go into it: eight roundings of 6e-8.
pub const PRODUCT_ERROR: f32 = 1e-6;

/// A number and a bound of its error.
#[derive(Clone, Copy)]
pub struct Height {
    pub value: f32,
    pub error: f32,
}

impl Height {
    pub fn is_above(&self) -> bool {
        self.value > self.error
    }

    pub fn is_below(&self) -> bool {
        self.value < -self.error
    }
}

pub fn scalar(a: Vec3, b: Vec3) -> f32 {
    fma(a.x, b.x, fma(a.y, b.y, a.z * b.z))
}

pub fn vector(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x)))
}

/// The magnitudes that go into a cross product of two vectors of these magnitudes.
fn magnitudes(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(fma(a.y, b.z, a.z * b.y), fma(a.z, b.x, a.x * b.z), fma(a.x, b.y, a.y * b.x))
}

/// What is normal to two vectors, with what its products with others are off by.
pub struct Plane {
    origin: Vec3,
    pub normal: Vec3,
    /// Magnitudes that go into the normal, and its error where the vectors are off.
    sizes: Vec3,
    errors: Vec3,
    tolerance: Vec3,
}

impl Plane {
    pub fn new([a, b, c]: &[Vec3; 3], tolerance: Vec3) -> Self {
        Self::through(*a, *b - *a, *c - *a, tolerance)
    }

    fn through(origin: Vec3, u: Vec3, v: Vec3, tolerance: Vec3) -> Self {
        Self {
            origin,
            normal: vector(u, v),
            sizes: magnitudes(u.abs(), v.abs()),
            errors: magnitudes(u.abs() + v.abs(), tolerance),
            tolerance,
        }
    }

    /// The product of the normal with the way from the origin to a point.
    pub fn height(&self, x: Vec3) -> Height {
        let d = x - self.origin;
        let off = Vec3::splat(PRODUCT_ERROR) * (d.abs() + x.abs()) + self.tolerance;
        Height {
            value: scalar(self.normal, d),
            error: scalar(self.sizes, off) + scalar(self.errors, d.abs()),
        }
    }
}

/// Whether the line through a side certainly passes beside a triangle: it has two of the triangle's sides on different sides of it.
pub fn passes_beside([from, to]: [Vec3; 2], triangle: &[Vec3; 3], tolerance: Vec3) -> bool {
    let (mut is_left, mut is_right) = (false, false);
    for k in 0..3 {
        let (start, end) = (triangle[k], triangle[if k == 2 { 0 } else { k + 1 }]);
        let height = Plane::through(from, to - from, end - start, tolerance).height(start);
        is_left |= height.is_above();
        is_right |= height.is_below();
    }
    is_left && is_right
}
