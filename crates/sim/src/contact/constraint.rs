//! A contact as the solver sees it.

use std::ops::Range;

use glam::DVec3;
use tactum_geometry::Overlap;

use crate::contact::ContactFrame;
use crate::contact::frame::shift_wrench;
use crate::solver::Vec6;
use crate::solver::constraint::Constraint;

/// A region of a measured overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionRef {
    /// Position of the pair's job in the step's plan.
    pub job: u32,
    /// Number of the region within the job's overlap.
    pub region: u32,
}

/// One contact of a step: where it is, what was measured, and which constraints carry it.
#[derive(Clone, Debug)]
pub struct Contact {
    /// The region that it is made from.
    pub source: RegionRef,
    /// Slots of A and B within the island; [`crate::solver::islands::NO_SLOT`] for a body that it cannot move.
    pub slots: [u32; 2],
    /// Contact point and axes; the point is relative to the origin of A's shape frame, world axes.
    pub frame: ContactFrame,
    /// Origin of A's shape frame, world \[m\].
    pub origin: DVec3,
    /// The overlap where the bodies are; `None` if they do not overlap yet.
    pub record: Option<RecordedOverlap>,
    /// From B's centre of mass to the contact point, world axes \[m\].
    pub arm_b: DVec3,
    /// Whether a face lies tilted, so that the next step has to look ahead for where it lands.
    pub uneven: bool,
    /// Whether it is that of corners, of which one may touch next though none does now.
    pub on_tips: bool,
    /// Its constraints among those of the step.
    pub constraints: Range<usize>,
    /// The overlap's volume as a function of the two poses.
    pub volume: VolumeRow,
}

impl Contact {
    /// The contact's impulse on B about the contact point, contact axes: the sum of its constraints' \[N s, N m s\].
    pub fn impulse(&self, constraints: &[Constraint]) -> Vec6 {
        self.impulse_of(&constraints[self.constraints.clone()])
    }

    /// The same from the contact's own constraints.
    pub fn impulse_of(&self, constraints: &[Constraint]) -> Vec6 {
        let mut sum = Vec6::ZERO;
        for constraint in constraints {
            // A point's impulse acts at the point; axes are those of the contact.
            let r = self.frame.to_contact(constraint.arms[1]) - self.frame.to_contact(self.arm_b);
            sum += shift_wrench(&constraint.impulse, -r);
        }
        sum
    }
}

/// What a contact's record says of its overlap.
#[derive(Clone, Copy, Debug)]
pub struct RecordedOverlap {
    /// Volume \[m³\].
    pub volume: f64,
    /// Mean depth \[m\].
    pub depth: f64,
    /// Extent along the normal \[m\].
    pub extent: f64,
    /// Patch area \[m²\].
    pub area: f64,
}

impl RecordedOverlap {
    /// The record of an overlap with a patch.
    pub fn of(overlap: &Overlap) -> Self {
        let (depth, extent) =
            overlap.patch.as_ref().map_or((0.0, 0.0), |patch| (patch.mean_depth, patch.extent));
        Self { volume: overlap.volume, depth, extent, area: overlap.gradient.length() }
    }
}

/// First order of an overlap's volume in the poses of its two bodies.
#[derive(Clone, Copy, Debug)]
pub struct VolumeRow {
    /// Volume \[m³\]; of bodies that do not overlap yet the first-order continuation, negative.
    pub volume: f64,
    /// Volume at which the contact is held \[m³\].
    pub target: f64,
    /// Patch area, the length of the gradient \[m²\].
    pub area: f64,
    /// Extent of the overlap along the normal \[m\].
    pub extent: f64,
    /// `dV/dx_B`; A's is its negative \[m²\].
    pub gradient_b: DVec3,
    /// `dV/dθ_A` about A's centre of mass \[m³\].
    pub angular_a: DVec3,
    /// `dV/dθ_B` about B's centre of mass \[m³\].
    pub angular_b: DVec3,
    /// `dV/dt` by the motion of bodies that nothing can move \[m³/s\].
    pub driven_rate: f64,
}

impl VolumeRow {
    /// How much deeper the bodies may get before the volume is at its target \[m\]; negative above target.
    ///
    /// Takes the volume as a power of the depth, `V ~ d^p` with `p = A d / V`, which is exact for a prism (p = 1), a
    /// shallow cap or a wedge (p = 2) and a corner (p = 3). Newton's step `(e_V - V) / A` is its limit for p = 1 and
    /// would overshoot without bound where a small cap has hardly any area yet.
    pub fn slack(&self) -> f64 {
        self.extent * ((self.target / self.volume).powf(self.power().recip()) - 1.0)
    }

    /// Mean depth at which the volume is at its target, by the same power \[m\].
    pub fn depth_at_target(&self) -> f64 {
        (self.extent + self.slack()) / self.power()
    }

    /// The power p. Rounding can leave it a little below 1, where it would overshoot the prism's.
    fn power(&self) -> f64 {
        (self.area * self.extent / self.volume).max(1.0)
    }
}
