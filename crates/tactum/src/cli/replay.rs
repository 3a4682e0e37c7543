//! `tactum replay`.

use std::fmt::Write as _;

use anyhow::Result;
use tactum::backend::Detector;
use tactum::replay::{Difference, Displaced, Replay, replay as do_again};
use tactum_geometry::words;

use super::Exit;
use super::args::ReplayArgs;
use super::console::Console;
use super::export::open;
use super::signals::Signals;

/// Does a recorded run again.
pub fn replay(args: &ReplayArgs, signals: &Signals, console: &Console) -> Result<Exit> {
    let run = match open(&args.run, args.meshes.as_deref(), console) {
        Ok(run) => run,
        Err(exit) => return Ok(exit),
    };
    let detector = match Detector::open(&run.backend()?) {
        Ok(detector) => detector,
        Err(error) => {
            console.error(&error.to_string());
            return Ok(Exit::Device);
        }
    };
    if detector.description() != run.card().backend() {
        let (was, is) = (run.card().backend(), detector.description());
        console.warn(&format!(
            "the run was measured by '{was}', this is '{is}': equal states are not to be expected"
        ));
    }
    let n_steps = run.report()?.and_then(|report| report["steps"].as_u64()).unwrap_or(0);
    let bar = console.progress("step", 0, n_steps);
    let outcome = do_again(&run, detector, signals.take_over(), |step| bar.set_position(step));
    bar.finish_and_clear();
    let outcome = outcome?;
    console.result(&if args.json {
        format!("{}\n", serde_json::to_string(&outcome).expect("it has text keys and no failing serialiser"))
    } else {
        in_words(&outcome)
    });
    Ok(match (&outcome.differs, outcome.interrupted) {
        (Some(_), _) => Exit::Unexpected,
        (None, true) => Exit::Stopped,
        (None, false) => Exit::Fine,
    })
}

fn in_words(outcome: &Replay) -> String {
    let Replay { scene, steps, compared, interrupted, differs, .. } = outcome;
    let states = words::counted(*compared, "state", "states");
    let Some(Difference { step, time, recorded, found, error, bodies, more_bodies }) = differs else {
        let how = if *interrupted { "interrupted" } else { "done again" };
        return format!("'{scene}' {how} to step {steps}: {states} compared, all as recorded\n");
    };
    let mut text =
        format!("'{scene}' first differs at step {step}, {time} s: recorded is the state {recorded}");
    // Writing into a string does not fail.
    let _ = match (found, error) {
        (Some(found), _) => writeln!(text, ", found {found}"),
        (None, error) => {
            writeln!(text, ", and the step cannot be made: {}", error.as_deref().unwrap_or("unknown"))
        }
    };
    for Displaced { body, distance, angle, velocity, spin } in bodies {
        let _ = writeln!(
            text,
            "  '{}' is off by {distance:.3e} m, {angle:.3e} rad, {velocity:.3e} m/s, {spin:.3e} rad/s",
            words::quoted(body)
        );
    }
    if *more_bodies > 0 {
        let _ = writeln!(text, "  {} more", words::counted(*more_bodies as u64, "body", "bodies"));
    }
    if bodies.is_empty() && error.is_none() {
        text += "  no body of that step is known to stand elsewhere: it has no row in poses.csv, or contacts or joints differ\n";
    }
    text
}
