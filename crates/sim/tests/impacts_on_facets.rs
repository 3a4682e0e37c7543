//! What impacts of rounded triangles give back: the restitution of the bodies, whatever their shapes, wherever they are hit and at any speed.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::{FRAC_PI_2, TAU};

use common::facets::{self, plate, slippery, steps};
use glam::{DQuat, DVec3};
use tactum_geometry::facets::Rounding;
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, TriangleMesh};
use tactum_sim::{
    Body, BodyDesc, BodyId, FacetPressure, FacetsQuestion, Progress, Settings, StepError, World,
};

const RADIUS: f64 = 0.05;
const YOUNG: f64 = 1e7;

fn world(settings: Settings) -> World {
    World::new(Settings { gravity: DVec3::ZERO, ..settings }).unwrap()
}

fn balls(middles: impl Iterator<Item = DVec3>) -> TriangleMesh {
    let ball = generate::sphere(RADIUS, 320).unwrap();
    let mut mesh = TriangleMesh::default();
    for middle in middles {
        let (ball, before) = (ball.clone().translated(middle), mesh.vertices.len() as u32);
        mesh.vertices.extend(ball.vertices);
        mesh.triangles.extend(ball.triangles.iter().map(|corners| corners.map(|ix| ix + before)));
    }
    mesh
}

fn ball(triangles: usize, at: DVec3, velocity: DVec3) -> BodyDesc {
    let (mesh, pose) = (generate::sphere(RADIUS, triangles).unwrap(), Pose::from_translation(at));
    slippery(mesh, &Rounding::Uniform(1.0 / RADIUS), pose, velocity, DVec3::ZERO)
}

/// Velocity of a place of a body \[m/s\].
fn velocity_at(body: &Body, at: DVec3) -> DVec3 {
    body.linear_velocity + body.angular_velocity.cross(at - body.position)
}

#[test]
fn an_impact_gives_back_its_restitution() {
    let hertz = FacetPressure::Hertz;
    let foundation = FacetPressure::Foundation;
    for (pressure, restitution, speed) in [
        (hertz, 0.2, 0.5),
        (hertz, 0.3, 0.5),
        (hertz, 0.4, 0.5),
        (hertz, 0.5, 0.1),
        (hertz, 0.8, 1.0),
        (hertz, 0.95, 0.3),
        (foundation, 0.2, 0.5),
        (foundation, 0.3, 0.5),
        (foundation, 0.5, 0.1),
        (foundation, 0.9, 0.5),
    ] {
        // Wherever in a sub-step they meet.
        for gap in [5e-4, 5.1e-4, 5.2e-4, 5.3e-4, 5.4e-4] {
            let mut world = world(Settings { restitution, pressure, ..facets::settings(YOUNG) });
            world.add_body(plate(2.0)).unwrap();
            let at = DVec3::Z * (RADIUS + gap);
            let ball = world.add_body(ball(320, at, DVec3::Z * -speed)).unwrap();
            steps(&mut world, 60);
            assert!(world.snapshot().memory.facets.pairs.is_empty(), "what has parted is forgotten");
            let off = world.body(ball).linear_velocity.z / speed / restitution - 1.0;
            println!("{pressure:?} {restitution} {gap}: {off:.1e}");
            assert!(off.abs() < 0.01, "{pressure:?}: off {restitution} by {off}");
        }
    }
}

/// Bodies that land on several feet at once bounce as those that land on one do.
#[test]
fn an_impact_on_several_feet_gives_back_its_restitution() {
    for feet in [2, 3] {
        let places = (0..feet).map(|ix| DQuat::from_rotation_z(f64::from(ix) * TAU / f64::from(feet)));
        let mesh = balls(places.map(|turn| turn * DVec3::X * 3.0 * RADIUS));
        for restitution in [0.2, 0.5, 0.8] {
            let mut world = world(Settings { restitution, ..facets::settings(YOUNG) });
            world.add_body(plate(2.0)).unwrap();
            let pose = Pose::from_translation(DVec3::Z * (RADIUS + 5e-4));
            let rounding = Rounding::Uniform(1.0 / RADIUS);
            let body = world
                .add_body(slippery(mesh.clone(), &rounding, pose, DVec3::Z * -0.5, DVec3::ZERO))
                .unwrap();
            steps(&mut world, 60);
            let off = world.body(body).linear_velocity.z / 0.5 / restitution - 1.0;
            println!("{restitution} on {feet}: {off:.1e}");
            assert!(off.abs() < 0.01, "off {restitution} by {off} on {feet}");
        }
    }
}

/// A dumbbell that lands on one of its balls turns away: what that ball's lowest point gives back is the restitution.
#[test]
fn an_impact_off_the_centre_gives_back_its_restitution() {
    let arm = 2.0 * RADIUS;
    let mesh = balls([-arm, arm].into_iter().map(|x| DVec3::X * x));
    for degrees in [5.0_f64, 20.0, 50.0, 80.0] {
        for restitution in [0.2, 0.5, 0.8] {
            let mut world = world(Settings { restitution, ..facets::settings(1e9) });
            world.add_body(plate(2.0)).unwrap();
            let turn = DQuat::from_rotation_y(degrees.to_radians());
            let ball = |body: &Body| body.position + body.orientation * DVec3::X * arm;
            let height = RADIUS + 1e-4 + arm * degrees.to_radians().sin();
            let pose = Pose::new(DVec3::Z * height, turn);
            let rounding = Rounding::Uniform(1.0 / RADIUS);
            let id = world
                .add_body(slippery(mesh.clone(), &rounding, pose, DVec3::Z * -0.2, DVec3::ZERO))
                .unwrap();
            steps(&mut world, 5);
            let body = world.body(id);
            let off = velocity_at(body, ball(body)).z / 0.2 / restitution - 1.0;
            println!("{degrees} deg, {restitution}: {off:.1e}");
            assert!(off.abs() < 0.01, "{degrees} degrees: off {restitution} by {off}");
        }
    }
}

/// Rings that fall flat, and capsules along their length, meet the plate in lines, on which many facets come to touch one after the other.
#[test]
fn an_impact_along_a_line_gives_back_its_restitution() {
    let lying = Pose::new(DVec3::Z * (0.01 + 2e-4), DQuat::from_rotation_y(FRAC_PI_2));
    let flat = Pose::from_translation(DVec3::Z * (0.01 + 2e-4));
    let ring = generate::torus(0.05, 0.01, 8000).unwrap();
    let capsule = generate::capsule(0.01, 0.04, 4000).unwrap();
    for (name, mesh, pose) in [("ring", ring, flat), ("capsule", capsule, lying)] {
        for (restitution, speed) in [(0.2, 0.3), (0.5, 0.05), (0.5, 0.3), (0.8, 0.3)] {
            let fine = Settings { substep_phase: 0.05, ..facets::settings(YOUNG) };
            let mut world = world(Settings { restitution, ..fine });
            world.add_body(plate(2.0)).unwrap();
            let id = world
                .add_body(slippery(mesh.clone(), &Rounding::Estimated, pose, DVec3::Z * -speed, DVec3::ZERO))
                .unwrap();
            steps(&mut world, 60);
            let off = world.body(id).linear_velocity.z / speed / restitution - 1.0;
            println!("{name} {restitution} at {speed} m/s: {off:.1e}");
            assert!(off.abs() < 0.01, "{name}: off {restitution} by {off} at {speed} m/s");
        }
    }
}

/// Two ovals that meet askew: along the normal of their contact they part with the restitution.
#[test]
fn ovals_that_meet_askew_give_back_their_restitution() {
    let mesh = generate::ellipsoid(DVec3::new(0.06, 0.05, 0.04), 5120).unwrap();
    for restitution in [0.3, 0.7] {
        let mut world = world(Settings { restitution, ..facets::settings(1e9) });
        let turns = [DQuat::from_rotation_z(0.5), DQuat::from_scaled_axis(DVec3::new(0.4, 0.9, -0.3))];
        let add = |world: &mut World, x: f64, turn: DQuat| -> BodyId {
            let pose = Pose::new(DVec3::X * x, turn);
            world
                .add_body(slippery(mesh.clone(), &Rounding::Estimated, pose, DVec3::X * -x, DVec3::ZERO))
                .unwrap()
        };
        let ids = [add(&mut world, -0.07, turns[0]), add(&mut world, 0.07, turns[1])];
        let mut before = ids.map(|id| world.body(id).clone());
        let mut at = None;
        for _ in 0..1000 {
            let report = facets::step(&mut world);
            let touch = report.contacts.iter().max_by(|a, b| a.depth.total_cmp(&b.depth));
            match (touch, at) {
                (Some(touch), None) => at = Some((touch.point, touch.normal)),
                (None, Some(_)) => break,
                (None, None) => before = ids.map(|id| world.body(id).clone()),
                _ => {}
            }
        }
        let (point, normal) = at.expect("they meet");
        let along = |[a, b]: &[Body; 2]| (velocity_at(b, point) - velocity_at(a, point)).dot(normal);
        let after = ids.map(|id| world.body(id).clone());
        let off = -along(&after) / along(&before) / restitution - 1.0;
        println!("{restitution}: {off:.1e}");
        assert!(off.abs() < 0.01, "off {restitution} by {off}");
    }
}

/// Candidates hold while a body turns about a centre of mass that is not the middle of its mesh: it rocks and tumbles for 0.3 s, and gains nothing by it.
#[test]
fn centres_of_mass_may_be_anywhere() {
    let mesh = generate::ellipsoid(DVec3::new(0.05, 0.08, 0.05), 1280).unwrap();
    for center in [DVec3::ZERO, DVec3::Z * -0.02, DVec3::new(0.01, -0.03, 0.015)] {
        let settings = Settings { restitution: 0.5, ..facets::settings(YOUNG) };
        let mut world = World::new(settings).unwrap();
        world.add_body(plate(2.0)).unwrap();
        let pose = Pose::from_translation(DVec3::Z * 0.0501);
        let mut desc =
            slippery(mesh.clone(), &Rounding::Estimated, pose, DVec3::ZERO, DVec3::new(2.0, 1.0, 2.0));
        desc.mass.center = center;
        world.add_body(desc).unwrap();
        let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
        let start = energy(&world);
        for _ in 0..300 {
            facets::step(&mut world);
            // What is pressed holds some of it, and gives it back to 1e-4 as balls do.
            assert!(energy(&world) < start + 1e-4 * start.abs(), "{center}: {} of {start}", energy(&world));
        }
    }
}

/// A ball that bounces off a ring meets it all around: by how deep it is in it, not by how wide it is held, candidates are looked for.
#[test]
fn a_ball_on_a_ring_asks_for_no_more_facets_than_are_near() {
    let mut world = world(Settings { dt: 2e-3, ..facets::settings(1e8) });
    let ring = generate::torus(0.06, 0.02, 2000).unwrap();
    let ring = slippery(ring, &Rounding::Estimated, Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO);
    let ring = world.add_body(ring).unwrap();
    let ball = world.add_body(ball(1280, DVec3::Z * 0.037, DVec3::Z * -0.3)).unwrap();
    let (start, mut most) = (world.kinetic_energy(), 0);
    for _ in 0..6 {
        let mut progress = world.begin_step().unwrap();
        while let Progress::Ask(questions) = progress {
            let answers: Vec<_> = questions.facets.iter().map(FacetsQuestion::answer).collect();
            let lists = answers.iter().filter_map(|answer| answer.candidates.as_ref());
            most = lists.map(|list| list.pairs().len()).fold(most, usize::max);
            progress = world.advance(questions.answered_with(Vec::new(), answers)).unwrap();
        }
    }
    let parting = world.body(ball).linear_velocity.z - world.body(ring).linear_velocity.z;
    assert!((parting / 0.3 - 1.0).abs() < 1e-3, "{parting}");
    assert!((world.kinetic_energy() / start - 1.0).abs() < 1e-3, "{}", world.kinetic_energy() / start);
    // Of 2,000 times 1,280; the ring has some 80 rows of facets that look at the ball's.
    assert!(most < 10_000, "{most}");
}

/// Facets that are seen on edge have nothing to press with: a body half in a plate whose sides stand upright is let go with some energy, but no number is lost.
#[test]
fn what_is_half_in_a_plate_has_a_force() {
    let mesh = generate::ellipsoid(DVec3::new(0.06, 0.05, 0.04), 1280).unwrap();
    for at in [DVec3::ZERO, DVec3::new(0.03, 0.02, 0.0), DVec3::new(0.03, 0.02, 1e-12)] {
        let mut world = world(Settings { restitution: 0.5, ..facets::settings(1e6) });
        world.add_body(plate(2.0)).unwrap();
        let pose = Pose::from_translation(at);
        let body = slippery(mesh.clone(), &Rounding::Estimated, pose, DVec3::ZERO, DVec3::ZERO);
        let id = world.add_body(body).unwrap();
        steps(&mut world, 3);
        assert!(world.body(id).position.is_finite());
    }
}

/// However fast bodies are, they do not get past each other between two looks: a run says that they are deeper in each other than contacts are, or how many sub-steps it would take.
#[test]
fn nothing_is_gone_through_unseen() {
    for speed in [50.0, 1e3, 1e4, 1e6, 1e9] {
        let mut world = world(facets::settings(YOUNG));
        world.add_body(plate(2.0)).unwrap();
        world.add_body(ball(320, DVec3::Z * 0.06, DVec3::Z * -speed)).unwrap();
        match facets::try_step(&mut world) {
            Ok(report) => assert!(!report.doubts.is_empty(), "nothing is said at {speed} m/s"),
            Err(error) => assert!(matches!(error, StepError::TooManySubsteps { .. }), "{speed}: {error}"),
        }
    }
}
