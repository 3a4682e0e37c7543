//! A closed mesh prepared once for overlap queries.
//!
//! | module | what it adds to the mesh |
//! |---|---|
//! | `topology` | edges with exactly one face on each side |
//! | `bvh` | a tree of boxes over the faces |
//! | `clusters` | the faces in 32 bits, in blocks of 64, for rays |
//! | `wide` | the same tree with four children to a node, for walking two trees at once |
//! | `ray` | where a ray enters the mesh |
//! | `ridges` | the edges at which it juts out |
//! | `faces` | the directions in which its faces look |
//! | `nearest` | where it comes nearest to another one |
//! | `flux` | surface integrals of whole subtrees, so that a subtree inside another body is added at once |

pub(crate) mod bvh;
mod clusters;
mod faces;
pub(crate) mod flux;
mod nearest;
mod prepare;
mod ray;
mod ridges;
#[cfg(test)]
mod tests;
pub(crate) mod topology;
pub(crate) mod wide;

use glam::DVec3;

use crate::words::{number, vector};
use crate::{Aabb, TriangleMesh};
use bvh::Bvh;
use flux::FluxMoments;
use topology::Edge;
use wide::WideTree;

pub use clusters::Clusters;
pub use nearest::nearest;
pub use ridges::Ridge;

/// Why a mesh cannot be used as a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolidError {
    /// No triangle with three different vertices.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {n_vertices} vertices")]
    VertexIndex {
        /// Index of the triangle.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// Number of vertices in the mesh.
        n_vertices: usize,
    },
    /// Coordinates that are infinite or not numbers.
    #[error("{n_vertices} vertices are not finite, the first is vertex {first}")]
    NonFinite {
        /// How many vertices.
        n_vertices: usize,
        /// Index of the first one.
        first: usize,
    },
    /// The surface has a rim, or neighbouring triangles disagree about which side is out.
    #[error(
        "the surface is not closed: {n_open} edges without a matching triangle and {n_misoriented} edges between \
         triangles of opposite orientation, the first from {} to {}",
        vector(*from), vector(*to)
    )]
    NotClosed {
        /// Edges where triangles are missing or in excess.
        n_open: usize,
        /// Edges whose triangles run the same way.
        n_misoriented: usize,
        /// Lower end of the first such edge \[m\].
        from: DVec3,
        /// Its other end \[m\].
        to: DVec3,
    },
    /// The triangles face inwards.
    #[error("the surface is inside out: its signed volume is {}, needs to be positive", number(*volume))]
    InsideOut {
        /// Signed enclosed volume \[m³\].
        volume: f64,
    },
}

/// A triangle of a [`Solid`]: its corners counter-clockwise from outside, and its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// Vertex indices.
    pub corners: [u32; 3],
    /// Edge indices; side i runs from corner i to corner i + 1.
    pub sides: [u32; 3],
}

/// A closed, consistently oriented triangle mesh with everything precomputed that an overlap query needs.
///
/// Zero-area triangles, several shells, nested shells (cavities) and shells that touch along edges are fine. Triangles
/// that name a vertex twice are left out. If the triangles do not close by their indices, vertices at equal positions
/// are taken as one.
#[derive(Debug)]
pub struct Solid {
    mesh: TriangleMesh,
    /// Vertices in the order in which the faces first use them.
    vertices: Vec<DVec3>,
    /// Largest distance of a vertex from the middle of the box around them \[m\].
    radius: f64,
    /// Faces in the order of the tree's leaves.
    faces: Vec<Face>,
    /// Number in the mesh of the triangle that each face is.
    triangle_of_face: Vec<u32>,
    /// Edges in the order of the tree node that first separates their faces, see [`Bvh::edges`].
    edges: Vec<Edge>,
    bvh: Bvh,
    wide: WideTree,
    /// Surface integrals of the nodes that have an index of them.
    node_flux: Vec<FluxMoments>,
}

impl Solid {
    /// Prepares a mesh, in time proportional to n log n.
    ///
    /// # Errors
    ///
    /// See [`SolidError`]: a mesh without triangles, with bad indices or coordinates, with an open or inconsistently
    /// oriented surface, or inside out.
    pub fn new(mesh: TriangleMesh) -> Result<Self, SolidError> {
        prepare::prepare(mesh)
    }

    /// Refuses meshes with bad indices or coordinates, as [`Solid::new`] does.
    pub(crate) fn check(mesh: &TriangleMesh) -> Result<(), SolidError> {
        prepare::check(mesh)
    }

    /// The mesh this was made from.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The smallest box around the solid in its own frame.
    pub fn aabb(&self) -> Aabb {
        self.bvh.nodes[0].aabb
    }

    /// Radius of the ball about the middle of that box which holds the solid \[m\].
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// The largest `x · direction` of its points \[m\].
    pub(crate) fn farthest(&self, direction: DVec3) -> f64 {
        let reach = |node: u32| {
            let aabb = &self.bvh.nodes[node as usize].aabb;
            aabb.center().dot(direction) + aabb.half_size().dot(direction.abs())
        };
        let mut farthest = f64::NEG_INFINITY;
        let mut open = vec![(0, f64::INFINITY)];
        while let Some((node, bound)) = open.pop() {
            let at = &self.bvh.nodes[node as usize];
            if bound <= farthest {
                continue;
            }
            if at.is_leaf() {
                let corners = at.faces().flat_map(|face| self.corners(face));
                farthest = corners.map(|x| x.dot(direction)).fold(farthest, f64::max);
                continue;
            }
            let [mut near, mut far] = self.bvh.children(node).map(|child| (child, reach(child)));
            if near.1 < far.1 {
                std::mem::swap(&mut near, &mut far);
            }
            open.extend([far, near]);
        }
        farthest
    }

    pub(crate) fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Number in [`Solid::mesh`] of the triangle that each face is, in the order of the faces.
    pub(crate) fn triangle_of_face(&self) -> &[u32] {
        &self.triangle_of_face
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub(crate) fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    pub(crate) fn wide(&self) -> &WideTree {
        &self.wide
    }

    /// The three corner points of a face.
    #[inline]
    pub(crate) fn corners(&self, face: u32) -> [DVec3; 3] {
        let [a, b, c] = self.faces[face as usize].corners;
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }

    /// Surface integrals of a node's faces about the centre of its box.
    pub(crate) fn flux(&self, node: u32) -> FluxMoments {
        let bvh_node = &self.bvh.nodes[node as usize];
        match self.bvh.flux_ix(node) {
            Some(ix) => self.node_flux[ix],
            None => {
                FluxMoments::of_faces(bvh_node.faces().map(|face| self.corners(face)), bvh_node.aabb.center())
            }
        }
    }
}
