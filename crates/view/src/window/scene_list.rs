//! The scenes that can be opened.

use std::path::{Path, PathBuf};

use crate::simulation::source::{demos, load};
use crate::still::scenes_in;

/// A scene that can be opened.
#[derive(Clone, Debug)]
pub struct SceneEntry {
    /// Its file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// What it shows, or why it cannot be read.
    pub description: String,
}

/// The scenes of a folder; none if it cannot be read.
pub fn entries(folder: &Path) -> Vec<SceneEntry> {
    scenes_in(folder).unwrap_or_default().into_iter().map(entry).collect()
}

/// The scenes that the program holds.
pub fn held() -> Vec<SceneEntry> {
    demos().map(|demo| entry(demo.into())).collect()
}

fn entry(path: PathBuf) -> SceneEntry {
    let (name, description) = match load(&path) {
        Ok(scene) => (scene.name(), scene.spec().description.clone().unwrap_or_default()),
        Err(error) => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, error.to_string())
        }
    };
    SceneEntry { path, name, description }
}
