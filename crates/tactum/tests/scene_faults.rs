//! What is refused in a scene file, and in which words.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tactum::build::build;
use tactum::scene::{Scene, SceneError};
use tempfile::TempDir;
use toml::{Table, Value};

/// Says of a scene what is wrong with it, message and advice of each fault; nothing if it can be built.
fn faults(text: &str) -> Vec<String> {
    let scene = Scene::parse(text, Path::new("scene.toml"));
    match scene.and_then(|scene| build(&scene).map(|_| ())) {
        Ok(()) => Vec::new(),
        Err(SceneError::Faults(faults)) => {
            let told = |fault: &tactum::scene::Fault| {
                format!("{}: {fault}; {}", fault.location(), fault.help_text().unwrap_or_default())
            };
            faults.iter().map(told).collect()
        }
        Err(other) => panic!("not a fault of the text: {other}"),
    }
}

/// Asserts that a scene is refused with all of `words` among what is said of it.
fn assert_refused(text: &str, words: &[&str]) {
    let said = faults(text).join("\n");
    assert!(!said.is_empty(), "accepted: {text}");
    for word in words {
        assert!(said.contains(word), "'{word}' is missing in:\n{said}");
    }
}

fn body(lines: &str) -> String {
    format!("[[body]]\nname = \"thing\"\nshape = {{ box = [1, 1, 1] }}\n{lines}\n")
}

/// Bodies, materials, joints and expectations that use most keys once.
const RICH: &str = r#"
name = "rich"
description = "a\nb"
dt = 0.01
duration = 1
gravity = [0, 0, -9.81]
max_bodies = 100
[contact]
friction = 0.5
model = "patch"
patch = { ellipse = 3 }
normal = "blend"
rolling = "auto"
spin = "uniform"
coupling = "surface"
target_depth = 1e-4
target_volume = 1e-9
compliance = 0.001
damping = 1.0
restitution = 0.5
restitution_threshold = 0.05
stabilization = 1.0
[solver]
local = "cone"
tolerance = 1e-9
motion_tolerance = 1e-4
per_row = false
max_sweeps = 200
max_solves = 4000
accelerator = "anderson"
order = "forward"
relaxation = 1.0
warm_start = true
max_unconverged_steps = 10
[[material]]
name = "steel"
friction = 0.4
restitution = 0.5
[[material]]
name = "ice"
[[pair]]
materials = ["steel", "ice"]
friction = 0.02
[[pair]]
bodies = ["a", "b"]
restitution = 0.2
[[body]]
name = "a"
kind = "dynamic"
shape = { box = [1, 1, 1] }
position = [0, 0, 0]
orientation = { quaternion = [0, 0, 0, 1] }
linear_velocity = [0, 0, 0]
angular_velocity = [0, 0, 0]
mass = 2.0
inertia = [1, 1, 1]
center_of_mass = [0, 0, 0]
material = "steel"
friction = 0.3
groups = ["g"]
touches = ["g"]
copies = { grid = [1, 1, 2], spacing = [2, 2, 2], random_orientation = true, jitter = 0.0, seed = 1 }
[[body]]
name = "b"
shape = { capsule = { radius = 0.1, length = 0.2 } }
orientation = { axis_angle = { axis = [0, 0, 1], deg = 10 } }
density = 500
material = "ice"
[[body]]
name = "c"
shape = { generate = { tapered_block = { bottom = [1, 1], top = [0.5, 0.5], height = 1, triangles = 12 } } }
orientation = { euler_deg = [0, 0, 90] }
[[body]]
name = "d"
shape = { generate = { table = { length = 1, width = 1, height = 1, top_thickness = 0.1, leg_thickness = 0.1, leg_inset = [0, 0] } } }
[[body]]
name = "e"
shape = { generate = { ellipsoid = { semi_axes = [1, 1, 1], triangles = 100 } } }
[[body]]
name = "f"
shape = { generate = { cuboid = { size = [1, 1, 1], triangles = 12 } } }
[[joint]]
name = "j"
bodies = ["a-0", "b"]
kind = { revolute = { limits_deg = [-1, 1], servo = { target_deg = [[0, 0], [1, 1]], stiffness = 1, damping = 1, max_torque = 5 } } }
anchor = [0, 0, 0]
axis = [0, 0, 1]
touch = false
break_force = 10
break_torque = 10
[[joint]]
name = "k"
bodies = ["a-1"]
kind = { prismatic = { limits = [-1, 1], motor = { speed = 1, max_force = 5 } } }
anchor = [0, 0, 0]
[[expect]]
why = "because"
body = "a*"
time = 0.5
z = { is = 1, within = 1 }
speed = { below = 5, above = 0 }
[[expect]]
joint = "j"
always = true
angle_deg = { below = 5 }
"#;

/// All values of a document by their ways from the top.
fn ways(value: &Value, way: &[Step], out: &mut Vec<Vec<Step>>) {
    if !way.is_empty() {
        out.push(way.to_vec());
    }
    let mut below = |step, inner: &Value| ways(inner, &[way, &[step]].concat(), out);
    match value {
        Value::Table(table) => table.iter().for_each(|(key, inner)| below(Step::Key(key.clone()), inner)),
        Value::Array(array) => array.iter().enumerate().for_each(|(ix, inner)| below(Step::Ix(ix), inner)),
        _ => {}
    }
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Ix(usize),
}

fn at<'a>(value: &'a mut Value, way: &[Step]) -> &'a mut Value {
    way.iter().fold(value, |here, step| match step {
        Step::Key(key) => &mut here[key.as_str()],
        Step::Ix(ix) => &mut here[*ix],
    })
}

fn rich() -> Value {
    Value::Table(RICH.parse::<Table>().expect("TOML"))
}

fn text_of(value: &Value) -> String {
    toml::to_string(value).expect("a document")
}

/// Words that only programmers of the program know.
const JARGON: [&str; 16] = [
    "invalid type",
    "expected",
    "struct",
    "untagged",
    "f64",
    "i64",
    "u32",
    "u64",
    "usize",
    "variant",
    "sequence",
    "toml::",
    "serde",
    "TOML parse",
    "None",
    "Some(",
];

/// Every value of a scene is replaced by something wrong in turn: nothing panics, and what is said is in plain words, names the
/// line, and holds nothing that a terminal obeys.
#[test]
fn every_key_refuses_values_of_other_types_in_plain_words() {
    assert_eq!(faults(RICH), Vec::<String>::new());
    let wrong = [
        Value::String("nonsense\u{1b}[2J".into()),
        Value::Integer(-7),
        Value::Integer(i64::MAX),
        Value::Float(2.5),
        Value::Float(-1e300),
        Value::Float(1e-300),
        Value::Float(f64::NAN),
        Value::Float(f64::NEG_INFINITY),
        Value::Boolean(true),
        Value::Array(Vec::new()),
        Value::Array(vec![Value::Integer(1); 7]),
        Value::Array(vec![Value::String("x".into())]),
        Value::Table(Table::new()),
        Value::Table([("x".to_owned(), Value::Integer(1))].into_iter().collect()),
        Value::Datetime("2020-01-01".parse().expect("a date")),
    ];
    let document = rich();
    let mut all = Vec::new();
    ways(&document, &[], &mut all);
    let mut n_refused = 0;
    for way in &all {
        for value in &wrong {
            let mut changed = document.clone();
            let place = at(&mut changed, way);
            let same_type = place.same_type(value);
            *place = value.clone();
            let said = faults(&text_of(&changed));
            let is_number = |v: &Value| v.is_integer() || v.is_float();
            let both_numbers = is_number(at(&mut document.clone(), way)) && is_number(value);
            assert!(
                !said.is_empty() || same_type || both_numbers || is_value_over_time(way),
                "{way:?} takes {value:?}"
            );
            n_refused += usize::from(!said.is_empty());
            for line in &said {
                assert!(line.starts_with("scene.toml:") || line.contains("more errors"), "{line}");
                let message = line.split("; ").next().unwrap_or_default();
                for word in JARGON {
                    assert!(!message.contains(word), "'{word}' in: {line}");
                }
                assert!(line.chars().count() < 900 && !line.chars().any(char::is_control), "{line}");
            }
        }
    }
    assert!(n_refused > 5 * all.len(), "{n_refused} of {}", all.len());
}

/// A speed or target over time may be a number or a list.
fn is_value_over_time(way: &[Step]) -> bool {
    way.iter().any(|step| matches!(step, Step::Key(key) if key == "speed" || key == "target_deg"))
}

/// Lists of a fixed length take neither more nor less, and say how many they have to have.
#[test]
fn lists_of_fixed_length_are_not_cut() {
    const FREE: [&str; 11] = [
        "inertia",
        "groups",
        "touches",
        "bodies",
        "body",
        "material",
        "pair",
        "joint",
        "expect",
        "target_deg",
        "speed",
    ];
    let document = rich();
    let mut all = Vec::new();
    ways(&document, &[], &mut all);
    let mut n_lists = 0;
    for way in &all {
        let mut changed = document.clone();
        let Value::Array(list) = at(&mut changed, way) else { continue };
        if matches!(way.last(), Some(Step::Key(key)) if FREE.contains(&key.as_str())) {
            continue;
        }
        n_lists += 1;
        let n = list.len();
        list.push(list[0].clone());
        assert_refused(&text_of(&changed), &[&format!("found length {}", n + 1), &format!("a list of {n} ")]);
        if let Value::Array(list) = at(&mut changed, way) {
            list.truncate(n - 1);
        }
        assert_refused(&text_of(&changed), &[&format!("found length {}", n - 1)]);
    }
    // position, gravity, box, ..., and the two pairs of the servo's target over time.
    assert!(n_lists >= 20, "{n_lists} lists");
    assert_refused(&body("position = [0, 0, 0, 2]"), &["scene.toml:4:12", "decimal comma", "found length 4"]);
    assert_refused("dt = 0,01\n", &["scene.toml:1", "decimal comma"]);
}

/// Tables are not given by the order of their entries.
#[test]
fn a_table_has_to_be_a_table() {
    assert_refused(&body("copies = [[1, 1, 2], [1, 1, 1]]"), &["copies is a list", "a table in { }"]);
    assert_refused("[[body]]\nname = 'a'\nshape = { capsule = [0.1, 0.2] }\n", &["capsule is a list"]);
    assert_refused("body = [['a', 'dynamic', { box = [1, 1, 1] }]]\n", &["body[0] is a list", "[[body]]"]);
    assert_refused("[body]\nname = 'a'\n", &["[[body]], with two brackets"]);
    assert_refused(
        &body("orientation = { axis_angle = { axis = [0, 0, 1], deg = 1, foo = 2 } }"),
        &["unknown key 'foo'"],
    );
    assert_refused(&body("gravity = [0, 0, 1]"), &["key of the whole scene"]);
}

#[test]
fn names_are_short_and_printable() {
    let named = |name: &str| format!("[[body]]\nname = \"{name}\"\nshape = {{ box = [1, 1, 1] }}\n");
    assert_eq!(faults(&named(&"ü".repeat(128))), Vec::<String>::new());
    assert_refused(&named(&"a".repeat(129)), &["129 characters", "128"]);
    assert_refused(&named(&"a".repeat(65_536)), &["65536 characters"]);
    assert_refused(&named(r"a\u001b[31m"), &["\\u{1b}", "cannot be printed"]);
    assert_refused(&named(r"a\nb"), &["\\n"]);
    // A copy's number is part of its name.
    let copied = |n: usize| {
        format!("{}copies = {{ grid = [1, 1, 11], spacing = [2, 2, 2] }}\n", named(&"a".repeat(n)))
    };
    assert_eq!(faults(&copied(125)), Vec::<String>::new());
    assert_refused(&copied(126), &["129 characters"]);
    assert_refused(&body(&format!("groups = [\"{}\"]", "g".repeat(200))), &["200 characters"]);
}

#[test]
fn names_that_copies_take_are_taken() {
    let text = "[[body]]\nname = 'a-1'\nshape = { sphere = 1 }\n[[body]]\nname = 'a'\nshape = { sphere = 1 }\n\
                copies = { grid = [1, 1, 2], spacing = [3, 3, 3] }\n";
    assert_refused(text, &["scene.toml:5:8", "two bodies are named 'a-1'", "the first is at scene.toml:2:8"]);
}

/// Only the first faults are listed, and the rest counted.
#[test]
fn many_faults_are_cut_to_a_page() {
    let each = |ix: usize| format!("[[body]]\nname = 'b{ix}'\nshape = {{ box = [0.1, -1, 0.1] }}\n");
    let said = faults(&(0..2000).map(each).collect::<String>());
    assert_eq!(said.len(), 21);
    assert!(said[0].starts_with("scene.toml:3:23: body 'b0': shape.box[1] is -1"), "{}", said[0]);
    assert!(said[20].contains("1980 more errors of 2000"), "{}", said[20]);
}

#[test]
fn expectations_that_cannot_be_judged_or_met_are_refused() {
    let expect = |lines: &str| format!("dt = 0.01\n{}[[expect]]\n{lines}\n", body(""));
    assert_eq!(faults(&expect("body = \"*\"\ntime = 0\nz = { is = 0, within = 0 }")), Vec::<String>::new());
    assert_eq!(faults(&expect("always = true\ncontacts = { below = 1 }")), Vec::<String>::new());
    let fixed = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n[[expect]]\nbody = '*'\nz = { below = 1 }\n";
    assert_refused(fixed, &["scene.toml:6:8", "not static"]);
    assert_refused(&expect("body = 'thin*x'\nz = { below = 1 }"), &["no body is named"]);
    assert_refused(&expect("body = 'x*'\nz = { below = 1 }"), &["stands for no body"]);
    assert_refused(&expect("body = 'thing'\nz = { is = 1, within = -1 }"), &["within is -1"]);
    assert_refused(&expect("body = 'thing'\nz = { below = 1, above = 1 }"), &["can never hold"]);
    assert_refused(&expect("body = 'thing'\nz = { is = 0, within = 1, above = 1 }"), &["can never hold"]);
    assert_refused(&expect("body = 'thing'\nspeed = { below = 0 }"), &["can never hold"]);
    for quantity in ["contacts", "depth_of_size"] {
        assert_refused(
            &expect(&format!("time = 0\n{quantity} = {{ below = 1 }}")),
            &["no value at the start"],
        );
    }
    let joint = "[[joint]]\nname = 'j'\nbodies = ['thing']\nkind = 'rigid'\nanchor = [0, 0, 0]\n";
    for quantity in ["force", "torque"] {
        let text =
            format!("{}{joint}", expect(&format!("joint = 'j'\ntime = 0\n{quantity} = {{ below = 1 }}")));
        assert_refused(&text, &["no value at the start"]);
    }
}

/// Numbers that overflow in the first products that are made of them are refused with the body named.
#[test]
fn bodies_beyond_the_numbers_are_refused() {
    let shaped = |shape: &str| format!("[[body]]\nname = 'thing'\nshape = {{ {shape} }}\n");
    for (text, words) in [
        (body("density = 1e308"), "too large to compute with"),
        (body("density = 1e100\nlinear_velocity = [1e110, 0, 0]"), "kinetic energy at the start"),
        (body("linear_velocity = [1e153, 0, 0]"), "kinetic energy at the start"),
        (body("linear_velocity = [1e200, 0, 0]"), "too large to compute with"),
        (body("density = 1e10\nangular_velocity = [0, 0, 1e153]"), "kinetic energy at the start"),
        (
            format!("gravity = [0, 0, 1e80]\n{}", body("mass = 1e90\nposition = [0, 0, 1e150]")),
            "potential energy",
        ),
        (body("mass = 1e-320"), "mass is"),
        (body("inertia = [1e-150, 1e-150, 1e-150]"), "too small to compute with"),
        (format!("dt = 1e-320\nduration = 1e-315\n{}", body("")), "too short to compute with"),
        (shaped("box = [1e200, 1e200, 1e200]"), "too large to compute with"),
        (shaped("box = [1e-120, 1e-120, 1e-120]"), "too small to compute with"),
        (shaped("sphere = 1e110"), "too large to compute with"),
        (shaped("capsule = { radius = 1e-110, length = 1e-110 }"), "too small to compute with"),
        (format!("gravity = [0, 0, 1e153]\n{}", body("mass = 1e10")), "after a step of free fall"),
        (format!("gravity = [0, 0, 1e300]\n{}", body("")), "too large to compute with"),
    ] {
        assert_refused(&text, &[words]);
        let said = faults(&text).join("\n");
        assert!(said.contains("'thing'") || said.contains("gravity") || said.contains("dt is"), "{said}");
    }
    // Directions have no size, and what is merely large is no reason to refuse anything.
    for fine in [
        "orientation = { quaternion = [1e200, 0, 0, 1e200] }",
        "orientation = { axis_angle = { axis = [0, 0, 1e-200], deg = 90 } }",
        "linear_velocity = [1e-200, 0, 0]",
        "mass = 1e30\nposition = [0, 0, 1e9]",
    ] {
        assert_eq!(faults(&body(fine)), Vec::<String>::new(), "{fine}");
    }
}

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
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let refused = |file: &Path, words: &str| {
        let program = env!("CARGO_BIN_EXE_tactum");
        let output = Command::new(program).arg("run").arg(file).output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("stderr is text");
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(words), "'{words}' is missing in:\n{stderr}");
        assert!(!stderr.contains("panicked") && stderr.len() < 3000, "{} bytes: {stderr:.500}", stderr.len());
        assert!(!stderr.chars().any(|c| c.is_control() && c != '\n'), "{stderr:?}");
        stderr
    };
    refused(folder.path(), "is a folder, not a file");
    let missing = refused(&path("none.toml"), "none.toml");
    assert_eq!(missing.matches("no such file").count(), 1, "{missing}");
    if cfg!(unix) {
        refused(Path::new("/dev/zero"), "is a device, not a file");
    }
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(path(name), bytes).expect("a file");
        path(name)
    };
    refused(&write("latin.toml", b"dt = 0.01\nname = 'W\xfcrfel'\n"), "latin.toml:2:10");
    refused(&write("wide.toml", &[0xff, 0xfe, b'd', 0, b't', 0]), "UTF-16");
    let long = format!("{}position = [{}]\n", body(""), ["1"; 500_000].join(", "));
    refused(&write("long.toml", long.as_bytes()), "found length 500000");
    refused(&write("escape.toml", b"\"k\\u001b[31m\" = 1\n\"\\u202e\" = 2\n"), "\\u{1b}[31m");
    let huge = std::fs::File::create(path("huge.toml")).expect("a file");
    huge.set_len(300 << 20).expect("a sparse file");
    refused(&path("huge.toml"), "more than the 268435456");
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

fn shortest(text: &str) -> Duration {
    let time = || {
        let begin = Instant::now();
        let scene = Scene::parse(text, Path::new("many.toml")).expect("a scene");
        build(&scene).expect("a world");
        begin.elapsed()
    };
    (0..3).map(|_| time()).min().unwrap_or_default()
}

/// Ten times the bodies take about ten times as long; a hundred times would be a look at every body for every body.
#[test]
fn the_time_to_read_a_scene_grows_with_its_length_only() {
    let ratio =
        shortest(&written_by_hand(20_000)).as_secs_f64() / shortest(&written_by_hand(2000)).as_secs_f64();
    assert!(ratio < 40.0, "{ratio} times as long");
}
