//! `sensors.csv`: what the sensors of a scene measure, a row for each number.

use glam::DVec3;
use serde::Serialize;
use tactum_sim::{BodyId, JointKind, StepReport, World};

use crate::scene::Names;
use crate::scene::schema::{MeasuredSpec, SceneSpec};

/// The sensors of a scene, tied to the bodies and joints of its world.
#[derive(Clone, Debug, Default)]
pub struct Sensors(Vec<(String, Measured)>);

/// What one measures; the numbers are places in the world.
#[derive(Clone, Copy, Debug)]
enum Measured {
    Energy,
    Pose(usize),
    Velocity(usize),
    Contact(usize, Option<usize>),
    Joint(usize),
}

impl Sensors {
    /// The sensors of a scene that has been read, for a world that was built of it.
    pub fn of(spec: &SceneSpec, world: &World) -> Self {
        let bodies = Names::new(world.bodies().iter().map(|body| body.name.clone()));
        let joints = Names::new(world.joints().iter().map(|joint| joint.name.clone()));
        let measured = |measures: &MeasuredSpec| {
            Some(match measures {
                MeasuredSpec::Energy => Measured::Energy,
                MeasuredSpec::Pose(body) => Measured::Pose(bodies.find(body)?),
                MeasuredSpec::Velocity(body) => Measured::Velocity(bodies.find(body)?),
                MeasuredSpec::Joint(joint) => Measured::Joint(joints.find(joint)?),
                MeasuredSpec::Contact(pair) => {
                    let other = pair.get(1).map(|name| bodies.find(name));
                    Measured::Contact(bodies.find(pair.first()?)?, other.flatten())
                }
            })
        };
        let all =
            spec.sensors.iter().filter_map(|sensor| Some((sensor.name.clone(), measured(&sensor.measures)?)));
        Self(all.collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows of a state and of the step that led to it; forces are 0 at the start.
    pub fn rows<'a>(
        &'a self,
        step: u64,
        time: f64,
        world: &'a World,
        report: &'a StepReport,
    ) -> impl Iterator<Item = SensorRow<'a>> {
        self.readings(world, report).flat_map(move |(sensor, values)| {
            let row = move |(quantity, value, unit)| SensorRow { step, time, sensor, quantity, value, unit };
            values.into_iter().map(row)
        })
    }

    /// What each sensor, by its name, measures of a state and of the step that led to it; forces are 0 at the start.
    pub fn readings<'a>(
        &'a self,
        world: &'a World,
        report: &'a StepReport,
    ) -> impl Iterator<Item = (&'a str, Vec<Reading>)> {
        self.0.iter().map(move |(sensor, measured)| (sensor.as_str(), measured.values(world, report)))
    }
}

/// A quantity's name, its value, and its unit, empty for a number without one.
pub type Reading = (&'static str, f64, &'static str);

fn vector(names: [&'static str; 3], v: DVec3, unit: &'static str) -> impl Iterator<Item = Reading> {
    names.into_iter().zip(v.to_array()).map(move |(name, x)| (name, x, unit))
}

const FORCE: [&str; 3] = ["fx", "fy", "fz"];
const TORQUE: [&str; 3] = ["tx", "ty", "tz"];

impl Measured {
    fn values(self, world: &World, report: &StepReport) -> Vec<Reading> {
        match self {
            Self::Energy => {
                let (kinetic, potential) = (world.kinetic_energy(), world.potential_energy());
                vec![
                    ("kinetic", kinetic, "J"),
                    ("potential", potential, "J"),
                    ("total", kinetic + potential, "J"),
                ]
            }
            Self::Pose(ix) => {
                let pose = world.bodies()[ix].w_from_shape();
                let turn = ["qx", "qy", "qz", "qw"].into_iter().zip(pose.rotation.to_array());
                vector(["x", "y", "z"], pose.translation, "m")
                    .chain(turn.map(|(name, x)| (name, x, "")))
                    .collect()
            }
            Self::Velocity(ix) => {
                let body = &world.bodies()[ix];
                let linear = vector(["vx", "vy", "vz"], body.linear_velocity, "m/s");
                linear.chain(vector(["wx", "wy", "wz"], body.angular_velocity, "rad/s")).collect()
            }
            Self::Contact(on, of) => {
                let (force, torque, n) = contact_force(world, report, on, of);
                let all = vector(FORCE, force, "N").chain(vector(TORQUE, torque, "N m"));
                all.chain([("contacts", n as f64, "")]).collect()
            }
            Self::Joint(ix) => {
                let (joint, state) = (&world.joints()[ix], &world.joint_states()[ix]);
                let unit = if matches!(joint.kind, JointKind::Prismatic { .. }) { "m" } else { "rad" };
                let dt = world.settings().dt;
                let all =
                    vector(FORCE, state.force / dt, "N").chain(vector(TORQUE, state.torque / dt, "N m"));
                [("coordinate", state.coordinate, unit)].into_iter().chain(all).collect()
            }
        }
    }
}

/// Mean force of a step on a body and torque about its centre of mass half-way through it, world axes \[N, N m\], of another body or of
/// all; the number of contacts.
fn contact_force(world: &World, report: &StepReport, on: usize, of: Option<usize>) -> (DVec3, DVec3, usize) {
    let (mut force, mut torque, mut n) = (DVec3::ZERO, DVec3::ZERO, 0);
    let dt = world.settings().dt;
    let body = &world.bodies()[on];
    // Contacts are told where they are in the middle of the step, or on average over its parts.
    let center = body.position - 0.5 * dt * body.linear_velocity;
    for contact in &report.contacts {
        let [a, b] = contact.bodies.map(|BodyId(ix)| ix as usize);
        let (sign, other) = match on {
            on if on == b => (1.0, a),
            on if on == a => (-1.0, b),
            _ => continue,
        };
        if of.is_some_and(|of| of != other) {
            continue;
        }
        let [u, w] = contact.axes;
        let along = |x: &[f64]| sign / dt * (x[0] * contact.normal + x[1] * u + x[2] * w);
        let here = along(&contact.impulse[..3]);
        force += here;
        torque += along(&contact.impulse[3..]) + (contact.point - center).cross(here);
        n += 1;
    }
    (force, torque, n)
}

/// One number of one sensor.
#[derive(Debug, Default, Serialize)]
pub struct SensorRow<'a> {
    step: u64,
    #[serde(rename = "time [s]")]
    time: f64,
    sensor: &'a str,
    quantity: &'static str,
    value: f64,
    unit: &'static str,
}
