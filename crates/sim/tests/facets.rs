//! Contact of rounded triangles against closed forms: impacts, friction, momentum.
#![allow(clippy::unwrap_used)] // a test stops where its scene cannot be built

mod common;

use std::f64::consts::PI;
use std::sync::Arc;

use common::{angular_momentum, ball, cuboid, momentum};
use glam::DVec3;
use tactum_geometry::facets::{RoundedMesh, Rounding};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Shape, Solid};
use tactum_sim::{BodyDesc, BodyId, BodyKind, ContactLaw, Progress, Settings, StepError, StepReport, World};

const RADIUS: f64 = 0.05;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;

/// The sum of what two bodies of the material give way by: E* \[Pa\].
fn modulus() -> f64 {
    YOUNG / (2.0 * (1.0 - POISSON * POISSON))
}

fn world(settings: Settings) -> World {
    World::new(Settings { law: ContactLaw::Facets, young: YOUNG, poisson: POISSON, ..settings }).unwrap()
}

fn settings() -> Settings {
    Settings { dt: 1e-3, gravity: DVec3::ZERO, restitution: 1.0, ..Settings::default() }
}

fn step(world: &mut World) -> Result<StepReport, StepError> {
    let mut progress = world.begin_step()?;
    loop {
        match progress {
            Progress::Done(report) => return Ok(report),
            Progress::Ask(questions) => {
                let facets = questions.facets.iter().map(|question| question.answer()).collect();
                progress = world.advance(questions.answered_with(Vec::new(), facets))?;
            }
        }
    }
}

/// A ball of 1 kg of so many facets.
fn grain(name: &str, triangles: usize, at: DVec3, velocity: DVec3) -> BodyDesc {
    let solid = Arc::new(Solid::new(generate::sphere(RADIUS, triangles).unwrap()).unwrap());
    let rounded = RoundedMesh::new(solid.clone(), &Rounding::Uniform(1.0 / RADIUS)).unwrap();
    BodyDesc {
        shape: Shape::Mesh(solid),
        rounded: Some(Arc::new(rounded)),
        linear_velocity: velocity,
        ..ball(name, RADIUS, 1.0, at)
    }
}

/// A static plate whose top is the plane z = 0.
fn plate() -> BodyDesc {
    let solid = Arc::new(Solid::new(generate::cuboid(DVec3::new(2.0, 2.0, 0.2), 12).unwrap()).unwrap());
    let rounded = RoundedMesh::new(solid.clone(), &Rounding::Uniform(0.0)).unwrap();
    BodyDesc {
        kind: BodyKind::Static,
        shape: Shape::Mesh(solid),
        rounded: Some(Arc::new(rounded)),
        ..cuboid("plate", DVec3::ONE, 1.0, DVec3::Z * -0.1)
    }
}

#[test]
fn two_balls_bounce_off_each_other_as_hertz_says() {
    for (triangles, speed) in [(80, 0.2), (320, 0.2), (320, 1.0)] {
        let mut world = world(settings());
        let a = world.add_body(grain("a", triangles, DVec3::X * -0.0505, DVec3::X * speed)).unwrap();
        let b = world.add_body(grain("b", triangles, DVec3::X * 0.0505, DVec3::X * -speed)).unwrap();
        let start = world.kinetic_energy();
        let mut deepest = 0.0_f64;
        for _ in 0..40 {
            let report = step(&mut world).unwrap();
            deepest = deepest.max(report.max_depth);
        }
        println!(
            "{triangles} {speed}: {} {} deepest {deepest}",
            world.body(a).linear_velocity,
            world.kinetic_energy() / start - 1.0
        );
        // Nothing is lost, and the two swap their velocities.
        assert!((world.kinetic_energy() / start - 1.0).abs() < 1e-4);
        assert!((world.body(b).linear_velocity - DVec3::X * speed).length() < 1e-4 * speed);
    }
}

#[test]
fn an_impact_gives_back_its_restitution() {
    for (restitution, speed) in [(0.3, 0.5), (0.5, 0.1), (0.8, 1.0), (0.95, 0.3)] {
        let mut world = world(Settings { restitution, ..settings() });
        world.add_body(plate()).unwrap();
        let ball = world.add_body(grain("ball", 320, DVec3::Z * 0.0505, DVec3::Z * -speed)).unwrap();
        for _ in 0..60 {
            step(&mut world).unwrap();
        }
        let back = world.body(ball).linear_velocity.z / speed;
        println!("{restitution} at {speed}: {back}");
        assert!((back / restitution - 1.0).abs() < 0.01, "{back}, not {restitution}");
    }
}
