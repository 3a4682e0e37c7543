//! Which of two bodies is named first is nobody's business but the names'.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{SMOOTH, moving, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

/// A box and a torus of facets that fly at each other and turn, all askew.
fn pair() -> [BodyDesc; 2] {
    let block = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.04, 0.05, 0.03) });
    let torus = Shape::from_mesh(generate::torus(0.05, 0.018, 600).unwrap()).unwrap();
    let turned = DQuat::from_xyzw(-0.0614, 0.4603, -0.0886, -0.8812).normalize();
    let at = Pose::new(DVec3::new(0.0145, 0.1051, 0.0613), turned);
    let block = moving(block, at, DVec3::new(-0.2, -1.4, -1.0), DVec3::new(-2.0, 5.7, -5.5));
    let turned = DQuat::from_xyzw(0.4936, -0.0556, 0.8487, -0.1815).normalize();
    let at = Pose::new(DVec3::new(0.0605, -0.0875, -0.0614), turned);
    let torus = moving(torus, at, DVec3::new(-0.6, 1.4, 0.7), DVec3::new(-1.7, -5.6, -1.9));
    let smooth = torus.shape.smooth_surface(SMOOTH).map(Arc::new);
    let friction = Some(0.4);
    [BodyDesc { friction, ..block }, BodyDesc { friction, smooth, ..torus }]
}

/// Bodies that strike each other and are led into each other do so however they are ordered. Where regions lie was told from where A is at the start of
/// the step, and regions ahead from where B is moved to: which of two remembered contacts went on was then another one, and velocities differed by
/// 6 mm/s with a foresight of 1.
#[test]
fn two_bodies_move_alike_in_either_order() {
    for foresight in [0, 1, 4] {
        let velocities = |is_swapped: bool| {
            let settings = Settings { dt: 0.01, gravity: DVec3::ZERO, foresight, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            let mut bodies = pair();
            if is_swapped {
                bodies.reverse();
            }
            let mut ids = bodies.map(|body| world.add_body(body).unwrap());
            if is_swapped {
                ids.reverse();
            }
            steps(&mut world, 6);
            ids.map(|id: BodyId| world.body(id).linear_velocity)
        };
        let [one, other] = [false, true].map(velocities);
        let difference = one[0].distance(other[0]).max(one[1].distance(other[1]));
        println!("foresight {foresight}: {difference} m/s of {}", one[0].length());
        // Roundings, which each of some dozen parts with contacts may grow tenfold: seen 1e-12 at most.
        assert!(difference < 1e-9, "foresight {foresight}: {one:?}, {other:?}");
    }
}
