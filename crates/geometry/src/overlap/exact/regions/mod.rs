//! Contact regions: where two bodies meet in several places or from several sides, each gets an overlap of its own.
//!
//! One gradient says where a whole overlap pushes to. For a peg in a hole it cancels; for two bodies hooked into each
//! other it points wherever the larger side wants. So such an overlap is divided, first into its pieces, then each
//! piece by the directions that its surface faces, and what pushes the same way in the same plane is put together
//! again. Sums over the regions are those of the whole overlap.

mod cells;
mod clusters;
mod merge;
mod soup;

use glam::DVec3;

use super::settle::COHERENT;
use crate::Aabb;
use crate::overlap::{Overlap, OverlapKind, Patch};
use merge::Part;
pub(super) use soup::{Soup, Source, Triangle};

/// Largest number of regions of a pair.
pub(super) const MOST_REGIONS: usize = 8;

/// Part of the smaller of the two surface areas that the gradient of an overlap of one piece must reach for its normal
/// to be taken as that of all its surface, without looking closer: two faces at a right angle reach it where one has
/// less than 6 % of the other's area, a shallow cap where it spans less than 50°.
const ONE_SIDED: f64 = 0.95;

/// Mean thickness, as a part of the size of the smaller body, up to which an overlap is looked at more closely. Deeper
/// ones are not those of bodies that keep each other out, and their surface says little of where they came from.
const DEEPEST: f64 = 0.05;

/// What the regions of an overlap are measured by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The origin of the sums.
    pub origin: DVec3,
    /// Diagonal of the overlap's box \[m\].
    pub size: f64,
    /// Volume per area below which a closed surface encloses nothing but rounding \[m\].
    pub thinnest: f64,
}

/// Whether an overlap may have more than one region; `size` is the smaller body's.
pub(super) fn may_be_several(overlap: &Overlap, size: f64) -> bool {
    let [smaller, larger] = [overlap.areas[0].min(overlap.areas[1]), overlap.areas[0].max(overlap.areas[1])];
    overlap.kind != OverlapKind::Swallowed
        && (overlap.n_components > 1 || overlap.gradient.length() < ONE_SIDED * smaller)
        && 2.0 * overlap.volume < DEEPEST * size * (smaller + larger)
}

/// The regions of an overlap, the largest first, from its surface; none where it is but one region itself.
pub(super) fn find(soup: &Soup, scale: &Scale) -> Vec<Overlap> {
    let mut parts = Vec::new();
    for (component, triangles) in soup.components().into_iter().enumerate() {
        parts.extend(cells::divide(triangles, component as u32));
    }
    let parts = merge::merge(parts, scale);
    if parts.len() < 2 {
        return Vec::new();
    }
    let mut regions: Vec<Overlap> = parts.iter().map(|part| settle(part, scale.origin)).collect();
    // A stable sort: equal regions stay in the order of their pieces.
    regions.sort_by(|a, b| b.gradient.length_squared().total_cmp(&a.gradient.length_squared()));
    regions
}

/// A region as an overlap.
fn settle(part: &Part, origin: DVec3) -> Overlap {
    let (centroid, second_moment) = part.volume.central();
    let areas = part.areas.map(|area| area.max(0.0));
    let gradient = part.surface.area_vector;
    let is_coherent = gradient.length() >= COHERENT * areas[0].min(areas[1]);
    let patch = is_coherent
        .then(|| Patch::new(&part.points, gradient, part.volume.volume, centroid, &second_moment))
        .flatten();
    Overlap {
        kind: if patch.is_some() { OverlapKind::Regular } else { OverlapKind::NoNormal },
        volume: part.volume.volume,
        centroid: centroid + origin,
        second_moment,
        gradient,
        angular_gradient: part.surface.translated(origin).angular(),
        areas,
        bounds: Aabb { min: part.bounds.min + origin, max: part.bounds.max + origin },
        n_components: part.components.len() as u32,
        patch,
        regions: Vec::new(),
    }
}
