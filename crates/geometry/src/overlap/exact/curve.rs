//! The curve along which the two surfaces cross: its points and segments.

use glam::DVec3;

use super::placed::Placed;
use super::predicates::Owner;
use super::reusable_map::ReusableMap;
use super::triangles::{Crossing, Hit};
use crate::solid::bvh::NONE;

/// A point where an edge of one mesh goes through a face of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Position, the same for every face that meets here.
    pub x: DVec3,
    /// Place along the edge, 0 at its lower vertex and 1 at the higher one.
    pub along: f64,
    /// The face that the edge goes through.
    pub face: u32,
    /// Change of the edge's winding number from its lower to its higher vertex: +1 enters, -1 leaves.
    pub step: i32,
    /// The next event on the same edge, or [`NONE`].
    next: u32,
}

/// A piece of the curve in one face of each mesh, running as the host's face sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Events at the start and the end.
    pub ends: [u32; 2],
    /// The next segment in the same face of the host, and of the guest, or [`NONE`].
    next: [u32; 2],
}

/// A face with a piece of the curve in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutFace {
    pub face: u32,
    first_segment: u32,
}

/// What the curve is to one of the two meshes.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// The faces that the curve runs through, in the order in which it was found.
    pub cut_faces: Vec<CutFace>,
    /// Place of a face in `cut_faces`.
    cut_ix: ReusableMap<u32>,
    /// Latest event of an edge.
    last_event: ReusableMap<u32>,
}

impl Trace {
    /// Whether the curve runs through a face.
    #[inline]
    pub fn is_cut(&self, face: u32) -> bool {
        self.cut_ix.contains(face)
    }

    /// Puts a segment in front of a face's list and returns the one that was there.
    fn push_segment(&mut self, face: u32, segment: u32) -> u32 {
        if let Some(ix) = self.cut_ix.get(face) {
            return std::mem::replace(&mut self.cut_faces[ix as usize].first_segment, segment);
        }
        self.cut_ix.set(face, self.cut_faces.len() as u32);
        self.cut_faces.push(CutFace { face, first_segment: segment });
        NONE
    }
}

/// The crossing curve of two surfaces, found face pair by face pair.
#[derive(Debug, Default)]
pub(super) struct Curve {
    pub events: Vec<Event>,
    pub segments: Vec<Segment>,
    /// The host's and the guest's side of it.
    pub traces: [Trace; 2],
    index: EventIndex,
}

impl Curve {
    /// Forgets the last pair's curve.
    pub fn reset(&mut self, bodies: &[Placed<'_>; 2]) {
        self.events.clear();
        self.segments.clear();
        self.index.clear();
        for (trace, body) in self.traces.iter_mut().zip(bodies) {
            trace.cut_faces.clear();
            trace.cut_ix.reset(body.solid.faces().len());
            trace.last_event.reset(body.solid.edges().len());
        }
    }

    /// Adds the segment of a face of the host and a face of the guest.
    pub fn add(&mut self, bodies: &mut [Placed<'_>; 2], faces: [u32; 2], crossing: &Crossing) {
        let ends = [&crossing.start, &crossing.end].map(|hit| self.event(bodies, faces, hit));
        let segment = self.segments.len() as u32;
        let next = [0, 1].map(|i| self.traces[i].push_segment(faces[i], segment));
        self.segments.push(Segment { ends, next });
    }

    /// The event of a hit, which the face on the other side of the edge may have found before.
    fn event(&mut self, bodies: &mut [Placed<'_>; 2], faces: [u32; 2], hit: &Hit) -> u32 {
        let owner = hit.owner as usize;
        let body = &mut bodies[owner];
        let (own_face, other_face) = (faces[owner], faces[1 - owner]);
        let edge = body.solid.faces()[own_face as usize].sides[hit.side];
        let new = self.events.len() as u32;
        let found = self.index.find_or_insert(hit.owner, edge, other_face, new);
        if found != new {
            return found;
        }
        let ends = body.solid.edges()[edge as usize].ends;
        let runs_up = body.solid.faces()[own_face as usize].corners[hit.side] == ends[0];
        let [low, high] = ends.map(|v| body.point(v));
        let [from, to] = hit.heights.map(f64::abs);
        let from_low = if runs_up { from } else { to };
        // Heights that both underflow leave the place open; the middle is as good as any.
        let along = if from + to > 0.0 { from_low / (from + to) } else { 0.5 };
        let step = if hit.leaves == runs_up { -1 } else { 1 };
        let trace = &mut self.traces[owner];
        let next = trace.last_event.get(edge).unwrap_or(NONE);
        trace.last_event.set(edge, new);
        self.events.push(Event { x: low + along * (high - low), along, face: other_face, step, next });
        new
    }

    /// The events on an edge, latest first.
    pub fn events_on(&self, owner: Owner, edge: u32) -> impl Iterator<Item = u32> + '_ {
        let last = self.traces[owner as usize].last_event.get(edge);
        std::iter::successors(last, |&ix| Some(self.events[ix as usize].next).filter(|&next| next != NONE))
    }

    /// The segments in a cut face, latest first.
    pub fn segments_in(&self, owner: Owner, cut_face: &CutFace) -> impl Iterator<Item = &Segment> + '_ {
        let first = Some(cut_face.first_segment);
        std::iter::successors(first, move |&ix| {
            Some(self.segments[ix as usize].next[owner as usize]).filter(|&next| next != NONE)
        })
        .map(|ix| &self.segments[ix as usize])
    }
}

/// Finds the event of an edge and a face: a hash table with open addressing.
///
/// It is only asked for single keys, never walked, so that nothing depends on the order inside it.
#[derive(Debug, Default)]
struct EventIndex {
    /// A power of two of them.
    slots: Vec<Slot>,
    n_used: usize,
    use_number: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    event: u32,
    use_number: u32,
}

/// The key of an edge of `owner` and a face of the other mesh.
fn key(owner: Owner, edge: u32, face: u32) -> u64 {
    // Edges number at most 3/2 of the faces, and faces are counted in half-edges below 2^32: bit 31 is free.
    (owner as u64) << 63 | u64::from(edge) << 32 | u64::from(face)
}

impl EventIndex {
    fn clear(&mut self) {
        self.n_used = 0;
        if self.use_number == u32::MAX {
            self.slots.fill(Slot::default());
            self.use_number = 0;
        }
        self.use_number += 1;
    }

    /// The event filed under an edge of `owner` and a face of the other mesh; files `new` where there is none.
    fn find_or_insert(&mut self, owner: Owner, edge: u32, face: u32, new: u32) -> u32 {
        if 2 * self.n_used >= self.slots.len() {
            self.grow();
        }
        let key = key(owner, edge, face);
        let at = self.slot_of(key);
        let slot = &mut self.slots[at];
        if slot.use_number != self.use_number {
            *slot = Slot { key, event: new, use_number: self.use_number };
            self.n_used += 1;
        }
        slot.event
    }

    /// Index of the slot that holds a key, or of the free one where it belongs.
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.home_of(key);
        while self.slots[at].use_number == self.use_number && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The slot that a key is filed in unless others came before it, by Fibonacci hashing (Knuth, volume 3, 6.4): the highest
    /// bits of a product with 2^64 over the golden ratio, which alone depend on all bits of the key.
    fn home_of(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - self.slots.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(256);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); len]);
        for slot in old {
            if slot.use_number == self.use_number {
                let at = self.slot_of(slot.key);
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges of one mesh and of the other, by number through the faces of a patch: keys that lie close together, and
    /// differ in pairs by the owner alone.
    fn keys() -> impl Iterator<Item = (Owner, u32, u32)> {
        let pairs = (0..3000).map(|ix| (1000 + ix / 2, 500 + ix / 3));
        pairs.flat_map(|(edge, face)| [Owner::Host, Owner::Guest].map(|owner| (owner, edge, face)))
    }

    #[test]
    fn events_are_found_again_and_only_those() {
        let mut index = EventIndex::default();
        for _ in 0..2 {
            index.clear();
            let mut known = std::collections::BTreeMap::new();
            for (new, of) in (0..).zip(keys()) {
                let expected = *known.entry((of.0 as u32, of.1, of.2)).or_insert(new);
                assert_eq!(index.find_or_insert(of.0, of.1, of.2, new), expected);
            }
            assert_eq!(index.n_used, known.len());
        }
    }

    /// The owner's bit is the highest of the key and decides with the others where a key belongs. In a table that is at most
    /// half full, a key found by linear probing is 0.5 slots from its own on average (Knuth, volume 3, 6.4).
    #[test]
    fn keys_of_both_meshes_spread_over_the_table() {
        let mut index = EventIndex::default();
        index.clear();
        for (new, (owner, edge, face)) in (0..).zip(keys()) {
            index.find_or_insert(owner, edge, face, new);
        }
        let (mut n, mut distance) = (0, 0);
        for (owner, edge, face) in keys() {
            let [one, other] = [Owner::Host, Owner::Guest].map(|owner| index.home_of(key(owner, edge, face)));
            assert_ne!(one, other);
            let key = key(owner, edge, face);
            let mask = index.slots.len() - 1;
            distance += index.slot_of(key).wrapping_sub(index.home_of(key)) & mask;
            n += 1;
        }
        assert!((distance as f64) < 0.5 * f64::from(n), "{distance} of {n}");
    }
}
