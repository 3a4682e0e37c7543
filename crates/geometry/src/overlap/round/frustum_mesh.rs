//! The overlap of a cylinder or a cone A with a closed triangle mesh B.

use glam::DVec3;

use super::capsule_mesh::{Seam, beyond, crossing, oriented, unit_normal};
use super::capsule_polyhedron::Solidity;
use super::face::PlanarPiece;
use super::frustum_polyhedron::Faces;
use super::placed_mesh::PlacedMesh;
use crate::overlap::Overlap;
use crate::shape::Frustum;
use crate::{Pose, Solid};

/// The overlap of a cylinder or cone A and a mesh B; see [`crate::overlap::overlap`].
pub(in crate::overlap) fn overlap(a: &Frustum, w_from_a: &Pose, b: &Solid, w_from_b: &Pose) -> Overlap {
    let mesh = PlacedMesh { solid: b, a_from_b: w_from_a.relative(w_from_b) };
    let half_height = a.half_height;
    let mut faces = Faces::default();
    let ends = [(-half_height, a.bottom), (half_height, a.top)];
    let mut seams: Vec<Seam> = ends
        .into_iter()
        .filter(|(_, radius)| *radius > 0.0)
        .map(|(z, radius)| Seam::new(radius, z))
        .collect();
    let (mut upper, mut polygon) = (Vec::with_capacity(5), Vec::with_capacity(5));
    mesh.for_each_triangle_near(&a.own_aabb(), |corners| {
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
    for seam in seams {
        let height = seam.height;
        let (piece, arcs) = seam.close(&mesh);
        let normal = DVec3::Z * height.signum();
        let end = PlanarPiece { normal, origin: DVec3::Z * height, ..piece };
        faces.add_end(end, arcs.iter().map(|arc| oriented(arc, normal.z, height)));
    }
    faces.into_overlap(a, &Solidity::Mesh(mesh), &w_from_a.matrix(), b.aabb().diagonal())
}
