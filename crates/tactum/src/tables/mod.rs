//! Tables of a run: one row per step, body, contact or joint, as comma-separated values. Those of states begin with the state before
//! the first step.

pub mod columns;
pub mod forms;
mod rows;
mod sensors;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tactum_geometry::words;
use tactum_sim::{StepReport, World};
use thiserror::Error;

use rows::{ContactRow, EnergyRow, JointRow, PoseRow, contact_rows, energy_row, joint_rows, pose_rows};
use sensors::SensorRow;
pub use sensors::{Reading, Sensors};
use table::{End, Table, header};

/// Where every moving body is.
pub const POSES: &str = "poses.csv";
/// What touches.
pub const CONTACTS: &str = "contacts.csv";
/// How the joints stand.
pub const JOINTS: &str = "joints.csv";
/// Energies, and figures of every step.
pub const ENERGY: &str = "energy.csv";
/// What sensors measure.
pub const SENSORS: &str = "sensors.csv";

/// Names of all files that a recorder may write.
pub const TABLE_FILES: [&str; 5] = [POSES, CONTACTS, JOINTS, ENERGY, SENSORS];

/// Which tables a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// `poses.csv`: every moving body at the start and after every step.
    pub poses: bool,
    /// `contacts.csv`: every contact of every step.
    pub contacts: bool,
    /// `joints.csv`: every joint at the start and after every step, where the scene has joints.
    pub joints: bool,
    /// `energy.csv`: energies at the start and after every step, depths and solver figures of every step.
    pub energy: bool,
    /// `sensors.csv`: what the scene's sensors measure at the start and after every step, where it has any.
    pub sensors: bool,
}

impl Default for Tables {
    /// All of them.
    fn default() -> Self {
        Self { poses: true, contacts: true, joints: true, energy: true, sensors: true }
    }
}

/// A table that does not exist.
#[derive(Debug, Error)]
#[error("there is no table '{0}'; the tables are: poses, contacts, joints, energy, sensors")]
pub struct UnknownTable(String);

impl Tables {
    const NONE: Self = Self { poses: false, contacts: false, joints: false, energy: false, sensors: false };

    /// The tables that end here.
    pub fn of(ends: &TableEnds) -> Self {
        let [poses, contacts, joints, energy, sensors] = TABLE_FILES.map(|name| ends.0.contains_key(name));
        Self { poses, contacts, joints, energy, sensors }
    }

    /// Whether the table of a file name of [`TABLE_FILES`] is among them.
    pub fn has(self, file: &str) -> bool {
        match file {
            POSES => self.poses,
            CONTACTS => self.contacts,
            JOINTS => self.joints,
            SENSORS => self.sensors,
            _ => self.energy,
        }
    }

    /// Names of the files of the tables of a world with these sensors.
    fn files(self, world: &World, sensors: &Sensors) -> impl Iterator<Item = &'static str> {
        let joints = self.joints && !world.joints().is_empty();
        let wanted = [self.poses, self.contacts, joints, self.energy, self.sensors && !sensors.is_empty()];
        TABLE_FILES.into_iter().zip(wanted).filter_map(|(name, wanted)| wanted.then_some(name))
    }
}

/// Where each table ends after a step, by the name of its file; part of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEnds(BTreeMap<String, End>);

impl TableEnds {
    /// Whether a table of this file name was written up to there.
    pub fn holds(&self, file: &str) -> bool {
        self.0.contains_key(file)
    }
}

/// The first line of the table of a file name of [`TABLE_FILES`].
pub fn header_of(file: &str) -> String {
    match file {
        POSES => header::<PoseRow<'_>>(),
        CONTACTS => header::<ContactRow<'_>>(),
        JOINTS => header::<JointRow<'_>>(),
        SENSORS => header::<SensorRow<'_>>(),
        _ => header::<EnergyRow>(),
    }
}

impl FromStr for Tables {
    type Err = UnknownTable;

    /// A list such as `poses,energy`.
    fn from_str(list: &str) -> Result<Self, UnknownTable> {
        let mut tables = Self::NONE;
        for name in list.split(',').map(str::trim) {
            match name {
                "poses" => tables.poses = true,
                "contacts" => tables.contacts = true,
                "joints" => tables.joints = true,
                "energy" => tables.energy = true,
                "sensors" => tables.sensors = true,
                _ => return Err(UnknownTable(name.to_owned())),
            }
        }
        Ok(tables)
    }
}

/// Why a table could not be written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The table cannot be written, or its earlier rows not read.
    #[error("cannot {verb} the table '{}': {}", words::path(path), words::cause(source))]
    File {
        /// What was tried.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Rows that were written before the checkpoint are not there.
    #[error(
        "cannot go on with the table '{}': up to step {step} it had {needed} bytes, now it has {found}",
        words::path(path)
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: u64,
        /// Bytes up to there.
        needed: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// The rows are not those that were written before the checkpoint.
    #[error(
        "cannot go on with the table '{}': its first {bytes} bytes are not those that were written up to step {step}",
        words::path(path)
    )]
    OtherRows {
        /// The file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: u64,
        /// Bytes up to there.
        bytes: u64,
    },
    /// Somebody else has removed, replaced or changed the table while it was written.
    #[error("the table '{}' is not as it was written: {found}", words::path(path))]
    Lost {
        /// The file.
        path: PathBuf,
        /// What was found in its place, in words.
        found: String,
    },
}

impl RecordError {
    /// Whether something could not be written, and not what was to go on is wrong.
    pub fn is_of_writing(&self) -> bool {
        matches!(self, Self::File { verb: WRITE, .. } | Self::Lost { .. })
    }
}

/// What was tried where a table could not be written.
const WRITE: &str = "write";

/// Writes the tables of a run into a folder.
#[derive(Debug)]
pub struct Recorder {
    poses: Option<Table>,
    contacts: Option<Table>,
    joints: Option<Table>,
    energy: Option<Table>,
    sensors: Option<Table>,
    /// What these are.
    measured: Sensors,
}

impl Recorder {
    /// Opens the tables of a run of `world` in a folder. A table that has an end goes on after it, where the rows up to `step`
    /// end; all others begin with their header and replace what is there. At the scene's start, and only there, tables of states begin with
    /// the state of the world.
    ///
    /// # Errors
    /// If a table cannot be written, or one that is to go on does not hold the rows up to there.
    pub fn open(
        dir: &Path,
        tables: Tables,
        (world, sensors): (&World, &Sensors),
        step: u64,
        ends: &TableEnds,
    ) -> Result<Self, RecordError> {
        let wanted: Vec<&str> = tables.files(world, sensors).collect();
        let mut opener = Opener { dir, wanted: &wanted, step, ends };
        let mut recorder = Self {
            poses: opener.open::<PoseRow<'_>>(POSES)?,
            contacts: opener.open::<ContactRow<'_>>(CONTACTS)?,
            joints: opener.open::<JointRow<'_>>(JOINTS)?,
            energy: opener.open::<EnergyRow>(ENERGY)?,
            sensors: opener.open::<SensorRow<'_>>(SENSORS)?,
            measured: sensors.clone(),
        };
        if step == 0 {
            let begins = |name: &str| !ends.holds(name);
            recorder.record_state(0, 0.0, world, &StepReport::default(), begins)?;
        }
        Ok(recorder)
    }

    /// Adds the rows of a state, and of the step that led to it, to those of the tables of states whose file names are `meant`.
    fn record_state(
        &mut self,
        step: u64,
        time: f64,
        world: &World,
        report: &StepReport,
        meant: impl Fn(&str) -> bool,
    ) -> Result<(), RecordError> {
        if let Some(table) = self.poses.as_mut().filter(|_| meant(POSES)) {
            pose_rows(step, time, world).try_for_each(|row| table.write(&row))?;
        }
        if let Some(table) = self.joints.as_mut().filter(|_| meant(JOINTS)) {
            joint_rows(step, time, world).try_for_each(|row| table.write(&row))?;
        }
        if let Some(table) = self.energy.as_mut().filter(|_| meant(ENERGY)) {
            table.write(&energy_row(step, time, world, report))?;
        }
        if let Some(table) = self.sensors.as_mut().filter(|_| meant(SENSORS)) {
            self.measured.rows(step, time, world, report).try_for_each(|row| table.write(&row))?;
        }
        Ok(())
    }

    /// Adds the rows of a step.
    ///
    /// # Errors
    /// If a table cannot be written.
    pub fn record(
        &mut self,
        step: u64,
        time: f64,
        world: &World,
        report: &StepReport,
    ) -> Result<(), RecordError> {
        if let Some(table) = &mut self.contacts {
            contact_rows(step, time, world, report).try_for_each(|row| table.write(&row))?;
        }
        self.record_state(step, time, world, report, |_| true)
    }

    /// Waits until all rows are on the disk; where the tables end.
    ///
    /// # Errors
    /// If a table cannot be written.
    pub fn sync(&mut self) -> Result<TableEnds, RecordError> {
        let named = TABLE_FILES.into_iter().zip([
            &mut self.poses,
            &mut self.contacts,
            &mut self.joints,
            &mut self.energy,
            &mut self.sensors,
        ]);
        let end = |(name, table): (&str, &mut Option<Table>)| {
            table.as_mut().map(|table| Ok((name.to_owned(), table.sync()?)))
        };
        named.filter_map(end).collect::<Result<_, _>>().map(TableEnds)
    }

    /// Paths of the tables of which every row so far has been written and is there.
    pub fn whole(&mut self) -> Vec<PathBuf> {
        let tables =
            [&mut self.poses, &mut self.contacts, &mut self.joints, &mut self.energy, &mut self.sensors];
        tables.into_iter().flatten().filter_map(Table::if_whole).collect()
    }
}

/// Opens tables one by one.
struct Opener<'a> {
    dir: &'a Path,
    wanted: &'a [&'a str],
    step: u64,
    ends: &'a TableEnds,
}

impl Opener<'_> {
    fn open<R: Serialize + Default>(&mut self, name: &str) -> Result<Option<Table>, RecordError> {
        let path = self.dir.join(name);
        let is_wanted = self.wanted.contains(&name);
        let table = match self.ends.0.get(name) {
            // One that is no longer wanted ends where the run goes on.
            Some(end) => Some(Table::go_on(path, end, self.step)?),
            None if is_wanted => Some(Table::create::<R>(path)?),
            None => None,
        };
        Ok(table.filter(|_| is_wanted))
    }
}

/// What of the tables of a run that goes on is not whole, in words.
pub fn gaps(tables: Tables, world: &World, sensors: &Sensors, step: u64, ends: &TableEnds) -> Vec<String> {
    let wanted: Vec<&str> = tables.files(world, sensors).collect();
    let begins = |name: &&str| step > 0 && wanted.contains(name) && !ends.0.contains_key(*name);
    let ends_here = |name: &&str| !wanted.contains(name) && ends.0.contains_key(*name);
    let files = TABLE_FILES.iter();
    let late = files.clone().filter(|name| begins(name)).map(|name| {
        format!(
            "{name} has rows from step {} on only: the run before the checkpoint did not write it there",
            step + 1
        )
    });
    let early = files
        .filter(|name| ends_here(name))
        .map(|name| format!("{name} has rows up to step {step} only: it is not among the tables to write"));
    late.chain(early).collect()
}
