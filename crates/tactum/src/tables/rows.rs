//! The rows of the tables: what a column holds, and where it comes from. Lengths in metres, angles in radians.

use glam::DVec3;
use serde::Serialize;
use tactum_sim::{BodyKind, StepReport, World};

use crate::hash::hex;

#[derive(Debug, Default, Serialize)]
pub struct PoseRow<'a> {
    step: u64,
    time: f64,
    body: &'a str,
    x: f64,
    y: f64,
    z: f64,
    qx: f64,
    qy: f64,
    qz: f64,
    qw: f64,
    vx: f64,
    vy: f64,
    vz: f64,
    wx: f64,
    wy: f64,
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
    time: f64,
    a: &'a str,
    b: &'a str,
    region: u32,
    volume: f64,
    area: f64,
    depth: f64,
    extent: f64,
    px: f64,
    py: f64,
    pz: f64,
    nx: f64,
    ny: f64,
    nz: f64,
    ux: f64,
    uy: f64,
    uz: f64,
    #[serde(rename = "fn")]
    fn_: f64,
    fu: f64,
    fw: f64,
    tn: f64,
    tu: f64,
    tw: f64,
    cop_u: f64,
    cop_w: f64,
    deepest: f64,
}

pub fn contact_rows<'a>(
    step: u64,
    time: f64,
    world: &'a World,
    report: &'a StepReport,
) -> impl Iterator<Item = ContactRow<'a>> {
    report.contacts.iter().map(move |contact| {
        let [a, b] = contact.bodies.map(|id| world.body(id).name.as_str());
        let DVec3 { x: px, y: py, z: pz } = contact.point;
        let DVec3 { x: nx, y: ny, z: nz } = contact.normal;
        // The other tangent axis follows from these two.
        let DVec3 { x: ux, y: uy, z: uz } = contact.axes[0];
        let [fn_, fu, fw, tn, tu, tw] = contact.impulse;
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
    time: f64,
    joint: &'a str,
    /// Angle \[rad\] or extension \[m\].
    coordinate: f64,
    fx: f64,
    fy: f64,
    fz: f64,
    tx: f64,
    ty: f64,
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
    time: f64,
    kinetic: f64,
    potential: f64,
    total: f64,
    contacts: usize,
    max_depth: f64,
    sweeps: u32,
    update_norm: f64,
    unconverged_islands: u32,
    deepest: f64,
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
