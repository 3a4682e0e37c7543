//! Joints: closed forms of pendulums, slides, motors and servos; what they hold, where they stop, when they break.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod breaking;
#[path = "../common/mod.rs"]
mod common;

use std::f64::consts::{PI, TAU};

use common::{G, angular_momentum, ask, ball, between, cuboid, fixed, momentum, step, steps, to_world};
use glam::DVec3;
use tactum_geometry::{Cuboid, Shape};
use tactum_sim::{
    BodyDesc, BodyId, BodyKind, Drive, JointDesc, JointError, JointId, JointKind, Settings, ValueOverTime,
    World,
};

fn revolute() -> JointKind {
    JointKind::Revolute { limits: None, drive: None }
}

/// A world without floor; impulses to the last bits, to the end of every motion.
fn world(dt: f64, gravity: f64) -> World {
    let gravity = DVec3::new(0.0, 0.0, -gravity);
    let exact =
        Settings { tolerance: 1e-11, relative_tolerance: 1e-14, sleep_after: 0.0, ..Settings::default() };
    World::new(Settings { dt, gravity, ..exact }).unwrap()
}

/// A rod of length 1 and mass 1 whose upper end is at the origin, `angle` from hanging down.
fn pendulum(world: &mut World, angle: f64) -> (BodyId, JointId) {
    let along = DVec3::new(angle.sin(), 0.0, -angle.cos());
    let mut rod = cuboid("rod", DVec3::new(0.05, 0.05, 1.0), 1.0, 0.5 * along);
    rod.w_from_shape.rotation = glam::DQuat::from_rotation_y(-angle);
    let rod = world.add_body(rod).unwrap();
    let joint = world.add_joint(to_world(rod, revolute(), DVec3::ZERO)).unwrap();
    (rod, joint)
}

fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}

/// How far the halves of a joint to the world have come apart \[m\].
fn gap(world: &World, joint: JointId) -> f64 {
    let joint = &world.joints()[joint.0 as usize];
    let body = world.body(joint.b);
    (body.position + body.orientation * joint.halves[1].origin - joint.halves[0].origin).length()
}

#[test]
fn a_pendulum_swings_at_its_period_and_keeps_its_energy_for_a_minute() {
    let mut world = world(0.01, G);
    let (rod, joint) = pendulum(&mut world, 0.1);
    // Moment about the pivot over m g l: I = m (a² + L²) / 12 + m (L/2)².
    let inertia = (0.05_f64.powi(2) + 1.0) / 12.0 + 0.25;
    // Second order in the amplitude: 1 + A²/16.
    let period = TAU * (inertia / (G * 0.5)).sqrt() * (1.0 + 0.01 / 16.0);
    let (mut crossings, mut last) = (Vec::new(), f64::NAN);
    let start = energy(&world);
    let mut drift = 0.0_f64;
    for n in 0..6000 {
        step(&mut world);
        let x = world.body(rod).position.x;
        if last < 0.0 && x >= 0.0 {
            crossings.push((f64::from(n) + last / (last - x)) * 0.01);
        }
        last = x;
        drift = drift.max((energy(&world) - start).abs());
        assert!(gap(&world, joint) < 1e-9, "the pivot came apart by {} m", gap(&world, joint));
    }
    let measured = (crossings.last().unwrap() - crossings[0]) / (crossings.len() - 1) as f64;
    // Leapfrog's own error is (ω h)² / 24 = 6e-5 of the period.
    assert!((measured / period - 1.0).abs() < 1e-4, "period {measured} s, expected {period} s");
    // The sum oscillates by about (ω h)² / 4 of the swing's energy, m g l A² / 2 = 0.0245 J; the mean does not drift.
    assert!(drift < 4e-4 * 0.0245, "energy moved by {drift} J");
}

#[test]
fn a_pendulum_that_turns_over_keeps_its_speed() {
    let mut world = world(0.01, 0.0);
    let (rod, joint) = pendulum(&mut world, 0.0);
    let spin = 12.0;
    world.set_velocity(rod, DVec3::new(-0.5 * spin, 0.0, 0.0), DVec3::Y * spin).unwrap();
    let start = world.kinetic_energy();
    steps(&mut world, 6000);
    // The first step turns the velocity from the tangent into the chord, which adds ω h / 4 of it along the rod.
    let ratio = world.kinetic_energy() / start;
    assert!((ratio - 1.0).abs() < (spin * 0.01_f64).powi(2) / 4.0, "energy {ratio} of what it was");
    assert!(gap(&world, joint) < 1e-9);
    let turned = world.joint_states()[0].coordinate;
    assert!((turned / (spin * 60.0 * ratio.sqrt()) - 1.0).abs() < 1e-3, "turned by {turned} rad");
}

#[test]
fn a_double_pendulum_gains_no_energy() {
    let mut world = world(0.002, G);
    let upper = world.add_body(cuboid("upper", DVec3::new(1.0, 0.05, 0.05), 1.0, DVec3::X * 0.5)).unwrap();
    let lower = world.add_body(cuboid("lower", DVec3::new(1.0, 0.05, 0.05), 1.0, DVec3::X * 1.5)).unwrap();
    world.add_joint(to_world(upper, revolute(), DVec3::ZERO)).unwrap();
    world.add_joint(between(upper, lower, revolute(), DVec3::X)).unwrap();
    let given = 2.0 * G; // both may fall by their length
    let mut worst = 0.0_f64;
    for _ in 0..15_000 {
        step(&mut world);
        worst = worst.max(energy(&world).abs());
    }
    assert!(worst < 0.001 * given, "energy moved by {worst} J of {given} J");
}

#[test]
fn a_conical_pendulum_circles_at_its_height() {
    let mut world = world(0.002, G);
    let (length, angle) = (1.0_f64, 0.5_f64);
    let at = DVec3::new(angle.sin(), 0.0, -angle.cos()) * length;
    let bob = world.add_body(ball("bob", 0.01, 1.0, at)).unwrap();
    let rate = (G / (length * angle.cos())).sqrt();
    // The bob does not spin: it turns with its string, as a rigid body on a ball joint does.
    world.set_velocity(bob, DVec3::Y * (rate * angle.sin()), DVec3::Z * rate).unwrap();
    let joint = world.add_joint(to_world(bob, JointKind::Spherical { limit: None }, DVec3::ZERO)).unwrap();
    for _ in 0..5000 {
        step(&mut world);
        let height = world.body(bob).position.z;
        assert!((height + angle.cos()).abs() < 1e-3, "the bob is at {height} m");
    }
    assert!(gap(&world, joint) < 1e-9);
}

#[test]
fn a_slide_lets_a_body_down_a_slope_and_keeps_it_straight() {
    let mut world = world(0.01, G);
    let body = cuboid("cart", DVec3::new(0.2, 0.1, 0.1), 2.0, DVec3::ZERO);
    let cart = world.add_body(body).unwrap();
    let slope = 0.4_f64;
    let axis = DVec3::new(slope.cos(), 0.0, -slope.sin());
    let kind = JointKind::Prismatic { limits: Some([-1.0, 0.5]), drive: None };
    // Off the centre, so that the slide has to carry a torque too.
    world.add_joint(JointDesc { axis, ..to_world(cart, kind, DVec3::new(0.0, 0.3, 0.2)) }).unwrap();
    steps(&mut world, 20);
    let travel = world.joint_states()[0].coordinate;
    let expected = 0.5 * 0.04 * G * slope.sin();
    assert!((travel - expected).abs() < 1e-12, "travelled {travel} m, expected {expected} m");
    assert!((world.body(cart).position - axis * travel).length() < 1e-12);
    steps(&mut world, 200);
    assert!((world.joint_states()[0].coordinate - 0.5).abs() < 1e-12, "the slide ends at its limit");
    let force = world.joint_states()[0].force / 0.01;
    assert!((force - DVec3::Z * 2.0 * G).length() < 1e-9, "the joint carries the weight, not {force}");
}

#[test]
fn bodies_joined_rigidly_move_as_one() {
    let mut world = world(0.01, 0.0);
    let a = world.add_body(cuboid("a", DVec3::new(0.3, 0.1, 0.2), 1.0, DVec3::ZERO)).unwrap();
    let b = world.add_body(cuboid("b", DVec3::new(0.1, 0.4, 0.1), 3.0, DVec3::new(0.2, 0.1, 0.0))).unwrap();
    world.add_joint(between(a, b, JointKind::Rigid, DVec3::new(0.1, 0.0, 0.0))).unwrap();
    world.set_velocity(a, DVec3::new(1.0, 2.0, 0.5), DVec3::new(3.0, -1.0, 2.0)).unwrap();
    let offset = |world: &World| {
        let [a, b] = [world.body(a), world.body(b)];
        a.orientation.conjugate() * (b.position - a.position)
    };
    let start = [offset(&world), momentum(&world), angular_momentum(&world)];
    let mut kinetic = Vec::new();
    for _ in 0..1000 {
        step(&mut world);
        assert!(
            (offset(&world) - start[0]).length() < 1e-9,
            "they moved against each other by {}",
            (offset(&world) - start[0]).length()
        );
        kinetic.push(world.kinetic_energy());
    }
    assert!((momentum(&world) - start[1]).length() < 1e-9);
    // Impulses act at one point, and change nothing of it.
    // What closes the joint at the end of a step, (ω h)² / 8 of the arm of 0.1 m, moves momenta of 2 N s against each other.
    let moved = (3.7 * 0.01_f64).powi(2) / 8.0 * 0.1 * 2.0;
    assert!((angular_momentum(&world) - start[2]).length() < moved);
    let (first, last) = (kinetic[10], kinetic[999]);
    // It oscillates by up to (ω h)² / 12 with ω = 3.7 rad/s, and does not drift; 4e-6 seen.
    assert!((last / first - 1.0).abs() < 1.2e-4, "kinetic energy went from {first} J to {last} J");
}

#[test]
fn a_hinge_stops_at_its_limits() {
    let mut world = world(0.01, G);
    let (rod, _) = pendulum(&mut world, 0.0);
    let mut hinge =
        to_world(rod, JointKind::Revolute { limits: Some([-0.3, 0.7]), drive: None }, DVec3::ZERO);
    hinge.name = "stop".to_owned();
    world.add_joint(hinge).unwrap();
    for (torque, angle) in [(20.0, 0.7), (-20.0, -0.3)] {
        world.set_wrench(rod, DVec3::ZERO, DVec3::Y * torque).unwrap();
        steps(&mut world, 300);
        let found = world.joint_states()[1].coordinate;
        assert!((found - angle).abs() < 1e-9, "stopped at {found} rad, expected {angle} rad");
        assert!(world.body(rod).angular_velocity.length() < 1e-9);
    }
}

/// What a limit has stopped is at rest to rounding, and solved: what joints ask for is a difference of places, as exact as these are.
#[test]
fn what_rests_at_a_limit_is_solved() {
    for dt in [0.01, 0.0025, 0.001, 0.0005] {
        let settings = Settings { dt, gravity: DVec3::ZERO, sleep_after: 0.0, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let door = cuboid("door", DVec3::new(0.8, 0.03, 1.0), 10.0, DVec3::X * 0.4);
        let door = BodyDesc { linear_velocity: DVec3::Y * 0.8, angular_velocity: DVec3::Z * 2.0, ..door };
        let door = world.add_body(door).unwrap();
        let kind = JointKind::Revolute { limits: Some([-0.2, 0.7]), drive: None };
        world.add_joint(JointDesc { axis: DVec3::Z, ..to_world(door, kind, DVec3::ZERO) }).unwrap();
        for _ in 0..(1.0 / dt) as usize {
            assert_eq!(step(&mut world).unconverged_islands, 0, "{dt} s, at {} s", world.time());
        }
        let (_, angle) = world.body(door).orientation.to_axis_angle();
        assert!((angle - 0.7).abs() < 1e-9, "{dt} s: {angle}");
    }
}

#[test]
fn a_ball_joint_stops_at_its_cone() {
    let mut world = world(0.01, G);
    let rod = world.add_body(cuboid("rod", DVec3::new(0.05, 0.05, 1.0), 1.0, DVec3::Z * 0.5)).unwrap();
    let kind = JointKind::Spherical { limit: Some(0.4) };
    world.add_joint(JointDesc { axis: DVec3::Z, ..to_world(rod, kind, DVec3::ZERO) }).unwrap();
    world.set_velocity(rod, DVec3::ZERO, DVec3::new(0.3, 0.2, 0.5)).unwrap();
    steps(&mut world, 400);
    let lean = world.joint_states()[0].coordinate;
    assert!((lean - 0.4).abs() < 1e-9, "leans by {lean} rad");
    // The stop takes the swing and no more: the spin about the rod is what it was, but for what closing the joint without
    // changing velocities turned the rod by, (ω h)² / 8 of the lean.
    let rod = world.body(rod);
    let spin = rod.angular_velocity.dot(rod.orientation * DVec3::Z);
    assert!((spin - 0.5).abs() < 1e-6, "spins at {spin} rad/s");
}

#[test]
fn a_motor_spins_up_with_its_torque_and_keeps_its_speed() {
    let mut world = world(0.01, 0.0);
    let wheel = world.add_body(ball("wheel", 0.5, 2.0, DVec3::ZERO)).unwrap();
    let inertia = 0.4 * 2.0 * 0.25;
    let drive = Drive::Motor { speed: ValueOverTime::constant(5.0), strength: 0.1 };
    let kind = JointKind::Revolute { limits: None, drive: Some(drive) };
    let joint = world.add_joint(to_world(wheel, kind, DVec3::ZERO)).unwrap();
    steps(&mut world, 100);
    let speed = world.body(wheel).angular_velocity.y;
    assert!((speed - 0.1 / inertia).abs() < 1e-12, "after a second at 0.1 N m: {speed} rad/s");
    // Taken away while it pushes, it leaves nothing behind.
    let mut without = world.clone();
    without.set_drive(joint, None).unwrap();
    steps(&mut without, 100);
    assert!((without.body(wheel).angular_velocity.y - speed).abs() < 1e-12);
    steps(&mut world, 2000);
    let speed = world.body(wheel).angular_velocity.y;
    assert!((speed - 5.0).abs() < 1e-12, "{speed} rad/s, wanted 5 rad/s");
    assert!(world.joint_states()[0].torque.length() < 1e-12, "nothing to overcome");
    // Full turns are counted.
    assert!(world.joint_states()[0].coordinate > 10.0 * TAU);
}

#[test]
fn a_servo_holds_a_load_as_a_spring_and_is_stable_however_stiff() {
    for stiffness in [50.0, 1e4, 1e9] {
        let mut world = world(0.01, G);
        let (rod, _) = pendulum(&mut world, 0.5 * PI);
        let target = ValueOverTime::through(vec![[0.0, 0.0], [0.5, 0.0], [1.0, 0.2]]).unwrap();
        let drive = Drive::Servo { target, stiffness, damping: 0.02 * stiffness, strength: f64::INFINITY };
        world.set_drive(JointId(0), Some(drive)).unwrap();
        steps(&mut world, 3000);
        let angle = world.joint_states()[0].coordinate;
        // At rest k (x* - x) carries m g l cos(x); positive angles lower the rod's far end.
        let torque = stiffness * (0.2 - angle);
        let weight = -G * 0.5 * angle.cos();
        assert!(
            (torque - weight).abs() < 1e-6 * weight.abs(),
            "k {stiffness}: {torque} N m against {weight} N m"
        );
        assert!(world.body(rod).angular_velocity.length() < 1e-9);
    }
}

#[test]
fn a_kinematic_crank_drives_a_slider() {
    let mut world = world(0.005, G);
    let mut crank = cuboid("crank", DVec3::new(0.2, 0.05, 0.05), 1.0, DVec3::ZERO);
    (crank.kind, crank.angular_velocity) = (BodyKind::Kinematic, DVec3::Y * 2.0);
    let crank = world.add_body(crank).unwrap();
    let rod = cuboid("rod", DVec3::new(0.4, 0.05, 0.05), 0.5, DVec3::X * 0.3);
    let rod = world.add_body(rod).unwrap();
    let slider = world.add_body(cuboid("slider", DVec3::splat(0.1), 1.0, DVec3::X * 0.5)).unwrap();
    world.add_joint(between(crank, rod, revolute(), DVec3::X * 0.1)).unwrap();
    world.add_joint(between(rod, slider, revolute(), DVec3::X * 0.5)).unwrap();
    let kind = JointKind::Prismatic { limits: None, drive: None };
    world.add_joint(JointDesc { axis: DVec3::X, ..to_world(slider, kind, DVec3::X * 0.5) }).unwrap();
    for n in 1..=2000 {
        step(&mut world);
        let angle = 2.0 * 0.005 * f64::from(n);
        let expected = 0.1 * angle.cos() + (0.16 - (0.1 * angle.sin()).powi(2)).sqrt();
        let found = world.body(slider).position.x;
        assert!((found - expected).abs() < 1e-9, "step {n}: slider at {found} m, expected {expected} m");
    }
}

#[test]
fn a_door_on_two_hinges_needs_no_luck() {
    // Five of the ten locked rows say what the others say.
    let mut world = world(0.01, G);
    let door = world.add_body(cuboid("door", DVec3::new(0.8, 0.04, 2.0), 20.0, DVec3::X * 0.4)).unwrap();
    for z in [-0.8, 0.8] {
        let hinge = to_world(door, revolute(), DVec3::Z * z);
        world.add_joint(JointDesc { axis: DVec3::Z, ..hinge }).unwrap();
    }
    world.set_velocity(door, DVec3::Y * 0.4, DVec3::Z).unwrap();
    let start = world.kinetic_energy();
    for _ in 0..500 {
        let report = step(&mut world);
        assert_eq!(report.unconverged_islands, 0);
    }
    assert!(gap(&world, JointId(0)) < 1e-9 && gap(&world, JointId(1)) < 1e-9);
    assert!((world.kinetic_energy() / start - 1.0).abs() < 1e-3);
    assert!((world.joint_states()[1].coordinate - 5.0).abs() < 1e-2);
}

/// A ruler of 50 g between the pads of two fingers on servos, held 5 cm from its middle.
fn grasp() -> (World, BodyId) {
    let gravity = DVec3::new(0.0, 0.0, -G);
    let mut world = World::new(Settings { dt: 0.005, gravity, ..Settings::default() }).unwrap();
    let mut ruler = cuboid("ruler", DVec3::new(0.3, 0.006, 0.03), 0.05, DVec3::X * 0.05);
    ruler.friction = Some(0.8);
    let ruler = world.add_body(ruler).unwrap();
    for side in [1.0, -1.0] {
        let at = DVec3::new(0.0, side * 0.013, 0.04);
        let mut finger = cuboid("finger", DVec3::new(0.02, 0.02, 0.1), 0.1, at);
        finger.friction = Some(0.8);
        let finger = world.add_body(finger).unwrap();
        let drive = Drive::Servo {
            target: ValueOverTime::constant(-side * 0.04),
            stiffness: 10.0,
            damping: 0.1,
            strength: f64::INFINITY,
        };
        let kind = JointKind::Revolute { limits: None, drive: Some(drive) };
        let knuckle = to_world(finger, kind, DVec3::new(0.0, side * 0.013, 0.1));
        world.add_joint(JointDesc { axis: DVec3::X, ..knuckle }).unwrap();
    }
    (world, ruler)
}

#[test]
fn a_grasp_holds_for_a_minute() {
    let (mut world, ruler) = grasp();
    steps(&mut world, 200);
    let held = [world.body(ruler).position, world.body(ruler).orientation * DVec3::X];
    steps(&mut world, 12_000);
    let now = [world.body(ruler).position, world.body(ruler).orientation * DVec3::X];
    // The servos' last oscillation after a second is some 1e-10 m; slip would add to it every step.
    assert!((now[0] - held[0]).length() < 1e-9, "slipped by {} m", (now[0] - held[0]).length());
    assert!((now[1] - held[1]).length() < 1e-9, "turned by {} rad", (now[1] - held[1]).length());
}

#[test]
fn joined_bodies_touch_only_where_asked() {
    for bodies_touch in [false, true] {
        let mut world = world(0.01, 0.0);
        let a = world.add_body(cuboid("a", DVec3::splat(0.2), 1.0, DVec3::ZERO)).unwrap();
        let b = world.add_body(cuboid("b", DVec3::splat(0.2), 1.0, DVec3::X * 0.15)).unwrap();
        let joint = between(b, a, revolute(), DVec3::X * 0.1);
        world.add_joint(JointDesc { bodies_touch, ..joint }).unwrap();
        assert_eq!(ask(&mut world).overlaps.len(), usize::from(bodies_touch));
    }
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    let mut world = world(0.01, G);
    let (rod, _) = pendulum(&mut world, 1.0);
    steps(&mut world, 30);
    let saved = world.snapshot();
    steps(&mut world, 30);
    let hash = world.state_hash();
    world.restore(&saved).unwrap();
    steps(&mut world, 30);
    assert_eq!(world.state_hash(), hash);
    let mut other = saved.clone();
    other.joints.clear();
    assert!(world.restore(&other).unwrap_err().to_string().contains("0 joints, needed 1"));
    other = saved;
    other.joints[0].coordinate = f64::NAN;
    assert!(world.restore(&other).unwrap_err().to_string().contains("joint 'joint' is not finite"));
    assert_eq!(world.body(rod).name, "rod");
}

/// Halves stand together where joints can be kept, and apart where two of them ask for what cannot be.
#[test]
fn joints_that_quarrel_gape() {
    let mut world = world(0.01, G);
    let rod = world.add_body(cuboid("rod", DVec3::new(1.0, 0.1, 0.1), 1.0, DVec3::ZERO)).unwrap();
    world.add_joint(to_world(rod, JointKind::Rigid, DVec3::X * 0.5)).unwrap();
    steps(&mut world, 20);
    let [distance, angle] = world.joint_gaps()[0];
    assert!(distance < 1e-9 && angle < 1e-9, "{distance} {angle}");
    let drive = Drive::Motor { speed: ValueOverTime::constant(1.0), strength: f64::INFINITY };
    let motor = JointKind::Revolute { limits: None, drive: Some(drive) };
    world.add_joint(to_world(rod, motor, DVec3::X * -0.5)).unwrap();
    steps(&mut world, 20);
    let apart = world.joint_gaps().iter().map(|[distance, angle]| distance.max(*angle)).fold(0.0, f64::max);
    assert!(apart > 0.01, "{apart}");
}

#[test]
fn impossible_joints_are_refused_by_name() {
    let mut world = world(0.01, G);
    let wall = world.add_body(fixed("wall", Shape::Cuboid(Cuboid { half_size: DVec3::ONE }))).unwrap();
    let rod = world.add_body(cuboid("rod", DVec3::ONE, 1.0, DVec3::ZERO)).unwrap();
    let good = || to_world(rod, revolute(), DVec3::ZERO);
    let servo = |stiffness| Drive::Servo {
        target: ValueOverTime::constant(0.0),
        stiffness,
        damping: 0.0,
        strength: f64::INFINITY,
    };
    let driven = |drive| JointKind::Revolute { limits: None, drive: Some(drive) };
    let motor = Drive::Motor { speed: ValueOverTime::constant(1.0), strength: -1.0 };
    let limits = |limits| JointKind::Prismatic { limits: Some(limits), drive: None };
    let cases = [
        (JointDesc { b: BodyId(7), ..good() }, "no body 7, the world has 2"),
        (JointDesc { a: Some(rod), ..good() }, "'rod' to itself"),
        (to_world(wall, revolute(), DVec3::ZERO), "nothing dynamic"),
        (JointDesc { axis: DVec3::ZERO, ..good() }, "needs a direction"),
        (JointDesc { axis: DVec3::NAN, ..good() }, "needs a direction"),
        (JointDesc { anchor: DVec3::INFINITY, ..good() }, "anchor is [inf"),
        (JointDesc { kind: limits([0.1, 0.5]), ..good() }, "to hold 0"),
        (JointDesc { kind: limits([f64::NAN, 0.5]), ..good() }, "to hold 0"),
        (JointDesc { kind: JointKind::Spherical { limit: Some(0.0) }, ..good() }, "limit is 0"),
        (JointDesc { kind: driven(servo(-1.0)), ..good() }, "stiffness is -1"),
        (JointDesc { kind: driven(servo(0.0)), ..good() }, "stiffness or a damping above 0"),
        (JointDesc { kind: driven(motor), ..good() }, "strength is -1"),
        (JointDesc { break_force: Some(0.0), ..good() }, "breaking force is 0"),
    ];
    for (desc, text) in cases {
        let error = world.add_joint(desc).unwrap_err().to_string();
        assert!(error.contains("joint 'joint'") && error.contains(text), "{error}");
    }
    assert!(world.joints().is_empty());
    let rigid = world.add_joint(JointDesc { kind: JointKind::Rigid, ..good() }).unwrap();
    assert!(matches!(world.set_drive(rigid, Some(servo(1.0))), Err(JointError::NoDrive { .. })));
}
