//! Block Gauss-Seidel over the constraints of an island: sweeps of one block solved after another, each against the
//! velocities that the others have left.

use rayon::prelude::*;

use crate::constants::{
    EXACT_CONSTRAINTS, INACCURACY, LIGHT_TOLERANCE, MAX_INACCURACY, MIN_SWEEPS, PARALLEL_CHUNK,
    PARALLEL_CONTACTS, REST, ROUNDING,
};
use crate::solver::Vec6;
use crate::solver::anderson::Anderson;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::coloring::colors;
use crate::solver::constraint::{Constraint, Rows, Solution, Sweep};
use crate::solver::convergence::{Convergence, Motion, WINDOW, left_over, rate, speed, speed_within};
use crate::solver::newton::Newton;
use crate::twist::Twist;
use crate::{Accelerator, Settings, SweepOrder};

/// Applies the impulses that the constraints start from, and sweeps until the norm of a sweep's impulse updates falls to the
/// tolerance (Bouchard et al. 2015, section 5.5), the motion of a large island is found, or the sweep limit is reached.
///
/// The norm adds the squares of N s and N m s as they are. It mixes updates of different ages, so it costs nothing;
/// a contact that stands alone needs one sweep to solve and one to confirm. `n_sharing` parts of a step share its sweeps.
///
/// What a constraint asks for may depend on the motion: `adapts` lets all of them follow the bodies as they are, and says whether any
/// asks for something else now. A solve goes on from there, a few times at most.
pub fn solve(
    constraints: &mut [Constraint],
    bodies: &mut [SolverBody],
    settings: &Settings,
    n_sharing: u32,
    mut adapts: impl FnMut(&mut [Constraint], &[SolverBody]) -> bool,
) -> Convergence {
    let end = run(constraints, bodies, settings, n_sharing, &mut adapts);
    // Such impulses may be a solution. In the next step, which starts from them, nothing could move what they hold.
    let is_soon = end.converged && u64::from(end.sweeps) <= MIN_SWEEPS;
    if is_soon || settings.accelerator == Accelerator::None || !are_strained(constraints, bodies) {
        return end;
    }
    take_back(constraints, bodies);
    let plain = Settings { accelerator: Accelerator::None, ..*settings };
    let sweeps = end.sweeps;
    let end = run(constraints, bodies, &plain, n_sharing, &mut adapts);
    Convergence { sweeps: sweeps + end.sweeps, fell_back: true, ..end }
}

/// One solve of the island, with or without an accelerator.
fn run(
    constraints: &mut [Constraint],
    bodies: &mut [SolverBody],
    settings: &Settings,
    n_sharing: u32,
    mut adapts: impl FnMut(&mut [Constraint], &[SolverBody]) -> bool,
) -> Convergence {
    let mut solve = Solve::new(constraints, bodies, settings, n_sharing);
    let mut left = MAX_ADAPTATIONS;
    // What joints hold goes elsewhere than by its free motion: the impulses that it starts from say best where. Where they hold each other, the
    // motion is found long before the impulses are, which creep along these: it is followed meanwhile. Of contacts alone the corners that the last
    // impulses, or unfinished ones, lead down are others than those that come down: walls of bricks do not stand with it.
    let has_joints = solve.has_joints();
    if has_joints {
        adapts(solve.constraints, solve.bodies);
    }
    let mut follows_at = FOLLOWED_AFTER;
    while solve.result.sweeps < solve.max_sweeps && !solve.result.converged {
        solve.sweep();
        let Convergence { sweeps, converged, .. } = solve.result;
        let is_late = sweeps >= follows_at && sweeps < solve.max_sweeps;
        let is_due = converged || has_joints && is_late && !solve.is_astray();
        if is_due {
            follows_at = sweeps + FOLLOWED_AFTER;
        }
        if is_due && adapts(solve.constraints, solve.bodies) {
            solve.result.is_lost = left == 0;
            if left == 0 {
                break;
            }
            left -= 1;
            solve.begin_anew();
        }
    }
    solve.end()
}

/// How often constraints follow the motion at most: each time leaves a part ωh of what the last one has. No unit.
const MAX_ADAPTATIONS: u32 = 8;

/// After how many sweeps the motion of what joints hold is followed, if it is not found before: gears between their axles take ten in the
/// middle and a hundred in every twentieth step. No unit.
const FOLLOWED_AFTER: u32 = 25;

/// How many times as large as what a chain of constraints needs to hold bodies, for each of the chain, impulses may be before the island is
/// solved by sweeps alone: gears between their axles have 41, what friction wedges had millions. No unit.
const MAX_STRAIN: f64 = 100.0;

/// Applies the impulses that constraints start from; none, where that is nearer to the solution by the objective that the sweeps lower
/// without friction, `½ λ·A λ + λ·(J u + b)`: bodies that were held against each other and have moved since would be thrown.
fn start(constraints: &mut [Constraint], bodies: &mut [SolverBody]) {
    let wanted = |constraints: &[Constraint], bodies: &[SolverBody]| -> f64 {
        let work = |c: &Constraint| c.impulse.dot(&(c.relative_twist(bodies) + c.bias));
        constraints.iter().map(work).sum()
    };
    let before = wanted(constraints, bodies);
    for constraint in &*constraints {
        constraint.apply(&constraint.impulse, bodies);
    }
    if before + wanted(constraints, bodies) > 0.0 {
        take_back(constraints, bodies);
    }
}

/// Leaves the bodies without any impulse.
fn take_back(constraints: &mut [Constraint], bodies: &mut [SolverBody]) {
    for constraint in constraints {
        let impulse = std::mem::take(&mut constraint.impulse);
        constraint.apply(&-impulse, bodies);
        (constraint.moved, constraint.direction) = (Vec6::ZERO, Vec6::ZERO);
    }
}

/// Whether impulses hold each other much more than they hold the bodies, beyond what a chain of so many would need to. What is wedged by
/// friction may be held by any impulses whatever: sweeps creep along these, and accelerators run.
fn are_strained(constraints: &[Constraint], bodies: &[SolverBody]) -> bool {
    let mut given: Vec<SolverBody> =
        bodies.iter().map(|body| SolverBody { twist: Twist::default(), ..*body }).collect();
    constraints.iter().for_each(|constraint| constraint.apply(&constraint.impulse, &mut given));
    let size: f64 = constraints.iter().map(|constraint| constraint.impulse.length_squared()).sum();
    size.sqrt() > MAX_STRAIN * constraints.len() as f64 * momentum(&given)
}

/// The solve of an island.
struct Solve<'a> {
    constraints: &'a mut [Constraint],
    bodies: &'a mut [SolverBody],
    settings: &'a Settings,
    /// What a large island is swept by, see [`colors`]; nothing for a small one, which is swept in order.
    colors: Vec<Vec<u32>>,
    max_sweeps: u32,
    /// Factor on the update norm that is reported.
    scale: f64,
    /// Norm of updates that is rounding.
    rounding: f64,
    /// The motion of the bodies before any impulse.
    before: Vec<Twist>,
    motion: Motion,
    relaxation: f64,
    /// Accuracy of friction in the next sweep.
    accuracy: f64,
    accelerator: Accelerator,
    anderson: Anderson,
    newton: Steps,
    /// Square of the change that the conjugate gradients last had.
    last_residual: f64,
    /// Norm of the updates of each sweep, and of the impulses after the last.
    norms: Vec<f64>,
    result: Convergence,
}

/// Newton's steps that an island has to have time for: what presses, sticks and slides is seldom found at once. No unit.
const STEPS: f64 = 4.0;

/// Whether Newton's steps can be made.
enum Steps {
    NotTried,
    Ready(Box<Newton>),
    TooDear,
}

impl<'a> Solve<'a> {
    fn new(
        constraints: &'a mut [Constraint],
        bodies: &'a mut [SolverBody],
        settings: &'a Settings,
        n_sharing: u32,
    ) -> Self {
        let momentum_brought = momentum(bodies);
        let is_small = constraints.len() <= EXACT_CONSTRAINTS;
        let before = bodies.iter().map(|body| body.twist).collect();
        start(constraints, bodies);
        let n_rows: usize = constraints.iter().map(|constraint| constraint.rows.n_rows()).sum();
        let is_swept_by_color = constraints.len() >= PARALLEL_CONTACTS;
        Self {
            colors: if is_swept_by_color { colors(constraints, bodies.len()) } else { Vec::new() },
            max_sweeps: max_sweeps(settings, constraints.len(), n_sharing),
            scale: if settings.tolerance_per_row { (n_rows as f64).sqrt().recip() } else { 1.0 },
            rounding: ROUNDING
                * momentum_brought.max(momentum(bodies)).max(closing(constraints, bodies, settings.dt)),
            before,
            motion: Motion::default(),
            relaxation: settings.relaxation,
            accuracy: if is_small { 0.0 } else { MAX_INACCURACY },
            accelerator: settings.accelerator,
            anderson: Anderson::default(),
            newton: Steps::NotTried,
            last_residual: f64::INFINITY,
            norms: Vec::new(),
            result: Convergence::default(),
            constraints,
            bodies,
            settings,
        }
    }

    fn has_joints(&self) -> bool {
        self.constraints.iter().any(|constraint| matches!(constraint.rows, Rows::Joint(_)))
    }

    /// Goes on with constraints that ask for something else.
    fn begin_anew(&mut self) {
        self.result.converged = false;
        self.norms.clear();
        self.motion = Motion::default();
        self.anderson = Anderson::default();
        if let Steps::Ready(newton) = &mut self.newton {
            newton.begin_anew();
        }
    }

    /// One sweep and, unless it was enough, a step of the accelerator.
    fn sweep(&mut self) {
        // The last impulses have to come from a plain sweep, so that they keep to their limits.
        let is_last = self.result.sweeps + 1 == self.max_sweeps;
        let factor = if is_last { 1.0 } else { self.relaxation };
        let backward = self.settings.order == SweepOrder::Symmetric && self.result.sweeps % 2 == 1;
        let how = Sweep { local: self.settings.local, relaxation: factor, accuracy: self.accuracy };
        self.motion.begin_sweep(self.bodies);
        let (norm, size) = sweep(self.constraints, self.bodies, &self.colors, &how, backward);
        self.motion.end_sweep(self.bodies);
        let last_norm = self.norms.last().copied().unwrap_or(f64::INFINITY);
        self.norms.push(norm);
        let most_inaccurate = if self.is_exact() { 0.0 } else { MAX_INACCURACY };
        self.accuracy = if size > 0.0 { (INACCURACY * norm / size).min(most_inaccurate) } else { 0.0 };
        let result = &mut self.result;
        result.update_norm = self.scale * norm;
        result.update_norms.push(result.update_norm);
        result.sweeps += 1;
        let left = self.impulses_left(norm, size);
        if left <= 1.0 || self.motion_left() <= 1.0 {
            self.result.converged = factor == 1.0;
            self.relaxation = 1.0;
        }
        if norm > last_norm {
            self.relaxation = 1.0;
        }
        let round_ends = backward || self.settings.order == SweepOrder::Forward;
        if round_ends && !self.result.converged {
            self.accelerate(norm, left);
        }
    }

    /// What the sweep has left of the impulses above their tolerance, as a factor on it.
    fn impulses_left(&self, norm: f64, size: f64) -> f64 {
        let Settings { tolerance, relative_tolerance, .. } = *self.settings;
        if norm <= self.rounding.max(relative_tolerance * size) {
            return 1.0;
        }
        left_over(&self.norms, WINDOW) / (tolerance / self.scale).min(LIGHT_TOLERANCE * size)
    }

    /// What it has left of the motion, where that decides.
    fn motion_left(&self) -> f64 {
        let tolerance = self.settings.motion_tolerance;
        // A pile at rest has no motion to compare with; it counts as moving with a part of what its contacts take, which gravity gives in a step.
        if self.is_large() {
            let speed = speed_within(self.bodies) + REST * self.given();
            return self.motion.error() / (tolerance * speed);
        }
        // What is solved soon is solved to its impulses, which are where the next step starts: a stack at rest then takes one sweep.
        if u64::from(self.result.sweeps) < MIN_SWEEPS {
            return f64::INFINITY;
        }
        let given = tolerance * self.given();
        let (allowed, error) =
            if self.is_exact() { (REST * given, self.motion.error()) } else { (given, 0.0) };
        if allowed == 0.0 {
            return f64::INFINITY;
        }
        if error <= allowed { error.max(self.to_and_fro()) / allowed } else { error / allowed }
    }

    /// By how much the constraints have changed the velocities in the last sweep, each by itself, root mean square \[m/s\]. What one
    /// gives and the next takes back is a change too: a sheet between a heavy body and the floor ends every sweep with the
    /// velocity that it began with, while both press on it ever more.
    fn to_and_fro(&self) -> f64 {
        let changes = |constraint: &Constraint| constraint.changes(&constraint.update, self.bodies);
        let each: Vec<SolverBody> = self
            .constraints
            .iter()
            .flat_map(changes)
            .flatten()
            .map(|(slot, twist)| SolverBody { twist, ..self.bodies[slot] })
            .collect();
        speed(each.into_iter())
    }

    /// By how much the constraints have changed the velocities, root mean square \[m/s\].
    fn given(&self) -> f64 {
        speed(self.bodies.iter().zip(&self.before).map(|(body, before)| {
            let Twist { linear, angular } = body.twist;
            let twist = Twist { linear: linear - before.linear, angular: angular - before.angular };
            SolverBody { twist, ..*body }
        }))
    }

    /// Whether the motion decides. Among many contacts some hold against each other, so that part of their impulses moves
    /// nothing: a stress in the pile, which friction leaves open and which creeps on for thousands of sweeps after the motion is
    /// found.
    fn is_large(&self) -> bool {
        self.constraints.len() > EXACT_CONSTRAINTS && self.settings.motion_tolerance > 0.0
    }

    /// Whether the island is solved with full accuracy: a small one, of contacts in the first half of the solves that it may take. Where these ask for
    /// more than their bodies can do at once, impulses creep on for ever, and the motion of a step is found long before.
    fn is_exact(&self) -> bool {
        let n_solves = u64::from(self.result.sweeps) * self.constraints.len() as u64;
        let is_small = self.constraints.len() <= EXACT_CONSTRAINTS;
        is_small && (n_solves <= self.settings.max_solves / 2 || self.has_joints())
    }

    fn accelerate(&mut self, norm: f64, left: f64) {
        if self.settings.accelerator == Accelerator::Newton && self.has_stepped(norm, left) {
            return;
        }
        if self.result.sweeps >= self.max_sweeps {
            return;
        }
        if self.anderson.has_failed() || (self.is_large() && self.anderson.is_idle()) {
            self.accelerator = Accelerator::Nncg;
            self.result.fell_back = true;
        }
        match self.accelerator {
            Accelerator::None => {}
            Accelerator::Nncg => {
                let residual = residual(self.constraints);
                // Where nothing has changed there is no direction to go on in.
                let beta = if self.last_residual > 0.0 { residual / self.last_residual } else { 0.0 };
                accelerate(self.constraints, self.bodies, beta);
                self.last_residual = residual;
            }
            Accelerator::Anderson | Accelerator::Newton => self.anderson.step(self.constraints, self.bodies),
        }
    }

    /// Goes on with Newton's steps where the sweeps would take longer; whether that has done anything.
    fn has_stepped(&mut self, norm: f64, left: f64) -> bool {
        let affordable = f64::from(self.max_sweeps - self.result.sweeps);
        if affordable < 2.0 || self.norms.len() < 2 {
            return false;
        }
        let rate = rate(&self.norms, WINDOW);
        let sweeps_left = if rate < 1.0 { (left.ln() / -rate.ln()).min(affordable) } else { affordable };
        if matches!(self.newton, Steps::NotTried) {
            self.newton = Newton::new(self.constraints, self.bodies, affordable / STEPS)
                .map_or(Steps::TooDear, |newton| Steps::Ready(Box::new(newton)));
        }
        let Steps::Ready(newton) = &mut self.newton else { return false };
        let local = self.settings.local;
        let has_stepped = newton.advance(self.constraints, self.bodies, local, norm, sweeps_left);
        if has_stepped {
            self.anderson = Anderson::default();
        }
        has_stepped
    }

    /// Whether a step of Newton's may have led where the sweeps have more to change than before: that is no motion to follow.
    fn is_astray(&self) -> bool {
        matches!(&self.newton, Steps::Ready(newton) if newton.is_astray())
    }

    fn end(mut self) -> Convergence {
        if let (Steps::Ready(newton), false) = (&mut self.newton, self.result.converged)
            && let Some(best) =
                newton.go_back(self.constraints, self.bodies, self.result.update_norm / self.scale)
        {
            self.result.update_norm = self.scale * best;
        }
        let speed = speed_within(self.bodies) + self.given();
        self.result.velocity_error = self.motion.reported_error().min(speed);
        for constraint in &*self.constraints {
            if constraint.residual.is_finite() {
                self.result.friction_residual = self.result.friction_residual.max(constraint.residual);
            } else {
                self.result.n_frictionless += 1;
            }
        }
        self.result
    }
}

/// Sweeps that an island of so many constraints gets at most in one of so many parts of a step that share them.
fn max_sweeps(settings: &Settings, n_constraints: usize, n_sharing: u32) -> u32 {
    let affordable = (settings.max_solves / n_constraints.max(1) as u64).max(MIN_SWEEPS);
    affordable.min(u64::from(settings.max_sweeps)).div_ceil(u64::from(n_sharing)) as u32
}

/// About the momentum that bodies would have, if joints closed gaps of their arms in a step: what these ask for is a difference of places \[N s\].
fn closing(constraints: &[Constraint], bodies: &[SolverBody], h: f64) -> f64 {
    let of_sides = |constraint: &Constraint| {
        let sides = constraint.slots.into_iter().zip(constraint.arms).filter(|(slot, _)| *slot != NO_SLOT);
        sides.map(|(slot, arm)| arm.length() / (h * bodies[slot as usize].inverse_mass)).fold(0.0, f64::max)
    };
    constraints
        .iter()
        .filter(|constraint| matches!(constraint.rows, Rows::Joint(_)))
        .map(of_sides)
        .fold(0.0, f64::max)
}

/// About the momentum of bodies, linear and angular \[N s, N m s mixed\].
fn momentum(bodies: &[SolverBody]) -> f64 {
    let part = |body: &SolverBody| {
        let i = &body.inverse_inertia;
        let light = (i.x_axis.x + i.y_axis.y + i.z_axis.z).max(f64::MIN_POSITIVE);
        let [linear, angular] = [body.twist.linear / body.inverse_mass, body.twist.angular / light];
        linear.length_squared() + angular.length_squared()
    };
    bodies.iter().map(part).sum::<f64>().sqrt()
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
    colors: &[Vec<u32>],
    how: &Sweep,
    backward: bool,
) -> (f64, f64) {
    if !colors.is_empty() {
        for ix in 0..colors.len() {
            let color = &colors[if backward { colors.len() - 1 - ix } else { ix }];
            sweep_color(constraints, bodies, color, how);
        }
    } else if backward {
        constraints.iter_mut().rev().for_each(|constraint| constraint.solve(bodies, how));
    } else {
        // Where joints, which come last in the list, and contacts hold the same, what is solved first holds it: contacts can only up to their limits.
        let n_contacts = constraints.iter().take_while(|c| !matches!(c.rows, Rows::Joint(_))).count();
        let (contacts, joints) = constraints.split_at_mut(n_contacts);
        joints.iter_mut().chain(contacts).for_each(|constraint| constraint.solve(bodies, how));
    }
    let of = |square: fn(&Constraint) -> f64| constraints.iter().map(square).sum::<f64>().sqrt();
    (
        of(|constraint| constraint.update.length_squared()),
        of(|constraint| constraint.impulse.length_squared()),
    )
}

/// Solves the constraints of a color, no two of which share a body: in any order, and on any number of threads, they have the
/// same answers.
fn sweep_color(constraints: &mut [Constraint], bodies: &mut [SolverBody], color: &[u32], how: &Sweep) {
    let answer = |&ix: &u32| constraints[ix as usize].answer(bodies, how.local, how.accuracy);
    let answers: Vec<Solution> = if color.len() < 2 * PARALLEL_CHUNK {
        color.iter().map(answer).collect()
    } else {
        color.par_iter().with_min_len(PARALLEL_CHUNK).map(answer).collect()
    };
    for (&ix, answer) in color.iter().zip(&answers) {
        constraints[ix as usize].take(answer, bodies, how.relaxation);
    }
}
