//! Puts the sums over pairs of triangles into the form of sums over rays, of which one stands for the whole face of the box.

use super::fixed::from_fixed;
use super::layout::{RaySums, WORKGROUP, span, sum};
use super::memory::Operands;

/// Digits after the point of a sum: sums are below 2¹⁹ faces or boxes, and digits below those of a term of 1 are no loss.
pub const SUM_BITS: u32 = 44;

/// One in fixed point.
pub const ONE: f32 = (1u64 << SUM_BITS) as f32;

/// The last of the digits.
pub const LAST: f32 = 1.0 / (1u64 << SUM_BITS) as f32;

pub fn run(on: &mut Operands<'_>) {
    let n_sums = 3 * on.round.n_pairs as usize;
    on.work.groups += n_sums.div_ceil(WORKGROUP as usize) as u64;
    on.work.reads::<[u64; sum::N]>(n_sums);
    on.work.writes::<([u64; sum::N], RaySums)>(n_sums);
    for ix in 0..n_sums {
        let words = &mut on.memory.spans[ix / 3 * span::N..][..span::N];
        let is_full = words[span::OVERFLOW] != 0;
        let fixed = &mut words[span::SUMS + ix % 3 * 2 * sum::N..][..2 * sum::N];
        let found: [f32; sum::N] = std::array::from_fn(|k| {
            let x = (i64::from(fixed[2 * k + 1] as i32) << 32) | i64::from(fixed[2 * k]);
            from_fixed(x) * LAST
        });
        fixed.fill(0);
        on.memory.sums[ix] = ray_sums(&found, is_full);
    }
}

/// The sums as rays would have them. Powers of the height `ζ` below the box's upper face become those of the depth `z = 1/2 - ζ`.
fn ray_sums(found: &[f32; sum::N], is_full: bool) -> RaySums {
    let mut sums = *found;
    let length = found[sum::LENGTH];
    // A ray is taken to stand for a square, which what is exact does not.
    sums[sum::LENGTH_XX] = found[sum::LENGTH_XX] - length / 12.0;
    sums[sum::LENGTH_YY] = found[sum::LENGTH_YY] - length / 12.0;
    sums[sum::SQUARE] = 0.5 * (length - found[sum::SQUARE]);
    sums[sum::SQUARE_X] = 0.5 * (found[sum::LENGTH_X] - found[sum::SQUARE_X]);
    sums[sum::SQUARE_Y] = 0.5 * (found[sum::LENGTH_Y] - found[sum::SQUARE_Y]);
    sums[sum::CUBE] = 0.25 * length - (0.5 * found[sum::SQUARE] - found[sum::CUBE] / 3.0);
    sums[sum::MIXED] = found[sum::ENDS_A].min(found[sum::ENDS_B]).max(0.0);
    sums[sum::OVERFLOW] = f32::from(u8::from(is_full));
    // What a quarter of the rays says more is the bound of the error.
    sums[sum::QUARTER_LENGTH] = 0.25 * (length + found[sum::QUARTER_LENGTH]);
    RaySums { sums, longest: found[sum::FLOOR], columns: u32::MAX, rows: u32::MAX }
}
