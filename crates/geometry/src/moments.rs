//! Volume and surface moments of oriented triangles, summed one triangle at a time.
//!
//! By the divergence theorem the moments of a solid are sums over its oriented surface triangles of the moments of
//! the tetrahedra they form with the origin. Both accumulators are about an origin of the caller's choice: keep it
//! close to the solid, because the terms cancel with the cube of the distance.

use glam::{DMat3, DVec3};

use crate::majority::Majority;

/// Outer product `a bᵀ`.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Zeroth, first and second volume moments about an origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeMoments {
    /// `∫ dV` \[m³\].
    pub volume: f64,
    /// `∫ x dV` \[m⁴\].
    pub first: DVec3,
    /// `∫ x xᵀ dV` \[m⁵\].
    pub second: DMat3,
}

/// The empty sum; not derived, because a matrix's own default is the identity.
impl Default for VolumeMoments {
    fn default() -> Self {
        Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO }
    }
}

impl VolumeMoments {
    /// Adds the tetrahedron (origin, a, b, c), signed by its orientation and multiplied by `weight`.
    pub fn add_triangle(&mut self, a: DVec3, b: DVec3, c: DVec3, weight: f64) {
        let det = weight * a.dot(b.cross(c));
        let sum = a + b + c;
        self.volume += det / 6.0;
        self.first += sum * (det / 24.0);
        self.second += (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c)) * (det / 120.0);
    }

    /// The same solid seen from an origin moved by `-offset`, that is with every point moved by `offset`.
    #[must_use]
    pub fn translated(&self, offset: DVec3) -> Self {
        let first = self.first + self.volume * offset;
        let cross = outer(offset, self.first);
        Self {
            volume: self.volume,
            first,
            second: self.second + cross + cross.transpose() + self.volume * outer(offset, offset),
        }
    }

    /// The solid turned by a rotation matrix.
    #[must_use]
    pub fn rotated(&self, r: DMat3) -> Self {
        Self { volume: self.volume, first: r * self.first, second: r * self.second * r.transpose() }
    }

    /// Centroid and second moment about it; the origin and zero for a volume that is exactly zero.
    pub fn central(&self) -> (DVec3, DMat3) {
        if self.volume == 0.0 {
            return (DVec3::ZERO, DMat3::ZERO);
        }
        let centroid = self.first / self.volume;
        (centroid, self.second - self.volume * outer(centroid, centroid))
    }
}

impl std::ops::AddAssign for VolumeMoments {
    fn add_assign(&mut self, other: Self) {
        self.volume += other.volume;
        self.first += other.first;
        self.second += other.second;
    }
}

/// Vector area, its arms and the plain area of a piece of oriented surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceMoments {
    /// `∫ n dS` \[m²\].
    pub area_vector: DVec3,
    /// `∫ x nᵀ dS`, so that row i holds the arms along x_i \[m³\].
    pub arms: DMat3,
    /// `∫ dS` \[m²\].
    pub area: f64,
    /// Which way most of it faces.
    pub facing: Majority,
}

/// The empty sum; not derived, because a matrix's own default is the identity.
impl Default for SurfaceMoments {
    fn default() -> Self {
        Self { area_vector: DVec3::ZERO, arms: DMat3::ZERO, area: 0.0, facing: Majority::default() }
    }
}

impl SurfaceMoments {
    /// Adds the vector area and arms of the triangle (a, b, c) multiplied by `weight`; the plain area and which way it faces are left
    /// to the caller, because the triangles of a cut face may overlap with opposite signs.
    pub fn add_triangle(&mut self, a: DVec3, b: DVec3, c: DVec3, weight: f64) {
        let nu = (b - a).cross(c - a) * (0.5 * weight);
        self.area_vector += nu;
        self.arms += outer((a + b + c) / 3.0, nu);
    }

    /// The same surface with every point moved by `offset`.
    #[must_use]
    pub fn translated(&self, offset: DVec3) -> Self {
        Self { arms: self.arms + outer(offset, self.area_vector), ..*self }
    }

    /// The surface turned by a rotation matrix.
    #[must_use]
    pub fn rotated(&self, r: DMat3) -> Self {
        Self {
            area_vector: r * self.area_vector,
            arms: r * self.arms * r.transpose(),
            area: self.area,
            facing: self.facing.rotated(&r),
        }
    }

    /// The other side of the surface.
    #[must_use]
    pub fn turned_round(&self) -> Self {
        let Self { area_vector, arms, area, facing } = *self;
        Self { area_vector: -area_vector, arms: -arms, area, facing: facing.times(-1.0) }
    }

    /// `∫ x × n dS`: the gradient of a volume under rotation about the origin \[m³\].
    pub fn angular(&self) -> DVec3 {
        let t = self.arms; // column-major: t.col(j)[i] = T_ij
        DVec3::new(t.z_axis.y - t.y_axis.z, t.x_axis.z - t.z_axis.x, t.y_axis.x - t.x_axis.y)
    }
}

impl std::ops::AddAssign for SurfaceMoments {
    fn add_assign(&mut self, other: Self) {
        self.area_vector += other.area_vector;
        self.arms += other.arms;
        self.area += other.area;
        self.facing.add(other.facing);
    }
}

/// Area moments of a plane region that is made of triangles with one corner in common.
///
/// The moments of the cone over a plane region follow from those of the region, so most of the work is done once for
/// the region and not for each of its triangles.
#[derive(Clone, Copy, Debug)]
pub struct FanMoments {
    /// The common corner.
    pub apex: DVec3,
    /// `∫ n dS` \[m²\].
    pub area_vector: DVec3,
    /// Area, and with `y` from the apex three times `∫ y dS` and twelve times `∫ y yᵀ dS`: xx yy zz and xy yz zx.
    area: f64,
    first: DVec3,
    squares: DVec3,
    products: DVec3,
}

impl FanMoments {
    /// The empty region.
    pub fn new(apex: DVec3) -> Self {
        let zero = DVec3::ZERO;
        Self { apex, area_vector: zero, area: 0.0, first: zero, squares: zero, products: zero }
    }

    /// Adds the triangle (apex, b, c) in the plane with this unit normal, multiplied by `weight`.
    #[inline]
    pub fn add_triangle(&mut self, b: DVec3, c: DVec3, weight: f64, normal: DVec3) {
        let (b, c) = (b - self.apex, c - self.apex);
        let area_vector = b.cross(c) * (0.5 * weight);
        let area = area_vector.dot(normal);
        let sum = b + c;
        let cyclic = |v: DVec3| v * DVec3::new(v.y, v.z, v.x);
        self.area_vector += area_vector;
        self.area += area;
        self.first += area * sum;
        self.squares += area * (sum * sum + b * b + c * c);
        self.products += area * (cyclic(sum) + cyclic(b) + cyclic(c));
    }

    /// Volume of the cone from the origin over the region.
    pub fn volume(&self) -> f64 {
        self.apex.dot(self.area_vector) / 3.0
    }

    /// Moments of that cone and of the region, both about the origin. The plane is given by its unit normal.
    pub fn moments(&self, normal: DVec3) -> (VolumeMoments, SurfaceMoments) {
        let (q, p) = (self.squares * (1.0 / 12.0), self.products * (1.0 / 12.0));
        let about_apex =
            DMat3::from_cols(DVec3::new(q.x, p.x, p.z), DVec3::new(p.x, q.y, p.y), DVec3::new(p.z, p.y, q.z));
        let first_about_apex = self.first * (1.0 / 3.0);
        let first = first_about_apex + self.area * self.apex;
        let second = about_apex + outer(self.apex, first_about_apex) + outer(first, self.apex);
        // Every point of the plane has the same x·n, and ∫ dV = ∫ x·n dS / 3 of the cone, and so on.
        let height = self.apex.dot(normal);
        let volume = VolumeMoments {
            volume: self.volume(),
            first: first * (height / 4.0),
            second: second * (height / 5.0),
        };
        let area = self.area_vector.dot(normal);
        let facing = Majority::of_plane(normal, area);
        (volume, SurfaceMoments { area_vector: self.area_vector, arms: outer(first, normal), area, facing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadrilateral as a fan has the moments of its two triangles.
    #[test]
    fn fan_of_a_plane_region_has_the_moments_of_its_triangles() {
        let (origin, u, w) =
            (DVec3::new(0.4, -0.3, 0.9), DVec3::new(0.5, 0.1, -0.2), DVec3::new(-0.1, 0.7, 0.3));
        let corners = [[0.1, 0.2], [1.3, 0.1], [0.9, 1.2], [-0.3, 0.8]].map(|[s, t]| origin + s * u + t * w);
        let normal = u.cross(w).normalize();
        let mut fan = FanMoments::new(corners[0]);
        let (mut volume, mut surface) = (VolumeMoments::default(), SurfaceMoments::default());
        for i in [1, 2] {
            fan.add_triangle(corners[i], corners[i + 1], 2.0, normal);
            volume.add_triangle(corners[0], corners[i], corners[i + 1], 2.0);
            surface.add_triangle(corners[0], corners[i], corners[i + 1], 2.0);
        }
        let (fan_volume, fan_surface) = fan.moments(normal);
        // Some fifty f64 operations on numbers of order one.
        let small = |x: DMat3| assert!(x.to_cols_array().iter().all(|x| x.abs() < 1e-14), "{x}");
        small(DMat3::from_diagonal(DVec3::splat(fan_volume.volume - volume.volume)));
        small(DMat3::from_diagonal(fan_volume.first - volume.first));
        small(fan_volume.second - volume.second);
        small(DMat3::from_diagonal(fan_surface.area_vector - surface.area_vector));
        small(fan_surface.arms - surface.arms);
        assert!((fan_surface.area - surface.area_vector.length()).abs() < 1e-14);
    }

    /// The unit cube's moments are 1, 0 and 1/12 per axis whatever the origin they were summed about.
    #[test]
    fn moments_of_the_unit_cube_do_not_depend_on_the_summation_origin() {
        let corner = |i: usize| {
            DVec3::new((i & 1) as f64, ((i >> 1) & 1) as f64, ((i >> 2) & 1) as f64) - DVec3::splat(0.5)
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let offset = DVec3::new(0.3, -0.2, 0.7);
        let mut volume = VolumeMoments::default();
        let mut surface = SurfaceMoments::default();
        for [a, b, c, d] in quads.map(|q| q.map(|i| corner(i) + offset)) {
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                volume.add_triangle(a, b, c, 1.0);
                surface.add_triangle(a, b, c, 1.0);
            }
        }
        let (centroid, second) = volume.central();
        // Some fifty f64 operations on numbers of order one.
        assert!((volume.volume - 1.0).abs() < 1e-14);
        assert!((centroid - offset).length() < 1e-14);
        let error = second - DMat3::IDENTITY * (1.0 / 12.0);
        assert!(error.to_cols_array().iter().all(|x| x.abs() < 1e-14));
        assert!(surface.area_vector.length() < 1e-14);
        // A closed surface has T = V 1, and so no angular part.
        assert!((surface.arms - DMat3::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-14));
        assert!(surface.angular().length() < 1e-14);
        let back = volume.translated(-offset);
        assert!(back.first.length() < 1e-14);
    }
}
