//! Which facets of two bodies may touch: the twin of `near.wgsl`.

use glam::Vec3;

use super::layout::{Facet, FacetBox, FacetPair, GROUP};
use super::memory::Memory;
use super::place::{Cap, cap_of, corners_of, in_frame};

/// How far along the contact's axis a triangle lies from its cap, over the cap's greatest rise: 2/sqrt(3), and a millionth for
/// the rounding of the product.
pub const SLANT: f32 = 1.154_701_7;

struct Extent {
    lo: Vec3,
    hi: Vec3,
}

fn extent_of(corners: &[Vec3; 3]) -> Extent {
    let [a, b, c] = *corners;
    Extent { lo: a.min(b).min(c), hi: a.max(b).max(c) }
}

fn extent_of_box(rows: &[[f32; 4]; 3], around: &FacetBox) -> Extent {
    let (lo, hi) = (Vec3::from(around.lo), Vec3::from(around.hi));
    let center = in_frame(rows, 0.5 * (lo + hi));
    let half = 0.5 * (hi - lo);
    let row = |r: &[f32; 4]| Vec3::new(r[0], r[1], r[2]).abs().dot(half);
    let reach = Vec3::new(row(&rows[0]), row(&rows[1]), row(&rows[2]));
    Extent { lo: center - reach, hi: center + reach }
}

fn meet(a: &Extent, b: &Extent, margin: f32) -> bool {
    let room = Vec3::splat(margin);
    (a.lo - room).cmple(b.hi).all() && (b.lo - room).cmple(a.hi).all()
}

fn is_off_plane(a: &Cap, b: &Cap, distance: f32) -> bool {
    let [h0, h1, h2] = b.corners.map(|x| (x - a.corners[0]).dot(a.normal));
    h0.min(h1).min(h2) > distance || h0.max(h1).max(h2) < -distance
}

fn is_box_off_plane(a: &Cap, b: &Extent, distance: f32) -> bool {
    let height = (0.5 * (b.lo + b.hi) - a.corners[0]).dot(a.normal);
    height.abs() > distance + (0.5 * (b.hi - b.lo)).dot(a.normal.abs())
}

fn is_box_near(cap: &Cap, extent: &Extent, around: &Extent, margin: f32) -> bool {
    meet(extent, around, margin) && !is_box_off_plane(cap, around, margin)
}

fn is_near(a: &Cap, b: &Cap, near: f32) -> bool {
    let margin = near + SLANT * (a.bulge + b.bulge);
    let [box_a, box_b] = [a, b].map(|cap| extent_of(&cap.corners));
    meet(&box_a, &box_b, margin) && !is_off_plane(a, b, margin) && !is_off_plane(b, a, margin)
}

/// The facets of B, counted among B's, that a facet of A may touch, in their order.
pub fn partners(memory: &Memory, pair: &FacetPair, facet: &Facet) -> Vec<u32> {
    let mut found = Vec::new();
    if facet.is_cap == 0 {
        return found;
    }
    let cap = cap_of(&pair.frame_from_a, facet);
    let extent = extent_of(&cap.corners);
    for first in (0..pair.n[1]).step_by(GROUP as usize) {
        let around = &memory.boxes[((pair.first[1] + first) / GROUP) as usize];
        let margin = pair.near + SLANT * (cap.bulge + around.bulge);
        if !is_box_near(&cap, &extent, &extent_of_box(&pair.frame_from_b, around), margin) {
            continue;
        }
        for b in first..pair.n[1].min(first + GROUP) {
            let other = &memory.facets[(pair.first[1] + b) as usize];
            // Most are told by their corners; shaders leave out themselves what of a cap is not asked for.
            let corners = corners_of(&pair.frame_from_b, other);
            let margin = pair.near + SLANT * (cap.bulge + other.bulge);
            if other.is_cap != 0
                && meet(&extent, &extent_of(&corners), margin)
                && is_near(&cap, &cap_of(&pair.frame_from_b, other), pair.near)
            {
                found.push(b);
            }
        }
    }
    found
}
