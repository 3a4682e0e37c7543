//! What is made from the results of a batch: tables and the page.

use std::io;
use std::path::PathBuf;

use super::card::Card;
use super::error::BatchError;
use super::folder::{BatchFolder, REPORT};
use super::page::of_batch;
use super::record::Record;
use super::tables::{runs_table, series_table};

/// Writes the tables of a batch and its page; which files.
///
/// # Errors
/// If one of them cannot be written.
pub fn save(
    folder: &BatchFolder,
    card: &Card,
    records: &[Record],
    csv: bool,
) -> Result<Vec<PathBuf>, BatchError> {
    let runs = Some(runs_table(&card.layout, records));
    let mut files = Vec::new();
    for (name, table) in [("runs", runs), ("series", series_table(&card.layout, records))] {
        let Some(table) = table else { continue };
        let parquet = bytes(|to| table.write_parquet(to, &card.notes()));
        files.push(folder.save(&format!("{name}.parquet"), &parquet)?);
        if csv {
            files.push(folder.save(&format!("{name}.csv"), &bytes(|to| table.write_csv(to)))?);
        }
    }
    let page = of_batch(card, records).to_html();
    files.push(folder.save(REPORT, page.as_bytes())?);
    Ok(files)
}

fn bytes(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory does not fail");
    bytes
}
