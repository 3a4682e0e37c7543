//! The dynamic state of a world as plain data: what a checkpoint holds and a state hash covers.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::law::Memory;
use crate::world::hash::StateHash;
use crate::{Body, Joint, JointState, MassProperties};

/// Everything that the next step depends on besides settings, shapes and mass properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Steps made.
    pub step_count: u64,
    /// State of each body, by index.
    pub bodies: Vec<BodyState>,
    /// What the contact laws remember of the last step.
    pub memory: Memory,
    /// State of each joint, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointState>,
}

/// State of a body; the entries are those of [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Position of the centre of mass, world \[m\].
    pub position: DVec3,
    /// Orientation of the shape's frame, unit quaternion.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, world axes \[m/s\].
    pub linear_velocity: DVec3,
    /// Angular velocity, world axes \[rad/s\].
    pub angular_velocity: DVec3,
    /// External force \[N\].
    pub force: DVec3,
    /// External torque \[N m\].
    pub torque: DVec3,
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
        Ok(())
    }
}

impl BodyState {
    /// The state of a body.
    pub fn of(body: &Body) -> Self {
        Self {
            position: body.position,
            orientation: body.orientation,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            force: body.force,
            torque: body.torque,
        }
    }

    /// Kinetic energy of a body with this mass \[J\].
    pub fn kinetic_energy(&self, mass: &MassProperties) -> f64 {
        let w = self.orientation.conjugate() * self.angular_velocity;
        0.5 * (mass.mass * self.linear_velocity.length_squared() + w.dot(mass.inertia * w))
    }

    /// Potential energy of a body with this mass in uniform gravity \[m/s²\], zero at the world's origin \[J\].
    pub fn potential_energy(&self, mass: &MassProperties, gravity: DVec3) -> f64 {
        -mass.mass * gravity.dot(self.position)
    }

    /// Gives the state to a body.
    pub(crate) fn apply_to(&self, body: &mut Body) {
        body.position = self.position;
        body.orientation = self.orientation;
        body.linear_velocity = self.linear_velocity;
        body.angular_velocity = self.angular_velocity;
        body.force = self.force;
        body.torque = self.torque;
    }

    fn is_finite(&self) -> bool {
        self.orientation.is_finite() && self.vectors().iter().all(|v| v.is_finite())
    }

    fn vectors(&self) -> [DVec3; 5] {
        [self.position, self.linear_velocity, self.angular_velocity, self.force, self.torque]
    }
}

/// Hash of a world's dynamic state, bit by bit.
pub(crate) fn state_hash(step_count: u64, bodies: &[Body], memory: &Memory, joints: &[JointState]) -> u64 {
    let mut hash = StateHash::new();
    hash.word(step_count);
    for body in bodies {
        let state = BodyState::of(body);
        state.vectors().into_iter().for_each(|v| hash.vector(v));
        state.orientation.to_array().into_iter().for_each(|x| hash.word(x.to_bits()));
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
