//! Carrying out the facet stages with their twins.

use super::layout::FacetRound;
use super::memory::Memory;
use super::stages::{BEGIN_STRETCH, SUBSTEP, StageId, TOUCH};

/// Answers all pairs, with as many places for candidates as they take; returns what the last run worked on.
pub fn run(memory: &mut Memory, with_polygons: bool) -> FacetRound {
    let mut round = memory.prepare(0, with_polygons);
    loop {
        run_stages(&TOUCH, memory, &round);
        if memory.n_wanted() <= round.cap {
            return round;
        }
        round = memory.prepare(memory.n_wanted(), with_polygons);
    }
}

/// Goes through a stretch of sub-steps with bodies, pairs and springs in place, with as many places for candidates as they take: one round for each
/// sub-step, the sizes of which are filled in.
pub fn run_stretch(memory: &mut Memory, substeps: &[FacetRound]) {
    let n_bodies = memory.bodies.len() as u32;
    let Some(first) = substeps.first() else {
        memory.prepare_stretch(0);
        return;
    };
    let counted = first.sized_as(&memory.prepare(0, false));
    run_stages(&BEGIN_STRETCH[..2], memory, &counted);
    let cap = memory.n_wanted();
    let sizes = FacetRound { n_bodies, ..memory.prepare(cap, false) };
    memory.prepare_stretch(cap);
    run_stages(&BEGIN_STRETCH[2..], memory, &first.sized_as(&sizes));
    for substep in substeps {
        run_stages(&SUBSTEP, memory, &substep.sized_as(&sizes));
    }
}

fn run_stages(stages: &[StageId], memory: &mut Memory, round: &FacetRound) {
    stages.iter().for_each(|stage| (stage.stage().twin)(memory, round));
}
