//! Many small worlds: what a batch does.

use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
use tactum_sim::{StepError, World};

use super::{BACKENDS, BenchError, Measurement, open, time, time_within};
use crate::backend::{Backend, Detector};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::{Override, Scene};
use crate::session::step_together;

/// Numbers of worlds.
const COUNTS: [usize; 2] = [1_000, 4_096];

/// Steps that a thread makes of one world before it takes the next, where none waits for others.
const STEPS: u32 = 20;

/// What is in each world. The bodies never stop: neither sleep nor rest is measured.
const SCENES: [(&str, &str); 2] = [
    (
        "a box slides over a floor",
        r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { plane = {} }
        [[body]]
        name = "box"
        shape = { box = [0.1, 0.1, 0.1] }
        position = [0, 0, 0.05]
        linear_velocity = [1000, 0, 0]
        "#,
    ),
    (
        "a mesh of 200 triangles slides over another",
        r#"
        [[body]]
        name = "floor"
        kind = "static"
        shape = { generate = { cuboid = { size = [10000, 4, 1] } } }
        position = [4000, 0, -0.5]
        [[body]]
        name = "ring"
        shape = { generate = { ring = { inner_radius = 0.03, outer_radius = 0.08, height = 0.05, triangles = 200 } } }
        position = [0, 0, 0.025]
        linear_velocity = [100, 0, 0]
        "#,
    ),
];

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let mut measured = Vec::new();
    for (case, text) in SCENES {
        for n in COUNTS {
            measured.extend(measure(case, text, n)?);
        }
    }
    Ok(measured)
}

/// So many worlds, each with a friction of its own, as those of a sweep.
fn worlds(case: &str, text: &str, n: usize) -> Result<Vec<World>, BenchError> {
    let shapes = Arc::default();
    let world = |ix: usize| {
        let friction = 0.1 + 0.8 * ix as f64 / n as f64;
        let set = Override::new("contact.friction", friction.to_string()).map_err(RunError::from)?;
        let scene = Scene::parse_sharing(text, Path::new(case), &[set], &shapes).map_err(RunError::from)?;
        Ok(Run::prepare(scene, &RunOptions::default())?.into_world())
    };
    (0..n).map(world).collect()
}

/// A step of all worlds: each thread with worlds of its own, and all in lockstep by every back end that makes a difference.
fn measure(case: &str, text: &str, n: usize) -> Result<Vec<Measurement>, BenchError> {
    let mut worlds = worlds(case, text, n)?;
    let line = |method: &'static str, how: &str, (median_ms, runs): (f64, usize)| {
        let rate = 1e3 * n as f64 / median_ms;
        let (case, remark) = (format!("{n}: {case}"), format!("{how}: {rate:.0} steps of a world a second"));
        Measurement { bench: "worlds", case, method, median_ms, runs, remark }
    };
    let has_meshes = worlds[0].bodies().iter().any(|body| body.shape.is_mesh());
    let mut outcome = Ok(());
    let (ms, runs) = time(|| {
        if let Err(error) = worlds.par_iter_mut().try_for_each(step_alone) {
            outcome = Err(error);
        }
    });
    let mut measured = vec![line("exact", "one at a time", (ms / f64::from(STEPS), runs))];
    for backend in BACKENDS {
        if backend == Backend::Auto || (backend.casts_rays() && !has_meshes) {
            continue;
        }
        let Some(mut detector) = open(backend)? else { continue };
        let mut all: Vec<&mut World> = worlds.iter_mut().collect();
        let timed = time_within(|| {
            for step in step_together(&mut all, &mut detector) {
                if let Err(error) = step.report {
                    outcome = Err(error);
                }
            }
        });
        measured.push(line(backend.name(), "in lockstep", timed));
    }
    outcome?;
    Ok(measured)
}

/// Some steps of one world.
fn step_alone(world: &mut World) -> Result<(), StepError> {
    let mut detector = Detector::exact();
    for _ in 0..STEPS {
        step_together(&mut [&mut *world], &mut detector).remove(0).report?;
    }
    Ok(())
}
