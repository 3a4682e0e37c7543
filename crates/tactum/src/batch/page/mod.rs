//! The page of a batch: what came of it, plots and tables of its results, and how to do it again.
//!
//! It is made from the card and the records alone, so that it is the same whatever the pauses, the threads and the shards.

mod columns;
mod plots;

use std::collections::BTreeMap;

use tactum_geometry::words::{self, counted};

use super::card::Card;
use super::plan::Shard;
use super::record::{End, Record};
use super::sources::Source;
use super::tables::runs_table;
use crate::backend::{Backend, DEFAULT_RAYS};
use crate::page::{Page, Part, WIDTH, figures, quoted};
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};
use crate::tables::columns::Table;

use columns::{Input, Output, Statistics, inputs, outputs};
use plots::plot;

/// Plots on the page; of more, the first ones.
const PLOTS: usize = 30;

/// Rows of the table of runs on the page.
const LISTED: usize = 100;

/// Failures that are listed, and different values of a path that have a row.
const FEW: usize = 40;

/// Runs whose series are drawn.
const DRAWN: u64 = 8;

/// The page of a batch of which all runs have ended.
pub fn of_batch(card: &Card, records: &[Record]) -> Page {
    let (inputs, outputs) = (inputs(&card.layout, records), outputs(&card.layout, records));
    let mut parts = vec![verdict(records), Part::Facts(facts(card, records))];
    again(card, &mut parts);
    failures(card, records, &mut parts);
    doubts(records, &outputs, &mut parts);
    draw(&inputs, &outputs, &mut parts);
    draw_series(card, records, &mut parts);
    if !outputs.is_empty() {
        parts.push(Part::Heading("Results".to_owned()));
        parts.push(statistics(&outputs, records));
    }
    by_value(&inputs, &outputs, &mut parts);
    parts.push(Part::Heading("Runs".to_owned()));
    parts.push(Part::rows_of(&shown(card, records), LISTED));
    if records.len() > LISTED {
        parts.push(Part::Text(format!("{} more in runs.parquet.", records.len() - LISTED)));
    }
    texts(card, &mut parts);
    let title = format!("{}: {}", card.sweep, counted(records.len() as u64, "run", "runs"));
    Page { title, parts }
}

/// The first runs, without what is of use to programs alone.
fn shown(card: &Card, records: &[Record]) -> Table {
    let table = runs_table(&card.layout, &records[..records.len().min(LISTED)]);
    let of_programs = ["end_reason", "steps", "state_hash", "unsolved_steps", "recoveries"];
    let is_shown = |name: &str| !of_programs.contains(&name);
    let columns = table.columns().iter().filter(|column| is_shown(&column.name));
    Table::new(columns.cloned().collect())
}

fn verdict(records: &[Record]) -> Part {
    let n_failed = records.iter().filter(|record| record.has_failed()).count() as u64;
    let unmet = records.iter().filter(|record| record.unmet.is_some_and(|n| n > 0)).count() as u64;
    let failed =
        (n_failed > 0).then(|| format!("{} of {} failed.", counted(n_failed, "run", "runs"), records.len()));
    let unmet =
        (unmet > 0).then(|| format!("Expectations were not met in {}.", counted(unmet, "run", "runs")));
    let said: Vec<String> = failed.into_iter().chain(unmet).collect();
    match said.is_empty() {
        true => Part::Verdict { is_good: true, text: "All runs have come to their end.".to_owned() },
        false => Part::Verdict { is_good: false, text: said.join(" ") },
    }
}

fn facts(card: &Card, records: &[Record]) -> Vec<(String, String)> {
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for record in records {
        let end = match &record.end {
            End::Finished => "ended with their time".to_owned(),
            End::Event(name) => format!("ended with '{name}'"),
            End::Failed(_) => "failed".to_owned(),
        };
        *ends.entry(end).or_default() += 1;
    }
    let ends: Vec<String> = ends.into_iter().map(|(end, n)| format!("{n} {end}")).collect();
    let (steps, time) =
        records.iter().fold((0, 0.0), |(steps, time), record| (steps + record.steps, time + record.time));
    let deepest = records.iter().max_by(|a, b| a.deepest.total_cmp(&b.deepest));
    let deepest = deepest
        .map_or_else(String::new, |record| format!("{} m, in run {}", figures(record.deepest), record.run));
    let mut facts = vec![
        ("runs", format!("{}: {}", records.len(), ends.join(", "))),
        ("simulated", format!("{steps} steps, {} s, all runs together", figures(time))),
        ("deepest overlap", deepest),
        ("back end", card.backend.clone()),
        ("version", format!("Tactum {}", card.version())),
        ("fingerprint of the sweep", card.fingerprint.clone()),
    ];
    if card.shard != Shard::WHOLE {
        facts.insert(1, ("shard", format!("{}, of {} runs in all", card.shard, card.n_runs)));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// How the batch is repeated.
fn again(card: &Card, parts: &mut Vec<Part>) {
    let origin = &card.origin;
    let mut command = format!(
        "tactum batch {} --out {}",
        quoted(&origin.sweep_file),
        quoted(&format!("{}-again", card.sweep))
    );
    if origin.backend != Backend::Exact.name() {
        command += &format!(" --backend {}", origin.backend);
        if origin.rays != DEFAULT_RAYS {
            command += &format!(" --rays {}", origin.rays);
        }
        origin.adapter.iter().for_each(|name| command += &format!(" --adapter {}", quoted(name)));
    }
    if card.shard != Shard::WHOLE {
        command += &format!(" --shard {}", card.shard);
    }
    parts.push(Part::Heading("To do it again".to_owned()));
    parts.push(Part::Code(command));
    let text = "In the folder of the sweep file. Sweep and scene stand at the end of this page as they were.";
    parts.push(Part::Text(text.to_owned()));
}

fn failures(card: &Card, records: &[Record], parts: &mut Vec<Part>) {
    let why = |record: &Record| match &record.end {
        End::Failed(why) => Some(why.lines().next().unwrap_or_default().to_owned()),
        End::Finished | End::Event(_) => None,
    };
    let failed: Vec<(&Record, String)> =
        records.iter().filter_map(|record| Some((record, why(record)?))).collect();
    if failed.is_empty() {
        return;
    }
    let n = card.layout.given.len() - card.layout.n_seeds;
    let mut columns = vec!["run"];
    columns.extend(card.layout.given[..n].iter().map(|path| path.name.as_str()));
    columns.extend(["steps", "why"]);
    let row = |(record, why): &(&Record, String)| {
        let mut cells = vec![record.run.to_string()];
        cells.extend(record.given[..n].iter().map(columns::text));
        cells.extend([record.steps.to_string(), why.clone()]);
        cells
    };
    parts.push(Part::Heading("Failures".to_owned()));
    parts.push(Part::table(&columns, failed.iter().take(FEW).map(row).collect()));
    let more = failed.len().saturating_sub(FEW);
    let more = if more > 0 { format!("{more} more in runs.parquet. ") } else { String::new() };
    parts.push(Part::Text(format!("{more}The scenes of all of them are in the folder failed.")));
}

/// What a reader of the results should know of them.
fn doubts(records: &[Record], outputs: &[Output<'_>], parts: &mut Vec<Part>) {
    let mut said = Vec::new();
    let unsolved: Vec<&Record> = records.iter().filter(|record| record.unsolved_steps > 0).collect();
    if let Some(worst) = unsolved.iter().max_by_key(|record| record.unsolved_steps) {
        said.push(format!(
            "{} had steps that ran out of sweeps before they were solved, most of them run {}: {} of {}.",
            counted(unsolved.len() as u64, "run", "runs"),
            worst.run,
            worst.unsolved_steps,
            worst.steps
        ));
    }
    let recoveries: u64 = records.iter().map(|record| record.recoveries).sum();
    if recoveries > 0 {
        let pairs = counted(recoveries, "pair was", "pairs were");
        said.push(format!(
            "{pairs} measured again by the exact method, which rays could not tell well enough."
        ));
    }
    let n = records.iter().filter(|record| !record.has_failed()).count();
    for output in outputs {
        let pairs = records.iter().zip(&output.values);
        let has = pairs.filter(|(record, value)| !record.has_failed() && value.is_some()).count();
        if has < n {
            said.push(format!("'{}' has a value in {has} of {n} runs that did not fail.", output.name));
        }
    }
    if !said.is_empty() {
        parts.push(Part::Heading("To be noted".to_owned()));
        parts.push(Part::List(said));
    }
}

/// Every result over every path with numbers.
fn draw(inputs: &[Input<'_>], outputs: &[Output<'_>], parts: &mut Vec<Part>) {
    let drawn = outputs
        .iter()
        .flat_map(|output| (0..inputs.len()).filter_map(move |along| plot(inputs, along, output)));
    let plots: Vec<Plot> = drawn.collect();
    if plots.is_empty() {
        return;
    }
    parts.push(Part::Heading("Results over the values given".to_owned()));
    let has_bars = plots.iter().flat_map(|plot| &plot.lines).any(|line| line.mark == Mark::Bars);
    if has_bars {
        let text = "Bars are one standard deviation to each side of the mean of several runs.";
        parts.push(Part::Text(text.to_owned()));
    }
    let more = plots.len().saturating_sub(PLOTS);
    parts.extend(plots.into_iter().take(PLOTS).map(|plot| Part::Plot(Box::new(plot))));
    if more > 0 {
        parts.push(Part::Text(format!("{more} more plots are left out.")));
    }
}

/// The series of some runs, spread evenly over all.
fn draw_series(card: &Card, records: &[Record], parts: &mut Vec<Part>) {
    let with: Vec<&Record> = records.iter().filter(|record| record.series.time.len() > 1).collect();
    if with.is_empty() || card.layout.series.is_empty() {
        return;
    }
    let n = (with.len() as u64).min(DRAWN);
    let last = with.len() as u64 - 1;
    let chosen: Vec<&Record> =
        (0..n).map(|k| with[(k * last / n.saturating_sub(1).max(1)) as usize]).collect();
    parts.push(Part::Heading("Over time".to_owned()));
    if with.len() as u64 > n {
        parts.push(Part::Text(format!("{n} of {} runs.", with.len())));
    }
    for (ix, series) in card.layout.series.iter().enumerate() {
        let line = |(record, colour): (&&Record, &'static str)| {
            let values = record.series.time.iter().zip(&record.series.values[ix]);
            let points = values.filter_map(|(time, value)| Some([*time, (*value)?])).collect();
            let name = format!("run {}", record.run);
            Line { name, colour, mark: Mark::Joined, points, aside: 0.0 }.thinned(WIDTH)
        };
        let lines = chosen.iter().zip(COLOURS).map(line).collect();
        let up = if series.unit.is_empty() {
            series.name.clone()
        } else {
            format!("{} [{}]", series.name, series.unit)
        };
        let (title, labels) = (series.name.clone(), ["time [s]".to_owned(), up]);
        let (scales, legend) = ([Scale::Linear; 2], Legend::Beside);
        parts.push(Part::Plot(Box::new(Plot { title, labels, scales, legend, lines })));
    }
}

/// Mean, spread and ends of each result over all runs that have it.
fn statistics(outputs: &[Output<'_>], records: &[Record]) -> Part {
    let row = |output: &Output<'_>| {
        let mut found: Vec<(f64, u64)> = output
            .values
            .iter()
            .zip(records)
            .filter_map(|(value, record)| Some((((*value)?), record.run)))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let values: Vec<f64> = found.iter().map(|(value, _)| *value).collect();
        let mut cells = vec![output.heading(), found.len().to_string()];
        if let (Some(of), [low, .., high] | [low @ high]) = (Statistics::of(&values), found.as_slice()) {
            cells.extend([of.mean, of.deviation, low.0].map(figures));
            cells.extend([low.1.to_string(), figures(high.0), high.1.to_string()]);
        }
        cells.resize(8, String::new());
        cells
    };
    let columns = ["", "runs", "mean", "standard deviation", "least", "in run", "largest", "in run"];
    Part::table(&columns, outputs.iter().map(row).collect())
}

/// Means of the results for each value of the paths that have few values, or none that are numbers.
fn by_value(inputs: &[Input<'_>], outputs: &[Output<'_>], parts: &mut Vec<Part>) {
    for input in inputs.iter().filter(|input| input.n_different <= FEW && !outputs.is_empty()) {
        let mut values: Vec<&String> = Vec::new();
        for text in &input.texts {
            if !values.contains(&text) {
                values.push(text);
            }
        }
        let cell = |value: &String, output: &Output<'_>| {
            let of = input.texts.iter().zip(&output.values).filter(|(text, _)| *text == value);
            let found: Vec<f64> = of.filter_map(|(_, value)| *value).collect();
            Statistics::of(&found).map_or(String::new(), |of| match of.n {
                1 => figures(of.mean),
                _ => format!("{} ± {}", figures(of.mean), figures(of.deviation)),
            })
        };
        let row = |value: &&String| {
            let cells = outputs.iter().map(|output| cell(value, output));
            std::iter::once(words::printable(value)).chain(cells).collect()
        };
        let mut columns = vec![input.name.to_owned()];
        columns.extend(outputs.iter().map(Output::heading));
        parts.push(Part::Heading(format!("By {}", input.name)));
        parts.push(Part::Table { columns, rows: values.iter().map(row).collect() });
    }
}

/// All that the batch is made from.
fn texts(card: &Card, parts: &mut Vec<Part>) {
    let origin = &card.origin;
    parts.push(Part::Heading("Sweep and scene".to_owned()));
    if !card.sources.is_empty() {
        let row = |source: &Source| {
            vec![source.path.clone(), source.hash.clone().unwrap_or_else(|| "cannot be read".to_owned())]
        };
        parts.push(Part::table(&["file", "hash of its content"], card.sources.iter().map(row).collect()));
    }
    for (title, text) in [(&origin.sweep_file, &origin.sweep_text), (&origin.scene_file, &origin.scene_text)]
    {
        parts.push(Part::Folded { title: title.clone(), text: text.clone() });
    }
}
