//! One block of rows between two bodies, as the sweeps see it.

use glam::{DMat3, DVec3};

use crate::LocalSolver;
use crate::joint::JointLaw;
use crate::solver::Vec6;
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::solver::limits::ContactLimits;
use crate::solver::local::{self, Block, PointBlock};
use crate::solver::patch::{ContactPatch, Corners};
use crate::twist::Twist;

/// Rows of relative velocity between two bodies at one point, and the impulse that acts along them.
///
/// The sweeps know of a constraint that it turns the relative twist `J u + bias` into a change of its impulse; which limits
/// it keeps to while doing so is in [`Rows`]. Whatever acts between two bodies at a point with at most six rows fits.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Slots of A and B within the island; [`NO_SLOT`] for a body that it cannot move.
    pub slots: [u32; 2],
    /// Matrix whose columns are the axes (n, u, w) in world axes.
    pub w_from_c: DMat3,
    /// Torque about the first axis per force along it, see [`ContactFrame::pitch`](crate::solver::ContactFrame::pitch) \[m\].
    pub pitch: f64,
    /// From each centre of mass to the point, world axes \[m\].
    pub arms: [DVec3; 2],
    /// Wanted `J u + C λ + bias = 0`, with the motion of bodies that nothing can move; own axes.
    pub bias: Vec6,
    /// The part of it that is there because the bodies go on, see [`Constraint::goes_on_by`] \[m/s\].
    pub going_on: DVec3,
    /// `C` of the first row \[m/(N s²)·s\], that is velocity per impulse.
    pub compliance: f64,
    /// Impulse on B about the point, own axes.
    pub impulse: Vec6,
    /// Change of the impulse in the last sweep.
    pub update: Vec6,
    /// What its friction misses, see [`ConeSolution::residual`](crate::solver::local::ConeSolution); infinite where it had to be
    /// left out, zero for constraints whose friction is not searched for.
    pub residual: f64,
    /// Change of the impulse since the accelerator last stepped in.
    pub moved: Vec6,
    /// Search direction of the accelerator.
    pub direction: Vec6,
    /// Its rows and what the impulse has to keep to.
    pub rows: Rows,
}

/// The rows of a constraint and what its impulse has to keep to.
#[derive(Clone, Debug)]
pub enum Rows {
    /// A contact over a patch: six rows.
    Patch(Box<PatchRows>),
    /// A contact at a point: three rows, no torque.
    Point(PointBlock),
    /// A joint: up to six rows.
    Joint(Box<JointLaw>),
}

/// A contact over a patch.
#[derive(Clone, Debug)]
pub struct PatchRows {
    /// Matrix `S = A + C`.
    pub block: Block,
    /// Patch and friction.
    pub limits: ContactLimits,
}

/// How the constraints are solved in one sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// What solves a contact over a patch.
    pub local: LocalSolver,
    /// Part of the change of each impulse that is applied.
    pub relaxation: f64,
    /// Part of the coefficient of friction to which friction is found; 0 for rounding.
    pub accuracy: f64,
}

/// What solves a constraint.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// Its impulse.
    pub impulse: Vec6,
    /// See [`Constraint::residual`].
    pub residual: f64,
}

impl Rows {
    /// The patch that bounds the centre of pressure.
    pub fn patch(&self) -> Option<&ContactPatch> {
        match self {
            Self::Patch(patch) => Some(&patch.limits.patch),
            _ => None,
        }
    }

    /// The corners of a patch that have gaps of their own.
    pub fn corners_mut(&mut self) -> Option<&mut Corners> {
        match self {
            Self::Patch(patch) => match &mut patch.limits.patch {
                ContactPatch::Corners(corners) => Some(corners),
                _ => None,
            },
            _ => None,
        }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Patch(_) => 6,
            Self::Point(_) => 3,
            Self::Joint(law) => law.block.n_rows(),
        }
    }
}

impl Constraint {
    /// A constraint of such rows between bodies with these slots, rigid and without bias.
    pub fn new(slots: [u32; 2], w_from_c: DMat3, arms: [DVec3; 2], impulse: Vec6, rows: Rows) -> Self {
        Self {
            slots,
            w_from_c,
            pitch: 0.0,
            arms,
            bias: Vec6::ZERO,
            going_on: DVec3::ZERO,
            compliance: 0.0,
            impulse,
            update: Vec6::ZERO,
            residual: 0.0,
            moved: Vec6::ZERO,
            direction: Vec6::ZERO,
            rows,
        }
    }

    /// Lets its rows ask for the velocity besides which the bodies have this one on average over their way; by how much that is another than
    /// before \[m/s\].
    pub fn goes_on_by(&mut self, besides: DVec3) -> f64 {
        let change = besides - self.going_on;
        self.bias += Vec6::from_parts(change, DVec3::ZERO);
        self.going_on = besides;
        change.length()
    }

    /// The impulse that solves the constraint against the velocities that the others have left.
    pub fn answer(&self, bodies: &[SolverBody], local: LocalSolver, accuracy: f64) -> Solution {
        match &self.rows {
            Rows::Patch(patch) => {
                let e = self.twist_without(&patch.block, bodies);
                let found = local::solve(local, &patch.block, &e, &patch.limits, &self.impulse, accuracy);
                Solution { impulse: found.impulse, residual: found.residual }
            }
            Rows::Point(point) => {
                let mut velocity = (self.relative_twist(bodies) + self.bias).linear();
                velocity.x += self.compliance * self.impulse[0];
                let impulse = point.relax(velocity, self.impulse.linear());
                Solution { impulse: Vec6::from_parts(impulse, DVec3::ZERO), residual: 0.0 }
            }
            Rows::Joint(law) => {
                let relative = self.relative_twist(bodies) + self.bias;
                let impulse = law.solve(self.twists(law, bodies), &relative, &self.impulse);
                Solution { impulse, residual: 0.0 }
            }
        }
    }

    /// Solves the constraint against the velocities that the others have left, and applies the change of its impulse.
    pub fn solve(&mut self, bodies: &mut [SolverBody], sweep: &Sweep) {
        let answer = self.answer(bodies, sweep.local, sweep.accuracy);
        self.take(&answer, bodies, sweep.relaxation);
    }

    /// Applies the change of the impulse to an answer, or `relaxation` times it.
    pub fn take(&mut self, answer: &Solution, bodies: &mut [SolverBody], relaxation: f64) {
        self.residual = answer.residual;
        self.update = answer.impulse - self.impulse;
        if relaxation == 1.0 {
            self.impulse = answer.impulse;
        } else {
            self.update = self.update * relaxation;
            self.impulse += self.update;
        }
        self.moved += self.update;
        self.apply(&self.update, bodies);
    }

    /// The biased relative twist that a constraint with this block would have without its own impulse: `e = J u + b - A λ`.
    pub fn twist_without(&self, block: &Block, bodies: &[SolverBody]) -> Vec6 {
        let mut e = self.relative_twist(bodies) + self.bias - block.matrix() * self.impulse;
        // The block's matrix is A + C, and the compliance's own velocity C λ is none of J u.
        e[0] += self.compliance * self.impulse[0];
        e
    }

    /// Relative twist of the dynamic bodies at the point, own axes; what the others add is in the bias.
    pub fn relative_twist(&self, bodies: &[SolverBody]) -> Vec6 {
        self.relative(bodies, |body| body.twist)
    }

    /// Twists of a joint's two bodies.
    pub fn twists(&self, law: &JointLaw, bodies: &[SolverBody]) -> [Twist; 2] {
        [0, 1].map(|side| match self.slots[side] {
            NO_SLOT => law.halves[side].held,
            slot => bodies[slot as usize].twist,
        })
    }

    /// What a motion of the dynamic bodies, a velocity or a displacement, is at the point, B minus A, own axes.
    pub fn relative(&self, bodies: &[SolverBody], motion: impl Fn(&SolverBody) -> Twist) -> Vec6 {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (slot, arm, sign) in self.ends() {
            let Twist { linear: v, angular: w } = motion(&bodies[slot]);
            linear += sign * (v + w.cross(arm));
            angular += sign * w;
        }
        let axes = self.w_from_c.transpose();
        let (mut linear, angular) = (axes * linear, axes * angular);
        linear.x += self.pitch * angular.x;
        Vec6::from_parts(linear, angular)
    }

    /// Applies an impulse to B and its opposite to A.
    pub fn apply(&self, impulse: &Vec6, bodies: &mut [SolverBody]) {
        self.push(impulse, bodies, |body| &mut body.twist);
    }

    /// Changes a motion of the dynamic bodies by an impulse, or what stands for one, on B and its opposite on A.
    pub fn push(
        &self,
        impulse: &Vec6,
        bodies: &mut [SolverBody],
        motion: impl Fn(&mut SolverBody) -> &mut Twist,
    ) {
        for (slot, change) in self.changes(impulse, bodies).into_iter().flatten() {
            let changed = motion(&mut bodies[slot]);
            changed.linear += change.linear;
            changed.angular += change.angular;
        }
    }

    /// By how much an impulse on B and its opposite on A change the motion of the dynamic ones of the two.
    pub fn changes(&self, impulse: &Vec6, bodies: &[SolverBody]) -> [Option<(usize, Twist)>; 2] {
        let force = self.w_from_c * impulse.linear();
        let torque = self.w_from_c * (impulse.angular() + DVec3::X * (self.pitch * impulse[0]));
        let mut ends = self.ends();
        [ends.next(), ends.next()].map(|end| {
            let (slot, arm, sign) = end?;
            let body = &bodies[slot];
            let linear = sign * body.inverse_mass * force;
            let angular = body.inverse_inertia * (torque + arm.cross(force)) * sign;
            Some((slot, Twist { linear, angular }))
        })
    }

    /// Slot, arm and sign of B and A, as far as they have a slot.
    fn ends(&self) -> impl Iterator<Item = (usize, DVec3, f64)> + use<> {
        let end = |side: usize, sign| {
            (self.slots[side] != NO_SLOT).then(|| (self.slots[side] as usize, self.arms[side], sign))
        };
        [end(1, 1.0), end(0, -1.0)].into_iter().flatten()
    }
}
