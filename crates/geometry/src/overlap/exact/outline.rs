//! The rims of the cut faces' inside parts, and what of the overlap's surface hangs together.

use glam::DVec3;

use super::curve::Curve;
use super::pieces::Division;
use super::placed::Placed;
use super::predicates::Owner;
use super::reusable_map::ReusableMap;
use super::windings::Windings;
use crate::solid::bvh::NONE;
use crate::union_find::UnionFind;

/// A stretch of an edge inside the other mesh, between events or vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Ends in the direction from the edge's lower to its higher vertex.
    pub ends: [DVec3; 2],
    /// Winding number of the other mesh along it, not zero.
    pub winding: i32,
    /// The ends as points of [`Parts`].
    pub points: [u32; 2],
}

/// The stretches inside of all edges at cut faces of one mesh.
#[derive(Debug, Default)]
pub(super) struct Rims {
    stretches: Vec<Stretch>,
    /// First stretch and number of stretches of an edge.
    of_edge: ReusableMap<[u32; 2]>,
    /// Scratch: the events on the edge at hand, in order.
    sorted: Vec<u32>,
}

impl Rims {
    /// The stretches of an edge of a cut face, from its lower vertex to its higher one.
    pub fn on(&self, edge: u32) -> &[Stretch] {
        let [first, len] = self.of_edge.get(edge).unwrap_or_default().map(|x| x as usize);
        &self.stretches[first..first + len]
    }
}

/// Which points of the overlap's surface hang together.
///
/// The points are the events, then the elements (pieces and vertices) of the host, then those of the guest. Sets of
/// them are the parts of the surface: closed chains of faces, pieces and stretches.
#[derive(Debug, Default)]
pub(super) struct Parts {
    points: UnionFind,
    first_element: [u32; 2],
    /// Number of each set, at the point that stands for it.
    numbers: Vec<u32>,
    n_parts: usize,
}

impl Parts {
    /// Starts with every point apart, save that segments join their ends.
    pub fn reset(&mut self, curve: &Curve, windings: &[Windings; 2]) {
        let n_events = curve.events.len();
        let n_host = windings[0].n_elements();
        self.first_element = [n_events as u32, (n_events + n_host) as u32];
        self.points.reset(n_events + n_host + windings[1].n_elements());
        for segment in &curve.segments {
            self.points.join(segment.ends[0], segment.ends[1]);
        }
    }

    /// The point of an element of one mesh.
    pub fn element(&self, owner: Owner, element: u32) -> u32 {
        self.first_element[owner as usize] + element
    }

    /// Numbers the parts when all is joined.
    pub fn number(&mut self) {
        self.numbers.clear();
        self.n_parts = 0;
        for point in 0..self.points.count() as u32 {
            let is_root = self.points.find(point) == point;
            self.numbers.push(if is_root { self.n_parts as u32 } else { NONE });
            self.n_parts += usize::from(is_root);
        }
    }

    /// Number of parts, outside elements included, each of which is a part of its own.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// Number of the part that a point belongs to.
    pub fn of(&mut self, point: u32) -> u32 {
        self.numbers[self.points.find(point) as usize]
    }
}

/// Collects the rims of one mesh and joins its points where the surface between them is inside the other mesh.
pub(super) fn trace_rims(
    body: &mut Placed<'_>,
    division: &Division,
    curve: &Curve,
    windings: &Windings,
    rims: &mut Rims,
    parts: &mut Parts,
) {
    let owner = body.owner;
    rims.stretches.clear();
    rims.of_edge.reset(body.solid.edges().len());
    for border in &division.borders {
        let pieces = border.pieces.map(|ix| if ix == NONE { NONE } else { windings.piece_element(ix) });
        if pieces[0] == NONE || pieces[1] == NONE {
            let low = trace_edge(body, border.edge, curve, windings, rims, parts);
            for piece in pieces.into_iter().filter(|&p| p != NONE && windings.of(p) != 0) {
                parts.points.join(low, parts.element(owner, piece));
            }
        } else if windings.of(pieces[0]) != 0 {
            let [a, b] = pieces.map(|piece| parts.element(owner, piece));
            parts.points.join(a, b);
        }
    }
}

/// Collects the stretches of one edge and returns the point of its lower vertex.
fn trace_edge(
    body: &mut Placed<'_>,
    edge_ix: u32,
    curve: &Curve,
    windings: &Windings,
    rims: &mut Rims,
    parts: &mut Parts,
) -> u32 {
    let owner = body.owner;
    let ends = body.solid.edges()[edge_ix as usize].ends;
    let elements = ends.map(|v| windings.vertex_element(v));
    let vertex_points = elements.map(|element| parts.element(owner, element));
    let first = rims.stretches.len() as u32;
    rims.sorted.clear();
    rims.sorted.extend(curve.events_on(owner, edge_ix));
    // Entering before leaving at the same place keeps the number from dipping; the face makes the order unique.
    rims.sorted.sort_unstable_by(|&a, &b| {
        let [a, b] = [a, b].map(|e| &curve.events[e as usize]);
        a.along.total_cmp(&b.along).then(b.step.cmp(&a.step)).then(a.face.cmp(&b.face))
    });
    let mut winding = windings.of(elements[0]);
    let mut from = (vertex_points[0], body.point(ends[0]));
    let last = (vertex_points[1], body.point(ends[1]), 0);
    let events = rims.sorted.iter().map(|&e| (e, curve.events[e as usize].x, curve.events[e as usize].step));
    for (point, x, step) in events.chain([last]) {
        if winding != 0 {
            rims.stretches.push(Stretch { ends: [from.1, x], winding, points: [from.0, point] });
            parts.points.join(from.0, point);
        }
        winding += step;
        from = (point, x);
    }
    debug_assert_eq!(winding, windings.of(elements[1]), "the events add up to the difference of the ends");
    rims.of_edge.set(edge_ix, [first, rims.stretches.len() as u32 - first]);
    vertex_points[0]
}
