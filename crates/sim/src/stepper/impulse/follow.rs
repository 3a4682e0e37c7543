//! Where the solved velocities of a step lead, asked before it is done: what its contacts have not foreseen there makes contacts too, with
//! which it is solved again.
//!
//! Where nothing is unforeseen any more, the next step starts with what was measured: its contacts are measured in the same places.

use std::collections::BTreeMap;
use std::time::Instant;

use glam::DVec3;
use tactum_geometry::union_find::UnionFind;
use tactum_geometry::{Overlap, Pose};

use super::{Impulse, candidates, check};
use crate::constants::FOLLOWED_CONSTRAINTS;
use crate::law::volume::{self, Led, PairAsked, RegionRef, Seen, Unforeseen};
use crate::motion::{Drift, FreeMotion};
use crate::question::{Answers, OverlapQuestion, Questions};
use crate::solver::body::{NO_SLOT, SolverBody};
use crate::stepper::step::{Input, Progress, StepError};
use crate::twist::Twist;
use crate::{Body, BodyState, Settings, broad_phase};

/// A solved step that is asked where it leads.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The bodies where contacts are measured next.
    bodies: Vec<Body>,
    /// The solved velocities of the step.
    twists: Vec<Twist>,
    /// How far they go besides.
    besides: Vec<Twist>,
    /// The pairs that are measured there.
    pairs: Vec<[u32; 2]>,
}

/// What a step has measured where its velocities lead: the overlap of each pair and the poses in which it has it.
#[derive(Clone, Debug, Default)]
pub struct MeasuredAhead(BTreeMap<[u32; 2], ([Pose; 2], Overlap)>);

impl MeasuredAhead {
    /// Forgets all of it.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The overlap that a question asks for, where it was measured.
    fn answer(&mut self, question: &OverlapQuestion) -> Option<Overlap> {
        let (poses, _) = self.0.get(&question.bodies.map(|id| id.0))?;
        if *poses != question.poses {
            return None;
        }
        self.0.remove(&question.bodies.map(|id| id.0)).map(|(_, overlap)| overlap)
    }
}

impl Followed {
    fn led(&self) -> Led<'_> {
        Led { bodies: &self.bodies, twists: &self.twists, besides: &self.besides }
    }
}

impl Impulse {
    /// Finds the impulses of the step, and asks where they lead; done where no pair could meet there unforeseen.
    pub(super) fn solve_and_follow(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        self.with_measured(input, Self::answer)?;
        let start = Instant::now();
        let are_followed = self.are_followed(input);
        if !are_followed.contains(&Some(true)) {
            return self.finish(input).map(Progress::Done);
        }
        self.n_followed += 1;
        let mut followed = std::mem::take(&mut self.followed);
        self.with_measured(input, |step, input| step.follow(input, &are_followed, &mut followed))?;
        self.followed = followed;
        self.times.broad += start.elapsed().as_secs_f64();
        if self.followed.pairs.is_empty() {
            return self.finish(input).map(Progress::Done);
        }
        let questions = Questions::new(volume::follow(&self.followed.pairs, self.followed.led()));
        self.open = Some((questions.ticket(), Instant::now()));
        self.is_following = true;
        Ok(Progress::Ask(questions))
    }

    /// Which bodies are followed to where they are led: all that can be moved once, and again those to whose groups something has come; `None`
    /// for those of large groups, of which nobody is. A step that is made once more in parts is followed there; a compliant contact wants its overlap before it
    /// pushes.
    fn are_followed(&self, input: &Input<'_>) -> Vec<Option<bool>> {
        let Settings { compliance, foresight, landing_substeps, .. } = *input.settings;
        let is_any = compliance == 0.0 && self.n_followed < foresight;
        let is_first = is_any && self.n_followed == 0;
        let by_itself = |body: &Body| Some(is_first && body.is_movable());
        let mut are_followed: Vec<_> = self.measured.iter().map(by_itself).collect();
        for ((island, end), kept) in self.islands.islands.iter().zip(&self.ends).zip(&self.kept) {
            let is_final = || landing_substeps == 1 || !self.lands(island, end, input);
            let is_followed = self.is_small(island).then(|| is_any && kept.is_none() && is_final());
            for &ix in &self.islands.body_of_slot[island.slots.clone()] {
                are_followed[ix as usize] = is_followed;
            }
        }
        are_followed
    }

    /// Where the solved velocities lead, and which pairs may meet there unforeseen.
    fn follow(
        &self,
        input: &Input<'_>,
        are_followed: &[Option<bool>],
        followed: &mut Followed,
    ) -> Result<(), StepError> {
        self.lead(input, &mut followed.bodies);
        followed.twists = self.of_bodies(|free| free.twist, |body| body.twist);
        followed.besides = self.of_bodies(|_| Twist::default(), |body| body.correction);
        let stay = |free: &FreeMotion| FreeMotion { displacement: DVec3::ZERO, gained: DVec3::ZERO, ..*free };
        let free: Vec<FreeMotion> = self.free.iter().map(stay).collect();
        let bodies = &followed.bodies;
        let broad = broad_phase::Input { bodies, free: &free, apart: input.apart, reach: &[] };
        let mut near = candidates(&broad)?;
        near.retain(|pair| {
            let pair = pair.map(|ix| are_followed[ix as usize]);
            pair.contains(&Some(true)) && !pair.contains(&None)
        });
        followed.pairs = self.assembly(input).pairs_to_follow(near, followed.led());
        Ok(())
    }

    /// Leads the bodies to where contacts are measured next, if their velocities stay: as the next step will move them that is as long as this.
    fn lead(&self, input: &Input<'_>, led: &mut Vec<Body>) {
        let lead = input.settings.dt - self.remaining;
        if led.is_empty() {
            led.extend_from_slice(input.bodies);
        }
        let after = self.after.states.iter().zip(input.inverse_inertias);
        for ((led, body), (state, inverse_inertia)) in led.iter_mut().zip(input.bodies).zip(after) {
            if body.rest.asleep {
                BodyState::of(body).apply_to(led);
                continue;
            }
            state.apply_to(led);
            let (place, angular) = Drift::of(led, inverse_inertia).after(&state.twist(), lead);
            (led.position, led.orientation) = (place.origin, place.rotation);
            led.angular_velocity = angular;
        }
    }

    /// What the solve of the step has left each body, and what those have that it does not know.
    fn of_bodies(&self, free: fn(&FreeMotion) -> Twist, solved: fn(&SolverBody) -> Twist) -> Vec<Twist> {
        let of = |(motion, slot): (&FreeMotion, &u32)| match *slot {
            NO_SLOT => free(motion),
            slot => solved(&self.bodies[slot as usize]),
        };
        self.free.iter().zip(&self.islands.slot_of_body).map(of).collect()
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
        let mut new = self.with_measured(input, |step, input| {
            let Followed { pairs, .. } = &step.followed;
            step.assembly(input).unforeseen(pairs, step.followed.led(), &answers.overlaps)
        });
        self.leave_out_large(&mut new);
        let Followed { pairs, bodies, .. } = &self.followed;
        let place = |ix: u32| bodies[ix as usize].w_from_shape();
        let measured = pairs.iter().zip(answers.overlaps);
        self.ahead.0.extend(measured.map(|(pair, overlap)| (*pair, (pair.map(place), overlap))));
        let is_any = !new.is_empty();
        if is_any {
            self.put_aside();
        }
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

    /// Leaves out what would make one large group of small ones.
    fn leave_out_large(&self, new: &mut Vec<Unforeseen>) {
        let is_movable = |ix: &u32| self.measured[*ix as usize].is_movable();
        let mut sets = UnionFind::default();
        sets.reset(self.measured.len());
        let groups = self.islands.islands.iter();
        let groups =
            groups.map(|island| (&self.islands.body_of_slot[island.slots.clone()], self.size_of(island)));
        for (bodies, _) in groups.clone() {
            for ix in bodies {
                sets.join(bodies[0], *ix);
            }
        }
        for [a, b] in new.iter().map(|unforeseen| unforeseen.bodies) {
            if is_movable(&a) && is_movable(&b) {
                sets.join(a, b);
            }
        }
        let mut sizes = BTreeMap::<u32, usize>::new();
        for (bodies, size) in groups {
            *sizes.entry(sets.find(bodies[0])).or_default() += size;
        }
        new.retain(|unforeseen| {
            let body = unforeseen.bodies.into_iter().find(is_movable);
            let size = body.and_then(|ix| sizes.get(&sets.find(ix)));
            size.is_none_or(|size| *size <= FOLLOWED_CONSTRAINTS)
        });
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
        self.known = questions.iter().map(|question| self.ahead.answer(question)).collect();
        self.ahead.clear();
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
