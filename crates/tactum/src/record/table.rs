//! One table on the disk: rows of comma-separated values that a run can go on with.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::RecordError;

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<File>,
}

/// Bytes that are gathered before they are written.
const BUFFER: usize = 1 << 16;

impl Table {
    /// A table with nothing but its header, in place of one that may be there.
    pub fn create<R: Serialize + Default>(path: PathBuf) -> Result<Self, RecordError> {
        let file = File::create(&path).map_err(|source| write_error(&path, source))?;
        let mut table = Self { path, writer: writer(file) };
        let header = header(&R::default());
        table.writer.write_record(&header).map_err(|source| write_error(&table.path, plain(source)))?;
        table.flush()?;
        Ok(table)
    }

    /// A table that goes on after its first `bytes` bytes, which hold the rows up to `step`; what follows, later rows or
    /// half a row, is cut off.
    ///
    /// # Errors
    /// If rows up to there are missing, or the rows do not end there.
    pub fn go_on(path: PathBuf, bytes: u64, step: u64) -> Result<Self, RecordError> {
        let opened = File::options().read(true).write(true).open(&path);
        let mut file = opened.map_err(|source| read_error(&path, source))?;
        let found = file.metadata().map_err(|source| read_error(&path, source))?.len();
        if found < bytes {
            return Err(RecordError::Missing { path, step, needed: bytes, found });
        }
        if !rows_end_at(&mut file, bytes, step).map_err(|source| read_error(&path, source))? {
            return Err(RecordError::OtherRows { path, step, bytes });
        }
        let cut = file.set_len(bytes).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|source| write_error(&path, source))?;
        Ok(Self { path, writer: writer(file) })
    }

    /// Adds a row.
    pub fn write(&mut self, row: &impl Serialize) -> Result<(), RecordError> {
        self.writer.serialize(row).map_err(|source| write_error(&self.path, plain(source)))
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        self.writer.flush().map_err(|source| write_error(&self.path, source))
    }

    /// Waits until all rows are on the disk; the number of bytes that they take.
    pub fn sync(&mut self) -> Result<u64, RecordError> {
        self.flush()?;
        let mut file = self.writer.get_ref();
        file.sync_data()
            .and_then(|()| file.stream_position())
            .map_err(|source| write_error(&self.path, source))
    }

    /// Where the table is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn writer(file: File) -> csv::Writer<File> {
    csv::WriterBuilder::new().has_headers(false).buffer_capacity(BUFFER).from_writer(file)
}

/// Names of the columns of a row.
fn header(row: &impl Serialize) -> csv::StringRecord {
    let mut text = csv::Writer::from_writer(Vec::new());
    text.serialize(row).expect("a row holds numbers and texts only");
    let text = text.into_inner().expect("memory does not fail");
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_slice());
    reader.into_records().next().and_then(Result::ok).expect("the first line is the header")
}

/// Whether the first `bytes` bytes of a table end with a row of `step` or before, and none of those follows.
fn rows_end_at(file: &mut File, bytes: u64, step: u64) -> io::Result<bool> {
    /// Longer than two rows \[bytes\].
    const ROWS: u64 = 1 << 16;
    let begin = bytes.saturating_sub(ROWS);
    file.seek(SeekFrom::Start(begin))?;
    let mut before = Vec::new();
    file.take(bytes - begin).read_to_end(&mut before)?;
    let Some(last) = before.strip_suffix(b"\n") else { return Ok(false) };
    let last = last.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut after = Vec::new();
    BufReader::new(file.take(ROWS)).read_until(b'\n', &mut after)?;
    // A row that was not finished may be any.
    let follows = after.ends_with(b"\n").then(|| step_of(&after)).flatten();
    Ok(step_of(last).is_none_or(|last| last <= step) && follows.is_none_or(|next| next > step))
}

/// The step of a row, which is its first column; none for the header.
fn step_of(row: &[u8]) -> Option<u64> {
    std::str::from_utf8(row.split(|&byte| byte == b',').next()?).ok()?.parse().ok()
}

/// What the system says, where that is what went wrong.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn write_error(path: &Path, source: io::Error) -> RecordError {
    RecordError::File { verb: "write", path: path.to_owned(), source }
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

    fn table(path: &Path, rows: &[u64]) -> u64 {
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
        let kept = table(&path, &[1, 1, 2]);
        let whole = std::fs::read_to_string(&path).expect("the table");
        for more in ["", "3", "3,0.5\n", "3,0.5\n4,0", "12,0.5\n"] {
            std::fs::write(&path, format!("{whole}{more}")).expect("the table");
            let mut gone_on = Table::go_on(path.clone(), kept, 2).expect("the rows end there");
            gone_on.write(&Row { step: 3, value: 1.5 }).expect("a row");
            gone_on.sync().expect("the table is written");
            let text = std::fs::read_to_string(&path).expect("the table");
            assert_eq!(text, format!("{whole}3,1.5\n"), "after {more:?}");
        }
    }

    #[test]
    fn rows_that_are_missing_or_others_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.csv");
        let kept = table(&path, &[1, 2]);
        assert!(matches!(Table::go_on(path.clone(), kept + 1, 2), Err(RecordError::Missing { .. })));
        // The rows up to step 1 end earlier, those up to 3 later, and no row ends in the middle of one.
        table(&path, &[1, 2, 3]);
        for (bytes, step) in [(kept, 1), (kept, 3), (kept - 2, 2)] {
            assert!(matches!(Table::go_on(path.clone(), bytes, step), Err(RecordError::OtherRows { .. })));
        }
        assert!(matches!(Table::go_on(folder.path().join("none.csv"), 0, 2), Err(RecordError::File { .. })));
    }
}
