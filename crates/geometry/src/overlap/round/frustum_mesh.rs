//! The overlap of a cylinder or a cone A with a closed triangle mesh B.

use glam::DVec3;

use super::capsule_mesh::{Seam, beyond, crossing, oriented, unit_normal};
use super::capsule_polyhedron::Solidity;
use super::face::{PlanarPiece, Quadric};
use super::frustum_polyhedron::Faces;
use super::pieces::{self, RoundBody};
use super::placed_mesh::PlacedMesh;
use crate::overlap::Overlap;
use crate::shape::Frustum;
use crate::{Aabb, Pose, Solid};

/// The overlap of a cylinder or cone A and a mesh B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Frustum, w_from_a: &Pose, b: &Solid, w_from_b: &Pose) -> Overlap {
    let mesh = PlacedMesh::new(b, w_from_a.relative(w_from_b));
    let measure = |mesh: &PlacedMesh<'_>| measure(a, w_from_a, mesh);
    let size = a.own_aabb().diagonal().min(b.aabb().diagonal());
    pieces::divide(measure(&mesh), &mesh, a, size, measure)
}

impl RoundBody for Frustum {
    fn bounds(&self) -> Aabb {
        self.own_aabb()
    }

    fn reach(&self, direction: DVec3) -> f64 {
        Self::reach(self, direction)
    }

    fn is_passed(&self, from: DVec3, to: DVec3) -> bool {
        let along = to - from;
        // The part of the segment between the planes of the ends.
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        if along.z == 0.0 {
            high = if from.z.abs() < self.half_height { high } else { low };
        } else {
            let ends = [-self.half_height, self.half_height].map(|z| (z - from.z) / along.z);
            low = low.max(ends[0].min(ends[1]));
            high = high.min(ends[0].max(ends[1]));
        }
        if low >= high {
            return false;
        }
        // Squared distance from the axis less that of the side: a parabola along the segment.
        let (square, product) = self.products(from, along);
        let lowest = if square > 0.0 { (-product / square).clamp(low, high) } else { low };
        [lowest, low, high].into_iter().any(|t| self.value(from + t * along) < 0.0)
    }

    fn height(&self, x: DVec3) -> f64 {
        // Beyond its tip a cone's side goes on as a plane would.
        (x.truncate().length() - self.radius_at(x.z)).max(x.z.abs() - self.half_height)
    }
}

fn measure(a: &Frustum, w_from_a: &Pose, mesh: &PlacedMesh<'_>) -> Overlap {
    let half_height = a.half_height;
    let mut faces = Faces::default();
    let ends = [(-half_height, a.bottom), (half_height, a.top)];
    let mut seams: Vec<Seam> = ends
        .into_iter()
        .filter(|(_, radius)| *radius > 0.0)
        .map(|(z, radius)| Seam::new(radius, z))
        .collect();
    let (mut upper, mut polygon) = (Vec::with_capacity(5), Vec::with_capacity(5));
    mesh.for_each_triangle_near(&a.own_aabb(), |_, corners| {
        let Some(normal) = unit_normal(&corners) else { return };
        beyond(&corners, DVec3::Z, -half_height, &mut upper);
        beyond(&upper, DVec3::NEG_Z, -half_height, &mut polygon);
        faces.add(a, normal, &polygon, true);
        for seam in &mut seams {
            if let Some(edge) = crossing(&corners, seam.height) {
                seam.add_edge(edge);
            }
        }
    });
    // A piece that does not reach into the round body bounds nothing of it.
    if mesh.is_piece() && faces.is_empty() {
        return Overlap::EMPTY;
    }
    for seam in seams {
        let height = seam.height;
        let (piece, arcs) = seam.close(mesh);
        let normal = DVec3::Z * height.signum();
        let end = PlanarPiece { normal, origin: DVec3::Z * height, ..piece };
        faces.add_end(end, arcs.iter().map(|arc| oriented(arc, normal.z, height)));
    }
    faces.into_overlap(a, &Solidity::Mesh(*mesh), &w_from_a.matrix(), mesh.solid.aabb().diagonal())
}
