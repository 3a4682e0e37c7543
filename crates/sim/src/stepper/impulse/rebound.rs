//! Bounces that would give energy.
//!
//! Newton's law of restitution says for each contact alone how fast its bodies part. Where several bounce at once, and where friction acts
//! on what strikes askew, all of that together may give more energy than there was (Kane and Levinson 1985). Then all bounces of the group
//! are weaker by one factor, the largest with which they give none.

use std::cmp::Ordering;

use super::solve::IslandTask;
use crate::Settings;
use crate::law::volume::Contact;
use crate::solver::Vec6;
use crate::solver::body::SolverBody;
use crate::solver::constraint::Rows;
use crate::solver::convergence::Convergence;

/// Part of what contacts take up that they may seem to give, by rounding and by what sweeps leave. No unit.
const NO_GAIN: f64 = 1e-6;

/// Solves in which the factor is looked for; the energy is nearly a parabola in it, which regula falsi finds in a few. No unit.
const MAX_SOLVES: u32 = 8;

impl IslandTask<'_> {
    /// Solves the island, and again with weaker bounces where these give energy.
    pub(super) fn solve_without_gain(&mut self, settings: &Settings, n_sharing: u32) -> Convergence {
        if self.contacts.iter().all(|contact| contact.bounce.is_none()) {
            return self.solve(settings, n_sharing);
        }
        let bodies = self.bodies.to_vec();
        let impulses: Vec<Vec6> = self.constraints.iter().map(|constraint| constraint.impulse).collect();
        let end = self.solve(settings, n_sharing);
        let mut high = (1.0, self.gain(&bodies)[0]);
        // What is no number is found by whoever asks for the state.
        if !matches!(high.1.partial_cmp(&0.0), Some(Ordering::Greater)) {
            return end;
        }
        let mut at = high.0;
        let mut solve_with = |task: &mut Self, part: f64| {
            task.begin_anew(&bodies, &impulses, part - at);
            at = part;
            let end = task.solve(settings, n_sharing);
            (end, task.gain(&bodies))
        };
        let (mut best, [gain, _]) = solve_with(self, 0.0);
        let mut low = (0.0, gain);
        let mut last = low.0;
        for _ in 0..MAX_SOLVES {
            // Whatever gives energy without any bounce is none of theirs.
            if low.1 > 0.0 {
                break;
            }
            last = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let (end, [gain, little]) = solve_with(self, last);
            // By the Illinois rule, so that both ends move.
            if gain > 0.0 {
                (high, low.1) = ((last, gain), 0.5 * low.1);
                continue;
            }
            (low, high.1, best) = ((last, gain), 0.5 * high.1, end);
            if gain >= -2.0 * little {
                break;
            }
        }
        if last == low.0 { best } else { solve_with(self, low.0).0 }
    }

    /// Begins the solve again with rebounds that are changed by so much of themselves.
    fn begin_anew(&mut self, bodies: &[SolverBody], impulses: &[Vec6], change: f64) {
        self.bodies.copy_from_slice(bodies);
        for (constraint, impulse) in self.constraints.iter_mut().zip(impulses) {
            (constraint.impulse, constraint.moved, constraint.direction) = (*impulse, Vec6::ZERO, Vec6::ZERO);
        }
        for contact in self.contacts {
            let Some(bounce) = contact.bounce else { continue };
            let own = contact.constraints.start - self.first_constraint;
            self.constraints[own].bias += bounce.rebound * change;
        }
    }

    /// Energy that the contacts give to the bodies that had these velocities before, less what may seem so, and that \[J\].
    fn gain(&self, before: &[SolverBody]) -> [f64; 2] {
        let [given, turned_over] = self
            .contacts
            .iter()
            .map(|contact| self.work(contact, before))
            .fold([0.0; 2], |[given, turned_over], [work, of]| [given + work, turned_over + of]);
        [given - NO_GAIN * turned_over, NO_GAIN * turned_over]
    }

    /// The work of a contact over a patch: its impulse times the mean of the velocities before and after it, and of their amounts. What bounces
    /// has only then the velocities that gravity gives it until the end of the step.
    fn work(&self, contact: &Contact, before: &[SolverBody]) -> [f64; 2] {
        let constraint = &self.constraints[contact.constraints.start - self.first_constraint];
        let Rows::Patch(_) = constraint.rows else { return [0.0; 2] };
        let driven = contact.driven_twist();
        let power =
            |bodies: &[SolverBody]| constraint.impulse.dot(&(constraint.relative_twist(bodies) + driven));
        let [before, after] = [power(before), power(self.bodies)];
        let drift = contact.bounce.map_or(0.0, |bounce| bounce.drift);
        [0.5 * (before + after) - constraint.impulse[0] * drift, 0.5 * (before.abs() + after.abs())]
    }
}
