//! Bodies of all kinds that bounce without losses and without friction, any way round, with what they do after the first impact: on a floor, again
//! and again, and off each other in free space. Nothing is known of where they go but that their energy stays.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{G, SMOOTH, moving, step, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, LShape, Prism};
use tactum_geometry::{Capsule, Cone, Cuboid, Cylinder, Pose, Shape, Sphere, TriangleMesh};
use tactum_random::Rng;
use tactum_sim::{BodyDesc, Settings, World};

const STEPS: [f64; 4] = [0.01, 0.005, 0.0025, 0.001];

fn shapes() -> Vec<(&'static str, Shape)> {
    let mesh = |mesh: TriangleMesh| Shape::from_mesh(mesh).unwrap();
    let l_shape = LShape { length: 0.16, height: 0.16, thickness: 0.05, width: 0.1 };
    vec![
        ("cube", Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.05) })),
        ("plank", Shape::Cuboid(Cuboid { half_size: DVec3::new(0.15, 0.05, 0.01) })),
        ("cylinder", Shape::Cylinder(Cylinder { radius: 0.05, height: 0.1 })),
        ("disc", Shape::Cylinder(Cylinder { radius: 0.06, height: 0.01 })),
        ("cone", Shape::Cone(Cone { radius: 0.05, height: 0.1 })),
        ("capsule", Shape::Capsule(Capsule { radius: 0.04, half_length: 0.06 })),
        ("prism", mesh(generate::prism(&Prism { sides: 64, radius: 0.05, height: 0.1 }, 0).unwrap())),
        ("torus", mesh(generate::torus(0.08, 0.03, 2000).unwrap())),
        ("ellipsoid", mesh(generate::ellipsoid(DVec3::new(0.05, 0.07, 0.1), 2000).unwrap())),
        ("l-shape", mesh(generate::l_shape(&l_shape, 0).unwrap())),
        ("coin", mesh(generate::coin(0.06, 0.02, 800).unwrap())),
        ("capsule mesh", mesh(generate::capsule(0.04, 0.06, 800).unwrap())),
        ("star", mesh(generate::star(0.1, 0.05, 500).unwrap())),
    ]
}

/// A vector with coordinates from -1/2 to 1/2.
fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.unit(), rng.unit(), rng.unit()) - 0.5
}

fn turn(rng: &mut Rng, most: f64) -> DQuat {
    DQuat::from_axis_angle(vector(rng).normalize(), rng.range(0.0, most))
}

fn lossless(dt: f64) -> Settings {
    Settings { dt, restitution: 1.0, restitution_threshold: 0.0, ..Settings::default() }
}

fn body(shape: &Shape, pose: Pose, linear: DVec3, angular: DVec3) -> BodyDesc {
    let smooth = shape.smooth_surface(SMOOTH).map(Arc::new);
    BodyDesc { smooth, friction: Some(0.0), ..moving(shape.clone(), pose, linear, angular) }
}

/// The largest change of energy in one of so many seconds of steps, as a part of what there was before it.
fn largest_change(world: &mut World, time: f64, energy: impl Fn(&World) -> f64) -> f64 {
    let n_steps = (time / world.settings().dt).round() as u32;
    let mut before = energy(world);
    let mut largest = 0.0_f64;
    for _ in 0..n_steps {
        step(world);
        let now = energy(world);
        let change = now / before - 1.0;
        largest = if change.abs() > largest.abs() { change } else { largest };
        before = now;
    }
    largest
}

/// How many of these changes are larger than a hundredth, and the largest, which is said if there are too many.
fn assert_few(mut changes: Vec<(f64, String)>, one_in: usize) {
    changes.sort_by(|(a, _), (b, _)| b.abs().total_cmp(&a.abs()));
    let n_worse = changes.iter().filter(|(change, _)| change.is_nan() || change.abs() > 0.01).count();
    assert!(n_worse * one_in <= changes.len(), "{n_worse} of {}: {:?}", changes.len(), &changes[..n_worse]);
}

#[test]
fn bodies_that_bounce_on_a_floor_keep_their_energy() {
    let mut rng = Rng::new(1);
    let mut changes = Vec::new();
    for start in 0..rng.cases(16) {
        for (name, shape) in shapes() {
            // Of every second one little tilted: a face comes down soon after a corner.
            let turn = turn(&mut rng, if start % 2 == 0 { 3.0 } else { 0.3 });
            let fall = rng.range(0.3, 0.4);
            for dt in STEPS {
                let mut world = world_with_floor(lossless(dt), 0.0);
                let low = shape.farthest(turn.conjugate() * DVec3::NEG_Z);
                let pose = Pose::new(DVec3::Z * (low + fall), turn);
                let id = world.add_body(body(&shape, pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
                let energy = |world: &World| {
                    let body = world.body(id);
                    world.kinetic_energy() + body.mass.mass * G * body.position.z
                };
                changes.push((
                    largest_change(&mut world, 1.2, energy),
                    format!("{name}, start {start}, {dt} s"),
                ));
            }
        }
    }
    // Corners that come down in one part of the step with others do so in the next: of first order in the step. Seen is 1 of 832, by 1.3 %; of 33,600
    // others 89.
    assert_few(changes, 50);
}

#[test]
fn bodies_that_bounce_off_each_other_keep_their_energy() {
    let mut rng = Rng::new(2);
    let mut all = shapes();
    all.push(("ball", Shape::Sphere(Sphere { radius: 0.05 })));
    let mut changes = Vec::new();
    for _ in 0..rng.cases(1) {
        for (ix, (name, shape)) in all.iter().enumerate() {
            for (other_name, other) in &all[..=ix] {
                let bodies = [(shape, -1.0), (other, 1.0)].map(|(shape, side)| {
                    let place = DVec3::new(0.3 * side, 0.0, 0.0) + 0.06 * vector(&mut rng);
                    let velocity = DVec3::NEG_X * side * rng.range(0.5, 1.5);
                    let pose = Pose::new(place, turn(&mut rng, 3.0));
                    body(shape, pose, velocity, 6.0 * vector(&mut rng))
                });
                for dt in STEPS {
                    let mut world = World::new(Settings { gravity: DVec3::ZERO, ..lossless(dt) }).unwrap();
                    for body in bodies.clone() {
                        world.add_body(body).unwrap();
                    }
                    let change = largest_change(&mut world, 0.8, World::kinetic_energy);
                    changes.push((change, format!("{name} and {other_name}, {dt} s")));
                }
            }
        }
    }
    // What touches in two places at once, or with a line, may lose more: seen are 2 of 420, by 3 % at most.
    assert_few(changes, 20);
}
