//! Block Gauss-Seidel over the constraints of an island: sweeps of one block solved after another, each against the
//! velocities that the others have left.

use crate::constants::{
    EXACT_CONSTRAINTS, INACCURACY, LIGHT_TOLERANCE, MAX_INACCURACY, MIN_SWEEPS, REST, ROUNDING,
};
use crate::motion::Twist;
use crate::solver::Vec6;
use crate::solver::anderson::Anderson;
use crate::solver::body::SolverBody;
use crate::solver::constraint::{Constraint, Sweep};
use crate::{Accelerator, Settings, SweepOrder};

/// How an island's solve ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convergence {
    /// Sweeps made.
    pub sweeps: u32,
    /// Update norm of the last one.
    pub update_norm: f64,
    /// Update norm of each one.
    pub update_norms: Vec<f64>,
    /// Whether that norm is within tolerance.
    pub converged: bool,
    /// Whether conjugate gradients had to take over from Anderson's acceleration.
    pub fell_back: bool,
    /// Largest residual of a contact's friction in the last sweep, of those that have one.
    pub friction_residual: f64,
    /// Contacts that were solved without friction in the last sweep, because no friction has an answer.
    pub n_frictionless: u32,
}

/// What the sweeps of a large island do to its bodies' motion.
///
/// Among many contacts some hold against each other, so that part of their impulses moves nothing: a stress in the pile, which
/// friction leaves open and which creeps on for thousands of sweeps after the motion is found. There the motion decides.
struct Motion {
    /// Part of the momentum that a sweep may still change.
    tolerance: f64,
    /// Momentum before any impulse.
    brought: f64,
    /// Twists of the bodies before the sweep.
    before: Vec<Twist>,
}

impl Motion {
    /// `None` where the impulses themselves are wanted. The bodies have their velocities before any impulse.
    fn new(n_constraints: usize, bodies: &[SolverBody], settings: &Settings) -> Option<Self> {
        let tolerance = settings.motion_tolerance;
        let wanted = n_constraints > EXACT_CONSTRAINTS && tolerance > 0.0;
        wanted.then(|| Self { tolerance, brought: momentum(bodies.iter().copied()), before: Vec::new() })
    }

    fn note(&mut self, bodies: &[SolverBody]) {
        self.before.clear();
        self.before.extend(bodies.iter().map(|body| body.twist));
    }

    /// Whether a sweep since [`Motion::note`] has hardly changed the motion. A pile at rest has none to compare with; it counts
    /// as moving with [`REST`] of what gravity gives in a step.
    fn is_found(&self, bodies: &[SolverBody]) -> bool {
        let change = bodies.iter().zip(&self.before).map(|(body, before)| {
            let linear = body.twist.linear - before.linear;
            SolverBody { twist: Twist { linear, angular: body.twist.angular - before.angular }, ..*body }
        });
        momentum(change) <= self.tolerance * (momentum(bodies.iter().copied()) + REST * self.brought)
    }
}

/// Applies the impulses that the constraints start from, and sweeps until the norm of a sweep's impulse updates falls to the
/// tolerance (Bouchard et al. 2015, section 5.5), the motion of a large island is found, or the sweep limit is reached.
///
/// The norm adds the squares of N s and N m s as they are. It mixes updates of different ages, so it costs nothing;
/// a contact that stands alone needs one sweep to solve and one to confirm.
pub fn solve(constraints: &mut [Constraint], bodies: &mut [SolverBody], settings: &Settings) -> Convergence {
    let mut motion = Motion::new(constraints.len(), bodies, settings);
    for constraint in &*constraints {
        constraint.apply(&constraint.impulse, bodies);
    }
    let n_rows: usize = constraints.iter().map(|constraint| constraint.rows.n_rows()).sum();
    let rounding = ROUNDING * momentum(bodies.iter().copied());
    let scale = if settings.tolerance_per_row { (n_rows as f64).sqrt().recip() } else { 1.0 };
    let mut result = Convergence::default();
    let (mut last_norm, mut last_residual) = (f64::INFINITY, f64::INFINITY);
    let mut relaxation = settings.relaxation;
    let most_inaccurate = if constraints.len() > EXACT_CONSTRAINTS { MAX_INACCURACY } else { 0.0 };
    let mut accuracy = most_inaccurate;
    let mut anderson = Anderson::default();
    let mut accelerator = settings.accelerator;
    let max_sweeps = max_sweeps(settings, constraints.len());
    while result.sweeps < max_sweeps {
        // The last impulses have to come from a plain sweep, so that they keep to their limits.
        let is_last = result.sweeps + 1 == max_sweeps;
        let factor = if is_last { 1.0 } else { relaxation };
        let backward = settings.order == SweepOrder::Symmetric && result.sweeps % 2 == 1;
        let how = Sweep { local: settings.local, relaxation: factor, accuracy };
        if let Some(motion) = &mut motion {
            motion.note(bodies);
        }
        let (norm, size) = sweep(constraints, bodies, &how, backward);
        let motion_found = motion.as_ref().is_some_and(|motion| motion.is_found(bodies));
        accuracy = if size > 0.0 { (INACCURACY * norm / size).min(most_inaccurate) } else { 0.0 };
        result.update_norm = scale * norm;
        result.update_norms.push(result.update_norm);
        result.sweeps += 1;
        let absolute = result.update_norm <= settings.tolerance && norm <= LIGHT_TOLERANCE * size;
        let relative = norm <= rounding.max(settings.relative_tolerance * size);
        if absolute || relative || motion_found {
            if factor == 1.0 {
                result.converged = true;
                break;
            }
            relaxation = 1.0;
        }
        if norm > last_norm {
            relaxation = 1.0;
        }
        let round_ends = backward || settings.order == SweepOrder::Forward;
        if round_ends && result.sweeps < max_sweeps {
            if anderson.has_failed() || (motion.is_some() && anderson.is_idle()) {
                accelerator = Accelerator::Nncg;
                result.fell_back = true;
            }
            match accelerator {
                Accelerator::None => {}
                Accelerator::Nncg => {
                    let residual = residual(constraints);
                    // Where nothing has changed there is no direction to go on in.
                    let beta = if last_residual > 0.0 { residual / last_residual } else { 0.0 };
                    accelerate(constraints, bodies, beta);
                    last_residual = residual;
                }
                Accelerator::Anderson => anderson.step(constraints, bodies),
            }
        }
        last_norm = norm;
    }
    for constraint in &*constraints {
        if constraint.residual.is_finite() {
            result.friction_residual = result.friction_residual.max(constraint.residual);
        } else {
            result.n_frictionless += 1;
        }
    }
    result
}

/// Sweeps that an island of so many constraints gets at most.
fn max_sweeps(settings: &Settings, n_constraints: usize) -> u32 {
    let affordable = (settings.max_solves / n_constraints.max(1) as u64).max(MIN_SWEEPS);
    affordable.min(u64::from(settings.max_sweeps)) as u32
}

/// About the momentum of bodies, linear and angular, or of changes of their twists \[N s, N m s mixed\].
fn momentum(bodies: impl Iterator<Item = SolverBody>) -> f64 {
    let part = |body: SolverBody| {
        let i = &body.inverse_inertia;
        let light = (i.x_axis.x + i.y_axis.y + i.z_axis.z).max(f64::MIN_POSITIVE);
        let [linear, angular] = [body.twist.linear / body.inverse_mass, body.twist.angular / light];
        linear.length_squared() + angular.length_squared()
    };
    bodies.map(part).sum::<f64>().sqrt()
}

/// Square of the change of all impulses since the accelerator last stepped in: by one sweep or, where they go to and fro,
/// by two, which together are a symmetric operation as conjugate gradients want it.
fn residual(constraints: &[Constraint]) -> f64 {
    constraints.iter().map(|constraint| constraint.moved.length_squared()).sum()
}

/// One step of nonlinear conjugate gradients on the residual that the sweeps leave, Fletcher and Reeves' formula for
/// `beta`; starts anew where the residual has grown.
fn accelerate(constraints: &mut [Constraint], bodies: &mut [SolverBody], beta: f64) {
    for constraint in constraints {
        let moved = std::mem::replace(&mut constraint.moved, Vec6::ZERO);
        if beta > 1.0 {
            constraint.direction = Vec6::ZERO;
            continue;
        }
        let extra = constraint.direction * beta;
        constraint.impulse += extra;
        constraint.apply(&extra, bodies);
        constraint.direction = extra + moved;
    }
}

/// Solves every constraint once, in order or against it; the norm of all updates and that of all impulses.
fn sweep(
    constraints: &mut [Constraint],
    bodies: &mut [SolverBody],
    how: &Sweep,
    backward: bool,
) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    let mut solve = |constraint: &mut Constraint| {
        constraint.solve(bodies, how);
        sum += constraint.update.length_squared();
        size += constraint.impulse.length_squared();
    };
    if backward {
        constraints.iter_mut().rev().for_each(&mut solve);
    } else {
        constraints.iter_mut().for_each(&mut solve);
    }
    (f64::sqrt(sum), f64::sqrt(size))
}
