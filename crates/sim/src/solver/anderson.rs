//! Anderson's acceleration (1965) of the sweeps: from how the last few sweeps have changed the impulses it finds the
//! combination of them whose change would be smallest, and goes on from there.
//!
//! For a linear problem that is GMRES with the sweep as preconditioner (Walker and Ni 2011), so that a chain of n bodies
//! takes about n sweeps. Limits of friction and patch bend the problem; where the change grows, the memory is dropped, and where
//! that happens again ([`MAX_DROPS`]), or in a large island no longer falls ([`MAX_IDLE`]), conjugate gradients take over, which look
//! back by one sweep only. Small ones with large ratios of mass may wait long for the next fall.

use crate::solver::Vec6;
use crate::solver::body::SolverBody;
use crate::solver::constraint::Constraint;
use crate::solver::spatial::Cholesky;

/// Sweeps that are remembered.
const DEPTH: usize = 8;

/// Growth of the change, as a factor on its smallest so far, at which the memory is dropped. No unit.
const GROWTH: f64 = 4.0;

/// Longest step, as a factor on the impulses; cold stacks of ten and of a hundred boxes ask for 0.95. No unit.
const MAX_REACH: f64 = 10.0;

/// Times that the memory may be dropped within a step; without one, the scene `wedged` takes 131 sweeps per step instead of 11.
const MAX_DROPS: u32 = 1;

/// Sweeps within which the change has to fall to a half. With a limit of 10 or 16 the scene `salad` takes 29 to 51 sweeps per step
/// instead of 75.
const MAX_IDLE: u32 = 16;

/// Impulses and their changes of the last sweeps of an island.
#[derive(Debug, Default)]
pub struct Anderson {
    /// Impulses after the last sweep, and what it changed.
    last: Vec<[Vec6; 2]>,
    /// Differences of both between sweeps, constraint by constraint; a ring of which `n` are filled.
    differences: Vec<[[Vec6; 2]; DEPTH]>,
    n: usize,
    next: usize,
    lowest: f64,
    /// Times that the memory was dropped.
    drops: u32,
    /// Sweeps since the change was last halved, and what it was then.
    idle: u32,
    halved: f64,
}

impl Anderson {
    /// Whether its memory has misled too often.
    pub fn has_failed(&self) -> bool {
        self.drops > MAX_DROPS
    }

    /// Whether the change no longer falls.
    pub fn is_idle(&self) -> bool {
        self.idle > MAX_IDLE
    }

    /// Moves the impulses on after a sweep, and the bodies with them.
    pub fn step(&mut self, constraints: &mut [Constraint], bodies: &mut [SolverBody]) {
        let residual: f64 = constraints.iter().map(|constraint| constraint.moved.length_squared()).sum();
        if self.last.len() != constraints.len() {
            self.start(constraints, residual);
            return;
        }
        self.remember(constraints);
        if residual > GROWTH * GROWTH * self.lowest {
            (self.n, self.next) = (0, 0);
            self.lowest = residual;
            self.drops += 1;
            return;
        }
        self.lowest = self.lowest.min(residual);
        self.idle += 1;
        if residual <= 0.25 * self.halved {
            (self.idle, self.halved) = (0, residual);
        }
        let part = self.combination();
        if self.reaches_too_far(&part, constraints) {
            (self.n, self.next) = (0, 0);
            return;
        }
        for (constraint, (last, differences)) in
            constraints.iter_mut().zip(self.last.iter_mut().zip(&self.differences))
        {
            let extra = combine(&differences[..self.n], &part);
            constraint.impulse += extra;
            constraint.apply(&extra, bodies);
            last[0] = constraint.impulse - extra;
        }
    }

    /// Whether a step would lead far beyond the impulses there are, as happens where changes are rounding.
    fn reaches_too_far(&self, part: &[f64; DEPTH], constraints: &[Constraint]) -> bool {
        let steps = self.differences.iter().map(|differences| combine(&differences[..self.n], part));
        let size: f64 = constraints.iter().map(|constraint| constraint.impulse.length_squared()).sum();
        steps.map(|step| step.length_squared()).sum::<f64>() > MAX_REACH * MAX_REACH * size
    }

    fn start(&mut self, constraints: &mut [Constraint], residual: f64) {
        self.last = constraints.iter_mut().map(|c| [c.impulse, std::mem::take(&mut c.moved)]).collect();
        self.differences = vec![[[Vec6::ZERO; 2]; DEPTH]; constraints.len()];
        (self.n, self.next, self.lowest, self.halved) = (0, 0, residual, residual);
    }

    fn remember(&mut self, constraints: &mut [Constraint]) {
        for (constraint, (last, differences)) in
            constraints.iter_mut().zip(self.last.iter_mut().zip(&mut self.differences))
        {
            let now = [constraint.impulse, std::mem::take(&mut constraint.moved)];
            differences[self.next] = [now[0] - last[0], now[1] - last[1]];
            *last = now;
        }
        self.next = (self.next + 1) % DEPTH;
        self.n = (self.n + 1).min(DEPTH);
    }

    /// The combination of differences that comes nearest to the last change, by normal equations; differences that depend
    /// on others are left out.
    fn combination(&self) -> [f64; DEPTH] {
        let mut gram = [[0.0; DEPTH]; DEPTH];
        let mut rhs = [0.0; DEPTH];
        for (last, differences) in self.last.iter().zip(&self.differences) {
            for i in 0..self.n {
                rhs[i] += differences[i][1].dot(&last[1]);
                for j in 0..=i {
                    gram[i][j] += differences[i][1].dot(&differences[j][1]);
                }
            }
        }
        Cholesky::new(&gram).solve(&rhs)
    }
}

/// The step of one constraint.
fn combine(differences: &[[Vec6; 2]], part: &[f64; DEPTH]) -> Vec6 {
    differences.iter().zip(part).fold(Vec6::ZERO, |sum, (difference, part)| sum - difference[0] * *part)
}
