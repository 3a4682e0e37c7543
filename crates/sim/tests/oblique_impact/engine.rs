//! The impact in the engine.

use glam::DVec3;
use tactum_geometry::facets::Rounding;
use tactum_geometry::mesh::generate;
use tactum_sim::{BodyDesc, BodyId, Settings, World};

use super::common::ball;
use super::common::facets::{self, rounded, steps};
use super::impact::kappa;

pub const RADIUS: f64 = 0.05;

/// Velocity of the approach \[m/s\], at which a ball of 1 GPa comes 0.02 mm deep: its arm is shorter by 4e-4.
const DOWN: f64 = 0.02;

/// Between a ball's lowest point and the plate at the start \[m\].
pub const GAP: f64 = 5e-5;

/// What meets what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pair {
    /// A ball a static plate, the plate the first body.
    OnPlate,
    /// The same with the ball as the first body.
    OnLaterPlate,
    /// Two balls each other, each with half of the velocity.
    Balls,
}

/// An impact.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub pair: Pair,
    pub poisson: f64,
    pub friction: f64,
}

/// How a ball leaves, in the reference's units.
pub struct Left {
    /// Velocity of the point of the ball's surface that touched, against the other body's.
    pub psi: f64,
    /// What is across of it.
    pub aside: f64,
    /// Spin times the ball's radius, over μ and the velocity of the approach.
    pub spin: f64,
}

/// A ball of 1 kg.
pub fn grain(name: &str, at: DVec3, linear_velocity: DVec3, friction: f64) -> BodyDesc {
    let sphere = generate::sphere(RADIUS, 1280).unwrap();
    let desc = BodyDesc { linear_velocity, friction: Some(friction), ..ball(name, RADIUS, 1.0, at) };
    rounded(sphere, &Rounding::Uniform(RADIUS.recip()), desc)
}

/// A static plate whose top is the plane z = 0.
fn plate(friction: f64) -> BodyDesc {
    BodyDesc { friction: Some(friction), ..facets::plate(2.0) }
}

/// An empty world without weight or loss along normals, all of one material.
pub fn world(poisson: f64) -> World {
    World::new(Settings { poisson, gravity: DVec3::ZERO, ..facets::settings(1e9) }).unwrap()
}

/// How a ball that comes at ψ1 leaves, aslant to the plate's sides.
pub fn rebound(psi: f64, setup: Setup) -> Left {
    let Setup { pair, poisson, friction } = setup;
    let unit = friction * kappa(poisson) * DOWN;
    let along = DVec3::new(0.8, 0.6, 0.0);
    let velocity = along * (psi * unit) - DVec3::Z * DOWN;
    let mut world = world(poisson);
    let above = DVec3::Z * (RADIUS + GAP);
    let ball = match pair {
        Pair::OnPlate => {
            world.add_body(plate(friction)).unwrap();
            world.add_body(grain("ball", above, velocity, friction)).unwrap()
        }
        Pair::OnLaterPlate => {
            let ball = world.add_body(grain("ball", above, velocity, friction)).unwrap();
            world.add_body(plate(friction)).unwrap();
            ball
        }
        Pair::Balls => {
            // They come 2 GAP nearer until they touch, and are one above the other then.
            let at = (above - velocity * (GAP / DOWN)).with_z(above.z);
            world.add_body(grain("other", -at, -0.5 * velocity, friction)).unwrap();
            world.add_body(grain("ball", at, 0.5 * velocity, friction)).unwrap()
        }
    };
    steps(&mut world, 30);
    let left = motion(&world, ball);
    let other = if pair == Pair::Balls { -left.0 } else { DVec3::ZERO };
    let relative = left.0 - other;
    assert!(relative.z > 0.99 * DOWN, "it has left: {relative}");
    Left {
        psi: relative.dot(along) / unit,
        aside: relative.dot(DVec3::Z.cross(along)) / unit,
        spin: left.1.dot(DVec3::Z.cross(along)) * (relative.z / left.0.z) / (friction * DOWN),
    }
}

/// Velocity of the lowest point of a ball, and its spin times its radius.
fn motion(world: &World, ball: BodyId) -> (DVec3, DVec3) {
    let ball = world.body(ball);
    let spin = ball.angular_velocity * RADIUS;
    (ball.linear_velocity - spin.cross(DVec3::Z), spin)
}
