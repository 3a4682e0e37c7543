//! Tables of columns on a page: as rows, and one column over another.

use tactum_geometry::words;

use super::Part;
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};
use crate::tables::columns::{Column, Table, Values};

impl Part {
    /// The first rows of a table, `most` of them, below the names of its columns and their units; numbers in up to nine digits.
    pub fn rows_of(table: &Table, most: usize) -> Self {
        let columns = table.columns();
        let row = |ix: usize| columns.iter().map(|column| cell(column, ix)).collect();
        Self::Table {
            columns: columns.iter().map(heading).collect(),
            rows: (0..table.n_rows().min(most)).map(row).collect(),
        }
    }
}

impl Plot {
    /// Columns of a table of numbers over another one, each row a dot; rows without a number are left out. `None` if one of the columns
    /// is not there or holds no numbers.
    pub fn of_columns(table: &Table, title: &str, x: &str, ys: &[&str]) -> Option<Self> {
        let find = |name: &str| table.columns().iter().find(|column| column.name == name);
        let along = find(x)?;
        let xs = numbers(along)?;
        let columns: Vec<&Column> = ys.iter().map(|name| find(name)).collect::<Option<_>>()?;
        let line = |(column, colour): (&&Column, &'static str)| {
            let points = xs.iter().zip(numbers(column)?).filter_map(|(x, y)| Some([(*x)?, y?]));
            let (name, points) = (column.name.clone(), points.collect());
            Some(Line { name, colour, mark: Mark::Dots, points, aside: 0.0 })
        };
        let lines = columns.iter().zip(COLOURS.into_iter().cycle()).map(line).collect::<Option<_>>()?;
        let up = columns.first().map_or(String::new(), |column| heading(column));
        let (title, scales) = (title.to_owned(), [Scale::Linear; 2]);
        Some(Self { title, labels: [heading(along), up], scales, legend: Legend::Right, lines })
    }
}

/// The name of a column with its unit.
fn heading(column: &Column) -> String {
    if column.unit.is_empty() { column.name.clone() } else { format!("{} [{}]", column.name, column.unit) }
}

fn cell(column: &Column, row: usize) -> String {
    let text = match &column.values {
        Values::F64(values) => values[row].map(words::number),
        Values::I64(values) => values[row].map(|n| n.to_string()),
        Values::Text(values) => values[row].clone(),
        Values::Bool(values) => values[row].map(|is| if is { "yes" } else { "no" }.to_owned()),
    };
    text.unwrap_or_default()
}

fn numbers(column: &Column) -> Option<Vec<Option<f64>>> {
    match &column.values {
        Values::F64(values) => Some(values.clone()),
        Values::I64(values) => Some(values.iter().map(|n| n.map(|n| n as f64)).collect()),
        Values::Text(_) | Values::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn table() -> Table {
        Table::new(vec![
            Column::integers("run", "", [0_i64, 1, 2]),
            Column::numbers("friction", "", [0.1, 0.2, 0.3]),
            Column::numbers("travel", "m", [Some(1.5), None, Some(0.5)]),
            Column::texts("error", [None, Some("<it flew>".to_owned()), None]),
        ])
    }

    #[test]
    fn a_table_stands_on_a_page_with_its_units() {
        let html = Page { title: String::new(), parts: vec![Part::rows_of(&table(), 2)] }.to_html();
        assert!(html.contains("<th class=\"n\">travel [m]</th><th>error</th>"), "{html}");
        assert!(html.contains("<tr><td class=\"n\">1</td><td class=\"n\">0.2</td><td class=\"n\"></td><td>&lt;it flew&gt;</td></tr>"));
        assert_eq!(html.matches("<tr>").count(), 3);
    }

    #[test]
    fn one_column_over_another_has_a_dot_for_each_row_with_both() {
        let plot = Plot::of_columns(&table(), "Travel", "friction", &["travel"]).expect("numbers");
        assert_eq!(plot.lines[0].points, [[0.1, 1.5], [0.3, 0.5]]);
        let svg = plot.svg();
        assert!(svg.matches("<circle").count() == 2 && svg.contains(">travel [m]</text>"), "{svg}");
        for (x, y) in [("friction", "error"), ("error", "travel"), ("friction", "none")] {
            assert!(Plot::of_columns(&table(), "", x, &[y]).is_none());
        }
    }
}
