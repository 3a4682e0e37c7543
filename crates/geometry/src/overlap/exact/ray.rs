//! The winding number of a mesh about a point.

use glam::DVec3;

use super::placed::Placed;
use super::predicates::{Facet, Owner, edge_edge};
use crate::Aabb;

/// How many shells of `mesh` are around `x`, a vertex of the other mesh or any other point.
///
/// An axis-parallel ray out of the mesh's box along the shortest way counts the faces it goes through, as an edge of
/// the other mesh with the same exact tests.
pub(super) fn winding(mesh: &mut Placed<'_>, x: DVec3, stack: &mut Vec<u32>) -> i32 {
    let root = mesh.node_box(0);
    if !root.contains(x) {
        return 0;
    }
    let far = way_out(x, &root);
    let ray_box = Aabb::from_points([x, far]);
    let owner = if mesh.owner == Owner::Host { Owner::Guest } else { Owner::Host };
    let mut winding = 0;
    stack.clear();
    stack.push(0);
    while let Some(node) = stack.pop() {
        if !mesh.node_box(node).meets(&ray_box) {
            continue;
        }
        let bvh_node = &mesh.solid.bvh().nodes[node as usize];
        if bvh_node.is_leaf() {
            for face in bvh_node.faces() {
                winding += crossing(&mesh.facet(face), [x, far], owner);
            }
        } else {
            stack.extend(mesh.solid.bvh().children(node));
        }
    }
    winding
}

/// A point outside the box that differs from `x` in one coordinate, in the direction of the nearest wall.
fn way_out(x: DVec3, aabb: &Aabb) -> DVec3 {
    let margin = aabb.diagonal();
    let walls = (0..3).flat_map(|axis| [(axis, aabb.min[axis] - margin), (axis, aabb.max[axis] + margin)]);
    let distance = |&(axis, wall): &(usize, f64)| (wall - x[axis]).abs();
    let (axis, wall) = walls.min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a box has six walls");
    let mut far = x;
    far[axis] = wall;
    far
}

/// +1 if the edge, an edge of mesh `owner`, leaves through the face, -1 if it enters, 0 if it misses.
fn crossing(face: &Facet, edge: [DVec3; 2], owner: Owner) -> i32 {
    let out = edge.map(|x| face.is_outside(face.height(x), owner));
    if out[0] == out[1] {
        return 0;
    }
    let sign = |side: usize| {
        let side = face.side(side);
        match owner {
            Owner::Host => edge_edge(edge, side),
            Owner::Guest => edge_edge(side, edge),
        }
    };
    let first = sign(0);
    if sign(1) != first || sign(2) != first {
        return 0;
    }
    if out[1] { 1 } else { -1 }
}
