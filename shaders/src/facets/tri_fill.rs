//! Writes the candidates of each facet of A where the counts before it end.

use rayon::prelude::*;

use super::layout::{Candidate, FacetRound, GROUP, NOWHERE};
use super::memory::Memory;
use super::near::Partners;
use super::threads::candidates_by_pair;

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.n_wanted() > round.cap {
        return;
    }
    let mut candidates = std::mem::take(&mut memory.candidates);
    let of_pairs = candidates_by_pair(memory, &mut candidates);
    of_pairs.into_par_iter().enumerate().for_each(|(ix, places)| fill(memory, ix, places));
    memory.candidates = candidates;
}

/// Writes a pair's candidates.
fn fill(memory: &Memory, ix: usize, places: &mut [Candidate]) {
    let pair = &memory.pairs[ix];
    let first = memory.starts[pair.first_group as usize];
    let mut partners = Partners::new(memory, pair);
    for a in 0..pair.n[0] {
        let row = pair.first_group * GROUP + a;
        let n = memory.counts[row as usize] as usize;
        if n == 0 {
            continue;
        }
        let group = row / GROUP;
        let before: u32 = memory.counts[(group * GROUP) as usize..row as usize].iter().sum();
        let start = (memory.starts[group as usize] + before - first) as usize;
        let found = partners.of(a).into_iter().map(|b| Candidate { pair: ix as u32, a, b });
        let void = Candidate { pair: NOWHERE, a: 0, b: 0 };
        for (place, candidate) in
            places[start..start + n].iter_mut().zip(found.chain(std::iter::repeat(void)))
        {
            *place = candidate;
        }
    }
}
