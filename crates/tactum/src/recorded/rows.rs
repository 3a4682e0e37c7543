//! The rows of a table, one by one. A row in which a killed run broke off is none.

use std::fs::File;
use std::io::{self, Read, Take};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use csv::{ByteRecord, Reader, ReaderBuilder};
use serde::Deserialize;
use tactum_geometry::file::ReadError;
use tactum_geometry::words;

use super::RecordedError;
use crate::files::{file_or_nothing, whole_lines};

/// The rows of a table in their order.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    reader: Reader<Take<File>>,
    header: ByteRecord,
    row: ByteRecord,
}

impl Rows {
    /// The rows of a file.
    ///
    /// # Errors
    /// If it is not a table that can be read.
    pub fn open(path: &Path) -> Result<Self, RecordedError> {
        let fail = |error: io::Error| RecordedError::Table { path: path.to_owned(), cause: error.into() };
        file_or_nothing(path).map_err(fail)?;
        let mut file = File::open(path).map_err(fail)?;
        let whole = whole_lines(&mut file).map_err(fail)?;
        let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(file.take(whole));
        let header = reader.byte_headers();
        let header =
            header.map_err(|error| Self::broken(path, 1, &error))?.iter().map(without_unit).collect();
        Ok(Self { path: path.to_owned(), reader, header, row: ByteRecord::new() })
    }

    /// Goes to the next row; whether there is one.
    ///
    /// # Errors
    /// If it cannot be read, or has more or fewer columns than the first line.
    pub fn advance(&mut self) -> Result<bool, RecordedError> {
        self.reader
            .read_byte_record(&mut self.row)
            .map_err(|error| Self::broken(&self.path, self.reader.position().line(), &error))
    }

    /// The step of the row.
    ///
    /// # Errors
    /// If the row does not begin with one.
    pub fn step(&self) -> Result<u64, RecordedError> {
        self.parse(0, "a number of steps")
    }

    /// Names of the columns without their units, in their order.
    pub fn columns(&self) -> Vec<String> {
        self.header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// The text of a column of the row.
    ///
    /// # Errors
    /// If it is no text.
    pub fn text(&self, column: usize) -> Result<&str, RecordedError> {
        let bytes = self.row.get(column).unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|error| self.wrong(format!("column {}: {error}", column + 1)))
    }

    /// The value of a column of the row.
    ///
    /// # Errors
    /// If there is something else, which `needed` says.
    pub fn parse<T: FromStr>(&self, column: usize, needed: &str) -> Result<T, RecordedError> {
        let text = self.text(column)?;
        let wrong = || {
            self.wrong(format!("column {}: needed is {needed}, found '{}'", column + 1, words::quoted(text)))
        };
        text.parse().map_err(|_| wrong())
    }

    /// The row by the names of its columns.
    ///
    /// # Errors
    /// If a column is missing or holds something else.
    pub fn get<'a, T: Deserialize<'a>>(&'a self) -> Result<T, RecordedError> {
        self.row.deserialize(Some(&self.header)).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Deserialize { err, .. } => self.wrong(err.to_string()),
            other => self.wrong(format!("{other:?}")),
        })
    }

    /// What is wrong with the row.
    pub fn wrong(&self, why: String) -> RecordedError {
        let line = self.row.position().map_or(0, csv::Position::line);
        RecordedError::Row { path: self.path.clone(), line, why }
    }

    fn broken(path: &Path, line: u64, error: &csv::Error) -> RecordedError {
        let why = match error.kind() {
            csv::ErrorKind::Io(source) if source.kind() == io::ErrorKind::NotFound => {
                return RecordedError::Table { path: path.to_owned(), cause: ReadError::Missing };
            }
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("needed are {expected_len} columns as in the first line, found {len}")
            }
            _ => error.to_string(),
        };
        RecordedError::Row { path: path.to_owned(), line, why }
    }
}

/// The name of a column whose unit stands in brackets behind it.
fn without_unit(column: &[u8]) -> &[u8] {
    let unit = column.windows(2).position(|pair| pair == b" [");
    unit.map_or(column, |at| &column[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Row<'a> {
        value: f64,
        name: &'a str,
    }

    fn table(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        std::fs::write(&path, text).expect("a table");
        (folder, path)
    }

    #[test]
    fn rows_are_read_by_the_names_of_their_columns() {
        let (_folder, path) = table("step,name,value [m/s]\n3,\"a, b\",0.1\n4,c,1e-300\n5,d,2");
        let mut rows = Rows::open(&path).expect("a table");
        let mut found = Vec::new();
        while rows.advance().expect("a row") {
            let Row { value, name } = rows.get().expect("the columns");
            found.push((rows.step().expect("a step"), value, name.to_owned()));
        }
        assert_eq!(found, [(3, 0.1, "a, b".to_owned()), (4, 1e-300, "c".to_owned())]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let (_folder, path) = table("step,name,value\n1,a,1\nx,a,y\n1,a\n");
        let mut rows = Rows::open(&path).expect("a table");
        assert!(rows.advance().expect("a row") && rows.advance().expect("a row"));
        assert!(rows.step().expect_err("no number").to_string().contains("line 3"));
        assert!(rows.get::<Row<'_>>().expect_err("no number").to_string().contains("line 3"));
        assert!(rows.advance().expect_err("too short").to_string().contains("found 2"));
        let (_folder, path) = table("");
        assert!(!Rows::open(&path).expect("an empty table").advance().expect("no row"));
        assert!(Rows::open(&path.with_extension("no")).is_err());
    }
}
