//! Pairs of bodies that come near each other, and pairs of their facets that may touch.
//!
//! The pairs are found once for as long as every body stays within a reach of where its velocity leads it; the facets' candidates hold
//! while the bodies move less than a skin against each other. Neither decides anything but time: what does not touch adds
//! nothing to any sum.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use tactum_geometry::facets::{Candidates, Margins, RoundedMesh};

use crate::broad_phase::{self, TooManyPairs};
use crate::law::facets::{Elastic, PairElastic};
use crate::motion::FreeMotion;
use crate::stepper::step::{Input, StepError};
use crate::{Body, BodyKind};

/// How far a body may stray from its straight way before pairs are looked for anew, as a part of its size.
const STRAY: f64 = 0.1;

/// How far two bodies may move against each other before candidates are looked for anew, at least, as a part of the smaller one's
/// size.
const SKIN: f64 = 0.01;

/// Sub-steps that candidates are to hold for as the bodies move: to look for them takes as long as some ten answers.
const KEPT: f64 = 8.0;

/// How deep spheres may be in each other for candidates to hold them, as a part of the smaller one's size. Doubled for a pair that
/// comes deeper.
const DEPTH: f64 = 0.01;

/// Pairs that come near each other.
#[derive(Clone, Debug, Default)]
pub struct Near {
    /// The pairs, sorted.
    pub pairs: Vec<NearPair>,
    /// Where each body was when they were found.
    seen: Vec<Seen>,
}

/// Two bodies that come near each other.
#[derive(Clone, Debug)]
pub struct NearPair {
    /// The bodies, the smaller index first.
    pub bodies: [u32; 2],
    /// What they are to each other.
    pub law: PairElastic,
    /// Least sum of curvatures \[1/m\], at least that of the smaller body's size.
    pub curvature: f64,
    /// What candidates are looked for with.
    pub margins: Margins,
    /// Their facets' candidates.
    pub candidates: Option<Arc<Candidates>>,
}

/// A body when pairs were looked for.
#[derive(Clone, Copy, Debug)]
struct Seen {
    position: DVec3,
    velocity: DVec3,
    orientation: DQuat,
    /// Time left in the step then \[s\].
    left: f64,
    /// Distance of its farthest vertex from its centre of mass \[m\].
    farthest: f64,
    /// How far it may have strayed \[m\].
    reach: f64,
}

/// The rounded mesh of a body.
pub fn mesh(body: &Body) -> Result<&Arc<RoundedMesh>, StepError> {
    body.rounded.as_ref().ok_or_else(|| StepError::NotRounded { body: body.name.clone() })
}

/// Distance of the farthest vertex of a body from its centre of mass \[m\].
pub fn farthest(body: &Body) -> f64 {
    let Some(mesh) = &body.rounded else { return 0.0 };
    let vertices = &mesh.solid().mesh().vertices;
    vertices.iter().map(|vertex| vertex.distance_squared(body.mass.center)).fold(0.0, f64::max).sqrt()
}

impl Near {
    /// Looks for pairs anew if any body has left its reach, or if there are none for these bodies; `left` is what is left of the step
    /// \[s\].
    pub fn update(&mut self, input: &Input<'_>, bodies: &[Body], left: f64) -> Result<(), StepError> {
        let has_strayed = |(seen, body): (&Seen, &Body)| seen.has_lost(body, left);
        if self.seen.len() == bodies.len() && !self.seen.iter().zip(bodies).any(has_strayed) {
            return Ok(());
        }
        self.find(input, bodies, left)
    }

    /// Looks for pairs anew.
    pub fn find(&mut self, input: &Input<'_>, bodies: &[Body], left: f64) -> Result<(), StepError> {
        let of = |body: &Body| FreeMotion::of(body, &DMat3::ZERO, DVec3::ZERO, left);
        let free: Vec<FreeMotion> = bodies.iter().map(of).collect();
        self.seen = bodies.iter().map(|body| Seen::of(body, left)).collect();
        let reach: Vec<f64> = self.seen.iter().map(|seen| seen.reach).collect();
        let broad = broad_phase::Input { bodies, free: &free, apart: input.apart, reach: &reach };
        let found = broad_phase::candidates(&broad).map_err(|TooManyPairs { found, limit }| {
            StepError::TooManyPairs { found, limit, n_bodies: bodies.len() }
        })?;
        let before = std::mem::take(&mut self.pairs);
        self.pairs.reserve(found.pairs.len());
        for pair in found.pairs {
            let known = before.binary_search_by_key(&pair, |near| near.bodies);
            self.pairs.push(match known {
                Ok(ix) => before[ix].looking_for_first_depth(pair.map(|ix| &bodies[ix as usize])),
                Err(_) => NearPair::of(input, bodies, pair)?,
            });
        }
        Ok(())
    }
}

impl Seen {
    fn of(body: &Body, left: f64) -> Self {
        let farthest = farthest(body);
        let turned = farthest * body.angular_velocity.length() * left;
        Self {
            position: body.position,
            velocity: body.linear_velocity,
            orientation: body.orientation,
            left,
            farthest,
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
        left > self.left || gone.length() + self.farthest * turned > self.reach
    }
}

impl NearPair {
    /// What two bodies are to each other, with nothing known of their facets yet.
    pub fn of(input: &Input<'_>, bodies: &[Body], pair: [u32; 2]) -> Result<Self, StepError> {
        let both = pair.map(|ix| &bodies[ix as usize]);
        let meshes = [mesh(both[0])?, mesh(both[1])?];
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
        Ok(Self { bodies: pair, law, curvature, margins, candidates: None })
    }
}

impl NearPair {
    /// The pair with the depth that is looked for first: what a step asks does not depend on how deep bodies came in those before.
    fn looking_for_first_depth(&self, [a, b]: [&Body; 2]) -> Self {
        let margins = Margins { depth: DEPTH * a.mean_side.min(b.mean_side), ..self.margins };
        Self { margins, ..self.clone() }
    }

    /// Widens the skin to what the bodies move in [`KEPT`] sub-steps of this length \[s\], or to half of what is between them.
    pub fn widen_skin(&mut self, [a, b]: [&Body; 2], length: f64) {
        let reach = [farthest(a), farthest(b)];
        let turning = reach[0] * a.angular_velocity.length() + reach[1] * b.angular_velocity.length();
        let speed = (b.linear_velocity - a.linear_velocity).length() + turning;
        let between = b.position.distance(a.position) - reach[0] - reach[1] - self.margins.gap;
        let least = SKIN * a.mean_side.min(b.mean_side);
        self.margins.skin = least.max(KEPT * speed * length).max(0.5 * between);
    }
}

/// 1 / mass; zero for a body that nothing can move.
pub fn inverse_mass(body: &Body) -> f64 {
    if body.kind == BodyKind::Dynamic { body.mass.mass.recip() } else { 0.0 }
}
