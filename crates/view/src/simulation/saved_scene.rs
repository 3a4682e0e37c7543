//! The present state of a running scene as a scene file of its own.

use std::path::{Path, PathBuf};

use glam::DVec3;
use tactum::scene::schema::{BodySpec, KindSpec, OrientationSpec, ShapeSpec};
use tactum::scene::{Scene, SceneSpec};
use tactum_sim::{Body, World};

use super::parameters::Parameters;

/// Writes a scene whose bodies stand and move as those of the world do: the scene's own, copies as bodies of their own,
/// and those dropped in later. Its expectations are left out, for they are about another start.
///
/// Impulses that contacts remember are not part of a scene, so a pile may settle by its rounding again.
pub fn write(
    path: &Path,
    scene: &Scene,
    dropped: &[BodySpec],
    world: &World,
    parameters: &Parameters,
) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let spec = of(scene, dropped, world, parameters, folder)?;
    let text = toml::to_string(&spec).map_err(|error| error.to_string())?;
    // What cannot be read again must not be left behind as a scene.
    Scene::parse(&text, path).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| error.to_string())
}

fn of(
    scene: &Scene,
    dropped: &[BodySpec],
    world: &World,
    parameters: &Parameters,
    folder: &Path,
) -> Result<SceneSpec, String> {
    let mut spec = scene.spec().clone();
    let mut bodies = Vec::with_capacity(world.bodies().len());
    let mut states = world.bodies().iter();
    for body in spec.bodies.iter().chain(dropped) {
        for name in body.expanded_names() {
            let state = states.next().ok_or("the world has fewer bodies than the scene")?;
            bodies.push(as_it_is(body, name, state, |file| moved(scene, file, folder)));
        }
    }
    spec.name = Some(format!("{} at {:.4} s", scene.name(), world.time()));
    spec.expectations.clear();
    spec.bodies = bodies;
    parameters.write_to(&mut spec);
    Ok(spec)
}

fn as_it_is(body: &BodySpec, name: String, state: &Body, file: impl Fn(&str) -> String) -> BodySpec {
    let mut body = body.clone();
    body.name = name;
    body.copies = None;
    if let ShapeSpec::Mesh(mesh) = &mut body.shape {
        mesh.file = file(&mesh.file);
    }
    body.position = state.w_from_shape().translation.to_array();
    body.orientation = OrientationSpec::Quaternion(state.orientation.to_array());
    // A static body has no velocity to state.
    let velocity = |v: DVec3| if body.kind == KindSpec::Static { [0.0; 3] } else { v.to_array() };
    body.linear_velocity = velocity(state.linear_velocity);
    body.angular_velocity = velocity(state.angular_velocity);
    body
}

/// The path of a mesh seen from the folder of the new file.
fn moved(scene: &Scene, file: &str, folder: &Path) -> String {
    let full = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let mesh = full(scene.resolve(file));
    let folder = full(folder.to_owned());
    mesh.strip_prefix(&folder).unwrap_or(&mesh).display().to_string()
}
