//! `[[sensor]]`: what is written of a run besides whole tables.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::words;

use super::MAX_NAME;

/// Something that is measured after every step and written into sensors.csv.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SensorSpec {
    /// Name of the sensor in the table.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: String,
    /// What it measures: "energy", or a table with one key, for example { pose = "arm" } or { contact = ["finger", "ruler"] }.
    pub measures: MeasuredSpec,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredSpec {
    /// Energies of all dynamic bodies: kinetic, potential, total [J].
    Energy,
    /// Where the shape's frame of this body stands: x, y, z [m], qx, qy, qz, qw.
    Pose(#[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))] String),
    /// Velocity of the centre of mass and angular velocity of this body, world axes: vx, vy, vz [m/s], wx, wy, wz [rad/s].
    Velocity(#[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))] String),
    /// All contact forces on the first body, of the second one if there are two: fx, fy, fz [N], the torque about its centre of mass tx, ty, tz
    /// [N m], world axes, and the number of contacts.
    Contact(
        #[schemars(length(max = 2), inner(length(max = MAX_NAME), regex(pattern = words::NAME)))] Vec<String>,
    ),
    /// Coordinate [rad or m], force fx, fy, fz [N] and torque tx, ty, tz [N m] of this joint, as in joints.csv.
    Joint(#[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))] String),
}
