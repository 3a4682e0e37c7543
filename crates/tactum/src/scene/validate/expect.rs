//! Whether an expectation can be tested.

use super::check::Checker;
use crate::scene::fault::Fault;
use crate::scene::locate::KeyPath;
use crate::scene::schema::{Bound, ExpectSpec, SceneSpec};
use crate::scene::suggest::closest;

/// Checks one `[[expect]]`.
pub fn check_expectation(check: &mut Checker, at: &KeyPath, expect: &ExpectSpec, scene: &SceneSpec) {
    check_when(check, at, expect, scene);
    let of_body = expect.body_bounds();
    let of_joint = expect.joint_bounds();
    let of_world = expect.world_bounds();
    if of_body.is_empty() && of_joint.is_empty() && of_world.is_empty() {
        check.refuse(at, Fault::error("the expectation expects nothing", "no quantity is bounded"));
    }
    for &(name, bound) in of_body.iter().chain(&of_joint).chain(&of_world) {
        check_bound(check, &at.key(name), bound);
    }
    check_whose(check, at, &Whose::body(scene), &of_body, expect.body.as_ref());
    check_whose(check, at, &Whose::joint(scene), &of_joint, expect.joint.as_ref());
}

/// Bodies or joints of a scene, as an expectation names them.
struct Whose {
    key: &'static str,
    all: &'static str,
    names: Vec<String>,
}

impl Whose {
    fn body(scene: &SceneSpec) -> Self {
        Self { key: "body", all: "every body that is not static", names: scene.expanded_names() }
    }

    fn joint(scene: &SceneSpec) -> Self {
        let names = scene.joints.iter().map(|joint| joint.name.clone()).collect();
        Self { key: "joint", all: "every joint", names }
    }
}

/// Checks that quantities of a body or joint say of which, and that a name fits one.
fn check_whose(
    check: &mut Checker,
    at: &KeyPath,
    whose: &Whose,
    bounds: &[(&str, &Bound)],
    pattern: Option<&String>,
) {
    let Whose { key, all, names } = whose;
    match (pattern, bounds.first()) {
        (None, Some((name, _))) => {
            let fault = Fault::error(
                format!("'{name}' is a {key}'s, but no {key} is named"),
                format!("of which {key}?"),
            )
            .with_help(format!("add {key} = \"NAME\", or {key} = \"*\" for {all}"));
            check.refuse(&at.key(name), fault);
        }
        (Some(pattern), _) if !names.iter().any(|name| crate::scene::matches(pattern, name)) => {
            let fault = Fault::error(format!("no {key} is named '{pattern}'"), format!("unknown {key}"));
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let fault = match closest(pattern, &known) {
                Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                None => fault,
            };
            check.refuse(&at.key(key), fault);
        }
        _ => {}
    }
}

fn check_when(check: &mut Checker, at: &KeyPath, expect: &ExpectSpec, scene: &SceneSpec) {
    let Some(time) = expect.time else { return };
    if expect.always {
        check.refuse(
            &at.key("always"),
            Fault::error("an expectation has a time or holds always, not both", "or time"),
        );
    }
    if check.not_negative(&at.key("time"), time, "s") && time > scene.duration * (1.0 + 1e-12) {
        let message = format!("the scene ends at {} s, before {time} s", scene.duration);
        check.refuse(&at.key("time"), Fault::error(message, "after the end"));
    }
}

fn check_bound(check: &mut Checker, at: &KeyPath, bound: &Bound) {
    let numbers =
        [("is", bound.is), ("within", bound.within), ("below", bound.below), ("above", bound.above)];
    for (name, value) in numbers {
        if let Some(value) = value {
            check.finite(&at.key(name), value, "");
        }
    }
    if bound.is.is_some() != bound.within.is_some() {
        let fault = Fault::error("'is' and 'within' belong together", "one of the two is missing")
            .with_help("{ is = 1.0, within = 1e-6 }; the tolerance has to be stated");
        check.refuse(at, fault);
    }
    if numbers.iter().all(|(_, value)| value.is_none()) {
        let fault = Fault::error(format!("{at} is not bounded"), "empty")
            .with_help("{ is = 1.0, within = 1e-6 }, { below = 2.0 } or { above = 0.5 }");
        check.refuse(at, fault);
    }
}
