//! The stiffness that taut joints give to the turning of their bodies.
//!
//! A joint that pulls at an arm r with a force f holds its body's direction as a spring would: turned by θ, the body feels a
//! torque of `-K θ` about its centre of mass, `K = (f·r) 1 - (f rᵀ + r fᵀ) / 2` (the geometric stiffness of structural
//! mechanics; for rigid bodies Andrews, Teichmann and Kövecses 2017). Impulses act along the directions of where joints are
//! measured, so this spring is integrated as by Verlet's method, which is stable up to `ω h = 2`. A light rod under a heavy load
//! turns faster than that.
//!
//! So bodies get as much inertia besides that their joints' pull turns them no faster. No motion that joints allow is faster than that
//! of the fastest body by itself: with the energies `½ θ·K θ` and `½ m v² + ½ θ'·I θ'` summed over the bodies, Rayleigh's
//! quotient is at most the largest one of `K` and `I`. And no motion that steps resolve is changed by much more than its own
//! error: an inertia of `h² K / 4` besides is what the trapezoidal rule gives to all bodies.

use std::f64::consts::SQRT_2;

use glam::{DMat3, DVec3};
use nalgebra::{Matrix3, SymmetricEigen};

use crate::Body;
use crate::joint::definition::{Joint, JointState};
use crate::motion::FreeMotion;
use crate::placement::Placement;
use crate::solver::constraint::{Constraint, Rows};

/// Largest phase `ω h` \[rad\] of a turning for which Verlet's method is stable.
pub const STABLE_PHASE: f64 = 2.0;

/// The phase that bodies are given at most: by the next step their joints may pull twice as strongly.
pub const STEADY_PHASE: f64 = SQRT_2;

/// Which joint pulls, and its impulse on the second body within a step, world axes \[N s\].
pub type Pull = (u32, DVec3);

/// What joints pulled with in the last step.
pub fn last_pulls(states: &[JointState]) -> impl Iterator<Item = Pull> {
    let pulls = (0..).zip(states).filter(|(_, state)| !state.broken && state.force != DVec3::ZERO);
    pulls.map(|(ix, state)| (ix, state.force))
}

/// What the joints among these constraints pull with.
pub fn pulls(constraints: &[Constraint]) -> impl Iterator<Item = Pull> {
    constraints.iter().filter_map(|constraint| match &constraint.rows {
        Rows::Joint(law) => Some((law.joint, constraint.w_from_c * constraint.impulse.linear())),
        _ => None,
    })
}

/// Gives bodies that turn by more than a phase `above` under these pulls within a step of `dt` \[s\] the inertia that leaves them
/// [`STEADY_PHASE`]; whether there were any.
pub fn steady(
    joints: &[Joint],
    pulls: impl Iterator<Item = Pull>,
    bodies: &[Body],
    dt: f64,
    above: f64,
    free: &mut [FreeMotion],
) -> bool {
    let mut stiffness: Vec<(u32, DMat3)> = Vec::new();
    for (joint, impulse) in pulls {
        let joint = &joints[joint as usize];
        let b = &bodies[joint.b.0 as usize];
        let anchor = Placement { origin: b.position, rotation: b.orientation }.carry(&joint.halves[1]).origin;
        for (ix, impulse) in joint.bodies().into_iter().zip([-impulse, impulse]) {
            let Some(body) = bodies.get(ix as usize).filter(|body| body.is_movable()) else { continue };
            stiffness.push((ix, of_pull(impulse, anchor - body.position)));
        }
    }
    stiffness.sort_by_key(|(ix, _)| *ix);
    let mut any = false;
    for of_body in stiffness.chunk_by(|(a, _), (b, _)| a == b) {
        let free = &mut free[of_body[0].0 as usize];
        let sum = of_body.iter().fold(DMat3::ZERO, |sum, (_, k)| sum + *k);
        let (inverse, phase) = with_phase(&free.inverse_inertia, &(sum * dt));
        if phase > above {
            any = true;
            free.steadying_inertia += inverse.inverse() - free.inverse_inertia.inverse();
            free.inverse_inertia = inverse;
        }
    }
    any
}

/// Stiffness against turning by a force at an arm, or of its impulse \[N m, N m s\].
fn of_pull(force: DVec3, arm: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(force * arm.x, force * arm.y, force * arm.z);
    DMat3::from_diagonal(DVec3::splat(force.dot(arm))) - (outer + outer.transpose()) * 0.5
}

/// The inverse of the least inertia, from that of `inverse` on, for which a stiffness times the step squared turns it by at most
/// [`STEADY_PHASE`] in a step, and the phase before \[rad\].
fn with_phase(inverse: &DMat3, stiffness: &DMat3) -> (DMat3, f64) {
    let matrix = |m: &DMat3| Matrix3::from_column_slice(&m.to_cols_array());
    // With W = S Sᵀ the axes of Sᵀ K S are those along which inertia and stiffness are both diagonal.
    let Some(root) = matrix(inverse).cholesky().map(|factor| factor.l()) else { return (*inverse, 0.0) };
    let along = root.transpose() * matrix(stiffness) * root;
    let bound = STEADY_PHASE * STEADY_PHASE;
    if along.norm() <= bound {
        return (*inverse, along.norm().sqrt());
    }
    let SymmetricEigen { eigenvalues, eigenvectors } = along.symmetric_eigen();
    let phase = eigenvalues.max().max(0.0).sqrt();
    let axes = root * eigenvectors;
    let scale = Matrix3::from_diagonal(&eigenvalues.map(|square| (square / bound).max(1.0).recip()));
    (DMat3::from_cols_slice((axes * scale * axes.transpose()).as_slice()), phase)
}
