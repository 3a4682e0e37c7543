//! Faces that lie flat on each other: beside a seam, as they come down, and across the way.
//!
//! Where a floor is laid of tiles, the corner of a box that slides over a seam is in the next tile with hardly more than a point: through the top of it
//! by as much as bodies are held in each other, and through its wall by what the box has moved on. The gradient of so small an overlap leans to the
//! wall, or is the wall's, and would stop the box. What lies on a face no deeper than it is held needs no other direction to be pushed in.

use glam::DVec3;
use tactum_geometry::Near;

use crate::NormalRule;
use crate::constants::PLANAR_FACE;
use crate::law::Situation;
use crate::law::volume::apart::Apart;
use crate::law::volume::choose::{target_depth, velocity_at};
use crate::law::volume::corners::is_sharp;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::normal::{MIN_COSINE, along};
use crate::law::volume::overlaps::{Ahead, PairOverlaps};
use crate::law::volume::rolling::{Roller, farthest};

/// How many times as deep as it is held what lies flat may be: once, and as much again by how it moves. No unit.
const FLAT: f64 = 2.0;

/// The contact along the normal of two faces of the bodies, for which B was moved by `shift`, that lie on each other no deeper than they are held, where
/// the overlap is too narrow for its own direction to be theirs; `None` of any other.
pub fn on_faces<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'a>,
    rollers: &[Roller<'_>; 2],
) -> Option<ContactGeometry<'a>> {
    let is_narrow =
        situation.settings.normal == NormalRule::Blend && !geometry.has_plane && is_sharp(geometry);
    if !is_narrow || rollers.iter().any(Roller::rolls) {
        return None;
    }
    let held = FLAT * target_depth(situation, pair.bodies, geometry.area());
    let extent = |n: DVec3| even_depth(geometry, n);
    let reach = farthest(&geometry.polygon).hypot(geometry.extent);
    let poses = pair.poses(situation.bodies, shift);
    let [of_a, of_b] = [0, 1].map(|side| {
        let near = Near { place: poses[side].inverse().point(geometry.point), radius: reach };
        let normals = situation.bodies[pair.bodies[side] as usize].shape.face_normals(&near);
        normals.into_iter().map(|n| poses[side].vector(n)).collect::<Vec<_>>()
    });
    let opposite =
        |a: DVec3| of_b.iter().map(move |b| (a, *b)).filter(|(a, b)| (*a + *b).length() * reach <= held);
    let between = of_a.iter().flat_map(|a| opposite(*a)).map(|(a, b)| (a - b).normalize());
    let lies_flat = |normal: &DVec3| geometry.gradient.dot(*normal) > 0.0 && extent(*normal) <= held;
    // Where a corner is in both faces of an edge by no more than bodies are held in each other, it slides along the one that it lies on.
    let [of_a, of_b] = [0, 1]
        .map(|side| velocity_at(&situation.bodies[pair.bodies[side] as usize], &poses[side], geometry.point));
    let crossing = |normal: DVec3| ((of_b - of_a).dot(normal).abs(), normal);
    let (_, normal) = between.filter(lies_flat).map(crossing).min_by(|x, y| x.0.total_cmp(&y.0))?;
    Some(along(geometry, normal, extent(normal)))
}

/// The contact of two faces that lie evenly in each other along this normal, if they do. Where their outlines are the same, sides of theirs are part
/// of the overlap's surface too, in which no plane is seen then; and no one of their points comes down before the others.
pub fn evenly<'a>(geometry: &ContactGeometry<'a>, normal: DVec3) -> Option<ContactGeometry<'a>> {
    let depth = even_depth(geometry, normal);
    let mean_depth = geometry.volume / geometry.gradient.dot(normal);
    let is_even = (depth - mean_depth).abs() <= PLANAR_FACE * depth;
    is_even.then(|| along(geometry, normal, depth))
}

/// The contact with a face that stands across the way of bodies that are apart: of a region ahead that is even along the direction in which they are, though its own
/// normal points elsewhere, as where they come farther in a step than the face is high. A kerb is no seam: it is higher than bodies are held in each other.
pub fn across_the_way<'a>(
    situation: &Situation<'_>,
    bodies: [u32; 2],
    ahead: Ahead<'_>,
    own: &ContactGeometry<'a>,
) -> Option<ContactGeometry<'a>> {
    let normal = -ahead.shift.toward;
    let is_aslant = own.normal.dot(normal) < MIN_COSINE;
    let is_higher = own.mean_depth > FLAT * target_depth(situation, bodies, own.area());
    let are_apart = || Apart::along(bodies.map(|ix| &situation.bodies[ix as usize]), normal).gap >= 0.0;
    (is_aslant && is_higher && are_apart()).then(|| evenly(own, normal)).flatten()
}

/// How deep an overlap is along a direction, if it is equally deep everywhere \[m\].
fn even_depth(geometry: &ContactGeometry<'_>, normal: DVec3) -> f64 {
    let variance = normal.dot(geometry.second_moment * normal) / geometry.volume;
    (12.0 * variance).max(0.0).sqrt()
}
