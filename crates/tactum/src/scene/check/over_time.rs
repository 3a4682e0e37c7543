//! Whether paths and forces over time make sense.

use super::bodies::Bodies;
use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::named_bodies::NamedBodies;
use crate::scene::schema::{
    BodySpec, ForceSpec, KindSpec, MotionSpec, OrientationSpec, SceneSpec, VectorOverTimeSpec,
};
use crate::scene::suggest::closest;
use tactum_geometry::words::{number, number_beside, quoted};

/// Checks the path of a body.
pub fn check_motion(check: &mut Checker, at: &KeyPath, body: &BodySpec, motion: &MotionSpec) {
    if body.kind != KindSpec::Kinematic {
        let message = format!("the body '{}' has a motion, but is not kinematic", body.name);
        let fault = Fault::error(message, "for a kinematic body")
            .with_help("kind = \"kinematic\" follows a path, whatever is in its way; servos and [[force]] drive dynamic bodies");
        check.refuse(at, fault);
    }
    if body.linear_velocity != [0.0; 3] || body.angular_velocity != [0.0; 3] {
        let message = format!("the body '{}' has a velocity beside its motion", body.name);
        check.refuse(at, Fault::error(message, "gives the velocity"));
    }
    let has_lists = !motion.places.is_empty() || !motion.turns_deg.is_empty();
    if has_lists && motion.file.is_some() {
        let message = format!("the motion of '{}' has both lists and a file", body.name);
        check.refuse(&at.key("file"), Fault::error(message, "one of the two"));
    } else if !has_lists && motion.file.is_none() {
        let fault = Fault::error(format!("the motion of '{}' is empty", body.name), "goes nowhere")
            .with_help(
                "places = [[time, x, y, z], ...], turns_deg = [[time, x, y, z], ...] or file = \"path.csv\"",
            );
        check.refuse(at, fault);
    }
    if motion.of.is_some() && motion.file.is_none() {
        check.warn(&at.key("of"), Fault::warning("of does nothing without a file", "has no effect"));
    }
    for (key, entries, unit) in [("places", &motion.places, "m"), ("turns_deg", &motion.turns_deg, "degrees")]
    {
        check_entries(check, &at.key(key), entries, unit, Order::Growing);
    }
    if motion.repeat {
        let ends = |entries: &[[f64; 4]]| {
            let vector = |&[_, x, y, z]: &[f64; 4]| [x, y, z];
            Some([vector(entries.first()?), vector(entries.last()?)])
        };
        let is_open = [
            ("places", ends(&motion.places).is_some_and(|[first, last]| first != last)),
            ("turns_deg", ends(&motion.turns_deg).is_some_and(|[first, last]| !is_one_turn(first, last))),
        ];
        for (key, _) in is_open.into_iter().filter(|(_, is_open)| *is_open) {
            let message = format!("the motion of '{}' repeats, but does not end where it begins", body.name);
            check.refuse(&at.key(key), Fault::error(message, "the last entry is not the first one"));
        }
    }
}

/// Whether angles about the axes are one turn but for rounding: 360 degrees end where 0 begin.
fn is_one_turn(a: [f64; 3], b: [f64; 3]) -> bool {
    /// A few roundings of sines of angles of some turns.
    const ROUNDING: f64 = 1e-12;
    let [a, b] = [a, b].map(|angles| OrientationSpec::EulerDeg(angles).rotation());
    a.dot(b).abs() > 1.0 - ROUNDING
}

/// Whether entries may share a time.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Growing,
    WithJumps,
}

fn check_entries(check: &mut Checker, at: &KeyPath, entries: &[[f64; 4]], unit: &str, order: Order) {
    for (ix, [time, vector @ ..]) in entries.iter().enumerate() {
        check.finite(&at.ix(ix).ix(0), *time, "s");
        for (axis, x) in (1..).zip(vector) {
            check.finite(&at.ix(ix).ix(axis), *x, unit);
        }
    }
    let is_wrong =
        |pair: &[[f64; 4]]| pair[1][0] < pair[0][0] || order == Order::Growing && pair[1][0] == pair[0][0];
    if let Some(ix) = entries.windows(2).position(is_wrong) {
        let [before, after] = [entries[ix][0], entries[ix + 1][0]];
        let message = format!(
            "{at} {} {} s after {} s",
            if after < before { "goes back in time:" } else { "jumps:" },
            number_beside(after, before),
            number(before)
        );
        check.refuse(&at.ix(ix + 1), Fault::error(message, "times have to grow"));
    }
}

/// Checks all `[[force]]`s.
pub fn check_forces(check: &mut Checker, spec: &SceneSpec, bodies: &Bodies) {
    let named = NamedBodies::new(&spec.bodies, &bodies.names);
    for (ix, force) in spec.forces.iter().enumerate() {
        let at = KeyPath::default().key("force").ix(ix);
        check_body(check, &at.key("body"), force, bodies, &named);
        for (key, vector, unit) in [("force", &force.force, "N"), ("torque", &force.torque, "N m")] {
            match vector {
                VectorOverTimeSpec::Constant(vector) => {
                    check.vector(&at.key(key), *vector, unit);
                }
                VectorOverTimeSpec::Points(entries) if entries.is_empty() => {
                    check.refuse(
                        &at.key(key),
                        Fault::error(format!("{at}.{key} is an empty list"), "no values"),
                    );
                }
                VectorOverTimeSpec::Points(entries) => {
                    check_entries(check, &at.key(key), entries, unit, Order::WithJumps);
                }
            }
        }
        if force.force == VectorOverTimeSpec::default() && force.torque == VectorOverTimeSpec::default() {
            check.warn(
                &at,
                Fault::warning("this force is none: it has neither a force nor a torque", "has no effect"),
            );
        }
        if let Some(point) = force.at {
            check.vector(&at.key("at"), point, "m");
        }
    }
}

fn check_body(
    check: &mut Checker,
    at: &KeyPath,
    force: &ForceSpec,
    bodies: &Bodies,
    named: &NamedBodies<'_>,
) {
    let meant = named.meant_by(&force.body);
    if meant.is_empty() {
        check.refuse_with(at, || {
            let fault = Fault::error(format!("no body is named '{}'", quoted(&force.body)), "unknown body");
            match closest(&force.body, &named.all()) {
                Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                None => fault,
            }
        });
    } else if let Some(still) = meant.iter().find(|ix| bodies.kinds[**ix as usize] != KindSpec::Dynamic) {
        let message = format!("no force moves '{}', which is not dynamic", bodies.name(*still as usize));
        check.refuse(at, Fault::error(message, "not dynamic"));
    }
}
