//! Bodies fall asleep where they rest, and wake as if they had not slept.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{ask, ball, cuboid, fixed, step, steps, world_with_floor};
use glam::{DQuat, DVec3};
use tactum_geometry::{Cuboid, Pose, Shape};
use tactum_sim::{BodyDesc, BodyId, BodyKind, Drive, JointDesc, JointKind, Settings, ValueOverTime, World};

const SIDE: f64 = 0.1;

/// A stack of boxes on the floor; the floor is body 0.
fn stack(n: u32, settings: Settings) -> World {
    let mut world = world_with_floor(settings, 0.5);
    for level in 0..n {
        let at = DVec3::Z * (SIDE * (f64::from(level) + 0.5));
        world.add_body(cuboid("box", DVec3::splat(SIDE), 1.0, at)).unwrap();
    }
    world
}

fn asleep(world: &World) -> Vec<bool> {
    world.bodies().iter().map(|body| body.rest.asleep).collect()
}

/// What a resting stack presses with stays reported, and nothing is asked any more.
#[test]
fn a_stack_falls_asleep_and_still_presses() {
    let mut world = stack(3, Settings::default());
    steps(&mut world, 100);
    assert_eq!(asleep(&world), [false, true, true, true]);
    let positions: Vec<DVec3> = world.bodies().iter().map(|body| body.position).collect();
    assert!(ask(&mut world).overlaps.is_empty());
    for _ in 0..20 {
        let report = step(&mut world);
        assert_eq!((report.asleep, report.sweeps, report.contacts.len()), (3, 0, 3));
        for (contact, above) in report.contacts.iter().zip([3.0, 2.0, 1.0]) {
            let force = contact.impulse[0] / world.settings().dt;
            // What is left of the motion at which it fell asleep, a millionth of its size in half a second.
            assert!((force - 9.81 * above).abs() < 1e-5 * force, "{force}");
        }
    }
    let now: Vec<DVec3> = world.bodies().iter().map(|body| body.position).collect();
    assert_eq!(now, positions);
}

#[test]
fn nothing_sleeps_where_it_is_switched_off_or_nothing_carries_it() {
    let mut world = stack(3, Settings { sleep_after: 0.0, ..Settings::default() });
    steps(&mut world, 200);
    assert!(!asleep(&world).contains(&true));
    // Two boxes that touch and drift have no speed against each other, and none against anything that stands.
    let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    for x in [0.0, SIDE] {
        let drift = DVec3::X * 1e-12;
        world
            .add_body(BodyDesc {
                linear_velocity: drift,
                ..cuboid("box", DVec3::splat(SIDE), 1.0, DVec3::X * x)
            })
            .unwrap();
    }
    steps(&mut world, 200);
    assert!(!asleep(&world).contains(&true));
}

/// A ball that comes down on a sleeping stack meets what it would meet had the stack not slept.
#[test]
fn what_is_hit_wakes_in_the_step_that_hits_it() {
    let mut slept = stack(3, Settings::default());
    steps(&mut slept, 100);
    let mut awake = slept.clone();
    awake.wake_all();
    for world in [&mut slept, &mut awake] {
        let at = DVec3::new(0.02, 0.01, 3.0 * SIDE + 0.5);
        let shot = ball("shot", 0.03, 2.0, at);
        world.add_body(BodyDesc { linear_velocity: DVec3::Z * -3.0, ..shot }).unwrap();
    }
    let mut woke = None;
    // Twenty steps later the shot, which rolls away over the box that it has hit, tells what tilt a thousandth of its depth was.
    for n in 0..30 {
        step(&mut awake);
        step(&mut slept);
        if !asleep(&slept).contains(&true) {
            woke.get_or_insert(n);
        }
        for (a, b) in slept.bodies().iter().zip(awake.bodies()) {
            // The impact is taken out of the positions to a thousandth, 2e-7 m in the step of the impact and up to 1e-6 m after it; the
            // depth at which they are held is 5e-6 m.
            assert!(a.position.distance(b.position) < 5e-5 * SIDE, "{} in step {n}", a.name);
            assert!((a.linear_velocity - b.linear_velocity).length() < 1e-4, "{} in step {n}", a.name);
        }
    }
    // 0.5 m less its radius at 3 m/s and faster.
    assert!(woke.is_some_and(|n| (10..16).contains(&n)), "{woke:?}");
}

#[test]
fn what_sleeps_apart_sleeps_on() {
    let mut world = stack(2, Settings::default());
    for level in [0.5, 1.5] {
        let at = DVec3::new(5.0 * SIDE, 0.0, SIDE * level);
        world.add_body(cuboid("other", DVec3::splat(SIDE), 1.0, at)).unwrap();
    }
    steps(&mut world, 100);
    assert_eq!(asleep(&world), [false, true, true, true, true]);
    world.set_wrench(BodyId(1), DVec3::X, DVec3::ZERO).unwrap();
    assert_eq!(asleep(&world), [false, false, false, true, true]);
    steps(&mut world, 10);
    assert_eq!(asleep(&world), [false, false, false, true, true]);
    // Pushed by less than friction holds, it falls asleep again, and the same force as before wakes nobody.
    steps(&mut world, 100);
    assert_eq!(asleep(&world), [false, true, true, true, true]);
    world.set_wrench(BodyId(1), DVec3::X, DVec3::ZERO).unwrap();
    assert_eq!(asleep(&world), [false, true, true, true, true]);
}

/// Bodies with their ground taken away fall, whoever takes it.
#[test]
fn what_loses_its_ground_wakes() {
    let plate = |kind| BodyDesc {
        kind,
        w_from_shape: Pose::from_translation(DVec3::Z * (1.0 - 0.05)),
        ..fixed("plate", Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.5, 0.05) }))
    };
    let down = DVec3::Z * -50.0;
    for kind in [BodyKind::Kinematic, BodyKind::Static] {
        let mut world = World::new(Settings::default()).unwrap();
        let id = world.add_body(plate(kind)).unwrap();
        world.add_body(cuboid("box", DVec3::splat(SIDE), 1.0, DVec3::Z * (1.0 + 0.5 * SIDE))).unwrap();
        steps(&mut world, 100);
        assert_eq!(asleep(&world), [false, true]);
        if kind == BodyKind::Kinematic {
            world.set_velocity(id, down, DVec3::ZERO).unwrap();
        } else {
            world.set_pose(id, &Pose::from_translation(down)).unwrap();
        }
        steps(&mut world, 10);
        let fallen = world.body(BodyId(1)).linear_velocity.z;
        assert!((fallen + 9.81 * 0.1).abs() < 1e-3, "{kind:?}: {fallen}");
    }
}

/// What a kinematic body pushes against wakes, and what it carries does not sleep.
#[test]
fn what_is_pushed_or_carried_by_a_driven_body_is_awake() {
    let mut world = stack(1, Settings::default());
    let side = DVec3::splat(0.5 * SIDE);
    let pusher = BodyDesc {
        kind: BodyKind::Kinematic,
        w_from_shape: Pose::from_translation(DVec3::new(-2.0 * SIDE, 0.0, 0.6 * SIDE)),
        ..fixed("pusher", Shape::Cuboid(Cuboid { half_size: side }))
    };
    let id = world.add_body(pusher).unwrap();
    steps(&mut world, 100);
    assert_eq!(asleep(&world), [false, true, false]);
    world.set_velocity(id, DVec3::X * 0.2, DVec3::ZERO).unwrap();
    steps(&mut world, 150);
    assert!(!asleep(&world)[1]);
    let gap = world.body(BodyId(1)).position.x - world.body(id).position.x;
    assert!((gap - SIDE).abs() < 1e-3 * SIDE, "{gap}");
}

/// A servo that will move its load later keeps it awake; one that is done lets it sleep.
#[test]
fn joints_sleep_unless_their_drives_have_something_left_to_do() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add_body(cuboid("arm", DVec3::new(0.2, 0.02, 0.02), 1.0, DVec3::X * 0.1)).unwrap();
    let target = ValueOverTime::through(vec![[2.0, 0.0], [2.5, 0.5]]).unwrap();
    let drive = Drive::Servo { target, stiffness: 1e4, damping: 1e2, strength: 1e4 };
    let joint = JointDesc {
        name: "hinge".to_owned(),
        a: None,
        b: BodyId(0),
        kind: JointKind::Revolute { limits: None, drive: Some(drive) },
        anchor: DVec3::ZERO,
        axis: DVec3::Y,
        bodies_touch: false,
        break_force: None,
        break_torque: None,
    };
    let id = world.add_joint(joint).unwrap();
    steps(&mut world, 190);
    assert_eq!(asleep(&world), [false]);
    steps(&mut world, 500);
    assert_eq!(asleep(&world), [true]);
    let report = step(&mut world);
    // Half a metre-kilogram of weight at the end of the arm's middle, and the servo's spring gives by it.
    let sag = 9.81 * 0.1 * 0.5_f64.cos() / 1e4;
    assert!((report.joints[0].coordinate - 0.5 - sag).abs() < 1e-5, "{:?}", report.joints);
    assert!((report.joints[0].impulse[0].abs()) < 1e-9 && report.sweeps == 0);
    world.set_drive(id, None).unwrap();
    steps(&mut world, 10);
    assert!(world.body(BodyId(0)).angular_velocity.y > 0.1);
}

/// A sleeping world is repeated from a snapshot bit for bit, through waking and on any number of threads.
#[test]
fn sleep_is_part_of_the_state() {
    let mut world = stack(4, Settings::default());
    steps(&mut world, 100);
    let at = DVec3::new(0.02, 0.01, 4.0 * SIDE + 0.2);
    world.add_body(ball("shot", 0.03, 2.0, at)).unwrap();
    steps(&mut world, 5);
    let snapshot = world.snapshot();
    assert!(snapshot.bodies[1].rest.asleep && !snapshot.memory.asleep.contacts.is_empty());
    steps(&mut world, 60);
    let end = world.state_hash();
    world.restore(&snapshot).unwrap();
    steps(&mut world, 60);
    assert_eq!(world.state_hash(), end);
    world.restore(&snapshot).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| steps(&mut world, 60));
    assert_eq!(world.state_hash(), end);
}

/// A step in parts reports the impulses of the whole step, asleep or not.
#[test]
fn sleepers_of_a_step_in_parts_press_with_their_weight() {
    let mut world = stack(2, Settings { substeps: 4, ..Settings::default() });
    steps(&mut world, 100);
    let report = step(&mut world);
    assert_eq!(report.asleep, 2);
    assert!((report.contacts[0].impulse[0] / world.settings().dt - 2.0 * 9.81).abs() < 1e-4);
}

/// What sleeps presses with its weight in a step that others, who land, are followed through in parts, too.
#[test]
fn sleepers_press_with_their_weight_while_others_land() {
    let mut world = stack(2, Settings::default());
    steps(&mut world, 100);
    // Far away, side by side and so many that all of the world goes on in parts.
    for ix in 0..36_u32 {
        let at = SIDE * DVec3::new(f64::from(ix % 6) + 30.0, f64::from(ix / 6), 1.0);
        let landing = cuboid("landing", DVec3::splat(SIDE), 1.0, at);
        world.add_body(BodyDesc { linear_velocity: 5.0 * DVec3::NEG_Z, ..landing }).unwrap();
    }
    for _ in 0..5 {
        let report = step(&mut world);
        let lower = report.contacts.iter().find(|contact| contact.bodies == [BodyId(0), BodyId(1)]).unwrap();
        // As for a sleeping stack above.
        assert!((lower.impulse[0] / world.settings().dt - 2.0 * 9.81).abs() < 1e-4, "{lower:?}");
        assert_eq!(report.asleep, 2);
    }
}

/// A box whose slope is turned under it by gravity starts to slide at the angle of friction, after however long a sleep.
#[test]
fn a_turned_gravity_wakes() {
    let mut world = stack(1, Settings::default());
    steps(&mut world, 100);
    assert!(asleep(&world)[1]);
    let gravity = DQuat::from_rotation_y(-0.5) * world.settings().gravity;
    world.set_settings(Settings { gravity, ..*world.settings() }).unwrap();
    let n = 20;
    steps(&mut world, n);
    let slide = 9.81 * (0.5_f64.sin() - 0.5 * 0.5_f64.cos()) * n as f64 * 0.01;
    let speed = world.body(BodyId(1)).linear_velocity.length();
    assert!((speed / slide - 1.0).abs() < 0.01, "{speed} against {slide}");
}
