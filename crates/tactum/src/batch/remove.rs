//! Files of a batch taken away.

use std::path::Path;
use std::{fs, io};

use super::error::BatchError;
use crate::files::UNFINISHED;

/// Removes the files of runs from a folder, if there is one.
///
/// # Errors
/// If one cannot be removed.
pub fn remove_runs(folder: &Path, ending: &str) -> Result<(), BatchError> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("run-") && name.trim_end_matches(UNFINISHED).ends_with(ending) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file, if there is one.
///
/// # Errors
/// If it cannot be removed.
pub fn remove(path: &Path) -> Result<(), BatchError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(BatchError::of_file("remove", path, source))
        }
        _ => Ok(()),
    }
}
