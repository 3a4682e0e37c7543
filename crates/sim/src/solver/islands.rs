//! Islands: groups of dynamic bodies that contacts connect, each solved on its own.

use std::ops::Range;

use crate::contact::RegionRef;
use crate::{Body, BodyKind, PairJob};

/// The slot of a body that no contact can move.
pub const NO_SLOT: u32 = u32::MAX;

/// One island as ranges of the step's contacts and of its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Its contacts.
    pub contacts: Range<usize>,
    /// Its dynamic bodies.
    pub slots: Range<usize>,
}

/// How a step's contacts and bodies fall into islands.
///
/// Islands come in the order of their first contact, the contacts of an island in the order of their jobs and regions, its bodies
/// in the order in which its contacts name them. Static and kinematic bodies join nothing, because no impulse passes
/// through them.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// The islands.
    pub islands: Vec<Island>,
    /// Region of each contact, island by island, and the first slot of its island.
    pub contacts: Vec<(RegionRef, u32)>,
    /// Body of each slot, island by island.
    pub body_of_slot: Vec<u32>,
    /// Slot of each body; [`NO_SLOT`] for a body that no contact can move.
    pub slot_of_body: Vec<u32>,
    parent: Vec<u32>,
    island_of_root: Vec<u32>,
    island_of_contact: Vec<u32>,
}

impl Islands {
    /// Sorts the contacts of the regions `active` (ascending) into islands, reusing this value's memory.
    pub fn rebuild(&mut self, bodies: &[Body], jobs: &[PairJob], active: &[RegionRef]) {
        let dynamic = |ix: u32| bodies[ix as usize].kind == BodyKind::Dynamic;
        self.parent.clear();
        self.parent.extend(0..bodies.len() as u32);
        for source in active {
            let [a, b] = jobs[source.job as usize].bodies;
            if dynamic(a) && dynamic(b) {
                self.join(a, b);
            }
        }
        self.number_islands(
            |job| {
                let [a, b] = jobs[job as usize].bodies;
                if dynamic(a) { a } else { b }
            },
            active,
        );
        self.order_contacts(active);
        self.number_slots(jobs, dynamic);
    }

    /// Root of a body's tree, with path halving.
    fn root(&mut self, mut ix: u32) -> u32 {
        while self.parent[ix as usize] != ix {
            let grandparent = self.parent[self.parent[ix as usize] as usize];
            self.parent[ix as usize] = grandparent;
            ix = grandparent;
        }
        ix
    }

    /// Joins two trees under the smaller root, so that the roots do not depend on the order of the contacts.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn number_islands(&mut self, member: impl Fn(u32) -> u32, active: &[RegionRef]) {
        self.islands.clear();
        self.island_of_contact.clear();
        self.island_of_root.clear();
        self.island_of_root.resize(self.parent.len(), NO_SLOT);
        for source in active {
            let root = self.root(member(source.job)) as usize;
            if self.island_of_root[root] == NO_SLOT {
                self.island_of_root[root] = self.islands.len() as u32;
                self.islands.push(Island { contacts: 0..0, slots: 0..0 });
            }
            let island = self.island_of_root[root];
            self.island_of_contact.push(island);
            self.islands[island as usize].contacts.end += 1;
        }
        let mut start = 0;
        for island in &mut self.islands {
            let n_contacts = island.contacts.end;
            // `end` moves on as the contacts are filled in.
            island.contacts = start..start;
            start += n_contacts;
        }
    }

    fn order_contacts(&mut self, active: &[RegionRef]) {
        self.contacts.clear();
        self.contacts.resize(active.len(), (RegionRef::default(), 0));
        for (&source, &island) in active.iter().zip(&self.island_of_contact) {
            let range = &mut self.islands[island as usize].contacts;
            self.contacts[range.end].0 = source;
            range.end += 1;
        }
    }

    fn number_slots(&mut self, jobs: &[PairJob], dynamic: impl Fn(u32) -> bool) {
        self.body_of_slot.clear();
        self.slot_of_body.clear();
        self.slot_of_body.resize(self.parent.len(), NO_SLOT);
        for island in &mut self.islands {
            island.slots.start = self.body_of_slot.len();
            for (source, first_slot) in &mut self.contacts[island.contacts.clone()] {
                *first_slot = island.slots.start as u32;
                for ix in jobs[source.job as usize].bodies {
                    let slot = &mut self.slot_of_body[ix as usize];
                    if dynamic(ix) && *slot == NO_SLOT {
                        *slot = self.body_of_slot.len() as u32;
                        self.body_of_slot.push(ix);
                    }
                }
            }
            island.slots.end = self.body_of_slot.len();
        }
    }
}
