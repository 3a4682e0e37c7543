//! Bodies that fall on a floor tilted: they strike with an edge or a corner, and start to turn.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{G, moving, step, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Prism};
use tactum_geometry::{Cuboid, Cylinder, Pose, Shape};
use tactum_sim::{BodyId, Settings, World};

/// Half the height of the bodies, and half their width \[m\].
const HALF: f64 = 0.05;

/// How high they fall \[m\].
const FALL: f64 = 0.4;

fn bodies() -> [Shape; 3] {
    let prism = generate::prism(&Prism { sides: 64, radius: HALF, height: 2.0 * HALF }, 0).unwrap();
    [
        Shape::Cuboid(Cuboid { half_size: DVec3::splat(HALF) }),
        Shape::Cylinder(Cylinder { radius: HALF, height: 2.0 * HALF }),
        Shape::from_mesh(prism).unwrap(),
    ]
}

/// A body turned so far about y over a floor without friction.
fn falling(shape: &Shape, tilt_deg: f64, restitution: f64, dt: f64) -> (World, BodyId) {
    let settings = Settings { dt, restitution, restitution_threshold: 0.0, ..Settings::default() };
    let mut world = world_with_floor(settings, 0.0);
    let turn = DQuat::from_rotation_y(tilt_deg.to_radians());
    let low = shape.farthest(turn.conjugate() * DVec3::NEG_Z);
    let pose = Pose::new(DVec3::Z * (low + FALL), turn);
    let id = world.add_body(moving(shape.clone(), pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
    (world, id)
}

/// A push `j` at an arm `a` beside the centre of mass stops the approach `v` and turns it round: `j = (1 + e) v / (1/m + a²/I)`.
#[test]
fn an_edge_that_strikes_turns_the_body() {
    for shape in bodies() {
        for (restitution, tilt, dt) in [0.001, 0.5, 1.0]
            .into_iter()
            .flat_map(|e| [20.0, 33.0, 60.0_f64].map(|tilt| (e, tilt)))
            .flat_map(|(e, tilt)| [0.01, 0.005, 0.0025, 0.001].map(|dt| (e, tilt, dt)))
        {
            let (mut world, id) = falling(&shape, tilt, restitution, dt);
            while world.body(id).angular_velocity.length() < 1.0 {
                step(&mut world);
            }
            let body = world.body(id);
            let (sine, cosine) = tilt.to_radians().sin_cos();
            let arm = HALF * (cosine - sine);
            let per_mass = body.mass.inertia.y_axis.y / body.mass.mass;
            let push = (1.0 + restitution) * (2.0 * G * FALL).sqrt() / (1.0 + arm * arm / per_mass);
            let (spin, expected) = (body.angular_velocity.y, -arm * push / per_mass);
            // Roundings: seen is 3e-14.
            assert!(
                (spin / expected - 1.0).abs() < 1e-12,
                "e {restitution}, {tilt}, {dt}: {spin} of {expected}"
            );
        }
    }
}

/// Without friction, and with a coefficient of restitution of 1, they keep their energy also where one edge strikes after the other.
#[test]
fn edges_that_strike_after_each_other_keep_the_energy() {
    for shape in bodies() {
        for (tilt, dt) in [9.0, 20.0, 33.0, 60.0]
            .into_iter()
            .flat_map(|tilt| [0.01, 0.005, 0.0025, 0.001].map(|dt| (tilt, dt)))
        {
            let (mut world, id) = falling(&shape, tilt, 1.0, dt);
            let energy = |world: &World| {
                let body = world.body(id);
                world.kinetic_energy() + body.mass.mass * G * body.position.z
            };
            let before = energy(&world);
            for _ in 0..(0.45 / dt) as usize {
                step(&mut world);
            }
            let part = (energy(&world) - before) / (world.body(id).mass.mass * G * FALL);
            // Where a second edge strikes in the part in which the first one did: seen is 3.2e-4.
            assert!(part.abs() < 1e-3, "{tilt} degrees, {dt} s: {part}");
        }
    }
}
