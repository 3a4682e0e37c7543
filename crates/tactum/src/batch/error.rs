//! Why a batch cannot begin or go on.

use std::io;
use std::path::{Path, PathBuf};

use tactum_geometry::file::ReadError;
use tactum_geometry::words;
use tactum_gpu::OpenError;
use thiserror::Error;

use crate::folder::FolderError;
use crate::inputs::ReplacesInput;
use crate::observe::ProbeError;
use crate::run::RunError;
use crate::scene::SceneError;

/// Why a batch cannot begin or go on. What ends a single run is kept with that run.
#[derive(Debug, Error)]
pub enum BatchError {
    /// A file cannot be read.
    #[error("cannot read '{}': {cause}", words::path(path))]
    Read {
        /// The sweep, or its scene.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The text is no sweep; the faults are at its places.
    #[error(transparent)]
    Sweep(SceneError),
    /// A value of the sweep makes no sense.
    #[error("{}: {what}", words::path(path))]
    Value {
        /// The sweep.
        path: PathBuf,
        /// What was found and what is needed.
        what: String,
    },
    /// A quantity cannot be read from the scene.
    #[error("{}: {what}: {error}", words::path(path))]
    Probe {
        /// The sweep.
        path: PathBuf,
        /// The event or kept quantity.
        what: String,
        /// Why not.
        error: ProbeError,
    },
    /// The values of a run make no scene.
    #[error("run {run} of the sweep: {error}")]
    Scene {
        /// Number of the run.
        run: u64,
        /// What is wrong.
        error: SceneError,
    },
    /// The scene's world cannot be made with the values of the first run.
    #[error("run {run} of the sweep: {error}")]
    First {
        /// Number of the run.
        run: u64,
        /// What is wrong.
        error: Box<RunError>,
    },
    /// A device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// The folder cannot take the results.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A result would take the place of a file that runs are made from.
    #[error(transparent)]
    ReplacesInput(#[from] ReplacesInput),
    /// The folder holds another batch than the one to go on with.
    #[error(
        "the batch in the folder '{}' {difference}: name another folder, or replace it with --overwrite",
        words::path(path)
    )]
    OtherBatch {
        /// The folder.
        path: PathBuf,
        /// In which way it is another one.
        difference: String,
    },
    /// What is to be merged is no finished batch.
    #[error("cannot merge '{}': {why}", words::path(path))]
    NoShard {
        /// The folder.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The shards to be merged are not all there, or some are there twice.
    #[error("cannot merge: {0}")]
    Shards(String),
    /// A result cannot be written.
    #[error("cannot write '{}': {}", words::path(path), words::cause(source))]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Results of a finished batch are not what was written.
    #[error("the results '{}' are damaged: {why}", words::path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        why: String,
    },
}

impl BatchError {
    pub(super) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Unwritten { path: path.to_owned(), source }
    }

    pub(super) fn of_file(verb: &'static str, path: &Path, source: io::Error) -> Self {
        FolderError::File { verb, path: path.to_owned(), source }.into()
    }

    /// Whether a result could not be written, and not what was asked for is wrong.
    pub fn is_of_writing(&self) -> bool {
        matches!(self, Self::Unwritten { .. } | Self::Folder(FolderError::File { .. }))
    }
}
