//! Every key of a scene with values that it cannot take.

use toml::{Table, Value};

use crate::{assert_refused, body, faults};

/// Bodies, materials, joints and expectations that use most keys once.
const RICH: &str = r#"
name = "rich"
description = "a\nb"
dt = 0.01
duration = 1
gravity = [0, 0, -9.81]
max_bodies = 100
[view]
yaw_deg = -60
pitch_deg = 30
target = [0, 0, 1]
size = 2
time = 0.5
opacity = 0.5
fixed_opacity = 1.0
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
color = "orange"
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
