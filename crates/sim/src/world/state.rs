//! The dynamic state of a world as plain data: what a checkpoint holds and a state hash covers.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::law::Memory;
pub use crate::world::body_state::BodyState;
use crate::world::hash::StateHash;
use crate::{Body, Joint, JointState};

/// Everything that the next step depends on besides settings, shapes and mass properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Steps made.
    pub step_count: u64,
    /// Whether all velocities are those that the last step has left, found with the time step in force.
    pub is_continued: bool,
    /// State of each body, by index.
    pub bodies: Vec<BodyState>,
    /// What the contact laws remember of the last step.
    pub memory: Memory,
    /// State of each joint, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointState>,
}

/// Why a snapshot does not fit a world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RestoreError {
    /// The snapshot belongs to another set of bodies.
    #[error("the snapshot holds {found} bodies, needed {needed}")]
    BodyCount {
        /// Bodies of the world.
        needed: usize,
        /// Bodies of the snapshot.
        found: usize,
    },
    /// A number of the snapshot is infinite or not a number, or an orientation has no direction.
    #[error("the snapshot's state of body '{body}' is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
    },
    /// The snapshot belongs to another set of joints.
    #[error("the snapshot holds {found} joints, needed {needed}")]
    JointCount {
        /// Joints of the world.
        needed: usize,
        /// Joints of the snapshot.
        found: usize,
    },
    /// A number of a joint's state is infinite or not a number.
    #[error("the snapshot's state of joint '{joint}' is not finite")]
    JointNotFinite {
        /// Name of the joint.
        joint: String,
    },
    /// A contact names bodies that are not there, is out of order, or is not finite.
    #[error(
        "the snapshot's contact {ix} (bodies {bodies:?}) is not finite, out of order or of unknown bodies"
    )]
    Contact {
        /// Position in the snapshot.
        ix: usize,
        /// The bodies it names.
        bodies: [u32; 2],
    },
}

impl Snapshot {
    /// Checks that the snapshot fits the bodies and joints.
    pub(crate) fn check(&self, bodies: &[Body], joints: &[Joint]) -> Result<(), RestoreError> {
        self.check_joints(joints)?;
        if self.bodies.len() != bodies.len() {
            return Err(RestoreError::BodyCount { needed: bodies.len(), found: self.bodies.len() });
        }
        for (state, body) in self.bodies.iter().zip(bodies) {
            if !state.is_finite() || state.orientation.length_squared() == 0.0 {
                return Err(RestoreError::NotFinite { body: body.name.clone() });
            }
        }
        let mut last = None;
        for (ix, contact) in self.memory.contacts.iter().enumerate() {
            let [a, b] = contact.bodies;
            let known = a < b && (b as usize) < bodies.len();
            if !known || !contact.is_finite() || last >= Some((contact.bodies, contact.region)) {
                return Err(RestoreError::Contact { ix, bodies: contact.bodies });
            }
            last = Some((contact.bodies, contact.region));
        }
        self.check_asleep(bodies)?;
        self.check_passages(bodies)?;
        self.check_facets(bodies)
    }

    /// Checks what is remembered of sub-steps.
    fn check_facets(&self, bodies: &[Body]) -> Result<(), RestoreError> {
        let pairs = &self.memory.facets.pairs;
        let in_order = pairs.windows(2).all(|two| two[0].bodies < two[1].bodies);
        let known = |[a, b]: [u32; 2]| a < b && (b as usize) < bodies.len();
        let wrong = pairs.iter().position(|pair| !known(pair.bodies) || !pair.is_finite());
        match wrong.or((!in_order || !self.memory.facets.is_finite()).then_some(0)) {
            Some(ix) => {
                let bodies = pairs.get(ix).map_or([0; 2], |pair| pair.bodies);
                Err(RestoreError::Contact { ix, bodies })
            }
            None => Ok(()),
        }
    }

    /// Checks what is remembered of passages: whether there are such bodies, faces and edges.
    fn check_passages(&self, bodies: &[Body]) -> Result<(), RestoreError> {
        let passages = &self.memory.passages;
        let in_order = passages.pairs.windows(2).all(|two| two[0].bodies < two[1].bodies);
        match passages.pairs.iter().position(|pair| !pair.fits(bodies)).or((!in_order).then_some(0)) {
            Some(ix) => Err(RestoreError::Contact { ix, bodies: passages.pairs[ix].bodies }),
            None => Ok(()),
        }
    }

    /// Checks what is kept of sleeping bodies.
    fn check_asleep(&self, bodies: &[Body]) -> Result<(), RestoreError> {
        let mut last = None;
        for (ix, contact) in self.memory.asleep.contacts.iter().enumerate() {
            let pair = contact.bodies.map(|id| id.0);
            let known = pair[0] < pair[1] && (pair[1] as usize) < bodies.len();
            if !known || !contact.is_finite() || last >= Some((pair, contact.region)) {
                return Err(RestoreError::Contact { ix, bodies: pair });
            }
            last = Some((pair, contact.region));
        }
        Ok(())
    }

    fn check_joints(&self, joints: &[Joint]) -> Result<(), RestoreError> {
        if self.joints.len() != joints.len() {
            return Err(RestoreError::JointCount { needed: joints.len(), found: self.joints.len() });
        }
        for (state, joint) in self.joints.iter().zip(joints) {
            if !(state.coordinate.is_finite() && state.force.is_finite() && state.torque.is_finite()) {
                return Err(RestoreError::JointNotFinite { joint: joint.name.clone() });
            }
        }
        for record in &self.memory.asleep.joints {
            let Some(joint) = joints.get(record.joint.0 as usize) else {
                return Err(RestoreError::JointCount {
                    needed: joints.len(),
                    found: record.joint.0 as usize + 1,
                });
            };
            if !record.impulse.iter().chain([&record.coordinate]).all(|x| x.is_finite()) {
                return Err(RestoreError::JointNotFinite { joint: joint.name.clone() });
            }
        }
        Ok(())
    }
}

/// Hash of a world's dynamic state, bit by bit.
/// `clock` is what there is besides.
pub(crate) fn state_hash(clock: [u64; 2], bodies: &[Body], memory: &Memory, joints: &[JointState]) -> u64 {
    let mut hash = StateHash::new();
    clock.into_iter().for_each(|word| hash.word(word));
    for body in bodies {
        let state = BodyState::of(body);
        state.vectors().into_iter().for_each(|v| hash.vector(v));
        state.orientation.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
        state.rest.hash(&mut hash);
    }
    memory.hash(&mut hash);
    for joint in joints {
        hash.word(joint.coordinate.to_bits());
        hash.vector(joint.force);
        hash.vector(joint.torque);
        hash.word(u64::from(joint.broken));
    }
    hash.value()
}
