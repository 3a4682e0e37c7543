//! Why a folder of results cannot be read.

use std::path::PathBuf;

use tactum_geometry::file::ReadError;
use tactum_geometry::words;
use thiserror::Error;

use crate::backend::UnknownBackend;
use crate::folder::CardError;
use crate::scene::SceneError;

/// Why a folder of results cannot be read.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// It is not known whose results it holds.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The world of the run cannot be made again.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The meshes are not those of the run.
    #[error(
        "the meshes, tables or included files of the scene are not those of the run in '{}' any more (fingerprint {found}, needed {needed}): \
         --meshes names the folder that their paths start from",
        words::path(folder)
    )]
    OtherMeshes {
        /// The folder.
        folder: PathBuf,
        /// Fingerprint of what was run.
        needed: String,
        /// Fingerprint of what is there now.
        found: String,
    },
    /// The run was measured in a way that is not known.
    #[error(transparent)]
    Backend(UnknownBackend),
    /// A table or the report cannot be read.
    #[error(
        "cannot read '{}': {cause}; `tactum run --record` says which tables a run writes",
        words::path(path)
    )]
    Table {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The report is none.
    #[error("'{}' is not the report of a run: {why}", words::path(path))]
    Report {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        why: String,
    },
    /// A row is not one of such a table.
    #[error("'{}', line {line}: {why}", words::path(path))]
    Row {
        /// The table.
        path: PathBuf,
        /// Its line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
}
