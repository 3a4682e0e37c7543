//! Pairs of bodies that come near each other, and pairs of their facets that may touch.
//!
//! The pairs are found once for as long as every body stays within a reach of where its velocity leads it; the facets' candidates hold
//! while the bodies move less than a skin against each other. Neither decides anything but time: what does not touch adds
//! nothing to any sum. Whether a pair has to be looked at at all is told by how far its bodies have come and turned since its
//! candidates were found, sums of a few numbers of each body: of most pairs a sub-step reads nothing else, so these lie by themselves.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::facets::{Candidates, Margins, RoundedMesh};

use super::extent::Extent;
use crate::broad_phase::{self, TooManyPairs};
use crate::law::facets::{Elastic, PairElastic, StoredFacets};
use crate::motion::FreeMotion;
use crate::stepper::step::{Input, StepError};
use crate::{Body, BodyKind};

/// How far a body may stray from its straight way before pairs are looked for anew, as a part of its size.
const STRAY: f64 = 0.1;

/// How far two bodies may move against each other before candidates are looked for anew, at least, as a part of the smaller one's
/// size.
const SKIN: f64 = 0.002;

/// Sub-steps that candidates are to hold for as the bodies move. To look for them takes as long as some thirty answers, but the wider the skin the
/// more pairs of facets are looked at in vain on the way: balls that bounce at 0.5 and 0.05 m/s take 1.4 and 1.6 times as long with 32 sub-steps and
/// at least 0.01 of their size.
const KEPT: f64 = 8.0;

/// How deep spheres may be in each other for candidates to hold them, as a part of the smaller one's size. Doubled for a pair that
/// comes deeper.
const DEPTH: f64 = 0.01;

/// Pairs that come near each other.
#[derive(Clone, Debug, Default)]
pub struct Near {
    /// The pairs, sorted.
    pub pairs: Vec<NearPair>,
    /// Since when the candidates of each of them hold.
    since: Vec<Since>,
    /// Where each body was when they were found.
    seen: Vec<Seen>,
    /// Where each body was when it was looked at last, and how far it had come then.
    looks: Vec<Look>,
    ways: Vec<Way>,
    /// How often the ways were added to.
    n_looks: u64,
}

/// Two bodies that come near each other.
#[derive(Clone, Debug)]
pub struct NearPair {
    /// The bodies, the smaller index first.
    pub bodies: [u32; 2],
    /// Their meshes.
    pub meshes: [Arc<RoundedMesh>; 2],
    /// What they are to each other.
    pub law: PairElastic,
    /// Least sum of curvatures \[1/m\], at least that of the smaller body's size.
    pub curvature: f64,
    /// What candidates are looked for with.
    pub margins: Margins,
    /// Their facets' candidates.
    candidates: Option<Arc<Candidates>>,
}

/// A body where it was looked at last.
#[derive(Clone, Copy, Debug)]
struct Look {
    position: DVec3,
    orientation: DQuat,
}

/// How far a body has come since it was first looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Length of its centre's way from where it was looked at to where it was looked at next, and so on \[m\].
    shift: f64,
    /// The same of a point at a distance of one from the centre.
    turn: f64,
}

/// The ways of two bodies when their candidates were found; without any, no way is short enough.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    bodies: [u32; 2],
    ways: f64,
    n_looks: u64,
    /// How far from each body's centre anything of the ball about the smaller body may come before the candidates are lost \[m\].
    arms: [f64; 2],
    /// How far the smaller body has to move before facets touch or the candidates are lost, and before they are lost, at least \[m\].
    quiet: f64,
    held: f64,
}

/// Candidates that are kept, as far as it is known without a look at the facets.
#[derive(Clone, Debug)]
pub enum Kept {
    /// No pair of facets can touch.
    Apart,
    /// They hold.
    Holds(Arc<Candidates>),
    /// They have to be found.
    Lost,
}

/// A body when pairs were looked for.
#[derive(Clone, Copy, Debug)]
struct Seen {
    position: DVec3,
    velocity: DVec3,
    orientation: DQuat,
    /// Time left in the step then \[s\].
    left: f64,
    extent: Extent,
    /// How far it may have strayed \[m\].
    reach: f64,
}

/// The rounded mesh of a body.
pub fn mesh(body: &Body) -> Result<&Arc<RoundedMesh>, StepError> {
    body.rounded.as_ref().ok_or_else(|| StepError::NotRounded { body: body.name.clone() })
}

impl Near {
    /// Looks for pairs anew if any body has left its reach, or if there are none for these bodies; `left` is what is left of the step
    /// \[s\].
    pub fn update(
        &mut self,
        input: &Input<'_>,
        bodies: &[Body],
        stored: &[StoredFacets],
        left: f64,
    ) -> Result<(), StepError> {
        let looks = self.looks.iter_mut().zip(&mut self.ways);
        looks.zip(bodies).for_each(|((look, way), body)| look.go_on(body, way));
        self.n_looks += 1;
        let has_strayed = |(seen, body): (&Seen, &Body)| seen.has_lost(body, left);
        if self.seen.len() == bodies.len() && !self.seen.iter().zip(bodies).any(has_strayed) {
            return Ok(());
        }
        self.find(input, bodies, stored, left)
    }

    /// Looks for pairs anew.
    pub fn find(
        &mut self,
        input: &Input<'_>,
        bodies: &[Body],
        stored: &[StoredFacets],
        left: f64,
    ) -> Result<(), StepError> {
        self.find_around(input, bodies, stored, left, &[])
    }

    /// The same, of bodies that may besides come so far in any direction \[m\]; those that no way is given of, no farther than they stray.
    pub fn find_around(
        &mut self,
        input: &Input<'_>,
        bodies: &[Body],
        stored: &[StoredFacets],
        left: f64,
        ways: &[f64],
    ) -> Result<(), StepError> {
        let of = |body: &Body| FreeMotion::of(body, &DMat3::ZERO, DVec3::ZERO, left);
        let free: Vec<FreeMotion> = bodies.iter().map(of).collect();
        if self.ways.len() != bodies.len() {
            self.looks = bodies.iter().map(Look::at).collect();
            self.ways = vec![Way::default(); bodies.len()];
            self.pairs.clear();
            self.since.clear();
        }
        let extents: Vec<Extent> = if self.seen.len() == bodies.len() {
            self.seen.iter().map(|seen| seen.extent).collect()
        } else {
            bodies.iter().map(Extent::of).collect()
        };
        self.seen = bodies.iter().zip(extents).map(|(body, extent)| Seen::of(body, extent, left)).collect();
        let ways = ways.iter().copied().chain(std::iter::repeat(0.0));
        let reach: Vec<f64> = self.seen.iter().zip(ways).map(|(seen, way)| seen.reach.max(way)).collect();
        let broad = broad_phase::Input { bodies, free: &free, apart: input.apart, reach: &reach };
        let found = broad_phase::candidates(&broad).map_err(|TooManyPairs { found, limit }| {
            StepError::TooManyPairs { found, limit, n_bodies: bodies.len() }
        })?;
        let before = std::mem::take(&mut self.pairs);
        let since_before = std::mem::take(&mut self.since);
        self.pairs.reserve(found.len());
        self.since.reserve(found.len());
        for pair in found {
            let known = before.binary_search_by_key(&pair, |near| near.bodies);
            let (near, since) = match known {
                Ok(ix) => (before[ix].clone(), since_before[ix]),
                Err(_) => (NearPair::of(input, bodies, pair)?, Since::unknown(pair)),
            };
            self.pairs.push(near.looking_for_first_depth(bodies, stored));
            self.since.push(since);
        }
        Ok(())
    }
}

impl Near {
    /// How far any point of a pair's smaller body has moved as seen from the other one since some ways, at most \[m\]: no less than
    /// [`Candidates::moved`] finds, which goes by a ball about the body whose middle need not be the centre of mass.
    ///
    /// In the time between two looks a point x of it moves by its centre's shift and the chord of its turn; the other body, by its own
    /// shift and the chord of x about its centre.
    fn way_since(&self, since: &Since) -> f64 {
        let of = |i: usize| {
            let way = &self.ways[since.bodies[i] as usize];
            way.shift + since.arms[i] * way.turn
        };
        let ways = of(0) + of(1);
        // Each look may have rounded what was summed until then.
        let rounding = f64::EPSILON * ways * (self.n_looks - since.n_looks + 4) as f64;
        ways - since.ways + rounding
    }

    /// What is known of a pair's candidates.
    pub fn kept(&self, ix: usize, bodies: &[Body]) -> Kept {
        // The looser bound first: it takes no poses, and no look at the candidates.
        let since = &self.since[ix];
        let way = self.way_since(since);
        if way < since.quiet {
            return Kept::Apart;
        }
        let pair = &self.pairs[ix];
        let Some(candidates) = &pair.candidates else { return Kept::Lost };
        // Facets that touch or may do so at once: no way is too short for them.
        if since.quiet == 0.0 && way < since.held {
            return Kept::Holds(candidates.clone());
        }
        let [w_from_a, w_from_b] = pair.bodies.map(|ix| bodies[ix as usize].w_from_shape());
        let moved = candidates.moved(&w_from_a, &w_from_b);
        match candidates.holds_after(moved) {
            true if moved < candidates.least_wake() => Kept::Apart,
            true => Kept::Holds(candidates.clone()),
            false => Kept::Lost,
        }
    }

    /// Takes over the candidates with which a pair's touch was found, if it was.
    pub fn keep(&mut self, ix: usize, candidates: Option<&Arc<Candidates>>, bodies: &[Body]) {
        let Some(candidates) = candidates else {
            self.forget(ix);
            return;
        };
        let pair = &self.pairs[ix];
        if pair.candidates.as_ref().is_some_and(|known| Arc::ptr_eq(known, candidates)) {
            return;
        }
        let smaller = usize::from(!candidates.is_a_smaller());
        let body = &bodies[pair.bodies[smaller] as usize];
        let own = candidates.reach_from(body.w_from_shape().inverse().point(body.position));
        let [a, b] = pair.bodies.map(|ix| bodies[ix as usize].position);
        let mut arms = [own + a.distance(b) + candidates.margins().skin; 2];
        arms[smaller] = own;
        let held = candidates.margins().skin;
        let quiet = candidates.least_wake().min(held);
        let mut since = Since { bodies: pair.bodies, ways: 0.0, n_looks: self.n_looks, arms, quiet, held };
        since.ways = self.way_since(&since);
        (self.pairs[ix].candidates, self.since[ix]) = (Some(candidates.clone()), since);
    }

    /// Has a pair's candidates looked for when it is asked about next.
    fn forget(&mut self, ix: usize) {
        let pair = &mut self.pairs[ix];
        pair.candidates = None;
        self.since[ix] = Since::unknown(pair.bodies);
    }

    /// Looks for a pair's candidates twice as deep, unless that is deeper than the smaller body already; whether it is not.
    pub fn look_deeper(&mut self, ix: usize, bodies: &[Body]) -> bool {
        let pair = &mut self.pairs[ix];
        let [a, b] = pair.bodies.map(|ix| bodies[ix as usize].mean_side);
        let is_shallow = pair.margins.depth < a.min(b);
        if is_shallow {
            pair.margins.depth *= 2.0;
            self.forget(ix);
        }
        is_shallow
    }

    /// Widens a pair's skin to what the bodies move in [`KEPT`] sub-steps of this length \[s\], or to half of what is between them.
    pub fn widen_skin(&mut self, ix: usize, bodies: &[Body], length: f64) {
        let reach = self.pairs[ix].bodies.map(|ix| self.farthest(ix));
        let pair = &mut self.pairs[ix];
        let [a, b] = pair.bodies.map(|ix| &bodies[ix as usize]);
        let between = pair.between([a, b]);
        let turning = reach[0] * a.angular_velocity.length() + reach[1] * b.angular_velocity.length();
        let speed = (b.linear_velocity - a.linear_velocity).length() + turning;
        let least = SKIN * a.mean_side.min(b.mean_side);
        pair.margins.skin = least.max(KEPT * speed * length).max(0.5 * between);
    }

    /// Distance of the farthest vertex of a body from its centre of mass \[m\].
    pub fn farthest(&self, body: u32) -> f64 {
        self.seen[body as usize].extent.farthest
    }

    /// How easily each body gives way, see [`Extent::lightness`].
    pub fn lightness(&self) -> Vec<f64> {
        self.seen.iter().map(|seen| seen.extent.lightness).collect()
    }
}

impl Look {
    fn at(body: &Body) -> Self {
        Self { position: body.position, orientation: body.orientation }
    }

    /// Goes on to where the body is now, and adds that to its way.
    fn go_on(&mut self, body: &Body, way: &mut Way) {
        if body.kind == BodyKind::Static {
            return;
        }
        way.shift += body.position.distance(self.position);
        way.turn += 2.0 * (body.orientation * self.orientation.conjugate()).xyz().length();
        *self = Self::at(body);
    }
}

impl Since {
    /// Of two bodies without candidates.
    fn unknown(bodies: [u32; 2]) -> Self {
        Self { bodies, ..Self::default() }
    }
}

impl Seen {
    fn of(body: &Body, extent: Extent, left: f64) -> Self {
        let turned = extent.farthest * body.angular_velocity.length() * left;
        Self {
            position: body.position,
            velocity: body.linear_velocity,
            orientation: body.orientation,
            left,
            extent,
            reach: STRAY * body.mean_side + turned,
        }
    }

    /// Whether the body may be where it was not looked for; a step that has begun anew has more time left than before.
    fn has_lost(&self, body: &Body, left: f64) -> bool {
        if body.kind == BodyKind::Static {
            return false;
        }
        let gone = body.position - self.position - self.velocity * (self.left - left);
        let turned = 2.0 * (body.orientation * self.orientation.conjugate()).xyz().length();
        left > self.left || gone.length() + self.extent.farthest * turned > self.reach
    }
}

impl NearPair {
    /// What two bodies are to each other, with nothing known of their facets yet.
    pub fn of(input: &Input<'_>, bodies: &[Body], pair: [u32; 2]) -> Result<Self, StepError> {
        let both = pair.map(|ix| &bodies[ix as usize]);
        let meshes = [mesh(both[0])?.clone(), mesh(both[1])?.clone()];
        let elastic = both.map(|body| input.materials.elastic(body, input.settings));
        let law = PairElastic::new(
            elastic.map(|(young, poisson)| Elastic { young, poisson }),
            both.map(inverse_mass),
            input.materials.between(pair, both, input.settings),
            input.settings,
        );
        let size = both[0].mean_side.min(both[1].mean_side);
        let curvature: f64 = meshes.iter().map(|mesh| mesh.least_curvature()).sum();
        let curvature = curvature.max(size.recip());
        let margins = Margins { depth: DEPTH * size, gap: law.pressure.range(curvature), skin: SKIN * size };
        Ok(Self { bodies: pair, meshes, law, curvature, margins, candidates: None })
    }

    /// How far the bodies are from acting on each other at least, as the ball about the smaller one is from the box of the other one; negative where they may \[m\].
    pub fn between(&self, bodies: [&Body; 2]) -> f64 {
        let [(_, a), (_, b)] = self.meshes.each_ref().map(|mesh| mesh.ball());
        let [smaller, larger] = if a < b { [0, 1] } else { [1, 0] };
        let (middle, reach) = self.meshes[smaller].ball();
        let at = bodies[larger].w_from_shape().inverse().point(bodies[smaller].w_from_shape().point(middle));
        let around = self.meshes[larger].solid().aabb();
        let outside = at.distance(at.clamp(around.min, around.max));
        let bulges: f64 = self.meshes.iter().map(|mesh| mesh.greatest_bulge()).sum();
        outside - reach - bulges - self.margins.gap
    }

    /// The pair with the depth that is looked for first: by its size, and by twice the depth of what is remembered of it. What a step asks
    /// depends on nothing else that was in those before.
    fn looking_for_first_depth(self, bodies: &[Body], stored: &[StoredFacets]) -> Self {
        let [a, b] = self.bodies.map(|ix| &bodies[ix as usize]);
        let known = stored.binary_search_by_key(&self.bodies, |stored| stored.bodies);
        let deepest = known.map_or(0.0, |ix| stored[ix].deepest);
        let depth = (DEPTH * a.mean_side.min(b.mean_side)).max(2.0 * deepest);
        Self { margins: Margins { depth, ..self.margins }, ..self }
    }
}

/// 1 / mass; zero for a body that nothing can move.
fn inverse_mass(body: &Body) -> f64 {
    if body.kind == BodyKind::Dynamic { body.mass.mass.recip() } else { 0.0 }
}
