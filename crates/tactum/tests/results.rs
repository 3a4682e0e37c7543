//! Where results go: one folder for one run, what resuming finds in it, streams and disks that cannot be written to,
//! expectations that a run never came to.

mod stage;

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use stage::Stage;

/// A box that has come to rest on the floor after a few steps.
const SCENE: &str = r#"
dt = 0.01
duration = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
[[expect]]
contacts = { above = 0 }
[[expect]]
depth_of_size = { below = 0.1, above = 0 }
"#;

#[test]
fn a_folder_holds_one_run() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --checkpoint-every 25", 0, &[]);
    stage.ends("run scene.toml --out out", 2, &["'out' holds results", "--overwrite", "--resume"]);
    std::fs::write(stage.root.join("out/notes.txt"), "mine").expect("a file");
    stage.ends("run scene.toml --out out --overwrite --record energy --steps 10", 0, &[]);
    assert_eq!(stage.files("out"), ["energy.csv", "notes.txt", "report.json", "run.json"]);
    assert_eq!(stage.read("out/energy.csv").lines().count(), 12);
    // Another scene may not go on in the folder either.
    let other = SCENE.replace("0.05]", "0.06]");
    std::fs::write(stage.root.join("other.toml"), other).expect("the scene");
    stage.ends("run other.toml --out there --checkpoint-every 4 --steps 4", 1, &[]);
    stage.ends("run other.toml --resume there --out out", 2, &["is of the scene 'scene'"]);
    stage.ends("run scene.toml --out scene.toml", 2, &["'scene.toml' is not a folder"]);
}

#[test]
fn two_runs_at_a_time_are_refused() {
    let stage = Stage::with_scene(SCENE);
    let first =
        stage.command("run scene.toml --steps 100000000 --out out --quiet").stdout(Stdio::null()).spawn();
    let mut first = first.expect("the program starts");
    while !stage.root.join("out/poses.csv").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    stage.ends("run scene.toml --out out --overwrite", 2, &["another run is writing", "'out'"]);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    stage.ends("run scene.toml --out out --overwrite", 0, &[]);
}

#[test]
fn resuming_at_the_end_reports_what_the_whole_run_did() {
    let stage = Stage::with_scene(SCENE);
    let mut whole = stage.json("run scene.toml --out out --checkpoint-every 50 --json", 0);
    assert!(!whole["contacts"].as_array().expect("a list").is_empty());
    let mut resumed = stage.json("run scene.toml --resume out --json", 0);
    assert_eq!(whole["timings_ms"]["steps"], whole["steps"]);
    assert_eq!(resumed["timings_ms"]["steps"], 0, "all steps were made before");
    for report in [&mut whole, &mut resumed] {
        for times in ["wall_s", "timings_ms"] {
            report.as_object_mut().expect("an object").remove(times).expect("times");
        }
    }
    assert_eq!(resumed, whole);
    let words = ["checkpoint-00000050.json", "after step 50", "end after step 20"];
    stage.ends("run scene.toml --resume out --steps 20", 2, &words);
    stage.ends("run scene.toml --resume scene.toml", 2, &["is not a checkpoint"]);
    stage.ends("run scene.toml --resume .", 2, &["no checkpoint"]);
}

/// Rows that the checkpoint knows and the folder has lost are missed; other tables begin late, and that is said.
#[test]
fn a_damaged_newest_checkpoint_names_an_older_one_that_can_be_used() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --steps 20 --checkpoint-every 5 --out out", 0, &[]);
    let damage = |step: u32| {
        let file = stage.root.join(format!("out/checkpoint-{step:08}.json"));
        let text = std::fs::read_to_string(&file).expect("a checkpoint");
        std::fs::write(&file, &text[..text.len() / 2]).expect("half of it");
    };
    damage(20);
    damage(15);
    let older = "--resume out/checkpoint-00000010.json";
    stage.ends("run scene.toml --resume out", 2, &["checkpoint-00000020.json", "is not a checkpoint", older]);
    [10, 5, 0].into_iter().for_each(damage);
    let none = stage.ends("run scene.toml --resume out", 2, &["is not a checkpoint"]);
    assert!(!String::from_utf8_lossy(&none.stderr).contains("an older one"));
}

#[test]
fn resuming_looks_at_the_tables() {
    let stage = Stage::with_scene(SCENE);
    let begin = "run scene.toml --steps 20 --checkpoint-every 20 --record energy --out out";
    stage.ends(begin, 0, &[]);
    let table = stage.read("out/energy.csv");
    let (header, rows) = table.split_once('\n').expect("rows");
    std::fs::write(stage.root.join("out/energy.csv"), format!("{header}\n")).expect("the table");
    stage.ends("run scene.toml --resume out --out out", 2, &["energy.csv", "up to step 20"]);
    std::fs::write(stage.root.join("out/energy.csv"), format!("{header}\n{rows}21,0.2")).expect("the table");
    stage.ends("run scene.toml --resume out --out out", 0, &[]);
    let steps: Vec<String> = stage
        .read("out/energy.csv")
        .lines()
        .skip(1)
        .map(|row| row.split(',').next().map_or("", |s| s).to_owned())
        .collect();
    let expected: Vec<String> = (0..=50).map(|step| step.to_string()).collect();
    assert_eq!(steps, expected);
    assert!(!stage.root.join("out/poses.csv").exists(), "the run before did not write it");
    stage.ends("run scene.toml --steps 20 --checkpoint-every 20 --record energy --out late", 0, &[]);
    let words = ["poses.csv has rows from step 21 on", "energy.csv has rows up to step 20 only"];
    stage.ends("run scene.toml --resume late --out late --record poses", 0, &words);
    assert!(stage.read("late/poses.csv").lines().nth(1).expect("a row").starts_with("21,"));
    assert_eq!(stage.read("late/energy.csv").lines().count(), 22);
}

/// Friction and the centre of pressure of any step can be turned into world axes by the table alone.
#[test]
fn contacts_carry_their_tangent_axis() {
    let stage = Stage::with_scene(SCENE);
    let report = stage.json("run scene.toml --out out --json", 0);
    let table = stage.read("out/contacts.csv");
    let names: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let last: Vec<&str> = table.lines().last().expect("a row").split(',').collect();
    let vector = |columns: [&str; 3]| {
        columns.map(|column| {
            let ix =
                names.iter().position(|name| name.split(" [").next() == Some(column)).expect("the column");
            last[ix].parse::<f64>().expect("a number")
        })
    };
    let (n, u) = (vector(["nx", "ny", "nz"]), vector(["ux", "uy", "uz"]));
    let w = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
    for (found, axis) in [u, w].iter().zip(report["contacts"][0]["axes"].as_array().expect("two axes")) {
        for (x, known) in found.iter().zip(axis.as_array().expect("a vector")) {
            assert!((x - known.as_f64().expect("a number")).abs() < 1e-15, "{found:?} is not {axis}");
        }
    }
    assert!(u.iter().map(|x| x * x).sum::<f64>() > 0.999);
}

#[test]
fn tables_without_rows_have_their_header() {
    let floating = SCENE.split("[[expect]]").next().expect("the bodies").replace("0.05]", "9]");
    let stage = Stage::with_scene(&floating);
    stage.ends("run scene.toml --out out --steps 3", 0, &[]);
    let contacts = stage.read("out/contacts.csv");
    assert_eq!(contacts.lines().count(), 1);
    assert!(contacts.starts_with("step,time [s],a,b,region,volume [m³],"), "{contacts}");
}

#[test]
fn runs_without_steps_or_with_too_many_say_so() {
    let stage = Stage::with_scene(SCENE.split("[[expect]]").next().expect("the bodies"));
    let none = stage.ends("run scene.toml --steps 0", 0, &["makes no step: 0 steps were asked for"]);
    assert!(!String::from_utf8_lossy(&none.stderr).contains("half a step"));
    stage.ends("run scene.toml --time 1e-5", 0, &["makes no step: it is shorter than half a step"]);
    stage.ends("run scene.toml --time 1e18", 2, &["1e20 steps", "1e9"]);
}

#[test]
fn expectations_that_a_run_never_comes_to_are_not_met() {
    let expect = |text: &str| {
        let bodies = SCENE.split("[[expect]]").next().expect("the bodies");
        Stage::with_scene(&format!("{bodies}[[expect]]\nwhy = 'reason'\n{text}\n"))
    };
    let message = |stage: &Stage, arguments: &str, code: i32| {
        let report = stage.json(&format!("run scene.toml --json {arguments}"), code);
        report["expect"]["failed"][0]["message"].as_str().unwrap_or_default().to_owned()
    };
    let late = expect("time = 0.4\nbody = 'box'\nz = { above = 0 }");
    assert_eq!(message(&late, "", 0), "");
    let text = message(&late, "--steps 10", 1);
    assert!(
        text.contains("never looked at") && text.contains("step 40") && text.contains("reason"),
        "{text}"
    );
    // At the start, between two steps: looked at, and not met.
    for time in ["0", "0.005", "0.0349", "0.496"] {
        let stage = expect(&format!("time = {time}\nbody = 'box'\nz = {{ above = 9 }}"));
        assert!(message(&stage, "", 1).contains("expected above 9"), "time = {time}");
    }
    let always = expect("always = true\ncontacts = { below = 100 }");
    assert!(message(&always, "--steps 0", 1).contains("never looked at"));
    let at_end = expect("contacts = { below = 100 }");
    assert!(message(&at_end, "--steps 0", 1).contains("no value before the first step"));
    // A run that goes on remembers what was looked at before.
    let early = expect("time = 0.1\nbody = 'box'\nz = { above = 0 }");
    early.ends("run scene.toml --steps 20 --checkpoint-every 20 --out out", 0, &[]);
    early.ends("run scene.toml --resume out", 0, &[]);
}

/// The table counts as the report does, and both in the order of the scene.
#[test]
fn failures_stand_in_the_order_of_the_expectations() {
    let never = "[[expect]]\nbody = 'box'\nz = { above = 9 }\n";
    let bodies = SCENE.split("[[expect]]").next().expect("the bodies");
    let stage = Stage::with_scene(&format!("{bodies}{never}{never}time = 0.1\n{never}always = true\n"));
    let report = stage.json("run scene.toml --json", 1);
    let failed = report["expect"]["failed"].as_array().expect("a list");
    let numbers: Vec<_> = failed.iter().map(|failure| failure["expectation"].as_u64()).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(2)]);
    assert!(report["expect"]["open"].is_null());
    let output = stage.ends("run scene.toml", 1, &["3 expectations were not met"]);
    let table = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = table.lines().filter(|line| line.contains("FAILED")).collect();
    for (line, begin) in
        lines.iter().zip(["expect[0] at 0.5000 s", "expect[1] at 0.1000 s", "expect[2] at 0.0100 s"])
    {
        assert!(line.contains(begin), "{table}");
    }
    assert_eq!(lines.len(), 3);
}

/// Watching costs in proportion to the expectations, met or not: this takes a second or two, and minutes where each failure is
/// compared with all others.
#[test]
fn very_many_unmet_expectations_are_watched_at_once() {
    let never = "[[expect]]\nalways = true\nbody = '*'\nz = { above = 1 }\n";
    let bodies = SCENE.split("[[expect]]").next().expect("the bodies");
    let stage = Stage::with_scene(&format!("{bodies}{}", never.repeat(60_000)));
    let begin = std::time::Instant::now();
    stage.ends("run scene.toml --steps 10", 1, &["60000 expectations were not met"]);
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

/// A body so fast that its energy overflows although its velocity does not.
#[test]
fn energies_stay_finite_or_end_the_run() {
    let stage = Stage::with_scene(
        "gravity = [0, 0, -1e110]\n[[body]]\nname = 'box'\nshape = { box = [0.1, 0.1, 0.1] }\nmass = 1e90\n\
         linear_velocity = [1e107, 0, 0]\n",
    );
    let report = stage.json("run scene.toml --json", 3);
    let error = report["error"].as_str().unwrap_or_default();
    assert!(error.contains("'box' would reach a non-finite energy"), "{error}");
    assert!(report["energy"]["kinetic"].is_number() && report["energy"]["potential"].is_number(), "{report}");
}

#[test]
fn devices_and_blank_names_are_told_apart() {
    let stage = Stage::with_scene(SCENE);
    for arguments in [["run", "scene.toml", "--adapter", ""], ["validate", "--quick", "--adapter", " "]] {
        let mut command = stage.command("");
        let output = command.args(arguments).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn more_threads_than_processors_change_nothing() {
    let stage = Stage::with_scene(SCENE);
    let report = stage.json("run scene.toml --json --threads 5000", 0);
    assert_eq!(report["state_hash"], stage.json("run scene.toml --json --threads 1", 0)["state_hash"]);
}

/// Every case refused is a failure, and results without a file go to stdout.
/// No case is looked at where its answer could not be written.
#[test]
fn a_missing_folder_for_the_answers_is_told_at_once() {
    let stage = Stage::with_scene(SCENE);
    let words = ["none/results.json", "there is no folder 'none'"];
    let refused = stage.ends("query none.json --out none/results.json", 5, &words);
    assert!(
        !String::from_utf8_lossy(&refused.stderr).contains("none.json'"),
        "the cases were looked at first"
    );
}

#[test]
fn query_answers_to_stdout_and_fails_where_nothing_was_measured() {
    let stage = Stage::with_scene(SCENE);
    let case = |mesh: &str| {
        let pose = r#"{"position": [0, 0, 0], "quaternion": [0, 0, 0, 1]}"#;
        format!(
            r#"{{"id": "{mesh}", "mesh_a": "{mesh}", "pose_a": {pose}, "mesh_b": "{mesh}", "pose_b": {pose}}}"#
        )
    };
    let write = |cases: &[String]| {
        let text = format!(r#"{{"format": "overlap-cases/1", "cases": [{}]}}"#, cases.join(","));
        std::fs::write(stage.root.join("cases.json"), text).expect("the cases");
    };
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(stage.root.join("t.obj"), tetrahedron).expect("a mesh");
    write(&[case("none.obj"), case("t.obj")]);
    let output = stage.ends("query cases.json", 0, &["2 cases: 1 overlap, 0 do not, 1 refused"]);
    let answers: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // The corner of a unit cube.
    assert!((answers["cases"][1]["V"].as_f64().expect("a volume") - 1.0 / 6.0).abs() < 1e-15);
    // What `check` calls unusable has no overlap either.
    let refusal = |case: &str| {
        write(&[case.to_owned()]);
        let output = stage.ends("query cases.json", 2, &["every case was refused"]);
        let answers: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answers["cases"][0]["error"].as_str().expect("a reason").to_owned()
    };
    let flat = tetrahedron.replace("v 0 0 1", "v 1 1 0");
    std::fs::write(stage.root.join("flat.obj"), flat).expect("a mesh");
    let said = stage.ends("check flat.obj", 2, &["encloses no volume"]).stderr;
    assert_eq!(String::from_utf8_lossy(&said).trim_end(), format!("error: {}", refusal(&case("flat.obj"))));
    for (scale, words) in [("1e103", "too large"), ("1e20", "too large"), ("1e-60", "too small")] {
        let scaled = case("t.obj").replace(r#""pose_a""#, &format!(r#""scale_a": {scale}, "pose_a""#));
        let scaled = scaled.replace(r#""pose_b""#, &format!(r#""scale_b": {scale}, "pose_b""#));
        assert!(refusal(&scaled).contains(words), "{}", refusal(&scaled));
    }
    write(&[case("none.obj")]);
    stage.ends("query cases.json", 2, &["every case was refused", "none.obj"]);
    write(&[case("t.obj")]);
    stage.ends("query cases.json --out missing/folder/r.json", 5, &["cannot write 'missing/folder/r.json'"]);
}

/// Streams and disks that are full. `/dev/full` is Linux's device for that.
#[cfg(target_os = "linux")]
mod full {
    use super::*;
    use std::fs::File;

    fn into_full(stage: &Stage, arguments: &str) -> Output {
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        stage.command(arguments).stdout(full).output().expect("the program starts")
    }

    #[test]
    fn a_result_that_does_not_reach_stdout_is_an_error() {
        let stage = Stage::with_scene(SCENE);
        for arguments in
            ["run scene.toml --json", "run scene.toml", "check scene.toml", "schema", "--help", "--version"]
        {
            let output = into_full(&stage, arguments);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(5), "{arguments}: {stderr}");
            assert_eq!(stderr.matches("No space left").count(), 1, "{stderr}");
        }
        // A reader that has seen enough is none.
        let mut child = stage.command("schema").stdout(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }

    /// The limit on the size of a file stands for a disk that is full: writing fails in the middle of the run.
    #[test]
    fn a_full_disk_ends_the_run_with_its_own_code_and_the_report() {
        let stage = Stage::with_scene(SCENE);
        let program = env!("CARGO_BIN_EXE_tactum");
        let run = format!(
            "ulimit -f 128; exec '{program}' run scene.toml --json --out out --overwrite --steps 100000 --record poses"
        );
        let output = Command::new("bash").args(["-c", &run]).current_dir(&stage.root).output().expect("bash");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("cannot write the table 'out/poses.csv'"), "{stderr}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("the report on stdout");
        assert_eq!(report["status"], "unwritten");
        assert!(report["steps"].as_u64().expect("steps") > 100);
        assert!(stage.files("out").iter().all(|name| !name.ends_with(".unfinished")));
    }
}

/// A body that flies out and a joint that cannot be kept end no run, but whoever reads its report hears of them.
#[test]
fn doubts_about_the_end_of_a_run_are_told() {
    let stage = Stage::with_scene(
        "dt = 0.01\nduration = 0.1\ngravity = [0, 0, 0]\n[[body]]\nname = 'fly'\nshape = { sphere = 0.1 }\n\
         linear_velocity = [1e12, 0, 0]\n[[body]]\nname = 'arm'\nshape = { box = [1, 0.1, 0.1] }\n\
         position = [0, 0, 1]\n[[joint]]\nname = 'weld'\nbodies = ['arm']\nkind = 'rigid'\nanchor = [0.5, 0, 1]\n\
         [[joint]]\nname = 'hinge'\nbodies = ['arm']\nanchor = [-0.5, 0, 1]\naxis = [0, 0, 1]\n\
         kind = { revolute = { motor = { speed = 1 } } }\n",
    );
    let report = stage.json("run scene.toml --json", 0);
    let warnings: Vec<&str> =
        report["warnings"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let has = |words: &str| warnings.iter().any(|text| text.contains(words));
    assert!(has("'fly' ended too far out") && has("'weld' does not hold"), "{warnings:?}");
    assert!(!has("'arm'"), "{warnings:?}");
}

/// What meets nothing is where its velocity takes it, under every law.
#[test]
fn a_body_alone_goes_as_far_as_its_time() {
    const ALONE: &str = "dt = 0.01\nduration = 0.5\ngravity = [0, 0, 0]\n[[body]]\nname = 'ball'\nshape = { sphere = 0.05 }\n\
        linear_velocity = [1, 0, 0]\n[contact]\nlaw = ";
    for law in ["volume", "facets", "continuous_penalty"] {
        let stage = Stage::with_scene(&format!("{ALONE}'{law}'\n"));
        let report = stage.json("run scene.toml --json --quiet", 0);
        let x = report["bodies"][0]["position"][0].as_f64().expect("a number");
        // Fifty sums of a hundredth.
        assert!((x - 0.5).abs() < 1e-14, "{law}: {x}");
    }
}
