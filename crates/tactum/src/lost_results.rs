//! What of a run's folder lies after the checkpoint that a run goes on from, and would be lost by that.
//!
//! Rows that the run makes again are not lost: bit for bit they are the same.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use tactum_geometry::words::counted;

use crate::files::last_row;
use crate::tables::{TABLE_FILES, TableEnds, Tables};

/// A run that goes on from a checkpoint.
#[derive(Clone, Debug)]
pub struct GoingOn {
    /// Step of the checkpoint.
    pub step: u64,
    /// Step at which the run is to end.
    pub n_steps: u64,
    /// The tables that it writes.
    pub tables: Tables,
    /// Where the tables end at the checkpoint.
    pub ends: TableEnds,
}

impl GoingOn {
    /// What of the later results in a folder the run would not make again, in words: `checkpoints`, which are of later steps, the
    /// report of a longer run, rows of tables.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn loses(&self, folder: &Path, report: &str, checkpoints: &[&str]) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        match checkpoints {
            [] => {}
            [one] => lost.push((*one).to_owned()),
            [first, .., last] => {
                lost.push(format!("{} checkpoints from {first} to {last}", checkpoints.len()));
            }
        }
        if let Some(steps) = steps_of_report(&folder.join(report)).filter(|steps| *steps > self.n_steps) {
            lost.push(format!("{report} of a run of {}", counted(steps, "step", "steps")));
        }
        for name in TABLE_FILES {
            lost.extend(self.loses_rows(folder, name)?);
        }
        Ok(lost)
    }

    fn loses_rows(&self, folder: &Path, name: &str) -> io::Result<Option<String>> {
        let is_written = self.tables.has(name);
        let goes_on = self.ends.holds(name);
        if !goes_on && !is_written {
            return Ok(None);
        }
        let path = folder.join(name);
        if !fs::metadata(&path).is_ok_and(|there| there.is_file()) {
            return Ok(None);
        }
        let Some(last) = last_step(&path)? else { return Ok(None) };
        // A table that begins anew at the scene's start has all its rows made again.
        if !goes_on && self.step > 0 {
            return Ok(Some(format!("all rows of {name}, which begins anew")));
        }
        let kept = if is_written { self.n_steps } else { self.step };
        Ok((last > kept).then(|| format!("rows of {name} after step {kept}, up to {last}")))
    }
}

fn steps_of_report(path: &Path) -> Option<u64> {
    #[derive(Deserialize)]
    struct Report {
        steps: u64,
    }
    let text = fs::read(path).ok()?;
    serde_json::from_slice::<Report>(&text).ok().map(|report| report.steps)
}

/// The step of the last whole row of a table; none if it has no row.
fn last_step(path: &Path) -> io::Result<Option<u64>> {
    Ok(last_row(path)?.and_then(|row| row.split(',').next()?.parse().ok()))
}
