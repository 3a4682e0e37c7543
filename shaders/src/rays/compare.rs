//! What a device wrote against what the twin of the same ray stage wrote.
//!
//! Threads append to lists in any order, so those are brought into a fixed one before.

use super::layout::LIST_CAP;
use super::memory::{Buffer, Memory};
use super::schedule::Command;
use super::stages::StageId;
use crate::compare::Kind::{Number, Whole};
use crate::compare::{Difference, Kind, all_but_exceptions, difference, of_runs, of_words};

/// The buffers that a command's stage writes, compared.
pub fn compare(command: &Command, found: &Memory, expected: &Memory) -> Vec<Difference<Buffer>> {
    let (mut found, mut expected) = (found.clone(), expected.clone());
    normalise(command.stage, &mut found);
    normalise(command.stage, &mut expected);
    command.stage.stage().written().map(|buffer| of_buffer(buffer, &found, &expected)).collect()
}

/// Brings what threads append into a fixed order, where a stage appends.
fn normalise(stage: StageId, memory: &mut Memory) {
    match stage {
        StageId::Cull => {
            let n = memory.items.len().min(memory.counters[0] as usize);
            memory.items[..n].sort_unstable();
        }
        StageId::Meet => {
            let n = memory.large.len().min(memory.counters[1] as usize);
            memory.large[..n].sort_unstable();
        }
        StageId::Crossings => {
            let n = memory.large.len().min(memory.counters[1] as usize);
            memory.large[..n].sort_unstable();
            sort_lists(memory);
        }
        StageId::LargeCrossings => sort_lists(memory),
        _ => {}
    }
}

/// A list that threads filled in any order, in a fixed one.
fn sort_lists(memory: &mut Memory) {
    for (list, count) in memory.lists.chunks_exact_mut(LIST_CAP as usize).zip(&memory.counts) {
        let n = (count & 0xffff) as usize;
        if n <= list.len() {
            list[..n].sort_unstable();
        } else {
            // Which crossings found room depends on the order, and nobody reads them.
            list.fill(0);
        }
    }
}

fn of_buffer(buffer: Buffer, found: &Memory, expected: &Memory) -> Difference<Buffer> {
    difference(buffer, found.bytes(buffer), expected.bytes(buffer), |a, b| match buffer {
        Buffer::Lists => of_lists(found, expected),
        Buffer::Items => (0.0, unmatched(&found.items, &expected.items)),
        Buffer::Large => (0.0, unmatched(&found.large, &expected.large)),
        Buffer::Counters | Buffer::Arguments => (0.0, of_counts(a, b)),
        _ => of_words(&kinds(buffer), a, b),
    })
}

/// Crossings of rays that both saw equally often; rays for which that, or which surface they cross, differs.
fn of_lists(found: &Memory, expected: &Memory) -> (f64, f64) {
    let cap = LIST_CAP as usize;
    let (mut errors, mut n_rays, mut n_different) = (Vec::new(), 0, 0);
    for (ray, (&a, &b)) in found.counts.iter().zip(&expected.counts).enumerate() {
        if a == 0 && b == 0 {
            continue;
        }
        n_rays += 1;
        let n = (b & 0xffff) as usize;
        let lists = [found, expected].map(|memory| &memory.lists[ray * cap..][..n.min(cap)]);
        let is_same_surface = |(a, b): (&u32, &u32)| a & 3 == b & 3;
        if a != b || !lists[0].iter().zip(lists[1]).all(is_same_surface) {
            n_different += 1;
        } else if n <= cap {
            let depth = |word: u32| f64::from(f32::from_bits(word & !3));
            errors.extend(lists[0].iter().zip(lists[1]).map(|(&a, &b)| (depth(a) - depth(b)).abs()));
        }
    }
    (all_but_exceptions(errors), f64::from(n_different) / f64::from(n_rays.max(1)))
}

/// Part of the entries of two sorted lists that only one of them has.
fn unmatched<T: Ord>(found: &[T], expected: &[T]) -> f64 {
    let (mut i, mut j, mut n) = (0, 0, 0_usize);
    while let (Some(a), Some(b)) = (found.get(i), expected.get(j)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                n += 1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    1.0 - n as f64 / found.len().max(expected.len()).max(1) as f64
}

/// Largest difference of counts, as a part of the count.
fn of_counts(found: &[u32], expected: &[u32]) -> f64 {
    let part = |(&a, &b): (&u32, &u32)| f64::from(a.abs_diff(b)) / f64::from(b.max(1));
    found.iter().zip(expected).map(part).fold(0.0, f64::max)
}

const AXES: Kind = Number(0);
const LENGTH: Kind = Number(1);
const VOLUME: Kind = Number(2);
const MOMENT: Kind = Number(3);
const SECOND: Kind = Number(4);
const AREA: Kind = Number(5);
const ARM: Kind = Number(6);
const PART: Kind = Number(7);
const SCALE: Kind = Number(8);

const FRAME_ROWS: [(usize, Kind); 6] =
    [(3, AXES), (1, LENGTH), (3, AXES), (1, LENGTH), (3, AXES), (1, LENGTH)];

/// The words of a buffer's element, in runs.
fn kinds(buffer: Buffer) -> Vec<Kind> {
    let runs: Vec<(usize, Kind)> = match buffer {
        Buffer::Frames => {
            let bodies = [FRAME_ROWS, FRAME_ROWS].concat();
            let rest = [(3, LENGTH), (1, Whole), (4, LENGTH), (3, SCALE), (1, Whole), (32, Whole)];
            [bodies, rest.to_vec()].concat()
        }
        Buffer::Bounds => vec![(6, PART), (10, Whole)],
        Buffer::Parts | Buffer::Sums => {
            vec![(10, VOLUME), (4, AREA), (6, Whole), (1, VOLUME), (1, AREA), (1, PART), (2, Whole)]
        }
        Buffer::Supports => vec![(2, LENGTH)],
        Buffer::Blocks => {
            let head = [(3, LENGTH), (1, Whole), (3, LENGTH), (1, VOLUME), (3, MOMENT), (1, PART)];
            let second = [(3, SECOND), (1, Whole), (3, SECOND), (1, Whole), (3, AREA), (1, Whole)];
            let arms = [(3, ARM), (1, AREA)];
            let normal = [(3, AXES), (1, VOLUME), (3, AREA), (1, AREA), (3, AXES), (1, AREA)];
            let rest = [
                (3, AREA),
                (1, Whole),
                (3, AREA),
                (1, Whole),
                (3, AREA),
                (1, Whole),
                (4, Whole),
                (68, LENGTH),
            ];
            [&FRAME_ROWS[..], &head, &second, &arms, &arms, &arms, &normal, &rest].concat()
        }
        _ => vec![(1, Whole)],
    };
    of_runs(&runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::layout::{ContactBlock, PairFrame, RaySums};
    use crate::rays::memory::Capacity;
    use crate::rays::schedule::Groups;

    #[test]
    fn every_word_has_a_kind() {
        for (buffer, bytes) in [
            (Buffer::Frames, size_of::<PairFrame>()),
            (Buffer::Parts, size_of::<RaySums>()),
            (Buffer::Blocks, size_of::<ContactBlock>()),
            (Buffer::Bounds, 64),
            (Buffer::Supports, 8),
        ] {
            assert_eq!(4 * kinds(buffer).len(), bytes, "{buffer:?}");
        }
    }

    fn memory() -> Memory {
        let mut memory = Memory::new(&Capacity { n_pairs: 2, n_tiles: 3, n_items: 4, large_cap: 4 });
        memory.blocks[0].volume = 0.5;
        memory.blocks[0].lo = [-2.0, 0.0, 0.0];
        memory
    }

    fn command(stage: StageId) -> Command {
        Command { stage, round: 0, groups: Groups::Direct(1) }
    }

    #[test]
    fn numbers_are_judged_by_the_largest_of_their_kind() {
        let (expected, mut found) = (memory(), memory());
        found.blocks[1].lo[1] = 0.25;
        found.blocks[1].state = 1;
        let [difference] = compare(&command(StageId::Assemble), &found, &expected)[..] else { panic!() };
        assert_eq!((difference.words, difference.first), (2, Some(size_of::<ContactBlock>() / 4 + 13)));
        assert_eq!(difference.numbers, 0.125);
        assert!(difference.whole > 0.0);
        found.blocks[1].volume = f32::NAN;
        let [difference] = compare(&command(StageId::Assemble), &found, &expected)[..] else { panic!() };
        assert_eq!(difference.numbers, f64::INFINITY);
    }

    #[test]
    fn the_order_of_appended_entries_makes_no_difference_and_a_lost_one_does() {
        let (mut expected, mut found) = (memory(), memory());
        for (memory, words) in [(&mut expected, [5, 9]), (&mut found, [9, 5])] {
            memory.counts[7] = 2;
            memory.lists[7 * LIST_CAP as usize..][..2].copy_from_slice(&words);
        }
        let crossings = command(StageId::LargeCrossings);
        assert!(compare(&crossings, &found, &expected).iter().all(|difference| difference.words == 0));
        found.counts[7] = 1;
        let lists = compare(&crossings, &found, &expected);
        assert!(lists.iter().any(|d| d.buffer == Buffer::Lists && d.whole == 1.0), "{lists:?}");
    }
}
