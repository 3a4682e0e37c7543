//! Finding the pairs of faces that may cross: both trees at once.

use super::curve::Curve;
use super::placed::Placed;
use super::predicates::Facet;
use super::triangles::cross;
use crate::Aabb;
use crate::solid::bvh::{LEAF_FACES, Node};

/// Walks both trees and adds every crossing of two faces to the curve.
///
/// All box tests are closed, so that touching counts: the infinitely small shift of the predicates can turn it into
/// crossing.
pub(super) fn find_curve(bodies: &mut [Placed<'_>; 2], stack: &mut Vec<[u32; 2]>, curve: &mut Curve) {
    let [host, guest] = bodies;
    stack.clear();
    if host.node_box(0).meets(&guest.node_box(0)) {
        stack.push([0, 0]);
    }
    while let Some(pair) = stack.pop() {
        let nodes = [0, 1].map(|i| &bodies[i].solid.bvh().nodes[pair[i] as usize]);
        if nodes[0].is_leaf() && nodes[1].is_leaf() {
            cross_leaves(bodies, pair, curve);
            continue;
        }
        let divided = divided(nodes);
        let other_box = bodies[1 - divided].node_box(pair[1 - divided]);
        for child in bodies[divided].solid.bvh().children(pair[divided]) {
            if bodies[divided].node_box(child).meets(&other_box) {
                let mut next = pair;
                next[divided] = child;
                stack.push(next);
            }
        }
    }
}

/// Which node of a pair to divide: the larger one, if it is not a leaf.
fn divided(nodes: [&Node; 2]) -> usize {
    let size = |node: &Node| (node.aabb.max - node.aabb.min).element_sum();
    if nodes[0].is_leaf() || !nodes[1].is_leaf() && size(nodes[1]) > size(nodes[0]) { 1 } else { 0 }
}

/// Crosses the faces of two leaves.
fn cross_leaves(bodies: &mut [Placed<'_>; 2], pair: [u32; 2], curve: &mut Curve) {
    let boxes = [0, 1].map(|i| bodies[i].node_box(pair[i]));
    let mut guests: [Option<(u32, Aabb, Facet)>; LEAF_FACES] = [None; LEAF_FACES];
    let mut n_guests = 0;
    for face in bodies[1].solid.bvh().nodes[pair[1] as usize].faces() {
        let corners = bodies[1].corners(face);
        let aabb = Aabb::from_points(corners);
        if aabb.meets(&boxes[0]) {
            guests[n_guests] = Some((face, aabb, Facet::new(corners)));
            n_guests += 1;
        }
    }
    if n_guests == 0 {
        return;
    }
    for host_face in bodies[0].solid.bvh().nodes[pair[0] as usize].faces() {
        let corners = bodies[0].corners(host_face);
        let host_box = Aabb::from_points(corners);
        if !host_box.meets(&boxes[1]) {
            continue;
        }
        let host = Facet::new(corners);
        for (guest_face, guest_box, guest) in guests[..n_guests].iter().flatten() {
            if host_box.meets(guest_box)
                && let Some(crossing) = cross(&host, guest)
            {
                curve.add(bodies, [host_face, *guest_face], &crossing);
            }
        }
    }
}
