//! Predict, ask about the motion, correct (Tang et al. 2012, section 3.3).
//!
//! The bodies are moved by all forces but contacts; what happens on that way is asked, contacts act by their impulses over all of it, and
//! the bodies go from where they started with the velocities that they then have (symplectic Euler). What is in what
//! afterwards is asked once more of the way that they really went. Where contacts are too stiff for the step to be stable, it is made in as
//! many sub-steps as they want.
//!
//! | file | what it does |
//! |---|---|
//! | `course` | the way of the bodies through a step |
//! | `bound` | how long a sub-step may be |
//! | `end` | the state after the step, and what is reported of it |
//! | `shown` | what viewers are told of contacts besides |

mod bound;
mod course;
mod end;
mod shown;

use std::time::Instant;

use crate::law::volume::ContactDetail;
use crate::question::{Answers, Questions, Ticket};
use crate::stepper::step::{After, Input, Progress, StepError};
use course::Course;
use end::SeenPair;
pub use shown::PenaltyDetail;

/// A step by predictions: what it knows so far, and its results.
#[derive(Clone, Debug, Default)]
pub struct Predict {
    /// The world after the step.
    pub after: After,
    /// The questions that were asked last and are not answered yet, and when.
    open: Option<(Ticket, Instant)>,
    /// The step under way.
    course: Option<Box<Course>>,
    /// What touched in the step that is done, and what its features did.
    seen: Vec<SeenPair>,
    shown: Vec<PenaltyDetail>,
}

impl Predict {
    /// Begins a step.
    ///
    /// # Errors
    /// A world that cannot go so, or would need too many sub-steps.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        (self.open, self.course) = (None, None);
        (self.seen, self.shown) = (Vec::new(), Vec::new());
        let course = Course::begin(input)?;
        self.ask(input, Box::new(course))
    }

    /// Goes on with the answers.
    ///
    /// # Errors
    /// Answers that are no such, a state that would be no numbers, or too many sub-steps.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        let asked = self.open.take().filter(|(ticket, _)| *ticket == answers.ticket);
        let Some((_, asked_at)) = asked else { return Err(StepError::NotAsked) };
        let Some(mut course) = self.course.take() else { return Err(StepError::NotAsked) };
        course.times.detect += asked_at.elapsed().as_secs_f64();
        course.take(input, answers.passages)?;
        self.ask(input, course)
    }

    /// Goes on to where something has to be asked.
    fn ask(&mut self, input: &Input<'_>, mut course: Box<Course>) -> Result<Progress, StepError> {
        while !course.is_done() {
            let start = Instant::now();
            let questions = course.questions(input)?;
            course.times.broad += start.elapsed().as_secs_f64();
            if !questions.is_empty() {
                let questions = Questions::of_passages(questions);
                self.open = Some((questions.ticket(), Instant::now()));
                self.course = Some(course);
                return Ok(Progress::Ask(questions));
            }
            course.take(input, Vec::new())?;
        }
        let (seen, shown) = (course.seen.clone(), std::mem::take(&mut course.shown));
        let report = course.finish(input, &mut self.after)?;
        (self.seen, self.shown) = (seen, shown);
        Ok(Progress::Done(report))
    }

    /// See [`super::Stepper::contact_details`].
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        self.seen.iter().map(|pair| pair.detail(&self.shown, input)).collect()
    }

    /// See [`super::Stepper::penalties`].
    pub fn penalties(&self) -> &[PenaltyDetail] {
        &self.shown
    }

    /// Forgets a step that has begun.
    pub fn abandon(&mut self) {
        *self = Self::default();
    }
}
