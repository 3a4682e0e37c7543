//! Why a run cannot be handed on.

use std::io;
use std::path::{Path, PathBuf};

use tactum_geometry::words;
use thiserror::Error;

use crate::folder::FolderError;
use crate::inputs::ReplacesInput;
use crate::recorded::RecordedError;

/// Why a run cannot be handed on.
#[derive(Debug, Error)]
pub enum ExportError {
    /// What the folder holds cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// A file cannot be written.
    #[error("cannot write '{}': {}", words::path(path), words::cause(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something is there already.
    #[error("'{}' is there already: name another one, or replace it with --overwrite", words::path(path))]
    Exists {
        /// What is there.
        path: PathBuf,
    },
    /// There is no folder for it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It would take the place of what it is made from.
    #[error(transparent)]
    Input(#[from] ReplacesInput),
    /// The file would be larger than its format allows.
    #[error(
        "'{}' would have {needed} bytes, a glb file has up to {limit}: ask for fewer pictures a second with --fps",
        words::path(path)
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that the format allows.
        limit: u64,
    },
}

impl ExportError {
    /// Whether something could not be written, and not what was to be read is wrong.
    pub fn is_of_writing(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::Folder(_))
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }
}
