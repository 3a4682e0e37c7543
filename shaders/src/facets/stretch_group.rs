//! Which candidates of a pair touch, and which of them hang together by their corners on both bodies.

use super::layout::{FacetPair, FacetRound, NOWHERE, state};
use super::memory::Memory;
use super::stretch_layout::{Part, cause};

fn share_a_corner(memory: &Memory, one: u32, other: u32) -> bool {
    let corners = |facet: u32| {
        let facet = &memory.facets[facet as usize];
        [facet.corner0, facet.corner1, facet.corner2]
    };
    one == other || corners(one).iter().any(|x| corners(other).contains(x))
}

/// Where a part's label of a side is.
type Label = fn(&mut Part) -> &mut u32;

fn join(memory: &mut Memory, pair: &FacetPair, start: usize, at: usize) {
    let candidate_of = |memory: &Memory, ix: usize| memory.candidates[memory.parts[ix].candidate as usize];
    let own = candidate_of(memory, at);
    for k in start..at {
        let other = candidate_of(memory, k);
        let sides: [(Label, [u32; 2]); 2] = [
            (|part| &mut part.on_a, [own.a, other.a].map(|a| pair.first[0] + a)),
            (|part| &mut part.on_b, [own.b, other.b].map(|b| pair.first[1] + b)),
        ];
        for (label, [one, two]) in sides {
            let (theirs, mine) = (*label(&mut memory.parts[k]), *label(&mut memory.parts[at]));
            if theirs != mine && share_a_corner(memory, one, two) {
                for part in &mut memory.parts[start..=at] {
                    if *label(part) == theirs.max(mine) {
                        *label(part) = theirs.min(mine);
                    }
                }
            }
        }
    }
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.n_wanted() > round.cap {
        return;
    }
    for pair in memory.pairs.clone() {
        let start = memory.starts[pair.first_group as usize] as usize;
        let end = memory.starts[(pair.first_group + pair.n_groups()) as usize] as usize;
        let mut at = start;
        for k in start..end {
            let bits = memory.touches[k].state;
            if bits & !state::TOUCHES != 0 {
                memory.stop[0] = memory.stop[0].min(round.index << cause::BITS | cause::DOUBT);
            }
            if bits & state::TOUCHES != 0 {
                let own = at as u32;
                memory.parts[at] = Part { candidate: k as u32, on_a: own, on_b: own, first: own };
                join(memory, &pair, start, at);
                at += 1;
            }
        }
        if at < end {
            memory.parts[at] = Part { candidate: NOWHERE, ..Part::default() };
        }
        for k in start..at {
            let of = |part: &Part| (part.on_a, part.on_b);
            let own = of(&memory.parts[k]);
            let first = (start..k).find(|&ix| of(&memory.parts[ix]) == own).unwrap_or(k);
            memory.parts[k].first = first as u32;
        }
    }
}
