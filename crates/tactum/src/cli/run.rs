//! `tactum run`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use tactum::backend::BackendArgs;
use tactum::report::{RunReport, closing_table, verdict};
use tactum::run::{Length, Outcome, Run, RunError, RunOptions, Stop};
use tactum::scene::Scene;

use super::Exit;
use super::args::RunArgs;
use super::console::Console;

/// Simulates a scene.
pub fn run(args: &RunArgs, console: &Console) -> Result<Exit> {
    warn_of_rays(&args.backend, console);
    set_threads(args.threads)?;
    let scene = match Scene::load(&args.scene) {
        Ok(scene) => scene,
        Err(error) => {
            console.scene_error(&error);
            return Ok(Exit::BadInput);
        }
    };
    let run = match Run::prepare(&scene, &options(args)) {
        Ok(run) => run,
        Err(RunError::Scene(error)) => {
            console.scene_error(&error);
            return Ok(Exit::BadInput);
        }
        Err(error @ RunError::Device(_)) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
        Err(error) => return Err(error.into()),
    };
    let warnings = warn(&run, console);
    let outcome = step_to_end(run, console)?;
    finish(args, &scene, &outcome, warnings, console)
}

/// Prints all doubts about a run that is ready to step, and returns them.
pub fn warn(run: &Run<'_>, console: &Console) -> Vec<String> {
    run.warnings().iter().for_each(|fault| console.fault(fault));
    let deep = run.overlaps_at_start();
    deep.iter().for_each(|text| console.warn(text));
    run.warnings().iter().map(ToString::to_string).chain(deep).collect()
}

/// Says that a number of rays means nothing to a backend that casts none.
pub fn warn_of_rays(args: &BackendArgs, console: &Console) {
    if args.rays.is_some() && !args.backend.casts_rays() {
        console.warn(&format!("--rays has no effect: the backend '{}' casts no rays", args.backend));
    }
}

fn set_threads(threads: Option<u16>) -> Result<()> {
    let Some(n) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(n));
    pool.build_global().with_context(|| format!("cannot start {n} threads"))
}

fn options(args: &RunArgs) -> RunOptions {
    let length = match (args.steps, args.time) {
        (Some(n), _) => Length::Steps(n),
        (None, Some(time)) => Length::Time(time),
        (None, None) => Length::Scene,
    };
    RunOptions {
        length,
        backend: args.backend.options(),
        out: args.out.clone(),
        tables: args.record.unwrap_or_default(),
        checkpoint_every: args.checkpoint_every,
        resume: args.resume.clone(),
    }
}

fn step_to_end(run: Run<'_>, console: &Console) -> Result<Outcome> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    // The first Ctrl-C ends the run after the present step, the second one ends the program at once.
    let handler = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Stopped as i32);
        }
    });
    if let Err(error) = handler {
        console.warn(&format!("Ctrl-C will end the program without a report: {error}"));
    }
    let bar = console.progress(run.first_step(), run.n_steps());
    let outcome = run.finish(&interrupt, |step, report| {
        bar.set_position(step);
        bar.set_message(format!("{} contacts", report.contacts.len()));
    });
    bar.finish_and_clear();
    Ok(outcome?)
}

fn finish(
    args: &RunArgs,
    scene: &Scene,
    outcome: &Outcome,
    mut warnings: Vec<String>,
    console: &Console,
) -> Result<Exit> {
    if let Some(trouble) = outcome.session.detector().trouble() {
        let text =
            format!("the device was given up and overlaps were measured exactly from then on: {trouble}");
        console.warn(&text);
        warnings.push(text);
    }
    let report = RunReport::new(scene, outcome, warnings);
    let json = report.to_json();
    let mut files = outcome.files.clone();
    if let Some(dir) = &args.out {
        let path = dir.join("report.json");
        write_line(&path, &json)?;
        files.push(path);
    }
    if args.json {
        console.result(&format!("{json}\n"));
    } else {
        let text = closing_table(&report) + &verdict(&report, scene.spec().expectations.len());
        console.result(&text);
    }
    if !files.is_empty() {
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        console.note(&format!("wrote {}", abbreviated(&names)));
    }
    Ok(exit_of(&report, &outcome.stop, console))
}

fn exit_of(report: &RunReport, stop: &Stop, console: &Console) -> Exit {
    if let Some(error) = &report.error {
        console.error(&format!("the simulation stopped after step {}: {error}", report.steps));
        return Exit::Stopped;
    }
    if matches!(stop, Stop::Interrupted) {
        console.note(&format!("interrupted after step {}", report.steps));
        return Exit::Stopped;
    }
    if report.expect.passed {
        return Exit::Fine;
    }
    if report.expect.failed.len() == 1 {
        console.error("an expectation was not met");
    } else {
        console.error(&format!("{} expectations were not met", report.expect.failed.len()));
    }
    Exit::Unexpected
}

fn write_line(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, format!("{text}\n")).with_context(|| format!("cannot write '{}'", path.display()))
}

/// A long list by its ends.
fn abbreviated(names: &[String]) -> String {
    const SHOWN: usize = 6;
    match names {
        [first, second, .., last] if names.len() > SHOWN => {
            format!("{first}, {second}, ... {last} ({} files)", names.len())
        }
        _ => names.join(", "),
    }
}
