//! Where the solved velocities of a step lead, asked before it is done: what its contacts have not foreseen there makes contacts too, with
//! which it is solved again.
//!
//! Where nothing is unforeseen any more, the next step starts with what was measured: its contacts are measured in the same places.

use std::time::Instant;

use glam::DVec3;
use tactum_geometry::Overlap;

use super::{Impulse, candidates, check};
use crate::law::volume::{self, Led, PairAsked, RegionRef, Seen};
use crate::motion::{Drift, FreeMotion};
use crate::question::{Answers, OverlapQuestion, Questions};
use crate::solver::body::NO_SLOT;
use crate::solver::convergence::Convergence;
use crate::stepper::step::{Input, Progress, StepError};
use crate::twist::Twist;
use crate::{Body, BodyState, Settings, StepReport, broad_phase};

/// A solved step that is asked where it leads.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// How each island's solve ended.
    pub ends: Vec<Convergence>,
    /// The bodies where contacts are measured next.
    bodies: Vec<Body>,
    /// The solved velocities of the step.
    twists: Vec<Twist>,
    /// The pairs that are measured there, sorted.
    pairs: Vec<[u32; 2]>,
    /// Their overlaps there, once they are known.
    overlaps: Vec<Overlap>,
}

impl Followed {
    fn led(&self) -> Led<'_> {
        Led { bodies: &self.bodies, twists: &self.twists }
    }

    /// The overlap that a question asks for, where it was measured.
    fn answer(&self, question: &OverlapQuestion) -> Option<Overlap> {
        let pair = self.pairs.binary_search(&question.bodies.map(|id| id.0)).ok()?;
        let are_there = |side: usize| {
            let place = self.bodies[question.bodies[side].0 as usize].w_from_shape();
            place == question.poses[side]
        };
        self.overlaps.get(pair).filter(|_| are_there(0) && are_there(1)).cloned()
    }
}

impl Impulse {
    /// Finds the impulses of the step, and asks where they lead; done where no pair could meet there unforeseen.
    pub(super) fn solve_and_follow(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        let ends = self.with_measured(input, Self::answer)?;
        // A compliant contact wants its overlap before it pushes. Of many contacts some are always new.
        let Settings { compliance, foresight, .. } = *input.settings;
        let times = if self.is_small() { foresight } else { foresight.min(1) };
        if compliance > 0.0 || self.n_followed >= times {
            return self.finish(input, &ends).map(Progress::Done);
        }
        self.n_followed += 1;
        let start = Instant::now();
        self.followed = self.with_measured(input, |step, input| step.followed(input, ends))?;
        self.times.broad += start.elapsed().as_secs_f64();
        if self.followed.pairs.is_empty() {
            return self.finish_followed(input).map(Progress::Done);
        }
        let questions = Questions::new(volume::follow(&self.followed.pairs, self.followed.led()));
        self.open = Some((questions.ticket(), Instant::now()));
        self.is_following = true;
        Ok(Progress::Ask(questions))
    }

    /// The end of a step in which nothing is unforeseen any more.
    pub(super) fn finish_followed(&mut self, input: &Input<'_>) -> Result<StepReport, StepError> {
        let ends = std::mem::take(&mut self.followed.ends);
        self.finish(input, &ends)
    }

    /// Where the solved velocities lead, and which pairs may meet there unforeseen.
    fn followed(&self, input: &Input<'_>, ends: Vec<Convergence>) -> Result<Followed, StepError> {
        let (bodies, twists) = (self.where_led(input), self.solved_twists());
        let stay = |free: &FreeMotion| FreeMotion { displacement: DVec3::ZERO, gained: DVec3::ZERO, ..*free };
        let free: Vec<FreeMotion> = self.free.iter().map(stay).collect();
        let broad = broad_phase::Input { bodies: &bodies, free: &free, apart: input.apart, reach: &[] };
        let near = candidates(&broad)?;
        let pairs = self.assembly(input).pairs_to_follow(near, Led { bodies: &bodies, twists: &twists });
        Ok(Followed { ends, bodies, twists, pairs, overlaps: Vec::new() })
    }

    /// The bodies where contacts are measured next, if their velocities stay: as the next step will move them that is as long as this.
    fn where_led(&self, input: &Input<'_>) -> Vec<Body> {
        let lead = input.settings.dt - self.remaining;
        let led = |((body, state), inverse_inertia): ((&Body, &BodyState), _)| {
            let mut body = body.clone();
            if !body.rest.asleep {
                state.apply_to(&mut body);
                let (place, angular) = Drift::of(&body, inverse_inertia).after(&state.twist(), lead);
                (body.position, body.orientation) = (place.origin, place.rotation);
                body.angular_velocity = angular;
            }
            body
        };
        input.bodies.iter().zip(&self.after.states).zip(input.inverse_inertias).map(led).collect()
    }

    /// The velocities that the solve of the step has left the bodies.
    fn solved_twists(&self) -> Vec<Twist> {
        let twist = |(free, slot): (&FreeMotion, &u32)| match *slot {
            NO_SLOT => free.twist,
            slot => self.bodies[slot as usize].twist,
        };
        self.free.iter().zip(&self.islands.slot_of_body).map(twist).collect()
    }

    /// Takes over what the contacts of the step have not foreseen; whether that is anything.
    pub(super) fn take_unforeseen(&mut self, input: &Input<'_>, answers: Answers) -> Result<bool, StepError> {
        self.is_following = false;
        self.is_answered(&answers)?;
        let Followed { pairs, .. } = &self.followed;
        let (needed, found) = (pairs.len(), answers.overlaps.len());
        if needed != found {
            return Err(StepError::AnswerCount { needed, found });
        }
        check(&answers.overlaps, input, |ix| pairs[ix])?;
        self.followed.overlaps = answers.overlaps;
        let new = self.with_measured(input, |step, input| {
            let Followed { pairs, overlaps, .. } = &step.followed;
            step.assembly(input).unforeseen(pairs, step.followed.led(), overlaps)
        });
        let is_any = !new.is_empty();
        for unforeseen in new {
            let pair = self.number_of(unforeseen.bodies);
            let seen = Seen::Unforeseen(self.unforeseen.len() as u32);
            self.regions.push(RegionRef { pair, seen, region: 0, contact: 0 });
            self.unforeseen.push(unforeseen);
        }
        if is_any {
            self.regions.sort_unstable_by_key(RegionRef::order);
            self.regions.chunk_by_mut(|a, b| a.pair == b.pair).for_each(RegionRef::number);
        }
        Ok(is_any)
    }

    /// The number of a pair, which was asked nothing where none was expected of it.
    fn number_of(&mut self, bodies: [u32; 2]) -> u32 {
        let place = match self.pairs.binary_search_by_key(&bodies, |pair| pair.bodies) {
            Ok(place) => return place as u32,
            Err(place) => place,
        };
        self.pairs.insert(place, PairAsked::nothing(bodies));
        for region in self.regions.iter_mut().filter(|region| region.pair as usize >= place) {
            region.pair += 1;
        }
        place as u32
    }

    /// Sorts out the questions that the step before has answered, where it was followed to; what it was told of each is kept.
    pub(super) fn leave_what_is_known(
        &mut self,
        mut questions: Vec<OverlapQuestion>,
    ) -> Vec<OverlapQuestion> {
        let followed = std::mem::take(&mut self.followed);
        self.known = questions.iter().map(|question| followed.answer(question)).collect();
        let mut known = self.known.iter();
        questions.retain(|_| known.next().is_some_and(Option::is_none));
        questions
    }

    /// All answers of the step: those to what was asked, and those that were known.
    pub(super) fn with_known(&mut self, answers: Vec<Overlap>) -> Result<Vec<Overlap>, StepError> {
        let known = std::mem::take(&mut self.known);
        let (needed, found) = (known.iter().filter(|known| known.is_none()).count(), answers.len());
        if needed != found {
            return Err(StepError::AnswerCount { needed, found });
        }
        let mut answers = answers.into_iter();
        Ok(known.into_iter().filter_map(|known| known.or_else(|| answers.next())).collect())
    }
}
