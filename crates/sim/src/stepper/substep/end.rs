//! The state after a step, and what is reported of it.

use glam::DVec2;

use super::course::Course;
use crate::law::StoredSubsteps;
use crate::stepper::impulse::check_states;
use crate::stepper::step::{After, Input, StepError};
use crate::{BodyId, BodyState, ContactRecord, StepReport};

impl Course {
    /// The world after the step, and its report: contacts are those of the last sub-step, with the impulses of a whole step that goes
    /// as that.
    pub fn finish(self, input: &Input<'_>, after: &mut After) -> Result<StepReport, StepError> {
        after.states = self.bodies.iter().map(BodyState::of).collect();
        check_states(&after.states, input)?;
        let dt = input.settings.dt;
        let contacts: Vec<ContactRecord> = self
            .actions
            .iter()
            .flat_map(|(bodies, action)| {
                let origin = self.bodies[bodies[0] as usize].w_from_shape().translation;
                action.patches.iter().zip(0..).map(move |(acting, region)| {
                    let patch = &acting.patch;
                    let axes: [_; 2] = patch.normal.any_orthonormal_pair().into();
                    let along = |v: glam::DVec3| {
                        [v.dot(patch.normal), v.dot(axes[0]), v.dot(axes[1])].map(|x| x * dt)
                    };
                    let ([fn_, fu, fw], [tn, tu, tw]) = (along(acting.force), along(acting.torque));
                    ContactRecord {
                        bodies: bodies.map(BodyId),
                        volume: 0.0,
                        normal: patch.normal,
                        point: origin + patch.point,
                        depth: patch.deepest,
                        extent: patch.deepest,
                        area: patch.area,
                        axes,
                        impulse: [fn_, fu, fw, tn, tu, tw],
                        cop: DVec2::ZERO,
                        region,
                    }
                })
            })
            .collect();
        let report = StepReport {
            max_depth: contacts.iter().fold(0.0, |m, contact| m.max(contact.depth)),
            contacts,
            substeps: self.n_done,
            doubts: self.doubts,
            times: self.times,
            ..StepReport::default()
        };
        after.memory.facets = StoredSubsteps { length: self.length, pairs: self.stored };
        (after.memory.contacts, after.memory.asleep) = Default::default();
        after.joints = input.joint_states.to_vec();
        Ok(report)
    }
}
