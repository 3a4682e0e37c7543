//! Shrinks each pair's box to what both bodies have in it.

use glam::Vec3;

use super::layout::{BOUNDS, PairFrame, WORKGROUP, bound, state};
use super::memory::{EMPTY_BOUNDS, Operands};
use super::place::fma;

/// Growth of the box on each side, as a part of it: what rounding moves a clipped corner in the box, ten times.
pub const BOX_SLACK: f32 = 1e-6;

/// Growth of the box on each side, as a part of the pair's reach: what rounding moves a transformed corner, eight
/// times. It also keeps a box from becoming flat.
pub const REACH_SLACK: f32 = 5e-7;

pub fn run(on: &mut Operands<'_>) {
    let n_pairs = on.round.n_pairs as usize;
    on.work.groups += n_pairs.div_ceil(WORKGROUP as usize) as u64;
    on.work.reads::<(PairFrame, [[u32; BOUNDS]; 2])>(n_pairs);
    on.work.writes::<(PairFrame, [[u32; BOUNDS]; 2])>(n_pairs);
    for pair in 0..n_pairs {
        let (a, b) = on.memory.bounds[2 * pair * BOUNDS..][..2 * BOUNDS].split_at_mut(BOUNDS);
        let (a, b) = (take_bounds(a), take_bounds(b));
        let frame = &mut on.memory.frames[pair];
        let skips =
            frame.state & state::EMPTY != 0 || (on.round.coarse != 0 && frame.state & state::FIXED != 0);
        if !skips {
            shrink(frame, a, b);
        }
    }
}

fn shrink(frame: &mut PairFrame, a: (Vec3, Vec3), b: (Vec3, Vec3)) {
    let (old_lo, old_hi) = (Vec3::from(frame.lo), Vec3::from(frame.hi));
    let slack = Vec3::splat(BOX_SLACK) + Vec3::from(frame.scale) * (REACH_SLACK * frame.reach);
    let lo = (a.0.max(b.0) - slack).max(Vec3::ZERO);
    let hi = (a.1.min(b.1) + slack).min(Vec3::ONE);
    if lo.cmpge(hi).any() {
        frame.state |= state::EMPTY;
        return;
    }
    let size = old_hi - old_lo;
    let at = |x: Vec3| {
        Vec3::new(fma(x.x, size.x, old_lo.x), fma(x.y, size.y, old_lo.y), fma(x.z, size.z, old_lo.z))
    };
    let (new_lo, new_hi) = (at(lo), at(hi));
    frame.lo = new_lo.to_array();
    frame.hi = new_hi.to_array();
    frame.scale = (Vec3::ONE / (new_hi - new_lo)).to_array();
}

/// Reads what a body has in the box and makes the words ready for the next time.
fn take_bounds(bounds: &mut [u32]) -> (Vec3, Vec3) {
    let (mut lo, mut hi) = (Vec3::splat(2.0), Vec3::splat(-1.0));
    let float = |k: usize| f32::from_bits(bounds[k]);
    if bounds[0] != u32::MAX {
        lo = Vec3::new(float(0), float(1), float(2));
        hi = Vec3::new(float(bound::UPPER), float(bound::UPPER + 1), float(bound::UPPER + 2));
    }
    for corner in 0..bound::N_CORNERS {
        if bounds[bound::WINDINGS + corner] as i32 > 0 {
            let x = Vec3::new((corner & 1) as f32, ((corner >> 1) & 1) as f32, (corner >> 2) as f32);
            lo = lo.min(x);
            hi = hi.max(x);
        }
    }
    bounds.copy_from_slice(&EMPTY_BOUNDS);
    (lo, hi)
}
