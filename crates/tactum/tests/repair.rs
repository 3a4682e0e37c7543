//! `tactum repair`, what `tactum check` says of broken meshes, and meshes that a scene wants mended.

mod stage;

use std::fmt::Write;

use serde_json::Value;
use stage::{Folder, tactum};

/// A cube of side 60 with one face open, in the unit of its file, as an OBJ file; `gap` is how far the upper face lies off.
fn cube(has_lid: bool, gap: f64) -> String {
    let mut text = String::new();
    for k in 0..8_u32 {
        let at = |bit: u32| f64::from(k >> bit & 1) * 60.0;
        writeln!(text, "v {} {} {}", at(0), at(1), at(2)).expect("text grows");
    }
    for [x, y] in [[0, 0], [60, 0], [60, 60], [0, 60], [30, 30]] {
        writeln!(text, "v {x} {y} {}", 60.0 + gap).expect("text grows");
    }
    for [a, b, c, d] in [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        writeln!(text, "f {} {} {} {}", a + 1, b + 1, c + 1, d + 1).expect("text grows");
    }
    if has_lid {
        for [a, b] in [[9, 10], [10, 11], [11, 12], [12, 9]] {
            writeln!(text, "f {a} {b} 13").expect("text grows");
        }
    }
    text
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}

#[test]
fn a_hole_and_a_crack_are_mended_into_all_formats_and_said() {
    let folder = Folder::new();
    let open = folder.write("open cube.obj", cube(false, 0.0));
    for name in ["a.stl", "a.obj", "a.ply"] {
        let out = folder.path(name);
        let ended = tactum(&["repair", &open, &out]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let hole = "hole of 4 edges filled, diameter 84.8528137, perimeter 240, at [30, 30, 60]";
        for phrase in [hole, "volume  216000; before: not defined", "mended, wrote"] {
            assert!(ended.stdout.contains(phrase), "{phrase}: {}", ended.stdout);
        }
        assert_eq!(tactum(&["check", &out]).stdout.lines().next(), Some(format!("{out}: good").as_str()));
    }
    let cracked = folder.write("cracked.obj", cube(true, 0.01));
    let ended = tactum(&["repair", &cracked, &folder.path("b.ply"), "--json"]);
    let said = json(&ended.stdout);
    assert_eq!(said["mends"].as_array().map(Vec::len), Some(1), "{said}");
    assert_eq!((&said["mends"][0]["kind"], &said["mends"][0]["n"]), (&"crack".into(), &4.into()));
    let width = said["mends"][0]["size"].as_f64().expect("a width");
    assert!((width - 0.01).abs() < 1e-12, "{width}");
    assert!((said["volume_after"].as_f64().expect("a volume") / 216_000.0 - 1.0).abs() < 1e-3);
    // A narrower tolerance leaves the crack open, and the lid is a sheet or a hole, but never welded.
    let narrow = tactum(&["repair", &cracked, &folder.path("c.ply"), "--tolerance", "0.001", "--json"]);
    assert!(narrow.code == 2 || !narrow.stdout.contains("\"crack\""), "{}", narrow.stdout);
}

#[test]
fn what_is_good_is_copied_byte_by_byte() {
    let folder = Folder::new();
    let text = cube(false, 0.0) + "# a remark\nf 5 6 8 7\n";
    let good = folder.write("good.obj", &text);
    let out = folder.path("out.obj");
    let ended = tactum(&["repair", &good, &out]);
    assert!(ended.code == 0 && ended.stdout.contains("nothing to mend"), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), text);
}

#[test]
fn files_are_not_replaced_unasked_and_inputs_never() {
    let folder = Folder::new();
    let open = folder.write("open.obj", cube(false, 0.0));
    let there = folder.write("there.obj", "something else");
    let refused = |arguments: &[&str], word: &str| {
        let ended = tactum(arguments);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(word) && !ended.stderr.contains("panicked"), "{}", ended.stderr);
    };
    refused(&["repair", &open, &there], "--overwrite");
    assert_eq!(std::fs::read_to_string(&there).expect("a file"), "something else");
    refused(&["repair", &open, &open, "--overwrite"], "would take the place of the mesh");
    refused(&["repair", &open, &folder.path("a.glb")], ".obj, .stl or .ply");
    refused(&["repair", &folder.path("none.obj"), &folder.path("a.obj")], "there is no such file");
    refused(
        &["repair", &open, &folder.path("a.obj"), "--tolerance", "-1"],
        "--tolerance has to be above zero",
    );
    refused(&["repair", &open, &folder.path("a.obj"), "--tolerance", "5"], "more than 0.01 of the size");
    refused(&["repair", &open, &folder.path("a.obj"), "--max-hole", "20"], "the limit given is 20");
    assert_eq!(tactum(&["repair", &open, &there, "--overwrite"]).code, 0);
    assert_eq!(tactum(&["repair", &open, &folder.path("no/a.obj")]).code, 5);
}

#[test]
fn bodies_are_written_apart() {
    let folder = Folder::new();
    let mut text = cube(false, 0.0) + "f 5 6 8 7\n";
    for line in (cube(false, 0.0) + "f 5 6 8 7\n").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |k: usize| words[k].parse::<f64>().expect("a number");
        match words[0] {
            "v" => writeln!(text, "v {} {} {}", number(1) + 30.0, number(2) + 7.0, number(3) + 5.0),
            _ => writeln!(
                text,
                "f {} {} {} {}",
                number(1) + 13.,
                number(2) + 13.,
                number(3) + 13.,
                number(4) + 13.
            ),
        }
        .expect("text grows");
    }
    let two = folder.write("two.obj", &text);
    let said = json(&tactum(&["repair", &two, &folder.path("part.stl"), "--split", "--json"]).stdout);
    assert_eq!(said["outputs"], serde_json::json!([folder.path("part_1.stl"), folder.path("part_2.stl")]));
    assert_eq!(said["volume_after"], 432_000.0);
    let said = json(&tactum(&["repair", &two, &folder.path("one.stl"), "--json"]).stdout);
    let united = 2.0 * 216_000.0 - 30.0 * 53.0 * 55.0;
    assert!((said["volume_after"].as_f64().expect("a volume") / united - 1.0).abs() < 1e-9, "{said}");
    assert_eq!(said["volume_before"], 432_000.0);
}

#[test]
fn check_says_what_is_broken_and_how_to_mend_it() {
    let folder = Folder::new();
    let open = folder.write("open cube.obj", cube(false, 0.0));
    let ended = tactum(&["check", &open]);
    assert_eq!(ended.code, 2);
    let command = format!("tactum repair '{open}' '{}'", folder.path("open cube_repaired.obj"));
    for phrase in ["unusable", "hole of 4 edges filled, diameter 84.8528137", command.as_str()] {
        assert!(ended.stdout.contains(phrase), "{phrase}: {}", ended.stdout);
    }
    let sheet = folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let ended = tactum(&["check", &sheet]);
    assert!(
        ended.stdout.contains("repair  not possible: the surface encloses no volume"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_scene_mends_its_meshes_and_says_so() {
    let folder = Folder::new();
    folder.write("open.obj", cube(false, 0.0));
    let run = |repair: &str| {
        let scene = format!(
            "dt = 0.01\nduration = 0.01\ngravity = [0, 0, 0]\n[[body]]\nname = \"thing\"\n\
             shape = {{ mesh = {{ file = \"open.obj\", scale = 0.001{repair} }} }}\n"
        );
        tactum(&["run", &folder.write("scene.toml", scene), "--steps", "1"])
    };
    let ended = run("");
    assert!(ended.code == 2 && ended.stderr.contains("not closed"), "{}", ended.stderr);
    for repair in [", repair = true", ", repair = { tolerance = 0.01, max_hole = 90 }", ", repair = {}"] {
        let ended = run(repair);
        let words: Vec<&str> = ended.stderr.split_whitespace().filter(|word| *word != "│").collect();
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let text = words.join(" ");
        assert!(text.contains("mended: hole of 4 edges filled, diameter 84.8528137"), "{text}");
    }
    for (repair, word) in [
        (", repair = { max_hole = 20 }", "the limit given is 20"),
        (", repair = { tolerance = -1 }", "tolerance"),
        (", repair = { weld = 1 }", "weld"),
        (", repair = 1", "repair"),
    ] {
        let ended = run(repair);
        assert!(ended.code == 2 && ended.stderr.contains(word), "{repair}: {}", ended.stderr);
    }
}

/// A square tube of 20 bent twice, open at both ends, which look the same way.
fn bent_tube() -> String {
    let mut text = String::new();
    let stations = [[[-10, 0], [10, 0]], [[-10, 70], [10, 50]], [[70, 70], [50, 50]], [[70, 0], [50, 0]]];
    for [[ox, oy], [ix, iy]] in stations {
        for (x, y, z) in [(ox, oy, -10), (ix, iy, -10), (ix, iy, 10), (ox, oy, 10)] {
            writeln!(text, "v {x} {y} {z}").expect("text grows");
        }
    }
    for station in 0..3 {
        for k in 0..4 {
            let at = |station: usize, k: usize| 4 * station + k % 4 + 1;
            let (here, next) = (at(station, k), at(station, k + 1));
            writeln!(text, "f {here} {next} {} {}", next + 4, here + 4).expect("text grows");
        }
    }
    text
}

/// A bent tube is closed at its ends, and whoever mends, checks or uses it hears that it may be a ring that is torn.
#[test]
fn what_is_doubtful_about_a_mend_is_said() {
    let folder = Folder::new();
    let tube = folder.write("tube.obj", bent_tube());
    let told = "two ends alike of one piece, of diameter 28.2842712 at ";
    let ended = tactum(&["repair", &tube, &folder.path("a.obj")]);
    assert!(ended.code == 0 && ended.stdout.contains(&format!("warning  {told}")), "{}", ended.stdout);
    let said = json(&tactum(&["repair", &tube, &folder.path("b.obj"), "--json"]).stdout);
    assert!(said["doubts"][0].as_str().is_some_and(|text| text.starts_with(told)), "{said}");
    let checked = tactum(&["check", &tube]);
    assert!(checked.code == 2 && checked.stdout.contains(told), "{}", checked.stdout);
    let scene = "[[body]]\nname = \"tube\"\nshape = { mesh = { file = \"tube.obj\", units = \"mm\", repair = true } }\n";
    let checked = tactum(&["check", &folder.write("scene.toml", scene)]);
    let words = checked.stderr.replace(['\n', '│'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(checked.code == 0 && words.contains(told.trim()), "{}", checked.stderr);
}

/// Mend or no mend: an open mesh that can be mended is no sheet, and a sheet that cannot is told what a scene makes of it.
#[test]
fn advice_for_sheets_is_for_sheets() {
    let folder = Folder::new();
    let checked = tactum(&["check", &folder.write("open.obj", cube(false, 0.0))]);
    assert!(
        checked.stdout.contains("would mend this") && !checked.stdout.contains("ground_depth"),
        "{}",
        checked.stdout
    );
    let sheet = "v 0 0 0\nv 9 0 0\nv 9 9 1\nv 0 9 0\nf 1 2 3\nf 1 3 4\n";
    let checked = tactum(&["check", &folder.write("sheet.obj", sheet)]);
    assert!(checked.stdout.contains("ground_depth = 1"), "{}", checked.stdout);
}

/// A mesh in the place of a scene is called one, whatever is in it; the triangles of convex meshes count.
#[test]
fn a_mesh_is_no_scene_and_its_triangles_are_counted() {
    let folder = Folder::new();
    let tetrahedron = "v 0 0 0\nv 60 0 0\nv 0 60 0\nv 0 0 60\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for name in ["wedge.obj", "wedge.STL"] {
        let ended = tactum(&["run", &folder.write(name, tetrahedron)]);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        for words in ["this file is a mesh, not a scene", "`tactum check`"] {
            assert!(ended.stderr.contains(words), "{}", ended.stderr);
        }
    }
    let scene = "[[body]]\nname = \"wedge\"\nshape = { mesh = { file = \"wedge.obj\", units = \"mm\" } }\n";
    let checked = tactum(&["check", &folder.write("scene.toml", scene)]);
    assert!(checked.stdout.contains("1 of 1 kind, 4 triangles in meshes"), "{}", checked.stdout);
}
