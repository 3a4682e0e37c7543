//! Continuous penalty forces where equal bodies lie exactly on each other: edges along edges, corners on corners.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::penalty::{MASS, block, settings, step};
use common::{G, fixed};
use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

/// Side of the cubes \[m\].
const SIDE: f64 = 0.2;

/// What a cube may be tilted by at rest \[rad\]: far above rounding, and far below what a corner that is lost makes of it, some 1e-2.
const TILT: f64 = 1e-6;

/// What carries a cube may be off as a part of the weight on it: a stack of five still swings by 1e-3 after two seconds.
const CARRIED: f64 = 0.01;

/// A stack of cubes that touch, turned together about the vertical.
fn stack(n: u32, turn: f64, dt: f64) -> World {
    let settings = Settings { gravity: DVec3::Z * -G, damping: 20.0, ..settings(dt) };
    let mut world = World::new(settings).unwrap();
    world.add_body(BodyDesc { friction: Some(0.5), ..fixed("floor", Shape::HalfSpace) }).unwrap();
    let turn = DQuat::from_rotation_z(turn);
    for i in 0..n {
        let at = DVec3::Z * SIDE * (f64::from(i) + 0.5);
        let cube = block(&format!("cube {i}"), DVec3::splat(SIDE), MASS, at);
        world.add_body(BodyDesc { w_from_shape: Pose::new(at, turn), friction: Some(0.5), ..cube }).unwrap();
    }
    world
}

/// After two seconds: the largest tilt \[rad\], and how far what carries a cube is off, as a part of the weight on it.
fn tilt_and_load(n: u32, turn: f64, dt: f64) -> [f64; 2] {
    let mut world = stack(n, turn, dt);
    let n_steps = (2.0 / dt).round() as u32;
    let mut report = step(&mut world);
    for _ in 1..n_steps {
        report = step(&mut world);
    }
    let (mut worst_tilt, mut worst_load) = (0.0_f64, 0.0_f64);
    for (i, body) in world.bodies().iter().enumerate().skip(1) {
        worst_tilt = worst_tilt.max((body.orientation * DVec3::Z).cross(DVec3::Z).length());
        let below = [BodyId(i as u32 - 1), BodyId(i as u32)];
        let of_pair = report.contacts.iter().filter(|contact| contact.bodies == below);
        let carried: f64 = of_pair.map(|contact| (contact.impulse[0] * contact.normal).z / dt).sum();
        worst_load = worst_load.max((carried / (MASS * G * f64::from(n + 1 - i as u32)) - 1.0).abs());
    }
    println!("{n} cubes, turn {turn:.3}, {dt} s: tilt {worst_tilt:.1e}, load off {worst_load:.1e}");
    [worst_tilt, worst_load]
}

/// Each corner is a corner of both, and an end of four edges that lie in one another: whichever of them hold it, they go on holding it.
#[test]
fn equal_cubes_stand_flush_on_each_other() {
    for dt in [1e-2, 2.5e-3, 1e-3] {
        for (n, turn) in [(2, 0.0), (2, PI / 6.0), (5, 0.0), (5, PI / 4.0)] {
            let [tilt, load] = tilt_and_load(n, turn, dt);
            assert!(tilt < TILT && load < CARRIED, "{n} cubes, turned by {turn}, {dt} s: {tilt}, {load}");
        }
    }
}
