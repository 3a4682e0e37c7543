//! Which features are in each other after a motion: what a motion that follows has to know.
//!
//! That a vertex is behind a face says nothing by itself: it is behind the far side of a thin plate as well, and a sheet has no inside.
//! What counts is that it came in from outside, and through which face. So a passage follows every vertex from where it came in, along
//! the surface from face to face, until it goes out; and every pair of edges from where they crossed.

use serde::{Deserialize, Serialize};

use super::surface::Surface;

/// A vertex behind a face of the other body, or so near to it that rounding could tell it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VertexTrack {
    /// Whether the vertex is one of B, behind a face of A.
    pub of_b: bool,
    /// The vertex.
    pub vertex: u32,
    /// The face.
    pub face: u32,
    /// Whether it came from the face's back, as only a sheet lets it.
    pub from_back: bool,
}

/// Two edges that have crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeTrack {
    /// The edges of A and of B.
    pub edges: [u32; 2],
    /// Whether `(b - a) × (d - c)` looked from A's edge ab to B's edge cd before.
    pub along: bool,
}

/// Which features of two bodies are in each other, each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tracks {
    /// Vertices and faces.
    pub vertices: Vec<VertexTrack>,
    /// Edges.
    pub edges: Vec<EdgeTrack>,
    /// What was put into the spring of each vertex and then of each pair of edges: the square of its depth, times the part of a spring that it
    /// has, where nothing but depths has changed \[m²\].
    pub put_in: Vec<f64>,
    /// What was put into the springs that let go last \[m²\].
    pub loose: f64,
}

impl Tracks {
    /// Whether nothing is in anything.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty() && self.edges.is_empty()
    }

    /// Number of vertices and pairs of edges.
    pub fn len(&self) -> usize {
        self.vertices.len() + self.edges.len()
    }
}

impl Tracks {
    /// Whether there are such vertices, faces and edges, and whether the lists are sorted.
    pub fn fits(&self, a: &Surface, b: &Surface) -> bool {
        let vertices = self.vertices.iter().all(|track| {
            let [of, other] = if track.of_b { [b, a] } else { [a, b] };
            (track.vertex as usize) < of.vertices.len() && (track.face as usize) < other.faces.len()
        });
        let edges = self.edges.iter().all(|track| {
            (track.edges[0] as usize) < a.edges.len() && (track.edges[1] as usize) < b.edges.len()
        });
        let is_put_in = |x: &f64| x.is_finite() && *x >= 0.0;
        let put_in =
            self.put_in.len() == self.len() && self.put_in.iter().chain([&self.loose]).all(is_put_in);
        vertices && edges && put_in && self.vertices.is_sorted() && self.edges.is_sorted()
    }
}
