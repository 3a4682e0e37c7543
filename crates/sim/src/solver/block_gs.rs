//! Block Gauss-Seidel over the constraints of an island: sweeps of one block solved after another, each against the
//! velocities that the others have left.

use glam::{DMat3, DVec3};

use crate::constants::LIGHT_TOLERANCE;
use crate::integrate::Twist;
use crate::solver::Vec6;
use crate::solver::constraint::Constraint;
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// Sweeps made.
    pub sweeps: u32,
    /// Update norm of the last one.
    pub update_norm: f64,
    /// Whether that norm is within tolerance.
    pub converged: bool,
}

/// Applies the impulses that the constraints start from.
pub fn warm_start(constraints: &[Constraint], bodies: &mut [SolverBody]) {
    for constraint in constraints {
        constraint.apply(&constraint.impulse, bodies);
    }
}

/// Sweeps until the norm of a sweep's impulse updates falls to the tolerance (Bouchard et al. 2015, section 5.5) or
/// the sweep limit is reached.
///
/// The norm adds the squares of N s and N m s as they are. It mixes updates of different ages, so it costs nothing;
/// a contact that stands alone needs one sweep to solve and one to confirm.
pub fn solve(constraints: &mut [Constraint], bodies: &mut [SolverBody], settings: &Settings) -> Convergence {
    let n_rows: usize = constraints.iter().map(|constraint| constraint.law.n_rows()).sum();
    let scale = if settings.tolerance_per_row { (n_rows as f64).sqrt().recip() } else { 1.0 };
    let mut result = Convergence { sweeps: 0, update_norm: 0.0, converged: false };
    let mut last_norm = f64::INFINITY;
    while result.sweeps < settings.max_sweeps {
        let (norm, size) = sweep(constraints, bodies, settings);
        result.update_norm = scale * norm;
        result.sweeps += 1;
        let absolute = result.update_norm <= settings.tolerance && norm <= LIGHT_TOLERANCE * size;
        if absolute || norm <= settings.relative_tolerance * size {
            result.converged = true;
            break;
        }
        // The last impulses have to come from a sweep, so that they keep to their limits.
        if settings.accelerator == Accelerator::Nncg && result.sweeps < settings.max_sweeps {
            accelerate(constraints, bodies, (norm / last_norm).powi(2));
            last_norm = norm;
        }
    }
    result
}

/// One step of nonlinear conjugate gradients on the residual that a sweep leaves, Fletcher and Reeves' formula for
/// `beta`; starts anew where the residual has grown.
fn accelerate(constraints: &mut [Constraint], bodies: &mut [SolverBody], beta: f64) {
    for constraint in constraints {
        if beta > 1.0 {
            constraint.direction = Vec6::ZERO;
            continue;
        }
        let extra = constraint.direction * beta;
        constraint.impulse += extra;
        constraint.apply(&extra, bodies);
        constraint.direction = extra + constraint.update;
    }
}

/// Solves every constraint once, in order; the norm of all updates and that of all impulses.
fn sweep(constraints: &mut [Constraint], bodies: &mut [SolverBody], settings: &Settings) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    for constraint in constraints {
        constraint.solve(bodies, settings);
        sum += constraint.update.length_squared();
        size += constraint.impulse.length_squared();
    }
    (f64::sqrt(sum), f64::sqrt(size))
}
