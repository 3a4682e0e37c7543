//! That a file may be written where it is asked for: what is there stays unless it may be replaced, and what the run is made from, or
//! has written, stays in any case.

use std::fs;
use std::path::{Path, PathBuf};

use super::ExportError;
use crate::folder::check_folder_of;
use crate::inputs::{Inputs, Role};
use crate::recorded::Recorded;

/// Where something is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The file or folder.
    pub path: &'a Path,
    /// Whether what is there may be replaced.
    pub overwrite: bool,
}

impl Claim<'_> {
    /// Whether the file may be written; nothing is yet.
    pub(crate) fn file(&self, run: &Recorded) -> Result<(), ExportError> {
        spare(run, vec![self.path.to_owned()])?;
        if self.path.exists() && !self.overwrite {
            return Err(ExportError::Exists { path: self.path.to_owned() });
        }
        Ok(check_folder_of(self.path)?)
    }

    /// Makes the folder, if it is not there. What is `ours` of the names in it is removed; without leave there may be none.
    pub(crate) fn folder(&self, run: &Recorded, ours: impl Fn(&str) -> bool) -> Result<(), ExportError> {
        fs::create_dir_all(self.path).map_err(ExportError::write(self.path))?;
        let mut there: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(self.path).map_err(ExportError::write(self.path))? {
            let entry = entry.map_err(ExportError::write(self.path))?;
            if entry.file_name().to_str().is_some_and(&ours) {
                there.push(entry.path());
            }
        }
        there.sort();
        if let (Some(first), false) = (there.first(), self.overwrite) {
            return Err(ExportError::Exists { path: first.clone() });
        }
        spare(run, there.clone())?;
        there.iter().try_for_each(|path| fs::remove_file(path).map_err(ExportError::write(path)))
    }
}

/// Refuses what would take the place of a file that the run is made from or has written.
fn spare(run: &Recorded, outputs: Vec<PathBuf>) -> Result<(), ExportError> {
    let mut inputs = Inputs::of_scene(run.scene());
    run.files().for_each(|path| inputs.add(Role::Result, path));
    Ok(inputs.spare(outputs)?)
}
