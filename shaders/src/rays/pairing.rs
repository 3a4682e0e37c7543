//! Which thread of a workgroup gets which pair of triangles: the twin of `pairing.wgsl`.

use super::layout::{CLUSTER, WORKGROUP};

/// Triangles of the other cluster that pairs are made with at a time: a thread marks them in a word.
pub const MARKS: usize = u32::BITS as usize;

/// Calls `take` with the worker and both places of each pair that `is_met`, in the order in which the workers take them.
pub fn pairs(mut is_met: impl FnMut(usize, usize) -> bool, mut take: impl FnMut(usize, usize, usize)) {
    for first in (0..CLUSTER).step_by(MARKS) {
        let mut number = 0;
        for own in 0..CLUSTER {
            for other in first..first + MARKS {
                if is_met(own, other) {
                    take(number % WORKGROUP as usize, own, other);
                    number += 1;
                }
            }
        }
    }
}
