//! From the integrals over one overlap to what is reported of it.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::intersection::COHERENT;
use super::{Overlap, OverlapKind, Patch};
use crate::Aabb;
use crate::moments::VolumeMoments;

/// Mean depth below which an overlap is rounding noise of two shapes that only touch, as a part of the size of the
/// smaller shape: some twenty roundings of coordinates of that size.
const TOUCHING: f64 = 4e-15;

/// Integrals over the overlap of a pair A, B about `origin`, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integrals {
    /// Where the sums are taken about, relative to A's origin \[m\].
    pub origin: DVec3,
    /// Volume moments.
    pub volume: VolumeMoments,
    /// `∫ n dS` over A's surface inside B \[m²\].
    pub gradient: DVec3,
    /// `∫ x × n dS` over the same surface \[m³\].
    pub angular_gradient: DVec3,
    /// Areas of A's surface inside B and of B's inside A \[m²\].
    pub areas: [f64; 2],
    /// Outward normals that most of A's and of B's surface have, where that is known.
    pub facing: [Option<DVec3>; 2],
    /// Box around the overlap.
    pub bounds: Aabb,
}

impl Integrals {
    /// Whether the volume is more than twice the most that so much surface can enclose, that of a ball: a round body that touches a plane to the
    /// last bit leaves rounding of where it ends, a sliver of no area with a volume.
    fn is_more_than_enclosed(&self) -> bool {
        let area = self.areas[0] + self.areas[1];
        36.0 * PI * (0.5 * self.volume.volume).powi(2) > area.powi(3)
    }

    /// The overlap of one piece. `points` have the overlap's convex hull, or nearly so, and are about `origin` too;
    /// `size` is that of the smaller shape \[m\].
    pub fn into_overlap(self, points: &[DVec3], size: f64) -> Overlap {
        let volume = self.volume.volume;
        let [area_a, area_b] = self.areas;
        if volume <= TOUCHING * size * area_a.max(area_b) || self.is_more_than_enclosed() {
            return Overlap::EMPTY;
        }
        let (centroid, second) = self.volume.central();
        let kind = if area_a == 0.0 || area_b == 0.0 {
            OverlapKind::Swallowed
        } else if self.gradient.length() < COHERENT * area_a.min(area_b) {
            OverlapKind::NoNormal
        } else {
            OverlapKind::Regular
        };
        let patch = match kind {
            OverlapKind::Regular => Patch::new(points, self.gradient, volume, centroid, &second)
                .map(|patch| patch.with_planes(points, centroid, self.gradient, self.areas, self.facing)),
            _ => None,
        };
        let kind = if kind == OverlapKind::Regular && patch.is_none() { OverlapKind::NoNormal } else { kind };
        // A surface that is closed, or not there, has no gradient but rounding.
        let gradient = if kind == OverlapKind::Swallowed { DVec3::ZERO } else { self.gradient };
        let angular = if kind == OverlapKind::Swallowed { DVec3::ZERO } else { self.angular_gradient };
        Overlap {
            kind,
            volume,
            centroid: centroid + self.origin,
            second_moment: second,
            gradient,
            angular_gradient: angular + self.origin.cross(gradient),
            areas: self.areas,
            bounds: Aabb { min: self.bounds.min + self.origin, max: self.bounds.max + self.origin },
            n_components: 1,
            patch,
            regions: Vec::new(),
        }
    }
}

/// Sums of tetrahedra from the origin to the triangles of a surface; the symmetric second moments in six numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TetrahedronSums {
    volume: f64,
    first: DVec3,
    /// xx, yy, zz.
    squares: DVec3,
    /// xy, yz, zx.
    products: DVec3,
}

impl TetrahedronSums {
    /// Adds a triangle and returns twice its vector area.
    pub fn add(&mut self, a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
        let twice_area = (b - a).cross(c - a);
        let det = a.dot(twice_area);
        let sum = a + b + c;
        self.volume += det;
        self.first += det * sum;
        self.squares += det * (sum * sum + a * a + b * b + c * c);
        let cyclic = |v: DVec3| v * DVec3::new(v.y, v.z, v.x);
        self.products += det * (cyclic(sum) + cyclic(a) + cyclic(b) + cyclic(c));
        twice_area
    }

    /// The moments of all that was added.
    pub fn moments(&self) -> VolumeMoments {
        let (d, o) = (self.squares / 120.0, self.products / 120.0);
        VolumeMoments {
            volume: self.volume / 6.0,
            first: self.first / 24.0,
            second: DMat3::from_cols(
                DVec3::new(d.x, o.x, o.z),
                DVec3::new(o.x, d.y, o.y),
                DVec3::new(o.z, o.y, d.z),
            ),
        }
    }
}
