//! Time steps of piles that have come to rest: what an interactive simulation does most of the time.

use std::path::Path;

use super::{BACKENDS, BenchError, Measurement, open, time_within};
use crate::backend::Detector;
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;
use crate::session::Session;

/// Steps until a pile rests.
const SETTLING_STEPS: usize = 100;

const SCENES: [(&str, &str); 3] = [
    (
        "10 stacked boxes",
        r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "box"
        shape = { box = [0.1, 0.1, 0.1] }
        position = [0, 0, 0.05]
        copies = { grid = [1, 1, 10], spacing = [0, 0, 0.1] }
        "#,
    ),
    (
        "512 boxes in a heap",
        r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "box"
        shape = { box = [0.1, 0.1, 0.1] }
        position = [0, 0, 0.2]
        copies = { grid = [8, 8, 8], spacing = [0.12, 0.12, 0.12], random_orientation = true }
        "#,
    ),
    (
        "27 critters of 1000 triangles",
        r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { generate = { cuboid = { size = [4, 4, 1] } } }
        position = [0, 0, -0.5]
        [[body]]
        name = "critter"
        shape = { generate = { critter = { length = 0.1, triangles = 1000 } } }
        position = [0, 0, 0.2]
        copies = { grid = [3, 3, 3], spacing = [0.2, 0.2, 0.2], random_orientation = true }
        "#,
    ),
];

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let mut measured = Vec::new();
    for (case, text) in SCENES {
        measured.extend(measure(case, text)?);
    }
    Ok(measured)
}

/// Steps from one settled state, by every back end where there are meshes that rays could measure.
fn measure(case: &str, text: &str) -> Result<Vec<Measurement>, BenchError> {
    let scene = Scene::parse(text, Path::new(case)).map_err(RunError::from)?;
    let world = Run::prepare(scene, &RunOptions::default())?.into_world();
    let mut session = Session::new(world, Detector::exact());
    for _ in 0..SETTLING_STEPS {
        session.step()?;
    }
    let settled = session.world();
    let n_meshes = settled.bodies().iter().filter(|body| body.shape.is_mesh()).count();
    let mut measured = Vec::new();
    for backend in BACKENDS {
        if n_meshes < 2 && backend.casts_rays() {
            continue;
        }
        let Some(detector) = open(backend)? else { continue };
        let mut session = Session::new(settled.clone(), detector);
        let mut outcome = Ok(());
        let (median_ms, runs) = time_within(|| {
            if let Err(error) = session.step() {
                outcome = Err(error);
            }
        });
        outcome?;
        measured.push(Measurement {
            bench: "step",
            case: case.to_owned(),
            method: backend.name(),
            median_ms,
            runs,
            ..Measurement::default()
        });
    }
    Ok(measured)
}
