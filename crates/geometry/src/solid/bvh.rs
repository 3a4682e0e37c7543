//! A tree of boxes over the faces of a mesh.

use std::ops::Range;

use glam::DVec3;

use super::topology::Edge;
use crate::union_find::UnionFind;
use crate::{Aabb, Near};

/// Largest number of faces in a leaf; at most eight, as the walk keeps a bit for each.
const LEAF_FACES: usize = 4;

/// Number of bins in the search for the best split, as in Wald 2007; more find hardly better ones.
const N_BINS: usize = 16;

/// Marks the absence of an index.
pub(crate) const NONE: u32 = u32::MAX;

/// A node of the tree: a run of faces and the box around them. 64 bytes, one cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The smallest box around the node's faces, in the mesh's frame.
    pub aabb: Aabb,
    /// First face.
    pub first: u32,
    /// Number of faces.
    pub len: u32,
    /// The second child; the first one follows its parent directly. Leaves have [`NONE`].
    pub second: u32,
    /// The parent; the root has [`NONE`].
    pub parent: u32,
}

impl Node {
    /// Whether the node has no children.
    pub fn is_leaf(&self) -> bool {
        self.second == NONE
    }

    /// The node's faces.
    pub fn faces(&self) -> Range<u32> {
        self.first..self.first + self.len
    }
}

/// A binary tree over the faces of a closed mesh, nodes in depth-first order, the root first.
#[derive(Debug)]
pub(crate) struct Bvh {
    /// The nodes; faces are numbered so that every node holds a run of them.
    pub nodes: Vec<Node>,
    /// Leaf of each face.
    pub leaf_of_face: Vec<u32>,
    /// Whether the faces of a node hang together across edges.
    connected: Vec<bool>,
    /// Where the edges of each node start, see [`Bvh::edges`].
    edge_starts: Vec<u32>,
    /// Index of each node's surface integrals, or [`NONE`].
    flux_ix: Vec<u32>,
}

impl Bvh {
    /// The two children of an inner node.
    pub fn children(&self, node: u32) -> [u32; 2] {
        [node + 1, self.nodes[node as usize].second]
    }

    /// The nodes whose boxes come near a place, each before those below it.
    pub fn nodes_near(&self, near: &Near) -> impl Iterator<Item = u32> {
        let mut open = vec![0];
        std::iter::from_fn(move || {
            loop {
                let node = open.pop()?;
                let at = &self.nodes[node as usize];
                if !near.meets(&at.aabb) {
                    continue;
                }
                if !at.is_leaf() {
                    open.extend(self.children(node));
                }
                return Some(node);
            }
        })
    }

    /// The edges between the two children of an inner node, or between the faces of a leaf.
    ///
    /// Every edge of the mesh belongs to exactly one node. They are in the order of the first of their faces.
    pub fn edges(&self, node: u32) -> Range<u32> {
        self.edge_starts[node as usize]..self.edge_starts[node as usize + 1]
    }

    /// Whether one can walk between any two faces of the node across edges without leaving it.
    pub fn is_connected(&self, node: u32) -> bool {
        self.connected[node as usize]
    }

    /// Index of the node's surface integrals, if they are kept.
    pub fn flux_ix(&self, node: u32) -> Option<usize> {
        let ix = self.flux_ix[node as usize];
        (ix != NONE).then_some(ix as usize)
    }

    /// The nodes with at least `min_faces` faces; their surface integrals are to be kept in this order.
    pub fn number_flux(&mut self, min_faces: u32) -> Vec<u32> {
        let kept: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|&n| self.nodes[n as usize].len >= min_faces).collect();
        for (ix, &node) in kept.iter().enumerate() {
            self.flux_ix[node as usize] = ix as u32;
        }
        kept
    }
}

/// Builds the tree over faces given by their corner points, and the order in which its leaves hold them.
pub(crate) fn build(corners: &[[DVec3; 3]]) -> (Bvh, Vec<u32>) {
    let boxes: Vec<Aabb> = corners.iter().map(|c| Aabb::from_points(*c)).collect();
    let mut builder = Builder {
        order: (0..corners.len() as u32).collect(),
        nodes: Vec::with_capacity(corners.len()),
        leaf_of_face: vec![NONE; corners.len()],
        boxes,
    };
    builder.node(0, corners.len(), NONE);
    let n_nodes = builder.nodes.len();
    let bvh = Bvh {
        nodes: builder.nodes,
        leaf_of_face: builder.leaf_of_face,
        connected: Vec::new(),
        edge_starts: Vec::new(),
        flux_ix: vec![NONE; n_nodes],
    };
    (bvh, builder.order)
}

struct Builder {
    boxes: Vec<Aabb>,
    order: Vec<u32>,
    nodes: Vec<Node>,
    leaf_of_face: Vec<u32>,
}

impl Builder {
    /// Appends the subtree over a run of faces and returns its root.
    fn node(&mut self, first: usize, last: usize, parent: u32) -> u32 {
        let ix = self.nodes.len() as u32;
        let run = &self.order[first..last];
        let aabb = run.iter().fold(Aabb::EMPTY, |sum, &f| sum.union(&self.boxes[f as usize]));
        self.nodes.push(Node { aabb, first: first as u32, len: (last - first) as u32, second: NONE, parent });
        if last - first <= LEAF_FACES {
            self.leaf_of_face[first..last].fill(ix);
        } else {
            let middle = first + split(&mut self.order[first..last], &self.boxes);
            self.node(first, middle, ix);
            let second = self.node(middle, last, ix);
            self.nodes[ix as usize].second = second;
        }
        ix
    }
}

/// Reorders a run of faces into two parts and returns the size of the first; neither is empty.
///
/// The cut is across the longest side of the box of the faces' centres, where the surface area heuristic (Goldsmith
/// and Salmon 1987) over equal bins is least; in the middle of the run if the centres coincide.
fn split(run: &mut [u32], boxes: &[Aabb]) -> usize {
    let centre = |face: u32| boxes[face as usize].center();
    let centres = Aabb::from_points(run.iter().map(|&f| centre(f)));
    let size = centres.max - centres.min;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let bin_of = |face: u32| {
        let along = (centre(face)[axis] - centres.min[axis]) / size[axis];
        ((along * N_BINS as f64) as usize).min(N_BINS - 1)
    };
    let cut = if size[axis] > 0.0 && size[axis].is_finite() { best_cut(run, boxes, bin_of) } else { None };
    let Some(cut) = cut else { return run.len() / 2 };
    // Stable partition, so that the order does not depend on how a partition swaps.
    let (left, right): (Vec<u32>, Vec<u32>) = run.iter().partition(|&&f| bin_of(f) < cut);
    run[..left.len()].copy_from_slice(&left);
    run[left.len()..].copy_from_slice(&right);
    left.len()
}

/// The bin boundary of least cost with faces on both sides.
fn best_cut(run: &[u32], boxes: &[Aabb], bin_of: impl Fn(u32) -> usize) -> Option<usize> {
    let mut bins = [(Aabb::EMPTY, 0_usize); N_BINS];
    for &face in run {
        let bin = &mut bins[bin_of(face)];
        bin.0 = bin.0.union(&boxes[face as usize]);
        bin.1 += 1;
    }
    let mut right_cost = [0.0; N_BINS];
    let mut sum = (Aabb::EMPTY, 0);
    for cut in (1..N_BINS).rev() {
        sum = (sum.0.union(&bins[cut].0), sum.1 + bins[cut].1);
        right_cost[cut] = half_area(&sum.0) * sum.1 as f64;
    }
    let mut best: Option<(f64, usize)> = None;
    let mut left = (Aabb::EMPTY, 0);
    for cut in 1..N_BINS {
        left = (left.0.union(&bins[cut - 1].0), left.1 + bins[cut - 1].1);
        if left.1 == 0 || left.1 == run.len() {
            continue;
        }
        let cost = half_area(&left.0) * left.1 as f64 + right_cost[cut];
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, cut));
        }
    }
    best.map(|(_, cut)| cut)
}

/// Half the surface of a box, 0 for an empty one.
fn half_area(aabb: &Aabb) -> f64 {
    if aabb.is_empty() {
        return 0.0;
    }
    let d = aabb.max - aabb.min;
    d.x * d.y + d.y * d.z + d.z * d.x
}

impl Bvh {
    /// Sorts edges into the order of the nodes that separate their faces, and finds out which nodes hang together.
    pub(super) fn sort_edges(&mut self, edges: &[Edge]) -> Vec<Edge> {
        let mut edges = edges.to_vec();
        edges.sort_unstable_by_key(|e| (e.faces[0].min(e.faces[1]), e.faces[0].max(e.faces[1]), e.ends));
        let nodes_of_edges: Vec<u32> =
            edges.iter().map(|e| self.common_ancestor(e.faces[0], e.faces[1])).collect();
        let mut starts = vec![0_u32; self.nodes.len() + 1];
        for &node in &nodes_of_edges {
            starts[node as usize + 1] += 1;
        }
        for i in 0..self.nodes.len() {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut sorted = vec![Edge { ends: [0; 2], faces: [0; 2] }; edges.len()];
        for (edge, &node) in edges.iter().zip(&nodes_of_edges) {
            let slot = &mut next[node as usize];
            sorted[*slot as usize] = *edge;
            *slot += 1;
        }
        self.edge_starts = starts;
        self.connected = self.connectivity(&sorted);
        sorted
    }

    /// The smallest node that holds both faces.
    fn common_ancestor(&self, a: u32, b: u32) -> u32 {
        let mut node = self.leaf_of_face[a as usize];
        while !self.nodes[node as usize].faces().contains(&b) {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    /// Whether each node is connected: children come after their parents, so joining faces backwards over the nodes
    /// joins them within the node at hand only.
    fn connectivity(&self, edges: &[Edge]) -> Vec<bool> {
        let mut sets = UnionFind::new(self.leaf_of_face.len());
        let mut n_parts = vec![0_u32; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            let here = &self.nodes[node];
            let before = if here.is_leaf() {
                here.len
            } else {
                self.children(node as u32).map(|child| n_parts[child as usize]).iter().sum()
            };
            let own_edges = self.edge_starts[node] as usize..self.edge_starts[node + 1] as usize;
            let n_joins = edges[own_edges].iter().filter(|e| sets.join(e.faces[0], e.faces[1])).count();
            n_parts[node] = before - n_joins as u32;
        }
        n_parts.iter().map(|&n| n == 1).collect()
    }
}
