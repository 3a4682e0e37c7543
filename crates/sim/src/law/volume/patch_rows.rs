//! The constraint of a contact over its patch: six rows, bounded by the patch, by friction and by the spin limit.

use glam::DMat2;

use crate::law::volume::assemble::Prepared;
use crate::law::volume::hollow;
use crate::law::volume::rolling::resisting_part;
use crate::solver::constraint::{Constraint, PatchRows, Rows};
use crate::solver::local::Block;
use crate::solver::{ContactLimits, ContactPatch, Vec6};
use crate::{LocalSolver, Settings};

/// One constraint of six rows.
pub fn over_patch(prepared: &Prepared<'_>) -> Constraint {
    let Prepared { contact, matrix, compliance, bias, .. } = prepared;
    let frame = &contact.frame;
    let softness = Vec6([*compliance, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let rows =
        PatchRows { block: Block::new(matrix.with_added_diagonal(&softness)), limits: limits(prepared) };
    let impulse = prepared
        .remembered
        .map_or(Vec6::ZERO, |(last, point)| frame.wrench_from_world(last.force, last.torque, point));
    Constraint {
        pitch: frame.pitch,
        bias: *bias,
        compliance: *compliance,
        ..Constraint::new(contact.slots, frame.w_from_c, contact.arms, impulse, Rows::Patch(Box::new(rows)))
    }
}

/// Patch and friction. Friction against spinning acts over the patch.
///
/// A round side touches in a point or a line: how far its patch reaches across is how deep bodies are held, which is a setting and not
/// theirs, unless compliance or a volume that a scene asks for say so. On the rim of a hole it touches all around.
fn limits(prepared: &Prepared<'_>) -> ContactLimits {
    let Settings { patch, spin, coupling, local, target_volume, compliance, .. } = *prepared.settings;
    let contact = &prepared.contact;
    let geometry = &prepared.geometry;
    let rolls = prepared.round.iter().any(Option::is_some);
    let part = if rolls { resisting_part(geometry, &prepared.round) } else { DMat2::IDENTITY };
    let whole = geometry.contact_patch(patch);
    let is_depth_meant = compliance > 0.0 || target_volume.is_some();
    let [on_rim, aslant] = if rolls { hollow::on_rim(geometry) } else { [0.0, 1.0] };
    let rubbing = match &prepared.rubbing {
        Some(rubbing) => rubbing.clone(),
        None if is_depth_meant => whole.clone(),
        None => whole.mapped(part + (DMat2::IDENTITY - part) * on_rim),
    };
    let mut limits = ContactLimits::new(rubbing, prepared.friction, spin, coupling);
    limits.surface.scale_radius(prepared.hollow * aslant);
    let own = match &contact.gaps {
        Some(gaps) => {
            let h = prepared.settings.dt;
            let courses = contact.courses_with(contact.movers.map(|mover| mover.free), h);
            let corners = gaps.patch(&contact.frame, contact.arms, courses, h, |arms| contact.nearing(arms));
            ContactPatch::corners(corners.collect())
        }
        None if !prepared.struck.is_empty() => ContactPatch::corners(prepared.struck.clone()),
        None if prepared.is_point && local == LocalSolver::Cone => whole.mapped(DMat2::ZERO),
        None => whole.mapped(part),
    };
    ContactLimits { patch: own, ..limits }
}
