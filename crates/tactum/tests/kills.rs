//! Runs that die or are ended at any moment go on from their newest checkpoint, and end in the same files, byte for byte,
//! as a run that nobody disturbed.
#![cfg(unix)]

mod stage;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use stage::Stage;

/// Boxes that fall on one another, a hinge that breaks under them, and expectations of every kind.
const SCENE: &str = r#"
dt = 0.01
duration = 1
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.2, 0.1, 0.1] }
position = [0, 0, 0.1]
copies = { grid = [2, 1, 4], spacing = [0.15, 1, 0.15], random_orientation = true, seed = 4 }
[[joint]]
name = "hinge"
bodies = ["box-0"]
anchor = [0, 0, 0.3]
axis = [0, 1, 0]
break_force = 200
kind = { revolute = { servo = { target_deg = [[0, 0], [1, 10]], stiffness = 5, damping = 0.1 } } }
[[expect]]
always = true
kinetic_energy = { below = 1e6 }
[[expect]]
why = "fails on purpose, so that the report has something to say"
time = 0.1
body = "box-7"
z = { above = 9 }
[[expect]]
contacts = { above = 0 }
"#;

/// How many runs are disturbed: a few, or as many as `TACTUM_KILLS` says.
fn n_runs() -> u32 {
    std::env::var("TACTUM_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// A run that takes a checkpoint at every step.
struct Subject {
    stage: Stage,
}

impl Subject {
    fn command(&self, out: &str, more: &[&str]) -> Command {
        let mut command = self.stage.command("run scene.toml --checkpoint-every 1 --out");
        command.arg(out).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs to the end.
    fn run(&self, out: &str, more: &[&str]) -> Output {
        self.command(out, more).output().expect("the program starts")
    }

    /// Starts a run and disturbs it after a while; the exit code, none if it was killed.
    fn disturb(&self, out: &str, more: &[&str], signal: &str, after: Duration) -> Option<i32> {
        let child = self.command(out, more).spawn().expect("the program starts");
        std::thread::sleep(after);
        let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).output();
        sent.expect("`kill` is there");
        child.wait_with_output().expect("the program ends").status.code()
    }

    /// Goes on from the newest checkpoint, or from the start if there is none yet.
    fn how_to_go_on<'a>(&self, out: &'a str) -> Vec<&'a str> {
        let has_checkpoint = |entry: std::io::Result<std::fs::DirEntry>| {
            let name = entry.expect("an entry").file_name().into_string().expect("text");
            name.starts_with("checkpoint-") && name.ends_with(".json")
        };
        let entries = std::fs::read_dir(self.stage.root.join(out));
        if entries.is_ok_and(|mut entries| entries.any(has_checkpoint)) {
            vec!["--resume", out]
        } else {
            Vec::new()
        }
    }
}

/// Every file of a folder; the report without its times.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut bytes = std::fs::read(&path).expect("the file");
        if name == "report.json" {
            let mut report: Value = serde_json::from_slice(&bytes).expect("JSON");
            for times in ["wall_s", "timings_ms"] {
                report.as_object_mut().expect("an object").remove(times).expect("times");
            }
            bytes = report.to_string().into_bytes();
        }
        files.insert(name, bytes);
    }
    files
}

/// Moments spread evenly and without order over the run (the golden ratio's multiples, Weyl 1916).
fn moment(ix: u32, whole: Duration) -> Duration {
    whole.mul_f64(f64::from(ix + 1) * 0.618_033_988_749_895 % 1.0)
}

/// Disturbs runs by a signal, twice each, and compares what they leave in the end.
fn assert_undisturbed(signal: &str) {
    let subject = Subject { stage: Stage::with_scene(SCENE) };
    let root = &subject.stage.root;
    let begin = Instant::now();
    let reference = subject.run("reference", &[]);
    let whole = begin.elapsed();
    assert_eq!(reference.status.code(), Some(1), "{}", String::from_utf8_lossy(&reference.stderr));
    let expected = contents(&root.join("reference"));
    assert_eq!(expected.len(), 4 + 101 + 2, "tables, checkpoints, report and card");
    for ix in 0..n_runs() {
        let out = format!("run-{ix}");
        let first = subject.disturb(&out, &[], signal, moment(ix, whole));
        let more = subject.how_to_go_on(&out);
        let second = subject.disturb(&out, &more, signal, moment(7 * ix + 3, whole.mul_f64(0.5)));
        let more = subject.how_to_go_on(&out);
        let last = subject.run(&out, &more);
        let told = String::from_utf8_lossy(&last.stderr);
        assert_eq!(last.status.code(), Some(1), "run {ix} ({first:?}, {second:?}) then {more:?}: {told}");
        let found = contents(&root.join(&out));
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "run {ix}");
        for (name, bytes) in &expected {
            assert!(found[name] == *bytes, "run {ix}: {name} differs");
        }
        std::fs::remove_dir_all(root.join(&out)).expect("the folder");
    }
}

#[test]
fn killed_runs_lose_nothing() {
    assert_undisturbed("-KILL");
}

#[test]
fn terminated_runs_lose_nothing() {
    assert_undisturbed("-TERM");
}

#[test]
fn runs_whose_terminal_closes_lose_nothing() {
    assert_undisturbed("-HUP");
}

#[test]
fn interrupted_runs_lose_nothing() {
    assert_undisturbed("-INT");
}

/// A run that takes no checkpoints of its own writes one when it is ended by a signal, and ends with 3.
#[test]
fn a_signal_leaves_a_checkpoint() {
    let stage = Stage::with_scene(SCENE);
    let out = stage.root.join("out");
    // So long that it is certainly under way.
    let mut command = stage.command("run scene.toml --steps 100000000 --out out");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let has_rows = || std::fs::metadata(out.join("poses.csv")).is_ok_and(|file| file.len() > 1 << 16);
    while !has_rows() {
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").arg("-TERM").arg(child.id().to_string()).status().expect("`kill` is there");
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(3));
    let report: Value =
        serde_json::from_slice(&std::fs::read(out.join("report.json")).expect("a report")).expect("JSON");
    assert_eq!(report["status"], "interrupted");
    let step = report["steps"].as_u64().expect("steps");
    assert!(out.join(format!("checkpoint-{step:08}.json")).is_file());
    let poses = std::fs::read_to_string(out.join("poses.csv")).expect("the table");
    assert!(poses.ends_with('\n') && poses.lines().last().expect("rows").starts_with(&format!("{step},")));
}
