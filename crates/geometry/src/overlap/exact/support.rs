//! Points that span the overlap.

use glam::DVec3;

use super::pieces::Piece;
use super::placed::Placed;
use super::reusable_map::ReusableMap;
use crate::Aabb;
use crate::overlap::plane_side::{TILTS, around};

/// Pieces up to this many faces give all their corners.
const FEW_FACES: u32 = 8;

/// Number of directions across the normal in which larger pieces are searched for their farthest points.
const N_ACROSS: u32 = 32;

/// Number of points that bound the search.
const N_SAMPLES: usize = 64;

/// Adds the corners of small pieces, and returns a box around the large ones: the smallest one for the host.
///
/// `seen` is scratch.
pub(super) fn add_corners<'a>(
    body: &mut Placed<'_>,
    pieces: impl Iterator<Item = &'a Piece>,
    seen: &mut ReusableMap<()>,
    points: &mut Vec<DVec3>,
) -> Aabb {
    let mut large = Aabb::EMPTY;
    seen.reset(body.solid.vertices().len());
    for piece in pieces {
        if piece.len > FEW_FACES {
            large = large.union(&body.node_box(piece.node));
            continue;
        }
        for face in piece.first..piece.first + piece.len {
            for vertex in body.solid.faces()[face as usize].corners {
                if !seen.contains(vertex) {
                    seen.set(vertex, ());
                    points.push(body.point(vertex));
                }
            }
        }
    }
    large
}

/// The subtrees of the pieces of which [`add_corners`] has not added the corners.
pub(super) fn large<'a>(
    pieces: impl Iterator<Item = &'a Piece> + Clone,
) -> impl Iterator<Item = u32> + Clone {
    pieces.filter(|piece| piece.len > FEW_FACES).map(|piece| piece.node)
}

/// Adds the points of inside subtrees that are farthest along the normal, against it and in equally spaced directions
/// across it, and those of each body that are deepest in the other one along the normal tilted every way by [`TILTS`].
pub(super) fn add_far_points<P: Iterator<Item = u32> + Clone, const N: usize>(
    bodies: &mut [Placed<'_>; N],
    nodes: &[P; N],
    normal: DVec3,
    points: &mut Vec<DVec3>,
) {
    if nodes.iter().all(|nodes| nodes.clone().next().is_none()) {
        return;
    }
    let normal = normal.normalize();
    // A sample of the points known so far keeps the search from most subtrees.
    let known: Vec<DVec3> = points.iter().copied().step_by(1 + points.len() / N_SAMPLES).collect();
    let mut bounds = Aabb::from_points(points.iter().copied());
    let (u, w) = normal.any_orthonormal_pair();
    let across = |n: u32| around(n).map(move |x| x.x * u + x.y * w);
    let mut search = Search::new([normal, -normal].into_iter().chain(across(N_ACROSS)), &known);
    for (body, nodes) in bodies.iter_mut().zip(nodes) {
        for node in nodes.clone() {
            search.visit_all(body, node);
            bounds = bounds.union(&body.node_box(node));
        }
    }
    points.extend(search.found());
    let half = |axis: DVec3| bounds.half_size().dot(axis.abs());
    let slope = 2.0 * half(normal) / half(u).max(half(w));
    // A is in B along the normal, B in A against it.
    for ((body, nodes), inward) in bodies.iter_mut().zip(nodes).zip([normal, -normal]) {
        let tilted = |(tilt, n)| across(n).map(move |across| inward + tilt * slope * across);
        let mut search = Search::new(TILTS.into_iter().flat_map(tilted), &known);
        for node in nodes.clone() {
            search.visit_all(body, node);
        }
        points.extend(search.found());
    }
}

/// A search for the points farthest in all directions at once, of which a mask has a bit for each.
struct Search {
    directions: Vec<DVec3>,
    /// How far the farthest points known are.
    farthest: Vec<f64>,
    /// The farthest points, where the search has found them.
    found: Vec<Option<DVec3>>,
}

impl Search {
    fn new(directions: impl Iterator<Item = DVec3>, known: &[DVec3]) -> Self {
        let directions: Vec<_> = directions.collect();
        let far =
            |direction: &DVec3| known.iter().map(|x| x.dot(*direction)).fold(f64::NEG_INFINITY, f64::max);
        let (farthest, found) = (directions.iter().map(far).collect(), vec![None; directions.len()]);
        Self { directions, farthest, found }
    }

    fn found(&self) -> impl Iterator<Item = DVec3> {
        self.found.iter().flatten().copied()
    }

    /// Looks through a subtree in all directions.
    fn visit_all(&mut self, body: &mut Placed<'_>, node: u32) {
        self.visit(body, node, u128::MAX >> (128 - self.directions.len()));
    }

    /// Looks through a subtree in the directions of `active` in which its box reaches farther than what is known.
    fn visit(&mut self, body: &mut Placed<'_>, node: u32, active: u128) {
        let aabb = body.node_box(node);
        let (centre, half) = (aabb.center(), aabb.half_size());
        let mut reaching = 0;
        for j in bits(active) {
            let direction = self.directions[j];
            let reach = centre.dot(direction) + half.dot(direction.abs());
            reaching |= u128::from(reach > self.farthest[j]) << j;
        }
        if reaching == 0 {
            return;
        }
        let bvh = body.solid.bvh();
        let bvh_node = &bvh.nodes[node as usize];
        if !bvh_node.is_leaf() {
            for child in bvh.children(node) {
                self.visit(body, child, reaching);
            }
            return;
        }
        for x in bvh_node.faces().flat_map(|face| body.corners(face)) {
            for j in bits(reaching) {
                let along = x.dot(self.directions[j]);
                if along > self.farthest[j] {
                    (self.farthest[j], self.found[j]) = (along, Some(x));
                }
            }
        }
    }
}

/// The numbers of the bits that are set.
fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lowest < u128::BITS).then_some(lowest as usize)
    })
}
