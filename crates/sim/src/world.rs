//! The world: bodies, settings and the step.

use thiserror::Error;

use crate::{Body, Settings};

/// One pair whose overlap the step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairJob {
    /// Indices of the bodies, the smaller first.
    pub bodies: [u32; 2],
}

/// The pairs of a step, sorted by body indices.
#[derive(Clone, Debug, Default)]
pub struct StepPlan {
    /// Pairs whose boxes meet and whose overlap has to be measured.
    pub jobs: Vec<PairJob>,
}

/// Why a step could not be made; the world is left as it was before the step.
#[derive(Debug, Error)]
pub enum StepError {
    /// A state or an overlap is not finite.
    #[error("body '{body}' would reach a non-finite {what}")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Which quantity.
        what: &'static str,
    },
}

/// Bodies in time.
#[derive(Clone, Debug)]
pub struct World {
    settings: Settings,
    bodies: Vec<Body>,
}

impl World {
    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }
}
