//! Continuous penalty forces give back no more than was put into them, and begin with nothing where nothing touches.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::penalty::{of_mesh, settings, step, try_step};
use common::{cuboid, fixed};
use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, Shape, TriangleMesh};
use tactum_random::Rng;
use tactum_sim::{BodyDesc, BodyKind, Settings, World};

/// A vector of random numbers between -1 and 1.
fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.range(-1.0, 1.0)))
}

/// A prism of 0.1 m over a polygon that is made of quadrilaterals.
fn extruded(corners: &[[f64; 2]], quads: &[[u32; 4]]) -> TriangleMesh {
    let n = corners.len() as u32;
    let at = |z: f64| corners.iter().map(move |[x, y]| DVec3::new(*x, *y, z));
    let vertices: Vec<DVec3> = at(-0.05).chain(at(0.05)).collect();
    let ends = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, c, b], [a, d, c], [n + a, n + b, n + c], [n + a, n + c, n + d]]);
    let sides = (0..n).map(|i| (i, (i + 1) % n)).flat_map(|(i, j)| [[i, j, n + j], [i, n + j, n + i]]);
    TriangleMesh { vertices, triangles: ends.chain(sides).collect() }
}

/// Bodies of all kinds: with sharp corners and blunt ones, long, flat, with hollows, round.
fn shapes() -> Vec<TriangleMesh> {
    let h = 0.2 / 2.0_f64.sqrt();
    let tips = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let tetrahedron = TriangleMesh {
        vertices: tips.iter().map(|tip| 0.5 * h * DVec3::from(*tip)).collect(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let ell = [[-0.15, -0.15], [0.15, -0.15], [0.15, -0.05], [-0.05, -0.05], [-0.05, 0.15], [-0.15, 0.15]];
    let cee =
        [[0.0, 0.0], [0.3, 0.0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.2], [0.3, 0.2], [0.3, 0.3], [0.0, 0.3]];
    let cee = cee.map(|[x, y]| [x - 0.12, y - 0.15]);
    let sixth = |i: u32| glam::DVec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_3).to_array();
    let hexagon: Vec<[f64; 2]> = (0..6).map(|i| sixth(i).map(|x| 0.15 * x)).collect();
    vec![
        tetrahedron,
        extruded(&ell, &[[0, 1, 2, 3], [0, 3, 4, 5]]),
        extruded(&cee, &[[0, 1, 2, 3], [0, 3, 4, 7], [4, 5, 6, 7]]),
        extruded(&hexagon, &[[0, 1, 2, 3], [0, 3, 4, 5]]),
        generate::cuboid(DVec3::splat(0.2), 12).unwrap(),
        generate::cuboid(DVec3::new(0.4, 0.04, 0.04), 12).unwrap(),
        generate::cuboid(DVec3::new(0.3, 0.3, 0.05), 12).unwrap(),
        generate::sphere(0.12, 80).unwrap(),
        generate::torus(0.1, 0.03, 200).unwrap(),
    ]
}

fn kinetic(world: &World) -> f64 {
    let of = |body: &tactum_sim::Body| {
        let own = DMat3::from_quat(body.orientation).transpose() * body.angular_velocity;
        0.5 * (body.mass.mass * body.linear_velocity.length_squared() + own.dot(body.mass.inertia * own))
    };
    world.bodies().iter().filter(|body| body.kind == BodyKind::Dynamic).map(of).sum()
}

/// Bodies of 1 kg that come at each other at 1 m/s each, turning, without friction: they never have more energy than they came with when they are apart,
/// and are never deeper in each other than all of it in one spring would make them, and the way of a step.
#[test]
fn no_collision_gains_energy() {
    let mut rng = Rng::new(52);
    for (cases, stiffness, dt) in [(250, 1e5, 1e-3), (150, 1e4, 1e-3), (60, 1e4, 2.5e-4), (60, 1e5, 2e-3)] {
        collide(&mut rng, cases, &Settings { stiffness, ..settings(dt) }, 0.0);
    }
}

/// The same with friction and dampers, which take energy: what springs give back is counted on the way that these have made.
#[test]
fn no_collision_with_friction_and_dampers_gains_energy() {
    let mut rng = Rng::new(53);
    for (friction, damping) in [(0.3, 0.0), (1.0, 0.0), (0.0, 20.0), (0.5, 5.0), (0.5, 200.0)] {
        for (stiffness, dt) in [(1e5, 1e-3), (1e4, 1e-3), (1e5, 2e-3)] {
            collide(&mut rng, 25, &Settings { stiffness, damping, ..settings(dt) }, friction);
        }
    }
}

/// Lets random pairs of bodies collide.
fn collide(rng: &mut Rng, cases: usize, settings: &Settings, friction: f64) {
    let shapes = shapes();
    let Settings { stiffness, damping, dt, .. } = *settings;
    for case in 0..rng.cases(cases) {
        let mut world = World::new(*settings).unwrap();
        let mut names = [0; 2];
        for (name, side) in names.iter_mut().zip([-1.0, 1.0]) {
            *name = (rng.bits() % shapes.len() as u64) as usize;
            let aside = 0.06 * vector(rng) * DVec3::new(0.0, 1.0, 1.0);
            let turned = DQuat::from_scaled_axis(std::f64::consts::PI * vector(rng));
            // Any mass and inertia will do.
            let body = cuboid("body", DVec3::splat(0.2), 1.0, DVec3::ZERO);
            let body = BodyDesc {
                w_from_shape: Pose::new(0.4 * side * DVec3::X + aside, turned),
                linear_velocity: -side * DVec3::X,
                angular_velocity: 3.0 * vector(rng),
                friction: Some(friction),
                ..of_mesh(body, &shapes[*name])
            };
            world.add_body(body).unwrap();
        }
        let before = kinetic(&world);
        // Corners turn at up to 0.25 m × 5 rad/s.
        let deepest = (2.0 * before / stiffness).sqrt() + 2.0 * dt * (1.0 + 1.25);
        for i in 0..(0.7 / dt) as u32 {
            let report = step(&mut world);
            let now = kinetic(&world);
            let what =
                format!("case {case} of {names:?}, {stiffness} N/m, {damping} N s/m, {dt} s, step {i}");
            assert!(report.max_depth <= deepest, "{what}: {} m of {deepest}", report.max_depth);
            // Springs by themselves overdraw no account of work; what friction and dampers make of it afterwards is remembered.
            let pairs = world.snapshot().memory.passages.pairs;
            let least = pairs.iter().map(|pair| pair.work).fold(0.0, f64::min);
            let resists = friction > 0.0 || damping > 0.0;
            assert!(resists || least > -1e-6 * before, "{what}: overdrawn by {} J", -least);
            let is_free = report.contacts.is_empty();
            assert!(!is_free || now <= before * (1.0 + 1e-6), "{what}: {now} J of {before}");
        }
    }
}

/// A ball that is shot right through the rim of a disc of 1 mm, half of it over and half of it beside it, comes out of it on the side from which it came.
#[test]
fn a_ball_does_not_stay_in_a_thin_disc() {
    let mut world = World::new(Settings { stiffness: 2e4, ..settings(1e-3) }).unwrap();
    let disc = generate::cylinder(0.25, 0.001, 320).unwrap();
    world.add_body(of_mesh(fixed("disc", Shape::HalfSpace), &disc)).unwrap();
    let place = DVec3::new(-0.207_018_818_040_478_56, -0.164_745_336_289_877_25, -0.165_563_946_886_420_43);
    let body = common::ball("ball", 0.005, 0.01, place);
    let ball = BodyDesc {
        linear_velocity: DVec3::new(6.838_293_197_133_485, 6.272_395_246_339_019, 96.776_348_212_582_33),
        angular_velocity: DVec3::new(-85.026_454_795_833_13, -9.742_573_615_855_93, -441.068_416_495_792_75),
        friction: Some(0.5),
        ..of_mesh(body, &generate::sphere(0.005, 320).unwrap())
    };
    let ball = world.add_body(ball).unwrap();
    (0..100).for_each(|_| drop(step(&mut world)));
    let body = world.body(ball);
    assert!(body.position.z < -0.1, "{} at {} m/s", body.position, body.linear_velocity);
}

/// Balls that come at the rim of a disc which is thinner than they sink into it: sides of the disc press both ways, and other features take over in
/// each step. Whatever does, they never have more energy than they came with, in any step.
#[test]
fn balls_at_a_thin_rim_gain_no_energy() {
    let disc = generate::cylinder(0.25, 0.001, 320).unwrap();
    let ball = generate::sphere(0.005, 320).unwrap();
    let mut rng = Rng::new(61);
    for dt in [1e-3, 7e-5] {
        for case in 0..rng.cases(40) {
            let mut world = World::new(Settings { stiffness: 2e4, ..settings(dt) }).unwrap();
            world.add_body(of_mesh(fixed("disc", Shape::HalfSpace), &disc)).unwrap();
            let around = glam::DVec2::from_angle(rng.range(0.0, std::f64::consts::TAU))
                * (0.25 - rng.range(0.0, 0.006));
            let speed = rng.range(2.0, 15.0);
            let way = (DVec3::NEG_Z + 0.8 * vector(&mut rng) * DVec3::new(1.0, 1.0, 0.0)).normalize();
            let from = around.extend(0.0) - way * 0.02;
            let body = BodyDesc {
                w_from_shape: Pose::new(from, DQuat::from_scaled_axis(3.0 * vector(&mut rng))),
                linear_velocity: speed * way,
                friction: Some(0.0),
                ..of_mesh(common::ball("ball", 0.005, 0.01, from), &ball)
            };
            world.add_body(body).unwrap();
            let before = kinetic(&world);
            for i in 0..(0.06 / speed / dt) as u32 {
                step(&mut world);
                let now = kinetic(&world);
                assert!(now <= before * (1.0 + 1e-6), "case {case}, {dt} s, step {i}: {now} J of {before}");
            }
        }
    }
}

/// The number of sub-steps in the message is one that people read.
#[test]
fn absurd_stiffness_is_refused_in_few_words() {
    let mut world = World::new(Settings { stiffness: 1e300, ..settings(1e-3) }).unwrap();
    world.add_body(fixed("floor", Shape::HalfSpace)).unwrap();
    let cube = common::penalty::block("cube", DVec3::splat(0.2), 1.0, DVec3::Z * 0.0999);
    world.add_body(cube).unwrap();
    let error = try_step(&mut world).unwrap_err().to_string();
    assert!(error.contains("sub-steps for bodies 'floor' and 'cube'") && error.len() < 200, "{error}");
}
