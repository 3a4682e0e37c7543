//! Angular momentum of bodies that were moved without being given any velocity.

use glam::{DMat3, DVec3};

use crate::motion::{Twist, exp};
use crate::{Body, BodyState};

/// A body that was moved: what it is, its state after the step, and the displacement and rotation vector in that \[m, rad\].
#[derive(Debug)]
pub struct Moved<'a> {
    /// The body.
    pub body: &'a Body,
    /// Its state.
    pub state: BodyState,
    /// The part of it that is a correction.
    pub correction: Twist,
}

/// Turns a group of bodies that nothing else touches as one, so that their angular momentum is what it was before corrections of
/// their positions.
///
/// Bodies that pass each other at a distance have more angular momentum than nearer ones of the same velocities, and bodies
/// that turn have another inertia. Corrections that push and pull in pairs change no linear momentum, and a common rotation about
/// the centre of mass none either, nor how the bodies move towards each other.
pub fn keep_angular_momentum(group: &mut [Moved<'_>]) {
    let mass: f64 = group.iter().map(|moved| moved.body.mass.mass).sum();
    let center = group.iter().map(|moved| moved.state.position * moved.body.mass.mass).sum::<DVec3>() / mass;
    let (mut gained, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for Moved { body, state, correction } in &*group {
        let m = body.mass.mass;
        let arm = state.position - center;
        let own = DMat3::from_quat(state.orientation);
        let own = own * body.mass.inertia * own.transpose();
        let back = DMat3::from_quat(exp(-correction.angular));
        let before = back * own * back.transpose();
        gained +=
            m * correction.linear.cross(state.linear_velocity) + (own - before) * state.angular_velocity;
        let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        inertia += own + (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * m;
    }
    if gained == DVec3::ZERO {
        return;
    }
    let turn = inertia.inverse() * -gained;
    for Moved { state, .. } in group {
        state.linear_velocity += turn.cross(state.position - center);
        state.angular_velocity += turn;
    }
}
