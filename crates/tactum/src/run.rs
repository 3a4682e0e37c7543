//! Running a scene: steps, watchers, checkpoints, and what is known at the end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tactum_geometry::Overlap;
use tactum_gpu::OpenError;
use tactum_sim::{Body, BodyId, PairJob, StepError, StepReport};
use thiserror::Error;

use crate::backend::{BackendOptions, Detector, Task, exact};
use crate::build::{Built, build};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::expect::Monitor;
use crate::record::{RecordError, Recorder, Tables};
use crate::scene::{Fault, Scene, SceneError};
use crate::session::Session;

/// How long to run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    /// The scene's own duration.
    #[default]
    Scene,
    /// A simulated time \[s\].
    Time(f64),
    /// A number of steps.
    Steps(u64),
}

/// What a run does besides stepping.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// How long to run, counted from the scene's start even when resuming.
    pub length: Length,
    /// How overlaps are measured.
    pub backend: BackendOptions,
    /// Folder for tables and checkpoints; created if missing.
    pub out: Option<PathBuf>,
    /// Which tables to write there.
    pub tables: Tables,
    /// Steps between checkpoints; needs `out`.
    pub checkpoint_every: Option<u64>,
    /// A checkpoint to go on from.
    pub resume: Option<PathBuf>,
}

/// Why a run could not begin, or could not write what it should. What stops the simulation itself is a [`Stop`].
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene's world cannot be made.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// The checkpoint cannot be used or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A table cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The length is not a length.
    #[error("a run of {0} s is not possible: the time has to be positive and finite")]
    Length(f64),
}

/// Why a run ended.
#[derive(Debug)]
pub enum Stop {
    /// It reached its end.
    Finished,
    /// It was asked to end.
    Interrupted,
    /// A step could not be made; the world stands before that step.
    Failed(StepError),
    /// More steps ended above the solver's tolerance than the scene allows.
    Unconverged {
        /// Number of such steps.
        steps: u64,
        /// Number that the scene allows.
        limit: u64,
    },
}

/// Sums over the steps of a run; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Steps made since the scene's start.
    pub steps: u64,
    /// Sum of the steps' sweeps.
    pub sweeps_sum: u64,
    /// Largest number of sweeps of a step.
    pub sweeps_max: u32,
    /// Largest final update norm of a step.
    pub update_norm_max: f64,
    /// Steps in which an island ended above the tolerance.
    pub unconverged_steps: u64,
    /// Deepest mean depth of a contact so far \[m\].
    pub max_depth: f64,
}

impl Tally {
    fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sweeps_sum += u64::from(report.sweeps);
        self.sweeps_max = self.sweeps_max.max(report.sweeps);
        self.update_norm_max = self.update_norm_max.max(report.update_norm);
        self.unconverged_steps += u64::from(report.unconverged_islands > 0);
        self.max_depth = self.max_depth.max(report.max_depth);
    }
}

/// Wall times of every step made, per phase \[s\].
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// One entry per step.
    pub steps: Vec<tactum_sim::record::PhaseTimes>,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The session with the world in its last state.
    pub session: Session,
    /// Why it ended.
    pub stop: Stop,
    /// Report of the last step; empty if none was made.
    pub last: StepReport,
    /// Sums over the steps.
    pub tally: Tally,
    /// Wall times.
    pub timings: Timings,
    /// What did and did not come out as expected.
    pub monitor: Monitor,
    /// Wall time of the stepping \[s\].
    pub wall: f64,
    /// Tables and checkpoints that were written.
    pub files: Vec<PathBuf>,
}

/// A run that is ready to step.
#[derive(Debug)]
pub struct Run<'a> {
    scene: &'a Scene,
    session: Session,
    monitor: Monitor,
    tally: Tally,
    recorder: Option<Recorder>,
    checkpoints: Option<(PathBuf, u64)>,
    n_steps: u64,
    fingerprint: u64,
    warnings: Vec<Fault>,
}

impl<'a> Run<'a> {
    /// Builds the world, restores the checkpoint if there is one, opens the tables.
    ///
    /// # Errors
    /// Whatever keeps the run from beginning.
    pub fn prepare(scene: &'a Scene, options: &RunOptions) -> Result<Self, RunError> {
        let n_steps = n_steps(scene, options.length)?;
        let Built { world, fingerprint, warnings } = build(scene)?;
        let mut monitor = Monitor::new(scene, &world);
        let mut session = Session::new(world, Detector::open(&options.backend)?);
        let mut tally = Tally::default();
        if let Some(path) = &options.resume {
            let checkpoint = Checkpoint::load(path, fingerprint)?;
            checkpoint.restore(&mut session, path)?;
            monitor.restore(checkpoint.monitor);
            tally = checkpoint.tally;
        }
        let recorder = match &options.out {
            Some(dir) => Some(Recorder::open(dir, options.tables, session.world(), tally.steps)?),
            None => None,
        };
        let checkpoints = options.out.clone().zip(options.checkpoint_every);
        let warnings = scene.warnings().iter().cloned().chain(warnings).collect();
        Ok(Self { scene, session, monitor, tally, recorder, checkpoints, n_steps, fingerprint, warnings })
    }

    /// The session, standing at the first step to be made.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Doubts about the scene and its meshes.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// The session, for stepping it by hand.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Pairs of bodies that overlap deeply before the first step, in words: most likely a slip in the scene.
    pub fn overlaps_at_start(&self) -> Vec<String> {
        /// Part of the smaller body's volume above which an overlap is no resting contact.
        const DEEP: f64 = 0.1;
        if self.tally.steps > 0 {
            return Vec::new();
        }
        let world = self.session.world();
        let plan = world.plan();
        let overlaps = exact::overlaps(&Task::all(world, &plan.jobs).collect::<Vec<_>>());
        let describe = |(job, overlap): (&PairJob, &Overlap)| {
            let [a, b] = job.bodies.map(|ix| world.body(BodyId(ix)));
            let volume = |body: &Body| body.shape.unit_mass().map_or(f64::INFINITY, |unit| unit.volume);
            let part = overlap.volume / volume(a).min(volume(b));
            let text = || {
                let together = if a.position == b.position { " stand at the same place and" } else { "" };
                format!(
                    "the bodies '{}' and '{}'{together} overlap by {:.0} % of the smaller one at the start",
                    a.name,
                    b.name,
                    100.0 * part
                )
            };
            // What the step looks ahead for is no overlap yet.
            (part > DEEP && !job.is_ahead()).then(text)
        };
        plan.jobs.iter().zip(&overlaps).filter_map(describe).collect()
    }

    /// Number of steps from the scene's start to the end of the run.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Number of steps made before this run, when it resumes one.
    pub fn first_step(&self) -> u64 {
        self.tally.steps
    }

    /// Steps to the end, to a failure, or until `interrupt` is set; calls `progress` after every step with the
    /// number of steps made since the scene's start.
    ///
    /// # Errors
    /// If a table or a checkpoint cannot be written.
    pub fn finish(
        mut self,
        interrupt: &AtomicBool,
        mut progress: impl FnMut(u64, &StepReport),
    ) -> Result<Outcome, RunError> {
        let begin = Instant::now();
        let dt = self.session.world().settings().dt;
        let limit = self.scene.spec().solver.max_unconverged_steps.unwrap_or(u64::MAX);
        let mut timings = Timings::default();
        let mut last = StepReport::default();
        let mut files = Vec::new();
        let mut stop = Stop::Finished;
        while self.tally.steps < self.n_steps {
            if interrupt.load(Ordering::Relaxed) {
                stop = Stop::Interrupted;
                break;
            }
            last = match self.session.step() {
                Ok(report) => report,
                Err(error) => {
                    stop = Stop::Failed(error);
                    break;
                }
            };
            self.tally.add(&last);
            timings.steps.push(last.times);
            let time = self.tally.steps as f64 * dt;
            self.monitor.after_step(&self.session, &last, time);
            if let Some(recorder) = &mut self.recorder {
                recorder.record(self.tally.steps, time, self.session.world(), &last)?;
            }
            if let Some(path) = self.checkpoint_if_due()? {
                files.push(path);
            }
            progress(self.tally.steps, &last);
            if self.tally.unconverged_steps > limit {
                stop = Stop::Unconverged { steps: self.tally.unconverged_steps, limit };
                break;
            }
        }
        if matches!(stop, Stop::Finished) {
            self.monitor.at_end(&self.session, &last, self.tally.steps as f64 * dt);
        }
        if let Some(recorder) = self.recorder {
            files.extend(recorder.close()?);
        }
        let wall = begin.elapsed().as_secs_f64();
        let Self { session, monitor, tally, .. } = self;
        Ok(Outcome { session, stop, last, tally, timings, monitor, wall, files })
    }

    fn checkpoint_if_due(&self) -> Result<Option<PathBuf>, CheckpointError> {
        match &self.checkpoints {
            Some((dir, every)) if self.tally.steps.is_multiple_of(*every) => {
                let path = checkpoint_path(dir, self.tally.steps);
                Checkpoint::of(&self.session, &self.tally, self.monitor.state(), self.fingerprint)
                    .save(&path)?;
                Ok(Some(path))
            }
            _ => Ok(None),
        }
    }
}

/// Where the checkpoint after a step lies.
pub fn checkpoint_path(dir: &Path, step: u64) -> PathBuf {
    dir.join(format!("checkpoint-{step:08}.json"))
}

fn n_steps(scene: &Scene, length: Length) -> Result<u64, RunError> {
    let time = match length {
        Length::Steps(n) => return Ok(n),
        Length::Time(time) => time,
        Length::Scene => scene.spec().duration,
    };
    if !(time.is_finite() && time > 0.0) {
        return Err(RunError::Length(time));
    }
    Ok((time / scene.spec().dt).round() as u64)
}
