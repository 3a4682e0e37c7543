//! What a step reports of its contacts.

use glam::{DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::BodyId;
use crate::law::volume::contact::Contact;
use crate::solver::Vec6;
use crate::solver::frame::center_of_pressure;

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
    /// Extent of the overlap along the normal, of one that bends along it its mean depth \[m\].
    pub extent: f64,
    /// Patch area `|gradient|` \[m²\].
    pub area: f64,
    /// Tangent axes (u, w), world.
    pub axes: [DVec3; 2],
    /// Impulse on B at the contact point in contact axes: (f_n, f_u, f_w) \[N s\], (τ_n, τ_u, τ_w) \[N m s\].
    pub impulse: [f64; 6],
    /// Centre of pressure on (u, w) about the contact point \[m\].
    pub cop: DVec2,
    /// Number of the contact within the pair: that of its region of the overlap, if no other contact has it.
    pub region: u32,
}

impl ContactRecord {
    pub(crate) fn is_finite(&self) -> bool {
        let numbers = [self.volume, self.depth, self.extent, self.area, self.cop.x, self.cop.y];
        numbers.iter().chain(&self.impulse).all(|x| x.is_finite())
            && [self.normal, self.point, self.axes[0], self.axes[1]].iter().all(|v| v.is_finite())
    }

    /// The same with impulses `factor` times as large.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { impulse: self.impulse.map(|x| factor * x), ..self.clone() }
    }

    /// Adds what another contact of the same two bodies has done.
    pub(crate) fn add_impulse(&mut self, other: &Self) {
        let axes = |record: &Self| DMat3::from_cols(record.normal, record.axes[0], record.axes[1]);
        let own = axes(self).transpose() * axes(other);
        let away = axes(self).transpose() * (other.point - self.point);
        let wrench = Vec6(other.impulse);
        let (force, torque) = (own * wrench.linear(), own * wrench.angular());
        let sum = Vec6(self.impulse) + Vec6::from_parts(force, torque + away.cross(force));
        self.impulse = sum.0;
        self.cop = if sum[0] > 0.0 { center_of_pressure(&sum) } else { DVec2::ZERO };
    }
}

/// Whether a contact is one of bodies that overlap or press on each other, not just of bodies that were looked ahead for.
pub fn is_recorded(contact: &Contact, impulse: &Vec6) -> bool {
    contact.measured.is_some() || *impulse != Vec6::ZERO
}

/// The record of a contact with this impulse.
pub fn record(contact: &Contact, impulse: &Vec6) -> ContactRecord {
    let presses = impulse[0] > 0.0;
    let overlap = contact.measured.unwrap_or_default();
    ContactRecord {
        bodies: contact.bodies.map(BodyId),
        volume: overlap.volume,
        normal: contact.frame.normal(),
        point: contact.origin + contact.frame.point,
        depth: overlap.depth,
        extent: overlap.extent,
        area: overlap.area,
        axes: [contact.frame.w_from_c.y_axis, contact.frame.w_from_c.z_axis],
        impulse: impulse.0,
        cop: if presses { center_of_pressure(impulse) } else { DVec2::ZERO },
        region: contact.source.contact,
    }
}
