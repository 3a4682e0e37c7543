//! The parts of a surface between the crossing curve, as few subtrees as possible.

use super::curve::Curve;
use super::placed::Placed;
use super::stamped::Stamped;
use crate::Aabb;
use crate::solid::bvh::NONE;

/// A run of faces that hang together and that the curve does not enter: all on one side of the other surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// First face.
    pub first: u32,
    /// Number of faces.
    pub len: u32,
    /// The node that holds just these faces, or [`NONE`] for a single face out of a leaf.
    pub node: u32,
    /// Whether the piece lies outside the other mesh's box. Such a piece need not hang together.
    pub is_far: bool,
}

/// A surface divided into cut faces and pieces.
#[derive(Debug, Default)]
pub(super) struct Division {
    /// The pieces in the order of their faces.
    pub pieces: Vec<Piece>,
    /// The nodes that had to be divided: their own edges are all the edges at the rims of pieces and cut faces.
    pub open_nodes: Vec<u32>,
    /// Nodes with a cut face somewhere below.
    has_cut: Stamped<()>,
    stack: Vec<u32>,
}

impl Division {
    /// Divides the surface of `body`, going down only into nodes that the curve enters or that do not hang together.
    ///
    /// The cost follows the length of the curve, not the size of the mesh.
    pub fn divide(&mut self, body: &mut Placed<'_>, other_box: &Aabb, curve: &Curve) {
        let bvh = body.solid.bvh();
        let trace = &curve.traces[body.owner as usize];
        self.pieces.clear();
        self.open_nodes.clear();
        self.has_cut.reset(bvh.nodes.len());
        for cut in &trace.cut_faces {
            let mut node = bvh.leaf_of_face[cut.face as usize];
            while node != NONE && !self.has_cut.contains(node) {
                self.has_cut.set(node, ());
                node = bvh.nodes[node as usize].parent;
            }
        }
        self.stack.clear();
        self.stack.push(0);
        while let Some(node) = self.stack.pop() {
            let bvh_node = &bvh.nodes[node as usize];
            if !self.has_cut.contains(node) {
                let is_far = !body.node_box(node).meets(other_box);
                if is_far || bvh.is_connected(node) {
                    self.pieces.push(Piece { first: bvh_node.first, len: bvh_node.len, node, is_far });
                    continue;
                }
            }
            self.open_nodes.push(node);
            if bvh_node.is_leaf() {
                let uncut = bvh_node.faces().filter(|&face| !trace.is_cut(face));
                self.pieces.extend(uncut.map(|first| Piece { first, len: 1, node: NONE, is_far: false }));
            } else {
                let [first, second] = bvh.children(node);
                self.stack.extend([second, first]);
            }
        }
    }

    /// A way to look up the piece of an uncut face that is fast where faces come in runs.
    pub fn finder(&self) -> PieceFinder<'_> {
        PieceFinder { pieces: &self.pieces, last: 0 }
    }
}

/// Looks up the pieces of faces and remembers the last one.
pub(super) struct PieceFinder<'a> {
    pieces: &'a [Piece],
    last: u32,
}

impl PieceFinder<'_> {
    /// The piece that an uncut face belongs to.
    pub fn piece_of(&mut self, face: u32) -> u32 {
        let last = &self.pieces[self.last as usize];
        if !(last.first..last.first + last.len).contains(&face) {
            self.last = self.pieces.partition_point(|piece| piece.first <= face) as u32 - 1;
        }
        self.last
    }
}
