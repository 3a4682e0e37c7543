//! The corners of an overlap off a plane, which the stages do not tell: they say how far it reaches in some directions, not where.

use glam::DVec3;

use super::division::PLANE;
use crate::overlap::flatness::{self, Flatness};
use crate::overlap::{Overlap, Patch, exact};
use crate::{Aabb, Pose, Ray, Solid};

/// Room around an overlap's box in which corners are looked for, as a part of the box: more than 32-bit numbers move it.
const MARGIN: f64 = 1e-3;

/// Puts the corners of the overlap of A and B, and of its regions, off a surface that is plane in the place of what the stages know: those
/// vertices of the other body that are inside. See [`PlaneSide`](crate::overlap::PlaneSide).
///
/// 32-bit sums take a surface for plane that spans half a degree. Where corners are below faces that are not parallel it is none, and its area
/// is the largest that these sums may have meant: an overlap of two pieces a hand's breadth apart would be held by a plane through one of them.
///
/// The overlap is in A's axes about A's origin. It costs a way down the tree, and two rays for each vertex in the overlap's box.
pub fn find_corners(overlap: &mut Overlap, a: &Solid, b: &Solid, a_from_b: &Pose) {
    let Overlap { centroid, gradient, areas, bounds, regions, patch, .. } = overlap;
    if let Some(patch) = patch.as_mut().filter(|patch| has_tips(patch)) {
        let room = bounds.inflated(MARGIN * bounds.diagonal());
        let (b_from_a, identity) = (a_from_b.inverse(), Pose::IDENTITY);
        patch.planes = [None, None];
        for of in 0..2 {
            if !Flatness::new(*areas, gradient.length(), None).are_plane()[of] {
                continue;
            }
            let plane = if of == 0 { Placed(a, &identity) } else { Placed(b, a_from_b) };
            let other = if of == 0 { Placed(b, a_from_b) } else { Placed(a, &identity) };
            let to_plane = if of == 0 { patch.normal } else { -patch.normal };
            let inverses = if of == 0 { [&identity, &b_from_a] } else { [&b_from_a, &identity] };
            let corners = vertices_inside(&other, &plane, inverses, &room);
            if !plane.is_plane_over(&corners, to_plane, inverses[0]) {
                areas[of] = (1.0 + PLANE) * gradient.length();
            } else if !corners.is_empty() {
                set_tips(patch, corners, (*centroid, *gradient, *areas), -to_plane);
                break;
            }
        }
    }
    for region in regions {
        find_corners(region, a, b, a_from_b);
    }
}

/// Whether corners off a plane were found by what the stages say.
fn has_tips(patch: &Patch) -> bool {
    patch.planes.iter().flatten().any(|side| !side.tips.is_empty())
}

/// A solid and where it is, in A's frame.
struct Placed<'a>(&'a Solid, &'a Pose);

impl Placed<'_> {
    /// Whether the faces that are over points inside it, in a direction of A's frame, are parallel.
    fn is_plane_over(&self, points: &[DVec3], direction: DVec3, own_from_a: &Pose) -> bool {
        let direction = own_from_a.vector(direction);
        let normal = |x: &DVec3| {
            let face = self.0.exit_face(&Ray { origin: own_from_a.point(*x), direction })?;
            let [a, b, c] = self.0.corners(face);
            Some((b - a).cross(c - a).normalize_or_zero())
        };
        let mut normals = points.iter().filter_map(normal);
        let Some(first) = normals.next() else { return true };
        normals.all(|normal| first.dot(normal) >= 1.0 - flatness::PLANE)
    }
}

/// The vertices of a solid in a box that are inside another one, all in A's frame; with the ways from there to that of the second and of the
/// first solid.
fn vertices_inside(
    own: &Placed<'_>,
    other: &Placed<'_>,
    [other_from_a, own_from_a]: [&Pose; 2],
    room: &Aabb,
) -> Vec<DVec3> {
    let (solid, own_room) = (own.0, room.transformed(own_from_a));
    let (mut open, mut found) = (vec![0], Vec::new());
    while let Some(ix) = open.pop() {
        let node = &solid.bvh().nodes[ix as usize];
        if !node.aabb.meets(&own_room) {
            continue;
        }
        if node.is_leaf() {
            found.extend(node.faces().flat_map(|face| solid.faces()[face as usize].corners));
        } else {
            open.extend(solid.bvh().children(ix));
        }
    }
    found.sort_unstable();
    found.dedup();
    let places = found.into_iter().map(|ix| own.1.point(solid.vertices()[ix as usize]));
    let is_inside = |x: &DVec3| room.contains(*x) && exact::contains(other.0, other_from_a.point(*x));
    places.filter(is_inside).collect()
}

/// Gives a patch the corners that lie off the plane, which is as far from the deepest of them as the overlap extends. They lie in the direction
/// `away` from it.
fn set_tips(
    patch: &mut Patch,
    mut corners: Vec<DVec3>,
    (centroid, gradient, areas): (DVec3, DVec3, [f64; 2]),
    away: DVec3,
) {
    let heights = corners.iter().map(|x| away.dot(*x - centroid));
    let Some(deepest) = heights.max_by(f64::total_cmp) else { return };
    corners.push(centroid + away * (deepest - patch.extent));
    *patch = patch.clone().with_planes(&corners, centroid, gradient, areas, [None; 2]);
}
