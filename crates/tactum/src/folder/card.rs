//! The run card of a folder: whose results are there, and the lock of whoever writes them.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::FolderError;
use super::names::CARD;
use crate::files::{astray, file_or_nothing};
use crate::hash::hex;

/// First field of every run card; changes when the format does.
const FORMAT: &str = "tactum-run/1";

/// Bytes of a run card beyond which a file is none.
const MAX_CARD: u64 = 1 << 16;

/// What decides which numbers a run gives.
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
}

impl RunCard {
    /// The card of a run of the scene with this name and fingerprint; `backend` says how it measures overlaps.
    pub fn new(scene: String, fingerprint: u64, backend: String) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene,
            fingerprint: hex(fingerprint),
            backend,
        }
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
