//! Bodies that joints hold together, on wheels and on each other.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{SMOOTH, between, moving, step, to_world, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Cuboid, Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Drive, JointDesc, JointKind, Settings, ValueOverTime, World};

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
    for (wheel, velocity) in [(&cylinder, 2.0), (&cylinder, 4.0), (&mesh, 1.0), (&mesh, 2.0), (&mesh, 4.0)] {
        for dt in [0.01, 0.005, 0.0025] {
            let (mut world, chassis) = car(wheel, velocity, dt);
            let before = world.kinetic_energy();
            for _ in 0..(1.0 / dt) as u32 {
                step(&mut world);
            }
            let part = world.kinetic_energy() / before;
            // Seen are 1e-10 of cylinders and 3e-6 of meshes, whose wheels turn by 0.4 rad in the longest steps.
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

/// A body of this mass, at a place, about which its shape stands upright.
fn weighing(mass: f64, shape: Shape, at: DVec3, friction: f64) -> BodyDesc {
    let mut desc = moving(shape, Pose::from_translation(at), DVec3::ZERO, DVec3::ZERO);
    desc.mass.inertia *= mass / desc.mass.mass;
    desc.mass.mass = mass;
    let smooth = desc.shape.smooth_surface(SMOOTH).map(Arc::new);
    BodyDesc { name: format!("{at}"), smooth, friction: Some(friction), ..desc }
}

/// A driven wheel turns another one, which a carriage presses against it: by its friction, then without slip. The joints hold what the line of
/// contact could hold too.
#[test]
fn a_wheel_drives_another() {
    let wheel = |radius: f64| Shape::Cylinder(Cylinder { radius, height: 0.03 });
    for dt in [0.01, 0.005, 0.0025] {
        let settings = Settings { dt, gravity: DVec3::ZERO, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let driver = world.add_body(weighing(1.0, wheel(0.05), DVec3::ZERO, 0.5)).unwrap();
        let driven = world.add_body(weighing(1.0, wheel(0.1), DVec3::X * 0.15, 0.5)).unwrap();
        let at = DVec3::new(0.15, 0.0, 0.1);
        let carriage = world.add_body(weighing(0.2, cuboid(DVec3::splat(0.02)), at, 0.5)).unwrap();
        let speed = ValueOverTime::constant(40.0);
        let drive = Some(Drive::Motor { speed, strength: f64::INFINITY });
        let turning = |drive| JointKind::Revolute { limits: None, drive };
        let slide = JointKind::Prismatic { limits: None, drive: None };
        for (joint, axis) in [
            (to_world(driver, turning(drive), DVec3::ZERO), DVec3::Z),
            (between(carriage, driven, turning(None), DVec3::X * 0.15), DVec3::Z),
            (to_world(carriage, slide, at), DVec3::X),
        ] {
            world.add_joint(JointDesc { axis, ..joint }).unwrap();
        }
        world.set_wrench(carriage, DVec3::X * -10.0, DVec3::ZERO).unwrap();
        for _ in 0..(0.5 / dt) as u32 {
            step(&mut world);
            let gap = world.body(driven).position.x - 0.15;
            assert!(gap.abs() < 1e-5, "{dt} s, at {} s: {gap} m", world.time());
        }
        let turned = world.body(driven).angular_velocity.z / -20.0;
        // The speed is what friction lacks when the wheels stop slipping.
        assert!((turned - 1.0).abs() < 1e-4, "{dt} s: {turned}");
    }
}

/// Fingers that servos press on a box, with less friction than lifts it, slip off it on their way up and meet each other, face to face.
#[test]
fn fingers_that_slip_off_stop_each_other() {
    for dt in [0.01, 0.005, 0.003625, 0.0025] {
        let mut world = world_with_floor(Settings { dt, ..Settings::default() }, 0.2);
        let carriage = cuboid(DVec3::new(0.3, 0.1, 0.05));
        let carriage = world.add_body(weighing(2.0, carriage, DVec3::Z * 0.4, 0.2)).unwrap();
        let speed = ValueOverTime::through(vec![[0.3, 0.0], [0.5, 0.3], [1.2, 0.3]]).unwrap();
        let lift = Drive::Motor { speed, strength: f64::INFINITY };
        let kind = JointKind::Prismatic { limits: None, drive: Some(lift) };
        let lift = JointDesc { axis: DVec3::Z, ..to_world(carriage, kind, DVec3::Z * 0.4) };
        world.add_joint(lift).unwrap();
        let fingers = [0.07, -0.07].map(|x| {
            let finger = cuboid(DVec3::new(0.02, 0.06, 0.3));
            let finger = world.add_body(weighing(0.2, finger, DVec3::new(x, 0.0, 0.2), 0.2)).unwrap();
            let target = ValueOverTime::constant(0.1);
            let press = Drive::Servo { target, stiffness: 2000.0, damping: 20.0, strength: 20.0 };
            let kind = JointKind::Prismatic { limits: None, drive: Some(press) };
            let joint = between(carriage, finger, kind, DVec3::new(x, 0.0, 0.35));
            world.add_joint(JointDesc { axis: DVec3::X * -x.signum(), ..joint }).unwrap();
            finger
        });
        let load = world.add_body(weighing(1.0, cuboid(DVec3::splat(0.1)), DVec3::Z * 0.05, 0.2)).unwrap();
        for _ in 0..(1.2 / dt) as u32 {
            step(&mut world);
        }
        let [right, left] = fingers.map(|id| world.body(id).position);
        // They are held 1e-4 of their size in each other, and the load in the floor.
        let apart = right.x - left.x - 0.02;
        assert!(apart.abs() < 1e-5 && right.z > 0.43, "{dt} s: {right} {left}");
        assert!((world.body(load).position.z - 0.05).abs() < 1e-5, "{dt} s: {}", world.body(load).position);
    }
}
