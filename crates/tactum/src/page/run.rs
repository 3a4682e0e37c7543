//! The page of a run: how it ended, what it did, and how to do it again.

use serde::Deserialize;
use serde_json::Value;
use tactum_geometry::words;

use super::{Page, Part, WIDTH, figures, quoted, sensors};
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};
use crate::recorded::{Recorded, RecordedError, Rows};

/// Rows of a table on the page; of more, the first ones.
const LISTED: usize = 40;

/// What `energy.csv` says over time, as far as the page shows it: points of time \[s\] and value.
#[derive(Default)]
struct Series {
    kinetic: Vec<[f64; 2]>,
    potential: Vec<[f64; 2]>,
    total: Vec<[f64; 2]>,
    contacts: Vec<[f64; 2]>,
    mean_depth: Vec<[f64; 2]>,
    deepest: Vec<[f64; 2]>,
    sweeps: Vec<[f64; 2]>,
    velocity_error: Vec<[f64; 2]>,
    /// Hash of the last state.
    state_hash: String,
}

#[derive(Deserialize)]
struct EnergyRow<'a> {
    time: f64,
    kinetic: f64,
    potential: f64,
    total: f64,
    contacts: f64,
    max_depth: f64,
    deepest: f64,
    sweeps: f64,
    velocity_error: f64,
    state_hash: &'a str,
}

/// The page of a run that a folder holds.
///
/// # Errors
/// If its report or table of energies cannot be read; either may be missing.
pub fn of_run(run: &Recorded) -> Result<Page, RecordedError> {
    let report = run.report()?;
    let series = match run.energies() {
        Ok(rows) => Some(Series::read(rows)?),
        Err(RecordedError::Table { .. }) => None,
        Err(error) => return Err(error),
    };
    let mut parts = Vec::new();
    match &report {
        Some(report) => {
            parts.push(verdict(report));
            parts.push(Part::Facts(facts(run, report)));
        }
        None => {
            let text = "The run has left no report: it did not come to its end, or goes on.".to_owned();
            parts.push(Part::Verdict { is_good: false, text });
            let last = series.as_ref().and_then(Series::end);
            let last = last.map_or("no state".to_owned(), |(time, hash)| format!("{hash} at {time} s"));
            parts.push(Part::Facts(named([("last recorded state", last)].into_iter().chain(made_by(run)))));
        }
    }
    expectations(report.as_ref(), &mut parts);
    again(run, &mut parts);
    if let Some(series) = series {
        parts.push(Part::Heading("Over time".to_owned()));
        series.draw(&mut parts);
    }
    parts.extend(sensors::plots(run)?);
    if let Some(report) = &report {
        tables(report, &mut parts);
    }
    parts.push(Part::Heading("Scene".to_owned()));
    let origin = run.card().origin();
    parts.push(Part::Folded { title: origin.scene_file.clone(), text: origin.scene_text.clone() });
    Ok(Page { title: format!("{}: a run", run.card().scene()), parts })
}

/// A value of a report as a text.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), words::number),
        other => other.to_string(),
    }
}

/// A number of a report with few digits, for tables.
fn short(value: &Value) -> String {
    value.as_f64().map_or_else(String::new, figures)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn verdict(report: &Value) -> Part {
    let status = text(&report["status"]);
    let n_failed = list(&report["expect"]["failed"]).len();
    let is_finished = status == "finished";
    let text = match (is_finished, n_failed) {
        (false, _) => match &report["error"] {
            Value::Null => format!("The run did not come to its end: {status}."),
            why => format!("The run did not come to its end: {status}. {}", text(why)),
        },
        (true, 0) => "The run came to its end, and nothing that was expected failed.".to_owned(),
        (true, n) => format!(
            "The run came to its end; {} not met.",
            words::counted(n as u64, "expectation was", "expectations were")
        ),
    };
    Part::Verdict { is_good: is_finished && n_failed == 0, text }
}

fn facts(run: &Recorded, report: &Value) -> Vec<(String, String)> {
    let adapter = match &report["adapter"] {
        Value::Null => "none: on the processor".to_owned(),
        adapter => text(adapter),
    };
    let (steps, dt) = (text(&report["steps"]), text(&report["dt"]));
    // Of the steps that the wall time is of, which a resumed run has not made all of.
    let simulated = report["timings_ms"]["steps"].as_f64().zip(report["dt"].as_f64()).map(|(n, dt)| n * dt);
    let pace = simulated.zip(report["wall_s"].as_f64()).filter(|(_, wall)| *wall > 0.0);
    let pace = pace.map_or(String::new(), |(time, wall)| format!(", {:.2} times real time", time / wall));
    let kinetic = short(&report["energy"]["kinetic"]);
    let potential = short(&report["energy"]["potential"]);
    let facts = [
        ("simulated", format!("{} s in {steps} steps of {dt} s", text(&report["time"]))),
        ("wall time", format!("{} s{pace}", short(&report["wall_s"]))),
        ("energy at the end", format!("kinetic {kinetic} J, potential {potential} J")),
        ("state hash", text(&report["state_hash"])),
        ("device", adapter),
    ];
    named(facts.into_iter().chain(made_by(run)))
}

/// What the numbers of a run depend on.
fn made_by(run: &Recorded) -> [(&'static str, String); 3] {
    [
        ("back end", run.card().backend().to_owned()),
        ("version", format!("Tactum {}", run.card().version())),
        ("fingerprint of the scene", run.card().fingerprint().to_owned()),
    ]
}

fn named<'a>(facts: impl Iterator<Item = (&'a str, String)>) -> Vec<(String, String)> {
    facts.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn expectations(report: Option<&Value>, parts: &mut Vec<Part>) {
    let Some(report) = report else { return };
    let failed = list(&report["expect"]["failed"]);
    if !failed.is_empty() {
        parts.push(Part::Heading("Not as expected".to_owned()));
        let row = |failure: &Value| {
            vec![
                format!("expect[{}]", text(&failure["expectation"])),
                text(&failure["time"]),
                text(&failure["message"]),
            ]
        };
        cut(&["expectation", "time [s]", "what"], failed, row, parts);
    }
    let warnings = list(&report["warnings"]);
    if !warnings.is_empty() {
        parts.push(Part::Heading("Doubts".to_owned()));
        parts.push(Part::List(warnings.iter().map(text).collect()));
    }
}

/// How the run is repeated.
fn again(run: &Recorded, parts: &mut Vec<Part>) {
    let command = &run.card().origin().command;
    parts.push(Part::Heading("To do it again".to_owned()));
    let folder = run.folder().to_string_lossy();
    let mut lines = Vec::new();
    if !command.is_empty() {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        lines.push(format!("{} --out {}", words.join(" "), quoted(&format!("{folder}-again"))));
    }
    lines.push(format!("tactum replay {}", quoted(&folder)));
    parts.push(Part::Code(lines.join("\n")));
}

impl Series {
    fn read(mut rows: Rows) -> Result<Self, RecordedError> {
        let mut series = Self::default();
        while rows.advance()? {
            let row: EnergyRow<'_> = rows.get()?;
            let columns = [
                (&mut series.kinetic, row.kinetic),
                (&mut series.potential, row.potential),
                (&mut series.total, row.total),
                (&mut series.contacts, row.contacts),
                (&mut series.mean_depth, row.max_depth),
                (&mut series.deepest, row.deepest),
                (&mut series.sweeps, row.sweeps),
                (&mut series.velocity_error, row.velocity_error),
            ];
            columns.into_iter().for_each(|(column, value)| column.push([row.time, value]));
            row.state_hash.clone_into(&mut series.state_hash);
        }
        Ok(series)
    }

    /// Time \[s\] and hash of the last state.
    fn end(&self) -> Option<(f64, &str)> {
        self.total.last().map(|[time, _]| (*time, self.state_hash.as_str()))
    }

    fn draw(self, parts: &mut Vec<Part>) {
        let lines = |named: Vec<(&str, Vec<[f64; 2]>)>| -> Vec<Line> {
            let line = |((name, points), colour): ((&str, Vec<[f64; 2]>), &'static str)| {
                Line { name: name.to_owned(), colour, mark: Mark::Joined, points, aside: 0.0 }.thinned(WIDTH)
            };
            named.into_iter().zip(COLOURS).map(line).collect()
        };
        let mut add = |title: &str, unit: &str, scale: Scale, lines: Vec<Line>| {
            let labels = ["time [s]".to_owned(), unit.to_owned()];
            let (title, scales) = (title.to_owned(), [Scale::Linear, scale]);
            parts.push(Part::Plot(Box::new(Plot { title, labels, scales, legend: Legend::Right, lines })));
        };
        let energies = vec![("total", self.total), ("potential", self.potential), ("kinetic", self.kinetic)];
        add("Energy", "energy [J]", Scale::Linear, lines(energies));
        add("Contacts", "number of contacts", Scale::Linear, lines(vec![("contacts", self.contacts)]));
        let depths = vec![("deepest", self.deepest), ("largest mean depth", self.mean_depth)];
        add("Depth of overlaps", "depth [m]", Scale::Logarithmic, lines(depths));
        add("Sweeps of the solver", "sweeps", Scale::Linear, lines(vec![("sweeps", self.sweeps)]));
        let errors = vec![("estimate", self.velocity_error)];
        add("Error of the velocities", "velocity error [m/s]", Scale::Logarithmic, lines(errors));
    }
}

/// A table of the first elements of a list, and how many there are besides.
fn cut(columns: &[&str], all: &[Value], row: impl Fn(&Value) -> Vec<String>, parts: &mut Vec<Part>) {
    parts.push(Part::table(columns, all.iter().take(LISTED).map(row).collect()));
    if all.len() > LISTED {
        parts.push(Part::Text(format!("{} more in report.json.", all.len() - LISTED)));
    }
}

fn tables(report: &Value, parts: &mut Vec<Part>) {
    parts.push(Part::Heading("Time of a step".to_owned()));
    let times = &report["timings_ms"];
    let phases = ["step", "broad", "detect", "assemble", "solve", "integrate"];
    let row = |phase: &str| {
        let of = |times: &Value| format!("{:.3}", times[phase].as_f64().unwrap_or(f64::NAN));
        vec![phase.to_owned(), of(times), of(&times["mean"]), of(&times["p95"]), of(&times["max"])]
    };
    let columns = ["phase", "median [ms]", "mean [ms]", "95 % [ms]", "largest [ms]"];
    parts.push(Part::table(&columns, phases.map(row).to_vec()));
    parts.push(Part::Heading("Bodies at the end".to_owned()));
    let speed = |v: &Value| {
        let square: f64 = list(v).iter().filter_map(Value::as_f64).map(|x| x * x).sum();
        short(&Value::from(square.sqrt()))
    };
    let row = |body: &Value| {
        let position = list(&body["position"]).iter().map(short);
        let mut cells: Vec<String> = std::iter::once(text(&body["name"])).chain(position).collect();
        cells.extend([
            speed(&body["linear_velocity"]),
            speed(&body["angular_velocity"]),
            short(&body["mass"]),
        ]);
        cells
    };
    let columns = ["body", "x [m]", "y [m]", "z [m]", "speed [m/s]", "spin [rad/s]", "mass [kg]"];
    cut(&columns, list(&report["bodies"]), row, parts);
    let contacts = list(&report["contacts"]);
    if !contacts.is_empty() {
        parts.push(Part::Heading("Contacts of the last step".to_owned()));
        let dt = report["dt"].as_f64().unwrap_or(f64::NAN);
        let force = |impulse: &Value| short(&Value::from(impulse.as_f64().unwrap_or(f64::NAN) / dt));
        let row = |contact: &Value| {
            let [a, b] = [&contact["a"], &contact["b"]].map(text);
            let [depth, area] = [&contact["depth"], &contact["area"]].map(short);
            let friction = list(&contact["impulse"]).iter().skip(1).take(2).filter_map(Value::as_f64);
            let friction = friction.fold(0.0, f64::hypot);
            vec![a, b, force(&contact["impulse"][0]), force(&Value::from(friction)), depth, area]
        };
        cut(&["a", "b", "normal force [N]", "friction [N]", "depth [m]", "area [m²]"], contacts, row, parts);
    }
    let joints = list(&report["joints"]);
    if !joints.is_empty() {
        parts.push(Part::Heading("Joints at the end".to_owned()));
        let row = |joint: &Value| {
            let broken = if joint["broken"] == true { "broken" } else { "" };
            vec![
                text(&joint["name"]),
                short(&joint["coordinate"]),
                speed(&joint["force"]),
                speed(&joint["torque"]),
                broken.to_owned(),
            ]
        };
        cut(&["joint", "coordinate [rad or m]", "force [N]", "torque [N m]", ""], joints, row, parts);
    }
}
