//! Results as tables of columns: one row for each run, and one for each sample of the series.

use super::record::{End, Given, Layout, Record};
use crate::tables::columns::{Column, Table};

/// One row for each run.
pub fn runs_table(layout: &Layout, records: &[Record]) -> Table {
    let mut columns = vec![Column::integers("run", "", whole(records, |record| record.run))];
    for (ix, path) in layout.given.iter().enumerate() {
        let given: Vec<&Given> = records.iter().map(|record| &record.given[ix]).collect();
        columns.push(column_of(&path.name, &path.unit, &given));
    }
    if layout.has_replicas {
        columns.push(Column::integers("replica", "", whole(records, |record| record.replica)));
    }
    let end = |record: &Record| match &record.end {
        End::Finished => "finished".to_owned(),
        End::Event(_) => "event".to_owned(),
        End::Failed(_) => "failed".to_owned(),
    };
    let reason = |record: &Record| match &record.end {
        End::Finished => None,
        End::Event(text) | End::Failed(text) => Some(text.clone()),
    };
    columns.push(Column::texts("end", records.iter().map(end)));
    columns.push(Column::texts("end_reason", records.iter().map(reason)));
    columns.push(Column::integers("steps", "", whole(records, |record| record.steps)));
    columns.push(Column::numbers("time", "s", records.iter().map(|record| record.time)));
    columns.push(Column::texts("state_hash", records.iter().map(|record| record.state_hash.clone())));
    columns.push(Column::integers("unsolved_steps", "", whole(records, |record| record.unsolved_steps)));
    columns.push(Column::integers("recoveries", "", whole(records, |record| record.recoveries)));
    columns.push(Column::numbers("deepest", "m", records.iter().map(|record| record.deepest)));
    if layout.expects {
        let unmet = records.iter().map(|record| record.unmet.map(|n| n as i64));
        columns.push(Column::integers("expectations_unmet", "", unmet));
    }
    for (ix, event) in layout.events.iter().enumerate() {
        columns.push(Column::numbers(event, "s", records.iter().map(|record| record.events[ix])));
    }
    for (ix, kept) in layout.kept.iter().enumerate() {
        columns.push(Column::numbers(&kept.name, &kept.unit, records.iter().map(|record| record.kept[ix])));
    }
    Table::new(columns)
}

/// Names that a column of a run has whatever is kept.
pub(super) const TAKEN: [&str; 11] = [
    "run",
    "replica",
    "end",
    "end_reason",
    "steps",
    "time",
    "state_hash",
    "unsolved_steps",
    "recoveries",
    "deepest",
    "expectations_unmet",
];

/// One row for each sample of each run; none if no series is kept.
pub fn series_table(layout: &Layout, records: &[Record]) -> Option<Table> {
    if layout.series.is_empty() {
        return None;
    }
    let runs = records.iter().flat_map(|record| record.series.time.iter().map(|_| record.run as i64));
    let times = records.iter().flat_map(|record| record.series.time.iter().copied());
    let mut columns = vec![Column::integers("run", "", runs), Column::numbers("time", "s", times)];
    for (ix, series) in layout.series.iter().enumerate() {
        let values = records.iter().flat_map(|record| record.series.values[ix].iter().copied());
        columns.push(Column::numbers(&series.name, &series.unit, values));
    }
    Some(Table::new(columns))
}

fn whole<'a>(records: &'a [Record], of: impl Fn(&Record) -> u64 + 'a) -> impl Iterator<Item = i64> + 'a {
    records.iter().map(move |record| of(record) as i64)
}

/// A column of the type that all values have.
fn column_of(path: &str, unit: &str, given: &[&Given]) -> Column {
    let flag = |given: &&Given| if let Given::Flag(value) = given { Some(*value) } else { None };
    let integer = |given: &&Given| if let Given::Whole(value) = given { Some(*value) } else { None };
    let number = |given: &&Given| match given {
        Given::Number(value) => Some(*value),
        Given::Whole(value) => Some(*value as f64),
        Given::Flag(_) | Given::Text(_) => None,
    };
    let text = |given: &&Given| match given {
        Given::Whole(value) => value.to_string(),
        Given::Number(value) => value.to_string(),
        Given::Flag(value) => value.to_string(),
        Given::Text(text) => text.clone(),
    };
    if let Some(values) = given.iter().map(integer).collect::<Option<Vec<_>>>() {
        Column::integers(path, unit, values)
    } else if let Some(values) = given.iter().map(number).collect::<Option<Vec<_>>>() {
        Column::numbers(path, unit, values)
    } else if let Some(values) = given.iter().map(flag).collect::<Option<Vec<_>>>() {
        Column::flags(path, values)
    } else {
        Column::texts(path, given.iter().map(text))
    }
}
