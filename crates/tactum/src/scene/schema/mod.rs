//! What a scene file may say: the serde types behind the TOML text and its JSON Schema.
//!
//! The doc comments below are the user's reference: they are printed by `tactum schema` and quoted in error messages,
//! so each one says what the key means, its unit and its default.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

mod body;
mod expect;
mod include;
mod joint;
mod material;
mod mesh;
mod over_time;
mod sensor;
mod settings;
mod shape;
mod view;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use settings::AsSetting;
use tactum_geometry::words;
use tactum_sim::Settings;

pub use body::{
    BodySpec, CopiesSpec, DEFAULT_SMOOTH_DEG, KindSpec, OrientationSpec, PlacedSpec, RoundingSpec,
};
pub use expect::{About, Bound, Bounds, ExpectSpec, Facts, Observable, Reading, SoFar, Start};
pub use include::IncludeSpec;
pub use joint::{
    JointKindSpec, JointSpec, PrismaticSpec, RevoluteSpec, SlidingMotorSpec, SlidingServoSpec, SphericalSpec,
    TurningMotorSpec, TurningServoSpec, ValueOverTimeSpec,
};
pub use material::{MaterialSpec, PairSpec};
pub use mesh::{AxisSpec, CenterChoice, CenterSpec, MeshSpec, RepairChoice, RepairSpec, ScaleSpec, UnitSpec};
pub use over_time::{AxesSpec, BetweenSpec, ForceSpec, MotionSpec, VectorOverTimeSpec};
pub use sensor::{MeasuredSpec, SensorSpec};
pub use settings::{ContactSpec, FRICTION, GivenSettings, SolverSpec, ValueOf};
pub use shape::{CapsuleSpec, ConeSpec, CylinderSpec, PlaneSpec, ShapeSpec};
pub use view::ViewSpec;

/// Longest name of a scene, body, copy, joint or group [characters]: so much fits into a line of a table.
pub const MAX_NAME: usize = 128;

/// Longest path of a file [characters], as on Linux.
const MAX_PATH: usize = 4096;

/// Longest text that is printed with a result [characters]: a paragraph.
const MAX_REASON: usize = 1000;

/// Longest description [characters]: a few pages.
const MAX_DESCRIPTION: usize = 20_000;

/// A scene: bodies, how they touch, for how long to simulate them and what has to come out.
///
/// Lengths are in metres, masses in kilograms, times in seconds; z points up.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Tactum scene")]
pub struct SceneSpec {
    /// Short name for reports. Default: the file's name.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: Option<String>,
    /// What the scene shows, for people.
    #[schemars(length(max = MAX_DESCRIPTION), regex(pattern = words::SEVERAL_LINES))]
    pub description: Option<String>,
    /// Numbers with names of your choice, for expressions: wherever a number stands, a text that begins with = may stand in its place, as
    /// in radius = "= 2 * size + 0.01". Known are + - * / ^, parentheses, pi, and abs acos asin atan atan2 cbrt ceil cos deg exp floor ln
    /// log10 max min rad round sin sqrt tan; angles are in radians. A parameter may be an expression of others. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Time step, see [`Settings::dt`].
    #[serde(default = "default_dt")]
    #[schemars(transform = AsSetting("dt"))]
    pub dt: f64,
    /// Simulated time [s], to the closest whole number of steps; `--time` and `--steps` replace it. Default 1.
    #[serde(default = "default_duration")]
    pub duration: f64,
    /// Acceleration of gravity, see [`Settings::gravity`].
    #[serde(default = "default_gravity")]
    #[schemars(transform = AsSetting("gravity"))]
    pub gravity: [f64; 3],
    /// Largest number of bodies the file may ask for, copies included. Default 100000, at most 10000000.
    #[serde(default = "default_max_bodies")]
    pub max_bodies: u64,
    /// How the viewer looks at the scene.
    #[serde(default, skip_serializing_if = "ViewSpec::is_usual")]
    pub view: ViewSpec,
    /// How bodies touch.
    #[serde(default)]
    pub contact: ContactSpec,
    /// What solves the contacts, and when it may stop.
    #[serde(default)]
    pub solver: SolverSpec,
    /// Other scene files whose bodies are part of this scene.
    #[serde(default, rename = "include", skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<IncludeSpec>,
    /// What bodies are made of.
    #[serde(default, rename = "material", skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<MaterialSpec>,
    /// How two materials, or two bodies, touch.
    #[serde(default, rename = "pair", skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairSpec>,
    /// The bodies, in the order of their indices.
    #[serde(default, rename = "body")]
    pub bodies: Vec<BodySpec>,
    /// What holds bodies together.
    #[serde(default, rename = "joint", skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSpec>,
    /// What pushes bodies over time.
    #[serde(default, rename = "force", skip_serializing_if = "Vec::is_empty")]
    pub forces: Vec<ForceSpec>,
    /// What is measured and written into sensors.csv.
    #[serde(default, rename = "sensor", skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<SensorSpec>,
    /// What has to come out; `tactum run` exits 1 where one does not.
    #[serde(default, rename = "expect")]
    pub expectations: Vec<ExpectSpec>,
}

fn default_dt() -> f64 {
    Settings::default().dt
}

fn default_duration() -> f64 {
    1.0
}

fn default_gravity() -> [f64; 3] {
    Settings::default().gravity.to_array()
}

fn default_max_bodies() -> u64 {
    100_000
}

impl SceneSpec {
    /// The settings of the scene's world.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings { dt: self.dt, gravity: self.gravity.into(), ..Settings::default() };
        self.contact.settings.apply(&mut settings);
        self.solver.settings.apply(&mut settings);
        settings
    }
}
