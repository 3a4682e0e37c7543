//! How a constraint's impulse answers a change of its bodies' velocities, to first order, while what presses, sticks and slides
//! stays as it is.

use glam::{DVec2, DVec3};

use crate::LocalSolver;
use crate::constants::MAX_INACCURACY;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::constraint::{Constraint, PatchRows, Rows};
use crate::solver::frame::center_of_pressure;
use crate::solver::limits::ContactLimits;
use crate::solver::patch::Corners;
use crate::solver::patch::INSIDE_TOLERANCE;
use crate::solver::sparse::{Block6, ZERO_BLOCK, add, times, times_transposed};
use crate::solver::spatial::Cholesky;
use crate::solver::{ContactPatch, Vec6};

/// How far a centre of pressure has to lie from a side of its patch to be free to move either way, as a part of the patch's
/// reach: well above what counts as inside. No unit.
const FREE: f64 = 1e3 * INSIDE_TOLERANCE;

/// The answer of a constraint.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Change of its impulse that would solve it against the velocities there are.
    pub change: Vec6,
    /// In how many directions it holds.
    pub n_held: u8,
    /// Impulse per velocity that it takes away where it holds, positive semidefinite, own axes.
    pub rigid: Block6,
    /// Impulse per velocity of what gives way: friction by the direction of its slip, drives.
    pub soft: Block6,
    /// `J M⁻¹ Jᵀ`, own axes.
    pub response: Block6,
    /// Compliance that what holds is given, as a part of its response.
    softness: f64,
    /// Velocity per impulse that is its own, first row.
    pub compliance: f64,
    /// From its impulse to force and torque about the centres of mass of A and B, world axes.
    pub wrenches: [Block6; 2],
}

/// A change of an impulse, and what of it holds.
#[derive(Clone, Copy, Debug)]
pub struct Refined {
    /// What of the change is due to what holds.
    pub held: Vec6,
    /// All of it.
    pub change: Vec6,
}

impl Answer {
    /// The answer of a constraint; `None` for one of which none is known.
    pub fn of(
        constraint: &Constraint,
        bodies: &[SolverBody],
        local: LocalSolver,
        softness: f64,
    ) -> Option<Self> {
        let wrenches = [0, 1].map(|side| wrench_map(constraint, side));
        let response = response(constraint, bodies, &wrenches);
        let change = constraint.answer(bodies, local, 0.0).impulse - constraint.impulse;
        let mut answer = Self {
            change,
            n_held: 0,
            rigid: ZERO_BLOCK,
            soft: ZERO_BLOCK,
            response,
            softness,
            compliance: constraint.compliance,
            wrenches,
        };
        match &constraint.rows {
            Rows::Point(_) => return None,
            Rows::Patch(patch) => answer.set_patch(constraint, patch, bodies),
            Rows::Joint(law) => {
                let locked = law.kind.locked();
                let mut held: Vec<Vec6> = (0..6).filter(|&i| locked[i]).map(unit).collect();
                if let Some(axis) = law.axis {
                    let along = axis.dot(&Vec6(times(&answer.response, &axis.0)));
                    let twist = constraint.relative_twist(bodies) + constraint.bias;
                    let more = law.block.relax(&(twist + axis), &constraint.impulse);
                    let less = law.block.relax(&(twist - axis), &constraint.impulse);
                    // Of a row that a drive or a limit acts on; 1 where it holds.
                    let part = 0.5 * along * axis.dot(&(less - more));
                    if part >= 1.0 - softness {
                        held.push(axis);
                    } else if part > 0.0 {
                        answer.add_soft(&axis, part / (along * (1.0 - part)));
                    }
                }
                answer.hold(&held);
            }
        }
        Some(answer)
    }

    /// The change of the impulse where the changes of all of them bring the relative motion `moved`, and what of it holds: that
    /// was `held` before this refinement.
    pub fn refined(&self, held: &Vec6, moved: &Vec6) -> Refined {
        let mut left = *moved - Vec6(times(&self.response, &self.change.0));
        let soft = Vec6(times(&self.soft, &left.0));
        left[0] += self.compliance * held[0];
        let held = *held - Vec6(times(&self.rigid, &left.0));
        Refined { held, change: self.change + held - soft }
    }

    /// The rows of a contact over a patch that hold and that give way.
    fn set_patch(&mut self, constraint: &Constraint, patch: &PatchRows, bodies: &[SolverBody]) {
        let next = constraint.impulse + self.change;
        if next[0] <= 0.0 {
            return;
        }
        let limits = &patch.limits;
        let x = center_of_pressure(&next);
        let mut held = vec![Vec6([1.0, 0.0, 0.0, 0.0, x.y, -x.x])];
        let e = constraint.twist_without(&patch.block, bodies);
        let twist = e + patch.block.matrix() * next;
        let free = match &limits.patch {
            ContactPatch::Corners(corners) => resting_directions(corners, &e, &twist),
            other => free_directions(other, x),
        };
        held.extend(free.into_iter().map(|d| Vec6([0.0, 0.0, 0.0, 0.0, d.y, -d.x])));
        if limits.friction > 0.0 {
            self.add_friction(limits, x, next[0], &twist, &mut held);
        }
        self.hold(&held);
    }

    /// Friction at the centre of pressure: it holds, or gives way by the direction of the slip.
    fn add_friction(
        &mut self,
        limits: &ContactLimits,
        x: DVec2,
        force: f64,
        twist: &Vec6,
        held: &mut Vec<Vec6>,
    ) {
        let radius = limits.surface.radius();
        let frictions = [
            Vec6([0.0, 1.0, 0.0, -x.y, 0.0, 0.0]),
            Vec6([0.0, 0.0, 1.0, x.x, 0.0, 0.0]),
            Vec6([0.0, 0.0, 0.0, radius, 0.0, 0.0]),
        ];
        let slip = DVec3::from_array(frictions.each_ref().map(|f| f.dot(twist)));
        let limit = limits.friction * force;
        let fastest = frictions.iter().map(|f| f.dot(&Vec6(times(&self.response, &f.0)))).fold(0.0, f64::max);
        if slip.length() <= MAX_INACCURACY * fastest * limit {
            held.extend(frictions);
            return;
        }
        let support = limits.surface.support(slip);
        let speed = support.gradient.dot(slip);
        for i in 0..3 {
            for j in 0..3 {
                let bend = support.metric.col(j)[i] - support.gradient[i] * support.gradient[j];
                self.add_soft_pair(&frictions[i], &frictions[j], limit * bend / speed);
            }
        }
    }

    fn add_soft(&mut self, axis: &Vec6, stiffness: f64) {
        self.add_soft_pair(axis, axis, stiffness);
    }

    fn add_soft_pair(&mut self, a: &Vec6, b: &Vec6, stiffness: f64) {
        for i in 0..6 {
            for j in 0..6 {
                self.soft[i][j] += stiffness * a[i] * b[j];
            }
        }
    }

    /// Impulses along these directions undo the motion along them; those that depend on others are left out.
    fn hold(&mut self, directions: &[Vec6]) {
        self.n_held = directions.len() as u8;
        let direction = |i: usize| directions.get(i).copied().unwrap_or(Vec6::ZERO);
        let t: Block6 = std::array::from_fn(|i| direction(i).0);
        let by_force = t.map(|row| times(&self.response, &row));
        let mut gram = times_transposed(&t, &by_force);
        for i in 0..6 {
            for j in 0..6 {
                gram[i][j] = self.softness * gram[i][j] + self.compliance * t[i][0] * t[j][0];
            }
        }
        let factor = Cholesky::new(&gram);
        let columns: Block6 = std::array::from_fn(|c| std::array::from_fn(|i| t[i][c]));
        let solved = columns.map(|column| factor.solve(&column));
        self.rigid = times_transposed(&columns, &solved);
    }

    /// Impulse per velocity of all of it.
    pub fn stiffness(&self) -> Block6 {
        let mut all = self.rigid;
        add(&mut all, &self.soft);
        all
    }
}

fn unit(i: usize) -> Vec6 {
    let mut v = Vec6::ZERO;
    v[i] = 1.0;
    v
}

/// Directions of the contact plane in which a centre of pressure may move both ways, two, one or none.
fn free_directions(patch: &ContactPatch, x: DVec2) -> Vec<DVec2> {
    let step = FREE * patch.reach();
    let is_free = |d: &DVec2| step > 0.0 && patch.contains(x + *d * step) && patch.contains(x - *d * step);
    if DVec2::AXES.iter().all(is_free) {
        return DVec2::AXES.to_vec();
    }
    let ContactPatch::Polygon(polygon) = patch else { return Vec::new() };
    let corners: Vec<DVec2> = polygon.corners().collect();
    let sides =
        (0..corners.len()).map(|i| (corners[(i + 1) % corners.len()] - corners[i]).normalize_or_zero());
    sides.filter(|d| *d != DVec2::ZERO).find(is_free).into_iter().collect()
}

/// The same where corners have gaps of their own: directions from one to another of those that come to rest.
fn resting_directions(corners: &Corners, without: &Vec6, twist: &Vec6) -> Vec<DVec2> {
    let mut resting = corners.resting(without, twist, INSIDE_TOLERANCE);
    let Some(first) = resting.next() else { return Vec::new() };
    let away: Vec<DVec2> = resting.map(|at| (at - first).normalize_or_zero()).collect();
    let Some(along) = away.iter().copied().find(|d| *d != DVec2::ZERO) else { return Vec::new() };
    if away.iter().any(|d| d.perp_dot(along).abs() > FREE) { DVec2::AXES.to_vec() } else { vec![along] }
}

/// From a constraint's impulse to force and torque about the centre of mass of one of its bodies, with the sign of that side.
fn wrench_map(constraint: &Constraint, side: usize) -> Block6 {
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let arm = constraint.arms[side];
    let mut map = ZERO_BLOCK;
    for k in 0..3 {
        let axis = constraint.w_from_c.col(k) * sign;
        let mut torque = arm.cross(axis);
        if k == 0 {
            torque += axis * constraint.pitch;
        }
        for i in 0..3 {
            map[i][k] = axis[i];
            map[i + 3][k] = torque[i];
            map[i + 3][k + 3] = axis[i];
        }
    }
    map
}

/// `J M⁻¹ Jᵀ` of a constraint.
fn response(constraint: &Constraint, bodies: &[SolverBody], wrenches: &[Block6; 2]) -> Block6 {
    let mut sum = ZERO_BLOCK;
    for (slot, map) in constraint.slots.into_iter().zip(wrenches).filter(|(slot, _)| *slot != NO_SLOT) {
        let body = &bodies[slot as usize];
        let columns: Block6 = std::array::from_fn(|c| std::array::from_fn(|i| map[i][c]));
        let moved = columns.map(|column| {
            let angular = body.inverse_inertia * DVec3::new(column[3], column[4], column[5]);
            let linear = DVec3::new(column[0], column[1], column[2]) * body.inverse_mass;
            Vec6::from_parts(linear, angular).0
        });
        add(&mut sum, &times_transposed(&columns, &moved));
    }
    sum
}
