//! Finding the pairs of faces that may cross: both trees at once.

use glam::DVec3;

use super::curve::Curve;
use super::placed::{Motion, Placed};
use super::predicates::Facet;
use super::stamped::Stamped;
use super::triangles::cross;
use crate::Aabb;
use crate::solid::bvh::{LEAF_FACES, Node};

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
}

impl Walk {
    /// Adds every crossing of two faces to the curve.
    pub fn find_curve(&mut self, bodies: &mut [Placed<'_>; 2], guest_from_host: &Motion, curve: &mut Curve) {
        self.host_boxes.reset(bodies[0].solid.bvh().nodes.len());
        self.pairs.clear();
        self.push(bodies, guest_from_host, [0, 0]);
        while let Some(pair) = self.pairs.pop() {
            let [host, guest] = [0, 1].map(|i| &bodies[i].solid.bvh().nodes[pair[i] as usize]);
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
        let [host, guest] = [0, 1].map(|i| &bodies[i].solid.bvh().nodes[pair[i] as usize].aabb);
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
        let faces = bodies[1].solid.bvh().nodes[leaf as usize].faces();
        let mut guests = [GuestFace::default(); LEAF_FACES];
        for (guest, face) in guests.iter_mut().zip(faces.clone()) {
            *guest = GuestFace::new(face, bodies[1].corners(face));
        }
        let host = bodies[0].solid;
        let nodes = &host.bvh().nodes;
        let near = |node: u32, active: u8| {
            let aabb = &nodes[node as usize].aabb;
            let is_near = |&i: &usize| active >> i & 1 == 1 && guests[i].may_meet(aabb);
            (0..faces.len()).filter(is_near).fold(0, |mask, i| mask | 1 << i)
        };
        self.subtrees.clear();
        self.subtrees.push((root, near(root, u8::MAX)));
        while let Some((node, active)) = self.subtrees.pop() {
            if active == 0 {
                continue;
            }
            if !nodes[node as usize].is_leaf() {
                self.subtrees.extend(host.bvh().children(node).map(|child| (child, near(child, active))));
                continue;
            }
            for host_face in nodes[node as usize].faces() {
                let corners = host.corners(host_face);
                let host_box = Aabb::from_points(corners);
                let mut facet = None;
                for (_, guest) in guests.iter().enumerate().filter(|(i, _)| active >> i & 1 == 1) {
                    if host_box.meets(&guest.aabb) {
                        let facet = facet.get_or_insert_with(|| Facet::new(corners));
                        if let Some(crossing) = cross(facet, &guest.facet) {
                            curve.add(bodies, [host_face, guest.face], &crossing);
                        }
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

/// A face of the guest with its box.
#[derive(Clone, Copy, Debug)]
struct GuestFace {
    face: u32,
    aabb: Aabb,
    facet: Facet,
}

impl Default for GuestFace {
    fn default() -> Self {
        Self::new(0, [DVec3::ZERO; 3])
    }
}

impl GuestFace {
    #[inline]
    fn new(face: u32, corners: [DVec3; 3]) -> Self {
        Self { face, aabb: Aabb::from_points(corners), facet: Facet::new(corners) }
    }

    /// Whether neither the face's box nor its plane keeps it away from a box.
    #[inline]
    fn may_meet(&self, aabb: &Aabb) -> bool {
        self.aabb.meets(aabb) && self.facet.plane_may_meet(aabb)
    }
}
