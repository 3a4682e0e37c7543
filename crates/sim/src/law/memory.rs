//! What all laws remember from step to step.

use serde::{Deserialize, Serialize};

use crate::law::volume::StoredContact;
use crate::world::hash::StateHash;

/// What laws remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Contacts of the last step, sorted by pair and region: of [`volume`](crate::law::volume) and [`points`](crate::law::points).
    pub contacts: Vec<StoredContact>,
}

impl Memory {
    pub(crate) fn hash(&self, hash: &mut StateHash) {
        self.contacts.iter().for_each(|contact| contact.hash(hash));
    }
}
