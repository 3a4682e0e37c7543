//! Islands: groups of dynamic bodies that contacts and joints connect, each solved on its own.

use std::ops::Range;

use crate::contact::RegionRef;
use crate::{Body, BodyKind, PairJob};

/// The slot of a body that no constraint can move.
pub const NO_SLOT: u32 = u32::MAX;

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

/// A joint of the step: which one of the world, and the indices of its bodies; `u32::MAX` stands for the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointRef {
    /// Index of the joint.
    pub joint: u32,
    /// Its bodies.
    pub bodies: [u32; 2],
}

/// How a step's contacts, joints and bodies fall into islands.
///
/// Islands come in the order of their first contact, those without one in the order of their first joint. The contacts of
/// an island are in the order of their jobs and regions, its joints in that of the world, its bodies in the order in which
/// these name them. Static and kinematic bodies join nothing, because no impulse passes through them.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// The islands.
    pub islands: Vec<Island>,
    /// Region of each contact, island by island, and the first slot of its island.
    pub contacts: Vec<(RegionRef, u32)>,
    /// Each joint, island by island, and the first slot of its island.
    pub joints: Vec<(JointRef, u32)>,
    /// Body of each slot, island by island.
    pub body_of_slot: Vec<u32>,
    /// Slot of each body; [`NO_SLOT`] for a body that nothing can move.
    pub slot_of_body: Vec<u32>,
    parent: Vec<u32>,
    island_of_root: Vec<u32>,
}

impl Islands {
    /// Sorts the contacts of the regions `active` (ascending) and the joints into islands, reusing this value's memory.
    pub fn rebuild(&mut self, bodies: &[Body], jobs: &[PairJob], active: &[RegionRef], joints: &[JointRef]) {
        let dynamic = |ix: u32| bodies.get(ix as usize).is_some_and(|body| body.kind == BodyKind::Dynamic);
        let contact = |source: &RegionRef| jobs[source.job as usize].bodies;
        let joint = |joint: &JointRef| joint.bodies;
        self.parent.clear();
        self.parent.extend(0..bodies.len() as u32);
        for [a, b] in active.iter().map(contact).chain(joints.iter().map(joint)) {
            if dynamic(a) && dynamic(b) {
                self.join(a, b);
            }
        }
        self.islands.clear();
        self.island_of_root.clear();
        self.island_of_root.resize(bodies.len(), NO_SLOT);
        let member = |[a, b]: [u32; 2]| if dynamic(a) { a } else { b };
        let islands_of_contacts: Vec<u32> =
            active.iter().map(|c| self.island_of(member(contact(c)))).collect();
        let islands_of_joints: Vec<u32> = joints.iter().map(|j| self.island_of(member(joint(j)))).collect();
        let islands = &mut self.islands;
        group(active, &islands_of_contacts, islands, |island| &mut island.contacts, &mut self.contacts);
        group(joints, &islands_of_joints, islands, |island| &mut island.joints, &mut self.joints);
        self.number_slots(jobs, dynamic);
    }

    /// Slot of a body within an island whose first slot is given; [`NO_SLOT`] for the world too.
    pub fn slot_within(&self, body: u32, first_slot: u32) -> u32 {
        match self.slot_of_body.get(body as usize) {
            None | Some(&NO_SLOT) => NO_SLOT,
            Some(slot) => slot - first_slot,
        }
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

    /// The island of a dynamic body, a new one where it is the first of its tree.
    fn island_of(&mut self, body: u32) -> u32 {
        let root = self.root(body) as usize;
        if self.island_of_root[root] == NO_SLOT {
            self.island_of_root[root] = self.islands.len() as u32;
            self.islands.push(Island { contacts: 0..0, joints: 0..0, slots: 0..0 });
        }
        self.island_of_root[root]
    }

    fn number_slots(&mut self, jobs: &[PairJob], dynamic: impl Fn(u32) -> bool) {
        let Self { islands, contacts, joints, body_of_slot, slot_of_body, parent, .. } = self;
        body_of_slot.clear();
        slot_of_body.clear();
        slot_of_body.resize(parent.len(), NO_SLOT);
        let mut number = |bodies: [u32; 2]| {
            for ix in bodies.into_iter().filter(|ix| dynamic(*ix)) {
                let slot = &mut slot_of_body[ix as usize];
                if *slot == NO_SLOT {
                    *slot = body_of_slot.len() as u32;
                    body_of_slot.push(ix);
                }
            }
            body_of_slot.len()
        };
        let mut end = 0;
        for island in islands {
            let start = end;
            for (source, first_slot) in &mut contacts[island.contacts.clone()] {
                *first_slot = start as u32;
                end = number(jobs[source.job as usize].bodies);
            }
            for (joint, first_slot) in &mut joints[island.joints.clone()] {
                *first_slot = start as u32;
                end = number(joint.bodies);
            }
            island.slots = start..end;
        }
    }
}

/// Sorts items by their islands, keeping their order within each, and notes where each island's begin and end.
fn group<T: Copy>(
    items: &[T],
    island_of: &[u32],
    islands: &mut [Island],
    range: impl Fn(&mut Island) -> &mut Range<usize>,
    sorted: &mut Vec<(T, u32)>,
) {
    for &island in island_of {
        range(&mut islands[island as usize]).end += 1;
    }
    let mut start = 0;
    for island in &mut *islands {
        let range = range(island);
        let n = range.end;
        // `end` moves on as the items are filled in.
        *range = start..start;
        start += n;
    }
    sorted.clear();
    let Some(&any) = items.first() else { return };
    sorted.resize(items.len(), (any, 0));
    for (&item, &island) in items.iter().zip(island_of) {
        let range = range(&mut islands[island as usize]);
        sorted[range.end].0 = item;
        range.end += 1;
    }
}
