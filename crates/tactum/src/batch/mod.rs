//! Many runs of one scene with values replaced: parameter studies that are cut off, gone on with and divided over machines without
//! a trace in their results.
//!
//! | module | what it holds |
//! |---|---|
//! | `sweep` | what a sweep file says |
//! | `draw` | the values that a path takes: ranges, lists, distributions |
//! | `plan` | which values belong to which run |
//! | `watch` | what is looked at while a run goes: kept quantities, events, series |
//! | `lane` | a run under way |
//! | `pause` | a run under way on the disk, to go on from |
//! | `work` | runs stepped together on threads until they end |
//! | `record` | what is known of a run that has ended |
//! | `sources` | the files that runs are made from |
//! | `card` | what decides which results a batch gives |
//! | `folder` | the folder of a batch: its lock, the journal of ended runs, the results |
//! | `remove` | files taken away |
//! | `repro` | scenes of runs that failed |
//! | `tables` | results as tables of columns |
//! | `page` | results as a page for people, with plots |
//! | `outputs` | what is made from the results: tables and the page |
//! | `merge` | shards put together |
//! | `error` | why a batch cannot begin or go on |
//!
//! Data goes one way: sweep -> plan -> runs -> journal -> results -> tables. A run's record depends on the sweep and the scene alone,
//! and results are in the order of the runs: whatever the number of threads, the pauses and the shards, the files are the same.

mod card;
mod draw;
mod error;
mod folder;
mod lane;
mod merge;
mod outputs;
mod page;
mod pause;
mod plan;
mod record;
mod remove;
mod repro;
mod sources;
mod sweep;
mod tables;
mod watch;
mod work;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::backend::{Backend, BackendOptions};
use crate::scene::Fault;

pub use card::{Card, Origin};
pub use error::BatchError;
use folder::{Access, BatchFolder, outputs_in};
pub use folder::{read_results, repro_in};
pub use merge::{Merged, merge};
pub use page::of_batch;
pub use plan::{Plan, Shard};
pub use record::{End, Given, Layout, Named, Record, Samples};
pub use sources::Source;
pub use sweep::{EventSpec, KeepSpec, RandomSpec, Reduction, ReplicasSpec, Sweep, SweepSpec};
pub use tables::{runs_table, series_table};
pub use work::Split;
use work::Work;

/// What a batch does besides running.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    /// Folder for the results; created if missing.
    pub out: PathBuf,
    /// Which part of the runs.
    pub shard: Shard,
    /// Whether a batch that was cut off in that folder is gone on with.
    pub resume: bool,
    /// Whether results of another batch there may be replaced.
    pub overwrite: bool,
    /// Whether tables are written as comma-separated values as well.
    pub csv: bool,
    /// What measures overlaps. `Auto` is the exact method here: what a clock decides would differ after a pause.
    pub backend: BackendOptions,
    /// Threads.
    pub threads: usize,
    /// Steps between checkpoints of each run, in place of what the sweep says.
    pub checkpoint_every: Option<NonZeroU64>,
    /// Runs that step together, so that one submission to a device serves them all.
    pub together: usize,
}

/// How far a batch has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs that have ended, those before a pause included.
    pub done: u64,
    /// Those of them that failed.
    pub failed: u64,
    /// Runs in all.
    pub total: u64,
}

/// A run that failed, as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRun {
    /// Its number.
    pub run: u64,
    /// Why, in words.
    pub why: String,
    /// The scene that fails.
    pub repro: PathBuf,
}

/// What happens while a batch runs.
#[derive(Clone, Debug)]
pub enum News {
    /// What the scene is warned of with the values of the first run, before any is made.
    Warning(Fault),
    /// What is doubtful about its world, in words.
    Doubt(String),
    /// A run has ended.
    Progress(Progress),
    /// A run has failed.
    Failed(FailedRun),
    /// The device was given up, and overlaps were measured exactly from then on: why, in words.
    Trouble(String),
}

/// How a batch ended.
#[derive(Clone, Debug, Default)]
pub struct BatchOutcome {
    /// How far it has come.
    pub progress: Progress,
    /// Runs that were there already.
    pub resumed: u64,
    /// Whether all runs have ended, and tables are written; if not, it was asked to end before.
    pub is_whole: bool,
    /// Runs whose scene's expectations were not met.
    pub unmet: u64,
    /// Steps made, summed over the runs of this call.
    pub steps: u64,
    /// Where the time of the threads went.
    pub split: Split,
    /// Wall time of this call \[s\].
    pub wall: f64,
    /// Files written.
    pub files: Vec<PathBuf>,
}

/// Runs a sweep, or the part of it that is not done yet; `news` is told what happens, from any thread.
///
/// # Errors
/// What keeps it from beginning, before anything is run; and results that cannot be written: those that were stay.
pub fn run_batch(
    sweep: &Sweep,
    options: &BatchOptions,
    interrupt: &AtomicBool,
    news: &(dyn Fn(News) + Sync),
) -> Result<BatchOutcome, BatchError> {
    let begin = Instant::now();
    let backend = match options.backend.backend {
        Backend::Auto => BackendOptions { backend: Backend::Exact, ..options.backend.clone() },
        _ => options.backend.clone(),
    };
    let work = Work::prepare(sweep, &backend)?;
    let card = work.card(options.shard);
    work.inputs().spare(outputs_in(&options.out))?;
    let access = Access { resume: options.resume, overwrite: options.overwrite };
    let mut folder = BatchFolder::take(&options.out, &card, access)?;
    work.tell(news);
    let mut resumed = folder.progress().done;
    let mut outcome = BatchOutcome::default();
    if !folder.is_complete() {
        (outcome.steps, outcome.split) = work.run(&mut folder, options, interrupt, news)?;
        folder.sync()?;
    } else {
        resumed = card.count();
    }
    if let Some(records) = folder.settle()? {
        outcome.files = outputs::save(&folder, &card, &records, options.csv)?;
        outcome.unmet = records.iter().filter(|record| record.unmet.is_some_and(|n| n > 0)).count() as u64;
        outcome.is_whole = true;
    }
    outcome.progress = folder.progress();
    outcome.resumed = resumed;
    outcome.wall = begin.elapsed().as_secs_f64();
    Ok(outcome)
}
