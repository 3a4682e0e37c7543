//! The first half of a step whose velocities no step before has found: they may lead into what the bodies touch.

use glam::DVec3;

use super::Impulse;
use crate::question::{Answers, Questions};
use crate::stepper::step::{Input, StepError};
use crate::{Body, Joint, Settings};

/// A first half as a step of its own, of half the time and without forces, in which contacts stop what comes down on them and joints
/// hold. Where
/// it ends is all that is taken from it: velocities, friction and restitution are the whole step's.
#[derive(Clone, Debug)]
pub struct FirstHalf {
    step: Impulse,
    settings: Settings,
    /// The joints without drives.
    joints: Vec<Joint>,
}

impl Impulse {
    /// Moves the bodies to where their guarded first half ends.
    pub(super) fn place_first_half(
        &mut self,
        first: FirstHalf,
        input: &Input<'_>,
        answers: Answers,
    ) -> Result<(), StepError> {
        // Velocities as they are without contacts, turned with the bodies.
        self.move_freely(input);
        let half = first.end(input, answers)?;
        for (state, body) in half.after.states.iter().zip(&mut self.measured) {
            (body.position, body.orientation) = (state.position, state.orientation);
        }
        // Joints do the same to velocities whenever they do it, and done here it keeps the angular momentum.
        for island in half.islands.islands.iter().filter(|island| island.contacts.is_empty()) {
            for &ix in &half.islands.body_of_slot[island.slots.clone()] {
                let (state, body) = (&half.after.states[ix as usize], &mut self.measured[ix as usize]);
                body.linear_velocity = state.linear_velocity;
                body.angular_velocity = state.angular_velocity;
            }
        }
        Ok(())
    }
}

impl FirstHalf {
    /// The first half of a step from `input`.
    pub fn new(input: &Input<'_>) -> Self {
        let dt = 0.5 * input.settings.dt;
        let settings = Settings {
            dt,
            gravity: DVec3::ZERO,
            restitution_threshold: f64::INFINITY,
            stabilization: 0.0,
            warm_start: false,
            ..input.settings.clone()
        };
        let without_forces = |body: &Body| Body { force: DVec3::ZERO, torque: DVec3::ZERO, ..body.clone() };
        let measured = input.bodies.iter().map(without_forces).collect();
        let joints = input.joints.iter().map(Joint::without_drive).collect();
        Self { step: Impulse { measured, remaining: dt, ..Impulse::default() }, settings, joints }
    }

    /// What has to be measured for it.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn ask(&mut self, input: &Input<'_>) -> Result<Questions, StepError> {
        let Self { step, settings, joints } = self;
        step.with_measured(&Input { settings, joints, ..*input }, Impulse::ask)
    }

    /// The step at its end.
    ///
    /// # Errors
    /// Answers that are no such, or a state that would be no numbers.
    fn end(mut self, input: &Input<'_>, answers: Answers) -> Result<Impulse, StepError> {
        let (settings, joints) = (&self.settings, &self.joints[..]);
        self.step.finish(&Input { settings, joints, ..*input }, answers)?;
        Ok(self.step)
    }
}
