//! Depth of contacts: compliance, position correction, landing.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::{G, ball, cuboid, settings, step, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::{Cone, Cuboid, Pose, Shape, Sphere};
use tactum_sim::{BodyDesc, PatchModel, Settings, World};

/// A box on a normal row of compliance c sinks by c m g, whatever the time step.
#[test]
fn d6_30_a_compliant_contact_sinks_by_compliance_times_weight() {
    let (mass, compliance) = (3.0, 1e-5);
    let sag = compliance * mass * G;
    for dt in [1e-3, 4e-3, 2e-2] {
        let settings = Settings { dt, compliance, ..settings(0.0) };
        let mut world = world_with_floor(settings, 0.5);
        let cube = world.add_body(cuboid("cube", DVec3::ONE, mass, DVec3::Z * (0.5 - 1.5 * sag))).unwrap();
        // Implicit damping alone: 3 % per step at 1 ms and 180 rad/s, 1e-13 after 1000 steps.
        steps(&mut world, 1500);
        let depth = 0.5 - world.body(cube).position.z;
        assert!((depth / sag - 1.0).abs() < 1e-6, "dt {dt}: depth {depth}, expected {sag}");
    }
}

/// So does whatever touches with a cap, an edge or a corner: it is the body that gives way, not the mean depth of its overlap.
#[test]
fn what_touches_with_a_point_or_an_edge_sinks_as_far() {
    let (mass, compliance) = (2.0, 1e-5);
    let sag = compliance * mass * G;
    let up = DQuat::from_rotation_x(PI);
    let quarter = DQuat::from_rotation_x(0.25 * PI);
    let ball = Shape::from_mesh(tactum_geometry::mesh::generate::sphere(0.1, 5120).unwrap()).unwrap();
    for (name, shape, turn, reach) in [
        ("ball", Shape::Sphere(Sphere { radius: 0.1 }), DQuat::IDENTITY, 0.1),
        ("ball of facets", ball.clone(), DQuat::IDENTITY, ball.farthest(DVec3::NEG_Z)),
        ("edge", Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.1) }), quarter, 0.1 * 2.0_f64.sqrt()),
        ("tip", Shape::Cone(Cone { radius: 0.1, height: 0.2 }), up, 0.1),
    ] {
        for dt in [1e-2, 1e-3] {
            let mut world = world_with_floor(
                Settings { dt, compliance, damping: 200.0, target_depth: 0.0, ..Settings::default() },
                0.5,
            );
            let desc = cuboid(name, DVec3::splat(0.2), mass, DVec3::ZERO);
            let at = Pose::new(DVec3::Z * (reach - 0.5 * sag), turn);
            let id = world.add_body(BodyDesc { shape: shape.clone(), w_from_shape: at, ..desc }).unwrap();
            // What stands on an edge or a tip falls over from rounding, later than this.
            steps(&mut world, (0.3 / dt).round() as usize);
            let depth = reach - world.body(id).position.z;
            println!("{name}, {dt} s: {} of c m g", depth / sag);
            // The damper's time constant is 2 ms: seen 8e-11 and less.
            assert!((depth / sag - 1.0).abs() < 1e-6, "{name}, {dt} s: {depth} m, expected {sag} m");
        }
    }
}

/// Damping changes how a compliant contact settles, not where.
#[test]
fn damping_leaves_the_depth_of_rest() {
    let (mass, compliance) = (3.0, 1e-4);
    let settings = Settings { compliance, damping: 200.0, ..settings(0.0) };
    let mut world = world_with_floor(settings, 0.5);
    let cube = world.add_body(cuboid("cube", DVec3::ONE, mass, DVec3::Z * 0.4999)).unwrap();
    steps(&mut world, 1000);
    let depth = 0.5 - world.body(cube).position.z;
    assert!((depth / (compliance * mass * G) - 1.0).abs() < 1e-6, "depth {depth}");
}

/// The excess of a prism is taken out in one step, that of a cap to half its depth per step, with no velocity left.
#[test]
fn d6_31_position_correction_takes_out_the_excess() {
    let weightless = Settings { gravity: DVec3::ZERO, ..settings(0.0) };
    let mut world = world_with_floor(weightless, 0.5);
    let cube = world.add_body(cuboid("cube", DVec3::ONE, 1.0, DVec3::Z * 0.48)).unwrap();
    step(&mut world);
    assert!((world.body(cube).position.z - 0.5).abs() < 1e-12);
    assert!(world.body(cube).linear_velocity.length() < 1e-12);

    let mut world = world_with_floor(Settings { patch: PatchModel::Ellipse { k: 6.0 }, ..weightless }, 0.5);
    let ball = world.add_body(ball("ball", 0.5, 2.0, DVec3::Z * 0.49)).unwrap();
    let mut depth = 0.01;
    for _ in 0..5 {
        step(&mut world);
        let left = 0.5 - world.body(ball).position.z;
        assert!((left / depth - 0.5).abs() < 0.02, "{left} left of {depth}");
        depth = left;
    }
    assert!(world.kinetic_energy() < 1e-24);
}

/// A box that starts above its target depth settles exactly there, from above without overshoot, and stays.
#[test]
fn a_box_settles_at_its_target_depth() {
    let target = 5e-5;
    for start in [1e-3 * target, 0.2 * target, target, 3.0 * target] {
        let mut world = world_with_floor(Settings::default(), 0.5);
        let cube = world.add_body(cuboid("cube", DVec3::ONE, 5.0, DVec3::Z * (0.5 - start))).unwrap();
        for _ in 0..100 {
            step(&mut world);
            let depth = 0.5 - world.body(cube).position.z;
            assert!(depth < target.max(start) * (1.0 + 1e-6), "from {start}: {depth} is too deep");
        }
        let depth = 0.5 - world.body(cube).position.z;
        assert!((depth / target - 1.0).abs() < 1e-6, "from {start}: depth {depth}");
        assert!(world.kinetic_energy() < 1e-24, "from {start}: {} J", world.kinetic_energy());
    }
}

/// So does a ball whose cap starts with hardly any volume, where Newton's step would be a fall.
#[test]
fn a_ball_settles_at_its_target_volume() {
    let (radius, depth): (f64, f64) = (0.5, 0.01);
    let cap = PI * depth * depth * (3.0 * radius - depth) / 3.0;
    let settings = Settings { patch: PatchModel::Ellipse { k: 6.0 }, ..settings(cap) };
    let mut world = world_with_floor(settings, 0.5);
    let ball = world.add_body(ball("ball", radius, 2.0, DVec3::Z * (radius - 1e-6))).unwrap();
    for _ in 0..200 {
        step(&mut world);
        let now = radius - world.body(ball).position.z;
        assert!(now < depth * 1.001, "{now} is too deep");
    }
    let now = radius - world.body(ball).position.z;
    assert!((now / depth - 1.0).abs() < 1e-6, "depth {now}");
}

/// A box that falls from a metre is out of the ground by the next step and does not jump.
#[test]
fn a_fast_box_is_pushed_out_without_being_thrown() {
    let mut world = world_with_floor(Settings::default(), 0.5);
    let cube = world.add_body(cuboid("cube", DVec3::splat(0.2), 5.0, DVec3::Z * 1.1)).unwrap();
    let mut lowest = f64::INFINITY;
    for _ in 0..200 {
        step(&mut world);
        let body = world.body(cube);
        lowest = lowest.min(body.position.z);
        if world.time() > 0.5 {
            assert!(body.linear_velocity.z < 1e-9, "thrown up with {}", body.linear_velocity.z);
            assert!((body.position.z - 0.1).abs() < 1e-4, "at {}", body.position.z);
        }
    }
    assert!(world.kinetic_energy() < 1e-20);
}

/// Restitution returns the given part of the impact speed, flat and without spin.
#[test]
fn restitution_returns_its_part_of_the_speed() {
    let settings = Settings { restitution: 0.6, ..Settings::default() };
    let mut world = world_with_floor(settings, 0.5);
    let cube = world.add_body(cuboid("cube", DVec3::splat(0.2), 5.0, DVec3::Z * 1.1)).unwrap();
    while world.body(cube).linear_velocity.z <= 0.0 {
        step(&mut world);
        assert!(world.time() < 1.0, "never bounced");
    }
    // Wherever in the step it touches.
    let touched = (2.0 / G).sqrt();
    let expected = 0.6 * G * touched - G * (world.time() - touched);
    let speed = world.body(cube).linear_velocity.z;
    assert!((speed - expected).abs() < 1e-9, "{speed} m/s, expected {expected} m/s");
    assert!(world.body(cube).angular_velocity.length() < 1e-12);
}

/// A small ball wholly inside a large fixed box leaves it, by no more than its own size per step.
#[test]
fn a_swallowed_body_leaves() {
    let mut world = world_with_floor(Settings { gravity: DVec3::ZERO, ..Settings::default() }, 0.5);
    let ball = world.add_body(ball("ball", 0.05, 1.0, DVec3::new(0.2, 0.1, -0.4))).unwrap();
    let mut last = world.body(ball).position;
    for _ in 0..50 {
        step(&mut world);
        let now = world.body(ball).position;
        assert!((now - last).length() <= 0.1 + 1e-12, "moved by {}", (now - last).length());
        last = now;
    }
    assert!((last.z - 0.05).abs() < 1e-4, "at {last}");
    assert!((last - DVec3::new(0.2, 0.1, last.z)).length() < 1e-9);
}

/// Two boxes that meet somewhere in space, deep and askew, keep both momenta, while they are pushed apart as well.
#[test]
fn bodies_that_collide_in_space_keep_their_momenta() {
    let weightless = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let mut n_corrected = 0;
    for case in 0..100 {
        let part = |k: u32| f64::from((case * 31 + k * 17) % 23) / 11.5 - 1.0;
        let vector = |k: u32| DVec3::new(part(k), part(k + 1), part(k + 2));
        let mut world = World::new(weightless).unwrap();
        for side in 0..2 {
            let sign = 1.0 - 2.0 * f64::from(side);
            let sides = DVec3::new(0.2, 0.3, 0.4);
            let k = 7 * side;
            let desc = cuboid("box", sides, 1.0 + 3.0 * f64::from(side), DVec3::ZERO);
            let position = DVec3::X * (0.2 * sign) + 0.02 * vector(k);
            let orientation = DQuat::from_scaled_axis(2.0 * vector(k + 1));
            let linear_velocity = DVec3::X * (-2.0 * sign) + vector(k + 2);
            let angular_velocity = 5.0 * vector(k + 3);
            let w_from_shape = Pose::new(position, orientation);
            world.add_body(BodyDesc { w_from_shape, linear_velocity, angular_velocity, ..desc }).unwrap();
        }
        let [linear, angular] = world.momenta();
        for _ in 0..40 {
            let report = step(&mut world);
            n_corrected += usize::from(report.max_depth > 1e-3);
            let [p, l] = world.momenta();
            assert!((p - linear).length() < 1e-9, "case {case}: {p} for {linear}");
            assert!((l - angular).length() < 1e-9, "case {case}: {l} for {angular}");
        }
    }
    assert!(n_corrected > 100, "{n_corrected} deep contacts");
}
