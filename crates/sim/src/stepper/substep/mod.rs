//! Explicit sub-steps: a step in as many parts as the stiffest contact wants, forces from where the bodies are in the middle of each.
//!
//! The bodies drift for half a sub-step, are asked about and kicked by what acts there, and drift for the other half (the leapfrog of
//! Störmer and Verlet in its position form): of second order, symplectic without dampers, and exact in linear and angular momentum.
//! Questions are asked only of pairs whose facets may touch, see [`near`].
//!
//! | file | what it does |
//! |---|---|
//! | `near` | pairs of bodies that come near each other, and their candidates |
//! | `bound` | how long a sub-step may be |
//! | `course` | the way of the bodies through a step: drift, kick, what acts |
//! | `stretch` | the rest of a step in one go, for a device that goes through many sub-steps by itself |
//! | `end` | the state after the step, and what is reported of it |
//! | `shown` | what viewers are told besides |

mod bound;
mod course;
mod end;
mod extent;
mod near;
mod shown;
mod stretch;

use std::time::Instant;

use crate::law::volume::ContactDetail;
use crate::question::{Answers, Questions, Ticket};
use crate::stepper::step::{After, Input, Progress, StepError};
use course::Course;
use end::SeenPatch;
use near::Near;
pub(crate) use shown::touching;

/// A step in sub-steps: what it knows so far, and its results.
#[derive(Clone, Debug, Default)]
pub struct Substep {
    /// The world after the step.
    pub after: After,
    /// The questions that were asked last and are not answered yet, and when.
    open: Option<(Ticket, Instant)>,
    /// The step under way.
    course: Option<Box<Course>>,
    /// Pairs that come near each other, kept from step to step.
    near: Near,
    /// The patches of the step that is done, sorted.
    seen: Vec<SeenPatch>,
}

impl Substep {
    /// Begins a step.
    ///
    /// # Errors
    /// A world that cannot go in sub-steps, or would need too many.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        (self.open, self.course) = (None, None);
        self.seen.clear();
        let mut course = Course::begin(input, &mut self.near)?;
        course.drift_to_middle(input);
        self.ask(input, Box::new(course))
    }

    /// Goes on with the answers, from sub-step to sub-step.
    ///
    /// # Errors
    /// Answers that are no such, or a state that would be no numbers.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        let asked = self.open.take().filter(|(ticket, _)| *ticket == answers.ticket);
        let Some((_, asked_at)) = asked else { return Err(StepError::NotAsked) };
        let Some(mut course) = self.course.take() else { return Err(StepError::NotAsked) };
        course.times.detect += asked_at.elapsed().as_secs_f64();
        let start = Instant::now();
        if course.stretches.is_asked {
            course.take_stretched(input, &self.near, answers.stretched)?;
            course.times.integrate += start.elapsed().as_secs_f64();
            return self.ask(input, course);
        }
        course.stretches.are_taken = answers.takes_stretches;
        let is_enough = course.take(input, &mut self.near, answers)?;
        course.times.assemble += start.elapsed().as_secs_f64();
        if is_enough {
            let start = Instant::now();
            course.kick_and_drift(input);
            course.times.integrate += start.elapsed().as_secs_f64();
        }
        self.ask(input, course)
    }

    /// Goes on to the next sub-step in which anything may touch.
    fn ask(&mut self, input: &Input<'_>, mut course: Box<Course>) -> Result<Progress, StepError> {
        while !course.is_done() {
            let start = Instant::now();
            let questions = match course.stretch(input, &mut self.near)? {
                Some(stretch) => Some(Questions::of_stretch(stretch)),
                None => {
                    let questions = course.questions(input, &mut self.near)?;
                    (!questions.is_empty()).then(|| Questions::of_facets(questions))
                }
            };
            course.times.broad += start.elapsed().as_secs_f64();
            if let Some(questions) = questions {
                self.open = Some((questions.ticket(), Instant::now()));
                self.course = Some(course);
                return Ok(Progress::Ask(questions));
            }
            course.kick_and_drift(input);
        }
        let seen = course.seen.clone();
        let report = course.finish(input, &mut self.after)?;
        self.seen = seen;
        Ok(Progress::Done(report))
    }

    /// See [`super::Stepper::contact_details`].
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        self.seen.iter().map(|patch| patch.detail(input)).collect()
    }

    /// Forgets a step that has begun, and what lies near what.
    pub fn abandon(&mut self) {
        *self = Self::default();
    }
}
