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

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// Not even where results may be replaced.
#[test]
fn no_result_takes_the_place_of_what_it_is_made_from() {
    let stage = Stage::with_scene(SCENE);
    let out = stage.root.join("out");
    let spares = |name: &str, content: &str, scene: &str, role: &str| {
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a folder");
        std::fs::write(out.join(name), content).expect("an input");
        let words = [format!("the result 'out/{name}' would take the place of {role} 'out/{name}'")];
        let words = words.each_ref().map(String::as_str);
        stage.ends(&format!("run {scene} --out out --overwrite --steps 1"), 2, &words);
        assert_eq!(stage.files("out"), [name]);
        assert_eq!(stage.read(&format!("out/{name}")), content);
    };
    for name in
        ["run.json", "report.json", "energy.csv", "checkpoint-00000005.json", "report.json.unfinished"]
    {
        spares(name, SCENE, &format!("out/{name}"), "the scene");
    }
    let with_mesh =
        format!("{SCENE}[[body]]\nname = 'rock'\nshape = {{ mesh = {{ file = 'out/poses.csv' }} }}\n");
    std::fs::write(stage.root.join("mesh.toml"), with_mesh).expect("a scene");
    let stl = "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n";
    let facets = ["0 0 0 1 0 0 0 0 1", "1 0 0 0 1 0 0 0 1", "0 1 0 0 0 0 0 0 1"].map(|corners| {
        let x: Vec<&str> = corners.split(' ').collect();
        let corner = |ix: usize| format!("vertex {}\n", x[3 * ix..3 * ix + 3].join(" "));
        format!("facet normal 0 0 0\nouter loop\n{}{}{}endloop\nendfacet\n", corner(0), corner(1), corner(2))
    });
    spares("poses.csv", &format!("{stl}{}endsolid\n", facets.concat()), "mesh.toml", "the mesh");
    // The checkpoint to go on from, under the name of the report.
    stage.ends("run scene.toml --out other --checkpoint-every 25", 0, &[]);
    let checkpoint = stage.root.join("other/checkpoint-00000025.json");
    std::fs::copy(&checkpoint, stage.root.join("other/report.json")).expect("a copy");
    let words = ["'other/report.json' would take the place of the checkpoint"];
    stage.ends("run scene.toml --resume other/report.json --out other --overwrite", 2, &words);
    stage.ends("run scene.toml --resume other/checkpoint-00000025.json --out other --overwrite", 0, &[]);
}

#[test]
fn answers_spare_the_cases_and_the_meshes() {
    let stage = Stage::with_scene(SCENE);
    let pose = r#"{"position": [0, 0, 0], "quaternion": [0, 0, 0, 1]}"#;
    let case = format!(
        r#"{{"id": "one", "mesh_a": "t.obj", "pose_a": {pose}, "mesh_b": "bad.obj", "pose_b": {pose}}}"#
    );
    let cases = format!(r#"{{"format": "overlap-cases/1", "cases": [{case}]}}"#);
    let inputs = [("cases.json", cases.as_str()), ("t.obj", TETRAHEDRON), ("bad.obj", "no mesh\n")];
    for (name, content) in inputs {
        std::fs::write(stage.root.join(name), content).expect("an input");
    }
    for (name, content) in inputs {
        let words = [format!("the result './{name}' would take the place of"), format!("'{name}'")];
        stage.ends(&format!("query cases.json --out ./{name}"), 2, &words.each_ref().map(String::as_str));
        assert_eq!(stage.read(name), content);
    }
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
    use std::process::{Child, Command, Output, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::Value;

    use super::{SCENE, Stage};

    #[test]
    fn a_link_in_the_place_of_the_run_card_is_replaced_and_never_written_through() {
        let stage = Stage::with_scene(SCENE);
        let (out, other) = (stage.root.join("out"), stage.root.join("other.txt"));
        stage.ends("run scene.toml --steps 1 --checkpoint-every 1 --out before", 0, &[]);
        for content in ["somebody else's\n", ""] {
            let _ = std::fs::remove_dir_all(&out);
            std::fs::create_dir(&out).expect("a folder");
            std::fs::write(&other, content).expect("a file");
            symlink(&other, out.join("run.json")).expect("a link");
            stage.ends("run scene.toml --steps 1 --out out", 2, &["run.json, a link"]);
            let words = ["cannot go on in the folder 'out': its run.json is a link, which is not followed"];
            stage.ends("run scene.toml --resume before --out out", 2, &words);
            stage.ends("run scene.toml --steps 1 --out out --overwrite", 0, &[]);
            assert_eq!(stage.read("other.txt"), content);
            assert!(stage.read("out/run.json").contains("tactum-run/2"));
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
        assert_eq!(report["expect"]["passed"], false);
        assert_eq!(report["expect"]["open"], "a result could not be written");
        // A checkpoint does not fit either, and ends the run: that is said first.
        let output =
            with_file_limit(&stage, 4, "run scene.toml --record energy --out there --checkpoint-every 1");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        let first = stderr
            .find("the simulation stopped after step 0: cannot write the checkpoint 'there/checkpoint-0");
        let then = stderr.find("cannot write 'there/report.json'");
        assert!(first.is_some() && first < then, "{stderr}");
    }

    /// Starts a long run in the folder `out` and waits until there are rows.
    fn start(stage: &Stage) -> Child {
        let mut command = stage.command("run scene.toml --steps 100000000 --out out");
        let child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        while !std::fs::metadata(stage.root.join("out/poses.csv")).is_ok_and(|file| file.len() > 1 << 16) {
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }

    fn send(signal: &str, child: &Child) {
        let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(sent.expect("`kill` is there").success());
    }

    /// Ends a run that finds its results gone; what it says.
    fn ends_unwritten(child: Child) -> String {
        send("-TERM", &child);
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        stderr
    }

    #[test]
    fn a_table_that_somebody_removes_is_missed() {
        let stage = Stage::with_scene(SCENE);
        let child = start(&stage);
        std::fs::remove_file(stage.root.join("out/energy.csv")).expect("it is removed");
        let told = ends_unwritten(child);
        assert!(
            told.contains("'out/energy.csv' is not as it was written: it is not there any more"),
            "{told}"
        );
        assert!(told.contains("wrote out/poses.csv, out/contacts.csv, out/report.json"), "{told}");
    }

    /// Whoever removes the run card lets another run in, whose results the first one leaves alone.
    #[test]
    fn a_run_whose_folder_was_taken_away_writes_nothing_more_there() {
        let stage = Stage::with_scene(SCENE);
        let child = start(&stage);
        std::fs::remove_file(stage.root.join("out/run.json")).expect("it is removed");
        stage.ends("run scene.toml --steps 10 --out out --overwrite", 0, &[]);
        let names = stage.files("out");
        let contents = || names.iter().map(|name| stage.read(&format!("out/{name}"))).collect::<Vec<_>>();
        let before = contents();
        let told = ends_unwritten(child);
        assert!(told.contains("another file is in its place; nothing more is written there"), "{told}");
        assert!(!told.contains("wrote"), "{told}");
        assert!(stage.files("out") == names && contents() == before);
    }

    /// As `nohup` does, and a shell for what it starts in the background.
    #[cfg(target_os = "linux")]
    #[test]
    fn signals_that_whoever_started_it_has_ignored_stay_ignored() {
        let stage = Stage::with_scene(SCENE);
        let program = env!("CARGO_BIN_EXE_tactum");
        let run = format!("trap '' INT TERM HUP; exec '{program}' run scene.toml --steps 30000 --out out");
        let child =
            Command::new("bash").args(["-c", &run]).current_dir(&stage.root).stdout(Stdio::null()).spawn();
        let mut child = child.expect("bash");
        while !stage.root.join("out/poses.csv").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        ["-INT", "-TERM", "-HUP"].into_iter().for_each(|signal| send(signal, &child));
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
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
