//! Curves of a body, of the contacts of two bodies, of a joint, and of a sensor.

use glam::DVec3;
use tactum_sim::JointState;
use tactum_sim::joint::JointKind;

use super::{Chart, Curve, Sampled};
use crate::frame::{ContactView, Frame};
use crate::palette::{Rgb, mark};

/// Colours of the axes, as those of the layer of bodies' axes.
const AXES: [(&str, Rgb); 3] = [("x", mark::VERMILION), ("y", mark::GREEN), ("z", mark::BLUE)];

fn chart(title: &'static str, curves: Vec<Curve>) -> Chart {
    Chart { title, is_logarithmic: false, is_over_time: true, curves }
}

/// A vector as three curves.
fn vector(frames: &Sampled<'_>, value: impl Fn(&Frame) -> Option<DVec3>) -> Vec<Curve> {
    let curve = |(axis, (name, colour)): (usize, (&str, Rgb))| {
        frames.of_frames(name, colour, |frame| Some(value(frame)?[axis]))
    };
    AXES.into_iter().enumerate().map(curve).collect()
}

/// Position of a body's shape, velocities, and the force of all its contacts on it.
pub fn body(frames: &Sampled<'_>, body: u32) -> Vec<Chart> {
    let ix = body as usize;
    let force = |frame: &Frame| {
        let of_contact = |contact: &ContactView| {
            let [a, b] = contact.record.bodies.map(|id| id.0);
            let on_b = contact.force(frame.dt);
            if b == body {
                on_b
            } else if a == body {
                -on_b
            } else {
                DVec3::ZERO
            }
        };
        frame.state.bodies.get(ix).map(|_| frame.contacts.iter().map(of_contact).sum())
    };
    vec![
        chart("position [m]", vector(frames, |frame| frame.poses.get(ix).map(|pose| pose.translation))),
        chart(
            "velocity [m/s]",
            vector(frames, |frame| frame.state.bodies.get(ix).map(|state| state.linear_velocity)),
        ),
        chart(
            "angular velocity [rad/s]",
            vector(frames, |frame| frame.state.bodies.get(ix).map(|state| state.angular_velocity)),
        ),
        chart("force of all contacts [N]", vector(frames, force)),
    ]
}

/// What presses and what rubs between two bodies, and how deep they are in each other.
pub fn pair(frames: &Sampled<'_>, bodies: [u32; 2]) -> Vec<Chart> {
    let contacts = move |frame: &Frame| -> Vec<ContactView> {
        let is_theirs = |contact: &&ContactView| contact.record.bodies.map(|id| id.0) == bodies;
        frame.contacts.iter().filter(is_theirs).cloned().collect()
    };
    let normal = |frame: &Frame| {
        contacts(frame).iter().map(|contact| contact.record.impulse[0]).sum::<f64>() / frame.dt
    };
    let friction = |frame: &Frame| {
        let across = |contact: &ContactView| {
            let normal = contact.record.normal * contact.record.impulse[0] / frame.dt;
            contact.force(frame.dt) - normal
        };
        contacts(frame).iter().map(across).sum::<DVec3>().length()
    };
    let depth =
        |frame: &Frame| contacts(frame).iter().map(|contact| contact.record.depth).fold(0.0, f64::max);
    vec![
        chart(
            "force [N]",
            vec![
                frames.of_frames("pressing", mark::VERMILION, |frame| Some(normal(frame))),
                frames.of_frames("friction", mark::ORANGE, |frame| Some(friction(frame))),
            ],
        ),
        chart(
            "largest mean depth [m]",
            vec![frames.of_frames("depth", mark::BLUE, |frame| Some(depth(frame)))],
        ),
    ]
}

/// A joint's angle or travel, and what it carries.
pub fn joint(frames: &Sampled<'_>, frame: &Frame, joint: u32) -> Vec<Chart> {
    let ix = joint as usize;
    let is_slide =
        matches!(frame.model.joints.get(ix).map(|joint| &joint.kind), Some(JointKind::Prismatic { .. }));
    let state = |value: &dyn Fn(&JointState, &Frame) -> f64, frame: &Frame| {
        frame.state.joints.get(ix).map(|state| value(state, frame))
    };
    let one = |title, name: &str, colour, value: &dyn Fn(&JointState, &Frame) -> f64| {
        chart(title, vec![frames.of_frames(name, colour, |frame| state(value, frame))])
    };
    let coordinate = match is_slide {
        true => one("travel [m]", "travel", mark::BLUE, &|state, _| state.coordinate),
        false => one("angle [degrees]", "angle", mark::BLUE, &|state, _| state.coordinate.to_degrees()),
    };
    vec![
        coordinate,
        one("force [N]", "force", mark::VERMILION, &|state, frame| state.force.length() / frame.dt),
        one("torque [N m]", "torque", mark::PURPLE, &|state, frame| state.torque.length() / frame.dt),
    ]
}

/// What a sensor measures, as the table of sensors has it: a chart for each vector, or for what else has a unit in common.
pub fn sensor(frames: &Sampled<'_>, frame: &Frame, sensor: u32) -> Vec<Chart> {
    let ix = sensor as usize;
    let Some(info) = frame.model.sensors.get(ix) else { return Vec::new() };
    let mut charts: Vec<(&str, Chart)> = Vec::new();
    for (place, &(quantity, unit)) in info.quantities.iter().enumerate() {
        if charts.last().is_none_or(|(of, _)| *of != unit) {
            charts.push((unit, chart(measured(quantity, unit), Vec::new())));
        }
        let Some((_, Chart { curves, .. })) = charts.last_mut() else { continue };
        let colour = AXES.get(curves.len()).map_or(mark::PURPLE, |(_, colour)| *colour);
        curves.push(frames.of_frames(quantity, colour, |frame| frame.readings(ix).get(place).copied()));
    }
    charts.into_iter().map(|(_, chart)| chart).collect()
}

/// What quantities of a sensor are that begin with this one.
fn measured(quantity: &str, unit: &str) -> &'static str {
    match (quantity, unit) {
        ("x", _) => "position [m]",
        ("qx", _) => "quaternion",
        ("vx", _) => "velocity [m/s]",
        ("wx", _) => "angular velocity [rad/s]",
        ("fx", _) => "force [N]",
        ("tx", _) => "torque [N m]",
        ("kinetic", _) => "energy [J]",
        ("coordinate", "m") => "coordinate [m]",
        ("coordinate", _) => "coordinate [rad]",
        ("contacts", _) => "contacts",
        _ => "number",
    }
}
