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
//! | `end` | what is doubtful about the state that a run ends in |
//! | `outcome` | how a run ended and what is known then |
//! | `error` | why one could not begin |

mod end;
mod error;
mod lane;
mod options;
mod outcome;
mod output;
mod prepare;
mod start;
mod tally;

pub use error::RunError;
pub use lane::finish_together;
pub use options::{Length, RunOptions};
pub use outcome::{Outcome, Stop};
pub use output::{Files, WriteError};
pub use prepare::Run;
pub use tally::{Tally, Timings};
