//! Scenes of runs that failed, which fail by themselves.

use std::path::{Path, PathBuf};

use super::plan::Plan;
use super::sweep::Sweep;
use crate::scene::schema::{MeshSpec, ShapeSpec};
use crate::scene::{Override, Scene, with_values};
use tactum_geometry::words;

/// The scene of a run with its values in it and why it failed above them, to be run from any folder. Where the values make no scene, their
/// text tells why.
pub fn scene_of(sweep: &Sweep, plan: &Plan, run: u64, why: &str) -> String {
    let mut set = plan.overrides(run).unwrap_or_default();
    if let Some(duration) = sweep.spec.duration {
        set.extend(Override::new("duration", format!("{duration:?}")));
    }
    if let Ok(scene) = Scene::parse_with(&sweep.scene_text, &sweep.scene_path, &set) {
        set.extend(files(&scene));
    }
    let text = with_values(&sweep.scene_text, &set).unwrap_or_else(|_| sweep.scene_text.clone());
    let mut head = format!("# Run {run} of the sweep '{}' fails:\n", sweep.name());
    why.lines().for_each(|line| head += &format!("#   {}\n", words::printable(line)));
    head += "# Its values:\n";
    set.iter()
        .take(plan.paths().count())
        .for_each(|value| head += &format!("#   {}\n", words::printable(&value.to_string())));
    head + text.trim_start_matches('\u{feff}')
}

/// The files of meshes, tables and included scenes by paths that lead to them from everywhere.
fn files(scene: &Scene) -> Vec<Override> {
    let mut set = Vec::new();
    let mut name = |key: String, file: &str| {
        let file = absolute(&scene.resolve(file));
        let file = file.to_str().map(|file| toml::Value::String(file.to_owned()).to_string());
        set.extend(file.and_then(|file| Override::new(&key, file).ok()));
    };
    let spec = scene.spec();
    for (ix, include) in spec.includes.iter().enumerate() {
        name(format!("include[{ix}].file"), &include.file);
    }
    // Those of included files start from there.
    for (ix, body) in spec.bodies.iter().take(scene.n_own_bodies()).enumerate() {
        if let Some(file) = &body.poses {
            name(format!("body[{ix}].poses"), file);
        }
        if let ShapeSpec::Mesh(MeshSpec { file, .. }) = &body.shape {
            name(format!("body[{ix}].shape.mesh.file"), file);
        }
        if let Some(file) = body.motion.as_ref().and_then(|motion| motion.file.as_deref()) {
            name(format!("body[{ix}].motion.file"), file);
        }
    }
    set
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
