//! Meshes that are still apart, or no longer touch: how far, where and across which plane.
//!
//! What is measured ahead has been moved by as much as the step may bring it nearer, which is a hundred times as far as contacts are deep. From the
//! overlap there the gap can be told of a plane and corners, but not of what is curved or broken: its depth is not its height, and two feet
//! of an animal are one region. The nearest points of the two surfaces as they are have the gap between them, and the normal.

use glam::DVec3;
use tactum_geometry::Near;
use tactum_geometry::solid::nearest;

use crate::Body;
use crate::constants::TOUCHING;
use crate::law::Situation;
use crate::law::volume::bulging;
use crate::law::volume::choose::{Chosen, may_have_corners, surface_point, target_depth};
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::memory::StoredContact;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::rolling::{RoundSide, farthest};

/// The points of A and B that are nearest to each other about where they touched in the last step, relative to the origin of A's shape \[m\]; `None`
/// of shapes that are no meshes, where they touch, and where they cannot come together in the step, with their ways changed by `jolt` \[m\].
pub fn about_contact(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    contact: &StoredContact,
    jolt: f64,
) -> Option<[DVec3; 2]> {
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let free = pair.bodies.map(|ix| &situation.free[ix as usize]);
    let point = contact.place(situation.bodies);
    let moving = |body: &Body| body.linear_velocity + body.angular_velocity.cross(point - body.position);
    let gained: f64 = free.iter().map(|free| free.gained.length()).sum();
    let way = situation.settings.dt * moving(bodies[0]).distance(moving(bodies[1])) + gained;
    // What is as deep as contacts are held is about so wide, on a body as round as it is large.
    let size = bodies[0].mean_side.min(bodies[1].mean_side);
    let width = (target_depth(situation, pair.bodies, 0.0) * size).sqrt();
    let near = Near { place: point - pair.origin(situation.bodies), radius: way + width };
    let bulges: f64 = bodies.map(|body| body.bulge_near(point, near.radius)).iter().sum();
    let found = points(situation, pair, &near, way + jolt.min(size) + bulges);
    // Points that are nearest the other way round lie where the bodies are in each other.
    found.filter(|[on_a, on_b]| (*on_b - *on_a).dot(contact.normal) > 0.0)
}

/// The same of bodies that overlap in a region with B moved by `shift`.
pub fn about_region(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    region: &ContactGeometry<'_>,
    shift: DVec3,
) -> Option<[DVec3; 2]> {
    let half = 0.5 * shift;
    let radius = farthest(&region.polygon).hypot(region.extent) + half.length();
    points(situation, pair, &Near { place: region.point - half, radius }, shift.length())
}

fn points(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    near: &Near,
    within: f64,
) -> Option<[DVec3; 2]> {
    if !may_have_corners(situation.settings) {
        return None;
    }
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let [a, b] = bodies.map(|body| body.shape.solid());
    let found = nearest([a?, b?], &pair.poses(situation.bodies, DVec3::ZERO), near, within);
    // A gap that is all rounding has no normal.
    let rounding: f64 = bodies.map(|body| TOUCHING * body.shape.size()).iter().sum();
    found.filter(|[on_a, on_b]| on_a.distance(*on_b) > rounding)
}

/// The contact in two such points: where the surfaces that the meshes stand for face each other there, if they do, and otherwise as far apart as
/// the one that bulges out there is from the other as it is, as where these overlap.
pub fn in_points<'a>(situation: &Situation<'_>, pair: &PairOverlaps<'a>, points: [DVec3; 2]) -> Chosen<'a> {
    let held = target_depth(situation, pair.bodies, 0.0);
    let geometry = ContactGeometry::of_points(points, held * held);
    if let Some(facing) = bulging::facing(situation, pair, &geometry, DVec3::ZERO) {
        return facing;
    }
    let poses = pair.poses(situation.bodies, DVec3::ZERO);
    let on_surface = [0, 1].map(|side| {
        let body = &situation.bodies[pair.bodies[side] as usize];
        surface_point(body, &poses[side], side == 1, &geometry)
    });
    let (bulges, round) = match on_surface {
        [Some(on_a), None] => ((on_a.place - points[0]).dot(geometry.normal), [Some(on_a), None]),
        [None, Some(on_b)] => ((points[1] - on_b.place).dot(geometry.normal), [None, Some(on_b)]),
        _ => (0.0, [None; 2]),
    };
    let round = round.map(|point| point.map(RoundSide::of_surface));
    Chosen { depth: Some(geometry.extent + bulges), round, ..Chosen::new(geometry, DVec3::ZERO) }
}
