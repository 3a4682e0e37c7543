//! Writes the candidates of each facet of A where the counts before it end.

use super::layout::{Candidate, FacetRound, GROUP, NOWHERE};
use super::memory::Memory;
use super::near::partners;

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.n_wanted() > round.cap {
        return;
    }
    for (pair_ix, pair) in memory.pairs.clone().into_iter().enumerate() {
        for a in 0..pair.n[0] {
            let row = pair.first_group * GROUP + a;
            let n = memory.counts[row as usize] as usize;
            if n == 0 {
                continue;
            }
            let group = row / GROUP;
            let before: u32 = memory.counts[(group * GROUP) as usize..row as usize].iter().sum();
            let start = (memory.starts[group as usize] + before) as usize;
            let facet = memory.facets[(pair.first[0] + a) as usize];
            let found = partners(memory, &pair, &facet);
            let found = found.into_iter().map(|b| Candidate { pair: pair_ix as u32, a, b });
            let void = Candidate { pair: NOWHERE, a: 0, b: 0 };
            for (place, candidate) in (start..start + n).zip(found.chain(std::iter::repeat(void))) {
                memory.candidates[place] = candidate;
            }
        }
    }
}
