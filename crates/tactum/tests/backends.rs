//! Back ends agree: what rests by one rests by the other, and worlds that step together do not feel each other.

mod worlds;

use std::sync::Arc;
use std::time::Duration;

use glam::DVec3;
use tactum::backend::rays::{MeshPair, RayDetector};
use tactum::backend::{Backend, Costs, Detector, OverlapShare, StageRunner, cost_model::CostModel};
use tactum::session::{Session, step_together};
use tactum_geometry::mesh::generate::cuboid;
use tactum_geometry::overlap::rays::Distrust;
use tactum_geometry::{Pose, Solid};
use tactum_gpu::{Gpu, Options};
use worlds::{detector, world};

/// An L lands flat on a ring, a smaller ring flat on the L: meshes that are not convex, faces that meet flush.
const SCENE: &str = r#"
    dt = 0.005
    duration = 1

    [[body]]
    name = "floor"
    kind = "static"
    shape = { generate = { ring = { inner_radius = 0.1, outer_radius = 0.5, height = 0.1, triangles = 800 } } }

    [[body]]
    name = "lower"
    shape = { generate = { l_shape = { length = 0.5, width = 0.3, height = 0.3, thickness = 0.1, triangles = 400 } } }
    position = [0.01, 0.02, 0.27]
    orientation = { euler_deg = [0, 0, 20] }

    [[body]]
    name = "upper"
    shape = { generate = { ring = { inner_radius = 0.03, outer_radius = 0.08, height = 0.05, triangles = 600 } } }
    position = [0.05, 0.0, 0.5]
"#;

/// A mesh whose shells overlap means the same by every back end: rays leave it to the exact method, and say why.
#[test]
fn rays_leave_meshes_that_overlap_themselves() {
    let mut mesh = cuboid(DVec3::ONE, 12).expect("a cube");
    let copies = mesh.triangles.clone();
    mesh.triangles.extend(copies);
    let [twice, once] =
        [mesh, cuboid(DVec3::ONE, 12).expect("a cube")].map(|mesh| Solid::new(mesh).expect("it is closed"));
    let (twice, once) = (Arc::new(twice), Arc::new(once));
    let a_from_b = Pose::from_translation(DVec3::new(0.1, 0.2, 0.9));
    let pairs = [(&twice, &once), (&once, &twice), (&once, &once)].map(|(a, b)| MeshPair { a, b, a_from_b });
    let measured = RayDetector::new(StageRunner::twins(), 64).overlaps(&pairs).expect("nothing fails");
    let found: Vec<Option<Distrust>> = measured.into_iter().map(|measured| measured.overlap.err()).collect();
    assert_eq!(found, [Some(Distrust::OverlapsItself), Some(Distrust::OverlapsItself), None]);
}

/// Costs that send about half of the pairs to the rays.
const EVEN: CostModel =
    CostModel { exact_pair: 1e-3, exact_root: 0.0, submission: 0.0, cast_pair: 1e-3, cast_triangle: 0.0 };

fn state_after(mut session: Session, steps: usize) -> u64 {
    for _ in 0..steps {
        session.step().expect("a step");
    }
    session.world().state_hash()
}

/// A body comes to rest where its target depth holds it.
#[test]
fn rays_and_exact_overlaps_move_bodies_alike() {
    let [mut exact, mut rays] = [world(SCENE), world(SCENE)];
    let mut by_rays = detector(Backend::Rays);
    let (mut n_recovered, mut share) = (0, OverlapShare::default());
    for _ in 0..200 {
        for (world, detector) in [(&mut exact, &mut Detector::exact()), (&mut rays, &mut by_rays)] {
            let step = step_together(&mut [world], detector).pop().expect("one world, one step");
            step.report.expect("a step");
            n_recovered += step.recoveries.len();
            share += step.overlaps;
        }
    }
    for (a, b) in exact.bodies().iter().zip(rays.bodies()) {
        let off = a.position.distance(b.position);
        assert!(off < 1e-5 * a.shape.size(), "{} is off by {off} m", a.name);
    }
    assert!(n_recovered < 2 * 200, "not every pair can have been measured exactly: {n_recovered}");
    // Each pair of meshes was answered by the stages or handed back; the exact method is asked for none of them.
    assert_eq!(share.questions, share.by_stages + n_recovered as u64);
    assert!(share.by_stages > 0, "{share:?}");
}

#[test]
fn rays_repeat_bit_for_bit_and_do_not_depend_on_the_threads() {
    let session = || Session::new(world(SCENE), detector(Backend::Rays));
    let first = state_after(session(), 30);
    assert_eq!(first, state_after(session(), 30));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(first, pool.install(|| state_after(session(), 30)));
}

#[test]
fn worlds_that_step_together_end_as_alone() {
    for backend in [Backend::Exact, Backend::Rays] {
        let alone = state_after(Session::new(world(SCENE), detector(backend)), 20);
        let mut worlds = [world(SCENE), world(SCENE), world(SCENE)];
        let mut detector = detector(backend);
        for _ in 0..20 {
            let steps = step_together(&mut worlds.each_mut(), &mut detector);
            assert!(steps.iter().all(|step| step.report.is_ok()));
        }
        for world in worlds {
            assert_eq!(world.state_hash(), alone, "{backend}");
        }
    }
}

#[test]
fn work_shared_between_processor_and_rays_gives_what_each_alone_gives() {
    let shared = Detector::shared(StageRunner::twins(), 64, Costs { overlaps: EVEN, facets: None });
    let mut session = Session::new(world(SCENE), shared);
    for _ in 0..20 {
        session.step().expect("a step");
    }
    let exact = {
        let mut session = Session::new(world(SCENE), Detector::exact());
        (0..20).for_each(|_| drop(session.step().expect("a step")));
        session
    };
    for (a, b) in exact.world().bodies().iter().zip(session.world().bodies()) {
        assert!(a.position.distance(b.position) < 1e-3 * a.shape.size(), "{}", a.name);
    }
}

/// A driver that is not done in time is waited for once; from then on the exact method answers.
#[test]
#[cfg_attr(not(software_vulkan), ignore = "no software Vulkan driver is installed")]
fn a_device_that_hangs_is_waited_for_once_and_done_without() {
    // No driver is done in a nanosecond, so any of them hangs.
    let options = Options { max_wait: Some(Duration::from_nanos(1)), ..Options::default() };
    let device = StageRunner::Device(Box::new(Gpu::open(options).expect("a software device")));
    let mut detector = Detector::of_stages(device, 64);
    let (mut by_device, mut exact) = (world(SCENE), world(SCENE));
    let mut causes = Vec::new();
    for _ in 0..30 {
        let step = step_together(&mut [&mut by_device], &mut detector).pop().expect("one world, one step");
        step.report.expect("a step");
        causes.extend(step.recoveries);
        step_together(&mut [&mut exact], &mut Detector::exact());
    }
    assert!(detector.trouble().is_some_and(|trouble| trouble.contains("not done after")), "{detector:?}");
    assert_eq!(detector.backend(), Backend::Exact);
    assert!(!causes.is_empty() && causes.iter().all(|&cause| cause == "device_failed"), "{causes:?}");
    assert_eq!(by_device.state_hash(), exact.state_hash());
    // The driver still works at what it was given: a process that ends meanwhile tears it down under its own threads.
    std::thread::sleep(Duration::from_secs(5));
}
