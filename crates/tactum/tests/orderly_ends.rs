//! How the program ends where it cannot go on: scenes with too many pairs, results that would be lost or cannot be written,
//! signals before the first step.

mod stage;

use stage::Stage;

const SCENE: &str = "
dt = 0.01
duration = 0.5
[[body]]
name = 'floor'
kind = 'static'
shape = { plane = {} }
[[body]]
name = 'box'
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
";

/// A slip of the unit: boxes of 100 m every quarter of a metre, all pairs of which overlap.
#[test]
fn more_pairs_than_a_step_may_have_are_refused_before_they_are_measured() {
    let crowd = |n: u32| {
        format!(
            "dt = 0.01\n[[body]]\nname = 'part'\nshape = {{ box = [100, 100, 100] }}\n\
             copies = {{ grid = [{n}, {n}, {n}], spacing = [0.25, 0.25, 0.25] }}\n"
        )
    };
    let stage = Stage::with_scene(&crowd(8));
    let words = ["130816 pairs of the 512 bodies", "the limit is 100000", "another unit than metres"];
    stage.ends("check scene.toml", 2, &words);
    stage.ends("run scene.toml --steps 1 --out out", 2, &words);
    assert!(!stage.root.join("out").exists());
    // All of 28 pairs are deep: the first are listed, the rest is counted.
    std::fs::write(stage.root.join("few.toml"), crowd(2)).expect("the scene");
    let output = stage.ends("check few.toml", 0, &["8 more pairs of bodies overlap as deeply"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr.matches("of the smaller one at the start").count(), 20, "{stderr}");
}

#[test]
fn going_on_from_an_older_checkpoint_takes_nothing_away_unasked() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --checkpoint-every 20 --out out", 0, &[]);
    let before = stage.files("out");
    let older = "run scene.toml --out out --resume out/checkpoint-00000020.json";
    stage.ends(older, 2, &["after step 20", "checkpoint-00000040.json", "--overwrite"]);
    // The newest one makes the later rows again, unless the run is to be shorter or to leave tables out.
    let rows = stage.read("out/poses.csv");
    stage.ends("run scene.toml --out out --resume out", 0, &[]);
    assert_eq!(stage.read("out/poses.csv"), rows);
    let words = ["report.json of a run of 50 steps", "rows of poses.csv after step 45, up to 50"];
    stage.ends("run scene.toml --out out --resume out --steps 45", 2, &words);
    stage.ends(
        "run scene.toml --out out --resume out --record energy",
        2,
        &["poses.csv after step 40, up to 50"],
    );
    assert_eq!(stage.files("out"), before);
    assert_eq!(stage.read("out/poses.csv"), rows);
    let words = ["replaced or removed checkpoint-00000040.json"];
    stage.ends(&format!("{older} --overwrite --steps 30"), 0, &words);
    assert!(!stage.root.join("out/checkpoint-00000040.json").exists());
    assert!(stage.read("out/poses.csv").lines().last().expect("a row").starts_with("30,"));
}

#[test]
fn a_run_card_that_is_no_text_belongs_to_no_known_run() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --checkpoint-every 50 --out out", 0, &[]);
    let card = stage.root.join("out/run.json");
    let mut bytes = std::fs::read(&card).expect("the card");
    bytes[10] |= 0x80;
    std::fs::write(&card, bytes).expect("the card");
    stage.ends("run scene.toml --resume out --out out", 2, &["its run.json is missing or damaged"]);
}

#[test]
fn steps_have_the_limit_that_times_have() {
    let stage = Stage::with_scene(SCENE);
    stage.ends("run scene.toml --steps 18446744073709551615", 2, &["18446744073709551615 steps", "1e9"]);
}

#[test]
fn a_file_without_an_extension_is_a_scene_for_all_commands() {
    let stage = Stage::with_scene(SCENE);
    std::fs::rename(stage.root.join("scene.toml"), stage.root.join("scene")).expect("it is renamed");
    stage.ends("run scene --steps 1", 0, &[]);
    stage.ends("check scene", 0, &[]);
    // A mesh is known by its content as well.
    std::fs::write(stage.root.join("mesh"), "ply\nformat nothing 1.0\n").expect("a file");
    stage.ends("check mesh", 2, &["line 2: a known format expected"]);
}

/// A tetrahedron that is turned inside out: the doctor turns it over, and says so.
#[test]
fn query_says_what_is_doubtful_about_its_meshes() {
    let stage = Stage::with_scene(SCENE);
    let inward = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    std::fs::write(stage.root.join("inward.obj"), inward).expect("a mesh");
    let pose = "{\"position\": [0, 0, 0], \"quaternion\": [0, 0, 0, 1]}";
    let case = format!(
        "{{\"id\": \"one\", \"mesh_a\": \"inward.obj\", \"pose_a\": {pose}, \"mesh_b\": \"inward.obj\", \"pose_b\": {pose}}}"
    );
    let cases = format!("{{\"format\": \"overlap-cases/1\", \"cases\": [{case}]}}");
    std::fs::write(stage.root.join("cases.json"), cases).expect("the cases");
    let doubt = |arguments: &str| {
        let output = stage.ends(arguments, 0, &["warning: "]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let doubt = stderr.lines().find_map(|line| line.split_once("inward.obj: "));
        doubt.expect("a doubt about the mesh").1.to_owned()
    };
    assert_eq!(doubt("query cases.json"), doubt("check inward.obj"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::process::{Command, Output, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::Value;

    use super::{SCENE, Stage};

    #[test]
    fn a_link_in_the_place_of_the_run_card_is_replaced_and_never_written_through() {
        let stage = Stage::with_scene(SCENE);
        let (out, other) = (stage.root.join("out"), stage.root.join("other.txt"));
        for content in ["somebody else's\n", ""] {
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir(&out).expect("a folder");
            std::fs::write(&other, content).expect("a file");
            symlink(&other, out.join("run.json")).expect("a link");
            stage.ends("run scene.toml --steps 1 --out out", 2, &["run.json, a link"]);
            stage.ends("run scene.toml --steps 1 --out out --overwrite", 0, &[]);
            assert_eq!(stage.read("other.txt"), content);
            assert!(stage.read("out/run.json").contains("tactum-run/1"));
        }
    }

    /// What cannot be written ends with the same code at the start as later.
    #[test]
    fn a_folder_that_cannot_be_written_to_is_no_bad_input() {
        let stage = Stage::with_scene(SCENE);
        stage.ends("run scene.toml --out /proc/none", 5, &["cannot create the folder '/proc/none'"]);
        std::fs::create_dir_all(stage.root.join("out/poses.csv")).expect("a folder");
        stage.ends("run scene.toml --out out", 5, &["poses.csv"]);
        stage.ends("run scene.toml --out scene.toml", 2, &["is not a folder"]);
        stage.ends("run scene.toml --resume none --out there", 2, &[]);
    }

    fn with_file_limit(stage: &Stage, kibibytes: u32, arguments: &str) -> Output {
        let run = format!("ulimit -f {kibibytes}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_tactum"));
        Command::new("bash").args(["-c", &run]).current_dir(&stage.root).output().expect("bash")
    }

    /// Only the report is too large for the limit, which stands for a disk that is full.
    #[test]
    fn a_report_that_does_not_fit_is_told_on_stdout() {
        let copies = "copies = { grid = [20, 1, 1], spacing = [0.2, 0, 0] }\n";
        let stage = Stage::with_scene(&format!("{SCENE}{copies}"));
        let output = with_file_limit(&stage, 4, "run scene.toml --json --steps 1 --record energy --out out");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("wrote out/energy.csv\n"), "{stderr}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("the report on stdout");
        assert_eq!(report["status"], "unwritten");
        assert!(report["error"].as_str().expect("why").contains("report.json"), "{report}");
    }

    #[test]
    fn tables_that_could_not_be_written_are_not_listed() {
        // A body that falls for ever: contacts.csv keeps to its header.
        let stage = Stage::with_scene(&SCENE.replace("0.05]", "9e6]"));
        let run = "run scene.toml --steps 100000 --record poses,contacts --out out";
        let output = with_file_limit(&stage, 64, run);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("wrote out/contacts.csv, out/report.json\n"), "{stderr}");
        assert!(stderr.contains("cannot write the table 'out/poses.csv'"), "{stderr}");
    }

    #[test]
    fn a_signal_before_the_first_step_ends_with_a_word() {
        let stage = Stage::with_scene(SCENE);
        // Reading some tens of thousands of bodies takes a second or two.
        let body = "[[body]]\nname = 'b#'\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [#, 0, 0]\n";
        let bodies: String = (0..40_000).map(|ix| body.replace('#', &ix.to_string())).collect();
        std::fs::write(stage.root.join("large.toml"), bodies).expect("the scene");
        for (command, signal) in
            [("check large.toml", "-TERM"), ("run large.toml", "-INT"), ("run large.toml", "-HUP")]
        {
            let child = stage.command(command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
            let child = child.expect("the program starts");
            std::thread::sleep(Duration::from_millis(300));
            let begin = Instant::now();
            let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
            assert!(sent.expect("`kill` is there").success());
            let output = child.wait_with_output().expect("it ends");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{command}: {stderr}");
            assert!(stderr.contains("interrupted"), "{command}: {stderr}");
            assert!(begin.elapsed() < Duration::from_secs(5), "{command}");
        }
    }
}
