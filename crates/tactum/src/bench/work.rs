//! What the stages of a device do for one pair of meshes, counted by their twins, and from that the time below which a card is not done.

use std::fmt::Write as _;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Bolt, Nut, Thread};
use tactum_geometry::solid::SolidError;
use tactum_geometry::{Pose, Solid, TriangleMesh};
use tactum_shaders::rays::{STAGES, Work};

use super::{BenchError, Measurement, Options, make_folder, write};
use crate::backend::rays::{MeshPair, RayDetector};
use crate::backend::{DEFAULT_RAYS, StageRunner};

/// What the card that times are given for moves in a second \[B/s\].
const BANDWIDTH: f64 = 3e12;

/// How much it computes in a second with numbers of 32 bits.
const OPERATIONS: f64 = 50e12;

/// Size of what is put on something else \[m\].
const SIZE: f64 = 0.1;

/// Triangles of a small and of a large mesh.
const TRIANGLES: [usize; 2] = [2_000, 200_000];

/// How deep what rests is in what it rests on: a ten-thousandth of its size \[m\].
const RESTING: f64 = 1e-5;

/// Two meshes, and where the second one is in the frame of the first.
struct Case {
    name: String,
    meshes: [Arc<Solid>; 2],
    a_from_b: Pose,
}

impl Case {
    fn new(name: impl Into<String>, [a, b]: [TriangleMesh; 2], a_from_b: Pose) -> Result<Self, SolidError> {
        Ok(Self { name: name.into(), meshes: [Arc::new(Solid::new(a)?), Arc::new(Solid::new(b)?)], a_from_b })
    }

    fn swapped(&self, name: impl Into<String>) -> Self {
        let [a, b] = self.meshes.each_ref().map(Arc::clone);
        Self { name: name.into(), meshes: [b, a], a_from_b: self.a_from_b.inverse() }
    }
}

pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let cases = cases()?;
    let mut measured = Vec::new();
    let mut table = format!("case,stage,{}\n", COLUMNS.map(|(name, _)| name).join(","));
    for case in &cases {
        let mut detector = RayDetector::new(StageRunner::twins(), DEFAULT_RAYS);
        let [a, b] = &case.meshes;
        let found = detector.overlaps(&[MeshPair { a, b, a_from_b: case.a_from_b }])?;
        let of_stages = detector.runner_mut().take_work();
        let mut total = Work::default();
        for (stage, work) in STAGES.iter().zip(&of_stages) {
            total += *work;
            row(&mut table, &case.name, stage.name, work);
        }
        row(&mut table, &case.name, "all", &total);
        let passes = found.iter().map(|pair| pair.passes).sum::<u32>();
        let outcome = match found.first().map(|pair| &pair.overlap) {
            Some(Err(distrust)) => format!("handed back: {distrust}"),
            _ => format!("{passes} submissions"),
        };
        measured.push(line(case, &total, &outcome));
    }
    if let Some(out) = &options.out {
        make_folder(out)?;
        write(&out.join("work.csv"), &table)?;
    }
    Ok(measured)
}

/// What a column of the table says of a stage's work.
type Column = (&'static str, fn(&Work) -> u64);

const COLUMNS: [Column; 10] = [
    ("workgroups", |work| work.groups),
    ("boxes", |work| work.boxes),
    ("triangles", |work| work.triangles),
    ("pairs compared", |work| work.compared),
    ("pairs looked at", |work| work.pairs),
    ("rays", |work| work.rays),
    ("crossings", |work| work.crossings),
    ("bytes read", |work| work.read),
    ("bytes written", |work| work.written),
    ("operations", |work| work.operations),
];

fn row(table: &mut String, case: &str, stage: &str, work: &Work) {
    let _ = write!(table, "\"{case}\",{stage}");
    for (_, value) in COLUMNS {
        let _ = write!(table, ",{}", value(work));
    }
    table.push('\n');
}

fn line(case: &Case, work: &Work, outcome: &str) -> Measurement {
    let seconds = ((work.read + work.written) as f64 / BANDWIDTH).max(work.operations as f64 / OPERATIONS);
    let remark = format!(
        "{outcome}; {} boxes, {} triangles, {} pairs compared, {} looked at, {} rays, {} B read, {} B written, {:.3e} operations",
        work.boxes,
        work.triangles,
        work.compared,
        work.pairs,
        work.rays,
        work.read,
        work.written,
        work.operations as f64
    );
    Measurement {
        bench: "work",
        case: case.name.clone(),
        method: "bound",
        median_ms: 1e3 * seconds,
        runs: 1,
        remark,
    }
}

fn cases() -> Result<Vec<Case>, BenchError> {
    let mut cases = vec![shallow()?, deep()?, thin()?, threaded()?];
    for n in TRIANGLES {
        let on_a_corner = on_a_corner(n, 12)?;
        cases.push(
            on_a_corner.swapped(format!("a cube of {n} on a corner, on a slab of 12; the slab second")),
        );
        cases.push(on_a_corner);
    }
    for n in TRIANGLES {
        cases.push(on_a_corner(n, n)?);
    }
    for n in TRIANGLES {
        cases.push(on_a_leg(n)?);
    }
    Ok(cases)
}

fn critter(seed: u64, triangles: usize) -> Result<TriangleMesh, BenchError> {
    Ok(generate::critter(SIZE, seed, triangles)?)
}

/// A cube that lies on a slab.
fn shallow() -> Result<Case, BenchError> {
    let meshes = [slab(2_000)?, generate::cuboid(DVec3::splat(SIZE), 2_000)?];
    let up = DVec3::new(0.01, 0.02, SIZE / 2.0 - RESTING);
    Ok(Case::new(
        "shallow: a cube of 2000 on a slab of 2000",
        meshes,
        Pose::new(up, DQuat::from_rotation_z(0.3)),
    )?)
}

/// Two critters that are half in each other.
fn deep() -> Result<Case, BenchError> {
    let pose = Pose::new(DVec3::new(0.3, 0.1, 0.25) * SIZE, DQuat::from_rotation_y(0.5));
    Ok(Case::new("deep: two critters of 3000", [critter(1, 3_000)?, critter(2, 3_000)?], pose)?)
}

/// Two plates a hundredth as thick as long that go through each other.
fn thin() -> Result<Case, BenchError> {
    let plate = || generate::cuboid(DVec3::new(SIZE, SIZE, SIZE / 100.0), 2_000);
    let pose = Pose::new(DVec3::new(0.02, 0.01, 0.0), DQuat::from_rotation_x(1.2));
    Ok(Case::new("thin: two plates of 2000", [plate()?, plate()?], pose)?)
}

/// The bolt and the nut of the scene `bolt_and_nut`, the nut down by its play.
fn threaded() -> Result<Case, BenchError> {
    let thread = Thread { radius: 0.00735, pitch: 0.002, amplitude: 0.0005, starts: 1 };
    let bolt = Bolt {
        thread,
        thread_length: 0.04,
        fade: 0.002,
        shank_length: 0.0,
        head_height: 0.01,
        head_width: 0.024,
    };
    let nut = Nut { thread, clearance: 0.0001, height: 0.013, width: 0.024, fade: 0.001 };
    let meshes = [generate::bolt(&bolt, 8_000)?, generate::nut(&nut, 6_000)?];
    Ok(Case::new(
        "threaded: a bolt of 8000 and a nut of 6000",
        meshes,
        Pose::from_translation(DVec3::Z * -1.2e-4),
    )?)
}

/// A slab whose upper side is the plane z = 0.
fn slab(triangles: usize) -> Result<TriangleMesh, BenchError> {
    Ok(generate::cuboid(DVec3::new(4.0, 4.0, 1.0) * SIZE, triangles)?.translated(DVec3::Z * (-SIZE / 2.0)))
}

/// A cube that stands on a corner.
fn on_a_corner(triangles: usize, of_slab: usize) -> Result<Case, BenchError> {
    let meshes = [slab(of_slab)?, generate::cuboid(DVec3::splat(SIZE), triangles)?];
    let diagonal = DVec3::ONE.normalize();
    let turn = DQuat::from_rotation_arc(-diagonal, DVec3::NEG_Z) * DQuat::from_axis_angle(diagonal, 0.4);
    let up = DVec3::new(0.013, 0.021, 0.5 * 3.0_f64.sqrt() * SIZE - RESTING);
    let n = meshes[1].triangles.len();
    let name = format!("a cube of {n} on a corner, on a slab of {}", meshes[0].triangles.len());
    Ok(Case::new(name, meshes, Pose::new(up, turn))?)
}

/// Two critters, the tip of one a ten-thousandth of its size in the other.
fn on_a_leg(triangles: usize) -> Result<Case, BenchError> {
    let meshes = [critter(1, triangles)?, critter(2, triangles)?];
    let name = format!("two critters of {} that touch", meshes[0].triangles.len());
    let mut case = Case::new(name, meshes, Pose::IDENTITY)?;
    let [a, b] = &case.meshes;
    let at = |height: f64| Pose::new(DVec3::Z * height, DQuat::from_rotation_y(0.3));
    // The height at which they touch, by halving.
    let (mut low, mut high) = (0.0, 2.0 * SIZE);
    while high - low > 0.01 * RESTING {
        let middle = 0.5 * (low + high);
        let is_touching = tactum_geometry::overlap::exact::overlap(a, b, &at(middle)).volume > 0.0;
        if is_touching { low = middle } else { high = middle }
    }
    case.a_from_b = at(low - RESTING);
    Ok(case)
}
