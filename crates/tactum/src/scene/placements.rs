//! Where the bodies stand that a `[[body]]` stands for: one, a block of copies, or those of a table of poses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, words};

use super::fault::Fault;
use super::gathered::{Gathered, Place};
use super::key_path::KeyPath;
use super::schema::{BodySpec, MAX_NAME, PlacedSpec, SceneSpec};
use crate::given_table::{GivenTable, GivenTableError, Known, Quantity};
use crate::random::Random;

/// Poses of a body, of its copies, or of those of its table, `w_from_shape`.
pub fn placements(body: &BodySpec) -> Vec<Pose> {
    let rotation = body.orientation.rotation();
    let position = DVec3::from_array(body.position);
    let w_from_body = Pose::new(position, rotation);
    if let Some(placed) = &body.placed {
        return placed.iter().map(|row| w_from_body.then(&row.pose)).collect();
    }
    let Some(copies) = &body.copies else { return vec![w_from_body] };
    let mut random = Random::new(copies.seed);
    let [nx, ny, nz] = copies.grid;
    let spacing = DVec3::from_array(copies.spacing);
    let middle = DVec3::new(0.5 * f64::from(nx - 1), 0.5 * f64::from(ny - 1), 0.0);
    let mut placed = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                let cell = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) - middle;
                let turn = if copies.random_orientation { random.rotation() } else { DQuat::IDENTITY };
                let offset = cell * spacing + copies.jitter * random.cube();
                placed.push(Pose::new(position + offset, turn * rotation));
            }
        }
    }
    placed
}

/// Reads the tables of poses of a scene: names of bodies hang on them, so it has to be done before the scene is checked.
pub fn read_tables(spec: &mut SceneSpec, resolve: impl Fn(&str) -> PathBuf) -> Gathered {
    let mut faults = Gathered::default();
    for (ix, body) in spec.bodies.iter_mut().enumerate() {
        let Some(file) = &body.poses else { continue };
        let at = || Place::Key(KeyPath::default().key("body").ix(ix).key("poses"));
        if body.copies.is_some() {
            let message = format!("the body '{}' has both copies and a table of poses", body.name);
            faults.error(at, || Fault::error(message, "one of the two"));
            continue;
        }
        match read(&resolve(file)) {
            Ok(placed) => body.placed = Some(placed),
            Err(error) => {
                faults.error(at, || Fault::error(format!("body '{}': {error}", body.name), "this table"));
            }
        }
    }
    faults
}

/// The columns of a table of poses.
const COLUMNS: [Known; 8] = [
    ("name", Quantity::Any),
    ("x", Quantity::Length),
    ("y", Quantity::Length),
    ("z", Quantity::Length),
    ("qx", Quantity::Plain),
    ("qy", Quantity::Plain),
    ("qz", Quantity::Plain),
    ("qw", Quantity::Plain),
];

/// The rows of a table of poses.
fn read(path: &Path) -> Result<Arc<[PlacedSpec]>, GivenTableError> {
    let table = GivenTable::read(path, &COLUMNS)?;
    let places = table.needed(["x", "y", "z"])?;
    let turns = table.all_or_none(["qx", "qy", "qz", "qw"])?;
    let names = table.column("name");
    let mut placed = Vec::new();
    for (ix, row) in table.rows().enumerate() {
        let translation = DVec3::from_array(row.numbers(places)?);
        let rotation = match turns {
            Some(columns) => DQuat::from_array(row.numbers(columns)?),
            None => DQuat::IDENTITY,
        };
        if !rotation.length_squared().is_normal() {
            return Err(row.refused("the quaternion qx, qy, qz, qw cannot be zero".to_owned()));
        }
        let name = names.map_or_else(|| ix.to_string(), |column| row.text(column).to_owned());
        let n = name.chars().count();
        if n == 0 || n > MAX_NAME || name.contains(words::is_unprintable) {
            let why = format!(
                "'{}' is no name: needed are 1 to {MAX_NAME} characters that can be printed",
                words::quoted(&name)
            );
            return Err(row.refused(why));
        }
        placed.push(PlacedSpec { name, pose: Pose::new(translation, rotation) });
    }
    match placed.is_empty() {
        true => {
            Err(GivenTableError::Whole { path: path.to_owned(), why: "the table has no rows".to_owned() })
        }
        false => Ok(placed.into()),
    }
}
