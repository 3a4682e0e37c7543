//! Which faces meet along which edge of a closed, oriented mesh.

use glam::DVec3;

use super::SolidError;

/// An edge of a closed mesh with its two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The two vertices, the lower index first.
    pub ends: [u32; 2],
    /// The face that runs from the lower to the higher vertex, and the one that runs back.
    pub faces: [u32; 2],
}

/// One side of a face on its way round, filed under the lower of its two vertices.
#[derive(Clone, Copy, Debug)]
struct HalfEdge {
    high: u32,
    face: u32,
    /// Whether the face runs from the lower to the higher vertex.
    forward: bool,
}

/// Pairs the half-edges of a mesh into edges with exactly one face on each side.
///
/// Where 2n faces meet in one edge, as where shells touch along it, each face is paired with its neighbour through
/// the material, so that the wedges of solid round the edge stay apart. Faces must have three different vertices.
/// Edges come out sorted by their ends.
pub(super) fn pair_edges(vertices: &[DVec3], faces: &[[u32; 3]]) -> Result<Vec<Edge>, SolidError> {
    let (starts, mut half_edges) = half_edges_by_low_vertex(vertices.len(), faces);
    let mut edges = Vec::with_capacity(faces.len() * 3 / 2);
    let mut faults = Faults::default();
    for low in 0..vertices.len() {
        let fan = &mut half_edges[starts[low] as usize..starts[low + 1] as usize];
        fan.sort_unstable_by_key(|h| (h.high, !h.forward, h.face));
        for group in fan.chunk_by(|a, b| a.high == b.high) {
            let ends = [low as u32, group[0].high];
            let n_forward = group.iter().filter(|h| h.forward).count();
            if group.len() == 2 && n_forward == 1 {
                edges.push(Edge { ends, faces: [group[0].face, group[1].face] });
            } else if 2 * n_forward == group.len() {
                pair_through_material(vertices, faces, ends, group, &mut edges);
            } else {
                faults.record(ends, group.len(), n_forward);
            }
        }
    }
    match faults.first {
        None => Ok(edges),
        Some(ends) => Err(SolidError::NotClosed {
            n_open: faults.n_open,
            n_misoriented: faults.n_misoriented,
            from: vertices[ends[0] as usize],
            to: vertices[ends[1] as usize],
        }),
    }
}

/// Edges that keep a mesh from being closed and oriented.
#[derive(Default)]
struct Faults {
    n_open: usize,
    n_misoriented: usize,
    first: Option<[u32; 2]>,
}

impl Faults {
    fn record(&mut self, ends: [u32; 2], n_faces: usize, n_forward: usize) {
        // An even number of faces would close the surface if some of them were turned over.
        if n_faces.is_multiple_of(2) && n_forward != 0 || n_faces == 2 {
            self.n_misoriented += 1;
        } else {
            self.n_open += 1;
        }
        self.first.get_or_insert(ends);
    }
}

/// Half-edges grouped by their lower vertex: where each group starts, and all of them.
fn half_edges_by_low_vertex(n_vertices: usize, faces: &[[u32; 3]]) -> (Vec<u32>, Vec<HalfEdge>) {
    let sides = |face: [u32; 3]| [[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]];
    let mut starts = vec![0_u32; n_vertices + 1];
    for &face in faces {
        for [a, b] in sides(face) {
            starts[a.min(b) as usize + 1] += 1;
        }
    }
    for i in 0..n_vertices {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut half_edges = vec![HalfEdge { high: 0, face: 0, forward: false }; 3 * faces.len()];
    for (ix, &face) in faces.iter().enumerate() {
        for [a, b] in sides(face) {
            let slot = &mut next[a.min(b) as usize];
            half_edges[*slot as usize] = HalfEdge { high: a.max(b), face: ix as u32, forward: a < b };
            *slot += 1;
        }
    }
    (starts, half_edges)
}

/// Pairs the faces round an edge that more than two of them share.
///
/// Seen along the edge from low to high, a forward face has the material on its clockwise side (its normal points
/// counter-clockwise). Turning clockwise from it, the first backward face not yet taken bounds the same material.
fn pair_through_material(
    vertices: &[DVec3],
    faces: &[[u32; 3]],
    ends: [u32; 2],
    group: &[HalfEdge],
    edges: &mut Vec<Edge>,
) {
    let [low, high] = ends.map(|v| vertices[v as usize]);
    let along = high - low;
    let right = along.any_orthogonal_vector();
    let up = along.cross(right) / along.length().max(f64::MIN_POSITIVE);
    let angle = |h: &HalfEdge| {
        let apex = faces[h.face as usize].into_iter().find(|v| !ends.contains(v));
        let arm = vertices[apex.expect("faces have three different vertices") as usize] - low;
        arm.dot(up).atan2(arm.dot(right))
    };
    // Clockwise order; at equal angles a backward face closes the wedge in front before a forward one opens the next.
    let mut ring: Vec<_> = group.iter().map(|h| (angle(h), h)).collect();
    ring.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.forward.cmp(&b.1.forward)));
    // Like brackets on a circle: from twice round, every forward face finds its closing one.
    let mut open: Vec<&HalfEdge> = Vec::new();
    let mut paired = vec![false; ring.len()];
    for turn in 0..2 * ring.len() {
        let ix = turn % ring.len();
        let h = ring[ix].1;
        if paired[ix] {
            continue;
        }
        if h.forward {
            if turn < ring.len() {
                open.push(h);
                paired[ix] = true;
            }
        } else if let Some(opening) = open.pop() {
            edges.push(Edge { ends, faces: [opening.face, h.face] });
            paired[ix] = true;
        }
    }
}
