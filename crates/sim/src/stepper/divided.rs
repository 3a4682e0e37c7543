//! A step made of smaller ones, each with questions of its own.
//!
//! What the world and its reports see is the whole step. Bodies that pass several corners or turn far in a step need it
//! ("small steps", Macklin et al. 2019): the errors of the parts are those of their own length.

use super::impulse::Impulse;
use super::step::{After, Input, Progress, StepError};
use crate::law::Memory;
use crate::law::volume::ContactDetail;
use crate::question::Answers;
use crate::report::PhaseTimes;
use crate::{Body, JointState, Settings, StepReport};

/// A step by impulses, whole or in parts.
#[derive(Clone, Debug, Default)]
pub struct Divided {
    impulse: Impulse,
    /// How far a step in parts has come.
    parts: Option<Box<Parts>>,
}

/// A step in parts.
#[derive(Clone, Debug)]
struct Parts {
    /// Those of a part.
    settings: Settings,
    /// The world before the part under way.
    bodies: Vec<Body>,
    memory: Memory,
    joints: Vec<JointState>,
    /// Number of parts done.
    n_done: u32,
    /// What those report together.
    report: StepReport,
}

impl Divided {
    /// Begins a step, and forgets one that has begun and is not done.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        self.parts = (input.settings.substeps > 1).then(|| Box::new(Parts::new(input)));
        match &self.parts {
            None => self.impulse.begin(input),
            Some(parts) => self.impulse.begin(&parts.input(input)),
        }
        .map(Progress::Ask)
    }

    /// Goes on with the answers, from part to part.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        let Some(parts) = &mut self.parts else { return self.impulse.advance(input, answers) };
        let report = match self.impulse.advance(&parts.input(input), answers)? {
            Progress::Ask(questions) => return Ok(Progress::Ask(questions)),
            Progress::Done(report) => report,
        };
        parts.add(report);
        if parts.n_done == input.settings.substeps {
            return Ok(Progress::Done(parts.whole_report()));
        }
        parts.go_on(&mut self.impulse.after);
        self.impulse.begin(&parts.input(input)).map(Progress::Ask)
    }

    /// Forgets a step that has begun.
    pub fn abandon(&mut self) {
        self.parts = None;
        self.impulse.abandon();
    }

    /// The world after the step that is done.
    pub fn after(&mut self) -> &mut After {
        &mut self.impulse.after
    }

    /// See [`super::Stepper::contact_details`].
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        self.impulse.contact_details(input)
    }
}

impl Parts {
    fn new(input: &Input<'_>) -> Self {
        let dt = input.settings.dt / f64::from(input.settings.substeps);
        Self {
            settings: Settings { dt, substeps: 1, ..*input.settings },
            bodies: input.bodies.to_vec(),
            memory: input.memory.clone(),
            joints: input.joint_states.to_vec(),
            n_done: 0,
            report: StepReport::default(),
        }
    }

    /// The part under way as a step.
    fn input<'a>(&'a self, whole: &Input<'a>) -> Input<'a> {
        let left = f64::from(whole.settings.substeps - self.n_done - 1);
        Input {
            settings: &self.settings,
            bodies: &self.bodies,
            memory: &self.memory,
            joint_states: &self.joints,
            end: whole.end - left * self.settings.dt,
            is_continued: whole.is_continued || self.n_done > 0,
            ..*whole
        }
    }

    /// Takes over the world after a part.
    fn go_on(&mut self, after: &mut After) {
        for (state, body) in after.states.iter().zip(&mut self.bodies) {
            state.apply_to(body);
        }
        std::mem::swap(&mut self.memory, &mut after.memory);
        std::mem::swap(&mut self.joints, &mut after.joints);
    }

    /// Adds a part's report: sweeps and times are sums, errors the largest; contacts and joints are those of the last part.
    fn add(&mut self, part: StepReport) {
        self.n_done += 1;
        let before = std::mem::take(&mut self.report);
        self.report = StepReport {
            sweeps: part.sweeps + before.sweeps,
            update_norm: part.update_norm.max(before.update_norm),
            velocity_error: part.velocity_error.max(before.velocity_error),
            unconverged_islands: part.unconverged_islands.max(before.unconverged_islands),
            max_depth: part.max_depth.max(before.max_depth),
            depth_of_size: part.depth_of_size.max(before.depth_of_size),
            fast: [before.fast, part.fast].concat(),
            times: sum(&part.times, &before.times),
            ..part
        };
    }

    /// The report of all parts, with the impulses of a whole step that goes as the last part.
    fn whole_report(&mut self) -> StepReport {
        let mut report = std::mem::take(&mut self.report);
        let n = f64::from(self.n_done);
        let of_contacts = report.contacts.iter_mut().map(|contact| &mut contact.impulse);
        let of_joints = report.joints.iter_mut().map(|joint| &mut joint.impulse);
        of_contacts.chain(of_joints).flatten().for_each(|impulse| *impulse *= n);
        report
    }
}

fn sum(a: &PhaseTimes, b: &PhaseTimes) -> PhaseTimes {
    PhaseTimes {
        broad: a.broad + b.broad,
        detect: a.detect + b.detect,
        assemble: a.assemble + b.assemble,
        solve: a.solve + b.solve,
        integrate: a.integrate + b.integrate,
    }
}
