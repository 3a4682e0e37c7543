//! What is in the other body to begin with, where no motion has said so.

use std::ops::ControlFlow;

use glam::DVec3;

use super::candidates::Near;
use super::edge::EdgeWalker;
use super::features::VertexFace;
use super::path::Path;
use super::placed::Placed;
use super::surface::{NONE, Surface};
use super::tracks::{EdgeTrack, VertexTrack};
use crate::Aabb;
use crate::triangle::{nearest, weighted};

/// Direction of the ray that tells inside from outside: along no axis, and in no plane that parts are built in.
const RAY: DVec3 = DVec3::new(0.301_511_344_577_763_6, 0.523_148_117_2, 0.797_1);

/// Part of a face within which a ray that meets its border counts as grazing.
const GRAZING: f64 = 1e-9;

/// The vertices of one body that are inside of the other at τ = 0, or at its surface to within rounding, each with the face that it is over and
/// has the shortest way out through. A sheet has no inside: of it those that touch it are found.
pub fn held_vertices(of: &Placed<'_>, other: &Placed<'_>, of_b: bool, rounding: f64) -> Vec<VertexTrack> {
    let surface = other.surface;
    let boxed = other.node(0).inflated(rounding);
    let mut found = Vec::new();
    for vertex in 0..of.surface.vertices.len() as u32 {
        let path = of.vertex(vertex);
        if !boxed.contains(path.start) {
            continue;
        }
        let near: Vec<(f64, u32)> = (0..surface.faces.len() as u32)
            .filter_map(|face| {
                let pair = VertexFace::with(path, other.face(face));
                let height = pair.height_at(0.0);
                let is_near = height < rounding && (surface.is_closed() || -height < rounding);
                (is_near && pair.is_over(0.0)).then_some((height.abs(), face))
            })
            .collect();
        let touches = near.iter().any(|(height, _)| *height < rounding);
        if !touches && !surface.encloses(other.mover.back(path.start)) {
            continue;
        }
        let way_out = way_out(of, vertex, other, rounding);
        let nearest = near.into_iter().map(|(height, face)| (way_out(face), height, face)).min_by(|x, y| {
            let differs = (x.0 - y.0).abs() > rounding;
            let by_way = if differs { x.0.total_cmp(&y.0) } else { std::cmp::Ordering::Equal };
            by_way.then(x.1.total_cmp(&y.1)).then(x.2.cmp(&y.2))
        });
        if let Some((_, _, face)) = nearest {
            let from_back =
                !surface.is_closed() && VertexFace::with(path, other.face(face)).height_at(0.0) < 0.0;
            found.push(VertexTrack { of_b, vertex, face, from_back });
        }
    }
    found
}

/// How far a vertex has to go along the normal of a face of the other body until neither it nor what is at it is behind that face at τ = 0: as deep
/// as the deepest point of the edges at it as far as they are in the other body.
///
/// A corner in a side of the other body, as those of two cubes that are flush in each other, is not behind that side, but its body is.
fn way_out<'a>(
    of: &'a Placed<'_>,
    vertex: u32,
    other: &'a Placed<'_>,
    rounding: f64,
) -> impl Fn(u32) -> f64 + 'a {
    let own = of.vertex(vertex).start;
    let far = |edge: &u32| {
        let [from, to] = of.edge(*edge).ends.map(|end| end.start);
        leaves(own, if own == from { to } else { from }, other, rounding)
    };
    let mut points = vec![own];
    points.extend(of.surface.edges_at[vertex as usize].iter().map(far));
    move |face| {
        let moving = other.face(face);
        let normal = moving.normal.at(0.0).normalize_or_zero();
        points.iter().map(|x| -normal.dot(*x - moving.corners[0].start)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Where what goes from a place in a body, or at its surface, to another place leaves it at τ = 0: there at the farthest.
fn leaves(from: DVec3, to: DVec3, body: &Placed<'_>, rounding: f64) -> DVec3 {
    let way = Path { start: from, end: to };
    let boxed = way.aabb().inflated(rounding);
    let mut least = 1.0_f64;
    let mut stack = vec![0_u32];
    while let Some(ix) = stack.pop() {
        let node = &body.surface.bvh.nodes[ix as usize];
        if !body.node(ix).meets(&boxed) {
            continue;
        }
        if !node.is_leaf() {
            stack.extend(body.surface.bvh.children(ix));
            continue;
        }
        for face in node.faces() {
            let moving = body.face(face);
            let [a, b, c] = moving.corners.map(|corner| corner.start);
            let normal = moving.normal.at(0.0).normalize_or_zero();
            let [low, high] = [from, to].map(|x| normal.dot(x - a));
            // What runs in a face leaves nothing through it.
            if high <= rounding || low > rounding || high - low <= rounding {
                continue;
            }
            let part = (-low / (high - low)).clamp(0.0, 1.0);
            let at = way.at(part);
            if part < least && weighted([a, b, c], nearest([a, b, c], at)).distance(at) <= rounding {
                least = part;
            }
        }
    }
    way.at(least)
}

/// The edges of two closed bodies that are in each other at τ = 0, by as much as a depth \[m\] at most, each pair once, sorted; `near` are the
/// faces that come as near. `is_known` says whether it was known what is in each other, `is_new` whether two edges are to be looked at, `presses` of a unit normal from A to B and a depth whether edges may be as deep in each other along it.
pub fn held_edges(
    bodies: [&Placed<'_>; 2],
    near: &[Near],
    depth: f64,
    rounding: f64,
    is_known: bool,
    is_new: impl Fn([u32; 2]) -> bool,
    presses: impl Fn(DVec3, f64) -> bool,
) -> Vec<EdgeTrack> {
    let mut found = Vec::new();
    if !bodies.iter().all(|body| body.surface.is_closed()) {
        return found;
    }
    let edges =
        |body: usize, face: u32| bodies[body].surface.faces[face as usize].edges.into_iter().flatten();
    let reach = depth + rounding;
    for [face_a, face_b] in near {
        for edge_a in edges(0, *face_a) {
            let moving_a = bodies[0].edge(edge_a);
            let boxed = moving_a.aabb.inflated(reach);
            for edge_b in edges(1, *face_b) {
                let moving_b = bodies[1].edge(edge_b);
                let edges = [edge_a, edge_b];
                let may_meet = moving_a.ridge.may_meet(&moving_b.ridge) && boxed.meets(&moving_b.aabb);
                if may_meet && is_new(edges) {
                    let start = EdgeWalker { bodies, edges, rounding }.start(is_known, &presses);
                    found.extend(start.map(|side| EdgeTrack { edges, along: side > 0.0 }));
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether the ray from a place meets a box, to within rounding \[m\]: it goes up along all axes, so that it enters by the low sides.
fn is_met(boxed: &Aabb, x: DVec3, rounding: f64) -> bool {
    let [enters, leaves] = [boxed.min, boxed.max].map(|side| (side - x) / RAY);
    enters.max_element().max(0.0) <= leaves.min_element() + rounding
}

impl Surface {
    /// Whether a point of its frame is inside of a closed surface: by the faces that a ray leaves and enters through, or by the solid angle
    /// where the ray grazes an edge.
    pub fn encloses(&self, x: DVec3) -> bool {
        if !self.is_closed() || !self.aabb().contains(x) {
            return false;
        }
        let rounding = GRAZING * self.aabb().diagonal();
        let (mut n, mut stack) = (0, vec![0_u32]);
        while let Some(ix) = stack.pop() {
            let node = &self.bvh.nodes[ix as usize];
            if !is_met(&node.aabb, x, rounding) {
                continue;
            }
            if !node.is_leaf() {
                stack.extend(self.bvh.children(ix));
                continue;
            }
            for face in node.faces() {
                match self.passes(face, x) {
                    Some(way) => n += way,
                    None => return self.holds(x),
                }
            }
        }
        n > 0
    }

    /// Whether some of a straight way is inside of a closed surface, by more than rounding \[m\]; both places in its frame.
    pub fn is_pierced(&self, [from, to]: [DVec3; 2], rounding: f64) -> bool {
        let is_inside = |x: DVec3| self.encloses(x) && !self.comes_near(x, rounding, [NONE; 2]);
        let pierces = |face| match self.goes_through(face, [from, to], rounding) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.visit_near(&Aabb::from_points([from, to]), pierces).is_break()
            || is_inside(from)
            || is_inside(to)
    }

    /// The first face, by its index, through which a way from one place to another comes in, farther than rounding \[m\] on both sides; both places in its
    /// frame.
    pub fn entered(&self, from: DVec3, to: DVec3, rounding: f64) -> Option<u32> {
        let mut found: Option<u32> = None;
        let _ = self.visit_near(&Aabb::from_points([from, to]), |face| {
            if self.normal(face).dot(to - from) < 0.0 && self.goes_through(face, [from, to], rounding) {
                found = Some(found.map_or(face, |first| first.min(face)));
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Visits the faces of the leaves that a box meets, until told to stop.
    fn visit_near(&self, boxed: &Aabb, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut stack = vec![0_u32];
        while let Some(ix) = stack.pop() {
            let node = &self.bvh.nodes[ix as usize];
            if !node.aabb.meets(boxed) {
                continue;
            }
            if node.is_leaf() {
                node.faces().try_for_each(&mut visit)?;
            } else {
                stack.extend(self.bvh.children(ix));
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a way goes from one side of a face to the other, farther than rounding on both.
    fn goes_through(&self, face: u32, [from, to]: [DVec3; 2], rounding: f64) -> bool {
        let [a, b, c] = self.faces[face as usize].corners.map(|v| self.vertices[v as usize]);
        let normal = self.normal(face);
        let [low, high] = [from, to].map(|x| normal.dot(x - a));
        if low.abs().min(high.abs()) <= rounding || (low < 0.0) == (high < 0.0) {
            return false;
        }
        let at = from.lerp(to, low / (low - high));
        [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| normal.dot((to - from).cross(at - from)) >= 0.0)
    }

    /// 1 if the ray leaves through a face, -1 if it enters, 0 if it misses it; `None` if it grazes its border.
    fn passes(&self, face: u32, x: DVec3) -> Option<i32> {
        let [a, b, c] = self.faces[face as usize].corners.map(|v| self.vertices[v as usize] - x);
        let normal = (b - a).cross(c - a);
        let slope = normal.dot(RAY);
        let weights = [b.cross(c), c.cross(a), a.cross(b)].map(|n| n.dot(RAY) / slope);
        if !weights.iter().all(|w| w.is_finite()) || weights.iter().any(|w| w.abs() < GRAZING) {
            return None;
        }
        let is_met = weights.iter().all(|w| *w > 0.0) && normal.dot(a) / slope > 0.0;
        Some(if !is_met {
            0
        } else if slope > 0.0 {
            1
        } else {
            -1
        })
    }
}
