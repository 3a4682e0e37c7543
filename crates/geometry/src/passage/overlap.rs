//! What is in the other body to begin with, where no motion has said so.

use glam::DVec3;

use super::candidates::Near;
use super::edge::EdgeWalker;
use super::features::VertexFace;
use super::placed::Placed;
use super::surface::Surface;
use super::tracks::{EdgeTrack, VertexTrack};
use crate::Aabb;

/// Direction of the ray that tells inside from outside: along no axis, and in no plane that parts are built in.
const RAY: DVec3 = DVec3::new(0.301_511_344_577_763_6, 0.523_148_117_2, 0.797_1);

/// Sine of the angle by which an edge may go behind a face from a vertex that touches it: rounding, and bodies laid on each other by hand.
const STICKS_OUT: f64 = 1e-3;

/// Part of the longest edge up to which a corner that lies in a side may be behind another face that holds it: what bodies laid on each other
/// by hand overlap by.
const FLUSH: f64 = 0.01;

/// Part of a face within which a ray that meets its border counts as grazing.
const GRAZING: f64 = 1e-9;

/// The vertices of one body that are inside of the other at τ = 0, or at its surface to within rounding, each with the nearest face that it
/// is over. A sheet has no inside: of it those that touch it are found.
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
        // On a side that its body goes on behind it has come in elsewhere if it sticks out there: as a corner of one of two cubes that lie flush
        // on each other.
        let rank = |height: f64, face: u32| match (height < rounding, sticks_out(of, vertex, other, face)) {
            (true, true) => 0,
            (false, true) if height < FLUSH * other.surface.longest() => 1,
            (true, false) => 2,
            _ => 3,
        };
        let nearest = near
            .into_iter()
            .map(|(height, face)| (if touches { rank(height, face) } else { 0 }, height, face))
            .min_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(x.2.cmp(&y.2)));
        if let Some((_, _, face)) = nearest {
            let from_back =
                !surface.is_closed() && VertexFace::with(path, other.face(face)).height_at(0.0) < 0.0;
            found.push(VertexTrack { of_b, vertex, face, from_back });
        }
    }
    found
}

/// Whether no edge at a vertex goes from it into what is behind a face at τ = 0.
fn sticks_out(of: &Placed<'_>, vertex: u32, other: &Placed<'_>, face: u32) -> bool {
    let normal = other.face(face).normal.at(0.0).normalize_or_zero();
    let own = of.vertex(vertex).start;
    of.surface.edges_at[vertex as usize].iter().all(|edge| {
        of.edge(*edge).ends.iter().all(|end| normal.dot((end.start - own).normalize_or_zero()) >= -STICKS_OUT)
    })
}

/// The edges of two closed bodies that are in each other at τ = 0, by as much as a depth \[m\] at most, each pair once, sorted; `near` are the
/// leaves that come as near.
pub fn held_edges(bodies: [&Placed<'_>; 2], near: &[Near], depth: f64, rounding: f64) -> Vec<EdgeTrack> {
    let mut found = Vec::new();
    if !bodies.iter().all(|body| body.surface.is_closed()) {
        return found;
    }
    let edges = |body: &Placed<'_>, face: u32| body.surface.faces[face as usize].edges.into_iter().flatten();
    let reach = depth + rounding;
    for [face_a, face_b] in near.iter().flat_map(face_pairs) {
        if !bodies[0].face(face_a).aabb.inflated(reach).meets(&bodies[1].face(face_b).aabb) {
            continue;
        }
        for edge_a in edges(bodies[0], face_a) {
            let box_a = bodies[0].edge(edge_a).aabb.inflated(reach);
            for edge_b in edges(bodies[1], face_b) {
                if box_a.meets(&bodies[1].edge(edge_b).aabb) {
                    let edges = [edge_a, edge_b];
                    let start = EdgeWalker { bodies, edges, rounding }.start();
                    found.extend(start.map(|side| EdgeTrack { edges, along: side > 0.0 }));
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// All pairs of their faces.
fn face_pairs([faces_a, faces_b]: &Near) -> impl Iterator<Item = [u32; 2]> {
    faces_a.clone().flat_map(|face_a| faces_b.clone().map(move |face_b| [face_a, face_b]))
}

impl Surface {
    /// Whether a point of its frame is inside of a closed surface: by the faces that a ray leaves and enters through, or by the solid angle
    /// where the ray grazes an edge.
    fn encloses(&self, x: DVec3) -> bool {
        if !self.is_closed() || !self.aabb().contains(x) {
            return false;
        }
        let far = x + 2.0 * self.aabb().diagonal() * RAY;
        let ray = Aabb::from_points([x, far]);
        let mut n = 0;
        let mut stack = vec![0_u32];
        while let Some(ix) = stack.pop() {
            let node = &self.bvh.nodes[ix as usize];
            if !node.aabb.meets(&ray) {
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
