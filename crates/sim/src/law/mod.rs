//! Contact laws: which questions are asked of a pair of bodies, and how the answers become what acts between them.
//!
//! | law | what it asks | what acts |
//! |---|---|---|
//! | [`volume`] | the overlap of two shapes, now and where it may soon be | six rows over each region's patch |
//! | [`points`] | the same | three rows at each corner of it |
//! | [`facets`] | how caps of spheres touch | elastic forces, springs and dampers over each patch |
//! | [`continuous_penalty`] | when in a motion features are in each other | a penalty integrated over the motion, dampers, friction |
//!
//! Everything that belongs to one law stands in its folder: looking ahead, memory, assembly, limits, record. What steppers
//! need of any law goes through this file.

pub mod continuous_penalty;
pub mod facets;
mod memory;
pub mod points;
mod situation;
pub mod volume;

pub use continuous_penalty::{StoredPassage, StoredPassages};
pub use memory::{Asleep, Memory, StoredSubsteps};
pub use situation::Situation;

use crate::ContactModel;
use crate::solver::constraint::Constraint;
use crate::solver::position::VolumeRow;
use volume::{Assembly, Contact, RegionRef};

/// The contact of a region under the law that the settings name, its constraints and its volume; slots count from
/// `slots`' island's first.
pub(crate) fn contact(
    assembly: &Assembly<'_>,
    source: RegionRef,
    slots: [u32; 2],
) -> (Contact, VolumeRow, Vec<Constraint>) {
    let prepared = assembly.prepare(source, slots);
    let mut constraints = match assembly.situation.settings.contact {
        ContactModel::Patch => vec![volume::over_patch(&prepared)],
        ContactModel::Points => points::at_corners(&prepared),
    };
    let (contact, h) = (&prepared.contact, assembly.situation.settings.dt);
    let courses = contact.courses_with(contact.movers.map(|mover| mover.free), h);
    contact.goes_on(&mut constraints, &courses, h);
    (prepared.contact, prepared.volume, constraints)
}
