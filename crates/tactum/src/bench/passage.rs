//! Passages of two meshes through each other, and steps with continuous penalties beside those of the law that measures volumes.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;
use tactum_geometry::Pose;
use tactum_geometry::mesh::generate;
use tactum_geometry::passage::{Matter, Motion, Passage, Surface, Tracks, Wanted, passage};

use super::{BenchError, Measurement, median, time_within};
use crate::backend::Detector;
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;
use crate::session::Session;

/// Facets of each of two balls.
const FACETS: [usize; 5] = [320, 1280, 2000, 5120, 20_480];

/// Radius of the balls, how deep they are in each other, shallow and deep, and how much deeper they come in a motion \[m\].
const RADIUS: f64 = 0.5;
const DEPTHS: [f64; 2] = [0.001, 0.05];
const WAY: f64 = 0.002;

/// Facets of each of two rings of which steps are timed, and these steps, after as many in which they come to rest.
const STEP_FACETS: usize = 2000;
const STEPS: usize = 200;

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let mut measured = Vec::new();
    for triangles in FACETS {
        for depth in DEPTHS {
            measured.push(measure(triangles, depth)?);
        }
    }
    for law in ["continuous_penalty", "volume"] {
        measured.push(measure_steps(law)?);
    }
    Ok(measured)
}

fn measure(triangles: usize, depth: f64) -> Result<Measurement, BenchError> {
    let mesh = generate::sphere(RADIUS, triangles)?;
    let ball = Matter::Surface(Arc::new(Surface::new(&mesh)?));
    let at = |depth: f64| Pose::from_translation(DVec3::new(0.01, 0.02, 2.0 * RADIUS - depth));
    let still = Motion::at_rest(Pose::IDENTITY);
    let go = |start: f64, end: f64, tracks: &Tracks| -> Passage {
        let motion = Motion { start: at(start), end: at(end) };
        passage([&ball, &ball], [&still, &motion], Some(tracks), Wanted::Penalty)
    };
    let inside = go(-0.001, depth, &Tracks::default()).tracks;
    let (median_ms, runs) = time_within(|| go(depth, depth + WAY, &inside));
    let counts = go(depth, depth + WAY, &inside).counts;
    let culled = 100.0 * (1.0 - counts.crossing as f64 / counts.features.max(1) as f64);
    let remark = format!(
        "{} pairs of faces near each other, {:.2} µs each; signs cull {culled:.0} % of {} pairs of features; {:.1} left for each of {} found",
        counts.faces,
        1e3 * median_ms / counts.faces.max(1) as f64,
        counts.features,
        counts.crossing as f64 / counts.intervals.max(1) as f64,
        counts.intervals
    );
    let case = format!("2 balls of {} facets, {} mm deep", mesh.triangles.len(), 1e3 * depth);
    Ok(Measurement { bench: "passage", case, method: "passage", median_ms, runs, remark })
}

/// A ring that lies on another one of as many facets, and touches it all around.
fn pile(law: &str) -> String {
    let ring = format!(
        "{{ generate = {{ torus = {{ major_radius = 0.5, minor_radius = 0.1, triangles = {STEP_FACETS} }} }} }}"
    );
    let of_law = if law == "volume" { "" } else { "stiffness = 1e3\ndamping = 1" };
    format!(
        r#"
        dt = 0.001
        [contact]
        law = "{law}"
        friction = 0.5
        {of_law}
        [[body]]
        name = "below"
        kind = "static"
        shape = {ring}
        [[body]]
        name = "above"
        shape = {ring}
        mass = 1
        position = [0.003, 0.002, 0.1995]
        "#
    )
}

/// A step of one ring on another one.
fn measure_steps(law: &'static str) -> Result<Measurement, BenchError> {
    let scene = Scene::parse(&pile(law), Path::new("pile")).map_err(RunError::from)?;
    let world = Run::prepare(scene, &RunOptions::default())?.into_world();
    let mut session = Session::new(world, Detector::exact());
    for _ in 0..STEPS {
        session.step()?;
    }
    let (mut lengths, mut substeps, mut contacts) = (Vec::new(), 0, 0);
    for _ in 0..STEPS {
        let start = Instant::now();
        let report = session.step()?;
        lengths.push(1e3 * start.elapsed().as_secs_f64());
        substeps += report.substeps.max(1);
        contacts += report.contacts.len();
    }
    Ok(Measurement {
        bench: "passage",
        case: format!("a ring of {STEP_FACETS} facets on another"),
        method: law,
        median_ms: median(lengths),
        runs: STEPS,
        remark: format!(
            "a step, of {:.1} sub-steps; {:.1} contacts",
            f64::from(substeps) / STEPS as f64,
            contacts as f64 / STEPS as f64
        ),
    })
}
