//! Points that span the overlap.

use glam::DVec3;

use super::pieces::Piece;
use super::placed::Placed;
use super::reusable_map::ReusableMap;
use crate::Aabb;

/// Pieces up to this many faces give all their corners.
const FEW_FACES: u32 = 8;

/// Number of directions across the normal in which larger pieces are searched for their farthest points.
const N_ACROSS: usize = 32;

/// All directions of the search: those across the normal, along it and against it. A mask has a bit for each.
const N_DIRECTIONS: usize = N_ACROSS + 2;

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
/// across it.
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
    let (u, w) = normal.any_orthonormal_pair();
    let directions: [DVec3; N_DIRECTIONS] = std::array::from_fn(|j| match j {
        0 => normal,
        1 => -normal,
        _ => {
            let (sin, cos) = (std::f64::consts::TAU * j as f64 / N_ACROSS as f64).sin_cos();
            cos * u + sin * w
        }
    });
    // A sample of the points known so far keeps the search from most subtrees.
    let mut farthest = [f64::NEG_INFINITY; N_DIRECTIONS];
    for x in points.iter().step_by(1 + points.len() / N_SAMPLES) {
        for (farthest, direction) in farthest.iter_mut().zip(&directions) {
            let along = x.dot(*direction);
            if along > *farthest {
                *farthest = along;
            }
        }
    }
    let mut found = [None; N_DIRECTIONS];
    for (body, nodes) in bodies.iter_mut().zip(nodes) {
        let mut search = Search { directions: &directions, farthest: &mut farthest, found: &mut found };
        for node in nodes.clone() {
            search.visit(body, node, (1 << N_DIRECTIONS) - 1);
        }
    }
    points.extend(found.iter().flatten());
}

/// A search for the points farthest in all directions at once.
struct Search<'a> {
    directions: &'a [DVec3; N_DIRECTIONS],
    /// How far the farthest points known are.
    farthest: &'a mut [f64; N_DIRECTIONS],
    /// The farthest points, where the search has found them.
    found: &'a mut [Option<DVec3>; N_DIRECTIONS],
}

impl Search<'_> {
    /// Looks through a subtree in the directions of `active` in which its box reaches farther than what is known.
    fn visit(&mut self, body: &mut Placed<'_>, node: u32, active: u64) {
        let aabb = body.node_box(node);
        let (centre, half) = (aabb.center(), aabb.half_size());
        let mut reaching = 0;
        for j in bits(active) {
            let direction = self.directions[j];
            let reach = centre.dot(direction) + half.dot(direction.abs());
            reaching |= u64::from(reach > self.farthest[j]) << j;
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
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lowest < u64::BITS).then_some(lowest as usize)
    })
}
