//! What the sensors of a run measured, over time.

use serde::Deserialize;

use super::{Part, WIDTH};
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};
use crate::recorded::{Recorded, RecordedError};
use crate::tables::SENSORS;

/// Plots on the page at most; what others would show is in the table.
const PLOTS: usize = 60;

#[derive(Deserialize)]
struct Row<'a> {
    time: f64,
    sensor: &'a str,
    quantity: &'a str,
    value: f64,
    unit: &'a str,
}

/// Quantities of one sensor that have one unit, which share a plot.
struct Chart {
    sensor: String,
    unit: String,
    lines: Vec<Line>,
}

/// Plots of a run's `sensors.csv` below a heading; nothing where the scene has no sensors or the run did not write the table.
///
/// # Errors
/// If the table cannot be read.
pub fn plots(run: &Recorded) -> Result<Vec<Part>, RecordedError> {
    let charts = read(run)?;
    if charts.is_empty() {
        return Ok(Vec::new());
    }
    let n_more = charts.len().saturating_sub(PLOTS);
    let mut parts = vec![Part::Heading("Sensors".to_owned())];
    parts.extend(charts.into_iter().take(PLOTS).map(Chart::draw));
    if n_more > 0 {
        parts.push(Part::Text(format!("{n_more} more plots would be of what {SENSORS} holds besides.")));
    }
    Ok(parts)
}

fn read(run: &Recorded) -> Result<Vec<Chart>, RecordedError> {
    let mut charts: Vec<Chart> = Vec::new();
    let Some(mut rows) = run.rows(SENSORS)? else { return Ok(charts) };
    // Rows of a step follow each other in the order of those of the step before, so that the next one's place is mostly known.
    let mut at = 0;
    while rows.advance()? {
        let row: Row<'_> = rows.get()?;
        let is_of = |chart: &Chart| chart.sensor == row.sensor && chart.unit == row.unit;
        let n = charts.len();
        let found = (0..n).map(|step| (at + step) % n).find(|&ix| is_of(&charts[ix]));
        at = found.unwrap_or_else(|| {
            let [sensor, unit] = [row.sensor, row.unit].map(str::to_owned);
            charts.push(Chart { sensor, unit, lines: Vec::new() });
            n
        });
        charts[at].add(row.quantity, [row.time, row.value]);
    }
    Ok(charts)
}

impl Chart {
    fn add(&mut self, quantity: &str, point: [f64; 2]) {
        match self.lines.iter_mut().find(|line| line.name == quantity) {
            Some(line) => line.points.push(point),
            None => {
                let colour = COLOURS[self.lines.len() % COLOURS.len()];
                let (name, points) = (quantity.to_owned(), vec![point]);
                self.lines.push(Line { name, colour, mark: Mark::Joined, points, aside: 0.0 });
            }
        }
    }

    fn draw(self) -> Part {
        let names: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        let names = names.join(", ");
        let up = if self.unit.is_empty() { names.clone() } else { format!("{names} [{}]", self.unit) };
        Part::Plot(Box::new(Plot {
            title: self.sensor,
            labels: ["time [s]".to_owned(), up],
            scales: [Scale::Linear; 2],
            legend: Legend::Right,
            lines: self.lines.into_iter().map(|line| line.thinned(WIDTH)).collect(),
        }))
    }
}
