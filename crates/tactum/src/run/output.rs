//! What a run writes into its folder while it goes.

use std::path::PathBuf;

use tactum_sim::{StepReport, World};
use thiserror::Error;

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::folder::{FolderError, RunCard, RunFolder, checkpoint_name};
use crate::inputs::Inputs;
use crate::lost_results::GoingOn;
use crate::tables::{RecordError, Recorder, Sensors, TableEnds, Tables};

use super::RunError;

/// Why a result could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] RecordError),
    /// A checkpoint cannot be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The folder is no longer the run's.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// The files that a run has written.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Its tables, but for those that could not be written.
    pub tables: Vec<PathBuf>,
    /// Number of the checkpoints that it wrote.
    pub n_checkpoints: u64,
    /// The newest checkpoint in its folder, be it one of the run that it goes on with.
    pub last_checkpoint: Option<PathBuf>,
    /// What it has removed of later results of the run that it goes on with, in words.
    pub removed: Vec<String>,
}

/// What is wanted in which folder.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The folder.
    pub dir: PathBuf,
    /// Whether results of another run, or later ones of this run, may be replaced.
    pub overwrite: bool,
    /// The tables.
    pub tables: Tables,
    /// Steps between checkpoints.
    pub checkpoint_every: Option<u64>,
    /// What is measured for `sensors.csv`.
    pub sensors: Sensors,
    /// Where the tables of a run that goes on have ended.
    pub ends: TableEnds,
    /// What the run is made from.
    pub inputs: Inputs,
    /// The words of the command that asks for the run.
    pub command: Vec<String>,
}

/// The folder of a run, and the tables in it.
#[derive(Debug)]
pub struct Output {
    folder: RunFolder,
    recorder: Recorder,
    checkpoint_every: Option<u64>,
    files: Files,
}

impl Output {
    /// Takes the folder for the run on `card`, which goes on after a step or ends after `n_steps`, and opens the tables.
    pub fn open(
        wanted: &Wanted,
        card: &RunCard,
        resumed: Option<u64>,
        n_steps: u64,
        world: &World,
    ) -> Result<Self, RunError> {
        let (tables, ends) = (wanted.tables, wanted.ends.clone());
        let going_on = resumed.map(|step| GoingOn { step, n_steps, tables, ends });
        let mut folder =
            RunFolder::take(&wanted.dir, card, going_on.as_ref(), wanted.overwrite, &wanted.inputs)?;
        let (step, none) = (resumed.unwrap_or(0), TableEnds::default());
        // In a folder without results of this run, the tables begin where the run goes on.
        let ends = if folder.holds_results() { &wanted.ends } else { &none };
        let recorder = Recorder::open(folder.path(), wanted.tables, (world, &wanted.sensors), step, ends)?;
        let files = Files { removed: folder.take_removed(), ..Files::default() };
        Ok(Self { folder, recorder, checkpoint_every: wanted.checkpoint_every, files })
    }

    /// Adds the rows of a step to the tables.
    pub fn record(
        &mut self,
        step: u64,
        time: f64,
        world: &World,
        report: &StepReport,
    ) -> Result<(), WriteError> {
        Ok(self.recorder.record(step, time, world, report)?)
    }

    /// Whether a checkpoint is wanted where a run begins: one that takes any can then be gone on with from its first moment.
    pub fn is_first_checkpoint_due(&self) -> bool {
        self.checkpoint_every.is_some()
    }

    /// Whether a checkpoint is wanted after a step.
    pub fn is_checkpoint_due(&self, step: u64) -> bool {
        self.checkpoint_every.is_some_and(|every| step.is_multiple_of(every))
    }

    /// Writes a checkpoint, after all rows up to it are on the disk. One that was written after the same step stays.
    pub fn checkpoint(
        &mut self,
        step: u64,
        make: impl FnOnce(TableEnds) -> Checkpoint,
    ) -> Result<(), WriteError> {
        self.folder.is_held()?;
        let path = self.folder.path().join(checkpoint_name(step));
        if !path.exists() {
            make(self.recorder.sync()?).save(&path)?;
            self.files.n_checkpoints += 1;
        }
        self.files.last_checkpoint = Some(path);
        Ok(())
    }

    /// Waits until the tables are on the disk.
    pub fn sync(&mut self) -> Result<(), WriteError> {
        self.folder.is_held()?;
        self.recorder.sync()?;
        Ok(())
    }

    /// The folder, which stays locked as long as it is kept, and the files in it.
    pub fn close(mut self) -> (RunFolder, Files) {
        self.files.tables = self.recorder.whole();
        if self.folder.is_held().is_err() {
            self.files.last_checkpoint = None;
        }
        (self.folder, self.files)
    }
}
