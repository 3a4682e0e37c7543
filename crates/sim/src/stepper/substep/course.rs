//! The way of the bodies through a step: drift, kick, and what acts.
//!
//! How long sub-steps are is planned before it is known what they meet. Where bodies turn out to hold each other by much more than that, as
//! where a world starts with bodies in each other, they are put back to where they were kicked last, bit for bit, and go on from there in
//! shorter sub-steps: nothing is ever kicked by more than its sub-step can carry.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;
use tactum_geometry::Pose;
use tactum_geometry::facets::{Candidates, Detail, Doubt, Query, Touch};

use super::bound::{self, Hold};
use super::end::SeenPatch;
use super::near::{Kept, Near, NearPair, mesh};
use super::stretch::Stretches;
use crate::law::StoredSubsteps;
use crate::law::facets::{self, Action, Motion, StoredFacets, StoredPatch};
use crate::motion::Drift;
use crate::question::{Answers, FacetsQuestion};
use crate::report::{FacetDoubts, PhaseTimes};
use crate::stepper::step::{Input, StepError};
use crate::world::rest::Rest;
use crate::{Body, BodyId, BodyKind, Settings};

/// How many times the phase that was planned for may be met before the sub-step is taken back and the rest of the step is planned anew.
pub const SURPRISE: f64 = 2.0;

/// Phase \[rad\] of sub-steps where a world starts with bodies pressed into each other.
///
/// The leapfrog keeps not the energy but one that is higher by `h² F²/(12 m)` at rest (Hairer, Lubich and Wanner 2006, section IX.3), which
/// is there in full at such a start and gone once the bodies have parted: of Hertz' energy 5/36 (ω h)², 6.3e-5 for two balls, whose
/// ω is root 2/7 of what [`bound`] takes it to be.
const START: f64 = 0.04;

/// How much longer sub-steps may be than those of the step before, after such a start and until nothing touches: a contact that outlasts
/// thirty steps has its phase bounded by those already.
const GROWTH: f64 = 1.05;

/// Pairs that touch from which on threads share them: fewer are done sooner than threads wake.
const SHARED: usize = 128;

/// Near pairs, of most of which but a few numbers are read, and bodies that drift, from which on threads share them.
const SHARED_PAIRS: usize = 4096;

/// A step under way.
#[derive(Clone, Debug)]
pub struct Course {
    /// The bodies where they are.
    pub bodies: Vec<Body>,
    /// Where their meshes are and how they move in the middle of the sub-step under way: side by side, as each pair reads of two bodies no
    /// more than this.
    poses: Vec<Pose>,
    motions: Vec<Motion>,
    /// What is remembered of each pair that touched when the bodies were kicked last, sorted.
    pub stored: Vec<StoredFacets>,
    /// What will be remembered after the next kick.
    touching: Vec<StoredFacets>,
    /// What was remembered before, whose memory is used again.
    forgotten: Vec<StoredFacets>,
    /// How easily each body gives way, see [`Near::lightness`].
    pub lightness: Vec<f64>,
    /// Length of the sub-step under way \[s\].
    pub length: f64,
    /// Where the bodies were kicked last, or the step began.
    kicked: Vec<Place>,
    /// What they had yet to move there before the sub-step under way \[s\].
    rest_of_last: f64,
    /// Time that the bodies have moved since they were kicked last, and had moved when the step began \[s\].
    pub since_kick: f64,
    before_step: f64,
    /// Phase that sub-steps may turn contacts by \[rad\].
    pub phase: f64,
    /// Whether nothing is known of what the bodies held each other by before this step.
    is_start: bool,
    /// Sub-steps that follow the one under way.
    pub n_left: u32,
    /// Sub-steps done.
    pub n_done: u32,
    /// How often bodies were deeper in each other than their candidates, or held each other by more than was planned for, so that a sub-step
    /// was asked about once more.
    pub n_redone: u32,
    is_done: bool,
    /// Who goes through several sub-steps by himself.
    pub stretches: Stretches,
    /// Pairs that were asked, by their places among the near ones.
    pub asked: Vec<usize>,
    /// What acts in the sub-step under way, pair by pair.
    pub actions: Vec<([u32; 2], Action)>,
    /// The patches of all sub-steps so far, sorted.
    pub seen: Vec<SeenPatch>,
    /// What was doubtful in any sub-step, sorted.
    pub doubts: Vec<FacetDoubts>,
    /// Wall times.
    pub times: PhaseTimes,
}

impl Course {
    /// The bodies at the start of a step.
    ///
    /// # Errors
    /// A body without rounded facets, joints, more pairs or sub-steps than a step may have.
    pub fn begin(input: &Input<'_>, near: &mut Near) -> Result<Self, StepError> {
        input.bodies.iter().try_for_each(|body| mesh(body).map(|_| ()))?;
        if let Some(joint) = input.joints.first() {
            return Err(StepError::JointsInSubsteps { joint: joint.name.clone(), law: "facets" });
        }
        let StoredSubsteps { length, phase, ref pairs } = input.memory.facets;
        let Settings { dt, gravity, substep_phase, .. } = *input.settings;
        let before_step = 0.5 * length;
        let mut course = Self {
            // Nothing sleeps here: what sleeps under another law wakes.
            bodies: input.bodies.iter().map(|body| Body { rest: Rest::default(), ..body.clone() }).collect(),
            poses: Vec::new(),
            motions: Vec::new(),
            stored: pairs.clone(),
            lightness: Vec::new(),
            touching: Vec::new(),
            forgotten: Vec::new(),
            length: input.settings.dt,
            kicked: Vec::new(),
            rest_of_last: 0.0,
            since_kick: before_step,
            before_step,
            phase: if phase > 0.0 { phase.min(substep_phase) } else { substep_phase },
            is_start: length == 0.0 && pairs.is_empty(),
            n_left: 0,
            n_done: 0,
            n_redone: 0,
            is_done: false,
            stretches: Stretches::default(),
            asked: Vec::new(),
            actions: Vec::new(),
            seen: Vec::new(),
            doubts: Vec::new(),
            times: PhaseTimes::default(),
        };
        course.kicked.extend(course.bodies.iter().map(Place::of));
        near.find(input, &course.bodies, &course.stored, dt)?;
        course.lightness = near.lightness();
        let holds = bound::predicted(near, &course.bodies, &course.stored, gravity, dt);
        let longest = bound::longest(holds, &course.lightness, course.phase);
        let (n, length) = course.plan(input.settings, dt, longest)?;
        (course.n_left, course.length) = (n - 1, length);
        Ok(course)
    }

    /// Whether the bodies are at the end of the step.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// How many sub-steps of which length a time \[s\] takes, of which the longest one may be as long as a pair allows.
    fn plan(
        &self,
        settings: &Settings,
        time: f64,
        (longest, pair): (f64, [u32; 2]),
    ) -> Result<(u32, f64), StepError> {
        let needed = (time / longest).ceil().max(1.0);
        let limit = f64::from(settings.max_substeps - self.n_done.min(settings.max_substeps));
        if needed > limit {
            let [a, b] = pair.map(|ix| self.bodies[ix as usize].name.clone());
            let needed = f64::from(self.n_done) + needed;
            return Err(StepError::TooManySubsteps { needed, limit: settings.max_substeps, a, b });
        }
        Ok((needed as u32, time / needed))
    }

    /// Drifts to the middle of the sub-step under way from where the bodies were kicked last.
    pub fn drift_to_middle(&mut self, input: &Input<'_>) {
        self.drift(input, self.rest_of_last + 0.5 * self.length);
        self.poses.clear();
        self.poses.extend(self.bodies.iter().map(Body::w_from_shape));
        self.motions.clear();
        let motion = |(body, inverse): (&Body, &DMat3)| Motion::of(body, inverse);
        self.motions.extend(self.bodies.iter().zip(input.inverse_inertias).map(motion));
    }

    /// Moves all bodies with their velocities for a time \[s\].
    fn drift(&mut self, input: &Input<'_>, time: f64) {
        let drift = |(body, inverse): (&mut Body, &DMat3)| {
            let twist = body.twist();
            let (place, angular) = Drift::of(body, inverse).after(&twist, time);
            (body.position, body.orientation, body.angular_velocity) =
                (place.origin, place.rotation, angular);
        };
        if self.bodies.len() < SHARED_PAIRS {
            self.bodies.iter_mut().zip(input.inverse_inertias).for_each(drift);
        } else {
            let bodies = self.bodies.par_iter_mut().with_min_len(SHARED_PAIRS / 8);
            bodies.zip(input.inverse_inertias).for_each(drift);
        }
        self.since_kick += time;
    }

    /// What is asked in the middle of the sub-step: all pairs with candidates, and those whose candidates hold no longer.
    pub fn questions(
        &mut self,
        input: &Input<'_>,
        near: &mut Near,
    ) -> Result<Vec<FacetsQuestion>, StepError> {
        near.update(input, &self.bodies, &self.stored, self.left())?;
        self.asked.clear();
        let awake = self.awake(near);
        let mut questions = Vec::with_capacity(awake.len());
        let mut remembered = Remembered(&self.stored);
        for (ix, candidates) in awake {
            if candidates.is_none() {
                near.widen_skin(ix, &self.bodies, self.length);
            }
            let pair = &near.pairs[ix];
            let poses = pair.bodies.map(|ix| self.poses[ix as usize]);
            self.asked.push(ix);
            questions.push(FacetsQuestion {
                bodies: pair.bodies.map(BodyId),
                candidates,
                margins: pair.margins,
                query: Query {
                    pressure: pair.law.pressure,
                    in_touch: remembered.of(pair.bodies).is_some(),
                    about: poses[0].translation,
                    detail: Detail::Patches,
                },
                meshes: pair.meshes.clone(),
                poses,
            });
        }
        Ok(questions)
    }

    /// The near pairs that may touch, and their candidates as far as these hold.
    fn awake(&self, near: &Near) -> Vec<(usize, Option<Arc<Candidates>>)> {
        let look = |ix: usize| match near.kept(ix, &self.bodies) {
            Kept::Apart => None,
            Kept::Holds(candidates) => Some((ix, Some(candidates))),
            Kept::Lost => Some((ix, None)),
        };
        let n = near.pairs.len();
        if n < SHARED_PAIRS {
            return (0..n).filter_map(look).collect();
        }
        (0..n).into_par_iter().with_min_len(SHARED_PAIRS / 8).filter_map(look).collect()
    }

    /// What is left of the step, from the middle of the sub-step under way \[s\].
    pub fn left(&self) -> f64 {
        self.length * (f64::from(self.n_left) + 0.5)
    }

    /// Takes over the answers; whether they are enough: bodies that have come deeper than candidates were looked for are asked again, and
    /// so are all where the sub-step was too long.
    ///
    /// # Errors
    /// Answers that are no such, or contacts so stiff that the rest of the step would take too many sub-steps.
    pub fn take(&mut self, input: &Input<'_>, near: &mut Near, answers: Answers) -> Result<bool, StepError> {
        let answers = answers.facets;
        if answers.len() != self.asked.len() {
            let (needed, found) = (self.asked.len(), answers.len());
            return Err(StepError::AnswerCount { needed, found });
        }
        let mut touches = Vec::with_capacity(answers.len());
        let mut is_enough = true;
        for (&ix, answer) in self.asked.iter().zip(&answers) {
            let touch = answer.touch.as_ref().map_err(|source| {
                let [a, b] = near.pairs[ix].bodies.map(|ix| self.bodies[ix as usize].name.clone());
                StepError::Facets { a, b, source: source.clone() }
            })?;
            near.keep(ix, answer.candidates.as_ref(), &self.bodies);
            is_enough &= touch.doubts.too_deep.n == 0 || !near.look_deeper(ix, &self.bodies);
            touches.push((ix, touch));
        }
        if is_enough {
            self.act(near, &touches);
            is_enough = !self.take_back(input)?;
        }
        if is_enough {
            self.note_doubts(near, &touches);
        } else {
            self.n_redone += 1;
        }
        Ok(is_enough)
    }

    /// Takes the sub-step back if the bodies hold each other by much more than was planned for; whether it did. They are then where they were
    /// kicked last, and go on in shorter ones.
    fn take_back(&mut self, input: &Input<'_>) -> Result<bool, StepError> {
        let holds = self.actions.iter().map(|(bodies, action)| Hold::of(*bodies, action));
        let (mut longest, pair) = bound::longest(holds, &self.lightness, self.phase);
        let is_first = self.is_start && self.n_done == 0;
        let is_pressed_start = is_first && self.phase > START && self.length > longest * START / self.phase;
        if self.length <= SURPRISE * longest && !is_pressed_start {
            return Ok(false);
        }
        if is_pressed_start {
            (longest, self.phase) = (longest * START / self.phase, START);
        }
        let time = self.length * f64::from(self.n_left + 1);
        let (n, length) = self.plan(input.settings, time, (longest, pair))?;
        (self.n_left, self.length) = (n - 1, length);
        self.bodies.iter_mut().zip(&self.kicked).for_each(|(body, place)| place.put(body));
        self.since_kick = if self.n_done == 0 { self.before_step } else { 0.0 };
        self.actions.clear();
        self.touching.clear();
        self.drift_to_middle(input);
        Ok(true)
    }

    fn note_doubts(&mut self, near: &Near, touches: &[(usize, &Touch)]) {
        for (ix, touch) in touches.iter().filter(|(_, touch)| !touch.doubts.is_empty()) {
            let bodies = near.pairs[*ix].bodies;
            let mut doubts = touch.doubts;
            if doubts.over_edges.n > 0 && !self.is_held_there_alone(near, touches, bodies) {
                doubts.over_edges = Doubt::default();
            }
            if !doubts.is_empty() {
                self.note(FacetDoubts { bodies: bodies.map(BodyId), doubts });
            }
        }
    }

    /// Whether all that is held of either body that can move is held by the other: of a body that goes from a face on to the next one, or to
    /// another body that is flush with it, nothing is missing.
    fn is_held_there_alone(&self, near: &Near, touches: &[(usize, &Touch)], bodies: [u32; 2]) -> bool {
        let holds = |body: u32| {
            let of_body = touches.iter().filter(|(ix, _)| near.pairs[*ix].bodies.contains(&body));
            of_body.map(|(_, touch)| touch.n_facets - touch.doubts.over_edges.n).sum::<usize>() > 0
        };
        let can_move = |body: &u32| self.bodies[*body as usize].kind == BodyKind::Dynamic;
        bodies.into_iter().filter(can_move).any(|body| !holds(body))
    }

    /// What acts at these touches.
    fn act(&mut self, near: &Near, touches: &[(usize, &Touch)]) {
        let mut remembered = Remembered(&self.stored);
        let touching = touches.iter().filter(|(_, touch)| !touch.patches.is_empty());
        let with_before = touching.map(|(ix, touch)| {
            let pair = &near.pairs[*ix];
            let before = remembered.of(pair.bodies).map_or(&[][..], |stored| &stored.patches);
            Acting { pair, touch, before }
        });
        let touching: Vec<Acting<'_>> = with_before.collect();
        let mut stored = std::mem::take(&mut self.forgotten);
        stored.resize_with(touching.len(), StoredFacets::default);
        let act = |(acting, stored): (&Acting<'_>, &mut StoredFacets)| self.act_on(acting, stored);
        let actions: Vec<_> = if touching.len() < SHARED {
            touching.iter().zip(&mut stored).map(act).collect()
        } else {
            touching.par_iter().zip(&mut stored).with_min_len(SHARED / 4).map(act).collect()
        };
        (self.actions, self.touching) = (actions, stored);
    }

    /// What acts on a pair of bodies that touch, and what is remembered of them then.
    fn act_on(&self, acting: &Acting<'_>, stored: &mut StoredFacets) -> ([u32; 2], Action) {
        let Acting { pair, touch, before } = *acting;
        let motions = pair.bodies.map(|ix| self.motions[ix as usize]);
        let w_from_a = &self.poses[pair.bodies[0] as usize];
        (stored.bodies, stored.deepest) = (pair.bodies, touch.deepest);
        let since_kick = self.since_kick;
        let action =
            facets::act(touch, w_from_a, motions, &pair.law, since_kick, before, &mut stored.patches);
        (pair.bodies, action)
    }

    fn note(&mut self, new: FacetDoubts) {
        match self.doubts.binary_search_by_key(&new.bodies, |known| known.bodies) {
            Ok(ix) => self.doubts[ix].take_worse(&new),
            Err(ix) => self.doubts.insert(ix, new),
        }
    }

    /// Kicks the bodies by all that acts, and drifts to the middle of the next sub-step or to the end of the step.
    pub fn kick_and_drift(&mut self, input: &Input<'_>) {
        self.kick(input);
        self.actions.clear();
        // What does not touch now is forgotten.
        std::mem::swap(&mut self.stored, &mut self.touching);
        std::mem::swap(&mut self.forgotten, &mut self.touching);
        self.touching.clear();
        self.n_done += 1;
        self.after_kick(input, self.n_left);
    }

    /// Drifts from the last kick to the middle of the next one of so many sub-steps, or to the end of the step.
    pub fn after_kick(&mut self, input: &Input<'_>, n_left: u32) {
        self.since_kick = 0.0;
        self.rest_of_last = 0.5 * self.length;
        let Some(n_after) = n_left.checked_sub(1) else {
            self.is_done = true;
            self.drift(input, self.rest_of_last);
            return;
        };
        self.n_left = n_after;
        self.kicked.clear();
        self.kicked.extend(self.bodies.iter().map(Place::of));
        self.drift_to_middle(input);
    }

    /// The phase that sub-steps of the next step are held to \[rad\], see [`StoredSubsteps::phase`].
    pub fn next_phase(&self, settings: &Settings) -> f64 {
        let grown = GROWTH * self.phase;
        // What was pressed has parted at the latest when nothing touches.
        if grown < settings.substep_phase && !self.stored.is_empty() { grown } else { 0.0 }
    }

    fn kick(&mut self, input: &Input<'_>) {
        let dt = self.length;
        let mut loads: Vec<Load> =
            self.bodies.iter().map(|body| Load { force: body.force, torque: body.torque }).collect();
        let mut at = 0;
        for ([a, b], action) in &self.actions {
            let origin = self.poses[*a as usize].translation;
            at = SeenPatch::note(&mut self.seen, at, [*a, *b], origin, &action.patches, dt);
            loads[*a as usize].add(-action.force, action.torques[0]);
            loads[*b as usize].add(action.force, action.torques[1]);
        }
        for ((body, load), inverse) in self.bodies.iter_mut().zip(loads).zip(input.inverse_inertias) {
            if body.kind == BodyKind::Dynamic {
                body.linear_velocity += dt * (input.settings.gravity + load.force / body.mass.mass);
                body.angular_velocity += dt * turn(body, inverse, load.torque);
            }
        }
    }
}

/// All that acts on a body in a sub-step, world axes.
struct Load {
    force: DVec3,
    torque: DVec3,
}

impl Load {
    fn add(&mut self, force: DVec3, torque: DVec3) {
        self.force += force;
        self.torque += torque;
    }
}

/// A pair that touches.
struct Acting<'a> {
    pair: &'a NearPair,
    /// How it does.
    touch: &'a Touch,
    /// What is remembered of it.
    before: &'a [StoredPatch],
}

/// What is remembered, sorted, of which pairs are looked up one after the other in their order.
struct Remembered<'a>(&'a [StoredFacets]);

impl<'a> Remembered<'a> {
    fn of(&mut self, bodies: [u32; 2]) -> Option<&'a StoredFacets> {
        while let [first, others @ ..] = self.0
            && first.bodies < bodies
        {
            self.0 = others;
        }
        self.0.first().filter(|first| first.bodies == bodies)
    }
}

/// What of a body changes while it drifts.
#[derive(Clone, Copy, Debug)]
struct Place {
    position: DVec3,
    orientation: DQuat,
    angular_velocity: DVec3,
}

impl Place {
    fn of(body: &Body) -> Self {
        let Body { position, orientation, angular_velocity, .. } = *body;
        Self { position, orientation, angular_velocity }
    }

    fn put(&self, body: &mut Body) {
        (body.position, body.orientation, body.angular_velocity) =
            (self.position, self.orientation, self.angular_velocity);
    }
}

/// Angular acceleration by a torque, world axes.
fn turn(body: &Body, inverse_inertia: &DMat3, torque: DVec3) -> DVec3 {
    body.orientation * (*inverse_inertia * (body.orientation.conjugate() * torque))
}
