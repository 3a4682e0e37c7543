//! What a step reports.

use serde::{Deserialize, Serialize};
use tactum_geometry::facets::Doubts;

pub use crate::joint::JointRecord;
use crate::{BodyId, ContactRecord};

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
    /// Estimate of what its bodies' velocities are off by, root mean square, turning at the radius of gyration \[m/s\]: the change
    /// of the velocities by the last sweep over one minus the rate at which these changes fall; where they hardly do, what as many
    /// sweeps again would change. At most the speed that the island has. An estimate, not a bound.
    #[serde(default)]
    pub velocity_error: f64,
    /// Whether that is within tolerance; otherwise the limit of sweeps was hit.
    pub converged: bool,
    /// Whether conjugate gradients had to take over from Anderson's acceleration, which misled.
    pub fell_back: bool,
    /// By how much one more step would change a contact's friction, the largest, as a part of its coefficient of friction.
    pub friction_residual: f64,
    /// Number of its contacts that went without friction, because no friction has an answer there.
    pub n_frictionless: u32,
}

/// Two bodies of which one would come so deep into the other in the step that it might come out on the other side. For that step it is
/// kept on its side as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FastPair {
    /// The two, the smaller first.
    pub bodies: [BodyId; 2],
    /// How many times as far they would come nearer in the step as half the thinner one is thick.
    pub way: f64,
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
    /// Largest [`IslandRecord::velocity_error`] \[m/s\].
    #[serde(default)]
    pub velocity_error: f64,
    /// Update norm after each sweep of the island that took most, the first such island.
    pub update_norms: Vec<f64>,
    /// Number of bodies that sleep after the step. Their contacts and joints are reported as they were when they fell asleep.
    #[serde(default)]
    pub asleep: u32,
    /// Number of islands that hit the sweep limit above tolerance.
    pub unconverged_islands: u32,
    /// How the solve of each island ended, in the order of their first contacts.
    pub islands: Vec<IslandRecord>,
    /// Deepest overlap, as mean depth \[m\].
    pub max_depth: f64,
    /// Mean thickness `2 V / S` of the thickest contact region that the step began with, as a part of the size (the
    /// diagonal of the box) of the smaller of its bodies, of those that are awake; `S` is what of the bodies' surfaces bounds the region.
    ///
    /// It is the mean depth of a flat contact, half the depth of a shallow cap, and stays meaningful for overlaps that
    /// have no contact normal.
    pub depth_of_size: f64,
    /// Pairs that came at each other too fast for the step, those that touch and those that were about to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fast: Vec<FastPair>,
    /// Sub-steps that the step took; 0 where it takes none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub substeps: u32,
    /// How often one of them was asked about once more, as bodies were deeper in each other than facets had been looked for, or held each
    /// other by so much that it was taken back and made shorter.
    #[serde(default, skip)]
    pub substeps_redone: u32,
    /// Pairs of bodies of whose facets something is doubtful, in any sub-step.
    #[serde(default, skip)]
    pub doubts: Vec<FacetDoubts>,
    /// Wall times of the step's phases \[s\]; not part of what is stored of a step.
    #[serde(skip)]
    pub times: PhaseTimes,
}

/// What is doubtful about the facets of a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetDoubts {
    /// The two, the smaller first.
    pub bodies: [BodyId; 2],
    /// What it is.
    pub doubts: Doubts,
}

impl FacetDoubts {
    /// Of each doubt that of the sub-step that has it most often.
    pub(crate) fn take_worse(&mut self, other: &Self) {
        let (mine, theirs) = (&mut self.doubts, &other.doubts);
        for (mine, theirs) in [
            (&mut mine.two_flats, &theirs.two_flats),
            (&mut mine.tight_sockets, &theirs.tight_sockets),
            (&mut mine.saddles, &theirs.saddles),
            (&mut mine.beyond_hertz, &theirs.beyond_hertz),
            (&mut mine.too_deep, &theirs.too_deep),
            (&mut mine.ring_cut, &theirs.ring_cut),
            (&mut mine.over_edges, &theirs.over_edges),
        ] {
            if theirs.n > mine.n {
                *mine = *theirs;
            }
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl ContactRecord {
    /// How deep the overlap is where it is deepest, along the normal \[m\]: its extent, and no more than three times its mean depth.
    ///
    /// Of an overlap that is convex neither can be less than that: lengths along the normal are then a concave function of the
    /// place, whose largest value is at most three times its mean, that of a pyramid. So it is exact for flat faces, edges, corners and
    /// shallow caps. The extent alone says nothing of an overlap that bends: a strip of a tenth of a millimetre may reach around a
    /// leg.
    pub fn deepest(&self) -> f64 {
        self.extent.min(3.0 * self.depth)
    }
}

impl StepReport {
    /// Largest [`ContactRecord::deepest`] \[m\]; 0 without contacts.
    pub fn deepest(&self) -> f64 {
        self.contacts.iter().fold(0.0, |m, contact| m.max(contact.deepest()))
    }
}

/// Wall times \[s\]; never part of a hash or of anything compared between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes {
    /// Free motion and broad phase.
    pub broad: f64,
    /// Overlaps; filled in by whoever measured them.
    pub detect: f64,
    /// Contact frames, patches and block matrices; forces of facets.
    pub assemble: f64,
    /// Sweeps.
    pub solve: f64,
    /// Integration and stabilisation.
    pub integrate: f64,
}

impl PhaseTimes {
    /// Of all phases together \[s\].
    pub fn whole(&self) -> f64 {
        self.broad + self.detect + self.assemble + self.solve + self.integrate
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;

    fn contact(depth: f64, extent: f64) -> ContactRecord {
        ContactRecord {
            bodies: [BodyId(0), BodyId(1)],
            volume: 1.0,
            normal: DVec3::Z,
            point: DVec3::ZERO,
            depth,
            extent,
            area: 1.0 / depth,
            axes: [DVec3::X, DVec3::Y],
            impulse: [0.0; 6],
            cop: DVec2::ZERO,
            region: 0,
        }
    }

    #[test]
    fn the_deepest_point_of_what_is_convex_is_exact_and_of_what_bends_bounded() {
        // A face, an edge or a cap, a corner, a strip around a leg.
        for (depth, extent, deepest) in [(1.0, 1.0, 1.0), (1.0, 2.0, 2.0), (1.0, 3.0, 3.0), (1.0, 800.0, 3.0)]
        {
            assert_eq!(contact(depth, extent).deepest(), deepest);
        }
        let contacts = vec![contact(1.0, 1.0), contact(0.5, 1.5), contact(0.9, 0.9)];
        assert_eq!(StepReport { contacts, ..StepReport::default() }.deepest(), 1.5);
        assert_eq!(StepReport::default().deepest(), 0.0);
    }
}
