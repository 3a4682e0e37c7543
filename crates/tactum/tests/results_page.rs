//! What docs/results.md says of the tables is what the tables are.

use tactum::tables::{TABLE_FILES, header_of};

const PAGE: &str = include_str!("../../../docs/results.md");

/// The lines of the page about a table: those that begin with a bar, from its heading on.
fn lines_about(file: &str) -> Vec<&'static str> {
    let heading = format!("| `{file}` |");
    let from = PAGE.find(&heading).unwrap_or_else(|| panic!("no table of {file}"));
    PAGE[from..].lines().take_while(|line| line.starts_with('|')).skip(2).collect()
}

/// The names in backticks in the first cell of a line.
fn names(line: &str) -> Vec<&str> {
    let cell = line.split('|').nth(1).unwrap_or_default();
    cell.split('`').skip(1).step_by(2).collect()
}

/// Every column has its place, in the order of the table, with its unit; and nothing else is there.
#[test]
fn every_column_of_every_table_is_explained_with_its_unit() {
    for file in TABLE_FILES {
        let header = header_of(file);
        let columns =
            header.trim_end().split(',').map(|column| column.split_once(" [").unwrap_or((column, "")));
        let columns: Vec<(&str, &str)> = columns.collect();
        assert_eq!(columns[..2], [("step", ""), ("time", "s]")], "{file}");
        let lines = lines_about(file);
        let explained: Vec<&str> = lines.iter().flat_map(|line| names(line)).collect();
        let expected: Vec<&str> = columns[2..].iter().map(|(name, _)| *name).collect();
        assert_eq!(explained, expected, "{file}");
        for (column, unit) in &columns[2..] {
            let line = lines.iter().find(|line| names(line).contains(column)).expect("it is explained");
            let unit = unit.trim_end_matches(']');
            assert!(
                unit.is_empty() || unit.split(" or ").all(|unit| line.contains(&format!("\\[{unit}\\]"))),
                "{file}: {column} is in {unit}: {line}"
            );
        }
    }
}
