//! What was given to the runs of a batch and what came out, as rows of numbers.

use std::collections::BTreeSet;

use tactum_geometry::words;

use crate::batch::record::{Given, GivenPath, Layout, Record};

/// The values of a path over the runs.
pub struct Input<'r> {
    /// The path.
    pub name: &'r str,
    /// Unit of its values, empty for none.
    pub unit: &'r str,
    /// Whether its values are spread by ratios.
    pub by_ratios: bool,
    /// As texts.
    pub texts: Vec<String>,
    /// As numbers; none if any of them is not one.
    pub numbers: Option<Vec<f64>>,
    /// Number of different values.
    pub n_different: usize,
}

/// A number that came out of the runs; none of a run that has not got it.
pub struct Output<'r> {
    /// Name of its column.
    pub name: &'r str,
    /// Its unit, empty for none.
    pub unit: &'r str,
    /// Its values.
    pub values: Vec<Option<f64>>,
}

impl Input<'_> {
    /// The path with the unit of its values.
    pub fn heading(&self) -> String {
        with_unit(self.name, self.unit)
    }
}

impl Output<'_> {
    /// The name with the unit.
    pub fn heading(&self) -> String {
        with_unit(self.name, self.unit)
    }
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// The paths that take more than one value; seeds of repetitions are left out.
pub fn inputs<'r>(layout: &'r Layout, records: &[Record]) -> Vec<Input<'r>> {
    let n = layout.given.len() - layout.n_seeds;
    let input = |(ix, path): (usize, &'r GivenPath)| {
        let GivenPath { name, unit, by_ratios } = path;
        let given = || records.iter().map(move |record| &record.given[ix]);
        let texts: Vec<String> = given().map(text).collect();
        let n_different = texts.iter().collect::<BTreeSet<_>>().len();
        let numbers = given().map(number).collect();
        Input { name, unit, by_ratios: *by_ratios, texts, numbers, n_different }
    };
    layout.given[..n].iter().enumerate().map(input).filter(|input| input.n_different > 1).collect()
}

/// The kept numbers, and the times of events.
pub fn outputs<'r>(layout: &'r Layout, records: &[Record]) -> Vec<Output<'r>> {
    let kept = layout.kept.iter().enumerate().map(|(ix, kept)| Output {
        name: &kept.name,
        unit: &kept.unit,
        values: records.iter().map(|record| record.kept[ix]).collect(),
    });
    let events = layout.events.iter().enumerate().map(|(ix, name)| Output {
        name,
        unit: "s",
        values: records.iter().map(|record| record.events[ix]).collect(),
    });
    kept.chain(events).collect()
}

/// A value as it is shown.
pub fn text(given: &Given) -> String {
    match given {
        Given::Whole(value) => value.to_string(),
        Given::Number(value) => words::number(*value),
        Given::Flag(is) => if *is { "yes" } else { "no" }.to_owned(),
        Given::Text(text) => text.clone(),
    }
}

fn number(given: &Given) -> Option<f64> {
    match given {
        Given::Whole(value) => Some(*value as f64),
        Given::Number(value) => Some(*value),
        Given::Flag(_) | Given::Text(_) => None,
    }
}

/// Mean and spread of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// How many.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, of the whole they are drawn from (divided by n - 1); zero for a single one.
    pub deviation: f64,
}

impl Statistics {
    /// Of some numbers; none of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self { n, mean, deviation: (squares / (n.max(2) - 1) as f64).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_those_of_the_sample() {
        // Squares of the distances from 4 sum up to 10.
        let of = Statistics::of(&[2.0, 3.0, 5.0, 6.0]).expect("numbers");
        assert_eq!((of.n, of.mean), (4, 4.0));
        assert!((of.deviation - (10.0_f64 / 3.0).sqrt()).abs() < 1e-15, "{of:?}");
        assert_eq!(Statistics::of(&[7.0]), Some(Statistics { n: 1, mean: 7.0, deviation: 0.0 }));
        assert_eq!(Statistics::of(&[]), None);
    }
}
