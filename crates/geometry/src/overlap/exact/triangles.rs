//! Where two triangles cross.

use super::predicates::{Facet, Owner, edge_edge};

/// A side of one triangle that goes through the other triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The mesh of the side.
    pub owner: Owner,
    /// Which side of its face: from corner `side` to the next one.
    pub side: usize,
    /// Heights of the side's two ends above the other triangle.
    pub heights: [f64; 2],
    /// Whether the side goes from inside to outside.
    pub leaves: bool,
}

/// The segment in which two faces cross, running so that the part of the HOST's face inside the guest lies on its
/// left; for the guest's face it is the other way round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub start: Hit,
    pub end: Hit,
}

/// Crosses a face of the host with a face of the guest.
///
/// In general position (see [`super::predicates`]) the planes of two triangles meet in a line, of which each triangle
/// holds an interval if its corners are on both sides of the other's plane. Where the intervals overlap they are the
/// segment; the order of their ends follows from two to four signs of pairs of sides (Guigue and Devillers 2003).
///
/// The direction: along `t = n_host × n_guest` the host's inside part is on the left, and a side of the host with
/// direction u has `t·(n_host × u) = n_guest·u`: a side that leaves starts the host's interval. A side of the guest
/// starts the guest's where it enters. For a side u of the host through the line at x and a side v of the guest at y
/// the sign of the pair is that of `(y - x)·(v × u)`, and with `t·(v × u) = (n_host·v)(n_guest·u)` y lies behind x
/// where the sign is that of `(n_host·v)(n_guest·u)`: positive if both leave or both enter.
pub(super) fn cross(host: &Facet, guest: &Facet) -> Option<Crossing> {
    let host_sides = Sides::new(host, guest, Owner::Host);
    // A guest without area has everything inside, which separates nothing.
    if host_sides.is_apart() && !guest.is_flat() {
        return None;
    }
    let guest_sides = Sides::new(guest, host, Owner::Guest);
    if guest_sides.is_apart() && !host.is_flat() {
        return None;
    }
    if host_sides.is_apart() || guest_sides.is_apart() {
        return cross_flat(&host_sides, &guest_sides);
    }
    let ([host_start, host_end], [guest_end, guest_start]) = (host_sides.through(), guest_sides.through());
    let sign = |i: usize, j: usize| edge_edge(host.side(i), guest.side(j));
    if sign(host_start, guest_end) < 0 || sign(host_end, guest_start) > 0 {
        return None;
    }
    let start = if sign(host_start, guest_start) < 0 {
        guest_sides.hit(guest_start)
    } else {
        host_sides.hit(host_start)
    };
    let end =
        if sign(host_end, guest_end) < 0 { host_sides.hit(host_end) } else { guest_sides.hit(guest_end) };
    Some(Crossing { start, end })
}

/// Crosses two faces of which one has no area: two of its sides go through the other face, or none.
#[cold]
fn cross_flat(host: &Sides<'_>, guest: &Sides<'_>) -> Option<Crossing> {
    let goes_through = |flat: &Sides<'_>, other: &Sides<'_>, side: usize| {
        let sign = |k: usize| {
            let (own, other) = (flat.face.side(side), other.face.side(k));
            if flat.owner == Owner::Host { edge_edge(own, other) } else { edge_edge(other, own) }
        };
        let first = sign(0);
        sign(1) == first && sign(2) == first
    };
    let (flat, other) = if host.is_apart() { (guest, host) } else { (host, guest) };
    if flat.is_apart() {
        return None;
    }
    let [leaves, enters] = flat.through();
    let (start, end) = if flat.owner == Owner::Host { (leaves, enters) } else { (enters, leaves) };
    let is_hit = goes_through(flat, other, start);
    debug_assert_eq!(is_hit, goes_through(flat, other, end), "a face without area goes in and out");
    is_hit.then(|| Crossing { start: flat.hit(start), end: flat.hit(end) })
}

/// The sides of one face as another face sees them.
struct Sides<'a> {
    face: &'a Facet,
    owner: Owner,
    /// Heights of the face's corners above the other face.
    heights: [f64; 3],
    /// Which of the corners are outside of the other face, by their bits.
    out: usize,
}

impl<'a> Sides<'a> {
    #[inline]
    fn new(face: &'a Facet, other: &Facet, owner: Owner) -> Self {
        let heights = other.heights(&face.corners);
        let out = |corner: usize| usize::from(other.is_outside(heights[corner], owner)) << corner;
        Self { face, owner, heights, out: out(0) | out(1) | out(2) }
    }

    /// Whether all corners are on the same side of the other face.
    #[inline]
    fn is_apart(&self) -> bool {
        self.out == 0 || self.out == 7
    }

    /// The side that leaves the other mesh and the one that enters it. The face must not be apart from the other.
    #[inline]
    fn through(&self) -> [usize; 2] {
        /// By the corners outside. Side i runs from corner i to corner i + 1.
        const LEAVES: [usize; 8] = [0, 2, 0, 2, 1, 1, 0, 0];
        const ENTERS: [usize; 8] = [0, 0, 1, 1, 2, 0, 2, 0];
        [LEAVES[self.out], ENTERS[self.out]]
    }

    #[inline]
    fn hit(&self, side: usize) -> Hit {
        let next = (side + 1) % 3;
        let heights = [self.heights[side], self.heights[next]];
        Hit { owner: self.owner, side, heights, leaves: self.out >> next & 1 == 1 }
    }
}
