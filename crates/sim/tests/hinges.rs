//! What turns on a pin in its hole, held by contact alone, at the step people use: the facets of neither say where the two touch.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use common::{SMOOTH, fixed, moving, step, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Ring};
use tactum_geometry::{Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

const PIN: f64 = 0.01;
const PLAY: f64 = 0.0005;
const WHEEL: Ring = Ring { inner_radius: PIN + PLAY, outer_radius: 0.03, height: 0.02 };

/// A pin of facets, fine or coarse, or a cylinder.
#[derive(Clone, Copy, Debug)]
enum Pin {
    Facets(usize),
    Round,
}

fn pin(kind: Pin) -> BodyDesc {
    let shape = match kind {
        Pin::Facets(n) => Shape::from_mesh(generate::cylinder(PIN, 0.06, n).unwrap()).unwrap(),
        Pin::Round => Shape::Cylinder(Cylinder { radius: PIN, height: 0.06 }),
    };
    let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
    let pose = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(FRAC_PI_2));
    BodyDesc { smooth, w_from_shape: pose, ..fixed("pin", shape) }
}

/// A wheel that hangs on a pin with its hole, turning by friction or not; its centre of mass lies `off` its middle.
fn world(kind: Pin, off: DVec3, spin: f64, friction: f64, dt: f64) -> (World, BodyId) {
    let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
    world.add_body(BodyDesc { friction: Some(friction), ..pin(kind) }).unwrap();
    let shape = Shape::from_mesh(generate::ring(&WHEEL, 3000).unwrap()).unwrap();
    let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
    // Where it hangs when friction pulls it round.
    let hangs = DQuat::from_rotation_y(friction.atan()) * DVec3::NEG_Z;
    let pose = Pose::new(PLAY * hangs, DQuat::from_rotation_x(FRAC_PI_2));
    let mut wheel = moving(shape, pose, DVec3::ZERO, spin * DVec3::Y);
    wheel.mass.center = pose.rotation.inverse() * off;
    let wheel = world.add_body(BodyDesc { smooth, friction: Some(friction), ..wheel }).unwrap();
    (world, wheel)
}

/// Of 36 and of 44 sides, in a hole of 60.
const PINS: [Pin; 3] = [Pin::Facets(3000), Pin::Facets(4000), Pin::Round];

/// Without friction nothing stops it.
#[test]
fn a_wheel_without_friction_turns_on() {
    for kind in PINS {
        for dt in [1e-2, 5e-3, 1e-3] {
            let (mut world, wheel) = world(kind, DVec3::ZERO, 20.0, 0.0, dt);
            steps(&mut world, (0.5 / dt) as usize);
            let wheel = world.body(wheel);
            // All normals go through the axis of the hole, that of the wheel.
            assert!(
                (wheel.angular_velocity.y - 20.0).abs() < 1e-2,
                "{kind:?} {dt}: {}",
                wheel.angular_velocity
            );
            assert!(wheel.position.y.abs() < 1e-5, "{kind:?} {dt}: {}", wheel.position);
        }
    }
}

/// A shaft much longer than its two bearings, whose facets are as long as itself, turns on as well.
#[test]
fn a_shaft_in_two_bearings_turns_on() {
    let mut world = World::new(Settings { dt: 1e-2, ..Settings::default() }).unwrap();
    let lying = |at: DVec3| Pose::new(at, DQuat::from_rotation_x(FRAC_PI_2));
    for y in [-0.07, 0.07] {
        let shape = Shape::from_mesh(generate::ring(&WHEEL, 3000).unwrap()).unwrap();
        let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
        let bearing = BodyDesc { smooth, w_from_shape: lying(DVec3::Y * y), ..fixed("bearing", shape) };
        world.add_body(BodyDesc { friction: Some(0.0), ..bearing }).unwrap();
    }
    let shape = Shape::from_mesh(generate::cylinder(PIN, 0.2, 12_000).unwrap()).unwrap();
    let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
    let shaft = moving(shape, lying(DVec3::NEG_Z * PLAY), DVec3::ZERO, 20.0 * DVec3::Y);
    let shaft = world.add_body(BodyDesc { smooth, friction: Some(0.0), ..shaft }).unwrap();
    steps(&mut world, 20);
    let shaft = world.body(shaft);
    assert!((shaft.angular_velocity - 20.0 * DVec3::Y).length() < 1e-2, "{}", shaft.angular_velocity);
    assert!(shaft.position.y.abs() < 1e-5, "{}", shaft.position);
}

/// Friction at the wall of the hole stops it by `μ / √(1 + μ²) m g R`: the wheel climbs to where the force on it is upright.
#[test]
fn a_wheel_with_friction_stops_as_a_journal_does() {
    let friction = 0.3_f64;
    for kind in PINS {
        for dt in [1e-2, 1e-3] {
            let (mut world, wheel) = world(kind, DVec3::ZERO, 20.0, friction, dt);
            steps(&mut world, (0.05 / dt) as usize);
            let before = world.body(wheel).angular_velocity.y;
            steps(&mut world, (0.1 / dt) as usize);
            let body = world.body(wheel);
            let inertia = 0.5 * body.mass.mass * (WHEEL.inner_radius.powi(2) + WHEEL.outer_radius.powi(2));
            let torque =
                friction / (1.0 + friction * friction).sqrt() * body.mass.mass * 9.81 * WHEEL.inner_radius;
            let exact = torque / inertia * 0.1;
            let lost = before - body.angular_velocity.y;
            // The surface through the corners of the hole's facets is wider by 1.4e-3: seen 1.003.
            assert!((lost / exact - 1.0).abs() < 0.01, "{kind:?} {dt}: {lost} of {exact}");
        }
    }
}

/// Without friction it swings on, also at steps in which gravity bends its way by more than its play.
#[test]
fn a_pendulum_on_a_pin_keeps_its_energy() {
    let off = DVec3::new(0.02 * 20_f64.to_radians().sin(), 0.0, -0.02 * 20_f64.to_radians().cos());
    for kind in PINS {
        for (dt, most_lost) in [(1e-2, 0.07), (5e-3, 0.03), (1e-3, 0.03)] {
            let (mut world, wheel) = world(kind, off, 0.0, 0.0, dt);
            let weight = 9.81 * world.body(wheel).mass.mass;
            let brought = weight * 0.02 * (1.0 - 20_f64.to_radians().cos());
            let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
            let before = energy(&world);
            let mut most = before;
            for _ in 0..(2.0 / dt) as usize {
                step(&mut world);
                most = energy(&world).max(most);
            }
            let [gained, lost] = [most - before, before - energy(&world)].map(|x| x / brought);
            // It falls by the 14 µm by which the surface through the corners of the hole's facets is wider first, 1.2 % of what it swings. With steps
            // of 10 ms gravity bends its way by twice its play in one: seen 4.9 % lost.
            assert!(gained < 0.02 && lost < most_lost, "{kind:?} {dt}: gained {gained}, lost {lost}");
        }
    }
}
