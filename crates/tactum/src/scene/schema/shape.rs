//! `shape` of a body.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::mesh::generate::Generator;
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
    /// Radius of the base [m].
    pub radius: f64,
    /// Distance of the tip from the base [m].
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
}

fn default_scale() -> f64 {
    1.0
}
