//! Points that span the overlap.

use glam::DVec3;

use super::curve::Curve;
use super::pieces::{Division, Piece};
use super::placed::Placed;
use super::windings::Windings;
use crate::Aabb;
use crate::solid::bvh::NONE;

/// Pieces up to this many faces give all their corners.
const FEW_FACES: u32 = 8;

/// Number of directions across the normal in which larger pieces are searched for their farthest points.
const N_DIRECTIONS: usize = 32;

/// Collects the events, the inside vertices of cut faces and the corners of small pieces, and returns a box around the
/// overlap: the smallest one but for the node boxes of the guest's larger pieces.
pub(super) fn bounds(
    bodies: &mut [Placed<'_>; 2],
    curve: &Curve,
    divisions: &[Division; 2],
    windings: &[Windings; 2],
    points: &mut Vec<DVec3>,
) -> Aabb {
    points.clear();
    points.extend(curve.events.iter().map(|event| event.x));
    let mut large = Aabb::EMPTY;
    for ((body, division), windings) in bodies.iter_mut().zip(divisions).zip(windings) {
        for (vertex, winding) in windings.vertices() {
            if winding != 0 {
                points.push(body.point(vertex));
            }
        }
        for piece in inside(division, windings) {
            if piece.len > FEW_FACES {
                large = large.union(&body.node_box(piece.node));
            } else {
                for face in piece.first..piece.first + piece.len {
                    points.extend(body.corners(face));
                }
            }
        }
    }
    large.union(&Aabb::from_points(points.iter().copied()))
}

/// The pieces inside the other mesh.
fn inside<'a>(division: &'a Division, windings: &'a Windings) -> impl Iterator<Item = &'a Piece> + 'a {
    let is_inside = |ix: usize| windings.of(windings.piece_element(ix as u32)) != 0;
    division.pieces.iter().enumerate().filter(move |&(ix, _)| is_inside(ix)).map(|(_, piece)| piece)
}

/// Adds the points of large inside pieces that are farthest along the normal, against it and in equally spaced
/// directions across it.
pub(super) fn add_far_points(
    bodies: &mut [Placed<'_>; 2],
    divisions: &[Division; 2],
    windings: &[Windings; 2],
    normal: DVec3,
    points: &mut Vec<DVec3>,
) {
    let (u, w) = normal.normalize().any_orthonormal_pair();
    let across = |j: usize| {
        let (sin, cos) = (std::f64::consts::TAU * j as f64 / N_DIRECTIONS as f64).sin_cos();
        cos * u + sin * w
    };
    let directions = (0..N_DIRECTIONS).map(across).chain([normal, -normal]);
    let n_known = points.len();
    for direction in directions {
        let known = points[..n_known].iter().map(|x| x.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
        let mut farthest = (known, None);
        for ((body, division), windings) in bodies.iter_mut().zip(divisions).zip(windings) {
            for piece in
                inside(division, windings).filter(|piece| piece.node != NONE && piece.len > FEW_FACES)
            {
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
