//! `[[include]]`: the bodies of other scene files.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use std::collections::BTreeMap;

use glam::DVec3;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use tactum_geometry::{Pose, words};

use super::body::OrientationSpec;
use super::{MAX_NAME, MAX_PATH};

/// The bodies of another scene file, placed by a frame, with what belongs to them: joints, forces, sensors, materials and pairs. All of them get the
/// name of the include and a point before their names, groups too. Time step, duration, gravity, contact, solver, view and expectations are those of
/// the including file.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncludeSpec {
    /// What stands before the names of the file: with "left" its body "finger" is "left.finger".
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: String,
    /// Path of the scene file, from the folder of this one.
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub file: String,
    /// Where the origin of that file's world stands [m]. Default [0, 0, 0].
    #[serde(default)]
    pub position: [f64; 3],
    /// How that world is turned; gravity is not. Default: not at all.
    #[serde(default, skip_serializing_if = "OrientationSpec::is_identity")]
    pub orientation: OrientationSpec,
    /// Numbers in place of those of the file's [parameters]. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// Values in place of others of the file, by their paths: { "body.finger.friction" = 0.3 }. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "values")]
    pub set: BTreeMap<String, toml::Value>,
    /// The file and those that it includes in turn, by paths from the folder of the scene; known once the scene is read.
    #[serde(skip)]
    #[schemars(skip)]
    pub files: Vec<String>,
}

/// Values of any type by their paths.
fn values(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "type": ["string", "number", "boolean", "array", "object"],
            "additionalProperties": true,
        },
    })
}

impl IncludeSpec {
    /// `w_from_file`: what brings the file's world into this one.
    pub fn frame(&self) -> Pose {
        Pose { rotation: self.orientation.rotation(), translation: DVec3::from_array(self.position) }
    }
}
