//! The state after the step, and what is reported of it.

use glam::{DVec2, DVec3};

use super::course::Course;
use crate::law::continuous_penalty::Contact;
use crate::stepper::impulse::check_states;
use crate::stepper::step::{After, Input, StepError};
use crate::{BodyId, BodyState, ContactRecord, StepReport};

/// Two bodies in all sub-steps of a step.
#[derive(Clone, Copy, Debug)]
pub struct SeenPair {
    bodies: [u32; 2],
    /// Where moments are taken about: the place of the first contact, world \[m\].
    about: DVec3,
    /// Impulse on B \[N s\] and its moment \[N m s\].
    impulse: [DVec3; 2],
    /// Sum of normals and of places relative to `about`, each times what its contact presses \[N s, N m s\].
    normal: DVec3,
    place: DVec3,
    /// Sum of what presses \[N s\].
    load: f64,
    depth: f64,
}

impl SeenPair {
    /// Adds the contacts of a sub-step.
    pub fn note(seen: &mut Vec<Self>, contacts: &[Contact]) {
        for contact in contacts {
            let ix = match seen.binary_search_by_key(&contact.bodies, |known| known.bodies) {
                Ok(ix) => ix,
                Err(ix) => {
                    let zero = DVec3::ZERO;
                    let new = Self {
                        bodies: contact.bodies,
                        about: contact.point,
                        impulse: [zero; 2],
                        normal: zero,
                        place: zero,
                        load: 0.0,
                        depth: 0.0,
                    };
                    seen.insert(ix, new);
                    ix
                }
            };
            let pair = &mut seen[ix];
            let pressing = contact.pressing();
            let impulse = pressing + contact.friction;
            let arm = contact.point - pair.about;
            let load = pressing.length();
            pair.impulse[0] += impulse;
            pair.impulse[1] += arm.cross(impulse);
            pair.normal += load * contact.normal;
            pair.place += load * arm;
            pair.load += load;
            pair.depth = pair.depth.max(contact.depth);
        }
    }

    /// What is reported of it.
    pub fn record(&self) -> ContactRecord {
        let normal = self.normal.normalize_or(DVec3::Z);
        let axes: [_; 2] = normal.any_orthonormal_pair().into();
        let arm = if self.load > 0.0 { self.place / self.load } else { DVec3::ZERO };
        let moment = self.impulse[1] - arm.cross(self.impulse[0]);
        let along = |v: DVec3| [v.dot(normal), v.dot(axes[0]), v.dot(axes[1])];
        let ([n, u, w], [tn, tu, tw]) = (along(self.impulse[0]), along(moment));
        ContactRecord {
            bodies: self.bodies.map(BodyId),
            volume: 0.0,
            normal,
            point: self.about + arm,
            depth: self.depth,
            extent: self.depth,
            area: 0.0,
            axes,
            impulse: [n, u, w, tn, tu, tw],
            cop: DVec2::ZERO,
            region: 0,
        }
    }
}

impl Course {
    /// The world after the step, and its report: a contact for each pair that touched in any sub-step, with its impulse over the step, at
    /// the centre of what presses.
    pub fn finish(self, input: &Input<'_>, after: &mut After) -> Result<StepReport, StepError> {
        after.states = self.bodies.iter().map(BodyState::of).collect();
        check_states(&after.states, input)?;
        let contacts: Vec<ContactRecord> = self.seen.iter().map(SeenPair::record).collect();
        let report = StepReport {
            max_depth: contacts.iter().fold(0.0, |m, contact| m.max(contact.depth)),
            contacts,
            substeps: self.n_done,
            times: self.times,
            ..StepReport::default()
        };
        after.memory.passages = self.stored;
        let memory = &mut after.memory;
        (memory.contacts, memory.asleep, memory.facets) = Default::default();
        (memory.landed, memory.parts) = Default::default();
        after.joints = input.joint_states.to_vec();
        Ok(report)
    }
}
