//! What a device wrote against what the twin of the same stage wrote.
//!
//! Threads append to lists in any order, so those are brought into a fixed one before. A device that rounds as IEEE 754
//! asks then writes the same bits; for others there are two figures: how far numbers differ, and how many of the whole
//! numbers and lists do.

use bytemuck::cast_slice;

use crate::layout::LIST_CAP;
use crate::memory::{Buffer, Memory};
use crate::schedule::Command;
use crate::stage::{Access, StageId};

/// Part of a buffer's numbers that [`Difference::numbers`] leaves out: where two points support a patch equally well,
/// rounding decides between them, and the place that goes with them jumps.
pub const EXCEPTIONS: f64 = 1e-3;

/// How a buffer differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The buffer.
    pub buffer: Buffer,
    /// 32-bit words that differ.
    pub words: usize,
    /// Index of the first word that differs.
    pub first: Option<usize>,
    /// Largest difference of numbers, as a part of the largest number of the same kind in the buffer, but for a part of
    /// [`EXCEPTIONS`] of them.
    pub numbers: f64,
    /// Part of the whole numbers that differ; of a list, the part of its entries that has no counterpart.
    pub whole: f64,
}

/// The buffers that a command's stage writes, compared.
pub fn compare(command: &Command, found: &Memory, expected: &Memory) -> Vec<Difference> {
    let (mut found, mut expected) = (found.clone(), expected.clone());
    normalise(command.stage, &mut found);
    normalise(command.stage, &mut expected);
    let written = command.stage.stage().bindings.iter().filter(|binding| binding.access == Access::Write);
    written.map(|binding| of_buffer(binding.buffer, &found, &expected)).collect()
}

/// Brings what threads append into a fixed order, where a stage appends.
fn normalise(stage: StageId, memory: &mut Memory) {
    match stage {
        StageId::Cull => {
            let n = memory.items.len().min(memory.counters[0] as usize);
            memory.items[..n].sort_unstable();
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

fn of_buffer(buffer: Buffer, found: &Memory, expected: &Memory) -> Difference {
    let words: (&[u32], &[u32]) = (cast_slice(found.bytes(buffer)), cast_slice(expected.bytes(buffer)));
    let differs = |(a, b): (&u32, &u32)| a != b;
    let n_common = words.0.iter().zip(words.1).filter(|&pair| differs(pair)).count();
    let mut difference = Difference {
        buffer,
        words: n_common + words.0.len().abs_diff(words.1.len()),
        first: words.0.iter().zip(words.1).position(differs),
        numbers: 0.0,
        whole: 0.0,
    };
    if difference.words == 0 {
        return difference;
    }
    match buffer {
        Buffer::Lists => (difference.numbers, difference.whole) = of_lists(found, expected),
        Buffer::Items => difference.whole = unmatched(&found.items, &expected.items),
        Buffer::Large => difference.whole = unmatched(&found.large, &expected.large),
        Buffer::Counters | Buffer::Arguments => difference.whole = of_counts(words.0, words.1),
        _ => (difference.numbers, difference.whole) = of_words(&kinds(buffer), words.0, words.1),
    }
    difference
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

/// What a word of a structure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number that is of the size of all numbers with the same letter.
    Number(u8),
    /// A count or a set of bits; as a number it has no fraction.
    Whole,
}

use Kind::{Number, Whole};

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
            let rest = [(3, LENGTH), (1, Whole), (4, LENGTH), (3, SCALE), (1, Whole)];
            [bodies, rest.to_vec()].concat()
        }
        Buffer::Bounds => vec![(6, PART), (10, Whole)],
        Buffer::Parts | Buffer::Sums => {
            vec![(10, VOLUME), (4, AREA), (6, Whole), (1, VOLUME), (1, AREA), (1, PART), (2, Whole)]
        }
        Buffer::Supports => vec![(2, LENGTH)],
        Buffer::Blocks => {
            let head = [(3, LENGTH), (1, Whole), (3, LENGTH), (1, VOLUME), (3, MOMENT), (1, PART)];
            let second = [(3, SECOND), (1, Whole), (3, SECOND), (1, Whole), (3, AREA), (1, Whole), (12, ARM)];
            let normal = [(3, AXES), (1, VOLUME), (3, AREA), (1, Whole), (3, AXES), (1, Whole)];
            let rest = [(3, AREA), (1, Whole), (3, AREA), (1, Whole), (4, Whole), (68, LENGTH)];
            [&FRAME_ROWS[..], &head, &second, &normal, &rest].concat()
        }
        _ => vec![(1, Whole)],
    };
    runs.into_iter().flat_map(|(n, kind)| std::iter::repeat_n(kind, n)).collect()
}

pub(crate) fn of_words(kinds: &[Kind], found: &[u32], expected: &[u32]) -> (f64, f64) {
    let mut largest = [0.0_f64; SCALE_COUNT];
    let words = || kinds.iter().cycle().zip(found.iter().zip(expected));
    let number = |word: &u32| f64::from(f32::from_bits(*word));
    for (kind, (_, b)) in words() {
        if let (Number(letter), true) = (*kind, number(b).is_finite()) {
            largest[letter as usize] = largest[letter as usize].max(number(b).abs());
        }
    }
    let (mut errors, mut n_whole, mut n_different) = (Vec::new(), 0_usize, 0_usize);
    for (kind, (a, b)) in words() {
        match *kind {
            Number(letter) => errors.push(part(a, b, largest[letter as usize])),
            Whole => {
                n_whole += 1;
                n_different += usize::from(a != b);
            }
        }
    }
    (all_but_exceptions(errors), n_different as f64 / n_whole.max(1) as f64)
}

/// Letters of [`Kind::Number`].
const SCALE_COUNT: usize = 9;

fn part(found: &u32, expected: &u32, largest: f64) -> f64 {
    let [a, b] = [found, expected].map(|word| f64::from(f32::from_bits(*word)));
    let error = (a - b).abs() / largest;
    if found == expected || a == b {
        0.0
    } else if error.is_finite() {
        error
    } else {
        f64::INFINITY
    }
}

fn all_but_exceptions(mut errors: Vec<f64>) -> f64 {
    errors.sort_by(|a, b| b.total_cmp(a));
    let n_exceptions = (EXCEPTIONS * errors.len() as f64) as usize;
    errors.get(n_exceptions).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::Groups;
    use crate::layout::{ContactBlock, PairFrame, RaySums};
    use crate::memory::Capacity;

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
