//! One folder, one run: the lock on a folder of results, what run it belongs to, and what of it is there.

mod card;
mod error;
mod names;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

pub use card::{CardError, Origin, RunCard};
use card::{LockedCard, replace_link};
pub use error::FolderError;
pub use names::checkpoint_name;
pub use names::{BATCH_CARD, CARD, REPORT};
use names::{checkpoint_step, is_later, is_of_a_run};

use crate::files::{file_or_nothing, write_whole};
use crate::inputs::Inputs;
use crate::lost_results::GoingOn;
use crate::tables::{TABLE_FILES, header_of};

/// A folder that a run writes its results into; no other process can meanwhile.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    holds_results: bool,
    removed: Vec<String>,
    card: LockedCard,
}

impl RunFolder {
    /// Takes a folder for a run; it is created if missing, and what is not a run's stays. A run that goes on may find its own
    /// results; what was written of later steps besides tables is removed. A link under the name of the run card is replaced,
    /// never written through.
    ///
    /// # Errors
    /// If the folder cannot be used, another process writes into it, results of another run, or later ones of this run, are
    /// there and are not to be overwritten, or one of `inputs` has the name of a result there.
    pub fn take(
        path: &Path,
        card: &RunCard,
        going_on: Option<&GoingOn>,
        overwrite: bool,
        inputs: &Inputs,
    ) -> Result<Self, FolderError> {
        if fs::metadata(path).is_ok_and(|there| !there.is_dir()) {
            return Err(FolderError::NotAFolder { path: path.to_owned() });
        }
        inputs.spare(results_in(path, going_on.map(|going_on| going_on.step)))?;
        fs::create_dir_all(path).map_err(|source| FolderError::file("create the folder", path, source))?;
        replace_link(path, going_on.is_some(), overwrite)?;
        let is_new = !path.join(CARD).exists();
        let mut locked = LockedCard::lock(path)?;
        match settle(path, &mut locked, card, going_on, overwrite) {
            Ok(Settled { holds_results, removed }) => {
                Ok(Self { path: path.to_owned(), holds_results, removed, card: locked })
            }
            Err(refused) => {
                // A folder that is not for this run stays as it was.
                if is_new {
                    let _ = fs::remove_file(path.join(CARD));
                }
                Err(refused)
            }
        }
    }

    /// Whether earlier results of the same run are there.
    pub fn holds_results(&self) -> bool {
        self.holds_results
    }

    /// What was removed of later results, in words; once.
    pub fn take_removed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.removed)
    }

    /// Sees to it that nobody has taken the folder away from the run.
    ///
    /// # Errors
    /// If the run card at its path is not the one that this run has locked.
    pub fn is_held(&self) -> Result<(), FolderError> {
        self.card.is_held()
    }

    /// Writes the report of the run; where it is.
    ///
    /// # Errors
    /// If it cannot be written, or the folder is no longer the run's.
    pub fn save_report(&self, json: &str) -> Result<PathBuf, FolderError> {
        self.is_held()?;
        let path = self.path.join(REPORT);
        match write_whole(&path, format!("{json}\n").as_bytes()) {
            Ok(()) => Ok(path),
            Err(source) => Err(FolderError::File { verb: "write", path, source }),
        }
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Where a run writes or removes files in a folder, if they are there; one that goes on keeps what is of the step and before.
fn results_in(path: &Path, goes_on_from: Option<u64>) -> Vec<PathBuf> {
    let mut names: Vec<String> =
        TABLE_FILES.iter().chain(&[CARD, REPORT]).map(|name| (*name).to_owned()).collect();
    // What cannot be listed yet holds nothing.
    let listed = list(path).unwrap_or_default();
    names.extend(listed.into_iter().filter(|name| match goes_on_from {
        Some(step) => is_later(name, step),
        None => is_of_a_run(name),
    }));
    names.iter().map(|name| path.join(name)).collect()
}

/// What was found in a folder, and done with it.
struct Settled {
    /// Whether earlier results of the same run are there.
    holds_results: bool,
    /// What was removed of later ones, in words.
    removed: Vec<String>,
}

/// Makes a locked folder ready for a run.
fn settle(
    path: &Path,
    locked: &mut LockedCard,
    card: &RunCard,
    going_on: Option<&GoingOn>,
    overwrite: bool,
) -> Result<Settled, FolderError> {
    let files = list(path).map_err(|source| FolderError::file("read the folder", path, source))?;
    let results = find_results(path, &files)?;
    match (results, going_on) {
        (Some(_), Some(going_on)) => {
            locked.check(card)?;
            let step = going_on.step;
            let is_checkpoint = |name: &&String| checkpoint_step(name).is_some_and(|of| of > step);
            let checkpoints: Vec<&str> = files.iter().filter(is_checkpoint).map(String::as_str).collect();
            let lost = going_on.loses(path, REPORT, &checkpoints);
            let lost = lost.map_err(|source| FolderError::file("read the folder", path, source))?;
            if !lost.is_empty() && !overwrite {
                return Err(FolderError::Later { path: path.to_owned(), step, lost });
            }
            remove(path, files.iter().rev().filter(|name| is_later(name, step)))?;
            Ok(Settled { holds_results: true, removed: lost })
        }
        (Some(found), None) if !overwrite => Err(FolderError::Occupied { path: path.to_owned(), found }),
        _ => {
            remove(path, files.iter().rev().filter(|name| is_of_a_run(name)))?;
            locked.write(card)?;
            Ok(Settled { holds_results: false, removed: Vec::new() })
        }
    }
}

/// Names of the files of a folder, sorted.
fn list(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// A file that holds results, if there is any: a run's, or somebody else's under the name of one. A run that ended before its
/// first step leaves none: its tables hold their headers and rows of the start at most.
fn find_results(path: &Path, files: &[String]) -> Result<Option<String>, FolderError> {
    for name in files {
        let file = path.join(name);
        let holds = if TABLE_FILES.contains(&name.as_str()) {
            !holds_no_step(&file, &header_of(name))
                .map_err(|source| FolderError::file("use", &file, source))?
        } else if name == CARD {
            let text = fs::read(&file).map_err(|source| FolderError::file("read", &file, source))?;
            !text.is_empty() && serde_json::from_slice::<RunCard>(&text).is_err()
        } else {
            name == REPORT || checkpoint_step(name).is_some()
        };
        if holds {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// Whether a table holds no row of a step: the beginning of its header, or that and rows of the start, as a program leaves it that is
/// killed while it writes them.
fn holds_no_step(path: &Path, header: &str) -> io::Result<bool> {
    /// What a row begins with that is of no step.
    const START: &[u8] = b"0,";
    /// Longer than any row \[bytes\]: names have 128 characters at most, numbers 25.
    const ROW: u64 = 8192;
    file_or_nothing(path)?;
    let mut reader = BufReader::new(File::open(path)?);
    let mut found = Vec::new();
    reader.by_ref().take(header.len() as u64).read_to_end(&mut found)?;
    let mut is_start = header.as_bytes().starts_with(&found);
    while is_start {
        found.clear();
        if reader.by_ref().take(ROW).read_until(b'\n', &mut found)? == 0 {
            break;
        }
        is_start = found.starts_with(START) || START.starts_with(&found);
    }
    Ok(is_start)
}

fn remove<'a>(path: &Path, names: impl Iterator<Item = &'a String>) -> Result<(), FolderError> {
    for name in names {
        let file = path.join(name);
        fs::remove_file(&file).map_err(|source| FolderError::file("remove", &file, source))?;
    }
    Ok(())
}

/// The checkpoints that may be meant: the file itself, or those of a folder, the newest first; there is always one.
///
/// # Errors
/// If it is a folder that cannot be read or holds no checkpoint.
pub fn find_checkpoints(path: &Path) -> Result<Vec<PathBuf>, FolderError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let names = list(path).map_err(|source| FolderError::file("read the folder", path, source))?;
    let mut steps: Vec<u64> = names.iter().filter_map(|name| checkpoint_step(name)).collect();
    if steps.is_empty() {
        return Err(FolderError::NoCheckpoint { path: path.to_owned() });
    }
    steps.sort_by_key(|step| std::cmp::Reverse(*step));
    Ok(steps.into_iter().map(|step| path.join(checkpoint_name(step))).collect())
}

/// Sees to it, before any work is done, that there is a folder for a file that is to be written after it.
///
/// # Errors
/// If there is none.
pub fn check_folder_of(path: &Path) -> Result<(), FolderError> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(FolderError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{TableEnds, Tables};

    fn card(scene: &str) -> RunCard {
        RunCard::new(scene.to_owned(), scene.len() as u64, "exact".to_owned(), Origin::default())
    }

    fn touch(folder: &Path, name: &str, content: &str) {
        fs::write(folder.join(name), content).expect("a file");
    }

    #[test]
    fn results_are_not_overwritten_unasked_and_cleared_on_request() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let take =
            |overwrite| RunFolder::take(folder.path(), &card("a"), None, overwrite, &Inputs::default());
        touch(folder.path(), "energy.csv", &header_of("energy.csv"));
        touch(folder.path(), "notes.txt", "mine");
        drop(take(false).expect("headers are no results"));
        for rows in ["0", "0,0.0,1.5\n", "0,0.0,1.5\n0,0"] {
            touch(folder.path(), "energy.csv", &(header_of("energy.csv") + rows));
            drop(take(false).expect("what it begins with is no result"));
        }
        touch(folder.path(), "energy.csv", &(header_of("energy.csv") + "0,0.0,1.5\n1"));
        assert!(take(false).is_err(), "it holds a part of a step");
        touch(folder.path(), "energy.csv", &format!("{}1,0.1\n", header_of("energy.csv")));
        touch(folder.path(), "checkpoint-00000001.json.unfinished", "{");
        assert!(matches!(take(false), Err(FolderError::Occupied { found, .. }) if found == "energy.csv"));
        drop(take(true).expect("asked to overwrite"));
        let left = list(folder.path()).expect("the folder");
        assert_eq!(left, ["notes.txt", CARD]);
    }

    #[test]
    fn what_somebody_else_wrote_under_the_name_of_a_result_is_not_touched() {
        for name in ["joints.csv", CARD] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            touch(folder.path(), name, "a note of mine\n");
            let refused = RunFolder::take(folder.path(), &card("a"), None, false, &Inputs::default());
            assert!(matches!(refused, Err(FolderError::Occupied { found, .. }) if found == name));
            assert_eq!(list(folder.path()).expect("the folder"), [name]);
            assert_eq!(fs::read_to_string(folder.path().join(name)).expect("it"), "a note of mine\n");
        }
    }

    #[test]
    fn only_one_process_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let first = RunFolder::take(folder.path(), &card("a"), None, false, &Inputs::default())
            .expect("an empty folder");
        let second = RunFolder::take(folder.path(), &card("a"), None, true, &Inputs::default());
        assert!(matches!(second, Err(FolderError::Busy { .. })));
        drop(first);
        RunFolder::take(folder.path(), &card("a"), None, true, &Inputs::default())
            .expect("the lock is gone with its holder");
    }

    #[test]
    fn going_on_removes_what_is_later_and_refuses_other_runs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        drop(
            RunFolder::take(folder.path(), &card("a"), None, false, &Inputs::default())
                .expect("an empty folder"),
        );
        for step in [1, 2, 3] {
            touch(folder.path(), &checkpoint_name(step), "{}");
        }
        touch(folder.path(), REPORT, "{}");
        let (tables, ends) = (Tables::default(), TableEnds::default());
        let going_on = GoingOn { step: 2, n_steps: 9, tables, ends };
        let other = RunFolder::take(folder.path(), &card("bb"), Some(&going_on), true, &Inputs::default());
        assert!(
            matches!(&other, Err(error @ FolderError::OtherRun { .. }) if error.to_string().contains("'a'"))
        );
        let refused = RunFolder::take(folder.path(), &card("a"), Some(&going_on), false, &Inputs::default());
        assert!(matches!(refused, Err(FolderError::Later { step: 2, lost, .. })
            if lost == ["checkpoint-00000003.json"]));
        assert!(folder.path().join(REPORT).exists(), "a refused run changes nothing");
        let taken = RunFolder::take(folder.path(), &card("a"), Some(&going_on), true, &Inputs::default());
        assert_eq!(taken.expect("its own results").take_removed(), ["checkpoint-00000003.json"]);
        let left = list(folder.path()).expect("the folder");
        assert_eq!(left, ["checkpoint-00000001.json", "checkpoint-00000002.json", CARD]);
        let found = find_checkpoints(folder.path()).expect("checkpoints");
        assert_eq!(found, [2, 1].map(|step| folder.path().join(checkpoint_name(step))));
    }
}
