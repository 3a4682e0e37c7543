//! One error for all that a program does with this library.

use std::fmt;

use tactum_gpu::OpenError;
use tactum_sim::{BodyError, JointError, RestoreError, SettingsError, StepError};
use thiserror::Error;

use crate::backend::{RunnerError, UnknownBackend};
use crate::batch::BatchError;
use crate::bench::BenchError;
use crate::checkpoint::CheckpointError;
use crate::doctor::DoctorError;
use crate::export::ExportError;
use crate::folder::FolderError;
use crate::query::QueryError;
use crate::recorded::RecordedError;
use crate::repair::RepairFileError;
use crate::replay::ReplayError;
use crate::run::{RunError, WriteError};
use crate::scene::SceneError;
use crate::shapes::{MomentsError, ShapeError};
use crate::tables::RecordError;

/// A result of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whatever can go wrong in this library, so that `?` works on all of it. Each function returns the narrower error that it can
/// give; they all turn into this one.
#[derive(Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A shape cannot be made.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The moments of a shape cannot be computed.
    #[error(transparent)]
    Moments(#[from] MomentsError),
    /// A mesh cannot be examined.
    #[error(transparent)]
    Doctor(#[from] DoctorError),
    /// A mesh cannot be mended.
    #[error(transparent)]
    Repair(#[from] RepairFileError),
    /// A setting is out of its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A body cannot be added or changed.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A joint cannot be added or changed.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// A run cannot begin.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A step cannot be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A snapshot is not of this world.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A folder cannot take results.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be written or gone on with.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A result cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file of cases cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A recorded run cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// A recorded run cannot be compared with.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A recorded run cannot be handed on.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// There is no such back end.
    #[error(transparent)]
    UnknownBackend(#[from] UnknownBackend),
    /// A device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// A device failed.
    #[error(transparent)]
    Cast(#[from] RunnerError),
    /// A batch cannot begin or go on.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A benchmark cannot be run.
    #[error(transparent)]
    Bench(#[from] BenchError),
}

/// The words of the error: they are what a program shows whose `main` returns it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
