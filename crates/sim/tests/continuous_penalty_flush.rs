//! Continuous penalty forces where equal bodies lie exactly on each other: edges along edges, corners on corners.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::penalty::{MASS, STIFFNESS, block, of_mesh, settings, step};
use common::{G, cuboid, fixed};
use glam::{DQuat, DVec3};
use tactum_geometry::{Pose, Shape, TriangleMesh};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

/// Side of the cubes \[m\].
const SIDE: f64 = 0.2;

/// What a cube may be tilted by at rest \[rad\]: far above rounding, and far below what a corner that is lost makes of it, some 1e-2.
const TILT: f64 = 1e-6;

/// What carries a cube may be off as a part of the weight on it: a stack of five still swings by 8e-3 after two seconds.
const CARRIED: f64 = 0.02;

/// Bodies on a floor, turned together about the vertical.
fn on_floor(bodies: impl IntoIterator<Item = BodyDesc>, turn: f64, dt: f64, damping: f64) -> World {
    let settings = Settings { gravity: DVec3::Z * -G, damping, ..settings(dt) };
    let mut world = World::new(settings).unwrap();
    world.add_body(BodyDesc { friction: Some(0.5), ..fixed("floor", Shape::HalfSpace) }).unwrap();
    let turn = DQuat::from_rotation_z(turn);
    for body in bodies {
        let pose = Pose::new(turn * body.w_from_shape.translation, turn);
        world.add_body(BodyDesc { w_from_shape: pose, friction: Some(0.5), ..body }).unwrap();
    }
    world
}

fn cube(i: u32, shift: f64) -> BodyDesc {
    block(&format!("cube {i}"), DVec3::splat(SIDE), MASS, DVec3::new(shift, 0.0, SIDE * (f64::from(i) + 0.5)))
}

/// A stack of cubes that touch.
fn stack(n: u32, turn: f64, dt: f64) -> World {
    on_floor((0..n).map(|i| cube(i, 0.0)), turn, dt, 20.0)
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

/// The largest tilt of a body in two seconds \[rad\].
fn tilted(world: &mut World, dt: f64) -> f64 {
    let mut worst = 0.0_f64;
    for _ in 0..(2.0 / dt).round() as u32 {
        step(world);
        let tilts =
            world.bodies().iter().skip(1).map(|body| (body.orientation * DVec3::Z).cross(DVec3::Z).length());
        worst = tilts.fold(worst, f64::max);
    }
    worst
}

/// A cube shifted along a side of another one, so that two of their sides are flush, stands on four springs, however often corners and edges take
/// over from each other there: leaning by what these give way by the weight on each.
#[test]
fn a_cube_shifted_along_a_side_stands_on_four_springs() {
    for shift in [0.01, 0.03, 0.05, 0.07] {
        // Arms of its own corners and of those of the cube below from its middle, and how deep they are for its weight to lie on them.
        let arms = [0.5 * SIDE, 0.5 * SIDE - shift];
        let deep = |arm: f64, other: f64| MASS * G / (2.0 * STIFFNESS) * other / (arm + other);
        let leans = (deep(arms[1], arms[0]) - deep(arms[0], arms[1])) / (arms[0] + arms[1]);
        for dt in [1e-2, 2.5e-3, 1e-3] {
            for (damping, turn) in [(5.0, 0.0), (20.0, 0.0), (100.0, 0.0), (100.0, 0.5)] {
                let mut world = on_floor([cube(0, 0.0), cube(1, shift)], turn, dt, damping);
                let most = tilted(&mut world, dt);
                let [lower, upper] = [1, 2].map(|i| world.bodies()[i].orientation * DVec3::Z);
                let leaning = lower.cross(upper).length();
                let case = format!("{shift} m, {dt} s, {damping} N s/m, turned by {turn}");
                println!("{case}: leans by {leaning:.3e} for {leans:.3e} rad, at most {most:.1e}");
                // Let go on springs it leans twice as far at most, together with the cube below.
                assert!(most < 10.0 * leans, "{case}: {most} rad");
                // What a damper has brought to rest by then leans as its springs say, but that its middle leans over as well.
                let off = 2.0 * most * 0.5 * SIDE / shift;
                let is_right = damping < 100.0 || (leaning / leans - 1.0).abs() < off;
                assert!(is_right, "{case}: {leaning} rad for {leans}, off by {off} at most");
            }
        }
    }
}

/// A prism over a regular polygon.
fn prism(n: u32, radius: f64, height: f64) -> TriangleMesh {
    let corner = |i: u32| {
        DVec3::from((radius * glam::DVec2::from_angle(2.0 * PI * f64::from(i % n) / f64::from(n)), 0.0))
    };
    let end = |z: f64| (0..n).map(move |i| corner(i) + DVec3::Z * z);
    let vertices = end(-0.5 * height).chain(end(0.5 * height)).collect();
    let ends = (1..n - 1).flat_map(|i| [[0, i + 1, i], [n, n + i, n + i + 1]]);
    let sides = (0..n).map(|i| (i, (i + 1) % n)).flat_map(|(i, j)| [[i, j, n + j], [i, n + j, n + i]]);
    TriangleMesh { vertices, triangles: ends.chain(sides).collect() }
}

/// Other things with flush sides: planks, bricks, towers, prisms whose sides meet at other angles; none of them falls.
#[test]
fn whatever_has_flush_sides_stands() {
    let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let flat = |sides: [f64; 3], place: DVec3| block("block", DVec3::from(sides), MASS, place);
    let of_prism = |n: u32, place: DVec3| {
        of_mesh(cuboid("prism", DVec3::new(0.17, 0.17, SIDE), MASS, place), &prism(n, 0.12, SIDE))
    };
    let mut piles: Vec<(String, Vec<BodyDesc>)> = vec![
        ("small in a corner".into(), vec![cube(0, 0.0), flat([0.1; 3], at(0.05, 0.05, 0.25))]),
        ("small at a side".into(), vec![cube(0, 0.0), flat([0.1; 3], at(0.02, 0.05, 0.25))]),
        ("plank".into(), vec![cube(0, 0.0), flat([0.5, SIDE, 0.05], at(0.07, 0.0, 0.225))]),
        (
            "wide on narrow".into(),
            vec![flat([0.1, 0.2, 0.1], at(0.0, 0.0, 0.05)), flat([0.3, 0.2, 0.1], at(0.01, 0.0, 0.15))],
        ),
        (
            "bricks".into(),
            [-0.1, 0.1, 0.0]
                .map(|x| flat([0.2, 0.1, 0.06], at(x, 0.0, if x == 0.0 { 0.09 } else { 0.03 })))
                .into(),
        ),
        ("stairs".into(), (0..4).map(|i| cube(i, 0.02 * f64::from(i))).collect()),
        ("zigzag".into(), (0..5).map(|i| cube(i, 0.03 * f64::from(i % 2))).collect()),
    ];
    for n in [3, 5, 6, 8] {
        let along = glam::DVec2::from_angle(2.0 * PI / f64::from(n)) - glam::DVec2::X;
        let shift = 0.02 * DVec3::from((along.normalize(), 0.0));
        for shift in [DVec3::ZERO, shift] {
            let two =
                [0.1, 0.3].map(|z| of_prism(n, DVec3::Z * z + if z > 0.2 { shift } else { DVec3::ZERO }));
            piles.push((format!("prisms of {n} sides, {shift}"), two.into()));
        }
    }
    for (name, bodies) in &piles {
        for (dt, damping) in [(1e-2, 5.0), (2.5e-3, 20.0), (1e-3, 5.0)] {
            let tilt = tilted(&mut on_floor(bodies.iter().cloned(), 0.5, dt, damping), dt);
            println!("{name}, {dt} s, {damping} N s/m: tilted by {tilt:.1e} rad");
            // Springs of `k` under arms of some 5 cm give way by 10 to 20 mrad at most; what has lost a corner tips at once.
            assert!(tilt < 0.03, "{name}, {dt} s, {damping} N s/m: {tilt} rad");
        }
    }
}
