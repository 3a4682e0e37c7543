//! Bounds what each body has inside its pair's box: triangles clipped to the box, and the box's corners inside.
//!
//! A face of the bounds around the part of a body inside the box is either crossed by the body's surface or has its
//! corners inside the body. So the bounds of the clipped triangles and of the corners with a positive winding
//! contain that part, and nothing of the overlap is lost.

use glam::Vec3;

use super::layout::bound::WINDINGS;
use super::layout::{BOUNDS, CLUSTER, Item, PairFrame, argument};
use super::memory::Operands;
use super::place::{box_corners, fma};
use super::scanline::Span;
use super::work::CLIPPED;

/// Corners of a triangle clipped by six planes.
pub const MAX_CORNERS: usize = 9;

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..on.memory.arguments[argument::ITEMS + argument::COUNT] {
        let item = on.memory.items[ix as usize];
        let frame = on.memory.frames[(item.side / 2) as usize];
        let bounds = &mut on.memory.bounds[item.side as usize * BOUNDS..][..BOUNDS];
        on.work.groups += 1;
        on.work.reads::<(Item, PairFrame)>(1);
        on.work.place_cluster();
        on.work.operations += CLIPPED * CLUSTER as u64;
        on.work.writes::<u32>(BOUNDS);
        for lane in 0..CLUSTER {
            let corners = box_corners(&frame, item.side, &on.meshes.triangles[item.cluster as usize], lane);
            include_clipped(bounds, corners);
            wind_corners(bounds, corners);
        }
    }
}

/// Places between 0 and 1 have bits in the order of their values.
fn include(bounds: &mut [u32], x: Vec3) {
    for k in 0..3 {
        let word = x[k].clamp(0.0, 1.0).to_bits();
        bounds[k] = bounds[k].min(word);
        bounds[3 + k] = bounds[3 + k].max(word);
    }
}

struct Polygon {
    corners: [Vec3; MAX_CORNERS],
    n: usize,
}

impl Polygon {
    fn push(&mut self, x: Vec3) {
        if self.n < MAX_CORNERS {
            self.corners[self.n] = x;
            self.n += 1;
        }
    }

    /// Clips to one side of the box: places along the axis not below 0, or not above 1.
    fn clip(&self, axis: usize, bound: f32) -> Self {
        let mut kept = Self { corners: [Vec3::ZERO; MAX_CORNERS], n: 0 };
        let sign = 1.0 - 2.0 * bound;
        for i in 0..self.n {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % self.n]);
            let height_a = sign * (a[axis] - bound);
            let height_b = sign * (b[axis] - bound);
            if height_a >= 0.0 {
                kept.push(a);
            }
            if (height_a >= 0.0) != (height_b >= 0.0) {
                let k = height_a / (height_a - height_b);
                let d = b - a;
                let mut cut = Vec3::new(fma(k, d.x, a.x), fma(k, d.y, a.y), fma(k, d.z, a.z));
                cut[axis] = bound;
                kept.push(cut);
            }
        }
        kept
    }
}

fn include_clipped(bounds: &mut [u32], [a, b, c]: [Vec3; 3]) {
    let (lo, hi) = (a.min(b.min(c)), a.max(b.max(c)));
    if lo.cmpgt(Vec3::ONE).any() || hi.cmplt(Vec3::ZERO).any() {
        return;
    }
    if lo.cmpge(Vec3::ZERO).all() && hi.cmple(Vec3::ONE).all() {
        include(bounds, lo);
        include(bounds, hi);
        return;
    }
    let mut polygon = Polygon { corners: [Vec3::ZERO; MAX_CORNERS], n: 3 };
    polygon.corners[..3].copy_from_slice(&[a, b, c]);
    for axis in 0..3 {
        polygon = polygon.clip(axis, 0.0).clip(axis, 1.0);
    }
    for &x in &polygon.corners[..polygon.n] {
        include(bounds, x);
    }
}

/// A crossing below a corner changes the corner's winding; corner `4 k + 2 j + i` stands at (i, j, k).
fn wind_corners(bounds: &mut [u32], corners: [Vec3; 3]) {
    for column in 0..4 {
        let x = (column % 2) as f32;
        let span = Span::of_row(corners, (column / 2) as f32);
        if span.is_crossed && span.up.x.min(span.down.x) <= x && x < span.up.x.max(span.down.x) {
            let depth = span.depth_at(x);
            let one = if span.is_exit() { u32::MAX } else { 1 };
            if depth < 0.0 {
                bounds[WINDINGS + column] = bounds[WINDINGS + column].wrapping_add(one);
            }
            if depth < 1.0 {
                bounds[WINDINGS + 4 + column] = bounds[WINDINGS + 4 + column].wrapping_add(one);
            }
        }
    }
}
