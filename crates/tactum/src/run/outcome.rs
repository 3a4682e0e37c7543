//! How a run ended and what is known then.

use tactum_sim::{StepError, StepReport, World};

use crate::expect::Monitor;
use crate::folder::RunFolder;

use super::output::{Files, WriteError};
use super::tally::{Tally, Timings};

/// Why a run ended.
#[derive(Debug)]
pub enum Stop {
    /// It reached its end.
    Finished,
    /// It was asked to end.
    Interrupted,
    /// A step could not be made; the world stands before that step.
    Failed(StepError),
    /// More steps ended above the solver's tolerance than the scene allows.
    Unconverged {
        /// Number of such steps.
        steps: u64,
        /// Number that the scene allows.
        limit: u64,
    },
    /// A result could not be written.
    Unwritten(WriteError),
}

/// A run that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The world in its last state.
    pub world: World,
    /// Why it ended.
    pub stop: Stop,
    /// Report of the last step, be it one before the checkpoint; none if none was made.
    pub last: Option<StepReport>,
    /// Sums over the steps since the scene's start.
    pub tally: Tally,
    /// Wall times of the steps of this run.
    pub timings: Timings,
    /// What did and did not come out as expected.
    pub monitor: Monitor,
    /// Wall time from the run's beginning to its end \[s\]; runs that step together share it.
    pub wall: f64,
    /// Tables and checkpoints that were written.
    pub files: Files,
    /// The folder that they are in; nobody else writes there as long as this exists.
    pub folder: Option<RunFolder>,
}

impl Outcome {
    /// Doubts about how the run went and the state that it has ended in, in words: steps that were not solved, bodies so far out that
    /// numbers are too coarse for them, and joints whose halves stand apart.
    pub fn doubts(&self) -> Vec<String> {
        let Self { world, tally, .. } = self;
        let unsolved = tally.unsolved.doubt(world, tally.steps);
        unsolved
            .into_iter()
            .chain(tally.fast.doubts(world))
            .chain(tally.doubtful.doubts(world))
            .chain(super::end::doubts(world))
            .collect()
    }
}
