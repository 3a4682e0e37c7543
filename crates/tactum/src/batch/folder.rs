//! The folder of a batch: its card and lock, the journal of runs that have ended, the results.
//!
//! A run that has ended is a line of the journal with a checksum before it. A program that is killed leaves half a line at most, which
//! is cut off by the one that goes on. When all runs have ended the results take the place of the journal, in the order of the runs.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tactum_geometry::words;

use super::Progress;
use super::card::{CARD, Card};
use super::error::BatchError;
use super::pause::Pauses;
use super::record::Record;
use super::remove::{remove, remove_runs};
use crate::files::{UNFINISHED, astray, file_or_nothing, write_whole};
use crate::folder::FolderError;
use crate::hash::{Fnv, hex};

const JOURNAL: &str = "journal";
const RESULTS: &str = "results.jsonl";
/// The folder with the scenes of runs that failed.
const FAILED: &str = "failed";

/// The page for people.
pub const REPORT: &str = "report.html";

/// Names of what is made from the results.
const TABLES: [&str; 5] = ["runs.parquet", "runs.csv", "series.parquet", "series.csv", REPORT];

/// How long a line of the journal may take to be safe from a loss of power. It is safe from the end of the program at once.
const SYNC: Duration = Duration::from_secs(1);

/// What may be done with results that are there.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Go on with them.
    pub resume: bool,
    /// Replace them.
    pub overwrite: bool,
}

/// A folder that a batch writes into; no other process can meanwhile.
#[derive(Debug)]
pub struct BatchFolder {
    path: PathBuf,
    card: Card,
    card_file: File,
    journal: File,
    synced: Instant,
    done: BTreeSet<u64>,
    n_failed: u64,
    is_complete: bool,
}

impl BatchFolder {
    /// Takes a folder for a batch; it is created if missing.
    ///
    /// # Errors
    /// If it cannot be used, another process writes there, or results are there that are neither to be gone on with nor replaced.
    pub fn take(path: &Path, card: &Card, access: Access) -> Result<Self, BatchError> {
        if fs::metadata(path).is_ok_and(|there| !there.is_dir()) {
            return Err(FolderError::NotAFolder { path: path.to_owned() }.into());
        }
        fs::create_dir_all(path).map_err(|source| BatchError::of_file("create the folder", path, source))?;
        let card_path = path.join(CARD);
        let is_new = !card_path.exists();
        let mut card_file = lock(path)?;
        if let Err(error) = settle(path, &mut card_file, card, access) {
            // A folder that is not for this batch stays as it was.
            if is_new {
                let _ = fs::remove_file(&card_path);
            }
            return Err(error);
        }
        let journal_path = path.join(JOURNAL);
        let is_complete = path.join(RESULTS).exists();
        let open = || {
            file_or_nothing(&journal_path)?;
            File::options().read(true).append(true).create(true).open(&journal_path)
        };
        let journal = open().map_err(|source| BatchError::of_file("open", &journal_path, source))?;
        let mut folder = Self {
            path: path.to_owned(),
            card: card.clone(),
            card_file,
            journal,
            synced: Instant::now(),
            done: BTreeSet::new(),
            n_failed: 0,
            is_complete,
        };
        for record in folder.read_journal()? {
            folder.note(&record);
        }
        Ok(folder)
    }

    /// The files that runs under way go on from.
    pub fn pauses(&self) -> Pauses {
        Pauses::in_folder(&self.path)
    }

    /// Whether a run has ended.
    pub fn has(&self, run: u64) -> bool {
        self.done.contains(&run)
    }

    /// Whether the results of all runs are there.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        Progress { done: self.done.len() as u64, failed: self.n_failed, total: self.card.count() }
    }

    fn note(&mut self, record: &Record) {
        if self.done.insert(record.run) {
            self.n_failed += u64::from(record.has_failed());
        }
    }

    /// The records of the journal. What follows the last whole line is cut off.
    fn read_journal(&mut self) -> Result<Vec<Record>, BatchError> {
        let path = self.path.join(JOURNAL);
        let mut bytes = Vec::new();
        let read = self.journal.seek(SeekFrom::Start(0)).and_then(|_| self.journal.read_to_end(&mut bytes));
        read.map_err(|source| BatchError::of_file("read", &path, source))?;
        let mut records = Vec::new();
        let mut whole = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(record) = record_of(line) else { break };
            whole += line.len();
            records.push(record);
        }
        if whole < bytes.len() {
            self.journal
                .set_len(whole as u64)
                .map_err(|source| BatchError::of_file("write", &path, source))?;
        }
        Ok(records)
    }

    /// Writes down a run that has ended.
    ///
    /// # Errors
    /// If that is not possible, or somebody has taken the folder away.
    pub fn add(&mut self, record: &Record) -> Result<(), BatchError> {
        let path = self.path.join(JOURNAL);
        let line = line_of(record);
        self.journal.write_all(line.as_bytes()).map_err(BatchError::unwritten(&path))?;
        if self.synced.elapsed() > SYNC {
            self.sync()?;
        }
        self.note(record);
        Ok(())
    }

    /// Waits until the journal is on the disk.
    ///
    /// # Errors
    /// If it cannot be written, or is no longer at its path.
    pub fn sync(&mut self) -> Result<(), BatchError> {
        let path = self.path.join(JOURNAL);
        self.journal.sync_data().map_err(BatchError::unwritten(&path))?;
        self.synced = Instant::now();
        for (file, name) in [(&self.card_file, CARD), (&self.journal, JOURNAL)] {
            if let Some(found) = astray(file, &self.path.join(name)) {
                return Err(FolderError::TakenAway { path: self.path.clone(), found }.into());
            }
        }
        Ok(())
    }

    /// Writes the scene of a run that failed; where it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_repro(&self, run: u64, text: &str) -> Result<PathBuf, BatchError> {
        let folder = self.path.join(FAILED);
        let path = folder.join(repro_name(run));
        let write = || fs::create_dir_all(&folder).and_then(|()| write_whole(&path, text.as_bytes()));
        write().map_err(BatchError::unwritten(&path))?;
        Ok(path)
    }

    /// The records of all runs in their order, once all have ended; they take the place of the journal. None while some have not.
    ///
    /// # Errors
    /// If they cannot be written, or are damaged.
    pub fn settle(&mut self) -> Result<Option<Vec<Record>>, BatchError> {
        if !self.is_complete {
            if self.progress().done < self.card.count() {
                return Ok(None);
            }
            let mut records = self.read_journal()?;
            records.sort_by_key(|record| record.run);
            records.dedup_by_key(|record| record.run);
            self.save_results(&records)?;
        }
        let records = read_results(&self.path, &self.card)?;
        remove(&self.path.join(JOURNAL))?;
        self.pauses().clear()?;
        for record in &records {
            self.note(record);
        }
        Ok(Some(records))
    }

    /// Writes the results of all runs, in their order.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save_results(&mut self, records: &[Record]) -> Result<(), BatchError> {
        let text: String = records.iter().map(|record| record.to_line() + "\n").collect();
        self.save(RESULTS, text.as_bytes())?;
        self.is_complete = true;
        Ok(())
    }

    /// Writes a file of the folder whole; where it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, name: &str, content: &[u8]) -> Result<PathBuf, BatchError> {
        let path = self.path.join(name);
        write_whole(&path, content).map_err(BatchError::unwritten(&path))?;
        Ok(path)
    }
}

/// The files that a batch writes into its folder, but for scenes of runs that fail.
pub fn outputs_in(folder: &Path) -> Vec<PathBuf> {
    [CARD, JOURNAL, RESULTS].into_iter().chain(TABLES).map(|name| folder.join(name)).collect()
}

/// Name of the scene of a run that failed.
fn repro_name(run: u64) -> String {
    format!("run-{run:06}.toml")
}

/// The scene of a run that failed, in the folder of its batch.
pub fn repro_in(folder: &Path, run: u64) -> PathBuf {
    folder.join(FAILED).join(repro_name(run))
}

/// The records of a batch of which all runs have ended.
///
/// # Errors
/// If they cannot be read, or are not those of all its runs.
pub fn read_results(folder: &Path, card: &Card) -> Result<Vec<Record>, BatchError> {
    let path = folder.join(RESULTS);
    let damaged = |why: String| BatchError::Damaged { path: path.clone(), why };
    let text = fs::read_to_string(&path).map_err(|error| damaged(words::cause(&error)))?;
    let record = |line: &str| serde_json::from_str(line).map_err(|error| damaged(error.to_string()));
    let records: Vec<Record> = text.lines().map(record).collect::<Result<_, _>>()?;
    if !records.iter().map(|record| record.run).eq(card.shard.runs(card.n_runs)) {
        let why = format!("it has {} of {} runs, or others", records.len(), card.count());
        return Err(damaged(why));
    }
    Ok(records)
}

fn line_of(record: &Record) -> String {
    let line = record.to_line();
    format!("{} {line}\n", checksum(&line))
}

fn record_of(line: &[u8]) -> Option<Record> {
    let (sum, record) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    if sum != checksum(record) {
        return None;
    }
    serde_json::from_str(record).ok()
}

fn checksum(line: &str) -> String {
    let mut hash = Fnv::new();
    hash.text(line);
    hex(hash.value())
}

fn lock(folder: &Path) -> Result<File, BatchError> {
    let path = folder.join(CARD);
    let open = || {
        file_or_nothing(&path)?;
        File::options().read(true).write(true).create(true).truncate(false).open(&path)
    };
    let file = open().map_err(|source| BatchError::of_file("open", &path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy { path: folder.to_owned() }.into()),
        Err(TryLockError::Error(source)) => Err(BatchError::of_file("lock", &path, source)),
    }
}

/// Makes a locked folder ready for a batch.
fn settle(path: &Path, file: &mut File, card: &Card, access: Access) -> Result<(), BatchError> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(|source| BatchError::of_file("read", &path.join(CARD), source))?;
    let results = ["run.json", JOURNAL, RESULTS].into_iter().chain(TABLES);
    let found = results.into_iter().find(|name| path.join(name).exists());
    let found = if text.is_empty() { found } else { Some(CARD) };
    let Some(found) = found else { return write(path, file, card) };
    if access.overwrite && found != "run.json" {
        clear(path)?;
        return write(path, file, card);
    }
    if !access.resume || text.is_empty() {
        return Err(FolderError::Occupied { path: path.to_owned(), found: found.to_owned() }.into());
    }
    let difference = match serde_json::from_slice(&text) {
        Ok(there) => card.difference(&there),
        Err(_) => Some(format!("is not known: its {CARD} is damaged")),
    };
    match difference {
        None => Ok(()),
        Some(difference) => Err(BatchError::OtherBatch { path: path.to_owned(), difference }),
    }
}

fn write(path: &Path, file: &mut File, card: &Card) -> Result<(), BatchError> {
    let text = serde_json::to_string_pretty(card).expect("a card has text keys and finite numbers");
    let mut write = || {
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(format!("{text}\n").as_bytes())?;
        file.sync_all()
    };
    write().map_err(BatchError::unwritten(&path.join(CARD)))
}

/// Removes the results of a batch.
fn clear(path: &Path) -> Result<(), BatchError> {
    for name in [JOURNAL, RESULTS].into_iter().chain(TABLES) {
        remove(&path.join(name))?;
        remove(&path.join(format!("{name}{UNFINISHED}")))?;
    }
    Pauses::in_folder(path).clear()?;
    remove_runs(&path.join(FAILED), ".toml")
}
