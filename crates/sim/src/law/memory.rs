//! What all laws remember from step to step.

use serde::{Deserialize, Serialize};

use crate::ContactRecord;
use crate::law::continuous_penalty::StoredPassages;
use crate::law::facets::StoredFacets;
use crate::law::volume::StoredContact;
use crate::report::JointRecord;
use crate::world::hash::StateHash;

/// What laws remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Contacts of the last step, sorted by pair and region: of [`volume`](crate::law::volume) and [`points`](crate::law::points).
    pub contacts: Vec<StoredContact>,
    /// Bodies that the last step has moved in parts because they landed, ascending: their velocities are found for as short a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landed: Vec<u32>,
    /// Parts into which the next step is divided for all bodies, as in the last one many came to touch; 0 where it is made whole.
    #[serde(default, skip_serializing_if = "is_none")]
    pub parts: u32,
    /// What is remembered of a step in sub-steps.
    #[serde(default, skip_serializing_if = "StoredSubsteps::is_empty")]
    pub facets: StoredSubsteps,
    /// What is in what: of [`continuous_penalty`](crate::law::continuous_penalty).
    #[serde(default, skip_serializing_if = "StoredPassages::is_empty")]
    pub passages: StoredPassages,
    /// What is reported of bodies that sleep.
    #[serde(default, skip_serializing_if = "Asleep::is_empty")]
    pub asleep: Asleep,
}

/// What is remembered of a step in sub-steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredSubsteps {
    /// Length of the last one \[s\].
    pub length: f64,
    /// Phase \[rad\] that the next step's are held to, after a start with bodies in each other; 0 where the setting alone holds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub phase: f64,
    /// The pairs that touch, sorted: of [`facets`](crate::law::facets).
    pub pairs: Vec<StoredFacets>,
}

impl StoredSubsteps {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.length.is_finite() && self.phase.is_finite() && self.pairs.iter().all(StoredFacets::is_finite)
    }
}

fn is_none(n: &u32) -> bool {
    *n == 0
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// What is reported of bodies that sleep, as of the last step in which they were awake, but with forces and torques in place of impulses
/// \[N, N m\]: that may have been a part of a step, and no longer than a part of those through which they sleep.
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
        self.landed.iter().for_each(|body| hash.word(u64::from(*body)));
        if self.parts != 0 {
            hash.word(u64::from(self.parts));
        }
        if !self.facets.is_empty() {
            hash.word(self.facets.length.to_bits());
            if !is_zero(&self.facets.phase) {
                hash.word(self.facets.phase.to_bits());
            }
            self.facets.pairs.iter().for_each(|pair| pair.hash(hash));
        }
        self.passages.hash(hash);
    }
}
