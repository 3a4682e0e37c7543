//! How far the sweeps of an island have come: how much the last one has changed, how fast that falls, and what is left.

use crate::motion::Twist;
use crate::solver::body::SolverBody;

/// How an island's solve ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convergence {
    /// Sweeps made.
    pub sweeps: u32,
    /// Update norm of the last one.
    pub update_norm: f64,
    /// Update norm of each one.
    pub update_norms: Vec<f64>,
    /// Estimate of what the velocities are off by, see [`Motion::error`] \[m/s\].
    pub velocity_error: f64,
    /// Whether it is solved to its tolerance.
    pub converged: bool,
    /// Whether conjugate gradients had to take over from Anderson's acceleration.
    pub fell_back: bool,
    /// Largest residual of a contact's friction in the last sweep, of those that have one.
    pub friction_residual: f64,
    /// Contacts that were solved without friction in the last sweep, because no friction has an answer.
    pub n_frictionless: u32,
}

/// Sweeps whose updates tell the rate at which these fall: a single one is at the mercy of the accelerator, which makes some grow.
pub const WINDOW: usize = 4;

/// By what factor the changes fall from one sweep to the next, the geometric mean over the last `window` sweeps; 1 where they do not
/// fall, and after the first, which says nothing.
pub fn rate(changes: &[f64], window: usize) -> f64 {
    let n = changes.len();
    let window = window.min(n.saturating_sub(1));
    if window == 0 {
        return 1.0;
    }
    let (last, first) = (changes[n - 1], changes[n - 1 - window]);
    if last < first { (last / first).powf((window as f64).recip()) } else { 1.0 }
}

/// What all further sweeps would change, where the changes go on falling by their [`rate`]; infinite where they do not fall.
pub fn left_over(changes: &[f64], window: usize) -> f64 {
    match changes.last() {
        Some(&last) if last > 0.0 => last / (1.0 - rate(changes, window)),
        _ => 0.0,
    }
}

/// What the sweeps do to the bodies' motion.
#[derive(Debug, Default)]
pub struct Motion {
    /// Twists of the bodies before the sweep.
    before: Vec<Twist>,
    /// Change of the velocities by each sweep, root mean square \[m/s\].
    changes: Vec<f64>,
}

impl Motion {
    /// Notes the velocities before a sweep.
    pub fn begin_sweep(&mut self, bodies: &[SolverBody]) {
        self.before.clear();
        self.before.extend(bodies.iter().map(|body| body.twist));
    }

    /// Notes the velocities after it.
    pub fn end_sweep(&mut self, bodies: &[SolverBody]) {
        let changes = bodies.iter().zip(&self.before).map(|(body, before)| {
            let linear = body.twist.linear - before.linear;
            SolverBody { twist: Twist { linear, angular: body.twist.angular - before.angular }, ..*body }
        });
        self.changes.push(speed(changes));
    }

    /// What the velocities are off by, root mean square over the bodies \[m/s\]: what all further sweeps would change, see
    /// [`left_over`], by the later half of the sweeps, since among many contacts the changes fall ever more slowly. An estimate, not
    /// a bound: where a tumbling pile is solved until it is at its tolerance, the velocities are off by twice that in the middle, and by
    /// up to ten times in some steps.
    pub fn error(&self) -> f64 {
        left_over(&self.changes, (self.changes.len() / 2).max(1))
    }
}

/// Root mean square of the velocities of bodies; turning counts at the mean radius of gyration \[m/s\].
pub fn speed(bodies: impl ExactSizeIterator<Item = SolverBody>) -> f64 {
    let n = bodies.len().max(1) as f64;
    let square = |body: SolverBody| {
        let i = &body.inverse_inertia;
        let light = (i.x_axis.x + i.y_axis.y + i.z_axis.z).max(f64::MIN_POSITIVE);
        let gyration = 3.0 * body.inverse_mass / light;
        body.twist.linear.length_squared() + gyration * body.twist.angular.length_squared()
    };
    (bodies.map(square).sum::<f64>() / n).sqrt()
}
