//! Scenes under the law "continuous_penalty" that are hard on it: refused by name, or simulated as their sound twins.

mod stage;

use stage::Stage;

const FLOOR: &str = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n";

/// A scene under the law with more settings of `[contact]`, a floor, and bodies.
fn with(settings: &str, bodies: &str) -> Stage {
    Stage::with_scene(&format!(
        "dt = 1e-3\nduration = 0.1\n[contact]\nlaw = 'continuous_penalty'\n{settings}\n{FLOOR}{bodies}\n"
    ))
}

fn block(rest: &str) -> String {
    format!("[[body]]\nname = 'box'\nmass = 1\nshape = {{ box = [0.1, 0.1, 0.1] }}\n{rest}\n")
}

#[test]
fn what_the_law_cannot_carry_is_refused_by_name() {
    for (settings, bodies, code, words) in [
        ("", block("linear_velocity = [0, 0, -inf]"), 2, vec!["body 'box': linear_velocity[2] is -inf"]),
        ("", block("linear_velocity = [0, 0, -1e200]"), 2, vec!["body 'box'", "too large to compute with"]),
        ("stiffness = -1", block(""), 2, vec!["contact.stiffness is -1"]),
        ("damping = inf", block(""), 2, vec!["contact.damping is inf"]),
        (
            "stiffness = 1e12\n[solver]\nmax_substeps = 10",
            block("position = [0, 0, 0.0499]"),
            3,
            vec!["sub-steps", "'floor' and 'box'", "solver.max_substeps, is 10"],
        ),
        (
            "",
            block("")
                + "[[joint]]\nname = 'hook'\nbodies = ['box']\nanchor = [0, 0, 1]\nkind = { spherical = {} }",
            2,
            vec!["joint 'hook'", "continuous_penalty"],
        ),
    ] {
        with(settings, &bodies).ends("run scene.toml", code, &words);
    }
}

/// The state in which a wedge of this mesh lies after it has fallen on the floor.
fn fallen(mesh: &str, keys: &str) -> String {
    let body = format!(
        "[[body]]\nname = 'wedge'\nmass = 1\nshape = {{ mesh = {{ file = 'wedge.obj'{keys} }} }}\nposition = [0, 0, 0.01]\n"
    );
    let stage = with("friction = 0.3", &body);
    stage.write("wedge.obj", mesh);
    let report = stage.json("run scene.toml --json", 0);
    let wedge = &report["bodies"][1];
    // It would have fallen to -0.039 m without the floor.
    let z = wedge["position"][2].as_f64().expect("a number");
    assert!(z > -0.01, "{wedge}");
    wedge.to_string()
}

/// Facets without an area are left out, and vertices at one place are one: what is left moves to the last bit as a mesh without them.
#[test]
fn degenerate_facets_and_coincident_vertices_change_nothing() {
    let sound = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    // The tip is there twice, and two facets have no area.
    let doubled = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 5 3\nf 2 3 5\nf 4 5 1\nf 2 2 3\n";
    assert_eq!(fallen(doubled, ""), fallen(sound, ""));
    let sheet = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0.01\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n";
    let torn = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0.01\nv 0 0.1 0\nv 0.1 0.1 0.01\nf 1 2 3\nf 1 5 4\nf 2 2 3\n";
    let keys = ", sheet_thickness = 0.001";
    assert_eq!(fallen(torn, keys), fallen(sheet, keys));
}

/// Two edges along each other have no normal of their own, and the vertices at the ends of the upper one carry it: it sinks in by its weight on
/// two of them, as deep again when it is let go.
#[test]
fn parallel_edges_hold_each_other_by_their_ends() {
    let bar = |name: &str, length: f64, z: f64, rest: &str| {
        format!(
            "[[body]]\nname = '{name}'\nshape = {{ box = [{length}, 0.1, 0.1] }}\norientation = {{ euler_deg = [45, 0, 0] }}\n\
             position = [0, 0, {z}]\n{rest}\n"
        )
    };
    let touching = 0.3 + 0.1 * 2.0_f64.sqrt();
    let bodies = bar("low", 1.0, 0.3, "kind = 'static'") + &bar("bar", 0.5, touching, "mass = 1");
    let report = with("stiffness = 1e5", &bodies).json("run scene.toml --json", 0);
    let z = report["bodies"][2]["position"][2].as_f64().expect("a number");
    let sunk = touching - z;
    assert!((0.0..2.0 * 9.81 / 2e5 + 1e-6).contains(&sunk), "{sunk} m");
}

/// Bodies that are put into each other, which nothing may be able to hold, are told of.
#[test]
fn what_begins_deep_in_another_body_is_told_of() {
    let twice = block("position = [0, 0, 0.3]\ncopies = { grid = [2, 1, 1], spacing = [1e-9, 1, 1] }");
    let apart = twice.replace("spacing = [1e-9", "spacing = [0.2");
    let said = "the bodies 'box-0' and 'box-1' overlap by 100 % of the smaller one";
    with("", &twice).ends("check scene.toml", 0, &[said]);
    let output = with("", &apart).ends("check scene.toml", 0, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!told.contains("overlap"), "{told}");
}
