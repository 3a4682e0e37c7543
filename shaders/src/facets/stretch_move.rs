//! Kicks each body by what acts on it, and drifts to the middle of the next sub-step.

use glam::Vec3;
use rayon::prelude::*;

use super::layout::FacetRound;
use super::memory::Memory;
use super::stretch_layout::{StretchBody, StretchState, cause};
use super::threads::PAIRS;
use super::turn::{angular_of, turned_on};

pub fn run(memory: &mut Memory, round: &FacetRound) {
    if memory.stop[0] >> cause::BITS <= round.index {
        return;
    }
    let mut states = std::mem::take(&mut memory.states);
    let both = memory.bodies.par_iter().zip(&mut states).with_min_len(PAIRS);
    both.for_each(|(body, state)| {
        let [velocity, spin] = gained(memory, round, body, state);
        let shift = Vec3::from(state.shift) + velocity * round.length;
        let turn = Vec3::from(state.turn);
        let half_way = turned_on(turn, angular_of(body, spin, turn), 0.5 * round.length);
        let turned = turned_on(turn, angular_of(body, spin, half_way), round.length);
        *state = StretchState {
            kicked_shift: state.shift,
            kicked_turn: state.turn,
            shift: shift.into(),
            turn: turned.into(),
            velocity: velocity.into(),
            spin: spin.into(),
            ..*state
        };
    });
    memory.states = states;
}

/// Velocity and angular momentum gained, after the kick.
fn gained(memory: &Memory, round: &FacetRound, body: &StretchBody, state: &StretchState) -> [Vec3; 2] {
    let (mut velocity, mut spin) = (Vec3::from(state.velocity), Vec3::from(state.spin));
    if body.is_dynamic != 0 {
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::from(body.torque));
        for link in &memory.links[body.first_link as usize..body.end_link as usize] {
            let action = &memory.actions[(link >> 1) as usize];
            if link & 1 != 0 {
                force += Vec3::from(action.force);
                torque += Vec3::from(action.torque_b);
            } else {
                force -= Vec3::from(action.force);
                torque += Vec3::from(action.torque_a);
            }
        }
        velocity += (Vec3::from(body.acceleration) + force * body.inverse_mass) * round.length;
        spin += torque * round.length;
    }
    [velocity, spin]
}
