//! Wheels on the floor: cylinders and cones, which roll on their side and stand on their ends, and prisms, which roll from side to
//! side.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use common::{G, moving, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Prism};
use tactum_geometry::{Cone, Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.05;

fn on_floor(desc: BodyDesc, dt: f64) -> (World, BodyId) {
    let mut world = world_with_floor(Settings { dt, ..Settings::default() }, 0.5);
    let id = world.add_body(desc).unwrap();
    (world, id)
}

/// A wheel that rolls without slipping keeps its kinetic energy, whatever the step.
#[test]
fn a_rolling_wheel_keeps_its_energy() {
    for dt in [1e-2, 2.5e-3, 1e-3] {
        let wheel = Shape::Cylinder(Cylinder { radius: RADIUS, height: HEIGHT });
        let pose = Pose::new(DVec3::Z * RADIUS, DQuat::from_rotation_x(FRAC_PI_2));
        let (mut world, id) = on_floor(moving(wheel, pose, DVec3::X, DVec3::Y / RADIUS), dt);
        let energy = world.kinetic_energy();
        steps(&mut world, (1.0 / dt).round() as usize);
        let body = world.body(id);
        let left = world.kinetic_energy() / energy - 1.0;
        println!("dt {dt}: energy {left:e}, at {}, velocity {}", body.position, body.linear_velocity);
        assert!(left.abs() < 1e-3, "dt {dt}: {left}");
        assert!(
            (body.position.x - 1.0).abs() < 0.01 && body.position.y.abs() < 1e-6,
            "dt {dt}: {}",
            body.position
        );
    }
}

/// Part of its kinetic energy that is left after a second to a wheel of `n` sides that rolls from side to side at this speed and sticks to
/// what it touches: it falls about each corner as a pendulum, and loses by the next one what is not angular momentum about it.
fn left_of_polygon(n: u32, speed: f64, gyration_squared: f64) -> f64 {
    let side = std::f64::consts::TAU / f64::from(n);
    let about_corner = gyration_squared + RADIUS * RADIUS;
    let kept = (gyration_squared + RADIUS * RADIUS * side.cos()) / about_corner;
    let parts = 200;
    let (mut spin, mut time) = (speed / RADIUS, 0.0);
    // It starts in the middle of a side, about to leave the corner behind it.
    let first = spin;
    loop {
        for k in 0..parts {
            let angle = side * ((f64::from(k) + 0.5) / f64::from(parts) - 0.5);
            let squared = spin * spin - 2.0 * G * RADIUS * (angle.cos() - (0.5 * side).cos()) / about_corner;
            if squared <= 0.0 {
                return 0.0;
            }
            time += side / f64::from(parts) / squared.sqrt();
            if time >= 1.0 {
                return squared / (first * first);
            }
        }
        spin *= kept;
    }
}

/// A prism of many sides rolls from side to side as an inelastic polygon does. It never leaves the floor by more than a side bends away
/// from the circle.
#[test]
fn a_wheel_of_many_sides_rolls_from_side_to_side() {
    for (sides, speed, dt) in [64, 256]
        .into_iter()
        .flat_map(|sides| [1.0, 0.5].map(|speed| (sides, speed)))
        .flat_map(|(sides, speed)| [0.01, 0.005, 0.0025, 0.001].map(|dt| (sides, speed, dt)))
    {
        let mesh = generate::prism(&Prism { sides, radius: RADIUS, height: HEIGHT }, 0).unwrap();
        let wheel = Shape::from_mesh(mesh).unwrap();
        let bend = RADIUS * (1.0 - (std::f64::consts::PI / f64::from(sides)).cos());
        let lies = DQuat::from_rotation_y(std::f64::consts::PI / f64::from(sides))
            * DQuat::from_rotation_x(FRAC_PI_2);
        let pose = Pose::new(DVec3::Z * (RADIUS - bend), lies);
        let desc = moving(wheel, pose, DVec3::X * speed, DVec3::Y * speed / RADIUS);
        let gyration_squared = desc.mass.inertia.z_axis.z / desc.mass.mass;
        let (mut world, id) = on_floor(desc, dt);
        let energy = world.kinetic_energy();
        let mut highest = 0.0_f64;
        for _ in 0..(1.0 / dt).round() as usize {
            steps(&mut world, 1);
            highest = highest.max(world.body(id).position.z - RADIUS);
        }
        let expected = left_of_polygon(sides, speed, gyration_squared);
        let (left, case) = (world.kinetic_energy() / energy, format!("{sides} sides, {speed} m/s, dt {dt}"));
        println!("{case}: {left}, expected {expected}, hop {highest:e}");
        assert!((left / expected - 1.0).abs() < 0.1, "{case}: {left} of {expected}");
        assert!(highest < bend, "{case}: hops by {highest} m");
    }
}

/// Over smooth edges wheels and balls of facets roll as what they stand for: their energy stays.
#[test]
fn smooth_meshes_roll_as_what_they_stand_for() {
    let lying = DQuat::from_rotation_x(FRAC_PI_2);
    let wheel = |sides| generate::prism(&Prism { sides, radius: RADIUS, height: HEIGHT }, 0).unwrap();
    let ball = |n_faces| generate::sphere(RADIUS, n_faces).unwrap();
    let turned = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, 1.1);
    for (name, mesh, turn, allowed) in [
        ("wheel of 64", wheel(64), lying, 1e-3),
        ("wheel of 256", wheel(256), lying, 1e-3),
        ("ball of 1280", ball(1280), turned, 3e-2),
        ("ball of 5120", ball(5120), turned, 1e-2),
        ("ball of 20480", ball(20480), turned, 3e-3),
    ] {
        let shape = Shape::from_mesh(mesh).unwrap();
        let smooth = shape.smooth_surface(0.25).map(Arc::new);
        assert!(smooth.is_some(), "{name}");
        for dt in [1e-2, 5e-3, 2.5e-3, 1e-3] {
            let pose = Pose::new(DVec3::Z * RADIUS, turn);
            let desc = moving(shape.clone(), pose, DVec3::X, DVec3::Y / RADIUS);
            let (mut world, id) = on_floor(BodyDesc { smooth: smooth.clone(), ..desc }, dt);
            let energy = world.kinetic_energy();
            let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
            for _ in 0..(1.0 / dt).round() as usize {
                steps(&mut world, 1);
                let z = world.body(id).position.z - RADIUS;
                heights = [heights[0].min(z), heights[1].max(z)];
            }
            let left = world.kinetic_energy() / energy - 1.0;
            println!("{name}, dt {dt}: {left:e}, at {}, heights {heights:?}", world.body(id).position);
            assert!(left.abs() < allowed, "{name}, {dt}: {left}");
        }
    }
}

#[test]
fn a_cylinder_stands_on_its_end_and_a_cone_on_its_base() {
    let cylinder = Shape::Cylinder(Cylinder { radius: RADIUS, height: 4.0 * RADIUS });
    let cone = Shape::Cone(Cone { radius: RADIUS, height: 4.0 * RADIUS });
    for shape in [cylinder, cone] {
        for dt in [1e-2, 1e-3] {
            let pose = Pose::from_translation(DVec3::Z * 2.0 * RADIUS);
            let (mut world, id) = on_floor(moving(shape.clone(), pose, DVec3::ZERO, DVec3::ZERO), dt);
            let before = world.body(id).position;
            steps(&mut world, (1.0 / dt).round() as usize);
            let body = world.body(id);
            let up = (body.orientation * DVec3::Z).distance(DVec3::Z);
            println!(
                "dt {dt}: lean {up:e}, moved {:e}, {:e}",
                body.position.distance(before),
                world.kinetic_energy()
            );
            assert!(up < 1e-6, "{shape:?} dt {dt}: {up}");
            assert!(body.position.distance(before) < 1e-3 * RADIUS, "{shape:?} dt {dt}: {}", body.position);
            assert!(body.linear_velocity.length() < 1e-6, "{shape:?} dt {dt}: {}", body.linear_velocity);
        }
    }
}
