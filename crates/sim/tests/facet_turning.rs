//! What friction holds against bodies of facets that turn about the normal, by themselves and while they slide.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::G;
use common::facets::{self, slippery, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::facets::Rounding;
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, TriangleMesh};
use tactum_sim::{BodyDesc, BodyId, Settings, World};

const FRICTION: f64 = 0.3;

/// Radii of the ring \[m\].
const MAJOR: f64 = 0.05;
const MINOR: f64 = 0.01;

/// A mesh that lies on a plate, as deep as it lies there at rest.
fn on_a_plate(mesh: TriangleMesh, young: f64, pose: Pose) -> (World, BodyId) {
    let settings = Settings { restitution: 0.2, gravity: DVec3::Z * -G, ..facets::settings(young) };
    let mut world = World::new(settings).unwrap();
    world.add_body(BodyDesc { friction: Some(FRICTION), ..facets::plate(2.0) }).unwrap();
    let body = slippery(mesh, &Rounding::Estimated, pose, DVec3::ZERO, DVec3::ZERO);
    let id = world.add_body(BodyDesc { friction: Some(FRICTION), ..body }).unwrap();
    steps(&mut world, 50);
    (world, id)
}

fn ring(triangles: usize) -> (World, BodyId) {
    on_a_plate(
        generate::torus(MAJOR, MINOR, triangles).unwrap(),
        1e8,
        Pose::from_translation(DVec3::Z * MINOR),
    )
}

/// Moves a body, and how it moves after some time \[s\].
fn after(world: &mut World, id: BodyId, velocity: DVec3, spin: f64, time: f64) -> (DVec3, DVec3) {
    world.set_velocity(id, velocity, DVec3::Z * spin).unwrap();
    let n = (time / world.settings().dt).round() as usize;
    steps(world, n);
    let body = &world.bodies()[id.0 as usize];
    (body.linear_velocity, body.angular_velocity)
}

/// Its moment of inertia about the vertical over its mass \[m²\].
fn gyration(world: &World, id: BodyId) -> f64 {
    let body = &world.bodies()[id.0 as usize];
    let axis = body.orientation.conjugate() * DVec3::Z;
    (body.mass.inertia * axis).dot(axis) / body.mass.mass
}

/// A ring that spins is held by its whole weight at its radius.
#[test]
fn rings_that_spin_are_held_at_their_rim() {
    for triangles in [2000, 8000] {
        let (mut world, id) = ring(triangles);
        let slowing = FRICTION * G * MAJOR / gyration(&world, id);
        let (velocity, spin) = after(&mut world, id, DVec3::ZERO, 40.0, 0.1);
        let found = (40.0 - spin.z) / 0.1;
        println!("{triangles}: {:.5}, v {velocity}, spin {spin}", found / slowing);
        assert!((found / slowing - 1.0).abs() < 0.01);
        assert!(velocity.length() < 1e-3 && spin.truncate().length() < 0.05);
    }
}

/// A ball that spins in its place is held by Hertz' pressure, 3 π / 16 of the contact's radius away from the axis in the mean.
#[test]
fn balls_that_spin_are_held_by_hertz_pressure() {
    let (radius, young) = (0.01, 1e6);
    let mesh = generate::sphere(radius, 320).unwrap();
    let (mut world, id) = on_a_plate(mesh, young, Pose::from_translation(DVec3::Z * radius));
    let weight = world.bodies()[id.0 as usize].mass.mass * G;
    let modulus = young / (2.0 * (1.0 - 0.3 * 0.3));
    let contact = (0.75 * weight * radius / modulus).cbrt();
    let slowing = FRICTION * G * 3.0 * PI / 16.0 * contact / gyration(&world, id);
    let (velocity, spin) = after(&mut world, id, DVec3::ZERO, 40.0, 0.1);
    let found = (40.0 - spin.z) / 0.1;
    println!("{:.5}, v {velocity}, spin {spin}", found / slowing);
    assert!((found / slowing - 1.0).abs() < 0.01);
}

/// A ring that friction has stopped stands still: what it rocks by on the way is damped where its facets press.
#[test]
fn rings_that_have_stopped_do_not_rock() {
    let (mut world, id) = ring(2000);
    let (_, spin) = after(&mut world, id, DVec3::X * 0.5, 20.0, 0.5);
    let (velocity, later) = after(&mut world, id, DVec3::ZERO, 0.0, 0.0);
    println!("{velocity} {spin} {later}");
    assert!(spin.length() < 1e-3);
}

/// A capsule that lies and spins has its weight along a line, at a quarter of its length in the mean.
#[test]
fn capsules_that_spin_are_held_along_their_line() {
    let (radius, length) = (0.01, 0.08);
    let mesh = generate::capsule(radius, 0.5 * length, 4000).unwrap();
    let lying = Pose::new(DVec3::Z * radius, DQuat::from_rotation_y(0.5 * PI));
    // So soft that it is pressed deeper than its mesh is uneven.
    let (mut world, id) = on_a_plate(mesh, 1e6, lying);

    let slowing = FRICTION * G * 0.25 * length / gyration(&world, id);
    let (velocity, spin) = after(&mut world, id, DVec3::ZERO, 20.0, 0.05);
    let found = (20.0 - spin.z) / 0.05;
    println!("{:.5}, v {velocity}, spin {spin}", found / slowing);
    // What is pressed of the round ends lies beyond the line: seen 1.033.
    assert!((found / slowing - 1.0).abs() < 0.05);
}

/// What a ring of weight holds against sliding and turning, of μN and of μNR, by quadrature around it.
fn coulomb(v: f64, w: f64) -> [f64; 2] {
    let n = 720;
    let part = |ix: u32| {
        let (sin, cos) = (2.0 * PI * (f64::from(ix) + 0.5) / f64::from(n)).sin_cos();
        let speed = (v - w * sin).hypot(w * cos);
        [(v - w * sin) / speed, (w - v * sin) / speed]
    };
    (0..n).map(part).fold([0.0; 2], |sum, part| [0, 1].map(|k| sum[k] + part[k] / f64::from(n)))
}

/// What slides and spins is held against both together: as it slides farther for spinning, so does it spin longer for sliding.
#[test]
fn rings_that_slide_and_spin_go_as_coulombs_friction_has_it() {
    for (v, w) in [(0.5, 0.5), (0.2, 0.6), (0.6, 0.2)] {
        let (mut world, id) = ring(2000);
        let inertia = gyration(&world, id) / (MAJOR * MAJOR);
        let (mut exact_v, mut exact_w) = (v, w);
        let (time, n) = (0.12, 2000);
        for _ in 0..n {
            let [f, h] = coulomb(exact_v, exact_w);
            let change = FRICTION * G * time / f64::from(n);
            (exact_v, exact_w) = (exact_v - f * change, exact_w - h * change / inertia);
        }
        let (velocity, spin) = after(&mut world, id, DVec3::X * v, w / MAJOR, time);
        let found = [velocity.x, spin.z * MAJOR];
        println!("{v} {w}: {found:?}, exact {exact_v} {exact_w}");
        // The limit is off by up to 1.3 %, and where it is so is the motion normal to it: seen 1.1 % of what sliding alone would lose.
        assert!((found[0] - exact_v).abs() < 0.015 * FRICTION * G * time);
        assert!((found[1] - exact_w).abs() < 0.015 * FRICTION * G * time / inertia);
    }
}
