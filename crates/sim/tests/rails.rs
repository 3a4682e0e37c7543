//! Wheels of facets on rails that are narrower than they are, and over seams; balls that friction wedges between walls.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};
use std::sync::Arc;

use common::{fixed, moving, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Gear, Prism};
use tactum_geometry::shape::ConvexHull;
use tactum_geometry::{Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

const RADIUS: f64 = 0.1;
const WIDTH: f64 = 0.06;

/// What a mesh is to the program: a smooth body over edges that turn by up to a quarter radian.
fn rolling(shape: Shape, pose: Pose, velocity: DVec3, spin: DVec3) -> BodyDesc {
    let smooth = shape.smooth_surface(0.25).map(Arc::new);
    BodyDesc { smooth, ..moving(shape, pose, velocity, spin) }
}

/// A wheel of so many sides that rolls along x at this speed on static bodies whose top is z = 0.
fn wheel_on(grounds: &[(Shape, Pose)], sides: u32, speed: f64, dt: f64) -> (World, BodyId) {
    let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
    for (ix, (shape, pose)) in grounds.iter().enumerate() {
        let name = format!("ground {ix}");
        let ground = BodyDesc { w_from_shape: *pose, friction: Some(0.5), ..fixed(&name, shape.clone()) };
        world.add_body(ground).unwrap();
    }
    let mesh = generate::prism(&Prism { sides, radius: RADIUS, height: WIDTH }, 0).unwrap();
    let pose = Pose::new(DVec3::Z * RADIUS, DQuat::from_rotation_x(FRAC_PI_2));
    let shape = Shape::from_mesh(mesh).unwrap();
    let wheel = rolling(shape, pose, DVec3::X * speed, DVec3::Y * speed / RADIUS);
    let id = world.add_body(wheel).unwrap();
    (world, id)
}

/// What part of its kinetic energy a wheel has lost in so many seconds, and how high it has hopped \[m\].
fn roll(world: &mut World, wheel: BodyId, time: f64) -> (f64, f64) {
    let (energy, dt) = (world.kinetic_energy(), world.settings().dt);
    let mut highest = 0.0_f64;
    for _ in 0..(time / dt).round() as usize {
        steps(world, 1);
        highest = highest.max(world.body(wheel).position.z - RADIUS);
    }
    (1.0 - world.kinetic_energy() / energy, highest)
}

/// A wheel rolls on along a rail half as wide as it is, with sharp edges or with broken ones, as on a floor: in a straight line, without
/// loss and without hops, at every step and speed.
#[test]
fn a_wheel_rolls_on_along_a_rail_that_is_narrower() {
    let sharp = Shape::Cuboid(Cuboid { half_size: DVec3::new(6.0, 0.25 * WIDTH, 0.05) });
    // Its upper edges are cut off by a millimetre.
    let (half, cut) = (0.25 * WIDTH, 1e-3);
    let profile = [(half, -0.05), (half, 0.05 - cut), (half - cut, 0.05)];
    let points: Vec<DVec3> = [-6.0, 6.0]
        .into_iter()
        .flat_map(|x| profile.map(|(y, z)| [DVec3::new(x, y, z), DVec3::new(x, -y, z)]))
        .flatten()
        .collect();
    let broken = Shape::Convex(Arc::new(ConvexHull::from_points(&points).unwrap()));
    for rail in [sharp, broken] {
        for (speed, dt) in [1.0, 3.0].into_iter().flat_map(|v| [0.01, 0.0025, 0.001].map(|dt| (v, dt))) {
            let under = Pose::from_translation(DVec3::new(3.0, 0.0, -0.05));
            let (mut world, wheel) = wheel_on(&[(rail.clone(), under)], 120, speed, dt);
            let (lost, hop) = roll(&mut world, wheel, 0.5);
            let aside = world.body(wheel).position.y.abs();
            println!("{speed} m/s, dt {dt}: lost {lost:e}, hop {hop:e}, aside {aside:e}");
            // As allowed to wheels on a floor. Seen: 1.3e-6 at most, no hop, 5e-8 m aside.
            assert!(lost.abs() < 1e-3 && hop < 1e-6 && aside < 1e-6, "{speed} {dt}: {lost} {hop} {aside}");
        }
    }
}

/// Two boxes side by side are one floor for what rolls over their seam.
#[test]
fn a_wheel_rolls_on_over_a_seam() {
    let half = DVec3::new(1.0, 1.0, 0.1);
    let floor = |x: f64| {
        (Shape::Cuboid(Cuboid { half_size: half }), Pose::from_translation(DVec3::new(x, 0.0, -0.1)))
    };
    for dt in [0.01, 0.005, 0.0025, 0.001] {
        let (mut world, wheel) = wheel_on(&[floor(-0.7), floor(1.3)], 64, 1.0, dt);
        let (lost, hop) = roll(&mut world, wheel, 0.6);
        println!("dt {dt}: lost {lost:e}, hop {hop:e}");
        // It used to lose up to 0.43 and to hop 7 mm; now up to 1.6e-3 and 0.26 mm.
        assert!(lost.abs() < 5e-3 && hop < 5e-4, "{dt}: {lost} {hop}");
    }
}

/// A gear slides on its face, whose outline is not convex, over seams of boxes that are shorter than it is as on one floor, without
/// friction.
#[test]
fn a_gear_slides_over_seams_as_on_one_floor() {
    let size = Gear {
        teeth: 20,
        module: 0.01,
        pressure_angle_deg: 20.0,
        backlash: 0.0,
        height: 0.04,
        bore_radius: 0.0,
    };
    let gear = Shape::from_mesh(generate::gear(&size, 0).unwrap()).unwrap();
    let half = DVec3::new(0.125, 0.2, 0.05);
    for dt in [0.01, 0.0025] {
        let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
        for ix in 0..8 {
            let pose = Pose::from_translation(DVec3::new(0.25 * f64::from(ix) - 0.125, 0.0, -half.z));
            let floor = fixed(&format!("floor {ix}"), Shape::Cuboid(Cuboid { half_size: half }));
            world.add_body(BodyDesc { w_from_shape: pose, friction: Some(0.0), ..floor }).unwrap();
        }
        let pose = Pose::from_translation(DVec3::Z * 0.02);
        let id = world.add_body(rolling(gear.clone(), pose, DVec3::X * 2.0, DVec3::ZERO)).unwrap();
        steps(&mut world, (0.5 / dt).round() as usize);
        let body = world.body(id);
        println!("dt {dt}: {} at {}", body.linear_velocity, body.position);
        assert!((body.linear_velocity.x - 2.0).abs() < 0.01, "{dt}: {}", body.linear_velocity);
        assert!(body.angular_velocity.length() < 0.01, "{dt}: {}", body.angular_velocity);
    }
}

/// A ball of facets that rolls in a groove with walls so steep that friction alone holds it against them: any force between the walls
/// would hold, and none of them may throw it.
#[test]
fn what_is_wedged_by_friction_gains_no_energy() {
    let half = DVec3::new(3.0, 0.5, 0.1);
    for dt in [0.01, 0.005, 0.0025, 0.001] {
        let gravity = DVec3::new(2.54, 0.0, -9.476);
        let mut world = World::new(Settings { dt, gravity, ..Settings::default() }).unwrap();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let turn = DQuat::from_rotation_x(sign * FRAC_PI_3);
            // Its inner face goes through the x axis.
            let middle = turn * DVec3::new(0.0, sign * half.y, -half.z);
            let shape = Shape::Cuboid(Cuboid { half_size: half });
            let wall = BodyDesc {
                w_from_shape: Pose::new(middle, turn),
                friction: Some(0.8),
                ..fixed(&format!("wall {side}"), shape)
            };
            world.add_body(wall).unwrap();
        }
        let ball = Shape::from_mesh(generate::sphere(RADIUS, 1280).unwrap()).unwrap();
        let pose = Pose::from_translation(DVec3::new(-1.0, 0.0, 2.0 * RADIUS));
        world.add_body(rolling(ball, pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
        let total = |world: &World| world.kinetic_energy() + world.potential_energy();
        let (mut lowest, mut gained) = (total(&world), 0.0_f64);
        for _ in 0..(1.0 / dt).round() as usize {
            steps(&mut world, 1);
            let energy = total(&world);
            gained = gained.max(energy - lowest);
            lowest = lowest.min(energy);
        }
        println!("dt {dt}: gains {gained:e} J, {} m/s", world.bodies()[2].linear_velocity.x);
        // Of 4.2 kg that are lifted to where they are held by some 0.1 mm as facets change. It gained 1,400 J; seen: 8e-3.
        assert!(gained < 0.02, "{dt}: {gained} J");
        assert!(world.bodies()[2].linear_velocity.x > 0.9, "{dt}: {}", world.bodies()[2].linear_velocity);
    }
}
