//! One folder, one run: the lock on a folder of results, what run it belongs to, and what of it is there.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum_geometry::words;
use thiserror::Error;

use crate::files::{UNFINISHED, file_or_nothing, write_whole};
use crate::hash::hex;
use crate::later::GoingOn;
use crate::tables::{TABLE_FILES, header_of};

/// First field of every run card; changes when the format does.
const FORMAT: &str = "tactum-run/1";

/// Says which run a folder belongs to; whoever writes into the folder holds a lock on it.
const CARD: &str = "run.json";

/// The report of a run.
const REPORT: &str = "report.json";

/// Bytes of a run card beyond which a file is none.
const MAX_CARD: u64 = 1 << 16;

/// What decides which numbers a run gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCard {
    format: String,
    /// Version of the program.
    version: String,
    /// Name of the scene.
    scene: String,
    /// Hash of what the scene file and its meshes say, 16 hexadecimal digits.
    fingerprint: String,
    /// How overlaps are measured.
    backend: String,
}

impl RunCard {
    /// The card of a run of the scene with this name and fingerprint; `backend` says how it measures overlaps.
    pub fn new(scene: String, fingerprint: u64, backend: String) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene,
            fingerprint: hex(fingerprint),
            backend,
        }
    }

    /// In which way another run is not this one, in words; none if it is.
    fn difference(&self, other: &Self) -> Option<String> {
        if other.version != self.version || other.format != self.format {
            return Some(format!("was written by version {} of the program", other.version));
        }
        if other.fingerprint != self.fingerprint {
            return Some(format!("is of the scene '{}' ({})", other.scene, other.fingerprint));
        }
        (other.backend != self.backend).then(|| format!("was measured by '{}'", other.backend))
    }
}

/// Why a folder cannot take the results of a run.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder cannot be made, read or cleared.
    #[error("cannot {verb} '{}': {}", words::path(path), words::cause(source))]
    File {
        /// What was tried.
        verb: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no folder.
    #[error("'{}' is not a folder", words::path(path))]
    NotAFolder {
        /// What is there.
        path: PathBuf,
    },
    /// Another process writes into it.
    #[error("another run is writing into the folder '{}'", words::path(path))]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// There are results in it.
    #[error(
        "the folder '{}' holds results already ({found}): name another one, go on with that run with --resume, or \
         replace it with --overwrite",
        words::path(path)
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// One of the files that are there.
        found: String,
    },
    /// Going on from the checkpoint would lose later results.
    #[error(
        "the folder '{}' holds results after step {step}, from which the run is to go on; it would lose {}: name another \
         folder, or replace them with --overwrite",
        words::path(path), lost.join(", ")
    )]
    Later {
        /// The folder.
        path: PathBuf,
        /// Step of the checkpoint.
        step: u64,
        /// What would be lost.
        lost: Vec<String>,
    },
    /// It belongs to another run than the one to go on with.
    #[error(
        "the run in the folder '{}' {difference}, this one is of '{}' ({}) by '{}': name another folder",
        words::path(path), words::quoted(&this.scene), this.fingerprint, this.backend
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// In which way it is another one.
        difference: String,
        /// The run to go on with.
        this: Box<RunCard>,
    },
    /// There is no folder for a file.
    #[error("cannot write '{}': there is no folder '{}'", words::path(path), words::path(folder))]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder that it would be in.
        folder: PathBuf,
    },
    /// There is no checkpoint in it.
    #[error("the folder '{}' holds no checkpoint to go on from: start its run anew", words::path(path))]
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
    },
}

/// A folder that a run writes its results into; no other process can meanwhile.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    holds_results: bool,
    removed: Vec<String>,
    /// Holds the lock until it is closed, be it by the system at the end of the process.
    _card: File,
}

impl RunFolder {
    /// Takes a folder for a run; it is created if missing, and what is not a run's stays. A run that goes on may find its own
    /// results; what was written of later steps besides tables is removed. A link under the name of the run card is replaced,
    /// never written through.
    ///
    /// # Errors
    /// If the folder cannot be used, another process writes into it, or results of another run, or later ones of this run, are
    /// there and are not to be overwritten.
    pub fn take(
        path: &Path,
        card: &RunCard,
        going_on: Option<&GoingOn>,
        overwrite: bool,
    ) -> Result<Self, FolderError> {
        if fs::metadata(path).is_ok_and(|there| !there.is_dir()) {
            return Err(FolderError::NotAFolder { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(|source| error("create the folder", path, source))?;
        replace_link(path, going_on.is_none() && overwrite)?;
        let is_new = !path.join(CARD).exists();
        let mut file = lock(path)?;
        match settle(path, &mut file, card, going_on, overwrite) {
            Ok(Settled { holds_results, removed }) => {
                Ok(Self { path: path.to_owned(), holds_results, removed, _card: file })
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

    /// Writes the report of the run; where it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_report(&self, json: &str) -> Result<PathBuf, FolderError> {
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

fn error(verb: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::File { verb, path: path.to_owned(), source }
}

/// What was found in a folder, and done with it.
struct Settled {
    /// Whether earlier results of the same run are there.
    holds_results: bool,
    /// What was removed of later ones, in words.
    removed: Vec<String>,
}

/// Removes a link in the place of the run card, which may lead to a file outside of the folder.
fn replace_link(path: &Path, may_replace: bool) -> Result<(), FolderError> {
    let card = path.join(CARD);
    if !fs::symlink_metadata(&card).is_ok_and(|there| there.is_symlink()) {
        return Ok(());
    }
    if !may_replace {
        return Err(FolderError::Occupied { path: path.to_owned(), found: format!("{CARD}, a link") });
    }
    fs::remove_file(&card).map_err(|source| error("remove", &card, source))
}

/// Makes a locked folder ready for a run.
fn settle(
    path: &Path,
    file: &mut File,
    card: &RunCard,
    going_on: Option<&GoingOn>,
    overwrite: bool,
) -> Result<Settled, FolderError> {
    let files = list(path).map_err(|source| error("read the folder", path, source))?;
    let results = find_results(path, &files)?;
    match (results, going_on) {
        (Some(_), Some(going_on)) => {
            check_card(path, file, card)?;
            let step = going_on.step;
            let is_checkpoint = |name: &&String| checkpoint_step(name).is_some_and(|of| of > step);
            let checkpoints: Vec<&str> = files.iter().filter(is_checkpoint).map(String::as_str).collect();
            let lost = going_on.loses(path, REPORT, &checkpoints);
            let lost = lost.map_err(|source| error("read the folder", path, source))?;
            if !lost.is_empty() && !overwrite {
                return Err(FolderError::Later { path: path.to_owned(), step, lost });
            }
            remove(path, files.iter().rev().filter(|name| is_later(name, step)))?;
            Ok(Settled { holds_results: true, removed: lost })
        }
        (Some(found), None) if !overwrite => Err(FolderError::Occupied { path: path.to_owned(), found }),
        _ => {
            remove(path, files.iter().rev().filter(|name| is_of_a_run(name)))?;
            write_card(file, card).map_err(|source| error("write", &path.join(CARD), source))?;
            Ok(Settled { holds_results: false, removed: Vec::new() })
        }
    }
}

/// Opens the run card of a folder, empty if it is new, and locks it.
fn lock(path: &Path) -> Result<File, FolderError> {
    let card = path.join(CARD);
    let fail = |verb, source| error(verb, &card, source);
    file_or_nothing(&card).map_err(|source| fail("open", source))?;
    let opened = File::options().read(true).write(true).create(true).truncate(false).open(&card);
    let file = opened.map_err(|source| fail("open", source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(fail("lock", source)),
    }
}

fn write_card(file: &mut File, card: &RunCard) -> io::Result<()> {
    let text = serde_json::to_string(card).expect("a run card has text keys and no failing serialiser");
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(format!("{text}\n").as_bytes())?;
    file.sync_all()
}

/// Refuses a folder that holds the results of another run than this one.
fn check_card(path: &Path, file: &mut File, card: &RunCard) -> Result<(), FolderError> {
    let mut text = Vec::new();
    let read = file.take(MAX_CARD).read_to_end(&mut text);
    read.map_err(|source| error("read", &path.join(CARD), source))?;
    let difference = match serde_json::from_slice::<RunCard>(&text) {
        Ok(found) => card.difference(&found),
        Err(_) => Some(format!("is not known: its {CARD} is missing or damaged")),
    };
    match difference {
        None => Ok(()),
        Some(difference) => {
            Err(FolderError::OtherRun { path: path.to_owned(), difference, this: Box::new(card.clone()) })
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
/// first step leaves none: its tables hold their headers at most.
fn find_results(path: &Path, files: &[String]) -> Result<Option<String>, FolderError> {
    for name in files {
        let file = path.join(name);
        let holds = if TABLE_FILES.contains(&name.as_str()) {
            !starts_like(&file, &header_of(name)).map_err(|source| error("use", &file, source))?
        } else if name == CARD {
            let text = fs::read(&file).map_err(|source| error("read", &file, source))?;
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

/// Whether a file is the beginning of a text, as a program leaves it that is killed while it writes.
fn starts_like(path: &Path, text: &str) -> io::Result<bool> {
    file_or_nothing(path)?;
    let mut found = Vec::new();
    File::open(path)?.take(text.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(text.as_bytes().starts_with(&found))
}

fn is_of_a_run(name: &str) -> bool {
    TABLE_FILES.contains(&name) || is_later(name, 0) || checkpoint_step(name) == Some(0)
}

/// Whether a file was written by a run after a step, or is left of one that was killed; tables hold earlier steps too.
fn is_later(name: &str, step: u64) -> bool {
    match name.strip_suffix(UNFINISHED) {
        Some(whole) => whole == REPORT || checkpoint_step(whole).is_some(),
        None => name == REPORT || checkpoint_step(name).is_some_and(|of| of > step),
    }
}

fn remove<'a>(path: &Path, names: impl Iterator<Item = &'a String>) -> Result<(), FolderError> {
    for name in names {
        let file = path.join(name);
        fs::remove_file(&file).map_err(|source| FolderError::File { verb: "remove", path: file, source })?;
    }
    Ok(())
}

/// Name of the checkpoint after a step.
pub fn checkpoint_name(step: u64) -> String {
    format!("checkpoint-{step:08}.json")
}

/// The step after which a checkpoint of this name was written; none for other files.
fn checkpoint_step(name: &str) -> Option<u64> {
    let step = name.strip_prefix("checkpoint-")?.strip_suffix(".json")?.parse().ok()?;
    (checkpoint_name(step) == name).then_some(step)
}

/// The checkpoints that may be meant: the file itself, or those of a folder, the newest first; there is always one.
///
/// # Errors
/// If it is a folder that cannot be read or holds no checkpoint.
pub fn find_checkpoints(path: &Path) -> Result<Vec<PathBuf>, FolderError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let names = list(path).map_err(|source| error("read the folder", path, source))?;
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
        RunCard::new(scene.to_owned(), scene.len() as u64, "exact".to_owned())
    }

    fn touch(folder: &Path, name: &str, content: &str) {
        fs::write(folder.join(name), content).expect("a file");
    }

    #[test]
    fn names_of_checkpoints_sort_and_read_back() {
        assert_eq!(checkpoint_step("checkpoint-00000010.json"), Some(10));
        assert_eq!(checkpoint_step(&checkpoint_name(1_234_567_890)), Some(1_234_567_890));
        for other in ["checkpoint-10.json", "checkpoint-00000010.json.unfinished", "checkpoint-+0000010.json"]
        {
            assert_eq!(checkpoint_step(other), None, "{other}");
        }
    }

    #[test]
    fn results_are_not_overwritten_unasked_and_cleared_on_request() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let take = |overwrite| RunFolder::take(folder.path(), &card("a"), None, overwrite);
        touch(folder.path(), "energy.csv", &header_of("energy.csv"));
        touch(folder.path(), "notes.txt", "mine");
        drop(take(false).expect("headers are no results"));
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
            let refused = RunFolder::take(folder.path(), &card("a"), None, false);
            assert!(matches!(refused, Err(FolderError::Occupied { found, .. }) if found == name));
            assert_eq!(list(folder.path()).expect("the folder"), [name]);
            assert_eq!(fs::read_to_string(folder.path().join(name)).expect("it"), "a note of mine\n");
        }
    }

    #[test]
    fn only_one_process_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let first = RunFolder::take(folder.path(), &card("a"), None, false).expect("an empty folder");
        let second = RunFolder::take(folder.path(), &card("a"), None, true);
        assert!(matches!(second, Err(FolderError::Busy { .. })));
        drop(first);
        RunFolder::take(folder.path(), &card("a"), None, true).expect("the lock is gone with its holder");
    }

    #[test]
    fn going_on_removes_what_is_later_and_refuses_other_runs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        drop(RunFolder::take(folder.path(), &card("a"), None, false).expect("an empty folder"));
        for step in [1, 2, 3] {
            touch(folder.path(), &checkpoint_name(step), "{}");
        }
        touch(folder.path(), REPORT, "{}");
        let (tables, ends) = (Tables::default(), TableEnds::default());
        let going_on = GoingOn { step: 2, n_steps: 9, tables, ends };
        let other = RunFolder::take(folder.path(), &card("bb"), Some(&going_on), true);
        assert!(
            matches!(&other, Err(error @ FolderError::OtherRun { .. }) if error.to_string().contains("'a'"))
        );
        let refused = RunFolder::take(folder.path(), &card("a"), Some(&going_on), false);
        assert!(matches!(refused, Err(FolderError::Later { step: 2, lost, .. })
            if lost == ["checkpoint-00000003.json"]));
        assert!(folder.path().join(REPORT).exists(), "a refused run changes nothing");
        let taken = RunFolder::take(folder.path(), &card("a"), Some(&going_on), true);
        assert_eq!(taken.expect("its own results").take_removed(), ["checkpoint-00000003.json"]);
        let left = list(folder.path()).expect("the folder");
        assert_eq!(left, ["checkpoint-00000001.json", "checkpoint-00000002.json", CARD]);
        let found = find_checkpoints(folder.path()).expect("checkpoints");
        assert_eq!(found, [2, 1].map(|step| folder.path().join(checkpoint_name(step))));
    }
}
