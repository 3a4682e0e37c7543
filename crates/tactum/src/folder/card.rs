//! The run card of a folder: whose results are there, and the lock of whoever writes them.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::{json, words};
use thiserror::Error;

use super::error::FolderError;
use super::names::{BATCH_CARD, CARD};
use crate::files::{astray, file_or_nothing};
use crate::hash::hex;

/// First field of every run card; changes when the format does.
const FORMAT: &str = "tactum-run/2";

/// Bytes of a run card beyond which a file is none: it holds the text of a scene, every byte of which may take four more.
const MAX_CARD: u64 = 2 << 30;

/// What decides which numbers a run gives, and what it takes to do it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCard {
    format: String,
    /// Version of the program.
    version: String,
    /// Name of the scene.
    pub(super) scene: String,
    /// Hash of what the scene file and its meshes say, 16 hexadecimal digits.
    pub(super) fingerprint: String,
    /// How overlaps are measured.
    pub(super) backend: String,
    /// What was asked for. No part of what makes two runs one.
    #[serde(default)]
    origin: Origin,
}

/// What a run was asked to do: from this it can be done again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The scene file, from the root of the file system; paths of meshes start from its folder.
    pub scene_file: String,
    /// What it said.
    pub scene_text: String,
    /// What was to measure overlaps: names of the back end that was taken and of its device.
    pub backend: String,
    /// Rays a side across a contact, of a back end that casts any.
    pub rays: u32,
    /// Name of the device.
    pub adapter: Option<String>,
    /// The words of the command, but for the folder of its results; none of a run that a program asked for.
    pub command: Vec<String>,
}

impl RunCard {
    /// The card of a run of the scene with this name and fingerprint; `backend` says how it measures overlaps.
    pub fn new(scene: String, fingerprint: u64, backend: String, origin: Origin) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene,
            fingerprint: hex(fingerprint),
            backend,
            origin,
        }
    }

    /// The card in a folder of results; nobody is kept from writing there.
    ///
    /// # Errors
    /// If there is none, or it is of another format.
    pub fn read(folder: &Path) -> Result<Self, CardError> {
        let path = folder.join(CARD);
        let bytes = file::read(&path, MAX_CARD).map_err(|cause| match cause {
            ReadError::Missing if folder.join(BATCH_CARD).is_file() => {
                CardError::Batch { folder: folder.to_owned() }
            }
            cause => CardError::Read { path: path.clone(), cause },
        })?;
        let head = serde_json::from_slice::<Head>(&bytes);
        let head = head.map_err(|cause| CardError::Parse { path: path.clone(), cause })?;
        if head.format != FORMAT {
            return Err(CardError::Format { path, found: head.format });
        }
        serde_json::from_slice(&bytes).map_err(|cause| CardError::Parse { path, cause })
    }

    /// Version of the program that wrote it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Name of the scene.
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// Hash of what the scene file and its meshes say, 16 hexadecimal digits.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How overlaps were measured, in words.
    pub fn backend(&self) -> &str {
        &self.backend
    }

    /// What was asked for.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// In which way another run is not this one, in words; none if it is.
    fn difference(&self, other: &Self) -> Option<String> {
        if other.version != self.version || other.format != self.format {
            return Some(format!("was written by version {} of the program", other.version));
        }
        if other.fingerprint != self.fingerprint {
            return Some(format!("is of the scene '{}' ({})", other.scene, other.fingerprint));
        }
        (other.backend != self.backend).then(|| format!("was measured by '{}'", other.backend))
    }
}

/// What is common to the cards of all formats.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// Why it is not known whose results a folder holds.
#[derive(Debug, Error)]
pub enum CardError {
    /// There is no card, or it cannot be read.
    #[error("no run can be read from '{}': {cause}", words::path(path))]
    Read {
        /// The card.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The folder is that of a batch.
    #[error(
        "'{}' is the folder of a batch, which keeps numbers of its runs but no poses: runs.parquet and report.html there have them; run a scene \
         of it with `tactum run --out`, and --set for the values of a run",
        words::path(folder)
    )]
    Batch {
        /// The folder.
        folder: PathBuf,
    },
    /// It is not a card.
    #[error("'{}' is not the card of a run: {}", words::path(path), json::explained(cause))]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        cause: serde_json::Error,
    },
    /// It is one of another format.
    #[error("the card '{}' has format '{found}', this program reads '{FORMAT}'", words::path(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
}

/// The run card of a folder, locked until it is dropped, be it by the system at the end of the process.
#[derive(Debug)]
pub struct LockedCard {
    folder: PathBuf,
    file: File,
}

impl LockedCard {
    /// Opens the run card of a folder, empty if it is new, and locks it.
    pub fn lock(folder: &Path) -> Result<Self, FolderError> {
        let card = folder.join(CARD);
        let fail = |verb, source| FolderError::file(verb, &card, source);
        file_or_nothing(&card).map_err(|source| fail("open", source))?;
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(&card);
        let file = opened.map_err(|source| fail("open", source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { folder: folder.to_owned(), file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(fail("lock", source)),
        }
    }

    /// Says that the folder is a run's from now on.
    pub fn write(&mut self, card: &RunCard) -> Result<(), FolderError> {
        let text = serde_json::to_string(card).expect("a run card has text keys and no failing serialiser");
        let written = (|| {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(format!("{text}\n").as_bytes())?;
            self.file.sync_all()
        })();
        written.map_err(|source: io::Error| FolderError::file("write", &self.folder.join(CARD), source))
    }

    /// Refuses a folder that holds the results of another run than this one.
    pub fn check(&self, card: &RunCard) -> Result<(), FolderError> {
        let mut text = Vec::new();
        let read = (&self.file).take(MAX_CARD).read_to_end(&mut text);
        read.map_err(|source| FolderError::file("read", &self.folder.join(CARD), source))?;
        let difference = match serde_json::from_slice::<RunCard>(&text) {
            Ok(found) => card.difference(&found),
            Err(_) => Some(format!("is not known: its {CARD} is missing or damaged")),
        };
        match difference {
            None => Ok(()),
            Some(difference) => Err(FolderError::OtherRun {
                path: self.folder.clone(),
                difference,
                this: Box::new(card.clone()),
            }),
        }
    }

    /// Whether the folder is still held. A lock is on a file and not on its name: who removes the card, or renames the folder,
    /// lets others in.
    pub fn is_held(&self) -> Result<(), FolderError> {
        match astray(&self.file, &self.folder.join(CARD)) {
            None => Ok(()),
            Some(found) => Err(FolderError::TakenAway { path: self.folder.clone(), found }),
        }
    }
}

/// Removes a link in the place of a folder's run card, which may lead to a file outside of the folder. A run that goes on
/// needs what the link leads to, and is refused.
pub fn replace_link(path: &Path, goes_on: bool, overwrite: bool) -> Result<(), FolderError> {
    let card = path.join(CARD);
    if !fs::symlink_metadata(&card).is_ok_and(|there| there.is_symlink()) {
        return Ok(());
    }
    if goes_on {
        return Err(FolderError::Link { path: path.to_owned() });
    }
    if !overwrite {
        return Err(FolderError::Occupied { path: path.to_owned(), found: format!("{CARD}, a link") });
    }
    fs::remove_file(&card).map_err(|source| FolderError::file("remove", &card, source))
}
