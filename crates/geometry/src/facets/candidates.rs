//! Pairs of facets that may touch, found once for many nearby positions.

use glam::DVec3;
use smallvec::SmallVec;

use super::rounded::RoundedMesh;
use super::walk::Walk;
use crate::Pose;

/// What caps may be apart over the larger margin: spheres fall off by up to 7.2 % more than the parabolas of
/// [`super::Pressure::range`] at half of their radius.
pub(super) const SPHERE: f64 = 1.08;

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

/// Pairs of facets of two bodies A and B that hold all that touch while the one of less reach moves by less than the skin in the
/// other's frame. It is called B here; a plate of kilometres turns by nothing as seen from a grain, but its far end moves.
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
/// **Which of them are not, and when the others are looked at.** Boxes near each other say little where caps are round: of two convex
/// caps the spheres' axis has to go through both triangles, or by within the radius of the contact. While B moves, the centre of
/// its sphere moves by at most s, what any vertex moves or as much more as it is farther out than B's farthest vertex; the
/// overlap on the axis changes by at most 2 s (a plane is lifted and tilted), where the axis leaves the spheres by 2 s, the
/// triangles by s, and what lies off the contact's plane, by less than a radius, is seen by s elsewhere along the tilted axis. So
/// caps with the overlap delta now, whose axis passes by either triangle at a distance x, do not touch before
///
/// ```text
/// delta + 2 s >= -1.08 gap    and    x - 4 s <= sqrt(2 * 1.08 R* min(delta + 1.08 gap + 2 s, depth + gap)).
/// ```
///
/// Where caps are bent the gap's least curvature stands for 1/R* in the radius, and the pole moves by as much farther as that is less than the mean
/// ([`super::ContactPlane`]). What the caps' swells add to the overlap at most, and take from it now, counts as more of it.
///
/// The least such s of each pair is kept with it: pairs beyond the skin are left out, and of the others only those are looked at that
/// B has moved far enough for ([`Candidates::awake`]). Bodies at rest on each other thus cost no more than the facets that touch,
/// and a wide skin costs little.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// By their wakes: those that are looked at lie in front of the others.
    pairs: Vec<Candidate>,
    margins: Margins,
    /// How the body of less reach was placed in the other's frame.
    mover: Mover,
    /// What positions may be off \[m\].
    rounding: f64,
    /// What the meshes are known by.
    meshes: [u64; 2],
}

/// Pairs of facets that are looked at, without memory of their own for as many as most contacts have.
pub type Awake = SmallVec<[[u32; 2]; 16]>;

/// A pair of facets that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The facets, of A and of B.
    pub facets: [u32; 2],
    /// How far the smaller body has to move before they touch, at least \[m\].
    pub wake: f64,
}

/// The body of less reach, as it was in the other's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mover {
    is_a: bool,
    /// Its place.
    other_from_mover: Pose,
    /// Middle of it in its own frame and in the other's, and distance of its farthest vertex from there \[m\].
    middle: DVec3,
    middle_seen: DVec3,
    reach: f64,
}

impl Mover {
    fn of(a: &RoundedMesh, w_from_a: &Pose, b: &RoundedMesh, w_from_b: &Pose) -> Self {
        let is_a = a.ball().1 < b.ball().1;
        let (middle, reach) = if is_a { a.ball() } else { b.ball() };
        let other_from_mover = seen(is_a, w_from_a.relative(w_from_b));
        Self { is_a, other_from_mover, middle, middle_seen: other_from_mover.point(middle), reach }
    }

    /// How far any point of it has moved since, at most \[m\].
    fn moved(&self, a_from_b: &Pose) -> f64 {
        let now = seen(self.is_a, *a_from_b);
        let turn = self.other_from_mover.rotation.conjugate() * now.rotation;
        let chord = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
        now.point(self.middle).distance(self.middle_seen) + chord * self.reach
    }
}

/// The body that moves in the other's frame.
fn seen(is_a: bool, a_from_b: Pose) -> Pose {
    if is_a { a_from_b.inverse() } else { a_from_b }
}

impl Candidates {
    /// Finds the pairs by walking both trees.
    ///
    /// Bodies whose surfaces cross may be deeper in each other than the margin: their facets that touch are then far from each other, and
    /// nothing else would tell. So where triangles cross whose spheres overlap by more, that becomes the margin.
    ///
    /// The poses have to be finite and the margins finite and not negative; with others the list is empty and never holds.
    pub fn find(
        a: &RoundedMesh,
        w_from_a: &Pose,
        b: &RoundedMesh,
        w_from_b: &Pose,
        mut margins: Margins,
    ) -> Self {
        let a_from_b = w_from_a.relative(w_from_b);
        let mut walk = Walk::new(a, b, &a_from_b, &margins);
        walk.run();
        if walk.deepest > margins.depth {
            margins.depth = walk.deepest;
            walk = Walk::new(a, b, &a_from_b, &margins);
            walk.run();
        }
        walk.pairs.sort_unstable_by(|a, b| a.wake.total_cmp(&b.wake).then(a.facets.cmp(&b.facets)));
        Self {
            pairs: walk.pairs,
            margins,
            mover: Mover::of(a, w_from_a, b, w_from_b),
            rounding: walk.rounding,
            meshes: [a, b].map(RoundedMesh::fingerprint),
        }
    }

    /// The list of bodies of which is known, from whatever source, that no facets are within the margins.
    pub fn none(
        a: &RoundedMesh,
        w_from_a: &Pose,
        b: &RoundedMesh,
        w_from_b: &Pose,
        margins: Margins,
    ) -> Self {
        let rounding = Walk::new(a, b, &w_from_a.relative(w_from_b), &margins).rounding;
        let mover = Mover::of(a, w_from_a, b, w_from_b);
        let meshes = [a, b].map(RoundedMesh::fingerprint);
        Self { pairs: Vec::new(), margins, mover, rounding, meshes }
    }

    /// The pairs, those that touch soonest first.
    pub fn pairs(&self) -> &[Candidate] {
        &self.pairs
    }

    /// The pairs that may touch once the smaller body has moved so far \[m\], in the order of A's facets, then of B's.
    pub fn awake(&self, moved: f64) -> Awake {
        let reached = moved + self.rounding;
        let mut awake: Awake =
            self.pairs.iter().take_while(|pair| pair.wake <= reached).map(|pair| pair.facets).collect();
        awake.sort_unstable();
        awake
    }

    /// How far the smaller body has to move before any pair touches, at least \[m\]: infinite where there is none.
    pub fn least_wake(&self) -> f64 {
        self.pairs.first().map_or(f64::INFINITY, |pair| pair.wake)
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
        self.meshes == [a, b].map(RoundedMesh::fingerprint)
    }

    /// How far any point of the body of less reach has moved in the other's frame since the list was made, at most \[m\].
    pub fn moved(&self, w_from_a: &Pose, w_from_b: &Pose) -> f64 {
        self.moved_to(&w_from_a.relative(w_from_b))
    }

    /// The same for where B is in A's frame.
    pub(super) fn moved_to(&self, a_from_b: &Pose) -> f64 {
        self.mover.moved(a_from_b)
    }

    /// Whether A is the body of less reach, whose way counts.
    pub fn is_a_smaller(&self) -> bool {
        self.mover.is_a
    }

    /// Distance from a point of the body of less reach, in its own frame, within which all lies that [`Candidates::moved`] takes for that
    /// body \[m\]: while it turns about the point by chords that sum up to c at a distance of one, `moved` grows by at most c times this.
    pub fn reach_from(&self, point: DVec3) -> f64 {
        self.mover.middle.distance(point) + self.mover.reach
    }

    /// Whether the list holds after such a way \[m\]; not for what is no number.
    pub fn holds_after(&self, moved: f64) -> bool {
        moved <= self.margins.skin + self.rounding
    }

    /// Whether the list holds no longer at these poses and has to be made anew.
    pub fn is_stale(&self, w_from_a: &Pose, w_from_b: &Pose) -> bool {
        !self.holds_after(self.moved(w_from_a, w_from_b))
    }
}

/// What caps may be apart along the contact's axis, either way, for a list with these margins to hold them \[m\].
pub(super) fn farthest_caps(margins: &Margins) -> f64 {
    SPHERE * margins.depth.max(margins.gap)
}
