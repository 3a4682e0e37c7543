//! A run that a folder of results holds, read back: what was run, and the rows of its tables.
//!
//! | module | what it holds |
//! |---|---|
//! | `rows` | the rows of a table, whole ones only, one by one |
//! | `frames` | where bodies are, step by step |
//! | `contacts` | what touches, step by step |
//! | `error` | why a folder cannot be read |

mod contacts;
mod error;
mod frames;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::{json, words};
use tactum_sim::World;

use crate::backend::{Backend, BackendOptions};
use crate::build::{Built, build};
use crate::folder::{CARD, REPORT, RunCard};
use crate::hash::hex;
use crate::scene::Scene;
use crate::tables::{CONTACTS, ENERGY, POSES, TABLE_FILES};

pub use contacts::{Contacts, Touch};
pub use error::RecordedError;
pub use frames::{Frame, Frames, Motion};
pub use rows::Rows;

/// Largest report that is read \[bytes\]: a kilobyte for each of a million bodies and contacts.
const MAX_REPORT: u64 = 2 << 30;

/// A run that a folder holds.
#[derive(Debug)]
pub struct Recorded {
    folder: PathBuf,
    card: RunCard,
    scene: Arc<Scene>,
    world: World,
    doubts: Vec<String>,
}

impl Recorded {
    /// Reads whose results a folder holds, and makes the world of that run at its start. The scene is the one that the card has the text of;
    /// its meshes are read anew, from where they were or, if that is stated, with paths that start from another folder.
    ///
    /// # Errors
    /// If the folder has no card, a mesh cannot be read, or the meshes are not those of the run.
    pub fn open(folder: &Path, meshes: Option<&Path>) -> Result<Self, RecordedError> {
        let card = RunCard::read(folder)?;
        let origin = card.origin();
        let file = Path::new(&origin.scene_file);
        let path = match (meshes, file.file_name()) {
            (Some(meshes), Some(name)) => meshes.join(name),
            _ => file.to_owned(),
        };
        let scene = Scene::parse(&origin.scene_text, &path)?;
        let Built { world, fingerprint, .. } = build(&scene)?;
        let mut doubts = Vec::new();
        if card.version() != env!("CARGO_PKG_VERSION") {
            doubts.push(format!(
                "the run was made by version {} of the program, this is version {}",
                card.version(),
                env!("CARGO_PKG_VERSION")
            ));
        } else if hex(fingerprint) != card.fingerprint() {
            return Err(RecordedError::OtherMeshes {
                folder: folder.to_owned(),
                needed: card.fingerprint().to_owned(),
                found: hex(fingerprint),
            });
        }
        if !folder.join(REPORT).exists() {
            doubts.push(format!(
                "the run in '{}' has left no {REPORT}: it did not come to its end, or goes on, and its tables may end at different \
                 steps",
                words::path(folder)
            ));
        }
        Ok(Self { folder: folder.to_owned(), card, scene: Arc::new(scene), world, doubts })
    }

    /// Where the results are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files that say what there is to know of the run: its card, report and tables.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        [CARD, REPORT].into_iter().chain(TABLE_FILES).map(|name| self.folder.join(name))
    }

    /// What was run, and how.
    pub fn card(&self) -> &RunCard {
        &self.card
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Its world before the first step.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What a user should be told of the run, in words.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// What opens a detector as that of the run.
    ///
    /// # Errors
    /// If this program has no such back end.
    pub fn backend(&self) -> Result<BackendOptions, RecordedError> {
        let origin = self.card.origin();
        let backend: Backend = origin.backend.parse().map_err(RecordedError::Backend)?;
        Ok(BackendOptions { backend, rays: origin.rays, adapter: origin.adapter.clone() })
    }

    /// The report of the run; none if it has left none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn report(&self) -> Result<Option<Value>, RecordedError> {
        let path = self.folder.join(REPORT);
        let bytes = match file::read(&path, MAX_REPORT) {
            Err(ReadError::Missing) => return Ok(None),
            Err(cause) => return Err(RecordedError::Table { path, cause }),
            Ok(bytes) => bytes,
        };
        let parsed = serde_json::from_slice(&bytes);
        parsed.map(Some).map_err(|error| RecordedError::Report { path, why: json::explained(&error) })
    }

    /// Where the bodies are, at the start of the table and then every so many steps, and in the end.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn frames(&self, every: u64) -> Result<Frames, RecordedError> {
        Frames::open(&self.folder.join(POSES), &self.world, every)
    }

    /// What touches.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn contacts(&self) -> Result<Contacts, RecordedError> {
        Contacts::open(&self.folder.join(CONTACTS))
    }

    /// The rows of the table of a file name of [`TABLE_FILES`]; none where the run has not written it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn rows(&self, file: &str) -> Result<Option<Rows>, RecordedError> {
        let path = self.folder.join(file);
        path.exists().then(|| Rows::open(&path)).transpose()
    }

    /// The rows of `energy.csv`.
    ///
    /// # Errors
    /// If there is no such table.
    pub fn energies(&self) -> Result<Rows, RecordedError> {
        Rows::open(&self.folder.join(ENERGY))
    }
}
