//! Time steps of piles that have come to rest: what an interactive simulation does most of the time.

use std::path::Path;

use super::{BenchError, Measurement, time};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;

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
    SCENES.iter().map(|(case, text)| measure(case, text)).collect()
}

fn measure(case: &str, text: &str) -> Result<Measurement, BenchError> {
    let scene = Scene::parse(text, Path::new(case)).map_err(RunError::from)?;
    let mut session = Run::prepare(&scene, &RunOptions::default())?.into_session();
    for _ in 0..SETTLING_STEPS {
        session.step()?;
    }
    let mut failure = None;
    let (median_ms, runs) = time(|| {
        if let Err(error) = session.step() {
            failure = Some(error);
        }
    });
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(Measurement {
            bench: "step",
            case: case.to_owned(),
            method: "exact",
            median_ms,
            runs,
            ..Measurement::default()
        }),
    }
}
