//! What is seen from a train or from a lift goes as it does where it stands.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{SMOOTH, cuboid, moving, step, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, LShape};
use tactum_geometry::{Pose, Shape};
use tactum_sim::{BodyDesc, BodyKind, Settings, World};

/// A floor that moves with the frame; its upper face is at height 0 at first.
fn floor(frame: DVec3) -> BodyDesc {
    let desc = cuboid("floor", DVec3::new(4.0, 4.0, 0.2), 1.0, DVec3::NEG_Z * 0.1);
    BodyDesc { kind: BodyKind::Kinematic, linear_velocity: frame, ..desc }
}

/// An angle and a torus that falls on it, each seen from a frame with this velocity: where they are in it after 0.15 s.
fn on_train(frame: DVec3) -> Vec<DVec3> {
    let angle = LShape { length: 0.1, width: 0.06, height: 0.08, thickness: 0.02 };
    let meshes = [generate::l_shape(&angle, 0).unwrap(), generate::torus(0.04, 0.01, 1000).unwrap()];
    let places = [DVec3::new(-0.02, 0.0, 0.1), DVec3::new(0.03, 0.0, 0.155)];
    let mut world = World::new(Settings::default()).unwrap();
    world.add_body(floor(frame)).unwrap();
    for ((mesh, place), (tilt, speed)) in meshes.into_iter().zip(places).zip([(0.5, 0.3), (1.1, 0.0)]) {
        let turn = DQuat::from_rotation_y(tilt) * DQuat::from_rotation_x(0.4);
        let shape = Shape::from_mesh(mesh).unwrap();
        let desc = moving(shape, Pose::new(place, turn), frame + DVec3::X * speed, DVec3::ZERO);
        let smooth = desc.shape.smooth_surface(SMOOTH).map(Arc::new);
        world.add_body(BodyDesc { smooth, ..desc }).unwrap();
    }
    steps(&mut world, 15);
    world.bodies().iter().map(|body| body.position - 0.15 * frame).collect()
}

/// Contacts go on where both bodies have brought them, and pairs are looked for by how they move against each other.
#[test]
fn a_train_goes_on_as_if_it_stood() {
    let standing = on_train(DVec3::ZERO);
    for frame in [DVec3::X, DVec3::new(1.6, 0.0, 0.0), DVec3::new(-3.0, 1.0, 0.0), DVec3::new(30.0, 0.0, 0.0)]
    {
        let away =
            on_train(frame).into_iter().zip(&standing).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{frame}: {away} m");
        // What sweeps that start from elsewhere leave; contacts that stayed where they were in the world left 2e-6 m at 30 m/s.
        assert!(away < 1e-9, "{frame}: {away} m");
    }
}

/// A column of boxes with gaps falls on a floor, or a floor comes up to it.
#[test]
fn a_floor_that_comes_up_is_one_to_fall_on() {
    let deepest = |speed: f64| {
        let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world.add_body(floor(DVec3::Z * (3.0 - speed))).unwrap();
        for ix in 0..20 {
            let at = DVec3::Z * (0.063 + 0.11 * f64::from(ix));
            let desc = cuboid("box", DVec3::splat(0.1), 0.5, at);
            world.add_body(BodyDesc { linear_velocity: DVec3::NEG_Z * speed, ..desc }).unwrap();
        }
        let deepest = (0..40).map(|_| step(&mut world).max_depth).fold(0.0, f64::max);
        (deepest, world.bodies().iter().map(|body| body.position.z + 0.4 * speed).collect::<Vec<_>>())
    };
    let (falls, ends) = deepest(3.0);
    for speed in [0.0, 1.5, 6.0] {
        let (depth, places) = deepest(speed);
        let away = places.iter().zip(&ends).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("falls at {speed} m/s: {depth} m deep, {falls} at 3 m/s, {away} m off");
        // Piles are solved to a ten-thousandth of their motion; seen is 3e-8, and 6e-6 where that was the motion in the scene's frame.
        assert!(away < 1e-6, "falls at {speed} m/s: {away} m");
    }
}
