//! Bounces of several bodies at once, and of bodies that rub: they give no energy.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::{G, ball, cuboid, fixed, step, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Cuboid, Pose, Shape, Sphere};
use tactum_sim::{BodyDesc, BodyKind, Settings, World};

/// Kinetic and potential energy \[J\].
fn energy(world: &World, gravity: f64) -> f64 {
    let of = |body: &tactum_sim::Body| {
        let spin = body.orientation.conjugate() * body.angular_velocity;
        0.5 * body.mass.mass * body.linear_velocity.length_squared()
            + 0.5 * spin.dot(body.mass.inertia * spin)
            + body.mass.mass * gravity * body.position.z
    };
    world.bodies().iter().filter(|body| body.kind == BodyKind::Dynamic).map(of).sum()
}

/// Two balls that come at a row of two with hardly any gap: whatever the order in which a step meets them, the momentum is kept and no
/// energy is won. Newton's law for each pair alone gave a fifth more.
#[test]
fn balls_in_a_row_win_no_energy() {
    for gap in [1e-3, 1e-4, 1e-5] {
        for dt in [0.01, 0.005, 0.001] {
            let settings = Settings { dt, restitution: 1.0, gravity: DVec3::ZERO, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            for ix in 0..4 {
                let coming = if ix < 2 { 1.0 } else { 0.0 };
                let at = f64::from(ix) * (0.1 + gap) + if ix < 2 { -0.013 } else { 0.0 };
                let desc = ball("ball", 0.05, 1.0, DVec3::X * at);
                let desc = BodyDesc { friction: Some(0.0), linear_velocity: DVec3::X * coming, ..desc };
                world.add_body(desc).unwrap();
            }
            let mut most = 0.0_f64;
            for _ in 0..(0.1 / dt) as usize {
                step(&mut world);
                most = most.max(energy(&world, 0.0));
            }
            let momentum: f64 = world.bodies().iter().map(|body| body.linear_velocity.x).sum();
            println!("gap {gap} m, {dt} s: at most {most} J of 1, at the end {}", energy(&world, 0.0));
            assert!((momentum - 2.0).abs() < 1e-12, "gap {gap} m, {dt} s: {momentum} kg m/s");
            // A millionth of what the impulses turn over may seem to be none.
            assert!(most < 1.0 + 1e-5, "gap {gap} m, {dt} s: {most} J of 1");
        }
    }
}

/// A ball that comes at four others in a row stops, and the last one goes on, wherever in a step it comes: each is stopped by the next one.
#[test]
fn a_ball_is_passed_on_through_a_row() {
    for gap in [1e-3, 5e-3] {
        for (dt, later) in [(0.01, 0.0), (0.01, 3.7e-3), (0.005, 1.3e-3), (0.0025, 0.0), (0.001, 3.7e-4)] {
            let settings = Settings {
                dt,
                restitution: 1.0,
                restitution_threshold: 0.0,
                gravity: DVec3::ZERO,
                ..Settings::default()
            };
            let mut world = World::new(settings).unwrap();
            for ix in 0..5 {
                let [at, coming] =
                    if ix == 0 { [-0.3 - later, 1.0] } else { [f64::from(ix) * (0.1 + gap), 0.0] };
                let desc = ball("ball", 0.05, 1.0, DVec3::X * at);
                let desc = BodyDesc { friction: Some(0.0), linear_velocity: DVec3::X * coming, ..desc };
                world.add_body(desc).unwrap();
            }
            for _ in 0..(0.5 / dt) as usize {
                step(&mut world);
            }
            let speeds: Vec<f64> = world.bodies().iter().map(|body| body.linear_velocity.x).collect();
            // Rounding; parts of the step are what it takes, without them five balls share the blow.
            let is_passed_on = |(ix, v): (usize, &f64)| (v - if ix == 4 { 1.0 } else { 0.0 }).abs() < 1e-12;
            assert!(
                speeds.iter().enumerate().all(is_passed_on),
                "gap {gap} m, {dt} s, {later} s later: {speeds:?}"
            );
        }
    }
}

/// Boxes that tumble on a rough floor and lose nothing where they do not rub win nothing where they do.
#[test]
fn rough_bounces_win_no_energy() {
    for seed in 0..12 {
        let turn = f64::from(seed);
        let orientation = DQuat::from_euler(glam::EulerRot::XYZ, 0.4 * turn, 0.9 * turn, 1.3 * turn);
        let settings = Settings { restitution: 1.0, dt: 0.0025, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        world.add_body(fixed("floor", Shape::HalfSpace)).unwrap();
        let desc = cuboid("box", DVec3::new(0.2, 0.1, 0.05), 1.0, DVec3::ZERO);
        world
            .add_body(BodyDesc {
                w_from_shape: Pose::new(DVec3::Z * 0.4, orientation),
                linear_velocity: DVec3::new(2.0, 0.5, 0.0),
                angular_velocity: DVec3::new(turn, 3.0, -turn),
                friction: Some(0.5),
                ..desc
            })
            .unwrap();
        let mut last = energy(&world, G);
        for _ in 0..600 {
            step(&mut world);
            let now = energy(&world, G);
            // Poses are moved besides to where bounces leave them, by up to a millimetre's height; seen: 0.14 %. Newton's law alone: 36 %.
            assert!(now < last + 1e-2 * last, "seed {seed}: {last} J to {now} J in a step");
            last = now;
        }
    }
}

const RADIUS: f64 = 0.05;

/// A ball, and a mesh that stands for one, with what velocities after a bounce may be off by \[m/s\] for 1 m/s of approach: rounding, and what the
/// normals of 1,280 facets are off by.
fn round_shapes() -> [(&'static str, Shape, f64); 2] {
    let mesh = Shape::from_mesh(generate::sphere(RADIUS, 1280).unwrap()).unwrap();
    [("ball", Shape::Sphere(Sphere { radius: RADIUS }), 1e-9), ("mesh", mesh, 2e-3)]
}

/// A ball of one kilogram of such a shape.
fn round(shape: &Shape, position: DVec3, linear_velocity: DVec3, spin: DVec3) -> BodyDesc {
    BodyDesc {
        shape: shape.clone(),
        smooth: shape.smooth_surface(0.25).map(Arc::new),
        linear_velocity,
        angular_velocity: spin,
        ..ball("ball", RADIUS, 1.0, position)
    }
}

/// A world without gravity in which all bounce.
fn weightless(dt: f64, restitution: f64) -> World {
    World::new(Settings { dt, restitution, gravity: DVec3::ZERO, ..Settings::default() }).unwrap()
}

/// A ball that strikes another one off its centre: along the line of centres as they touch the two part with the coefficient of restitution, across
/// it they rub by the coefficient of friction, or until they do not slip. Wherever in a step that is, and however long the step.
#[test]
fn balls_part_along_the_line_of_centres_as_they_touch() {
    let (speed, mass) = (2.0, 1.0);
    let cases =
        [(1.0, 0.0, 0.06, 0.0), (0.5, 0.0, 0.085, 0.0), (1.0, 0.2, 0.03, 40.0), (0.8, 0.05, 0.06, -60.0)];
    for (name, shape, allowed) in round_shapes() {
        for (restitution, friction, aside, spin) in cases {
            for dt in [0.01, 0.005, 0.0025, 0.001] {
                for start in [-0.3, -0.3071, -0.3137] {
                    let mut world = weightless(dt, restitution);
                    let comes =
                        round(&shape, DVec3::new(start, aside, 0.0), DVec3::X * speed, DVec3::Z * spin);
                    let stands = round(&shape, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
                    let ids = [comes, stands]
                        .map(|desc| world.add_body(BodyDesc { friction: Some(friction), ..desc }).unwrap());
                    let time = 0.3;
                    steps(&mut world, (time / dt).round() as usize);
                    let along = (4.0 * RADIUS * RADIUS - aside * aside).sqrt();
                    let normal = DVec3::new(along, -aside, 0.0) / (2.0 * RADIUS);
                    let across = DVec3::Z.cross(normal);
                    let pushes = 0.5 * mass * (1.0 + restitution) * speed * normal.x;
                    let slip = speed * across.x + RADIUS * spin;
                    // Both balls move and turn: each gives way to a force across by (1 + 5/2) / m.
                    let rubs = (friction * pushes).min(slip.abs() * mass / 7.0).copysign(slip);
                    let given = (normal * pushes + across * rubs) / mass;
                    let wanted = [DVec3::X * speed - given, given];
                    let touched = (-along - start) / speed;
                    let left = wanted.map(|velocity| velocity * (time - touched));
                    let places = [DVec3::new(-along, aside, 0.0) + left[0], left[1]];
                    for ((id, velocity), place) in ids.into_iter().zip(wanted).zip(places) {
                        let body = world.body(id);
                        let off = body.linear_velocity.distance(velocity) / speed;
                        let away = body.position.distance(place) / (speed * time);
                        let told = format!(
                            "{name}, e {restitution}, mu {friction}, {dt} s, from {start} m: {} for {velocity}, {away:.1e}",
                            body.linear_velocity
                        );
                        assert!(off < allowed && away < allowed, "{told}");
                    }
                }
            }
        }
    }
}

/// A ball that comes down beside the end of a table is thrown off its edge along the line from there to its centre as it touches, and so is one that
/// comes down on a corner.
#[test]
fn balls_bounce_off_edges_and_corners_where_they_touch_them() {
    let restitution = 0.8;
    for (name, shape, allowed) in round_shapes() {
        for off in [DVec3::new(0.03, 0.0, 0.0), DVec3::new(0.02, 0.53, 0.0)] {
            for dt in [0.01, 0.005, 0.0025, 0.001] {
                for start in [0.2, 0.2073, 0.2141] {
                    let mut world = weightless(dt, restitution);
                    let table = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.5, 0.05) });
                    let at = Pose::from_translation(DVec3::new(-0.5, 0.0, -0.05));
                    let smooth = BodyDesc { friction: Some(0.0), w_from_shape: at, ..fixed("table", table) };
                    world.add_body(smooth).unwrap();
                    let velocity = DVec3::new(0.2, 0.0, -2.8);
                    let touch = DVec3::new(0.0, off.y.min(0.5), 0.0);
                    let aside = off - touch;
                    let center = touch + aside + DVec3::Z * (RADIUS * RADIUS - aside.length_squared()).sqrt();
                    let time = (start - center.z) / -velocity.z;
                    let desc = round(&shape, center - velocity * time, velocity, DVec3::ZERO);
                    let id = world.add_body(BodyDesc { friction: Some(0.0), ..desc }).unwrap();
                    steps(&mut world, (0.15 / dt).round() as usize);
                    let normal = (center - touch) / RADIUS;
                    let wanted = velocity - normal * ((1.0 + restitution) * velocity.dot(normal));
                    let found = world.body(id).linear_velocity;
                    let told = format!("{name} at {off}, {dt} s, from {start} m: {found} for {wanted}");
                    assert!(found.distance(wanted) < allowed * velocity.length(), "{told}");
                }
            }
        }
    }
}

/// Boxes that lie on each other and fall together strike the floor with a blow that goes on through all of them. In the step of the blow
/// impulses are many times what they leave, and bodies go no farther than their velocities lead them: with bounces each at a time of its own
/// forty were led through each other, 110 mm deep, and got an eighth of their fall.
#[test]
fn a_falling_stack_keeps_its_order() {
    let side = 0.05;
    for (n, dt) in [(20, 0.01), (20, 0.005), (20, 0.0025), (40, 0.01), (40, 0.005), (40, 0.0025)] {
        let settings = Settings { gravity: DVec3::NEG_Z * G, dt, restitution: 0.3, ..Settings::default() };
        let mut world = world_with_floor(settings, 0.5);
        let fall = 0.1;
        for ix in 0..n {
            let desc = cuboid("box", DVec3::new(0.1, 0.1, side), 1.0, DVec3::ZERO);
            let height = fall + side * (f64::from(ix) + 0.5);
            let w_from_shape = Pose::from_translation(DVec3::Z * height);
            world.add_body(BodyDesc { w_from_shape, ..desc }).unwrap();
        }
        let (mut least, mut gained, mut deepest) = (energy(&world, G), 0.0_f64, 0.0_f64);
        for _ in 0..(0.6 / dt).round() as u32 {
            deepest = deepest.max(step(&mut world).deepest());
            let now = energy(&world, G);
            gained = gained.max(now - least);
            least = least.min(now);
        }
        let gained = gained / (f64::from(n) * G * fall);
        println!("{n} boxes, {dt} s: {deepest:.1e} m deep, {gained:.1e} of the fall gained");
        // Seen: 0.35 mm and 2.7e-3 of 40 with 10 ms.
        assert!(deepest < 0.02 * side, "{n} boxes, {dt} s: {deepest} m deep");
        assert!(gained < 0.01, "{n} boxes, {dt} s: {gained} of the fall gained");
    }
}
