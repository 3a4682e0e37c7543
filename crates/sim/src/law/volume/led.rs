//! Which pairs are measured where the solved velocities of a step lead them, and what of that no contact foresaw.

use glam::DVec3;
use tactum_geometry::overlap::OverlapKind;
use tactum_geometry::{Aabb, Overlap, Pose};

use crate::law::volume::assemble::Assembly;
use crate::law::volume::choose::target_depth;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::unforeseen::Unforeseen;
use crate::question::OverlapQuestion;
use crate::twist::Twist;
use crate::{Body, BodyId};

/// Where the solved velocities of a step lead its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Led<'a> {
    /// The bodies where contacts are measured next.
    pub bodies: &'a [Body],
    /// The solved velocities.
    pub twists: &'a [Twist],
}

impl Assembly<'_> {
    /// Which of these pairs are measured where they are led: not those that bounce off each other, which they do where and when they touch, nor
    /// those that are kept on their sides as a whole or were measured at the end of their way already, nor what hardly moves.
    pub fn pairs_to_follow(&self, mut pairs: Vec<[u32; 2]>, led: Led<'_>) -> Vec<[u32; 2]> {
        let is_told = |pair: &[u32; 2]| {
            let asked = self.pairs.binary_search_by_key(pair, |asked| asked.bodies).map(|ix| &self.pairs[ix]);
            asked.is_ok_and(|asked| asked.fast.is_some() || asked.onward.is_some())
        };
        pairs.retain(|pair| {
            let [from, to] = [self.situation.bodies, led.bodies].map(|of| pair.map(|ix| &of[ix as usize]));
            let held = target_depth(&self.situation, *pair, 0.0);
            self.situation.touch(*pair).restitution == 0.0 && !is_told(pair) && way(from, to) > held
        });
        pairs
    }

    /// What the contacts of the step did not foresee, of the overlaps `there` of the pairs that were followed: what has got deeper by more than contacts
    /// are held.
    pub fn unforeseen(&self, followed: &[[u32; 2]], led: Led<'_>, there: &[Overlap]) -> Vec<Unforeseen> {
        let mut found = Vec::new();
        for (&bodies, overlap) in followed.iter().zip(there) {
            let [from, to] =
                [self.situation.bodies, led.bodies].map(|of| bodies.map(|ix| of[ix as usize].w_from_shape()));
            let asked = self.pairs.binary_search_by_key(&bodies, |asked| asked.bodies);
            let now = asked.ok().and_then(|ix| PairOverlaps::of(&self.pairs[ix], self.answers).now);
            let now = now.map_or(&[][..], Overlap::regions);
            let held = target_depth(&self.situation, bodies, 0.0);
            let twists = bodies.map(|ix| led.twists[ix as usize]);
            let unforeseen = |region: &Overlap| {
                let place = Place::of(&region.bounds, &to);
                let before = now.iter().filter(|known| Place::of(&known.bounds, &from).meets(&place));
                let held = held + before.map(mean_depth).fold(held, f64::max);
                (region.kind == OverlapKind::Regular && mean_depth(region) > held).then(|| Unforeseen {
                    bodies,
                    region: region.clone(),
                    from,
                    to,
                    twists,
                    held,
                })
            };
            found.extend(overlap.regions().iter().filter_map(unforeseen));
        }
        found
    }
}

/// The questions of pairs that are followed.
pub fn follow(pairs: &[[u32; 2]], led: Led<'_>) -> Vec<OverlapQuestion> {
    let question = |pair: &[u32; 2]| {
        let bodies = pair.map(|ix| &led.bodies[ix as usize]);
        OverlapQuestion {
            bodies: pair.map(BodyId),
            shapes: bodies.map(|body| body.shape.clone()),
            poses: bodies.map(Body::w_from_shape),
            is_ahead: false,
        }
    };
    pairs.iter().map(question).collect()
}

/// How far a point of one of two bodies moves at most as seen from the other \[m\].
fn way(from: [&Body; 2], to: [&Body; 2]) -> f64 {
    let side = usize::from(from[1].shape.is_bounded());
    let seen = |bodies: [&Body; 2]| bodies[1 - side].w_from_shape().relative(&bodies[side].w_from_shape());
    let [from_then, to_then] = [seen(from), seen(to)];
    let radius = from[side].shape.own_aabb().corners().map(DVec3::length).into_iter().fold(0.0, f64::max);
    let sine_of_half = (to_then.rotation * from_then.rotation.conjugate()).xyz().length();
    to_then.translation.distance(from_then.translation) + 2.0 * sine_of_half * radius
}

/// Mean depth of a region; zero where it has no direction \[m\].
fn mean_depth(region: &Overlap) -> f64 {
    let area = region.gradient.length();
    if area > 0.0 { region.volume / area } else { 0.0 }
}

/// A ball about a region, as each of its two bodies sees it.
struct Place {
    middle: [DVec3; 2],
    radius: f64,
}

impl Place {
    /// That of a region with these bounds about the origin of A's shape, with the bodies at these poses.
    fn of(bounds: &Aabb, poses: &[Pose; 2]) -> Self {
        let middle = poses[0].translation + bounds.center();
        Self { middle: poses.map(|pose| pose.inverse().point(middle)), radius: 0.5 * bounds.diagonal() }
    }

    /// Whether two such balls meet, as one of the bodies sees it.
    fn meets(&self, other: &Self) -> bool {
        let near = |side: usize| self.middle[side].distance(other.middle[side]) <= self.radius + other.radius;
        near(0) || near(1)
    }
}
