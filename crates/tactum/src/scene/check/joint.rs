//! Whether a joint makes sense.

use super::bodies::Bodies;
use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::names::Names;
use crate::scene::schema::{
    JointKindSpec, JointSpec, KindSpec, PrismaticSpec, RevoluteSpec, SceneSpec, ValueOverTimeSpec,
};
use crate::scene::suggest::closest;
use tactum_geometry::words::{number, number_beside, quoted};
use tactum_sim::ContactLaw;

/// Checks all `[[joint]]`s.
pub fn check_joints(check: &mut Checker, spec: &SceneSpec, bodies: &Bodies) {
    let root = KeyPath::default().key("joint");
    check_names(check, &root, spec);
    check_law(check, &root, spec);
    for (ix, joint) in spec.joints.iter().enumerate() {
        let at = root.ix(ix);
        check_bodies(check, &at.key("bodies"), joint, bodies);
        check.vector(&at.key("anchor"), joint.anchor, "m");
        check.direction(&at.key("axis"), &joint.axis, "an axis");
        check_kind(check, &at.key("kind"), &joint.kind);
        for (key, limit, unit) in
            [("break_force", joint.break_force, "N"), ("break_torque", joint.break_torque, "N m")]
        {
            if let Some(limit) = limit {
                check.positive(&at.key(key), limit, unit);
            }
        }
    }
}

/// Joints hold by impulses, which the laws of forces know nothing of.
fn check_law(check: &mut Checker, root: &KeyPath, spec: &SceneSpec) {
    let law = spec.settings().law;
    if let Some(joint) = spec.joints.first()
        && law != ContactLaw::Volume
    {
        let message = format!(
            "joint '{}' does not go together with contact.law = \"{}\": its sub-steps know forces only",
            quoted(&joint.name),
            law.name()
        );
        let fault = Fault::error(message, "this joint").with_help("joints go with contact.law = \"volume\"");
        let of_law = (KeyPath::default().key("contact").key("law"), "the law is");
        check.refuse_two(|| root.ix(0).key("name"), || of_law, || fault);
    }
}

fn check_names(check: &mut Checker, root: &KeyPath, spec: &SceneSpec) {
    let name = |ix: usize| root.ix(ix).key("name");
    for (ix, joint) in spec.joints.iter().enumerate() {
        if joint.name.trim().is_empty() {
            check.refuse(&name(ix), Fault::error(format!("joint {ix} has an empty name"), "empty"));
        }
    }
    for (later, first, taken) in Names::new(spec.joints.iter().map(|joint| joint.name.clone())).taken() {
        check.refuse_two(
            || name(later),
            || (name(first), "the first is"),
            || {
                let message = format!("two joints are named '{taken}'");
                Fault::error(message, "taken").with_help("names tell joints apart in reports")
            },
        );
    }
}

fn check_bodies(check: &mut Checker, at: &KeyPath, joint: &JointSpec, bodies: &Bodies) {
    let name = &joint.name;
    if !matches!(joint.bodies.len(), 1 | 2) {
        let message = format!("the joint '{name}' has {} bodies, but has to have 1 or 2", joint.bodies.len());
        check.refuse(at, Fault::error(message, "one body is joined to the world, two to each other"));
        return;
    }
    let mut kinds = Vec::new();
    for (ix, body) in joint.bodies.iter().enumerate() {
        match bodies.names.find(body) {
            Some(found) => kinds.push(bodies.kinds[found]),
            None => check.refuse_with(&at.ix(ix), || {
                let fault = Fault::error(format!("no body is named '{}'", quoted(body)), "unknown body");
                match closest(body, &bodies.names.all()) {
                    Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                    None => fault,
                }
            }),
        }
    }
    if kinds.len() < joint.bodies.len() {
        return;
    }
    if joint.bodies.len() == 2 && joint.bodies[0] == joint.bodies[1] {
        let message = format!("the joint '{name}' joins '{}' to itself", joint.bodies[0]);
        check.refuse(at, Fault::error(message, "twice the same"));
    } else if !kinds.contains(&KindSpec::Dynamic) {
        let message = format!("the joint '{name}' joins nothing dynamic, so it has no effect");
        check.refuse(at, Fault::error(message, "nothing here can be moved by a joint"));
    }
}

fn check_kind(check: &mut Checker, at: &KeyPath, kind: &JointKindSpec) {
    match kind {
        JointKindSpec::Rigid => {}
        JointKindSpec::Spherical(ball) => {
            if let Some(limit) = ball.limit_deg
                && !(limit > 0.0 && limit <= 180.0)
            {
                let limit = number_beside(limit, if limit > 0.0 { 180.0 } else { 0.0 });
                let message = format!("limit_deg is {limit}, but has to be above 0 and up to 180 [degrees]");
                check.refuse(&at.key("spherical").key("limit_deg"), Fault::error(message, "out of range"));
            }
        }
        JointKindSpec::Revolute(hinge) => check_hinge(check, &at.key("revolute"), hinge),
        JointKindSpec::Prismatic(slide) => check_slide(check, &at.key("prismatic"), slide),
    }
}

fn check_hinge(check: &mut Checker, at: &KeyPath, hinge: &RevoluteSpec) {
    check_limits(check, &at.key("limits_deg"), hinge.limits_deg, "degrees");
    check_one_drive(check, at, hinge.motor.is_some(), hinge.servo.is_some());
    if let Some(motor) = &hinge.motor {
        let at = at.key("motor");
        check_over_time(check, &at.key("speed"), &motor.speed, "rad/s");
        check_strength(check, &at.key("max_torque"), motor.max_torque, "N m");
    }
    if let Some(servo) = &hinge.servo {
        let at = at.key("servo");
        check_over_time(check, &at.key("target_deg"), &servo.target_deg, "degrees");
        check_gains(check, &at, servo.stiffness, servo.damping, ["N m/rad", "N m s/rad"]);
        check_strength(check, &at.key("max_torque"), servo.max_torque, "N m");
    }
}

fn check_slide(check: &mut Checker, at: &KeyPath, slide: &PrismaticSpec) {
    check_limits(check, &at.key("limits"), slide.limits, "m");
    check_one_drive(check, at, slide.motor.is_some(), slide.servo.is_some());
    if let Some(motor) = &slide.motor {
        let at = at.key("motor");
        check_over_time(check, &at.key("speed"), &motor.speed, "m/s");
        check_strength(check, &at.key("max_force"), motor.max_force, "N");
    }
    if let Some(servo) = &slide.servo {
        let at = at.key("servo");
        check_over_time(check, &at.key("target"), &servo.target, "m");
        check_gains(check, &at, servo.stiffness, servo.damping, ["N/m", "N s/m"]);
        check_strength(check, &at.key("max_force"), servo.max_force, "N");
    }
}

fn check_limits(check: &mut Checker, at: &KeyPath, limits: Option<[f64; 2]>, unit: &str) {
    let Some([low, high]) = limits else { return };
    if check.finite(&at.ix(0), low, unit)
        && check.finite(&at.ix(1), high, unit)
        && !(low <= 0.0 && high >= 0.0)
    {
        let [from, to] = [low, high].map(number);
        let message = format!("{at} is [{from}, {to}], but has to hold 0, where the joint is at the start");
        let fault = Fault::error(message, "the start is outside");
        check.refuse(at, if low > high { fault.with_help("the smaller one comes first") } else { fault });
    }
}

fn check_one_drive(check: &mut Checker, at: &KeyPath, motor: bool, servo: bool) {
    if motor && servo {
        let fault = Fault::error("the joint has both a motor and a servo", "give one of the two")
            .with_help("a motor keeps to a speed, a servo pulls towards a position");
        check.refuse(&at.key("servo"), fault);
    }
}

fn check_strength(check: &mut Checker, at: &KeyPath, strength: Option<f64>, unit: &str) {
    if let Some(strength) = strength {
        check.not_negative(at, strength, unit);
    }
}

fn check_gains(check: &mut Checker, at: &KeyPath, stiffness: f64, damping: f64, units: [&str; 2]) {
    let both = check.not_negative(&at.key("stiffness"), stiffness, units[0])
        & check.not_negative(&at.key("damping"), damping, units[1]);
    if both && stiffness == 0.0 && damping == 0.0 {
        check.refuse(at, Fault::error("a servo without stiffness and damping does nothing", "both are 0"));
    }
}

fn check_over_time(check: &mut Checker, at: &KeyPath, value: &ValueOverTimeSpec, unit: &str) {
    match value {
        ValueOverTimeSpec::Constant(value) => {
            check.finite(at, *value, unit);
        }
        ValueOverTimeSpec::Points(points) => {
            if points.is_empty() {
                check.refuse(at, Fault::error(format!("{at} is an empty list"), "no values"));
            }
            for (ix, [time, value]) in points.iter().enumerate() {
                check.finite(&at.ix(ix).ix(0), *time, "s");
                check.finite(&at.ix(ix).ix(1), *value, unit);
            }
            if let Some(ix) = points.windows(2).position(|pair| pair[1][0] < pair[0][0]) {
                let [before, after] = [points[ix][0], points[ix + 1][0]];
                let message = format!(
                    "{at} goes back in time: {} s after {} s",
                    number_beside(after, before),
                    number(before)
                );
                check.refuse(&at.ix(ix + 1), Fault::error(message, "times have to be in order"));
            }
        }
    }
}
