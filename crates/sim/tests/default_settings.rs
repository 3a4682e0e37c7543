//! What comes out with the default settings, where nothing is typed in but friction.
//!
//! Closed forms are for continuous time; a step's impulse acts on the whole step's motion, so distances come out short by
//! half a step of the first speed. The steps here are short enough for the bound beside each number.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::{G, ball, cuboid, fixed, step, steps, world_with_floor};
use glam::{DMat3, DQuat, DVec2, DVec3};
use tactum_geometry::mesh::generate::{self, LShape, Prism, Ring, Table};
use tactum_geometry::{Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, MassProperties, Settings, World};

/// A regular prism of mass 1 that stands on z = 0.
fn prism(sides: u32, radius: f64, height: f64) -> BodyDesc {
    let mesh = generate::prism(&Prism { sides, radius, height }, 4 * sides as usize).unwrap();
    of_shape(Shape::from_mesh(mesh).unwrap(), height)
}

/// A square block of mass 1 that stands on z = 0.
fn block(side: f64, height: f64) -> BodyDesc {
    of_shape(Shape::Cuboid(Cuboid { half_size: 0.5 * DVec3::new(side, side, height) }), height)
}

fn of_shape(shape: Shape, height: f64) -> BodyDesc {
    let unit = shape.unit_mass().unwrap();
    let mass = MassProperties { mass: 1.0, center: unit.center, inertia: unit.inertia * (1.0 / unit.volume) };
    BodyDesc {
        kind: BodyKind::Dynamic,
        w_from_shape: Pose::from_translation(DVec3::Z * 0.5 * height),
        mass,
        ..fixed("prism", shape)
    }
}

fn settings(dt: f64) -> Settings {
    Settings { dt, ..Settings::default() }
}

/// A world with a floor on which `desc` rests and settles for a few steps, then starts to move.
fn launched(dt: f64, friction: f64, desc: BodyDesc, linear: DVec3, angular: DVec3) -> World {
    let mut world = world_with_floor(settings(dt), friction);
    world.add_body(BodyDesc { friction: Some(friction), ..desc }).unwrap();
    steps(&mut world, 20);
    world.set_velocity(BodyId(1), linear, angular).unwrap();
    world
}

/// Steps until nothing moves; the time that took.
fn until_rest(world: &mut World, limit: f64) -> f64 {
    let start = world.time();
    while world.kinetic_energy() > 1e-12 {
        step(world);
        assert!(world.time() - start < limit, "{} J left after {limit} s", world.kinetic_energy());
    }
    world.time() - start
}

/// A disc of radius R spins down in `3 R ω / (4 μ g)`: uniform pressure resists with 2/3 μ m g R, the rim alone would
/// with 3/2 of that. A polygon of 64 sides has 0.998 of the disc's ratio of inertia to mean distance.
#[test]
fn a_spinning_disc_stops_when_uniform_pressure_says() {
    let (radius, omega, mu) = (0.1, 20.0, 0.3);
    let disc = prism(64, radius, 0.02);
    let mut world = launched(1e-3, mu, disc, DVec3::ZERO, DVec3::Z * omega);
    let time = until_rest(&mut world, 1.0);
    let ratio = time / (3.0 * radius * omega / (4.0 * mu * G));
    assert!((ratio - 1.0).abs() < 0.01, "ratio {ratio}");
    assert!(world.body(BodyId(1)).position.truncate().length() < 1e-6);
}

/// Mean distance from their middle of the points of a face within `half`, by the midpoint rule.
fn mean_distance(half: DVec2, holds: impl Fn(DVec2) -> bool) -> f64 {
    let n = 800;
    let place = |i: usize| (i as f64 + 0.5) * 2.0 / n as f64 - 1.0;
    let points: Vec<DVec2> =
        (0..n * n).map(|k| half * DVec2::new(place(k % n), place(k / n))).filter(|x| holds(*x)).collect();
    let middle = points.iter().sum::<DVec2>() / points.len() as f64;
    points.iter().map(|x| x.distance(middle)).sum::<f64>() / points.len() as f64
}

/// A ring, a table and an L on its side are braked by μ g times the mean distance of the faces on which they stand. A ring counts as
/// what it is; seen: the ring 0.02 % too little, of which its 128 sides are a part, a table of 4 : 3 1.0 % too little, an L 3.4 % too much.
#[test]
fn hollow_faces_rub_where_they_have_their_area() {
    let ring = generate::ring(&Ring { inner_radius: 0.08, outer_radius: 0.1, height: 0.02 }, 1024).unwrap();
    let legs = Table {
        length: 0.4,
        width: 0.3,
        height: 0.1,
        top_thickness: 0.02,
        leg_thickness: 0.02,
        leg_inset: DVec2::ZERO,
    };
    let table = generate::table(&legs, 0).unwrap();
    let angle = LShape { length: 0.2, height: 0.2, width: 0.02, thickness: 0.05 };
    let angle = generate::l_shape(&angle, 0).unwrap();
    let on_side = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let cases = [
        (ring, DQuat::IDENTITY, 2.0 / 3.0 * (1e-3 - 0.512e-3) / (1e-2 - 0.64e-2), 2e-3),
        (
            table,
            DQuat::IDENTITY,
            mean_distance(DVec2::new(0.2, 0.15), |x| x.abs().cmpgt(DVec2::new(0.18, 0.13)).all()),
            0.015,
        ),
        (angle, on_side, mean_distance(DVec2::splat(0.1), |x| x.min_element() < -0.05), 0.04),
    ];
    for (mesh, turn, distance, tolerance) in cases {
        let lowest = mesh.vertices.iter().map(|x| (turn * *x).z).fold(f64::INFINITY, f64::min);
        let shape = Shape::from_mesh(mesh).unwrap();
        let desc = BodyDesc { w_from_shape: Pose::new(DVec3::NEG_Z * lowest, turn), ..of_shape(shape, 0.0) };
        let inertia = desc.mass.inertia.z_axis.z;
        let inertia = if turn == DQuat::IDENTITY { inertia } else { desc.mass.inertia.y_axis.y };
        for dt in [0.01, 1e-3] {
            let (mu, omega) = (0.3, 20.0);
            let mut world = launched(dt, mu, desc.clone(), DVec3::ZERO, DVec3::Z * omega);
            steps(&mut world, (0.05_f64 / dt).round() as usize);
            let braking = (omega - world.body(BodyId(1)).angular_velocity.z) / 0.05 * inertia;
            let ratio = braking / (mu * G * distance);
            assert!((ratio - 1.0).abs() < tolerance, "{dt}: {ratio}");
        }
    }
}

/// Distance and time until a disc of uniform pressure that slides and spins stops, by the midpoint rule over 60 radii and
/// half a turn, in steps of 10 microseconds.
fn slide_and_spin(radius: f64, mu: f64, speed: f64, omega: f64) -> (f64, f64) {
    let nodes: Vec<(DVec2, f64)> = (0..60)
        .flat_map(|i| {
            (0..60).map(move |j| {
                let r = (f64::from(i) + 0.5) / 60.0;
                let angle = PI * (f64::from(j) + 0.5) / 60.0 - 0.5 * PI;
                (DVec2::from_angle(angle) * r, 2.0 * r / 3600.0)
            })
        })
        .collect();
    let (mut v, mut w, mut x, mut t) = (speed, omega, 0.0, 0.0);
    let dt = 1e-4;
    while v > 0.0 && w > 0.0 {
        let (mut force, mut torque) = (0.0, 0.0);
        for (r, weight) in &nodes {
            // Slip at the node; its mirror image in x takes the other sign of the transverse part.
            let r = *r * radius;
            let slip = DVec2::new(v - w * r.y, w * r.x);
            let t = slip / slip.length();
            force += weight * t.x;
            torque += weight * (r.x * t.y - r.y * t.x);
        }
        x += dt * (v - 0.5 * dt * mu * G * force);
        v -= dt * mu * G * force;
        w -= dt * mu * G * torque / (0.5 * radius * radius);
        t += dt;
    }
    (x, t)
}

/// A disc that slides and spins at once shares its friction: it comes almost twice as far as it
/// would without the spin, and both end together.
#[test]
fn a_disc_that_slides_and_spins_stops_both_together() {
    let (radius, mu, speed, omega) = (0.1, 0.3, 1.0, 20.0);
    let (distance, time) = slide_and_spin(radius, mu, speed, omega);
    // Published elsewhere for this disc: 0.334 m and 0.646 s.
    assert!((distance - 0.334).abs() < 1e-3 && (time - 0.646).abs() < 1e-3, "{distance} {time}");
    let disc = prism(64, radius, 0.02);
    let mut world = launched(5e-4, mu, disc, DVec3::X * speed, DVec3::Z * omega);
    let start = world.body(BodyId(1)).position;
    let (mut slides, mut spins) = (0.0, 0.0);
    while world.kinetic_energy() > 1e-12 && world.time() < 1.0 {
        step(&mut world);
        let body = world.body(BodyId(1));
        if body.linear_velocity.length() > 1e-3 * speed {
            slides = world.time();
        }
        if body.angular_velocity.length() > 1e-3 * omega {
            spins = world.time();
        }
    }
    let travelled = (world.body(BodyId(1)).position - start).length();
    assert!((travelled / distance - 1.0).abs() < 0.01, "travelled {travelled}, expected {distance}");
    assert!((slides - spins).abs() < 0.003, "slides until {slides}, spins until {spins}");
    assert!((slides - 0.01 - time).abs() < 0.01, "stops at {slides}, expected {time}");
}

/// A sliding octagonal prism stops after `v² / (2 μ g)` and does not turn.
#[test]
fn an_octagon_stops_where_coulomb_says_without_yaw() {
    let (speed, mu, dt) = (2.0, 0.3, 2e-4);
    let mut world = launched(dt, mu, prism(8, 0.1, 0.05), DVec3::X * speed, DVec3::ZERO);
    let start = world.body(BodyId(1)).position;
    until_rest(&mut world, 2.0);
    let body = world.body(BodyId(1));
    let travelled = (body.position - start).length();
    // Half a step of the first speed short: 0.03 %.
    assert!((travelled / (speed * speed / (2.0 * mu * G)) - 1.0).abs() < 1e-3, "travelled {travelled}");
    assert!(body.orientation.angle_between(DQuat::IDENTITY) < 1e-6);
}

/// Rotates gravity instead of the floor.
fn on_slope(dt: f64, degrees: f64) -> Settings {
    let angle = degrees.to_radians();
    Settings { gravity: G * DVec3::new(angle.sin(), 0.0, -angle.cos()), ..settings(dt) }
}

/// The body after `time` on a slope that it was put on at rest.
fn after_on_slope(degrees: f64, friction: f64, desc: &BodyDesc, time: f64) -> (DVec3, f64) {
    let dt = 0.005;
    let mut world = world_with_floor(on_slope(dt, degrees), friction);
    let id = world.add_body(BodyDesc { friction: Some(friction), ..desc.clone() }).unwrap();
    steps(&mut world, 10);
    let start = world.body(id).position;
    steps(&mut world, (time / dt) as usize);
    let body = world.body(id);
    (body.position - start, body.orientation.angle_between(DQuat::IDENTITY))
}

/// A box of 1 : 3 tips at atan(1/3) = 18.435 degrees and slides at atan(mu).
#[test]
fn a_box_tips_and_slides_at_its_angles() {
    let tall = cuboid("box", DVec3::new(0.1, 0.1, 0.3), 3.0, DVec3::Z * 0.15);
    let (_, stands) = after_on_slope(18.435 - 0.05, 1.0, &tall, 2.0);
    let (_, tips) = after_on_slope(18.435 + 0.05, 1.0, &tall, 2.0);
    assert!(stands < 1e-3 && tips > 0.01, "turned by {stands} and {tips}");
    let flat = cuboid("box", DVec3::new(0.1, 0.1, 0.1), 1.0, DVec3::Z * 0.05);
    let limit = 0.4_f64.atan().to_degrees();
    let (stays, _) = after_on_slope(limit - 0.02, 0.4, &flat, 2.0);
    let (slides, _) = after_on_slope(limit + 0.02, 0.4, &flat, 2.0);
    // Beyond the angle it gains g dθ / cos θ = 3.7e-3 m/s².
    assert!(stays.length() < 1e-7 && slides.x > 5e-3, "{stays} {slides}");
}

/// A ball rolls down a slope with `5/7 g sin θ`, and slides without turning where there is no friction.
#[test]
fn a_ball_rolls_at_five_sevenths() {
    for (friction, part) in [(0.5, 5.0 / 7.0), (0.0, 1.0)] {
        let dt = 1e-3;
        let mut world = world_with_floor(on_slope(dt, 20.0), friction);
        let desc = BodyDesc { friction: Some(friction), ..ball("ball", 0.05, 0.5, DVec3::Z * 0.05) };
        let id = world.add_body(desc).unwrap();
        steps(&mut world, 50);
        let v = world.body(id).linear_velocity.x;
        steps(&mut world, 500);
        let body = world.body(id);
        let acceleration = (body.linear_velocity.x - v) / 0.5;
        let ratio = acceleration / (part * G * 20.0_f64.to_radians().sin());
        assert!((ratio - 1.0).abs() < 0.005, "mu {friction}: {ratio}");
        assert!(friction > 0.0 || body.angular_velocity.length() < 1e-12);
        assert!((body.position.z - 0.05).abs() < 1e-4, "height {}", body.position.z);
    }
}

/// Cubes that hang over a table's edge fall if their centre does, for every overhang and without friction's help; those
/// that stay do not creep.
#[test]
fn cubes_across_an_edge_fall_if_their_centre_is_beyond() {
    for friction in [0.0, 0.5] {
        for millimetres in [-40, -20, -5, -1, 1, 5, 20, 40] {
            let beyond = 1e-3 * f64::from(millimetres);
            let mut world = World::new(settings(0.005)).unwrap();
            let table = BodyDesc {
                friction: Some(friction),
                w_from_shape: Pose::from_translation(DVec3::new(-0.5, 0.0, -0.05)),
                ..fixed("table", Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.5, 0.05) }))
            };
            world.add_body(table).unwrap();
            let center = DVec3::new(beyond, 0.0, 0.05);
            let cube =
                BodyDesc { friction: Some(friction), ..cuboid("cube", DVec3::splat(0.1), 1.0, center) };
            let id = world.add_body(cube).unwrap();
            steps(&mut world, 600);
            let body = world.body(id);
            if beyond > 0.0 {
                assert!(body.position.z < -0.1, "{millimetres} mm, mu {friction}: {}", body.position);
            } else {
                let moved = (body.position - center).truncate().length();
                assert!(moved < 1e-8 && body.position.z > 0.04, "{millimetres} mm: moved {moved}");
                assert!(body.linear_velocity.length() < 1e-9, "{}", body.linear_velocity);
            }
        }
    }
}

/// A coin set spinning on its tilted rim never gains energy and ends flat. How long it takes depends on the step: a step
/// takes from a rolling rim in proportion to its length (measured: 1.42, 1.92, 2.29, 2.45 s for 1 ms and its halves).
#[test]
fn a_tumbling_coin_loses_energy_and_ends_flat() {
    for dt in [2e-3, 1e-3] {
        let tilt = DQuat::from_rotation_x(1.2);
        let (radius, height) = (0.1, 0.02);
        let lowest = radius * 1.2_f64.sin() + 0.5 * height * 1.2_f64.cos();
        let mut world = world_with_floor(settings(dt), 0.5);
        let desc = BodyDesc {
            w_from_shape: Pose::new(DVec3::Z * lowest, tilt),
            angular_velocity: DVec3::Z * 5.0,
            ..prism(64, radius, height)
        };
        let id = world.add_body(desc).unwrap();
        let start = world.kinetic_energy() + world.potential_energy();
        let mut lowest_energy = start;
        while world.time() < 3.0 {
            step(&mut world);
            let energy = world.kinetic_energy() + world.potential_energy();
            // The position correction lifts the coin by parts of its depth of 5e-6 m.
            assert!(energy <= lowest_energy + 1e-4 * start, "gains {} J", energy - lowest_energy);
            lowest_energy = lowest_energy.min(energy);
        }
        let up = world.body(id).orientation * DVec3::Z;
        assert!(up.x.hypot(up.y) < 1e-3, "tilt {}", up.x.hypot(up.y));
        assert!(world.kinetic_energy() < 1e-9, "{} J left", world.kinetic_energy());
    }
}

/// A table of four legs tips when its load does, at `m_table d₁ = m_load d₂` about the legs' outer faces.
#[test]
fn a_table_tips_under_its_load_at_the_legs_outer_faces() {
    let inertia = DMat3::from_diagonal(DVec3::new(0.6, 0.8, 1.0));
    for (part, tips) in [(0.99, false), (1.01, true)] {
        let mut world = world_with_floor(settings(0.005), 0.8);
        // The legs' outer faces are 0.3 m from the middle; the load acts 0.2 m beyond them.
        let table = block(0.6, 0.5);
        let load = 15.0 * part;
        // Table and load as one body: its weight stands where the load has moved it.
        let center = DVec3::new(0.5 * load / (10.0 + load), 0.0, 0.0);
        let mass = MassProperties { mass: 10.0 + load, center, inertia };
        let id = world.add_body(BodyDesc { mass, friction: Some(0.8), ..table }).unwrap();
        steps(&mut world, 400);
        let turned = world.body(id).orientation.angle_between(DQuat::IDENTITY);
        assert!((turned > 0.01) == tips, "load {part} of what tips it: turned by {turned}");
    }
}

/// A box on a slope below the friction angle stands still for a minute: no creep of the kind that springy contacts have.
#[test]
fn a_box_on_a_slope_does_not_creep_for_a_minute() {
    let dt = 0.01;
    let mut world = world_with_floor(on_slope(dt, 15.0), 0.4);
    let desc = BodyDesc { friction: Some(0.4), ..cuboid("box", DVec3::splat(0.1), 1.0, DVec3::Z * 0.05) };
    let id = world.add_body(desc).unwrap();
    // It sinks to its target depth first.
    steps(&mut world, 100);
    let start = world.body(id).position;
    steps(&mut world, 6000);
    let creep = (world.body(id).position - start).length() / 60.0;
    assert!(creep < 1e-9, "creeps at {creep} m/s");
}

/// A thousandfold weight on a light box: neither sinks in by more than twice the depth at which contacts are held.
#[test]
fn a_thousandfold_weight_rests_on_a_light_box() {
    let mut world = world_with_floor(settings(0.01), 0.5);
    for (i, mass) in [1.0, 1000.0].into_iter().enumerate() {
        let center = DVec3::Z * (0.05 + 0.1 * i as f64);
        world.add_body(cuboid("box", DVec3::splat(0.1), mass, center)).unwrap();
    }
    let mut deepest = 0.0_f64;
    for _ in 0..1000 {
        deepest = deepest.max(step(&mut world).max_depth);
    }
    assert!(deepest < 2.0 * Settings::default().target_depth * 0.1, "{deepest} m deep");
    assert!(world.kinetic_energy() < 1e-9 && world.body(BodyId(2)).position.z > 0.1499);
}
