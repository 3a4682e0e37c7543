//! Continuous penalty forces know no frame and no order: what bodies do to each other depends on how they move against each other, and not on which is listed first.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::cuboid;
use common::penalty::{of_mesh, settings, step};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate::{self, LShape};
use tactum_geometry::{Pose, TriangleMesh};
use tactum_random::Rng;
use tactum_sim::{BodyDesc, Settings, World};

/// A vector of random numbers between -1 and 1.
fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.range(-1.0, 1.0)))
}

/// A tetrahedron in a cube of twice this size \[m\].
fn tetrahedron(half: f64) -> TriangleMesh {
    let tips = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    TriangleMesh {
        vertices: tips.map(|tip| half * DVec3::from(tip)).to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    }
}

/// Two bodies of 1 kg that come at each other at 1 m/s each, turning.
fn pair(meshes: &[TriangleMesh], rng: &mut Rng) -> [BodyDesc; 2] {
    [-1.0, 1.0].map(|side| {
        let mesh = &meshes[(rng.bits() % meshes.len() as u64) as usize];
        let aside = 0.06 * vector(rng) * DVec3::new(0.0, 1.0, 1.0);
        let turned = DQuat::from_scaled_axis(std::f64::consts::PI * vector(rng));
        BodyDesc {
            w_from_shape: Pose::new(0.2 * side * DVec3::X + aside, turned),
            linear_velocity: -side * DVec3::X,
            angular_velocity: 5.0 * vector(rng),
            ..of_mesh(cuboid("body", DVec3::splat(0.2), 1.0, DVec3::ZERO), mesh)
        }
    })
}

/// A world of bodies that all move by so much more.
fn boosted(bodies: &[BodyDesc; 2], by: DVec3, settings: &Settings) -> World {
    let mut world = World::new(*settings).unwrap();
    for body in bodies {
        let linear_velocity = body.linear_velocity + by;
        world.add_body(BodyDesc { linear_velocity, ..body.clone() }).unwrap();
    }
    world
}

/// Bodies that collide while all of them fly past do to each other what they do at rest.
///
/// What is left is rounding, of poses by some 1e-16 of how far they have flown: 1e-14 of the velocities in most collisions, and some 1e-9 where a spring that has given all back
/// presses anew, as its rest is found by the root of what is left in its account. What asks where something is in the world, and not where the other body is, makes more
/// than a thousandth of it.
#[test]
fn bodies_that_fly_together_collide_as_at_rest() {
    let mut rng = Rng::new(71);
    let meshes = [
        tetrahedron(0.1),
        generate::cuboid(DVec3::splat(0.2), 12).unwrap(),
        generate::sphere(0.12, 320).unwrap(),
        generate::torus(0.1, 0.03, 200).unwrap(),
    ];
    let settings = Settings { stiffness: 2e4, ..settings(1e-3) };
    let (mut met, mut worst) = (0, 0.0_f64);
    for _ in 0..rng.cases(40) {
        let bodies = pair(&meshes, &mut rng);
        let by = 5.0 * vector(&mut rng);
        let [mut rest, mut moving] = [DVec3::ZERO, by].map(|by| boosted(&bodies, by, &settings));
        let mut touched = 0;
        for _ in 0..250 {
            touched += step(&mut rest).contacts.len();
            step(&mut moving);
        }
        met += usize::from(touched > 0);
        let both = rest.bodies().iter().zip(moving.bodies());
        let off = both.map(|(x, y)| (x.linear_velocity + by).distance(y.linear_velocity)).fold(0.0, f64::max);
        worst = worst.max(off);
        assert!(off < 1e-7, "{off} m/s, boosted by {by}");
    }
    println!("{met} collisions, velocities differ by {worst:e} m/s at most");
    assert!(met > 20, "{met}");
}

/// A world in which both bodies are listed in this order.
fn listed(bodies: [&BodyDesc; 2], settings: &Settings) -> World {
    let mut world = World::new(*settings).unwrap();
    for body in bodies {
        world.add_body(body.clone()).unwrap();
    }
    world
}

/// By how much velocities of bodies differ, of which the n-th of one list is to be the m-th of the other one \[m/s\].
fn differ(one: &World, other: &World, order: [usize; 2]) -> f64 {
    let both = one.bodies().iter().zip(order.map(|ix| &other.bodies()[ix]));
    both.map(|(x, y)| x.linear_velocity.distance(y.linear_velocity)).fold(0.0, f64::max)
}

/// Two bodies without friction do to each other what they do if the other one is listed first.
///
/// What is left is rounding: sums are made in another order. Most collisions make 1e-12 m/s of that, but some are so poised that they make much more of any
/// change: a corner that just meets another one's edge, a spring of which all but rounding was given back. So beside each the same is done with the one body moved by 1e-12 m, a few
/// thousand roundings of its place, along each axis: a hundred times what comes of that, and 1e-8 m/s, is rounding.
///
/// What rubs takes turns in the order of the list, and where these stop before all is found that order is seen.
#[test]
fn which_body_is_listed_first_is_of_no_matter() {
    let mut rng = Rng::new(72);
    let ell = LShape { length: 0.25, width: 0.1, height: 0.2, thickness: 0.08 };
    let meshes = [
        tetrahedron(0.1),
        generate::cuboid(DVec3::splat(0.2), 12).unwrap(),
        generate::cuboid(DVec3::new(0.3, 0.3, 0.05), 12).unwrap(),
        generate::l_shape(&ell, 20).unwrap(),
        generate::sphere(0.12, 80).unwrap(),
        generate::torus(0.1, 0.03, 200).unwrap(),
    ];
    let settings = Settings { stiffness: 2e4, ..settings(1e-3) };
    let (mut met, mut worst) = (0, 0.0_f64);
    for case in 0..rng.cases(60) {
        let [a, b] = pair(&meshes, &mut rng).map(|body| BodyDesc { friction: Some(0.0), ..body });
        let mut world = listed([&a, &b], &settings);
        let mut swapped = listed([&b, &a], &settings);
        let mut moved = DVec3::AXES.map(|axis| {
            let Pose { rotation, translation } = a.w_from_shape;
            let w_from_shape = Pose::new(translation + 1e-12 * axis, rotation);
            listed([&BodyDesc { w_from_shape, ..a.clone() }, &b], &settings)
        });
        let mut touched = 0;
        for _ in 0..300 {
            touched += step(&mut world).contacts.len();
            step(&mut swapped);
            moved.iter_mut().for_each(|world| {
                step(world);
            });
        }
        met += usize::from(touched > 0);
        let off = differ(&world, &swapped, [1, 0]);
        let rounding = moved.iter().map(|moved| differ(&world, moved, [0, 1])).fold(0.0, f64::max);
        worst = worst.max(off);
        assert!(off < 1e-8 + 100.0 * rounding, "case {case}: {off} m/s, {rounding} m/s by 1e-12 m");
    }
    println!("{met} collisions, velocities differ by {worst:e} m/s at most");
    assert!(met > 30, "{met}");
}
