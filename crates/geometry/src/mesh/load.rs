//! From a file to a mesh that encloses a volume.

use std::path::{Path, PathBuf};

use super::check::{self, Checked, MeshError};
use super::import::{self, ImportError};

/// Why a file gave no mesh that encloses a volume.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Its mesh was refused.
    #[error("{}: {error}", crate::words::path(path))]
    Check {
        /// The file.
        path: PathBuf,
        /// What is wrong with its mesh.
        error: MeshError,
    },
}

/// Reads a mesh file and examines its mesh: [`import::load`] and [`check::examine_imported`].
///
/// # Errors
/// If the file cannot be read or its mesh has no volume that could be computed; the message starts with the path.
pub fn load_checked(path: impl AsRef<Path>) -> Result<Checked, LoadError> {
    let path = path.as_ref();
    let imported = import::load(path)?;
    check::examine_imported(imported).map_err(|error| LoadError::Check { path: path.to_owned(), error })
}
