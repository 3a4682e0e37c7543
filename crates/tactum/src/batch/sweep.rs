//! What a sweep file says.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets, as in the texts of scenes"
)]

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::Value;
use tactum_geometry::{file, words};

use super::error::BatchError;
use crate::scene::schema::Bounds;
use crate::scene::{Fault, SceneError, misplaced};

/// Largest sweep file \[bytes\]: lists of a million values.
const MAX_BYTES: u64 = 64 << 20;

/// Runs of a batch; most are slips of the keyboard long before.
const MOST_RUNS: u64 = 10_000_000;

/// A sweep: a scene, the values that paths of it take, and what is kept of each run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepSpec {
    /// Path of the scene file, from the folder of the sweep file.
    pub scene: String,
    /// Simulated time of each run [s]. Default: the scene's.
    pub duration: Option<f64>,
    /// Values by path of which each is combined with each.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub cross: toml::Table,
    /// Values by path of which the first go with the first, the second with the second, and so on.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Value>")]
    pub zip: toml::Table,
    /// Values by path that are drawn at random.
    pub random: Option<RandomSpec>,
    /// Runs of the same values with other seeds.
    pub replicas: Option<ReplicasSpec>,
    /// Largest number of runs that the file may ask for. Default 100000, at most 10000000.
    #[serde(default = "default_max_runs")]
    pub max_runs: u64,
    /// Whether the scene's expectations are watched. Default false: most are of the scene's own values.
    #[serde(default)]
    pub expect: bool,
    /// What is looked out for in each run.
    #[serde(default, rename = "event")]
    pub events: Vec<EventSpec>,
    /// Quantities that are kept.
    #[serde(default, rename = "keep")]
    pub keeps: Vec<KeepSpec>,
    /// Steps between checkpoints of each run, from which it goes on where the batch was cut off. Default: none, it begins anew.
    pub checkpoint_every: Option<NonZeroU64>,
    /// Samples of a series in a second [1/s]. Default: one after every step.
    pub series_rate: Option<f64>,
}

/// Values that are drawn at random.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomSpec {
    /// Number of draws, each of all paths; every combination of the others is run with each.
    pub n: u64,
    /// Seed. Default 0.
    #[serde(default)]
    pub seed: u64,
    /// Whether the draws of each path are spread evenly: one in each of n parts of equal probability (Latin hypercube; McKay, Beckman,
    /// Conover 1979). Default false.
    #[serde(default)]
    pub latin_hypercube: bool,
    /// Distributions by path.
    #[schemars(with = "BTreeMap<String, Value>")]
    pub draw: toml::Table,
}

/// Runs of the same values with other seeds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplicasSpec {
    /// Number of runs.
    pub n: u64,
    /// Paths that take a seed of their own in each, such as body.grain.copies.seed.
    pub seeds: Vec<String>,
}

/// Something that may happen in a run: its bounds hold for the first time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct EventSpec {
    /// Name, which the column with its time has.
    pub name: String,
    /// The body that it is about.
    pub body: Option<String>,
    /// The joint that it is about.
    pub joint: Option<String>,
    /// Time for which the bounds have to hold without a break [s]. The event's time is when they began to. Default 0.
    #[serde(default)]
    pub hold: f64,
    /// Whether the run ends with it. Default false.
    #[serde(default)]
    pub stop: bool,
    /// The bounds: quantities and limits as in [[expect]].
    #[serde(flatten)]
    pub bounds: Bounds,
}

/// A quantity that is kept of each run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepSpec {
    /// One of the quantities of [[expect]].
    pub quantity: String,
    /// The body that it is of.
    pub body: Option<String>,
    /// The joint that it is of.
    pub joint: Option<String>,
    /// Name of its column. Default: body or joint, and quantity.
    pub name: Option<String>,
    /// What of its course is kept: "final" (the default), "max", "min", "mean" or "integral" over time, or a list of several.
    #[serde(default)]
    pub reduce: ReduceSpec,
    /// Whether its course is kept as a series. Default false.
    #[serde(default)]
    pub series: bool,
}

/// What is kept of the course of a quantity.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReduceSpec {
    /// One number.
    One(Reduction),
    /// Several.
    Several(Vec<Reduction>),
}

impl Default for ReduceSpec {
    fn default() -> Self {
        Self::One(Reduction::Final)
    }
}

impl ReduceSpec {
    /// All of them, in the order of their columns.
    pub(super) fn all(&self) -> &[Reduction] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Several(several) => several,
        }
    }
}

/// One number out of the course of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// At the end of the run.
    Final,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Over time, by the trapezoidal rule.
    Mean,
    /// Over time, by the trapezoidal rule.
    Integral,
}

impl Reduction {
    /// What the name of its column ends with.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Final => "",
            Self::Max => ".max",
            Self::Min => ".min",
            Self::Mean => ".mean",
            Self::Integral => ".integral",
        }
    }

    /// The unit of the number, of a quantity of this unit.
    pub(super) fn unit(self, unit: &str) -> String {
        match (self, unit) {
            (Self::Integral, "") => "s".to_owned(),
            (Self::Integral, unit) => format!("{unit} s"),
            _ => unit.to_owned(),
        }
    }
}

fn default_max_runs() -> u64 {
    100_000
}

impl KeepSpec {
    /// The name of its column, but for what is said of the reduction.
    pub(super) fn column(&self) -> String {
        let of = self.body.as_ref().or(self.joint.as_ref());
        self.name.clone().unwrap_or_else(|| match of {
            Some(of) => format!("{of}.{}", self.quantity),
            None => self.quantity.clone(),
        })
    }
}

/// A sweep that has been read, and the text of its scene.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) spec: SweepSpec,
    pub(super) scene_path: PathBuf,
    pub(super) scene_text: String,
}

impl Sweep {
    /// Reads a sweep file and the text of the scene that it names.
    ///
    /// # Errors
    /// If one of them cannot be read, or the sweep has keys or values that a sweep does not.
    pub fn load(path: &Path) -> Result<Self, BatchError> {
        let text = text_of(path)?;
        let spec = read(&text, &words::path(path)).map_err(BatchError::Sweep)?;
        let wrong = |what: String| BatchError::Value { path: path.to_owned(), what };
        for (name, value, wanted) in
            [("duration", spec.duration, "s"), ("series_rate", spec.series_rate, "1/s")]
        {
            if value.is_some_and(|value| !(value > 0.0 && value.is_finite())) {
                return Err(wrong(format!("{name} has to be above zero and finite [{wanted}]")));
            }
        }
        if let Some(event) = spec.events.iter().find(|event| !(event.hold >= 0.0 && event.hold.is_finite())) {
            return Err(wrong(format!("the event '{}' has to hold for zero seconds or more", event.name)));
        }
        if spec.max_runs > MOST_RUNS {
            return Err(wrong(format!("max_runs is {}, but can be {MOST_RUNS} at most", spec.max_runs)));
        }
        let scene_path = path.parent().unwrap_or(Path::new("")).join(&spec.scene);
        let scene_text = text_of(&scene_path)?;
        Ok(Self { path: path.to_owned(), text, spec, scene_path, scene_text })
    }

    /// What the file says.
    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// The file's name without its ending.
    pub fn name(&self) -> String {
        self.path
            .file_stem()
            .map_or_else(|| "sweep".to_owned(), |stem| words::printable(&stem.to_string_lossy()))
    }
}

/// The schema of sweeps, by which their texts are checked before they are read.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<SweepSpec>().to_value()
});

/// What a text says.
///
/// # Errors
/// All that has keys or types that a sweep does not know, or where it is not TOML.
fn read(text: &str, file: &str) -> Result<SweepSpec, SceneError> {
    let parsed = toml::from_str::<toml::Table>(text);
    if parsed.is_ok_and(|table| table.contains_key("body") && !table.contains_key("scene")) {
        let fault = Fault::error("this file is a scene, not a sweep", "")
            .with_help("`tactum run` runs a scene; a sweep names one, as in scene = \"part.toml\", and the values that it takes");
        return Err(SceneError::Faults(vec![fault.at(file, text, None)]));
    }
    let faults = misplaced(file, text, &SCHEMA);
    if !faults.is_empty() {
        return Err(SceneError::Faults(faults));
    }
    toml::from_str(text).map_err(|error| {
        let fault = Fault::error(error.message().replace('`', "'"), "here");
        SceneError::Faults(vec![fault.at(file, text, error.span())])
    })
}

fn text_of(path: &Path) -> Result<String, BatchError> {
    let bytes =
        file::read(path, MAX_BYTES).map_err(|cause| BatchError::Read { path: path.to_owned(), cause })?;
    String::from_utf8(bytes).map_err(|_| BatchError::Value {
        path: path.to_owned(),
        what: "the file is not UTF-8 text".to_owned(),
    })
}
