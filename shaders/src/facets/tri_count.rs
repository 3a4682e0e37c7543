//! Counts the facets of B that each facet of A may touch.

use rayon::prelude::*;

use super::layout::{FacetRound, GROUP};
use super::memory::Memory;
use super::near::Partners;
use super::threads::groups_by_pair;

pub fn run(memory: &mut Memory, _: &FacetRound) {
    let [mut counts, mut starts] =
        [&mut memory.counts, &mut memory.starts].map(|list: &mut Vec<u32>| std::mem::take(list));
    let of_pairs = groups_by_pair(memory, &mut counts, GROUP);
    let totals = groups_by_pair(memory, &mut starts, 1);
    (&memory.pairs, of_pairs, totals).into_par_iter().for_each(|(pair, counts, totals)| {
        let mut partners = Partners::new(memory, pair);
        for (a, n) in (0..).zip(counts.iter_mut()) {
            *n = if a < pair.n[0] { partners.of(a).len() as u32 } else { 0 };
        }
        for (total, group) in totals.iter_mut().zip(counts.chunks_exact(GROUP as usize)) {
            *total = group.iter().fold(0, |sum: u32, n| sum.saturating_add(*n));
        }
    });
    (memory.counts, memory.starts) = (counts, starts);
}
