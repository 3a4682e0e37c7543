//! What a device wrote against what the twin of the same facet stage wrote.

use super::memory::{Buffer, Memory};
use super::stages::Stage;
use super::stretch_layout::{MAX_PATCHES, MAX_SPRINGS};
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
const SPEED: Kind = Number(6);
const SPIN: Kind = Number(7);
const RATE: Kind = Number(8);
const STIFFNESS: Kind = Number(9);
const COEFFICIENT: Kind = Number(10);
const INERTIA: Kind = Number(11);

/// The words of an element of a buffer that only stretches have.
fn stretch_kinds(buffer: Buffer) -> Vec<Kind> {
    let vectors = |letters: &[Kind]| letters.iter().flat_map(|kind| [*kind; 4]).collect::<Vec<_>>();
    let patch = [
        (4, LENGTH),
        (3, AXES),
        (1, AREA),
        (3, FORCE),
        (1, DEPTH),
        (3, MOMENT),
        (1, Whole),
        (3, AREA),
        (1, LENGTH),
        (3, AREA),
        (1, LENGTH),
    ];
    match buffer {
        Buffer::States => vectors(&[LENGTH, AXES, LENGTH, AXES, SPEED, SPIN]),
        Buffer::Courses => {
            let fixed = [(26, LENGTH), (6, LENGTH), (2, Whole), (6, COEFFICIENT)];
            let now = vectors(&[LENGTH, SPEED, RATE, INERTIA, INERTIA]).repeat(2);
            of_runs(&fixed).into_iter().chain(now).collect()
        }
        Buffer::Springs => {
            let head = [(4, LENGTH), (3, AXES), (1, Whole)];
            let springs = [(3, DEPTH), (1, STIFFNESS)].repeat(MAX_SPRINGS);
            let patches = of_runs(&[&head[..], &springs].concat()).repeat(MAX_PATCHES);
            [Whole, Whole, DEPTH, Whole].into_iter().chain(patches).collect()
        }
        Buffer::Actions => {
            let head = [(3, FORCE), (1, STIFFNESS), (3, MOMENT), (1, COEFFICIENT), (3, MOMENT), (1, Whole)];
            of_runs(&[&head[..], &patch.repeat(MAX_PATCHES)].concat())
        }
        Buffer::Seen => {
            let head = [(3, SPIN), (1, Whole), (3, SPIN), (1, Whole)];
            let one = [&patch[..], &[(4, SPEED), (4, SPIN)]].concat();
            of_runs(&[&head[..], &one.repeat(MAX_PATCHES)].concat())
        }
        _ => of_runs(&[(1, Whole)]),
    }
}

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
            (4, LENGTH),
            (3, FORCE),
            (1, LENGTH),
            (1, DEPTH),
            (1, MOMENT),
            (2, Whole),
        ]),
        Buffer::Polygons => of_runs(&[(1, LENGTH)]),
        Buffer::Blocks => of_runs(&[(3, FORCE), (1, AREA), (3, MOMENT), (1, DEPTH), (16, Whole)]),
        Buffer::Pairs => of_runs(&[&[(3, AXES), (1, LENGTH)].repeat(6)[..], &[(12, Whole)]].concat()),
        _ => stretch_kinds(buffer),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::{FacetBlock, FacetPair, FacetTouch};
    use super::super::stretch_layout::{PairAction, PairMemory, PairSeen, StretchPair, StretchState};
    use super::*;

    #[test]
    fn every_word_has_a_kind() {
        for (buffer, bytes) in [
            (Buffer::Touches, size_of::<FacetTouch>()),
            (Buffer::Blocks, size_of::<FacetBlock>()),
            (Buffer::Pairs, size_of::<FacetPair>()),
            (Buffer::States, size_of::<StretchState>()),
            (Buffer::Courses, size_of::<StretchPair>()),
            (Buffer::Springs, size_of::<PairMemory>()),
            (Buffer::Actions, size_of::<PairAction>()),
            (Buffer::Seen, size_of::<PairSeen>()),
        ] {
            assert_eq!(4 * kinds(buffer).len(), bytes, "{buffer:?}");
        }
    }
}
