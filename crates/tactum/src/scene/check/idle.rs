//! Keys that have no effect beside others: most likely somebody thinks that they have one.

use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::schema::{BodySpec, KindSpec, RoundingSpec, SceneSpec};
use tactum_sim::settings::{FacetPressure, Setting};
use tactum_sim::{ContactLaw, ContactModel, LocalSolver, Settings, SpinCoupling};

/// Warns of every key of a scene that does nothing.
pub fn check_idle_keys(check: &mut Checker, spec: &SceneSpec) {
    let root = KeyPath::default();
    check_law(check, &root, spec);
    check_contact(check, &root.key("contact"), spec);
    for (ix, body) in spec.bodies.iter().enumerate() {
        check_body(check, &root.key("body").ix(ix), body);
    }
    for (ix, joint) in spec.joints.iter().enumerate() {
        if joint.touch && joint.bodies.len() == 1 {
            let why = "touch does nothing at a joint to the world, which is no body";
            idle(
                check,
                &root.key("joint").ix(ix).key("touch"),
                why,
                "a joint of two bodies can let them touch",
            );
        }
    }
}

/// Settings and rounding that the law in force does not use.
fn check_law(check: &mut Checker, root: &KeyPath, spec: &SceneSpec) {
    let in_force = spec.settings();
    let mut warn = |at: KeyPath, key: &str, laws: &[ContactLaw]| {
        let why = format!("{key} does nothing with contact.law = \"{}\"", in_force.law.name());
        let of: Vec<String> = laws.iter().map(|law| format!("\"{}\"", law.name())).collect();
        idle(check, &at, &why, &format!("it is for contact.law = {}", of.join(" or ")));
    };
    for (section, given) in [("contact", &spec.contact.settings), ("solver", &spec.solver.settings)] {
        let is_idle = |setting: &Setting| !setting.laws.is_empty() && !setting.laws.contains(&in_force.law);
        for (setting, _) in given.iter().filter(|(setting, _)| is_idle(setting)) {
            warn(root.key(section).key(setting.name()), setting.name(), setting.laws);
        }
    }
    if in_force.law != ContactLaw::ContinuousPenalty {
        for (ix, pair) in spec.pairs.iter().enumerate() {
            for (key, given) in [("stiffness", pair.stiffness), ("damping", pair.damping)] {
                if given.is_some() {
                    warn(root.key("pair").ix(ix).key(key), key, &[ContactLaw::ContinuousPenalty]);
                }
            }
        }
    }
    if in_force.law == ContactLaw::Facets {
        check_pressure(check, &root.key("contact"), spec, in_force.pressure);
        return;
    }
    for (ix, material) in spec.materials.iter().enumerate() {
        for (key, given) in [("young", material.young), ("poisson", material.poisson)] {
            if given.is_some() {
                warn(root.key("material").ix(ix).key(key), key, &[ContactLaw::Facets]);
            }
        }
    }
    for (ix, body) in spec.bodies.iter().enumerate() {
        if body.rounding != RoundingSpec::default() {
            warn(root.key("body").ix(ix).key("rounding"), "rounding", &[ContactLaw::Facets]);
        }
    }
}

/// Numbers that are of another pressure than that in force.
fn check_pressure(check: &mut Checker, at: &KeyPath, spec: &SceneSpec, pressure: FacetPressure) {
    let is_adhesive = matches!(pressure, FacetPressure::Jkr | FacetPressure::Maugis);
    let keys = [
        ("adhesion", is_adhesive, "\"jkr\" and \"maugis\""),
        ("cohesive_stress", pressure == FacetPressure::Maugis, "\"maugis\""),
        ("foundation", pressure == FacetPressure::Foundation, "\"foundation\""),
    ];
    let in_force = match pressure {
        FacetPressure::Hertz => "hertz",
        FacetPressure::Foundation => "foundation",
        FacetPressure::Jkr => "jkr",
        FacetPressure::Maugis => "maugis",
    };
    for (key, is_used, of) in keys {
        if spec.contact.settings.get(key).is_some() && !is_used {
            let why = format!("{key} does nothing with contact.pressure = \"{in_force}\"");
            idle(check, &at.key(key), &why, &format!("it is for contact.pressure = {of}"));
        }
    }
}

/// Settings of overlapping volumes that do nothing beside others of them.
fn check_contact(check: &mut Checker, at: &KeyPath, spec: &SceneSpec) {
    let given = |name| spec.contact.settings.get(name).is_some();
    let in_force = spec.settings();
    if in_force.law == ContactLaw::ContinuousPenalty && anything_bounces(spec, &in_force) {
        let why = "restitution does nothing with law = \"continuous_penalty\"";
        idle(check, at, why, "what comes back follows from stiffness, damping and the time step");
    }
    if in_force.law != ContactLaw::Volume {
        return;
    }
    if in_force.damping > 0.0 && in_force.compliance == 0.0 {
        let why = "damping does nothing where contacts are rigid";
        idle(check, &at.key("damping"), why, "give a compliance above zero too");
    }
    if given("restitution_threshold") && !anything_bounces(spec, &in_force) {
        let why = "restitution_threshold does nothing where nothing bounces";
        idle(check, &at.key("restitution_threshold"), why, "give a restitution above zero too");
    }
    if given("target_depth") && given("target_volume") {
        let why = "target_depth does nothing beside target_volume";
        idle(check, &at.key("target_depth"), why, "give one of the two");
    }
    let is_paper = in_force.local == LocalSolver::Paper;
    if in_force.contact == ContactModel::Points {
        check_points(check, at, spec);
    } else if in_force.coupling == SpinCoupling::Ellipsoid && is_paper {
        let why = "coupling does nothing with solver.local = \"paper\", which has a limit each for sliding and spinning";
        idle(check, &at.key("coupling"), why, "it is for solver.local = \"cone\"");
    }
}

fn anything_bounces(spec: &SceneSpec, in_force: &Settings) -> bool {
    let of_materials = spec.materials.iter().filter_map(|material| material.restitution);
    let of_pairs = spec.pairs.iter().filter_map(|pair| pair.restitution);
    of_materials.chain(of_pairs).chain([in_force.restitution]).any(|restitution| restitution > 0.0)
}

/// What is about a block of six rows means nothing to single points.
fn check_points(check: &mut Checker, at: &KeyPath, spec: &SceneSpec) {
    let (given, default) = (spec.settings(), Settings::default());
    let keys = [
        (at.key("patch"), "patch", given.patch != default.patch),
        (at.key("rolling"), "rolling", given.rolling != default.rolling),
        (at.key("spin"), "spin", given.spin != default.spin),
        (at.key("coupling"), "coupling", given.coupling != default.coupling),
        (KeyPath::default().key("solver").key("local"), "local", given.local != default.local),
    ];
    for (at, key, _) in keys.iter().filter(|(.., is_given)| *is_given) {
        let why = format!("{key} does nothing with contact.model = \"points\"");
        idle(check, at, &why, "it is for contact.model = \"patch\"");
    }
}

fn check_body(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    let given = [
        ("density", body.density.is_some()),
        ("mass", body.mass.is_some()),
        ("inertia", body.inertia.is_some()),
    ];
    let moved_by_nothing = match body.kind {
        KindSpec::Dynamic => None,
        KindSpec::Static => Some("static"),
        KindSpec::Kinematic => Some("kinematic"),
    };
    if let Some(kind) = moved_by_nothing {
        for (key, _) in given.iter().filter(|(_, is_given)| *is_given) {
            let why = format!("{key} does nothing in a {kind} body: no force moves '{}'", body.name);
            idle(check, &at.key(key), &why, "it is for kind = \"dynamic\"");
        }
    }
    if let Some(copies) = &body.copies
        && copies.seed != 0
        && copies.jitter == 0.0
        && !copies.random_orientation
    {
        let why = "seed does nothing where nothing is random";
        idle(
            check,
            &at.key("copies").key("seed"),
            why,
            "give a jitter above zero or random_orientation = true",
        );
    }
}

fn idle(check: &mut Checker, at: &KeyPath, why: &str, help: &str) {
    check.warn(at, Fault::warning(why, "has no effect").with_help(help));
}
