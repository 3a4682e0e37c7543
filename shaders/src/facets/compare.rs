//! What a device wrote against what the twin of the same facet stage wrote.

use bytemuck::cast_slice;

use super::memory::{Buffer, Memory};
use super::stage::Stage;
use crate::compare::{Kind, Kind::Number, Kind::Whole, of_words};
use crate::stage::Access;

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
    /// [`crate::compare::EXCEPTIONS`] of them.
    pub numbers: f64,
    /// Part of the whole numbers that differ.
    pub whole: f64,
}

/// The buffers that a stage writes, compared.
pub fn compare(stage: &Stage, found: &Memory, expected: &Memory) -> Vec<Difference> {
    let written = stage.bindings.iter().filter(|binding| binding.access == Access::Write);
    written.map(|binding| of_buffer(binding.buffer, found, expected)).collect()
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
    if difference.words > 0 {
        (difference.numbers, difference.whole) = of_words(&kinds(buffer), words.0, words.1);
    }
    difference
}

const AXES: Kind = Number(0);
const LENGTH: Kind = Number(1);
const AREA: Kind = Number(2);
const FORCE: Kind = Number(3);
const MOMENT: Kind = Number(4);
const DEPTH: Kind = Number(5);

/// The words of a buffer's element, in runs.
fn kinds(buffer: Buffer) -> Vec<Kind> {
    let runs: Vec<(usize, Kind)> = match buffer {
        Buffer::Touches => vec![
            (3, AXES),
            (1, FORCE),
            (3, LENGTH),
            (1, AREA),
            (3, MOMENT),
            (1, DEPTH),
            (5, LENGTH),
            (1, DEPTH),
            (2, Whole),
        ],
        Buffer::Polygons => vec![(1, LENGTH)],
        Buffer::Blocks => {
            vec![(3, FORCE), (1, AREA), (3, MOMENT), (1, DEPTH), (16, Whole)]
        }
        _ => vec![(1, Whole)],
    };
    runs.into_iter().flat_map(|(n, kind)| std::iter::repeat_n(kind, n)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::{FacetBlock, FacetTouch};
    use super::*;

    #[test]
    fn every_word_has_a_kind() {
        for (buffer, bytes) in
            [(Buffer::Touches, size_of::<FacetTouch>()), (Buffer::Blocks, size_of::<FacetBlock>())]
        {
            assert_eq!(4 * kinds(buffer).len(), bytes, "{buffer:?}");
        }
    }
}
