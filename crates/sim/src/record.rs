//! What a step reports.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::{BodyId, JointId};

/// A contact of one step.
///
/// Bodies that only came to touch in the step may already have pressed on each other: volume, depth, extent and area
/// are then zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactRecord {
    /// The two bodies, A below B in index order.
    pub bodies: [BodyId; 2],
    /// Overlap volume \[m³\].
    pub volume: f64,
    /// Contact normal from A to B, world axes.
    pub normal: DVec3,
    /// Contact point: the overlap's centroid, world \[m\].
    pub point: DVec3,
    /// Mean depth \[m\].
    pub depth: f64,
    /// Extent of the overlap along the normal \[m\].
    pub extent: f64,
    /// Patch area `|gradient|` \[m²\].
    pub area: f64,
    /// Tangent axes (u, w), world.
    pub axes: [DVec3; 2],
    /// Impulse on B at the contact point in contact axes: (f_n, f_u, f_w) \[N s\], (τ_n, τ_u, τ_w) \[N m s\].
    pub impulse: [f64; 6],
    /// Centre of pressure on (u, w) about the contact point \[m\].
    pub cop: DVec2,
    /// Region number within the pair.
    pub region: u32,
}

/// A joint of one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointRecord {
    /// Which joint.
    pub joint: JointId,
    /// Angle \[rad\] or travel \[m\] along its axis after the step; of a spherical joint the angle between its axes.
    pub coordinate: f64,
    /// Impulse on its second body at the second half's origin, in the joint's axes: force \[N s\], torque \[N m s\]; the
    /// first of each is along the axis.
    pub impulse: [f64; 6],
    /// Whether it broke in this step.
    pub broke: bool,
}

/// How the solve of one island ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IslandRecord {
    /// One of its bodies: the dynamic one of its first contact or joint, the first where both are.
    pub body: BodyId,
    /// Number of its dynamic bodies.
    pub n_bodies: u32,
    /// Number of its contacts.
    pub n_contacts: u32,
    /// Number of its joints.
    pub n_joints: u32,
    /// Sweeps made.
    pub sweeps: u32,
    /// Final update norm, in the unit of `Settings::tolerance`.
    pub update_norm: f64,
    /// Whether that is within tolerance; otherwise the limit of sweeps was hit.
    pub converged: bool,
}

/// What one step did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Contacts in the order of their body pairs.
    pub contacts: Vec<ContactRecord>,
    /// Joints in their order; one that broke earlier is left out.
    pub joints: Vec<JointRecord>,
    /// Sweeps of the island that took most.
    pub sweeps: u32,
    /// Largest final update norm of an island, in the unit of `Settings::tolerance`.
    pub update_norm: f64,
    /// Update norm after each sweep of the island that took most, the first such island.
    pub update_norms: Vec<f64>,
    /// Number of islands that hit the sweep limit above tolerance.
    pub unconverged_islands: u32,
    /// How the solve of each island ended, in the order of their first contacts.
    pub islands: Vec<IslandRecord>,
    /// Deepest overlap, as mean depth \[m\].
    pub max_depth: f64,
    /// Mean thickness `2 V / S` of the thickest contact region that the step began with, as a part of the size (the
    /// diagonal of the box) of the smaller of its bodies; `S` is what of the bodies' surfaces bounds the region.
    ///
    /// It is the mean depth of a flat contact, half the depth of a shallow cap, and stays meaningful for overlaps that
    /// have no contact normal.
    pub depth_of_size: f64,
    /// Wall times of the step's phases \[s\]; not part of what is stored of a step.
    #[serde(skip)]
    pub times: PhaseTimes,
}

/// Wall times \[s\]; never part of a hash or of anything compared between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes {
    /// Free motion and broad phase.
    pub broad: f64,
    /// Overlaps; filled in by whoever measured them.
    pub detect: f64,
    /// Contact frames, patches and block matrices.
    pub assemble: f64,
    /// Sweeps.
    pub solve: f64,
    /// Integration and stabilisation.
    pub integrate: f64,
}
