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
/// In general position (see [`super::predicates`]) two triangles meet in nothing or in one segment, each end of which
/// lies on a side of one triangle and inside the other (Möller 1997 and Guigue and Devillers 2003 arrange the same
/// signs). The direction: along `t = n_host × n_guest` the host's inside part is on the left, and a side of the host
/// with direction u has `t·(n_host × u) = n_guest·u`: a side that leaves starts the segment. A side of the guest
/// starts it where it enters.
pub(super) fn cross(host: &Facet, guest: &Facet) -> Option<Crossing> {
    let (host_heights, host_out) = sides(host, guest, Owner::Host);
    // A guest without area has everything inside, which separates nothing.
    if all_equal(host_out) && !guest.is_flat() {
        return None;
    }
    let (guest_heights, guest_out) = sides(guest, host, Owner::Guest);
    if all_equal(guest_out) && !host.is_flat() {
        return None;
    }
    let mut signs = SideSigns { host, guest, known: [[0; 3]; 3] };
    let mut start = None;
    let mut end = None;
    let mut n_hits = 0;
    for side in 0..3 {
        let next = (side + 1) % 3;
        if host_out[side] != host_out[next] && signs.all_equal([[side, 0], [side, 1], [side, 2]]) {
            let leaves = host_out[next];
            let heights = [host_heights[side], host_heights[next]];
            let slot = if leaves { &mut start } else { &mut end };
            *slot = Some(Hit { owner: Owner::Host, side, heights, leaves });
            n_hits += 1;
        }
        if guest_out[side] != guest_out[next] && signs.all_equal([[0, side], [1, side], [2, side]]) {
            let leaves = guest_out[next];
            let heights = [guest_heights[side], guest_heights[next]];
            let slot = if leaves { &mut end } else { &mut start };
            *slot = Some(Hit { owner: Owner::Guest, side, heights, leaves });
            n_hits += 1;
        }
    }
    debug_assert!(
        n_hits == 0 || n_hits == 2 && start.is_some() && end.is_some(),
        "two triangles must cross in nothing or in one segment, not in {n_hits} points: {host:?} {guest:?}"
    );
    Some(Crossing { start: start?, end: end? })
}

/// Heights of a face's corners above another face, and whether they are outside of it.
#[inline]
fn sides(face: &Facet, other: &Facet, owner: Owner) -> ([f64; 3], [bool; 3]) {
    let [a, b, c] = face.corners;
    let heights = [other.height(a), other.height(b), other.height(c)];
    let out = |height| other.is_outside(height, owner);
    (heights, [out(heights[0]), out(heights[1]), out(heights[2])])
}

fn all_equal(out: [bool; 3]) -> bool {
    out[0] == out[1] && out[1] == out[2]
}

/// Signs of the nine pairs of sides, worked out when they are first asked for.
struct SideSigns<'a> {
    host: &'a Facet,
    guest: &'a Facet,
    /// Zero where not known yet.
    known: [[i8; 3]; 3],
}

impl SideSigns<'_> {
    fn get(&mut self, [i, j]: [usize; 2]) -> i8 {
        if self.known[i][j] == 0 {
            let side = |facet: &Facet, k: usize| [facet.corners[k], facet.corners[(k + 1) % 3]];
            self.known[i][j] = edge_edge(side(self.host, i), side(self.guest, j));
        }
        self.known[i][j]
    }

    fn all_equal(&mut self, pairs: [[usize; 2]; 3]) -> bool {
        let first = self.get(pairs[0]);
        self.get(pairs[1]) == first && self.get(pairs[2]) == first
    }
}
