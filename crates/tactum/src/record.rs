//! Tables of a run: one row per step, body, contact or joint, as comma-separated values.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use glam::DVec3;
use serde::Serialize;
use tactum_sim::{BodyKind, StepReport, World};
use thiserror::Error;

/// Which tables a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// `poses.csv`: every moving body after every step.
    pub poses: bool,
    /// `contacts.csv`: every contact of every step.
    pub contacts: bool,
    /// `joints.csv`: every joint after every step, where the scene has joints.
    pub joints: bool,
    /// `energy.csv`: energies, depths and solver figures of every step.
    pub energy: bool,
}

impl Default for Tables {
    /// All of them.
    fn default() -> Self {
        Self { poses: true, contacts: true, joints: true, energy: true }
    }
}

/// A table that does not exist.
#[derive(Debug, Error)]
#[error("there is no table '{0}'; the tables are: poses, contacts, joints, energy")]
pub struct UnknownTable(String);

impl FromStr for Tables {
    type Err = UnknownTable;

    /// A list such as `poses,energy`.
    fn from_str(list: &str) -> Result<Self, UnknownTable> {
        let mut tables = Self { poses: false, contacts: false, joints: false, energy: false };
        for name in list.split(',').map(str::trim) {
            match name {
                "poses" => tables.poses = true,
                "contacts" => tables.contacts = true,
                "joints" => tables.joints = true,
                "energy" => tables.energy = true,
                _ => return Err(UnknownTable(name.to_owned())),
            }
        }
        Ok(tables)
    }
}

/// Why a table could not be written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The folder cannot be made.
    #[error("cannot create the folder '{}': {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The table cannot be written, or its earlier rows not read.
    #[error("cannot write the table '{}': {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: csv::Error,
    },
}

/// Writes the tables of a run into a folder.
#[derive(Debug)]
pub struct Recorder {
    poses: Option<Table>,
    contacts: Option<Table>,
    joints: Option<Table>,
    energy: Option<Table>,
}

impl Recorder {
    /// Opens the tables of a run of `world` in `dir`, which is created if missing. A run that goes on after `first_step` steps keeps the
    /// rows up to there of tables that it finds; a run from the start replaces them.
    ///
    /// # Errors
    /// If the folder or a table cannot be written.
    pub fn open(dir: &Path, tables: Tables, world: &World, first_step: u64) -> Result<Self, RecordError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| RecordError::Folder { path: dir.to_owned(), source })?;
        let open =
            |wanted: bool, name: &str| wanted.then(|| Table::open(dir.join(name), first_step)).transpose();
        Ok(Self {
            poses: open(tables.poses, "poses.csv")?,
            contacts: open(tables.contacts, "contacts.csv")?,
            joints: open(tables.joints && !world.joints().is_empty(), "joints.csv")?,
            energy: open(tables.energy, "energy.csv")?,
        })
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
        if let Some(table) = &mut self.poses {
            for row in pose_rows(step, time, world) {
                table.write(&row)?;
            }
        }
        if let Some(table) = &mut self.contacts {
            for row in contact_rows(step, time, world, report) {
                table.write(&row)?;
            }
        }
        if let Some(table) = &mut self.joints {
            for row in joint_rows(step, time, world) {
                table.write(&row)?;
            }
        }
        if let Some(table) = &mut self.energy {
            table.write(&energy_row(step, time, world, report))?;
        }
        Ok(())
    }

    /// Writes out what is buffered; returns the paths of the tables.
    ///
    /// # Errors
    /// If a table cannot be written.
    pub fn close(self) -> Result<Vec<PathBuf>, RecordError> {
        [self.poses, self.contacts, self.joints, self.energy]
            .into_iter()
            .flatten()
            .map(Table::close)
            .collect()
    }
}

#[derive(Debug)]
struct Table {
    path: PathBuf,
    writer: csv::Writer<BufWriter<File>>,
}

impl Table {
    fn open(path: PathBuf, first_step: u64) -> Result<Self, RecordError> {
        let fail = |source: csv::Error| RecordError::Table { path: path.clone(), source };
        let kept = if first_step > 0 { keep_rows(&path, first_step).map_err(fail)? } else { None };
        let file = File::create(&path).map_err(|source| fail(source.into()))?;
        let mut writer =
            csv::WriterBuilder::new().has_headers(kept.is_none()).from_writer(BufWriter::new(file));
        for row in kept.into_iter().flatten() {
            writer.write_record(&row).map_err(fail)?;
        }
        Ok(Self { path, writer })
    }

    fn write(&mut self, row: &impl Serialize) -> Result<(), RecordError> {
        self.writer.serialize(row).map_err(|source| RecordError::Table { path: self.path.clone(), source })
    }

    fn close(mut self) -> Result<PathBuf, RecordError> {
        match self.writer.flush() {
            Ok(()) => Ok(self.path),
            Err(source) => Err(RecordError::Table { path: self.path, source: source.into() }),
        }
    }
}

/// The header and the rows up to a step of a table that exists; `None` if it does not.
fn keep_rows(path: &Path, last_step: u64) -> Result<Option<Vec<csv::StringRecord>>, csv::Error> {
    if !path.exists() {
        return Ok(None);
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path)?;
    let mut rows = Vec::new();
    for (ix, row) in reader.records().enumerate() {
        let row = row?;
        let is_early =
            || row.get(0).and_then(|step| step.parse::<u64>().ok()).is_some_and(|step| step <= last_step);
        if ix == 0 || is_early() {
            rows.push(row);
        }
    }
    Ok((!rows.is_empty()).then_some(rows))
}

#[derive(Debug, Serialize)]
struct PoseRow<'a> {
    step: u64,
    time: f64,
    body: &'a str,
    x: f64,
    y: f64,
    z: f64,
    qx: f64,
    qy: f64,
    qz: f64,
    qw: f64,
    vx: f64,
    vy: f64,
    vz: f64,
    wx: f64,
    wy: f64,
    wz: f64,
}

fn pose_rows<'a>(step: u64, time: f64, world: &'a World) -> impl Iterator<Item = PoseRow<'a>> {
    world.bodies().iter().filter(|body| body.kind != BodyKind::Static).map(move |body| {
        let [x, y, z] = body.w_from_shape().translation.to_array();
        let [qx, qy, qz, qw] = body.orientation.to_array();
        let [vx, vy, vz] = body.linear_velocity.to_array();
        let [wx, wy, wz] = body.angular_velocity.to_array();
        PoseRow { step, time, body: &body.name, x, y, z, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz }
    })
}

#[derive(Debug, Serialize)]
struct ContactRow<'a> {
    step: u64,
    time: f64,
    a: &'a str,
    b: &'a str,
    region: u32,
    volume: f64,
    area: f64,
    depth: f64,
    extent: f64,
    px: f64,
    py: f64,
    pz: f64,
    nx: f64,
    ny: f64,
    nz: f64,
    #[serde(rename = "fn")]
    fn_: f64,
    fu: f64,
    fw: f64,
    tn: f64,
    tu: f64,
    tw: f64,
    cop_u: f64,
    cop_w: f64,
}

fn contact_rows<'a>(
    step: u64,
    time: f64,
    world: &'a World,
    report: &'a StepReport,
) -> impl Iterator<Item = ContactRow<'a>> {
    report.contacts.iter().map(move |contact| {
        let [a, b] = contact.bodies.map(|id| world.body(id).name.as_str());
        let DVec3 { x: px, y: py, z: pz } = contact.point;
        let DVec3 { x: nx, y: ny, z: nz } = contact.normal;
        let [fn_, fu, fw, tn, tu, tw] = contact.impulse;
        ContactRow {
            step,
            time,
            a,
            b,
            region: contact.region,
            volume: contact.volume,
            area: contact.area,
            depth: contact.depth,
            extent: contact.extent,
            px,
            py,
            pz,
            nx,
            ny,
            nz,
            fn_,
            fu,
            fw,
            tn,
            tu,
            tw,
            cop_u: contact.cop.x,
            cop_w: contact.cop.y,
        }
    })
}

/// Force \[N\] and torque about the anchor \[N m\] on the second body, world axes.
#[derive(Debug, Serialize)]
struct JointRow<'a> {
    step: u64,
    time: f64,
    joint: &'a str,
    /// Angle \[rad\] or extension \[m\].
    coordinate: f64,
    fx: f64,
    fy: f64,
    fz: f64,
    tx: f64,
    ty: f64,
    tz: f64,
    broken: bool,
}

fn joint_rows<'a>(step: u64, time: f64, world: &'a World) -> impl Iterator<Item = JointRow<'a>> {
    let dt = world.settings().dt;
    world.joints().iter().zip(world.joint_states()).map(move |(joint, state)| {
        let DVec3 { x: fx, y: fy, z: fz } = state.force / dt;
        let DVec3 { x: tx, y: ty, z: tz } = state.torque / dt;
        let (coordinate, broken) = (state.coordinate, state.broken);
        JointRow { step, time, joint: &joint.name, coordinate, fx, fy, fz, tx, ty, tz, broken }
    })
}

#[derive(Debug, Serialize)]
struct EnergyRow {
    step: u64,
    time: f64,
    kinetic: f64,
    potential: f64,
    total: f64,
    contacts: usize,
    max_depth: f64,
    sweeps: u32,
    update_norm: f64,
    unconverged_islands: u32,
}

fn energy_row(step: u64, time: f64, world: &World, report: &StepReport) -> EnergyRow {
    let (kinetic, potential) = (world.kinetic_energy(), world.potential_energy());
    EnergyRow {
        step,
        time,
        kinetic,
        potential,
        total: kinetic + potential,
        contacts: report.contacts.len(),
        max_depth: report.max_depth,
        sweeps: report.sweeps,
        update_norm: report.update_norm,
        unconverged_islands: report.unconverged_islands,
    }
}
