//! What a device wrote against what the twin of the same stage wrote.
//!
//! A device that rounds as IEEE 754 asks writes the same bits; for others there are two figures: how far numbers differ, and how many of
//! the whole numbers and lists do.

use bytemuck::cast_slice;

/// Part of a buffer's numbers that [`Difference::numbers`] leaves out: where two points support a patch equally well,
/// rounding decides between them, and the place that goes with them jumps.
pub const EXCEPTIONS: f64 = 1e-3;

/// How a buffer differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference<B> {
    /// The buffer.
    pub buffer: B,
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

/// How what two wrote into a buffer differs; where it does, `judge` says how much: numbers, and whole numbers.
pub(crate) fn difference<B>(
    buffer: B,
    found: &[u8],
    expected: &[u8],
    judge: impl FnOnce(&[u32], &[u32]) -> (f64, f64),
) -> Difference<B> {
    let words: (&[u32], &[u32]) = (cast_slice(found), cast_slice(expected));
    let differs = |(a, b): (&u32, &u32)| a != b;
    let n_common = words.0.iter().zip(words.1).filter(|&pair| differs(pair)).count();
    let n_words = n_common + words.0.len().abs_diff(words.1.len());
    let (numbers, whole) = if n_words > 0 { judge(words.0, words.1) } else { (0.0, 0.0) };
    let first = words.0.iter().zip(words.1).position(differs);
    Difference { buffer, words: n_words, first, numbers, whole }
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

/// The words of an element, from runs of one kind.
pub(crate) fn of_runs(runs: &[(usize, Kind)]) -> Vec<Kind> {
    runs.iter().flat_map(|(n, kind)| std::iter::repeat_n(*kind, *n)).collect()
}

/// How words differ, element after element of these kinds: numbers, and whole numbers.
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
const SCALE_COUNT: usize = 11;

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

pub(crate) fn all_but_exceptions(mut errors: Vec<f64>) -> f64 {
    errors.sort_by(|a, b| b.total_cmp(a));
    let n_exceptions = (EXCEPTIONS * errors.len() as f64) as usize;
    errors.get(n_exceptions).copied().unwrap_or(0.0)
}
