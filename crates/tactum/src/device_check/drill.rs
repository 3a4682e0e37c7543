//! Lists that are too short, bad input, a device that goes away: nothing of it may show in a result.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::exact;
use tactum_geometry::{Overlap, Pose, Shape, Solid, TriangleMesh};
use tactum_gpu::{Gpu, OpenError, Options};
use tactum_sim::{BodyDesc, BodyId, BodyKind, MassProperties, OverlapQuestion, Settings, World};

use super::cases::{Batch, Case, bolt_and_nut, solid};
use super::{Check, CheckError, Context, Figure};
use crate::backend::rays::{Measured, RayDetector};
use crate::backend::{Backend, BackendOptions, DEFAULT_RAYS, Detector, StageRunner};

/// Sheets of a stack: a ray through it crosses twice as many surfaces, more than a list holds.
const SHEETS: u32 = 20;

/// Triangles of each of two large bodies.
const HARDWARE_TRIANGLES: usize = 1_000_000;
const SOFTWARE_TRIANGLES: usize = 200_000;

/// Error of a volume, as a part of it: what makes a reading sure, see
/// `tactum_geometry::overlap::rays`.
const SURE_VOLUME: f64 = 3e-3;

/// Pairs whose rays cross more surfaces than a list holds.
pub fn check_lists(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let tilted = Pose::new(DVec3::new(0.1, 0.2, 0.3), DQuat::from_rotation_x(0.3));
    let stack = stack()?;
    let mut cases = vec![
        (stack.clone(), generate::cuboid(DVec3::ONE, 12)?, tilted),
        (stack.clone(), stack, Pose::new(DVec3::splat(0.01), DQuat::from_rotation_z(0.4))),
    ];
    // Triangles of two threads that are wound into each other take a software driver minutes.
    if !context.options.quick {
        let [bolt, nut] = bolt_and_nut()?;
        cases.push((bolt, nut, Pose::from_translation(DVec3::new(0.012, 0.0, 0.2))));
    }
    let mut detector = open(context)?;
    let mut n_wrong = 0;
    for (a, b, a_from_b) in &cases {
        let case =
            Case { a: solid(a.clone())?, b: solid(b.clone())?, a_from_b: *a_from_b, is_contact: false };
        let asked = question(&case);
        let found = detector.overlaps(&[&asked]);
        let exact = Detector::exact().overlaps(&[&asked]);
        // What is handed back is the exact method's own answer.
        let off = match found.recoveries.as_slice() {
            [] => SURE_VOLUME,
            _ => 0.0,
        };
        let is_near = |(a, b): (&Overlap, &Overlap)| (a.volume - b.volume).abs() <= off * b.volume;
        n_wrong += usize::from(!found.overlaps.iter().zip(&exact.overlaps).all(is_near));
    }
    let cases = (cases.len() as u64, "pairs");
    Ok(vec![Check::new("full lists are measured by triangles or exactly", cases, Figure::faults(n_wrong))])
}

/// What no caller should do, and what no device should.
pub fn check_faults(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let checks = [names(context), nothing(context)?, not_a_number(context)?, large(context)?];
    Ok(checks.into_iter().chain(lost(context)?).collect())
}

fn stack() -> Result<TriangleMesh, CheckError> {
    let mut stack = TriangleMesh::default();
    for k in 0..SHEETS {
        let height = 0.05 * (f64::from(k) - f64::from(SHEETS) / 2.0);
        let sheet = generate::cuboid(DVec3::new(1.0, 1.0, 0.01), 12)?.translated(DVec3::Z * height);
        let first = stack.vertices.len() as u32;
        stack.vertices.extend(sheet.vertices);
        stack.triangles.extend(sheet.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    Ok(stack)
}

fn open(context: &Context<'_>) -> Result<Detector, OpenError> {
    let adapter = context.options.adapter.clone();
    Detector::open(&BackendOptions { backend: Backend::Gpu, rays: DEFAULT_RAYS, adapter })
}

/// What is asked of two meshes.
fn question(case: &Case) -> OverlapQuestion {
    OverlapQuestion {
        bodies: [BodyId(0), BodyId(1)],
        shapes: [&case.a, &case.b].map(|solid| Shape::Mesh(Arc::clone(solid))),
        poses: [Pose::IDENTITY, case.a_from_b],
        is_ahead: false,
    }
}

fn body(solid: &Arc<Solid>, pose: Pose) -> BodyDesc {
    BodyDesc {
        name: "body".to_owned(),
        kind: BodyKind::Kinematic,
        shape: Shape::Mesh(Arc::clone(solid)),
        smooth: None,
        rounded: None,
        surface: None,
        w_from_shape: pose,
        mass: MassProperties { mass: 1.0, center: DVec3::ZERO, inertia: DMat3::IDENTITY },
        linear_velocity: DVec3::ZERO,
        angular_velocity: DVec3::ZERO,
        material: None,
        friction: Some(0.0),
        groups: 1,
        mask: 1,
    }
}

/// An empty name is none; a wrong one is refused.
fn names(context: &Context<'_>) -> Check {
    let named =
        |name: &str| Gpu::open(Options { adapter: Some(name.to_owned()), ..Options::default() }).map(|_| ());
    let mut n_faults = usize::from(named("").is_err());
    n_faults += usize::from(!matches!(named("no device has this name"), Err(OpenError::NoMatch { .. })));
    n_faults += usize::from(named(&context.adapter.name).is_err());
    Check::new("names of devices", (3, "names"), Figure::faults(n_faults))
}

fn nothing(context: &Context<'_>) -> Result<Check, CheckError> {
    let mut blocks = Batch::default().memory(&tactum_shaders::rays::Rounds::new(0, 32, 1), 1).blocks;
    context.gpu()?.measure(&[], &[], 32, &mut blocks)?;
    let n_faults = blocks.len() + open(context)?.overlaps(&[]).overlaps.len();
    Ok(Check::new("no pairs", (2, "calls"), Figure::faults(n_faults)))
}

/// A pose that is not a number is refused by the world; on a device it finds nothing and harms no other pair.
fn not_a_number(context: &Context<'_>) -> Result<Check, CheckError> {
    let mut cases = context.affordable(context.shapes.pairs_of_one_size(8, 9));
    let measure = |cases: &[Case]| -> Result<Vec<Measured>, CheckError> {
        let runner = StageRunner::device(context.options.adapter.clone())?;
        let pairs: Vec<_> = cases.iter().map(Case::pair).collect();
        Ok(RayDetector::new(runner, DEFAULT_RAYS).overlaps(&pairs)?)
    };
    let before = measure(&cases)?;
    let bad = [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NEG_INFINITY, 0.0)];
    let mut n_faults = 0;
    for &translation in &bad {
        let Case { a, b, .. } = &cases[0];
        let a_from_b = Pose { translation, ..Pose::IDENTITY };
        let refused = World::new(Settings::default())?.add_body(body(b, a_from_b));
        n_faults += usize::from(refused.is_ok());
        cases.push(Case { a: Arc::clone(a), b: Arc::clone(b), a_from_b, is_contact: false });
    }
    let after = measure(&cases)?;
    let is_same = |(a, b): &(&Measured, &Measured)| a.overlap == b.overlap;
    n_faults += before.len() - before.iter().zip(&after).filter(is_same).count();
    let says_something = |found: &&Measured| found.overlap.as_ref().is_ok_and(|found| found.volume != 0.0);
    n_faults += after[before.len()..].iter().filter(says_something).count();
    Ok(Check::new("poses that are not numbers", (bad.len() as u64, "poses"), Figure::faults(n_faults)))
}

/// Two bodies of very many triangles.
fn large(context: &Context<'_>) -> Result<Check, CheckError> {
    let n = if context.adapter.is_software() { SOFTWARE_TRIANGLES } else { HARDWARE_TRIANGLES };
    let n = context.some(n);
    let case = Case {
        a: solid(generate::sphere(1.0, n)?)?,
        b: solid(generate::torus(1.0, 0.4, n)?)?,
        a_from_b: Pose::new(DVec3::new(0.9, 0.3, 0.2), DQuat::from_rotation_x(1.0)),
        is_contact: false,
    };
    let runner = StageRunner::device(context.options.adapter.clone())?;
    let measured = RayDetector::new(runner, DEFAULT_RAYS).overlaps(&[case.pair()])?;
    let expected = exact::overlap(&case.a, &case.b, &case.a_from_b).volume;
    let found = measured.first().and_then(|one| one.overlap.as_ref().ok());
    let worst = found.map_or(f64::NAN, |found| (found.volume / expected - 1.0).abs());
    let name = format!("two bodies of {n} triangles: volume");
    Ok(Check::new(name, (1, "pair"), Figure { worst, limit: SURE_VOLUME, unit: "of it" }))
}

/// A lost device is opened again; one that stays away is done without.
fn lost(context: &Context<'_>) -> Result<Vec<Check>, CheckError> {
    let cases = context.affordable(context.shapes.pairs_of_one_size(context.some(40).max(8), 10));
    let asked: Vec<OverlapQuestion> = cases.iter().map(question).collect();
    let asked: Vec<&OverlapQuestion> = asked.iter().collect();
    let mut detector = open(context)?;
    let expected = detector.overlaps(&asked).overlaps;
    let n_other = |found: &[Overlap], expected: &[Overlap]| {
        found.iter().zip(expected).filter(|(a, b)| a != b).count() + found.len().abs_diff(expected.len())
    };
    let mut n_faults = 0;
    for _ in 0..2 {
        if let Some(StageRunner::Device(gpu)) = detector.runner() {
            gpu.lose_device();
        }
        n_faults += n_other(&detector.overlaps(&asked).overlaps, &expected);
        n_faults += usize::from(detector.trouble().is_some());
    }
    let back = Check::new("a lost device comes back", (2, "losses"), Figure::faults(n_faults));
    if let Some(StageRunner::Device(gpu)) = detector.runner_mut() {
        gpu.unplug();
    }
    let exact = Detector::exact().overlaps(&asked).overlaps;
    let mut n_faults = n_other(&detector.overlaps(&asked).overlaps, &exact);
    n_faults += usize::from(detector.trouble().is_none());
    let gone = Check::new(
        "a device that stays away is done without",
        (asked.len() as u64, "pairs"),
        Figure::faults(n_faults),
    );
    Ok(vec![back, gone])
}
