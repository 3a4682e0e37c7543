//! The table of facet stages: what each reads and writes, its shader and its twin, and how many workgroups it takes.

use super::layout::FacetRound;
use super::memory::{Buffer, Memory};
use crate::groups::WORKGROUP;
use crate::stage;

/// A stage of the answer how facets touch.
pub type Stage = stage::Stage<Buffer, fn(&mut Memory, &FacetRound)>;

stage::stages! {
    TriCount tri_count [place, near] WORKGROUP: read Facets, read Boxes, read Pairs, write Counts, write Starts;
    TriScan tri_scan [place] WORKGROUP: write Starts;
    TriFill tri_fill [place, near] WORKGROUP: read Facets, read Boxes, read Pairs, read Counts, read Starts, write Candidates;
    TriOverlap tri_overlap [place, plane, polygon, pressure, integral, gradient] WORKGROUP: read Facets, read Pairs, read Starts, read Candidates, write Touches,
        write Polygons;
    TriSum tri_sum [place] WORKGROUP: read Pairs, read Starts, read Candidates, read Touches, write Blocks;
    StretchPlace stretch_place [stretch, place, turn] WORKGROUP: read Bodies, read States, read Springs, read Stop, write Pairs, write Courses,
        write Starts;
    StretchGroup stretch_group [stretch, place] WORKGROUP: read Facets, read Pairs, read Starts, read Candidates, read Touches, write Parts,
        write Stop;
    StretchHold stretch_hold [stretch, place, turn, spring] WORKGROUP: read Pairs, read Courses, read Starts, read Touches, read Parts, write Springs,
        write Actions, write Stop;
    StretchJudge stretch_judge [stretch, place] WORKGROUP: read Bodies, read States, read Links, read Actions, write Stop;
    StretchNote stretch_note [stretch, place, turn] WORKGROUP: read Actions, read Stop, write Seen;
    StretchMove stretch_move [stretch, place, turn] WORKGROUP: read Bodies, read Links, read Actions, read Stop, write States;
}

/// The stages that answer how pairs touch, in their order.
pub const TOUCH: [StageId; 5] =
    [StageId::TriCount, StageId::TriScan, StageId::TriFill, StageId::TriOverlap, StageId::TriSum];

/// The stages that a stretch of sub-steps begins with: which facets may touch in any of them.
pub const BEGIN_STRETCH: [StageId; 3] = [StageId::TriCount, StageId::TriScan, StageId::TriFill];

/// The stages of each of its sub-steps.
pub const SUBSTEP: [StageId; 7] = [
    StageId::StretchPlace,
    StageId::TriOverlap,
    StageId::StretchGroup,
    StageId::StretchHold,
    StageId::StretchJudge,
    StageId::StretchNote,
    StageId::StretchMove,
];

impl StageId {
    /// How many workgroups it takes.
    pub fn n_groups(self, round: &FacetRound) -> u32 {
        match self {
            Self::TriCount | Self::TriFill => round.n_groups,
            Self::TriScan => 1,
            Self::TriOverlap => round.cap.div_ceil(WORKGROUP),
            Self::TriSum => round.n_pairs,
            Self::StretchPlace | Self::StretchGroup | Self::StretchHold | Self::StretchNote => {
                round.n_pairs.div_ceil(WORKGROUP)
            }
            Self::StretchJudge | Self::StretchMove => round.n_bodies.div_ceil(WORKGROUP),
        }
    }
}
