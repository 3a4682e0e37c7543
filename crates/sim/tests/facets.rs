//! Contact of rounded triangles against closed forms: impacts, friction, momentum.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::sync::Arc;

use common::facets::{self, plate, rounded, step, steps, try_step};
use common::{angular_momentum, ball, cuboid, momentum};
use glam::{DMat3, DVec3};
use tactum_geometry::facets::{RoundedMesh, Rounding};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Shape, Solid};
use tactum_sim::{Body, BodyDesc, BodyId, MassProperties, Settings, StepError, World};

const RADIUS: f64 = 0.05;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;

/// The sum of what two bodies of the material give way by: E* \[Pa\].
fn modulus() -> f64 {
    YOUNG / (2.0 * (1.0 - POISSON * POISSON))
}

fn world(settings: Settings) -> World {
    World::new(settings).unwrap()
}

fn settings() -> Settings {
    Settings { gravity: DVec3::ZERO, ..facets::settings(YOUNG) }
}

/// A ball of 1 kg of so many facets.
fn grain(name: &str, triangles: usize, at: DVec3, linear_velocity: DVec3) -> BodyDesc {
    let sphere = generate::sphere(RADIUS, triangles).unwrap();
    let desc = BodyDesc { linear_velocity, ..ball(name, RADIUS, 1.0, at) };
    rounded(sphere, &Rounding::Uniform(1.0 / RADIUS), desc)
}

#[test]
fn two_balls_bounce_off_each_other_as_hertz_says() {
    for (triangles, speed) in [(80, 0.2), (320, 0.2), (320, 1.0)] {
        let mut world = world(settings());
        world.add_body(grain("a", triangles, DVec3::X * -0.0505, DVec3::X * speed)).unwrap();
        let b = world.add_body(grain("b", triangles, DVec3::X * 0.0505, DVec3::X * -speed)).unwrap();
        let start = world.kinetic_energy();
        let mut deepest = 0.0_f64;
        for _ in 0..40 {
            deepest = deepest.max(step(&mut world).max_depth);
        }
        // Hertz' energy 8/15 E* sqrt(R*) d^2.5 is that of the approach, m* (2 v)² / 2.
        let approach: f64 = 15.0 * 0.5 * (2.0 * speed).powi(2) / (16.0 * modulus() * (0.5 * RADIUS).sqrt());
        let depth = approach.powf(0.4);
        assert!((deepest / depth - 1.0).abs() < 1e-3, "{deepest} m deep, not {depth} m");
        // Nothing is lost, and the two swap their velocities.
        assert!((world.kinetic_energy() / start - 1.0).abs() < 1e-4);
        assert!((world.body(b).linear_velocity - DVec3::X * speed).length() < 1e-4 * speed);
    }
}

#[test]
fn a_ball_that_slides_through_its_impact_turns_as_coulomb_says() {
    let (friction, down, along) = (0.2, 0.5, 2.0);
    // So stiff that it comes 0.3 mm deep, which its arm is shorter by.
    let mut world = world(Settings { young: 1e9, ..settings() });
    world.add_body(BodyDesc { friction: Some(friction), ..plate(2.0) }).unwrap();
    let velocity = DVec3::new(along, 0.0, -down);
    let desc = BodyDesc { friction: Some(friction), ..grain("ball", 1280, DVec3::Z * 0.0505, velocity) };
    let ball = world.add_body(desc).unwrap();
    steps(&mut world, 60);
    // It slides as long as it touches: 7/2 μ (1 + e) of the speed down is below that along.
    let body = world.body(ball);
    let taken = friction * 2.0 * down;
    assert!((body.linear_velocity.x - (along - taken)).abs() < 1e-3 * taken, "{}", body.linear_velocity);
    assert!(
        (body.angular_velocity.y - 2.5 * taken / RADIUS).abs() < 0.025 * taken / RADIUS,
        "{}",
        body.angular_velocity
    );
}

#[test]
fn an_isolated_pair_keeps_its_momenta() {
    let mut world = world(Settings { dt: 1e-4, restitution: 0.7, substep_phase: 0.05, ..settings() });
    let aside = DVec3::new(0.0, 0.02, 0.01);
    world.add_body(grain("a", 320, DVec3::X * -0.0505, DVec3::X * 0.5)).unwrap();
    let b = world.add_body(grain("b", 320, DVec3::X * 0.0505 + aside, DVec3::X * -0.3)).unwrap();
    world.set_velocity(b, DVec3::X * -0.3, DVec3::new(5.0, 3.0, -4.0)).unwrap();
    let start = [momentum(&world), angular_momentum(&world)];
    let mut n_substeps = 0;
    while n_substeps < 10_000 {
        n_substeps += step(&mut world).substeps;
    }
    assert!(world.body(b).linear_velocity.x > 0.0, "they have bounced off each other");
    // The second against what 0.8 kg m/s have at an arm of the radius: most of it cancels out.
    for (now, (start, scale)) in [momentum(&world), angular_momentum(&world)]
        .into_iter()
        .zip(start.into_iter().zip([0.2, 0.8 * RADIUS]))
    {
        assert!((now - start).length() < 1e-12 * scale, "{now}, not {start}");
    }
}

#[test]
fn what_starts_pressed_leaves_with_the_energy_that_it_held() {
    // In one step, in some, in many; soft ones.
    for (young, dt, part) in [(1e9, 1e-2, 1e-4), (1e9, 1e-3, 1e-4), (1e9, 1e-4, 1e-4), (1e7, 1e-3, 1e-3)] {
        for other in [None, Some(DVec3::X * (0.1 - part * RADIUS))] {
            let mut world = world(Settings { young, dt, ..settings() });
            let depth = part * RADIUS;
            let (at, radius) = match other {
                Some(_) => (DVec3::ZERO, 0.5 * RADIUS),
                None => (DVec3::Z * (RADIUS - depth), RADIUS),
            };
            world.add_body(other.map_or_else(|| plate(2.0), |at| grain("b", 320, at, DVec3::ZERO))).unwrap();
            world.add_body(grain("a", 320, at, DVec3::ZERO)).unwrap();
            let modulus = modulus() * young / YOUNG;
            let held = 8.0 / 15.0 * modulus * radius.sqrt() * depth.powf(2.5);
            let first = step(&mut world);
            assert_eq!(first.substeps_redone, 1, "{first:?}");
            for _ in 0..(0.06 / dt) as u32 {
                step(&mut world);
            }
            assert!(world.snapshot().memory.facets.pairs.is_empty(), "they have parted");
            let gained = world.kinetic_energy() / held - 1.0;
            // 5/36 (ω h)² of the energy, see `START` in `course`: 6.3e-5 of that of two balls, 3.2e-5 of one's.
            assert!(gained.abs() < 1e-4, "{young:e} Pa, {dt} s: {gained:e}");
        }
    }
}

/// A block of 1 kg whose faces are domes of 10 m, on a plate; it hardly turns, so that it does not rock on its dome.
fn block_on_plate(friction: f64, gravity: DVec3, plate_facets: usize) -> (World, BodyId) {
    let mut world = world(Settings { gravity, restitution: 0.0, dt: 1e-2, ..settings() });
    let solid = generate::cuboid(DVec3::new(2.0, 2.0, 0.2), plate_facets).unwrap();
    let rounded = RoundedMesh::new(Arc::new(Solid::new(solid).unwrap()), &Rounding::Uniform(0.0)).unwrap();
    let plate = BodyDesc { friction: Some(friction), rounded: Some(Arc::new(rounded)), ..plate(2.0) };
    world.add_body(plate).unwrap();
    let sides = DVec3::new(0.2, 0.2, 0.1);
    let solid = Arc::new(Solid::new(generate::cuboid(sides, 12).unwrap()).unwrap());
    let rounded = RoundedMesh::new(solid.clone(), &Rounding::Uniform(0.1)).unwrap();
    // The dome rises by s² / (2 R) above the face's corners.
    let at = DVec3::Z * (0.05 + 0.02 / (2.0 * 10.0));
    let block = BodyDesc {
        friction: Some(friction),
        shape: Shape::Mesh(solid),
        rounded: Some(Arc::new(rounded)),
        ..cuboid("block", sides, 1.0, at)
    };
    let mass = MassProperties { inertia: DMat3::IDENTITY * 1e4, ..block.mass };
    let block = world.add_body(BodyDesc { mass, ..block }).unwrap();
    (world, block)
}

#[test]
fn a_block_on_an_incline_sticks_below_its_friction_and_slides_above() {
    let friction = 0.4_f64;
    let run = |degrees: f64| {
        let angle = friction.atan() + degrees.to_radians();
        let gravity = 9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos());
        let (mut world, block) = block_on_plate(friction, gravity, 12);
        steps(&mut world, 50);
        let from = world.body(block).position.x;
        steps(&mut world, 100);
        (world.body(block).position.x - from, world.body(block).linear_velocity.x)
    };
    let (below, above) = (run(-0.1), run(0.1));
    let angle = friction.atan() + 0.1_f64.to_radians();
    let acceleration = 9.81 * (angle.sin() - friction * angle.cos());
    println!("{below:?} {above:?} {acceleration}");
    assert!(below.0.abs() < 1e-6, "it crept by {} m", below.0);
    assert!((above.1 / (1.5 * acceleration) - 1.0).abs() < 0.1, "{} m/s", above.1);
}

#[test]
fn a_slider_crosses_facets_without_a_jump() {
    let (mut world, block) = block_on_plate(0.4, DVec3::Z * -9.81, 5000);
    steps(&mut world, 50);
    world.set_velocity(block, DVec3::new(1.5, 0.2, 0.0), DVec3::ZERO).unwrap();
    let mut pulls = Vec::new();
    while world.body(block).linear_velocity.x > 0.2 {
        let report = step(&mut world);
        assert_eq!(report.contacts.len(), 1, "one patch, whatever facets it has");
        let [n, u, w, ..] = report.contacts[0].impulse;
        pulls.push([u.hypot(w), n]);
    }
    let way = world.body(block).position.x;
    assert!(way > 0.2, "it has crossed many facets: {way} m");
    for [across, along] in &pulls[3..] {
        assert!((across / (0.4 * along) - 1.0).abs() < 0.01, "{across} of {along} N s");
    }
}

/// A ball that rolls down a slope is held back by two sevenths of what draws it (a little more, as its arm is shorter than its radius), far below
/// its friction: by what its springs remember, over all the facets of the ball and of the plate that it comes to.
#[test]
fn what_holds_a_ball_that_rolls_goes_on_from_facet_to_facet() {
    let angle = 10_f64.to_radians();
    let gravity = 9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos());
    // Steps of one or two sub-steps: nothing is averaged out.
    let mut world = world(Settings { gravity, restitution: 0.0, dt: 2e-4, ..settings() });
    let plate_mesh = generate::cuboid(DVec3::new(2.0, 2.0, 0.2), 5000).unwrap();
    let rounded = Arc::new(
        RoundedMesh::new(Arc::new(Solid::new(plate_mesh).unwrap()), &Rounding::Uniform(0.0)).unwrap(),
    );
    let plate = BodyDesc { friction: Some(0.6), rounded: Some(rounded.clone()), ..plate(2.0) };
    world.add_body(plate).unwrap();
    let ball_mesh = grain("ball", 1280, DVec3::new(-0.4, 0.013, RADIUS), DVec3::ZERO);
    let of_ball = ball_mesh.rounded.clone().unwrap();
    let ball = world.add_body(BodyDesc { friction: Some(0.6), ..ball_mesh }).unwrap();
    // Until it lies on the plate and rolls.
    steps(&mut world, 1000);
    let facet_below = |world: &World| {
        let down = world.body(ball).orientation.conjugate() * -DVec3::Z;
        (0..of_ball.n_facets() as u32).max_by(|a, b| {
            let along = |facet: u32| of_ball.cap(facet).unwrap().normal.dot(down);
            along(*a).total_cmp(&along(*b))
        })
    };
    let (mut last, mut worst, mut below, mut n_facets) = (None::<f64>, [0.0_f64; 2], None, 0);
    while world.body(ball).position.x < 0.2 {
        let report = step(&mut world);
        assert_eq!(report.contacts.len(), 1, "one patch, whatever facets it has");
        let contact = &report.contacts[0];
        let [_, u, w, ..] = contact.impulse;
        let pull = -(contact.axes[0] * u + contact.axes[1] * w).x;
        let held = gravity.x * 2e-4 / (1.0 + 2.5 * (1.0 - contact.depth / RADIUS).powi(2));
        worst[0] = worst[0].max((pull / held - 1.0).abs());
        worst[1] = worst[1].max(last.map_or(0.0, |last| (pull - last).abs() / held));
        last = Some(pull);
        let now = facet_below(&world);
        n_facets += u32::from(now != below);
        below = now;
    }
    println!("{n_facets} facets of the ball, off by {:e}, from step to step by {:e}", worst[0], worst[1]);
    assert!(n_facets > 20, "{n_facets} facets");
    assert!(worst[0] < 1e-3 && worst[1] < 1e-3, "{worst:?}");
}

#[test]
fn an_impact_goes_on_bit_for_bit_from_its_middle() {
    let make = || {
        let mut world = world(Settings { restitution: 0.6, ..settings() });
        world.add_body(plate(2.0)).unwrap();
        world.add_body(grain("ball", 320, DVec3::Z * 0.0502, DVec3::new(0.3, 0.1, -0.5))).unwrap();
        world
    };
    let (mut whole, mut first) = (make(), make());
    steps(&mut first, 3);
    let middle = first.snapshot();
    assert!(!middle.memory.facets.pairs.is_empty(), "in the middle of the impact");
    let mut second = make();
    second.restore(&middle).unwrap();
    steps(&mut whole, 12);
    steps(&mut second, 9);
    assert_eq!(whole.state_hash(), second.state_hash());
}

#[test]
fn what_sub_steps_cannot_carry_is_refused_by_name() {
    let mut without = world(settings());
    without.add_body(ball("bare", RADIUS, 1.0, DVec3::ZERO)).unwrap();
    let error = try_step(&mut without).unwrap_err();
    assert_eq!(error, StepError::NotRounded { body: "bare".to_owned() });
    let mut stiff = world(Settings { young: 1e15, max_substeps: 50, ..settings() });
    stiff.add_body(plate(2.0)).unwrap();
    stiff.add_body(grain("ball", 80, DVec3::Z * 0.0502, DVec3::Z * -1.0)).unwrap();
    let error = try_step(&mut stiff).unwrap_err().to_string();
    assert!(error.contains("'plate' and 'ball'") && error.contains("max_substeps, is 50"), "{error}");
}

/// What is reported of a contact turns a body as it did, about where the body is half-way through the step, however far the contact moves meanwhile.
#[test]
fn contacts_report_the_torque_that_acted() {
    for (dt, velocity) in [(0.01, 0.3), (0.02, 1.0)] {
        let mut world =
            world(Settings { dt, gravity: DVec3::Z * -9.81, restitution: 0.0, ..facets::settings(1e7) });
        world.add_body(BodyDesc { friction: Some(0.4), ..plate(8.0) }).unwrap();
        // It slides first, and rolls then.
        let desc = grain("ball", 1280, DVec3::Z * 0.0499, DVec3::X * velocity);
        let ball = world.add_body(BodyDesc { friction: Some(0.4), ..desc }).unwrap();
        // It is pressed evenly as soon as it lies: with a load that changes within a step the middle of it is not where the load was in the mean.
        steps(&mut world, 10);
        for _ in 0..20 {
            let before = (world.body(ball).position, angular_momentum_of(world.body(ball)));
            let report = step(&mut world);
            let after = world.body(ball);
            let middle = 0.5 * (before.0 + after.position);
            let (mut turn, mut pressed) = (DVec3::ZERO, 0.0);
            for contact in &report.contacts {
                let axes = DMat3::from_cols(contact.normal, contact.axes[0], contact.axes[1]);
                let [n, u, w, tn, tu, tw] = contact.impulse;
                let impulse = axes * DVec3::new(n, u, w);
                turn += (contact.point - middle).cross(impulse) + axes * DVec3::new(tn, tu, tw);
                pressed += n;
            }
            let off = (turn - (angular_momentum_of(after) - before.1)).length();
            println!("{dt}: off by {off:.1e} of {:.1e}", pressed * RADIUS);
            assert!(off < 1e-3 * pressed * velocity * dt, "{off}");
        }
    }
}

fn angular_momentum_of(body: &Body) -> DVec3 {
    let own = body.orientation.conjugate() * body.angular_velocity;
    body.orientation * (body.mass.inertia * own)
}

/// What cannot get to anything within a step takes it in one piece.
#[test]
fn free_flight_takes_one_sub_step() {
    let mut world = world(Settings { dt: 2e-3, gravity: DVec3::Z * -9.81, ..facets::settings(1e9) });
    world.add_body(plate(8.0)).unwrap();
    let ball = world.add_body(grain("ball", 320, DVec3::new(2.0, 1.0, 0.5), DVec3::Z * -20.0)).unwrap();
    let mut flew = 0;
    while world.body(ball).linear_velocity.z < 0.0 {
        let height = world.body(ball).position.z - RADIUS;
        let report = step(&mut world);
        // It comes 40 mm in a step, and its facets rise over its triangles.
        match height {
            0.043.. => assert_eq!(report.substeps, 1, "at {height} m"),
            0.04.. => {}
            _ => assert!(report.substeps > 10, "{} at {height} m", report.substeps),
        }
        flew += u32::from(height > 0.043);
    }
    assert!(flew > 8);
}
