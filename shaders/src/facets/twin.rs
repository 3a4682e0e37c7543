//! Carrying out the facet stages with their twins.

use super::layout::FacetRound;
use super::memory::Memory;
use super::stages::STAGES;

/// Answers all pairs, with as many places for candidates as they take; returns what the last run worked on.
pub fn run(memory: &mut Memory, with_polygons: bool) -> FacetRound {
    let mut round = memory.prepare(0, with_polygons);
    loop {
        for stage in STAGES {
            (stage.twin)(memory, &round);
        }
        if memory.n_wanted() <= round.cap {
            return round;
        }
        round = memory.prepare(memory.n_wanted(), with_polygons);
    }
}
