//! Surfaces woven from rings of vertices: the common builder of revolved, swept and extruded shapes.

use glam::DVec3;

use super::resolution::Layout;
use crate::TriangleMesh;

/// The vertices of one closed ring in order; a single vertex is a pole.
pub(super) type Ring = Vec<u32>;

/// A mesh under construction.
#[derive(Default)]
pub(super) struct Weaver {
    mesh: TriangleMesh,
}

impl Weaver {
    /// Adds the vertices of a ring; no triangles yet.
    pub fn ring(&mut self, points: impl IntoIterator<Item = DVec3>) -> Ring {
        let start = self.mesh.vertices.len() as u32;
        self.mesh.vertices.extend(points);
        (start..self.mesh.vertices.len() as u32).collect()
    }

    /// Adds one triangle.
    pub fn triangle(&mut self, corners: [u32; 3]) {
        self.mesh.triangles.push(corners);
    }

    /// Fills the band between two rings with triangles.
    ///
    /// Seen from outside, the rings run to the right and `b` lies above `a`. Rings of different numbers of vertices are
    /// zipped: the ring whose next vertex is behind as a fraction of a turn advances first; where they are level, the
    /// one with more vertices, `b` if both have equally many. Numbers with a common divisor give a band of that
    /// rotational symmetry, and a stack of rings that is its own mirror image gives a mesh of that volume symmetry.
    pub fn join(&mut self, a: &Ring, b: &Ring) {
        let steps = |ring: &Ring| if ring.len() == 1 { 0 } else { ring.len() };
        let (n_a, n_b) = (steps(a), steps(b));
        let (mut i, mut j) = (0, 0);
        while i < n_a || j < n_b {
            let (at_a, at_b) = (a[i % a.len()], b[j % b.len()]);
            // Compares (j + 1) / n_b with (i + 1) / n_a without division.
            let (ahead_a, ahead_b) = ((i + 1) * n_b, (j + 1) * n_a);
            let b_is_behind = ahead_b < ahead_a || (ahead_b == ahead_a && n_b >= n_a);
            if j < n_b && (i == n_a || b_is_behind) {
                j += 1;
                self.triangle([at_a, b[j % b.len()], at_b]);
            } else {
                i += 1;
                self.triangle([at_a, a[i % a.len()], at_b]);
            }
        }
    }

    /// Fills the strip between two open rows of equally many vertices; turned over if `flip`.
    pub fn strip(&mut self, a: &[u32], b: &[u32], flip: bool) {
        for (lower, upper) in a.windows(2).zip(b.windows(2)) {
            self.quad([lower[0], lower[1], upper[1], upper[0]], flip);
        }
    }

    /// Adds a quadrilateral as two triangles, counter-clockwise unless `flip`.
    pub fn quad(&mut self, [a, b, c, d]: [u32; 4], flip: bool) {
        for [p, q, r] in [[a, b, c], [a, c, d]] {
            self.triangle(if flip { [p, r, q] } else { [p, q, r] });
        }
    }

    /// Position of a vertex.
    pub fn position(&self, vertex: u32) -> DVec3 {
        self.mesh.vertices[vertex as usize]
    }

    /// Joins each ring with the next.
    pub fn join_all(&mut self, rings: &[Ring]) {
        for pair in rings.windows(2) {
            self.join(&pair[0], &pair[1]);
        }
    }

    /// The finished mesh.
    pub fn finish(self) -> TriangleMesh {
        self.mesh
    }
}

/// Numbers of vertices of a sequence of rings that are joined each with the next.
pub(super) struct RingCounts {
    /// Number of vertices of each ring.
    pub rings: Vec<usize>,
    /// Whether the last ring is joined with the first.
    pub closed: bool,
}

impl Layout for RingCounts {
    fn n_triangles(&self) -> usize {
        let steps = |n: usize| if n == 1 { 0 } else { n };
        let band = |a: usize, b: usize| steps(a) + steps(b);
        let open: usize = self.rings.windows(2).map(|w| band(w[0], w[1])).sum();
        let closing = if self.closed { band(self.rings[self.rings.len() - 1], self.rings[0]) } else { 0 };
        open + closing
    }
}
