//! How the two facets of a candidate touch.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::gradient::{Held, wrench_of};
use super::integral::over_polygon;
use super::layout::{Candidate, FacetPair, FacetPolygon, FacetRound, FacetTouch, doubt, law, state};
use super::memory::Memory;
use super::near::SLANT;
use super::place::{Cap, cap_of};
use super::plane::{self, Plane, across, local_overlap, plane_between};
use super::polygon::{Polygon, square};
use super::pressure::{may_act, oval_of, profile_of};
use super::threads::CANDIDATES;

/// Overlap over the smaller radius, and contact radius over it squared, beyond which half-spaces no longer stand for the bodies
/// (Johnson 1985, section 4.2).
pub const HERTZ_LIMIT: f32 = 0.1;

#[derive(Default)]
struct Found {
    touch: FacetTouch,
    u: Vec3,
    w: Vec3,
    contact: f32,
    polygon: Polygon,
}

pub fn run(memory: &mut Memory, round: &FacetRound) {
    let n = memory.n_wanted();
    if n > round.cap {
        return;
    }
    let Memory { facets, pairs, candidates, touches, polygons, .. } = memory;
    let find = |candidate: &Candidate| {
        if candidate.pair >= round.n_pairs {
            return Found::default();
        }
        let pair = &pairs[candidate.pair as usize];
        let a = cap_of(&pair.frame_from_a, &facets[(pair.first[0] + candidate.a) as usize]);
        let b = cap_of(&pair.frame_from_b, &facets[(pair.first[1] + candidate.b) as usize]);
        touch_caps(pair, &a, &b)
    };
    let (candidates, touches) = (&candidates[..n as usize], &mut touches[..n as usize]);
    if round.with_polygons == 0 {
        let both = candidates.par_iter().zip(touches).with_min_len(CANDIDATES);
        both.for_each(|(candidate, touch)| *touch = find(candidate).touch);
        return;
    }
    for ((candidate, touch), polygon) in candidates.iter().zip(touches).zip(polygons) {
        let found = find(candidate);
        (*touch, *polygon) = (found.touch, polygon_of(&found));
    }
}

fn polygon_of(found: &Found) -> FacetPolygon {
    let mut polygon = FacetPolygon::default();
    for k in 0..found.polygon.n {
        let x = found.polygon.corners[k] * found.contact;
        let corner = Vec3::from(found.touch.center) + found.u * x.x + found.w * x.y;
        polygon.corners[k] = corner.extend(0.0).to_array();
    }
    polygon
}

fn is_outside(t: &[Vec2; 3]) -> bool {
    let low = t[0].min(t[1]).min(t[2]);
    let high = t[0].max(t[1]).max(t[2]);
    low.x.max(low.y) > 1.0 || high.x.min(high.y) < -1.0
}

fn is_wide(cap: &Cap, contact: f32) -> bool {
    let k = cap.curvature.abs();
    2.0 * k * contact > 1.0 - k * cap.bulge
}

fn doubts_of(pair: &FacetPair, plane: &Plane, a: &Cap, b: &Cap, contact: f32) -> u32 {
    let round = a.curvature.abs().max(b.curvature.abs());
    let widest = contact * round;
    let is_large = plane.overlap * round > HERTZ_LIMIT || widest * widest > HERTZ_LIMIT;
    let mut bits = 0;
    if is_large || is_wide(a, contact) || is_wide(b, contact) {
        bits |= state::DOUBT << doubt::BEYOND_HERTZ;
    }
    if plane.overlap > pair.depth {
        bits |= state::DOUBT << doubt::TOO_DEEP;
    }
    if -local_overlap(plane, a, b, contact) > pair.gap {
        bits |= state::DOUBT << doubt::RING_CUT;
    }
    bits
}

/// Cosine of the angle between a facet's normal and the contact's below which it is seen on edge: the root of the rounding of 32 bits, see `pair` of tactum-geometry.
pub const ON_EDGE: f32 = 3.5e-4;

/// Whether all of two facets is apart along a normal from the first one to the other, by more than their caps rise.
fn are_apart(a: &Cap, b: &Cap, normal: Vec3) -> bool {
    let [a0, a1, a2] = a.corners.map(|x| x.dot(normal));
    let [b0, b1, b2] = b.corners.map(|x| x.dot(normal));
    b0.min(b1).min(b2) - a0.max(a1).max(a2) > SLANT * (a.bulge + b.bulge)
}

fn touch_caps(pair: &FacetPair, a: &Cap, b: &Cap) -> Found {
    let mut found = Found::default();
    let plane = plane_between(a, b);
    if plane.kind != plane::MEETS {
        if plane.kind == plane::REFUSED {
            found.touch.state = state::REFUSED;
        }
        return found;
    }
    if !may_act(pair, plane.overlap) || pair.law != law::JKR && are_apart(a, b, plane.normal) {
        return found;
    }
    if a.normal.dot(plane.normal).abs().min(b.normal.dot(plane.normal).abs()) < ON_EDGE {
        return found;
    }
    let oval = oval_of(pair, plane.curvature, plane.bend);
    let profile = profile_of(pair, plane.overlap, oval.curvature);
    let contact = profile.contact;
    if contact <= 0.0 {
        return found;
    }
    let mut u = across(plane.normal);
    let mut w = plane.normal.cross(u);
    let stretch = oval.ratio.sqrt();
    if plane.bend > 0.0 {
        w = plane.steep;
        u = w.cross(plane.normal);
    }
    let flat = |x: Vec3| {
        let arm = x - plane.center;
        Vec2::new(arm.dot(u) * stretch, arm.dot(w) / stretch) / contact
    };
    let [p, q] = [a, b].map(|cap| cap.corners.map(flat));
    if is_outside(&p) || is_outside(&q) {
        return found;
    }
    let polygon = Polygon::common(p, q);
    if polygon.n == 0 {
        return found;
    }
    let nearest = polygon.nearest_to_origin();
    let near_squared = square(nearest);
    if near_squared >= 1.0 {
        return found;
    }
    let at_nearest = Vec2::new(nearest.x / stretch, nearest.y * stretch);
    let saddle = at_nearest.y * at_nearest.y - at_nearest.x * at_nearest.x;
    let saddle = 0.5 * plane.bend * (saddle * (contact * contact));
    let overlap = local_overlap(&plane, a, b, square(at_nearest).sqrt() * contact) - saddle;
    let load = over_polygon(&profile, &polygon, near_squared);
    let held = Held { plane, u, w, contact, ratio: oval.ratio, stretch };
    let wrench = wrench_of(pair, [a, b], &held, oval.curvature, &load);
    u /= stretch;
    w *= stretch;
    let touch = FacetTouch {
        normal: plane.normal.into(),
        force: load.force.x,
        center: plane.center.into(),
        area: load.area * (contact * contact),
        moment: wrench.moment.into(),
        overlap,
        nearest: (plane.center + (u * nearest.x + w * nearest.y) * contact).into(),
        grip: load.force.y * contact,
        push: wrench.force.into(),
        gyration: contact * ((1.0 / oval.ratio + oval.ratio) / 3.0).sqrt(),
        depth: plane.overlap,
        energy: wrench.energy,
        n_corners: polygon.n as u32,
        state: state::TOUCHES | doubts_of(pair, &plane, a, b, contact),
    };
    Found { touch, u, w, contact, polygon }
}
