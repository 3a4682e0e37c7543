//! The tables of a run as Parquet files.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use super::{Claim, ExportError};
use crate::files::unfinished;
use crate::recorded::{Recorded, RecordedError, Rows};
use crate::tables::TABLE_FILES;
use crate::tables::columns::{Column, ParquetFile, Table, Values};
use crate::tables::forms::{Kind, columns_of};

/// Rows that are held at a time, and then written: one group of the file, of which each is read as a whole.
const PART: usize = 1 << 17;

/// Writes the tables of a run into a folder, each as a Parquet file of its name; the names of the files.
///
/// # Errors
/// If a table cannot be read, or a file not written.
pub fn write_parquet(run: &Recorded, claim: &Claim<'_>) -> Result<Vec<String>, ExportError> {
    let name_of = |table: &str| table.replace(".csv", ".parquet");
    claim.folder(run, |name| TABLE_FILES.iter().any(|table| name_of(table) == name))?;
    let mut names = Vec::new();
    for table in TABLE_FILES {
        let Some(rows) = run.rows(table)? else { continue };
        let name = name_of(table);
        let path = claim.path.join(&name);
        // What is there under its name is whole.
        let part = unfinished(&path);
        let written = write(run, table, rows, &part)
            .and_then(|()| fs::rename(&part, &path).map_err(ExportError::write(&path)));
        if written.is_err() {
            // The first error is the one that matters.
            let _ = fs::remove_file(&part);
        }
        written?;
        names.push(name);
    }
    Ok(names)
}

fn write(run: &Recorded, table: &str, mut rows: Rows, path: &Path) -> Result<(), ExportError> {
    let columns = columns_of(table);
    let (names, needed): (Vec<String>, Vec<&str>) =
        (rows.columns(), columns.iter().map(|(name, _)| *name).collect());
    if names != needed {
        return Err(rows
            .wrong(format!("needed are the columns {}, found {}", needed.join(","), names.join(",")))
            .into());
    }
    let notes = [
        ("tactum_version", run.card().version()),
        ("scene", run.card().scene()),
        ("fingerprint", run.card().fingerprint()),
        ("backend", run.card().backend()),
    ];
    let form = Part::new(&columns).into_table();
    let opened = File::create(path).and_then(|file| ParquetFile::begin(BufWriter::new(file), &form, &notes));
    let mut file = opened.map_err(ExportError::write(path))?;
    loop {
        let part = Part::read(&columns, &mut rows)?;
        let is_last = part.n_rows < PART;
        file.append(&part.into_table()).map_err(ExportError::write(path))?;
        if is_last {
            return file.finish().map_err(ExportError::write(path));
        }
    }
}

/// Rows as columns.
struct Part<'a> {
    columns: &'a [(&'static str, Kind)],
    values: Vec<Values>,
    n_rows: usize,
}

impl<'a> Part<'a> {
    fn new(columns: &'a [(&'static str, Kind)]) -> Self {
        let none = |(_, kind): &(&str, Kind)| match kind {
            Kind::Number(_) => Values::F64(Vec::new()),
            Kind::Count => Values::I64(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
            Kind::Flag => Values::Bool(Vec::new()),
        };
        Self { columns, values: columns.iter().map(none).collect(), n_rows: 0 }
    }

    /// The next rows of a table, up to [`PART`].
    fn read(columns: &'a [(&'static str, Kind)], rows: &mut Rows) -> Result<Self, RecordedError> {
        let mut part = Self::new(columns);
        while part.n_rows < PART && rows.advance()? {
            for (ix, values) in part.values.iter_mut().enumerate() {
                match values {
                    Values::F64(values) => values.push(Some(rows.parse(ix, "a number")?)),
                    Values::I64(values) => values.push(Some(rows.parse(ix, "a whole number")?)),
                    Values::Text(values) => values.push(Some(rows.text(ix)?.to_owned())),
                    Values::Bool(values) => values.push(Some(rows.parse(ix, "true or false")?)),
                }
            }
            part.n_rows += 1;
        }
        Ok(part)
    }

    fn into_table(self) -> Table {
        let column = |((name, kind), values): (&(&str, Kind), Values)| {
            let unit = if let Kind::Number(unit) = kind { unit } else { "" };
            Column { name: (*name).to_owned(), unit: unit.to_owned(), values }
        };
        Table::new(self.columns.iter().zip(self.values).map(column).collect())
    }
}
