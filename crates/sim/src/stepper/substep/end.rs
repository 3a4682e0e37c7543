//! The state after a step, and what is reported of it.

use glam::{DVec2, DVec3};
use tactum_geometry::facets::Patch;

use super::course::Course;
use crate::law::StoredSubsteps;
use crate::law::facets::PatchAction;
use crate::stepper::impulse::check_states;
use crate::stepper::step::{After, Input, StepError};
use crate::{BodyId, BodyState, ContactRecord, StepReport};

/// A patch in all sub-steps of a step.
#[derive(Clone, Copy, Debug)]
pub struct SeenPatch {
    /// The bodies, and the patch's number within the pair.
    key: ([u32; 2], u32),
    /// Where and how it was when it was deepest; the point in the world.
    deepest: Patch,
    /// Impulse on B so far \[N s\], and about the place where the patch was seen first \[N m s\]: it moves with the bodies, and what it did in each sub-step
    /// acted where it was then.
    impulse: [DVec3; 2],
    first: DVec3,
}

impl SeenPatch {
    /// Adds what acts on these bodies for `dt` \[s\]; `origin` is that of A's shape. Pairs come in their order: those seen before the place
    /// `at` are of pairs before this one, and so are those before the place that is given back of pairs before the next one.
    pub fn note(
        seen: &mut Vec<Self>,
        mut at: usize,
        bodies: [u32; 2],
        origin: DVec3,
        patches: &[PatchAction],
        dt: f64,
    ) -> usize {
        for (acting, region) in patches.iter().zip(0..) {
            let patch = Patch { point: origin + acting.patch.point, ..acting.patch };
            let impulse = [acting.force * dt, acting.torque * dt];
            at = Self::add(seen, at, (bodies, region), &patch, impulse);
        }
        at
    }

    /// The same of a patch in several sub-steps, as it was when it was deepest in them, and the impulses on B in all of them: their sum, and about the point of
    /// that patch.
    pub fn add(
        seen: &mut Vec<Self>,
        mut at: usize,
        key: ([u32; 2], u32),
        deepest: &Patch,
        impulse: [DVec3; 2],
    ) -> usize {
        while seen.get(at).is_some_and(|known| known.key < key) {
            at += 1;
        }
        match seen.get_mut(at).filter(|known| known.key == key) {
            Some(known) => {
                let arm = deepest.point - known.first;
                let about_first = [impulse[0], impulse[1] + arm.cross(impulse[0])];
                known.impulse = [0, 1].map(|i| known.impulse[i] + about_first[i]);
                if deepest.deepest >= known.deepest.deepest {
                    known.deepest = *deepest;
                }
            }
            None => seen.insert(at, Self { key, deepest: *deepest, impulse, first: deepest.point }),
        }
        at
    }

    /// As it was when it was deepest; the point in the world.
    pub fn deepest(&self) -> &Patch {
        &self.deepest
    }

    /// What is reported of it.
    pub fn record(&self) -> ContactRecord {
        let patch = &self.deepest;
        let normal = if patch.grip > 0.0 { patch.normal } else { patch.force.normalize_or(DVec3::Z) };
        let axes: [_; 2] = normal.any_orthonormal_pair().into();
        let along = |v: DVec3| [v.dot(normal), v.dot(axes[0]), v.dot(axes[1])];
        let [impulse, about_first] = self.impulse;
        let turn = about_first - (patch.point - self.first).cross(impulse);
        let ([n, u, w], [tn, tu, tw]) = (along(impulse), along(turn));
        ContactRecord {
            bodies: self.key.0.map(BodyId),
            volume: 0.0,
            normal,
            point: patch.point,
            depth: patch.deepest,
            extent: patch.deepest,
            area: patch.area,
            axes,
            impulse: [n, u, w, tn, tu, tw],
            cop: DVec2::ZERO,
            region: self.key.1,
        }
    }
}

impl Course {
    /// The world after the step, and its report: a contact for each patch that there was in any sub-step, as it was when it was deepest, with its
    /// impulse over the step.
    pub fn finish(self, input: &Input<'_>, after: &mut After) -> Result<StepReport, StepError> {
        let phase = self.next_phase(input.settings);
        after.states = self.bodies.iter().map(BodyState::of).collect();
        check_states(&after.states, input)?;
        let contacts: Vec<ContactRecord> = self.seen.iter().map(SeenPatch::record).collect();
        let report = StepReport {
            max_depth: contacts.iter().fold(0.0, |m, contact| m.max(contact.depth)),
            contacts,
            substeps: self.n_done,
            substeps_redone: self.n_redone,
            doubts: self.doubts,
            times: self.times,
            ..StepReport::default()
        };
        after.memory.facets = StoredSubsteps { length: self.length, phase, pairs: self.stored };
        let memory = &mut after.memory;
        (memory.contacts, memory.asleep, memory.passages) = Default::default();
        (memory.landed, memory.parts) = Default::default();
        after.joints = input.joint_states.to_vec();
        Ok(report)
    }
}
