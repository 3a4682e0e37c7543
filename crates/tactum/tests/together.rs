//! Runs that step together end, and write, what each of them does alone.

mod stage;
mod worlds;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use stage::Folder;
use tactum::backend::{Backend, Detector};
use tactum::expect::MonitorState;
use tactum::run::{Outcome, Run, RunOptions, Stop, Tally, finish_together};
use worlds::detector;

/// A ring that lands on a block, and a box whose expectation fails.
const LANDS: &str = r#"
    dt = 0.005
    duration = 0.2

    [[body]]
    name = "block"
    kind = "static"
    shape = { generate = { l_shape = { length = 0.5, width = 0.3, height = 0.3, thickness = 0.1, triangles = 200 } } }

    [[body]]
    name = "ring"
    shape = { generate = { ring = { inner_radius = 0.03, outer_radius = 0.08, height = 0.05, triangles = 200 } } }
    position = [0, 0, 0.2]

    [[expect]]
    body = "ring"
    z = { above = 10 }
"#;

/// Falls with a step of its own for longer than the first lasts.
const FALLS: &str = r#"
    dt = 0.004
    duration = 0.4

    [[body]]
    name = "floor"
    kind = "static"
    shape = { plane = {} }

    [[body]]
    name = "box"
    shape = { box = [0.1, 0.1, 0.1] }
    position = [0, 0, 0.1]
"#;

/// Falls ever faster until its energy is no number any more.
const BREAKS: &str = r#"
    dt = 0.01
    duration = 1
    gravity = [0, 0, -3e149]

    [[body]]
    name = "box"
    shape = { box = [100, 100, 100] }
    density = 1e6
"#;

const SCENES: [&str; 3] = [LANDS, FALLS, BREAKS];

fn prepare(scene: &str, out: &Path) -> Run {
    let options =
        RunOptions { out: Some(out.to_owned()), checkpoint_every: Some(7), ..RunOptions::default() };
    Run::prepare(worlds::scene(scene), &options).unwrap_or_else(|error| panic!("{error}"))
}

/// What a run came to, but for the times it took.
type Known = (String, u64, Tally, MonitorState, BTreeMap<String, Vec<u8>>);

fn known(outcome: &Outcome) -> Known {
    let folder = outcome.folder.as_ref().expect("a folder was asked for").path();
    let files = std::fs::read_dir(folder).expect("the folder can be read").map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(&path).expect("the file can be read"))
    });
    let stop = format!("{:?}", outcome.stop);
    let state = outcome.monitor.state().clone();
    (stop, outcome.world.state_hash(), outcome.tally.clone(), state, files.collect())
}

#[test]
fn every_run_ends_and_writes_what_it_would_alone() {
    let folder = Folder::new();
    for backend in [Backend::Exact, Backend::Rays] {
        let out = |how: &str, ix: usize| folder.path(&format!("{backend}-{how}-{ix}"));
        let never = AtomicBool::new(false);
        let runs = |how| -> Vec<Run> {
            SCENES.iter().enumerate().map(|(ix, scene)| prepare(scene, out(how, ix).as_ref())).collect()
        };
        let alone: Vec<Known> = runs("alone")
            .into_iter()
            .map(|run| known(&run.finish(&mut detector(backend), &never, |_, _| {}).expect("it begins")))
            .collect();
        let mut n_seen = [0; SCENES.len()];
        let mut detector = detector(backend);
        let ended = finish_together(runs("together"), &mut detector, &never, |ix, step, _| {
            n_seen[ix] += 1;
            assert_eq!(step, n_seen[ix]);
        });
        let ended: Vec<Outcome> = ended.into_iter().map(|outcome| outcome.expect("it begins")).collect();
        for (ix, (outcome, alone)) in ended.iter().zip(&alone).enumerate() {
            assert_eq!(n_seen[ix], outcome.tally.steps);
            assert_eq!(known(outcome), *alone, "scene {ix}, {backend}");
            // Tables, checkpoints and the lock.
            assert!(alone.4.len() > 3, "{:?}", alone.4.keys());
        }
        let [lands, falls, breaks] = &ended[..] else { unreachable!("three runs") };
        assert_eq!(lands.monitor.state().failures.len(), 1);
        assert!(matches!(falls.stop, Stop::Finished), "{:?}", falls.stop);
        assert!(matches!(breaks.stop, Stop::Failed(_)), "{:?}", breaks.stop);
        assert_eq!([lands.tally.steps, falls.tally.steps], [40, 100]);
        assert!((1..10).contains(&breaks.tally.steps), "{}", breaks.tally.steps);
    }
}

#[test]
fn runs_that_are_interrupted_together_go_on_together() {
    let folder = Folder::new();
    let whole = known(
        &prepare(FALLS, folder.path("whole").as_ref())
            .finish(&mut Detector::exact(), &AtomicBool::new(false), |_, _| {})
            .expect("it begins"),
    );
    let outs = ["a", "b"].map(|name| folder.path(name));
    let interrupt = AtomicBool::new(false);
    let runs = outs.each_ref().map(|out| prepare(FALLS, out.as_ref())).into();
    let ended = finish_together(runs, &mut Detector::exact(), &interrupt, |_, step, _| {
        interrupt.store(step == 30, Ordering::Relaxed);
    });
    for outcome in ended {
        let outcome = outcome.expect("it begins");
        assert!(matches!(outcome.stop, Stop::Interrupted));
        assert_eq!(outcome.tally.steps, 30);
        assert!(outcome.files.last_checkpoint.is_some());
    }
    let runs = outs.each_ref().map(|out| {
        let options = RunOptions {
            out: Some(out.into()),
            resume: Some(out.into()),
            checkpoint_every: Some(7),
            ..RunOptions::default()
        };
        Run::prepare(worlds::scene(FALLS), &options).unwrap_or_else(|error| panic!("{error}"))
    });
    for outcome in finish_together(runs.into(), &mut Detector::exact(), &AtomicBool::new(false), |_, _, _| {})
    {
        let (stop, hash, tally, state, files) = known(&outcome.expect("it begins"));
        assert_eq!((&stop, hash, &tally, &state), (&whole.0, whole.1, &whole.2, &whole.3));
        // The checkpoint of the interruption is one more.
        for (name, content) in &whole.4 {
            assert!(files.get(name) == Some(content), "{name} differs");
        }
    }
}
