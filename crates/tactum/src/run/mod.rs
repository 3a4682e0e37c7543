//! Running scenes: steps, watchers, checkpoints, and what is known at the end.
//!
//! | module | what it holds |
//! |---|---|
//! | `options` | what is asked of a run |
//! | `prepare` | a run that is ready to step |
//! | `start` | what looks like a slip in the scene before its first step |
//! | `lane` | runs under way, one or many in lockstep |
//! | `output` | what a run writes into its folder while it goes |
//! | `tally` | sums and times over the steps |
//! | `spread` | mean, parts and largest of a figure over the steps |
//! | `doubtful` | of which bodies' facets something was doubtful |
//! | `fast` | which bodies came at each other too fast for the step |
//! | `unsolved` | which steps were not solved |
//! | `end` | what is doubtful about the state that a run ends in |
//! | `outcome` | how a run ended and what is known then |
//! | `error` | why one could not begin |

mod doubtful;
mod end;
mod error;
mod fast;
mod lane;
mod options;
mod outcome;
mod output;
mod prepare;
mod spread;
mod start;
mod tally;
mod unsolved;

pub use error::RunError;
pub use lane::finish_together;
pub use options::{Length, RunOptions};
pub use outcome::{Outcome, Stop};
pub use output::{Files, WriteError};
pub use prepare::Run;
pub use spread::Spread;
pub use tally::{Deepest, Tally, Timings};
pub use unsolved::{Unsolved, Worst};
