//! The simulation on a thread of its own: commands go in, frames come out, neither side waits for the other.
//!
//! | module | what it holds |
//! |---|---|
//! | `engine`, its `recording` | a scene that runs and obeys commands, without a clock; what is recorded of it |
//! | `parameters` | what of a scene can be changed while it runs |
//! | `pull` | a body pulled by the mouse |
//! | `saved_scene` | the present state as a scene file |
//! | `run_tables` | recorded steps as the tables of a run |
//! | `log` | commands as a file, and doing them again |
//! | `expected` | what a scene expects, in any future |
//! | `source` | what can be opened |
//! | `watch` | whether the files that a scene is made from have changed |
//! | `worker` | the thread: pace, commands |

mod engine;
pub mod expected;
mod log;
mod parameters;
mod pull;
mod run_tables;
mod saved_scene;
pub mod source;
#[cfg(test)]
mod tests;
mod watch;
mod worker;

pub use engine::{Engine, EngineError};
pub use log::{Log, LogError, Replay, replay};
pub use parameters::{Parameter, Parameters};
pub use worker::{Opened, Options, Simulation, Status, Update};
