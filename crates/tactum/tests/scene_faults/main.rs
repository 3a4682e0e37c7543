//! What is refused in a scene file, and in which words.

mod every_key;
mod parameters;
#[path = "../stage/mod.rs"]
mod stage;
mod texts;

use std::path::Path;

use tactum::build::build;
use tactum::scene::{Scene, SceneError};

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

/// Tables are not given by the order of their entries.
#[test]
fn a_table_has_to_be_a_table() {
    assert_refused(
        &body("copies = [[1, 1, 2], [1, 1, 1]]"),
        &["copies is a list", "a table: { grid = ..., spacing = ..., ... }"],
    );
    assert_refused("[[body]]\nname = 'a'\nshape = { capsule = [0.1, 0.2] }\n", &["capsule is a list"]);
    assert_refused("body = [['a', 'dynamic', { box = [1, 1, 1] }]]\n", &["body[0] is a list", "[[body]]"]);
    assert_refused("[body]\nname = 'a'\n", &["[[body]], with two brackets"]);
    assert_refused(
        &body("orientation = { axis_angle = { axis = [0, 0, 1], deg = 1, foo = 2 } }"),
        &["unknown key 'foo'"],
    );
    assert_refused(&body("gravity = [0, 0, 1]"), &["key of the whole file"]);
    assert_refused(&body("restitution = 0.5"), &["a key of [contact] and of [[material]] and of [[pair]]"]);
    let sensor = format!("{}[[sensor]]\nname = 's'\nmeasures = 'energy'\nbody = 'a'\n", body(""));
    assert_refused(&sensor, &["[[body]] is a table of the whole file", "known here: ", "measures"]);
    assert_refused(
        &body("\n[[sensor]]\nname = 's'\nmeasures = { contact = ['a', 'b', 'a'] }"),
        &["a list of up to 2 texts in quotes, found length 3"],
    );
}

/// What is made from its measures is no shape of its own: it stands below `generate`.
#[test]
fn an_unknown_shape_is_told_the_generators() {
    let shape = |shape: &str| format!("[[body]]\nname = 'a'\nshape = {shape}\n");
    assert_refused(
        &shape("{ torus = { radius = 1 } }"),
        &["unknown key 'torus'", "write generate = { torus = { ... } }"],
    );
    assert_refused(&shape("{ toruss = { radius = 1 } }"), &["did you mean generate = { torus = { ... } }?"]);
    assert_refused(&shape("{ cylindr = { radius = 1 } }"), &["did you mean 'cylinder'?"]);
    let listed =
        ["box, sphere, capsule, cylinder, cone", "generate = { ... } takes one out of", "torus_knot"];
    assert_refused(&shape("{ wheel = { radius = 1 } }"), &listed);
    assert_refused(&shape("'wheel'"), &["'wheel' is none of the choices here", listed[1]]);
}

/// A colour is known by its name or its digits, and a scene can be looked at from places that there are.
#[test]
fn colours_and_views_are_checked() {
    assert_refused(&body("color = 'oragne'"), &["has the color 'oragne'", "did you mean 'orange'?"]);
    assert_refused(&body("color = '#12345'"), &["'#12345'", "six digits"]);
    assert_eq!(faults(&body("color = '#12345f'")), Vec::<String>::new());
    let view = |entry: &str| format!("[view]\n{entry}\n{}", body(""));
    assert_refused(&view("pitch_deg = 91"), &["view.pitch_deg is 91", "90"]);
    assert_refused(&view("size = 0"), &["view.size is 0", "positive"]);
    assert_refused(&view("time = -1"), &["view.time is -1", "scene.toml:2:8"]);
    assert_refused(&view("opacity = 1.5"), &["view.opacity is 1.5"]);
    assert_refused(&view("targte = [0, 0, 1]"), &["did you mean 'target'?"]);
    assert_eq!(faults(&view("target = [0, 0, 1]\nsize = 0.2")), Vec::<String>::new());
}

/// Cylinders and cones have measures that are positive.
#[test]
fn measures_of_cylinders_and_cones() {
    for name in ["cylinder", "cone"] {
        let shape =
            |measures: &str| format!("[[body]]\nname = 'a'\nshape = {{ {name} = {{ {measures} }} }}\n");
        assert_eq!(faults(&shape("radius = 0.1, height = 0.05")), Vec::<String>::new());
        assert_refused(&shape("radius = 0.0, height = 1"), &[&format!("{name}.radius")]);
        assert_refused(&shape("radius = 1, height = -1"), &[&format!("{name}.height")]);
        assert_refused(&shape("radius = 1"), &["the key 'height' is missing"]);
    }
}

#[test]
fn names_are_short_and_printable() {
    let named = |name: &str| format!("[[body]]\nname = \"{name}\"\nshape = {{ box = [1, 1, 1] }}\n");
    assert_eq!(faults(&named(&"ü".repeat(128))), Vec::<String>::new());
    assert_refused(&named(&"a".repeat(129)), &["129 characters", "128"]);
    assert_refused(&named(&"a".repeat(65_536)), &["65536 characters"]);
    assert_refused(&named(r"a\u001b[31m"), &["\\u{1b}", "is not seen"]);
    // Nothing of these is seen, so that two names would look alike.
    for invisible in ["ad", "200d", "fe0f", "3164", "fff9", "e0041"] {
        let c = char::from_u32(u32::from_str_radix(invisible, 16).expect("a number")).expect("a character");
        assert_refused(&named(&format!("a{c}")), &[&format!("\\u{{{invisible}}}")]);
    }
    // In a text for people joiners have their place.
    let text = format!("description = \"{}\"\n{}", "\u{200d}\u{fe0f}", named("a"));
    assert_eq!(faults(&text), Vec::<String>::new());

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
    for bound in ["is = 1.5, within = 0.2", "above = 0.5, below = 0.7", "above = 1, below = 2"] {
        for count in ["contacts", "unsolved_steps"] {
            let text = expect(&format!("{count} = {{ {bound} }}"));
            assert_refused(&text, &["can never hold: no whole number"]);
        }
    }
    for bound in ["is = 1.5, within = 0.5", "above = 0.5, below = 1.1", "above = 1, below = 2.1"] {
        assert_eq!(faults(&expect(&format!("contacts = {{ {bound} }}"))), Vec::<String>::new());
    }
    for (kind, is_fine) in [("{ spherical = {} }", false), ("{ revolute = {} }", true)] {
        let joint = format!(
            "[[joint]]\nname = 'j'\nbodies = ['thing']\nkind = {kind}\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n"
        );
        let text = format!("{}{joint}", expect("joint = 'j'\nangle_deg = { below = -1 }"));
        assert_eq!(faults(&text).iter().any(|fault| fault.contains("can never hold")), !is_fine, "{kind}");
    }
    for (bound, what) in [
        ("speed = { above = -1 }", "speed is always zero or more, and finite [m/s]"),
        ("tilt_deg = { below = 181 }", "tilt_deg is always between 0 and 180 [degrees]"),
        ("turn_deg = { is = 90, within = 90 }", "turn_deg is always between 0 and 180"),
        ("kinetic_energy_of_peak = { above = 0.5, below = 1.5 }", "is always between 0 and 1"),
        ("contacts = { above = -0.5, below = 3 }", "contacts is always zero or more"),
    ] {
        assert_refused(&expect(&format!("body = 'thing'\n{bound}")), &["can never fail", what]);
    }
    for bound in ["speed = { above = 0 }", "tilt_deg = { below = 180 }", "z = { above = -1 }"] {
        assert_eq!(faults(&expect(&format!("body = 'thing'\n{bound}"))), Vec::<String>::new());
    }
    assert_refused(
        &expect("body = 'thing'\nspeeed = { below = 1 }"),
        &["unknown key 'speeed'", "did you mean 'speed'?"],
    );
    for quantity in ["contacts", "depth_of_size", "deepest", "velocity_error"] {
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
        (body("position = [1e15, 0, 0]"), "stands too far out: 1e15 m from the origin"),
        (body("center_of_mass = [0, 1e30, 0]"), "stands too far out: 1e30 m from the origin"),
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
