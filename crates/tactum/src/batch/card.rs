//! The card of a batch: what decides which results it gives, and what it takes to do it again.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tactum_geometry::words;

use super::plan::Shard;
use super::record::Layout;
use super::sources::Source;
use super::sweep::Sweep;
use crate::backend::BackendOptions;
pub use crate::folder::BATCH_CARD as CARD;
use crate::hash::{Fnv, hex};

/// First field of every card; changes when the format of the folder does.
const FORMAT: &str = "tactum-batch/3";

/// What decides which results a batch gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    format: String,
    version: String,
    /// Name of the sweep.
    pub sweep: String,
    /// Hash of the sweep, its scene and all files of its runs, 16 hexadecimal digits.
    pub fingerprint: String,
    /// How overlaps are measured.
    pub backend: String,
    /// Number of runs of all shards.
    pub n_runs: u64,
    /// Which of them are here.
    pub shard: Shard,
    /// What a record holds.
    pub layout: Layout,
    /// What it takes to do the batch again.
    pub origin: Origin,
    /// The files that runs are made from besides.
    pub sources: Vec<Source>,
}

/// What it takes to do a batch again. Folders are left out, so that shards of different machines compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Name of the sweep file.
    pub sweep_file: String,
    /// Its text.
    pub sweep_text: String,
    /// The scene file, as the sweep names it.
    pub scene_file: String,
    /// Its text.
    pub scene_text: String,
    /// The back end, as it is asked for.
    pub backend: String,
    /// Rays a side across a contact.
    pub rays: u32,
    /// The device asked for, if one was.
    pub adapter: Option<String>,
}

impl Card {
    /// The card of a batch: its runs of all shards, what a record of one holds, what they are made from and how they are measured.
    pub fn new(
        sweep: &Sweep,
        n_runs: u64,
        layout: &Layout,
        sources: Vec<Source>,
        options: &BackendOptions,
        measured_by: &str,
    ) -> Self {
        let BackendOptions { backend, rays, adapter } = options;
        let name = sweep.path.file_name().unwrap_or_default();
        let origin = Origin {
            sweep_file: name.to_string_lossy().into_owned(),
            sweep_text: sweep.text.clone(),
            scene_file: sweep.spec.scene.clone(),
            scene_text: sweep.scene_text.clone(),
            backend: backend.to_string(),
            rays: *rays,
            adapter: adapter.clone(),
        };
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sweep: sweep.name(),
            fingerprint: fingerprint(&origin, &sources),
            backend: measured_by.to_owned(),
            n_runs,
            shard: Shard::WHOLE,
            layout: layout.clone(),
            origin,
            sources,
        }
    }

    /// The version of the program that made the batch.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The card in a folder.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(CARD);
        let text = fs::read(&path)
            .map_err(|error| format!("it has no {CARD} that can be read: {}", words::cause(&error)))?;
        serde_json::from_slice(&text).map_err(|error| format!("its {CARD} is damaged: {error}"))
    }

    /// In which way another batch is not this one, in words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if (&other.version, &other.format) != (&self.version, &self.format) {
            return Some(format!("was written by version {} of the program", other.version));
        }
        if other.fingerprint != self.fingerprint {
            if let Some(file) = self.changed_source(other) {
                return Some(format!("was made from another file '{}'", words::printable(file)));
            }
            return Some(format!(
                "is of another sweep or scene: '{}' ({}, here {})",
                other.sweep, other.fingerprint, self.fingerprint
            ));
        }
        if other.backend != self.backend {
            return Some(format!("was measured by '{}', this one is by '{}'", other.backend, self.backend));
        }
        (other.shard != self.shard)
            .then(|| format!("is the shard {}, this one is {}", other.shard, self.shard))
    }

    /// The file that a batch of the same sweep and scene was made from another content of.
    fn changed_source<'o>(&self, other: &'o Self) -> Option<&'o str> {
        let texts = |card: &Self| (card.origin.sweep_text.clone(), card.origin.scene_text.clone());
        let changed = other
            .sources
            .iter()
            .find(|there| self.sources.iter().any(|here| here.path == there.path && here.hash != there.hash));
        changed.filter(|_| texts(self) == texts(other)).map(|source| source.path.as_str())
    }

    /// What Parquet files say of where they come from.
    pub fn notes(&self) -> [(&str, &str); 4] {
        [
            ("tactum", &self.version),
            ("sweep", &self.sweep),
            ("fingerprint", &self.fingerprint),
            ("backend", &self.backend),
        ]
    }

    /// Number of runs that are here when all have ended.
    pub fn count(&self) -> u64 {
        self.shard.count(self.n_runs)
    }
}

/// Hash of all that decides which results a batch gives, but for the program and how it measures.
fn fingerprint(origin: &Origin, sources: &[Source]) -> String {
    let mut hash = Fnv::new();
    hash.text(&origin.sweep_text);
    hash.text(&origin.scene_text);
    for source in sources {
        hash.text(&source.path);
        hash.text(source.hash.as_deref().unwrap_or_default());
    }
    hex(hash.value())
}
