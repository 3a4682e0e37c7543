//! A step as every stepper sees it: the world before and after it, how far it has come, and why it could not be made.

use glam::DMat3;
use tactum_geometry::facets::TouchError;
use thiserror::Error;

use crate::constants::{PAIRS_ANYWAY, PAIRS_PER_BODY};
use crate::law::Memory;
use crate::question::Questions;
use crate::world::material::Materials;
use crate::{Body, BodyState, Joint, JointState, Settings, StepReport};

/// A world after a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct After {
    /// State of each body.
    pub states: Vec<BodyState>,
    /// What the laws remember of the step.
    pub memory: Memory,
    /// State of each joint.
    pub joints: Vec<JointState>,
}

/// How far a step has come.
#[derive(Debug)]
pub enum Progress {
    /// It cannot go on before these questions are answered.
    Ask(Questions),
    /// It is done, and the world stands at its end.
    Done(StepReport),
}

/// A world before a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    /// Settings of the world.
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// Materials of the world, and what is said of pairs.
    pub materials: &'a Materials,
    /// Their inverse inertias in their shapes' axes.
    pub inverse_inertias: &'a [DMat3],
    /// Pairs of bodies that a joint keeps from touching, sorted.
    pub apart: &'a [[u32; 2]],
    /// What the laws remember of the last step.
    pub memory: &'a Memory,
    /// Joints of the world.
    pub joints: &'a [Joint],
    /// Their states before the step.
    pub joint_states: &'a [JointState],
    /// When the step ends, since the world's start \[s\].
    pub end: f64,
    /// Whether all velocities are those that the last step has left, found with the time step in force.
    pub is_continued: bool,
    /// Parts of a step that share its sweeps, of which this is one; 1 for what is solved as a whole step.
    pub n_sharing: u32,
    /// Whether it is a part of a step that is made in parts because somebody lands in it, or bounces: what comes down next does so in the next.
    pub is_landing: bool,
}

impl Input<'_> {
    /// Pairs of bodies that were in contact in the last step, and those that joints hold.
    pub fn links(&self) -> impl Iterator<Item = [u32; 2]> + Clone {
        self.memory.contacts.iter().map(|contact| contact.bodies).chain(self.joined())
    }

    /// Pairs of bodies that joints hold together.
    pub fn joined(&self) -> impl Iterator<Item = [u32; 2]> + Clone {
        let holding = self.joints.iter().zip(self.joint_states).filter(|(_, state)| !state.broken);
        holding.map(|(joint, _)| joint.bodies())
    }
}

/// Why a step could not be made; the world is left as it was before the step.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// The answers are not those of the questions that the world has asked last, or the world was changed since.
    #[error(
        "the answers are not to what the world's step asks: it was changed, or has not begun a step, or asked anew"
    )]
    NotAsked,
    /// There are more or fewer answers than questions.
    #[error("the step asks for {needed} overlaps, but {found} were given")]
    AnswerCount {
        /// Overlaps asked for.
        needed: usize,
        /// Overlaps given.
        found: usize,
    },
    /// More pairs of bodies come close to each other than a step may have.
    #[error(
        "{found} pairs of the {n_bodies} bodies come close enough to touch; the limit is {limit} (the larger of {PAIRS_ANYWAY} \
         and {PAIRS_PER_BODY} for each body)"
    )]
    TooManyPairs {
        /// Number of pairs whose boxes meet within the step.
        found: usize,
        /// Number of pairs that a step may have.
        limit: usize,
        /// Number of bodies.
        n_bodies: usize,
    },
    /// A body whose facets are not rounded.
    #[error(
        "body '{body}' has no rounded facets, which the contact law \"facets\" asks about: it needs a mesh"
    )]
    NotRounded {
        /// Name of the body.
        body: String,
    },
    /// A body without a surface.
    #[error(
        "body '{body}' has no surface of triangles, which the contact law \"continuous_penalty\" asks about: it needs a mesh"
    )]
    NoSurface {
        /// Name of the body.
        body: String,
    },
    /// A joint, which holds by impulses.
    #[error(
        "joint '{joint}' does not go together with the contact law \"{law}\": its sub-steps know forces only"
    )]
    JointsInSubsteps {
        /// Name of the joint.
        joint: String,
        /// The law.
        law: &'static str,
    },
    /// Contacts so stiff, or bodies so light, that a step would take too many sub-steps.
    #[error(
        "the step would take {} sub-steps for bodies '{a}' and '{b}'; the limit, solver.max_substeps, is {limit}",
        count(*needed)
    )]
    TooManySubsteps {
        /// Sub-steps needed.
        needed: f64,
        /// The limit.
        limit: u32,
        /// Name of the first body of the stiffest contact.
        a: String,
        /// Name of the second.
        b: String,
    },
    /// The facets of two bodies have no answer.
    #[error("the facets of bodies '{a}' and '{b}': {source}")]
    Facets {
        /// Name of the first body.
        a: String,
        /// Name of the second.
        b: String,
        /// Why.
        source: TouchError,
    },
    /// An overlap holds an infinite, undefined or impossible number.
    #[error("the overlap of bodies '{a}' and '{b}' has an unusable {what}")]
    BadOverlap {
        /// Name of the first body.
        a: String,
        /// Name of the second body.
        b: String,
        /// Which quantity.
        what: &'static str,
    },
    /// A state is not finite.
    #[error("body '{body}' would reach a non-finite {what}")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Which quantity.
        what: &'static str,
    },
}

/// The largest number of sub-steps that is written out: one of more digits tells nobody more than its size.
const LONGEST_COUNT: f64 = 1e9;

/// A number of sub-steps for people.
fn count(n: f64) -> String {
    if n < LONGEST_COUNT { format!("{n:.0}") } else { format!("{n:.1e}") }
}
