//! `shape` of a body.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::mesh::generate::Generator;

use super::mesh::MeshSpec;

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
    /// A closed triangle mesh from a file, or ground below an open one: obj, stl, ply, gltf or glb.
    Mesh(MeshSpec),
    /// A mesh made from its measures: again a table with one key, { generate = { bowl = { ... } } }.
    Generate(Generator),
}

impl ShapeSpec {
    /// Number of parts that become bodies of their own; none where the shape is that of one body.
    pub fn n_split(&self) -> Option<u32> {
        match self {
            Self::Mesh(mesh) if mesh.split => Some(mesh.n_parts.unwrap_or(1)),
            _ => None,
        }
    }
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
