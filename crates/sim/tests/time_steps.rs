//! What does not depend on the time step, nor on the frame that a scene is seen from.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{G, ball, cuboid, fixed, step, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::{Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, Settings, World};

const STEPS: [f64; 4] = [0.02, 0.01, 0.0025, 0.001];

fn with_step(dt: f64) -> Settings {
    Settings { dt, ..Settings::default() }
}

/// A step in parts is as many steps: bit for bit, also where boxes tumble over each other.
#[test]
fn a_step_in_parts_is_as_many_steps() {
    let mut worlds = [(0.01, 4), (0.0025, 1)].map(|(dt, substeps)| {
        let mut world = world_with_floor(Settings { substeps, landing_substeps: 1, ..with_step(dt) }, 0.5);
        for k in 0..4 {
            let turn = f64::from(k);
            let place = Pose::new(
                DVec3::new(0.03 * turn, 0.02 * turn, 0.12 + 0.2 * turn),
                DQuat::from_euler(glam::EulerRot::XYZ, 0.3 * turn, 0.7, 1.1 * turn),
            );
            let desc = cuboid("box", DVec3::new(0.2, 0.1, 0.1), 1.0, DVec3::ZERO);
            world.add_body(BodyDesc { w_from_shape: place, ..desc }).unwrap();
        }
        world
    });
    let impulse = |report: &tactum_sim::StepReport| -> DVec3 {
        let of = |c: &tactum_sim::ContactRecord| {
            c.impulse[0] * c.normal + c.impulse[1] * c.axes[0] + c.impulse[2] * c.axes[1]
        };
        // What is done to each body, not between them.
        let is_on_floor = |c: &&tactum_sim::ContactRecord| c.bodies[0] == BodyId(0);
        report.contacts.iter().filter(is_on_floor).map(of).sum()
    };
    for _ in 0..50 {
        let report = step(&mut worlds[0]);
        let parts = [0, 1, 2, 3].map(|_| step(&mut worlds[1]));
        let sum = parts.iter().map(impulse).sum::<DVec3>();
        // Rounding of some ten terms.
        assert!(impulse(&report).distance(sum) <= 1e-14 * sum.length(), "{} of {sum} N s", impulse(&report));
        assert_eq!(report.sweeps, parts.iter().map(|part| part.sweeps).sum::<u32>());
    }
    assert!(worlds[0].time() == worlds[1].time() && worlds[0].step_count() == 50);
    for (body, twin) in worlds[0].bodies().iter().zip(worlds[1].bodies()) {
        assert_eq!((body.position, body.orientation), (twin.position, twin.orientation));
        assert_eq!(
            (body.linear_velocity, body.angular_velocity),
            (twin.linear_velocity, twin.angular_velocity)
        );
    }
}

/// A box slides v² / (2 mu g), and up to mu g h² / 8 farther where it stops within a step.
#[test]
fn a_box_slides_as_far_with_any_step() {
    for dt in STEPS {
        let mut world = world_with_floor(with_step(dt), 0.3);
        let desc = BodyDesc {
            linear_velocity: DVec3::X * 2.0,
            friction: Some(0.3),
            ..cuboid("box", DVec3::new(0.2, 0.2, 0.05), 1.0, DVec3::Z * 0.025)
        };
        let id = world.add_body(desc).unwrap();
        steps(&mut world, (1.0 / dt).round() as usize);
        let (found, expected) = (world.body(id).position.x, 4.0 / (2.0 * 0.3 * G));
        let stop = 0.3 * G * dt * dt / 8.0;
        // Set down, it sinks in by its target depth of 5e-6 m.
        assert!((found - expected).abs() < stop + 2e-5, "{dt} s: {found} m, expected {expected} m");
    }
}

/// A ball without spin slides for 2 v / (7 mu g), and rolls on with 5/7 of its speed.
#[test]
fn a_ball_slides_and_rolls_as_far_with_any_step() {
    for dt in STEPS {
        let mut world = world_with_floor(with_step(dt), 0.3);
        let desc = BodyDesc {
            linear_velocity: DVec3::X,
            friction: Some(0.3),
            ..ball("ball", 0.1, 1.0, DVec3::Z * 0.1)
        };
        let id = world.add_body(desc).unwrap();
        steps(&mut world, (0.5 / dt).round() as usize);
        let expected = 12.0 / (49.0 * 0.3 * G) + 5.0 / 7.0 * (0.5 - 2.0 / (7.0 * 0.3 * G));
        let found = world.body(id).position.x;
        // Seen: 2e-4 with 20 ms, 7e-5 with 10 ms.
        assert!((found / expected - 1.0).abs() < 1e-3, "{dt} s: {found} m, expected {expected} m");
    }
}

/// What bounces keeps the square of the coefficient of its energy, wherever in a step it touches.
#[test]
fn the_height_of_a_bounce_does_not_depend_on_the_step() {
    for dt in [0.02, 0.013, 0.01, 0.005, 0.001] {
        let mut world = world_with_floor(Settings { restitution: 0.5, ..with_step(dt) }, 0.5);
        let ball = world.add_body(ball("ball", 0.1, 1.0, DVec3::Z * 1.1)).unwrap();
        let cube = world.add_body(cuboid("box", DVec3::splat(0.2), 1.0, DVec3::new(1.0, 0.0, 1.1))).unwrap();
        steps(&mut world, (0.6 / dt).round() as usize);
        for id in [ball, cube] {
            let body = world.body(id);
            let height = body.position.z - 0.1 + 0.5 * body.linear_velocity.length_squared() / G;
            // A parabola that is followed exactly: rounding, and the target depth's 1e-6 of a ball's size.
            assert!((height / 0.25 - 1.0).abs() < 1e-6, "{} at {dt} s: bounces to {height} m", body.name);
        }
    }
}

/// A block carried round by a turntable stays where it stands.
#[test]
fn nothing_creeps_on_a_turntable() {
    let mut world = World::new(Settings::default()).unwrap();
    let half_size = DVec3::new(1.0, 1.0, 0.05);
    let table = BodyDesc {
        kind: BodyKind::Kinematic,
        w_from_shape: Pose::from_translation(DVec3::Z * -0.05),
        angular_velocity: DVec3::Z * 2.0,
        friction: Some(0.8),
        ..fixed("table", Shape::Cuboid(Cuboid { half_size }))
    };
    world.add_body(table).unwrap();
    let block = BodyDesc {
        linear_velocity: DVec3::Y,
        angular_velocity: DVec3::Z * 2.0,
        friction: Some(0.8),
        ..cuboid("block", DVec3::splat(0.1), 1.0, DVec3::new(0.5, 0.0, 0.05))
    };
    let id = world.add_body(block).unwrap();
    steps(&mut world, 1000);
    let radius = world.body(id).position.truncate().length();
    // What the tangent alone would do: r ω² h / 2 a second, 0.1 m. Sweeps leave 1e-9 N s.
    assert!((radius - 0.5).abs() < 1e-6, "at {radius} m from the axis");
}

/// Positions relative to the floor after a box has come down on it tumbling, in a scene that moves as a whole.
fn falls_in_a_lift(velocity: DVec3) -> (DVec3, DQuat) {
    let mut world = World::new(Settings::default()).unwrap();
    let half_size = DVec3::new(2.0, 2.0, 0.25);
    let floor = BodyDesc {
        kind: BodyKind::Kinematic,
        w_from_shape: Pose::from_translation(DVec3::Z * -0.25),
        linear_velocity: velocity,
        ..fixed("lift", Shape::Cuboid(Cuboid { half_size }))
    };
    world.add_body(floor).unwrap();
    let desc = cuboid("box", DVec3::new(0.2, 0.3, 0.1), 1.0, DVec3::Z * 0.6);
    let desc = BodyDesc {
        linear_velocity: velocity + DVec3::new(0.3, 0.1, 0.0),
        angular_velocity: DVec3::new(1.0, 2.0, 0.5),
        ..desc
    };
    let id = world.add_body(desc).unwrap();
    steps(&mut world, 100);
    let moved = velocity * world.time();
    (world.body(id).position - moved, world.body(id).orientation)
}

/// A scene in a lift or on a train is the scene at rest.
#[test]
fn a_scene_that_moves_as_a_whole_goes_the_same_way() {
    let (at_rest, turned) = falls_in_a_lift(DVec3::ZERO);
    for velocity in [DVec3::Z * 5.0, DVec3::Z * -20.0, DVec3::new(30.0, -10.0, 0.0)] {
        let (found, orientation) = falls_in_a_lift(velocity);
        // Positions up to 30 m have 4e-15 m of rounding, which every corner that lands makes larger.
        assert!(found.distance(at_rest) < 1e-6, "{velocity}: {found}, at rest {at_rest}");
        assert!(orientation.angle_between(turned) < 1e-5, "{velocity}: {orientation}, at rest {turned}");
    }
}

/// A ball that flies past an edge, 48 mm clear of it, flies on.
/// A ball that bounces while it slides takes up `Δω = μ m R (1 + e) v_n / I`, wherever within a step it touches.
#[test]
fn a_bounce_with_friction_gives_the_same_spin_with_any_step() {
    let (radius, mu, e) = (0.05, 0.1, 0.8);
    for dt in [0.01, 0.005, 0.0025, 0.001] {
        for height in [0.3, 0.31, 0.317, 0.33, 0.35] {
            let mut world = world_with_floor(Settings { restitution: e, ..with_step(dt) }, mu);
            let desc = ball("ball", radius, 1.0, DVec3::Z * height);
            let velocity = DVec3::new(2.0, 0.0, -3.0);
            let spin = DVec3::Y * -20.0;
            let desc =
                BodyDesc { friction: Some(mu), linear_velocity: velocity, angular_velocity: spin, ..desc };
            let id = world.add_body(desc).unwrap();
            steps(&mut world, (0.2 / dt) as usize);
            // It is held a ten-thousandth of its size within the floor, and so a little nearer.
            let speed = (velocity.z * velocity.z + 2.0 * G * (height - radius)).sqrt();
            let gained = mu * (1.0 + e) * speed / (0.4 * radius);
            let found = world.body(id).angular_velocity.y - spin.y;
            assert!((found / gained - 1.0).abs() < 1e-3, "{dt}, {height}: {found} of {gained}");
        }
    }
}

#[test]
fn what_passes_clear_is_left_alone() {
    let settings = Settings { gravity: DVec3::ZERO, restitution: 0.5, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let half_size = DVec3::new(2.0, 2.0, 0.25);
    let plate = Shape::Cuboid(Cuboid { half_size });
    let at = Pose::from_translation(DVec3::new(-2.0, 0.0, -0.25));
    world.add_body(BodyDesc { w_from_shape: at, ..fixed("plate", plate) }).unwrap();
    let velocity = DVec3::new(20.0, 0.0, -10.0);
    let desc = BodyDesc { linear_velocity: velocity, ..ball("ball", 0.1, 1.0, DVec3::new(-0.05, 0.0, 0.19)) };
    world.add_body(desc).unwrap();
    step(&mut world);
    assert_eq!(world.body(BodyId(1)).linear_velocity, velocity);
}
