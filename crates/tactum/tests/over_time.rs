//! What is known of a run over time: figures of all steps in the report, tables from the start on, how deep bodies were in each other, and
//! steps that were not solved.

mod stage;

use serde_json::Value;
use stage::Stage;

/// Three boxes that fall on one another, and one on a hinge.
const SCENE: &str = r#"
dt = 0.01
duration = 0.5
[solver]
landing_substeps = 4
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.2, 0.1, 0.1] }
position = [0, 0, 0.1]
linear_velocity = [0.5, 0, 0]
copies = { grid = [1, 1, 3], spacing = [0, 0, 0.15], random_orientation = true, seed = 4 }
[[body]]
name = "door"
shape = { box = [0.1, 0.1, 0.1] }
position = [3, 0, 1]
[[joint]]
name = "hinge"
bodies = ["door"]
anchor = [3, 0, 1.1]
axis = [0, 1, 0]
kind = { revolute = {} }
"#;

/// The columns of a table by name, as texts.
fn column(table: &str, name: &str) -> Vec<String> {
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let names = rows.next().expect("a header");
    let ix = names
        .iter()
        .position(|other| other.split(" [").next() == Some(name))
        .unwrap_or_else(|| panic!("a column {name}"));
    rows.map(|row| row[ix].to_owned()).collect()
}

fn numbers(table: &str, name: &str) -> Vec<f64> {
    column(table, name).iter().map(|text| text.parse().expect("a number")).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, found {value}"))
}

/// Medians and parts are known by eight binary digits, rounded down.
fn is_about(found: f64, exact: f64) -> bool {
    found <= exact && found >= exact * (1.0 - 1.0 / 128.0)
}

#[test]
fn the_report_says_how_times_sweeps_and_errors_are_spread() {
    let stage = Stage::with_scene(SCENE);
    // In two parts: what is known of the first goes on.
    stage.ends("run scene.toml --steps 20 --checkpoint-every 20 --out out", 0, &[]);
    let report = stage.json("run scene.toml --resume out --out out --json", 0);
    let table = stage.read("out/energy.csv");
    for (figure, column) in
        [("sweeps", "sweeps"), ("update_norm", "update_norm"), ("velocity_error", "velocity_error")]
    {
        // The first row is of no step.
        let mut values = numbers(&table, column)[1..].to_vec();
        values.sort_by(f64::total_cmp);
        let of = |what: &str| number(&report["solver"][format!("{figure}_{what}")]);
        let [median, p95] = [values[24], values[47]];
        assert!(values[49] > median && p95 > median, "{figure} is not the same in all steps");
        assert_eq!(of("max"), values[49], "{figure}");
        let mean = values.iter().sum::<f64>() / 50.0;
        assert!((of("mean") / mean - 1.0).abs() < 1e-12, "{figure}");
        assert!(is_about(of("median"), median) && is_about(of("p95"), p95), "{figure}");
        if figure == "sweeps" {
            // A whole number of eight binary digits, as steps are divided into few parts.
            assert!(median < 256.0);
            assert_eq!(of("median"), median);
        }
    }
    let times = &report["timings_ms"];
    for phase in ["broad", "detect", "assemble", "solve", "integrate", "step"] {
        let [median, mean, p95, max] =
            [&times[phase], &times["mean"][phase], &times["p95"][phase], &times["max"][phase]].map(number);
        assert!(
            0.0 < median && median <= p95 && p95 <= max && mean <= max,
            "{phase}: {median} {mean} {p95} {max}"
        );
    }
    let phases =
        ["broad", "detect", "assemble", "solve", "integrate"].map(|phase| number(&times["mean"][phase]));
    assert!((phases.iter().sum::<f64>() / number(&times["mean"]["step"]) - 1.0).abs() < 1e-9);
    let text = stage.ends("run scene.toml", 0, &[]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let line = |name: &str| {
        text.lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{name} is missing in:\n{text}"))
    };
    assert_eq!(
        line("of a step").split_whitespace().collect::<Vec<_>>(),
        ["of", "a", "step", "median", "mean", "95", "%", "largest"]
    );
    for phase in ["step ", "broad ", "detect ", "assemble ", "solve ", "integrate "] {
        assert!(line(phase).ends_with(" ms"), "{phase}");
    }
    assert!(line("sweeps").ends_with(&format!(" {}", report["solver"]["sweeps_max"])), "{text}");
    assert!(line("velocity error").contains("m/s"));
}

/// A body at rest is off by rounding, though its solve ends with the first sweep.
#[test]
fn what_rests_has_no_error_to_speak_of() {
    let text = SCENE
        .replace("random_orientation = true, seed = 4", "")
        .replace("0.15], ", "0.1]")
        .replace("[0, 0, 0.1]\nlinear", "[0, 0, 0.05]\nlinear")
        .replace("[0.5, 0, 0]", "[0, 0, 0]");
    let stage = Stage::with_scene(&text);
    let report = stage.json("run scene.toml --json", 0);
    assert!(number(&report["solver"]["velocity_error_max"]) < 1e-7, "{}", report["solver"]);
    assert!(!report["contacts"].as_array().expect("contacts").is_empty());
}

/// The rows of the tables of states: each state once, the first before the first step, whatever pauses lie between.
#[test]
fn tables_of_states_begin_before_the_first_step() {
    let stage = Stage::with_scene(SCENE);
    let tables = ["poses.csv", "joints.csv", "energy.csv", "contacts.csv"];
    stage.ends("run scene.toml --out whole", 0, &[]);
    let whole = tables.map(|name| stage.read(&format!("whole/{name}")));
    let expected: Vec<String> = (0..=50).map(|step| step.to_string()).collect();
    let of_each = |table: &str, n: usize| {
        let steps = column(table, "step");
        let each: Vec<String> = steps.iter().step_by(n).cloned().collect();
        (each == expected && steps.len() == 51 * n).then_some(())
    };
    // Four bodies move, and there is one joint.
    for (table, n) in whole.iter().zip([4, 1, 1]) {
        of_each(table, n).unwrap_or_else(|| panic!("each step {n} times: {:?}", column(table, "step")));
    }
    let [poses, joints, energy, contacts] = &whole;
    assert_eq!(numbers(poses, "time")[..5], [0.0, 0.0, 0.0, 0.0, 0.01]);
    assert_eq!(numbers(poses, "z")[..4], [0.1, 0.25, 0.4, 1.0]);
    assert_eq!(numbers(poses, "vx")[..4], [0.5, 0.5, 0.5, 0.0]);
    assert_eq!([numbers(joints, "coordinate")[0], numbers(joints, "fz")[0]], [0.0, 0.0]);
    let [kinetic, potential] = ["kinetic", "potential"].map(|name| numbers(energy, name)[0]);
    // Boxes of 2 kg at 0.5 m/s, one of 1 kg at 1 m.
    assert!((kinetic - 0.75).abs() < 1e-12 && (potential - 9.81 * (2.0 * 0.75 + 1.0)).abs() < 1e-12);
    for name in ["contacts", "max_depth", "deepest", "sweeps", "update_norm", "velocity_error"] {
        assert_eq!(numbers(energy, name)[0], 0.0, "{name} is of a step");
    }
    assert!(column(contacts, "step").iter().all(|step| step != "0"), "contacts are of steps");
    // Paused twice, the first time before the first step.
    stage.ends("run scene.toml --steps 0 --checkpoint-every 10 --out parts", 0, &[]);
    assert_eq!(column(&stage.read("parts/poses.csv"), "step"), ["0"; 4]);
    stage.ends("run scene.toml --steps 20 --resume parts --out parts --checkpoint-every 10", 0, &[]);
    stage.ends("run scene.toml --resume parts --out parts", 0, &[]);
    // Gone on with in another folder, from the start and from later on.
    stage.ends("run scene.toml --resume parts/checkpoint-00000000.json --out again", 0, &[]);
    for (name, table) in tables.iter().zip(&whole) {
        for folder in ["parts", "again"] {
            assert!(stage.read(&format!("{folder}/{name}")) == *table, "{folder}/{name} differs");
        }
    }
    stage.ends("run scene.toml --resume parts/checkpoint-00000020.json --out late", 0, &[]);
    assert_eq!(column(&stage.read("late/poses.csv"), "step")[0], "21");
}

/// A cube on its edge: what it has below the floor is a wedge, twice as deep at its deepest as in the mean.
#[test]
fn the_deepest_point_is_told_beside_the_mean() {
    let text = r#"
dt = 1e-4
duration = 1e-4
gravity = [0, 0, 0]
[contact]
stabilization = 0
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "cube"
shape = { box = [0.2, 0.2, 0.2] }
orientation = { axis_angle = { axis = [1, 0, 0], deg = 45 } }
position = [0, 0, 0.14042135623730951]
[[expect]]
why = "its edge is 1 mm below the floor"
deepest = { is = 1e-3, within = 1e-9 }
"#;
    let stage = Stage::with_scene(text);
    let report = stage.json("run scene.toml --json --out out", 0);
    let contact = &report["contacts"][0];
    for (found, expected) in [
        (&contact["depth"], 5e-4),
        (&contact["deepest"], 1e-3),
        (&report["depth"]["mean_max"], 5e-4),
        (&report["depth"]["deepest"], 1e-3),
    ] {
        assert!((number(found) - expected).abs() < 1e-9, "{found} is not {expected}");
    }
    assert_eq!(report["depth"]["bodies"], serde_json::json!(["floor", "cube"]));
    assert_eq!(report["depth"]["step"], 1);
    for (table, name) in [("contacts", "deepest"), ("energy", "deepest")] {
        let found = *numbers(&stage.read(&format!("out/{table}.csv")), name).last().expect("a row");
        assert!((found - 1e-3).abs() < 1e-9, "{table}: {found}");
    }
    std::fs::write(stage.root.join("wrong.toml"), text.replace("is = 1e-3", "is = 5e-4")).expect("a scene");
    let wrong = stage.json("run wrong.toml --json", 1);
    let message = wrong["expect"]["failed"][0]["message"].as_str().expect("a message");
    assert!(message.starts_with("deepest is 0.001"), "{message}");
}

#[test]
fn steps_that_were_not_solved_are_told_and_can_be_forbidden() {
    let hasty = SCENE.replace("[solver]", "[solver]\nmax_sweeps = 1");
    let stage = Stage::with_scene(&hasty);
    let report = stage.json("run scene.toml --json", 0);
    let n = report["solver"]["unsolved_steps"].as_u64().expect("a number");
    assert!(n > 5 && n <= report["solver"]["unconverged_steps"].as_u64().expect("a number"));
    let worst = &report["solver"]["worst"];
    let body = worst["body"].as_str().expect("a name");
    assert!(number(&worst["velocity_error"]) > 1e-3 && worst["sweeps"] == 1, "{worst}");
    let step = number(&worst["step"]);
    assert!((number(&worst["time"]) - 0.01 * step).abs() < 1e-12);
    let words = [
        &format!("warning: {n} steps of 50 ran out of sweeps"),
        &format!("after step {step} ("),
        &format!("around '{body}'"),
        "m/s",
        "solver.max_sweeps",
        "dt below 0.01 s",
    ];
    stage.ends("run scene.toml", 0, &words);
    assert!(report["warnings"].to_string().contains(words[0].trim_start_matches("warning: ")));
    let quiet = stage.ends("run scene.toml --quiet", 0, &[]);
    assert!(quiet.stderr.is_empty());
    let failed = format!("error: {n} steps were not solved (--fail-on-unsolved)");
    stage.ends("run scene.toml --fail-on-unsolved --quiet", 1, &[&failed]);
    let expects = format!(
        "{hasty}[[expect]]\nunsolved_steps = {{ below = 1 }}\n[[expect]]\nalways = true\nvelocity_error = {{ below = 1e-3 }}\n"
    );
    std::fs::write(stage.root.join("expects.toml"), expects).expect("a scene");
    let report = stage.json("run expects.toml --json", 1);
    let message =
        |ix: usize| report["expect"]["failed"][ix]["message"].as_str().expect("a message").to_owned();
    assert!(message(0).starts_with(&format!("unsolved_steps is {n}, expected below 1")), "{}", message(0));
    assert!(message(1).starts_with("velocity_error is "), "{}", message(1));
}

/// Gears run out of sweeps over the last digits of forces between their axles, which move nothing.
#[test]
fn rounding_is_nothing_to_warn_of() {
    let stage = Stage::with_scene(SCENE);
    let report = stage.json("run scene.toml --json --fail-on-unsolved", 0);
    assert_eq!((&report["solver"]["unsolved_steps"], &report["solver"]["worst"]), (&0.into(), &Value::Null));
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/gear_pair.toml");
    let report = stage.json(&format!("run {scene} --time 0.4 --json --fail-on-unsolved"), 1);
    assert_eq!(report["solver"]["unsolved_steps"], 0);
}
