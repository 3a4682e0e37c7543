//! Overlaps of many pairs of meshes by every back end, side by side; what a submission costs, and where its time goes.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::rays::{Grid, RayBody, place};
use tactum_geometry::solid::Clusters;
use tactum_geometry::{Pose, Shape, Solid};
use tactum_gpu::{Gpu, OpenError, Options};
use tactum_shaders::rays::layout::{MeshPlace, PairFrame, PairMeshes};
use tactum_sim::{BodyId, OverlapQuestion};

use super::{BACKENDS, BenchError, Measurement, open, time, time_within};
use crate::backend::{Backend, DEFAULT_RAYS};
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
    let asked = question(&[Arc::clone(&cube), cube], pose);
    Ok(vec![
        line("an empty step", "gpu", time(|| detector.overlaps(&[]))),
        line("1 pair of cubes", "gpu", time(|| detector.overlaps(&[&asked]))),
    ])
}

/// What is asked of two meshes, the first at the world's origin.
fn question(meshes: &[Arc<Solid>; 2], w_from_b: Pose) -> OverlapQuestion {
    OverlapQuestion {
        bodies: [BodyId(0), BodyId(1)],
        shapes: meshes.each_ref().map(|mesh| Shape::Mesh(Arc::clone(mesh))),
        poses: [Pose::IDENTITY, w_from_b],
        is_ahead: false,
    }
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
        for backend in BACKENDS {
            let Some(mut detector) = open(backend)? else { continue };
            let mut per_pair = 0.0;
            for n in COUNTS {
                if per_pair * n as f64 > LONGEST {
                    let remark = format!("left out: it would take about {:.0} s", 1e-3 * per_pair * n as f64);
                    measured.push(line(self.name(n), backend.name(), (f64::NAN, 0)).remarked(remark));
                    continue;
                }
                let asked: Vec<OverlapQuestion> =
                    Self::poses(n).into_iter().map(|pose| question(&self.meshes, pose)).collect();
                let asked: Vec<&OverlapQuestion> = asked.iter().collect();
                let timed = time_within(|| detector.overlaps(&asked));
                per_pair = timed.0 / n as f64;
                let remark = format!("{:.0} pairs/s", 1e3 / per_pair);
                measured.push(line(self.name(n), backend.name(), timed).remarked(remark));
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
        let mut places = [MeshPlace::default(); 2];
        for (place, clusters) in places.iter_mut().zip(&clusters) {
            *place = gpu.upload(&clusters.triangles, &clusters.boxes)?;
        }
        let [a, b] = [0, 1].map(|k| RayBody {
            aabb: self.meshes[k].aabb(),
            origin: clusters[k].origin,
            unit: clusters[k].unit,
        });
        let placed = |pose: &Pose| place(&a, &b, pose, &Grid::default()).into_iter().flatten();
        let frames: Vec<PairFrame> = Self::poses(self.n_staged()).iter().flat_map(placed).collect();
        Ok((vec![PairMeshes::of(places); frames.len()], frames))
    }
}
