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
        set.extend(meshes(&scene));
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

/// The files of meshes by paths that lead to them from everywhere.
fn meshes(scene: &Scene) -> Vec<Override> {
    let meshes = scene.spec().bodies.iter().enumerate().filter_map(|(ix, body)| match &body.shape {
        ShapeSpec::Mesh(MeshSpec { file, .. }) => Some((ix, absolute(&scene.resolve(file)))),
        _ => None,
    });
    let set = |(ix, file): (usize, PathBuf)| {
        let file = toml::Value::String(file.to_str()?.to_owned());
        Override::new(&format!("body[{ix}].shape.mesh.file"), file.to_string()).ok()
    };
    meshes.filter_map(set).collect()
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
