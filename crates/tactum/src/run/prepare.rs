//! A run that is ready to step: world and watchers at its first step, or at the one after a checkpoint.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tactum_sim::{StepReport, World};

use crate::backend::Detector;
use crate::build::{Built, build};
use crate::checkpoint::Checkpoint;
use crate::expect::Monitor;
use crate::folder::find_checkpoints;
use crate::inputs::{Inputs, Role};
use crate::scene::{Fault, Scene};
use crate::tables::{Sensors, TableEnds, Tables, gaps};

use super::lane::finish_together;
use super::output::Wanted;
use super::start::deep_overlaps;
use super::{Length, Outcome, RunError, RunOptions, Tally};

/// A run that is ready to step.
#[derive(Debug)]
pub struct Run {
    pub(super) scene: Arc<Scene>,
    pub(super) world: World,
    pub(super) monitor: Monitor,
    pub(super) tally: Tally,
    pub(super) last: Option<StepReport>,
    /// Steps before this run, where it goes on from a checkpoint.
    pub(super) resumed: Option<u64>,
    pub(super) wanted: Option<Wanted>,
    pub(super) n_steps: u64,
    pub(super) fingerprint: u64,
    inputs: Inputs,
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
        let n_steps = options.length.n_steps(&scene)?;
        let Built { world, fingerprint, warnings } = build(&scene)?;
        let mut run = Self {
            monitor: Monitor::new(&scene, &world),
            doubts: deep_overlaps(&world).map_err(RunError::Start)?,
            world,
            tally: Tally::default(),
            last: None,
            resumed: None,
            wanted: None,
            n_steps,
            fingerprint,
            inputs: Inputs::of_scene(&scene),
            warnings: scene.warnings().iter().cloned().chain(warnings).collect(),
            scene,
        };
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
            let sensors = Sensors::of(run.scene.spec(), &run.world);
            run.doubts.extend(gaps(tables, &run.world, &sensors, run.tally.steps, &ends));
            let (overwrite, checkpoint_every) = (options.overwrite, options.checkpoint_every);
            let (dir, inputs, command) = (dir.clone(), run.inputs.clone(), options.command.clone());
            run.wanted =
                Some(Wanted { dir, overwrite, tables, sensors, checkpoint_every, ends, inputs, command });
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
        checkpoint.restore(&mut self.world, path)?;
        self.inputs.add(Role::Checkpoint, path.clone());
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

    /// Hash of all that decides how the run goes, see [`Built::fingerprint`].
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The world, standing at the first step to be made.
    pub fn world(&self) -> &World {
        &self.world
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

    /// The world, for stepping it by hand in a [`Session`](crate::Session).
    pub fn into_world(self) -> World {
        self.world
    }

    /// Number of steps from the scene's start to the end of the run.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Number of steps made before this run, when it resumes one.
    pub fn first_step(&self) -> u64 {
        self.resumed.unwrap_or(0)
    }

    /// Steps to the end, see [`finish_together`]; `progress` is called after every step with the number of steps made since
    /// the scene's start.
    ///
    /// # Errors
    /// If the folder cannot take the results.
    pub fn finish(
        self,
        detector: &mut Detector,
        interrupt: &AtomicBool,
        mut progress: impl FnMut(u64, &StepReport),
    ) -> Result<Outcome, RunError> {
        let step = |_, step, report: &StepReport| progress(step, report);
        finish_together(vec![self], detector, interrupt, step).pop().expect("one run, one outcome")
    }
}
