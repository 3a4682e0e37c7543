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

/// Sweeps whose changes tell the rate: a single one is at the mercy of the accelerator, which makes some changes grow.
const WINDOW: usize = 4;

/// By how much the change falls from one sweep to the next, the geometric mean over the last few: at most 1 less a sweep's part
/// of all, for as many sweeps as were made may follow where it does not fall. 0 for less than two sweeps.
pub fn rate(changes: &[f64]) -> f64 {
    let n = changes.len();
    let window = WINDOW.min(n.saturating_sub(1));
    if window == 0 || changes[n - 1] == 0.0 {
        return 0.0;
    }
    let rate = (changes[n - 1] / changes[n - 1 - window]).powf((window as f64).recip());
    rate.min(1.0 - (n as f64).recip())
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

    /// What the velocities are off by, root mean square over the bodies \[m/s\]: the changes of the sweeps fall by a rate, so that
    /// all further ones would change them by the last change over one minus that rate.
    ///
    /// An estimate, not a bound.
    pub fn error(&self) -> f64 {
        self.changes.last().map_or(0.0, |last| last / (1.0 - rate(&self.changes)))
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
