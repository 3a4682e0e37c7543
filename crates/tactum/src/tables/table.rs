//! One table on the disk: rows of comma-separated values that a run can go on with.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tactum_geometry::words;

use super::{RecordError, WRITE};
use crate::files::{astray, file_or_nothing};
use crate::hash::{Fnv, hex};

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<Hashed>,
    /// A row could not be written: what is there may end in the middle of one.
    has_failed: bool,
}

/// Where a table ends, and what it holds up to there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    bytes: u64,
    /// Of these bytes, 16 hexadecimal digits.
    checksum: String,
}

/// A file, and how much was written to it with which checksum. It is appended to: where somebody else has emptied it, rows
/// follow and no gap of zeros before them, so that its length tells.
#[derive(Debug)]
struct Hashed {
    file: File,
    bytes: u64,
    hash: Fnv,
}

impl Hashed {
    /// In which way what is at a path is not what was written, in words; none if it is.
    fn astray(&self, path: &Path) -> Option<String> {
        astray(&self.file, path).or_else(|| match self.file.metadata() {
            Ok(there) if there.len() == self.bytes => None,
            Ok(there) => Some(format!("it has {} bytes, {} were written", there.len(), self.bytes)),
            Err(error) => Some(format!("it cannot be looked at: {}", words::cause(&error))),
        })
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.hash.bytes(&bytes[..n]);
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Bytes that are gathered before they are written, or read at once.
const BUFFER: usize = 1 << 16;

impl Table {
    /// A table with nothing but its header, in place of one that may be there.
    pub fn create<R: Serialize + Default>(path: PathBuf) -> Result<Self, RecordError> {
        let open = || {
            file_or_nothing(&path)?;
            let file = File::options().append(true).create(true).open(&path)?;
            file.set_len(0).map(|()| file)
        };
        let file = open().map_err(|source| write_error(&path, source))?;
        let written = Hashed { file, bytes: 0, hash: Fnv::new() };
        let mut table = Self { path, writer: writer(written), has_failed: false };
        let header = header::<R>();
        table.writer.write_record(header.trim_end().split(',')).map_err(|e| table.failed(e))?;
        table.flush()?;
        Ok(table)
    }

    /// A table that goes on after an end, with the rows up to `step`; what follows, later rows or half a row, is cut off.
    ///
    /// # Errors
    /// If what is there up to the end is not what was written.
    pub fn go_on(path: PathBuf, end: &End, step: u64) -> Result<Self, RecordError> {
        let opened =
            file_or_nothing(&path).and_then(|()| File::options().read(true).append(true).open(&path));
        let file = opened.map_err(|source| read_error(&path, source))?;
        let found = file.metadata().map_err(|source| read_error(&path, source))?.len();
        if found < end.bytes {
            return Err(RecordError::Missing { path, step, needed: end.bytes, found });
        }
        let hash = hash_of(&file, end.bytes).map_err(|source| read_error(&path, source))?;
        if hex(hash.value()) != end.checksum {
            return Err(RecordError::OtherRows { path, step, bytes: end.bytes });
        }
        file.set_len(end.bytes).map_err(|source| write_error(&path, source))?;
        Ok(Self { path, writer: writer(Hashed { file, bytes: end.bytes, hash }), has_failed: false })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &impl Serialize) -> Result<(), RecordError> {
        self.writer.serialize(row).map_err(|error| {
            self.has_failed = true;
            self.failed(error)
        })
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        self.writer.flush().map_err(|source| {
            self.has_failed = true;
            write_error(&self.path, source)
        })
    }

    fn failed(&self, error: csv::Error) -> RecordError {
        write_error(&self.path, plain(error))
    }

    /// Waits until all rows are on the disk; where they end.
    ///
    /// # Errors
    /// If they cannot be written, or what is at the table's path is not what was written.
    pub fn sync(&mut self) -> Result<End, RecordError> {
        self.flush()?;
        let written = self.writer.get_ref();
        written.file.sync_data().map_err(|source| write_error(&self.path, source))?;
        match written.astray(&self.path) {
            None => Ok(End { bytes: written.bytes, checksum: hex(written.hash.value()) }),
            Some(found) => Err(RecordError::Lost { path: self.path.clone(), found }),
        }
    }

    /// Where the table is, if every row so far has been written and is there.
    pub fn if_whole(&mut self) -> Option<PathBuf> {
        let is_written = !self.has_failed && self.flush().is_ok();
        (is_written && self.writer.get_ref().astray(&self.path).is_none()).then(|| self.path.clone())
    }
}

fn writer(file: Hashed) -> csv::Writer<Hashed> {
    csv::WriterBuilder::new().has_headers(false).buffer_capacity(BUFFER).from_writer(file)
}

/// The checksum of the first bytes of a file.
fn hash_of(file: &File, bytes: u64) -> io::Result<Fnv> {
    let mut hash = Fnv::new();
    let mut reader = BufReader::with_capacity(BUFFER, file.take(bytes));
    loop {
        let read = reader.fill_buf()?;
        if read.is_empty() {
            return Ok(hash);
        }
        hash.bytes(read);
        let n = read.len();
        reader.consume(n);
    }
}

/// The first line of a table: the names of the columns of its rows.
pub fn header<R: Serialize + Default>() -> String {
    let mut text = csv::Writer::from_writer(Vec::new());
    text.serialize(R::default()).expect("a row holds numbers and texts only");
    let text = text.into_inner().expect("memory does not fail");
    let text = String::from_utf8(text).expect("numbers and names are text");
    text.split_inclusive('\n').next().unwrap_or_default().to_owned()
}

/// What the system says, where that is what went wrong.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn write_error(path: &Path, source: io::Error) -> RecordError {
    RecordError::File { verb: WRITE, path: path.to_owned(), source }
}

fn read_error(path: &Path, source: io::Error) -> RecordError {
    RecordError::File { verb: "go on with", path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Serialize)]
    struct Row {
        step: u64,
        value: f64,
    }

    fn table(path: &Path, rows: &[u64]) -> End {
        let mut table = Table::create::<Row>(path.to_owned()).expect("a table");
        for &step in rows {
            table.write(&Row { step, value: 0.5 }).expect("a row");
        }
        table.sync().expect("the table is written")
    }

    #[test]
    fn an_empty_table_has_its_header() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        table(&path, &[]);
        assert_eq!(std::fs::read_to_string(&path).expect("the table"), "step,value\n");
    }

    #[test]
    fn later_rows_and_halves_of_rows_are_cut_off() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        let end = table(&path, &[1, 1, 2]);
        let whole = std::fs::read_to_string(&path).expect("the table");
        for more in ["", "3", "3,0.5\n", "3,0.5\n4,0", "12,0.5\n"] {
            std::fs::write(&path, format!("{whole}{more}")).expect("the table");
            let mut gone_on = Table::go_on(path.clone(), &end, 2).expect("the rows are those");
            gone_on.write(&Row { step: 3, value: 1.5 }).expect("a row");
            let after = gone_on.sync().expect("the table is written");
            let text = std::fs::read_to_string(&path).expect("the table");
            assert_eq!(text, format!("{whole}3,1.5\n"), "after {more:?}");
            // Its end is that of a table written without a pause.
            assert_eq!(
                after.checksum,
                hex(hash_of(&File::open(&path).expect("it"), after.bytes).expect("it").value())
            );
            Table::go_on(path.clone(), &after, 3).expect("the rows are those");
        }
    }

    #[test]
    fn rows_that_are_missing_or_others_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        let end = table(&path, &[1, 2]);
        let whole = std::fs::read_to_string(&path).expect("the table");
        for (other, is_short) in [
            (whole[..whole.len() - 1].to_owned(), true),
            (whole.replace("step", "Step"), false),
            (whole.replace("1,0.5", "1,0.6"), false),
            (whole.replace('\n', " "), false),
        ] {
            std::fs::write(&path, &other).expect("the table");
            let refused = Table::go_on(path.clone(), &end, 2);
            let as_expected = match refused {
                Err(RecordError::Missing { .. }) => is_short,
                Err(RecordError::OtherRows { .. }) => !is_short,
                _ => false,
            };
            assert!(as_expected, "{other:?}");
        }
        let none = Table::go_on(folder.path().join("none.csv"), &end, 2);
        assert!(matches!(none, Err(RecordError::File { .. })));
        assert!(matches!(Table::create::<Row>(folder.path().to_owned()), Err(RecordError::File { .. })));
    }

    /// What somebody else does to a table while it is written is found when it is synced.
    #[test]
    fn a_table_that_is_not_what_was_written_is_no_result() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        let append = |text: &str| {
            let mut file = File::options().append(true).open(&path).expect("the table");
            file.write_all(text.as_bytes()).expect("it is written");
        };
        let empty = || drop(File::create(&path).expect("the table"));
        let remove = || std::fs::remove_file(&path).expect("it is removed");
        let replace = || {
            remove();
            std::fs::write(&path, "step,value\n1,0.5\n2,0.5\n").expect("another file");
        };
        let cases: [(&dyn Fn(), &str); 4] = [
            (&|| append("x"), "it has 24 bytes, 23 were written"),
            (&empty, "it has 6 bytes, 23 were written"),
            (&remove, "it is not there any more"),
            (&replace, "another file is in its place"),
        ];
        for (what, expected) in cases {
            let mut table = Table::create::<Row>(path.clone()).expect("a table");
            table.write(&Row { step: 1, value: 0.5 }).expect("a row");
            table.sync().expect("the table is written");
            what();
            table.write(&Row { step: 2, value: 0.5 }).expect("a row");
            let lost = table.sync().expect_err("it is not what was written").to_string();
            assert!(
                lost.contains("table.csv' is not as it was written") && lost.contains(expected),
                "{lost}"
            );
            assert_eq!(table.if_whole(), None);
        }
        empty();
        let mut table = Table::create::<Row>(path.clone()).expect("a table");
        empty();
        table.write(&Row { step: 1, value: 0.5 }).expect("a row");
        table.sync().expect_err("it is not what was written");
        assert_eq!(std::fs::read_to_string(&path).expect("the table"), "1,0.5\n", "no zeros before the rows");
    }
}
