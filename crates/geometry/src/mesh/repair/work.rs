//! A mesh on its way through the repair.

use glam::DVec3;

use super::report::{Mend, MendKind};
use crate::mesh::TriangleMesh;
use crate::mesh::check::topology::Edges;
use crate::mesh::weld::{self, Joined};

/// A mesh on its way through the repair, and what was mended so far.
pub struct Work {
    pub mesh: TriangleMesh,
    pub mends: Vec<Mend>,
}

impl Work {
    /// Takes up a mesh; equal positions become one vertex.
    pub fn new(mesh: TriangleMesh) -> Self {
        let first_of = weld::equal(&mesh.vertices);
        let TriangleMesh { vertices, mut triangles } = mesh;
        triangles.iter_mut().flatten().for_each(|v| *v = first_of[*v as usize]);
        Self { mesh: TriangleMesh { vertices, triangles }, mends: Vec::new() }
    }

    /// Takes note of a mend of some facets.
    pub fn note(&mut self, kind: MendKind, facets: &[u32]) {
        if !facets.is_empty() {
            let corners = facets.iter().flat_map(|&ix| self.mesh.corners(ix as usize));
            self.mends.push(Mend::of(kind, facets.len(), corners));
        }
    }

    /// Takes some facets, given in ascending order, out of the mesh and notes why.
    pub fn drop(&mut self, kind: MendKind, facets: &[u32]) {
        self.note(kind, facets);
        let mut dropped = facets.iter().copied().peekable();
        let mut ix = 0;
        self.mesh.triangles.retain(|_| {
            ix += 1;
            dropped.next_if_eq(&(ix - 1)).is_none()
        });
    }

    /// The surface taken apart where an edge has other than two facets: the facets of each piece in ascending order.
    pub fn patches(&self) -> Vec<Vec<u32>> {
        let n = self.mesh.triangles.len();
        let mut joined = Joined::new(n);
        Edges::of(&self.mesh.triangles).manifold().for_each(|(a, b)| joined.join(a.triangle, b.triangle));
        grouped(n, |ix| joined.root(ix))
    }

    /// Twice the vector area of a facet.
    pub fn normal(&self, ix: u32) -> DVec3 {
        let [a, b, c] = self.mesh.corners(ix as usize);
        (b - a).cross(c - a)
    }

    /// Drops the vertices that no facet uses.
    pub fn compact(&mut self) {
        compact(&mut self.mesh);
    }
}

/// For each vertex the name of the part of the surface that it is in, of facets that hang together through vertices.
pub fn parts(mesh: &TriangleMesh) -> Vec<u32> {
    let n = mesh.vertices.len();
    let mut joined = Joined::new(n);
    mesh.triangles.iter().for_each(|&[a, b, c]| {
        joined.join(a, b);
        joined.join(a, c);
    });
    (0..n as u32).map(|v| joined.root(v)).collect()
}

/// Numbers below `n` by what they belong to, in ascending order within each group; groups in the order of their names.
pub fn grouped(n: usize, mut name: impl FnMut(u32) -> u32) -> Vec<Vec<u32>> {
    let mut keyed: Vec<(u32, u32)> = (0..n as u32).map(|ix| (name(ix), ix)).collect();
    keyed.sort_unstable();
    keyed.chunk_by(|a, b| a.0 == b.0).map(|group| group.iter().map(|(_, ix)| *ix).collect()).collect()
}

/// Drops the vertices of a mesh that no facet uses; the others keep their order.
pub fn compact(mesh: &mut TriangleMesh) {
    let mut new_ix = vec![u32::MAX; mesh.vertices.len()];
    mesh.triangles.iter().flatten().for_each(|&v| new_ix[v as usize] = 0);
    let mut kept = Vec::new();
    for (ix, new) in new_ix.iter_mut().enumerate().filter(|(_, new)| **new == 0) {
        *new = kept.len() as u32;
        kept.push(mesh.vertices[ix]);
    }
    mesh.triangles.iter_mut().flatten().for_each(|v| *v = new_ix[*v as usize]);
    mesh.vertices = kept;
}
