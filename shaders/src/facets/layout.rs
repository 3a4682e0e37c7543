//! `repr(C)` structures of the facet stages as the device sees them, in f32 and u32 only.
//!
//! Frames: a body's facets are counted from its packing origin, on the body's axes. A *pair frame* has A's axes and its
//! origin in the middle of the pair, so that numbers near the contact are small and A's places lose nothing by being moved.

use bytemuck::{Pod, Zeroable};

pub use crate::groups::{MAX_GROUPS, WORKGROUP};

/// Facets that share a box. Those of a body begin at a multiple of it, and a workgroup looks at as many of A's.
pub const GROUP: u32 = WORKGROUP;

/// Facets of a group that lie next to each other and share a smaller box.
pub const CLUSTER: u32 = 8;

/// Boxes of a group: that around all of it, and that around each of its clusters.
pub const BOXES: u32 = 1 + GROUP / CLUSTER;

/// Most facets that B may have: some drivers end a thread's loops after 65,535 turns without a word (llvmpipe), and a thread takes one for each group, for each of its clusters and for
/// every two facets of these at most.
pub const MAX_PARTNERS: u32 = 64_000;

const _: () = assert!(MAX_PARTNERS / 2 + MAX_PARTNERS / CLUSTER + MAX_PARTNERS / GROUP < u16::MAX as u32);

/// Most corners of what two triangles have in common.
pub const MAX_CORNERS: usize = 6;

/// The group of a pair that there is not, the facets of a doubt that was not met.
pub const NOWHERE: u32 = u32::MAX;

/// What a facet is told by that is less curved than its body, see [`Facet::is_cap`].
pub const FLATTENED: u32 = 2;

/// Laws of pressure, [`FacetPair::law`]. Maugis' has two coupled equations for its radii and no closed form along a side: it is
/// left to the processor.
pub mod law {
    /// Pressure is the local overlap times a stiffness.
    pub const LINEAR: u32 = 0;
    /// Hertz.
    pub const HERTZ: u32 = 1;
    /// Johnson, Kendall and Roberts.
    pub const JKR: u32 = 2;
}

/// Bits of [`FacetTouch::state`].
pub mod state {
    /// The facets act on each other.
    pub const TOUCHES: u32 = 1;
    /// They face each other, but their spheres have no contact: two planes, a ball in a socket that is not wider, or one sunk
    /// in by more than its radius. Whether that matters is for the processor to say.
    pub const REFUSED: u32 = 2;
    /// The first of the doubts that there are, see [`super::doubt`]; the others follow.
    pub const DOUBT: u32 = 4;
}

/// Places in [`FacetBlock::doubts`].
pub mod doubt {
    /// Contacts larger than the laws of small contacts hold for.
    pub const BEYOND_HERTZ: usize = 0;
    /// Spheres deeper in each other than candidates were looked for.
    pub const TOO_DEEP: usize = 1;
    /// Gaps at the end of the pressure that are wider than candidates were looked for.
    pub const RING_CUT: usize = 2;
    /// How many kinds there are.
    pub const N: usize = 3;
}

/// A triangle that stands for the cap of a sphere, on its body's axes, counted from the packing origin.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Facet {
    /// First corner \[m\].
    pub corner0: [f32; 3],
    /// Curvature of the sphere, the mean of both ways, positive where the body is convex \[1/m\].
    pub curvature: f32,
    /// Second corner, counter-clockwise seen from outside \[m\].
    pub corner1: [f32; 3],
    /// How far the cap rises from the triangle \[m\].
    pub bulge: f32,
    /// Third corner \[m\].
    pub corner2: [f32; 3],
    /// 0 for a place without a facet, [`FLATTENED`] for one that is less curved than its body.
    pub is_cap: u32,
    /// Point of the sphere above the circumcentre \[m\].
    pub apex: [f32; 3],
    /// The way along the cap in which it is most curved; its length squared is how much more than on the mean \[1/m\]. Zero for a sphere.
    pub ridge_x: f32,
    /// Unit normal of the triangle, outward.
    pub normal: [f32; 3],
    /// See `ridge_x`.
    pub ridge_y: f32,
    /// Unit normal of the sphere at the apex.
    pub axis: [f32; 3],
    /// See `ridge_x`.
    pub ridge_z: f32,
    /// By how much the body is higher than that between the corners, as its curvature changes: Bézier ordinates of the sides, two for each, near its first corner and
    /// near its second \[m\].
    pub swell: [f32; 4],
    /// Those of the last side.
    pub swell_last: [f32; 2],
    /// That of the middle \[m\].
    pub swell_middle: f32,
    /// Mean square of how far the triangle's points are from its middle, one way \[m²\].
    pub spread: f32,
}

/// The box around the triangles of [`GROUP`] or [`CLUSTER`] facets, [`BOXES`] of them for each group. One without facets has its lower corner above its upper one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetBox {
    /// Lower corner \[m\].
    pub lo: [f32; 3],
    /// Greatest rise of a cap from its triangle \[m\].
    pub bulge: f32,
    /// Upper corner \[m\].
    pub hi: [f32; 3],
    /// Fills the 16 bytes.
    pub pad: f32,
}

/// Two bodies: where they are, which facets they have, how they press on each other.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetPair {
    /// Rows of the map from A's packing coordinates to the pair frame: axes and, last, translation \[m\].
    pub frame_from_a: [[f32; 4]; 3],
    /// The same for B.
    pub frame_from_b: [[f32; 4]; 3],
    /// First facet of A and of B, multiples of [`GROUP`].
    pub first: [u32; 2],
    /// Number of facets of A and of B.
    pub n: [u32; 2],
    /// What caps may be apart for facets to be candidates, the rounding of their places included \[m\].
    pub near: f32,
    /// Overlap of two spheres beyond which other facets may be missing \[m\].
    pub depth: f32,
    /// Gap at the end of the pressure beyond which other facets may be missing \[m\].
    pub gap: f32,
    /// The first of the groups of A's facets, of those of all pairs; pairs are in the order of it.
    pub first_group: u32,
    /// See [`law`].
    pub law: u32,
    /// 1 if the bodies touched before.
    pub in_touch: u32,
    /// Stiffness of the linear law \[Pa/m\], E* of the others \[Pa\].
    pub modulus: f32,
    /// Work of adhesion \[J/m²\].
    pub work: f32,
}

impl FacetPair {
    /// Groups of A's facets.
    pub fn n_groups(&self) -> u32 {
        self.n[0].div_ceil(GROUP)
    }
}

/// What the stages work on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetRound {
    /// Number of pairs.
    pub n_pairs: u32,
    /// Groups of A's facets of all pairs.
    pub n_groups: u32,
    /// Places for candidates. Where more are wanted no block holds any force.
    pub cap: u32,
    /// 1 if polygons are wanted.
    pub with_polygons: u32,
    /// Number of bodies of a stretch of sub-steps.
    pub n_bodies: u32,
    /// The sub-step of the stretch.
    pub index: u32,
    /// Length of its sub-steps \[s\].
    pub length: f32,
    /// Time that the bodies have moved since they were kicked last \[s\].
    pub since_kick: f32,
    /// Time since the stretch began \[s\].
    pub time: f32,
    /// Stiffness over mass that a sub-step can carry \[1/s²\].
    pub most_stiff: f32,
    /// Coefficient of dampers over mass that it can carry \[1/s\].
    pub most_damped: f32,
    /// 0, which no driver knows: see `kept` in `plane.wgsl`.
    pub zero: u32,
}

impl FacetRound {
    /// The same with the numbers of pairs, groups, places and bodies of another one.
    #[must_use]
    pub fn sized_as(&self, sizes: &Self) -> Self {
        let Self { n_pairs, n_groups, cap, with_polygons, n_bodies, .. } = *sizes;
        Self { n_pairs, n_groups, cap, with_polygons, n_bodies, ..*self }
    }
}

/// Two facets that may touch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Candidate {
    /// The pair.
    pub pair: u32,
    /// Facet of A, counted among A's.
    pub a: u32,
    /// Facet of B, counted among B's.
    pub b: u32,
}

/// How two facets touch, in the pair frame; all zeros but for the state if they do not.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetTouch {
    /// Unit normal of the plane in which the spheres meet, from A to B.
    pub normal: [f32; 3],
    /// Integral of the pressure over the polygon \[N\].
    pub force: f32,
    /// Where the axis of the spheres crosses the plane \[m\].
    pub center: [f32; 3],
    /// Area of the polygon within the contact radius \[m²\].
    pub area: f32,
    /// Moment of `push` about the centre \[N m\].
    pub moment: [f32; 3],
    /// Overlap of the spheres at the polygon's nearest point \[m\].
    pub overlap: f32,
    /// Point of the polygon nearest to the centre \[m\].
    pub nearest: [f32; 3],
    /// The polygon's part of the contact radius \[m\].
    pub grip: f32,
    /// Force on B \[N\].
    pub push: [f32; 3],
    /// Radius of gyration about the contact's axis of the traction that answers a rigid shift of all of it \[m\].
    pub gyration: f32,
    /// Overlap of the spheres on their axis \[m\].
    pub depth: f32,
    /// Energy that is held over the polygon, 0 for laws that draw \[J\].
    pub energy: f32,
    /// Corners of the polygon.
    pub n_corners: u32,
    /// Bits of [`state`].
    pub state: u32,
}

/// What two triangles have in common in their plane of contact, pair frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetPolygon {
    /// Corners, counter-clockwise about the normal \[m\]; the fourth coordinate, and corners that there are not, are 0.
    pub corners: [[f32; 4]; MAX_CORNERS],
}

/// How often something was met in a pair, and where first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct FacetDoubt {
    /// Number of candidates.
    pub n: u32,
    /// Facet of A of the first of them, or [`NOWHERE`].
    pub a: u32,
    /// Facet of B.
    pub b: u32,
}

impl Default for FacetDoubt {
    fn default() -> Self {
        Self { n: 0, a: NOWHERE, b: NOWHERE }
    }
}

/// What two bodies do to each other, in the pair frame: the force on B and its moment; what A feels is the negative of both.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FacetBlock {
    /// Force on B \[N\].
    pub force: [f32; 3],
    /// Area in contact \[m²\].
    pub area: f32,
    /// Its moment about the frame's origin \[N m\].
    pub moment: [f32; 3],
    /// Greatest overlap at a nearest point \[m\].
    pub deepest: f32,
    /// Candidates that act on each other.
    pub n_facets: u32,
    /// Candidates that face each other without a law: the pair is for the processor.
    pub n_refused: u32,
    /// Candidates of all pairs together. If there was no room for them, nothing else in the block has a meaning.
    pub n_wanted: u32,
    /// Candidates of this pair.
    pub n_candidates: u32,
    /// What is doubtful, see [`doubt`].
    pub doubts: [FacetDoubt; doubt::N],
    /// Fills the 16 bytes.
    pub pad0: u32,
    /// Fills the 16 bytes.
    pub pad1: u32,
    /// Fills the 16 bytes.
    pub pad2: u32,
}
