//! Texts and files that are no scene, and how long it takes to read one.

use std::path::{Path, PathBuf};
use std::time::Instant;

use tactum::build::build;
use tactum::scene::Scene;

use crate::stage::{Ended, Folder, tactum};
use crate::{assert_refused, body, faults};

/// Texts that are no scene at all.
#[test]
fn broken_texts_are_refused_in_plain_words() {
    for (text, place, words) in [
        ("dt = 0.01\ndt = 0.02\n", "2:1", "'dt' is given twice"),
        ("gravity = [0, 0, 1\n", "", "list is not closed"),
        ("[contact\n", "1:", "heading"),
        ("contact = { friction = 1\n", "", "table"),
        ("name = 'x\n", "1:", "text in quotes"),
        ("name = x\n", "1:8", "quotes"),
        ("name = \n", "1:", "value"),
        ("dt\n", "1:", "value"),
        ("dt = 0.01 0.02\n", "1:6", "several numbers"),
        ("dt = wrong\n", "1:6", "this is no value"),
        ("dt = .5\n", "1:6", "write 0.5"),
        ("dt = 3;\n", "1:6", "write 3"),
        ("[[body]]\nname = 'a'\n[body]\n", "3:2", "for one more of them: [[body]]"),
        (
            "[[body]]\nshape = { box = [1, 1, 1] # {\nname = \"[\\\"{\"\n",
            "3:1",
            "is the } missing of what begins in line 2?",
        ),
        ("gravity = [0,\n0\n1]\n", "3:1", "is the ] missing of what begins in line 1?"),
        ("touch = True\n", "1:9", "write true"),
        ("name = 'a' 'b'\n", "1:", "stands behind"),
        ("gravity = [0 0 1]\n", "1:", "comma"),
        ("dt = 01.5\n", "1:", "zero"),
        ("dt = 0.01\0\n", "1:10", "not text"),
        ("name = \"\u{1b}[2J\"\n", "1:9", "not text"),
        ("[a]\n[a]\n", "2:", "twice"),
        ("dt = 1\ndt.x = 1\n", "2:", "complete already"),
    ] {
        assert_refused(text, &["scene.toml:", place, words]);
        let said = faults(text).join("\n");
        assert!(!said.contains('`') && !said.contains("expected"), "{said}");
    }
    assert_refused(&format!("x = {}1\n", "[".repeat(100_000)), &["nested"]);
    assert_refused(&format!("{}x = 1\n", "a.".repeat(100_000)), &["nested"]);
    assert_refused("", &["no bodies"]);
    assert_eq!(faults(&format!("\u{feff}dt = 0.01\n{}", body(""))), Vec::<String>::new());
    assert_refused("\u{feff}dt = 'x'\n", &["scene.toml:1:6"]);
}

/// The program's own words about files that are none, and about a line as long as a book.
#[test]
fn the_program_reads_files_only_and_quotes_little() {
    let folder = Folder::new();
    let refused = |file: &str, words: &str| {
        let Ended { code, stderr, .. } = tactum(&["run", file]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(words), "'{words}' is missing in:\n{stderr}");
        assert!(!stderr.contains("panicked") && stderr.len() < 3000, "{} bytes: {stderr:.500}", stderr.len());
        assert!(!stderr.chars().any(|c| c.is_control() && c != '\n'), "{stderr:?}");
        stderr
    };
    refused(&folder.path(""), "is a folder, not a file");
    let missing = refused(&folder.path("none.toml"), "none.toml");
    assert_eq!(missing.matches("no such file").count(), 1, "{missing}");
    if cfg!(unix) {
        refused("/dev/zero", "is a device, not a file");
    }
    refused(&folder.write("latin.toml", b"dt = 0.01\nname = 'W\xfcrfel'\n"), "latin.toml:2:10");
    refused(&folder.write("wide.toml", [0xff, 0xfe, b'd', 0, b't', 0]), "UTF-16");
    refused(&folder.write("program.toml", b"\x7fELF\x02\x01\x01\0\0"), "byte 0x00 means nothing here");
    let long = format!("{}position = [{}]\n", body(""), ["1"; 500_000].join(", "));
    refused(&folder.write("long.toml", long.as_bytes()), "found length 500000");
    refused(&folder.write("escape.toml", b"\"k\\u001b[31m\" = 1\n\"\\u202e\" = 2\n"), "\\u{1b}[31m");
    let huge = std::fs::File::create(folder.path("huge.toml")).expect("a file");
    huge.set_len(300 << 20).expect("a sparse file");
    refused(&folder.path("huge.toml"), "more than the 268435456");
}

/// What scenes there are stays accepted.
#[test]
fn the_scenes_of_the_project_are_accepted() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut n_scenes = 0;
    for entry in std::fs::read_dir(folder).expect("the scenes") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
            n_scenes += 1;
        }
    }
    assert!(n_scenes > 20, "{n_scenes}");
}

/// Many bodies written by hand, with shapes, joints and expectations of their own.
fn written_by_hand(n: usize) -> String {
    let mut text = String::from("dt = 0.01\n");
    for ix in 0..n {
        let (x, y, side) = (2 * (ix % 200), 2 * (ix / 200), 0.5 + 1e-6 * ix as f64);
        text += &format!(
            "[[body]]\nname = 'part-{ix}'\nshape = {{ box = [1, 1, {side}] }}\nposition = [{x}, {y}, 0]\ngroups = ['g{}']\n",
            ix % 31
        );
    }
    for ix in 0..n / 5 {
        let (a, b) = (2 * ix, 2 * ix + 1);
        text += &format!(
            "[[joint]]\nname = 'j{ix}'\nbodies = ['part-{a}', 'part-{b}']\nkind = 'rigid'\nanchor = [0, 0, 0]\n"
        );
    }
    for ix in 0..n / 50 {
        text += &format!("[[expect]]\nbody = 'part-{}*'\nz = {{ below = 10 }}\n", 40 * ix);
    }
    text
}

/// Time to read a scene and to build its world \[s\].
fn time_to_read(text: &str) -> f64 {
    let begin = Instant::now();
    let scene = Scene::parse(text, Path::new("many.toml")).expect("a scene");
    build(&scene).expect("a world");
    begin.elapsed().as_secs_f64()
}

/// Ten times the bodies take about ten times as long; a hundred times would be a look at every body for every body. A busy
/// machine makes single times longer, and none shorter: the shortest of both are compared, of as many as it takes.
#[test]
fn the_time_to_read_a_scene_grows_with_its_length_only() {
    const ROUNDS: usize = 10;
    let texts = [2000, 20_000].map(written_by_hand);
    let mut shortest = [f64::INFINITY; 2];
    let is_in_proportion = |_| {
        for (shortest, text) in shortest.iter_mut().zip(&texts) {
            *shortest = shortest.min(time_to_read(text));
        }
        shortest[1] < 40.0 * shortest[0]
    };
    assert!((0..ROUNDS).any(is_in_proportion), "{ROUNDS} times much longer: {shortest:?} s");
}
