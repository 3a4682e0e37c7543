//! The pieces in which a round body and a mesh overlap, each as a region of its own: a ball in a groove touches both walls.
//!
//! The faces that reach into the round body fall into sheets, connected by edges that pass through it. A sheet and the part of the round
//! surface behind it bound a piece of the overlap, and are measured like the whole. Where sheets bound a piece together, as the two
//! sides of a thin plate do, the pieces do not add up to the whole, which is then left as it is.

use std::collections::HashMap;

use glam::DVec3;

use super::capsule_mesh::unit_normal;
use super::placed_mesh::{PlacedFace, PlacedMesh};
use crate::Aabb;
use crate::moments::{SurfaceMoments, VolumeMoments, outer};
use crate::overlap::regions::{Part, may_be_several_pieces, merge};
use crate::overlap::{Overlap, OverlapKind};
use crate::union_find::UnionFind;

/// Part of the whole by which the sums over its pieces may differ: rounding of moments that are taken about different points.
const ADDS_UP: f64 = 1e-6;

/// A round body as far as the question which faces hang together in it needs it, in its frame.
pub(super) trait RoundBody {
    /// A box around it.
    fn bounds(&self) -> Aabb;

    /// How far it reaches from its origin in a direction \[m\].
    fn reach(&self, direction: DVec3) -> f64;

    /// Whether a segment passes through its inside.
    fn is_passed(&self, from: DVec3, to: DVec3) -> bool;

    /// How far outside of it a point is, or inside where negative, by the surface that it is farthest out of: a convex function \[m\].
    fn height(&self, x: DVec3) -> f64;
}

/// The overlap with its regions, if it has several; `size` is the smaller body's \[m\].
///
/// `measure` measures the round body against a mesh or a piece of one.
pub(super) fn divide(
    whole: Overlap,
    mesh: &PlacedMesh<'_>,
    body: &impl RoundBody,
    size: f64,
    measure: impl Fn(&PlacedMesh<'_>) -> Overlap,
) -> Overlap {
    if !may_be_several_pieces(&whole, size) {
        return whole;
    }
    let sheets = sheets(mesh, body);
    if sheets.len() < 2 {
        return whole;
    }
    let pieces: Vec<(Vec<PlacedFace>, Overlap)> = sheets
        .into_iter()
        .map(|faces| {
            let overlap = measure(&mesh.piece(&faces));
            (faces, overlap)
        })
        // What does not reach into the round body has no surface there.
        .filter(|(_, overlap)| !matches!(overlap.kind, OverlapKind::Empty | OverlapKind::Swallowed))
        .collect();
    if pieces.len() < 2 || !add_up(&pieces, &whole) {
        return whole;
    }
    let parts: Vec<Part> = (0..).zip(&pieces).map(|(ix, (_, overlap))| part(ix, overlap)).collect();
    let parts = merge(parts, whole.bounds.diagonal(), 0.0);
    let n_components = pieces.len() as u32;
    if parts.len() < 2 {
        return Overlap { n_components, ..whole };
    }
    let mut regions: Vec<Overlap> = parts
        .iter()
        .map(|part| match part.members[..] {
            [one] => pieces[one as usize].1.clone(),
            _ => {
                let members = part.members.iter().flat_map(|ix| &pieces[*ix as usize].0);
                measure(&mesh.piece(&members.copied().collect::<Vec<_>>()))
            }
        })
        .collect();
    regions.sort_by(|a, b| b.gradient.length_squared().total_cmp(&a.gradient.length_squared()));
    Overlap { n_components, regions, ..whole }
}

/// The faces near the round body, sheet by sheet, in the order of their lowest face.
fn sheets(mesh: &PlacedMesh<'_>, body: &impl RoundBody) -> Vec<Vec<PlacedFace>> {
    let mut faces = Vec::new();
    mesh.for_each_triangle_near(&body.bounds(), |face, corners| {
        let Some(normal) = unit_normal(&corners) else { return };
        let height = normal.dot(corners[0]);
        if -body.reach(-normal) < height && height < body.reach(normal) {
            faces.push(PlacedFace { face, corners, normal });
        }
    });
    faces.sort_unstable_by_key(|placed| placed.face);
    let all = mesh.solid.faces();
    let mut sets = UnionFind::new(faces.len());
    let mut first_at: HashMap<[u32; 2], u32> = HashMap::new();
    for (ix, PlacedFace { face, corners, .. }) in (0..).zip(&faces) {
        let vertices = all[*face as usize].corners;
        for side in 0..3 {
            let next = (side + 1) % 3;
            let (a, b) = (vertices[side], vertices[next]);
            match first_at.get(&[a.min(b), a.max(b)]) {
                Some(&other) if body.is_passed(corners[side], corners[next]) => drop(sets.join(ix, other)),
                Some(_) => {}
                None => drop(first_at.insert([a.min(b), a.max(b)], ix)),
            }
        }
    }
    let mut sheets: Vec<Vec<PlacedFace>> = vec![Vec::new(); faces.len()];
    for (ix, face) in (0..).zip(&faces) {
        sheets[sets.find(ix) as usize].push(*face);
    }
    sheets.retain(|sheet| !sheet.is_empty());
    sheets
}

/// Whether pieces are the whole: in volume and in surface.
fn add_up(pieces: &[(Vec<PlacedFace>, Overlap)], whole: &Overlap) -> bool {
    let (mut volume, mut gradient, mut area) = (0.0, DVec3::ZERO, 0.0);
    for (_, piece) in pieces {
        volume += piece.volume;
        gradient += piece.gradient;
        area += piece.areas[1];
    }
    (volume - whole.volume).abs() <= ADDS_UP * whole.volume
        && (gradient - whole.gradient).length() <= ADDS_UP * area
        && (area - whole.areas[1]).abs() <= ADDS_UP * area
}

/// A piece as a part of the whole, about A's origin. Its surface acts as one wrench, which is all that merging asks for.
fn part(ix: u32, piece: &Overlap) -> Part {
    let Overlap { volume, centroid, second_moment, gradient, areas, bounds, .. } = *piece;
    Part {
        volume: VolumeMoments {
            volume,
            first: volume * centroid,
            second: second_moment + volume * outer(centroid, centroid),
        },
        surface: SurfaceMoments {
            area_vector: gradient,
            arms: outer(centroid, gradient),
            area: areas[1],
            ..Default::default()
        },
        areas,
        facing: Default::default(),
        bounds,
        around: [bounds; 2],
        is_apart: true,
        members: vec![ix],
    }
}
