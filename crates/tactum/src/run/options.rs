//! What is asked of a run.

use std::path::PathBuf;

use crate::scene::{MAX_STEPS, Scene};
use crate::tables::Tables;

use super::RunError;

/// How long to run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    /// The scene's own duration.
    #[default]
    Scene,
    /// A simulated time \[s\].
    Time(f64),
    /// A number of steps.
    Steps(u64),
}

impl Length {
    /// The number of steps of a scene's run, from its start.
    pub(super) fn n_steps(self, scene: &Scene) -> Result<u64, RunError> {
        let dt = scene.spec().dt;
        let time = match self {
            Self::Steps(n) if n as f64 > MAX_STEPS => return Err(RunError::TooManySteps(n)),
            Self::Steps(n) => return Ok(n),
            Self::Time(time) => time,
            Self::Scene => scene.spec().duration,
        };
        if !(time.is_finite() && time > 0.0) {
            return Err(RunError::Length(time));
        }
        let steps = time / dt;
        if steps > MAX_STEPS {
            return Err(RunError::TooLong { time, dt, steps });
        }
        Ok(steps.round() as u64)
    }
}

/// What a run does besides stepping.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// How long to run, counted from the scene's start even when resuming.
    pub length: Length,
    /// Folder for tables and checkpoints; created if missing.
    pub out: Option<PathBuf>,
    /// Whether results of another run in that folder, or those after the checkpoint to go on from, may be replaced.
    pub overwrite: bool,
    /// Which tables to write there; by default all, or those of the run that is resumed.
    pub tables: Option<Tables>,
    /// Steps between checkpoints; needs `out`.
    pub checkpoint_every: Option<u64>,
    /// A checkpoint to go on from, or a folder whose newest one is meant.
    pub resume: Option<PathBuf>,
    /// The words of the command that asks for the run, but for the folder, for the folder's card; none of a program's own.
    pub command: Vec<String>,
}
