//! Shards put together.

use std::path::{Path, PathBuf};

use super::card::Card;
use super::error::BatchError;
use super::folder::{Access, BatchFolder, read_results, repro_in};
use super::outputs;
use super::plan::Shard;
use super::record::Record;
use tactum_geometry::words::{self, listed};

/// What came of putting shards together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Number of runs.
    pub n_runs: u64,
    /// Those of them that failed.
    pub n_failed: u64,
    /// Files written.
    pub files: Vec<PathBuf>,
}

/// Puts the shards of a batch together: a folder as one call for all runs would have written it, byte for byte.
///
/// # Errors
/// If one is not finished or of another batch, if one is missing or there twice, or if the folder cannot take the results.
pub fn merge(shards: &[PathBuf], out: &Path, overwrite: bool, csv: bool) -> Result<Merged, BatchError> {
    let mut found: Vec<(&PathBuf, Card)> = Vec::new();
    for path in shards {
        let card = Card::read(path).map_err(|why| BatchError::NoShard { path: path.clone(), why })?;
        found.push((path, card));
    }
    check(&found)?;
    found.sort_by_key(|(_, card)| card.shard.number);
    let mut records: Vec<Record> = Vec::new();
    for (path, card) in &found {
        let part = read_results(path, card).map_err(|error| BatchError::NoShard {
            path: (*path).clone(),
            why: format!("it is not finished, go on with it by --resume; {error}"),
        })?;
        records.extend(part);
    }
    records.sort_by_key(|record| record.run);
    let mut card = found[0].1.clone();
    card.shard = Shard::WHOLE;
    let mut folder = BatchFolder::take(out, &card, Access { resume: false, overwrite })?;
    let failed: Vec<&Record> = records.iter().filter(|record| record.has_failed()).collect();
    for record in &failed {
        let (path, _) = &found[(record.run % found.len() as u64) as usize];
        let from = repro_in(path, record.run);
        let text = std::fs::read_to_string(&from)
            .map_err(|error| BatchError::NoShard { path: from.clone(), why: words::cause(&error) })?;
        folder.save_repro(record.run, &text)?;
    }
    folder.save_results(&records)?;
    let records = folder.settle()?.expect("its results are there");
    let files = outputs::save(&folder, &card, &records, csv)?;
    let n_failed = records.iter().filter(|record| record.has_failed()).count() as u64;
    Ok(Merged { n_runs: card.n_runs, n_failed, files })
}

/// Whether all shards of one batch are there, each once.
fn check(found: &[(&PathBuf, Card)]) -> Result<(), BatchError> {
    let (first, rest) = found.split_first().expect("the command line asks for one");
    for (path, card) in rest {
        let mut same = card.clone();
        same.shard = first.1.shard;
        if let Some(difference) = first.1.difference(&same) {
            let why = format!("unlike '{}' it {difference}", words::path(first.0));
            return Err(BatchError::NoShard { path: (*path).clone(), why });
        }
        if card.shard.of != first.1.shard.of {
            let why =
                format!("it is the shard {}, '{}' is {}", card.shard, words::path(first.0), first.1.shard);
            return Err(BatchError::NoShard { path: (*path).clone(), why });
        }
    }
    let of = first.1.shard.of;
    let count = |number: u64| found.iter().filter(|(_, card)| card.shard.number == number).count();
    let named = |is_meant: &dyn Fn(usize) -> bool| -> Vec<String> {
        (1..=of).filter(|number| is_meant(count(*number))).map(|number| format!("{number}/{of}")).collect()
    };
    let (missing, doubled) = (named(&|n| n == 0), named(&|n| n > 1));
    let mut wrong = Vec::new();
    if !missing.is_empty() {
        wrong.push(format!("missing: {}", listed(&missing)));
    }
    if !doubled.is_empty() {
        wrong.push(format!("there twice: {}", listed(&doubled)));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(BatchError::Shards(format!("of {of} shards, {}", wrong.join("; "))))
    }
}
