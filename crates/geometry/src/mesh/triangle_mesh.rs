//! Vertices and the triangles between them.

use glam::DVec3;

use super::weld;
use crate::Aabb;

/// An indexed triangle mesh as it was read or generated; nothing about it has been proven yet.
///
/// Triangles are counter-clockwise seen from outside. Vertices may repeat and may be unreferenced.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Positions in the mesh's own frame \[m\].
    pub vertices: Vec<DVec3>,
    /// Vertex indices of each triangle; valid indices are the builder's promise.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The surface of convex polygons, each cut into triangles from its first corner.
    pub(crate) fn of_polygons<'a>(vertices: Vec<DVec3>, polygons: impl Iterator<Item = &'a [u32]>) -> Self {
        let fan = |p: &'a [u32]| (2..p.len()).map(move |i| [p[0], p[i - 1], p[i]]);
        Self { vertices, triangles: polygons.flat_map(fan).collect() }
    }

    /// The three corners of triangle `ix`.
    pub fn corners(&self, ix: usize) -> [DVec3; 3] {
        self.triangles[ix].map(|v| self.vertices[v as usize])
    }

    /// The outward unit normal of triangle `ix`; zero where it has no area.
    pub fn normal(&self, ix: usize) -> DVec3 {
        let [a, b, c] = self.corners(ix);
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// For every vertex the first one at exactly the same position; -0 and 0 are the same coordinate.
    pub fn first_at_place(&self) -> Vec<u32> {
        weld::equal(&self.vertices)
    }

    /// The smallest box around the vertices that triangles use.
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points(self.triangles.iter().flatten().map(|&v| self.vertices[v as usize]))
    }

    /// The mesh with every vertex multiplied by `factor` (> 0).
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for x in &mut self.vertices {
            *x *= factor;
        }
        self
    }

    /// The mesh with every vertex moved by `offset` \[m\].
    #[must_use]
    pub fn translated(mut self, offset: DVec3) -> Self {
        for x in &mut self.vertices {
            *x += offset;
        }
        self
    }
}
