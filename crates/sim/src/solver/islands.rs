//! Islands: groups of dynamic bodies that contacts and joints connect, each solved on its own.

use std::ops::Range;

use tactum_geometry::union_find::UnionFind;

use crate::solver::body::NO_SLOT;

/// One island as ranges of the step's contacts, joints and slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Its contacts.
    pub contacts: Range<usize>,
    /// Its joints.
    pub joints: Range<usize>,
    /// Its dynamic bodies.
    pub slots: Range<usize>,
}

/// A contact or joint of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number among the contacts or joints that were given.
    pub ix: u32,
    /// Its bodies.
    pub bodies: [u32; 2],
    /// The first slot of its island.
    pub first_slot: u32,
}

/// How a step's contacts, joints and bodies fall into islands.
///
/// Islands come in the order of their first contact, those without one in the order of their first joint. The contacts and
/// joints of an island keep the order in which they were given, its bodies are in the order in which these name them. Static and kinematic bodies join nothing, because no impulse passes through them.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// The islands.
    pub islands: Vec<Island>,
    /// The contacts, island by island.
    pub contacts: Vec<Member>,
    /// The joints, island by island.
    pub joints: Vec<Member>,
    /// Body of each slot, island by island.
    pub body_of_slot: Vec<u32>,
    /// Slot of each body; [`NO_SLOT`] for a body that nothing can move.
    pub slot_of_body: Vec<u32>,
    sets: UnionFind,
    island_of_root: Vec<u32>,
}

impl Islands {
    /// Sorts contacts and joints between bodies with these indices into islands, reusing this value's memory; an index that
    /// is no body's stands for the world. `is_dynamic` tells for each body whether impulses move it.
    pub fn rebuild(&mut self, is_dynamic: &[bool], contacts: &[[u32; 2]], joints: &[[u32; 2]]) {
        let dynamic = |ix: u32| is_dynamic.get(ix as usize).is_some_and(|is_dynamic| *is_dynamic);
        self.sets.reset(is_dynamic.len());
        for &[a, b] in contacts.iter().chain(joints) {
            if dynamic(a) && dynamic(b) {
                self.sets.join(a, b);
            }
        }
        self.islands.clear();
        self.island_of_root.clear();
        self.island_of_root.resize(is_dynamic.len(), NO_SLOT);
        let member = |[a, b]: [u32; 2]| if dynamic(a) { a } else { b };
        let islands_of_contacts: Vec<u32> = contacts.iter().map(|c| self.island_of(member(*c))).collect();
        let islands_of_joints: Vec<u32> = joints.iter().map(|j| self.island_of(member(*j))).collect();
        let islands = &mut self.islands;
        group(contacts, &islands_of_contacts, islands, |island| &mut island.contacts, &mut self.contacts);
        group(joints, &islands_of_joints, islands, |island| &mut island.joints, &mut self.joints);
        self.number_slots(dynamic);
    }

    /// Slot of a body within an island whose first slot is given; [`NO_SLOT`] for the world too.
    pub fn slot_within(&self, body: u32, first_slot: u32) -> u32 {
        match self.slot_of_body.get(body as usize) {
            None | Some(&NO_SLOT) => NO_SLOT,
            Some(slot) => slot - first_slot,
        }
    }

    /// The island of a dynamic body, a new one where it is the first of its tree.
    fn island_of(&mut self, body: u32) -> u32 {
        let root = self.sets.find(body) as usize;
        if self.island_of_root[root] == NO_SLOT {
            self.island_of_root[root] = self.islands.len() as u32;
            self.islands.push(Island { contacts: 0..0, joints: 0..0, slots: 0..0 });
        }
        self.island_of_root[root]
    }

    fn number_slots(&mut self, dynamic: impl Fn(u32) -> bool) {
        let Self { islands, contacts, joints, body_of_slot, slot_of_body, sets, .. } = self;
        body_of_slot.clear();
        slot_of_body.clear();
        slot_of_body.resize(sets.count(), NO_SLOT);
        let mut start = 0;
        for island in islands {
            for members in [&mut contacts[island.contacts.clone()], &mut joints[island.joints.clone()]] {
                for member in members {
                    member.first_slot = start as u32;
                    for ix in member.bodies.into_iter().filter(|ix| dynamic(*ix)) {
                        let slot = &mut slot_of_body[ix as usize];
                        if *slot == NO_SLOT {
                            *slot = body_of_slot.len() as u32;
                            body_of_slot.push(ix);
                        }
                    }
                }
            }
            island.slots = start..body_of_slot.len();
            start = body_of_slot.len();
        }
    }
}

/// Sorts contacts or joints by their islands, keeping their order within each, and notes where each island's begin and end.
fn group(
    all: &[[u32; 2]],
    island_of: &[u32],
    islands: &mut [Island],
    range: impl Fn(&mut Island) -> &mut Range<usize>,
    sorted: &mut Vec<Member>,
) {
    for &island in island_of {
        range(&mut islands[island as usize]).end += 1;
    }
    let mut start = 0;
    for island in &mut *islands {
        let range = range(island);
        let n = range.end;
        // `end` moves on as the members are filled in.
        *range = start..start;
        start += n;
    }
    sorted.clear();
    sorted.resize(all.len(), Member { ix: 0, bodies: [NO_SLOT; 2], first_slot: 0 });
    for (ix, (&bodies, &island)) in (0..).zip(all.iter().zip(island_of)) {
        let range = range(&mut islands[island as usize]);
        sorted[range.end] = Member { ix, bodies, first_slot: 0 };
        range.end += 1;
    }
}
