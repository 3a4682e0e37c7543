//! Why a run could not begin.

use std::path::PathBuf;

use tactum_geometry::words;
use tactum_sim::StepError;
use thiserror::Error;

use crate::checkpoint::CheckpointError;
use crate::folder::FolderError;
use crate::scene::{MAX_STEPS, SceneError};
use crate::tables::RecordError;

/// Why a run could not begin. What ends one that has begun is a [`Stop`](super::Stop).
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene's world cannot be made.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The newest checkpoint of a folder cannot be used, but an older one can.
    #[error("{error}; an older one can be used: --resume {}", words::path(older))]
    Newest {
        /// What is wrong with the newest.
        error: CheckpointError,
        /// The newest of those that can be used.
        older: PathBuf,
    },
    /// The folder to go on from cannot be used.
    #[error(transparent)]
    Resume(FolderError),
    /// The folder cannot take the results.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be begun or gone on with.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The first step cannot be made.
    #[error("the scene cannot make its first step: {}{}", .0, likely_cause(.0))]
    Start(StepError),
    /// The length is not a length.
    #[error("a run of {} s is not possible: the time has to be positive and finite", words::number(*.0))]
    Length(f64),
    /// The length is most likely a slip of the unit.
    #[error(
        "a run of {} s in steps of {} s has {} steps; the limit is {}",
        words::number(*time), words::number(*dt), words::number(*steps), words::number(MAX_STEPS)
    )]
    TooLong {
        /// Time asked for \[s\].
        time: f64,
        /// Time step \[s\].
        dt: f64,
        /// Number of steps.
        steps: f64,
    },
    /// More steps than a run can have.
    #[error("a run of {} steps is not possible; the limit is {}", .0, words::number(MAX_STEPS))]
    TooManySteps(u64),
    /// The checkpoint lies behind the end of the run.
    #[error(
        "the checkpoint '{}' was written after step {step}, the run is to end after step {n_steps}",
        words::path(path)
    )]
    BehindEnd {
        /// The checkpoint.
        path: PathBuf,
        /// Its step.
        step: u64,
        /// Number of steps of the run from the scene's start.
        n_steps: u64,
    },
}

/// What most likely is wrong with a scene whose bodies meet too often or go where no numbers are; what is refused for another reason
/// says itself what it is.
fn likely_cause(error: &StepError) -> &'static str {
    match error {
        StepError::TooManyPairs { .. } | StepError::BadOverlap { .. } | StepError::NotFinite { .. } => {
            "; most likely a length is in another unit than metres, or bodies stand in each other"
        }
        _ => "",
    }
}

impl RunError {
    /// Whether a result could not be written, such as on a full disk, and not what was asked for is wrong.
    pub fn is_of_writing(&self) -> bool {
        match self {
            Self::Folder(error) => matches!(error, FolderError::File { .. }),
            Self::Record(error) => error.is_of_writing(),
            _ => false,
        }
    }
}
