//! Settings that a scene states.

use std::path::Path;

use tactum::Scene;

/// A scene with a line in a section.
fn scene(section: &str, line: &str) -> String {
    format!("[[body]]\nname = 'thing'\nshape = {{ box = [1, 1, 1] }}\n[{section}]\n{line}\n")
}

/// Settings are refused by name, range and unit.
#[test]
fn settings_out_of_range_are_refused_with_the_range() {
    for (section, setting, expected) in [
        (
            "contact",
            "compliance = -1",
            "contact.compliance is -1, but has to be zero or more, and finite [m/N]",
        ),
        ("contact", "restitution = 1.5", "contact.restitution is 1.5, but has to be between 0 and 1"),
        ("contact", "target_depth = 0.2", "between 0 and 0.1 [of the smaller body's size]"),
        ("contact", "patch = { ellipse = 0 }", "contact.patch is 0, but has to be positive and finite"),
        ("contact", "patch = 'elipse'", "'elipse' is none of the choices here"),
        ("contact", "friction = -1", "contact.friction is -1, but has to be zero or more"),
        ("solver", "tolerance = 0", "solver.tolerance is 0, but has to be positive and finite [N s]"),
        ("solver", "motion_tolerance = 2", "solver.motion_tolerance is 2, but has to be between 0 and 1"),
        ("solver", "max_sweeps = 0", "solver.max_sweeps is 0, but has to be 1 or more"),
        ("solver", "max_sweeps = 4294967296", "a whole number from 0 to 4294967295"),
        ("solver", "relaxation = 2", "solver.relaxation is 2, but has to be above 0 and below 2"),
        ("solver", "compliance = 1", "unknown key 'compliance'"),
        ("solver", "dt = 0.01", "unknown key 'dt'"),
        ("contact", "relative_tolerance = 0.1", "unknown key 'relative_tolerance'"),
    ] {
        let said =
            Scene::parse(&scene(section, setting), Path::new("scene.toml")).expect_err("refused").to_string();
        assert!(said.contains(expected), "{said} lacks {expected}");
    }
    let rigid = Scene::parse(&scene("contact", "damping = 1"), Path::new("scene.toml")).expect("a scene");
    assert!(rigid.warnings()[0].to_string().contains("damping does nothing"));
    let soft = Scene::parse(
        &scene(
            "contact",
            "damping = 1
compliance = 1e-3",
        ),
        Path::new("scene.toml"),
    );
    assert!(soft.expect("a scene").warnings().is_empty());
}
