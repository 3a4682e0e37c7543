//! Angular momentum of bodies that were moved without being given any velocity, or given velocities with another inertia than theirs.

use glam::{DMat3, DVec3};

use crate::motion::exp;
use crate::twist::Twist;
use crate::{Body, BodyState};

/// A body of a group, its state, and by how much its angular momentum is wrong \[kg m²/s\].
#[derive(Debug)]
pub struct Member<'a> {
    /// The body.
    pub body: &'a Body,
    /// Its state.
    pub state: BodyState,
    /// What it has too much of. The sum over a group has to be the same about any point.
    pub gained: DVec3,
}

/// What a body gains by a correction that has moved it to this state with the velocities that it had.
pub fn gained_by_correction(body: &Body, state: &BodyState, correction: &Twist) -> DVec3 {
    let own = inertia(body, state);
    let back = DMat3::from_quat(exp(-correction.angular));
    let before = back * own * back.transpose();
    body.mass.mass * correction.linear.cross(state.linear_velocity) + (own - before) * state.angular_velocity
}

/// The same where the correction has turned its angular velocity with it.
pub fn gained_by_carrying(body: &Body, state: &BodyState, correction: &Twist) -> DVec3 {
    let spin = inertia(body, state) * state.angular_velocity;
    let before = exp(-correction.angular) * spin;
    body.mass.mass * correction.linear.cross(state.linear_velocity) + (spin - before)
}

/// Inertia about the centre of mass, world axes.
fn inertia(body: &Body, state: &BodyState) -> DMat3 {
    let axes = DMat3::from_quat(state.orientation);
    axes * body.mass.inertia * axes.transpose()
}

/// Turns a group of bodies that nothing else touches as one, so that their angular momentum is what it was before they gained any.
///
/// Bodies that pass each other at a distance have more angular momentum than nearer ones of the same velocities, and bodies
/// that turn have another inertia. Corrections that push and pull in pairs change no linear momentum, and a common rotation about
/// the centre of mass none either, nor how the bodies move towards each other.
pub fn keep_angular_momentum(group: &mut [Member<'_>]) {
    let gained: DVec3 = group.iter().map(|member| member.gained).sum();
    if gained == DVec3::ZERO {
        return;
    }
    let mass: f64 = group.iter().map(|member| member.body.mass.mass).sum();
    let weighted = group.iter().map(|member| member.state.position * member.body.mass.mass);
    let center = weighted.sum::<DVec3>() / mass;
    let mut about_center = DMat3::ZERO;
    for Member { body, state, .. } in &*group {
        let arm = state.position - center;
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        about_center += inertia(body, state)
            + (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * body.mass.mass;
    }
    let turn = about_center.inverse() * -gained;
    for Member { state, .. } in group {
        state.linear_velocity += turn.cross(state.position - center);
        state.angular_velocity += turn;
    }
}
