//! The files that results are made from. No result takes the place of one.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

use tactum_geometry::mesh::import;
use tactum_geometry::words;
use thiserror::Error;

use crate::files::{FileId, id_of};
use crate::over_time::path_files;
use crate::scene::Scene;
use crate::scene::schema::{MeshSpec, ShapeSpec};

/// What a file is for the results that are made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The scene that is run.
    Scene,
    /// A mesh, and the files of buffers that it names.
    Mesh,
    /// The table of a path.
    Path,
    /// A table of poses.
    Poses,
    /// A scene that is included.
    Include,
    /// A list of cases.
    Cases,
    /// The checkpoint that a run goes on from.
    Checkpoint,
    /// A sweep.
    Sweep,
    /// A mesh or table that runs of a sweep are made from.
    Source,
    /// What a run has written.
    Result,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scene => "the scene",
            Self::Mesh => "the mesh",
            Self::Path => "the path",
            Self::Poses => "the table of poses",
            Self::Include => "the included scene",
            Self::Cases => "the list of cases",
            Self::Checkpoint => "the checkpoint",
            Self::Sweep => "the sweep",
            Self::Source => "the file",
            Self::Result => "the result",
        })
    }
}

/// A result would take the place of a file that it is made from.
#[derive(Clone, Debug, Error)]
#[error(
    "the result '{}' would take the place of {role} '{}', which it is made from: write the results somewhere else",
    words::path(output),
    words::path(input)
)]
pub struct ReplacesInput {
    /// Where the result was to be written.
    pub output: PathBuf,
    /// What the file there is.
    pub role: Role,
    /// The path by which it is read.
    pub input: PathBuf,
}

/// Files that results are made from.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<(Role, PathBuf)>);

impl Inputs {
    /// The files of a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        let mut inputs = Self(vec![(Role::Scene, scene.path().to_owned())]);
        for body in &scene.spec().bodies {
            if let ShapeSpec::Mesh(MeshSpec { file, .. }) = &body.shape {
                inputs.add(Role::Mesh, scene.resolve(file));
            }
        }
        for file in path_files(scene.spec()) {
            inputs.add(Role::Path, scene.resolve(file));
        }
        for file in scene.spec().bodies.iter().filter_map(|body| body.poses.as_ref()) {
            inputs.add(Role::Poses, scene.resolve(file));
        }
        for file in scene.spec().includes.iter().flat_map(|include| &include.files) {
            inputs.add(Role::Include, scene.resolve(file));
        }
        inputs
    }

    /// Adds a file.
    pub fn add(&mut self, role: Role, path: PathBuf) {
        self.0.push((role, path));
    }

    /// Refuses to write where one of the files is. Files are known by what they are, not by their paths: a link to one is the
    /// same file.
    ///
    /// # Errors
    /// The first of the files that would be lost.
    pub fn spare(&self, outputs: Vec<PathBuf>) -> Result<(), ReplacesInput> {
        let there: HashMap<FileId, PathBuf> =
            outputs.into_iter().filter_map(|output| Some((id_of(&output)?, output))).collect();
        if there.is_empty() {
            return Ok(());
        }
        for (role, input) in self.files() {
            if let Some(output) = id_of(&input).and_then(|id| there.get(&id)) {
                return Err(ReplacesInput { output: output.clone(), role, input });
            }
        }
        Ok(())
    }

    /// All of them, those that a mesh file names included.
    pub fn files(&self) -> impl Iterator<Item = (Role, PathBuf)> {
        self.0.iter().flat_map(|(role, path)| {
            let files = if *role == Role::Mesh { import::files_of(path) } else { vec![path.clone()] };
            files.into_iter().map(|file| (*role, file))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_spared_by_whatever_path_it_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        let gltf = r#"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 9, "uri": "b%20.bin"}]}"#;
        for (name, text) in [("mesh.gltf", gltf), ("b .bin", "bytes"), ("other", "else")] {
            std::fs::write(at(name), text).expect("a file");
        }
        std::fs::hard_link(at("b .bin"), at("hard")).expect("a link");
        std::os::unix::fs::symlink(at("mesh.gltf"), at("soft")).expect("a link");
        std::fs::create_dir(at("sub")).expect("a folder");
        let mut inputs = Inputs::default();
        inputs.add(Role::Mesh, at("mesh.gltf"));
        for (output, input) in
            [("soft", Some("mesh.gltf")), ("sub/../hard", Some("b .bin")), ("other", None), ("none", None)]
        {
            let refused = inputs.spare(vec![at("sub"), at(output)]).err();
            let found = refused.map(|error| error.input.file_name().expect("a name").to_owned());
            assert_eq!(found.as_deref(), input.map(std::ffi::OsStr::new), "{output}");
        }
    }
}
