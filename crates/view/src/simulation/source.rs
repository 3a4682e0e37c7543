//! What can be opened besides a scene file: a scene that the program holds, and a mesh, which becomes a body on a floor.

use std::path::Path;

use glam::DVec3;
use tactum::scene::{Fault, Scene, SceneError};
use tactum::shapes::{ShapeError, prepare};
use tactum_geometry::words;

/// What stands before the name of a scene that the program holds.
const HELD: &str = "demo:";

/// Scenes that the program holds, so that there is something to be seen wherever it is started.
const DEMOS: [(&str, &str); 8] = [
    ("tip", include_str!("../../../../scenes/tip.toml")),
    ("drop", include_str!("../../../../scenes/drop.toml")),
    ("gear_pair", include_str!("../../../../scenes/gear_pair.toml")),
    ("newtons_cradle", include_str!("../../../../scenes/newtons_cradle.toml")),
    ("nut_runs_down", include_str!("../../../../scenes/nut_runs_down.toml")),
    ("pinch", include_str!("../../../../scenes/pinch.toml")),
    ("salad", include_str!("../../../../scenes/salad.toml")),
    ("table_four_legs", include_str!("../../../../scenes/table_four_legs.toml")),
];

/// Endings of files that are meshes.
const MESHES: [&str; 5] = ["obj", "stl", "ply", "gltf", "glb"];

/// A mesh larger than this is taken for one in millimetres \[m\]: few parts are as large as a house.
const LARGE: f64 = 10.0;

/// What the scenes that the program holds are opened by.
pub fn demos() -> impl Iterator<Item = String> {
    DEMOS.iter().map(|(name, _)| format!("{HELD}{name}"))
}

/// Whether something is opened that the program holds.
pub fn is_held(path: &Path) -> bool {
    held(path).is_some()
}

fn held(path: &Path) -> Option<&'static (&'static str, &'static str)> {
    let name = path.to_str()?.strip_prefix(HELD)?;
    DEMOS.iter().find(|(known, _)| *known == name)
}

/// The scene of a file, of a mesh, or of the program's own.
///
/// # Errors
/// What is wrong with it.
pub fn load(path: &Path) -> Result<Scene, SceneError> {
    if let Some((name, text)) = held(path) {
        return Scene::parse(text, Path::new(name));
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if MESHES.contains(&extension.as_str()) { on_a_floor(path) } else { Scene::load(path) }
}

/// A mesh that lies on a floor.
fn on_a_floor(mesh: &Path) -> Result<Scene, SceneError> {
    let place = mesh.with_extension("toml");
    let lying = Scene::parse(&floor_and(mesh, "m", DVec3::ZERO), &place)?;
    let shape = lying.spec().bodies.last().map(|body| prepare(&body.shape, |file| lying.resolve(file)));
    let parts = match shape {
        Some(Ok(parts)) => parts,
        Some(Err(error)) => return Err(SceneError::Faults(vec![refusal(mesh, &error)])),
        None => return Ok(lying),
    };
    let Some(bounds) = parts.first().map(|part| part.shape.own_aabb()) else { return Ok(lying) };
    let (unit, metres) = if bounds.diagonal() > LARGE { ("mm", 1e-3) } else { ("m", 1.0) };
    let above = (-bounds.center()).with_z(-bounds.min.z) * metres;
    Scene::parse(&floor_and(mesh, unit, above), &place)
}

/// Why no body can be made of a mesh: told of its file, for the scene around it is none of the user's.
fn refusal(mesh: &Path, error: &ShapeError) -> Fault {
    let (file, message) = (words::path(mesh), error.to_string());
    // Errors of files begin with the path that stands before every fault.
    let fault = Fault::error(message.strip_prefix(&format!("{file}: ")).unwrap_or(&message), "");
    let help = error.help().filter(|_| mesh.exists());
    help.map_or(fault.clone(), |help| fault.with_help(help)).at(&file, "", None)
}

/// The text of a scene with a mesh, in a unit, over a floor.
fn floor_and(mesh: &Path, unit: &str, position: DVec3) -> String {
    let text = |text: std::borrow::Cow<'_, str>| toml::Value::String(text.into_owned()).to_string();
    let file = text(mesh.file_name().unwrap_or_default().to_string_lossy());
    let name = text(mesh.file_stem().unwrap_or_default().to_string_lossy());
    format!(
        "name = {name}\ndescription = \"A mesh on a floor, its lengths taken for {unit}.\"\ndt = 0.005\nduration = 5\n\n\
         [[body]]\nname = \"floor\"\nkind = \"static\"\nshape = {{ plane = {{}} }}\n\n\
         [[body]]\nname = \"part\"\nshape = {{ mesh = {{ file = {file}, units = \"{unit}\" }} }}\nposition = {:?}\n",
        position.to_array()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_holds_can_be_opened() {
        for demo in demos() {
            assert!(is_held(Path::new(&demo)));
            load(Path::new(&demo)).unwrap_or_else(|error| panic!("{demo}: {error}"));
        }
        let error = load(Path::new("demo:nothing")).expect_err("no such scene").to_string();
        assert!(error.contains("demo:nothing"), "{error}");
    }

    /// What is told of a broken mesh names its file, and no scene that nobody wrote.
    #[test]
    fn a_mesh_that_is_none_is_refused_by_its_own_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("open.obj");
        std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
            .expect("a file");
        for (path, words) in [
            (path, "open.obj: not closed"),
            (folder.path().join("none.obj"), "none.obj: there is no mesh file"),
        ] {
            let said = load(&path).expect_err("no body").to_string();
            assert!(said.contains(words) && !said.contains(".toml"), "{said}");
            assert_eq!(
                said.matches("not closed").count(),
                usize::from(words.contains("not closed")),
                "{said}"
            );
        }
    }

    /// A tetrahedron that stands off the origin comes to lie over it, on the floor.
    #[test]
    fn a_mesh_lies_on_a_floor() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("odd \"name\".obj");
        let corners = "v 5 5 7\nv 6 5 7\nv 5 6 7\nv 5 5 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        std::fs::write(&path, corners).expect("a file");
        let scene = load(&path).unwrap_or_else(|error| panic!("{error}"));
        let [floor, part] = &scene.spec().bodies[..] else { panic!("two bodies") };
        assert_eq!((floor.name.as_str(), part.name.as_str()), ("floor", "part"));
        assert_eq!(part.position, [-5.5, -5.5, -7.0]);
        assert_eq!(scene.name(), "odd \"name\"");
        let world = tactum::build::build(&scene).expect("a world").world;
        assert_eq!(world.bodies().len(), 2);
        // What would be larger than a house is in millimetres.
        std::fs::write(&path, corners.replace('5', "500").replace('7', "700")).expect("a file");
        let scene = load(&path).unwrap_or_else(|error| panic!("{error}"));
        let world = tactum::build::build(&scene).expect("a world").world;
        let bounds = world.bodies()[1].shape.aabb(&world.bodies()[1].w_from_shape());
        assert!(bounds.diagonal() < 2.0 && bounds.min.z.abs() < 1e-9, "{bounds:?}");
    }
}
