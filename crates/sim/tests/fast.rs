//! Bodies that come farther in a step than what they come at is thick.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{cuboid, fixed, step};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Capsule, Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

/// Numbers from 0 to 1, the same in every run (Knuth's linear congruence).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn turn(&mut self) -> DQuat {
        let [x, y, z, w] = std::array::from_fn(|_| self.between(-1.0, 1.0));
        DQuat::from_xyzw(x, y, z, w).normalize()
    }
}

/// A wall of 1 to 5 cm that stands askew, and a body of 2 to 10 cm that flies at its middle with 1 to 40 m/s; the wall's normal.
fn shot(numbers: &mut Numbers, ix: usize) -> (World, DVec3) {
    let settings = Settings { dt: 0.01, gravity: DVec3::ZERO, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let turn = numbers.turn();
    let wall = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 1.0, 0.5 * numbers.between(0.01, 0.05)) });
    world.add_body(BodyDesc { w_from_shape: Pose::new(DVec3::ZERO, turn), ..fixed("wall", wall) }).unwrap();
    let size = numbers.between(0.02, 0.1);
    let shape = match ix % 3 {
        0 => Shape::Cuboid(Cuboid { half_size: 0.5 * size * DVec3::new(1.0, 0.7, 0.5) }),
        1 => Shape::Capsule(Capsule { radius: 0.25 * size, half_length: 0.5 * size }),
        _ => {
            let mesh = generate::critter(size, ix as u64, 400);
            Shape::from_mesh(mesh.unwrap()).unwrap()
        }
    };
    let normal = turn * DVec3::Z;
    // From the wall's front, at most 60 degrees off its normal.
    let aside = turn * DVec3::new(numbers.between(-1.0, 1.0), numbers.between(-1.0, 1.0), 0.0);
    let from = (normal + aside).normalize();
    let body = BodyDesc {
        w_from_shape: Pose::new(from * numbers.between(0.3, 0.7), numbers.turn()),
        linear_velocity: -from * numbers.between(1.0, 40.0),
        angular_velocity: 20.0 * (DVec3::new(numbers.next(), numbers.next(), numbers.next()) * 2.0 - 1.0),
        ..cuboid("shot", DVec3::splat(0.5 * size), 1.0, DVec3::ZERO)
    };
    let unit = shape.unit_mass().unwrap();
    let scale = 1.0 / unit.volume;
    let mass = tactum_sim::MassProperties { mass: 1.0, center: unit.center, inertia: unit.inertia * scale };
    world.add_body(BodyDesc { shape, mass, ..body }).unwrap();
    (world, normal)
}

/// No convex body goes through a wall that stands askew, and few critters, whose legs get stuck in it; what comes too fast for the
/// step is said. Seen in 1,400 shots of this kind and at walls along the axes: five went through, all of them said.
#[test]
fn shots_at_walls_that_stand_askew_do_not_pass() {
    let mut numbers = Numbers(1);
    let mut n_passed = 0;
    for ix in 0..150 {
        let (mut world, normal) = shot(&mut numbers, ix);
        let speed = world.body(BodyId(1)).linear_velocity.length();
        let mut n_fast = 0;
        let at = |world: &World| world.body(BodyId(1)).position;
        // As far as the wall reaches.
        for _ in 0..30 {
            if at(&world).length() < 0.9 {
                n_fast += step(&mut world).fast.len();
            }
        }
        if at(&world).dot(normal) < 0.0 {
            n_passed += 1;
            assert!(ix % 3 == 2 && n_fast > 0, "shot {ix} of {speed} m/s went through");
        }
    }
    println!("{n_passed} passed");
    assert!(n_passed <= 3, "{n_passed}");
}
