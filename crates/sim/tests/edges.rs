//! What is round rolls off the end of a table: about its edge, until it leaves it.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use common::{fixed, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Prism};
use tactum_geometry::{Capsule, Cuboid, Cylinder, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, MassProperties, Settings, World};

const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 9.81;

/// A round body, its axis along y, that comes rolling along x to the end of a table so wide, whose top is z = 0 and whose end is x = 0.
fn rolls_to_the_end(shape: &Shape, table: f64, speed: f64, dt: f64) -> (World, BodyId) {
    let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
    let top = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 0.5 * table, 0.05) });
    let at = Pose::from_translation(DVec3::new(-1.0, 0.0, -0.05));
    world.add_body(BodyDesc { w_from_shape: at, friction: Some(3.0), ..fixed("table", top) }).unwrap();
    let mass = shape.unit_mass().unwrap();
    let wheel = BodyDesc {
        kind: BodyKind::Dynamic,
        smooth: shape.smooth_surface(0.25).map(Arc::new),
        w_from_shape: Pose::new(DVec3::new(-0.02, 0.0, RADIUS), DQuat::from_rotation_x(FRAC_PI_2)),
        mass: MassProperties {
            mass: 1000.0 * mass.volume,
            center: mass.center,
            inertia: mass.inertia * 1000.0,
        },
        linear_velocity: DVec3::X * speed,
        angular_velocity: DVec3::Y * speed / RADIUS,
        friction: Some(3.0),
        ..fixed("rolls", shape.clone())
    };
    let id = world.add_body(wheel).unwrap();
    (world, id)
}

/// The energy of a body, and by how much it has risen above what it once was \[J\].
fn fall(world: &mut World, id: BodyId, time: f64) -> (f64, f64) {
    let energy = |world: &World| {
        let body = world.body(id);
        world.kinetic_energy() + body.mass.mass * GRAVITY * body.position.z
    };
    let (first, dt) = (energy(world), world.settings().dt);
    let (mut least, mut risen) = (first, 0.0_f64);
    for _ in 0..(time / dt).round() as usize {
        steps(world, 1);
        least = least.min(energy(world));
        risen = risen.max(energy(world) - least);
    }
    ((energy(world) - first) / (body_weight(world, id) * RADIUS), risen / (body_weight(world, id) * RADIUS))
}

fn body_weight(world: &World, id: BodyId) -> f64 {
    world.body(id).mass.mass * GRAVITY
}

/// With the moment of inertia `k m r²` about its axis, what rolls about the edge by θ has `ω² = ω₀² + 2 g (1 - cos θ) / ((1 + k) r)`, and leaves
/// where `g cos θ = ω² r`. Just before that friction does not hold it any more (at `tan` 3), which takes some hundredths of its spin.
fn leaves_with(k: f64, speed: f64) -> (f64, f64) {
    let (turns, slows) = (speed * speed / (GRAVITY * RADIUS), 2.0 / (1.0 + k));
    let cosine = (turns + slows) / (1.0 + slows);
    let spin = (GRAVITY * cosine / RADIUS).sqrt();
    (spin * RADIUS * cosine, spin)
}

/// Cylinders, capsules, and wheels and balls of facets leave a table with the speed and the spin of theory, whether it is wider than they are or a
/// rail, and lose and gain next to nothing on its edge.
#[test]
fn round_bodies_roll_off_the_end_of_a_table() {
    let cylinder = Shape::Cylinder(Cylinder { radius: RADIUS, height: 0.06 });
    let capsule = Shape::Capsule(Capsule { radius: RADIUS, half_length: 0.03 });
    let wheel = generate::prism(&Prism { sides: 120, radius: RADIUS, height: 0.06 }, 0).unwrap();
    let wheel = Shape::from_mesh(wheel).unwrap();
    let ball = Shape::from_mesh(generate::sphere(RADIUS, 5120).unwrap()).unwrap();
    for (name, shape) in [("cylinder", cylinder), ("capsule", capsule), ("wheel", wheel), ("ball", ball)] {
        let mass = shape.unit_mass().unwrap();
        let k = mass.inertia.z_axis.z / (mass.volume * RADIUS * RADIUS);
        for table in [0.02, 0.4] {
            for (speed, dt) in [(0.1, 0.001), (0.3, 0.0025), (0.3, 0.001), (0.7, 0.01), (0.7, 0.001)] {
                let (mut world, id) = rolls_to_the_end(&shape, table, speed, dt);
                let (gained, risen) = fall(&mut world, id, 0.02 / speed + 0.35);
                let body = world.body(id);
                let (vx, spin) = leaves_with(k, speed);
                let (off_v, off_spin) =
                    (body.linear_velocity.x / vx - 1.0, body.angular_velocity.y / spin - 1.0);
                println!("{name} {table} {speed} {dt}: {gained:.1e} {risen:.1e} {off_v:.3} {off_spin:.3}");
                // Of what the edge could give, `m g r`: what was seen is 8.3e-3 with steps of 10 ms and 1.4e-3 at most below.
                let allowed = if dt > 5e-3 { 1.2e-2 } else { 2e-3 };
                assert!(gained.abs() < allowed && risen < allowed, "{name} {table} {speed} {dt}");
                // What slips at the end leaves up to 0.013 faster and 0.028 slower in its spin.
                if dt <= 1e-3 {
                    assert!(off_v.abs() < 0.02 && off_spin.abs() < 0.035, "{name} {table} {speed} {dt}");
                }
            }
        }
    }
}

/// A ball of facets that rolls along a gap between two boxes touches both edges as a ball does, 30 degrees from its lowest point: without slip
/// it keeps its speed, whatever facets come over the edges.
#[test]
fn a_ball_of_facets_rolls_on_along_a_gap() {
    let lever = RADIUS * 0.75_f64.sqrt();
    for (triangles, speed, dt) in
        [(1280, 0.5, 0.01), (5120, 0.3, 0.01), (5120, 0.3, 0.0025), (5120, 0.3, 0.001), (5120, 2.0, 0.01)]
    {
        let mut world = World::new(Settings { dt, ..Settings::default() }).unwrap();
        for side in [-1.0, 1.0] {
            let plank = Shape::Cuboid(Cuboid { half_size: DVec3::new(3.0, 0.2, 0.1) });
            let at = Pose::from_translation(DVec3::new(2.0, side * (0.2 + 0.5 * RADIUS), -0.1));
            let plank = BodyDesc { w_from_shape: at, friction: Some(0.3), ..fixed("plank", plank) };
            world.add_body(plank).unwrap();
        }
        let shape = Shape::from_mesh(generate::sphere(RADIUS, triangles).unwrap()).unwrap();
        let ball = BodyDesc {
            shape: shape.clone(),
            smooth: shape.smooth_surface(0.25).map(Arc::new),
            linear_velocity: DVec3::X * speed,
            angular_velocity: DVec3::Y * speed / lever,
            friction: Some(0.3),
            ..common::ball("ball", RADIUS, 1.0, DVec3::Z * lever)
        };
        let id = world.add_body(ball).unwrap();
        steps(&mut world, (1.0 / dt).round() as usize);
        let body = world.body(id);
        let kept = body.linear_velocity.x / speed;
        println!("{triangles} {speed} {dt}: {kept}, {:e} aside", body.position.y);
        // Seen: 7e-4 at most.
        assert!(
            (kept - 1.0).abs() < 1e-3 && body.position.y.abs() < 1e-4,
            "{triangles} {speed} {dt}: {kept}"
        );
    }
}
