//! Bounces of several bodies at once, and of bodies that rub: they give no energy.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{G, ball, cuboid, fixed, step};
use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, Shape};
use tactum_sim::{BodyDesc, BodyKind, Settings, World};

/// Kinetic and potential energy \[J\].
fn energy(world: &World, gravity: f64) -> f64 {
    let of = |body: &tactum_sim::Body| {
        let spin = body.orientation.conjugate() * body.angular_velocity;
        0.5 * body.mass.mass * body.linear_velocity.length_squared()
            + 0.5 * spin.dot(body.mass.inertia * spin)
            + body.mass.mass * gravity * body.position.z
    };
    world.bodies().iter().filter(|body| body.kind == BodyKind::Dynamic).map(of).sum()
}

/// Two balls that come at a row of two with hardly any gap: whatever the order in which a step meets them, the momentum is kept and no
/// energy is won. Newton's law for each pair alone gave a fifth more.
#[test]
fn balls_in_a_row_win_no_energy() {
    for gap in [1e-3, 1e-4, 1e-5] {
        for dt in [0.01, 0.005, 0.001] {
            let settings = Settings { dt, restitution: 1.0, gravity: DVec3::ZERO, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            for ix in 0..4 {
                let coming = if ix < 2 { 1.0 } else { 0.0 };
                let at = f64::from(ix) * (0.1 + gap) + if ix < 2 { -0.013 } else { 0.0 };
                let desc = ball("ball", 0.05, 1.0, DVec3::X * at);
                let desc = BodyDesc { friction: Some(0.0), linear_velocity: DVec3::X * coming, ..desc };
                world.add_body(desc).unwrap();
            }
            let mut most = 0.0_f64;
            for _ in 0..(0.1 / dt) as usize {
                step(&mut world);
                most = most.max(energy(&world, 0.0));
            }
            let momentum: f64 = world.bodies().iter().map(|body| body.linear_velocity.x).sum();
            println!("gap {gap} m, {dt} s: at most {most} J of 1, at the end {}", energy(&world, 0.0));
            assert!((momentum - 2.0).abs() < 1e-12, "gap {gap} m, {dt} s: {momentum} kg m/s");
            // A millionth of what the impulses turn over may seem to be none.
            assert!(most < 1.0 + 1e-5, "gap {gap} m, {dt} s: {most} J of 1");
        }
    }
}

/// Boxes that tumble on a rough floor and lose nothing where they do not rub win nothing where they do.
#[test]
fn rough_bounces_win_no_energy() {
    for seed in 0..12 {
        let turn = f64::from(seed);
        let orientation = DQuat::from_euler(glam::EulerRot::XYZ, 0.4 * turn, 0.9 * turn, 1.3 * turn);
        let settings = Settings { restitution: 1.0, dt: 0.0025, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world.add_body(fixed("floor", Shape::HalfSpace)).unwrap();
        let desc = cuboid("box", DVec3::new(0.2, 0.1, 0.05), 1.0, DVec3::ZERO);
        world
            .add_body(BodyDesc {
                w_from_shape: Pose::new(DVec3::Z * 0.4, orientation),
                linear_velocity: DVec3::new(2.0, 0.5, 0.0),
                angular_velocity: DVec3::new(turn, 3.0, -turn),
                friction: Some(0.5),
                ..desc
            })
            .unwrap();
        let mut last = energy(&world, G);
        for _ in 0..600 {
            step(&mut world);
            let now = energy(&world, G);
            // Poses are moved besides to where bounces leave them, by up to a millimetre's height; seen: 0.14 %. Newton's law alone: 36 %.
            assert!(now < last + 1e-2 * last, "seed {seed}: {last} J to {now} J in a step");
            last = now;
        }
    }
}
