//! Which candidates of a pair touch, and which of them hang together by their corners on both bodies.

use rayon::prelude::*;

use super::layout::{FacetPair, FacetRound, NOWHERE, state};
use super::memory::Memory;
use super::stretch_layout::{Part, cause};
use super::threads::{PAIRS, candidates_by_pair, candidates_of};

fn share_a_corner(memory: &Memory, one: u32, other: u32) -> bool {
    let corners = |facet: u32| {
        let facet = &memory.facets[facet as usize];
        [facet.corner0, facet.corner1, facet.corner2]
    };
    one == other || corners(one).iter().any(|x| corners(other).contains(x))
}

/// Where a part's label of a side is.
type Label = fn(&mut Part) -> &mut u32;

/// Joins the last of a pair's parts to those that it shares a corner with.
fn join(memory: &Memory, pair: &FacetPair, parts: &mut [Part]) {
    let candidate_of = |part: &Part| memory.candidates[part.candidate as usize];
    let last = parts.len() - 1;
    let own = candidate_of(&parts[last]);
    for k in 0..last {
        let other = candidate_of(&parts[k]);
        let sides: [(Label, [u32; 2]); 2] = [
            (|part| &mut part.on_a, [own.a, other.a].map(|a| pair.first[0] + a)),
            (|part| &mut part.on_b, [own.b, other.b].map(|b| pair.first[1] + b)),
        ];
        for (label, [one, two]) in sides {
            let (theirs, mine) = (*label(&mut parts[k]), *label(&mut parts[last]));
            if theirs != mine && share_a_corner(memory, one, two) {
                for part in &mut *parts {
                    if *label(part) == theirs.max(mine) {
                        *label(part) = theirs.min(mine);
                    }
                }
            }
        }
    }
}

/// Gathers a pair's parts; whether a touch is doubtful or has no law.
fn gather(memory: &Memory, ix: usize, parts: &mut [Part]) -> bool {
    let candidates = candidates_of(memory, ix);
    let (start, mut n, mut is_doubtful) = (candidates.start, 0, false);
    for k in candidates {
        let bits = memory.touches[k].state;
        is_doubtful |= bits & !state::TOUCHES != 0;
        if bits & state::TOUCHES != 0 {
            let own = (start + n) as u32;
            parts[n] = Part { candidate: k as u32, on_a: own, on_b: own, first: own };
            n += 1;
            join(memory, &memory.pairs[ix], &mut parts[..n]);
        }
    }
    if let Some(next) = parts.get_mut(n) {
        *next = Part { candidate: NOWHERE, ..Part::default() };
    }
    for k in 0..n {
        let of = |part: &Part| (part.on_a, part.on_b);
        let own = of(&parts[k]);
        let first = parts[..k].iter().position(|part| of(part) == own).unwrap_or(k);
        parts[k].first = (start + first) as u32;
    }
    is_doubtful
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.n_wanted() > round.cap {
        return;
    }
    let mut parts = std::mem::take(&mut memory.parts);
    let of_pairs = candidates_by_pair(memory, &mut parts).into_par_iter().enumerate().with_min_len(PAIRS);
    let is_doubtful = of_pairs.map(|(ix, parts)| gather(memory, ix, parts)).reduce(|| false, |a, b| a | b);
    memory.parts = parts;
    if is_doubtful {
        memory.stop[0] = memory.stop[0].min(round.index << cause::BITS | cause::DOUBT);
    }
}
