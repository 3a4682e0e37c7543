//! Keys and options without effect: each is told, where it stands, and nothing is said of the same key where it has one.

mod stage;

use stage::Stage;

const REST: &str = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n[[body]]\nname = 'box'\nposition = [0, 0, 1]\n\
                    shape = { sphere = 0.1 }\n";

fn warnings(scene: &str) -> String {
    let stage = Stage::with_scene(scene);
    let output = stage.ends("check scene.toml", 0, &[]);
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What stands before the bodies, what behind them, the key, and what gives it an effect.
type Case = (&'static str, &'static str, &'static str, (&'static str, &'static str));

/// `@` stands for a block besides, `&` for a joint.
const CASES: &[Case] = &[
    (
        "contact.damping = 1",
        "",
        "damping",
        ("contact.damping = 1", "contact.damping = 1\ncontact.compliance = 1"),
    ),
    (
        "contact.restitution_threshold = 0.1",
        "",
        "restitution_threshold",
        ("contact.rest", "contact.restitution = 0.5\ncontact.rest"),
    ),
    (
        "contact.target_depth = 1e-3\ncontact.target_volume = 1e-9",
        "",
        "target_depth",
        ("\ncontact.target_volume = 1e-9", ""),
    ),
    (
        "contact.coupling = 'ellipsoid'\nsolver.local = 'paper'",
        "",
        "coupling",
        ("\nsolver.local = 'paper'", ""),
    ),
    ("contact.model = 'points'\ncontact.coupling = 'ellipsoid'", "", "coupling", ("points", "patch")),
    ("contact.model = 'points'\ncontact.rolling = 'pivot'", "", "rolling", ("points", "patch")),
    ("contact.model = 'points'\nsolver.local = 'paper'", "", "local", ("points", "patch")),
    ("", "@density = 10\nkind = 'static'", "density", ("10\nkind = 'static'", "10")),
    ("", "@density = 10\nkind = 'kinematic'", "density", ("kinematic", "dynamic")),
    ("", "@mass = 10\nkind = 'static'", "mass", ("10\nkind = 'static'", "10")),
    ("", "@mass = 10\nkind = 'kinematic'", "mass", ("kinematic", "dynamic")),
    ("", "@inertia = [1, 1, 1]\nkind = 'kinematic'", "inertia", ("kinematic", "dynamic")),
    (
        "",
        "@copies = { grid = [1, 1, 1], spacing = [1, 1, 1], seed = 3 }",
        "seed",
        ("seed", "jitter = 0.1, seed"),
    ),
    ("contact.young = 1e6", "", "young", ("contact.young", "contact.law = 'facets'\ncontact.young")),
    ("solver.max_substeps = 999", "", "max_substeps", ("solver", "contact.law = 'facets'\nsolver")),
    ("contact.law = 'facets'\nsolver.max_sweeps = 9", "", "max_sweeps", ("facets", "volume")),
    ("contact.law = 'facets'\ncontact.rolling = 'pivot'", "", "rolling", ("facets", "volume")),
    ("contact.law = 'facets'\ncontact.damping = 1", "", "damping", ("contact.damping = 1", "")),
    (
        "contact.law = 'facets'\ncontact.adhesion = 1",
        "",
        "adhesion",
        ("contact.adhesion", "contact.pressure = 'jkr'\ncontact.adhesion"),
    ),
    (
        "contact.law = 'facets'\ncontact.pressure = 'jkr'\ncontact.cohesive_stress = 1",
        "",
        "cohesive_stress",
        ("jkr", "maugis"),
    ),
    (
        "contact.law = 'facets'\ncontact.foundation = 1",
        "",
        "foundation",
        ("contact.foundation", "contact.pressure = 'foundation'\ncontact.foundation"),
    ),
    ("", "@material = 'rubber'\n[[material]]\nname = 'rubber'\nyoung = 1e6", "young", ("young = 1e6", "")),
    (
        "contact.law = 'facets'",
        "[[pair]]\nbodies = ['box', 'floor']\nfriction = 0.5\nstiffness = 1e5",
        "stiffness",
        ("\nstiffness = 1e5", ""),
    ),
    (
        "",
        "[[pair]]\nbodies = ['box', 'floor']\nfriction = 0.5\ndamping = 9",
        "damping",
        ("\ndamping = 9", ""),
    ),
    ("", "@rounding = 'flat'", "rounding", ("rounding = 'flat'", "")),
    ("", "&touch = true", "touch", ("['box']", "['floor', 'box']")),
];

#[test]
fn a_key_that_does_nothing_is_told() {
    let block = "[[body]]\nname = 'block'\nposition = [9, 0, 9]\nshape = { box = [1, 1, 1] }\n";
    let joint = "[[joint]]\nname = 'hook'\nbodies = ['box']\nanchor = [0, 0, 1]\nkind = { spherical = {} }\n";
    for &(top, bottom, key, (from, to)) in CASES {
        let bottom = bottom.replace('@', block).replace('&', joint);
        let scene = format!("{top}\n{REST}{bottom}\n");
        let told = warnings(&scene);
        assert_eq!(told.matches("warning: ").count(), 1, "{scene}\n{told}");
        assert!(
            told.contains(&format!("{key} does nothing")) && told.contains("has no effect"),
            "{scene}\n{told}"
        );
        let scene = scene.replacen(from, to, 1);
        assert_eq!(warnings(&scene), "", "{scene}");
    }
}

#[test]
fn a_device_for_a_backend_that_uses_none_is_told() {
    let stage = Stage::with_scene(REST);
    let words = ["warning: --adapter has no effect: the backend 'exact' uses no device"];
    stage.ends("run scene.toml --steps 1 --backend exact --adapter 0", 0, &words);
}
