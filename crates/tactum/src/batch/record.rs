//! What is known of a run that has ended, and how it is written: one line of JSON for each.

use serde::{Deserialize, Serialize};
use toml::Value;

/// What a record holds in which order: the columns of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Paths that take values.
    pub given: Vec<GivenPath>,
    /// How many of them, the last ones, take seeds of repetitions.
    pub n_seeds: usize,
    /// Whether runs are repeated with other seeds.
    pub has_replicas: bool,
    /// Whether the scene's expectations are watched.
    pub expects: bool,
    /// Names of events.
    pub events: Vec<String>,
    /// Kept numbers.
    pub kept: Vec<Named>,
    /// Quantities of the series.
    pub series: Vec<Named>,
}

/// A path that takes values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenPath {
    /// The path.
    pub name: String,
    /// Unit of its values, empty for none, or where the scene's keys do not say.
    pub unit: String,
    /// Whether its values are spread by ratios and not by differences.
    pub by_ratios: bool,
}

/// A quantity with its unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Name of its column.
    pub name: String,
    /// Unit, empty for none.
    pub unit: String,
}

/// A value that a path was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Given {
    /// A whole number.
    Whole(i64),
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A text, or any other value as it is written in a scene.
    Text(String),
}

impl From<&Value> for Given {
    fn from(value: &Value) -> Self {
        match value {
            Value::Integer(value) => Self::Whole(*value),
            Value::Float(value) if value.is_finite() => Self::Number(*value),
            Value::Boolean(value) => Self::Flag(*value),
            Value::String(text) => Self::Text(text.clone()),
            other => Self::Text(other.to_string()),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Its time was over.
    Finished,
    /// An event of this name.
    Event(String),
    /// It could not begin or go on, and why.
    Failed(String),
}

/// The course of the quantities of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Times \[s\].
    pub time: Vec<f64>,
    /// For each quantity its values at these times.
    pub values: Vec<Vec<Option<f64>>>,
}

/// A run that has ended. It depends on the sweep and the scene alone, and on no clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its number.
    pub run: u64,
    /// Its values, one for each path.
    pub given: Vec<Given>,
    /// Its number among the repetitions.
    pub replica: u64,
    /// Why it ended.
    pub end: End,
    /// Steps made.
    pub steps: u64,
    /// Time simulated \[s\].
    pub time: f64,
    /// Hash of the last state, 16 hexadecimal digits; none of a run that did not begin.
    pub state_hash: Option<String>,
    /// Steps that were not solved.
    pub unsolved_steps: u64,
    /// Pairs that had to be measured again by another method, summed over the steps.
    pub recoveries: u64,
    /// Depth of the deepest overlap \[m\].
    pub deepest: f64,
    /// Expectations that were not met, where they are watched.
    pub unmet: Option<u64>,
    /// Time of each event \[s\]; none of one that did not happen.
    pub events: Vec<Option<f64>>,
    /// The kept numbers; none of what has no value.
    pub kept: Vec<Option<f64>>,
    /// The series.
    pub series: Samples,
}

impl Record {
    /// Of a run that could not begin.
    pub fn failed(run: u64, given: Vec<Given>, replica: u64, why: String, layout: &Layout) -> Self {
        Self {
            run,
            given,
            replica,
            end: End::Failed(why),
            steps: 0,
            time: 0.0,
            state_hash: None,
            unsolved_steps: 0,
            recoveries: 0,
            deepest: 0.0,
            unmet: None,
            events: vec![None; layout.events.len()],
            kept: vec![None; layout.kept.len()],
            series: Samples { time: Vec::new(), values: vec![Vec::new(); layout.series.len()] },
        }
    }

    /// Whether it could not begin or go on.
    pub fn has_failed(&self) -> bool {
        matches!(self.end, End::Failed(_))
    }

    /// The line.
    pub(super) fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record has text keys and finite numbers")
    }
}
