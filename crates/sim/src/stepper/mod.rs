//! Steppers: what moves a world from one time to the next. A stepper says what is predicted, how often questions are asked,
//! what is solved and what is integrated; it knows no contact theory.
//!
//! | stepper | |
//! |---|---|
//! | `impulse` | one question a step, block Gauss-Seidel over the answers' contacts |
//! | `divided` | the same, a step in as many parts as the settings say |

mod divided;
mod impulse;
mod step;

use crate::law::volume::ContactDetail;
use crate::question::Answers;
use divided::Divided;
pub(crate) use step::{After, Input};
pub use step::{Progress, StepError};

/// What moves a world, with what it knows of a step under way.
#[derive(Clone, Debug)]
pub(crate) enum Stepper {
    Impulse(Divided),
}

impl Default for Stepper {
    fn default() -> Self {
        Self::Impulse(Divided::default())
    }
}

impl Stepper {
    /// Begins a step, and forgets one that has begun and is not done.
    ///
    /// # Errors
    /// More pairs than a step may have.
    pub fn begin(&mut self, input: &Input<'_>) -> Result<Progress, StepError> {
        match self {
            Self::Impulse(impulse) => impulse.begin(input),
        }
    }

    /// Goes on with the answers to what was asked last. Once the step is done, [`Stepper::after`] has its results.
    ///
    /// # Errors
    /// Answers that are no such, or a state that would be no numbers; the step is then forgotten.
    pub fn advance(&mut self, input: &Input<'_>, answers: Answers) -> Result<Progress, StepError> {
        match self {
            Self::Impulse(impulse) => impulse.advance(input, answers),
        }
    }

    /// Forgets a step that has begun, because the world is about to be changed.
    pub fn abandon(&mut self) {
        match self {
            Self::Impulse(impulse) => impulse.abandon(),
        }
    }

    /// The world after the step that is done.
    pub fn after(&mut self) -> &mut After {
        match self {
            Self::Impulse(impulse) => impulse.after(),
        }
    }

    /// What was known of the contacts of the last step, in the order of their records, of which those of bodies that slept through it are
    /// left out; nothing once another has begun or failed, or the world was changed.
    pub fn contact_details(&self, input: &Input<'_>) -> Vec<ContactDetail> {
        match self {
            Self::Impulse(impulse) => impulse.contact_details(input),
        }
    }
}
