//! Adds up the sums of a workgroup's threads, always in the same order: the twin of `tree.wgsl`.

use super::layout::{RaySums, WORKGROUP, sum};

pub fn add_sums(a: &RaySums, b: &RaySums) -> RaySums {
    let mut total = *a;
    for k in 0..sum::N {
        total.sums[k] = a.sums[k] + b.sums[k];
    }
    total.longest = a.longest.max(b.longest);
    total.columns |= b.columns;
    total.rows |= b.rows;
    total
}

pub fn add_up(shares: &[RaySums; WORKGROUP as usize]) -> RaySums {
    shares[1..].iter().fold(shares[0], |total, share| add_sums(&total, share))
}
