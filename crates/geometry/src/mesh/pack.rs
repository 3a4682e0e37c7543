//! Meshes as the device sees them: 32-bit positions about an origin of their own.

use glam::DVec3;
use tactum_shaders::layout::{PackedTriangle, PackedVertex};

use super::{TriangleMesh, weld};

/// A mesh in the device's layout.
///
/// A 32-bit float has 24 digits: about the centre of its own box a mesh keeps a resolution of 6e-8 of its size
/// wherever it was modelled. The origin is added back in 64 bits by whoever poses the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedMesh {
    /// Where the packed positions are counted from, in the mesh's frame \[m\].
    pub origin: DVec3,
    /// Vertices, in the mesh's order.
    pub vertices: Vec<PackedVertex>,
    /// Triangles, in the mesh's order.
    pub triangles: Vec<PackedTriangle>,
}

impl PackedMesh {
    /// Packs a mesh about the centre of its box.
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::about(mesh, mesh.aabb().center())
    }

    /// Packs a mesh about a given origin, in the mesh's frame \[m\].
    pub fn about(mesh: &TriangleMesh, origin: DVec3) -> Self {
        Self {
            origin,
            vertices: mesh
                .vertices
                .iter()
                .map(|&x| PackedVertex { position: (x - origin).as_vec3().to_array() })
                .collect(),
            triangles: mesh.triangles.iter().map(|&vertices| PackedTriangle { vertices }).collect(),
        }
    }

    /// How many vertices have the same packed position as an earlier one; 0 means that nothing was lost but digits.
    pub fn n_fallen_together(&self) -> usize {
        let positions: Vec<DVec3> =
            self.vertices.iter().map(|v| DVec3::from(v.position.map(f64::from))).collect();
        weld::equal(&positions).iter().zip(0..).filter(|&(&first, ix)| first != ix).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_about_the_box_keeps_a_part_that_lies_far_away() {
        let near = TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let far = near.clone().translated(DVec3::splat(1e9));
        let packed = PackedMesh::new(&far);
        assert_eq!(packed.n_fallen_together(), 0);
        assert_eq!(packed.vertices[1].position, [0.5, -0.5, -0.5]);
        assert_eq!(packed.triangles[3].vertices, [1, 2, 3]);
        assert_eq!(packed.origin, DVec3::splat(1e9 + 0.5));
        assert_eq!(PackedMesh::about(&far, DVec3::ZERO).n_fallen_together(), 3);
    }
}
