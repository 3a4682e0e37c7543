//! What presses from both sides of a thin body at once.
//!
//! A body that has swung round the rim of a plate may have corners in it that came in through its upper side beside others that came in through its lower
//! one. Each of them would be pushed back to where it came from, and the body stay speared. So corners that hang together inside of the plate are pushed out
//! to one side, the one that the body has less far to. What grips a plate from both sides does not hang together in it.

use super::features::VertexFace;
use super::placed::Placed;
use super::tracks::VertexTrack;
use super::vertex::{ALIKE, THIN, around};
use crate::union_find::UnionFind;

/// Lets vertices of one body that hang together in another one, and that opposite sides of it hold, be held by one of these at τ = 0; `tracks` are
/// those of this body's vertices, sorted.
pub fn take_one_side(of: &Placed<'_>, other: &Placed<'_>, tracks: &mut [VertexTrack]) {
    if !other.surface.is_closed() || !may_be_opposed(other, tracks) {
        return;
    }
    let mut sets = UnionFind::new(tracks.len());
    for (ix, track) in (0..).zip(&*tracks) {
        for edge in &of.surface.edges_at[track.vertex as usize] {
            for end in of.surface.edges[*edge as usize].ends {
                if let Ok(next) = tracks.binary_search_by_key(&end, |track| track.vertex) {
                    sets.join(ix, next as u32);
                }
            }
        }
    }
    let set_of: Vec<u32> = (0..tracks.len() as u32).map(|ix| sets.find(ix)).collect();
    for set in (0..tracks.len() as u32).filter(|ix| set_of[*ix as usize] == *ix) {
        let members: Vec<usize> = (0..tracks.len()).filter(|ix| set_of[*ix] == set).collect();
        let faces: Vec<u32> = members.iter().map(|ix| tracks[*ix].face).collect();
        let Some(side) = nearer_of_opposed(of, other, &faces) else { continue };
        for ix in members {
            if looks(other, tracks[ix].face, side) >= THIN {
                continue;
            }
            if let Some(face) = held_by(of, tracks[ix].vertex, other, &faces, side) {
                tracks[ix].face = face;
            }
        }
    }
}

/// Cosine of the angle between two faces' normals.
fn looks(other: &Placed<'_>, one: u32, two: u32) -> f64 {
    other.surface.normal(one).dot(other.surface.normal(two))
}

/// Whether any two of the faces that hold vertices may look to opposite sides: not where all look as one direction, by half of the angle.
fn may_be_opposed(other: &Placed<'_>, tracks: &[VertexTrack]) -> bool {
    let normals = || tracks.iter().map(|track| other.surface.normal(track.face));
    let mean = normals().sum::<glam::DVec3>().normalize_or_zero();
    normals().any(|normal| normal.dot(mean) <= (0.5 * (1.0 + THIN)).sqrt())
}

/// Of the first two of the faces that look to opposite sides, with the body between them, that behind which the other body goes less far.
fn nearer_of_opposed(of: &Placed<'_>, other: &Placed<'_>, faces: &[u32]) -> Option<u32> {
    let surface = other.surface;
    let corner = |face: u32| surface.vertices[surface.faces[face as usize].corners[0] as usize];
    let is_behind = |one: u32, two: u32| surface.normal(one).dot(corner(two) - corner(one)) < 0.0;
    let opposed =
        |one: u32, two: u32| looks(other, one, two) < THIN && is_behind(one, two) && is_behind(two, one);
    let [one, two] = faces.iter().enumerate().find_map(|(ix, one)| {
        faces[ix + 1..].iter().find(|two| opposed(*one, **two)).map(|two| [*one, *two])
    })?;
    let depth = |face: u32| {
        let (normal, at) = (surface.normal(face), corner(face));
        let depth = |vertex: u32| -normal.dot(other.mover.back(of.vertex(vertex).start) - at);
        (0..of.surface.vertices.len() as u32).map(depth).fold(f64::NEG_INFINITY, f64::max)
    };
    Some(if depth(one) <= depth(two) { one } else { two })
}

/// The face on one side of a body, of those that hold others there or beside them, that a vertex is behind by least.
fn held_by(of: &Placed<'_>, vertex: u32, other: &Placed<'_>, faces: &[u32], side: u32) -> Option<u32> {
    let on_side = faces.iter().copied().filter(|face| looks(other, *face, side) > ALIKE);
    let mut candidates: Vec<u32> =
        on_side.flat_map(|face| around(other.surface, face).into_iter().chain([face])).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let depth = |face: u32| {
        let pair = VertexFace::with(of.vertex(vertex), other.face(face));
        let depth = -pair.height_at(0.0);
        (depth > 0.0 && pair.is_over(0.0)).then_some((depth, face))
    };
    let found = candidates.into_iter().filter_map(depth);
    found.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).map(|(_, face)| face)
}
