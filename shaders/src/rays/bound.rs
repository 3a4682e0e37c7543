//! Hands the box around the points that span an overlap to the stage that shrinks the pair's box.

use super::layout::{BOUNDS, WORKGROUP, bound, span, state};
use super::memory::Operands;

pub fn run(on: &mut Operands<'_>) {
    let n_pairs = on.round.n_pairs as usize;
    on.work.groups += n_pairs.div_ceil(WORKGROUP as usize) as u64;
    on.work.reads::<[u32; 8]>(n_pairs);
    on.work.writes::<[u32; 18]>(n_pairs);
    for pair in 0..n_pairs {
        let words = &mut on.memory.spans[pair * span::N..][..span::N];
        let is_whole = words[span::OVERFLOW] != 0 || on.memory.frames[pair].state & state::CELL != 0;
        for k in 0..3 {
            let (mut lower, mut upper) = (!words[span::BOUNDS + k], words[span::BOUNDS + 3 + k]);
            if is_whole {
                (lower, upper) = (0, 1.0_f32.to_bits());
            }
            for side in 0..2 {
                on.memory.bounds[(2 * pair + side) * BOUNDS + k] = lower;
                on.memory.bounds[(2 * pair + side) * BOUNDS + bound::UPPER + k] = upper;
            }
            words[span::BOUNDS + k] = 0;
            words[span::BOUNDS + 3 + k] = 0;
        }
    }
}
