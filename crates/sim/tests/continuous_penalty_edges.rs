//! Continuous penalty forces where bodies touch with edges: at a table's end, in a chain, across rails, flush on each other.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;

use common::penalty::{MASS, STIFFNESS, block, of_mesh, settings, step};
use common::{G, ball, cuboid, fixed};
use glam::{DQuat, DVec3};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, Settings, World};

/// A plate on a table, 0.3 by 0.3 by 0.1 m, pushed along x without friction.
fn on_table(settings: Settings, sides: DVec3, at: DVec3, speed: f64) -> (World, BodyId) {
    let mut world = World::new(Settings { gravity: DVec3::Z * -G, ..settings }).unwrap();
    let table = block("table", DVec3::new(1.0, 1.0, 0.2), 1.0, DVec3::Z * -0.1);
    world.add_body(BodyDesc { kind: BodyKind::Static, friction: Some(0.0), ..table }).unwrap();
    let plate = block("plate", sides, MASS, at);
    let moving = BodyDesc { linear_velocity: DVec3::X * speed, friction: Some(0.0), ..plate };
    let id = world.add_body(moving).unwrap();
    (world, id)
}

/// A corner that has gone over the table's edge holds nothing any more; the plate's edges across it do, and when it is pulled back the corner
/// does again.
#[test]
fn what_is_pushed_over_an_edge_and_back_stays_level() {
    let sink = MASS * G / (4.0 * STIFFNESS);
    let sides = DVec3::new(0.3, 0.3, 0.1);
    let (mut world, id) = on_table(settings(1e-3), sides, DVec3::new(0.2, 0.03, 0.05 - sink), 0.5);
    for turn in [1.0, -1.0] {
        world.set_velocity(id, DVec3::X * 0.5 * turn, DVec3::ZERO).unwrap();
        for _ in 0..480 {
            step(&mut world);
            let body = world.body(id);
            // Half as many springs at the edge as over the middle at worst: as deep again, and the same in motion.
            assert!(
                (body.position.z - 0.05).abs() < 4.0 * sink,
                "{} at {}",
                body.position.z,
                body.position.x
            );
            assert!(body.orientation.angle_between(DQuat::IDENTITY) < 0.02, "at {}", body.position.x);
        }
        let way = world.body(id).position.x - 0.2;
        assert!((way - if turn > 0.0 { 0.24 } else { 0.0 }).abs() < 0.01, "{way}");
    }
}

/// Ten links of 200 facets each that hang in one another, from where they touch.
#[test]
fn links_of_a_chain_hang() {
    let (major, minor) = (0.05, 0.01);
    let settings = Settings { gravity: DVec3::Z * -G, damping: 5.0, ..settings(1e-3) };
    let mut world = World::new(settings).unwrap();
    let mesh = generate::torus(major, minor, 200).unwrap();
    for i in 0..10 {
        let at = DVec3::Z * (-2.0 * (major - minor) * f64::from(i));
        let axis =
            if i % 2 == 0 { DQuat::from_rotation_x(0.5 * PI) } else { DQuat::from_rotation_y(0.5 * PI) };
        let link = of_mesh(cuboid("link", DVec3::new(0.12, 0.12, 0.02), 0.1, at), &mesh);
        let kind = if i == 0 { BodyKind::Static } else { BodyKind::Dynamic };
        world
            .add_body(BodyDesc { w_from_shape: Pose::new(at, axis), kind, friction: Some(0.3), ..link })
            .unwrap();
    }
    let deepest = (0..1000).map(|_| step(&mut world).max_depth).fold(0.0, f64::max);
    let last = world.bodies().last().unwrap();
    println!("deepest {deepest} m, the last at {} at {} m/s", last.position.z, last.linear_velocity.length());
    // The springs give way by 0.1 mm at most for each of the weights on them, twice that as they are let go.
    assert!(deepest < 2.0 * 9.0 * 1e-4, "{deepest}");
    assert!((-0.7244..-0.72).contains(&last.position.z), "{}", last.position.z);
}

/// A bar across two rails, which its ends are beyond, touches them with edges only: where it is put on them, or falls on them from 1 mm, flat
/// or somewhat askew.
#[test]
fn a_bar_lies_across_rails() {
    let settings = Settings { gravity: DVec3::Z * -G, damping: 20.0, ..settings(1e-3) };
    for (height, tilt) in [(0.025, 0.0), (0.0249, 0.0), (0.026, 0.0), (0.026, 0.002), (0.03, 0.02)] {
        let mut world = World::new(settings).unwrap();
        for x in [-0.4, 0.4] {
            let rail = block("rail", DVec3::new(0.1, 0.6, 0.2), 1.0, DVec3::new(x, 0.0, -0.1));
            world.add_body(BodyDesc { kind: BodyKind::Static, ..rail }).unwrap();
        }
        let bar = block("bar", DVec3::new(1.4, 0.1, 0.05), MASS, DVec3::ZERO);
        let pose =
            Pose::new(DVec3::new(0.02, 0.01, height), DQuat::from_scaled_axis(DVec3::new(tilt, tilt, 0.01)));
        let id = world.add_body(BodyDesc { w_from_shape: pose, ..bar }).unwrap();
        (0..2000).for_each(|_| drop(step(&mut world)));
        let body = world.body(id);
        // On four edges' crossings at least, eight at most.
        let sink = MASS * G / (4.0 * STIFFNESS);
        let below = 0.025 - body.position.z;
        assert!((0.4 * sink..1.5 * sink).contains(&below), "{below} m from {height} m, tilted by {tilt}");
        assert!(body.linear_velocity.length() < 1e-4, "{} from {height} m", body.linear_velocity);
    }
}

/// A world with a plane z = 0 and a cube of 0.2 m with its centre at a height \[m\], turned about the vertical.
fn on_floor(settings: Settings, height: f64, turn: f64) -> (World, BodyId) {
    let mut world = World::new(settings).unwrap();
    world.add_body(fixed("floor", Shape::HalfSpace)).unwrap();
    let cube = block("lower", DVec3::splat(0.2), MASS, DVec3::ZERO);
    let pose = Pose::new(DVec3::Z * height, DQuat::from_rotation_z(turn));
    let id = world.add_body(BodyDesc { w_from_shape: pose, friction: Some(0.5), ..cube }).unwrap();
    (world, id)
}

/// Cubes laid exactly on each other, turned against each other: eight crossings of edges carry each.
#[test]
fn cubes_stand_on_each_other() {
    for turn in [0.1, 0.3, 0.6] {
        let settings = Settings { gravity: DVec3::Z * -G, damping: 20.0, ..settings(1e-3) };
        let mut world = World::new(settings).unwrap();
        world.add_body(fixed("floor", Shape::HalfSpace)).unwrap();
        for i in 0..4 {
            let at = DVec3::Z * (0.1 + 0.2 * f64::from(i));
            let pose = Pose::new(at, DQuat::from_rotation_z(turn * f64::from(i)));
            let cube = block(&format!("cube {i}"), DVec3::splat(0.2), MASS, at);
            world.add_body(BodyDesc { w_from_shape: pose, friction: Some(0.5), ..cube }).unwrap();
        }
        (0..2000).for_each(|_| drop(step(&mut world)));
        for (i, body) in world.bodies().iter().skip(1).enumerate() {
            // No interface gives way by more than the weight of all on four springs.
            let below = 0.1 + 0.2 * i as f64 - body.position.z;
            let most = (i + 1) as f64 * 4.0 * MASS * G / (4.0 * STIFFNESS);
            assert!(below > 0.0 && below < most, "cube {i}, turned by {turn}: {below} m below");
        }
    }
}

/// What lies still has no damper to carry it: a cube lies as deep as its four springs say, less what gravity adds to the way that is looked
/// ahead along, `g h² / 2`; a cube on that one, turned against it, comes to rest as well.
#[test]
fn dampers_carry_no_weight() {
    /// Rounding of places of a tenth of a metre, and what is left of the swinging after four seconds.
    const REST: f64 = 1e-9;
    let h = 1e-3;
    for damping in [0.0, 20.0, 100.0] {
        let settings = Settings { gravity: DVec3::Z * -G, damping, ..settings(h) };
        let depth = MASS * G / (4.0 * STIFFNESS) - 0.5 * G * h * h;
        let (mut world, id) = on_floor(settings, 0.1 - depth, 0.0);
        (0..1000).for_each(|_| drop(step(&mut world)));
        let found = 0.1 - world.body(id).position.z;
        assert!((found - depth).abs() < REST, "{found} m for {depth} with {damping} N s/m");
        if damping == 0.0 {
            continue;
        }
        let upper = block("upper", DVec3::splat(0.2), MASS, DVec3::ZERO);
        let pose = Pose::new(DVec3::Z * 0.3, DQuat::from_rotation_z(0.4));
        let upper = world.add_body(BodyDesc { w_from_shape: pose, friction: Some(0.5), ..upper }).unwrap();
        (0..4000).for_each(|_| drop(step(&mut world)));
        for body in [world.body(id), world.body(upper)] {
            let speed = body.linear_velocity.length() + body.angular_velocity.length();
            assert!(speed < REST, "'{}' at {speed} with {damping} N s/m", body.name);
        }
    }
}

/// Sides that lie in one plane to rounding: which of them a corner is over is anyone's guess, in each step anew.
#[test]
fn what_lies_flush_is_held() {
    let sides = DVec3::new(1.0, 1.0, 0.1);
    for at in [DVec3::new(0.1, 0.0, 0.0498), DVec3::new(0.0, 0.0, 0.0498), DVec3::new(0.1, 0.0, 0.0502)] {
        let (mut world, id) = on_table(settings(1e-3), sides, at, 0.0);
        (0..1000).for_each(|_| drop(step(&mut world)));
        let body = world.body(id);
        assert!((body.position.z - 0.05).abs() < 1e-3, "{} from {at}", body.position);
    }
}

/// Bars that begin across each other ridge on ridge, at a right angle as at others, as deep as their weight presses them: they stay there.
#[test]
fn bars_that_begin_across_each_other_are_held() {
    let h = 1e-3;
    let depth = MASS * G / STIFFNESS - 0.5 * G * h * h;
    let sides = DVec3::new(0.5, 0.05, 0.05);
    let on_edge = DQuat::from_rotation_x(0.25 * PI);
    for yaw in [0.5, 0.4, 0.3].map(|part| part * PI) {
        let settings = Settings { gravity: DVec3::Z * -G, damping: 5.0, ..settings(h) };
        let mut world = World::new(settings).unwrap();
        let below = block("below", sides, 1.0, DVec3::ZERO);
        let pose = Pose::new(DVec3::ZERO, on_edge);
        world.add_body(BodyDesc { kind: BodyKind::Static, w_from_shape: pose, ..below }).unwrap();
        let height = 0.05 * 2.0_f64.sqrt() - depth;
        let pose = Pose::new(DVec3::Z * height, DQuat::from_rotation_z(yaw) * on_edge);
        let id = world
            .add_body(BodyDesc { w_from_shape: pose, ..block("above", sides, MASS, DVec3::ZERO) })
            .unwrap();
        (0..200).for_each(|_| drop(step(&mut world)));
        let off = (world.body(id).position.z - height).abs();
        assert!(off < 1e-9, "{off} m off, turned by {yaw}");
    }
}

/// Roofs ridge on ridge, however little they are turned against each other, were it by a billionth: dropped from half a millimetre, or put where their weight presses
/// them, the upper one is held.
#[test]
fn ridges_that_are_nearly_parallel_hold() {
    let h = 1e-3;
    let sides = DVec3::new(0.5, 0.05, 0.05);
    let on_edge = DQuat::from_rotation_x(0.25 * PI);
    for (yaw, above) in
        [6e-8, 0.1, 0.5, 1.5, 2.5, 2.9, 3.5, 8.0].into_iter().flat_map(|yaw: f64| [(yaw, 5e-4), (yaw, -1e-4)])
    {
        let settings = Settings { gravity: DVec3::Z * -G, damping: 5.0, ..settings(h) };
        let mut world = World::new(settings).unwrap();
        let below = block("below", sides, 1.0, DVec3::ZERO);
        let pose = Pose::new(DVec3::ZERO, on_edge);
        world.add_body(BodyDesc { kind: BodyKind::Static, w_from_shape: pose, ..below }).unwrap();
        let touching = 0.05 * 2.0_f64.sqrt();
        let turn = DQuat::from_rotation_z(yaw.to_radians());
        let pose = Pose::new(DVec3::Z * (touching + above), turn * on_edge);
        let id = world
            .add_body(BodyDesc { w_from_shape: pose, ..block("above", sides, MASS, DVec3::ZERO) })
            .unwrap();
        // As deep as one spring with all of its energy, and a step's way: they balance on a point, and turn off it in time.
        let weight = MASS * G / STIFFNESS;
        let deepest = weight + (weight * weight + 2.0 * weight * above.max(0.0)).sqrt() + 1e-4;
        let mut lowest = f64::MAX;
        for _ in 0..100 {
            step(&mut world);
            lowest = lowest.min(world.body(id).position.z);
        }
        assert!(
            touching - lowest < deepest,
            "{} m deep, turned by {yaw} degrees, from {above} m",
            touching - lowest
        );
    }
}

/// Two balls in one place touch with all they have, and have no way out: nothing presses, and nothing asks for sub-steps.
#[test]
fn what_only_touches_asks_for_no_sub_steps() {
    let mesh = generate::sphere(0.1, 320).unwrap();
    let mut world = World::new(settings(1e-3)).unwrap();
    for name in ["one", "other"] {
        world.add_body(of_mesh(ball(name, 0.1, MASS, DVec3::ZERO), &mesh)).unwrap();
    }
    for _ in 0..10 {
        let report = step(&mut world);
        assert!(report.substeps == 1 && report.contacts.is_empty(), "{} sub-steps", report.substeps);
    }
    assert!(world.snapshot().memory.passages.pairs[0].tracks.len() > 2000, "they touch");
}
