//! How twins share their work: what a device's threads do one by one is divided among those of the processor. Each writes its own places and
//! nothing is summed across them, so that the bits are the same for any number.

use super::memory::Memory;

/// Pairs, and bodies, from which on another thread takes part: fewer are done sooner than it wakes.
pub const PAIRS: usize = 32;

/// The same of candidates.
pub const CANDIDATES: usize = 128;

/// What of a list belongs to each of the pairs, one after the other, by where that of each of them ends.
fn by_pair<T>(list: &mut [T], ends: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let (mut rest, mut start) = (list, 0);
    let mut of_pair = |end: usize| {
        let (own, others) = std::mem::take(&mut rest).split_at_mut(end - start);
        (rest, start) = (others, end);
        own
    };
    ends.map(&mut of_pair).collect()
}

/// The groups of a list, so many items each, by pair.
pub fn groups_by_pair<'a, T>(memory: &Memory, list: &'a mut [T], each: u32) -> Vec<&'a mut [T]> {
    by_pair(list, memory.pairs.iter().map(|pair| ((pair.first_group + pair.n_groups()) * each) as usize))
}

/// Where the candidates of a pair begin and end.
pub fn candidates_of(memory: &Memory, ix: usize) -> std::ops::Range<usize> {
    let pair = &memory.pairs[ix];
    let at = |group: u32| memory.starts[group as usize] as usize;
    at(pair.first_group)..at(pair.first_group + pair.n_groups())
}

/// What of a list with a place for each candidate belongs to each pair.
pub fn candidates_by_pair<'a, T>(memory: &Memory, list: &'a mut [T]) -> Vec<&'a mut [T]> {
    by_pair(list, (0..memory.pairs.len()).map(|ix| candidates_of(memory, ix).end))
}
