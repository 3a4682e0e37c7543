//! A run as series of VTK files for ParaView: the surfaces of its bodies with their velocities, and its contacts with their forces.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use glam::DVec3;
use tactum_geometry::{Pose, TriangleMesh, words};
use tactum_sim::{Body, World};

use super::sheet::Sheet;
use super::tracks::{Room, moving, standing};
use super::vtp::PolyData;
use super::{Claim, ExportError, MERIDIANS, Sampling};
use crate::files::write_whole;
use crate::recorded::{Frame, Motion, Recorded, RecordedError, Touch};
use crate::tables::CONTACTS;

/// What a name of a file of a series begins with.
const SERIES: [&str; 3] = ["bodies", "contacts", "static"];

/// What has been written.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Number of times.
    pub n_frames: u64,
    /// What is not there, in words.
    pub missing: Vec<String>,
}

/// Writes a run into a folder: `bodies.pvd` and `contacts.pvd` name the files of each time, `static.vtp` holds what stands.
///
/// # Errors
/// If the run cannot be read, or a file not written.
pub fn write_vtk(run: &Recorded, sampling: Sampling, claim: &Claim<'_>) -> Result<Series, ExportError> {
    let (folder, world) = (claim.path, run.world());
    let mut frames = run.frames(sampling.every(world.settings().dt))?;
    claim.folder(run, is_ours)?;
    let mut series = Series::default();
    let mut contacts = match run.contacts() {
        Ok(contacts) => Some(contacts),
        Err(RecordedError::Table { .. }) => {
            series.missing.push(format!("no contacts: the run wrote no {CONTACTS}"));
            None
        }
        Err(error) => return Err(error.into()),
    };
    let place_of: HashMap<&str, u32> =
        world.bodies().iter().map(|body| body.name.as_str()).zip(0..).collect();
    let mut room = Room::new(world);
    let meshes: Vec<Option<TriangleMesh>> =
        moving(world).map(|(_, body)| body.shape.surface(MERIDIANS).into_mesh()).collect();
    let mut times = Vec::new();
    while let Some(frame) = frames.next_frame()? {
        room.add(&frame);
        let name = |of: &str| format!("{of}_{:08}.vtp", frame.step);
        save(folder, &name("bodies"), &bodies(world, &meshes, &frame))?;
        if let Some(contacts) = &mut contacts {
            save(folder, &name("contacts"), &forces(world, &place_of, &contacts.of_step(frame.step)?))?;
        }
        times.push((frame.time, frame.step));
    }
    save(folder, "static.vtp", &fixed(world, &room))?;
    save_series(folder, "bodies", &times)?;
    if contacts.is_some() {
        save_series(folder, "contacts", &times)?;
    }
    series.n_frames = times.len() as u64;
    Ok(series)
}

/// Whether a file of this name is one of a series.
fn is_ours(name: &str) -> bool {
    let is_series = |stem: &str| {
        SERIES.iter().any(|of| {
            let number = stem.strip_prefix(of).and_then(|rest| rest.strip_prefix('_'));
            stem == *of
                || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    name.rsplit_once('.').is_some_and(|(stem, ending)| ["vtp", "pvd"].contains(&ending) && is_series(stem))
}

fn save(folder: &Path, name: &str, data: &PolyData) -> Result<(), ExportError> {
    let path = folder.join(name);
    fs::write(&path, data.to_bytes()).map_err(ExportError::write(&path))
}

/// Writes the list of the files of a series with their times; last, so that it names what is there.
fn save_series(folder: &Path, of: &str, times: &[(f64, u64)]) -> Result<(), ExportError> {
    let mut text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n".to_owned();
    for (time, step) in times {
        text += &format!("<DataSet timestep=\"{time}\" file=\"{of}_{step:08}.vtp\"/>\n");
    }
    text += "</Collection>\n</VTKFile>\n";
    let path = folder.join(format!("{of}.pvd"));
    write_whole(&path, text.as_bytes()).map_err(ExportError::write(&path))
}

fn names(world: &World) -> Vec<String> {
    world.bodies().iter().map(|body| words::printable(&body.name)).collect()
}

/// The surfaces of the moving bodies that have an end, with the velocities of their points.
fn bodies(world: &World, meshes: &[Option<TriangleMesh>], frame: &Frame) -> PolyData {
    let mut data = PolyData { names: names(world), ..PolyData::default() };
    let (mut velocities, mut cells) = (Vec::new(), Vec::new());
    for (((ix, body), mesh), motion) in moving(world).zip(meshes).zip(&frame.motions) {
        let Some(mesh) = mesh else { continue };
        let first = data.points.len();
        add_mesh(&mut data, mesh, &motion.w_from_shape);
        velocities.extend(data.points[first..].iter().map(|point| velocity(body, motion, *point)));
        cells.resize(data.triangles.len(), ix as u32);
    }
    data.point_vectors.push(("velocity", velocities));
    data.bodies.push(("body", cells));
    data
}

/// Velocity of a point of a body \[m/s\].
fn velocity(body: &Body, motion: &Motion, point: DVec3) -> DVec3 {
    let center = motion.w_from_shape.point(body.mass.center);
    motion.linear_velocity + motion.angular_velocity.cross(point - center)
}

/// The surfaces of what stands; of a plane the part under all that there is.
fn fixed(world: &World, room: &Room) -> PolyData {
    let mut data = PolyData { names: names(world), ..PolyData::default() };
    let mut cells = Vec::new();
    let endless = moving(world).filter(|(_, body)| !body.shape.is_bounded());
    for (ix, body) in standing(world).chain(endless) {
        let w_from_shape = body.w_from_shape();
        let mesh = body.shape.surface(MERIDIANS).into_mesh().unwrap_or_else(|| {
            let vertices = Sheet::under(room.box_w(), &w_from_shape).corners().to_vec();
            TriangleMesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
        });
        add_mesh(&mut data, &mesh, &w_from_shape);
        cells.resize(data.triangles.len(), ix as u32);
    }
    data.bodies.push(("body", cells));
    data
}

fn add_mesh(data: &mut PolyData, mesh: &TriangleMesh, w_from_shape: &Pose) {
    let first = data.points.len() as u32;
    data.points.extend(mesh.vertices.iter().map(|vertex| w_from_shape.point(*vertex)));
    data.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|v| first + v)));
}

/// The contacts of the step that led to a frame, with mean forces over it \[N\].
fn forces(world: &World, place_of: &HashMap<&str, u32>, touches: &[Touch]) -> PolyData {
    let vectors = |of: &dyn Fn(&Touch) -> DVec3| touches.iter().map(of).collect::<Vec<_>>();
    let numbers = |of: &dyn Fn(&Touch) -> f64| touches.iter().map(of).collect::<Vec<_>>();
    // A table of this run names none but its bodies.
    let side = |side: usize| {
        touches.iter().filter_map(|touch| place_of.get(touch.bodies[side].as_str()).copied()).collect()
    };
    PolyData {
        points: vectors(&|touch| touch.point),
        triangles: Vec::new(),
        point_vectors: vec![
            ("force", vectors(&|touch| touch.force)),
            ("torque", vectors(&|touch| touch.torque)),
            ("normal", vectors(&|touch| touch.normal)),
        ],
        point_numbers: vec![
            ("normal_force", numbers(&|touch| touch.force.dot(touch.normal))),
            ("depth", numbers(&|touch| touch.depth)),
            ("area", numbers(&|touch| touch.area)),
        ],
        bodies: vec![("a", side(0)), ("b", side(1))],
        names: names(world),
    }
}
