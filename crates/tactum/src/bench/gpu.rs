//! Overlaps of many pairs of meshes by every back end, side by side; what a submission costs, and where its time goes.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::rays::{Grid, RayBody, place};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Pose, Shape, Solid};
use tactum_gpu::{Gpu, OpenError, Options};
use tactum_shaders::layout::{PairFrame, PairMeshes};
use tactum_sim::{BodyDesc, BodyKind, MassProperties, PairJob, Settings, World};

use super::{BACKENDS, BenchError, Measurement, open, time, time_within};
use crate::backend::{Backend, DEFAULT_RAYS, Task};
use crate::random::Random;

/// Length of a critter's trunk \[m\].
const LENGTH: f64 = 0.1;

/// Triangles of each mesh of a pair.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Numbers of pairs.
const COUNTS: [usize; 4] = [1, 100, 1_000, 10_000];

/// Pairs whose time is looked at by stage, at most, and the triangles of each body of all of them together.
const STAGED_PAIRS: usize = 100;
const STAGED_TRIANGLES: usize = 1_000_000;

/// A case that would take longer is left out \[ms\].
const LONGEST: f64 = 20e3;

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let mut measured = submission()?;
    for n_triangles in SIZES {
        let critter = |seed| -> Result<_, BenchError> {
            Ok(Arc::new(Solid::new(generate::critter(LENGTH, seed, n_triangles)?)?))
        };
        let contacts = Contacts { meshes: [critter(1)?, critter(2)?], n_triangles };
        measured.extend(contacts.side_by_side()?);
        measured.extend(contacts.stages()?);
    }
    Ok(measured)
}

fn line(case: impl Into<String>, method: &'static str, (median_ms, runs): (f64, usize)) -> Measurement {
    Measurement { bench: "gpu", case: case.into(), method, median_ms, runs, ..Measurement::default() }
}

/// What a step costs that has nothing, or next to nothing, for the device.
fn submission() -> Result<Vec<Measurement>, BenchError> {
    let Some(mut detector) = open(Backend::Gpu)? else { return Ok(Vec::new()) };
    let cube = Arc::new(Solid::new(generate::cuboid(DVec3::splat(LENGTH), 12)?)?);
    let pose = Pose::new(DVec3::Z * (0.98 * LENGTH), DQuat::from_rotation_z(0.3));
    let world = world(&[Arc::clone(&cube), cube], &[pose])?;
    let job = PairJob { bodies: [0, 1], shift: DVec3::ZERO };
    let task = Task { world: &world, job: &job };
    Ok(vec![
        line("an empty step", "gpu", time(|| detector.overlaps(&[]))),
        line("1 pair of cubes", "gpu", time(|| detector.overlaps(&[task]))),
    ])
}

/// Pairs of bodies, each at the world's origin and its neighbour.
fn world(meshes: &[Arc<Solid>; 2], poses: &[Pose]) -> Result<World, BenchError> {
    let mut world = World::new(Settings::default())?;
    for &pose in poses {
        for (mesh, w_from_shape) in meshes.iter().zip([Pose::IDENTITY, pose]) {
            world.add_body(BodyDesc {
                name: "critter".to_owned(),
                kind: BodyKind::Kinematic,
                shape: Shape::Mesh(Arc::clone(mesh)),
                w_from_shape,
                mass: MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY },
                linear_velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                friction: 0.0,
                groups: 1,
                mask: 1,
            })?;
        }
    }
    Ok(world)
}

/// Shallow contacts of two bodies.
struct Contacts {
    meshes: [Arc<Solid>; 2],
    n_triangles: usize,
}

impl Contacts {
    fn name(&self, n_pairs: usize) -> String {
        let plural = if n_pairs == 1 { "" } else { "s" };
        format!("{n_pairs} pair{plural} of {} triangles", self.n_triangles)
    }

    /// Side by side, turned any way and more or less deep in each other.
    fn poses(n: usize) -> Vec<Pose> {
        let mut random = Random::new(3);
        let mut pose = || {
            let distance = LENGTH * (0.7 + 0.1 * random.unit());
            Pose::new(DVec3::Z * distance, DQuat::from_rotation_z(std::f64::consts::TAU * random.unit()))
        };
        (0..n).map(|_| pose()).collect()
    }

    /// All back ends, for growing numbers of pairs.
    fn side_by_side(&self) -> Result<Vec<Measurement>, BenchError> {
        let mut measured = Vec::new();
        for (backend, method) in BACKENDS {
            let Some(mut detector) = open(backend)? else { continue };
            let mut per_pair = 0.0;
            for n in COUNTS {
                if per_pair * n as f64 > LONGEST {
                    let remark = format!("left out: it would take about {:.0} s", 1e-3 * per_pair * n as f64);
                    measured.push(line(self.name(n), method, (f64::NAN, 0)).remarked(remark));
                    continue;
                }
                let world = world(&self.meshes, &Self::poses(n))?;
                let jobs: Vec<PairJob> = (0..n as u32)
                    .map(|k| PairJob { bodies: [2 * k, 2 * k + 1], shift: DVec3::ZERO })
                    .collect();
                let tasks: Vec<Task<'_>> = Task::all(&world, &jobs).collect();
                let timed = time_within(|| detector.overlaps(&tasks));
                per_pair = timed.0 / n as f64;
                let remark = format!("{:.0} pairs/s", 1e3 / per_pair);
                measured.push(line(self.name(n), method, timed).remarked(remark));
            }
        }
        Ok(measured)
    }

    fn n_staged(&self) -> usize {
        (STAGED_TRIANGLES / self.n_triangles).min(STAGED_PAIRS)
    }

    /// One pass of rays on the device: bytes moved, and the time of each stage.
    fn stages(&self) -> Result<Vec<Measurement>, BenchError> {
        let mut gpu = match Gpu::open(Options::default()) {
            Err(OpenError::NoAdapter) => return Ok(Vec::new()),
            gpu => gpu?,
        };
        let (pairs, frames) = self.upload(&mut gpu)?;
        let mut blocks = Vec::new();
        let mut outcome = Ok(());
        let timed = time_within(|| outcome = gpu.measure(&pairs, &frames, DEFAULT_RAYS, &mut blocks));
        outcome?;
        let name = self.name(self.n_staged());
        let report = gpu.report();
        let remark =
            format!("{} chunks, {} B up, {} B down", report.n_chunks, report.bytes_up, report.bytes_down);
        let mut measured = vec![line(format!("{name}, one pass"), "gpu", timed).remarked(remark)];
        if gpu.time_stages(true) {
            gpu.measure(&pairs, &frames, DEFAULT_RAYS, &mut blocks)?;
            measured.extend(gpu.report().stages.iter().map(|(stage, duration)| {
                let case = format!("{name}, stage {}", stage.stage().name);
                line(case, "gpu", (1e3 * duration.as_secs_f64(), 1))
            }));
        }
        Ok(measured)
    }

    fn upload(&self, gpu: &mut Gpu) -> Result<(Vec<PairMeshes>, Vec<PairFrame>), BenchError> {
        let clusters = self.meshes.each_ref().map(|mesh| Clusters::new(mesh));
        let mut first = [0; 2];
        for (first, clusters) in first.iter_mut().zip(&clusters) {
            *first = gpu.upload(&clusters.triangles, &clusters.boxes)?.start;
        }
        let n = clusters.each_ref().map(|clusters| clusters.boxes.len() as u32);
        let [a, b] = [0, 1].map(|k| RayBody { aabb: self.meshes[k].aabb(), origin: clusters[k].origin });
        let placed = |pose: &Pose| place(&a, &b, pose, &Grid::default()).into_iter().flatten();
        let frames: Vec<PairFrame> = Self::poses(self.n_staged()).iter().flat_map(placed).collect();
        Ok((vec![PairMeshes { first, n }; frames.len()], frames))
    }
}
