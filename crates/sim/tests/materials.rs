//! Materials: whose friction and restitution a pair has, told by how bodies slide and bounce.
#![allow(clippy::unwrap_used, clippy::float_cmp)] // a test stops where its scene cannot be built; numbers are those given

mod common;

use common::{G, ball, cuboid, fixed, measure, settings, step, steps};
use glam::DVec3;
use tactum_geometry::Shape;
use tactum_sim::{
    BodyDesc, BodyError, BodyId, ContactModel, DEFAULT_FRICTION, Material, MaterialId, Pair, PairError,
    PairOverride, Settings, StepError, Touch, World,
};

/// Incline of the sliding blocks \[rad\].
const SLOPE: f64 = 0.5;

fn friction(friction: f64) -> PairOverride {
    PairOverride { friction: Some(friction), ..PairOverride::default() }
}

fn restitution(restitution: f64) -> PairOverride {
    PairOverride { restitution: Some(restitution), ..PairOverride::default() }
}

fn material(name: &str, friction: Option<f64>, restitution: Option<f64>) -> Material {
    Material { name: name.to_owned(), friction, restitution, ..Material::default() }
}

/// A world whose gravity is that on an incline.
fn incline(settings: Settings) -> World {
    World::new(Settings { gravity: G * DVec3::new(SLOPE.sin(), 0.0, -SLOPE.cos()), ..settings }).unwrap()
}

fn plane(material: Option<MaterialId>) -> BodyDesc {
    BodyDesc { material, ..fixed("plane", Shape::HalfSpace) }
}

fn block(material: Option<MaterialId>, x: f64) -> BodyDesc {
    let held = 1e-4;
    BodyDesc { material, ..cuboid("block", DVec3::ONE, 3.0, DVec3::new(x, 0.0, 0.5 - held)) }
}

/// Speed down the incline after a time from rest \[m/s\].
fn speed(friction: f64, time: f64) -> f64 {
    G * (SLOPE.sin() - friction * SLOPE.cos()).max(0.0) * time
}

fn assert_speed(world: &World, body: BodyId, friction: f64) {
    let (found, expected) = (world.body(body).linear_velocity.x, speed(friction, world.time()));
    assert!((found - expected).abs() < 1e-9, "{found} with {friction}, not {expected}");
}

/// Blocks on one incline slide by `g (sin α - µ cos α) t`, each with the friction of its pair: by the geometric mean of two
/// materials, what is said of the two materials, and what is said of the two bodies, whichever stands first, in both laws.
#[test]
fn blocks_slide_with_the_friction_of_their_pair() {
    for contact in [ContactModel::Patch, ContactModel::Points] {
        for plane_first in [true, false] {
            let mut world = incline(Settings { contact, ..settings(1e-4) });
            let steel = world.add_material(material("steel", Some(0.4), None)).unwrap();
            let ice = world.add_material(material("ice", Some(0.1), None)).unwrap();
            let wood = world.add_material(material("wood", Some(0.225), None)).unwrap();
            let plane_id = plane_first.then(|| world.add_body(plane(Some(steel))).unwrap());
            let mut add = |x: f64, desc: BodyDesc| {
                let w_from_shape = desc.w_from_shape;
                world.add_body(BodyDesc { name: format!("at {x}"), w_from_shape, ..desc }).unwrap()
            };
            let of_mean = add(0.0, block(Some(wood), 0.0));
            let of_materials = add(2.0, block(Some(ice), 2.0));
            let of_bodies = add(4.0, block(Some(ice), 4.0));
            let of_its_own = add(6.0, BodyDesc { friction: Some(0.9), ..block(Some(wood), 6.0) });
            let without = add(8.0, block(None, 8.0));
            let plane_id = plane_id.unwrap_or_else(|| world.add_body(plane(Some(steel))).unwrap());
            world.set_pair(Pair::Materials([ice, steel]), friction(0.03)).unwrap();
            world.set_pair(Pair::Bodies([of_bodies, plane_id]), friction(0.25)).unwrap();
            steps(&mut world, 50);
            assert_speed(&world, of_mean, 0.3);
            assert_speed(&world, of_materials, 0.03);
            assert_speed(&world, of_bodies, 0.25);
            assert_speed(&world, of_its_own, 0.6);
            assert_speed(&world, without, (DEFAULT_FRICTION * 0.4).sqrt());
        }
    }
}

/// A body of its own friction set later has the mean again, and a pair of which nothing is said any more too.
#[test]
fn what_is_said_can_be_replaced_and_taken_back() {
    let mut world = incline(settings(1e-4));
    let steel = world.add_material(material("steel", Some(0.4), None)).unwrap();
    let plane = world.add_body(plane(Some(steel))).unwrap();
    let block = world.add_body(block(Some(steel), 0.0)).unwrap();
    let between = |world: &World| {
        let bodies = [block, plane].map(|id| world.body(id));
        world.materials().between([block.0, plane.0], bodies, world.settings())
    };
    assert_eq!(between(&world), Touch { friction: 0.4, restitution: 0.0 });
    world.set_friction(block, 0.9).unwrap();
    assert_eq!(between(&world).friction, (0.9_f64 * 0.4).sqrt());
    let said = PairOverride { friction: Some(0.2), restitution: Some(0.5), ..PairOverride::default() };
    world.set_pair(Pair::Materials([steel, steel]), said).unwrap();
    assert_eq!(between(&world), Touch { friction: 0.2, restitution: 0.5 });
    // What is not said of the bodies is still what is said of their materials.
    world.set_pair(Pair::Bodies([plane, block]), restitution(0.1)).unwrap();
    assert_eq!(between(&world), Touch { friction: 0.2, restitution: 0.1 });
    world.set_pair(Pair::Bodies([block, plane]), PairOverride::default()).unwrap();
    world.set_pair(Pair::Materials([steel, steel]), PairOverride::default()).unwrap();
    assert_eq!(between(&world), Touch { friction: (0.9_f64 * 0.4).sqrt(), restitution: 0.0 });
}

/// A ball leaves the floor with `e` times the speed with which it came: the larger of the two bodies' restitutions, with the
/// world's in place of one that is not stated, or what is said of the pair.
#[test]
fn balls_bounce_with_the_restitution_of_their_pair() {
    // Of the ball's and the floor's material, what is said of the pair, and what comes out where the world's is 0.2.
    let cases = [
        ([None, None], None, 0.2),
        ([Some(0.8), None], None, 0.8),
        ([Some(0.1), None], None, 0.2),
        ([Some(0.1), Some(0.05)], None, 0.1),
        ([Some(0.3), Some(0.6)], None, 0.6),
        ([Some(0.3), Some(0.6)], Some(0.0), 0.0),
        ([None, Some(0.0)], Some(1.0), 1.0),
    ];
    for (stated, said, expected) in cases {
        for floor_first in [true, false] {
            let mut world = World::new(Settings { restitution: 0.2, ..Settings::default() }).unwrap();
            let [of_ball, of_floor] = stated.map(|e| world.add_material(material("stuff", None, e)).unwrap());
            let floor = BodyDesc { material: Some(of_floor), ..fixed("floor", Shape::HalfSpace) };
            let falling = BodyDesc { material: Some(of_ball), ..ball("ball", 0.1, 1.0, DVec3::Z * 0.5) };
            let order = if floor_first { [floor, falling] } else { [falling, floor] };
            for desc in order {
                world.add_body(desc).unwrap();
            }
            let id = BodyId(u32::from(floor_first));
            if let Some(e) = said {
                world.set_pair(Pair::Materials([of_floor, of_ball]), restitution(e)).unwrap();
            }
            loop {
                let before = world.body(id).linear_velocity.z;
                if !step(&mut world).contacts.is_empty() && world.body(id).linear_velocity.z > before {
                    break;
                }
                assert!(world.time() < 1.0, "the ball falls for ever");
            }
            // What does not bounce comes down on the floor, with the speed that takes it there in this step.
            let after = world.body(id).linear_velocity.z;
            let touched = (2.0 * 0.4 / G).sqrt();
            let wanted = expected * G * touched - G * (world.time() - touched);
            let is_right = if expected == 0.0 { after <= 0.0 } else { (after - wanted).abs() < 1e-9 };
            assert!(is_right, "{stated:?} {said:?}: {after}, expected {wanted}");
        }
    }
}

/// A world goes on after a snapshot as it would have, in a copy with the same materials and not in one without.
#[test]
fn a_restored_world_goes_on_with_its_materials() {
    let made = |with_pair: bool| {
        let mut world = incline(settings(1e-4));
        let steel = world.add_material(material("steel", Some(0.4), Some(0.3))).unwrap();
        world.add_body(plane(Some(steel))).unwrap();
        world.add_body(block(Some(steel), 0.0)).unwrap();
        if with_pair {
            world.set_pair(Pair::Materials([steel, steel]), friction(0.1)).unwrap();
        }
        world
    };
    let mut world = made(true);
    steps(&mut world, 10);
    let [mut same, mut other] = [made(true), made(false)];
    for copy in [&mut same, &mut other] {
        copy.restore(&world.snapshot()).unwrap();
        steps(copy, 10);
    }
    steps(&mut world, 10);
    assert_eq!(world.state_hash(), same.state_hash());
    assert_ne!(world.state_hash(), other.state_hash());
}

#[test]
fn impossible_materials_and_pairs_are_refused() {
    let mut world = World::new(Settings::default()).unwrap();
    for (mu, e, words) in [
        (Some(-0.1), None, "material 'felt': friction is -0.1, but has to be 0 or more, and finite"),
        (Some(f64::NAN), None, "material 'felt': friction is NaN, but has to be 0 or more, and finite"),
        (None, Some(1.5), "material 'felt': restitution is 1.5, but has to be 0 to 1"),
        (None, Some(f64::NAN), "material 'felt': restitution is NaN, but has to be 0 to 1"),
    ] {
        assert_eq!(world.add_material(material("felt", mu, e)).unwrap_err().to_string(), words);
    }
    assert!(world.materials().list().is_empty());
    let felt = world.add_material(material("felt", Some(0.7), None)).unwrap();
    let unknown = MaterialId(7);
    let error = world.add_body(block(Some(unknown), 0.0)).unwrap_err();
    assert_eq!(error, BodyError::NoMaterial { body: "block".to_owned(), found: 7, n_materials: 1 });
    let [a, b] = [0.0, 3.0].map(|x| world.add_body(block(Some(felt), x)).unwrap());
    let mut refused = |pair, said| world.set_pair(pair, said).unwrap_err();
    let some = friction(0.1);
    assert_eq!(
        refused(Pair::Materials([felt, unknown]), some),
        PairError::NoMaterial { found: 7, n_materials: 1 }
    );
    assert_eq!(refused(Pair::Bodies([BodyId(9), a]), some), PairError::NoBody { found: 9, n_bodies: 2 });
    assert_eq!(refused(Pair::Bodies([a, a]), some), PairError::OneBody { body: "block".to_owned() });
    let words = refused(Pair::Bodies([a, b]), restitution(-0.5)).to_string();
    assert_eq!(words, "'block' and 'block': restitution is -0.5, but has to be 0 to 1");
}

/// What is said of a pair is no part of a step that has begun.
#[test]
fn a_step_that_has_begun_ends_where_something_else_is_said() {
    let mut world = incline(settings(1e-4));
    let [a, b] = [plane(None), block(None, 0.0)].map(|desc| world.add_body(desc).unwrap());
    let questions = common::ask(&mut world);
    world.set_pair(Pair::Bodies([a, b]), friction(0.1)).unwrap();
    let error = world.advance(questions.answered(measure(&questions))).unwrap_err();
    assert_eq!(error, StepError::NotAsked);
}
