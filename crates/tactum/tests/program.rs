//! The contract of the `tactum` program: exit codes, output streams, JSON, hostile scenes, checkpoints, determinism.

mod stage;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use stage::{Ended, Folder, program, tactum};

/// A floor and three boxes that fall on one another: in contact from about step 10 on.
const PILE: &str = r#"
dt = 0.01
duration = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.2, 0.1, 0.1] }
position = [0, 0, 0.1]
copies = { grid = [1, 1, 3], spacing = [0, 0, 0.15], random_orientation = true, seed = 4 }
"#;

/// Runs a scene's text with `--json`.
fn run_json(text: &str, arguments: &[&str]) -> (Ended, Value) {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", text);
    let ended = tactum(&[&["run", &scene, "--json"], arguments].concat());
    let json = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|e| panic!("one JSON object on stdout ({e}): {} {}", ended.stdout, ended.stderr));
    (ended, json)
}

/// Asserts that a scene is refused with all of `words` on stderr, nothing on stdout and exit code 2.
fn assert_refused(text: &str, words: &[&str]) {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", text);
    let ended = tactum(&["run", &scene, "--json"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
    for word in words {
        assert!(ended.stderr.contains(word), "'{word}' is missing in:\n{}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

fn body(line: &str) -> String {
    format!("[[body]]\nname = \"thing\"\nshape = {{ box = [1, 1, 1] }}\n{line}\n")
}

#[test]
fn report_has_the_fields_that_scripts_depend_on() {
    let (ended, json) = run_json(PILE, &["--steps", "30"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for field in ["scene", "dt", "steps", "time", "wall_s", "backend", "adapter", "state_hash", "recoveries"]
    {
        assert!(json.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(json["steps"], 30);
    assert_eq!(json["backend"], "exact");
    assert!(json["adapter"].is_null());
    assert!((json["time"].as_f64().expect("a time") - 0.3).abs() < 1e-12);
    for phase in ["broad", "detect", "assemble", "solve", "integrate"] {
        assert!(json["timings_ms"][phase].as_f64().is_some_and(|ms| ms >= 0.0), "{phase}");
    }
    for figure in ["sweeps_mean", "sweeps_max", "update_norm_max", "unconverged_steps", "unsolved_steps"] {
        assert!(json["solver"][figure].is_number(), "{figure}");
    }
    assert!(json["energy"]["kinetic"].is_number() && json["energy"]["potential"].is_number());
    let bodies = json["bodies"].as_array().expect("bodies");
    assert_eq!(bodies.len(), 4);
    assert_eq!(bodies[1]["name"], "box-0");
    for (field, n) in
        [("position", 3), ("orientation_xyzw", 4), ("linear_velocity", 3), ("angular_velocity", 3)]
    {
        assert_eq!(bodies[1][field].as_array().map(Vec::len), Some(n), "{field}");
    }
    let contact = &json["contacts"][0];
    assert_eq!(contact["a"], "floor");
    for field in ["b", "volume", "normal", "point", "depth", "area", "impulse", "cop", "region"] {
        assert!(contact.get(field).is_some(), "{field} is missing in {contact}");
    }
    assert_eq!(contact["impulse"].as_array().map(Vec::len), Some(6));
    assert_eq!(json["expect"]["passed"], true);
    assert_eq!(json["expect"]["failed"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_failed_expectation_exits_with_1_and_says_what_failed() {
    let text = format!("{PILE}[[expect]]\nwhy = \"boxes fly\"\nbody = \"box-2\"\nz = {{ above = 9 }}\n");
    let (ended, json) = run_json(&text, &[]);
    assert_eq!(ended.code, 1);
    assert_eq!(json["expect"]["passed"], false);
    let message = json["expect"]["failed"][0]["message"].as_str().expect("a message");
    assert!(message.contains("z of 'box-2'") && message.contains("boxes fly"), "{message}");
}

#[test]
fn a_solver_that_may_not_stay_unconverged_stops_with_3() {
    let text = format!("{PILE}[solver]\nmax_sweeps = 1\ntolerance = 1e-15\nmax_unconverged_steps = 2\n");
    let (ended, json) = run_json(&text, &[]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert_eq!(json["status"], "unconverged");
    assert_eq!(json["solver"]["unconverged_steps"], 3);
    assert!(ended.stderr.contains("3 steps ran out of sweeps"), "{}", ended.stderr);
    assert_eq!(json["expect"]["open"], "the run did not come to its end: unconverged");
}

#[test]
fn bad_usage_exits_with_2() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let wrong: [&[&str]; 7] = [
        &[],
        &["fly"],
        &["run"],
        &["run", &scene, "--steps", "many"],
        &["run", &scene, "--steps", "1", "--time", "1"],
        &["run", &scene, "--time", "-1"],
        &["run", &scene, "--threads", "0"],
    ];
    for arguments in wrong {
        assert_eq!(tactum(arguments).code, 2, "{arguments:?}");
    }
    for (option, word) in [
        ("--time", "the time has to be positive"),
        ("--steps", "needed is a whole number from 0"),
        ("--threads", "-1 is not in 1..=65535"),
        ("--rays", "power of two"),
    ] {
        let negative = tactum(&["run", &scene, option, "-1"]);
        assert!(negative.code == 2 && negative.stderr.contains(word), "{}", negative.stderr);
    }
    let unknown = tactum(&["run", &scene, "--backend", "magic"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("auto, exact, rays, gpu"), "{}", unknown.stderr);
    let few = tactum(&["run", &scene, "--backend", "rays", "--rays", "48"]);
    assert_eq!(few.code, 2);
    assert!(few.stderr.contains("power of two"), "{}", few.stderr);
    let no_device = tactum(&["run", &scene, "--backend", "gpu", "--adapter", "no such device"]);
    assert_eq!(no_device.code, 4, "{}", no_device.stderr);
    let missing = tactum(&["run", &folder.path("nothing.toml")]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nothing.toml"), "{}", missing.stderr);
}

#[test]
fn faults_name_the_line_the_column_and_a_way_out() {
    assert_refused(
        &body("positon = [0, 0, 0]"),
        &["scene.toml:4:1", "unknown key 'positon'", "did you mean 'position'?"],
    );
    assert_refused(&body("kind = \"statik\""), &["scene.toml:4:8", "'statik'", "did you mean 'static'?"]);
    assert_refused(
        &body("position = \"1 m\""),
        &["scene.toml:4:12", "\"1 m\"", "position: Where the origin"],
    );
    assert_refused(&body("position = [0, 0]"), &["scene.toml:4:12", "found length 2"]);
    assert_refused(&body("mass = nan"), &["scene.toml:4:8", "mass is NaN"]);
    assert_refused(&body("density = 0"), &["scene.toml:4:11", "density is 0", "positive"]);
    assert_refused(&body("density = -3"), &["density is -3"]);
    assert_refused(&body("mass = 1\ndensity = 2"), &["both a density and a mass"]);
    assert_refused(&body("orientation = { quaternion = [0, 0, 0, 0] }"), &["scene.toml:4", "quaternion"]);
    assert_refused(&body("inertia = [1, 1, 5]"), &["no body can have this inertia"]);
    assert_refused(&body("kind = \"static\"\nlinear_velocity = [1, 0, 0]"), &["scene.toml:5", "static"]);
    assert_refused(&format!("dt = inf\n{}", body("")), &["scene.toml:1:6", "dt is inf"]);
    assert_refused(&format!("dt = -0.01\n{}", body("")), &["dt is -0.01"]);
    assert_refused(&format!("dt = 1e-9\nduration = 1e9\n{}", body("")), &["1.0e18 steps"]);
    assert_refused("name = 'x'\n", &["no bodies"]);
    assert_refused("[[body]\n", &["scene.toml:1"]);
    assert_refused("[[body]]\nname = 'a'\n", &["the key 'shape' is missing", "Its shape"]);
    assert_refused(&(body("") + &body("")), &["two bodies are named 'thing'"]);
    assert_refused(
        &format!("{}[[expect]]\nbody = 'thong'\nz = {{ above = 0 }}\n", body("")),
        &["did you mean 'thing'?"],
    );
    assert_refused(&format!("{}[[expect]]\nz = {{ above = 0 }}\n", body("")), &["no body is named"]);
}

/// Every fault of a scene is reported, not only the first.
#[test]
fn all_wrong_numbers_are_reported_at_once() {
    assert_refused(
        &body("mass = nan\nfriction = -1\nposition = [0, inf, 0]"),
        &["mass", "friction", "position[1]"],
    );
}

#[test]
fn a_missing_mesh_is_refused_with_the_path_that_was_tried() {
    let text = "[[body]]\nname = 'a'\nshape = { mesh = { file = 'no/such.obj' } }\n";
    assert_refused(text, &["scene.toml:3", "no/such.obj", "looked for /"]);
}

#[test]
fn absurd_numbers_of_bodies_are_refused_with_the_memory_they_need() {
    let million = body("copies = { grid = [100, 100, 100], spacing = [2, 2, 2] }");
    assert_refused(&million, &["1000000 bodies", "GB of memory", "max_bodies"]);
    let absurd = body("copies = { grid = [4294967295, 4294967295, 4294967295], spacing = [2, 2, 2] }");
    assert_refused(&absurd, &["79228162458924105385300197375 bodies"]);
}

#[test]
fn two_bodies_at_one_place_are_warned_of_and_simulated() {
    let text = body("") + &body("").replace("thing", "twin");
    let (ended, json) = run_json(&text, &["--steps", "2"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("'thing' and 'twin' stand at the same place"), "{}", ended.stderr);
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let commands: [&[&str]; 3] = [&["schema"], &["run", &scene, "--json", "--steps", "1"], &["--help"]];
    for arguments in commands {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(program())
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
    }
}

fn hash(json: &Value) -> String {
    json["state_hash"].as_str().expect("a hash").to_owned()
}

#[test]
fn runs_are_bit_identical_twice_and_for_any_number_of_threads() {
    let first = hash(&run_json(PILE, &["--threads", "1"]).1);
    assert_eq!(hash(&run_json(PILE, &["--threads", "1"]).1), first);
    assert_eq!(hash(&run_json(PILE, &["--threads", "2"]).1), first);
    assert_eq!(hash(&run_json(PILE, &["--threads", "5"]).1), first);
    let other = PILE.replace("seed = 4", "seed = 5");
    assert_ne!(hash(&run_json(&other, &["--threads", "1"]).1), first);
}

#[test]
fn a_resumed_run_ends_in_the_bits_of_an_uninterrupted_one() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let (whole, parts) = (folder.path("whole"), folder.path("parts"));
    let run = |out: &str, more: &[&str]| {
        let ended = tactum(&[&["run", &scene, "--json", "--out", out], more].concat());
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        serde_json::from_str::<Value>(&ended.stdout).expect("a report")
    };
    let uninterrupted = run(&whole, &[]);
    // Step 25 is in the middle of the collisions.
    let interrupted = run(&parts, &["--steps", "25", "--checkpoint-every", "25"]);
    assert!(
        !interrupted["contacts"].as_array().expect("contacts").is_empty(),
        "the checkpoint is in contact"
    );
    let checkpoint = format!("{parts}/checkpoint-00000025.json");
    let resumed = run(&parts, &["--resume", &checkpoint]);
    assert_eq!(hash(&resumed), hash(&uninterrupted));
    assert_eq!(resumed["steps"], 50);
    assert_eq!(resumed["solver"]["sweeps_mean"], uninterrupted["solver"]["sweeps_mean"]);
    for table in ["poses.csv", "contacts.csv", "energy.csv"] {
        let read = |out: &str| std::fs::read_to_string(Path::new(out).join(table)).expect("a table");
        assert_eq!(read(&parts), read(&whole), "{table}");
    }
    assert_eq!(std::fs::read_to_string(format!("{whole}/report.json")).expect("a report").lines().count(), 1);
}

#[test]
fn a_checkpoint_of_another_scene_or_a_damaged_one_is_refused() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let out = folder.path("out");
    let made = tactum(&["run", &scene, "--steps", "5", "--checkpoint-every", "5", "--out", &out]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let checkpoint = format!("{out}/checkpoint-00000005.json");
    let refused = |scene: &str, checkpoint: &str, word: &str| {
        let ended = tactum(&["run", scene, "--resume", checkpoint]);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(word), "{}", ended.stderr);
    };
    // A longer duration and a comment are the same simulation.
    let longer = folder.write("longer.toml", format!("# longer\n{}", PILE.replace("0.5", "0.6")));
    assert_eq!(tactum(&["run", &longer, "--resume", &checkpoint]).code, 0);
    let heavier = folder.write("heavier.toml", format!("{PILE}mass = 2\n"));
    refused(&heavier, &checkpoint, "belongs to another scene");
    let text = std::fs::read_to_string(&checkpoint).expect("the checkpoint");
    refused(&scene, &folder.write("half.json", &text[..text.len() / 2]), "is not a checkpoint");
    // Whatever is changed, be it a sum or the state.
    for (found, other) in [(r#""steps":5"#, r#""steps":3"#), (r#""position":["#, r#""position":[9"#)] {
        assert!(text.contains(found), "{found}");
        refused(&scene, &folder.write("damaged.json", text.replacen(found, other, 1)), "damaged");
    }
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version));
    let foreign = text.replacen(&version, "\"version\":\"0.0.9\"", 1);
    refused(&scene, &folder.write("foreign.json", &foreign), "version 0.0.9");
}

#[test]
fn only_the_wanted_tables_are_written() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let out = folder.path("out");
    let ended = tactum(&["run", &scene, "--steps", "3", "--out", &out, "--record", "energy"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let mut files: Vec<String> = std::fs::read_dir(&out)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["energy.csv", "report.json", "run.json"]);
    let table = std::fs::read_to_string(format!("{out}/energy.csv")).expect("the table");
    assert_eq!(table.lines().count(), 5, "a header, the start and three steps");
    assert!(table.starts_with("step,time [s],kinetic [J],potential [J]"));
    assert_eq!(tactum(&["run", &scene, "--out", &out, "--record", "colours"]).code, 2);
}

#[test]
fn quiet_runs_say_nothing_but_the_result() {
    let folder = Folder::new();
    let scene = folder.write("scene.toml", PILE);
    let ended = tactum(&["run", &scene, "--quiet", "--steps", "2"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("box-0"));
}

/// Two unit cubes, the second moved by (0.5, 0.25, 0) and turned by 90 degrees about z: the overlap is the box
/// 0.5 x 0.75 x 1 about (0.25, 0.125, 0).
#[test]
fn query_answers_cases_and_refuses_single_ones() {
    let folder = Folder::new();
    folder.write("cube.obj", CUBE);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let case = |id: &str, mesh: &str, quaternion: &str| {
        format!(
            r#"{{"id": "{id}", "mesh_a": "cube.obj", "scale_a": 1.0, "pose_a": {{"position": [0, 0, 0], "quaternion": [0, 0, 0, 1]}},
                "mesh_b": "{mesh}", "scale_b": 1.0, "pose_b": {{"position": [0.5, 0.25, 0], "quaternion": {quaternion}}}, "category": "test"}}"#
        )
    };
    let cases = [
        case("turned", "cube.obj", &format!("[0, 0, {half}, {half}]")),
        case("unnormalised", "cube.obj", "[0, 0, 0, 7]"),
        case("missing", "none.obj", "[0, 0, 0, 1]"),
        case("directionless", "cube.obj", "[0, 0, 0, 0]"),
        case("inverted", "cube.obj", "[0, 0, 0, 1]").replace(r#""scale_b": 1.0"#, r#""scale_b": -1.0"#),
    ];
    let text = format!(r#"{{"format": "overlap-cases/1", "cases": [{}]}}"#, cases.join(","));
    let (cases, results) = (folder.write("cases.json", &text), folder.path("results.json"));
    let ended = tactum(&["query", &cases, "--out", &results]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("5 cases: 2 overlap, 0 do not, 3 refused"), "{}", ended.stdout);
    let answers: Value =
        serde_json::from_str(&std::fs::read_to_string(&results).expect("results")).expect("JSON");
    for ix in 0..2 {
        let answer = &answers["cases"][ix];
        // Sums over a dozen triangles of order one.
        let near =
            |value: &Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-13;
        assert!(near(&answer["V"], 0.375), "{answer}");
        for (axis, expected) in [0.25, 0.125, 0.0].into_iter().enumerate() {
            assert!(near(&answer["centroid"][axis], expected), "{answer}");
        }
        let second = [0.5, 0.75, 1.0].map(|side: f64| 0.375 * side * side / 12.0);
        for axis in 0..3 {
            assert!(near(&answer["second_moment"][axis], second[axis]), "{answer}");
            assert!(near(&answer["second_moment"][axis + 3], 0.0), "{answer}");
        }
        assert_eq!(answer["components"], 1);
    }
    assert!(
        answers["cases"][2]["error"].as_str().is_some_and(|e| e.contains("none.obj") && e.contains("tried"))
    );
    assert!(answers["cases"][3]["error"].as_str().is_some_and(|e| e.contains("pose_b")));
    assert!(answers["cases"][4]["error"].as_str().is_some_and(|e| e.contains("scale_b is -1")));
    for (cases, expected) in [
        (Vec::new(), "has no cases"),
        (
            vec![case("a", "cube.obj", "[0, 0, 0, 1]"), case("a", "cube.obj", "[0, 0, 0, 1]")],
            "cases 0 and 1 are both named 'a'",
        ),
        (
            vec![case("a", "cube.obj", "[0, 0, 0, 1]").replace("scale_a", "scal_a")],
            "\"scal_a\" is unknown here",
        ),
    ] {
        let text = format!(r#"{{"format": "overlap-cases/1", "cases": [{}]}}"#, cases.join(","));
        let ended = tactum(&["query", &folder.write("refused.json", &text), "--out", &results]);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
    let broken = folder.write("broken.json", "{\"format\": \"overlap-cases/1\", \"cases\": [}");
    assert_eq!(tactum(&["query", &broken, "--out", &results]).code, 2);
}

const CUBE: &str = "\
v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5
v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn check_tells_good_from_doubtful_from_unusable() {
    let folder = Folder::new();
    let good = folder.write("good.obj", CUBE);
    let open = folder.write("open.obj", CUBE.trim_end().rsplit_once('\n').expect("lines").0);
    let inward: String = CUBE
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" ")),
            None => format!("{line}\n"),
        })
        .collect();
    let inward = folder.write("inward.obj", &inward);
    let ended = tactum(&["check", &good]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    for word in ["good.obj: good", "12 triangles", "1 part", "genus 0", "1.000000e0 m³", "6.000000e0 m²"] {
        assert!(ended.stdout.contains(word), "'{word}' is missing in:\n{}", ended.stdout);
    }
    let ended = tactum(&["check", &inward]);
    assert_eq!(ended.code, 0);
    assert!(ended.stderr.contains("warning") && ended.stderr.contains("inward.obj"), "{}", ended.stderr);
    let ended = tactum(&["check", &open, &good]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("open.obj"), "{}", ended.stderr);
    assert!(ended.stdout.contains("good.obj: good"), "the second file is looked at too: {}", ended.stdout);
    let scene = folder.write("scene.toml", PILE);
    let ended = tactum(&["check", &scene]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("4 of 2 kinds"), "{}", ended.stdout);
    let bad = folder.write("bad.toml", body("mass = 0"));
    assert_eq!(tactum(&["check", &bad]).code, 2);
}

/// A mesh that had to be turned over is used, but its scene's author hears of it.
#[test]
fn doubts_about_a_mesh_are_passed_on_with_the_place_in_the_scene() {
    let folder = Folder::new();
    let inward = CUBE.replace("f 1 4 3 2", "f 2 3 4 1").replace("f 5 6 7 8", "f 8 7 6 5");
    let inward = inward.replace("f 1 2 6 5", "f 5 6 2 1").replace("f 2 3 7 6", "f 6 7 3 2");
    folder.write("inward.obj", inward.replace("f 3 4 8 7", "f 7 8 4 3").replace("f 4 1 5 8", "f 8 5 1 4"));
    let scene =
        folder.write("scene.toml", "[[body]]\nname = 'a'\nshape = { mesh = { file = 'inward.obj' } }\n");
    let ended = tactum(&["run", &scene, "--steps", "1", "--json"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("scene.toml:3") && ended.stderr.contains("oriented inward"),
        "{}",
        ended.stderr
    );
    let json: Value = serde_json::from_str(&ended.stdout).expect("a report");
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
    assert!((json["bodies"][0]["mass"].as_f64().expect("a mass") - 1000.0).abs() < 1e-9);
}

#[test]
fn schema_is_json_and_describes_every_body_key() {
    let ended = tactum(&["schema"]);
    assert_eq!(ended.code, 0);
    let schema: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let body = &schema["$defs"]["BodySpec"]["properties"];
    for key in ["name", "kind", "shape", "position", "orientation", "density", "mass", "friction", "copies"] {
        assert!(body[key]["description"].is_string(), "{key} is not described");
    }
}

/// The files that `cargo xtask assets` writes say what the program says.
#[test]
fn generated_files_are_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, arguments) in
        [("assets/scene.schema.json", &["schema"][..]), ("docs/reference.md", &["schema", "--markdown"])]
    {
        let committed = std::fs::read_to_string(root.join(file)).expect("a file of the project");
        assert!(committed == tactum(arguments).stdout, "{file} is out of date: run `cargo xtask assets`");
    }
}
