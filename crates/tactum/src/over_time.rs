//! From a scene's paths and forces over time to those of a world.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::{Pose, words};
use tactum_sim::{Between, BodyError, BodyId, Path, Push, ValueOverTime, World};
use thiserror::Error;

use crate::hash::Fnv;
use crate::scene::schema::{
    AxesSpec, BetweenSpec, ForceSpec, MotionSpec, OrientationSpec, SceneSpec, VectorOverTimeSpec,
};
use crate::scene::{Fault, Gathered, KeyPath, NamedBodies, Names, Place, Scene};

/// Largest file of a path \[bytes\]: some ten million rows, more than a run makes steps.
const MAX_BYTES: u64 = 1 << 30;

/// Why a body cannot follow its path.
#[derive(Debug, Error)]
pub enum PathFileError {
    /// The file cannot be read.
    #[error("cannot read the path '{}': {cause}", words::path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// Its first line does not name a column.
    #[error("{}: there is no column '{column}'; its columns are {}", words::path(path), words::listed(found))]
    Column {
        /// The file.
        path: PathBuf,
        /// What is missing.
        column: String,
        /// What is there.
        found: Vec<String>,
    },
    /// A value is none.
    #[error(
        "{}:{line}: {column} is '{}', but has to be a finite number",
        words::path(path),
        words::quoted(found)
    )]
    Number {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// The column.
        column: String,
        /// What is there.
        found: String,
    },
    /// A line is no row.
    #[error("{}: {why}", words::path(path))]
    Row {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        why: String,
    },
    /// It has no rows of this body.
    #[error("{}: there are no rows{}", words::path(path), body.as_ref().map_or(String::new(), |name| format!(" of a body '{name}'")))]
    Empty {
        /// The file.
        path: PathBuf,
        /// The body that was asked for.
        body: Option<String>,
    },
    /// It is of several bodies.
    #[error(
        "{}: there are rows of '{first}' and of '{other}': say which with of = \"{first}\"",
        words::path(path)
    )]
    SeveralBodies {
        /// The file.
        path: PathBuf,
        /// One of them.
        first: String,
        /// Another one.
        other: String,
    },
    /// Times do not grow, or a quaternion is none.
    #[error("{}: times have to grow from row to row, and quaternions cannot be zero", words::path(path))]
    Path {
        /// The file.
        path: PathBuf,
    },
}

/// Makes bodies follow their paths, and adds what pushes them; faults tell of files that give no path.
pub fn add_over_time(scene: &Scene, world: &mut World, hash: &mut Fnv, faults: &mut Gathered) {
    let spec = scene.spec();
    let mut first = 0;
    for (ix, body) in spec.bodies.iter().enumerate() {
        let n = body.expanded_names().len() as u32;
        if let Some(motion) = &body.motion
            && let Err(error) = follow(scene, world, hash, first..first + n, motion)
        {
            let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("motion"));
            faults.error(at, || Fault::error(format!("body '{}': {error}", body.name), "this motion"));
        }
        first += n;
    }
    let names = Names::new(spec.expanded_names());
    let named = NamedBodies::new(&spec.bodies, &names);
    for (ix, force) in spec.forces.iter().enumerate() {
        hash.text(&format!("{force:?}"));
        for body in named.meant_by(&force.body) {
            if let Err(error) = world.push(push(force, BodyId(body))) {
                let at = || Place::Key(KeyPath::default().key("force").ix(ix));
                faults.error(at, || Fault::error(error.to_string(), "this force"));
            }
        }
    }
}

/// Why a body does not follow.
#[derive(Debug, Error)]
enum FollowError {
    #[error(transparent)]
    File(#[from] PathFileError),
    #[error(transparent)]
    Body(#[from] BodyError),
}

fn follow(
    scene: &Scene,
    world: &mut World,
    hash: &mut Fnv,
    bodies: std::ops::Range<u32>,
    motion: &MotionSpec,
) -> Result<(), FollowError> {
    let path = Arc::new(path_of(motion, |file| scene.resolve(file))?);
    hash.text(&format!("{path:?}"));
    for ix in bodies {
        let base: Pose = world.body(BodyId(ix)).w_from_shape();
        world.follow(BodyId(ix), &base, path.clone())?;
    }
    Ok(())
}

/// The path of a motion whose lists were checked.
fn path_of(motion: &MotionSpec, resolve: impl Fn(&str) -> PathBuf) -> Result<Path, PathFileError> {
    let between = match motion.between {
        BetweenSpec::Smooth => Between::Smooth,
        BetweenSpec::Straight => Between::Straight,
    };
    if let Some(file) = &motion.file {
        let path = resolve(file);
        let (places, turns) = read(&path, motion.of.as_deref())?;
        return Path::through(places, turns, between, motion.repeat).ok_or(PathFileError::Path { path });
    }
    let places = motion.places.iter().map(|&[t, x, y, z]| (t, DVec3::new(x, y, z))).collect();
    let turn = |&[t, x, y, z]: &[f64; 4]| (t, OrientationSpec::EulerDeg([x, y, z]).rotation());
    let turns = motion.turns_deg.iter().map(turn).collect();
    Ok(Path::through(places, turns, between, motion.repeat).expect("the scene's motions were checked"))
}

/// Places and turns at their times.
type Points = (Vec<(f64, DVec3)>, Vec<(f64, DQuat)>);

/// Reads a path from a table.
fn read(path: &FilePath, of: Option<&str>) -> Result<Points, PathFileError> {
    let here = || path.to_owned();
    let bytes = file::read(path, MAX_BYTES).map_err(|cause| PathFileError::Read { path: here(), cause })?;
    let row = |error: csv::Error| PathFileError::Row { path: here(), why: error.to_string() };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
    let names: Vec<String> = reader.headers().map_err(row)?.iter().map(without_unit).collect();
    let place = |column: &str| names.iter().position(|name| name == column);
    let needed = |column: &str| {
        place(column).ok_or_else(|| PathFileError::Column {
            path: here(),
            column: column.to_owned(),
            found: names.clone(),
        })
    };
    let [time, x, y, z] = [needed("time")?, needed("x")?, needed("y")?, needed("z")?];
    let turns_at = match place("qx") {
        Some(qx) => Some([qx, needed("qy")?, needed("qz")?, needed("qw")?]),
        None => None,
    };
    let body_at = place("body");
    let (mut places, mut turns, mut body) = (Vec::new(), Vec::new(), of.map(str::to_owned));
    for record in reader.records() {
        let record = record.map_err(row)?;
        if let Some(name) = body_at.and_then(|ix| record.get(ix)) {
            match &body {
                Some(body) if body == name => {}
                Some(_) if of.is_some() => continue,
                Some(first) => {
                    let (first, other) = (first.clone(), name.to_owned());
                    return Err(PathFileError::SeveralBodies { path: here(), first, other });
                }
                None => body = Some(name.to_owned()),
            }
        }
        let number = |ix: usize| {
            let text = record.get(ix).unwrap_or_default();
            text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| PathFileError::Number {
                path: here(),
                line: record.position().map_or(0, csv::Position::line),
                column: names[ix].clone(),
                found: text.to_owned(),
            })
        };
        let t = number(time)?;
        places.push((t, DVec3::new(number(x)?, number(y)?, number(z)?)));
        if let Some([qx, qy, qz, qw]) = turns_at {
            turns.push((t, DQuat::from_xyzw(number(qx)?, number(qy)?, number(qz)?, number(qw)?)));
        }
    }
    if places.is_empty() {
        return Err(PathFileError::Empty { path: here(), body: of.map(str::to_owned) });
    }
    Ok((places, turns))
}

/// The name of a column without the unit in brackets behind it.
fn without_unit(header: &str) -> String {
    header.split('[').next().unwrap_or_default().trim().to_owned()
}

fn push(force: &ForceSpec, body: BodyId) -> Push {
    Push {
        body,
        force: over_time(&force.force),
        torque: over_time(&force.torque),
        at: force.at.map(DVec3::from_array),
        turns_along: force.axes == AxesSpec::Body,
    }
}

fn over_time(vector: &VectorOverTimeSpec) -> [ValueOverTime; 3] {
    std::array::from_fn(|axis| match vector {
        VectorOverTimeSpec::Constant(vector) => ValueOverTime::constant(vector[axis]),
        VectorOverTimeSpec::Points(entries) => {
            let points = entries.iter().map(|entry| [entry[0], entry[1 + axis]]).collect();
            ValueOverTime::through(points).expect("the scene's forces were checked")
        }
    })
}

/// The files of the paths of a scene.
pub fn path_files(spec: &SceneSpec) -> impl Iterator<Item = &str> {
    spec.bodies.iter().filter_map(|body| body.motion.as_ref()?.file.as_deref())
}
