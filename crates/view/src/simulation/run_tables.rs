//! Recorded steps as the tables of a run.

use std::path::Path;

use tactum::tables::{RecordError, Recorder, Sensors, TableEnds, Tables};
use tactum_sim::{RestoreError, StepReport, World};
use thiserror::Error;

use crate::frame::Frame;

/// Why tables of recorded steps cannot be written.
#[derive(Debug, Error)]
pub enum TablesError {
    /// A table cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A recorded state does not fit its bodies.
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

/// Writes poses, contacts and joints of recorded steps as the program `tactum` does into a folder, which is made where there is none. Each
/// frame comes with a world of its bodies. Of several frames of a step, as after a kick, the last one counts.
pub fn write<'a>(
    folder: &Path,
    frames: impl Iterator<Item = (&'a World, &'a Frame)>,
) -> Result<(), TablesError> {
    std::fs::create_dir_all(folder).map_err(|source| RecordError::File {
        verb: "make the folder of",
        path: folder.to_owned(),
        source,
    })?;
    // Energies of earlier states are no longer known where masses or gravity were changed since.
    let tables = Tables { energy: false, sensors: false, ..Tables::default() };
    let mut recorder: Option<Recorder> = None;
    let mut bodies: Option<(&World, World)> = None;
    let mut frames = frames.peekable();
    while let Some((template, frame)) = frames.next() {
        let (step, time) = (frame.step(), frame.time);
        if frames.peek().is_some_and(|(_, next)| next.step() == step) {
            continue;
        }
        let (_, world) = match bodies.take() {
            Some(same) if std::ptr::eq(same.0, template) => bodies.insert(same),
            _ => bodies.insert((template, template.clone())),
        };
        world.restore(&frame.state)?;
        let contacts = frame.contacts.iter().map(|contact| contact.record.clone()).collect();
        let report = StepReport { contacts, ..StepReport::default() };
        match &mut recorder {
            Some(recorder) => recorder.record(step, time, world, &report)?,
            None => {
                let measured = (&*world, &Sensors::default());
                let mut opened = Recorder::open(folder, tables, measured, step, &TableEnds::default())?;
                // The state before the first step is in the tables as they begin.
                if step > 0 {
                    opened.record(step, time, world, &report)?;
                }
                recorder = Some(opened);
            }
        }
    }
    recorder.map_or(Ok(()), |mut recorder| recorder.sync().map(drop))?;
    Ok(())
}
