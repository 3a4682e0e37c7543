//! The walk down two bodies' trees to the pairs of facets that may touch.

use glam::{DMat3, DVec3};

use super::candidates::{Candidate, Margins, SPHERE, farthest_caps};
use super::cap::Cap;
use super::plane::ContactPlane;
use super::rounded::RoundedMesh;
use crate::solid::bvh::Node;
use crate::{Aabb, Pose};

/// How far along the contact's axis a triangle lies from its cap, over the cap's greatest rise, where the contact's radius is
/// at most half of the least distance of the facet's plane from the sphere's centre: 2/sqrt(3), see [`super::Candidates`].
pub(super) const SLANT: f64 = 1.154_700_538_379_251_7;

/// Rounding of positions in the other body's frame, in sizes of the two: ten operations' worth.
const ROUNDING: f64 = 1e-14;

/// What is left of a way at which a pair is looked at, for the rounding of the few operations that it comes from.
const EARLIER: f64 = 1.0 - 1e-9;

/// A walk down both trees in A's frame.
pub(super) struct Walk<'a> {
    a: &'a RoundedMesh,
    b: &'a RoundedMesh,
    a_from_b: &'a Pose,
    turn: DMat3,
    /// The turn's absolute values, which take half sizes of boxes along.
    spread: DMat3,
    /// What any two facets may be apart, without their bulges.
    near: f64,
    margins: Margins,
    /// What positions may be off \[m\].
    pub rounding: f64,
    /// Which body moves, the other one being thought at rest.
    is_a_mover: bool,
    pub pairs: Vec<Candidate>,
    /// Greatest overlap of the spheres of triangles that cross \[m\], no more than the smaller body is large: the sphere of a facet may be larger than that by far.
    pub deepest: f64,
    /// How large the smaller body is \[m\].
    thickest: f64,
}

impl<'a> Walk<'a> {
    pub fn new(a: &'a RoundedMesh, b: &'a RoundedMesh, a_from_b: &'a Pose, margins: &Margins) -> Self {
        let size = a.ball().1 + b.ball().1 + a_from_b.point(b.ball().0).distance(a.ball().0);
        let rounding = ROUNDING * size;
        // Once for the positions here, and once for those at which the list is kept.
        let near = farthest_caps(margins) + margins.skin + 2.0 * rounding;
        let sane = [margins.depth, margins.gap, margins.skin].iter().all(|x| *x >= 0.0);
        let near = if sane { near } else { f64::NAN };
        let turn = a_from_b.matrix();
        let spread = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let is_a_mover = a.ball().1 < b.ball().1;
        Self {
            a,
            b,
            a_from_b,
            turn,
            spread,
            near,
            margins: *margins,
            rounding,
            is_a_mover,
            pairs: Vec::new(),
            deepest: 0.0,
            thickest: 2.0 * a.ball().1.min(b.ball().1),
        }
    }

    /// Gathers the pairs, in no order; none if the poses or margins are no such.
    pub fn run(&mut self) {
        if !(self.near.is_finite() && self.a_from_b.is_finite()) {
            return;
        }
        let bulges = SLANT * (self.a.greatest_bulge() + self.b.greatest_bulge());
        let margin = self.near + bulges;
        let [tree_a, tree_b] = [self.a.solid().bvh(), self.b.solid().bvh()];
        let size = |node: &Node| node.aabb.half_size().length_squared();
        let mut stack = vec![[0_u32, 0]];
        while let Some([ix_a, ix_b]) = stack.pop() {
            let (a, b) = (&tree_a.nodes[ix_a as usize], &tree_b.nodes[ix_b as usize]);
            if !self.box_of_b(&b.aabb, margin).meets(&a.aabb) {
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

    /// A box of B in A's frame, larger by a margin \[m\], which holds its rounding.
    fn box_of_b(&self, of_b: &Aabb, margin: f64) -> Aabb {
        let center = self.turn * of_b.center() + self.a_from_b.translation;
        let half = self.spread * of_b.half_size() + DVec3::splat(margin);
        Aabb { min: center - half, max: center + half }
    }

    fn leaves(&mut self, a: &Node, b: &Node) {
        let shift = self.a_from_b.translation;
        for facet_b in b.faces() {
            let Some(of_b) = self.b.cap(facet_b) else { continue };
            let corners = of_b.corners.map(|x| self.turn * x + shift);
            let box_b = Aabb::from_points(corners);
            let bulge_b = of_b.bulge();
            let mut moved = None;
            for facet_a in a.faces() {
                let Some(cap_a) = self.a.cap(facet_a) else { continue };
                let margin = self.near + SLANT * (cap_a.bulge() + bulge_b);
                if !box_b.inflated(margin).meets(&Aabb::from_points(cap_a.corners)) {
                    continue;
                }
                let cap_b =
                    moved.get_or_insert_with(|| Cap { corners, ..of_b.sphere_moved(&self.turn, shift) });
                if is_off_plane(cap_a, cap_b, margin) || is_off_plane(cap_b, cap_a, margin) {
                    continue;
                }
                let plane = ContactPlane::between(cap_a, cap_b).ok();
                if let Some(plane) = plane
                    && plane.overlap.min(self.thickest) > self.deepest
                    && box_b.meets(&Aabb::from_points(cap_a.corners))
                    && !is_off_plane(cap_a, cap_b, 0.0)
                    && !is_off_plane(cap_b, cap_a, 0.0)
                {
                    self.deepest = plane.overlap.min(self.thickest);
                }
                let wake = self.wake(cap_a, cap_b, plane);
                if wake <= self.margins.skin {
                    self.pairs.push(Candidate { facets: [facet_a, facet_b], wake });
                }
            }
        }
    }

    /// How far the smaller body has to move at least before two caps touch \[m\], see [`super::Candidates`].
    fn wake(&self, a: &Cap, b: &Cap, plane: Option<ContactPlane>) -> f64 {
        if a.curvature < 0.0 || b.curvature < 0.0 {
            return 0.0;
        }
        // What has no axis now may have one.
        let Some(plane) = plane else { return 0.0 };
        let Margins { depth, gap, .. } = self.margins;
        // What the swells add to the overlap elsewhere on the facets.
        let swells = 2.0 * (a.greatest_swell() + b.greatest_swell());
        let height = plane.overlap + swells + SPHERE * gap;
        let shallow = plane.curvature - plane.bend.length();
        let fall = 2.0 * SPHERE / shallow;
        let beside = beside(a, &plane).max(beside(b, &plane));
        let least = (-0.5 * height).max(0.0);
        let left = beside - 4.0 * least;
        let mut shift = least;
        if left > 0.0 && left * left > fall * (height + 2.0 * least) {
            // Where beside - 4 x is the radius sqrt(fall (height + 2 x)), or the one at the greatest depth.
            let root = (fall * (8.0 * beside + fall + 16.0 * height)).sqrt();
            let meets = (beside * beside - fall * height) / (4.0 * beside + fall + root);
            let widest = (fall * (depth + gap)).sqrt();
            shift = meets.max(0.25 * (beside - widest));
        }
        let lever = self.lever(a, b) * (plane.curvature / shallow);
        ((shift - self.rounding) / lever * EARLIER).max(0.0)
    }

    /// How much farther than any vertex of the smaller body the centre of its cap's sphere may move.
    fn lever(&self, a: &Cap, b: &Cap) -> f64 {
        let (own, other, (middle, reach)) = if self.is_a_mover {
            (a, b, self.a.ball())
        } else {
            let (middle, reach) = self.b.ball();
            (b, a, (self.turn * middle + self.a_from_b.translation, reach))
        };
        let arm = match own.center() {
            Some(center) => center.distance(middle),
            // A plane tilts about the middle under the centre of the other sphere.
            None => other.curvature.recip(),
        };
        (arm / reach).max(1.0)
    }
}

/// How far a line along the plane's normal through its centre passes by a triangle \[m\], at least; negative if it goes through it.
fn beside(cap: &Cap, plane: &ContactPlane) -> f64 {
    // A side along the normal has no outside: what is no number is passed over.
    (0..3).map(|side| cap.beside(side, plane)).fold(f64::NEG_INFINITY, f64::max)
}

/// Whether a triangle lies farther than a distance from the plane of another, on one side of it.
fn is_off_plane(a: &Cap, b: &Cap, distance: f64) -> bool {
    let heights = b.corners.map(|x| (x - a.corners[0]).dot(a.normal));
    heights.iter().all(|h| *h > distance) || heights.iter().all(|h| *h < -distance)
}
