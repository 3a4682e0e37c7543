//! Sides that hold nothing: the rims of faces that lie in each other.

use glam::DVec3;

use super::part::Part;
use crate::moments::VolumeMoments;

/// How many times as far bodies have to go to be out of a side by its own way as by that of another side of the lump, for the one to be
/// the other's rim. Between two sides that meet in a corner space is cut half way, so that these ways may be equal.
const FARTHER: f64 = 2.0;

/// Puts the rims of faces to these.
///
/// Faces that lie in each other are bounded by the walls of both bodies. Two walls that look at each other across the face are as good as two
/// sides that have run into each other, as deep as the face is wide. What tells them apart is which way is the shorter one: by the face's the
/// bodies are out of the walls as well. Only parts of one lump, of which `lumps` holds the number for each, have a rim in common.
pub(in crate::overlap) fn without_rims(mut parts: Vec<Part>, lumps: &[u32]) -> Vec<Part> {
    let mut lumps = lumps.to_vec();
    while let Some((rim, face)) = find(&parts, &lumps) {
        let part = parts[rim].clone();
        parts[face].add(part);
        // What is left of a lump that was two parts is all of it.
        parts[face].is_apart = lumps.iter().filter(|lump| **lump == lumps[rim]).count() == 2;
        parts.remove(rim);
        lumps.remove(rim);
    }
    parts
}

/// A rim and its face: those between which the ways differ most.
fn find(parts: &[Part], lumps: &[u32]) -> Option<(usize, usize)> {
    let mut found = None;
    let mut most = FARTHER * FARTHER;
    for (rim, part) in parts.iter().enumerate() {
        let own = variance_along(&part.volume, part.surface.area_vector);
        for face in (0..parts.len()).filter(|&ix| ix != rim && lumps[ix] == lumps[rim]) {
            let mut both = part.volume;
            both += parts[face].volume;
            let times = own / variance_along(&both, parts[face].surface.area_vector);
            if times > most {
                (found, most) = (Some((rim, face)), times);
            }
        }
    }
    found
}

/// Variance of a volume along a direction \[m²\]: a twelfth of the square of its thickness where this is the same everywhere.
fn variance_along(volume: &VolumeMoments, direction: DVec3) -> f64 {
    let (_, second_moment) = volume.central();
    let n = direction.normalize_or_zero();
    n.dot(second_moment * n) / volume.volume
}
