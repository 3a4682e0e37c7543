//! Pairs of facets that may touch, found once for many nearby positions.

use glam::DVec3;

use super::cap::Cap;
use super::plane::ContactPlane;
use super::rounded::RoundedMesh;
use crate::solid::bvh::Node;
use crate::{Aabb, Pose};

/// How far along the contact's axis a triangle lies from its cap, over the cap's greatest rise, where the contact's radius is
/// at most half of the least distance of the facet's plane from the sphere's centre: 2/sqrt(3), see [`Candidates`].
const SLANT: f64 = 1.154_700_538_379_251_7;

/// What caps may be apart over the larger margin: spheres fall off by up to 7.2 % more than the parabolas of
/// [`super::Pressure::range`] at half of their radius.
const SPHERE: f64 = 1.08;

/// Rounding of positions in the other body's frame, in sizes of the two: ten operations' worth.
const ROUNDING: f64 = 1e-14;

/// How far apart facets may be and still be looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Greatest overlap of two spheres on their axis \[m\]. Deeper ones are reported ([`super::Doubts::too_deep`]).
    pub depth: f64,
    /// Greatest gap at which bodies act on each other \[m\]: [`super::Pressure::range`] of the least sum of curvatures
    /// ([`RoundedMesh::least_curvature`]), 0 without adhesion.
    pub gap: f64,
    /// How far the bodies may move against each other before the list is to be made anew \[m\].
    pub skin: f64,
}

/// Pairs of facets of two bodies A and B that hold all that touch while B moves by less than the skin.
///
/// **Why all.** Two caps touch over a polygon that both triangles have in common as seen along the contact's normal N,
/// at a distance r < rho from the spheres' axis, rho being the radius of the contact. Take a point of it, and the
/// points x_a and x_b of the triangles over it. A triangle of a convex cap lies in its ball and at least R - b from the
/// centre, b being the cap's rise. So along N it is below the cap by at most
///
/// ```text
/// e = sqrt(R² - r²) - sqrt((R - b)² - r²) = b (2R - b) / (sqrt(R² - r²) + sqrt((R - b)² - r²)) <= 2/sqrt(3) b
/// ```
///
/// for r <= (R - b)/2, and above it by the same if it is hollow. (It cannot be near the sphere's other pole: its plane
/// is R - b from the centre and looks along N, so that a point below the centre has r >= R - b.) The caps are apart by
/// g at most there, either way, g being 1.08 max(`depth`, `gap`): a touch that is not so is a doubt
/// ([`super::Doubts::too_deep`], [`super::Doubts::ring_cut`]). So |x_a - x_b| <= L = g + 2/sqrt(3) (b_a + b_b). When B
/// has moved from its pose T0 relative to A to T, each of its points x has moved by
///
/// ```text
/// |T x - T0 x| <= |T q - T0 q| + |(T - T0)(x - q)| <= |T q - T0 q| + 2 sin(angle/2) rho_b,
/// ```
///
/// q being the middle of B and rho_b the distance of its farthest vertex from it (Euler: every rotation of x - q is
/// along a chord of a circle that is no larger). While that is at most `skin`, triangles that are within L now were
/// within L + `skin` then, and so were their boxes, by which the list is made.
///
/// Contacts wider than (R - b)/2 are counted by [`super::Doubts::beyond_hertz`].
///
/// **Which of them are not.** Boxes near each other say little where caps are round: of two convex caps the spheres' axis has to go
/// through both triangles, or by within the radius of the contact. While B moves, the centre of its sphere moves by at most s, the skin
/// or as much more as it is farther out than B's farthest vertex; the overlap on the axis changes by at most 2 s (a plane is lifted
/// and tilted), where the axis leaves the spheres by 2 s, the triangles by s, and what lies off the contact's plane, by less than a
/// radius, is seen by s elsewhere along the tilted axis. So pairs are left out whose spheres are apart by more than `gap` + 2 s, or
/// whose axis is farther from either triangle than the radius at that depth or gap and 4 s.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    pairs: Vec<[u32; 2]>,
    margins: Margins,
    a_from_b: Pose,
    /// What positions may be off \[m\].
    rounding: f64,
    /// What the meshes are known by: number of facets, middle, farthest vertex.
    meshes: [(usize, (DVec3, f64)); 2],
}

impl Candidates {
    /// Finds the pairs by walking both trees, in the order of A's facets, then of B's.
    ///
    /// The poses have to be finite and the margins finite and not negative; with others the list is empty and never holds.
    pub fn find(
        a: &RoundedMesh,
        w_from_a: &Pose,
        b: &RoundedMesh,
        w_from_b: &Pose,
        margins: Margins,
    ) -> Self {
        let a_from_b = w_from_a.relative(w_from_b);
        let mut walk = Walk::new(a, b, &a_from_b, &margins);
        if walk.is_sound() {
            walk.run();
        }
        walk.pairs.sort_unstable();
        Self { pairs: walk.pairs, margins, a_from_b, rounding: walk.rounding, meshes: [a, b].map(known_by) }
    }

    /// The list of bodies of which is known, from whatever source, that no facets are within the margins.
    pub fn none(
        a: &RoundedMesh,
        w_from_a: &Pose,
        b: &RoundedMesh,
        w_from_b: &Pose,
        margins: Margins,
    ) -> Self {
        let a_from_b = w_from_a.relative(w_from_b);
        let rounding = Walk::new(a, b, &a_from_b, &margins).rounding;
        Self { pairs: Vec::new(), margins, a_from_b, rounding, meshes: [a, b].map(known_by) }
    }

    /// The pairs, facets of A and of B.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// What was looked for.
    pub fn margins(&self) -> &Margins {
        &self.margins
    }

    /// What caps may be apart along the contact's axis, either way, for the list to hold them \[m\].
    pub(super) fn farthest_caps(&self) -> f64 {
        farthest_caps(&self.margins)
    }

    /// Whether the list was made of these meshes, or of some that look like them.
    pub(super) fn is_of(&self, a: &RoundedMesh, b: &RoundedMesh) -> bool {
        self.meshes == [a, b].map(known_by)
    }

    /// How far any point of B may have moved relative to A since the list was made, at most \[m\].
    pub fn moved(&self, w_from_a: &Pose, b: &RoundedMesh, w_from_b: &Pose) -> f64 {
        let now = w_from_a.relative(w_from_b);
        let (middle, reach) = b.ball();
        let turn = self.a_from_b.rotation.conjugate() * now.rotation;
        let chord = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
        now.point(middle).distance(self.a_from_b.point(middle)) + chord * reach
    }

    /// Whether the list holds no longer at these poses and has to be made anew.
    pub fn is_stale(&self, w_from_a: &Pose, b: &RoundedMesh, w_from_b: &Pose) -> bool {
        let moved = self.moved(w_from_a, b, w_from_b);
        // Not `moved > skin`: what is not a number is stale.
        let is_kept = moved <= self.margins.skin + self.rounding;
        !is_kept
    }
}

/// What caps may be apart along the contact's axis, either way, for a list with these margins to hold them \[m\].
pub(super) fn farthest_caps(margins: &Margins) -> f64 {
    SPHERE * margins.depth.max(margins.gap)
}

fn known_by(mesh: &RoundedMesh) -> (usize, (DVec3, f64)) {
    (mesh.n_facets(), mesh.ball())
}

/// A walk down both trees in A's frame.
struct Walk<'a> {
    a: &'a RoundedMesh,
    b: &'a RoundedMesh,
    a_from_b: &'a Pose,
    /// What any two facets may be apart, without their bulges.
    near: f64,
    margins: Margins,
    /// What positions may be off \[m\].
    rounding: f64,
    pairs: Vec<[u32; 2]>,
}

impl<'a> Walk<'a> {
    fn new(a: &'a RoundedMesh, b: &'a RoundedMesh, a_from_b: &'a Pose, margins: &Margins) -> Self {
        let size = a.ball().1 + b.ball().1 + a_from_b.point(b.ball().0).distance(a.ball().0);
        let rounding = ROUNDING * size;
        // Once for the positions here, and once for those at which the list is kept.
        let near = farthest_caps(margins) + margins.skin + 2.0 * rounding;
        let sane = [margins.depth, margins.gap, margins.skin].iter().all(|x| *x >= 0.0);
        let near = if sane { near } else { f64::NAN };
        Self { a, b, a_from_b, near, margins: *margins, rounding, pairs: Vec::new() }
    }

    fn is_sound(&self) -> bool {
        self.near.is_finite() && self.a_from_b.is_finite()
    }

    fn run(&mut self) {
        let bulges = SLANT * (self.a.greatest_bulge() + self.b.greatest_bulge());
        let margin = self.near + bulges;
        let [tree_a, tree_b] = [self.a.solid().bvh(), self.b.solid().bvh()];
        let size = |node: &Node| node.aabb.half_size().length_squared();
        let mut stack = vec![[0_u32, 0]];
        while let Some([ix_a, ix_b]) = stack.pop() {
            let (a, b) = (&tree_a.nodes[ix_a as usize], &tree_b.nodes[ix_b as usize]);
            if !b.aabb.transformed(self.a_from_b).inflated(margin).meets(&a.aabb) {
                continue;
            }
            if a.is_leaf() && b.is_leaf() {
                self.leaves(a, b);
            } else if b.is_leaf() || !a.is_leaf() && size(a) >= size(b) {
                stack.extend(tree_a.children(ix_a).map(|child| [child, ix_b]));
            } else {
                stack.extend(tree_b.children(ix_b).map(|child| [ix_a, child]));
            }
        }
    }

    fn leaves(&mut self, a: &Node, b: &Node) {
        for facet_b in b.faces() {
            let Some(cap_b) = self.b.cap(facet_b).map(|cap| cap.moved(self.a_from_b)) else { continue };
            let box_b = Aabb::from_points(cap_b.corners);
            for facet_a in a.faces() {
                let Some(cap_a) = self.a.cap(facet_a) else { continue };
                let margin = self.near + SLANT * (cap_a.bulge() + cap_b.bulge());
                let is_near = box_b.inflated(margin).meets(&Aabb::from_points(cap_a.corners));
                if is_near
                    && !is_off_plane(cap_a, &cap_b, margin)
                    && !is_off_plane(&cap_b, cap_a, margin)
                    && !self.is_off_axis(cap_a, &cap_b)
                {
                    self.pairs.push([facet_a, facet_b]);
                }
            }
        }
    }
}

impl Walk<'_> {
    /// Whether the axis of two convex caps' spheres passes by either triangle, or they are too far apart on it, wherever B is within the
    /// skin.
    fn is_off_axis(&self, a: &Cap, b: &Cap) -> bool {
        if a.curvature < 0.0 || b.curvature < 0.0 {
            return false;
        }
        // What has no axis now may have one.
        let Ok(plane) = ContactPlane::between(a, b) else { return false };
        let (middle, reach) = self.b.ball();
        let arm = match b.center() {
            Some(center) => center.distance(self.a_from_b.point(middle)),
            // A plane tilts about the middle under the centre of the other sphere.
            None => a.curvature.recip(),
        };
        let shift = self.margins.skin * (arm / reach).max(1.0) + self.rounding;
        let Margins { depth, gap, .. } = self.margins;
        if plane.overlap < -(SPHERE * gap + 2.0 * shift) {
            return true;
        }
        let radius = (2.0 * SPHERE * (depth + gap) / plane.curvature).sqrt() + 4.0 * shift;
        passes_by(a, &plane, radius) || passes_by(b, &plane, radius)
    }
}

/// Whether a line along the plane's normal through its centre passes by a triangle at more than a distance, outside of one of its sides.
fn passes_by(cap: &Cap, plane: &ContactPlane, distance: f64) -> bool {
    let facing = cap.normal.dot(plane.normal).signum();
    (0..3).any(|i| {
        let (from, to) = (cap.corners[i], cap.corners[(i + 1) % 3]);
        let outward = (to - from).cross(plane.normal) * facing;
        (plane.center - from).dot(outward) > distance * outward.length()
    })
}

/// Whether a triangle lies farther than a distance from the plane of another, on one side of it.
fn is_off_plane(a: &Cap, b: &Cap, distance: f64) -> bool {
    let heights = b.corners.map(|x| (x - a.corners[0]).dot(a.normal));
    heights.iter().all(|h| *h > distance) || heights.iter().all(|h| *h < -distance)
}
