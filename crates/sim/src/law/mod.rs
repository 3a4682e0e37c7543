//! Contact laws: which questions are asked of a pair of bodies, and how the answers become what acts between them.
//!
//! | law | what it asks | what acts |
//! |---|---|---|
//! | [`volume`] | the overlap of two shapes, now and where it may soon be | six rows over each region's patch |
//! | [`points`] | the same | three rows at each corner of it |
//!
//! Everything that belongs to one law stands in its folder: looking ahead, memory, assembly, limits, record. What steppers
//! need of any law goes through this file.

pub mod points;
pub mod volume;

use serde::{Deserialize, Serialize};

use crate::motion::FreeMotion;
use crate::solver::constraint::Constraint;
use crate::solver::position::VolumeRow;
use crate::world::hash::StateHash;
use crate::world::material::{Materials, Touch};
use crate::{Body, ContactModel, Settings};
use volume::{Assembly, Contact, RegionRef, StoredContact};

/// What a law is told of the world before a step.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Settings in force.
    pub settings: &'a Settings,
    /// Bodies before the step.
    pub bodies: &'a [Body],
    /// What they are made of, and what is said of pairs.
    pub materials: &'a Materials,
    /// Their free motion in the step.
    pub free: &'a [FreeMotion],
    /// What the laws remember of the last step.
    pub memory: &'a Memory,
}

impl Situation<'_> {
    /// How two bodies touch: their friction and restitution.
    pub fn touch(&self, pair: [u32; 2]) -> Touch {
        self.materials.between(pair, pair.map(|ix| &self.bodies[ix as usize]), self.settings)
    }
}

/// What laws remember from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Contacts of the last step, sorted by pair and region: of [`volume`] and [`points`].
    pub contacts: Vec<StoredContact>,
}

impl Memory {
    pub(crate) fn hash(&self, hash: &mut StateHash) {
        self.contacts.iter().for_each(|contact| contact.hash(hash));
    }
}

/// The contact of a region under the law that the settings name, its constraints and its volume; slots count from
/// `slots`' island's first.
pub(crate) fn contact(
    assembly: &Assembly<'_>,
    source: RegionRef,
    slots: [u32; 2],
) -> (Contact, VolumeRow, Vec<Constraint>) {
    let prepared = assembly.prepare(source, slots);
    let constraints = match assembly.situation.settings.contact {
        ContactModel::Patch => vec![volume::over_patch(&prepared)],
        ContactModel::Points => points::at_corners(&prepared),
    };
    (prepared.contact, prepared.volume, constraints)
}
