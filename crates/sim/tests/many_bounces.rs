//! Bodies of all kinds that bounce without losses and without friction, any way round, with what they do after the first impact: on a floor, again
//! and again, and off each other in free space. Nothing is known of where they go but that their energy stays.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{G, moving, step, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, LShape, Prism};
use tactum_geometry::{Capsule, Cone, Cuboid, Cylinder, Pose, Shape, Sphere, TriangleMesh};
use tactum_sim::{BodyDesc, Settings, World};

const STEPS: [f64; 4] = [0.01, 0.005, 0.0025, 0.001];

/// Angle up to which edges stand for a smooth surface \[rad\], as scenes have it.
const SMOOTH: f64 = 30.0 * std::f64::consts::PI / 180.0;

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

/// Numbers from 0 to 1 (the multiplier is Knuth's).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(7919 * seed + 17);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Each coordinate from -1/2 to 1/2.
    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next()) - 0.5
    }

    fn turn(&mut self, most: f64) -> DQuat {
        DQuat::from_axis_angle(self.vector().normalize(), most * self.next())
    }
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

#[test]
fn bodies_that_bounce_on_a_floor_keep_their_energy() {
    for (name, shape) in shapes() {
        for (seed, dt) in (0..12).flat_map(|seed| STEPS.map(|dt| (seed, dt))) {
            let mut random = Random::new(seed);
            let mut world = world_with_floor(lossless(dt), 0.0);
            // Of every second one little tilted: a face comes down soon after a corner.
            let turn = random.turn(if seed % 2 == 0 { 3.0 } else { 0.3 });
            let low = shape.farthest(turn.conjugate() * DVec3::NEG_Z);
            let pose = Pose::new(DVec3::Z * (low + 0.3 + 0.1 * random.next()), turn);
            let id = world.add_body(body(&shape, pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
            let energy = |world: &World| {
                let body = world.body(id);
                world.kinetic_energy() + body.mass.mass * G * body.position.z
            };
            let change = largest_change(&mut world, 1.2, energy);
            // Corners that come down in one part of the step with others do so in the next: of first order in the step. Of 100 starts of each
            // the worst is 1.6 % with steps of 10 ms and below 1 % with shorter ones.
            let allowed = if dt > 0.005 { 0.02 } else { 0.01 };
            assert!(change.abs() < allowed, "{name}, start {seed}, {dt} s: {change:e}");
        }
    }
}

#[test]
fn bodies_that_bounce_off_each_other_keep_their_energy() {
    let mut all = shapes();
    all.push(("ball", Shape::Sphere(Sphere { radius: 0.05 })));
    let mut changes = Vec::new();
    for (ix, (name, shape)) in all.iter().enumerate() {
        for ((other_name, other), dt) in all[..=ix].iter().flat_map(|other| STEPS.map(|dt| (other, dt))) {
            let mut random = Random::new(ix as u64);
            let mut world = World::new(Settings { gravity: DVec3::ZERO, ..lossless(dt) }).unwrap();
            for (shape, side) in [(shape, -1.0), (other, 1.0)] {
                let turn = random.turn(3.0);
                let place = DVec3::new(0.3 * side, 0.0, 0.0) + 0.06 * random.vector();
                let velocity = DVec3::NEG_X * side * (0.5 + random.next());
                let pose = Pose::new(place, turn);
                world.add_body(body(shape, pose, velocity, 6.0 * random.vector())).unwrap();
            }
            let change = largest_change(&mut world, 0.8, World::kinetic_energy);
            changes.push((change, format!("{name} and {other_name}, {dt} s")));
        }
    }
    changes.sort_by(|(a, _), (b, _)| b.abs().total_cmp(&a.abs()));
    let n_worse = changes.iter().filter(|(change, _)| change.abs() > 0.01).count();
    // What touches in two places at once, or with a line, may lose more: seen is 4 of 420, at most 3.8 %, and no gain above 1 %.
    assert!(n_worse * 50 <= changes.len(), "{n_worse} of {}: {:?}", changes.len(), &changes[..n_worse]);
    assert!(changes.iter().all(|(change, _)| *change < 0.02), "{:?}", &changes[..n_worse]);
}
