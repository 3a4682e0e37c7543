//! A run of a batch between two steps, on the disk: from there it goes on bit for bit.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::error::BatchError;
use super::remove::remove_runs;
use super::watch::WatchState;
use crate::checkpoint::{Checkpoint, CheckpointError, load, save};

/// A run between two steps.
#[derive(Debug, Serialize, Deserialize)]
pub struct Pause {
    /// Its world, tally and expectations.
    pub checkpoint: Checkpoint,
    /// What has been seen of it.
    pub watch: WatchState,
}

impl Pause {
    /// Writes the file in one piece; its folder is created if missing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), BatchError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(BatchError::unwritten(path))?;
        save(self, path).map_err(|error| match error {
            CheckpointError::Write { path, cause } => BatchError::Unwritten { path, source: cause },
            other => BatchError::Unwritten { path: path.to_owned(), source: io::Error::other(other) },
        })
    }

    /// The pause of a run of the scene with this fingerprint. One that cannot be read is none: the run begins anew, and ends the same.
    pub fn load(path: &Path, fingerprint: u64) -> Option<Self> {
        let pause: Self = load(path).ok()?;
        pause.checkpoint.check_scene(fingerprint, path).ok()?;
        Some(pause)
    }
}

/// The folder with the files of runs under way; gone when all have ended.
const UNDER_WAY: &str = "under-way";

/// The files that runs under way go on from.
#[derive(Debug)]
pub struct Pauses(PathBuf);

impl Pauses {
    /// Those in the folder of a batch.
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.join(UNDER_WAY))
    }

    /// Where the file of a run is written.
    pub fn path_of(&self, run: u64) -> PathBuf {
        self.0.join(format!("run-{run:06}.json"))
    }

    /// The file of a run, if there is one.
    pub fn file_of(&self, run: u64) -> Option<PathBuf> {
        Some(self.path_of(run)).filter(|path| path.is_file())
    }

    /// Removes the file of a run that has ended. One that stays does no harm, and goes with all others at the end.
    pub fn drop(&self, run: u64) {
        let _ = fs::remove_file(self.path_of(run));
    }

    /// Removes all of them and their folder.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&self) -> Result<(), BatchError> {
        remove_runs(&self.0, ".json")?;
        match fs::remove_dir(&self.0) {
            // What somebody else has put there stays.
            Err(source)
                if !matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) =>
            {
                Err(BatchError::of_file("remove", &self.0, source))
            }
            _ => Ok(()),
        }
    }
}
