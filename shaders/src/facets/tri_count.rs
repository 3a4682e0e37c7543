//! Counts the facets of B that each facet of A may touch.

use super::layout::{FacetRound, GROUP};
use super::memory::Memory;
use super::near::partners;

pub fn run(memory: &mut Memory, _: &FacetRound) {
    for pair in memory.pairs.clone() {
        for group in 0..pair.n_groups() {
            let ix = pair.first_group + group;
            let mut total = 0_u32;
            for a in group * GROUP..(group + 1) * GROUP {
                let facet = memory.facets[(pair.first[0] + a) as usize];
                let n = if a < pair.n[0] { partners(memory, &pair, &facet).len() as u32 } else { 0 };
                memory.counts[(pair.first_group * GROUP + a) as usize] = n;
                total = total.saturating_add(n);
            }
            memory.starts[ix as usize] = total;
        }
    }
}
