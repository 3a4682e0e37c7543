//! What bodies of facets keep of their energy where nothing damps them and their curvature changes all over them.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::facets::{self, settings, slippery, step};
use common::{G, angular_momentum, momentum};
use glam::{DQuat, DVec3};
use tactum_geometry::facets::Rounding;
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, TriangleMesh};
use tactum_random::Rng;
use tactum_sim::{BodyDesc, FacetPressure, MassProperties, Settings, World};

/// Semi-axes \[m\].
const AXES: DVec3 = DVec3::new(0.055, 0.05, 0.045);

/// How high its middle falls from above the place where it would lie on its middle axis \[m\].
const FALL: f64 = 0.1;

/// A part of the energy, as balls keep it.
const KEPT: f64 = 1e-4;

/// An ellipsoid of 1 kg of so many facets.
fn oval(triangles: usize, pose: Pose, velocity: DVec3, spin: DVec3) -> BodyDesc {
    grain(generate::ellipsoid(AXES, triangles).unwrap(), pose, velocity, spin)
}

/// A mesh of 1 kg without friction, its curvature estimated.
fn grain(mesh: TriangleMesh, pose: Pose, velocity: DVec3, spin: DVec3) -> BodyDesc {
    let body = slippery(mesh, &Rounding::Estimated, pose, velocity, spin);
    let part = body.mass.mass.recip();
    let mass = MassProperties { mass: 1.0, inertia: body.mass.inertia * part, ..body.mass };
    BodyDesc { mass, ..body }
}

fn plate() -> BodyDesc {
    BodyDesc { friction: Some(0.0), ..facets::plate(8.0) }
}

fn turned(rng: &mut Rng) -> DQuat {
    let mut x = || rng.range(-1.0, 1.0);
    DQuat::from_xyzw(x(), x(), x(), x()).normalize()
}

/// The most that a bounce changes of the energy, in parts of what it fell with, and how many bounces there were.
fn worst_bounce(mut world: World, time: f64, fall: f64) -> (f64, u32) {
    let is_free = |world: &World| world.snapshot().memory.facets.pairs.is_empty();
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let (mut before, mut was_free) = (energy(&world), true);
    let (mut worst, mut n) = (0.0_f64, 0);
    for _ in 0..(time / world.settings().dt).round() as u32 {
        step(&mut world);
        let free = is_free(&world);
        if free {
            worst = worst.max((energy(&world) - before).abs() / fall);
            before = energy(&world);
            n += u32::from(!was_free);
        }
        was_free = free;
    }
    (worst, n)
}

/// What falls on a plate and turns from bounce to bounce: few facets and many, soft and hard.
#[test]
fn ovals_that_bounce_keep_their_energy() {
    let mut rng = Rng::new(15);
    for (triangles, young) in
        [80, 320, 1280, 5120].into_iter().flat_map(|n| [1e6, 1e7, 1e8].map(|young| (n, young)))
    {
        for pressure in [FacetPressure::Hertz, FacetPressure::Foundation] {
            // As stiff as Hertz' contact is somewhere on the way.
            let foundation = young / 0.01;
            let settings = Settings { pressure, foundation, gravity: DVec3::Z * -G, ..settings(young) };
            let mut world = World::new(settings).unwrap();
            world.add_body(plate()).unwrap();
            let pose = Pose::new(DVec3::Z * (FALL + AXES.y), turned(&mut rng));
            world.add_body(oval(triangles, pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
            let (worst, n) = worst_bounce(world, 1.5, G * FALL);
            println!("{triangles} facets, {young:e} Pa, {pressure:?}: {worst:.1e} of {n} bounces");
            assert!(n > 3 && worst < KEPT);
        }
    }
}

/// Rings, which are saddles inside, fall on a plate and over its edge: nothing of them is taken for a sphere of metres.
#[test]
fn rings_that_bounce_keep_their_energy() {
    let mut rng = Rng::new(17);
    for (major, minor) in [(0.05, 0.03), (0.06, 0.03), (0.06, 0.02)] {
        for young in [1e7, 1e9] {
            let mut world = World::new(Settings { gravity: DVec3::Z * -G, ..settings(young) }).unwrap();
            world.add_body(plate()).unwrap();
            let ring = generate::torus(major, minor, 2000).unwrap();
            let mut way = || DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            let (spin, at) = (way() * 15.0, DVec3::new(3.7, 0.0, 0.2));
            let pose = Pose::new(at, turned(&mut rng));
            world.add_body(grain(ring, pose, DVec3::X * 0.5, spin)).unwrap();
            let (worst, n) = worst_bounce(world, 1.2, G * 0.1);
            println!("{major} {minor}, {young:e} Pa: {worst:.1e} of {n} bounces");
            // Seen: up to 1.1e-4. By spheres of metres they gained many times what they fell with.
            assert!(n > 1 && worst < 10.0 * KEPT);
        }
    }
}

/// Two that meet askew and spin, in free space.
#[test]
fn ovals_that_meet_askew_keep_energy_and_momenta() {
    let mut rng = Rng::new(16);
    for triangles in [80, 320] {
        for _ in 0..rng.cases(3) {
            let mut world = World::new(Settings { gravity: DVec3::ZERO, ..settings(1e7) }).unwrap();
            let mut way = || DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            let spins = [way() * 10.0, way() * 10.0];
            let aside = DVec3::new(0.0, 0.03, 0.02);
            let poses = [DVec3::X * -0.08, DVec3::X * 0.08 + aside].map(|at| Pose::new(at, turned(&mut rng)));
            for (ix, sign) in [1.0, -1.0].into_iter().enumerate() {
                world.add_body(oval(triangles, poses[ix], DVec3::X * sign, spins[ix])).unwrap();
            }
            let start = (world.kinetic_energy(), momentum(&world), angular_momentum(&world));
            let mut deepest = 0.0_f64;
            for _ in 0..150 {
                deepest = deepest.max(step(&mut world).max_depth);
            }
            let lost = world.kinetic_energy() / start.0 - 1.0;
            println!("{triangles} facets: {lost:.1e}, {deepest} m deep");
            assert!(deepest > 1e-4 && world.snapshot().memory.facets.pairs.is_empty());
            assert!(lost.abs() < KEPT);
            assert!((momentum(&world) - start.1).length() < 1e-12);
            // Most of it cancels out: against what 1 kg m/s have at an arm of the size.
            assert!((angular_momentum(&world) - start.2).length() < 1e-12 * AXES.x);
        }
    }
}

/// A torus of 2,000 facets with tubes of this radius \[m\] around a ring of 6 cm, without friction.
fn ring(tube: f64, pose: Pose, velocity: DVec3, spin: DVec3) -> BodyDesc {
    slippery(generate::torus(0.06, tube, 2000).unwrap(), &Rounding::Estimated, pose, velocity, spin)
}

/// Tori that fly past the end of a plate, a tube's radius above it and less: the spheres of their facets are metres wide where they are curved as much one way as the other,
/// and reach into the plate all the same.
#[test]
fn tori_that_pass_over_a_plate_without_touching_it_keep_their_energy() {
    let mut rng = Rng::new(17);
    for tube in [0.03, 0.036, 0.0225, 0.012] {
        for _ in 0..rng.cases(4) {
            let mut world = World::new(Settings { gravity: DVec3::ZERO, ..settings(1e7) }).unwrap();
            world.add_body(plate()).unwrap();
            let reach = 0.06 + tube;
            let place = DVec3::new(rng.range(-1.0, 1.0), 3.9, reach + rng.range(1e-3, 0.03));
            let spin = DVec3::new(rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), rng.range(-9.0, 9.0));
            let pose = Pose::new(place, turned(&mut rng));
            world.add_body(ring(tube, pose, DVec3::Y * 2.0, spin)).unwrap();
            let start = world.kinetic_energy();
            for _ in 0..100 {
                let report = step(&mut world);
                assert!(report.max_depth == 0.0, "a depth of {} m", report.max_depth);
            }
            let changed = world.kinetic_energy() / start - 1.0;
            // Nothing acts: sums of some thousand sub-steps leave rounding.
            assert!(changed.abs() < 1e-9, "tube {tube}: {changed:.1e}");
        }
    }
}
