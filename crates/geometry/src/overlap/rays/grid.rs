//! The axes and cells in which a pair is measured.

use glam::{DMat3, DVec2, DVec3};
use tactum_shaders::rays::layout::{ContactBlock, SUPPORTS, state};

use super::RayBody;
use super::reading::askew_cells;
use crate::Aabb;
use crate::pose::turn_onto;

/// Number of slices across each axis of a box that a measurement marks as filled or not.
const SLICES: u32 = 32;

/// Shortest run of empty slices worth a cut: an eighth of the box.
const MIN_GAP: u32 = SLICES / 8;

/// Most cells of a pair, which bounds what is spent on one that rays will not tell in the end.
const MOST_CELLS: usize = 32;

/// Most cells of a pair that is measured by triangles: they take half of the memory that one cell takes by rays. A ring takes sixteen.
const MOST_CELLS_OF_TRIANGLES: usize = 128;

/// Part of a cell's surface that has to face both ways along an axis for the cell to be halved across it.
const FACES_BOTH_WAYS: f64 = 0.1;

/// Part of a cell's surface that has to be seen along an axis for a cut across the axis to leave less of it on one side.
const SEEN: f64 = 0.2;

/// Room around a box that a cell is tightened to, as a part of it: more than 32-bit numbers move it.
const MARGIN: f64 = 0.1;

/// How many times as large as the least around it the box of an overlap may be. Depths are rounded to 1.2e-7 of a box, which makes 4e-4 of
/// the second moment of what is a sixteenth as thick.
const LARGE: f64 = 16.0;

/// Least size of an overlap across, as a part of its length, that is told from none.
const THIN: f64 = 1e-6;

/// Cosine of the angle up to which normals of several cells are one: a tenth of a radian, as of bodies that rest on a plane.
const COMMON: f64 = 0.995;

/// Turn of the normal above which the axes are worth turning: a tenth of a degree \[rad\].
const MIN_TURN: f64 = 1.7e-3;

/// The axes along which a pair's rays run, and the cells of space that get rays of their own.
///
/// A pair that touches at several places far from each other would have most of its rays pass between them. Cells cut
/// space at such gaps; as they fill all of it, nothing is lost and their sums add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Axes,
    /// Boxes in the frame's axes about A's origin; outer sides are at infinity \[m\].
    cells: Vec<Aabb>,
    /// Whether a cell may end where the overlap goes on. Rays may have missed something in a gap; triangles have not.
    cuts_overlap: bool,
    most_cells: usize,
}

/// How a pair's axes are known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    /// Not at all: the device finds them.
    Unknown,
    /// The third is the contact normal. Columns are the axes in A's frame.
    Aligned(DMat3),
    /// There is no normal to turn to.
    Fixed(DMat3),
}

impl Axes {
    /// Those that the device found.
    fn found(block: &ContactBlock) -> Self {
        let axes = axes_of(block);
        if block.state & state::ALIGNED != 0 { Self::Aligned(axes) } else { Self::Fixed(axes) }
    }
}

/// A grid of which some cells were cut.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The grid.
    pub grid: Grid,
    /// What was measured of each of its cells that is as it was.
    pub kept: Vec<Option<ContactBlock>>,
}

impl Default for Grid {
    /// What a pair is first measured in: one cell, in axes that the device finds.
    fn default() -> Self {
        Self {
            axes: Axes::Unknown,
            cells: vec![Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }],
            cuts_overlap: true,
            most_cells: MOST_CELLS,
        }
    }
}

impl Grid {
    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// The frame's axes in A's frame, as columns; `None` where they are not known.
    pub(super) fn a_from_frame(&self) -> Option<DMat3> {
        match self.axes {
            Axes::Unknown => None,
            Axes::Aligned(axes) | Axes::Fixed(axes) => Some(axes),
        }
    }

    /// What the device is told of axes and cells.
    pub(super) fn state(&self) -> u32 {
        let axes = match self.axes {
            Axes::Unknown => 0,
            Axes::Aligned(_) => state::ALIGNED | state::FIXED,
            Axes::Fixed(_) => state::FIXED,
        };
        if self.cells.len() > 1 && self.cuts_overlap { axes | state::CELL } else { axes }
    }

    /// The cells, in the frame's axes about A's origin \[m\].
    pub(super) fn cells(&self) -> &[Aabb] {
        &self.cells
    }

    /// The grid cut at the widest gaps that its cells' `blocks` show; `None` if there are none.
    pub fn cut(&self, blocks: &[ContactBlock], a: &RayBody) -> Option<Refined> {
        self.refined(blocks, |_, block| gap(block).map(|(axis, part)| (axis, place_in(block, a, axis, part))))
    }

    /// The grid with every cell no larger than the box that its block was measured in.
    #[must_use]
    pub fn tightened(mut self, blocks: &[ContactBlock], a: &RayBody) -> Self {
        let measured = |(_, block): &(&mut Aabb, &ContactBlock)| block.state & state::EMPTY == 0;
        for (cell, block) in self.cells.iter_mut().zip(blocks).filter(measured) {
            let corner = |part: f64| DVec3::from([0, 1, 2].map(|axis| place_in(block, a, axis, part)));
            *cell = cell.intersection(&Aabb { min: corner(-MARGIN), max: corner(1.0 + MARGIN) });
        }
        self
    }

    /// The grid with cells cut where there are gaps, and those halved in which the bodies press on each other from several sides; `None` if
    /// there are none, or too many.
    pub fn divided(&self, blocks: &[ContactBlock], a: &RayBody) -> Option<Refined> {
        let askew = askew_cells(blocks, a);
        let mut cuts_overlap = self.cuts_overlap;
        let mut divided = self.refined(blocks, |ix, block| {
            let (axis, part) = gap(block).or_else(|| {
                cuts_overlap |= askew[ix];
                askew[ix].then(|| (halving(block), 0.5))
            })?;
            Some((axis, place_in(block, a, axis, part)))
        })?;
        divided.grid.cuts_overlap = cuts_overlap;
        Some(divided)
    }

    /// Cuts cells across an axis at a place of it. Where there is no more room, the rest stays whole.
    fn refined(
        &self,
        blocks: &[ContactBlock],
        mut wanted: impl FnMut(usize, &ContactBlock) -> Option<(usize, f64)>,
    ) -> Option<Refined> {
        let (mut cells, mut kept) = (Vec::new(), Vec::new());
        for (ix, (cell, block)) in self.cells.iter().zip(blocks).enumerate() {
            let has_room = cells.len() + (self.cells.len() - ix) < self.most_cells;
            match Some(block).filter(|_| has_room).and_then(|block| wanted(ix, block)) {
                Some((axis, at)) => {
                    let (mut below, mut above) = (*cell, *cell);
                    below.max[axis] = at;
                    above.min[axis] = at;
                    cells.extend([below, above]);
                    kept.extend([None, None]);
                }
                None => {
                    cells.push(*cell);
                    kept.push(Some(*block));
                }
            }
        }
        let axes = match self.axes {
            Axes::Unknown => Axes::found(blocks.first()?),
            known => known,
        };
        (cells.len() > self.cells.len()).then_some(Refined { grid: Self { axes, cells, ..*self }, kept })
    }

    /// One cell to measure by triangles, in axes that a device found, or those of A's frame where it looked for none.
    #[must_use]
    pub fn for_triangles(&self, blocks: &[ContactBlock]) -> Self {
        let axes = match (self.axes, blocks.first()) {
            (Axes::Unknown, Some(block)) => Axes::found(block),
            (known, _) => known,
        };
        let axes = match axes {
            Axes::Unknown => Axes::Fixed(DMat3::IDENTITY),
            known => known,
        };
        Self::of_triangles(axes)
    }

    fn of_triangles(axes: Axes) -> Self {
        Self { axes, cuts_overlap: false, most_cells: MOST_CELLS_OF_TRIANGLES, ..Self::default() }
    }

    /// The grid of one cell for the pair with its bodies exchanged; `a_from_b` is the rotation from B's frame to A's.
    #[must_use]
    pub fn swapped(&self, a_from_b: DMat3) -> Self {
        self.along(|axes| a_from_b.transpose() * axes)
    }

    /// One cell along other axes.
    fn along(&self, turned: impl Fn(DMat3) -> DMat3) -> Self {
        Self::of_triangles(match self.axes {
            Axes::Aligned(axes) => Axes::Aligned(turned(axes)),
            Axes::Fixed(axes) => Axes::Fixed(turned(axes)),
            Axes::Unknown => Axes::Unknown,
        })
    }

    /// The grid of one cell upside down: half a turn about its first axis.
    #[must_use]
    pub fn flipped(&self) -> Self {
        self.along(|axes| DMat3::from_cols(axes.x_axis, -axes.y_axis, -axes.z_axis))
    }

    /// Whether the third axis is the contact normal.
    pub fn has_normal(&self) -> bool {
        matches!(self.axes, Axes::Aligned(_))
    }

    /// One cell along A's own axes to divide a pair in by triangles: faces of what was built lie along them, and cuts along faces leave less
    /// on both sides.
    #[must_use]
    pub fn to_divide() -> Self {
        Self::of_triangles(Axes::Fixed(DMat3::IDENTITY))
    }

    /// The pair as one cell with its third axis along the normal that all cells have and, if it is one already, its first along the patch:
    /// if along the present axes a box is much larger than along those, as rounding is a part of the box.
    pub fn turned_to_normal(&self, blocks: &[ContactBlock]) -> Option<Self> {
        let held: Vec<&ContactBlock> =
            blocks.iter().filter(|block| block.state & state::EMPTY == 0).collect();
        if held.iter().any(|block| vector(block.normal) == DVec3::ZERO || block.overflow > 0.0) {
            return None;
        }
        let has_normal = self.has_normal();
        let axes = match held.as_slice() {
            [block] => {
                let (along, size) = extent_of_patch(block)?;
                let n = vector(block.normal).normalize();
                let u = along.reject_from_normalized(n).normalize();
                let held = DMat3::from_cols(u, n.cross(u), n);
                // Along each axis of the box: what the turned box reaches there.
                let around = held.abs() * size;
                let is_large = around.element_product() > LARGE * size.element_product();
                (is_large || !has_normal).then(|| axes_of(block) * held)
            }
            many => {
                let normals: Vec<DVec3> = many.iter().map(|block| vector(block.normal)).collect();
                let mean = normals.iter().sum::<DVec3>().try_normalize()?;
                let is_common = normals.iter().all(|normal| normal.dot(mean) > COMMON);
                let is_askew = !has_normal || mean.z < MIN_TURN.cos();
                (is_common && is_askew).then(|| {
                    let axes = axes_of(many[0]);
                    turned_to(&axes, axes * mean)
                })
            }
        };
        axes.map(|axes| Self::of_triangles(Axes::Aligned(axes)))
    }

    /// The grid with its third axis along the normal (A's frame), which a single cell's `block` was not measured along;
    /// `None` if it was.
    pub fn turned(&self, block: &ContactBlock, normal: DVec3) -> Option<Self> {
        let axes = axes_of(block);
        (normal.dot(axes.z_axis) < MIN_TURN.cos())
            .then(|| Self { axes: Axes::Aligned(turned_to(&axes, normal)), ..Self::default() })
    }
}

/// The axes of the frame that a block belongs to, in A's frame, as columns.
///
/// The device's rows are orthonormal to 32 bits; the columns returned are so to 64.
pub(super) fn axes_of(block: &ContactBlock) -> DMat3 {
    let row = |k: usize| {
        let [x, y, z, _] = block.frame_from_a[k].map(f64::from);
        DVec3::new(x, y, z)
    };
    let n = row(2).normalize();
    let u = row(0).reject_from_normalized(n).normalize();
    DMat3::from_cols(u, n.cross(u), n)
}

/// Where the frame's origin is, about A's origin, in the frame's axes.
pub(super) fn frame_origin(block: &ContactBlock, a: &RayBody) -> DVec3 {
    let translation = DVec3::from([0, 1, 2].map(|k| f64::from(block.frame_from_a[k][3])));
    axes_of(block).transpose() * a.origin - translation
}

/// The axes turned the shortest way so that the third is the normal.
fn turned_to(axes: &DMat3, normal: DVec3) -> DMat3 {
    let turn = turn_onto(axes.z_axis, normal);
    let u = (turn * axes.x_axis).reject_from_normalized(normal).normalize();
    DMat3::from_cols(u, normal.cross(u), normal)
}

/// The place along an axis at a part of a cell's box, in the frame's axes about A's origin.
fn place_in(block: &ContactBlock, a: &RayBody, axis: usize, part: f64) -> f64 {
    let (lo, hi) = (f64::from(block.lo[axis]), f64::from(block.hi[axis]));
    lo + (hi - lo) * part + frame_origin(block, a)[axis]
}

/// The axis along which to cut a cell, and where, as a part of its box: the middle of the widest run of empty slices between filled
/// ones.
fn gap(block: &ContactBlock) -> Option<(usize, f64)> {
    let mut widest: Option<(u32, usize, f64)> = None;
    for axis in 0..3 {
        let Some((width, middle)) = widest_gap(block.slices[axis]) else { continue };
        if width >= MIN_GAP && widest.is_none_or(|(best, ..)| width > best) {
            widest = Some((width, axis, middle / f64::from(SLICES)));
        }
    }
    widest.map(|(_, axis, part)| (axis, part))
}

/// The axis across which to halve a cell in which the bodies press on each other from several sides: the one along which most of A's
/// surface faces both ways, and else the one along which the box is longest of those along which much of it is seen.
fn halving(block: &ContactBlock) -> usize {
    let size = vector(block.hi) - vector(block.lo);
    let faces = DVec3::new(size.y * size.z, size.z * size.x, size.x * size.y);
    let cover = vector(block.cover_a) * faces;
    let both_ways = cover - (vector(block.area) * faces).abs();
    let largest = |x: DVec3| (0..3).max_by(|&i, &j| x[i].total_cmp(&x[j])).unwrap_or(0);
    let whole = cover.length();
    if both_ways.max_element() > FACES_BOTH_WAYS * whole {
        return largest(both_ways);
    }
    largest(DVec3::from([0, 1, 2].map(|k| if cover[k] > SEEN * whole { size[k] } else { 0.0 })))
}

/// The direction in which what a block holds is longest across its normal, in the box's axes, and its size along that, across both and
/// along the normal; `None` without points that tell.
fn extent_of_patch(block: &ContactBlock) -> Option<(DVec3, DVec3)> {
    let (rim, ends) = block.supports.split_at(SUPPORTS as usize);
    let rim: Vec<DVec2> = rim.iter().map(|x| DVec2::from(x.map(f64::from))).collect();
    let ways = rim.iter().enumerate().flat_map(|(i, a)| rim[..i].iter().map(move |b| *b - *a));
    let longest = ways.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let along = longest.try_normalize()?;
    let places = || rim.iter().map(|x| along.perp_dot(*x));
    let across = places().fold(f64::NEG_INFINITY, f64::max) - places().fold(f64::INFINITY, f64::min);
    let thick = f64::from(ends[0][0]) + f64::from(ends[1][0]);
    let [normal, tangent] = [block.normal, block.tangent].map(vector);
    let length = longest.length();
    let size = DVec3::new(length, across, thick).max(DVec3::splat(THIN * length));
    Some((tangent * along.x + normal.cross(tangent) * along.y, size))
}

fn vector(x: [f32; 3]) -> DVec3 {
    DVec3::from(x.map(f64::from))
}

/// Width and middle of the widest run of zeros between ones.
fn widest_gap(slices: u32) -> Option<(u32, f64)> {
    let filled: Vec<u32> = (0..SLICES).filter(|k| slices & (1 << k) != 0).collect();
    let gap = filled.windows(2).max_by_key(|pair| pair[1] - pair[0])?;
    let width = gap[1] - gap[0] - 1;
    (width > 0).then_some((width, f64::from(gap[0] + gap[1] + 1) / 2.0))
}
