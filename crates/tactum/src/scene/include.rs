//! Bodies of other scene files: `[[include]]`.
//!
//! A file that is included is a scene that runs by itself. It is read as any other, with faults of its own at their places; what is taken of it
//! is moved into the including world, gets longer names, and follows the scene's own bodies, joints and so on in their lists.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, words};

use super::document::Document;
use super::fault::{Fault, SceneError};
use super::gathered::{Gathered, Place};
use super::key_path::{KeyPath, Step};
use super::overrides::{Override, path_through};
use super::placements::placements;
use super::read;
use super::schema::{
    AxesSpec, BodySpec, ForceSpec, JointSpec, MeasuredSpec, OrientationSpec, PlacedSpec, SceneSpec,
    ShapeSpec, VectorOverTimeSpec,
};
use super::suggest::advice;

/// Files that include each other in a row.
const DEEPEST: usize = 16;

/// Files that a scene is made of, each as often as it is included.
const MOST_FILES: usize = 1000;

/// The files from the scene that is read down to one that it includes.
#[derive(Clone, Debug, Default)]
pub struct Includers {
    files: Vec<PathBuf>,
    n_read: Rc<Cell<usize>>,
}

impl Includers {
    /// The chain with one file more.
    pub fn and(&self, path: &Path) -> Self {
        let mut files = self.files.clone();
        files.push(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        Self { files, n_read: self.n_read.clone() }
    }

    /// Why another file cannot be included, if it cannot.
    fn refusal(&self, path: &Path) -> Option<String> {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if let Some(first) = self.files.iter().position(|file| *file == canonical) {
            let name =
                |file: &PathBuf| words::quoted(&file.file_name().unwrap_or_default().to_string_lossy());
            let circle: Vec<String> = self.files[first..].iter().chain([&canonical]).map(name).collect();
            return Some(format!("files include each other in a circle: {}", circle.join(" -> ")));
        }
        if self.files.len() > DEEPEST {
            return Some(format!("more than {DEEPEST} files include each other in a row"));
        }
        self.n_read.set(self.n_read.get() + 1);
        (self.n_read.get() > MOST_FILES).then(|| format!("the scene includes more than {MOST_FILES} files"))
    }
}

/// Entries of lists that come from included files, and from which.
#[derive(Clone, Debug, Default)]
pub struct Origins(Vec<Origin>);

#[derive(Clone, Debug)]
struct Origin {
    list: &'static str,
    /// The entry in the list.
    ix: usize,
    name: String,
    /// Number of the `[[include]]`.
    include: usize,
}

impl Origins {
    /// Number of the entries of a list.
    pub fn n_of(&self, list: &str) -> usize {
        self.0.iter().filter(|origin| origin.list == list).count()
    }

    /// A place that is in no text of the scene's, at the include that it comes from, with what it is called there: "body 'left.finger'".
    pub fn of(&self, path: &KeyPath) -> Option<(KeyPath, String)> {
        let [Step::Key(list), Step::Ix(ix), ..] = path.0.as_slice() else { return None };
        let origin = self.0.iter().find(|origin| origin.list == list && origin.ix == *ix)?;
        let at = KeyPath::default().key("include").ix(origin.include);
        Some((at, format!("{list} '{}'", origin.name)))
    }
}

/// A file that a scene includes, read.
pub struct Included {
    /// What it says, whatever it includes itself being part of it.
    pub spec: SceneSpec,
    /// What is doubtful about it.
    pub warnings: Vec<Fault>,
}

/// Reads a file, with these values, for those that include it.
pub type Reader<'r> = &'r dyn Fn(&Path, &str, &[Override], &Includers) -> Result<Included, SceneError>;

/// Takes the bodies of all included files into a scene, whose file is `path`; what was doubtful about them, and what came from where.
///
/// # Errors
/// The first file that cannot be read or is no scene, or what is wrong with an include, to be told at its place.
pub fn take_in(
    spec: &mut SceneSpec,
    path: &Path,
    includers: &Includers,
    read: Reader<'_>,
) -> Result<(Vec<Fault>, Origins), IncludeError> {
    let includers = includers.and(path);
    let (mut warnings, mut origins) = (Vec::new(), Origins::default());
    let mut includes = std::mem::take(&mut spec.includes);
    for (number, include) in includes.iter_mut().enumerate() {
        let at = KeyPath::default().key("include").ix(number);
        let file = super::beside(path, &include.file);
        let refused = |key: &str, message: String, help: Option<String>| {
            let mut faults = Gathered::default();
            let fault = Fault::error(format!("include '{}': {message}", include.name), "this include");
            let fault = help.map_or(fault.clone(), |help| fault.with_help(help));
            faults.error(|| Place::Key(at.key(key)), || fault);
            IncludeError::Here(faults)
        };
        if let Some(why) = includers.refusal(&file) {
            return Err(refused("file", why, None));
        }
        let text = read::text_of(&file).map_err(|error| match error {
            error @ SceneError::Read { .. } => {
                let help = "paths start from the folder of the file that includes".to_owned();
                refused("file", error.to_string(), Some(help))
            }
            error => IncludeError::There(error),
        })?;
        let known = parameters_of(&text);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        if let Some(unknown) = include.parameters.keys().find(|name| !known.contains(&name.as_str())) {
            let message = format!("the file has no parameter '{}'", words::quoted(unknown));
            return Err(refused("parameters", message, Some(advice(unknown, &known))));
        }
        let numbers = include.parameters.iter();
        let numbers = numbers.map(|(name, value)| (format!("parameters.{name}"), format!("{value:?}")));
        let others = include.set.iter().map(|(path, value)| (path.clone(), value.to_string()));
        let values = numbers.chain(others).map(|(path, value)| Override::new(&path, value));
        let there = |error| IncludeError::There(seen_from_outside(&include.name, error));
        let values = values.collect::<Result<Vec<_>, _>>().map_err(there)?;
        let Included { spec: inner, warnings: of_file } =
            read(&file, &text, &values, &includers).map_err(there)?;
        warnings.extend(of_file.into_iter().map(|fault| named(&include.name, fault)));
        let merge = Merge {
            name: &include.name,
            w_from_file: include.frame(),
            folder: Path::new(&include.file).parent(),
        };
        include.files = std::iter::once(include.file.clone())
            .chain(inner.includes.iter().flat_map(|inner| &inner.files).map(|file| merge.path(file)))
            .collect();
        merge.take(spec, inner, |list, ix, name| {
            origins.0.push(Origin { list, ix, name: name.to_owned(), include: number });
        });
    }
    spec.includes = includes;
    Ok((warnings, origins))
}

/// Why a scene cannot include a file.
pub enum IncludeError {
    /// What is wrong stands in the including text.
    Here(Gathered),
    /// What is wrong stands in the included file.
    There(SceneError),
}

/// What is wrong in an included file, with the name of the include.
fn named(include: &str, fault: Fault) -> Fault {
    fault.reworded(|message| format!("include '{include}': {message}"))
}

/// What is wrong in an included file, with the name of the include; of values that are set there, with their paths as the including one has
/// them.
fn seen_from_outside(include: &str, error: SceneError) -> SceneError {
    let outer = |path: String| path_through(include, &path);
    match error {
        SceneError::Path { path, why, help } => SceneError::Path { path: outer(path), why, help },
        SceneError::Overrides { paths, faults } => {
            SceneError::Overrides { paths: paths.into_iter().map(outer).collect(), faults }
        }
        SceneError::Faults(faults) => {
            SceneError::Faults(faults.into_iter().map(|fault| named(include, fault)).collect())
        }
        error @ SceneError::Read { .. } => error,
    }
}

/// What is wrong with a value that a text sets in a file that it includes, at its place in that text; other errors as they are.
pub fn set_at_its_place(error: SceneError, file: &str, text: &str) -> SceneError {
    let SceneError::Path { path, why, help } = &error else { return error };
    let Ok(document) = Document::parse(file, text) else { return error };
    let includes = document.root().get("include").and_then(|list| list.get_ref().as_array());
    for include in includes.into_iter().flatten().filter_map(|entry| entry.get_ref().as_table()) {
        let name = include.get("name").and_then(|name| name.get_ref().as_str()).unwrap_or_default();
        let set = include.get("set").and_then(|set| set.get_ref().as_table());
        let is_meant = |key: &str| path_through(name, key) == *path;
        if let Some((key, _)) = set.into_iter().flatten().find(|(key, _)| is_meant(key.get_ref())) {
            let inner = words::quoted(key.get_ref());
            let message = format!("include '{}': cannot set '{inner}': {why}", words::quoted(name));
            let fault = Fault::error(message, "leads nowhere in the file").with_help(help.as_str());
            return SceneError::Faults(vec![fault.at(file, text, Some(key.span()))]);
        }
    }
    error
}

/// The names of the parameters of a text; none of one that is no TOML, of which more is said when it is read.
fn parameters_of(text: &str) -> Vec<String> {
    let Ok(document) = Document::parse("", text) else { return Vec::new() };
    let table =
        document.root().get(super::parameters::PARAMETERS).and_then(|table| table.get_ref().as_table());
    table.into_iter().flatten().map(|(key, _)| key.get_ref().to_string()).collect()
}

/// The files that a scene file includes and those that these include, as far as their texts tell: also of one that is no scene, as
/// the fault may be in any of them. Missing ones are among them.
pub fn included_files(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(file) = open.pop() {
        let Ok(text) = read::text_of(&file) else { continue };
        let Ok(document) = Document::parse("", &text) else { continue };
        let includes = document.root().get("include").and_then(|list| list.get_ref().as_array());
        let names = includes.into_iter().flatten();
        let names = names.filter_map(|entry| entry.get_ref().as_table()?.get("file")?.get_ref().as_str());
        for inner in names.map(|name| super::beside(&file, name)) {
            if found.len() < MOST_FILES && !found.contains(&inner) {
                found.push(inner.clone());
                open.push(inner);
            }
        }
    }
    found
}

/// How what a file says becomes part of a scene.
struct Merge<'i> {
    name: &'i str,
    w_from_file: Pose,
    /// Folder of the file, from that of the scene.
    folder: Option<&'i Path>,
}

impl Merge<'_> {
    /// Puts all that is taken of a file behind what the scene has; `tell` hears of each entry of a list.
    fn take(&self, into: &mut SceneSpec, from: SceneSpec, mut tell: impl FnMut(&'static str, usize, &str)) {
        for mut material in from.materials {
            self.rename(&mut material.name);
            tell("material", into.materials.len(), &material.name);
            into.materials.push(material);
        }
        for mut pair in from.pairs {
            for names in [&mut pair.materials, &mut pair.bodies].into_iter().flatten() {
                names.iter_mut().for_each(|name| self.rename(name));
            }
            let names = pair.materials.as_ref().or(pair.bodies.as_ref());
            tell("pair", into.pairs.len(), &names.map_or_else(String::new, |names| names.join(", ")));
            into.pairs.push(pair);
        }
        for body in from.bodies {
            let body = self.body(body);
            tell("body", into.bodies.len(), &body.name);
            into.bodies.push(body);
        }
        for joint in from.joints {
            let joint = self.joint(joint);
            tell("joint", into.joints.len(), &joint.name);
            into.joints.push(joint);
        }
        for force in from.forces {
            let force = self.force(force);
            tell("force", into.forces.len(), &force.body);
            into.forces.push(force);
        }
        for mut sensor in from.sensors {
            self.rename(&mut sensor.name);
            match &mut sensor.measures {
                MeasuredSpec::Energy => {}
                MeasuredSpec::Pose(name) | MeasuredSpec::Velocity(name) | MeasuredSpec::Joint(name) => {
                    self.rename(name);
                }
                MeasuredSpec::Contact(names) => names.iter_mut().for_each(|name| self.rename(name)),
            }
            tell("sensor", into.sensors.len(), &sensor.name);
            into.sensors.push(sensor);
        }
    }

    fn rename(&self, name: &mut String) {
        *name = format!("{}.{name}", self.name);
    }

    /// A path from the folder of the scene.
    fn path(&self, file: &str) -> String {
        self.folder.map_or_else(|| file.to_owned(), |folder| folder.join(file).to_string_lossy().into_owned())
    }

    fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        self.w_from_file.vector(DVec3::from_array(v)).to_array()
    }

    fn body(&self, mut body: BodySpec) -> BodySpec {
        // A block of copies is laid out along the axes of its own world.
        if body.copies.is_some() {
            let rows = placements(&body).into_iter().enumerate();
            let placed: Arc<[PlacedSpec]> =
                rows.map(|(ix, pose)| PlacedSpec { name: ix.to_string(), pose }).collect();
            (body.copies, body.placed) = (None, Some(placed));
            (body.position, body.orientation) = ([0.0; 3], OrientationSpec::Identity);
        }
        self.rename(&mut body.name);
        for name in body.material.iter_mut().chain(&mut body.groups).chain(body.touches.iter_mut().flatten())
        {
            self.rename(name);
        }
        let file_from_shape =
            Pose { rotation: body.orientation.rotation(), translation: DVec3::from_array(body.position) };
        let w_from_shape = self.w_from_file.then(&file_from_shape);
        body.position = w_from_shape.translation.to_array();
        body.orientation = OrientationSpec::Quaternion(w_from_shape.rotation.to_array());
        body.linear_velocity = self.vector(body.linear_velocity);
        body.angular_velocity = self.vector(body.angular_velocity);
        if let Some(motion) = &mut body.motion {
            motion.frame = self.w_from_file.rotation * motion.frame;
            motion.file = motion.file.as_ref().map(|file| self.path(file));
        }
        body.poses = body.poses.as_ref().map(|file| self.path(file));
        if let ShapeSpec::Mesh(mesh) = &mut body.shape {
            mesh.file = self.path(&mesh.file);
        }
        body
    }

    fn joint(&self, mut joint: JointSpec) -> JointSpec {
        self.rename(&mut joint.name);
        joint.bodies.iter_mut().for_each(|name| self.rename(name));
        joint.anchor = self.w_from_file.point(DVec3::from_array(joint.anchor)).to_array();
        joint.axis = self.vector(joint.axis);
        joint
    }

    fn force(&self, mut force: ForceSpec) -> ForceSpec {
        self.rename(&mut force.body);
        if force.axes == AxesSpec::World && self.w_from_file.rotation != DQuat::IDENTITY {
            for over_time in [&mut force.force, &mut force.torque] {
                match over_time {
                    VectorOverTimeSpec::Constant(vector) => *vector = self.vector(*vector),
                    VectorOverTimeSpec::Points(entries) => entries.iter_mut().for_each(|[_, x, y, z]| {
                        [*x, *y, *z] = self.vector([*x, *y, *z]);
                    }),
                }
            }
        }
        force
    }
}
