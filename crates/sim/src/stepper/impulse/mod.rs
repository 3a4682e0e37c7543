//! Impulses at velocity level: one question a step, contacts and joints solved together by block Gauss-Seidel.
//!
//! The bodies move for half a step with the velocities that they have; there contacts are measured and impulses found for the
//! whole step; and with the velocities that these leave they move for the other half (the midpoint scheme of Moreau 1988,
//! "Unilateral contact and dry friction in finite freedom dynamics"; Verlet's without contacts). Under constant forces, sliding
//! friction among them, the motion is exact, and elsewhere right to second order between impacts. What holds where contacts
//! are measured next was seen to by the step before, unless velocities were set since, or found for a part of a step: then contacts guard
//! the first half too.
//!
//! | file | what it does |
//! |---|---|
//! | `lead` | the way to where contacts are measured |
//! | `first_half` | the same guarded by contacts |
//! | `close_joints` | joints put together, there and at the end |
//! | `sleep` | who wakes before contacts act, and who falls asleep at the end |
//! | `solve` | contacts and joints of the answers, and their impulses, island by island |
//! | `follow` | the way of all that with the velocities found, and what its contacts did not foresee there |
//! | `again` | what a step that is solved again for these keeps of the solve before |
//! | `rebound` | the same where bounces would give energy |
//! | `landing` | who comes down on something in the step |
//! | `end` | the bodies at the end of the step, and what is reported of it |
//!
//! Nothing of the world is written here: the results wait in [`Impulse`] until all of them are known to be finite.

mod again;
mod close_joints;
mod end;
mod first_half;
mod follow;
mod landing;
mod lead;
mod rebound;
mod sleep;
mod solve;

pub use end::check_states;

use std::time::Instant;

use glam::DVec3;
use rayon::prelude::*;
use tactum_geometry::Overlap;

use crate::broad_phase::{self, TooManyPairs};
use crate::constants::PARALLEL_BODIES;
use crate::joint::{self, STABLE_PHASE, STEADY_PHASE};
use crate::law::Situation;
use crate::law::volume::{self, Assembly, Contact, PairAsked, RegionRef, Unforeseen};
use crate::motion::FreeMotion;
use crate::question::{Answers, Questions, Ticket};
use crate::report::PhaseTimes;
use crate::solver::body::SolverBody;
use crate::solver::constraint::Constraint;
use crate::solver::convergence::Convergence;
use crate::solver::islands::Islands;
use crate::solver::position::VolumeRow;
use crate::stepper::step::{After, Input, Progress, StepError};
use crate::{Body, Settings, StepReport};
use again::Before;
use first_half::FirstHalf;
use follow::{Followed, MeasuredAhead};

/// A step by impulses: what it knows so far, its results, and the memory it works in, kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Impulse {
    /// The world after the step.
    pub after: After,
    /// The questions that were asked last and are not answered yet, and when.
    open: Option<(Ticket, Instant)>,
    /// Whether contacts, pairs and answers are those of a step that is done.
    is_made: bool,
    /// The bodies where contacts are measured, kept from step to step; none once the world was changed.
    measured: Vec<Body>,
    /// Time from there to the end of the step \[s\].
    remaining: f64,
    /// The first half of a step that contacts have to guard, until it is answered.
    first_half: Option<Box<FirstHalf>>,
    /// Bodies that it has led as one, group by group.
    led_together: Vec<Vec<u32>>,
    /// Wall times so far.
    times: PhaseTimes,
    free: Vec<FreeMotion>,
    /// Bodies that joints hold together.
    joined: Vec<[u32; 2]>,
    pairs: Vec<PairAsked>,
    answers: Vec<Overlap>,
    /// What its contacts have not foreseen so far.
    unforeseen: Vec<Unforeseen>,
    /// Where the solved velocities lead, as it was asked last.
    followed: Followed,
    /// What was measured there, for the next step to start with.
    ahead: MeasuredAhead,
    /// Whether that was asked last.
    is_following: bool,
    /// How often it was asked in this step.
    n_followed: u32,
    /// The answers to the step's questions that the one before has measured.
    known: Vec<Option<Overlap>>,
    regions: Vec<RegionRef>,
    islands: Islands,
    contacts: Vec<Contact>,
    /// Where the point of each lies on its bodies, see [`StoredContact::places`](volume::StoredContact).
    places: Vec<[DVec3; 2]>,
    /// The volume of each contact.
    volumes: Vec<VolumeRow>,
    /// Island by island those of its contacts, then those of its joints.
    constraints: Vec<Constraint>,
    /// How many constraints each island has.
    n_constraints: Vec<usize>,
    /// How each island's solve ended.
    ends: Vec<Convergence>,
    /// The solve before that of what is unforeseen.
    before: Before,
    /// Which island of that each island is, where nothing has come to it.
    kept: Vec<Option<u32>>,
    /// The contacts in the order of their pairs and regions.
    in_order: Vec<u32>,
    bodies: Vec<SolverBody>,
}

impl Impulse {
    /// Begins a step: moves to where contacts are measured, free motion, broad phase, and what has to be measured.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Questions, StepError> {
        (self.open, self.is_made, self.first_half, self.is_following) = (None, false, None, false);
        self.led_together.clear();
        self.times = PhaseTimes::default();
        self.remaining = 0.5 * input.settings.dt;
        if self.measured.is_empty() {
            self.measured.extend_from_slice(input.bodies);
        }
        if let Some(first) = FirstHalf::to_guard(input) {
            let mut first = Box::new(first);
            let mut questions = first.ask(input)?;
            if questions.overlaps.is_empty() {
                let nothing = questions.answered(Vec::new());
                match first.advance(input, nothing)? {
                    Some(more) => questions = more,
                    None => {
                        self.place_first_half(*first, input)?;
                        return self.with_measured(input, Self::ask);
                    }
                }
            }
            self.first_half = Some(first);
            return Ok(questions);
        }
        self.move_freely(input);
        self.close_where_measured(input);
        self.wake_on_driven(input);
        self.with_measured(input, Self::ask)
    }

    /// Goes on with the answers: asks again after a first half that they were for, where they wake what slept, and where the solved velocities lead, or
    /// computes the state after the step.
    ///
    /// Order: contact blocks, block Gauss-Seidel island by island, position correction, poses. All results are the same for
    /// any number of threads.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        if let Some(mut first) = self.first_half.take() {
            if let Some(questions) = first.advance(input, answers)? {
                self.first_half = Some(first);
                return Ok(Progress::Ask(questions));
            }
            self.place_first_half(*first, input)?;
        } else if self.is_following {
            if !self.take_unforeseen(input, answers)? {
                return self.finish(input).map(Progress::Done);
            }
            if !self.wake_touched(input) {
                return self.solve_and_follow(input);
            }
        } else {
            self.take_answers(input, answers)?;
            if !self.wake_touched(input) {
                return self.solve_and_follow(input);
            }
        }
        self.with_measured(input, Self::ask).map(Progress::Ask)
    }

    /// Forgets a step that has begun.
    pub fn abandon(&mut self) {
        (self.open, self.is_made, self.first_half, self.is_following) = (None, false, None, false);
        self.ahead.clear();
        self.followed = Followed::default();
        self.measured.clear();
    }

    /// Goes on with the bodies where they are measured in place of where they are at the start.
    fn with_measured<T>(&mut self, input: &Input<'_>, go_on: impl FnOnce(&mut Self, &Input<'_>) -> T) -> T {
        let measured = std::mem::take(&mut self.measured);
        let result = go_on(self, &Input { bodies: &measured, ..*input });
        self.measured = measured;
        result
    }

    fn ask(&mut self, input: &Input<'_>) -> Result<Questions, StepError> {
        let start = Instant::now();
        self.free_motion(input);
        self.joined.clear();
        self.joined.extend(input.joined());
        let (bodies, free) = (input.bodies, &self.free);
        let reach: Vec<f64> = bodies.iter().map(|body| body.farthest_swept(input.settings.dt)).collect();
        let broad = broad_phase::Input { bodies, free, apart: input.apart, reach: &reach };
        let pairs = candidates(&broad)?;
        self.pairs = volume::ask(&self.situation(input), &pairs, || broad_phase::Surroundings::new(broad));
        let questions = volume::questions(&self.pairs, bodies);
        let questions = Questions::new(self.leave_what_is_known(questions));
        self.unforeseen.clear();
        self.before = Before::default();
        self.n_followed = 0;
        self.times.broad += start.elapsed().as_secs_f64();
        self.open = Some((questions.ticket(), Instant::now()));
        Ok(questions)
    }

    /// Takes over the answers, and which of their regions make contacts.
    fn take_answers(&mut self, input: &Input<'_>, answers: Answers) -> Result<(), StepError> {
        self.is_answered(&answers)?;
        let answers = self.with_known(answers.overlaps)?;
        let pair = |ix| self.pairs[self.pairs.partition_point(|pair| pair.first <= ix) - 1].bodies;
        check(&answers, input, pair)?;
        self.answers = answers;
        let mut regions = std::mem::take(&mut self.regions);
        self.with_measured(input, |step, input| {
            volume::regions_in_contact(&step.situation(input), &step.pairs, &step.answers, &mut regions);
        });
        self.regions = regions;
        Ok(())
    }

    /// Closes what was asked last.
    fn is_answered(&mut self, answers: &Answers) -> Result<(), StepError> {
        let asked = self.open.take().filter(|(ticket, _)| *ticket == answers.ticket);
        let Some((_, asked_at)) = asked else { return Err(StepError::NotAsked) };
        self.times.detect += asked_at.elapsed().as_secs_f64();
        Ok(())
    }

    fn finish(&mut self, input: &Input<'_>) -> Result<StepReport, StepError> {
        let start = Instant::now();
        self.close_at_end(input);
        self.fall_asleep(input);
        let mut report = self.report(input);
        self.times.integrate += start.elapsed().as_secs_f64();
        report.times = self.times;
        self.is_made = true;
        Ok(report)
    }

    /// From answers to the state at the end of the step.
    fn answer(&mut self, input: &Input<'_>) -> Result<(), StepError> {
        let mut last = Instant::now();
        let mut lap = || std::mem::replace(&mut last, Instant::now()).elapsed().as_secs_f64();
        loop {
            self.assemble(input);
            self.times.assemble += lap();
            self.solve(input.settings, input.n_sharing);
            self.times.solve += lap();
            let pulls = joint::pulls(&self.constraints);
            let dt = input.settings.dt;
            if !joint::steady(input.joints, pulls, input.bodies, dt, STABLE_PHASE, &mut self.free) {
                break;
            }
        }
        self.places.clear();
        self.places.extend(self.contacts.iter().map(|contact| contact.places(input.bodies)));
        self.integrate(input)?;
        self.times.integrate += lap();
        Ok(())
    }

    fn situation<'a>(&'a self, input: &Input<'a>) -> Situation<'a> {
        let Input { settings, bodies, materials, memory, is_landing, .. } = *input;
        Situation { settings, bodies, materials, free: &self.free, memory, joined: &self.joined, is_landing }
    }

    /// What the contacts of the step are made from.
    fn assembly<'a>(&'a self, input: &Input<'a>) -> Assembly<'a> {
        let Self { pairs, answers, unforeseen, .. } = self;
        Assembly { situation: self.situation(input), pairs, answers, unforeseen }
    }

    fn free_motion(&mut self, input: &Input<'_>) {
        let Settings { gravity, dt, .. } = *input.settings;
        let of = |(body, inverse_inertia)| FreeMotion::of(body, inverse_inertia, gravity, dt);
        if input.bodies.len() < PARALLEL_BODIES {
            self.free.clear();
            self.free.extend(input.bodies.iter().zip(input.inverse_inertias).map(of));
        } else {
            input.bodies.par_iter().zip(input.inverse_inertias).map(of).collect_into_vec(&mut self.free);
        }
        let pulls = joint::last_pulls(input.joint_states);
        joint::steady(input.joints, pulls, input.bodies, dt, STEADY_PHASE, &mut self.free);
    }
}

/// Refuses answers that hold numbers no contact can be made from, each of a pair by its number.
fn check(answers: &[Overlap], input: &Input<'_>, pair: impl Fn(usize) -> [u32; 2]) -> Result<(), StepError> {
    volume::check(answers).map_err(|(ix, what)| {
        let [a, b] = pair(ix).map(|ix| input.bodies[ix as usize].name.clone());
        StepError::BadOverlap { a, b, what }
    })
}

/// The pairs that the broad phase finds.
fn candidates(broad: &broad_phase::Input<'_>) -> Result<Vec<[u32; 2]>, StepError> {
    let n_bodies = broad.bodies.len();
    broad_phase::candidates(broad).map_err(|TooManyPairs { found, limit }| StepError::TooManyPairs {
        found,
        limit,
        n_bodies,
    })
}
