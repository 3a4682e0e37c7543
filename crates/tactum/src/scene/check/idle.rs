//! Keys that have no effect beside others: most likely somebody thinks that they have one.

use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::schema::{
    BodySpec, ContactSpec, CouplingSpec, KindSpec, LocalSpec, ModelSpec, PatchSpec, RollingSpec, SceneSpec,
    SpinSpec,
};

/// Warns of every key of a scene that does nothing.
pub fn check_idle_keys(check: &mut Checker, spec: &SceneSpec) {
    let root = KeyPath::default();
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

fn check_contact(check: &mut Checker, at: &KeyPath, spec: &SceneSpec) {
    let contact = &spec.contact;
    if contact.damping > 0.0 && contact.compliance == 0.0 {
        let why = "damping does nothing where contacts are rigid";
        idle(check, &at.key("damping"), why, "give a compliance above zero too");
    }
    if contact.restitution_threshold.is_some() && contact.restitution == 0.0 {
        let why = "restitution_threshold does nothing where nothing bounces";
        idle(check, &at.key("restitution_threshold"), why, "give a restitution above zero too");
    }
    if contact.target_depth.is_some() && contact.target_volume.is_some() {
        let why = "target_depth does nothing beside target_volume";
        idle(check, &at.key("target_depth"), why, "give one of the two");
    }
    if matches!(contact.model, ModelSpec::Points) {
        check_points(check, at, spec);
    } else if matches!(contact.coupling, CouplingSpec::Ellipsoid) && spec.solver.local == LocalSpec::Paper {
        let why = "coupling does nothing with solver.local = \"paper\", which has a limit each for sliding and spinning";
        idle(check, &at.key("coupling"), why, "it is for solver.local = \"cone\"");
    }
}

/// What is about a block of six rows means nothing to single points.
fn check_points(check: &mut Checker, at: &KeyPath, spec: &SceneSpec) {
    let ContactSpec { patch, rolling, spin, coupling, .. } = &spec.contact;
    let given = [
        ("patch", *patch != PatchSpec::default()),
        ("rolling", !matches!(rolling, RollingSpec::Auto)),
        ("spin", *spin != SpinSpec::default()),
        ("coupling", !matches!(coupling, CouplingSpec::Surface)),
    ];
    let keys = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| (at.key(key), *key));
    let local = (KeyPath::default().key("solver").key("local"), "local");
    for (at, key) in keys.chain((spec.solver.local != LocalSpec::Cone).then_some(local)) {
        let why = format!("{key} does nothing with contact.model = \"points\"");
        idle(check, &at, &why, "it is for contact.model = \"patch\"");
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
