//! Block Gauss-Seidel over the contacts of an island: sweeps of one contact solved after another, each against the
//! velocities that the others have left.

use glam::{DMat3, DVec3};

use crate::constants::LIGHT_TOLERANCE;
use crate::contact::Contact;
use crate::integrate::Twist;
use crate::solver::Vec6;
use crate::solver::islands::NO_SLOT;
use crate::solver::local::project;
use crate::{Accelerator, Settings};

/// A dynamic body while its island is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverBody {
    /// Its velocity, with all impulses applied so far.
    pub twist: Twist,
    /// 1 / mass \[1/kg\].
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass, world axes \[1/(kg m²)\].
    pub inverse_inertia: DMat3,
    /// Position correction: displacement \[m\].
    pub shift: DVec3,
    /// Position correction: rotation vector \[rad\].
    pub turn: DVec3,
}

/// How an island's solve ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// Sweeps made.
    pub sweeps: u32,
    /// Update norm of the last one.
    pub update_norm: f64,
    /// Update norm of each one.
    pub update_norms: Vec<f64>,
    /// Whether that norm is within tolerance.
    pub converged: bool,
}

/// Applies the impulses that the contacts start from.
pub fn warm_start(contacts: &[Contact], bodies: &mut [SolverBody]) {
    for contact in contacts {
        apply(contact, &contact.impulse, bodies);
    }
}

/// Sweeps until the norm of a sweep's impulse updates falls to the tolerance (Bouchard et al. 2015, section 5.5) or
/// the sweep limit is reached.
///
/// The norm adds the squares of N s and N m s as they are. It mixes updates of different ages, so it costs nothing;
/// a contact that stands alone needs one sweep to solve and one to confirm.
pub fn solve(contacts: &mut [Contact], bodies: &mut [SolverBody], settings: &Settings) -> Convergence {
    let n_rows = 6.0 * contacts.len() as f64;
    let scale = if settings.tolerance_per_row { n_rows.sqrt().recip() } else { 1.0 };
    let mut result = Convergence { sweeps: 0, update_norm: 0.0, update_norms: Vec::new(), converged: false };
    let mut last_norm = f64::INFINITY;
    while result.sweeps < settings.max_sweeps {
        let (norm, size) = sweep(contacts, bodies, settings);
        result.update_norm = scale * norm;
        result.update_norms.push(result.update_norm);
        result.sweeps += 1;
        let absolute = result.update_norm <= settings.tolerance && norm <= LIGHT_TOLERANCE * size;
        if absolute || norm <= settings.relative_tolerance * size {
            result.converged = true;
            break;
        }
        // The last impulses have to come from a sweep, so that they keep to their limits.
        if settings.accelerator == Accelerator::Nncg && result.sweeps < settings.max_sweeps {
            accelerate(contacts, bodies, (norm / last_norm).powi(2));
            last_norm = norm;
        }
    }
    result
}

/// One step of nonlinear conjugate gradients on the residual that a sweep leaves, Fletcher and Reeves' formula for
/// `beta`; starts anew where the residual has grown.
fn accelerate(contacts: &mut [Contact], bodies: &mut [SolverBody], beta: f64) {
    for contact in contacts {
        if beta > 1.0 {
            contact.direction = Vec6::ZERO;
            continue;
        }
        let extra = contact.direction * beta;
        contact.impulse += extra;
        apply(contact, &extra, bodies);
        contact.direction = extra + contact.update;
    }
}

/// Solves every contact once, in order; the norm of all updates and that of all impulses.
fn sweep(contacts: &mut [Contact], bodies: &mut [SolverBody], settings: &Settings) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    for contact in contacts {
        let e = velocity_without(contact, bodies);
        let impulse = project(&contact.block, &e, &contact.patch, contact.friction, settings.spin);
        let update = impulse - contact.impulse;
        contact.impulse = impulse;
        contact.update = update;
        apply(contact, &update, bodies);
        sum += update.length_squared();
        size += impulse.length_squared();
    }
    (f64::sqrt(sum), f64::sqrt(size))
}

/// The biased relative twist that the contact would have without its own impulse: `e = J u + b - A λ`.
pub fn velocity_without(contact: &Contact, bodies: &[SolverBody]) -> Vec6 {
    let mut e = relative_twist(contact, bodies) + contact.bias - contact.block.matrix() * contact.impulse;
    // The block's matrix is A + C, and the compliance's own velocity C λ is none of J u.
    e[0] += contact.normal_compliance * contact.impulse[0];
    e
}

/// Relative twist of the dynamic bodies at the contact point, contact axes; what the others add is in the bias.
pub fn relative_twist(contact: &Contact, bodies: &[SolverBody]) -> Vec6 {
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    let [a, b] = contact.slots;
    if b != NO_SLOT {
        let Twist { linear: v, angular: w } = bodies[b as usize].twist;
        linear += v + w.cross(contact.arms[1]);
        angular += w;
    }
    if a != NO_SLOT {
        let Twist { linear: v, angular: w } = bodies[a as usize].twist;
        linear -= v + w.cross(contact.arms[0]);
        angular -= w;
    }
    Vec6::from_parts(contact.frame.to_contact(linear), contact.frame.to_contact(angular))
}

/// Applies a contact impulse to B and its opposite to A.
fn apply(contact: &Contact, impulse: &Vec6, bodies: &mut [SolverBody]) {
    let force = contact.frame.to_world(impulse.linear());
    let torque = contact.frame.to_world(impulse.angular());
    let [a, b] = contact.slots;
    if b != NO_SLOT {
        let body = &mut bodies[b as usize];
        body.twist.linear += body.inverse_mass * force;
        body.twist.angular += body.inverse_inertia * (torque + contact.arms[1].cross(force));
    }
    if a != NO_SLOT {
        let body = &mut bodies[a as usize];
        body.twist.linear -= body.inverse_mass * force;
        body.twist.angular -= body.inverse_inertia * (torque + contact.arms[0].cross(force));
    }
}
