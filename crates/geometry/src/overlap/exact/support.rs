//! Points that span the overlap.

use glam::DVec3;

use super::pieces::Piece;
use super::placed::Placed;
use crate::Aabb;

/// Pieces up to this many faces give all their corners.
const FEW_FACES: u32 = 8;

/// Number of directions across the normal in which larger pieces are searched for their farthest points.
const N_DIRECTIONS: usize = 32;

/// Adds the corners of small pieces, and returns a box around the large ones: the smallest one for the host.
pub(super) fn add_corners<'a>(
    body: &mut Placed<'_>,
    pieces: impl Iterator<Item = &'a Piece>,
    points: &mut Vec<DVec3>,
) -> Aabb {
    let mut large = Aabb::EMPTY;
    for piece in pieces {
        if piece.len > FEW_FACES {
            large = large.union(&body.node_box(piece.node));
        } else {
            points.extend((piece.first..piece.first + piece.len).flat_map(|face| body.corners(face)));
        }
    }
    large
}

/// Adds the points of large inside pieces that are farthest along the normal, against it and in equally spaced
/// directions across it.
pub(super) fn add_far_points<'a, P: Iterator<Item = &'a Piece> + Clone, const N: usize>(
    bodies: &mut [Placed<'_>; N],
    pieces: &[P; N],
    normal: DVec3,
    points: &mut Vec<DVec3>,
) {
    let (u, w) = normal.normalize().any_orthonormal_pair();
    let across = |j: usize| {
        let (sin, cos) = (std::f64::consts::TAU * j as f64 / N_DIRECTIONS as f64).sin_cos();
        cos * u + sin * w
    };
    let n_known = points.len();
    for direction in (0..N_DIRECTIONS).map(across).chain([normal, -normal]) {
        let known = points[..n_known].iter().map(|x| x.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
        let mut farthest = (known, None);
        for (body, pieces) in bodies.iter_mut().zip(pieces) {
            for piece in pieces.clone().filter(|piece| piece.len > FEW_FACES) {
                search(body, piece.node, direction, &mut farthest);
            }
        }
        points.extend(farthest.1);
    }
}

/// Looks for a point of a subtree that is farther along a direction than the farthest so far.
fn search(body: &mut Placed<'_>, node: u32, direction: DVec3, farthest: &mut (f64, Option<DVec3>)) {
    let aabb = body.node_box(node);
    let bound = aabb.center().dot(direction) + aabb.half_size().dot(direction.abs());
    if bound <= farthest.0 {
        return;
    }
    let bvh = body.solid.bvh();
    let bvh_node = &bvh.nodes[node as usize];
    if bvh_node.is_leaf() {
        for face in bvh_node.faces() {
            for x in body.corners(face) {
                if x.dot(direction) > farthest.0 {
                    *farthest = (x.dot(direction), Some(x));
                }
            }
        }
    } else {
        let mut children =
            bvh.children(node).map(|child| (body.node_box(child).center().dot(direction), child));
        if children[1].0 > children[0].0 {
            children.swap(0, 1);
        }
        for (_, child) in children {
            search(body, child, direction, farthest);
        }
    }
}
