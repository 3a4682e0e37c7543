//! Batches: right numbers, the same files whatever the threads, pauses and shards, and errors before work starts.
#![cfg(unix)]

mod stage;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stage::Stage;

/// A box that is pushed over the floor.
const SCENE: &str = r#"
dt = 0.01
duration = 0.3
[parameters]
size = 0.2
[contact]
friction = 0.5
[[body]]
name = "floor"
kind = "static"
shape = { plane = {} }
[[body]]
name = "box"
shape = { box = ["= size", "= size", "= size"] }
position = [0, 0, "= size / 2"]
linear_velocity = [1, 0, 0]
"#;

const SWEEP: &str = r#"
scene = "scene.toml"
series_rate = 20
[cross]
contact.friction = { range = [0.1, 0.9], n = 6 }
parameters.size = [0.1, 0.2]
[random]
n = 4
seed = 3
latin_hypercube = true
[random.draw]
body.box.linear_velocity.0 = { uniform = [0.5, 1.5] }
[[event]]
name = "slow"
body = "box"
speed = { below = 0.2 }
[[keep]]
quantity = "travel"
body = "box"
reduce = ["final", "max", "mean", "integral"]
series = true
"#;

fn stage() -> Stage {
    let stage = Stage::with_scene(SCENE);
    stage.write("sweep.toml", SWEEP);
    stage
}

/// The rows of a table, by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("the table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// A cube stops after v² / (2 mu g), for each of 1,000 coefficients of friction.
#[test]
fn a_thousand_slides_are_as_long_as_friction_says() {
    let stage = stage();
    let sweep = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sweeps/slide.toml");
    stage.ends(&format!("batch {} --out out --csv", sweep.display()), 0, &[]);
    let rows = rows(&stage.root.join("out/runs.csv"));
    assert_eq!(rows.len(), 1000);
    for row in &rows {
        let mu = number(row, "contact.friction");
        let (distance, time) = (1.0 / (2.0 * mu * 9.81), 1.0 / (mu * 9.81));
        assert!((number(row, "distance") / distance - 1.0).abs() < 0.005, "{row:?}");
        // The stop is seen at the end of its step of 10 ms.
        assert!((0.0..=0.01 + 1e-9).contains(&(number(row, "rest") - time)), "{row:?}");
        assert_eq!((row["end"].as_str(), row["end_reason"].as_str()), ("event", "rest"));
        // The cube has 1,000 kg and 1 m/s at the start, where energies are looked at too.
        assert!((number(row, "kinetic_energy.max") - 500.0).abs() < 1e-9, "{row:?}");
    }
}

/// What is kept is what the series shows, which is what a single run of the same values shows.
#[test]
fn what_is_kept_is_what_happened() {
    let stage = stage();
    stage.ends("batch sweep.toml --out out --csv", 0, &[]);
    let (runs, samples) = (rows(&stage.root.join("out/runs.csv")), rows(&stage.root.join("out/series.csv")));
    assert_eq!(runs.len(), 6 * 2 * 4);
    for run in runs.iter().step_by(7) {
        let series: Vec<_> = samples.iter().filter(|sample| sample["run"] == run["run"]).collect();
        let times: Vec<f64> = series.iter().map(|sample| number(sample, "time")).collect();
        assert!(
            times.iter().zip([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]).all(|(a, b)| (a - b).abs() < 1e-12),
            "{times:?}"
        );
        assert_eq!(times.len(), 7);
        assert_eq!(series[6]["box.travel"], run["box.travel"]);
        assert_eq!(run["box.travel"], run["box.travel.max"], "it never comes back");
        // A mean by the trapezoidal rule over 30 steps and over 6 samples of them: a sixth of the square of the samples' distance
        // times the deceleration is the most that they may differ by.
        let mean = number(run, "box.travel.mean");
        let coarse: f64 = series
            .windows(2)
            .map(|w| 0.5 * (number(w[0], "box.travel") + number(w[1], "box.travel")))
            .sum::<f64>()
            / 6.0;
        assert!((mean - coarse).abs() < 0.05_f64.powi(2) / 6.0 * 9.81, "{mean} {coarse}");
        assert!((number(run, "box.travel.integral") - mean * 0.3).abs() < 1e-12);
        let value = |path: &str| format!("{path}={}", run[path]);
        let set = ["contact.friction", "parameters.size", "body.box.linear_velocity.0"].map(value);
        let one =
            stage.json(&format!("run scene.toml --json --backend exact --set {}", set.join(" --set ")), 0);
        assert_eq!(one["state_hash"], run["state_hash"].as_str());
    }
}

/// The page shows each result over each path, says how to do the batch again, and needs no other file.
#[test]
fn the_page_of_a_batch_stands_by_itself() {
    let stage = stage();
    stage.ends("batch sweep.toml --out out --backend rays --rays 32", 0, &[]);
    let page = stage.read("out/report.html");
    for words in [
        "All runs have come to their end.",
        "tactum batch sweep.toml --out sweep-again --backend rays --rays 32",
        ">box.travel over contact.friction, by parameters.size and body.box.linear_velocity.0</text>",
        ">box.travel.mean [m]</text>",
        ">slow [s]</text>",
        "<th>runs</th><td>48: 48 ended with their time</td>",
        "<h2>By parameters.size</h2>",
        "latin_hypercube = true",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // Three paths, four numbers of travel, one event; the series of travel.
    assert_eq!(page.matches("<svg").count(), 3 * 5 + 1);
    for other in ["<script", "href=", "src=", "url("] {
        assert!(!page.contains(other), "{other}");
    }
}

/// Threads, runs in lockstep and shards leave no trace.
#[test]
fn files_are_the_same_however_the_work_is_divided() {
    let stage = stage();
    stage.ends("batch sweep.toml --out whole --csv --threads 1", 0, &[]);
    let whole = stage.contents("whole");
    assert_eq!(
        whole.keys().collect::<Vec<_>>(),
        [
            "batch.json",
            "report.html",
            "results.jsonl",
            "runs.csv",
            "runs.parquet",
            "series.csv",
            "series.parquet"
        ]
    );
    stage.ends("batch sweep.toml --out together --csv --together 13", 0, &[]);
    assert_eq!(stage.contents("together"), whole);
    let shards: Vec<String> = (1..=16).map(|n| format!("shard-{n}")).collect();
    for (n, shard) in shards.iter().enumerate() {
        stage.ends(&format!("batch sweep.toml --out {shard} --shard {}/16", n + 1), 0, &[]);
    }
    let merge = |shards: &[String], out: &str| format!("merge {} --out {out} --csv", shards.join(" "));
    // In any order.
    let turned: Vec<String> = shards.iter().rev().cloned().collect();
    stage.ends(&merge(&turned, "merged"), 0, &[]);
    assert_eq!(stage.contents("merged"), whole);
    stage.ends(&merge(&shards[1..15], "none"), 2, &["missing: 1/16, 16/16"]);
    let doubled = [shards.as_slice(), &shards[2..3]].concat();
    stage.ends(&merge(&doubled, "none"), 2, &["there twice: 3/16"]);
    stage.ends(&merge(&["whole".to_owned(), "shard-2".to_owned()], "none"), 2, &["it is the shard 2/16"]);
    stage.ends(&merge(&["nothing".to_owned()], "none"), 2, &["cannot merge 'nothing'"]);
    assert!(!stage.root.join("none").exists(), "what is refused writes nothing");
}

/// How many times a batch is killed: `TACTUM_KILLS`, or twenty.
fn n_kills() -> u32 {
    std::env::var("TACTUM_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
}

/// Killed at any moment, it goes on and ends in the same files.
#[test]
fn a_batch_that_is_killed_again_and_again_ends_in_the_same_files() {
    let stage = stage();
    // Longer, so that there is something to kill.
    stage.write("sweep.toml", SWEEP.replace("n = 4", "n = 40"));
    let begin = Instant::now();
    stage.ends("batch sweep.toml --out whole", 0, &[]);
    let took = begin.elapsed();
    let whole = stage.contents("whole");
    let mut n_killed = 0;
    for n in 0..n_kills() {
        // From before its first line to after its last one: the moments are spread, and as random as the machine is.
        let after =
            took.mul_f64(0.4 * f64::from(n * 7 % 20) / 20.0) + Duration::from_micros(u64::from(n) * 137);
        let mut child = stage
            .command("batch sweep.toml --out out --resume")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(after);
        child.kill().expect("it can be killed");
        n_killed += u32::from(child.wait().expect("it ends").code().is_none());
    }
    assert!(n_killed > 0, "all were too fast");
    stage.ends("batch sweep.toml --out out --resume", 0, &[]);
    assert_eq!(stage.contents("out"), whole);
    // Once more there is nothing to do.
    let again = stage.json("batch sweep.toml --out out --resume --json", 0);
    assert_eq!((&again["steps"], &again["resumed"]), (&0.into(), &480.into()));
    assert_eq!(stage.contents("out"), whole);
}

/// A half line, as a loss of power may leave it, and a line that is not what was written are made again.
#[test]
fn a_damaged_journal_is_made_whole() {
    let stage = stage();
    stage.ends("batch sweep.toml --out out", 0, &[]);
    let whole = stage.contents("out");
    let results = stage.read("out/results.jsonl");
    for journal in ["", "0123456789abcdef {\"run\":", &results] {
        for file in ["results.jsonl", "runs.parquet", "series.parquet"] {
            std::fs::remove_file(stage.root.join("out").join(file)).expect("it is there");
        }
        stage.write("out/journal", journal);
        stage.ends("batch sweep.toml --out out --resume", 0, &[]);
        assert_eq!(stage.contents("out"), whole);
    }
}

/// A run that cannot begin leaves the others alone, and a scene that fails for the same reason by itself.
#[test]
fn a_run_that_fails_stops_no_other() {
    let stage = stage();
    let keep = "[[keep]]\nquantity = 'travel'\nbody = 'box'\n";
    let shapes =
        "cross.body.box.shape = [{ sphere = 0.1 }, { mesh = { file = 'none.obj' } }, { sphere = 0.2 }]";
    stage.write("sweep.toml", format!("scene = 'scene.toml'\n{shapes}\n{keep}"));
    stage.ends(
        "batch sweep.toml --out out --csv",
        3,
        &["run 1 failed", "1 run failed", "out/failed/run-000001.toml"],
    );
    let rows = rows(&stage.root.join("out/runs.csv"));
    let column = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("end"), ["finished", "failed", "finished"]);
    assert!(rows[1]["end_reason"].contains("there is no mesh file 'none.obj'"), "{:?}", rows[1]);
    let page = stage.read("out/report.html");
    for words in ["1 run of 3 failed.", "there is no mesh file &#39;none.obj&#39;", "{ sphere = 0.1 }"] {
        let words = words.replace("&#39;", "'");
        assert!(page.contains(&words), "{words}: {page}");
    }
    assert!(rows[1]["box.travel"].is_empty() && number(&rows[2], "box.travel") > 0.0);
    let there = stage.root.canonicalize().expect("the folder").join("none.obj");
    stage.ends("run out/failed/run-000001.toml", 2, &["there is no mesh file", &there.to_string_lossy()]);
}

/// A run that stops on its way does too, and is made no second time.
#[test]
fn a_run_that_stops_on_its_way_stops_no_other() {
    let stage = stage();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/stack10.toml");
    let cross = "cross.solver.max_sweeps = [1, 200]\ncross.solver.max_unconverged_steps = 0";
    stage.write("sweep.toml", format!("scene = '{}'\nduration = 0.05\n{cross}\n", scene.display()));
    stage.ends("batch sweep.toml --out out --csv", 3, &["run 0 failed: 1 step ran out of sweeps"]);
    let rows = rows(&stage.root.join("out/runs.csv"));
    assert_eq!((rows[0]["end"].as_str(), rows[0]["steps"].as_str()), ("failed", "1"));
    assert_eq!((rows[1]["end"].as_str(), rows[1]["steps"].as_str()), ("finished", "5"));
    stage.ends("run out/failed/run-000000.toml", 3, &["ran out of sweeps"]);
    let again = stage.json("batch sweep.toml --out out --resume --json", 3);
    assert_eq!((&again["steps"], &again["failed"]), (&0.into(), &1.into()));
}

/// Values that make no scene are found before anything runs.
#[test]
fn listed_values_that_make_no_scene_are_refused() {
    let stage = stage();
    stage.write("sweep.toml", "scene = 'scene.toml'\ncross.gravity = [[0, 0, -9.81], [0, 0, -1e160]]\n");
    stage.ends("batch sweep.toml --out out", 2, &["run 1 of the sweep", "gravity has the component -1e160"]);
    assert!(!stage.root.join("out").exists(), "nothing was begun");
}

#[test]
fn what_is_doubtful_is_told_before_the_runs() {
    let stage = stage();
    stage.write("sweep.toml", SWEEP.replacen("parameters.size", "parameters.sise", 1));
    let output = stage.ends("batch sweep.toml --out out", 0, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    for words in ["no expression uses the parameter 'sise'", "did you mean 'size'?"] {
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn what_is_wrong_is_said_before_work_starts() {
    let stage = stage();
    let cases: [(&str, &str, &[&str]); 13] = [
        ("n = 6", "n = 1000000000", &["8000000000 runs", "the limit is 100000"]),
        ("[0.1, 0.9], n = 6", "[0.9, 0.1], n = 6", &["'contact.friction'", "is empty"]),
        ("n = 6", "n = 0", &["no values"]),
        ("contact.friction", "contact.frction", &["unknown key 'frction'", "did you mean 'friction'?"]),
        (
            "linear_velocity.0",
            "angular_velocity.0",
            &["body.box.angular_velocity is not in the text", "as a whole"],
        ),
        ("body.box.linear", "body.bax.linear", &["there is no body 'bax'", "did you mean 'box'?"]),
        ("body = \"box\"\nspeed", "body = \"bix\"\nspeed", &["event 'slow'", "there is no body 'bix'"]),
        ("\"travel\"", "\"travl\"", &["there is no quantity 'travl'", "did you mean 'travel'?"]),
        ("\"final\", \"max\"", "\"final\", \"final\"", &["two columns would have the name 'box.travel'"]),
        ("speed = { below = 0.2 }", "speed = { is = 0.2 }", &["event 'slow' needs quantities with bounds"]),
        ("scene.toml", "none.toml", &["none.toml"]),
        ("series_rate", "series_rat", &["sweep.toml:3:1", "series_rat"]),
        ("[0.1, 0.2]", "[0.1, -0.2]", &["run ", "makes no scene", "box[0] is -0.2"]),
    ];
    for (from, to, words) in cases {
        assert!(SWEEP.contains(from), "{from}");
        stage.write("sweep.toml", SWEEP.replacen(from, to, 1));
        stage.ends("batch sweep.toml --out out", 2, words);
        assert!(!stage.root.join("out").exists(), "{to}: nothing is written");
    }
}

#[test]
fn a_folder_holds_one_batch() {
    let stage = stage();
    stage.ends("batch sweep.toml --out out", 0, &[]);
    let before = stage.contents("out");
    stage.ends("batch sweep.toml --out out", 2, &["holds results already", "--resume", "--overwrite"]);
    stage.write("other.toml", SWEEP.replace("n = 6", "n = 5"));
    stage.ends("batch other.toml --out out --resume", 2, &["is of another sweep or scene"]);
    stage.ends("batch sweep.toml --out out --resume --shard 1/2", 2, &["is the shard 1/1, this one is 1/2"]);
    assert_eq!(stage.contents("out"), before, "what is refused changes nothing");
    let card = std::fs::File::open(stage.root.join("out/batch.json")).expect("the card");
    card.lock().expect("nobody else has it");
    stage.ends("batch sweep.toml --out out --resume", 2, &["another run is writing into the folder"]);
    drop(card);
    stage.ends("batch other.toml --out out --overwrite", 0, &[]);
    assert_ne!(stage.contents("out"), before);
    stage.ends("run scene.toml --out single", 0, &[]);
    stage.ends("batch sweep.toml --out single --overwrite", 2, &["run.json"]);
    stage.ends("batch sweep.toml --out scene.toml", 2, &["is not a folder"]);
    stage.ends("batch sweep.toml --out /proc/none", 5, &["cannot create the folder '/proc/none'"]);
}

/// A disk that is full, here a file that may not grow: what was written stays, and more room lets it go on.
#[test]
fn what_cannot_be_written_is_not_lost() {
    let stage = stage();
    stage.ends("batch sweep.toml --out whole", 0, &[]);
    for kibibytes in [4, 9, 17] {
        let out = format!("out-{kibibytes}");
        let batch =
            format!("ulimit -f {kibibytes}; exec '{}' batch sweep.toml --out {out}", stage::program());
        let output =
            Command::new("bash").args(["-c", &batch]).current_dir(&stage.root).output().expect("a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("cannot write") && stderr.contains(&out), "{stderr}");
        stage.ends(&format!("batch sweep.toml --out {out} --resume"), 0, &[]);
        assert_eq!(stage.contents(&out), stage.contents("whole"));
    }
}
