//! A contact as the solver sees it.

use glam::DVec3;
use tactum_geometry::Overlap;

use crate::contact::{ContactFrame, ContactPatch};
use crate::solver::Vec6;
use crate::solver::local::Block;

/// A region of a measured overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionRef {
    /// Position of the pair's job in the step's plan.
    pub job: u32,
    /// Number of the region within the job's overlap.
    pub region: u32,
}

/// One contact of a step: its block, its volume row and its impulse.
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
    /// From each centre of mass to the contact point, world axes \[m\].
    pub arms: [DVec3; 2],
    /// Patch that bounds the centre of pressure.
    pub patch: ContactPatch,
    /// The overlap where the bodies are; `None` if they do not overlap yet.
    pub record: Option<RecordedOverlap>,
    /// Whether a face lies tilted, so that the next step has to look ahead for where it lands.
    pub uneven: bool,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// Matrix `S = A + C`.
    pub block: Block,
    /// `C` of the normal row \[m/(N s²)·s\], that is velocity per impulse.
    pub normal_compliance: f64,
    /// Wanted `J u + C λ + bias = 0`, with the motion of bodies that nothing can move; contact axes.
    pub bias: Vec6,
    /// Impulse on B about the contact point, contact axes.
    pub impulse: Vec6,
    /// Change of the impulse in the last sweep.
    pub update: Vec6,
    /// Search direction of the accelerator.
    pub direction: Vec6,
    /// The overlap's volume as a function of the two poses.
    pub volume: VolumeRow,
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
        // Rounding can leave p a little below 1, where it would overshoot the prism's.
        let power = (self.area * self.extent / self.volume).max(1.0);
        self.extent * ((self.target / self.volume).powf(power.recip()) - 1.0)
    }
}
