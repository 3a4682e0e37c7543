//! What all laws remember from step to step.

use serde::{Deserialize, Serialize};

use crate::ContactRecord;
use crate::law::volume::StoredContact;
use crate::report::JointRecord;
use crate::world::hash::StateHash;

/// What laws remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Contacts of the last step, sorted by pair and region: of [`volume`](crate::law::volume) and [`points`](crate::law::points).
    pub contacts: Vec<StoredContact>,
    /// What is reported of bodies that sleep.
    #[serde(default, skip_serializing_if = "Asleep::is_empty")]
    pub asleep: Asleep,
}

/// What is reported of bodies that sleep, as of the last step in which they were awake.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asleep {
    /// Their contacts, sorted by pair and region.
    pub contacts: Vec<ContactRecord>,
    /// Their joints, in the order of the joints.
    pub joints: Vec<JointRecord>,
}

impl Asleep {
    fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }
}

impl Memory {
    pub(crate) fn hash(&self, hash: &mut StateHash) {
        self.contacts.iter().for_each(|contact| contact.hash(hash));
    }
}
