//! Rotation without contacts.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{angular_momentum, cuboid, fixed, momentum, steps};
use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::{Pose, Shape, Sphere};
use tactum_sim::{BodyDesc, BodyKind, MassProperties, Settings, World};

fn weightless() -> Settings {
    Settings { gravity: DVec3::ZERO, ..Settings::default() }
}

/// A body with the given principal moments that spins in free space.
fn top(moments: DVec3, spin: DVec3) -> World {
    let mut world = World::new(weightless()).unwrap();
    let desc = BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: Pose::new(DVec3::new(3.0, -1.0, 2.0), DQuat::from_xyzw(0.1, 0.7, -0.3, 0.5)),
        mass: MassProperties { mass: 2.0, center: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) },
        angular_velocity: spin,
        linear_velocity: DVec3::new(0.3, 0.2, -0.1),
        ..fixed("top", Shape::Sphere(Sphere { radius: 0.1 }))
    };
    world.add_body(desc).unwrap();
    world
}

/// Ten seconds of free spin about the unstable axis, slow to very fast: energy and angular momentum keep 11 digits.
#[test]
fn an_asymmetric_top_keeps_energy_and_momentum() {
    for speed in [1.0, 20.0, 300.0, 5000.0] {
        let mut world = top(DVec3::new(1.0, 2.0, 2.9), speed * DVec3::new(0.01, 1.0, 0.02));
        let (energy, spin, push) = (world.kinetic_energy(), angular_momentum(&world), momentum(&world));
        steps(&mut world, 1000);
        // 1000 steps of some 1e-16 each in every sub-step, which add up like a random walk or worse.
        let energy_drift = (world.kinetic_energy() / energy - 1.0).abs();
        let spin_drift = (angular_momentum(&world) - spin).length() / spin.length();
        assert!(energy_drift < 1e-11, "{speed} rad/s: energy drifts by {energy_drift}");
        assert!(spin_drift < 1e-11, "{speed} rad/s: angular momentum drifts by {spin_drift}");
        assert!((momentum(&world) - push).length() < 1e-14);
    }
}

/// A needle, whose moments differ by a factor of 10,000, is no harder.
#[test]
fn a_spinning_needle_keeps_energy_and_momentum() {
    let mut world = top(DVec3::new(1e-4, 1.0, 1.0), DVec3::new(50.0, 30.0, 1.0));
    let (energy, spin) = (world.kinetic_energy(), angular_momentum(&world));
    steps(&mut world, 1000);
    assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-10);
    assert!((angular_momentum(&world) - spin).length() < 1e-10 * spin.length());
}

/// A symmetric top precesses about its angular momentum with `L / I_t` (Euler 1758); 2 % at 10 rad/s and 10 ms.
#[test]
fn a_symmetric_top_precesses_at_the_rate_of_euler() {
    let moments = DVec3::new(1.0, 1.0, 1.6);
    let mut world = top(moments, DVec3::ZERO);
    let orientation = world.bodies()[0].orientation;
    world.set_velocity(tactum_sim::BodyId(0), DVec3::ZERO, orientation * DVec3::new(3.0, 0.0, 10.0)).unwrap();
    let momentum = orientation * DVec3::new(3.0, 0.0, 16.0);
    let axis = momentum.normalize();
    let period = std::f64::consts::TAU / (momentum.length() / moments.x);
    let n = 200;
    let side = |world: &World| {
        let z = world.bodies()[0].orientation * DVec3::Z;
        (z - axis * z.dot(axis)).normalize()
    };
    let before = side(&world);
    let mut turned = 0.0;
    let mut last = before;
    for _ in 0..n {
        steps(&mut world, 1);
        let now = side(&world);
        turned += last.cross(now).dot(axis).atan2(last.dot(now));
        last = now;
    }
    let expected = std::f64::consts::TAU * 0.01 * f64::from(n) / period;
    assert!((turned / expected - 1.0).abs() < 0.02, "turned {turned}, expected {expected}");
}

/// LC-16: a body at 1 rad/s turns by 1 rad in a second, and at 400 rad/s by 400 rad: rotation about a principal axis is
/// exact.
#[test]
fn rotation_about_a_principal_axis_is_exact() {
    for speed in [1.0, 400.0] {
        let mut world = World::new(weightless()).unwrap();
        let desc = BodyDesc {
            angular_velocity: DVec3::Z * speed,
            ..cuboid("box", DVec3::new(1.0, 2.0, 3.0), 1.0, DVec3::ZERO)
        };
        let id = world.add_body(desc).unwrap();
        steps(&mut world, 100);
        let expected = DQuat::from_rotation_z(speed);
        // Four digits of argument reduction at 400 rad.
        let q = world.body(id).orientation;
        assert!(q.dot(expected).abs() > 1.0 - 1e-12, "{speed}: {q}");
        assert!((q.length() - 1.0).abs() < 1e-15);
        assert!((world.time() - 1.0).abs() < 1e-15);
    }
}

/// Free fall is exact at any step, and a torque turns a body by its inertia.
#[test]
fn forces_and_torques_accelerate() {
    let mut world = World::new(Settings::default()).unwrap();
    let id = world.add_body(cuboid("box", DVec3::new(1.0, 2.0, 3.0), 6.0, DVec3::ZERO)).unwrap();
    world.set_wrench(id, DVec3::X * 3.0, DVec3::Z * 5.0).unwrap();
    steps(&mut world, 100);
    let body = world.body(id);
    // Hundred additions.
    assert!((body.position.z + 0.5 * 9.81).abs() < 1e-12);
    assert!((body.linear_velocity.x - 0.5).abs() < 1e-13);
    assert!((body.angular_velocity.z - 5.0 / 2.5).abs() < 1e-12);
}

/// Two cubes that collide off centre in free space keep linear and angular momentum, and lose energy.
#[test]
fn a_collision_keeps_linear_and_angular_momentum() {
    let mut world = World::new(weightless()).unwrap();
    let a = BodyDesc {
        linear_velocity: DVec3::new(2.0, 0.1, -0.2),
        angular_velocity: DVec3::new(1.0, 2.0, -3.0),
        ..cuboid("a", DVec3::new(0.5, 0.4, 0.3), 1.0, DVec3::new(-0.6, 0.1, 0.05))
    };
    let b = BodyDesc {
        angular_velocity: DVec3::new(-1.0, 0.5, 0.2),
        ..cuboid("b", DVec3::new(0.3, 0.6, 0.5), 2.5, DVec3::new(0.0, -0.05, 0.0))
    };
    world.add_body(a).unwrap();
    world.add_body(b).unwrap();
    // The position correction moves bodies that move, and with them their angular momentum about the origin.
    let mut world = common::with_settings(&world, Settings { stabilization: 0.0, ..*world.settings() });
    let (energy, push, spin) = (world.kinetic_energy(), momentum(&world), angular_momentum(&world));
    let mut contacts = 0;
    for _ in 0..100 {
        contacts += common::step(&mut world).contacts.len();
        assert!((momentum(&world) - push).length() < 1e-12);
        assert!((angular_momentum(&world) - spin).length() < 1e-12, "{}", angular_momentum(&world) - spin);
    }
    assert!(contacts > 0, "the cubes have to meet");
    assert!(world.kinetic_energy() < 0.95 * energy);
}
