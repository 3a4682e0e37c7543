//! What acts over time from outside: paths of kinematic bodies, and `[[force]]`.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use glam::DQuat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::words;

use super::{MAX_NAME, MAX_PATH};

/// A path for a kinematic body: how far it is moved from its position and turned from its orientation over time. Contacts feel the
/// velocity that it has at the end of each step (laws "facets" and "continuous_penalty": on average over the step).
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MotionSpec {
    /// Entries [time, x, y, z] in the order of times: how far the body is moved then [s, m]. Before the first time it stands as then, after
    /// the last likewise. Default: not at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<[f64; 4]>,
    /// Entries [time, x, y, z] in the order of times: how the body is turned then, by angles about the world's x, then y, then z axis [s, degrees].
    /// From one entry to the next it turns the shorter way. Default: not at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns_deg: Vec<[f64; 4]>,
    /// In place of both, a CSV file with a line of names and the columns time, x, y, z and, for turns, qx, qy, qz, qw, or time and turns only. Values
    /// are in seconds and metres, or in the unit in brackets behind the name of their column: s, ms, us, min, m, cm, mm, um, in or ft. Lines that begin
    /// with # are comments. A poses.csv will do; what else is in it is passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub file: Option<String>,
    /// The body of that file whose rows are meant, where it has a column `body`. Default: the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub of: Option<String>,
    /// How it goes from entry to entry: "smooth", on splines without jumps of the velocity, which begin and end at rest unless it repeats (the
    /// default), or "straight" and evenly: a table of a motion that goes on is right so.
    pub between: BetweenSpec,
    /// Whether each list begins again at its end. Default false.
    pub repeat: bool,
    /// What turns the axes that the path is stated along into the world's: those of the file that it comes from.
    #[serde(skip)]
    #[schemars(skip)]
    pub frame: DQuat,
}

/// How a path goes between its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BetweenSpec {
    /// On cubic splines, without jumps of the velocity; at rest at both ends, unless it repeats.
    #[default]
    Smooth,
    /// Straight and evenly; the velocity jumps at the entries.
    Straight,
}

/// A force and a torque that act on a body over time, besides gravity, contacts and joints.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceSpec {
    /// Dynamic body, or all copies of one, or all whose names begin with what stands before a final "*"; it acts on each of them.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub body: String,
    /// Force [N]: [x, y, z], or entries [time, x, y, z] in the order of times [s]: straight between them, constant before and after; two at
    /// one time are a jump. Default: none.
    #[serde(default, skip_serializing_if = "VectorOverTimeSpec::is_zero")]
    pub force: VectorOverTimeSpec,
    /// Torque besides that of the force [N m], written in the same way. Default: none.
    #[serde(default, skip_serializing_if = "VectorOverTimeSpec::is_zero")]
    pub torque: VectorOverTimeSpec,
    /// Where the force acts, in the shape's frame [m]. Default: at the centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// Whose axes force and torque are along: "world" (the default), or "body", those of its shape's frame as they turn with it, taken half-way
    /// through each step.
    #[serde(default)]
    pub axes: AxesSpec,
}

/// Whose axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxesSpec {
    /// The world's.
    #[default]
    World,
    /// Those of the shape's frame.
    Body,
}

/// A vector over time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "expected [x, y, z], or a list of [time, x, y, z]")]
pub enum VectorOverTimeSpec {
    /// The same at all times: [x, y, z].
    Constant([f64; 3]),
    /// Entries [time, x, y, z].
    Points(Vec<[f64; 4]>),
}

impl Default for VectorOverTimeSpec {
    fn default() -> Self {
        Self::Constant([0.0; 3])
    }
}

impl VectorOverTimeSpec {
    fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}
