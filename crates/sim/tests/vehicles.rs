//! Bodies that joints hold together, on wheels and on each other.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{SMOOTH, between, moving, step, to_world, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Cuboid, Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, JointKind, Settings, World};

/// Radius of the wheels \[m\].
const RADIUS: f64 = 0.1;

fn cuboid(size: DVec3) -> Shape {
    Shape::Cuboid(Cuboid { half_size: 0.5 * size })
}

/// A chassis on four wheels that turn freely, all of which roll along x; the world and the chassis.
fn car(wheel: &Shape, velocity: f64, dt: f64) -> (World, BodyId) {
    let mut world = world_with_floor(Settings { dt, ..Settings::default() }, 0.9);
    let along = DVec3::X * velocity;
    let pose = Pose::from_translation(DVec3::Z * 1.5 * RADIUS);
    let chassis = moving(cuboid(DVec3::new(0.8, 0.3, 0.1)), pose, along, DVec3::ZERO);
    let chassis = world.add_body(chassis).unwrap();
    for (ahead, beside) in [(0.3, 0.25), (0.3, -0.25), (-0.3, 0.25), (-0.3, -0.25)] {
        let at = DVec3::new(ahead, beside, RADIUS);
        let pose = Pose::new(at, DQuat::from_rotation_x(90_f64.to_radians()));
        let wheel = BodyDesc {
            smooth: wheel.smooth_surface(SMOOTH).map(Arc::new),
            friction: Some(0.9),
            ..moving(wheel.clone(), pose, along, DVec3::Y * velocity / RADIUS)
        };
        let wheel = world.add_body(wheel).unwrap();
        let kind = JointKind::Revolute { limits: None, drive: None };
        world.add_joint(between(chassis, wheel, kind, at)).unwrap();
    }
    (world, chassis)
}

/// Four wheels hold more than there is to hold, so that sweeps creep along what they press against each other: the wheels roll on before that
/// is found.
#[test]
fn a_car_rolls_on() {
    let mesh = Shape::from_mesh(generate::cylinder(RADIUS, 0.04, 1000).unwrap()).unwrap();
    let cylinder = Shape::Cylinder(Cylinder { radius: RADIUS, height: 0.04 });
    for (wheel, velocity) in [(&cylinder, 2.0), (&cylinder, 4.0), (&mesh, 1.0), (&mesh, 2.0)] {
        for dt in [0.01, 0.005, 0.0025] {
            let (mut world, chassis) = car(wheel, velocity, dt);
            let before = world.kinetic_energy();
            for _ in 0..(1.0 / dt) as u32 {
                step(&mut world);
            }
            let part = world.kinetic_energy() / before;
            // Seen are 1e-10 of cylinders and 1.2e-5 of meshes, whose wheels turn by two of their facets in the longest steps.
            assert!((part - 1.0).abs() < 1e-4, "{velocity} m/s, {dt} s: {part}");
            let body = world.body(chassis);
            assert!((body.position.z - 1.5 * RADIUS).abs() < 2e-5, "{}", body.position);
        }
    }
}

/// What lies on a plank that a joint holds does not begin to fall with it.
#[test]
fn what_lies_on_what_a_joint_holds_stays() {
    let hinge = JointKind::Revolute { limits: None, drive: None };
    for kind in [JointKind::Rigid, hinge] {
        for dt in [0.01, 0.0025] {
            let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
            let size = DVec3::new(1.0, 0.2, 0.04);
            let at = DVec3::Z * -0.02;
            let still =
                |shape: Shape, at: DVec3| moving(shape, Pose::from_translation(at), DVec3::ZERO, DVec3::ZERO);
            let plank = world.add_body(still(cuboid(size), at)).unwrap();
            world.add_joint(to_world(plank, kind.clone(), at)).unwrap();
            let boxes = [-0.3, 0.3].map(|x| {
                let at = DVec3::new(x, 0.0, 0.05);
                world
                    .add_body(BodyDesc { name: format!("{x}"), ..still(cuboid(DVec3::splat(0.1)), at) })
                    .unwrap()
            });
            let mut lowest = 0.0_f64;
            for _ in 0..10 {
                step(&mut world);
                lowest = boxes.iter().map(|id| world.body(*id).position.z - 0.05).fold(lowest, f64::min);
            }
            // The depth in which bodies are held: 1e-4 of their size.
            assert!(lowest > -1e-5, "{kind:?}, {dt} s: {lowest}");
        }
    }
}
