//! Descriptions, overlaps and snapshots that no world can use.

#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use common::{ask, ball, cuboid, fixed, measure, settings, step, steps, world_with_floor};
use glam::{DMat3, DQuat, DVec2, DVec3};
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Capsule, Cuboid, Overlap, Pose, Shape};
use tactum_sim::{
    BodyDesc, BodyError, BodyId, BodyKind, MassProperties, PatchModel, Questions, RestoreError, Settings,
    StepError, World,
};

fn crate_desc() -> BodyDesc {
    cuboid("crate", DVec3::ONE, 1.0, DVec3::Z)
}

fn with_inertia(inertia: DMat3) -> BodyDesc {
    let desc = crate_desc();
    BodyDesc { mass: MassProperties { inertia, ..desc.mass }, ..desc }
}

#[test]
fn impossible_bodies_are_refused_by_name() {
    let nan = f64::NAN;
    let mass = |m: f64| BodyDesc { mass: MassProperties { mass: m, ..crate_desc().mass }, ..crate_desc() };
    let sized = |half_size: DVec3| BodyDesc { shape: Shape::Cuboid(Cuboid { half_size }), ..crate_desc() };
    let turned =
        |q: DQuat| BodyDesc { w_from_shape: Pose { rotation: q, translation: DVec3::ZERO }, ..crate_desc() };
    let cases: Vec<(BodyDesc, &str)> = vec![
        (cuboid("crate", DVec3::ONE, 1.0, DVec3::X * nan), "position"),
        (BodyDesc { linear_velocity: DVec3::Y * f64::INFINITY, ..crate_desc() }, "linear velocity"),
        (BodyDesc { angular_velocity: DVec3::Y * nan, ..crate_desc() }, "angular velocity"),
        (turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), "orientation"),
        (turned(DQuat::from_xyzw(nan, 0.0, 0.0, 1.0)), "orientation"),
        (mass(0.0), "mass"),
        (mass(-1.0), "mass"),
        (mass(nan), "mass"),
        (mass(f64::INFINITY), "mass"),
        (sized(DVec3::new(1.0, -1.0, 1.0)), "half size"),
        (sized(DVec3::new(1.0, nan, 1.0)), "half size"),
        (ball("crate", 0.0, 1.0, DVec3::ZERO), "radius"),
        (
            BodyDesc {
                shape: Shape::Capsule(Capsule { radius: 1.0, half_length: f64::INFINITY }),
                ..crate_desc()
            },
            "half length",
        ),
        (BodyDesc { shape: Shape::HalfSpace, ..crate_desc() }, "half-space"),
        (BodyDesc { friction: Some(-0.1), ..crate_desc() }, "friction"),
        (BodyDesc { friction: Some(nan), ..crate_desc() }, "friction"),
        (with_inertia(DMat3::from_diagonal(DVec3::new(1.0, 1.0, nan))), "inertia"),
        (with_inertia(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0))), "positive"),
        (with_inertia(DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0))), "positive"),
        (with_inertia(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 2.1))), "sum"),
        (with_inertia(DMat3::from_cols(DVec3::X, DVec3::new(0.1, 1.0, 0.0), DVec3::Z)), "transpose"),
        (BodyDesc { kind: BodyKind::Static, linear_velocity: DVec3::X, ..crate_desc() }, "static"),
    ];
    let mut world = World::new(Settings::default()).unwrap();
    for (desc, word) in cases {
        let message = world.add_body(desc).unwrap_err().to_string();
        assert!(message.contains("'crate'") && message.contains(word), "{word}: {message}");
        assert!(world.bodies().is_empty());
    }
}

/// What is only nearly impossible is let in: a flat disc, moments with six digits, an unnormalised quaternion.
#[test]
fn borderline_bodies_are_accepted() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add_body(with_inertia(DMat3::from_diagonal(DVec3::new(0.25, 0.25, 0.5)))).unwrap();
    world.add_body(with_inertia(DMat3::from_diagonal(DVec3::new(0.166667, 0.166667, 0.3333342)))).unwrap();
    let rotation = DQuat::from_xyzw(0.0, 0.0, 3.0, 4.0);
    let desc = BodyDesc { w_from_shape: Pose { rotation, translation: DVec3::X }, ..crate_desc() };
    let id = world.add_body(desc).unwrap();
    assert!((world.body(id).orientation.length() - 1.0).abs() < 1e-15);
    // Static bodies need no mass.
    let massless = MassProperties { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
    world.add_body(BodyDesc { mass: massless, ..fixed("wall", Shape::HalfSpace) }).unwrap();
}

#[test]
fn impossible_settings_are_refused_by_name() {
    let base = Settings::default();
    let cases = [
        (Settings { dt: 0.0, ..base }, "dt"),
        (Settings { dt: f64::NAN, ..base }, "dt"),
        (Settings { gravity: DVec3::splat(f64::INFINITY), ..base }, "gravity"),
        (Settings { patch: PatchModel::Ellipse { k: -1.0 }, ..base }, "patch"),
        (Settings { target_depth: -1.0, ..base }, "target_depth"),
        (Settings { target_volume: Some(f64::NAN), ..base }, "target_volume"),
        (Settings { compliance: -1.0, ..base }, "compliance"),
        (Settings { damping: -1.0, ..base }, "damping"),
        (Settings { restitution: 1.1, ..base }, "restitution"),
        (Settings { stabilization: -0.1, ..base }, "stabilization"),
        (Settings { tolerance: f64::NAN, ..base }, "tolerance"),
        (Settings { max_sweeps: 0, ..base }, "max_sweeps"),
    ];
    for (settings, name) in cases {
        assert_eq!(World::new(settings).unwrap_err().name, name);
    }
}

/// A box on the floor beside a second one that lies in it, after a few steps.
fn busy_world() -> World {
    let mut world = world_with_floor(settings(1e-4), 0.5);
    world.add_body(cuboid("lower", DVec3::ONE, 1.0, DVec3::Z * 0.4999)).unwrap();
    world.add_body(cuboid("upper", DVec3::ONE, 1.0, DVec3::new(0.1, 0.0, 1.4998))).unwrap();
    steps(&mut world, 3);
    world
}

/// Any number that is not finite in an overlap is an error with the names of the pair, and changes nothing.
#[test]
fn a_step_with_a_bad_overlap_changes_nothing() {
    type Spoil<'a> = &'a dyn Fn(&mut Overlap);
    let nan = f64::NAN;
    let spoils: [Spoil<'_>; 10] = [
        &|o| o.volume = nan,
        &|o| o.volume = -1.0,
        &|o| o.volume = 0.0,
        &|o| o.centroid.y = nan,
        &|o| o.second_moment.z_axis.x = nan,
        &|o| o.gradient.x = f64::INFINITY,
        &|o| o.angular_gradient.z = nan,
        &|o| o.patch.as_mut().unwrap().polygon[1] = DVec2::splat(nan),
        &|o| o.patch.as_mut().unwrap().normal.x = nan,
        &|o| o.patch = None,
    ];
    for (i, spoil) in spoils.iter().enumerate() {
        let mut world = busy_world();
        let questions = ask(&mut world);
        let mut overlaps = measure(&questions);
        let (hash, snapshot) = (world.state_hash(), world.snapshot());
        let twin = world.clone();
        spoil(&mut overlaps[1]);
        let error = world.advance(questions.answered(overlaps)).unwrap_err();
        assert!(matches!(error, StepError::BadOverlap { .. }), "spoil {i}: {error}");
        assert!(error.to_string().contains("'lower' and 'upper'"), "{error}");
        assert_eq!((world.state_hash(), world.snapshot()), (hash, snapshot), "spoil {i}");
        // And goes on as if nothing had been tried.
        let mut twin = twin;
        steps(&mut world, 5);
        steps(&mut twin, 5);
        assert_eq!(world.state_hash(), twin.state_hash(), "spoil {i}");
    }
}

#[test]
fn a_step_that_overflows_changes_nothing() {
    let mut world = busy_world();
    world.set_velocity(BodyId(2), DVec3::X * 1e307, DVec3::ZERO).unwrap();
    world.set_wrench(BodyId(2), DVec3::X * f64::MAX, DVec3::ZERO).unwrap();
    let mut heavy = world.clone();
    heavy.set_wrench(BodyId(2), DVec3::X * f64::MAX, DVec3::Z * f64::MAX).unwrap();
    let hash = heavy.state_hash();
    let error = heavy.step(measure).unwrap_err();
    assert!(matches!(&error, StepError::NotFinite { .. }), "{error}");
    assert_eq!(heavy.state_hash(), hash);
}

#[test]
fn too_few_and_too_many_answers_are_refused() {
    let mut world = busy_world();
    let hash = world.state_hash();
    let questions = ask(&mut world);
    let overlaps = measure(&questions);
    let error = world.advance(questions.answered(overlaps[1..].to_vec())).unwrap_err();
    assert_eq!(error, StepError::AnswerCount { needed: 2, found: 1 });
    let questions = ask(&mut world);
    let error = world.advance(questions.answered([&overlaps[..], &overlaps].concat())).unwrap_err();
    assert_eq!(error, StepError::AnswerCount { needed: 2, found: 4 });
    assert_eq!(world.state_hash(), hash);
}

/// Answers meet no state that they were not measured for: not after any change of the world, not for questions asked before
/// others, not in another world, and not twice.
#[test]
fn answers_to_what_is_no_longer_asked_are_refused() {
    let upper = BodyId(2);
    type Change<'a> = &'a dyn Fn(&mut World);
    let changes: &[Change<'_>] = &[
        &|world| world.set_velocity(upper, DVec3::X, DVec3::ZERO).unwrap(),
        &|world| world.set_wrench(upper, DVec3::X, DVec3::ZERO).unwrap(),
        &|world| world.set_pose(upper, &Pose::from_translation(DVec3::Z)).unwrap(),
        &|world| world.set_friction(upper, 0.1).unwrap(),
        &|world| world.set_settings(Settings { dt: 1e-3, ..*world.settings() }).unwrap(),
        &|world| world.restore(&world.snapshot()).unwrap(),
        &|world| assert!(world.add_body(cuboid("new", DVec3::ONE, 1.0, DVec3::Z * 9.0)).is_ok()),
        &|world| drop(ask(world)),
        &|world| drop(step(world)),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut world = busy_world();
        let questions = ask(&mut world);
        let overlaps = measure(&questions);
        change(&mut world);
        let hash = world.state_hash();
        let error = world.advance(questions.answered(overlaps)).unwrap_err();
        assert_eq!((error, world.state_hash()), (StepError::NotAsked, hash), "change {i}");
        step(&mut world);
    }
    let [mut one, mut other] = [busy_world(), busy_world()];
    let questions = ask(&mut one);
    ask(&mut other);
    let answers = || questions.answered(measure(&questions));
    assert_eq!(other.advance(answers()).unwrap_err(), StepError::NotAsked);
    assert!(one.advance(answers()).is_ok());
    assert_eq!(one.advance(answers()).unwrap_err(), StepError::NotAsked);
}

/// Details are of the last step, whose pairs and answers another one that has begun or failed replaces.
#[test]
fn details_of_contacts_end_with_their_step() {
    let mut world = busy_world();
    let n_contacts = step(&mut world).contacts.len();
    assert!(n_contacts > 0 && world.contact_details().len() == n_contacts);
    // Far away, so that the step that has begun asks for less than the one before.
    for id in [BodyId(1), BodyId(2)] {
        world.set_pose(id, &Pose::from_translation(DVec3::Z * 100.0 * f64::from(id.0))).unwrap();
        assert!(world.contact_details().is_empty());
    }
    let questions = ask(&mut world);
    assert!(world.contact_details().is_empty());
    let no_overlap = Overlap::EMPTY;
    let too_many = vec![no_overlap; questions.overlaps.len() + 1];
    assert!(world.advance(questions.answered(too_many)).is_err());
    assert!(world.contact_details().is_empty());
}

#[test]
fn ids_of_another_world_are_errors() {
    let mut world = busy_world();
    let (stranger, hash) = (BodyId(7), world.state_hash());
    assert!(world.try_body(stranger).is_none() && world.try_body(BodyId(2)).is_some());
    let unknown = Err(BodyError::Unknown { found: 7, needed: 3 });
    assert_eq!(world.set_velocity(stranger, DVec3::ZERO, DVec3::ZERO), unknown);
    assert_eq!(world.set_wrench(stranger, DVec3::ZERO, DVec3::ZERO), unknown);
    assert_eq!(world.set_pose(stranger, &Pose::IDENTITY), unknown);
    assert_eq!(world.set_friction(stranger, 0.5), unknown);
    assert!(world.set_drive(tactum_sim::JointId(0), None).is_err());
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn bad_setters_and_snapshots_change_nothing() {
    let mut world = busy_world();
    let hash = world.state_hash();
    assert!(matches!(
        world.set_velocity(BodyId(0), DVec3::X, DVec3::ZERO),
        Err(BodyError::StaticMoves { .. })
    ));
    assert!(world.set_velocity(BodyId(1), DVec3::NAN, DVec3::ZERO).is_err());
    assert!(world.set_wrench(BodyId(1), DVec3::ZERO, DVec3::INFINITY).is_err());
    let nowhere = Pose { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), translation: DVec3::ZERO };
    assert!(matches!(world.set_pose(BodyId(1), &nowhere), Err(BodyError::Orientation { .. })));
    let good = world.snapshot();
    let mut short = good.clone();
    short.bodies.pop();
    assert_eq!(world.restore(&short), Err(RestoreError::BodyCount { needed: 3, found: 2 }));
    let mut infinite = good.clone();
    infinite.bodies[1].position.x = f64::INFINITY;
    assert_eq!(world.restore(&infinite), Err(RestoreError::NotFinite { body: "lower".to_owned() }));
    let mut unsorted = good;
    unsorted.memory.contacts.reverse();
    assert!(matches!(world.restore(&unsorted), Err(RestoreError::Contact { ix: 1, .. })));
    assert_eq!(world.state_hash(), hash);
}

/// An empty world, one body alone, and a step in which nothing touches.
#[test]
fn empty_worlds_step() {
    let mut world = World::new(Settings::default()).unwrap();
    assert_eq!(step(&mut world).contacts, vec![]);
    world.add_body(crate_desc()).unwrap();
    let report = step(&mut world);
    assert_eq!((report.sweeps, report.unconverged_islands), (0, 0));
    assert_eq!(world.step_count(), 2);
}

/// Two bodies at the same place, whose overlap has no normal: pushed apart, never further than they are large.
#[test]
fn coincident_bodies_part() {
    let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
    for name in ["one", "other"] {
        world.add_body(cuboid(name, DVec3::new(0.5, 0.4, 0.3), 1.0, DVec3::ZERO)).unwrap();
    }
    let mut kinds = Vec::new();
    for _ in 0..20 {
        let before = world.snapshot();
        let kept = |questions: &Questions| {
            let overlaps = measure(questions);
            kinds.extend(overlaps.iter().map(|o| o.kind));
            overlaps
        };
        world.step(kept).unwrap();
        for (body, was) in world.bodies().iter().zip(&before.bodies) {
            assert!((body.position - was.position).length() <= 0.5);
        }
    }
    assert_ne!(kinds[0], OverlapKind::Empty);
    let gap = world.bodies()[1].position - world.bodies()[0].position;
    // Apart along the thinnest direction.
    assert!(gap.length() > 0.299 && world.kinetic_energy() < 1e-12, "gap {gap}");
}

/// Where all boxes meet, pairs grow as bodies squared; they are counted and not kept, and the world can go on from elsewhere.
#[test]
fn a_step_has_a_bounded_number_of_pairs() {
    for (n, is_allowed) in [(440, true), (450, false)] {
        let mut world = World::new(Settings::default()).unwrap();
        let apart = |ix: usize| DVec3::X * 10.0 * ix as f64;
        for ix in 0..n {
            world.add_body(cuboid(&format!("b{ix}"), DVec3::ONE, 1.0, apart(ix))).unwrap();
        }
        assert!(ask(&mut world).overlaps.is_empty());
        let place = |world: &mut World, at: &dyn Fn(usize) -> DVec3| {
            for ix in 0..n {
                world.set_pose(BodyId(ix as u32), &Pose::from_translation(at(ix))).unwrap();
            }
        };
        place(&mut world, &|_| DVec3::ZERO);
        let found = n * (n - 1) / 2;
        let begun = world.begin_step().map(|_| ());
        let refused = StepError::TooManyPairs { found, limit: 100_000, n_bodies: n };
        assert_eq!(begun, if is_allowed { Ok(()) } else { Err(refused) });
        place(&mut world, &apart);
        step(&mut world);
        assert_eq!(world.step_count(), 1);
    }
}

/// What counts is the step of a position's numbers beside the body's size, whatever the unit.
#[test]
fn bodies_whose_places_are_too_coarse_for_them_are_refused() {
    for size in [1e-6, 0.1, 1e6] {
        let at = |sizes: f64| cuboid("far", DVec3::splat(size), 1.0, DVec3::X * sizes * size);
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        world.add_body(at(-1e9)).unwrap();
        let error = world.add_body(at(1e11)).unwrap_err();
        assert!(matches!(error, BodyError::CoarsePlace { .. }), "{error}");
        let mut heavy_aside = at(0.0);
        heavy_aside.mass.center = DVec3::Z * 1e30;
        let error = world.add_body(heavy_aside).unwrap_err();
        assert!(matches!(error, BodyError::CoarsePlace { .. }), "{error}");
    }
    let mut world = World::new(Settings::default()).unwrap();
    let floor = |x: f64| BodyDesc {
        w_from_shape: Pose::from_translation(DVec3::X * x),
        ..fixed("floor", Shape::HalfSpace)
    };
    world.add_body(floor(1e12)).unwrap();
    let error = world.add_body(floor(1e15)).unwrap_err().to_string();
    assert!(error.contains("'floor'") && error.contains("1e15 m from the origin"), "{error}");
}
