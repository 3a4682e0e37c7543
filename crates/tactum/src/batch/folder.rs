//! The folder of a batch: its card and lock, the journal of runs that have ended, the results.
//!
//! A run that has ended is a line of the journal with a checksum before it. A program that is killed leaves half a line at most, which
//! is cut off by the one that goes on. When all runs have ended the results take the place of the journal, in the order of the runs.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tactum_geometry::words;

use super::error::BatchError;
use super::plan::Shard;
use super::record::{Layout, Record};
use super::{Progress, sweep::Sweep};
use crate::files::{UNFINISHED, astray, file_or_nothing, write_whole};
use crate::folder::FolderError;
use crate::hash::{Fnv, hex};

/// First field of every card; changes when the format of the folder does.
const FORMAT: &str = "tactum-batch/1";

/// Says whose batch is in the folder; whoever writes there holds a lock on it.
const CARD: &str = "batch.json";
const JOURNAL: &str = "journal";
const RESULTS: &str = "results.jsonl";
/// The folder with the scenes of runs that failed.
const FAILED: &str = "failed";

/// Names of the tables.
const TABLES: [&str; 4] = ["runs.parquet", "runs.csv", "series.parquet", "series.csv"];

/// How long a line of the journal may take to be safe from a loss of power. It is safe from the end of the program at once.
const SYNC: Duration = Duration::from_secs(1);

/// What decides which results a batch gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    format: String,
    version: String,
    /// Name of the sweep.
    pub sweep: String,
    /// Hash of the sweep, its scene and meshes, 16 hexadecimal digits.
    pub fingerprint: String,
    /// How overlaps are measured.
    pub backend: String,
    /// Number of runs of all shards.
    pub n_runs: u64,
    /// Which of them are here.
    pub shard: Shard,
    /// What a record holds.
    pub layout: Layout,
}

impl Card {
    /// The card of a batch.
    pub fn new(
        sweep: &Sweep,
        fingerprint: u64,
        backend: &str,
        n_runs: u64,
        shard: Shard,
        layout: &Layout,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sweep: sweep.name(),
            fingerprint: hex(fingerprint),
            backend: backend.to_owned(),
            n_runs,
            shard,
            layout: layout.clone(),
        }
    }

    /// The card in a folder.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(CARD);
        let text = fs::read(&path)
            .map_err(|error| format!("it has no {CARD} that can be read: {}", words::cause(&error)))?;
        serde_json::from_slice(&text).map_err(|error| format!("its {CARD} is damaged: {error}"))
    }

    /// In which way another batch is not this one, in words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if (&other.version, &other.format) != (&self.version, &self.format) {
            return Some(format!("was written by version {} of the program", other.version));
        }
        if other.fingerprint != self.fingerprint {
            return Some(format!(
                "is of another sweep or scene: '{}' ({}, here {})",
                other.sweep, other.fingerprint, self.fingerprint
            ));
        }
        if other.backend != self.backend {
            return Some(format!("was measured by '{}', this one is by '{}'", other.backend, self.backend));
        }
        (other.shard != self.shard)
            .then(|| format!("is the shard {}, this one is {}", other.shard, self.shard))
    }

    /// What Parquet files say of where they come from.
    pub fn notes(&self) -> [(&str, &str); 4] {
        [
            ("tactum", &self.version),
            ("sweep", &self.sweep),
            ("fingerprint", &self.fingerprint),
            ("backend", &self.backend),
        ]
    }

    /// Number of runs that are here when all have ended.
    pub fn count(&self) -> u64 {
        self.shard.count(self.n_runs)
    }
}

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
        fs::create_dir_all(path).map_err(|source| failed("create the folder", path, source))?;
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
        let journal = open().map_err(|source| failed("open", &journal_path, source))?;
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
        read.map_err(|source| failed("read", &path, source))?;
        let mut records = Vec::new();
        let mut whole = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(record) = record_of(line) else { break };
            whole += line.len();
            records.push(record);
        }
        if whole < bytes.len() {
            self.journal.set_len(whole as u64).map_err(|source| failed("write", &path, source))?;
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
        let journal = self.path.join(JOURNAL);
        fs::remove_file(&journal).map_err(|source| failed("remove", &journal, source))?;
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
    let file = open().map_err(|source| failed("open", &path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy { path: folder.to_owned() }.into()),
        Err(TryLockError::Error(source)) => Err(failed("lock", &path, source)),
    }
}

/// Makes a locked folder ready for a batch.
fn settle(path: &Path, file: &mut File, card: &Card, access: Access) -> Result<(), BatchError> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(|source| failed("read", &path.join(CARD), source))?;
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
    let remove = |path: PathBuf| match fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed("remove", &path, source)),
        _ => Ok(()),
    };
    for name in [JOURNAL, RESULTS].into_iter().chain(TABLES) {
        remove(path.join(name))?;
        remove(path.join(format!("{name}{UNFINISHED}")))?;
    }
    for entry in fs::read_dir(path.join(FAILED)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("run-") && name.trim_end_matches(UNFINISHED).ends_with(".toml") {
            remove(entry.path())?;
        }
    }
    Ok(())
}

fn failed(verb: &'static str, path: &Path, source: io::Error) -> BatchError {
    FolderError::File { verb, path: path.to_owned(), source }.into()
}
