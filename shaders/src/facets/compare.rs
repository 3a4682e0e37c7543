//! What a device wrote against what the twin of the same facet stage wrote.

use super::memory::{Buffer, Memory};
use super::stages::Stage;
use crate::compare::Kind::{Number, Whole};
use crate::compare::{Difference, Kind, difference, of_runs, of_words};

/// The buffers that a stage writes, compared.
pub fn compare(stage: &Stage, found: &Memory, expected: &Memory) -> Vec<Difference<Buffer>> {
    let of = |buffer| {
        let judge = |a: &[u32], b: &[u32]| of_words(&kinds(buffer), a, b);
        difference(buffer, found.bytes(buffer), expected.bytes(buffer), judge)
    };
    stage.written().map(of).collect()
}

const AXES: Kind = Number(0);
const LENGTH: Kind = Number(1);
const AREA: Kind = Number(2);
const FORCE: Kind = Number(3);
const MOMENT: Kind = Number(4);
const DEPTH: Kind = Number(5);

/// The words of a buffer's element.
fn kinds(buffer: Buffer) -> Vec<Kind> {
    match buffer {
        Buffer::Touches => of_runs(&[
            (3, AXES),
            (1, FORCE),
            (3, LENGTH),
            (1, AREA),
            (3, MOMENT),
            (1, DEPTH),
            (5, LENGTH),
            (1, DEPTH),
            (2, Whole),
        ]),
        Buffer::Polygons => of_runs(&[(1, LENGTH)]),
        Buffer::Blocks => of_runs(&[(3, FORCE), (1, AREA), (3, MOMENT), (1, DEPTH), (16, Whole)]),
        _ => of_runs(&[(1, Whole)]),
    }
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
