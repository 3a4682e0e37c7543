//! Checkpoints: the state of a run on disk, from which it goes on bit for bit.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::{json, words};
use tactum_sim::RestoreError;
use tactum_sim::{Snapshot, StepReport, World};
use thiserror::Error;

use crate::expect::MonitorState;
use crate::files::write_whole;
use crate::hash::{Fnv, hex};
use crate::run::Tally;
use crate::tables::TableEnds;

/// First field of every checkpoint file; changes when the format does.
const FORMAT: &str = "tactum-checkpoint/7";

/// Largest checkpoint that is read \[bytes\]: some 400 for each of ten million bodies and a kilobyte for each of as many
/// contacts.
const MAX_BYTES: u64 = 16 << 30;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A run between two steps: all that it needs to go on and to end as it would have without a pause.
///
/// JSON, whose shortest decimal numbers read back to the same bits; a state is finite, so every number has one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Hash of what the scene file and its meshes say, 16 hexadecimal digits.
    scene: String,
    /// Hash of the state, 16 hexadecimal digits.
    state_hash: String,
    /// Sums over the steps so far.
    pub tally: Tally,
    /// What the expectations have seen so far.
    pub monitor: MonitorState,
    /// Report of the last step; none before the first.
    pub last: Option<StepReport>,
    /// Where the tables of the run's folder end.
    pub tables: TableEnds,
    /// State of the world.
    snapshot: Snapshot,
}

/// The file: its checksum covers all else.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    /// Version of the program that wrote it.
    version: String,
    /// Over format, version and content, 16 hexadecimal digits.
    checksum: String,
    content: Box<RawValue>,
}

/// What is common to the files of all formats and versions.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: String,
}

/// Why a checkpoint cannot be written or used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read the checkpoint '{}': {cause}", words::path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The file cannot be written.
    #[error("cannot write the checkpoint '{}': {}", words::path(path), words::cause(cause))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is not a checkpoint.
    #[error("'{}' is not a checkpoint: {}", words::path(path), json::explained(cause))]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        cause: serde_json::Error,
    },
    /// The file is a checkpoint of another format.
    #[error("the checkpoint '{}' has format '{found}', this program reads '{FORMAT}'", words::path(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
    /// The checkpoint was written by another version of the program, whose steps may differ.
    #[error(
        "the checkpoint '{}' was written by version {found} of the program, this is version {}",
        words::path(path), env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Version that wrote it.
        found: String,
    },
    /// The content is not what was written.
    #[error(
        "the checkpoint '{}' is damaged: its content has checksum {found}, needed {needed}",
        words::path(path)
    )]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Checksum in the file.
        needed: String,
        /// Checksum of the content.
        found: String,
    },
    /// The checkpoint was made of another scene.
    #[error(
        "the checkpoint '{}' belongs to another scene: bodies, settings, meshes or expectations have changed since it \
         was written (fingerprint {found}, now {needed})",
        words::path(path)
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
    #[error("the checkpoint '{}' cannot be restored: {source}", words::path(path))]
    Restore {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: RestoreError,
    },
    /// The restored state is not the one that was saved.
    #[error("the checkpoint '{}' is damaged: its state has hash {found}, needed {needed}", words::path(path))]
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
    pub fn of(
        world: &World,
        tally: &Tally,
        monitor: &MonitorState,
        last: Option<&StepReport>,
        tables: TableEnds,
        fingerprint: u64,
    ) -> Self {
        Self {
            scene: hex(fingerprint),
            state_hash: hex(world.state_hash()),
            tally: tally.clone(),
            monitor: monitor.clone(),
            last: last.cloned(),
            tables,
            snapshot: world.snapshot(),
        }
    }

    /// Writes the file in one piece: a run that is killed meanwhile leaves no half of one. When it returns, the file is on
    /// the disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        save(self, path)
    }

    /// Reads a file that was written by this version of the program for the scene with this fingerprint.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, is damaged, or is one of another version or scene.
    pub fn load(path: &Path, fingerprint: u64) -> Result<Self, CheckpointError> {
        let checkpoint: Self = load(path)?;
        checkpoint.check_scene(fingerprint, path)?;
        Ok(checkpoint)
    }

    /// Whether it is one of the scene with this fingerprint; `path` is for messages.
    ///
    /// # Errors
    /// If it is one of another scene.
    pub fn check_scene(&self, fingerprint: u64, path: &Path) -> Result<(), CheckpointError> {
        let needed = hex(fingerprint);
        if self.scene == needed {
            return Ok(());
        }
        Err(CheckpointError::OtherScene { path: path.to_owned(), needed, found: self.scene.clone() })
    }

    /// Puts a world into the saved state; `path` is for messages.
    ///
    /// # Errors
    /// If the state does not fit the world or is not what was saved.
    pub fn restore(&self, world: &mut World, path: &Path) -> Result<(), CheckpointError> {
        world
            .restore(&self.snapshot)
            .map_err(|source| CheckpointError::Restore { path: path.to_owned(), source })?;
        let found = hex(world.state_hash());
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

/// Writes a checkpoint, with whatever else belongs to it, in one piece, see [`Checkpoint::save`].
///
/// # Errors
/// If the file cannot be written.
pub fn save(content: &impl Serialize, path: &Path) -> Result<(), CheckpointError> {
    let text = serde_json::to_string(content).expect("a checkpoint has text keys and no failing serialiser");
    let file = File {
        checksum: checksum(FORMAT, VERSION, &text),
        format: FORMAT.to_owned(),
        version: VERSION.to_owned(),
        content: RawValue::from_string(text).expect("the text is JSON"),
    };
    let text = serde_json::to_string(&file).expect("a checkpoint has text keys");
    write_whole(path, text.as_bytes())
        .map_err(|cause| CheckpointError::Write { path: path.to_owned(), cause })
}

/// Reads what [`save`] of this version of the program has written.
///
/// # Errors
/// If it cannot be read, is not a checkpoint, is damaged, or is one of another version.
pub fn load<T: DeserializeOwned>(path: &Path) -> Result<T, CheckpointError> {
    let path_ = || path.to_owned();
    let bytes =
        file::read(path, MAX_BYTES).map_err(|cause| CheckpointError::Read { path: path_(), cause })?;
    let not_one = |cause| CheckpointError::Parse { path: path_(), cause };
    let head: Head = serde_json::from_slice(&bytes).map_err(not_one)?;
    if head.format != FORMAT {
        return Err(CheckpointError::Format { path: path_(), found: head.format });
    }
    if head.version != VERSION {
        return Err(CheckpointError::Version { path: path_(), found: head.version });
    }
    let file: File = serde_json::from_slice(&bytes).map_err(not_one)?;
    let found = checksum(&file.format, &file.version, file.content.get());
    if found != file.checksum {
        return Err(CheckpointError::Checksum { path: path_(), needed: file.checksum, found });
    }
    serde_json::from_str(file.content.get()).map_err(not_one)
}

fn checksum(format: &str, version: &str, content: &str) -> String {
    let mut hash = Fnv::new();
    [format, version, content].into_iter().for_each(|text| hash.text(text));
    hex(hash.value())
}
