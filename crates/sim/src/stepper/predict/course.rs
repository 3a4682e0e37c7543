//! The way of the bodies through a step: predicted, asked about, corrected.

use std::sync::Arc;

use glam::{DMat3, DVec3};
use tactum_geometry::passage::{Matter, Motion, Passage, Tracks, Wanted};
use tactum_geometry::{Aabb, Pose, Shape};

use super::bound;
use super::end::SeenPair;
use super::shown::PenaltyDetail;
use crate::broad_phase::{self, TooManyPairs};
use crate::law::continuous_penalty::{
    Contact, Mover, PairPenalty, Springs, StoredPassage, StoredPassages, Way, act, contacts, resist, work,
};
use crate::motion::{Drift, FreeMotion};
use crate::question::PassageQuestion;
use crate::report::PhaseTimes;
use crate::settings::PenaltyTime;
use crate::stepper::step::{Input, StepError};
use crate::world::rest::Rest;
use crate::{Body, BodyId, BodyKind};

/// Part by which a sub-step may be longer than contacts ask for: rounding of what was planned by the same contacts.
const SLACK: f64 = 1e-9;

/// A step under way.
#[derive(Clone, Debug)]
pub struct Course {
    /// The bodies at the start of the sub-step under way.
    pub bodies: Vec<Body>,
    /// What is in what then.
    pub stored: StoredPassages,
    /// Length of the sub-step under way \[s\].
    length: f64,
    /// What is left of the step at its start \[s\].
    left: f64,
    /// Sub-steps done.
    pub n_done: u32,
    is_last: bool,
    is_done: bool,
    /// The bodies as forces and, once known, contacts move them.
    movers: Vec<Mover>,
    /// Where they go: as predicted, or as corrected.
    ends: Vec<Body>,
    is_corrected: bool,
    /// Pairs that were asked.
    asked: Vec<[u32; 2]>,
    /// What is in what after the motion as far as it is known.
    found: Vec<StoredPassage>,
    /// Contacts of all sub-steps so far, sorted.
    pub seen: Vec<SeenPair>,
    /// What their features did, for viewers.
    pub shown: Vec<PenaltyDetail>,
    /// Wall times.
    pub times: PhaseTimes,
}

/// What a body is for a passage.
fn matter(body: &Body) -> Result<Matter, StepError> {
    match (&body.shape, &body.surface) {
        (_, Some(surface)) => Ok(Matter::Surface(Arc::clone(surface))),
        (Shape::HalfSpace, None) => Ok(Matter::HalfSpace),
        _ => Err(StepError::NoSurface { body: body.name.clone() }),
    }
}

/// How far a vertex of a body is from its centre of mass at most \[m\].
fn farthest(body: &Body) -> f64 {
    body.surface.as_ref().map_or(0.0, |surface| {
        let (middle, radius) = surface.ball();
        middle.distance(body.mass.center) + radius
    })
}

impl Course {
    /// The bodies at the start of a step.
    ///
    /// # Errors
    /// A body without a surface, joints, or more sub-steps than a step may have.
    pub fn begin(input: &Input<'_>) -> Result<Self, StepError> {
        input.bodies.iter().try_for_each(|body| matter(body).map(|_| ()))?;
        if let Some(joint) = input.joints.first() {
            return Err(StepError::JointsInSubsteps { joint: joint.name.clone(), law: "continuous_penalty" });
        }
        let mut course = Self {
            // Nothing sleeps here: what sleeps under another law wakes.
            bodies: input.bodies.iter().map(|body| Body { rest: Rest::default(), ..body.clone() }).collect(),
            stored: input.memory.passages.clone(),
            length: input.settings.dt,
            left: input.settings.dt,
            n_done: 0,
            is_last: true,
            is_done: false,
            movers: Vec::new(),
            ends: Vec::new(),
            is_corrected: false,
            asked: Vec::new(),
            found: Vec::new(),
            seen: Vec::new(),
            shown: Vec::new(),
            times: PhaseTimes::default(),
        };
        let pair = course.stored.pairs.first().map_or([0, 0], |pair| pair.bodies);
        course.plan(input, course.stored.rate, pair)?;
        course.predict(input);
        Ok(course)
    }

    /// Whether the bodies are at the end of the step.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Divides what is left into sub-steps as short as two bodies ask for, by so many a second.
    fn plan(&mut self, input: &Input<'_>, rate: f64, stiffest: [u32; 2]) -> Result<(), StepError> {
        let needed = (self.left * rate / (1.0 + SLACK)).ceil().max(1.0);
        let limit = input.settings.max_substeps;
        let whole = f64::from(self.n_done) + needed;
        if whole > f64::from(limit) {
            let [a, b] = stiffest.map(|ix| self.bodies[ix as usize].name.clone());
            return Err(StepError::TooManySubsteps { needed: whole, limit, a, b });
        }
        self.is_last = needed <= 1.0;
        self.length = self.left / needed;
        Ok(())
    }

    /// Moves the bodies by all forces but contacts.
    fn predict(&mut self, input: &Input<'_>) {
        let (gravity, h) = (input.settings.gravity, self.length);
        let mover = |(body, inverse): (&Body, &DMat3)| {
            let mut twist = body.twist();
            let turn = DMat3::from_quat(body.orientation);
            let inverse_inertia = turn * *inverse * turn.transpose();
            let is_movable = body.kind == BodyKind::Dynamic;
            if is_movable {
                twist.linear += h * (gravity + body.force / body.mass.mass);
                twist.angular += h * (inverse_inertia * body.torque);
            }
            let inverse_mass = if is_movable { body.mass.mass.recip() } else { 0.0 };
            Mover { twist, inverse_mass, inverse_inertia, is_pushed: false }
        };
        self.movers = self.bodies.iter().zip(input.inverse_inertias).map(mover).collect();
        self.is_corrected = false;
        self.found.clear();
        self.go(input);
    }

    /// Goes from the start of the sub-step with the velocities that the bodies have now.
    fn go(&mut self, input: &Input<'_>) {
        let go = |((body, inverse), mover): ((&Body, &DMat3), &Mover)| {
            let (place, angular) = Drift::of(body, inverse).after(&mover.twist, self.length);
            let mut end = body.clone();
            (end.position, end.orientation) = (place.origin, place.rotation);
            (end.linear_velocity, end.angular_velocity) = (mover.twist.linear, angular);
            end
        };
        self.ends = self.bodies.iter().zip(input.inverse_inertias).zip(&self.movers).map(go).collect();
    }

    fn motion(&self, ix: u32) -> Motion {
        let pose = |bodies: &[Body]| -> Pose { bodies[ix as usize].w_from_shape() };
        Motion { start: pose(&self.bodies), end: pose(&self.ends) }
    }

    /// What is asked: of the predicted motion the penalty, of the corrected one what is in what.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn questions(&mut self, input: &Input<'_>) -> Result<Vec<PassageQuestion>, StepError> {
        let is_instant = input.settings.penalty == PenaltyTime::Instant;
        self.asked.clear();
        if self.is_corrected && is_instant {
            return Ok(Vec::new());
        }
        let wanted = match (self.is_corrected, is_instant) {
            (true, _) => Wanted::Tracks,
            (false, false) => Wanted::Penalty,
            (false, true) => Wanted::Instant,
        };
        let mut pairs = self.near(input)?;
        if !self.is_corrected
            && let Some((rate, fastest)) = self.turning(&pairs)
        {
            self.plan(input, rate, fastest)?;
            self.predict(input);
            pairs = self.near(input)?;
        }
        let mut questions = Vec::new();
        for pair in pairs {
            let matter = [matter(&self.bodies[pair[0] as usize])?, matter(&self.bodies[pair[1] as usize])?];
            // What is behind a plane is in it, whatever was before; and who is not pushed goes as predicted.
            let is_plane = matter.iter().any(|matter| matches!(matter, Matter::HalfSpace));
            let is_pushed = pair.iter().any(|ix| self.movers[*ix as usize].is_pushed);
            if self.is_corrected && (is_plane || !is_pushed) {
                continue;
            }
            let tracks = (!is_instant && self.stored.knows(pair)).then(|| Arc::new(self.tracks(pair)));
            let motions = pair.map(|ix| self.motion(ix));
            self.asked.push(pair);
            questions.push(PassageQuestion { bodies: pair.map(BodyId), matter, motions, tracks, wanted });
        }
        Ok(questions)
    }

    fn tracks(&self, pair: [u32; 2]) -> Tracks {
        let known = self.stored.pairs.binary_search_by_key(&pair, |stored| stored.bodies);
        known.map_or_else(|_| Tracks::default(), |ix| self.stored.pairs[ix].tracks.clone())
    }

    /// Work that two bodies have done against their springs \[J\]; `begun` is what they have in them where nothing was known. What a plane's
    /// springs have in them depths alone tell.
    fn account(&self, bodies: [u32; 2], begun: f64) -> f64 {
        if bodies.iter().any(|ix| self.bodies[*ix as usize].surface.is_none()) {
            return f64::INFINITY;
        }
        let known = self.stored.pairs.binary_search_by_key(&bodies, |stored| stored.bodies);
        begun + known.map_or(0.0, |ix| self.stored.pairs[ix].work)
    }

    /// Pairs of bodies whose boxes meet on their ways, and those that are in each other.
    fn near(&self, input: &Input<'_>) -> Result<Vec<[u32; 2]>, StepError> {
        let mut free = Vec::with_capacity(self.bodies.len());
        let mut reach = Vec::with_capacity(self.bodies.len());
        for (ix, (start, end)) in (0..).zip(self.bodies.iter().zip(&self.ends)) {
            let displacement = end.position - start.position;
            free.push(FreeMotion { displacement, ..FreeMotion::of(start, &DMat3::ZERO, DVec3::ZERO, 0.0) });
            // The chord of the farthest vertex; what turns far may be beside where it ends.
            let chord = 2.0 * (start.orientation.conjugate() * end.orientation).xyz().length();
            let chord = if self.turned_far(ix).is_some() { 2.0 } else { chord };
            reach.push(chord * farthest(start));
        }
        let broad =
            broad_phase::Input { bodies: &self.bodies, free: &free, apart: input.apart, reach: &reach };
        let mut pairs = broad_phase::candidates(&broad).map_err(|TooManyPairs { found, limit }| {
            StepError::TooManyPairs { found, limit, n_bodies: self.bodies.len() }
        })?;
        pairs.extend(self.stored.pairs.iter().map(|stored| stored.bodies));
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// Sub-steps per second that a body asks for which turns farther in the sub-step under way than what touches something may.
    fn turned_far(&self, ix: u32) -> Option<f64> {
        let rate = self.movers[ix as usize].twist.angular.length() / bound::MOST_TURNED;
        (self.length * rate > 1.0 + SLACK).then_some(rate)
    }

    /// Sub-steps per second that the pair asks for that asks for most, of those of which one turns far and may meet the other on its arcs: the straight
    /// ways of its vertices would lead past it.
    fn turning(&self, pairs: &[[u32; 2]]) -> Option<(f64, [u32; 2])> {
        let rate = |pair: &[u32; 2]| pair.iter().filter_map(|ix| self.turned_far(*ix)).reduce(f64::max);
        let all = pairs.iter().filter_map(|pair| Some((rate(pair)?, *pair)));
        all.filter(|(_, pair)| self.may_meet(*pair)).max_by(|x, y| x.0.total_cmp(&y.0))
    }

    /// Whether two bodies may meet in the sub-step under way, however those are turned that turn far.
    fn may_meet(&self, pair: [u32; 2]) -> bool {
        let ends = |ix: u32| [&self.bodies[ix as usize], &self.ends[ix as usize]];
        let comes_down = |plane: u32, body: u32| {
            ends(plane).into_iter().zip(ends(body)).any(|(plane, body)| {
                let pose = plane.w_from_shape();
                (pose.rotation * DVec3::Z).dot(body.position - pose.translation) <= farthest(body)
            })
        };
        match pair.map(|ix| self.around(ix)) {
            [Some(a), Some(b)] => a.meets(&b),
            [Some(_), None] => comes_down(pair[1], pair[0]),
            [None, Some(_)] => comes_down(pair[0], pair[1]),
            [None, None] => false,
        }
    }

    /// The box around wherever a body is in the sub-step under way, one that turns far anywhere in the ball around its centre of mass; `None` of a plane.
    fn around(&self, ix: u32) -> Option<Aabb> {
        let ends = [&self.bodies[ix as usize], &self.ends[ix as usize]];
        let surface = ends[0].surface.as_ref()?;
        Some(if self.turned_far(ix).is_some() {
            Aabb::from_points(ends.map(|end| end.position)).inflated(farthest(ends[0]))
        } else {
            let [start, end] = ends.map(|end| surface.aabb().transformed(&end.w_from_shape()));
            start.union(&end)
        })
    }

    /// Takes over the answers.
    ///
    /// # Errors
    /// More or fewer answers than questions; contacts so stiff that the step would take too many sub-steps.
    pub fn take(&mut self, input: &Input<'_>, answers: Vec<Passage>) -> Result<(), StepError> {
        if answers.len() != self.asked.len() {
            return Err(StepError::AnswerCount { needed: self.asked.len(), found: answers.len() });
        }
        if self.is_corrected { self.settle(input, answers) } else { self.correct(input, answers) }
    }

    /// Acts by the contacts of the predicted motion; plans anew if they are too stiff for it.
    fn correct(&mut self, input: &Input<'_>, answers: Vec<Passage>) -> Result<(), StepError> {
        let mut acting: Vec<Contact> = Vec::new();
        let mut springs: Vec<Springs> = Vec::with_capacity(answers.len());
        for (&bodies, answer) in self.asked.iter().zip(&answers) {
            let both = bodies.map(|ix| &self.bodies[ix as usize]);
            let (stiffness, damping) = input.materials.penalty(bodies, both, input.settings);
            let friction = input.materials.between(bodies, both, input.settings).friction;
            let pair = PairPenalty { bodies, stiffness, damping, friction };
            let way = |ix: u32| Way {
                start: self.bodies[ix as usize].position,
                end: self.ends[ix as usize].position,
            };
            let origin = both[0].w_from_shape().translation;
            let first = acting.len();
            acting.extend(contacts(&answer.presses, &pair, bodies.map(way), origin, self.length));
            let account = self.account(bodies, 0.5 * stiffness * answer.begun);
            springs.push(Springs { contacts: first..acting.len(), account });
        }
        let (rate, stiffest) = bound::rate(&acting, &self.movers);
        self.stored.rate = rate;
        if self.length * rate > 1.0 + SLACK {
            self.plan(input, rate, stiffest)?;
            self.predict(input);
            return Ok(());
        }
        act(&mut acting, &springs, &mut self.movers);
        resist(&mut acting, &mut self.movers);
        SeenPair::note(&mut self.seen, &acting);
        let part = |left: f64| 1.0 - left / input.settings.dt;
        PenaltyDetail::note(&mut self.shown, &acting, [part(self.left), part(self.left - self.length)]);
        let found = self.asked.iter().zip(answers).zip(springs).map(|((&bodies, answer), springs)| {
            let work = springs.account - work(&acting[springs.contacts], &self.movers);
            StoredPassage { bodies, tracks: answer.tracks, work }
        });
        self.found = found.collect();
        self.is_corrected = true;
        self.go(input);
        Ok(())
    }

    /// Takes over what is in what after the corrected motion, and goes on to the next sub-step.
    fn settle(&mut self, input: &Input<'_>, answers: Vec<Passage>) -> Result<(), StepError> {
        // Of who was not pushed the prediction still holds.
        let is_pushed = |pair: [u32; 2]| pair.iter().any(|ix| self.movers[*ix as usize].is_pushed);
        let mut pairs = std::mem::take(&mut self.found);
        // As sorted as the pairs that were asked of the predicted motion.
        let work = |pairs: &[StoredPassage], bodies| {
            pairs.binary_search_by_key(&bodies, |pair| pair.bodies).map_or(0.0, |ix| pairs[ix].work)
        };
        let corrected: Vec<StoredPassage> = (self.asked.iter().zip(answers))
            .map(|(&bodies, answer)| StoredPassage {
                bodies,
                tracks: answer.tracks,
                work: work(&pairs, bodies),
            })
            .collect();
        pairs.retain(|pair| !is_pushed(pair.bodies));
        pairs.extend(corrected);
        pairs.retain(|pair| !pair.tracks.is_empty());
        pairs.sort_unstable_by_key(|pair| pair.bodies);
        self.stored.pairs = pairs;
        self.stored.known = vec![true; self.bodies.len()];
        self.bodies = std::mem::take(&mut self.ends);
        self.left -= self.length;
        self.n_done += 1;
        self.is_done = self.is_last;
        if !self.is_done {
            let stiffest = self.stored.pairs.first().map_or([0, 0], |pair| pair.bodies);
            self.plan(input, self.stored.rate, stiffest)?;
            self.predict(input);
        }
        Ok(())
    }
}
