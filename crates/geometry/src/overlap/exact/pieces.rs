//! The parts of a surface between the crossing curve, as few subtrees as possible.

use super::curve::Curve;
use super::placed::Placed;
use super::reusable_map::ReusableMap;
use crate::solid::bvh::NONE;
use crate::{Aabb, Solid};

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

/// An edge at the rim of a piece or of a cut face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub edge: u32,
    /// The pieces of the edge's two faces, or [`NONE`] for a cut face.
    pub pieces: [u32; 2],
}

/// A surface divided into cut faces and pieces.
#[derive(Debug, Default)]
pub(super) struct Division {
    /// The pieces in the order of their faces.
    pub pieces: Vec<Piece>,
    /// All edges but those inside pieces.
    pub borders: Vec<Border>,
    /// The nodes that had to be divided. Their own edges are the borders.
    open_nodes: Vec<u32>,
    piece_of_node: ReusableMap<u32>,
    /// Pieces of single faces; cut faces have [`NONE`].
    piece_of_face: ReusableMap<u32>,
    /// Nodes with a cut face somewhere below.
    has_cut: ReusableMap<()>,
    stack: Vec<u32>,
}

/// What to do with a node on the way down a tree.
pub(super) enum Visit {
    /// It is a piece as a whole, outside the other mesh's box or not.
    Piece { is_far: bool },
    /// Its children, or the faces of a leaf, are looked at one by one.
    Divide,
}

impl Division {
    /// Divides the surface of `body` along the curve, going down only into nodes that the curve enters or that do not
    /// hang together: the cost follows the length of the curve, not the size of the mesh.
    pub fn divide_by_curve(&mut self, body: &mut Placed<'_>, other_box: &Aabb, curve: &Curve) {
        let solid = body.solid;
        let bvh = solid.bvh();
        let trace = &curve.traces[body.owner as usize];
        let mut has_cut = std::mem::take(&mut self.has_cut);
        has_cut.reset(bvh.nodes.len());
        for cut in &trace.cut_faces {
            let mut node = bvh.leaf_of_face[cut.face as usize];
            while node != NONE && !has_cut.contains(node) {
                has_cut.set(node, ());
                node = bvh.nodes[node as usize].parent;
            }
        }
        let visit = |node| {
            if has_cut.contains(node) {
                return Visit::Divide;
            }
            let is_far = !body.node_box(node).meets(other_box);
            if is_far || bvh.is_connected(node) { Visit::Piece { is_far } } else { Visit::Divide }
        };
        self.divide(solid, visit, |face| (!trace.is_cut(face)).then_some(false));
        self.has_cut = has_cut;
    }

    /// Divides a surface from the root of its tree down. In the leaves that are divided, `face_is_far` tells of each
    /// face whether it is far, or `None` if it is cut.
    pub fn divide(
        &mut self,
        solid: &Solid,
        mut visit: impl FnMut(u32) -> Visit,
        mut face_is_far: impl FnMut(u32) -> Option<bool>,
    ) {
        let bvh = solid.bvh();
        self.pieces.clear();
        self.open_nodes.clear();
        self.piece_of_node.reset(bvh.nodes.len());
        self.piece_of_face.reset(solid.faces().len());
        self.stack.clear();
        self.stack.push(0);
        while let Some(node) = self.stack.pop() {
            let bvh_node = &bvh.nodes[node as usize];
            if let Visit::Piece { is_far } = visit(node) {
                self.piece_of_node.set(node, self.pieces.len() as u32);
                self.pieces.push(Piece { first: bvh_node.first, len: bvh_node.len, node, is_far });
                continue;
            }
            self.open_nodes.push(node);
            if !bvh_node.is_leaf() {
                let [first, second] = bvh.children(node);
                self.stack.extend([second, first]);
                continue;
            }
            for first in bvh_node.faces() {
                let piece = match face_is_far(first) {
                    None => NONE,
                    Some(is_far) => {
                        self.pieces.push(Piece { first, len: 1, node: NONE, is_far });
                        self.pieces.len() as u32 - 1
                    }
                };
                self.piece_of_face.set(first, piece);
            }
        }
        self.list_borders(solid);
    }

    fn list_borders(&mut self, solid: &Solid) {
        self.borders.clear();
        let mut last = [0; 2];
        for &node in &self.open_nodes {
            for ix in solid.bvh().edges(node) {
                let faces = solid.edges()[ix as usize].faces;
                // The face in the first child, then the one in the second: either runs through few pieces.
                let swap = usize::from(faces[0] > faces[1]);
                let mut pieces = [NONE; 2];
                for side in 0..2 {
                    let piece = self.piece_of(solid, faces[side], last[side ^ swap]);
                    if piece != NONE {
                        last[side ^ swap] = piece;
                    }
                    pieces[side] = piece;
                }
                self.borders.push(Border { edge: ix, pieces });
            }
        }
    }

    /// The piece that a face belongs to, or [`NONE`] for a cut one; `guess` is tried first.
    fn piece_of(&self, solid: &Solid, face: u32, guess: u32) -> u32 {
        if let Some(piece) = self.pieces.get(guess as usize)
            && (piece.first..piece.first + piece.len).contains(&face)
        {
            return guess;
        }
        if let Some(piece) = self.piece_of_face.get(face) {
            return piece;
        }
        let bvh = solid.bvh();
        let mut node = bvh.leaf_of_face[face as usize];
        loop {
            if let Some(piece) = self.piece_of_node.get(node) {
                return piece;
            }
            node = bvh.nodes[node as usize].parent;
        }
    }
}
