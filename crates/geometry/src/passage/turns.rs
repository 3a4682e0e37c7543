//! Contacts that turn from one kind into the other: a vertex that leaves a face over an edge goes on as the edges that meet in it, across
//! that edge; and of two edges one of which leaves the other over its end, that end goes on as a vertex in a face.
//!
//! Without it a box pushed over the edge of a table would lose the corners that are beyond it; and one that comes back onto it would be
//! taken for one that has run into the table's side.

use glam::DVec3;

use super::edge::{EdgeWalker, OverEnd};
use super::features::VertexFace;
use super::placed::Placed;
use super::surface::NONE;
use super::tracks::{EdgeTrack, Tracks, VertexTrack};
use super::vertex::ALIKE;
use crate::triangle::{nearest, weighted};

/// What turns in a motion, of closed bodies.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// Vertices that are out at the end, with the faces that held them last.
    pub left: Vec<VertexTrack>,
    /// Pairs of edges one of which has left the other over its end.
    pub over_end: Vec<([u32; 2], OverEnd)>,
}

impl Turns {
    /// Turns them as they are at the end of the motion.
    pub fn take_place(&self, bodies: [&Placed<'_>; 2], rounding: f64, tracks: &mut Tracks) {
        if !bodies.iter().all(|body| body.surface.is_closed()) {
            return;
        }
        self.left.iter().for_each(|track| onto_edges(track, bodies, rounding, tracks));
        let mut over_end: Vec<_> = self.over_end.iter().collect();
        over_end.sort_by(|x, y| x.1.time.total_cmp(&y.1.time));
        over_end.into_iter().for_each(|(edges, end)| onto_face(*edges, end, bodies, tracks));
    }
}

/// Lets the edges at a vertex be held that are in edges of the face which it has left.
fn onto_edges(left: &VertexTrack, bodies: [&Placed<'_>; 2], rounding: f64, tracks: &mut Tracks) {
    let [of, other] = if left.of_b { [bodies[1], bodies[0]] } else { bodies };
    let moving = other.face(left.face);
    let normal = moving.normal.at(1.0).normalize_or_zero();
    // Two edges at two places are no farther from each other than these: those that go on where the vertex was held are as near as it is to the face.
    let (place, corners) = (of.vertex(left.vertex).end, moving.corners.map(|corner| corner.end));
    let nearness = weighted(corners, nearest(corners, place)).distance(place) + rounding;
    let outward = if left.of_b { normal } else { -normal };
    let corners = other.surface.faces[left.face as usize].corners;
    let mut of_face: Vec<u32> =
        corners.iter().flat_map(|corner| &other.surface.edges_at[*corner as usize]).copied().collect();
    of_face.sort_unstable();
    of_face.dedup();
    for &own in &of.surface.edges_at[left.vertex as usize] {
        for &across in &of_face {
            let edges = if left.of_b { [across, own] } else { [own, across] };
            if tracks.edges.iter().any(|track| track.edges == edges) {
                continue;
            }
            let side = EdgeWalker { bodies, edges, rounding }.end(outward, nearness);
            tracks.edges.extend(side.map(|side| EdgeTrack { edges, along: side > 0.0 }));
        }
    }
}

/// Lets a vertex that was the end of an edge across another one be held by that one's face which looks most as the two edges pressed, if it
/// is held by one that looks elsewhere, and deeper behind this one.
fn onto_face([a, b]: [u32; 2], end: &OverEnd, bodies: [&Placed<'_>; 2], tracks: &mut Tracks) {
    let of_b = end.body == 1;
    let (of, other, across) = if of_b { (bodies[1], bodies[0], a) } else { (bodies[0], bodies[1], b) };
    let outward = if of_b { end.normal } else { -end.normal };
    let is_it = |track: &&mut VertexTrack| track.of_b == of_b && track.vertex == end.vertex;
    let Some(track) = tracks.vertices.iter_mut().find(is_it) else { return };
    let look = |face: u32| -> f64 { unit(other, face).dot(outward) };
    let pair = |face: u32| VertexFace::with(of.vertex(end.vertex), other.face(face));
    let least = pair(track.face).height_at(1.0).min(0.0);
    let holds = |face: &u32| pair(*face).height_at(1.0) < least && pair(*face).is_over(1.0);
    let faces = other.surface.edges[across as usize].faces.into_iter().filter(|face| *face != NONE);
    let best = faces.filter(holds).max_by(|x, y| look(*x).total_cmp(&look(*y)));
    if let Some(face) = best.filter(|face| look(*face) > ALIKE && look(track.face) < ALIKE) {
        track.face = face;
    }
}

/// Unit normal of a face at the end of the motion.
fn unit(of: &Placed<'_>, face: u32) -> DVec3 {
    of.face(face).normal.at(1.0).normalize_or_zero()
}
