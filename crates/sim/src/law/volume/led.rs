//! Which pairs are measured where the solved velocities of a step lead them, and what of that no contact foresaw.

use glam::DVec3;
use tactum_geometry::{Aabb, Overlap};

use crate::law::Situation;
use crate::law::volume::assemble::Assembly;
use crate::law::volume::bulging;
use crate::law::volume::choose::{Chosen, target_depth};
use crate::law::volume::curved;
use crate::law::volume::fast::half_thickness;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::memory;
use crate::law::volume::overlaps::{PairAsked, PairOverlaps};
use crate::law::volume::rolling::{self, RoundSide};
use crate::law::volume::unforeseen::{Surface, Unforeseen};
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
    /// How far they go besides, with their positions corrected \[m, rad\].
    pub besides: &'a [Twist],
}

impl Assembly<'_> {
    /// Which of these pairs are measured where they are led: not those that bounce off each other, which they do where and when they touch, nor
    /// those that could pass each other and are kept on their sides as a whole, nor what hardly moves.
    pub fn pairs_to_follow(&self, mut pairs: Vec<[u32; 2]>, led: Led<'_>) -> Vec<[u32; 2]> {
        pairs.retain(|pair| {
            let [from, to] = [self.situation.bodies, led.bodies].map(|of| pair.map(|ix| &of[ix as usize]));
            let held = target_depth(&self.situation, *pair, 0.0);
            let half = from.map(half_thickness).into_iter().fold(f64::INFINITY, f64::min);
            let way = way(from, to);
            let may_pass = self.asked_of(*pair).is_some_and(|asked| asked.fast.is_some() && way > half);
            self.situation.touch(*pair).restitution == 0.0 && !may_pass && way > held
        });
        pairs
    }

    /// What was asked of a pair, if anything.
    fn asked_of(&self, bodies: [u32; 2]) -> Option<&PairAsked> {
        self.pairs.binary_search_by_key(&bodies, |asked| asked.bodies).ok().map(|ix| &self.pairs[ix])
    }

    /// What the contacts of the step did not foresee, of the overlaps `there` of the pairs that were followed.
    pub fn unforeseen(&self, followed: &[[u32; 2]], led: Led<'_>, there: &[Overlap]) -> Vec<Unforeseen> {
        let pairs = followed.iter().zip(there);
        pairs.flat_map(|(&bodies, overlap)| self.unforeseen_of(bodies, led, overlap)).collect()
    }

    /// That of a pair, of its overlap `there`: what has got deeper by more than contacts are held. Of smooth surfaces that go on touching or slide on each
    /// other facets tell no more than to within what these bulge out of them.
    fn unforeseen_of(&self, bodies: [u32; 2], led: Led<'_>, there: &Overlap) -> Vec<Unforeseen> {
        let later = Assembly { situation: Situation { bodies: led.bodies, ..self.situation }, ..*self };
        let as_asked = self.asked_of(bodies).map(|asked| PairOverlaps::of(asked, self.answers));
        let onward = as_asked.and_then(|pair| pair.onward);
        let seen = |overlap| PairOverlaps { onward, ..PairOverlaps::now(bodies, overlap) };
        let now = as_asked.and_then(|pair| pair.now);
        let known = now.map_or(&[][..], Overlap::regions);
        let [from, to] = [self.situation.bodies, led.bodies].map(|of| bodies.map(|ix| &of[ix as usize]));
        let is_touching = !memory::of_pair(&self.situation.memory.contacts, bodies).is_empty();
        let held = target_depth(&self.situation, bodies, 0.0);
        let regions = there.regions();
        let of_region = |(ix, region): (usize, &Overlap)| {
            let (surface, depth) = later.touching(&seen(there), regions, ix)?;
            // What is round slides in a hollow along a shell, whose mean normal and depth are none of its own.
            if is_touching && surface.rolls() && region.flatness().is_shell() && surface.depth.is_none() {
                return None;
            }
            let place = Place::of(&region.bounds, to);
            // What has no direction is led out by what acts on it as a whole.
            let depth_before = |ix: usize| Some(self.touching(&seen(now?), known, ix)?.1);
            let meets = |ix: &usize| Place::of(&known[*ix].bounds, from).meets(&place);
            let before = (0..known.len()).filter(meets).map(depth_before);
            let before = before.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max);
            // What lies along a line is known better than its facets.
            let rolls_on = surface.depth.is_some() && !surface.is_line() && (before.is_some() || is_touching);
            let bulges = if rolls_on || onward.is_some() { place.bulges(to) } else { 0.0 };
            let held = held + before.map_or(held, |before| before.max(held)) + bulges;
            (depth > held).then(|| Unforeseen {
                bodies,
                region: region.clone(),
                ways: ways(&surface, from, to),
                way_of_origin: to[0].w_from_shape().translation - from[0].w_from_shape().translation,
                twists: bodies.map(|ix| led.twists[ix as usize]),
                besides: bodies.map(|ix| led.besides[ix as usize]),
                held,
                surface,
            })
        };
        regions.iter().enumerate().filter_map(of_region).collect()
    }

    /// How the bodies of a pair touch in a region where they are, and how deep that is, on average or where they touch in a point \[m\]; `None` where
    /// it has no direction.
    fn touching(
        &self,
        pair: &PairOverlaps<'_>,
        regions: &[Overlap],
        region: usize,
    ) -> Option<(Surface, f64)> {
        let geometry = ContactGeometry::of(&regions[region])?;
        let facing = bulging::facing(&self.situation, pair, &geometry, DVec3::ZERO);
        let flank = || pair.onward.and_then(|_| curved::of(&regions[region]));
        let flank = || flank().map(|flank| Chosen::new(flank, DVec3::ZERO));
        let Chosen { geometry, depth, round, .. } = facing.or_else(flank).unwrap_or_else(|| {
            let poses = pair.poses(self.situation.bodies, DVec3::ZERO);
            let shape = |side: usize| &self.situation.bodies[pair.bodies[side] as usize].shape;
            let round = [0, 1].map(|side| RoundSide::of(shape(side), &poses[side], &geometry));
            Chosen { round, ..Chosen::new(geometry, DVec3::ZERO) }
        });
        let geometry = rolling::centered(geometry, &round);
        let ContactGeometry { normal, point, pitch, mean_depth, .. } = geometry;
        // What is round there rolls on its point or line, whatever shell the overlap is.
        let is_point = round == [None; 2] && curved::is_point(regions, region);
        Some((Surface { normal, point, pitch, depth, round, is_point }, depth.unwrap_or(mean_depth)))
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

/// See [`Unforeseen::ways`].
fn ways(surface: &Surface, from: [&Body; 2], to: [&Body; 2]) -> [DVec3; 2] {
    let at = to[0].w_from_shape().translation + surface.point;
    [0, 1].map(|side| match surface.rolls() {
        true => to[side].position - from[side].position,
        false => at - from[side].w_from_shape().point(to[side].w_from_shape().inverse().point(at)),
    })
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

/// A ball about a region.
struct Place {
    /// Its middle in the world \[m\].
    middle: DVec3,
    /// The same as each of the two bodies sees it \[m\].
    seen: [DVec3; 2],
    radius: f64,
}

impl Place {
    /// That of a region with these bounds about the origin of A's shape.
    fn of(bounds: &Aabb, bodies: [&Body; 2]) -> Self {
        let poses = bodies.map(Body::w_from_shape);
        let middle = poses[0].translation + bounds.center();
        let seen = poses.map(|pose| pose.inverse().point(middle));
        Self { middle, seen, radius: 0.5 * bounds.diagonal() }
    }

    /// Whether two such balls meet, as one of the bodies sees it.
    fn meets(&self, other: &Self) -> bool {
        let near = |side: usize| self.seen[side].distance(other.seen[side]) <= self.radius + other.radius;
        near(0) || near(1)
    }

    /// How far the surfaces that the bodies stand for bulge out of their facets there, together \[m\].
    fn bulges(&self, bodies: [&Body; 2]) -> f64 {
        bodies.iter().map(|body| body.bulge_near(self.middle, self.radius)).sum()
    }
}
