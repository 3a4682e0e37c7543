//! Whole scenes: where the time of their steps goes.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::{BenchError, Measurement, Options};
use crate::backend::Detector;
use crate::run::{Outcome, Run, RunError, RunOptions, Spread, Stop};
use crate::scene::Scene;

/// Runs the scenes in one thread, so that the time of a phase is the work in it.
pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(BenchError::Threads)?;
    let files = scene_files(&options.scenes)?;
    pool.install(|| files.iter().map(|file| measure(file)).collect())
}

/// The scene files of a folder by name.
fn scene_files(dir: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let fault = |source| BenchError::File { what: "read the folder", path: dir.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(BenchError::NoScenes(dir.to_owned()));
    }
    files.sort();
    Ok(files)
}

/// One line for one scene; a scene that cannot be run has a line that says why.
fn measure(file: &Path) -> Result<Measurement, BenchError> {
    let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let line = Measurement { bench: "scenes", case: name, method: "exact", ..Measurement::default() };
    let unusable = |error: RunError| {
        let first = error.to_string().lines().next().unwrap_or_default().to_owned();
        Measurement { median_ms: f64::NAN, remark: first, ..line.clone() }
    };
    let scene = match Scene::load(file) {
        Ok(scene) => scene,
        Err(error) => return Ok(unusable(error.into())),
    };
    let run = match Run::prepare(scene, &RunOptions::default()) {
        Ok(run) => run,
        Err(error) => return Ok(unusable(error)),
    };
    let outcome = run.finish(&mut Detector::exact(), &AtomicBool::new(false), |_, _| {})?;
    let times = &outcome.timings;
    let ms = |phase: &Spread| 1e3 * phase.median();
    let remark = format!(
        "broad {:.3}, detect {:.3}, assemble {:.3}, solve {:.3}, integrate {:.3}; {:.1} sweeps; {}",
        ms(&times.broad),
        ms(&times.detect),
        ms(&times.assemble),
        ms(&times.solve),
        ms(&times.integrate),
        outcome.tally.sweeps.mean(),
        verdict(&outcome)
    );
    Ok(Measurement { median_ms: ms(&times.whole), runs: times.whole.n() as usize, remark, ..line })
}

fn verdict(outcome: &Outcome) -> String {
    match (&outcome.stop, outcome.monitor.state().failures.len()) {
        (Stop::Finished, 0) => "as expected".to_owned(),
        (Stop::Finished, n) => format!("{n} expectations FAILED"),
        (stop, _) => format!("STOPPED: {stop:?}"),
    }
}
