//! A step of Newton's method on the sweeps' fixed point (Alart and Curnier 1991): what presses, sticks and slides stays as the last
//! sweep has left it, and the impulses that solve all constraints of an island at once are found directly.
//!
//! Every constraint answers a change of its bodies' velocities by a change of its impulse ([`Answer`]), which leaves one linear
//! system in the bodies' velocities, `(M + Jᵀ W J) Δu = Jᵀ h`, symmetric and positive: friction that slides is held at the present
//! normal force. What holds does so with a compliance of rounding, which the step refines away. The sweep after it checks what
//! presses, sticks and slides. What that is, steps find by going through worse: the best that there was is remembered, and steps that
//! have not bettered it for a while are taken back to it (a watchdog: Chamberlain, Powell, Lemarechal, Pedersen 1982).

use crate::LocalSolver;
use crate::constants::EXACT_CONSTRAINTS;
use crate::solver::Vec6;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::{Constraint, Rows};
use crate::solver::sparse::{Block6, BlockMatrix, Pattern, times, times_transposed, transposed_times};
use crate::solver::stiffness::Answer;
use crate::twist::Twist;

/// Time of an answer and its part of the matrix, in that of a constraint in a sweep: estimated from the operations of both, not
/// timed. It decides when a step is tried, not what it finds. No unit.
const ANSWER: f64 = 5.0;

/// Time of a product of blocks in a factorisation, in that of a constraint in a sweep: estimated likewise. No unit.
const PRODUCT: f64 = 0.1;

/// Compliance of what holds, as a part of its own response: it makes the impulses of constraints that hold against each other the
/// least. An answer is off by it at once, and by rounding over it when refined. No unit.
const COMPLIANCE: f64 = 1e-8;

/// Times that an answer is refined. What holds is exact to the square root of rounding at once, and to rounding when it is refined once. No unit.
const REFINEMENTS: u32 = 2;

/// Part of the best that there was to change which a step has to leave at most to better it. A soft one moves impulses that hold against
/// each other; one that finds friction by the normal forces there are, where these depend on friction, leaves nine tenths each time,
/// and Anderson's acceleration does better. No unit.
const GAIN: f64 = 0.5;

/// Steps that may follow each other without bettering the best. Of four towers of fifty boxes that have come down on each other a little
/// tilted three come to rest with three; with one, towers still sway after four seconds. No unit.
const MAX_ASTRAY: u32 = 3;

/// Part of a refinement's change, squared, that the next one may make: what holds halves it at least, and what cannot hold at once
/// does not. No unit.
const REFINED: f64 = 0.25;

/// Newton's steps within the solve of an island.
#[derive(Debug)]
pub struct Newton {
    matrix: BlockMatrix,
    /// Sweeps that take as long as a step.
    cost: f64,
    /// Sweeps that are left to the other accelerator before the next step, and after the next one that fails.
    wait: f64,
    patience: f64,
    /// In how many directions each constraint held at the last step, and whether that was as at the step before.
    n_held: Vec<u8>,
    is_settled: bool,
    /// Compliance of what holds, as a part of its response.
    compliance: f64,
    /// Whether the last step is not judged yet.
    has_stepped: bool,
    /// The smallest norm of a sweep before a step, what that sweep left, and how many steps have not bettered it since.
    best: Option<(f64, State)>,
    n_astray: u32,
}

/// Impulses and velocities of an island.
#[derive(Debug)]
struct State {
    impulses: Vec<Vec6>,
    twists: Vec<Twist>,
}

impl State {
    fn of(constraints: &[Constraint], bodies: &[SolverBody]) -> Self {
        Self {
            impulses: constraints.iter().map(|constraint| constraint.impulse).collect(),
            twists: bodies.iter().map(|body| body.twist).collect(),
        }
    }

    fn restore(&self, constraints: &mut [Constraint], bodies: &mut [SolverBody]) {
        for (constraint, impulse) in constraints.iter_mut().zip(&self.impulses) {
            (constraint.impulse, constraint.moved) = (*impulse, Vec6::ZERO);
        }
        for (body, twist) in bodies.iter_mut().zip(&self.twists) {
            body.twist = *twist;
        }
    }
}

impl Newton {
    /// Steps for an island; `None` where they are not known, or one takes longer than `max_sweeps` sweeps.
    pub fn new(constraints: &[Constraint], bodies: &[SolverBody], max_sweeps: f64) -> Option<Self> {
        let is_known = |constraint: &Constraint| !matches!(constraint.rows, Rows::Point(_));
        if !constraints.iter().all(is_known)
            || bodies.iter().any(|body| body.inverse_inertia.determinant() <= 0.0)
        {
            return None;
        }
        let pairs = constraints.iter().map(|constraint| constraint.slots);
        let pairs = pairs.filter(|slots| !slots.contains(&NO_SLOT));
        let n = constraints.len() as f64;
        if max_sweeps < ANSWER {
            return None;
        }
        let max_products = (max_sweeps - ANSWER) * n / PRODUCT;
        let pattern = Pattern::new(bodies.len(), pairs, max_products as u64)?;
        let cost = ANSWER + PRODUCT * pattern.n_products as f64 / n;
        Some(Self {
            matrix: BlockMatrix::zero(pattern),
            cost,
            wait: 0.0,
            patience: cost,
            n_held: Vec::new(),
            is_settled: false,
            compliance: COMPLIANCE,
            has_stepped: false,
            best: None,
            n_astray: 0,
        })
    }

    /// Whether the last step is not judged yet, or has not bettered the best that there was.
    pub fn is_astray(&self) -> bool {
        self.has_stepped || self.n_astray > 0
    }

    /// Forgets what was best, for constraints that ask for something else now.
    pub fn begin_anew(&mut self) {
        (self.has_stepped, self.best, self.n_astray) = (false, None, 0);
    }

    /// Judges the last step by the norm of the sweep after it and makes another, where that is worth its time with so many sweeps left
    /// to go without; whether it has done anything. Once too many have not bettered the best, it goes back to that.
    pub fn advance(
        &mut self,
        constraints: &mut [Constraint],
        bodies: &mut [SolverBody],
        local: LocalSolver,
        norm: f64,
        sweeps_left: f64,
    ) -> bool {
        self.judge(norm);
        if self.n_astray == MAX_ASTRAY {
            return self.end_astray(constraints, bodies, norm);
        }
        self.wait -= 1.0;
        let pays = self.wait < 0.0 && self.cost < sweeps_left;
        pays && self.step(constraints, bodies, local, norm)
    }

    /// Where steps creep on with the same that holds, the next one waits: the other accelerator does better, but among many contacts.
    fn judge(&mut self, norm: f64) {
        let Some((best, _)) = self.best.as_ref().filter(|_| std::mem::take(&mut self.has_stepped)) else {
            return;
        };
        if norm < GAIN * best {
            self.compliance = (self.compliance * self.compliance).max(COMPLIANCE);
            self.n_astray = 0;
        } else if norm < *best && self.is_settled && self.n_held.len() <= EXACT_CONSTRAINTS {
            self.hold_back();
        } else {
            self.n_astray += 1;
        }
    }

    /// Goes back to the best from what is worse; whether it has.
    fn end_astray(&mut self, constraints: &mut [Constraint], bodies: &mut [SolverBody], norm: f64) -> bool {
        self.n_astray = 0;
        let goes_back = self.go_back(constraints, bodies, norm).is_some();
        if goes_back {
            self.soften();
        }
        goes_back
    }

    /// Goes back to the best where `norm` is worse; its norm then.
    pub fn go_back(
        &self,
        constraints: &mut [Constraint],
        bodies: &mut [SolverBody],
        norm: f64,
    ) -> Option<f64> {
        let (best, state) = self.best.as_ref().filter(|(best, _)| norm.is_nan() || norm > *best)?;
        state.restore(constraints, bodies);
        Some(*best)
    }

    /// Makes further steps wait, longer every time.
    fn hold_back(&mut self) {
        self.wait = self.patience;
        self.patience *= 2.0;
    }

    /// The same, and hold more softly.
    fn soften(&mut self) {
        self.hold_back();
        self.compliance = self.compliance.sqrt();
    }

    /// Makes a step from impulses that the last sweep has changed by `norm`; whether there is one.
    fn step(
        &mut self,
        constraints: &mut [Constraint],
        bodies: &mut [SolverBody],
        local: LocalSolver,
        norm: f64,
    ) -> bool {
        let answer = |constraint: &Constraint| Answer::of(constraint, bodies, local, self.compliance);
        let Some(answers) = constraints.iter().map(answer).collect::<Option<Vec<Answer>>>() else {
            return false;
        };
        let n_held: Vec<u8> = answers.iter().map(|answer| answer.n_held).collect();
        self.is_settled = n_held == self.n_held;
        self.n_held = n_held;
        self.factorise(constraints, bodies, &answers);
        let changes = self.changes(constraints, bodies.len(), &answers);
        let Some(changes) = changes.filter(|changes| changes.iter().all(Vec6::is_finite)) else {
            self.soften();
            return false;
        };
        self.has_stepped = true;
        if self.best.as_ref().is_none_or(|(best, _)| norm < *best) {
            self.best = Some((norm, State::of(constraints, bodies)));
            self.n_astray = 0;
        }
        for (constraint, change) in constraints.iter_mut().zip(&changes) {
            constraint.impulse += *change;
            constraint.moved = Vec6::ZERO;
            constraint.apply(change, bodies);
        }
        true
    }

    /// The factors of `M + Jᵀ W J`.
    fn factorise(&mut self, constraints: &[Constraint], bodies: &[SolverBody], answers: &[Answer]) {
        self.matrix.clear();
        for (row, body) in (0..).zip(bodies) {
            self.matrix.add_diagonal(row, &inertia(body));
        }
        for (constraint, answer) in constraints.iter().zip(answers) {
            let stiffness = answer.stiffness();
            let by_side = answer.wrenches.each_ref().map(|map| times_transposed(map, &stiffness));
            for (side, slot) in constraint.slots.into_iter().enumerate().filter(|(_, slot)| *slot != NO_SLOT)
            {
                self.matrix.add_diagonal(slot, &times_transposed(&by_side[side], &answer.wrenches[side]));
            }
            if !constraint.slots.contains(&NO_SLOT) {
                self.matrix.add_pair(constraint.slots, &times_transposed(&by_side[0], &answer.wrenches[1]));
            }
        }
        self.matrix.factorise();
    }

    /// The changes of all impulses; `None` where what holds cannot hold at once, so that refining does not end.
    fn changes(&self, constraints: &[Constraint], n_bodies: usize, answers: &[Answer]) -> Option<Vec<Vec6>> {
        let mut held = vec![Vec6::ZERO; answers.len()];
        let mut changes = held.clone();
        let mut moved = vec![[0.0; 6]; n_bodies];
        let mut last_refined = f64::INFINITY;
        let n_refinements = if self.compliance == COMPLIANCE { REFINEMENTS } else { 1 };
        for _ in 0..n_refinements {
            moved.fill([0.0; 6]);
            for ((constraint, answer), held) in constraints.iter().zip(answers).zip(&held) {
                let push = answer.refined(held, &Vec6::ZERO).change;
                for (slot, map) in dynamic_sides(constraint, answer) {
                    let wrench = times(map, &push.0);
                    moved[slot] = std::array::from_fn(|i| moved[slot][i] + wrench[i]);
                }
            }
            self.matrix.solve(&mut moved);
            let mut refined = 0.0;
            for (((constraint, answer), held), change) in
                constraints.iter().zip(answers).zip(&mut held).zip(&mut changes)
            {
                let mut relative = Vec6::ZERO;
                for (slot, map) in dynamic_sides(constraint, answer) {
                    relative += Vec6(transposed_times(map, &moved[slot]));
                }
                let next = answer.refined(held, &relative);
                refined += (next.held - *held).length_squared();
                (*held, *change) = (next.held, next.change);
            }
            if refined > REFINED * last_refined {
                return None;
            }
            last_refined = refined;
        }
        Some(changes)
    }
}

/// The sides of a constraint that have a slot, with their maps from impulse to wrench.
fn dynamic_sides<'a>(
    constraint: &Constraint,
    answer: &'a Answer,
) -> impl Iterator<Item = (usize, &'a Block6)> + use<'a> {
    let sides = constraint.slots.into_iter().zip(&answer.wrenches);
    sides.filter(|(slot, _)| *slot != NO_SLOT).map(|(slot, map)| (slot as usize, map))
}

/// Mass and inertia of a body.
fn inertia(body: &SolverBody) -> Block6 {
    let angular = body.inverse_inertia.inverse();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i < 3, j < 3) {
            (true, true) if i == j => body.inverse_mass.recip(),
            (false, false) => angular.col(j - 3)[i - 3],
            _ => 0.0,
        })
    })
}
