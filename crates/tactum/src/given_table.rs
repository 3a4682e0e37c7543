//! Tables of a user's: comma-separated values below a line of names, as poses and paths are stated by.

use std::path::{Path, PathBuf};

use csv::StringRecord;
use tactum_geometry::file::{self, ReadError};
use tactum_geometry::words;
use thiserror::Error;

/// Largest table \[bytes\]: some ten million rows, more than a run makes steps.
const MAX_BYTES: u64 = 1 << 30;

/// Why a table cannot be used.
#[derive(Debug, Error)]
pub enum GivenTableError {
    /// The file cannot be read.
    #[error("cannot read the table '{}': {cause}", words::path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: ReadError,
    },
    /// Its first line does not name a column.
    #[error("{}: there is no column '{column}'; its columns are {}", words::path(path), words::listed(found))]
    Column {
        /// The file.
        path: PathBuf,
        /// What is missing.
        column: String,
        /// What is there.
        found: Vec<String>,
    },
    /// A value is none.
    #[error(
        "{}:{line}: {column} is '{}', but has to be a finite number",
        words::path(path),
        words::quoted(found)
    )]
    Number {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// The column.
        column: String,
        /// What is there.
        found: String,
    },
    /// What a row says makes no sense.
    #[error("{}:{line}: {why}", words::path(path))]
    Row {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A line is no row.
    #[error("{}: {why}", words::path(path))]
    Text {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        why: String,
    },
}

/// A table.
#[derive(Debug)]
pub struct GivenTable {
    path: PathBuf,
    names: Vec<String>,
    rows: Vec<StringRecord>,
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct GivenRow<'t> {
    table: &'t GivenTable,
    record: &'t StringRecord,
}

impl GivenTable {
    /// Reads a table. Units in brackets behind the names of columns are passed over.
    ///
    /// # Errors
    /// If the file cannot be read, or a row has another number of cells than the first line.
    pub fn read(path: &Path) -> Result<Self, GivenTableError> {
        let bytes = file::read(path, MAX_BYTES)
            .map_err(|cause| GivenTableError::Read { path: path.to_owned(), cause })?;
        let of_text =
            |error: csv::Error| GivenTableError::Text { path: path.to_owned(), why: error.to_string() };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
        let names = reader.headers().map_err(of_text)?.iter().map(without_unit).collect();
        let rows = reader.records().collect::<Result<_, _>>().map_err(of_text)?;
        Ok(Self { path: path.to_owned(), names, rows })
    }

    /// Place of a column; none if it is not there.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Places of columns that have to be there.
    ///
    /// # Errors
    /// The first one that is not.
    pub fn needed<const N: usize>(&self, names: [&str; N]) -> Result<[usize; N], GivenTableError> {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = self.column(name).ok_or_else(|| GivenTableError::Column {
                path: self.path.clone(),
                column: name.to_owned(),
                found: self.names.clone(),
            })?;
        }
        Ok(places)
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = GivenRow<'_>> {
        self.rows.iter().map(|record| GivenRow { table: self, record })
    }
}

impl<'t> GivenRow<'t> {
    /// What stands in a column.
    pub fn text(self, column: usize) -> &'t str {
        self.record.get(column).unwrap_or_default()
    }

    /// The finite numbers in some columns.
    ///
    /// # Errors
    /// The first that is none.
    pub fn numbers<const N: usize>(self, columns: [usize; N]) -> Result<[f64; N], GivenTableError> {
        let mut numbers = [0.0; N];
        for (number, column) in numbers.iter_mut().zip(columns) {
            let text = self.text(column);
            let parsed = text.parse().ok().filter(|x: &f64| x.is_finite());
            *number = parsed.ok_or_else(|| GivenTableError::Number {
                path: self.table.path.clone(),
                line: self.line(),
                column: self.table.names[column].clone(),
                found: text.to_owned(),
            })?;
        }
        Ok(numbers)
    }

    /// That the row makes no sense, and why.
    pub fn refused(self, why: String) -> GivenTableError {
        GivenTableError::Row { path: self.table.path.clone(), line: self.line(), why }
    }

    /// Its line, from 1.
    fn line(self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

/// The name of a column without the unit in brackets behind it.
fn without_unit(header: &str) -> String {
    header.split('[').next().unwrap_or_default().trim().to_owned()
}
