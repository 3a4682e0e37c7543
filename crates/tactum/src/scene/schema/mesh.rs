//! `mesh` of a shape: a file, and how its mesh is brought into the scene.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use glam::{DQuat, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::mesh::repair::RepairSettings;
use tactum_geometry::mesh::transform::{Center, MeshTransform};
use tactum_geometry::words;

use super::MAX_PATH;
use super::body::OrientationSpec;

/// A mesh file. Its mesh is mended or united, scaled (`units`, `scale`, `mirror`), turned (`up`, then `rotate`), centred and split, in
/// this order.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshSpec {
    /// Path of the file, from the folder of the scene file; "../" and absolute paths lead to files elsewhere.
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub file: String,
    /// Whether the mesh is mended before use, as by `tactum repair`: true, or a table with settings. What was mended is a warning.
    /// Default false.
    #[serde(default, skip_serializing_if = "RepairChoice::is_off")]
    pub repair: RepairChoice,
    /// Whether parts of the file that go through each other are united, so that what they share has its mass once. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub union: bool,
    /// Unit of the file's numbers: "m", "cm", "mm", "um", "in" or "ft". Default: metres, with a warning where that makes a body larger than 10 m
    /// or heavier than 100 t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<UnitSpec>,
    /// Factor on all coordinates besides, or a list of one for each axis of the file. Default 1.
    #[serde(default)]
    pub scale: ScaleSpec,
    /// Axis of the file along which the mesh is mirrored: "x", "y" or "z". Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<AxisSpec>,
    /// Axis of the file that points up: "x", "y" or "z". With "y" the file's z points along -y of the scene, with "x" its x along z and its z
    /// along -x. Default "z".
    #[serde(default, skip_serializing_if = "AxisSpec::is_z")]
    pub up: AxisSpec,
    /// How the mesh is turned in its shape's frame, after `up`. Default: not at all.
    #[serde(default, skip_serializing_if = "OrientationSpec::is_identity")]
    pub rotate: OrientationSpec,
    /// Which point of the mesh becomes the origin of the shape's frame: true or "box" for the middle of the box around it, "base" for the
    /// middle of the lower side of that box, "mass" for the centre of mass. Default false: the origin of the file.
    #[serde(default, skip_serializing_if = "CenterChoice::is_off")]
    pub center: CenterChoice,
    /// Whether every part of the file becomes a body of its own, named as copies are: "-0", "-1", ... behind the name. Cavities belong to the
    /// part around them. A mass is that of each. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub split: bool,
    /// Only this part of the file, counted from 0 as `split` counts; `center` is then about this part alone. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// For an open sheet as the surface of the ground, in a static body: the solid below it, down to a plane bottom so far below its
    /// lowest point [m]. The sheet has one height in each place, besides upright steps. Default: the mesh has to be closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground_depth: Option<f64>,
    /// For an open sheet, of paper or metal: the body is a shell of this thickness around it [m], half of it on either side. The contact law
    /// "continuous_penalty" takes the sheet itself, which has two sides alike. Default: the mesh has to be closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet_thickness: Option<f64>,
    /// Number of parts that `split` finds in the file; known once the scene is read.
    #[serde(skip)]
    #[schemars(skip)]
    pub n_parts: Option<u32>,
}

fn is_false(is_on: &bool) -> bool {
    !is_on
}

impl MeshSpec {
    /// How the mesh is scaled, turned and moved once it is mended.
    pub fn transform(&self) -> MeshTransform {
        let mut scale = self.scale.factors() * self.units.map_or(1.0, UnitSpec::meters);
        if let Some(axis) = self.mirror {
            scale[axis as usize] *= -1.0;
        }
        let rotation = self.rotate.rotation() * self.up.to_z();
        MeshTransform { scale, rotation, center: self.center.point() }
    }
}

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitSpec {
    /// Metres.
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Micrometres.
    Um,
    /// Inches of 25.4 mm.
    In,
    /// Feet of 0.3048 m.
    Ft,
}

impl UnitSpec {
    fn meters(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
            Self::Mm => 0.001,
            Self::Um => 1e-6,
            Self::In => 0.0254,
            Self::Ft => 0.3048,
        }
    }
}

/// One factor, or one for each axis.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number, or a list of three")]
pub enum ScaleSpec {
    /// The same along all axes.
    Even(f64),
    /// Along x, y and z of the file.
    Axes([f64; 3]),
}

impl Default for ScaleSpec {
    fn default() -> Self {
        Self::Even(1.0)
    }
}

impl ScaleSpec {
    fn factors(self) -> DVec3 {
        match self {
            Self::Even(factor) => DVec3::splat(factor),
            Self::Axes(factors) => factors.into(),
        }
    }
}

/// An axis of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxisSpec {
    /// The first coordinate.
    X,
    /// The second coordinate.
    Y,
    /// The third coordinate.
    #[default]
    Z,
}

impl AxisSpec {
    fn is_z(&self) -> bool {
        *self == Self::Z
    }

    /// The quarter turn that brings the axis to z.
    fn to_z(self) -> DQuat {
        use std::f64::consts::FRAC_PI_2;
        match self {
            Self::X => DQuat::from_rotation_y(-FRAC_PI_2),
            Self::Y => DQuat::from_rotation_x(FRAC_PI_2),
            Self::Z => DQuat::IDENTITY,
        }
    }
}

/// Whether a mesh is moved, and which point of it to the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "expected true, false, or one of box, base, mass")]
pub enum CenterChoice {
    /// The middle of the box around it, or not at all.
    Switch(bool),
    /// This point.
    Point(CenterSpec),
}

impl Default for CenterChoice {
    fn default() -> Self {
        Self::Switch(false)
    }
}

impl CenterChoice {
    fn is_off(&self) -> bool {
        *self == Self::Switch(false)
    }

    /// The point that is moved to the origin; none where the mesh stays.
    pub fn point(self) -> Option<Center> {
        match self {
            Self::Switch(is_on) => is_on.then_some(Center::Box),
            Self::Point(CenterSpec::Box) => Some(Center::Box),
            Self::Point(CenterSpec::Base) => Some(Center::Base),
            Self::Point(CenterSpec::Mass) => Some(Center::Mass),
        }
    }
}

/// A point of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CenterSpec {
    /// The middle of the box around it.
    Box,
    /// The middle of the lower side of that box.
    Base,
    /// The centre of mass.
    Mass,
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
