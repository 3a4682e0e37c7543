//! The constraints that carry a contact: one over its patch, or one at each corner of it.

use glam::{DVec2, DVec3};
use tactum_geometry::Overlap;

use crate::contact::frame::{in_plane, shift_twist};
use crate::contact::fullness::fullness;
use crate::contact::{ContactFrame, ContactPatch, memory};
use crate::solver::constraint::{Constraint, Law, PatchLaw};
use crate::solver::local::{Block, ContactLimits, PointBlock};
use crate::solver::{Mat6, Vec6};
use crate::state::StoredContact;
use crate::{LocalSolver, RollingRule, Settings};

/// What the constraints of a contact have in common.
pub(super) struct Rows<'a> {
    pub settings: &'a Settings,
    /// Slots of A and B within the island.
    pub slots: [u32; 2],
    pub frame: ContactFrame,
    /// From each centre of mass to the contact point, world axes \[m\].
    pub arms: [DVec3; 2],
    /// Whether one of the bodies is a ball or a capsule.
    pub is_round: bool,
    /// Whether the patch is too curved for its points to keep apart along one normal.
    pub is_point: bool,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// `J M⁻¹ Jᵀ` about the contact point, contact axes.
    pub matrix: Mat6,
    /// Compliance of the normal row, as velocity per impulse.
    pub compliance: f64,
    /// Bias of all rows about the contact point.
    pub bias: Vec6,
    /// Origin of the frame's point, world \[m\].
    pub origin: DVec3,
    /// The contact of the last step whose impulse is the start of this one's.
    pub remembered: Option<&'a StoredContact>,
}

impl Rows<'_> {
    /// One constraint of six rows.
    ///
    /// `rubbing` is the overlap over whose patch friction resists spinning; at a point where there is none.
    pub fn over_patch(&self, overlap: &Overlap, rubbing: Option<&Overlap>) -> Constraint {
        let compliance = Vec6([self.compliance, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let law = PatchLaw {
            block: Block::new(self.matrix.with_added_diagonal(&compliance)),
            limits: self.limits(overlap, rubbing),
        };
        let impulse = self.remembered.map_or(Vec6::ZERO, |last| {
            self.frame.wrench_from_world(last.force, last.torque, last.point - self.origin)
        });
        Constraint {
            pitch: self.frame.pitch,
            bias: self.bias,
            compliance: self.compliance,
            ..Constraint::new(self.slots, self.frame.w_from_c, self.arms, impulse, Law::Patch(Box::new(law)))
        }
    }

    /// Patch and friction. Friction against spinning acts over the whole patch, where it is curved too.
    fn limits(&self, overlap: &Overlap, rubbing: Option<&Overlap>) -> ContactLimits {
        let Settings { patch, spin, coupling, rolling, local, .. } = *self.settings;
        let of_overlap = |overlap| {
            ContactPatch::of_overlap(overlap, patch).expect("an overlap with a patch has a contact patch")
        };
        let rubbing_patch = rubbing.map_or_else(|| ContactPatch::ellipse(0.0, 0.0), of_overlap);
        let mut limits = ContactLimits::new(rubbing_patch, self.friction, spin, coupling);
        if rubbing.is_none_or(|rubbing| !std::ptr::eq(overlap, rubbing)) {
            limits.patch = of_overlap(overlap);
        }
        if self.is_point && local == LocalSolver::Cone {
            limits.patch = limits.patch.scaled(DVec2::ZERO);
        } else if self.is_round
            && rolling == RollingRule::Auto
            && local == LocalSolver::Cone
            && let Some(patch) = &overlap.patch
        {
            let part = fullness(overlap, patch);
            if part != DVec2::ONE {
                limits.patch = limits.patch.scaled(part);
            }
        }
        limits
    }

    /// One constraint of three rows at each corner of the support polygon.
    ///
    /// The corners of two convex faces' overlap are where a corner of one lies on the other (vertex on face) and where
    /// their sides cross (edge on edge): the points that a point-contact engine finds for the same overlap. Springs of
    /// several points act side by side, so each is as many times more compliant.
    pub fn at_points(&self, corners: &[DVec2]) -> Vec<Constraint> {
        let compliance = self.compliance * corners.len() as f64;
        let positions: Vec<DVec3> = corners
            .iter()
            .map(|&x| self.origin + self.frame.point + self.frame.to_world(in_plane(x)))
            .collect();
        let stored = self.remembered.map_or(&[][..], |last| &last.points);
        let starts = memory::nearest_impulses(stored, &positions);
        let constraint = |(&x, start): (&DVec2, DVec3)| {
            let arm = self.frame.to_world(in_plane(x));
            let impulse = Vec6::from_parts(self.frame.to_contact(start), DVec3::ZERO);
            let law = Law::Point(PointBlock::new(&self.matrix, x, compliance, self.friction));
            Constraint {
                bias: Vec6::from_parts(shift_twist(&self.bias, in_plane(x)).linear(), DVec3::ZERO),
                compliance,
                ..Constraint::new(
                    self.slots,
                    self.frame.w_from_c,
                    self.arms.map(|to_contact| to_contact + arm),
                    impulse,
                    law,
                )
            }
        };
        corners.iter().zip(starts).map(constraint).collect()
    }
}
