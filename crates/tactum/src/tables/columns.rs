//! Tables held as columns with units, for those that are read as a whole: as comma-separated values, or as Parquet, which pandas,
//! polars and pyarrow open without being told what is in it.
//!
//! The same table gives the same bytes in every run: nothing of the clock, the machine or the order of a hash goes into a file.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde::Serialize;

/// What the unit of a column is called in the metadata of its Parquet field.
pub const UNIT: &str = "unit";

/// Who writes Parquet files, as they say themselves.
const CREATED_BY: &str = concat!("tactum version ", env!("CARGO_PKG_VERSION"));

/// Rows of a row group, the unit in which readers of Parquet skip: some megabytes of a table with ten columns. It is stated here, so
/// that a newer library does not change the bytes of a file.
const GROUP: usize = 1 << 17;

/// The values of a column; none where a row has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers.
    F64(Vec<Option<f64>>),
    /// Whole numbers.
    I64(Vec<Option<i64>>),
    /// Texts.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Bool(Vec<Option<bool>>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Bool(values) => values.len(),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::F64(_) => DataType::Float64,
            Self::I64(_) => DataType::Int64,
            Self::Text(_) => DataType::Utf8,
            Self::Bool(_) => DataType::Boolean,
        }
    }

    fn array(&self) -> ArrayRef {
        match self {
            Self::F64(values) => Arc::new(Float64Array::from_iter(values.iter().copied())),
            Self::I64(values) => Arc::new(Int64Array::from_iter(values.iter().copied())),
            Self::Text(values) => Arc::new(StringArray::from_iter(values.iter().map(Option::as_deref))),
            Self::Bool(values) => Arc::new(BooleanArray::from_iter(values.iter().copied())),
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::F64(values) => values[row].map_or(Cell::Nothing, Cell::F64),
            Self::I64(values) => values[row].map_or(Cell::Nothing, Cell::I64),
            Self::Text(values) => values[row].as_deref().map_or(Cell::Nothing, Cell::Text),
            Self::Bool(values) => values[row].map_or(Cell::Nothing, Cell::Bool),
        }
    }
}

/// A value in a row of comma-separated values, written as those of all other tables are.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    F64(f64),
    I64(i64),
    Text(&'a str),
    Bool(bool),
    Nothing,
}

/// A column: its name, the unit of its values as it is written in brackets ("m/s"; empty if they have none), and the values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, one of its own in a table.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// One value for each row.
    pub values: Values,
}

impl Column {
    /// A column of numbers, or of numbers that may be missing.
    pub fn numbers(
        name: impl Into<String>,
        unit: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<Option<f64>>>,
    ) -> Self {
        Self::of(name, unit, Values::F64(values.into_iter().map(Into::into).collect()))
    }

    /// A column of whole numbers, or of such that may be missing.
    pub fn integers(
        name: impl Into<String>,
        unit: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<Option<i64>>>,
    ) -> Self {
        Self::of(name, unit, Values::I64(values.into_iter().map(Into::into).collect()))
    }

    /// A column of texts, or of texts that may be missing.
    pub fn texts(
        name: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<Option<String>>>,
    ) -> Self {
        Self::of(name, "", Values::Text(values.into_iter().map(Into::into).collect()))
    }

    /// A column of truths, or of truths that may be missing.
    pub fn flags(name: impl Into<String>, values: impl IntoIterator<Item = impl Into<Option<bool>>>) -> Self {
        Self::of(name, "", Values::Bool(values.into_iter().map(Into::into).collect()))
    }

    fn of(name: impl Into<String>, unit: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), unit: unit.into(), values }
    }
}

/// A table of columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// A table of columns.
    ///
    /// # Panics
    /// If the columns are not of one length, or two have one name: they are made by the program, not by its users.
    pub fn new(columns: Vec<Column>) -> Self {
        for (ix, column) in columns.iter().enumerate() {
            let (n, first) = (column.values.len(), columns[0].values.len());
            assert_eq!(n, first, "length of the column '{}' beside '{}'", column.name, columns[0].name);
            assert!(
                columns[..ix].iter().all(|other| other.name != column.name),
                "two columns '{}'",
                column.name
            );
        }
        Self { columns }
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Writes comma-separated values: a line of names, and one for each row. What has no value is left empty; units are not said, as in
    /// the tables of a run.
    ///
    /// # Errors
    /// What the system says.
    pub fn write_csv(&self, to: impl Write) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(to);
        writer.write_record(self.columns.iter().map(|column| &column.name))?;
        for row in 0..self.n_rows() {
            let cells: Vec<Cell<'_>> = self.columns.iter().map(|column| column.values.cell(row)).collect();
            writer.serialize(cells)?;
        }
        writer.flush()
    }

    /// Writes Parquet. Each field has its unit under [`UNIT`] in its metadata; `notes`, such as the version of the program, stand in that
    /// of the file, by name.
    ///
    /// # Errors
    /// What the system says.
    pub fn write_parquet(&self, to: impl Write + Send, notes: &[(&str, &str)]) -> io::Result<()> {
        let mut file = ParquetFile::begin(to, self, notes)?;
        file.append(self)?;
        file.finish()
    }

    fn batch(&self) -> RecordBatch {
        let arrays = self.columns.iter().map(|column| column.values.array()).collect();
        RecordBatch::try_new(self.schema(), arrays)
            .expect("columns are of one length and of their fields' types")
    }

    fn schema(&self) -> Arc<Schema> {
        let field = |column: &Column| {
            let field = Field::new(&column.name, column.values.data_type(), true);
            if column.unit.is_empty() {
                return field;
            }
            field.with_metadata([(UNIT.to_owned(), column.unit.clone())])
        };
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }
}

/// A Parquet file that is written part by part, of a table too long to be held. The bytes do not depend on the parts.
pub struct ParquetFile<W: Write + Send> {
    writer: ArrowWriter<W>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// A file with the columns of a table, whose rows are not written yet; see [`Table::write_parquet`].
    ///
    /// # Errors
    /// What the system says.
    pub fn begin(to: W, form: &Table, notes: &[(&str, &str)]) -> io::Result<Self> {
        Ok(Self { writer: ArrowWriter::try_new(to, form.schema(), Some(properties(notes)))? })
    }

    /// Adds the rows of a table with the same columns.
    ///
    /// # Errors
    /// What the system says, or that the columns are others.
    pub fn append(&mut self, rows: &Table) -> io::Result<()> {
        Ok(self.writer.write(&rows.batch())?)
    }

    /// Writes what ends a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> io::Result<()> {
        // What is buffered would be lost without a word.
        self.writer.into_inner()?.flush()
    }
}

fn properties(notes: &[(&str, &str)]) -> WriterProperties {
    let notes = notes.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
    WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        .set_key_value_metadata(Some(notes.collect()))
        .build()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    fn table() -> Table {
        Table::new(vec![
            Column::integers("run", "", [0_i64, 1]),
            Column::texts("error", [None, Some("a \"quoted\", long one".to_owned())]),
            Column::numbers("travel", "m", [Some(0.1), None]),
            Column::flags("at_rest", [true, false]),
        ])
    }

    fn written(table: &Table, notes: &[(&str, &str)]) -> ParquetRecordBatchReaderBuilder<File> {
        let file = tempfile::tempfile().expect("a temporary file");
        table.write_parquet(&file, notes).expect("the file is written");
        ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet")
    }

    #[test]
    fn comma_separated_values_are_as_those_of_a_run() {
        let mut text = Vec::new();
        table().write_csv(&mut text).expect("memory does not fail");
        let text = String::from_utf8(text).expect("it is text");
        assert_eq!(text, "run,error,travel,at_rest\n0,,0.1,true\n1,\"a \"\"quoted\"\", long one\",,false\n");
    }

    /// Read again by the library's own reader: values, missing ones, names, types and units.
    #[test]
    fn parquet_is_read_as_it_was_written() {
        let reader = written(&table(), &[("tactum", "0.1.0")]);
        let notes = reader.metadata().file_metadata().key_value_metadata().expect("notes");
        assert!(notes.iter().any(|note| note.key == "tactum" && note.value.as_deref() == Some("0.1.0")));
        let units: Vec<_> =
            reader.schema().fields().iter().map(|field| field.metadata().get(UNIT).cloned()).collect();
        assert_eq!(units, [None, None, Some("m".to_owned()), None]);
        let batches: Vec<RecordBatch> =
            reader.build().expect("a reader").collect::<Result<_, _>>().expect("rows");
        let batch = &batches[0];
        assert_eq!((batches.len(), batch.num_rows()), (1, 2));
        assert_eq!(batch.column(0).as_primitive::<Int64Type>().values(), &[0, 1]);
        let errors: Vec<_> = batch.column(1).as_string::<i32>().iter().collect();
        assert_eq!(errors, [None, Some("a \"quoted\", long one")]);
        let travels: Vec<_> = batch.column(2).as_primitive::<Float64Type>().iter().collect();
        assert_eq!(travels, [Some(0.1), None]);
        let flags: Vec<_> = batch.column(3).as_boolean().iter().collect();
        assert_eq!(flags, [Some(true), Some(false)]);
    }

    #[test]
    fn the_same_table_gives_the_same_bytes_and_an_empty_one_has_its_columns() {
        let bytes = |table: &Table| {
            let mut bytes = Vec::new();
            table.write_parquet(&mut bytes, &[("a", "1"), ("b", "2")]).expect("memory does not fail");
            bytes
        };
        assert_eq!(bytes(&table()), bytes(&table()));
        let empty = Table::new(vec![Column::numbers("x", "m", [0.0; 0])]);
        let reader = written(&empty, &[]);
        assert_eq!(reader.schema().field(0).name(), "x");
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }

    #[test]
    #[should_panic(expected = "length of the column 'b' beside 'a'")]
    fn columns_of_two_lengths_are_no_table() {
        Table::new(vec![Column::numbers("a", "", [1.0]), Column::numbers("b", "", [1.0, 2.0])]);
    }
}
