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
    TriOverlap tri_overlap [place, plane, polygon, pressure, integral] WORKGROUP: read Facets, read Pairs, read Starts, read Candidates, write Touches,
        write Polygons;
    TriSum tri_sum [place] WORKGROUP: read Pairs, read Starts, read Candidates, read Touches, write Blocks;
}

impl StageId {
    /// How many workgroups it takes.
    pub fn n_groups(self, round: &FacetRound) -> u32 {
        match self {
            Self::TriCount | Self::TriFill => round.n_groups,
            Self::TriScan => 1,
            Self::TriOverlap => round.cap.div_ceil(WORKGROUP),
            Self::TriSum => round.n_pairs,
        }
    }
}
