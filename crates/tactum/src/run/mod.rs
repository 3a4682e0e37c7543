//! Running a scene: steps, watchers, checkpoints, and what is known at the end.

mod output;
mod tally;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tactum_geometry::{Overlap, words};
use tactum_gpu::OpenError;
use tactum_sim::{Body, OverlapQuestion, Progress, StepError, StepReport};
use thiserror::Error;

use crate::backend::{BackendOptions, Detector, exact};
use crate::build::{Built, build};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::expect::{Moment, Monitor};
use crate::folder::{FolderError, RunCard, RunFolder, find_checkpoints};
use crate::scene::{Fault, MAX_STEPS, Scene, SceneError};
use crate::session::Session;
use crate::tables::{RecordError, TableEnds, Tables, gaps};
pub use output::{Files, WriteError};
use output::{Output, Wanted};
pub use tally::{Tally, Timings};

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
    /// Whether results of another run in that folder, or those after the checkpoint to go on from, may be replaced.
    pub overwrite: bool,
    /// Which tables to write there; by default all, or those of the run that is resumed.
    pub tables: Option<Tables>,
    /// Steps between checkpoints; needs `out`.
    pub checkpoint_every: Option<u64>,
    /// A checkpoint to go on from, or a folder whose newest one is meant.
    pub resume: Option<PathBuf>,
}

/// Why a run could not begin. What ends one that has begun is a [`Stop`].
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene's world cannot be made.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] OpenError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The newest checkpoint of a folder cannot be used, but an older one can.
    #[error("{error}; an older one can be used: --resume {}", words::path(older))]
    Newest {
        /// What is wrong with the newest.
        error: CheckpointError,
        /// The newest of those that can be used.
        older: PathBuf,
    },
    /// The folder to go on from cannot be used.
    #[error(transparent)]
    Resume(FolderError),
    /// The folder cannot take the results.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A table cannot be begun or gone on with.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The first step cannot be made.
    #[error(
        "the scene cannot make its first step: {0}; most likely a length is in another unit than metres, or bodies stand in \
         each other"
    )]
    Start(StepError),
    /// The length is not a length.
    #[error("a run of {} s is not possible: the time has to be positive and finite", words::number(*.0))]
    Length(f64),
    /// The length is most likely a slip of the unit.
    #[error(
        "a run of {} s in steps of {} s has {} steps; the limit is {}",
        words::number(*time), words::number(*dt), words::number(*steps), words::number(MAX_STEPS)
    )]
    TooLong {
        /// Time asked for \[s\].
        time: f64,
        /// Time step \[s\].
        dt: f64,
        /// Number of steps.
        steps: f64,
    },
    /// More steps than a run can have.
    #[error("a run of {} steps is not possible; the limit is {}", .0, words::number(MAX_STEPS))]
    TooManySteps(u64),
    /// The checkpoint lies behind the end of the run.
    #[error(
        "the checkpoint '{}' was written after step {step}, the run is to end after step {n_steps}",
        words::path(path)
    )]
    BehindEnd {
        /// The checkpoint.
        path: PathBuf,
        /// Its step.
        step: u64,
        /// Number of steps of the run from the scene's start.
        n_steps: u64,
    },
}

impl RunError {
    /// Whether a result could not be written, such as on a full disk, and not what was asked for is wrong.
    pub fn is_of_writing(&self) -> bool {
        match self {
            Self::Folder(error) => matches!(error, FolderError::File { .. }),
            Self::Record(error) => error.is_of_writing(),
            _ => false,
        }
    }
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
    /// A result could not be written.
    Unwritten(WriteError),
}

/// A run that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The session with the world in its last state.
    pub session: Session,
    /// Why it ended.
    pub stop: Stop,
    /// Report of the last step, be it one before the checkpoint; none if none was made.
    pub last: Option<StepReport>,
    /// Sums over the steps since the scene's start.
    pub tally: Tally,
    /// Wall times of the steps of this run.
    pub timings: Timings,
    /// What did and did not come out as expected.
    pub monitor: Monitor,
    /// Wall time of the stepping \[s\].
    pub wall: f64,
    /// Tables and checkpoints that were written.
    pub files: Files,
    /// The folder that they are in; nobody else writes there as long as this exists.
    pub folder: Option<RunFolder>,
}

/// A run that is ready to step.
#[derive(Debug)]
pub struct Run {
    scene: Arc<Scene>,
    session: Session,
    monitor: Monitor,
    tally: Tally,
    last: Option<StepReport>,
    /// Steps before this run, where it goes on from a checkpoint.
    resumed: Option<u64>,
    wanted: Option<Wanted>,
    n_steps: u64,
    fingerprint: u64,
    warnings: Vec<Fault>,
    doubts: Vec<String>,
}

impl Run {
    /// Builds the world and restores the checkpoint if there is one. Nothing is written yet.
    ///
    /// # Errors
    /// Whatever keeps the run from beginning.
    pub fn prepare(scene: impl Into<Arc<Scene>>, options: &RunOptions) -> Result<Self, RunError> {
        let scene = scene.into();
        let n_steps = n_steps(&scene, options.length)?;
        let Built { world, fingerprint, warnings } = build(&scene)?;
        let mut run = Self {
            monitor: Monitor::new(&scene, &world),
            session: Session::new(world, Detector::open(&options.backend)?),
            tally: Tally::default(),
            last: None,
            resumed: None,
            wanted: None,
            n_steps,
            fingerprint,
            warnings: scene.warnings().iter().cloned().chain(warnings).collect(),
            doubts: Vec::new(),
            scene,
        };
        run.doubts = run.overlaps_at_start()?;
        let ends = match &options.resume {
            Some(path) => run.resume(path)?,
            None => TableEnds::default(),
        };
        if run.n_steps == 0 {
            run.doubts.push(match options.length {
                Length::Steps(_) => "the run makes no step: 0 steps were asked for".to_owned(),
                Length::Scene | Length::Time(_) => {
                    format!(
                        "the run makes no step: it is shorter than half a step of {} s",
                        run.scene.spec().dt
                    )
                }
            });
        }
        if let Some(dir) = &options.out {
            let tables = options.tables.unwrap_or_else(|| match run.resumed {
                Some(_) => Tables::of(&ends),
                None => Tables::default(),
            });
            run.doubts.extend(gaps(tables, run.session.world(), run.tally.steps, &ends));
            let (overwrite, checkpoint_every) = (options.overwrite, options.checkpoint_every);
            run.wanted = Some(Wanted { dir: dir.clone(), overwrite, tables, checkpoint_every, ends });
        }
        Ok(run)
    }

    /// Takes over all that a checkpoint knows, be it the newest of a folder; where the tables of its run have ended.
    fn resume(&mut self, path: &Path) -> Result<TableEnds, RunError> {
        let found = find_checkpoints(path).map_err(RunError::Resume)?;
        let path = &found[0];
        let checkpoint = Checkpoint::load(path, self.fingerprint).map_err(|error| {
            let mut older = found[1..].iter();
            match older.find(|older| Checkpoint::load(older, self.fingerprint).is_ok()) {
                Some(older) => RunError::Newest { error, older: older.clone() },
                None => error.into(),
            }
        })?;
        let (step, n_steps) = (checkpoint.tally.steps, self.n_steps);
        if n_steps < step {
            return Err(RunError::BehindEnd { path: path.to_owned(), step, n_steps });
        }
        checkpoint.restore(self.session.world_mut(), path)?;
        self.monitor.restore(checkpoint.monitor);
        self.tally = checkpoint.tally;
        self.last = checkpoint.last;
        self.resumed = Some(step);
        Ok(checkpoint.tables)
    }

    /// The scene that is run.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The session, standing at the first step to be made.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Doubts about the scene and its meshes, each at its place in the file.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// Doubts about the run, in words: pairs of bodies that overlap deeply before the first step, most likely a slip in the
    /// scene; tables that will not be whole; a run without steps.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// The session, for stepping it by hand.
    pub fn into_session(self) -> Session {
        self.session
    }

    fn overlaps_at_start(&mut self) -> Result<Vec<String>, RunError> {
        /// Part of the smaller body's volume above which an overlap is no resting contact.
        const DEEP: f64 = 0.1;
        /// Pairs that are listed; more are counted.
        const LISTED: usize = 20;
        /// Pairs that are measured at a time; nothing is kept of them but the part that overlaps.
        const BATCH: usize = 4096;
        let begun = self.session.world_mut().begin_step().map_err(RunError::Start)?;
        let Progress::Ask(questions) = begun else { return Ok(Vec::new()) };
        let world = self.session.world();
        // What the step looks ahead for is no overlap yet.
        let here: Vec<&OverlapQuestion> =
            questions.overlaps.iter().filter(|question| !question.is_ahead).collect();
        let volume = |body: &Body| body.shape.unit_mass().map_or(f64::INFINITY, |unit| unit.volume);
        let part = |(question, overlap): (&&OverlapQuestion, Overlap)| {
            let [a, b] = question.bodies.map(|id| volume(world.body(id)));
            overlap.volume / a.min(b)
        };
        let describe = |(question, part): (&&OverlapQuestion, f64)| {
            let [a, b] = question.bodies.map(|id| world.body(id));
            let together = if a.position == b.position { " stand at the same place and" } else { "" };
            format!(
                "the bodies '{}' and '{}'{together} overlap by {:.0} % of the smaller one at the start",
                a.name,
                b.name,
                100.0 * part
            )
        };
        let parts = here.chunks(BATCH).flat_map(|batch| {
            let parts: Vec<f64> = batch.iter().zip(exact::overlaps(batch)).map(part).collect();
            parts
        });
        let mut deep = here.iter().zip(parts).filter(|(_, part)| *part > DEEP);
        let mut texts: Vec<String> = deep.by_ref().take(LISTED).map(describe).collect();
        match deep.count() {
            0 => {}
            more => texts.push(format!("{more} more pairs of bodies overlap as deeply at the start")),
        }
        Ok(texts)
    }

    /// Number of steps from the scene's start to the end of the run.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Number of steps made before this run, when it resumes one.
    pub fn first_step(&self) -> u64 {
        self.resumed.unwrap_or(0)
    }

    /// Opens the folder for the results if one is wanted, steps to the end, to a failure, or until `interrupt` is set, and
    /// calls `progress` after every step with the number of steps made since the scene's start. A run that is interrupted
    /// writes a checkpoint.
    ///
    /// # Errors
    /// If the folder cannot take the results. A result that cannot be written later ends the run with
    /// [`Stop::Unwritten`].
    pub fn finish(
        mut self,
        interrupt: &AtomicBool,
        progress: impl FnMut(u64, &StepReport),
    ) -> Result<Outcome, RunError> {
        let mut output = match &self.wanted {
            Some(wanted) => {
                let world = self.session.world();
                Some(Output::open(wanted, &self.card(), self.resumed, self.n_steps, world)?)
            }
            None => None,
        };
        let begin = Instant::now();
        let mut timings = Timings::default();
        let stop = self.step_to_end(&mut output, interrupt, &mut timings, progress);
        let mut stop = stop.unwrap_or_else(Stop::Unwritten);
        if matches!(stop, Stop::Finished) {
            let now =
                Moment { step: self.tally.steps, world: self.session.world(), last: self.last.as_ref() };
            self.monitor.at_end(now);
        }
        if let Some(output) = &mut output
            && let (Err(error), Stop::Finished | Stop::Interrupted) = (output.sync(), &stop)
        {
            stop = Stop::Unwritten(error);
        }
        let (folder, files) = output.map(Output::close).unzip();
        let wall = begin.elapsed().as_secs_f64();
        let tally = self.tally_with_recoveries();
        let Self { session, monitor, last, .. } = self;
        let files = files.unwrap_or_default();
        Ok(Outcome { session, stop, last, tally, timings, monitor, wall, files, folder })
    }

    fn step_to_end(
        &mut self,
        output: &mut Option<Output>,
        interrupt: &AtomicBool,
        timings: &mut Timings,
        mut progress: impl FnMut(u64, &StepReport),
    ) -> Result<Stop, WriteError> {
        let dt = self.session.world().settings().dt;
        let limit = self.scene.spec().solver.max_unconverged_steps.unwrap_or(u64::MAX);
        if self.resumed.is_none() {
            self.monitor.at_start(self.session.world());
        }
        if let Some(output) = output
            && output.is_first_checkpoint_due()
        {
            output.checkpoint(self.tally.steps, |ends| self.checkpoint(ends))?;
        }
        while self.tally.steps < self.n_steps {
            if interrupt.load(Ordering::Relaxed) {
                if let Some(output) = output {
                    output.checkpoint(self.tally.steps, |ends| self.checkpoint(ends))?;
                }
                return Ok(Stop::Interrupted);
            }
            let report = match self.session.step() {
                Ok(report) => report,
                Err(error) => return Ok(Stop::Failed(error)),
            };
            self.tally.add(&report);
            timings.add(report.times);
            let (step, world) = (self.tally.steps, self.session.world());
            self.monitor.after_step(Moment { step, world, last: Some(&report) });
            if let Some(output) = output {
                output.record(step, step as f64 * dt, world, &report)?;
            }
            progress(step, &report);
            self.last = Some(report);
            if let Some(output) = output
                && output.is_checkpoint_due(step)
            {
                output.checkpoint(step, |ends| self.checkpoint(ends))?;
            }
            let steps = self.tally.unconverged_steps;
            if steps > limit {
                return Ok(Stop::Unconverged { steps, limit });
            }
        }
        Ok(Stop::Finished)
    }

    fn checkpoint(&self, ends: TableEnds) -> Checkpoint {
        let (world, monitor) = (self.session.world(), self.monitor.state());
        let tally = self.tally_with_recoveries();
        Checkpoint::of(world, &tally, monitor, self.last.as_ref(), ends, self.fingerprint)
    }

    /// The tally with what this run's detector had to measure again.
    fn tally_with_recoveries(&self) -> Tally {
        let mut tally = self.tally.clone();
        for (cause, n) in self.session.detector().recoveries() {
            *tally.recoveries.entry((*cause).to_owned()).or_default() += n;
        }
        tally
    }

    fn card(&self) -> RunCard {
        RunCard::new(self.scene.name(), self.fingerprint, self.session.detector().description())
    }
}

fn n_steps(scene: &Scene, length: Length) -> Result<u64, RunError> {
    let dt = scene.spec().dt;
    let time = match length {
        Length::Steps(n) if n as f64 > MAX_STEPS => return Err(RunError::TooManySteps(n)),
        Length::Steps(n) => return Ok(n),
        Length::Time(time) => time,
        Length::Scene => scene.spec().duration,
    };
    if !(time.is_finite() && time > 0.0) {
        return Err(RunError::Length(time));
    }
    let steps = time / dt;
    if steps > MAX_STEPS {
        return Err(RunError::TooLong { time, dt, steps });
    }
    Ok(steps.round() as u64)
}
