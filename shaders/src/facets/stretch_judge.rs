//! Whether a body has come farther than candidates were looked for, or is held by more than the sub-step can carry.

use glam::Vec3;

use super::layout::FacetRound;
use super::memory::Memory;
use super::stretch_layout::cause;

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.stop[0] >> cause::BITS < round.index {
        return;
    }
    for ix in 0..round.n_bodies as usize {
        let (body, state) = (&memory.bodies[ix], &memory.states[ix]);
        let shift = Vec3::from(body.velocity) * round.time + Vec3::from(state.shift);
        let turn = Vec3::from(state.turn);
        let way = shift.dot(shift).sqrt() + 2.0 * turn.dot(turn).sqrt() * body.reach;
        let mut stop = |cause: u32| {
            memory.stop[0] = memory.stop[0].min(round.index << cause::BITS | cause);
        };
        if way > body.allowance {
            stop(cause::WAY);
        }
        let (mut stiffness, mut damper) = (0.0_f32, 0.0_f32);
        for link in &memory.links[body.first_link as usize..body.end_link as usize] {
            let action = &memory.actions[(link >> 1) as usize];
            stiffness += action.stiffness;
            damper += action.damper;
        }
        if stiffness * body.lightness > round.most_stiff || damper * body.lightness > round.most_damped {
            stop(cause::STIFF);
        }
    }
}
