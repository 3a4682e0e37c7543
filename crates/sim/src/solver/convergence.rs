//! How far the sweeps of an island have come: how much the last one has changed, how fast that falls, and what is left.

use glam::DVec3;

use crate::solver::body::SolverBody;
use crate::twist::Twist;

/// How an island's solve ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convergence {
    /// Sweeps made.
    pub sweeps: u32,
    /// Update norm of the last one.
    pub update_norm: f64,
    /// Update norm of each one.
    pub update_norms: Vec<f64>,
    /// Estimate of what the velocities are off by, see [`Motion::reported_error`] \[m/s\].
    pub velocity_error: f64,
    /// Whether it is solved to its tolerance.
    pub converged: bool,
    /// Whether its constraints still ask for something else where the motion leads: bodies turn too far in the step for its end to be known.
    pub is_lost: bool,
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

/// What all further sweeps would change, where the changes go on falling by their [`rate`]; infinite where they do not fall or are not
/// finite.
pub fn left_over(changes: &[f64], window: usize) -> f64 {
    match changes.last() {
        Some(&last) if !last.is_finite() => f64::INFINITY,
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

    /// The same as it is reported: no more than what as many sweeps again would change, if each did as much as the largest of the last
    /// four. Where changes hardly fall any more, as where they have come down to rounding, their rate is chance and what follows from it
    /// is anything up to the bodies' speed. Of steps that ran out of sweeps (gears, nuts, a pile, an arch, what is wedged or pinched),
    /// measured against 5,000 sweeps, this was 0.02 to 0.7 of the truth in the middle of each scene, and in single steps a hundred times
    /// too small or too large; the plain estimate was up to ten million times too large.
    pub fn reported_error(&self) -> f64 {
        let recent = &self.changes[self.changes.len().saturating_sub(WINDOW)..];
        let largest = recent.iter().fold(0.0, |m: f64, change| m.max(*change));
        self.error().min(self.changes.len() as f64 * largest)
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

/// The same about their mean velocity: what a pile moves by is none of how it is seen.
pub fn speed_within(bodies: &[SolverBody]) -> f64 {
    let mean = bodies.iter().map(|body| body.twist.linear).sum::<DVec3>() / bodies.len().max(1) as f64;
    speed(bodies.iter().map(|body| {
        let twist = Twist { linear: body.twist.linear - mean, ..body.twist };
        SolverBody { twist, ..*body }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(changes: impl IntoIterator<Item = f64>) -> Motion {
        Motion { before: Vec::new(), changes: changes.into_iter().collect() }
    }

    #[test]
    fn what_falls_steadily_is_off_by_the_rest_of_its_series() {
        let steady = motion((0..20).map(|sweep| 0.5_f64.powi(sweep)));
        // A half and a quarter and so on of the last change, and that itself.
        let rest = 2.0 * 0.5_f64.powi(19);
        for error in [steady.error(), steady.reported_error()] {
            assert!((error / rest - 1.0).abs() < 1e-12, "{error} of {rest}");
        }
    }

    /// Rounding does not fall: its rate says nothing, and the bodies' speed is no estimate of what it is off by.
    #[test]
    fn rounding_is_no_error() {
        let alone = motion([1e-17]);
        let stalled = motion((0..200).map(|sweep| 1e-15 * (1.0 + 0.5 * f64::from(sweep % 3))));
        assert!(alone.error().is_infinite() && stalled.error() > 1e-13);
        assert!((alone.reported_error() - 1e-17).abs() < 1e-30);
        assert!(stalled.reported_error() <= 200.0 * 2e-15);
        assert_eq!(motion([]).reported_error(), 0.0);
    }

    /// Nor is one change that an accelerator has made long ago.
    #[test]
    fn what_still_changes_is_reported() {
        let creeping = motion((0..100).map(|sweep| if sweep < 90 { 1.0 } else { 1e-3 }));
        assert!((1e-3..=0.1).contains(&creeping.reported_error()), "{}", creeping.reported_error());
    }
}
