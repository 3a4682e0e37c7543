//! Tables of a user's: comma-separated values below a line of names, as poses and paths are stated by.
//!
//! Lines that begin with `#` are comments. A column may state its unit in brackets behind its name; values come out in metres and seconds.

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
    /// A line is no row, or what it says makes no sense.
    #[error("{}:{line}: {why}", words::path(path))]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong, what was needed and found.
        why: String,
    },
    /// There is nothing in it.
    #[error("{}: {why}", words::path(path))]
    Whole {
        /// The file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A length, in metres where no unit is stated.
    Length,
    /// A time, in seconds where no unit is stated.
    Time,
    /// A number without a unit.
    Plain,
    /// Anything, which is read as a text or not at all.
    Any,
}

impl Quantity {
    /// The units that a column may state, and what one of them is in the first.
    fn units(self) -> &'static [(&'static str, Factor)] {
        const LENGTHS: [(&str, Factor); 6] = [
            ("m", Factor::One),
            ("cm", Factor::Over(100.0)),
            ("mm", Factor::Over(1e3)),
            ("um", Factor::Over(1e6)),
            ("in", Factor::Times(0.0254)),
            ("ft", Factor::Times(0.3048)),
        ];
        const TIMES: [(&str, Factor); 4] = [
            ("s", Factor::One),
            ("ms", Factor::Over(1e3)),
            ("us", Factor::Over(1e6)),
            ("min", Factor::Times(60.0)),
        ];
        match self {
            Self::Length => &LENGTHS,
            Self::Time => &TIMES,
            Self::Plain | Self::Any => &[],
        }
    }
}

/// What a unit is in the unit that values come out in. A division by a power of ten rounds once, where the product with its inverse, which is
/// rounded itself, rounds twice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Factor {
    One,
    Times(f64),
    Over(f64),
}

impl Factor {
    fn of(self, x: f64) -> f64 {
        match self {
            Self::One => x,
            Self::Times(factor) => x * factor,
            Self::Over(divisor) => x / divisor,
        }
    }
}

/// A column that a table may have.
pub type Known = (&'static str, Quantity);

/// A table.
#[derive(Debug)]
pub struct GivenTable {
    path: PathBuf,
    names: Vec<String>,
    factors: Vec<Factor>,
    /// Where the names stand, from 1.
    first_line: u64,
    rows: Vec<(u64, StringRecord)>,
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct GivenRow<'t> {
    table: &'t GivenTable,
    line: u64,
    record: &'t StringRecord,
}

impl GivenTable {
    /// Reads a table of some columns, none of which has to be there.
    ///
    /// # Errors
    /// If the file cannot be read, it has other columns or units than these, or a row has another number of cells than the line of names.
    pub fn read(path: &Path, known: &[Known]) -> Result<Self, GivenTableError> {
        let bytes = file::read(path, MAX_BYTES)
            .map_err(|cause| GivenTableError::Read { path: path.to_owned(), cause })?;
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let at = |line: u64, why: String| GivenTableError::Line { path: path.to_owned(), line, why };
        let mut table: Option<Self> = None;
        for (line, bytes) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let text = std::str::from_utf8(bytes)
                .map_err(|_| at(line, "the line is no text in UTF-8".to_owned()))?
                .trim_end_matches('\r');
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let record = cells(text).map_err(|why| at(line, why.to_owned()))?;
            match &mut table {
                None => table = Some(Self::of_names(path, line, text, &record, known)?),
                Some(table) if record.len() == table.names.len() => table.rows.push((line, record)),
                Some(table) => return Err(at(line, table.ragged(&record, text))),
            }
        }
        table.ok_or_else(|| GivenTableError::Whole {
            path: path.to_owned(),
            why: format!("the table is empty: needed is a line of names, of {}", listed(known)),
        })
    }

    /// A table without rows below its line of names.
    fn of_names(
        path: &Path,
        line: u64,
        text: &str,
        record: &StringRecord,
        known: &[Known],
    ) -> Result<Self, GivenTableError> {
        let refused = |why: String| GivenTableError::Line { path: path.to_owned(), line, why };
        let (mut names, mut factors) = (Vec::<String>::new(), Vec::new());
        for header in record {
            let (name, unit) = with_unit(header);
            let Some((_, quantity)) = known.iter().find(|(of, _)| *of == name) else {
                let hint = match separator(text) {
                    Some(separator) => format!("; columns are separated by commas, not by {separator}"),
                    None => String::new(),
                };
                let name = words::quoted(header);
                return Err(refused(format!(
                    "there is no use for a column '{name}': known are {}{hint}",
                    listed(known)
                )));
            };
            if names.iter().any(|before| before == name) {
                return Err(refused(format!("there are two columns '{name}'")));
            }
            factors.push(factor(name, *quantity, unit).map_err(refused)?);
            names.push(name.to_owned());
        }
        Ok(Self { path: path.to_owned(), names, factors, first_line: line, rows: Vec::new() })
    }

    /// What is wrong with a row of another number of cells than there are columns.
    fn ragged(&self, record: &StringRecord, text: &str) -> String {
        let (found, needed) = (record.len(), self.names.len());
        let cells = words::counted(found as u64, "cell", "cells");
        let hint = match separator(text) {
            Some(separator) => format!("; cells are separated by commas, not by {separator}"),
            None if found == 2 * needed => {
                "; if these are decimal commas: numbers are written with a point".to_owned()
            }
            None => String::new(),
        };
        format!("the row has {cells}, but there are {needed} columns, {}{hint}", words::listed(&self.names))
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
            *place = self.column(name).ok_or_else(|| GivenTableError::Line {
                path: self.path.clone(),
                line: self.first_line,
                why: format!("there is no column '{name}'; the columns are {}", words::listed(&self.names)),
            })?;
        }
        Ok(places)
    }

    /// Places of columns of which either all are there or none.
    ///
    /// # Errors
    /// The first one that is not, where another one is.
    pub fn all_or_none<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<Option<[usize; N]>, GivenTableError> {
        match names.iter().any(|name| self.column(name).is_some()) {
            true => self.needed(names).map(Some),
            false => Ok(None),
        }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = GivenRow<'_>> {
        self.rows.iter().map(|(line, record)| GivenRow { table: self, line: *line, record })
    }
}

impl<'t> GivenRow<'t> {
    /// What stands in a column.
    pub fn text(self, column: usize) -> &'t str {
        self.record.get(column).unwrap_or_default()
    }

    /// The finite numbers in some columns, in metres, seconds or without a unit.
    ///
    /// # Errors
    /// The first that is none.
    pub fn numbers<const N: usize>(self, columns: [usize; N]) -> Result<[f64; N], GivenTableError> {
        let mut numbers = [0.0; N];
        for (number, column) in numbers.iter_mut().zip(columns) {
            let text = self.text(column);
            let parsed = text.parse().ok().filter(|x: &f64| x.is_finite());
            let x = parsed.ok_or_else(|| {
                let hint = match separator(text) {
                    Some(separator) => format!("; cells are separated by commas, not by {separator}"),
                    None if text.replacen(',', ".", 1).parse::<f64>().is_ok() => {
                        "; numbers are written with a decimal point".to_owned()
                    }
                    None => String::new(),
                };
                let (name, found) = (&self.table.names[column], words::quoted(text));
                self.refused(format!("{name} is '{found}', but has to be a finite number{hint}"))
            })?;
            *number = self.table.factors[column].of(x);
        }
        Ok(numbers)
    }

    /// That the row makes no sense, and why.
    pub fn refused(self, why: String) -> GivenTableError {
        GivenTableError::Line { path: self.table.path.clone(), line: self.line, why }
    }
}

/// The cells of a line, without the blanks around them. A cell in double quotes may hold commas, and double quotes twice.
fn cells(line: &str) -> Result<StringRecord, &'static str> {
    let mut record = StringRecord::new();
    let mut rest = line;
    loop {
        let begin = rest.trim_start();
        let Some(mut quoted) = begin.strip_prefix('"') else {
            let (cell, after) =
                rest.split_once(',').map_or((rest, None), |(cell, after)| (cell, Some(after)));
            record.push_field(cell.trim());
            match after {
                Some(after) => rest = after,
                None => return Ok(record),
            }
            continue;
        };
        let mut cell = String::new();
        let after = loop {
            let (part, after) = quoted.split_once('"').ok_or("a double quote is not closed in its line")?;
            cell += part;
            match after.strip_prefix('"') {
                Some(after) => {
                    cell.push('"');
                    quoted = after;
                }
                None => break after.trim_start(),
            }
        };
        record.push_field(&cell);
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None if after.is_empty() => return Ok(record),
            None => {
                return Err("behind a closing double quote there has to be a comma or the end of the line");
            }
        }
    }
}

/// The name of a column and the unit in brackets behind it.
fn with_unit(header: &str) -> (&str, Option<&str>) {
    let Some((name, unit)) = header.split_once('[') else { return (header.trim(), None) };
    (name.trim(), Some(unit.trim_end().trim_end_matches(']').trim()))
}

/// What the values of a column are to be multiplied by.
fn factor(name: &str, quantity: Quantity, unit: Option<&str>) -> Result<Factor, String> {
    let Some(unit) = unit.filter(|_| quantity != Quantity::Any) else { return Ok(Factor::One) };
    let units = quantity.units();
    let found = units.iter().find(|(known, _)| *known == unit);
    found.map(|(_, factor)| *factor).ok_or_else(|| {
        let unit = words::quoted(unit);
        match units.is_empty() {
            true => format!("the column '{name}' has no unit, found [{unit}]"),
            false => {
                let known: Vec<&str> = units.iter().map(|(known, _)| *known).collect();
                format!(
                    "the column '{name}' is in '{unit}', but has to be in one of {}",
                    words::listed(&known)
                )
            }
        }
    })
}

/// What seems to part the cells of a text in place of commas.
fn separator(text: &str) -> Option<&'static str> {
    [(';', "semicolons"), ('\t', "tabs")].into_iter().find(|(c, _)| text.contains(*c)).map(|(_, name)| name)
}

fn listed(known: &[Known]) -> String {
    words::listed(&known.iter().map(|(name, _)| *name).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [Known; 6] = [
        ("name", Quantity::Any),
        ("time", Quantity::Time),
        ("x", Quantity::Length),
        ("y", Quantity::Length),
        ("qx", Quantity::Plain),
        ("note", Quantity::Any),
    ];

    fn read(text: &[u8]) -> Result<GivenTable, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).expect("a file");
        let table = GivenTable::read(&path, &KNOWN);
        let prefix = format!("{}", folder.path().join("").display());
        table.map_err(|error| error.to_string().replace(&prefix, ""))
    }

    #[test]
    fn units_are_converted_and_lines_counted() {
        let text = "\u{feff}# a table\r\n\r\n name , time [ms], x [mm],y[ ft ],qx\r\n\
                    # between\n\"a, \"\"b\"\"\" ,1500,0.1,1,0.5\nc,1e3, -20 ,2,1\n\n";
        let table = read(text.as_bytes()).expect("a table");
        let columns = table.needed(["time", "x", "y", "qx"]).expect("columns");
        let rows: Vec<_> =
            table.rows().map(|row| (row.line, row.text(0), row.numbers(columns).expect("numbers"))).collect();
        // Each is the number nearest to the decimal one.
        assert_eq!(rows, [(5, "a, \"b\"", [1.5, 0.0001, 0.3048, 0.5]), (6, "c", [1.0, -0.02, 0.6096, 1.0])]);
        assert_eq!(table.all_or_none(["note"]).expect("none"), None);
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        let known = "known are name, time, x, y, qx, note";
        for (text, wanted) in [
            ("", "t.csv: the table is empty: needed is a line of names, of name, time, x, y, qx, note".to_owned()),
            ("x,z\n", format!("t.csv:1: there is no use for a column 'z': {known}")),
            ("x;y\n", format!("t.csv:1: there is no use for a column 'x;y': {known}; columns are separated by commas, not by semicolons")),
            ("x\ty\n", format!("t.csv:1: there is no use for a column 'x\\ty': {known}; columns are separated by commas, not by tabs")),
            ("x,x\n", "t.csv:1: there are two columns 'x'".to_owned()),
            ("x [km]\n", "t.csv:1: the column 'x' is in 'km', but has to be in one of m, cm, mm, um, in, ft".to_owned()),
            ("qx [deg]\n", "t.csv:1: the column 'qx' has no unit, found [deg]".to_owned()),
            ("#\nx,y\n1\n", "t.csv:3: the row has 1 cell, but there are 2 columns, x, y".to_owned()),
            ("x,y\n1;2\n", "t.csv:2: the row has 1 cell, but there are 2 columns, x, y; cells are separated by commas, not by semicolons".to_owned()),
            ("x,y\n1,0,2,0\n", "t.csv:2: the row has 4 cells, but there are 2 columns, x, y; if these are decimal commas: numbers are written with a point".to_owned()),
            ("x,y\n\"1,2\n", "t.csv:2: a double quote is not closed in its line".to_owned()),
            ("x,y\n\"1\"2,3\n", "t.csv:2: behind a closing double quote there has to be a comma or the end of the line".to_owned()),
        ] {
            assert_eq!(read(text.as_bytes()).expect_err(text), wanted);
        }
        assert_eq!(read(b"x\n\xff\n").expect_err("no text"), "t.csv:2: the line is no text in UTF-8");
        let table = read(b"x,y\n\"1,5\",2\n").expect("a table");
        let row = table.rows().next().expect("a row");
        let told = row.numbers([0]).expect_err("a comma").to_string();
        assert!(
            told.ends_with(
                "t.csv:2: x is '1,5', but has to be a finite number; numbers are written with a decimal point"
            ),
            "{told}"
        );
        let told = table.needed(["time"]).expect_err("no time").to_string();
        assert!(told.ends_with("t.csv:1: there is no column 'time'; the columns are x, y"), "{told}");
    }
}
