//! Contact regions: where two bodies meet in several places or from several sides, each gets an overlap of its own.
//!
//! One gradient says where a whole overlap pushes to. For a peg in a hole it cancels; for two bodies hooked into each
//! other it points wherever the larger side wants. So whoever measures such an overlap divides it into parts that face
//! one way each, and what pushes the same way in the same plane is put together again. Sums over the regions are those
//! of the whole overlap.

mod merge;

use glam::DVec3;

use super::{Overlap, OverlapKind, Patch};
use crate::Aabb;
pub(super) use merge::{Part, merge};

/// Largest number of regions of a pair, and of the cells of space that rays measure it in.
pub(super) const MOST_REGIONS: usize = 8;

/// Part of the smaller of the two surface areas that the gradient of an overlap of one piece must reach for its normal
/// to be taken as that of all its surface, without looking closer: two faces at a right angle reach it where one has
/// less than 6 % of the other's area, a shallow cap where it spans less than 50°.
pub(super) const ONE_SIDED: f64 = 0.95;

/// Mean thickness, as a part of the size of the smaller body, up to which an overlap is looked at more closely. Deeper
/// ones are not those of bodies that keep each other out, and their surface says little of where they came from.
const DEEPEST: f64 = 0.05;

/// Whether an overlap may have more than one region; `size` is the smaller body's.
pub(super) fn may_be_several(overlap: &Overlap, size: f64) -> bool {
    let [smaller, larger] = [overlap.areas[0].min(overlap.areas[1]), overlap.areas[0].max(overlap.areas[1])];
    overlap.kind != OverlapKind::Swallowed
        && (overlap.n_components > 1 || overlap.gradient.length() < ONE_SIDED * smaller)
        && 2.0 * overlap.volume < DEEPEST * size * (smaller + larger)
}

/// Part of the smaller of the two surface areas that the gradient must reach to have a meaning as a normal.
pub(super) const COHERENT: f64 = 0.5;

impl Part {
    /// Whether the gradient has a meaning as a normal.
    pub fn has_normal(&self) -> bool {
        let areas = self.areas.map(|area| area.max(0.0));
        self.surface.area_vector.length() >= COHERENT * areas[0].min(areas[1])
    }

    /// The part as an overlap. `points` span it; they are relative to A's origin, and so is `origin`, about which the sums
    /// are.
    pub fn overlap(&self, points: &[DVec3], origin: DVec3) -> Overlap {
        let (centroid, second_moment) = self.volume.central();
        let (volume, gradient, centroid) = (self.volume.volume, self.surface.area_vector, centroid + origin);
        let patch = || Patch::new(points, gradient, volume, centroid, &second_moment);
        let patch = self.has_normal().then(patch).flatten();
        Overlap {
            kind: if patch.is_some() { OverlapKind::Regular } else { OverlapKind::NoNormal },
            volume,
            centroid,
            second_moment,
            gradient,
            angular_gradient: self.surface.translated(origin).angular(),
            areas: self.areas.map(|area| area.max(0.0)),
            bounds: Aabb { min: self.bounds.min + origin, max: self.bounds.max + origin },
            n_components: 1,
            patch,
            regions: Vec::new(),
        }
    }
}
