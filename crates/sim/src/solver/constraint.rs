//! One block of rows between two bodies, as the sweeps see it.

use glam::{DMat3, DVec3};

use crate::Settings;
use crate::integrate::Twist;
use crate::solver::Vec6;
use crate::solver::block_gs::SolverBody;
use crate::solver::islands::NO_SLOT;
use crate::solver::local::{self, Block, ContactLimits, PointBlock};

/// Rows of relative velocity between two bodies at one point, and the impulse that acts along them.
///
/// The sweeps know of a constraint that it turns the relative twist `J u + bias` into a change of its impulse; which law
/// it obeys while doing so is in [`Law`]. Whatever acts between two bodies at a point with at most six rows fits.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Slots of A and B within the island; [`NO_SLOT`] for a body that it cannot move.
    pub slots: [u32; 2],
    /// Matrix whose columns are the axes (n, u, w) in world axes.
    pub w_from_c: DMat3,
    /// From each centre of mass to the point, world axes \[m\].
    pub arms: [DVec3; 2],
    /// Wanted `J u + C λ + bias = 0`, with the motion of bodies that nothing can move; own axes.
    pub bias: Vec6,
    /// `C` of the first row \[m/(N s²)·s\], that is velocity per impulse.
    pub compliance: f64,
    /// Impulse on B about the point, own axes.
    pub impulse: Vec6,
    /// Change of the impulse in the last sweep.
    pub update: Vec6,
    /// Change of the impulse since the accelerator last stepped in.
    pub moved: Vec6,
    /// Search direction of the accelerator.
    pub direction: Vec6,
    /// What the impulse has to obey.
    pub law: Law,
}

/// What the impulse of a constraint has to obey.
#[derive(Clone, Debug)]
pub enum Law {
    /// A contact over a patch: six rows.
    Patch(Box<PatchLaw>),
    /// A contact at a point: three rows, no torque.
    Point(PointBlock),
}

/// A contact over a patch.
#[derive(Clone, Debug)]
pub struct PatchLaw {
    /// Matrix `S = A + C`.
    pub block: Block,
    /// Patch and friction.
    pub limits: ContactLimits,
}

impl Law {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Patch(_) => 6,
            Self::Point(_) => 3,
        }
    }
}

impl Constraint {
    /// Solves the constraint against the velocities that the others have left, and applies `relaxation` times the change
    /// of its impulse.
    pub fn solve(&mut self, bodies: &mut [SolverBody], settings: &Settings, relaxation: f64) {
        let impulse = match &self.law {
            Law::Patch(law) => {
                let e = self.twist_without(&law.block, bodies);
                local::solve(settings.local, &law.block, &e, &law.limits, &self.impulse)
            }
            Law::Point(rows) => {
                let mut velocity = (self.relative_twist(bodies) + self.bias).linear();
                velocity.x += self.compliance * self.impulse[0];
                Vec6::from_parts(rows.relax(velocity, self.impulse.linear()), DVec3::ZERO)
            }
        };
        self.update = impulse - self.impulse;
        if relaxation == 1.0 {
            self.impulse = impulse;
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
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        let [a, b] = self.slots;
        if b != NO_SLOT {
            let Twist { linear: v, angular: w } = bodies[b as usize].twist;
            linear += v + w.cross(self.arms[1]);
            angular += w;
        }
        if a != NO_SLOT {
            let Twist { linear: v, angular: w } = bodies[a as usize].twist;
            linear -= v + w.cross(self.arms[0]);
            angular -= w;
        }
        let axes = self.w_from_c.transpose();
        Vec6::from_parts(axes * linear, axes * angular)
    }

    /// Applies an impulse to B and its opposite to A.
    pub fn apply(&self, impulse: &Vec6, bodies: &mut [SolverBody]) {
        let force = self.w_from_c * impulse.linear();
        let torque = self.w_from_c * impulse.angular();
        let [a, b] = self.slots;
        if b != NO_SLOT {
            let body = &mut bodies[b as usize];
            body.twist.linear += body.inverse_mass * force;
            body.twist.angular += body.inverse_inertia * (torque + self.arms[1].cross(force));
        }
        if a != NO_SLOT {
            let body = &mut bodies[a as usize];
            body.twist.linear -= body.inverse_mass * force;
            body.twist.angular -= body.inverse_inertia * (torque + self.arms[0].cross(force));
        }
    }
}
