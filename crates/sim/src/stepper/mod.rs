//! Steppers: what moves a world from one time to the next. A stepper says what is predicted, how often questions are asked,
//! what is solved and what is integrated; it knows no contact theory.
//!
//! | stepper | | of the law |
//! |---|---|---|
//! | `impulse` | one question a step, block Gauss-Seidel over the answers' contacts | volume |
//! | `divided` | the same, a step in as many parts as the settings say | volume |
//! | `substep` | explicit, as many sub-steps as the stiffest contact wants, each with questions | facets |
//! | `predict` | explicit: predict, ask about the motion, correct; in sub-steps where contacts are stiff | continuous_penalty |

mod divided;
mod impulse;
mod predict;
mod step;
mod substep;

use crate::law::volume::ContactDetail;
use crate::question::Answers;
use crate::settings::ContactLaw;
use divided::Divided;
pub use predict::PenaltyDetail;
use predict::Predict;
pub(crate) use step::{After, Input};
pub use step::{Progress, StepError};
use substep::Substep;
pub(crate) use substep::touching;

/// What moves a world, with what it knows of a step under way.
#[derive(Clone, Debug)]
pub(crate) enum Stepper {
    Impulse(Box<Divided>),
    Substep(Box<Substep>),
    Predict(Box<Predict>),
}

impl Default for Stepper {
    fn default() -> Self {
        Self::Impulse(Box::default())
    }
}

impl Stepper {
    /// Begins a step, and forgets one that has begun and is not done.
    ///
    /// # Errors
    /// More pairs than a step may have; what the law does not go with.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        match (&self, input.settings.law) {
            (Self::Impulse(_), ContactLaw::Volume)
            | (Self::Substep(_), ContactLaw::Facets)
            | (Self::Predict(_), ContactLaw::ContinuousPenalty) => {}
            (_, ContactLaw::Volume) => *self = Self::default(),
            (_, ContactLaw::Facets) => *self = Self::Substep(Box::default()),
            (_, ContactLaw::ContinuousPenalty) => *self = Self::Predict(Box::default()),
        }
        match self {
            Self::Impulse(impulse) => impulse.begin(input),
            Self::Substep(substep) => substep.begin(input),
            Self::Predict(predict) => predict.begin(input),
        }
    }

    /// Goes on with the answers to what was asked last. Once the step is done, [`Stepper::after`] has its results.
    ///
    /// # Errors
    /// Answers that are no such, or a state that would be no numbers; the step is then forgotten.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        match self {
            Self::Impulse(impulse) => impulse.advance(input, answers),
            Self::Substep(substep) => substep.advance(input, answers),
            Self::Predict(predict) => predict.advance(input, answers),
        }
    }

    /// Forgets a step that has begun, because the world is about to be changed.
    pub fn abandon(&mut self) {
        match self {
            Self::Impulse(impulse) => impulse.abandon(),
            Self::Substep(substep) => substep.abandon(),
            Self::Predict(predict) => predict.abandon(),
        }
    }

    /// The world after the step that is done.
    pub fn after(&mut self) -> &mut After {
        match self {
            Self::Impulse(impulse) => impulse.after(),
            Self::Substep(substep) => &mut substep.after,
            Self::Predict(predict) => &mut predict.after,
        }
    }

    /// What was known of the contacts of the last step, in the order of their records, of which those of bodies that slept through it are
    /// left out; nothing once another has begun or failed, or the world was changed.
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        match self {
            Self::Impulse(impulse) => impulse.contact_details(input),
            Self::Substep(substep) => substep.contact_details(input),
            Self::Predict(predict) => predict.contact_details(input),
        }
    }

    /// What each pair of features did in the last step under the law "continuous_penalty", in the order of sub-steps and pairs; nothing where
    /// [`Stepper::contact_details`] knows nothing.
    pub fn penalties(&self) -> &[PenaltyDetail] {
        match self {
            Self::Predict(predict) => predict.penalties(),
            Self::Impulse(_) | Self::Substep(_) => &[],
        }
    }
}
