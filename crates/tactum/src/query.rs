//! Overlaps of a list of posed mesh pairs: the files of `tactum query`.

mod cases;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;
use serde::Serialize;
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::json;
use tactum_geometry::mesh::check::Finding;
use tactum_geometry::overlap::{OverlapKind, exact};
use tactum_geometry::words::{self, number};
use tactum_geometry::{Overlap, Pose, Solid, TriangleMesh};
use tactum_gpu::OpenError;
use thiserror::Error;

use cases::{Case, CasePose};

use crate::backend::rays::{self, MeshPair, RayDetector};
use crate::backend::{BackendOptions, RunnerError, distrust_name};
use crate::doctor::check_movable;
use crate::files::{unfinished, write_whole};
use crate::inputs::{Inputs, ReplacesInput, Role};
use crate::mesh_file::load_mesh;
use crate::shapes::solid_of_mesh;

/// Format of the file of cases.
const FORMAT: &str = "overlap-cases/1";

/// Ratio of two meshes' sizes beyond which places on the larger one are not known to a thousandth of the smaller one.
const MAX_RATIO: f64 = 1e12;

/// Largest file of cases that is read \[bytes\]: some millions of cases.
const MAX_BYTES: u64 = 1 << 30;

/// Why a file of cases cannot be answered at all. A single case that cannot is answered with its error.
#[derive(Debug, Error)]
pub enum QueryError {
    /// The file cannot be read.
    #[error("cannot read '{}': {cause}", words::path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// The file cannot be written.
    #[error("cannot write '{}': {}", words::path(path), words::cause(cause))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file is not a list of cases.
    #[error("'{}' is not a file of cases: {}", words::path(path), json::explained(cause))]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where it goes wrong.
        cause: serde_json::Error,
    },
    /// The answers would take the place of what they are made from.
    #[error(transparent)]
    Input(#[from] ReplacesInput),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// The device failed.
    #[error(transparent)]
    Cast(#[from] RunnerError),
    /// The file asks nothing.
    #[error("'{}' has no cases", words::path(path))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Two cases have one name, which would be that of two answers.
    #[error("'{}': cases {first} and {second} are both named '{}'", words::path(path), words::quoted(id))]
    Duplicate {
        /// The file.
        path: PathBuf,
        /// Their name.
        id: String,
        /// Number of the first of them, from 0.
        first: usize,
        /// Number of the other one.
        second: usize,
    },
    /// The file is of another format.
    #[error("'{}' has format '{found}', needed '{FORMAT}'", words::path(path))]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
}

/// Answers to a file of cases, in its order.
#[derive(Debug, Serialize)]
pub struct Answers {
    /// How overlaps were measured.
    pub backend: String,
    /// One per case.
    pub cases: Vec<Answer>,
    /// Doubts about the meshes, each with its file.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Answer to one case.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Name of the case.
    pub id: String,
    /// What was measured, or why nothing could be.
    #[serde(flatten)]
    pub outcome: AnswerOutcome,
}

/// What was measured, or why nothing could be.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnswerOutcome {
    /// The overlap.
    Measured(Box<Measured>),
    /// A case that was refused.
    Refused {
        /// Why.
        error: String,
    },
}

/// An overlap in the words of the file format; world axes, lengths in the unit of the meshes.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// `exact` or `rays`; after rays that were not to be trusted the cause, and the rest is exact.
    method: &'static str,
    /// How often rays were cast.
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u32>,
    /// `empty`, `regular`, `no_normal` or `swallowed`.
    kind: &'static str,
    /// Volume.
    #[serde(rename = "V")]
    volume: f64,
    /// Centroid in the world; null for an empty overlap.
    centroid: Option<[f64; 3]>,
    /// Second moment about the centroid: xx, yy, zz, xy, yz, zx.
    second_moment: [f64; 6],
    /// Gradient of the volume under translation of A.
    #[serde(rename = "gradient_translation_A")]
    gradient_translation: [f64; 3],
    /// Gradient of the volume under rotation of A about its origin.
    #[serde(rename = "gradient_rotation_A")]
    gradient_rotation: [f64; 3],
    /// Area of A's surface inside B.
    area_a_in_b: f64,
    /// Area of B's surface inside A.
    area_b_in_a: f64,
    /// Number of separate pieces.
    components: u32,
    /// Contact normal from A to B; null where there is none.
    normal: Option<[f64; 3]>,
    /// Volume by patch area.
    mean_depth: Option<f64>,
    /// Extent along the normal.
    extent: Option<f64>,
    /// Corners of the support polygon in the world.
    polygon: Option<Vec<[f64; 3]>>,
}

impl Answers {
    /// Number of refused cases.
    pub fn n_refused(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.outcome, AnswerOutcome::Refused { .. })).count()
    }

    /// Number of cases whose interiors meet.
    pub fn n_overlapping(&self) -> usize {
        let meets = |case: &&Answer| matches!(&case.outcome, AnswerOutcome::Measured(m) if m.volume > 0.0);
        self.cases.iter().filter(meets).count()
    }

    /// Number of cases that rays answered alone; `None` where none was cast.
    pub fn n_by_rays(&self) -> Option<usize> {
        let measured = |case: &Answer| match &case.outcome {
            AnswerOutcome::Measured(measured) => Some((measured.passes?, measured.method == "rays")),
            AnswerOutcome::Refused { .. } => None,
        };
        let cast: Vec<bool> = self.cases.iter().filter_map(measured).map(|(_, by_rays)| by_rays).collect();
        (!cast.is_empty()).then(|| cast.iter().filter(|&&by_rays| by_rays).count())
    }

    /// The answers as JSON, one case per line.
    pub fn to_json(&self) -> String {
        let line = |case: &Answer| serde_json::to_string(case).expect("an answer has text keys");
        let lines: Vec<String> = self.cases.iter().map(line).collect();
        let backend = serde_json::Value::from(self.backend.as_str());
        format!("{{\"backend\": {backend}, \"cases\": [\n{}\n]}}\n", lines.join(",\n"))
    }

    /// Writes the answers in one piece, as [`Answers::to_json`] has them.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), QueryError> {
        write_whole(path, self.to_json().as_bytes())
            .map_err(|cause| QueryError::Write { path: path.to_owned(), cause })
    }
}

/// Answers a file of cases, in parallel. Mesh files are looked up beside it, in `../meshes` from there, and in `dirs`. Where
/// the answers are to be written to a file, `out` names it.
///
/// # Errors
/// If the file cannot be read or is not a list of cases, or the answers would take its place or that of a mesh.
pub fn query(
    path: &Path,
    dirs: &[PathBuf],
    backend: &BackendOptions,
    out: Option<&Path>,
) -> Result<Answers, QueryError> {
    let text =
        file::read(path, MAX_BYTES).map_err(|cause| QueryError::Read { path: path.to_owned(), cause })?;
    let cases = read_cases(&text, path)?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut folders = vec![beside.to_owned(), beside.join("../meshes")];
    folders.extend_from_slice(dirs);
    if let Some(out) = out {
        inputs(path, &cases, &folders).spare(vec![out.to_owned(), unfinished(out)])?;
    }
    let (solids, warnings) = load_solids(&cases, &folders);
    let pairs: Vec<Result<Pair, String>> = cases.iter().map(|case| Pair::new(case, &solids)).collect();
    let (name, outcomes) = match backend.runner()? {
        None => ("exact".to_owned(), pairs.par_iter().map(answer_exactly).collect()),
        Some(runner) => {
            let name = runner.adapter().map_or("rays".to_owned(), |adapter| format!("gpu: {adapter}"));
            (name, answer_by_rays(&pairs, &mut RayDetector::new(runner, backend.rays))?)
        }
    };
    let answer = |(case, outcome): (&Case, AnswerOutcome)| Answer { id: case.id.clone(), outcome };
    Ok(Answers { backend: name, cases: cases.iter().zip(outcomes).map(answer).collect(), warnings })
}

/// The files that the answers are made from.
fn inputs(path: &Path, cases: &[Case], folders: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs::default();
    inputs.add(Role::Cases, path.to_owned());
    let meshes: BTreeSet<&String> = cases.iter().flat_map(|case| [&case.mesh_a, &case.mesh_b]).collect();
    meshes
        .into_iter()
        .filter_map(|file| find(file, folders).ok())
        .for_each(|file| inputs.add(Role::Mesh, file));
    inputs
}

/// The cases of a file, each with a name of its own.
fn read_cases(text: &[u8], path: &Path) -> Result<Vec<Case>, QueryError> {
    let file = cases::read(text).map_err(|cause| QueryError::Parse { path: path.to_owned(), cause })?;
    if file.format != FORMAT {
        return Err(QueryError::Format { path: path.to_owned(), found: words::quoted(&file.format) });
    }
    if file.cases.is_empty() {
        return Err(QueryError::Empty { path: path.to_owned() });
    }
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (second, case) in file.cases.iter().enumerate() {
        if let Some(first) = known.insert(&case.id, second) {
            return Err(QueryError::Duplicate { path: path.to_owned(), id: case.id.clone(), first, second });
        }
    }
    Ok(file.cases)
}

fn answer_exactly(pair: &Result<Pair, String>) -> AnswerOutcome {
    match pair {
        Ok(pair) => pair.answer(&pair.exact(), "exact", None),
        Err(error) => AnswerOutcome::Refused { error: error.clone() },
    }
}

/// Answers by rays, and exactly where the rays are not to be trusted.
fn answer_by_rays(
    pairs: &[Result<Pair, String>],
    detector: &mut RayDetector,
) -> Result<Vec<AnswerOutcome>, QueryError> {
    let good: Vec<&Pair> = pairs.iter().flatten().collect();
    let meshes: Vec<MeshPair<'_>> =
        good.iter().map(|p| MeshPair { a: &p.a, b: &p.b, a_from_b: p.a_from_b() }).collect();
    let measured = detector.overlaps(&meshes)?;
    let answer = |(pair, measured): (&&Pair, rays::Measured)| match measured.overlap {
        Ok(overlap) => pair.answer(&overlap, "rays", Some(measured.passes)),
        Err(distrust) => pair.answer(&pair.exact(), distrust_name(distrust), Some(measured.passes)),
    };
    let mut answers = good.par_iter().zip(measured).map(answer).collect::<Vec<_>>().into_iter();
    let outcome = |pair: &Result<Pair, String>| match pair {
        Ok(_) => answers.next().expect("every pair that is good was measured"),
        Err(error) => AnswerOutcome::Refused { error: error.clone() },
    };
    Ok(pairs.iter().map(outcome).collect())
}

/// A case's posed meshes.
struct Pair {
    a: Arc<Solid>,
    b: Arc<Solid>,
    w_from_a: Pose,
    w_from_b: Pose,
}

impl Pair {
    fn new(case: &Case, solids: &Solids) -> Result<Self, String> {
        for (name, scale) in [("scale_a", case.scale_a), ("scale_b", case.scale_b)] {
            if !(scale.is_finite() && scale > 0.0) {
                return Err(format!("{name} is {}, but has to be positive and finite", number(scale)));
            }
        }
        let solid = |file: &str, scale: f64| {
            solids
                .get(&(file.to_owned(), scale.to_bits()))
                .expect("every mesh of the cases was looked up")
                .clone()
        };
        let (a, b) = (solid(&case.mesh_a, case.scale_a)?, solid(&case.mesh_b, case.scale_b)?);
        let sizes = [&a, &b].map(|solid| solid.mesh().aabb().diagonal());
        let ratio = sizes[0].max(sizes[1]) / sizes[0].min(sizes[1]);
        if ratio > MAX_RATIO {
            let [a, b] = sizes.map(number);
            return Err(format!(
                "the meshes have sizes {a} and {b}: one is more than {} times the other, which 64 bits do not resolve",
                number(MAX_RATIO)
            ));
        }
        Ok(Self { a, b, w_from_a: pose("pose_a", &case.pose_a)?, w_from_b: pose("pose_b", &case.pose_b)? })
    }

    fn a_from_b(&self) -> Pose {
        self.w_from_a.relative(&self.w_from_b)
    }

    fn exact(&self) -> Overlap {
        exact::overlap(&self.a, &self.b, &self.a_from_b())
    }

    /// An overlap in A's axes as an answer.
    fn answer(&self, overlap: &Overlap, method: &'static str, passes: Option<u32>) -> AnswerOutcome {
        if let Err(error) = check_numbers(overlap) {
            return AnswerOutcome::Refused { error };
        }
        let in_world = overlap.clone().rotated(self.w_from_a.rotation);
        AnswerOutcome::Measured(Box::new(Measured {
            method,
            passes,
            ..Measured::new(&in_world, &self.w_from_a)
        }))
    }
}

/// Refuses an overlap whose moments, products of up to five lengths, are beyond or below the numbers of 64 bits.
fn check_numbers(overlap: &Overlap) -> Result<(), String> {
    if overlap.kind == OverlapKind::Empty {
        return Ok(());
    }
    let [x, y, z] = [0, 1, 2].map(|axis| overlap.second_moment.col(axis)[axis]);
    let moment = x + y + z;
    if [overlap.volume, moment].iter().all(|x| x.is_normal()) && overlap.centroid.is_finite() {
        return Ok(());
    }
    let [volume, moment] = [overlap.volume, moment].map(number);
    Err(format!(
        "the overlap has volume {volume} and second moment {moment}, beyond or below what numbers of 64 bits hold; scale the \
         meshes"
    ))
}

/// A mesh at a scale; the bits of the scale make it a key.
type SolidKey = (String, u64);
type Solids = BTreeMap<SolidKey, Result<Arc<Solid>, String>>;

/// Every mesh of the cases once per scale, and the doubts about them; its file is read and examined only once.
fn load_solids(cases: &[Case], folders: &[PathBuf]) -> (Solids, Vec<String>) {
    let keys = cases.iter().flat_map(|case| [(&case.mesh_a, case.scale_a), (&case.mesh_b, case.scale_b)]);
    let mut keys: Vec<SolidKey> = keys.map(|(file, scale)| (file.clone(), scale.to_bits())).collect();
    keys.sort();
    keys.dedup();
    let load = |file: &[SolidKey]| {
        let found = find(&file[0].0, folders).and_then(|path| {
            let mesh = load_mesh(&path).map_err(|error| error.to_string())?;
            let doubts = mesh.1.iter().map(|doubt| format!("{}: {doubt}", words::path(&path))).collect();
            Ok((mesh, doubts))
        });
        let (mesh, doubts): (_, Vec<String>) = match found {
            Ok((mesh, doubts)) => (Ok(mesh), doubts),
            Err(error) => (Err(error), Vec::new()),
        };
        let scaled = |key: &SolidKey| {
            let solid = mesh
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|mesh| scaled_solid(mesh, Path::new(&key.0), f64::from_bits(key.1)));
            (key.clone(), solid)
        };
        (file.iter().map(scaled).collect::<Vec<_>>(), doubts)
    };
    let files: Vec<&[SolidKey]> = keys.chunk_by(|a, b| a.0 == b.0).collect();
    let (solids, doubts): (Vec<_>, Vec<_>) = files.into_par_iter().map(load).unzip();
    (solids.into_iter().flatten().collect(), doubts.concat())
}

/// A mesh and what was found in it, at a scale; refused where `tactum check` refuses a file of that mesh.
fn scaled_solid(
    (mesh, found): &(TriangleMesh, Vec<Finding>),
    file: &Path,
    scale: f64,
) -> Result<Arc<Solid>, String> {
    let refused = |error: &dyn std::error::Error| {
        let scaled = if scale == 1.0 { String::new() } else { format!(" scaled by {}", number(scale)) };
        format!("{}{scaled}: {error}", words::path(file))
    };
    // What else is wrong with a scale is said of the case.
    if !(scale.is_finite() && scale > 0.0) {
        return Err(format!("the scale is {}, but has to be positive and finite", number(scale)));
    }
    let (solid, moments) =
        solid_of_mesh(mesh.clone().scaled(scale), found).map_err(|error| refused(&error))?;
    check_movable(file, &moments).map_err(|error| refused(&error))?;
    Ok(Arc::new(solid))
}

fn find(file: &str, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let paths: Vec<PathBuf> = folders.iter().map(|folder| folder.join(file)).collect();
    // What is there but is no file is left to the reader, who says so.
    let found = paths.iter().find(|path| path.is_file()).or_else(|| paths.iter().find(|path| path.exists()));
    found.cloned().ok_or_else(|| {
        let tried: Vec<String> = paths.iter().take(MAX_TRIED).map(|path| words::path(path)).collect();
        let more = paths.len() - tried.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("the mesh '{}' was not found; tried {}{more}", words::path(Path::new(file)), tried.join(", "))
    })
}

/// How many of the places where a file was looked for are listed.
const MAX_TRIED: usize = 5;

fn pose(name: &str, pose: &CasePose) -> Result<Pose, String> {
    let translation = DVec3::from_array(pose.position);
    let rotation = DQuat::from_array(pose.quaternion);
    if !translation.is_finite() {
        return Err(format!("{name}: the position {} is not finite", words::vector(translation)));
    }
    if !(rotation.length().is_finite() && rotation.length() > 0.0) {
        let [x, y, z, w] = rotation.to_array().map(number);
        return Err(format!("{name}: the quaternion [{x}, {y}, {z}, {w}] has no direction"));
    }
    Ok(Pose::new(translation, rotation))
}

impl Measured {
    fn new(overlap: &Overlap, w_from_a: &Pose) -> Self {
        let origin = w_from_a.translation;
        let patch = overlap.patch.as_ref();
        let corner = |patch: &tactum_geometry::overlap::Patch, at: &glam::DVec2| {
            (origin + overlap.centroid + patch.axes[0] * at.x + patch.axes[1] * at.y).to_array()
        };
        Self {
            method: "exact",
            passes: None,
            kind: match overlap.kind {
                OverlapKind::Empty => "empty",
                OverlapKind::Regular => "regular",
                OverlapKind::NoNormal => "no_normal",
                OverlapKind::Swallowed => "swallowed",
            },
            volume: overlap.volume,
            centroid: (overlap.kind != OverlapKind::Empty).then(|| (origin + overlap.centroid).to_array()),
            second_moment: six(&overlap.second_moment),
            gradient_translation: overlap.gradient.to_array(),
            gradient_rotation: overlap.angular_gradient.to_array(),
            area_a_in_b: overlap.areas[0],
            area_b_in_a: overlap.areas[1],
            components: overlap.n_components,
            normal: patch.map(|patch| patch.normal.to_array()),
            mean_depth: patch.map(|patch| patch.mean_depth),
            extent: patch.map(|patch| patch.extent),
            polygon: patch.map(|patch| patch.polygon.iter().map(|at| corner(patch, at)).collect()),
        }
    }
}

/// xx, yy, zz, xy, yz, zx of a symmetric matrix.
fn six(m: &DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x]
}
