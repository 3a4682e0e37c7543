//! What viewers are told of contacts of continuous penalties, besides their records.

use glam::{DVec2, DVec3};

use super::end::SeenPair;
use crate::law::continuous_penalty::Contact;
use crate::law::volume::{ContactDetail, ContactMotion};
use crate::solver::ContactPatch;
use crate::stepper::step::Input;
use crate::{Body, BodyId};

/// Part of a limit from which on an impulse counts as being at it: what slides throughout turns by some degrees in a step. No unit.
const AT_LIMIT: f64 = 0.999;

/// Features of a step that are kept to be shown at most: more than are told apart, and no burden where a step has thousands of sub-steps.
const MOST_SHOWN: usize = 4096;

/// What a pair of features, a vertex in a face or two edges, did in a part of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenaltyDetail {
    /// The bodies A and B.
    pub bodies: [BodyId; 2],
    /// From when to when they were in each other, in parts of the step.
    pub interval: [f64; 2],
    /// Where, in the middle of that, world \[m\].
    pub point: DVec3,
    /// Unit normal from A to B then.
    pub normal: DVec3,
    /// Impulse on B of spring, damper and friction \[N s\].
    pub impulse: DVec3,
    /// Depth at most \[m\].
    pub depth: f64,
}

impl PenaltyDetail {
    /// Notes the contacts of a sub-step that takes this part of the step, as long as there are not too many.
    pub fn note(shown: &mut Vec<Self>, contacts: &[Contact], [from, to]: [f64; 2]) {
        let room = MOST_SHOWN.saturating_sub(shown.len());
        shown.extend(contacts.iter().take(room).map(|contact| Self {
            bodies: contact.bodies.map(BodyId),
            interval: contact.interval.map(|part| from + part * (to - from)),
            point: contact.point,
            normal: contact.normal,
            impulse: contact.pressing() + contact.friction,
            depth: contact.depth,
        }));
    }
}

impl SeenPair {
    /// What is known of the pair besides its record: its features as corners of a patch, and what friction did over the step.
    pub fn detail(&self, features: &[PenaltyDetail], input: &Input<'_>) -> ContactDetail {
        let record = self.record();
        let pair = record.bodies.map(|BodyId(ix)| ix);
        let both = pair.map(|ix| &input.bodies[ix as usize]);
        let touch = input.materials.between(pair, both, input.settings);
        let [normal, u, w, ..] = record.impulse;
        let velocity =
            |body: &Body| body.linear_velocity + body.angular_velocity.cross(record.point - body.position);
        let axes = [record.normal, record.axes[0], record.axes[1]];
        let along = |v: DVec3| axes.map(|axis| v.dot(axis));
        let [vn, vu, vw] = along(velocity(both[1]) - velocity(both[0]));
        let [wn, wu, ww] = along(both[1].angular_velocity - both[0].angular_velocity);
        let of_pair = features.iter().filter(|feature| feature.bodies == record.bodies);
        let places: Vec<DVec2> = of_pair
            .map(|feature| {
                let [_, x, y] = along(feature.point - record.point);
                DVec2::new(x, y)
            })
            .collect();
        ContactDetail {
            bodies: record.bodies,
            region: record.region,
            patch: ContactPatch::polygon(&places),
            free_cop: None,
            friction: touch.friction,
            // There is none: what comes back follows from stiffness and step.
            restitution: 0.0,
            spin_radius: 0.0,
            twist: [vn, vu, vw, wn, wu, ww],
            update: 0.0,
            motion: ContactMotion {
                presses: normal > 0.0,
                slides: normal > 0.0 && u.hypot(w) >= AT_LIMIT * touch.friction * normal,
                spins: false,
                rolls: false,
            },
            equivalent_box: None,
        }
    }
}
