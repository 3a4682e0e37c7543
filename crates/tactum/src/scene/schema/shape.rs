//! `shape` of a body.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::mesh::generate::Generator;
use tactum_geometry::mesh::repair::RepairSettings;
use tactum_geometry::words;

/// Longest path of a file [characters], as on Linux.
const MAX_PATH: usize = 4096;

/// A shape in its own frame.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShapeSpec {
    /// Box about the origin, given by its side lengths along x, y and z [m].
    Box([f64; 3]),
    /// Ball about the origin, given by its radius [m].
    Sphere(f64),
    /// Cylinder along z with round ends, about the origin.
    Capsule(CapsuleSpec),
    /// Cylinder with flat ends along z, about the origin: a wheel, a coin, a can.
    Cylinder(CylinderSpec),
    /// Cone along z, its tip up; the origin is the middle of its height, its centre of mass a quarter of the height lower.
    Cone(ConeSpec),
    /// Everything below the plane z = 0: a floor. Static bodies only.
    Plane(PlaneSpec),
    /// A closed triangle mesh from a file: obj, stl, ply, gltf or glb.
    Mesh(MeshSpec),
    /// A mesh made from its measures: again a table with one key, { generate = { bowl = { ... } } }.
    Generate(Generator),
}

/// Measures of a capsule.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleSpec {
    /// Radius [m].
    pub radius: f64,
    /// Length of the straight part, without the round ends [m].
    pub length: f64,
}

/// Measures of a cylinder.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderSpec {
    /// Radius [m].
    pub radius: f64,
    /// Distance between the flat ends [m].
    pub height: f64,
}

/// Measures of a cone.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConeSpec {
    /// Radius of the base, which lies at z = -height / 2 [m].
    pub radius: f64,
    /// Distance of the tip, at z = height / 2, from the base [m]. The generated cone has its centre of mass in the origin instead.
    pub height: f64,
}

/// A half-space has no measures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneSpec {}

/// A mesh file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshSpec {
    /// Path of the file, from the folder of the scene file; "../" and absolute paths lead to files elsewhere.
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub file: String,
    /// Factor on all coordinates: 0.001 where the file is in millimetres. Default 1.
    #[serde(default = "default_scale")]
    pub scale: f64,
    /// Whether the mesh is mended before use, as by `tactum repair`: true, or a table with settings. What was mended is a warning.
    /// Default false.
    #[serde(default, skip_serializing_if = "RepairChoice::is_off")]
    pub repair: RepairChoice,
}

/// Whether and how a mesh is mended.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "expected true, false, or a table with tolerance and max_hole")]
pub enum RepairChoice {
    /// With the usual settings, or not at all.
    Switch(bool),
    /// With these settings.
    With(RepairSpec),
}

impl Default for RepairChoice {
    fn default() -> Self {
        Self::Switch(false)
    }
}

impl RepairChoice {
    fn is_off(&self) -> bool {
        *self == Self::Switch(false)
    }

    /// The settings; none where nothing is to be mended.
    pub fn settings(&self) -> Option<RepairSettings> {
        match self {
            Self::Switch(is_on) => is_on.then(RepairSettings::default),
            Self::With(RepairSpec { tolerance, max_hole }) => {
                Some(RepairSettings { tolerance: *tolerance, max_hole: *max_hole, split: false })
            }
        }
    }
}

/// How a mesh is mended.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairSpec {
    /// Distance below which vertices and edges at gaps are joined, in the unit of the file. Default: 0.0005 of the mesh's size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Largest diameter of a hole that is filled, in the unit of the file. Default: any that takes up to 0.35 of the area of the
    /// surface that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_hole: Option<f64>,
}

fn default_scale() -> f64 {
    1.0
}
