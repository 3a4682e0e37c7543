//! Scenes: a TOML file that says which bodies there are, how they touch and what has to come out.
//!
//! [`Scene::load`] reads one; every fault it finds carries the file, line, column and the words to quote. The format
//! itself is documented where it is defined, in [`schema`]; `tactum schema` prints it as a JSON Schema.

mod fault;
mod locate;
mod names;
mod parse;
pub mod schema;
mod suggest;
mod validate;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use fault::{Fault, SceneError};
pub use locate::{KeyPath, Step};
pub use names::matches;
pub use schema::SceneSpec;
pub(crate) use validate::{MAX_STEPS, inertia_matrix};

/// A scene whose text has been read and whose numbers make sense; its meshes are not loaded yet.
#[derive(Clone, Debug)]
pub struct Scene {
    spec: SceneSpec,
    path: PathBuf,
    text: Arc<str>,
    warnings: Vec<Fault>,
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// [`SceneError::Read`] if there is no such text file; [`SceneError::Faults`] with everything that is wrong in
    /// it, or with the first fault where the text is not TOML or has keys or types that a scene does not know.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| SceneError::Read { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads a scene from its text; mesh paths are relative to the folder of `path`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, SceneError> {
        let text: Arc<str> = text.into();
        let file = path.display().to_string();
        let spec = parse::parse(&file, &text).map_err(|fault| SceneError::Faults(vec![*fault]))?;
        let faults: Vec<Fault> = validate::validate(&spec)
            .into_iter()
            .map(|(key, fault)| fault.at(&file, &text, locate::span_of(&text, &key)))
            .collect();
        if faults.iter().any(|fault| !fault.is_warning()) {
            return Err(SceneError::Faults(faults));
        }
        Ok(Self { spec, path: path.to_owned(), text, warnings: faults })
    }

    /// What the file says.
    pub fn spec(&self) -> &SceneSpec {
        &self.spec
    }

    /// The name in the file, or else the file's own.
    pub fn name(&self) -> String {
        self.spec.name.clone().unwrap_or_else(|| {
            self.path
                .file_stem()
                .map_or_else(|| "scene".to_owned(), |stem| stem.to_string_lossy().into_owned())
        })
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path of the file, which is relative to the folder of the scene, for use from the current folder.
    pub fn resolve(&self, file: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(file)
    }

    /// Doubts about the scene that do not keep it from running.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// Ties a fault to the place of a key in the file.
    pub fn locate(&self, key: &KeyPath, fault: Fault) -> Fault {
        fault.at(&self.path.display().to_string(), &self.text, locate::span_of(&self.text, key))
    }
}

/// The JSON Schema of scene files, formatted for reading.
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(SceneSpec);
    format!("{:#}\n", schema.as_value())
}
