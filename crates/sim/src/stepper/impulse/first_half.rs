//! The first half of a step whose velocities no step before has found, or for a shorter time: they may lead into what the bodies
//! touch.

use glam::DVec3;

use super::Impulse;
use super::end::keep_angular_momentum;
use crate::motion;
use crate::question::{Answers, Questions};
use crate::solver::momentum;
use crate::stepper::step::{Input, Progress, StepError};
use crate::twist::Twist;
use crate::{Body, BodyKind, BodyState, Joint, Settings};

/// A first half as a step of its own, of half the time and without forces, in which contacts stop what comes down on them and joints
/// hold. Where it ends is all that is taken from it where contacts act: velocities, friction and restitution are the whole step's. What bounces
/// goes on to where the whole step finds when it has: stopped on its way, it would seem to come only then.
#[derive(Clone, Debug)]
pub struct FirstHalf {
    step: Impulse,
    settings: Settings,
    /// The joints, with drives that keep the rates that there are.
    joints: Vec<Joint>,
    /// Those whose first half it is, ascending; none where all bodies'. The others stand aside.
    of: Option<Vec<u32>>,
}

impl Impulse {
    /// Makes no contacts of regions in which bodies bounce off each other.
    fn leave_what_bounces(&mut self, input: &Input<'_>) {
        let mut regions = std::mem::take(&mut self.regions);
        self.with_measured(input, |step, input| {
            let assembly = step.assembly(input);
            regions.retain(|region| !assembly.bounces(*region));
        });
        self.regions = regions;
    }

    /// Moves the bodies to where their guarded first half ends.
    pub(super) fn place_first_half(&mut self, first: FirstHalf, input: &Input<'_>) -> Result<(), StepError> {
        // Velocities as they are without contacts, turned with the bodies.
        self.move_freely(input);
        let of = first.of;
        let is_guarded = |ix: usize| of.as_ref().is_none_or(|of| of.binary_search(&(ix as u32)).is_ok());
        let half = first.step;
        self.times = half.times;
        let mut states: Vec<BodyState> = self.measured.iter().map(BodyState::of).collect();
        let mut besides = vec![Twist::default(); states.len()];
        let guarded = states.iter_mut().zip(&half.after.states).zip(&mut besides).enumerate();
        for (_, ((state, end), besides)) in guarded.filter(|(ix, _)| is_guarded(*ix)) {
            besides.linear = end.position - state.position;
            besides.angular = motion::log(end.orientation * state.orientation.conjugate());
            (state.position, state.orientation) = (end.position, end.orientation);
        }
        // Joints do the same to velocities whenever they do it, and done here it keeps the angular momentum.
        for island in half.islands.islands.iter().filter(|island| island.contacts.is_empty()) {
            for &ix in &half.islands.body_of_slot[island.slots.clone()] {
                (states[ix as usize], besides[ix as usize]) =
                    (half.after.states[ix as usize], Twist::default());
            }
        }
        let gained = |slot: usize, body: &Body, state: &BodyState| {
            momentum::gained_by_correction(body, state, &besides[half.islands.body_of_slot[slot] as usize])
        };
        keep_angular_momentum(&half.islands, &self.measured, &mut states, gained);
        let groups =
            half.islands.islands.iter().map(|island| &half.islands.body_of_slot[island.slots.clone()]);
        self.led_together.extend(groups.map(<[u32]>::to_vec));
        for ((state, body), given) in states.iter().zip(&mut self.measured).zip(input.bodies) {
            state.apply_to(body);
            (body.force, body.torque) = (given.force, given.torque);
        }
        Ok(())
    }
}

impl FirstHalf {
    /// The first half of a step from `input` that has to be guarded; `None` where the last step has seen to it, or no contact holds apart.
    pub fn to_guard(input: &Input<'_>) -> Option<Self> {
        let landed = &input.memory.landed;
        if (input.is_continued && landed.is_empty()) || input.settings.compliance > 0.0 {
            return None;
        }
        Some(Self::new(input, input.is_continued.then(|| landed.clone())))
    }

    fn new(input: &Input<'_>, of: Option<Vec<u32>>) -> Self {
        let dt = 0.5 * input.settings.dt;
        let settings = Settings {
            dt,
            gravity: DVec3::ZERO,
            restitution_threshold: f64::INFINITY,
            stabilization: 0.0,
            warm_start: false,
            sleep_after: 0.0,
            landing_substeps: 1,
            ..*input.settings
        };
        let without_forces = |(ix, body): (usize, &Body)| {
            let is_guarded = of.as_ref().is_none_or(|of| of.binary_search(&(ix as u32)).is_ok());
            let mut body = body.clone();
            (body.force, body.torque, body.acceleration) = Default::default();
            if body.kind == BodyKind::Dynamic && !is_guarded {
                body.stand_aside();
            }
            body
        };
        let measured = input.bodies.iter().enumerate().map(without_forces).collect();
        let joints = input.joints.iter().map(Joint::that_keeps_rate).collect();
        Self { step: Impulse { measured, remaining: dt, ..Impulse::default() }, settings, joints, of }
    }

    /// What has to be measured for it.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn ask(&mut self, input: &Input<'_>) -> Result<Questions, StepError> {
        let Self { step, settings, joints, .. } = self;
        step.with_measured(&Input { settings, joints, ..*input }, Impulse::ask)
    }

    /// Goes on with the answers; `None` once it is at its end.
    ///
    /// # Errors
    /// Answers that are no such, or a state that would be no numbers.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Option<Questions>, StepError> {
        let Self { step, settings, joints, .. } = self;
        let whole = input.settings;
        let input = &Input { settings, joints, ..*input };
        if !step.is_following {
            step.take_answers(input, answers)?;
        } else if !step.take_unforeseen(input, answers)? {
            return step.finish(input).map(|_| None);
        }
        // What sleeps is in the way here, and wakes where contacts act.
        let Impulse { regions, pairs, measured, .. } = &mut *step;
        let is_movable = |ix: &u32| measured[*ix as usize].is_movable();
        regions.retain(|region| pairs[region.pair as usize].bodies.iter().any(is_movable));
        step.leave_what_bounces(&Input { settings: whole, ..*input });
        match step.solve_and_follow(input)? {
            Progress::Ask(questions) => Ok(Some(questions)),
            Progress::Done(_) => Ok(None),
        }
    }
}
