//! A step made of smaller ones, each with questions of its own ("small steps", Macklin et al. 2019): the errors of the parts are
//! those of their own length. What the world and its reports see is the whole step.
//!
//! [`Settings::substeps`](crate::Settings::substeps) divides every step for all bodies. Otherwise a step is made whole, and once more in
//! [`Settings::landing_substeps`](crate::Settings::landing_substeps) for the small groups of bodies that land in it: come to touch, or
//! come down on another corner. Where bodies of larger groups come at each other, it is divided for all bodies, into no more parts than
//! that takes, and the next one with it.
//!
//! | file | what it does |
//! |---|---|
//! | `parts` | the parts of a step, of all bodies or of some while the others stand aside |
//! | `sum` | one report of all parts, one world of those who moved in parts and those who did not |

mod parts;
mod sum;

use super::impulse::Impulse;
use super::step::{After, Input, Progress, StepError};
use crate::StepReport;
use crate::law::volume::ContactDetail;
use crate::question::Answers;
use parts::{Group, Parts};

/// A step by impulses, whole or in parts.
#[derive(Clone, Debug, Default)]
pub struct Divided {
    /// The step of all bodies, and the world after it.
    whole: Impulse,
    /// The part under way of a step in parts.
    part: Impulse,
    /// How far a step in parts has come.
    parts: Option<Box<Parts>>,
    /// Which bodies the last step has moved in parts; empty where it has moved all of them in one.
    moved_in_parts: Vec<bool>,
}

impl Divided {
    /// Begins a step, and forgets one that has begun and is not done.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        self.parts = None;
        self.moved_in_parts.clear();
        match input.settings.substeps {
            1 if input.memory.parts > 1 && input.settings.landing_substeps > 1 => {
                self.begin_parts(input, Parts::of_piles(input, input.memory.parts))
            }
            1 => self.whole.begin(input).map(Progress::Ask),
            _ => self.begin_parts(input, Parts::of_every_step(input)),
        }
    }

    /// Goes on with the answers, from part to part.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        let progress = match self.parts.take() {
            None => self.advance_whole(input, answers),
            Some(parts) => self.advance_part(input, parts, answers),
        };
        if progress.is_err() {
            self.abandon();
        }
        progress
    }

    /// Forgets a step that has begun.
    pub fn abandon(&mut self) {
        self.parts = None;
        self.moved_in_parts.clear();
        self.whole.abandon();
        self.part.abandon();
    }

    /// The world after the step that is done.
    pub fn after(&mut self) -> &mut After {
        &mut self.whole.after
    }

    /// See [`super::Stepper::contact_details`]. Of contacts that were gone before the last part nothing is known.
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        if self.moved_in_parts.is_empty() {
            return self.whole.contact_details(input);
        }
        let is_in_parts = |detail: &ContactDetail| {
            detail.bodies.iter().any(|id| self.moved_in_parts.get(id.0 as usize) == Some(&true))
        };
        let mut details = self.whole.contact_details(input);
        details.retain(|detail| !is_in_parts(detail));
        details.extend(self.part.contact_details(input));
        details.sort_by_key(|detail| (detail.bodies, detail.region));
        details
    }

    fn begin_parts(&mut self, input: &Input<'_>, parts: Box<Parts>) -> Result<Progress, StepError> {
        // Who stands aside may be others than before.
        self.part.abandon();
        self.begin_part(input, parts)
    }

    fn begin_part(&mut self, input: &Input<'_>, parts: Box<Parts>) -> Result<Progress, StepError> {
        let questions = self.part.begin(&parts.input(input))?;
        self.parts = Some(parts);
        Ok(Progress::Ask(questions))
    }

    fn advance_whole(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        let report = match self.whole.advance(input, answers)? {
            Progress::Ask(questions) => return Ok(Progress::Ask(questions)),
            Progress::Done(report) => report,
        };
        if input.settings.landing_substeps == 1 {
            return Ok(Progress::Done(report));
        }
        let for_piles = parts::rounded(self.whole.parts_for_piles(input), input.settings);
        if for_piles > 1 {
            return self.begin_parts(input, Parts::of_piles(input, for_piles));
        }
        match self.whole.landing(input) {
            Some(group) => self.begin_parts(input, Parts::of_group(input, group, report)),
            None => Ok(Progress::Done(report)),
        }
    }

    fn advance_part(
        &mut self,
        input: &Input<'_>,
        mut parts: Box<Parts>,
        answers: Answers,
    ) -> Result<Progress, StepError> {
        let report = match self.part.advance(&parts.input(input), answers)? {
            Progress::Done(report) => report,
            Progress::Ask(questions) => {
                self.parts = Some(parts);
                return Ok(Progress::Ask(questions));
            }
        };
        if self.part.touches(|ix| parts.stands_aside(input, ix)) {
            return self.take_all_or_none(input, *parts);
        }
        parts.add(report, self.part.parts_for_piles(&parts.input(input)));
        if !parts.are_done() {
            parts.go_on(&mut self.part.after);
            return self.begin_part(input, parts);
        }
        Ok(Progress::Done(self.take_over(input, *parts)))
    }

    /// Goes on where the parts lead their group to somebody who stands aside: in parts for all where they are few, and otherwise with the
    /// whole step, which led it elsewhere.
    fn take_all_or_none(&mut self, input: &Input<'_>, parts: Parts) -> Result<Progress, StepError> {
        match parts.group {
            Some(group) if !self.whole.are_few() => Ok(Progress::Done(group.whole)),
            _ => self.begin_parts(input, Parts::at_landing(input)),
        }
    }

    /// The report of a step in parts that is done; the world after it takes the place of that after the whole one.
    fn take_over(&mut self, input: &Input<'_>, parts: Parts) -> StepReport {
        parts.end(input, &mut self.part.after);
        let Parts { group, report, .. } = parts;
        let Some(Group { members, whole }) = group else {
            std::mem::swap(&mut self.whole.after, &mut self.part.after);
            self.moved_in_parts = vec![true; input.bodies.len()];
            return report;
        };
        sum::take_over(&members, &mut self.whole.after, &mut self.part.after, input);
        let report = sum::of_both(&members, whole, report, input, &self.whole.after.states);
        self.moved_in_parts = members;
        report
    }
}
