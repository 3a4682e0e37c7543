//! The parts of a step: of all bodies, or of a group while the others stand aside.

use super::sum;
use crate::law::Memory;
use crate::stepper::step::{After, Input};
use crate::{Body, BodyKind, JointState, Settings, StepReport};

/// A step in parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Those of a part.
    settings: Settings,
    /// The world before the part under way.
    bodies: Vec<Body>,
    memory: Memory,
    joints: Vec<JointState>,
    n_parts: u32,
    n_done: u32,
    /// Of a step that is divided because many come to touch, the parts that it has turned out to need so far; see
    /// [`Impulse::parts_for_piles`](crate::stepper::impulse::Impulse::parts_for_piles).
    needed: Option<f64>,
    /// Whether it is divided because somebody lands.
    is_landing: bool,
    /// What those that are done report together.
    pub report: StepReport,
    /// Whose parts they are; none where all bodies'.
    pub group: Option<Group>,
}

/// Those whose step is made in parts.
#[derive(Clone, Debug)]
pub struct Group {
    /// Whether each body is one of them.
    pub members: Vec<bool>,
    /// The report of the whole step.
    pub whole: StepReport,
}

impl Group {
    /// Whether one of two bodies is a member; an index that is no body's stands for the world.
    pub fn has_any(members: &[bool], bodies: [u32; 2]) -> bool {
        bodies.iter().any(|ix| members.get(*ix as usize) == Some(&true))
    }
}

impl Parts {
    /// As many as `substeps` says, of all bodies.
    pub fn of_every_step(input: &Input<'_>) -> Box<Self> {
        Self::new(input, input.settings.substeps)
    }

    /// As many as `landing_substeps` says, of all bodies.
    pub fn at_landing(input: &Input<'_>) -> Box<Self> {
        let mut parts = Self::new(input, input.settings.landing_substeps);
        parts.is_landing = true;
        // Half a part leads no farther than velocities are found for.
        parts.memory.landed.clear();
        parts.shorten_impulses();
        parts
    }

    /// So many of all bodies, where many come to touch. Together they are swept as often as a whole step.
    pub fn of_piles(input: &Input<'_>, n_parts: u32) -> Box<Self> {
        let mut parts = Self::new(input, n_parts);
        parts.needed = Some(0.0);
        parts.shorten_impulses();
        parts
    }

    fn shorten_impulses(&mut self) {
        stretch_impulses(&mut self.memory, &mut self.joints, 1.0 / f64::from(self.n_parts));
    }

    /// The same of the members of a group, after a whole step with this report in which they have touched none of the others. These stand
    /// where they are.
    pub fn of_group(input: &Input<'_>, members: Vec<bool>, whole: StepReport) -> Box<Self> {
        let mut parts = Self::at_landing(input);
        for (body, is_member) in parts.bodies.iter_mut().zip(&members) {
            if body.kind == BodyKind::Dynamic && !is_member {
                body.stand_aside();
            }
        }
        parts.memory.contacts.retain(|contact| Group::has_any(&members, contact.bodies));
        parts.group = Some(Group { members, whole });
        parts
    }

    fn new(input: &Input<'_>, n_parts: u32) -> Box<Self> {
        Box::new(Self {
            settings: Settings {
                dt: input.settings.dt / f64::from(n_parts),
                substeps: 1,
                landing_substeps: 1,
                ..*input.settings
            },
            bodies: input.bodies.to_vec(),
            memory: input.memory.clone(),
            joints: input.joint_states.to_vec(),
            n_parts,
            n_done: 0,
            needed: None,
            is_landing: false,
            report: StepReport::default(),
            group: None,
        })
    }

    /// The part under way as a step.
    pub fn input<'a>(&'a self, whole: &Input<'a>) -> Input<'a> {
        let left = f64::from(self.n_parts - self.n_done - 1);
        Input {
            settings: &self.settings,
            bodies: &self.bodies,
            memory: &self.memory,
            joint_states: &self.joints,
            end: whole.end - left * self.settings.dt,
            is_continued: whole.is_continued || self.n_done > 0,
            is_landing: self.is_landing,
            n_sharing: if self.needed.is_some() { self.n_parts } else { 1 },
            ..*whole
        }
    }

    /// Whether a body that could move has been made to stand.
    pub fn stands_aside(&self, whole: &Input<'_>, body: u32) -> bool {
        let kind = |bodies: &[Body]| bodies.get(body as usize).map(|body| body.kind);
        kind(&self.bodies) != kind(whole.bodies)
    }

    /// Whether all of them are done.
    pub fn are_done(&self) -> bool {
        self.n_done == self.n_parts
    }

    /// Lets the world after the last part be one after a step like the one before.
    pub fn end(&self, whole: &Input<'_>, after: &mut After) {
        if whole.settings.substeps == 1 {
            stretch_impulses(&mut after.memory, &mut after.joints, f64::from(self.n_parts));
            let next = self.needed.map_or(1, |needed| rounded(needed, whole.settings));
            after.memory.parts = if next == 1 { 0 } else { next };
            // The velocities lead half a part as long as the last.
            if next >= self.n_parts {
                return;
            }
            let is_member = |ix: u32| self.group.as_ref().is_none_or(|group| group.members[ix as usize]);
            after.memory.landed.extend((0..whole.bodies.len() as u32).filter(|ix| is_member(*ix)));
        }
    }

    /// Takes over the world after a part.
    pub fn go_on(&mut self, after: &mut After) {
        for (state, body) in after.states.iter().zip(&mut self.bodies) {
            state.apply_to(body);
        }
        std::mem::swap(&mut self.memory, &mut after.memory);
        std::mem::swap(&mut self.joints, &mut after.joints);
    }

    /// Adds a part's report, and what it would have needed to be divided into for its piles.
    pub fn add(&mut self, part: StepReport, for_piles: f64) {
        self.n_done += 1;
        self.needed = self.needed.map(|needed| needed.max(f64::from(self.n_parts) * for_piles));
        let before = std::mem::take(&mut self.report);
        self.report = sum::of_parts(before, part);
    }
}

/// As many parts of a step as are needed, and allowed.
pub fn rounded(needed: f64, settings: &Settings) -> u32 {
    (needed.ceil() as u32).clamp(1, settings.landing_substeps)
}

fn stretch_impulses(memory: &mut Memory, joints: &mut [JointState], times: f64) {
    memory.contacts.iter_mut().for_each(|contact| contact.stretch(times));
    joints.iter_mut().for_each(|joint| joint.stretch(times));
}
