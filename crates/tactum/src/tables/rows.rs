//! The rows of the tables: what a column holds, and where it comes from. A unit stands in brackets behind the name of its column.

use glam::DVec3;
use serde::Serialize;
use tactum_sim::{BodyKind, StepReport, World};

use crate::hash::hex;

#[derive(Debug, Default, Serialize)]
pub struct PoseRow<'a> {
    step: u64,
    #[serde(rename = "time [s]")]
    time: f64,
    body: &'a str,
    #[serde(rename = "x [m]")]
    x: f64,
    #[serde(rename = "y [m]")]
    y: f64,
    #[serde(rename = "z [m]")]
    z: f64,
    qx: f64,
    qy: f64,
    qz: f64,
    qw: f64,
    #[serde(rename = "vx [m/s]")]
    vx: f64,
    #[serde(rename = "vy [m/s]")]
    vy: f64,
    #[serde(rename = "vz [m/s]")]
    vz: f64,
    #[serde(rename = "wx [rad/s]")]
    wx: f64,
    #[serde(rename = "wy [rad/s]")]
    wy: f64,
    #[serde(rename = "wz [rad/s]")]
    wz: f64,
}

pub fn pose_rows<'a>(step: u64, time: f64, world: &'a World) -> impl Iterator<Item = PoseRow<'a>> {
    world.bodies().iter().filter(|body| body.kind != BodyKind::Static).map(move |body| {
        let [x, y, z] = body.w_from_shape().translation.to_array();
        let [qx, qy, qz, qw] = body.orientation.to_array();
        let [vx, vy, vz] = body.linear_velocity.to_array();
        let [wx, wy, wz] = body.angular_velocity.to_array();
        PoseRow { step, time, body: &body.name, x, y, z, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz }
    })
}

#[derive(Debug, Default, Serialize)]
pub struct ContactRow<'a> {
    step: u64,
    #[serde(rename = "time [s]")]
    time: f64,
    a: &'a str,
    b: &'a str,
    region: u32,
    #[serde(rename = "volume [m³]")]
    volume: f64,
    #[serde(rename = "area [m²]")]
    area: f64,
    #[serde(rename = "depth [m]")]
    depth: f64,
    #[serde(rename = "extent [m]")]
    extent: f64,
    #[serde(rename = "px [m]")]
    px: f64,
    #[serde(rename = "py [m]")]
    py: f64,
    #[serde(rename = "pz [m]")]
    pz: f64,
    nx: f64,
    ny: f64,
    nz: f64,
    ux: f64,
    uy: f64,
    uz: f64,
    #[serde(rename = "fn [N]")]
    fn_: f64,
    #[serde(rename = "fu [N]")]
    fu: f64,
    #[serde(rename = "fw [N]")]
    fw: f64,
    #[serde(rename = "tn [N m]")]
    tn: f64,
    #[serde(rename = "tu [N m]")]
    tu: f64,
    #[serde(rename = "tw [N m]")]
    tw: f64,
    #[serde(rename = "cop_u [m]")]
    cop_u: f64,
    #[serde(rename = "cop_w [m]")]
    cop_w: f64,
    #[serde(rename = "deepest [m]")]
    deepest: f64,
}

pub fn contact_rows<'a>(
    step: u64,
    time: f64,
    world: &'a World,
    report: &'a StepReport,
) -> impl Iterator<Item = ContactRow<'a>> {
    let dt = world.settings().dt;
    report.contacts.iter().map(move |contact| {
        let [a, b] = contact.bodies.map(|id| world.body(id).name.as_str());
        let DVec3 { x: px, y: py, z: pz } = contact.point;
        let DVec3 { x: nx, y: ny, z: nz } = contact.normal;
        // The other tangent axis follows from these two.
        let DVec3 { x: ux, y: uy, z: uz } = contact.axes[0];
        let [fn_, fu, fw, tn, tu, tw] = contact.impulse.map(|impulse| impulse / dt);
        ContactRow {
            step,
            time,
            a,
            b,
            region: contact.region,
            volume: contact.volume,
            area: contact.area,
            depth: contact.depth,
            extent: contact.extent,
            px,
            py,
            pz,
            nx,
            ny,
            nz,
            ux,
            uy,
            uz,
            fn_,
            fu,
            fw,
            tn,
            tu,
            tw,
            cop_u: contact.cop.x,
            cop_w: contact.cop.y,
            deepest: contact.deepest(),
        }
    })
}

/// Force \[N\] and torque about the anchor \[N m\] on the second body, world axes; zero at the start.
#[derive(Debug, Default, Serialize)]
pub struct JointRow<'a> {
    step: u64,
    #[serde(rename = "time [s]")]
    time: f64,
    joint: &'a str,
    /// Angle \[rad\] or extension \[m\].
    #[serde(rename = "coordinate [rad or m]")]
    coordinate: f64,
    #[serde(rename = "fx [N]")]
    fx: f64,
    #[serde(rename = "fy [N]")]
    fy: f64,
    #[serde(rename = "fz [N]")]
    fz: f64,
    #[serde(rename = "tx [N m]")]
    tx: f64,
    #[serde(rename = "ty [N m]")]
    ty: f64,
    #[serde(rename = "tz [N m]")]
    tz: f64,
    broken: bool,
}

pub fn joint_rows<'a>(step: u64, time: f64, world: &'a World) -> impl Iterator<Item = JointRow<'a>> {
    let dt = world.settings().dt;
    world.joints().iter().zip(world.joint_states()).map(move |(joint, state)| {
        let DVec3 { x: fx, y: fy, z: fz } = state.force / dt;
        let DVec3 { x: tx, y: ty, z: tz } = state.torque / dt;
        let (coordinate, broken) = (state.coordinate, state.broken);
        JointRow { step, time, joint: &joint.name, coordinate, fx, fy, fz, tx, ty, tz, broken }
    })
}

/// Energies of a state, and figures of the step that led to it: zero at the start.
#[derive(Debug, Default, Serialize)]
pub struct EnergyRow {
    step: u64,
    #[serde(rename = "time [s]")]
    time: f64,
    #[serde(rename = "kinetic [J]")]
    kinetic: f64,
    #[serde(rename = "potential [J]")]
    potential: f64,
    #[serde(rename = "total [J]")]
    total: f64,
    contacts: usize,
    #[serde(rename = "max_depth [m]")]
    max_depth: f64,
    sweeps: u32,
    #[serde(rename = "update_norm [N s]")]
    update_norm: f64,
    unconverged_islands: u32,
    #[serde(rename = "deepest [m]")]
    deepest: f64,
    #[serde(rename = "velocity_error [m/s]")]
    velocity_error: f64,
    asleep: u32,
    /// Of the state, 16 hexadecimal digits.
    state_hash: String,
}

pub fn energy_row(step: u64, time: f64, world: &World, report: &StepReport) -> EnergyRow {
    let (kinetic, potential) = (world.kinetic_energy(), world.potential_energy());
    EnergyRow {
        step,
        time,
        kinetic,
        potential,
        total: kinetic + potential,
        contacts: report.contacts.len(),
        max_depth: report.max_depth,
        sweeps: report.sweeps,
        update_norm: report.update_norm,
        unconverged_islands: report.unconverged_islands,
        deepest: report.deepest(),
        velocity_error: report.velocity_error,
        asleep: report.asleep,
        state_hash: hex(world.state_hash()),
    }
}
