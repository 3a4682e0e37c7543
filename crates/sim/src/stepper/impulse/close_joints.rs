//! Joints put together without giving any velocity.
//!
//! A joint's halves go round each other on arcs, bodies within half a step on tangents. The impulses hold the halves together from
//! one place of measuring to the next. At the end of a step, halfway between, they are off by a part of second order: it is
//! taken out there, and put back on the way to the next place of measuring, along the same directions, those at the end of the
//! step. So the motion is the one that the impulses alone would give, which keeps energy, and is seen with closed joints. A body
//! is carried with its angular velocity: turned without it, it would turn about other axes of its own than before, and what spins
//! would take up energy from step to step.

use super::Impulse;
use super::end::{go_besides, is_dynamic, keep_angular_momentum};
use crate::joint::{self, Parts};
use crate::motion::{self, FreeMotion};
use crate::solver::body::SolverBody;
use crate::solver::islands::Islands;
use crate::solver::{momentum, position};
use crate::stepper::step::Input;
use crate::twist::Twist;
use crate::{Body, BodyState, Settings};

/// Rounds in which joints are closed at the end of a step: each squares what is left, as Newton's method does.
const CLOSING_ROUNDS: u32 = 2;

impl Impulse {
    /// How far each body has to go besides, for the joints to be closed after another `time` \[s\] with the velocities of these
    /// bodies; nothing where there are no joints.
    fn closing(input: &Input<'_>, time: f64) -> Vec<(u32, Twist)> {
        let Settings { stabilization, .. } = *input.settings;
        let (holding, joined) = joint::holding(input.joints, input.joint_states, input.bodies);
        if holding.is_empty() || stabilization == 0.0 {
            return Vec::new();
        }
        let Settings { gravity, dt, .. } = *input.settings;
        let of = |(body, inverse_inertia)| FreeMotion::of(body, inverse_inertia, gravity, dt);
        let free: Vec<_> = input.bodies.iter().zip(input.inverse_inertias).map(of).collect();
        let mut islands = Islands::default();
        islands.rebuild(&is_dynamic(input.bodies), &[], &joined);
        let mut closing = Vec::new();
        for island in &islands.islands {
            let parts = Parts {
                settings: input.settings,
                bodies: input.bodies,
                free: &free,
                inverse_inertias: input.inverse_inertias,
                joints: input.joints,
                states: input.joint_states,
                end: input.end,
            };
            let constraints: Vec<_> = joint::constraints(parts, &holding, &islands, island).collect();
            let ids = &islands.body_of_slot[island.slots.clone()];
            let of_body = |&ix: &u32| {
                let body = &input.bodies[ix as usize];
                let twist = Twist { linear: body.linear_velocity, angular: body.angular_velocity };
                SolverBody { twist, ..SolverBody::from(&free[ix as usize]) }
            };
            let mut bodies: Vec<_> = ids.iter().map(of_body).collect();
            position::correct(&[], &constraints, &mut bodies, stabilization, time);
            closing.extend(ids.iter().zip(&bodies).map(|(&ix, body)| (ix, body.correction)));
        }
        closing
    }

    /// Closes the joints where bodies are to be measured; the bodies of `input` are where they start from.
    pub(super) fn close_where_measured(&mut self, input: &Input<'_>) {
        let closing = Self::closing(input, input.settings.dt - self.remaining);
        if closing.is_empty() {
            return;
        }
        // Nothing but the state tells who touches whom: a step that goes on from a checkpoint has made none before.
        let touching: Vec<_> = input.memory.contacts.iter().map(|contact| contact.bodies).collect();
        let (_, joined) = joint::holding(input.joints, input.joint_states, input.bodies);
        let mut islands = Islands::default();
        islands.rebuild(&is_dynamic(input.bodies), &touching, &joined);
        let mut states: Vec<_> = self.measured.iter().map(BodyState::of).collect();
        carry(&closing, &islands, input.bodies, &mut states);
        for (state, body) in states.iter().zip(&mut self.measured) {
            state.apply_to(body);
        }
    }

    /// Closes the joints at the end of the step.
    pub(super) fn close_at_end(&mut self, input: &Input<'_>) {
        if input.joints.is_empty() {
            return;
        }
        for _ in 0..CLOSING_ROUNDS {
            for (state, body) in self.after.states.iter().zip(&mut self.measured) {
                state.apply_to(body);
            }
            let closing = self.with_measured(input, |_, input| Self::closing(input, 0.0));
            carry(&closing, &self.islands, input.bodies, &mut self.after.states);
        }
    }
}

/// Moves bodies besides, each with its angular velocity; groups that nothing holds keep their angular momentum.
fn carry(closing: &[(u32, Twist)], islands: &Islands, bodies: &[Body], states: &mut [BodyState]) {
    let mut besides = vec![Twist::default(); states.len()];
    for &(ix, correction) in closing {
        besides[ix as usize] = correction;
        let BodyState { position, orientation, angular_velocity, .. } = &mut states[ix as usize];
        go_besides(&correction, position, orientation);
        *angular_velocity = motion::exp(correction.angular) * *angular_velocity;
    }
    keep_angular_momentum(islands, bodies, states, |slot, body, state| {
        momentum::gained_by_carrying(body, state, &besides[islands.body_of_slot[slot] as usize])
    });
}
