//! Unlike bodies that fall on each other: what others stop, strike or turn within a step meets what its free motion does not lead to.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{G, SMOOTH, fixed, moving, step};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, Gear, LShape, TorusKnot};
use tactum_geometry::{Cone, Cuboid, Cylinder, Pose, Shape, Sphere};
use tactum_random::Rng;
use tactum_sim::{BodyDesc, Settings, World};

/// Bodies of 10 cm, half of them no convex ones.
fn shapes() -> Vec<Shape> {
    let (pressure_angle_deg, backlash, bore_radius) = (20.0, 0.0, 0.0);
    let gear = Gear { teeth: 12, module: 0.008, height: 0.03, pressure_angle_deg, backlash, bore_radius };
    let ell = LShape { height: 0.07, length: 0.07, thickness: 0.03, width: 0.05 };
    let knot = TorusKnot { p: 2, q: 3, major_radius: 0.04, minor_radius: 0.018, tube_radius: 0.01 };
    let meshes = [
        generate::gear(&gear, 0),
        generate::l_shape(&ell, 0),
        generate::torus_knot(&knot, 1500),
        generate::star(0.06, 0.03, 500),
        generate::critter(0.035, 3, 800),
    ];
    let convex = [
        Shape::Cuboid(Cuboid { half_size: DVec3::new(0.05, 0.04, 0.03) }),
        Shape::Cylinder(Cylinder { radius: 0.05, height: 0.05 }),
        Shape::Cone(Cone { radius: 0.05, height: 0.1 }),
        Shape::Sphere(Sphere { radius: 0.05 }),
    ];
    meshes.into_iter().map(|mesh| Shape::from_mesh(mesh.unwrap()).unwrap()).chain(convex).collect()
}

/// Six of them above each other, turned anyhow: none is in another, nor in the floor.
fn heap(shapes: &[Shape], rng: &mut Rng, foresight: u32) -> World {
    let settings = Settings { dt: 0.01, gravity: DVec3::NEG_Z * G, foresight, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    world.add_body(BodyDesc { friction: Some(0.4), ..fixed("floor", Shape::HalfSpace) }).unwrap();
    for n in 0..6 {
        let shape = shapes[rng.below(shapes.len())].clone();
        let axis = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let turn = DQuat::from_scaled_axis(3.0 * axis);
        let place = DVec3::new(rng.range(-0.03, 0.03), rng.range(-0.03, 0.03), 0.15 + 0.2 * f64::from(n));
        let body = moving(shape, Pose::new(place, turn), DVec3::ZERO, DVec3::ZERO);
        let smooth = body.shape.smooth_surface(SMOOTH).map(Arc::new);
        world.add_body(BodyDesc { friction: Some(0.4), smooth, ..body }).unwrap();
    }
    world
}

/// How deep bodies of heaps are in each other at most in their first second, least first \[m\].
fn deepest(shapes: &[Shape], foresight: u32) -> Vec<f64> {
    let mut rng = Rng::new(7);
    let of_heap = |_| {
        let mut world = heap(shapes, &mut rng, foresight);
        assert_eq!(step(&mut world).contacts, [], "they start apart");
        (0..100).map(|_| step(&mut world).deepest()).fold(0.0, f64::max)
    };
    let mut deepest: Vec<f64> = (0..10).map(of_heap).collect();
    deepest.sort_by(f64::total_cmp);
    deepest
}

/// Where steps are followed to where their velocities lead, heaps get into each other less: the median of these is 1.13 mm without and 0.096 mm
/// with it. The bound lies between.
#[test]
fn heaps_whose_steps_are_followed_stay_out_of_each_other() {
    let shapes = shapes();
    let [without, with] = [0, 4].map(|foresight| deepest(&shapes, foresight));
    println!("without {without:?}\nwith {with:?}");
    assert!(5.0 * with[5] < without[5], "{with:?} for {without:?}");
}
