//! Joints under strong pull: tops on a pivot, light chains with heavy ends, chains that spin in free space.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{G, angular_momentum, ball, cuboid, momentum, step};
use glam::{DQuat, DVec3};
use tactum_sim::{BodyDesc, BodyId, JointDesc, JointKind, Settings, World};

/// A world without floor at 10 ms.
fn world(gravity: f64) -> World {
    let gravity = DVec3::new(0.0, 0.0, -gravity);
    World::new(Settings { dt: 0.01, gravity, sleep_after: 0.0, ..Settings::default() }).unwrap()
}

fn pivot(world: &mut World, a: Option<BodyId>, b: BodyId, anchor: DVec3) {
    let joint = JointDesc {
        name: "pivot".to_owned(),
        a,
        b,
        kind: JointKind::Spherical { limit: None },
        anchor,
        axis: DVec3::X,
        bodies_touch: false,
        break_force: None,
        break_torque: None,
    };
    world.add_joint(joint).unwrap();
}

/// A rod of length 0.2 and this mass whose first end is at `from`.
fn rod(mass: f64, from: DVec3, along: DVec3) -> BodyDesc {
    let mut rod = cuboid("rod", DVec3::new(0.19, 0.02, 0.02), mass, from + 0.1 * along);
    rod.w_from_shape.rotation = DQuat::from_rotation_arc(DVec3::X, along);
    rod
}

/// `n` rods of this mass one after the other from the origin on, where the world holds them, and a ball at the end.
fn chain(world: &mut World, n: u32, mass: f64, load: f64, along: DVec3) -> BodyId {
    let (mut last, mut end) = (None, DVec3::ZERO);
    for _ in 0..n {
        let next = world.add_body(rod(mass, end, along)).unwrap();
        pivot(world, last, next, end);
        (last, end) = (Some(next), end + 0.2 * along);
    }
    let ball = world.add_body(ball("load", 0.1, load, end + 0.1 * along)).unwrap();
    pivot(world, last, ball, end);
    ball
}

/// How far the worst joint gapes \[m\].
fn gape(world: &World) -> f64 {
    let anchor = |body: Option<BodyId>, half: DVec3| {
        body.map_or(half, |ix| world.body(ix).position + world.body(ix).orientation * half)
    };
    let gaps = world.joints().iter().map(|joint| {
        (anchor(joint.a, joint.halves[0].origin) - anchor(Some(joint.b), joint.halves[1].origin)).length()
    });
    gaps.fold(0.0, f64::max)
}

#[test]
fn a_top_on_a_pivot_goes_round_and_keeps_its_energy() {
    let mut world = world(G);
    let (arm, tilt, spin) = (0.15, 1.0_f64, 85.0);
    let axis = DVec3::new(tilt.sin(), 0.0, tilt.cos());
    let mut plate = cuboid("top", DVec3::new(0.2, 0.2, 0.02), 1.0, arm * axis);
    plate.w_from_shape.rotation = DQuat::from_rotation_y(tilt);
    let about_axis = 0.04 * 2.0 / 12.0;
    let across = (0.04 + 4e-4) / 12.0 + arm * arm;
    // Steady precession p: across cos(tilt) p² - about_axis s p + m g l = 0 with the angular velocity s along the axis.
    let (a, b) = (across * tilt.cos(), about_axis * spin);
    let rate = (b - (b * b - 4.0 * a * G * arm).sqrt()) / (2.0 * a);
    let top = world.add_body(plate).unwrap();
    pivot(&mut world, None, top, DVec3::ZERO);
    let turning = axis * (spin - rate * tilt.cos()) + DVec3::Z * rate;
    world.set_velocity(top, turning.cross(arm * axis), turning).unwrap();
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let start = energy(&world);
    let mut worst = 0.0_f64;
    let (mut turned, mut last) = (0.0, 0.0_f64);
    for _ in 0..2000 {
        step(&mut world);
        worst = worst.max((energy(&world) - start).abs());
        let at = world.body(top).position;
        let azimuth = at.y.atan2(at.x);
        turned += (azimuth - last + 3.0 * std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        last = azimuth;
    }
    // It turns by 0.85 rad in a step; energy swings by second order of that. Seen 2.7e-4 of the spin's energy.
    let of_spin = 0.5 * about_axis * spin * spin;
    assert!(worst < 1e-3 * of_spin, "energy moved by {worst} J of {of_spin} J");
    assert!((turned / (rate * 20.0) - 1.0).abs() < 0.005, "went round by {turned} rad, not {}", rate * 20.0);
}

#[test]
fn a_light_chain_carries_a_heavy_load_that_swings() {
    for (load, tilt) in [(10.0, 0.35), (1000.0, 0.35), (1000.0, 1.4_f64), (1e4, 0.35)] {
        let mut world = world(G);
        let along = DVec3::new(tilt.sin(), 0.0, -tilt.cos());
        let ball = chain(&mut world, 10, 0.5, load, along);
        let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
        // Under such a load the chain is a string: what the load swings with is all that there is.
        let start = energy(&world);
        let fall = load * G * 2.1 * (1.0 - tilt.cos());
        let mut worst = 0.0_f64;
        for n in 0..600 {
            let report = step(&mut world);
            assert!(report.unconverged_islands == 0, "{load} kg: step {n} was not solved");
            worst = worst.max((energy(&world) - start).abs());
            assert!(gape(&world) < 1e-4, "{load} kg: a joint gapes by {} m in step {n}", gape(&world));
        }
        assert!(worst < 0.02 * fall, "{load} kg: energy moved by {worst} J of {fall} J");
        let string = world.body(ball).position.length();
        assert!((string / 2.1 - 1.0).abs() < 0.01, "{load} kg: the string is {string} m long");
    }
}

#[test]
fn a_chain_that_spins_in_free_space_keeps_its_momentum() {
    for (load, rate) in [(0.5, 5.0), (10.0, 5.0), (0.5, 20.0)] {
        let mut world = world(0.0);
        let first = world.add_body(ball("first", 0.1, load, DVec3::X * -0.7)).unwrap();
        let mut last = (first, DVec3::X * -0.6);
        for _ in 0..6 {
            let rod = world.add_body(rod(0.1, last.1, DVec3::X)).unwrap();
            pivot(&mut world, Some(last.0), rod, last.1);
            last = (rod, last.1 + DVec3::X * 0.2);
        }
        let second = world.add_body(ball("second", 0.1, load, DVec3::X * 0.7)).unwrap();
        pivot(&mut world, Some(last.0), second, last.1);
        for ix in 0..8 {
            let body = BodyId(ix);
            let at = world.body(body).position;
            let askew = if ix == 3 { DVec3::new(0.3, 1.0, 0.0) } else { DVec3::ZERO };
            world.set_velocity(body, DVec3::Y * (rate * at.x), DVec3::Z * rate + askew).unwrap();
        }
        let (turning, energy) = (angular_momentum(&world), world.kinetic_energy());
        for n in 0..300 {
            step(&mut world);
            let off = (angular_momentum(&world) - turning).length() / turning.length();
            assert!(off < 1e-11, "{load} kg: angular momentum is off by {off} in step {n}");
            assert!(momentum(&world).length() < 1e-11 * load * rate);
        }
        let ratio = world.kinetic_energy() / energy;
        // A joint's half is led along the chord of its arc: (ω h)² / 8.
        assert!(
            (ratio - 1.0).abs() < (rate * 0.01_f64).powi(2) / 4.0 + 1e-3,
            "{load} kg: energy {ratio} of what it was"
        );
    }
}
