//! From a scene's paths and forces over time to those of a world.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, words};
use tactum_sim::{Between, BodyError, BodyId, Path, Push, ValueOverTime, World};
use thiserror::Error;

use crate::given_table::{GivenRow, GivenTable, GivenTableError, Known, Quantity};
use crate::hash::Fnv;
use crate::scene::schema::{
    AxesSpec, BetweenSpec, ForceSpec, MotionSpec, OrientationSpec, SceneSpec, VectorOverTimeSpec,
};
use crate::scene::{Fault, Gathered, KeyPath, NamedBodies, Names, Place, Scene};

/// Why a body cannot follow its path.
#[derive(Debug, Error)]
pub enum PathFileError {
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] GivenTableError),
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
    /// Its numbers leave the range of floating-point numbers.
    #[error("{}: its places are too large to be moved to", words::path(path))]
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
        let (mut places, mut turns) = read(&path, motion.of.as_deref())?;
        turn_by(motion.frame, &mut places, &mut turns);
        return Path::through(places, turns, between, motion.repeat).ok_or(PathFileError::Path { path });
    }
    let mut places: Vec<_> = motion.places.iter().map(|&[t, x, y, z]| (t, DVec3::new(x, y, z))).collect();
    let turn = |&[t, x, y, z]: &[f64; 4]| (t, OrientationSpec::EulerDeg([x, y, z]).rotation());
    let mut turns: Vec<_> = motion.turns_deg.iter().map(turn).collect();
    turn_by(motion.frame, &mut places, &mut turns);
    Ok(Path::through(places, turns, between, motion.repeat).expect("the scene's motions were checked"))
}

/// Places and turns along the axes of a frame, as they are along the world's.
fn turn_by(w_from_frame: DQuat, places: &mut [(f64, DVec3)], turns: &mut [(f64, DQuat)]) {
    // What is along the world's axes keeps its bits.
    if w_from_frame == DQuat::IDENTITY {
        return;
    }
    places.iter_mut().for_each(|(_, place)| *place = w_from_frame * *place);
    turns.iter_mut().for_each(|(_, turn)| *turn = w_from_frame * *turn * w_from_frame.conjugate());
}

/// Places and turns at their times.
type Points = (Vec<(f64, DVec3)>, Vec<(f64, DQuat)>);

/// The columns of a table of poses over time; those that a path takes nothing from are in the program's own tables.
const COLUMNS: [Known; 16] = [
    ("time", Quantity::Time),
    ("body", Quantity::Any),
    ("x", Quantity::Length),
    ("y", Quantity::Length),
    ("z", Quantity::Length),
    ("qx", Quantity::Plain),
    ("qy", Quantity::Plain),
    ("qz", Quantity::Plain),
    ("qw", Quantity::Plain),
    ("step", Quantity::Any),
    ("vx", Quantity::Any),
    ("vy", Quantity::Any),
    ("vz", Quantity::Any),
    ("wx", Quantity::Any),
    ("wy", Quantity::Any),
    ("wz", Quantity::Any),
];

/// Reads a path from a table.
fn read(path: &FilePath, of: Option<&str>) -> Result<Points, PathFileError> {
    let here = || path.to_owned();
    let table = GivenTable::read(path, &COLUMNS)?;
    let [time_at] = table.needed(["time"])?;
    let turns_at = table.all_or_none(["qx", "qy", "qz", "qw"])?;
    // What only turns needs no places.
    let places_at = match turns_at {
        Some(_) => table.all_or_none(["x", "y", "z"])?,
        None => Some(table.needed(["x", "y", "z"])?),
    };
    let body_at = table.column("body");
    let (mut places, mut turns, mut body) = (Vec::new(), Vec::new(), of.map(str::to_owned));
    let mut before = None;
    for row in table.rows() {
        if let Some(name) = body_at.map(|ix| row.text(ix)) {
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
        let time = time_of(row, time_at, before)?;
        before = Some(time);
        if let Some(columns) = places_at {
            places.push((time, DVec3::from_array(row.numbers(columns)?)));
        }
        if let Some(columns) = turns_at {
            let turn = DQuat::from_array(row.numbers(columns)?);
            if !turn.length_squared().is_normal() {
                return Err(row.refused("the quaternion qx, qy, qz, qw cannot be zero".to_owned()).into());
            }
            turns.push((time, turn));
        }
    }
    if before.is_none() {
        return Err(PathFileError::Empty { path: here(), body: of.map(str::to_owned) });
    }
    Ok((places, turns))
}

/// The time of a row \[s\], which comes after that of the row before.
fn time_of(row: GivenRow<'_>, column: usize, before: Option<f64>) -> Result<f64, GivenTableError> {
    let [time] = row.numbers([column])?;
    match before.filter(|before| time <= *before) {
        Some(before) => Err(row.refused(format!(
            "the time is {} s after {} s: times have to grow from row to row",
            words::number_beside(time, before),
            words::number(before)
        ))),
        None => Ok(time),
    }
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
