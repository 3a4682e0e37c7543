//! Whether sensors make sense.

use super::bodies::Bodies;
use super::checker::Checker;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::names::Names;
use crate::scene::schema::{MeasuredSpec, SceneSpec};
use crate::scene::suggest::closest;
use tactum_geometry::words::quoted;

/// Checks all `[[sensor]]`s.
pub fn check_sensors(check: &mut Checker, spec: &SceneSpec, bodies: &Bodies) {
    let root = KeyPath::default().key("sensor");
    let joints = Names::new(spec.joints.iter().map(|joint| joint.name.clone()));
    for (ix, sensor) in spec.sensors.iter().enumerate() {
        let at = root.ix(ix).key("measures");
        match &sensor.measures {
            MeasuredSpec::Energy => {}
            MeasuredSpec::Pose(body) => check_name(check, &at.key("pose"), "body", body, &bodies.names),
            MeasuredSpec::Velocity(body) => {
                check_name(check, &at.key("velocity"), "body", body, &bodies.names);
            }
            MeasuredSpec::Joint(joint) => check_name(check, &at.key("joint"), "joint", joint, &joints),
            MeasuredSpec::Contact(pair) => {
                let at = at.key("contact");
                pair.iter()
                    .enumerate()
                    .for_each(|(ix, body)| check_name(check, &at.ix(ix), "body", body, &bodies.names));
                if !matches!(pair.len(), 1 | 2) || pair.first() == pair.get(1) {
                    let message =
                        format!("the sensor '{}' has to name one body, or two different ones", sensor.name);
                    check.refuse(&at, Fault::error(message, "one or two bodies"));
                }
            }
        }
    }
    for (later, first, taken) in Names::new(spec.sensors.iter().map(|sensor| sensor.name.clone())).taken() {
        check.refuse_two(
            || root.ix(later).key("name"),
            || (root.ix(first).key("name"), "the first is"),
            || Fault::error(format!("two sensors are named '{taken}'"), "taken"),
        );
    }
}

fn check_name(check: &mut Checker, at: &KeyPath, what: &str, name: &str, known: &Names) {
    if known.find(name).is_none() {
        check.refuse_with(at, || {
            let fault =
                Fault::error(format!("no {what} is named '{}'", quoted(name)), format!("unknown {what}"));
            match closest(name, &known.all()) {
                Some(best) => fault.with_help(format!("did you mean '{best}'?")),
                None => fault,
            }
        });
    }
}
