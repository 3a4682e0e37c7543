//! Finding the pairs of faces that may cross: both trees at once.

use super::curve::Curve;
use super::placed::{Motion, Placed};
use super::predicates::Facet;
use super::stamped::Stamped;
use super::triangles::cross;
use crate::Aabb;
use crate::solid::bvh::Node;

/// Walks two trees and keeps its memory from pair to pair.
///
/// Two nodes are kept apart by their boxes along the axes of the host's frame and of the guest's. Once a leaf of the
/// guest is reached, the rest of the host's subtree is held against its faces one by one, planes included, so that a
/// few large triangles cost no more than many small ones. All tests are closed, so that touching counts: the infinitely
/// small shift of the predicates can turn it into crossing.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pairs: Vec<[u32; 2]>,
    subtrees: Vec<(u32, u8)>,
    /// Boxes of the host's nodes in the guest's frame.
    host_boxes: Stamped<Aabb>,
    /// Of the host and of the guest.
    leaves: [LeafFaces; 2],
}

impl Walk {
    /// Adds every crossing of two faces to the curve.
    pub fn find_curve(&mut self, bodies: &mut [Placed<'_>; 2], guest_from_host: &Motion, curve: &mut Curve) {
        self.host_boxes.reset(bodies[0].solid.bvh().nodes.len());
        for (leaves, body) in self.leaves.iter_mut().zip(&*bodies) {
            leaves.reset(body.solid.bvh().nodes.len());
        }
        self.pairs.clear();
        self.push(bodies, guest_from_host, [0, 0]);
        while let Some(pair) = self.pairs.pop() {
            let host = &bodies[0].solid.bvh().nodes[pair[0] as usize];
            let guest = &bodies[1].solid.bvh().nodes[pair[1] as usize];
            if guest.is_leaf() {
                self.descend_host(bodies, pair, curve);
            } else if host.is_leaf() || size(guest) > size(host) {
                for child in bodies[1].solid.bvh().children(pair[1]) {
                    self.push(bodies, guest_from_host, [pair[0], child]);
                }
            } else {
                for child in bodies[0].solid.bvh().children(pair[0]) {
                    self.push(bodies, guest_from_host, [child, pair[1]]);
                }
            }
        }
    }

    /// Puts a pair of nodes on the stack if their boxes meet.
    #[inline]
    fn push(&mut self, bodies: &mut [Placed<'_>; 2], guest_from_host: &Motion, pair: [u32; 2]) {
        let host = &bodies[0].solid.bvh().nodes[pair[0] as usize].aabb;
        let guest = &bodies[1].solid.bvh().nodes[pair[1] as usize].aabb;
        if !host.meets(&bodies[1].node_box(pair[1])) {
            return;
        }
        let in_guest = self.host_boxes.get(pair[0]).unwrap_or_else(|| {
            let moved = guest_from_host.around(host);
            self.host_boxes.set(pair[0], moved);
            moved
        });
        if in_guest.meets(guest) {
            self.pairs.push(pair);
        }
    }

    /// Crosses the faces of a leaf of the guest with those of a subtree of the host.
    fn descend_host(&mut self, bodies: &mut [Placed<'_>; 2], [root, leaf]: [u32; 2], curve: &mut Curve) {
        let bvh = bodies[0].solid.bvh();
        let [host_leaves, guest_leaves] = &mut self.leaves;
        let guests = guest_leaves.faces(&mut bodies[1], leaf);
        // Which of the guest's faces, by their bits, a box may meet.
        let near = |node: u32, active: u8| {
            let aabb = &bvh.nodes[node as usize].aabb;
            let mut mask = 0;
            for (i, guest) in guests.iter().enumerate() {
                mask |= u8::from(active >> i & 1 == 1 && guest.may_meet(aabb)) << i;
            }
            mask
        };
        self.subtrees.clear();
        self.subtrees.push((root, near(root, u8::MAX)));
        while let Some((node, active)) = self.subtrees.pop() {
            if active == 0 {
                continue;
            }
            if !bvh.nodes[node as usize].is_leaf() {
                let [first, second] = bvh.children(node);
                self.subtrees.extend([(first, near(first, active)), (second, near(second, active))]);
                continue;
            }
            for host in host_leaves.faces(&mut bodies[0], node) {
                for (_, guest) in guests.iter().enumerate().filter(|(i, _)| active >> i & 1 == 1) {
                    if host.aabb.meets(&guest.aabb)
                        && let Some(crossing) = cross(&host.facet, &guest.facet)
                    {
                        curve.add(bodies, [host.face, guest.face], &crossing);
                    }
                }
            }
        }
    }
}

/// A measure of how large a node is.
fn size(node: &Node) -> f64 {
    (node.aabb.max - node.aabb.min).element_sum()
}

/// A face in the host's frame with its box.
#[derive(Clone, Copy, Debug)]
struct LeafFace {
    face: u32,
    aabb: Aabb,
    facet: Facet,
}

impl LeafFace {
    /// Whether neither the face's box nor its plane keeps it away from a box.
    #[inline]
    fn may_meet(&self, aabb: &Aabb) -> bool {
        self.aabb.meets(aabb) && self.facet.plane_may_meet(aabb)
    }
}

/// The faces of the leaves met so far, each worked out once.
#[derive(Debug, Default)]
struct LeafFaces {
    first: Stamped<u32>,
    faces: Vec<LeafFace>,
}

impl LeafFaces {
    fn reset(&mut self, n_nodes: usize) {
        self.first.reset(n_nodes);
        self.faces.clear();
    }

    /// The faces of a leaf.
    #[inline]
    fn faces(&mut self, body: &mut Placed<'_>, leaf: u32) -> &[LeafFace] {
        let node = &body.solid.bvh().nodes[leaf as usize];
        let first = match self.first.get(leaf) {
            Some(first) => first as usize,
            None => {
                let first = self.faces.len();
                self.first.set(leaf, first as u32);
                for face in node.faces() {
                    let corners = body.corners(face);
                    let (aabb, facet) = (Aabb::from_points(corners), Facet::new(corners));
                    self.faces.push(LeafFace { face, aabb, facet });
                }
                first
            }
        };
        &self.faces[first..first + node.len as usize]
    }
}
