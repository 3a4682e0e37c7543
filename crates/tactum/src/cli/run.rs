//! `tactum run`.

use anyhow::Result;
use std::sync::Arc;
use tactum::backend::{BackendArgs, Detector};
use tactum::report::{RunReport, closing_table, verdict};
use tactum::run::{Files, Length, Outcome, Run, RunError, RunOptions, Stop};
use tactum::scene::Scene;
use tactum_geometry::words;

use super::Exit;
use super::args::RunArgs;
use super::console::Console;
use super::signals::Signals;

/// Simulates a scene.
pub fn run(args: &RunArgs, signals: &Signals, console: &Console) -> Result<Exit> {
    warn_of_idle_options(&args.backend, console);
    let scene = match Scene::load_with(&args.scene, &args.set) {
        Ok(scene) => Arc::new(scene),
        Err(error) => {
            console.scene_error(&error);
            return Ok(Exit::BadInput);
        }
    };
    let run = match Run::prepare(scene.clone(), &options(args)) {
        Ok(run) => run,
        Err(error) => return Ok(not_begun(&error, console)),
    };
    let mut detector = match Detector::open(&args.backend.options()) {
        Ok(detector) => detector,
        Err(error) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
    };
    let warnings = warn(&run, console);
    match step_to_end(run, &mut detector, signals, console) {
        Ok(outcome) => Ok(finish(args, &scene, &outcome, &detector, warnings, console)),
        Err(error) => Ok(not_begun(&error, console)),
    }
}

/// Why a run could not begin.
fn not_begun(error: &RunError, console: &Console) -> Exit {
    match error {
        RunError::Scene(error) => {
            console.scene_error(error);
            Exit::BadInput
        }
        error => {
            console.error(&error.to_string());
            if error.is_of_writing() { Exit::Unwritten } else { Exit::BadInput }
        }
    }
}

/// Prints all doubts about a run that is ready to step, and returns them.
pub fn warn(run: &Run, console: &Console) -> Vec<String> {
    run.warnings().iter().for_each(|fault| console.fault(fault));
    run.doubts().iter().for_each(|text| console.warn(text));
    run.warnings().iter().map(ToString::to_string).chain(run.doubts().iter().cloned()).collect()
}

/// Says that a number of rays means nothing to a backend that casts none, nor a device to one that uses none.
pub fn warn_of_idle_options(args: &BackendArgs, console: &Console) {
    if args.rays.is_some() && !args.backend.casts_rays() {
        console.warn(&format!("--rays has no effect: the backend '{}' casts no rays", args.backend));
    }
    if args.adapter.is_some() && !args.backend.may_use_device() {
        console.warn(&format!("--adapter has no effect: the backend '{}' uses no device", args.backend));
    }
}

fn options(args: &RunArgs) -> RunOptions {
    let length = match (args.steps, args.time) {
        (Some(n), _) => Length::Steps(n),
        (None, Some(time)) => Length::Time(time),
        (None, None) => Length::Scene,
    };
    RunOptions {
        length,
        out: args.out.clone(),
        overwrite: args.overwrite,
        tables: args.record,
        checkpoint_every: args.checkpoint_every,
        resume: args.resume.clone(),
        command: command(std::env::args_os().map(|word| word.to_string_lossy().into_owned())),
    }
}

/// The words of a command without the folder for the results: whose card they are in knows where it is, and equal runs leave equal cards.
fn command(words: impl Iterator<Item = String>) -> Vec<String> {
    // Whether the next word is the folder.
    let mut names_folder = false;
    let keeps = |word: &String| {
        let was_named = names_folder;
        names_folder = !was_named && word == "--out";
        !was_named && !names_folder && !word.starts_with("--out=")
    };
    words.filter(keeps).collect()
}

fn step_to_end(
    run: Run,
    detector: &mut Detector,
    signals: &Signals,
    console: &Console,
) -> Result<Outcome, RunError> {
    let interrupt = signals.take_over();
    let bar = console.progress("step", run.first_step(), run.n_steps());
    let outcome = run.finish(detector, interrupt, |step, report| {
        bar.set_position(step);
        bar.set_message(format!("{} contacts", report.contacts.len()));
    });
    bar.finish_and_clear();
    outcome
}

/// Reports how a run went, on stdout whatever becomes of the folder.
fn finish(
    args: &RunArgs,
    scene: &Scene,
    outcome: &Outcome,
    detector: &Detector,
    mut warnings: Vec<String>,
    console: &Console,
) -> Exit {
    if let Some(trouble) = detector.trouble() {
        let text =
            format!("the device was given up and overlaps were measured exactly from then on: {trouble}");
        console.warn(&text);
        warnings.push(text);
    }
    for text in outcome.doubts() {
        console.warn(&text);
        warnings.push(text);
    }
    let mut report = RunReport::new(scene, outcome, detector, warnings);
    let mut files = names(&outcome.files);
    let mut unwritten = None;
    if let Some(folder) = &outcome.folder {
        match folder.save_report(&report.to_json()) {
            Ok(path) => files.push(words::path(&path)),
            Err(error) => {
                report.set_unwritten(&error);
                unwritten = Some(error);
            }
        }
    }
    if args.json {
        console.result(&format!("{}\n", report.to_json()));
    } else {
        let text = closing_table(&report) + &verdict(&report, scene.spec().expectations.len());
        console.result(&text);
    }
    if !outcome.files.removed.is_empty() {
        console.note(&format!("replaced or removed {}", outcome.files.removed.join(", ")));
    }
    if !files.is_empty() {
        console.note(&format!("wrote {}", files.join(", ")));
    }
    let exit = exit_of(&report, outcome, args.fail_on_unsolved, console);
    match unwritten {
        None => exit,
        Some(error) => {
            // What ended the run may be what keeps the report from being written, and has been said.
            if !matches!(&outcome.stop, Stop::Unwritten(first) if first.to_string() == error.to_string()) {
                console.error(&error.to_string());
            }
            Exit::Unwritten
        }
    }
}

fn exit_of(report: &RunReport, outcome: &Outcome, fails_on_unsolved: bool, console: &Console) -> Exit {
    let stopped = || {
        let why = report.error.as_deref().unwrap_or(report.status);
        console.error(&format!("the simulation stopped after step {}: {why}", report.steps));
    };
    match &outcome.stop {
        Stop::Unwritten(_) => {
            stopped();
            Exit::Unwritten
        }
        Stop::Failed(_) | Stop::Unconverged { .. } => {
            stopped();
            Exit::Stopped
        }
        Stop::Interrupted => {
            let how = match &outcome.files.last_checkpoint {
                Some(path) => format!("; --resume {} goes on from there", words::path(path)),
                None => String::new(),
            };
            console.note(&format!("interrupted after step {}{how}", report.steps));
            Exit::Stopped
        }
        Stop::Finished => {
            let unsolved = if fails_on_unsolved { report.solver.unsolved_steps } else { 0 };
            let mut exit = Exit::Fine;
            let mut fail = |text: &str| {
                console.error(text);
                exit = Exit::Unexpected;
            };
            // Of one expectation several bodies may fail, one after the other in the list.
            match report.expect.failed.chunk_by(|a, b| a.expectation == b.expectation).count() {
                0 => {}
                1 => fail("an expectation was not met"),
                n => fail(&format!("{n} expectations were not met")),
            }
            match unsolved {
                0 => {}
                1 => fail("a step was not solved (--fail-on-unsolved)"),
                n => fail(&format!("{n} steps were not solved (--fail-on-unsolved)")),
            }
            exit
        }
    }
}

/// The files that a run wrote: its tables by their names, its checkpoints by the last one.
fn names(files: &Files) -> Vec<String> {
    let mut names: Vec<String> = files.tables.iter().map(|path| words::path(path)).collect();
    names.extend(files.last_checkpoint.as_ref().and_then(|last| match files.n_checkpoints {
        0 => None,
        1 => Some(words::path(last)),
        n => Some(format!("{n} checkpoints up to {}", words::path(last))),
    }));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_kept_without_its_folder() {
        for with in [
            "tactum run a.toml --out b --quiet",
            "tactum --quiet run --out=--out a.toml",
            "tactum run --out --out a.toml",
        ] {
            let found = command(with.split(' ').map(str::to_owned)).join(" ");
            let left = with.replace(" --out b", "").replace(" --out=--out", "").replace(" --out --out", "");
            assert_eq!(found, left);
        }
    }
}
