//! `repr(C)` structures as the device sees them, in f32 and u32 only.
//!
//! A WGSL `vec3<f32>` is aligned to 16 bytes; each structure here therefore follows it by a scalar of its own or holds
//! plain arrays. A test compares every member's offset with the one naga gives the WGSL structure of the same name.
//!
//! Frames: body axes are a mesh's own, counted from its packing origin. The *pair frame* has its origin near the
//! overlap. *Box coordinates* run from 0 to 1 across the pair's box in the pair frame, axis by axis.

use bytemuck::{Pod, Zeroable};

pub use crate::groups::{MAX_GROUPS, WORKGROUP};

/// Triangles of a cluster, threads of a workgroup.
pub const CLUSTER: usize = 64;

// One thread for each triangle of a cluster, or each ray of a tile.
const _: () = assert!(WORKGROUP as usize == CLUSTER && WORKGROUP == TILE * TILE);

/// Rays along each side of a tile; a workgroup sweeps one tile of `TILE * TILE` rays.
pub const TILE: u32 = 8;

/// Crossings that a ray can hold; a pair with a longer list is void and says so.
pub const LIST_CAP: u32 = 16;

/// Parts of a direction's rays that [`RaySums::columns`] and [`RaySums::rows`] of a pair have a bit for each.
pub const SLICES: u32 = 32;

/// Directions in which the patch is supported, evenly around the contact normal.
pub const SUPPORTS: u32 = 32;

/// [`SUPPORTS`] in the contact plane and both ways along the normal.
pub const SUPPORT_SLOTS: u32 = SUPPORTS + 2;

/// Rays of one direction that a triangle may cover before its rays are shared out by tiles.
pub const LARGE_TRIANGLE: u32 = 64;

/// Words of [`super::Buffer::Bounds`] per body of a pair: the box's lower and upper corner, eight windings and two more.
pub const BOUNDS: usize = 16;

/// Places of the words that [`BOUNDS`] counts; the lower corner comes first.
pub mod bound {
    /// The upper corner.
    pub const UPPER: usize = 3;
    /// The windings of the box's corners.
    pub const WINDINGS: usize = 6;
    /// Number of the box's corners.
    pub const N_CORNERS: usize = 8;
    /// Among the words of A: 1 where triangles of both bodies may cross in the box.
    pub const CLASH: usize = 14;
}

/// Words of [`super::Buffer::Counters`].
pub mod counter {
    /// Items.
    pub const ITEMS: usize = 0;
    /// Large items.
    pub const LARGE: usize = 1;
    /// The most large items that any round wanted.
    pub const LARGE_WANTED: usize = 2;
    /// Number of counters.
    pub const N: usize = 3;
}

/// Words of [`super::Buffer::Arguments`].
pub mod argument {
    /// Where the workgroups for the items begin.
    pub const ITEMS: usize = 0;
    /// Where those for the large items begin.
    pub const LARGE: usize = 4;
    /// From there, past the three sides of the dispatch, to the number of items.
    pub const COUNT: usize = 3;
    /// Number of words.
    pub const N: usize = 8;
}

/// Words of [`super::Buffer::Spans`] per pair.
pub mod span {
    use super::{SUPPORT_SLOTS, sum};

    /// Two words for each of [`sum`] of each direction: fixed point.
    pub const SUMS: usize = 0;
    /// For each of [`SUPPORT_SLOTS`] the farthest place, and the place across where it is.
    pub const SUPPORTS: usize = SUMS + 3 * 2 * sum::N;
    /// The box around the points, in box coordinates: the bits of the lower corner's, all turned round, and those of the upper
    /// corner's.
    pub const BOUNDS: usize = SUPPORTS + SUPPORT_SLOTS as usize;
    /// Slices across each axis that may hold a part of the overlap, as in [`super::ContactBlock::slices`].
    pub const SLICES: usize = BOUNDS + 6;
    /// 1 where there was too much to look at.
    pub const OVERFLOW: usize = SLICES + 3;
    /// Number of words.
    pub const N: usize = OVERFLOW + 1;
}

/// Bits of the words that rays hold: in [`super::Buffer::Counts`] the number of crossings and, above it, the windings of A and of
/// B; in [`super::Buffer::Lists`] the depth of a crossing, whether it enters, and the body.
pub mod ray_bit {
    /// Bits of the number of crossings.
    pub const COUNT: u32 = 16;
    /// Bits of each winding.
    pub const WINDING: u32 = 8;
    /// Mask of the number of crossings.
    pub const COUNT_MASK: u32 = (1 << COUNT) - 1;
    /// Mask of a crossing's depth.
    pub const DEPTH_MASK: u32 = !3;
}

/// Bits of [`PairFrame::state`].
pub mod state {
    /// The two bodies are apart: the box is empty, or no ray met an overlap, no triangles cross and neither body is inside the
    /// other.
    pub const EMPTY: u32 = 1;
    /// The third axis of the frame is the contact normal, so rays along it alone carry the volume.
    pub const ALIGNED: u32 = 2;
    /// The axes of the frame are not to be turned.
    pub const FIXED: u32 = 4;
    /// The box is one of several cells, at whose faces the bodies may go on.
    pub const CELL: u32 = 8;
}

/// What a [`Cluster`] says of the shells of its mesh: connected pieces of its surface.
pub mod shell {
    /// Nothing: the clusters of the mesh may hold triangles of several shells.
    pub const UNKNOWN: u32 = 0;
    /// All triangles are of the shell that the cluster before it has.
    pub const SAME: u32 = 1;
    /// All triangles are of one shell, of which no cluster before it has any.
    pub const NEXT: u32 = 2;
}

/// Sixty-four triangles, counter-clockwise seen from outside, coordinate by coordinate.
///
/// `corners[3 * k + c][t]` is coordinate `c` of corner `k` of triangle `t`, so that neighbouring threads read
/// neighbouring words. Unused places repeat one point thrice: such a triangle crosses no ray.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ClusterTriangles {
    /// Body axes, from the packing origin \[m\].
    pub corners: [[f32; CLUSTER]; 9],
    /// What corners are more than `corners` says, in the mesh's unit: of coordinate `c` of corner `k` of triangle `t` the byte `c` of
    /// `low[k][t]`, with its sign. See `fixed.rs`.
    pub low: [[u32; CLUSTER]; 3],
}

/// The box around a cluster's triangles or around other boxes, body axes, from the packing origin \[m\].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Cluster {
    /// Lower corner.
    pub lo: [f32; 3],
    /// See [`shell`].
    pub shell: u32,
    /// Upper corner.
    pub hi: [f32; 3],
    /// Fills the 16 bytes.
    pub pad: f32,
}

/// Which meshes a pair holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct PairMeshes {
    /// First cluster of A and of B.
    pub first: [u32; 2],
    /// Number of clusters of A and of B.
    pub n: [u32; 2],
    /// Where the boxes of A and of B begin: of their clusters, then of all levels above.
    pub boxes: [u32; 2],
}

impl PairMeshes {
    /// The pair of two meshes.
    pub fn of(meshes: [MeshPlace; 2]) -> Self {
        Self {
            first: meshes.map(|mesh| mesh.first),
            n: meshes.map(|mesh| mesh.n),
            boxes: meshes.map(|mesh| mesh.boxes),
        }
    }
}

/// Where a mesh is in the stages' buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshPlace {
    /// Its first cluster of triangles.
    pub first: u32,
    /// How many clusters it has.
    pub n: u32,
    /// The first of its boxes.
    pub boxes: u32,
}

/// Where a pair's bodies and box are. The host writes it, the device tightens the box and may turn the axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct PairFrame {
    /// Rows of the map from A's packing coordinates to the pair frame: axes and, last, translation \[m\].
    pub frame_from_a: [[f32; 4]; 3],
    /// The same for B.
    pub frame_from_b: [[f32; 4]; 3],
    /// Lower corner of the box, pair frame \[m\].
    pub lo: [f32; 3],
    /// Bits of [`state`].
    pub state: u32,
    /// Upper corner of the box.
    pub hi: [f32; 3],
    /// Largest distance of a body's point from the pair frame's origin: what rounding is a part of \[m\].
    pub reach: f32,
    /// One over the box's sides \[1/m\].
    pub scale: [f32; 3],
    /// Fills the 16 bytes.
    pub pad: f32,
    /// The axes of `frame_from_a` in 2⁻³⁰, and last the high word of the translation in 2⁻³⁰ of A's unit, for stages that place corners
    /// by whole numbers. The device turns `frame_from_a`, not these.
    pub fixed_from_a: [[i32; 4]; 3],
    /// The same for B.
    pub fixed_from_b: [[i32; 4]; 3],
    /// Low word of A's translation.
    pub low_a: [u32; 3],
    /// A's unit, a power of two \[m\]; see [`ClusterTriangles::low`].
    pub unit_a: f32,
    /// Low word of B's translation.
    pub low_b: [u32; 3],
    /// B's unit.
    pub unit_b: f32,
}

/// Bit of [`Round::columns`]: what is below the box's corners along the third axis counts.
pub const CORNERS: u32 = 8;

/// What one round of stages works on. Rays along axis `d` form a square of `rays[d]` a side over the next two axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Round {
    /// Rays along a side of each direction's square: a power of two, a multiple of [`TILE`].
    pub rays: [u32; 3],
    /// Number of pairs.
    pub n_pairs: u32,
    /// First tile of each direction within a pair.
    pub first_tile: [u32; 3],
    /// Tiles of a pair, all directions.
    pub n_tiles: u32,
    /// Bit `d` set: triangles below the box in direction `d` count. [`CORNERS`] set: those below its corners.
    pub columns: u32,
    /// 1 in the round that finds the axes, which leaves aligned pairs alone.
    pub coarse: u32,
    /// Places for large triangles, or for clusters that meet.
    pub large_cap: u32,
    /// 1 where the points that span an overlap are wanted as its support, 0 where their box is.
    pub spans: u32,
}

impl Round {
    /// A round with `along` rays a side across the normal (that is, running along it) and `across` for the two others.
    pub fn new(n_pairs: u32, across: u32, along: u32, large_cap: u32) -> Self {
        let rays = [across, across, along];
        let tiles = rays.map(|n| (n / TILE) * (n / TILE));
        Self {
            rays,
            n_pairs,
            first_tile: [0, tiles[0], tiles[0] + tiles[1]],
            n_tiles: tiles.iter().sum(),
            columns: 0b111,
            coarse: 0,
            large_cap,
            spans: 0,
        }
    }
}

/// A cluster that a pair has to look at.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct Item {
    /// Twice the pair's slot, plus 1 for its body B.
    pub side: u32,
    /// The cluster.
    pub cluster: u32,
}

/// One tile of rays of a triangle that covers many.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct LargeItem {
    /// Twice the pair's slot, plus 1 for its body B.
    pub side: u32,
    /// Cluster times [`CLUSTER`] plus place in it.
    pub triangle: u32,
    /// Direction of the rays.
    pub direction: u32,
    /// Tile within the direction, row by row.
    pub tile: u32,
}

/// Places in [`RaySums::sums`].
///
/// Box coordinates from the box's centre: `x`, `y` are a ray's place along the two axes after its own, `z` a depth
/// along it; `s` is +1 at the upper and -1 at the lower end of an interval of the overlap.
pub mod sum {
    /// `∑ s z`.
    pub const LENGTH: usize = 0;
    /// `∑ s z x`.
    pub const LENGTH_X: usize = 1;
    /// `∑ s z y`.
    pub const LENGTH_Y: usize = 2;
    /// `∑ s z²/2`.
    pub const SQUARE: usize = 3;
    /// `∑ s z x²`.
    pub const LENGTH_XX: usize = 4;
    /// `∑ s z y²`.
    pub const LENGTH_YY: usize = 5;
    /// `∑ s z³/3`.
    pub const CUBE: usize = 6;
    /// `∑ s z x y`.
    pub const LENGTH_XY: usize = 7;
    /// `∑ s z²/2 y`.
    pub const SQUARE_Y: usize = 8;
    /// `∑ s z²/2 x`.
    pub const SQUARE_X: usize = 9;
    /// `∑ s` over ends on A's surface: the area vector's part along the rays.
    pub const AREA: usize = 10;
    /// `∑ s x` over ends on A.
    pub const AREA_X: usize = 11;
    /// `∑ s y` over ends on A.
    pub const AREA_Y: usize = 12;
    /// `∑ s z` over ends on A.
    pub const AREA_Z: usize = 13;
    /// Number of ends on A's surface.
    pub const ENDS_A: usize = 14;
    /// Number of ends on B's surface.
    pub const ENDS_B: usize = 15;
    /// Number of intervals that one body's surface opens and the other's closes.
    pub const MIXED: usize = 16;
    /// Number of rays whose list was too short.
    pub const OVERFLOW: usize = 17;
    /// Number of rays that saw more ways out of a body than into it.
    pub const NEGATIVE: usize = 18;
    /// Number of rays that end inside a body; none where the box holds both bodies whole.
    pub const OPEN: usize = 19;
    /// [`LENGTH`] over every second ray of every second row: what half as many rays would have found, to judge by.
    pub const QUARTER_LENGTH: usize = 20;
    /// [`AREA`] over the same rays.
    pub const QUARTER_AREA: usize = 21;

    // Sums over triangles alone, in places that only rays need: workgroup memory has no room for more.

    /// [`AREA`] over ends on B's surface.
    pub const AREA_B: usize = OPEN;
    /// The plain area of A's surface that ends are on: what is seen of a triangle along the rays, as often as its normal has of
    /// them. Over three directions these parts add up to all of it.
    pub const PLAIN_A: usize = NEGATIVE;
    /// The same of B's.
    pub const PLAIN_B: usize = QUARTER_AREA;
    /// What the lower face of the box has of both bodies. `total` hands it on as [`super::RaySums::longest`].
    pub const FLOOR: usize = MIXED;
    /// How many there are.
    pub const N: usize = 22;
}

/// Sums over rays along one direction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct RaySums {
    /// See [`sum`].
    pub sums: [f32; sum::N],
    /// Longest interval, as a part of the box's side.
    pub longest: f32,
    /// Which of 32 slices across the axis after the rays' own hold a part of the overlap. In the sums of a tile: which
    /// of its 8 columns.
    pub columns: u32,
    /// The same across the axis before the rays' own; in the sums of a tile: its rows.
    pub rows: u32,
}

/// What the rays found of a pair: sums in box coordinates from the box's centre, and the frame they belong to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ContactBlock {
    /// Rows of the map from A's packing coordinates to the frame that was used; [`PairFrame::frame_from_a`].
    pub frame_from_a: [[f32; 4]; 3],
    /// Lower corner of the box \[m\].
    pub lo: [f32; 3],
    /// Bits of [`state`].
    pub state: u32,
    /// Upper corner of the box \[m\].
    pub hi: [f32; 3],
    /// Volume as a part of the box's.
    pub volume: f32,
    /// First moment.
    pub moment: [f32; 3],
    /// Longest interval along the third axis, as a part of the box's side.
    pub longest: f32,
    /// Second moments xx, yy, zz.
    pub second_diagonal: [f32; 3],
    /// Number of rays with too many crossings.
    pub overflow: f32,
    /// Second moments xy, yz, zx.
    pub second_mixed: [f32; 3],
    /// Number of rays that saw more ways out of a body than into it.
    pub negative: f32,
    /// `∫ n dS` over A's surface inside B; component `d` in units of the box's face across axis `d`.
    pub area: [f32; 3],
    /// Number of rays that end inside a body.
    pub open: f32,
    /// Row `i`, component `d`: `∫ x_i n_d dS` over A's surface inside B, in units of the same face. The fourth is the part of the box's
    /// lower face across axis `i` that is in both bodies; 0 by rays. What the upper face has follows, as what bounds an overlap in a
    /// box is closed.
    pub arms: [[f32; 4]; 3],
    /// Contact normal from A to B in the frame; zero without one.
    pub normal: [f32; 3],
    /// [`ContactBlock::volume`] from a quarter of the rays.
    pub quarter_volume: f32,
    /// [`ContactBlock::area`] from a quarter of the rays.
    pub quarter_area: [f32; 3],
    /// `∫ dS` over A's surface inside B, in units of the box's largest face; 0 by rays, which do not know it.
    pub plain_a: f32,
    /// First tangent axis in the frame.
    pub tangent: [f32; 3],
    /// The same over B's surface inside A.
    pub plain_b: f32,
    /// `∫ n dS` over B's surface inside A, in units of the box's faces; 0 by rays.
    pub area_b: [f32; 3],
    /// Fills the 16 bytes.
    pub pad0: f32,
    /// `∫ |n_d| dS` over A's surface inside B, in units of the face across axis `d`.
    pub cover_a: [f32; 3],
    /// Fills the 16 bytes.
    pub pad1: f32,
    /// The same over B's surface inside A.
    pub cover_b: [f32; 3],
    /// Fills the 16 bytes.
    pub pad2: f32,
    /// Which of 32 slices across each axis hold a part of the overlap.
    pub slices: [u32; 3],
    /// Fills the 16 bytes.
    pub pad3: u32,
    /// Support points of the patch in the contact plane, about the centroid, counter-clockwise \[m\]; then the extent
    /// along the normal: (lowest, highest), twice.
    pub supports: [[f32; 2]; SUPPORT_SLOTS as usize],
}

impl ContactBlock {
    /// The block of a pair whose bodies cannot meet.
    pub fn empty() -> Self {
        Self { state: state::EMPTY, ..Self::zeroed() }
    }
}
