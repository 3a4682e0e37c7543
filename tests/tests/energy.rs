//! No scene gains energy: a minute of each, whatever its own length.

use std::path::Path;

use tactum::backend::Detector;
use tactum::run::{Run, RunOptions};
use tactum::scene::Scene;
use tactum::session::Session;
use tactum_sim::{Body, BodyKind, Settings};

/// Simulated time \[s\].
const MINUTE: f64 = 60.0;

/// Part of what gravity has given that the total energy may exceed its start by.
const GAIN: f64 = 1e-6;

/// How much a body's energy may swing from step to step \[J\]: a corner that is held moves on its tangent for a step, by
/// `r (ω h)² / 2` off its arc, and is let down again; and a contact carries anywhere between touch and target depth.
fn swing(body: &Body, settings: &Settings) -> f64 {
    let turned = settings.dt * body.angular_velocity.length();
    let height = 0.5 * turned * turned * body.shape.size() + settings.target_depth * body.shape.mean_side();
    match body.kind {
        BodyKind::Dynamic => height * body.mass.mass * settings.gravity.length(),
        BodyKind::Static | BodyKind::Kinematic => 0.0,
    }
}

/// Part of the energy of a fall from the bodies' own height that sums in floating point lose or gain: 1e4 steps of 1e-16.
const ROUNDING: f64 = 1e-12;

/// Runs a scene for a minute and compares its total energy with that after its first steps.
///
/// A scene may put bodies deeper into each other than they are held; lifting them out to where a scene's contacts belong takes
/// a few steps and is no gain of the motion, so the reference is the largest energy of the first ten steps.
fn minute(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes").join(format!("{name}.toml"));
    let scene = Scene::load(&file).unwrap_or_else(|error| panic!("{error}"));
    let run = Run::prepare(scene, &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::new(run.into_world(), Detector::exact());
    let energies = |session: &Session| {
        let world = session.world();
        (world.kinetic_energy() + world.potential_energy(), world.potential_energy())
    };
    let (mut start, at_start) = energies(&session);
    let scale = at_start.abs() + start.abs();
    let mut most = f64::NEG_INFINITY;
    while session.world().time() < MINUTE {
        session.step().expect("a step");
        let (total, potential) = energies(&session);
        if session.world().step_count() <= 10 {
            start = start.max(total);
        }
        let given = (at_start - potential).max(0.0);
        let world = session.world();
        let swings: f64 = world.bodies().iter().map(|body| swing(body, world.settings())).sum();
        let excess = total - start - GAIN * given - ROUNDING * scale - swings;
        most = most.max(total - start);
        assert!(
            excess <= 0.0,
            "{name} at {} s: gains {} J, gravity gave {given} J",
            session.world().time(),
            total - start
        );
    }
    println!("{name}: largest gain {most:e} J of {scale:e} J");
}

macro_rules! minutes {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            minute(stringify!($name));
        })*
    };
}

minutes![
    arch,
    card_house,
    cubes_on_edge,
    drop,
    edge_creep,
    moving_load,
    nested_stack,
    peg_in_hole,
    ring_on_peg,
    slide,
    sloppy_stack,
    spin,
    stack10,
    stack30,
    table_four_legs,
    tip,
    tumbling_cylinder,
    wedged,
];
