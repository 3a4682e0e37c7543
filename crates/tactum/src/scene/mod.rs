//! Scenes: a TOML file that says which bodies there are, how they touch and what has to come out.
//!
//! [`Scene::load`] reads one; every fault it finds carries the file, line, column and the words to quote. The format
//! itself is documented where it is defined, in [`schema`]; `tactum schema` prints it as a JSON Schema.

mod check;
mod colour;
mod document;
mod excerpt;
mod expression;
mod fault;
mod gathered;
mod include;
mod key_path;
mod named_bodies;
mod names;
mod overrides;
mod parameters;
mod placements;
mod read;
mod reference;
mod scalar;
pub mod schema;
mod structure;
mod suggest;
mod syntax;
mod unit;
mod wanted;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use check::{MAX_STEPS, inertia_matrix};
pub use colour::rgb_of;
use document::Document;
use expression::MARK;
pub(crate) use expression::is_expression;
pub use fault::{Fault, SceneError};
pub use gathered::{Gathered, Place};
pub use include::included_files;
use include::{IncludeError, Included, Includers, Origins};
pub use key_path::{KeyPath, Step};
pub use named_bodies::NamedBodies;
pub use names::{Names, matches};
pub(crate) use overrides::with_values;
pub use overrides::{Override, named as named_paths};
pub(crate) use placements::placements;
pub use reference::reference;
pub use schema::SceneSpec;
use schema::ShapeSpec;
use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;
use structure::Structure;
pub(crate) use suggest::advice as suggestion;
use tactum_geometry::words;
pub use unit::unit_at;

use crate::shape_store::ShapeStore;

/// What stands for the file's name in the faults of a text with values replaced.
const OVERRIDDEN: &str = "the scene with the values set";

/// A scene whose text has been read and whose numbers make sense; its meshes are not loaded yet.
#[derive(Clone, Debug)]
pub struct Scene {
    spec: SceneSpec,
    path: PathBuf,
    text: Arc<str>,
    warnings: Vec<Fault>,
    shapes: Arc<ShapeStore>,
    origins: Origins,
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// If there is no such regular file of bearable size; [`SceneError::Faults`] with what is wrong in it: the first
    /// fault where the text is not TOML, or else all that has keys or types that a scene does not know, or else all
    /// that makes no sense. Of very many faults, the first are listed and the rest counted.
    pub fn load(path: &Path) -> Result<Self, SceneError> {
        Self::parse(&read::text_of(path)?, path)
    }

    /// Reads a scene file with values replaced.
    ///
    /// # Errors
    /// As [`Scene::load`]; and if there is nothing to be replaced at a path, or no such value can stand there.
    pub fn load_with(path: &Path, overrides: &[Override]) -> Result<Self, SceneError> {
        Self::parse_with(&read::text_of(path)?, path, overrides)
    }

    /// Reads a scene from its text, with values replaced one after the other. The scene's text is the one with the values in it.
    ///
    /// # Errors
    /// As [`Scene::load_with`].
    pub fn parse_with(text: &str, path: &Path, overrides: &[Override]) -> Result<Self, SceneError> {
        Self::parse_sharing(text, path, overrides, &Arc::default())
    }

    /// As [`Scene::parse_with`], for scenes that share the shapes that they have in common. Mesh files are then read once, and must not change
    /// meanwhile.
    ///
    /// # Errors
    /// As [`Scene::load_with`].
    pub fn parse_sharing(
        text: &str,
        path: &Path,
        overrides: &[Override],
        shapes: &Arc<ShapeStore>,
    ) -> Result<Self, SceneError> {
        Self::parse_within(text, path, overrides, shapes, &Includers::default())
    }

    /// As [`Scene::parse_sharing`], as a file that others include.
    fn parse_within(
        text: &str,
        path: &Path,
        overrides: &[Override],
        shapes: &Arc<ShapeStore>,
        includers: &Includers,
    ) -> Result<Self, SceneError> {
        let parse = |text: &str| Self::parse_text(text, path, shapes.clone(), includers);
        if overrides.is_empty() {
            let file = path.display().to_string();
            return parse(text).map_err(|error| include::set_at_its_place(error, &file, text));
        }
        // Which of them is wrong is found out only where one is.
        if let Ok(changed) = with_values(text, overrides)
            && let Ok(scene) = parse(&changed)
        {
            return Ok(scene);
        }
        let changed = overrides::apply_all(text, overrides)?;
        parse(&changed).map_err(|error| match error {
            SceneError::Faults(faults) if parse(text).is_ok() => {
                let paths = overrides.iter().map(|change| change.path().to_owned()).collect();
                SceneError::Overrides { paths, faults }
            }
            error => error,
        })
    }

    /// Reads a scene from its text; mesh paths are relative to the folder of `path`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, SceneError> {
        Self::parse_within(text, path, &[], &Arc::default(), &Includers::default())
    }

    /// This scene with values replaced one after the other. Shapes that both have are made once.
    ///
    /// # Errors
    /// As [`Scene::load_with`].
    pub fn with(&self, overrides: &[Override]) -> Result<Self, SceneError> {
        Self::parse_sharing(&self.text, &self.path, overrides, &self.shapes)
    }

    fn parse_text(
        text: &str,
        path: &Path,
        shapes: Arc<ShapeStore>,
        includers: &Includers,
    ) -> Result<Self, SceneError> {
        let text: Arc<str> = text.into();
        let file = path.display().to_string();
        let one = |fault: Box<Fault>| SceneError::Faults(vec![*fault]);
        // Outlives what refers to it.
        let fillings;
        let mut document = Document::parse(&file, &text).map_err(one)?;
        if let Some(scene) = document.root().get("scene").filter(|_| !document.root().contains_key("body")) {
            let fault = Fault::error("this file is a sweep, not a scene", "it names its scene")
                .with_help("`tactum batch` makes the runs of a sweep");
            return Err(one(Box::new(fault.at(&file, &text, Some(scene.span())))));
        }
        let Structure { faults: misplaced, expressions } = structure::check(document.root());
        if misplaced.has_errors() {
            return Err(SceneError::Faults(misplaced.located(&file, &document)));
        }
        let (found, of_parameters) = parameters::values(&document, &expressions);
        let fails = of_parameters.has_errors();
        let warnings = of_parameters.located(&file, &document);
        if fails {
            return Err(SceneError::Faults(warnings));
        }
        if !found.is_empty() {
            fillings = found;
            document.fill_in(&fillings);
            // Numbers that an expression gives may be none that can stand there.
            let misplaced = structure::check(document.root()).faults;
            if misplaced.has_errors() {
                return Err(SceneError::Faults(misplaced.located(&file, &document)));
            }
        }
        let spec = document.into_spec(&file).map_err(one)?;
        let (path, origins) = (path.to_owned(), Origins::default());
        let mut scene = Self { spec, path, text, warnings, shapes, origins };
        scene.complete(includers)?;
        for why in scene.spec.expectations.iter_mut().filter_map(|expect| expect.why.as_mut()) {
            // Part of a line when it is printed.
            if why.contains(words::is_unprintable) {
                *why = why.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        // What is doubtful about an included file by itself was told there.
        let found = check::check(&scene.spec).without_warnings(|path| scene.origins.of(path).is_some());
        scene.accept(found)?;
        Ok(scene)
    }

    /// Reads what the scene takes from other files and its names hang on: the numbers of parts, tables of poses, included scenes.
    fn complete(&mut self, includers: &Includers) -> Result<(), SceneError> {
        count_parts(&mut self.spec, &self.shapes, |file| beside(&self.path, file));
        let faults = placements::read_tables(&mut self.spec, |file| beside(&self.path, file));
        self.accept(faults)?;
        self.accept(check::check_includes(&self.spec.includes))?;
        let shapes = self.shapes.clone();
        let read = |path: &Path, text: &str, values: &[Override], includers: &Includers| {
            let Self { spec, warnings, .. } = Self::parse_within(text, path, values, &shapes, includers)?;
            Ok(Included { spec, warnings })
        };
        match include::take_in(&mut self.spec, &self.path, includers, &read) {
            Ok((warnings, origins)) => {
                self.warnings.extend(warnings);
                self.origins = origins;
                Ok(())
            }
            Err(IncludeError::Here(faults)) => self.accept(faults),
            Err(IncludeError::There(error)) => Err(error),
        }
    }

    /// Keeps what is doubtful.
    ///
    /// # Errors
    /// What makes the scene unusable.
    fn accept(&mut self, found: Gathered) -> Result<(), SceneError> {
        let fails = found.has_errors();
        let faults = self.locate(found);
        if fails {
            return Err(SceneError::Faults(faults));
        }
        self.warnings.extend(faults);
        Ok(())
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
                .map_or_else(|| "scene".to_owned(), |stem| words::printable(&stem.to_string_lossy()))
        })
    }

    /// Number of `[[body]]` that the file itself has; those of included files follow them.
    pub(crate) fn n_own_bodies(&self) -> usize {
        self.spec.bodies.len() - self.origins.n_of("body")
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
        beside(&self.path, file)
    }

    /// The shapes of its bodies, as far as they have been made.
    pub(crate) fn shapes(&self) -> &ShapeStore {
        &self.shapes
    }

    /// Doubts about the scene that do not keep it from running.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// The number at the path of a value that was replaced: of an expression what it gives.
    pub(crate) fn number_at(&self, change: &Override) -> Option<f64> {
        let file = self.path.display().to_string();
        let mut document = Document::parse(&file, &self.text).ok()?;
        let Structure { expressions, .. } = structure::check(document.root());
        let (fillings, _) = parameters::values(&document, &expressions);
        document.fill_in(&fillings);
        parameters::number(change.value_in(&document)?)
    }

    /// Ties faults to their places in the file.
    pub fn locate(&self, faults: Gathered) -> Vec<Fault> {
        if faults.is_empty() {
            return Vec::new();
        }
        let faults = faults.moved(|path| self.origins.of(path));
        let file = self.path.display().to_string();
        match Document::parse(&file, &self.text) {
            Ok(document) => faults.located(&file, &document),
            // The text was read before; this tells the one who broke that.
            Err(fault) => vec![*fault],
        }
    }
}

/// What is wrong with a text of TOML that is no scene, held against a schema that refers to no part of itself.
pub(crate) fn misplaced(file: &str, text: &str, schema: &'static Value) -> Vec<Fault> {
    match Document::parse(file, text) {
        Ok(document) => structure::check_against(document.root(), schema).faults.located(file, &document),
        Err(fault) => vec![*fault],
    }
}

/// A path that is relative to the folder of a scene, for use from the current folder.
fn beside(scene: &Path, file: &str) -> PathBuf {
    scene.parent().unwrap_or(Path::new("")).join(file)
}

/// Finds how many bodies files are split into: names of bodies hang on it, so it has to be known before the scene is checked. Files that
/// cannot be read or split count as one, and are refused when their shapes are made.
fn count_parts(spec: &mut SceneSpec, shapes: &ShapeStore, resolve: impl Fn(&str) -> PathBuf) {
    for body in &mut spec.bodies {
        let n = shapes.n_parts(&body.shape, &resolve);
        if let ShapeSpec::Mesh(mesh) = &mut body.shape {
            mesh.n_parts = n;
        }
    }
}

/// The JSON Schema of scene files, formatted for reading.
pub fn json_schema() -> String {
    let mut schema = schemars::schema_for!(SceneSpec);
    RecursiveTransform(allow_expressions).transform(&mut schema);
    format!("{:#}\n", schema.as_value())
}

/// Lets an expression stand where a number can. The check of a text tells expressions by itself, and needs the numbers alone.
fn allow_expressions(schema: &mut Schema) {
    let types: Vec<Value> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone().into()],
        Some(Value::Array(several)) => several.clone(),
        _ => return,
    };
    let has = |name: &str| types.iter().any(|known| known == name);
    if (has("number") || has("integer")) && !has("string") {
        schema.insert("type".to_owned(), types.iter().cloned().chain(["string".into()]).collect());
        schema.insert("pattern".to_owned(), format!("^{MARK}").into());
    }
}
