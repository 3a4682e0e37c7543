//! Which overlaps are looked at more closely, because they may have several regions.

use crate::overlap::{Overlap, OverlapKind};

/// Part of the smaller of the two surface areas that the gradient of an overlap of one piece must reach for its normal
/// to be taken as that of all its surface, without looking closer: two faces at a right angle reach it where one has
/// less than 6 % of the other's area, a shallow cap where it spans less than 50°.
pub(in crate::overlap) const ONE_SIDED: f64 = 0.95;

/// Mean thickness, as a part of the size of the smaller body, up to which an overlap is looked at more closely. Deeper
/// ones are not those of bodies that keep each other out, and their surface says little of where they came from.
const DEEPEST: f64 = 0.05;

/// The same for a round body, of which only what lies apart makes regions: from surface that faces 8 degrees to both sides on.
const ONE_SIDED_ROUND: f64 = 0.99;

/// Whether an overlap may have more than one region; `size` is the smaller body's.
pub(in crate::overlap) fn may_be_several(overlap: &Overlap, size: f64) -> bool {
    may_face(overlap, size, ONE_SIDED)
}

/// Whether the overlap of a round body may have pieces that push differently.
pub(in crate::overlap) fn may_be_several_pieces(overlap: &Overlap, size: f64) -> bool {
    may_face(overlap, size, ONE_SIDED_ROUND)
}

/// Whether an overlap is shallow enough for regions, where each of its areas is at most `times` what it says.
pub(in crate::overlap) fn is_shallow(overlap: &Overlap, size: f64, times: f64) -> bool {
    let areas = times * (overlap.areas[0] + overlap.areas[1]);
    overlap.kind != OverlapKind::Swallowed && 2.0 * overlap.volume < DEEPEST * size * areas
}

fn may_face(overlap: &Overlap, size: f64, one_sided: f64) -> bool {
    let smaller = overlap.areas[0].min(overlap.areas[1]);
    is_shallow(overlap, size, 1.0)
        && (overlap.n_components > 1 || overlap.gradient.length() < one_sided * smaller)
}
