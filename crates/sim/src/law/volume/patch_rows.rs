//! The constraint of a contact over its patch: six rows, bounded by the patch, by friction and by the spin limit.

use glam::DVec2;

use crate::law::volume::assemble::Prepared;
use crate::law::volume::contact::Contact;
use crate::law::volume::rolling::resisting_part;
use crate::solver::constraint::{Constraint, PatchRows, Rows};
use crate::solver::local::Block;
use crate::solver::{ContactLimits, ContactPatch, Vec6};
use crate::{LocalSolver, RollingRule, Settings};

/// One constraint of six rows.
pub fn over_patch(prepared: &Prepared<'_>) -> Constraint {
    let Prepared { contact, matrix, compliance, bias, remembered, .. } = prepared;
    let frame = &contact.frame;
    let softness = Vec6([*compliance, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let rows =
        PatchRows { block: Block::new(matrix.with_added_diagonal(&softness)), limits: limits(prepared) };
    let impulse = remembered.map_or(Vec6::ZERO, |last| {
        frame.wrench_from_world(last.force, last.torque, last.point - contact.origin)
    });
    Constraint {
        pitch: frame.pitch,
        bias: *bias,
        compliance: *compliance,
        ..Constraint::new(contact.slots, frame.w_from_c, contact.arms, impulse, Rows::Patch(Box::new(rows)))
    }
}

/// Patch and friction. Friction against spinning acts over the whole patch, where it is curved too.
fn limits(prepared: &Prepared<'_>) -> ContactLimits {
    let Settings { patch, spin, coupling, rolling, local, .. } = *prepared.settings;
    let geometry = &prepared.geometry;
    let Contact { frame, arms, gaps, .. } = &prepared.contact;
    let own = match gaps {
        Some(gaps) => {
            ContactPatch::corners(gaps.patch(frame, *arms, gaps.free, prepared.settings.dt).collect())
        }
        None => geometry.contact_patch(patch),
    };
    let mut limits = match prepared.rubbing.clone() {
        None => ContactLimits::new(own, prepared.friction, spin, coupling),
        Some(rubbing) => {
            let limits = ContactLimits::new(rubbing, prepared.friction, spin, coupling);
            ContactLimits { patch: own, ..limits }
        }
    };
    if prepared.is_point && local == LocalSolver::Cone {
        limits.patch = limits.patch.scaled(DVec2::ZERO);
    } else if prepared.is_round && rolling == RollingRule::Auto && local == LocalSolver::Cone {
        let part = resisting_part(geometry);
        if part != DVec2::ONE {
            limits.patch = limits.patch.scaled(part);
        }
    }
    limits
}
