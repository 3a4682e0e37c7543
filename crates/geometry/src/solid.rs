//! A closed mesh prepared once for overlap queries.

use crate::{Aabb, TriangleMesh};

/// A closed, consistently oriented triangle mesh with everything precomputed that an overlap query needs.
#[derive(Debug)]
pub struct Solid {
    mesh: TriangleMesh,
    aabb: Aabb,
}

impl Solid {
    /// Prepares a mesh.
    pub fn new(mesh: TriangleMesh) -> Self {
        let aabb = mesh.aabb();
        Self { mesh, aabb }
    }

    /// The mesh this was made from.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The smallest box around the solid in its own frame.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }
}
