//! What a step leaves of its contacts: for its report, and for the next step to start from.

use glam::DVec2;

use crate::contact::{Contact, RecordedOverlap, frame};
use crate::solver::Vec6;
use crate::solver::constraint::{Constraint, Law};
use crate::state::{Outlook, StoredContact, StoredPoint};
use crate::{BodyId, ContactRecord};

/// Whether a contact is one of bodies that overlap or press on each other, not just of bodies that were looked ahead for.
pub fn is_recorded(contact: &Contact, impulse: &Vec6) -> bool {
    contact.record.is_some() || *impulse != Vec6::ZERO
}

pub fn remember(
    contact: &Contact,
    bodies: [u32; 2],
    impulse: &Vec6,
    constraints: &[Constraint],
) -> StoredContact {
    let position = contact.origin + contact.frame.point;
    let point = |constraint: &Constraint| match constraint.law {
        Law::Patch(_) | Law::Joint(_) => None,
        Law::Point(_) => Some(StoredPoint {
            position: position + constraint.arms[1] - contact.arm_b,
            impulse: contact.frame.to_world(constraint.impulse.linear()),
        }),
    };
    StoredContact {
        bodies,
        region: contact.source.region,
        point: position,
        normal: contact.frame.normal(),
        force: contact.frame.to_world(impulse.linear()),
        torque: contact.frame.torque_to_world(impulse),
        outlook: match contact.record {
            _ if contact.on_tips => Outlook::Tumbling,
            _ if contact.uneven => Outlook::Landing,
            None => Outlook::Approaching,
            Some(_) => Outlook::Settled,
        },
        points: constraints[contact.constraints.clone()].iter().filter_map(point).collect(),
    }
}

pub fn record(contact: &Contact, bodies: [u32; 2], impulse: &Vec6) -> ContactRecord {
    let presses = impulse[0] > 0.0;
    let overlap =
        contact.record.unwrap_or(RecordedOverlap { volume: 0.0, depth: 0.0, extent: 0.0, area: 0.0 });
    ContactRecord {
        bodies: bodies.map(BodyId),
        volume: overlap.volume,
        normal: contact.frame.normal(),
        point: contact.origin + contact.frame.point,
        depth: overlap.depth,
        extent: overlap.extent,
        area: overlap.area,
        axes: [contact.frame.w_from_c.y_axis, contact.frame.w_from_c.z_axis],
        impulse: impulse.0,
        cop: if presses { frame::center_of_pressure(impulse) } else { DVec2::ZERO },
        region: contact.source.region,
    }
}
