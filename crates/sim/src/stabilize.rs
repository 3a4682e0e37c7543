//! Position correction: takes the volume above target out of the contacts after a step, without giving any velocity.
//!
//! Post-stabilisation after Cline and Pai (2003) on the volume constraint of Allard et al. (2010), with the sign of a
//! pressure: bodies are only ever pushed apart.

use glam::DVec3;

use crate::constants::{STABILIZATION_DEADBAND, STABILIZATION_SWEEPS, STABILIZATION_TOLERANCE};
use crate::contact::{Contact, VolumeRow};
use crate::solver::block_gs::SolverBody;
use crate::solver::islands::NO_SLOT;

/// Fills in the `shift` and `turn` of an island's bodies.
///
/// The volume that each contact will have after moving for `dt` with the solved velocities is predicted to first order,
/// and with one pressure p >= 0 per contact the bodies are displaced by `M⁻¹ Gᵀ p` (G: the volume's gradient with its
/// angular part) until none exceeds its target, by projected Gauss-Seidel over the island. Contacts below target take
/// part, so that pushing a lower body up does not push it into the next. `strength` is the part taken out per step.
/// A contact never asks for more than its own extent; V is convex in the depth for a cap or a wedge, so the first
/// order never overshoots there.
pub fn correct(
    contacts: &[Contact],
    bodies: &mut [SolverBody],
    pressures: &mut [Pressure],
    strength: f64,
    dt: f64,
) {
    let mut largest = 0.0_f64;
    for (contact, pressure) in contacts.iter().zip(pressures.iter_mut()) {
        *pressure = Pressure::new(contact, bodies, strength, dt);
        if pressure.excess > STABILIZATION_DEADBAND * (contact.volume.target + contact.volume.volume) {
            largest = largest.max(pressure.excess * pressure.inverse_area);
        }
    }
    if largest == 0.0 {
        return;
    }
    for _ in 0..STABILIZATION_SWEEPS {
        let mut change = 0.0_f64;
        for (contact, pressure) in contacts.iter().zip(pressures.iter_mut()) {
            change = change.max(pressure.relax(contact, bodies) * pressure.inverse_area);
        }
        if change <= STABILIZATION_TOLERANCE * largest {
            break;
        }
    }
}

/// The volume row of one contact while positions are corrected.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pressure {
    /// Predicted volume above target, what is to be taken out; negative below target \[m³\].
    excess: f64,
    /// 1 / (change of volume per pressure) \[1/(m⁴/kg)\]; 0 for a row that moves nothing.
    inverse_response: f64,
    /// 1 / area \[1/m²\].
    inverse_area: f64,
    /// Accumulated pressure impulse, per mass-weighted displacement \[kg/m\].
    value: f64,
}

impl Pressure {
    fn new(contact: &Contact, bodies: &[SolverBody], strength: f64, dt: f64) -> Self {
        let row = &contact.volume;
        let rate = row.dot(contact, bodies, |body| (body.twist.linear, body.twist.angular)) + row.driven_rate;
        let excess = row.volume + dt * rate - row.target;
        let limit = row.area * row.extent;
        let response = row.response(contact, bodies);
        Self {
            excess: if excess > 0.0 { (strength * excess).min(limit) } else { excess },
            inverse_response: if response > 0.0 { response.recip() } else { 0.0 },
            inverse_area: row.area.recip(),
            value: 0.0,
        }
    }

    /// Solves this row against the displacements so far; by how much the volume changed \[m³\].
    fn relax(&mut self, contact: &Contact, bodies: &mut [SolverBody]) -> f64 {
        let row = &contact.volume;
        let left = self.excess + row.dot(contact, bodies, |body| (body.shift, body.turn));
        let value = (self.value + left * self.inverse_response).max(0.0);
        let update = value - self.value;
        if update == 0.0 {
            return 0.0;
        }
        self.value = value;
        let [a, b] = contact.slots;
        for (slot, sign, angular) in [(a, -1.0, row.angular_a), (b, 1.0, row.angular_b)] {
            if slot != NO_SLOT {
                let body = &mut bodies[slot as usize];
                // Against the gradient: the volume shrinks.
                body.shift -= row.gradient_b * (sign * body.inverse_mass * update);
                body.turn -= body.inverse_inertia * angular * update;
            }
        }
        (update / self.inverse_response).abs()
    }
}

impl VolumeRow {
    /// The gradient times a displacement or velocity of the two bodies, as far as they are dynamic.
    fn dot(
        &self,
        contact: &Contact,
        bodies: &[SolverBody],
        motion: impl Fn(&SolverBody) -> (DVec3, DVec3),
    ) -> f64 {
        let mut sum = 0.0;
        let [a, b] = contact.slots;
        for (slot, sign, angular) in [(a, -1.0, self.angular_a), (b, 1.0, self.angular_b)] {
            if slot != NO_SLOT {
                let (shift, turn) = motion(&bodies[slot as usize]);
                sum += sign * self.gradient_b.dot(shift) + angular.dot(turn);
            }
        }
        sum
    }

    /// Change of volume per pressure, `G M⁻¹ Gᵀ` \[m⁴/kg\].
    fn response(&self, contact: &Contact, bodies: &[SolverBody]) -> f64 {
        let mut sum = 0.0;
        for (slot, angular) in contact.slots.into_iter().zip([self.angular_a, self.angular_b]) {
            if slot != NO_SLOT {
                let body = &bodies[slot as usize];
                sum += body.inverse_mass * self.gradient_b.length_squared()
                    + angular.dot(body.inverse_inertia * angular);
            }
        }
        sum
    }
}
