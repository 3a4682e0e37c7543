//! Runs done again from their folders.

mod stage;

use stage::Stage;

/// A pile that tumbles, so that a difference anywhere grows.
const SCENE: &str = r#"
dt = 0.01
duration = 0.3
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.09]
copies = { grid = [2, 2, 2], spacing = [0.09, 0.09, 0.16], jitter = 0.01, random_orientation = true, seed = 7 }
"#;

#[test]
fn a_run_done_again_has_the_same_states_with_any_number_of_threads() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    let again = stage.ends("replay out --threads 1", 0, &[]);
    let text = String::from_utf8(again.stdout).expect("text");
    assert!(text.contains("step 30: 31 states compared, all as recorded"), "{text}");
    let found = stage.json("replay out --json", 0);
    assert_eq!((&found["compared"], &found["differs"]), (&31.into(), &serde_json::Value::Null));
}

/// Replaces the text of a column in the row of a step, and of a body if one is named.
fn change(stage: &Stage, file: &str, step: &str, body: Option<&str>, column: &str, text: &str) {
    let table = stage.read(file);
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let ix = header.iter().position(|name| name.split(" [").next() == Some(column)).expect("the column");
    let mut changed = vec![header.join(",")];
    let mut n = 0;
    for line in lines {
        let mut fields: Vec<&str> = line.split(',').collect();
        if fields[0] == step && body.is_none_or(|body| fields[2] == body) {
            fields[ix] = text;
            n += 1;
        }
        changed.push(fields.join(","));
    }
    assert_eq!(n, 1);
    std::fs::write(stage.root.join(file), changed.join("\n") + "\n").expect("the table");
}

#[test]
fn the_first_state_that_differs_is_named() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --quiet", 0, &[]);
    change(&stage, "out/energy.csv", "25", None, "state_hash", "0000000000000001");
    change(&stage, "out/energy.csv", "17", None, "state_hash", "0000000000000002");
    change(&stage, "out/poses.csv", "17", Some("box-3"), "x", "1000");
    let again = stage.ends("replay out", 1, &[]);
    let text = String::from_utf8(again.stdout).expect("text");
    assert!(
        text.contains("first differs at step 17, 0.17 s: recorded is the state 0000000000000002, found "),
        "{text}"
    );
    assert!(text.contains("'box-3' is off by "), "{text}");
    let found = stage.json("replay out --json", 1);
    let differs = &found["differs"];
    assert_eq!((&differs["step"], &differs["bodies"][0]["body"]), (&17.into(), &"box-3".into()));
    // The box is within a metre of the origin.
    let distance = differs["bodies"][0]["distance"].as_f64().expect("a distance");
    let angle = differs["bodies"][0]["angle"].as_f64().expect("an angle");
    // Rounding of the product of two orientations.
    assert!((distance - 1000.0).abs() < 1.0 && angle < 1e-15, "{differs}");
    assert_eq!(differs["bodies"].as_array().map(Vec::len), Some(1));
    // Without poses it is known that they differ, not which.
    std::fs::remove_file(stage.root.join("out/poses.csv")).expect("it is removed");
    assert_eq!(stage.json("replay out --json", 1)["differs"]["bodies"], serde_json::json!([]));
}

/// What a killed run leaves: half a row, no report. A run that went on elsewhere has rows from its checkpoint on.
#[test]
fn parts_of_runs_are_compared_as_far_as_they_go() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --checkpoint-every 10 --quiet", 0, &[]);
    let rows = stage.read("out/energy.csv");
    let cut = rows.find("\n21,").expect("step 21") + 9;
    std::fs::write(stage.root.join("out/energy.csv"), &rows[..cut]).expect("the table");
    std::fs::remove_file(stage.root.join("out/report.json")).expect("it is removed");
    let found = stage.json("replay out --json", 0);
    assert_eq!((&found["steps"], &found["compared"]), (&20.into(), &21.into()));
    stage.ends("replay out", 0, &["has left no report.json"]);
    stage.ends("run scene.toml --resume out/checkpoint-00000020.json --out later --quiet", 0, &[]);
    let found = stage.json("replay later --json", 0);
    assert_eq!((&found["steps"], &found["compared"]), (&30.into(), &10.into()));
}

#[test]
fn a_folder_without_states_cannot_be_compared() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out out --record poses --quiet", 0, &[]);
    stage.ends("replay out", 2, &["energy.csv"]);
    stage.ends("replay scene.toml", 2, &["scene.toml/run.json"]);
    // A card of another format is not guessed at.
    let card = stage.read("out/run.json").replace("tactum-run/2", "tactum-run/1");
    std::fs::write(stage.root.join("out/run.json"), card).expect("the card");
    stage.ends("replay out", 2, &["has format 'tactum-run/1', this program reads 'tactum-run/2'"]);
}

/// The folder of a run holds the scene with the values set: it is done again, and exported, as it was run, whatever the file says now.
#[test]
fn values_set_for_a_run_are_those_of_its_folder() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --out plain --quiet", 0, &[]);
    stage.ends("run scene.toml --out out --quiet --set body.box.copies.seed=8 --set dt=0.005", 0, &[]);
    assert_ne!(stage.read("plain/energy.csv"), stage.read("out/energy.csv"));
    std::fs::remove_file(stage.root.join("scene.toml")).expect("it is there");
    let again = stage.json("replay out --json", 0);
    assert_eq!((&again["compared"], &again["differs"]), (&61.into(), &serde_json::Value::Null));
    stage.ends("export out --html report.html --gltf motion.glb", 0, &[]);
    let page = stage.read("report.html");
    for words in
        ["--set body.box.copies.seed=8 --set dt=0.005 --out out-again", "in 60 steps of 0.005 s", "seed = 8"]
    {
        assert!(page.contains(words), "{words}");
    }
}
