//! Where bodies come to touch on their way, and whether they come farther in a step than one of them may get into the other before it
//! is no longer clear on which side it came in.
//!
//! Boxes along the world's axes say too little of it: those of a wall that stands askew, or of a bin, and of a ball in front of it
//! overlap all the time. So the smaller body's centre looks along its way for the surface that it comes to; the plane that touches the
//! surface there tells how far apart the bodies are, and the way through how thick the wall is.

use glam::DVec3;
use tactum_geometry::Ray;

use crate::law::Situation;
use crate::law::volume::overlaps::PairAsked;
use crate::report::FastPair;
use crate::{Body, BodyId};

/// How a pair comes to touch on its way.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// How far apart the bodies are across the surface \[m\]; negative where one reaches beyond its plane.
    pub gap: f64,
    /// From B to A across the surface; unit, world axes.
    pub toward: DVec3,
    /// How far B moves against A \[m\].
    pub motion: DVec3,
    /// Half the thickness of the thinner body, of a mesh where it is met \[m\].
    pub depth: f64,
}

/// Distance between the rays that show how a surface lies, as a part of the smaller body's size: far above rounding, and far below
/// what is seen of a face. No unit.
const SPREAD: f64 = 1e-3;

impl Passage {
    /// How two bodies come to touch; `None` where they do not move against each other, or the smaller body's centre goes past the other.
    pub fn of(situation: &Situation<'_>, pair: [u32; 2]) -> Option<Self> {
        let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
        let depth = bodies.map(half_thickness).into_iter().fold(f64::INFINITY, f64::min);
        let is_b = bodies[1].mean_side <= bodies[0].mean_side;
        let [small, other] = if is_b { [1, 0] } else { [0, 1] };
        let motion = motion(situation, pair[small], pair[other]);
        let along = motion.try_normalize()?;
        let Ahead { distance, normal, thickness } = surface_ahead(bodies[other], bodies[small], along)?;
        // The surface faces the body that comes.
        let reach = bodies[small].farthest(-normal);
        let gap = distance * -normal.dot(along) - reach;
        let depth = depth.min(0.5 * thickness);
        let (toward, motion) = if is_b { (-normal, motion) } else { (normal, -motion) };
        Some(Self { gap, toward, motion, depth })
    }

    /// Whether the bodies are on either side of the surface, if not deep in it: a bolt reaches beyond the flanks of its nut.
    pub fn is_outside(&self) -> bool {
        self.gap >= -self.depth
    }

    /// How many times as far the bodies come nearer as half the thinner one is thick, where one would get deeper than that into the other.
    pub fn fast(&self) -> Option<f64> {
        let closing = self.motion.dot(self.toward);
        (closing > self.gap.max(0.0) + self.depth).then(|| closing / self.depth)
    }
}

/// Half the thickness of a body's own box where that is thinnest \[m\].
pub fn half_thickness(body: &Body) -> f64 {
    body.shape.own_aabb().half_size().min_element()
}

/// How far the centre of a body moves in the step as seen from another, which may turn \[m\].
fn motion(situation: &Situation<'_>, body: u32, seen_from: u32) -> DVec3 {
    let [body, other] = [body, seen_from].map(|ix| ix as usize);
    let arm = situation.bodies[body].position - situation.bodies[other].position;
    let turning = situation.settings.dt * situation.free[other].twist.angular.cross(arm);
    situation.free[body].displacement - situation.free[other].displacement - turning
}

/// The surface that a body's centre comes to.
struct Ahead {
    /// How far it is along the way \[m\].
    distance: f64,
    /// Its outward normal, world axes.
    normal: DVec3,
    /// How thick a mesh is there, across the surface \[m\]; infinite for other shapes.
    thickness: f64,
}

/// What the centre of a body comes to of another in a direction; `None` where there is nothing.
fn surface_ahead(other: &Body, body: &Body, direction: DVec3) -> Option<Ahead> {
    let pose = other.w_from_shape();
    let across = direction.any_orthonormal_pair();
    let spread = SPREAD * body.shape.size();
    let hit = |aside: DVec3| {
        let ray = Ray { origin: body.position + spread * aside, direction };
        other.shape.ray(&ray.seen_from(&pose)).map(|distance| (distance, ray.at(distance)))
    };
    let (distance, middle) = hit(DVec3::ZERO)?;
    let [(_, a), (_, b)] = [hit(across.0)?, hit(across.1)?];
    let normal = (a - middle).cross(b - middle).try_normalize()?;
    let normal = if normal.dot(direction) < 0.0 { normal } else { -normal };
    // Along the way it may go in and out at an edge. A way across that these rays could not tell from none is none.
    let through = other.shape.exit(&Ray { origin: middle, direction: -normal }.seen_from(&pose));
    let thickness = through.filter(|way| *way > spread).unwrap_or(f64::INFINITY);
    Some(Ahead { distance, normal, thickness })
}

/// The fast pairs among those that were asked.
pub fn fast_pairs(pairs: &[PairAsked]) -> Vec<FastPair> {
    let fast = |asked: &PairAsked| Some(FastPair { bodies: asked.bodies.map(BodyId), way: asked.fast? });
    pairs.iter().filter_map(fast).collect()
}
