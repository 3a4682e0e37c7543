//! What is known of the volume that two posed shapes share.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::Patch;
use crate::{Aabb, Pose};

/// Part of the smaller of the two surface areas that the gradient must reach to have a meaning as a normal.
pub(super) const COHERENT: f64 = 0.5;

/// Edge of a cube, as a part of the bodies' size, whose volume may be rounding, about a hundred roundings of the body's: flush faces have more
/// from a depth of 1e-14 sizes on.
const LEAST_LENGTH: f64 = 3e-5;

/// What is known of the overlap of two posed shapes A and B.
///
/// Frame: world axes, positions relative to the origin of A's frame (`w_from_a.translation`), so that nothing is
/// lost far from the world's origin. Symbols in brackets are those of Bouchard et al. 2015, section 3, with the
/// missing `1/V` of their equation 15 restored.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// What kind of overlap this is; decides which other fields mean something.
    pub kind: OverlapKind,
    /// Volume `V` \[m³\].
    pub volume: f64,
    /// Centroid `c` \[m\].
    pub centroid: DVec3,
    /// Second moment about the centroid, `C = ∫ (x-c)(x-c)ᵀ dV`, covariance form, symmetric \[m⁵\].
    pub second_moment: DMat3,
    /// Gradient of the volume under translation of A, `dV/dx_A = ∫ n dS` over the part of A's surface inside B,
    /// outward normals of A \[m²\]. B's is its negative.
    pub gradient: DVec3,
    /// Gradient of the volume under rotation of A about A's origin, `dV/dθ_A = ∫ x × n dS` over the same surface,
    /// world axes \[m³\].
    pub angular_gradient: DVec3,
    /// Area of A's surface inside B, and of B's surface inside A \[m²\].
    pub areas: [f64; 2],
    /// The smallest box around the overlap, or a slightly larger one where the method gives no better \[m\].
    pub bounds: Aabb,
    /// Number of separate pieces.
    pub n_components: u32,
    /// The overlap seen along the contact normal; `None` unless `kind` is [`OverlapKind::Regular`].
    pub patch: Option<Patch>,
    /// Where the shapes meet in several places or from several sides, what is known of each, the largest first: their
    /// sums are those of the whole. Empty for an overlap that is one region, as most are; see [`Overlap::regions`].
    pub regions: Vec<Overlap>,
}

/// The cases a pair of shapes can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlapKind {
    /// The interiors do not meet; every other field is zero or empty.
    Empty,
    /// A contact with a normal.
    Regular,
    /// The surfaces cross but the gradient nearly cancels (|∫ n dS| below half the smaller of the two areas), as
    /// for a tight peg in a hole: volume and moments hold, a single normal says little.
    NoNormal,
    /// One shape lies wholly inside the other: the gradient is zero.
    Swallowed,
}

impl Overlap {
    /// The overlap of shapes whose interiors do not meet.
    pub const EMPTY: Self = Self {
        kind: OverlapKind::Empty,
        volume: 0.0,
        centroid: DVec3::ZERO,
        second_moment: DMat3::ZERO,
        gradient: DVec3::ZERO,
        angular_gradient: DVec3::ZERO,
        areas: [0.0; 2],
        bounds: Aabb::EMPTY,
        n_components: 0,
        patch: None,
        regions: Vec::new(),
    };

    /// Whether volume and surface of an overlap of bodies of this size \[m\] are rounding, as of bodies that touch: the volume is, and has less
    /// surface than any volume, by the isoperimetric inequality `A³ >= 36 π V²`. Sides that lie in each other count for no surface, but
    /// overlaps of that kind have more volume.
    pub(crate) fn is_rounding(&self, size: f64) -> bool {
        // In lengths, as what is cubed may be too small for a number.
        let length = self.volume.abs().cbrt();
        let surface = (self.areas[0] + self.areas[1]).max(0.0).sqrt();
        length < LEAST_LENGTH * size && surface < (36.0 * PI).powf(1.0 / 6.0) * length
    }

    /// The regions of the overlap, each to be taken for a contact of its own: itself where it is not divided.
    ///
    /// Two meshes that meet in several places have a region for each, unless these push the same way in the same plane,
    /// like the feet of a table. A piece that is bounded from several sides, like a peg in a tight hole, is divided
    /// into what is nearest to each side. A region's `areas` leave out the cuts between regions, its `gradient` is that
    /// of the whole restricted to it, its `n_components` the number of pieces that it draws on. Regions have none of
    /// their own.
    pub fn regions(&self) -> &[Self] {
        if self.regions.is_empty() { std::slice::from_ref(self) } else { &self.regions }
    }

    /// Gradient of the volume under rotation of B about the point `origin_b`, given in this overlap's frame \[m³\].
    ///
    /// Turning both bodies together about any point changes nothing, hence
    /// `dV/dθ_B = -(dV/dθ_A about the same point)`.
    pub fn angular_gradient_b(&self, origin_b: DVec3) -> DVec3 {
        -(self.angular_gradient - origin_b.cross(self.gradient))
    }

    /// The overlap of the pair with A and B exchanged, seen from B's origin.
    ///
    /// `origin_b` is B's origin in this overlap's frame; axes stay as they are.
    #[must_use]
    pub fn swapped(self, origin_b: DVec3) -> Self {
        if self.kind == OverlapKind::Empty {
            return Self::EMPTY;
        }
        Self {
            centroid: self.centroid - origin_b,
            angular_gradient: self.angular_gradient_b(origin_b),
            gradient: -self.gradient,
            areas: [self.areas[1], self.areas[0]],
            bounds: Aabb { min: self.bounds.min - origin_b, max: self.bounds.max - origin_b },
            patch: self.patch.map(Patch::swapped),
            regions: self.regions.into_iter().map(|region| region.swapped(origin_b)).collect(),
            ..self
        }
    }

    /// The overlap in other axes: every vector and tensor turned by `rotation`, the origin stays.
    ///
    /// The bounds become the box around the turned box.
    #[must_use]
    pub fn rotated(self, rotation: DQuat) -> Self {
        let r = DMat3::from_quat(rotation);
        Self {
            centroid: r * self.centroid,
            second_moment: r * self.second_moment * r.transpose(),
            gradient: r * self.gradient,
            angular_gradient: r * self.angular_gradient,
            bounds: self.bounds.transformed(&Pose { rotation, translation: DVec3::ZERO }),
            patch: self.patch.map(|patch| patch.rotated(&r)),
            regions: self.regions.into_iter().map(|region| region.rotated(rotation)).collect(),
            ..self
        }
    }
}
