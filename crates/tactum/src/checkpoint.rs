//! Checkpoints: the state of a run on disk, from which it goes on bit for bit.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum_sim::Snapshot;
use tactum_sim::state::RestoreError;
use thiserror::Error;

use crate::expect::MonitorState;
use crate::run::Tally;
use crate::session::Session;

/// First field of every checkpoint file; changes when the format does.
const FORMAT: &str = "tactum-checkpoint/1";

/// The state of a run between two steps.
///
/// JSON, whose shortest decimal numbers read back to the same bits; a state is finite, so every number has one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    format: String,
    /// Version of the program that wrote it.
    version: String,
    /// Hash of what the scene file and its meshes say, 16 hexadecimal digits.
    scene: String,
    /// Hash of the state, 16 hexadecimal digits.
    state_hash: String,
    /// Sums over the steps so far.
    pub tally: Tally,
    /// What the expectations have seen so far.
    pub monitor: MonitorState,
    /// State of the world.
    snapshot: Snapshot,
}

/// Why a checkpoint cannot be written or used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("cannot {verb} the checkpoint '{}': {source}", path.display())]
    File {
        /// What was tried.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not a checkpoint.
    #[error("'{}' is not a checkpoint: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        source: serde_json::Error,
    },
    /// The file is a checkpoint of another format.
    #[error("the checkpoint '{}' has format '{found}', this program reads '{FORMAT}'", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
    /// The checkpoint was made of another scene.
    #[error(
        "the checkpoint '{}' belongs to another scene: the scene file or one of its meshes has changed since it was \
         written (fingerprint {found}, now {needed})",
        path.display()
    )]
    OtherScene {
        /// The file.
        path: PathBuf,
        /// Fingerprint of the scene at hand.
        needed: String,
        /// Fingerprint in the file.
        found: String,
    },
    /// The state does not fit the world.
    #[error("the checkpoint '{}' cannot be restored: {source}", path.display())]
    Restore {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: RestoreError,
    },
    /// The restored state is not the one that was saved.
    #[error("the checkpoint '{}' is damaged: its state has hash {found}, needed {needed}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Hash in the file.
        needed: String,
        /// Hash of the restored state.
        found: String,
    },
}

impl Checkpoint {
    /// The state of a run of the scene with this fingerprint.
    pub fn of(session: &Session, tally: &Tally, monitor: &MonitorState, fingerprint: u64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: hex(fingerprint),
            state_hash: hex(session.world().state_hash()),
            tally: tally.clone(),
            monitor: monitor.clone(),
            snapshot: session.world().snapshot(),
        }
    }

    /// Writes the file in one piece: a run that is killed meanwhile leaves no half of one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let fail = |source| CheckpointError::File { verb: "write", path: path.to_owned(), source };
        let text = serde_json::to_string(self).expect("a checkpoint has text keys and no failing serialiser");
        let unfinished = path.with_extension("unfinished");
        std::fs::write(&unfinished, text).map_err(fail)?;
        std::fs::rename(&unfinished, path).map_err(fail)
    }

    /// Reads a file that was written for the scene with this fingerprint.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, or is one of another scene.
    pub fn load(path: &Path, fingerprint: u64) -> Result<Self, CheckpointError> {
        let text = std::fs::read_to_string(path).map_err(|source| CheckpointError::File {
            verb: "read",
            path: path.to_owned(),
            source,
        })?;
        let parsed: Result<Self, _> = serde_json::from_str(&text);
        let checkpoint = parsed.map_err(|source| CheckpointError::Parse { path: path.to_owned(), source })?;
        if checkpoint.format != FORMAT {
            return Err(CheckpointError::Format { path: path.to_owned(), found: checkpoint.format });
        }
        let needed = hex(fingerprint);
        if checkpoint.scene != needed {
            return Err(CheckpointError::OtherScene {
                path: path.to_owned(),
                needed,
                found: checkpoint.scene,
            });
        }
        Ok(checkpoint)
    }

    /// Puts a session's world into the saved state; `path` is for messages.
    ///
    /// # Errors
    /// If the state does not fit the world or is not what was saved.
    pub fn restore(&self, session: &mut Session, path: &Path) -> Result<(), CheckpointError> {
        session
            .world_mut()
            .restore(&self.snapshot)
            .map_err(|source| CheckpointError::Restore { path: path.to_owned(), source })?;
        let found = hex(session.world().state_hash());
        if found != self.state_hash {
            return Err(CheckpointError::Damaged {
                path: path.to_owned(),
                needed: self.state_hash.clone(),
                found,
            });
        }
        Ok(())
    }
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
