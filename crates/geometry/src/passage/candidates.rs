//! Which features of two surfaces may cross in a motion: both trees walked together, boxes swept along the paths.
//!
//! A vertex or an edge is looked at with the one face that owns it, so that each pair of features is looked at once. What is left after the
//! boxes is culled by the signs of the Bernstein coefficients of its height: all of one sign, and farther from zero than rounding, and it
//! never changes sides.

use super::bernstein::Bernstein;
use super::features::EdgeEdge;
use super::placed::Placed;
use crate::Aabb;

/// How many pairs of features were looked at, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of faces whose swept boxes meet.
    pub faces: usize,
    /// Pairs of a vertex and a face, and of two edges, whose swept boxes meet.
    pub features: usize,
    /// Those of them that the signs of the coefficients leave: they may change sides.
    pub crossing: usize,
    /// Intervals in which they are in each other.
    pub intervals: usize,
}

/// Pairs of features that may change sides.
#[derive(Clone, Debug, Default)]
pub struct Crossing {
    /// A vertex of A and a face of B, and a vertex of B and a face of A.
    pub vertex_faces: [Vec<[u32; 2]>; 2],
    /// An edge of A and an edge of B.
    pub edges: Vec<[u32; 2]>,
    pub counts: Counts,
    rounding: f64,
}

/// Finds them, each list sorted; heights may be off by `rounding` \[m\].
pub fn crossing(bodies: [&Placed<'_>; 2], near: &[Near], rounding: f64) -> Crossing {
    let mut found = Crossing { rounding, ..Crossing::default() };
    near.iter().for_each(|faces| found.faces(bodies, *faces));
    found.vertex_faces.iter_mut().for_each(|pairs| pairs.sort_unstable());
    found.edges.sort_unstable();
    found
}

/// A face of A and one of B whose boxes come near each other.
pub type Near = [u32; 2];

/// Walks both trees down to the faces whose boxes come as near in the motion as a margin \[m\].
pub fn near([a, b]: [&Placed<'_>; 2], margin: f64) -> Vec<Near> {
    let [tree_a, tree_b] = [&a.surface.bvh, &b.surface.bvh];
    let size = |aabb: &Aabb| (aabb.max - aabb.min).length_squared();
    let mut found = Vec::new();
    let mut stack = vec![[0, 0]];
    while let Some([ix_a, ix_b]) = stack.pop() {
        let (box_a, box_b) = (a.node(ix_a), b.node(ix_b));
        if !box_a.inflated(margin).meets(box_b) {
            continue;
        }
        let (node_a, node_b) = (&tree_a.nodes[ix_a as usize], &tree_b.nodes[ix_b as usize]);
        if node_a.is_leaf() && node_b.is_leaf() {
            for face_a in node_a.faces() {
                let box_a = a.face(face_a).aabb.inflated(margin);
                for face_b in node_b.faces() {
                    if box_a.meets(&b.face(face_b).aabb) {
                        found.push([face_a, face_b]);
                    }
                }
            }
        } else if node_b.is_leaf() || !node_a.is_leaf() && size(box_a) >= size(box_b) {
            stack.extend(tree_a.children(ix_a).map(|child| [child, ix_b]));
        } else {
            stack.extend(tree_b.children(ix_b).map(|child| [ix_a, child]));
        }
    }
    found
}

impl Crossing {
    fn faces(&mut self, [a, b]: [&Placed<'_>; 2], [face_a, face_b]: Near) {
        let box_a = a.face(face_a).aabb.inflated(self.rounding);
        let box_b = &b.face(face_b).aabb;
        if box_a.meets(box_b) {
            self.counts.faces += 1;
            self.vertices(0, [a, b], [face_a, face_b], box_b);
            self.vertices(1, [b, a], [face_b, face_a], &box_a);
            self.pair_edges([a, b], [face_a, face_b]);
        }
    }

    /// The vertices that a face owns against another face.
    fn vertices(&mut self, which: usize, [of, other]: [&Placed<'_>; 2], [own, face]: [u32; 2], boxed: &Aabb) {
        let owner = &of.surface.faces[own as usize];
        for (vertex, _) in owner.corners.into_iter().zip(owner.owns).filter(|(_, owns)| *owns) {
            let p = of.vertex(vertex);
            if !p.aabb().inflated(self.rounding).meets(boxed) {
                continue;
            }
            self.counts.features += 1;
            let moving = other.face(face);
            let height = moving.normal.dot_path(&p.from(&moving.corners[0]));
            if self.may_cross(&height, moving.normal.largest()) {
                self.counts.crossing += 1;
                self.vertex_faces[which].push([vertex, face]);
            }
        }
    }

    /// Whether a height times the length of a normal may change its sign, or come so near that rounding might.
    fn may_cross(&self, height: &Bernstein<4>, normal: f64) -> bool {
        let margin = self.rounding * normal;
        !(height.0.iter().all(|c| *c > margin) || height.0.iter().all(|c| *c < -margin))
    }

    fn pair_edges(&mut self, [a, b]: [&Placed<'_>; 2], [face_a, face_b]: [u32; 2]) {
        let of = |placed: &Placed<'_>, face: u32| placed.surface.faces[face as usize].edges;
        for edge_a in of(a, face_a).into_iter().flatten() {
            let ab = a.edge(edge_a);
            let box_a = ab.aabb.inflated(self.rounding);
            for edge_b in of(b, face_b).into_iter().flatten() {
                let cd = b.edge(edge_b);
                if !box_a.meets(&cd.aabb) {
                    continue;
                }
                self.counts.features += 1;
                let pair = EdgeEdge::new(ab.ends, cd.ends);
                if self.may_cross(&pair.height(), pair.normal.largest()) {
                    self.counts.crossing += 1;
                    self.edges.push([edge_a, edge_b]);
                }
            }
        }
    }
}
