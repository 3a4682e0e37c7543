//! The axes and cells in which a pair is measured.

use glam::{DMat3, DVec3};
use tactum_shaders::rays::layout::{ContactBlock, state};

use super::RayBody;
use crate::Aabb;
use crate::overlap::regions::MOST_REGIONS;

/// Number of slices across each axis of a box that a measurement marks as filled or not.
const SLICES: u32 = 32;

/// Shortest run of empty slices worth a cut: an eighth of the box.
const MIN_GAP: u32 = SLICES / 8;

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

impl Default for Grid {
    /// What a pair is first measured in: one cell, in axes that the device finds.
    fn default() -> Self {
        Self { axes: Axes::Unknown, cells: vec![Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }] }
    }
}

impl Grid {
    /// The frame's axes in A's frame, as columns.
    pub(super) fn a_from_frame(&self) -> DMat3 {
        match self.axes {
            Axes::Unknown => DMat3::IDENTITY,
            Axes::Aligned(axes) | Axes::Fixed(axes) => axes,
        }
    }

    /// What the device is told of axes and cells.
    pub(super) fn state(&self) -> u32 {
        let axes = match self.axes {
            Axes::Unknown => 0,
            Axes::Aligned(_) => state::ALIGNED | state::FIXED,
            Axes::Fixed(_) => state::FIXED,
        };
        if self.cells.len() > 1 { axes | state::CELL } else { axes }
    }

    /// The cells, in the frame's axes about A's origin \[m\].
    pub(super) fn cells(&self) -> &[Aabb] {
        &self.cells
    }

    /// The grid cut at the widest gaps that its cells' `blocks` show; `None` if there are none.
    pub fn cut(&self, blocks: &[ContactBlock], a: &RayBody) -> Option<Self> {
        let first = blocks.first()?;
        let mut cells = Vec::new();
        for (cell, block) in self.cells.iter().zip(blocks) {
            let room = MOST_REGIONS - self.cells.len() > cells.len();
            match cut(block, a).filter(|_| room) {
                Some((axis, at)) => {
                    let (mut below, mut above) = (*cell, *cell);
                    below.max[axis] = at;
                    above.min[axis] = at;
                    cells.extend([below, above]);
                }
                None => cells.push(*cell),
            }
        }
        let axes = axes_of(first);
        let is_aligned = first.state & state::ALIGNED != 0;
        let axes = if is_aligned { Axes::Aligned(axes) } else { Axes::Fixed(axes) };
        (cells.len() > self.cells.len()).then_some(Self { axes, cells })
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
    let turn = glam::DQuat::from_rotation_arc(axes.z_axis, normal);
    let u = (turn * axes.x_axis).reject_from_normalized(normal).normalize();
    DMat3::from_cols(u, normal.cross(u), normal)
}

/// The axis and place at which to cut a cell: the middle of the widest run of empty slices between filled ones.
fn cut(block: &ContactBlock, a: &RayBody) -> Option<(usize, f64)> {
    let mut widest: Option<(u32, usize, f64)> = None;
    for axis in 0..3 {
        let Some((width, middle)) = widest_gap(block.slices[axis]) else { continue };
        if width >= MIN_GAP && widest.is_none_or(|(best, ..)| width > best) {
            let (lo, hi) = (f64::from(block.lo[axis]), f64::from(block.hi[axis]));
            let at = lo + (hi - lo) * middle / f64::from(SLICES) + frame_origin(block, a)[axis];
            widest = Some((width, axis, at));
        }
    }
    widest.map(|(_, axis, at)| (axis, at))
}

/// Width and middle of the widest run of zeros between ones.
fn widest_gap(slices: u32) -> Option<(u32, f64)> {
    let filled: Vec<u32> = (0..SLICES).filter(|k| slices & (1 << k) != 0).collect();
    let gap = filled.windows(2).max_by_key(|pair| pair[1] - pair[0])?;
    let width = gap[1] - gap[0] - 1;
    (width > 0).then_some((width, f64::from(gap[0] + gap[1] + 1) / 2.0))
}
