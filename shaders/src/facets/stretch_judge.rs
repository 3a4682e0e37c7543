//! Whether a body has come farther than candidates were looked for, or is held by more than the sub-step can carry.

use glam::Vec3;
use rayon::prelude::*;

use super::layout::FacetRound;
use super::memory::Memory;
use super::stretch_layout::{StretchBody, StretchState, cause};
use super::threads::PAIRS;

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.stop[0] >> cause::BITS < round.index {
        return;
    }
    let bodies = memory.bodies.par_iter().zip(&memory.states).with_min_len(PAIRS);
    let first = bodies.map(|(body, state)| stop_of(memory, round, body, state)).min().unwrap_or(cause::NONE);
    memory.stop[0] = memory.stop[0].min(first);
}

/// What a body stops the stretch by.
fn stop_of(memory: &Memory, round: &FacetRound, body: &StretchBody, state: &StretchState) -> u32 {
    let stop = |cause: u32| round.index << cause::BITS | cause;
    let shift = Vec3::from(body.velocity) * round.time + Vec3::from(state.shift);
    let turn = Vec3::from(state.turn);
    let way = shift.dot(shift).sqrt() + 2.0 * turn.dot(turn).sqrt() * body.reach;
    let (mut stiffness, mut damper) = (0.0_f32, 0.0_f32);
    for link in &memory.links[body.first_link as usize..body.end_link as usize] {
        let action = &memory.actions[(link >> 1) as usize];
        stiffness += action.stiffness;
        damper += action.damper;
    }
    // The lesser of both causes, as of all bodies.
    if stiffness * body.lightness > round.most_stiff || damper * body.lightness > round.most_damped {
        return stop(cause::STIFF);
    }
    if way > body.allowance { stop(cause::WAY) } else { cause::NONE }
}
