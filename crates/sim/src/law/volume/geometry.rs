//! What a contact is made from: a region of an overlap, seen along the direction in which the contact pushes.

use std::borrow::Cow;

use glam::{DMat3, DVec2, DVec3};
use nalgebra::Matrix3;
use tactum_geometry::Overlap;
use tactum_geometry::overlap::{Beside, Flatness, OverlapKind, Patch, PlaneSide};

use crate::PatchModel;
use crate::constants::MAX_LANDING_SLOPE;
use crate::solver::ContactPatch;

/// A region of an overlap as a contact sees it.
///
/// Frame: world axes, positions relative to the origin of A's shape, as in the [`Overlap`] that it is made from. What no rule
/// has changed is the measured region's own.
#[derive(Clone, Debug)]
pub struct ContactGeometry<'a> {
    /// Volume \[m³\].
    pub volume: f64,
    /// Contact point: the centroid, unless another place says more \[m\].
    pub point: DVec3,
    /// Second moment of the volume about its centroid, covariance form \[m⁵\].
    pub second_moment: DMat3,
    /// Gradient of the volume under translation of A \[m²\].
    pub gradient: DVec3,
    /// Gradient of the volume under rotation of A about A's origin \[m³\].
    pub angular_gradient: DVec3,
    /// Whether the surfaces inside the overlap are plane or curved.
    pub flatness: Flatness,
    /// Contact normal, from A to B.
    pub normal: DVec3,
    /// Tangent axes `(u, w)` with `normal = u × w`.
    pub axes: [DVec3; 2],
    /// Support polygon on `axes` about the contact point, counter-clockwise \[m\].
    pub polygon: Cow<'a, [DVec2]>,
    /// A's surface inside B and B's inside A, where they are plane.
    pub planes: &'a [Option<PlaneSide>; 2],
    /// Whether one of the surfaces is plane, and the normal is its own.
    pub has_plane: bool,
    /// The overlap's corners off that plane, see [`PlaneSide::tips`] \[m\].
    pub tips: &'a [DVec3],
    /// Mean depth \[m\].
    pub mean_depth: f64,
    /// Extent along the normal \[m\].
    pub extent: f64,
    /// Torque about the normal per normal force, see [`ContactFrame::pitch`](crate::ContactFrame::pitch) \[m\].
    pub pitch: f64,
}

impl<'a> ContactGeometry<'a> {
    /// The geometry of a region with a normal of its own; `None` for any other.
    pub fn of(region: &'a Overlap) -> Option<Self> {
        let patch = region.patch.as_ref().filter(|_| region.kind == OverlapKind::Regular)?;
        let plane = patch.planes.iter().flatten().find(|side| side.beside == Beside::Nothing);
        let tips = plane.map_or(&[][..], |side| &side.tips);
        Some(Self { planes: &patch.planes, tips, ..Self::new(region, patch, Cow::Borrowed(&patch.polygon)) })
    }

    /// The place of the patch that is here on the axes \[m\].
    pub fn place(&self, at: DVec2) -> DVec3 {
        self.point + self.axes[0] * at.x + self.axes[1] * at.y
    }

    /// The geometry of a region with `normal` in place of the one it does not have: the cuboid of the same volume, centroid
    /// and second moment stands for it, and the gradient is that of a prism of the cuboid's extent along the normal. A shell, as the
    /// one around a ball that sits in a ring, is as thick as its volume is over its surface, however wide the cuboid.
    pub fn of_equivalent_box(region: &Overlap, normal: DVec3) -> ContactGeometry<'static> {
        let (axes, half) = principal_axes(&region.second_moment, region.volume);
        let corners: [DVec3; 8] = std::array::from_fn(|corner| {
            (0..3).fold(region.centroid, |x, i| {
                let sign = if corner >> i & 1 == 0 { -1.0 } else { 1.0 };
                x + axes[i] * (sign * half[i])
            })
        });
        let extent: f64 = (0..3).map(|i| 2.0 * half[i] * axes[i].dot(normal).abs()).sum();
        // An overlap without any extent has no second moment either; it is then as deep as a cube of its volume.
        let extent = if extent > 0.0 { extent } else { region.volume.cbrt() };
        let thickness = 2.0 * region.volume / (region.areas[0] + region.areas[1]);
        let depth = if region.kind == OverlapKind::Swallowed { extent } else { extent.min(thickness) };
        let gradient = normal * (region.volume / depth);
        let patch = Patch::new(&corners, gradient, region.volume, region.centroid, &region.second_moment)
            .expect("a positive volume and a unit normal make a patch");
        ContactGeometry {
            gradient,
            angular_gradient: region.centroid.cross(gradient),
            extent: depth,
            ..ContactGeometry::new(region, &patch, Cow::Owned(patch.polygon.clone()))
        }
    }

    /// The geometry of two points, of A and of B, that are not yet together, with this area \[m²\]. Its extent is negative: how far they are apart.
    pub fn of_points([on_a, on_b]: [DVec3; 2], area: f64) -> ContactGeometry<'static> {
        let (point, normal) = (0.5 * (on_a + on_b), (on_b - on_a).normalize());
        let (u, w) = normal.any_orthonormal_pair();
        let gradient = normal * area;
        ContactGeometry {
            volume: 0.0,
            point,
            second_moment: DMat3::ZERO,
            gradient,
            angular_gradient: point.cross(gradient),
            flatness: Overlap::EMPTY.flatness(),
            normal,
            axes: [u, w],
            polygon: Cow::Owned(vec![DVec2::ZERO]),
            planes: &[None, None],
            has_plane: false,
            tips: &[],
            mean_depth: 0.0,
            extent: -on_a.distance(on_b),
            pitch: 0.0,
        }
    }

    fn new(region: &Overlap, patch: &Patch, polygon: Cow<'a, [DVec2]>) -> Self {
        Self {
            volume: region.volume,
            point: region.centroid,
            second_moment: region.second_moment,
            gradient: region.gradient,
            angular_gradient: region.angular_gradient,
            flatness: region.flatness(),
            normal: patch.normal,
            axes: patch.axes,
            polygon,
            planes: &[None, None],
            has_plane: region.flatness().has_plane(),
            tips: &[],
            mean_depth: patch.mean_depth,
            extent: patch.extent,
            pitch: 0.0,
        }
    }

    /// The geometry relative to another origin, which lies at `-by`.
    #[must_use]
    pub fn moved(mut self, by: DVec3) -> Self {
        self.point += by;
        self.angular_gradient += by.cross(self.gradient);
        self
    }

    /// Whether the corners that are known are those of B over a plane of A, and not the other way round; `None` where none are.
    pub fn corners_are_of_b(&self) -> Option<bool> {
        // The plane is on the other side of the centroid.
        self.tips.first().map(|deepest| deepest.z < 0.0)
    }

    /// The faces of A and of B between which the overlap is, where neither covers the other, so that walls or slopes beside each are part of its
    /// surface too.
    pub fn faces(&self) -> Option<[&'a PlaneSide; 2]> {
        let [Some(of_a), Some(of_b)] = self.planes else { return None };
        let are_flat = of_a.normal.distance(of_b.normal) < MAX_LANDING_SLOPE;
        (are_flat && !self.has_plane).then_some([of_a, of_b])
    }

    /// Patch area, the length of the gradient \[m²\].
    pub fn area(&self) -> f64 {
        self.gradient.length()
    }

    /// Gradient of the volume under rotation of B about a point \[m³\].
    pub fn angular_gradient_b(&self, about: DVec3) -> DVec3 {
        -(self.angular_gradient - about.cross(self.gradient))
    }

    /// Torque of an even pressure about the contact point, per pressure \[m³\].
    pub fn angular_gradient_about_point(&self) -> DVec3 {
        self.angular_gradient - self.point.cross(self.gradient)
    }

    /// The patch that bounds the centre of pressure under a model.
    ///
    /// The ellipse has semi-axes `sqrt(k λ)` with λ the variances of the overlap along its tangent axes.
    pub fn contact_patch(&self, model: PatchModel) -> ContactPatch {
        match model {
            PatchModel::Polygon => ContactPatch::polygon(&self.polygon),
            PatchModel::Ellipse { k } => {
                let variance = |t: DVec3| t.dot(self.second_moment * t) / self.volume;
                let semi_axis = |t| (k * variance(t)).max(0.0).sqrt();
                ContactPatch::ellipse(semi_axis(self.axes[0]), semi_axis(self.axes[1]))
            }
        }
    }
}

/// Axes of the second moment of a volume, the thinnest first, and half the edges of the cuboid with the same moment.
pub fn principal_axes(second_moment: &DMat3, volume: f64) -> ([DVec3; 3], [f64; 3]) {
    let c = second_moment;
    let matrix = Matrix3::from_fn(|i, j| 0.5 * (c.col(j)[i] + c.col(i)[j]) / volume);
    let eigen = matrix.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let axes = order.map(|i| {
        let v = eigen.eigenvectors.column(i);
        DVec3::new(v[0], v[1], v[2])
    });
    (axes, order.map(|i| (3.0 * eigen.eigenvalues[i].max(0.0)).sqrt()))
}
