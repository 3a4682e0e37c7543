//! The files that the runs of a sweep are made from, besides sweep and scene.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum_geometry::file;

use super::plan::Plan;
use super::sweep::Sweep;
use crate::hash::{Fnv, hex};
use crate::inputs::{Inputs, Role};
use crate::scene::Scene;

/// A file that runs are made from: a mesh, a buffer of one, the table of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path from the folder of the scene, so that folders on different machines compare.
    pub path: String,
    /// Hash of its content, 16 hexadecimal digits; none of a file that cannot be read, which fails the runs that need it.
    pub hash: Option<String>,
}

/// The paths of all files that any run names, each once, in their order. Runs whose values make no scene name none.
pub fn files_of(sweep: &Sweep, plan: &Plan) -> Vec<PathBuf> {
    let mut files = BTreeSet::new();
    for run in plan.with_all_texts() {
        let Ok(overrides) = plan.overrides(run) else { continue };
        let Ok(scene) = Scene::parse_with(&sweep.scene_text, &sweep.scene_path, &overrides) else { continue };
        let inputs = Inputs::of_scene(&scene);
        files.extend(inputs.files().filter(|(role, _)| *role != Role::Scene).map(|(_, file)| file));
    }
    files.into_iter().collect()
}

/// What the files hold.
pub fn sources_of(sweep: &Sweep, files: &[PathBuf]) -> Vec<Source> {
    let folder = sweep.scene_path.parent().unwrap_or(Path::new(""));
    let source = |path: &PathBuf| {
        let hash = file::read(path, file::MAX_MESH_BYTES).ok().map(|bytes| {
            let mut hash = Fnv::new();
            hash.bytes(&bytes);
            hex(hash.value())
        });
        Source { path: path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned(), hash }
    };
    files.iter().map(source).collect()
}
