//! `[[body]]`: the bodies of a scene.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tactum_geometry::{Pose, words};

use super::over_time::MotionSpec;
use super::shape::ShapeSpec;
use super::{MAX_NAME, MAX_PATH};
use crate::ordinary_length::of_ordinary_length;

/// A body, or a block of copies of one.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Name for reports and expectations; copies get "-0", "-1", ... behind it.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: String,
    /// What may move it: "dynamic" (forces and contacts, the default), "static" or "kinematic" (its own velocities).
    #[serde(default)]
    pub kind: KindSpec,
    /// Its shape: a table with one key, for example { box = [0.1, 0.1, 0.1] } or { mesh = { file = "part.obj" } }.
    pub shape: ShapeSpec,
    /// Dihedral angle [deg] up to which an edge of its mesh stands for a smooth surface: over such edges it rolls and touches planes as
    /// the round body that it stands for; 0 for a true polyhedron.
    #[serde(default = "default_smooth_deg")]
    #[schemars(range(min = 0.0, max = 90.0))]
    pub smooth_deg: f64,
    /// How its facets are rounded where [contact] has the law "facets": "estimated" from how the mesh bends (the default), "flat", or
    /// { radius = 0.05 } for the mesh of a ball. Boxes and planes are flat and spheres round by themselves.
    #[serde(default, skip_serializing_if = "RoundingSpec::is_estimated")]
    pub rounding: RoundingSpec,
    /// Where the origin of the shape's own frame stands [m]; no farther out than numbers of 64 bits tell places apart by a millionth of the
    /// body's size. Default [0, 0, 0].
    #[serde(default)]
    pub position: [f64; 3],
    /// How the shape is turned. Default: not at all.
    #[serde(default, skip_serializing_if = "OrientationSpec::is_identity")]
    pub orientation: OrientationSpec,
    /// Velocity of the centre of mass [m/s]. Default [0, 0, 0].
    #[serde(default)]
    pub linear_velocity: [f64; 3],
    /// Angular velocity along the world's axes [rad/s]; about the centre of mass, of a kinematic body too. Default [0, 0, 0].
    #[serde(default)]
    pub angular_velocity: [f64; 3],
    /// Path that it follows, if it is kinematic. Default: it keeps its velocities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionSpec>,
    /// Density [kg/m³]. Default 1000, unless `mass` is given.
    pub density: Option<f64>,
    /// Mass [kg]; instead of `density`.
    pub mass: Option<f64>,
    /// Inertia about the centre of mass along the shape's axes [kg m²]: [xx, yy, zz] or [xx, yy, zz, xy, yz, zx].
    /// Default: that of the shape filled evenly with the body's mass.
    pub inertia: Option<Vec<f64>>,
    /// Centre of mass in the shape's frame [m]. Default: that of the shape filled evenly.
    pub center_of_mass: Option<[f64; 3]>,
    /// Colour in the viewer and in glTF: red, green and blue as "#rrggbb", or a name: black, gray, silver, white, maroon, red, brown, orange,
    /// gold, yellow, beige, tan, olive, lime, green, teal, cyan, skyblue, blue, navy, purple, violet, magenta, pink. Default: one of a few in
    /// turn, grey for what is static.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub color: Option<String>,
    /// What it is made of: the name of one of the materials. Default: nothing in particular.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub material: Option<String>,
    /// Coefficient of friction. Default: that of its material, or else of [contact].
    pub friction: Option<f64>,
    /// Groups the body belongs to, by names of your choice. Default: none.
    #[serde(default)]
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::NAME)))]
    pub groups: Vec<String>,
    /// Groups it touches; bodies in no group are touched by all. Default: everything.
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::NAME)))]
    pub touches: Option<Vec<String>>,
    /// Put a block of copies in place of the one body.
    pub copies: Option<CopiesSpec>,
    /// Table of poses, a CSV file from the folder of the scene file: in place of the one body there is one for each row, with a line of names
    /// above them. Columns are x, y, z, for turns qx, qy, qz, qw, and name, which is put behind the body's name and "-"; without names rows are
    /// counted from 0. Lengths are in metres, or in the unit in brackets behind the name of their column: m, cm, mm, um, in or ft.
    /// Lines that begin with # are comments. Poses are in the frame that `position` and `orientation` of the body state. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub poses: Option<String>,
    /// Where the bodies of a table of poses stand; known once the scene is read.
    #[serde(skip)]
    #[schemars(skip)]
    pub placed: Option<Arc<[PlacedSpec]>>,
}

/// One of the bodies that a table places.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedSpec {
    /// What stands behind the body's name.
    pub name: String,
    /// Where it stands in the frame of the body.
    pub pose: Pose,
}

fn default_smooth_deg() -> f64 {
    DEFAULT_SMOOTH_DEG
}

/// See [`BodySpec::smooth_deg`].
pub const DEFAULT_SMOOTH_DEG: f64 = 12.0;

/// What may move a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindSpec {
    /// Forces and contacts.
    #[default]
    Dynamic,
    /// Nothing.
    Static,
    /// Its own velocities, which contacts do not change.
    Kinematic,
}

/// How the facets of a mesh are rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RoundingSpec {
    /// Each by how much the mesh bends around it.
    #[default]
    Estimated,
    /// Not at all.
    Flat,
    /// As the mesh of a ball of this radius [m]; negative for a hollow one.
    Radius(f64),
}

impl RoundingSpec {
    fn is_estimated(&self) -> bool {
        *self == Self::Estimated
    }
}

/// How a body is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum OrientationSpec {
    /// Not at all.
    #[default]
    #[schemars(skip)]
    #[serde(skip)]
    Identity,
    /// Quaternion [x, y, z, w] of any length but zero.
    Quaternion([f64; 4]),
    /// Angles in degrees about the world's x, then y, then z axis.
    EulerDeg([f64; 3]),
    /// An axis and an angle about it.
    AxisAngle {
        /// Direction of the axis, of any length but zero.
        axis: [f64; 3],
        /// Angle by the right-hand rule [degrees].
        deg: f64,
    },
}

impl OrientationSpec {
    /// Whether nothing was said, which a file says by leaving it out.
    pub(super) fn is_identity(&self) -> bool {
        matches!(self, Self::Identity)
    }

    /// The rotation; its numbers were checked.
    pub fn rotation(self) -> DQuat {
        match self {
            Self::Identity => DQuat::IDENTITY,
            Self::Quaternion(q) => DQuat::from_vec4(of_ordinary_length(DVec4::from_array(q))).normalize(),
            Self::EulerDeg(angles) => {
                let [x, y, z] = angles.map(f64::to_radians);
                DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
            }
            Self::AxisAngle { axis, deg } => {
                let axis = of_ordinary_length(DVec3::from_array(axis).extend(0.0)).truncate();
                DQuat::from_axis_angle(axis.normalize(), deg.to_radians())
            }
        }
    }
}

/// A block of copies in a regular grid, centred on the body's position in x and y and rising from it in z.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopiesSpec {
    /// Number of copies along x, y and z.
    pub grid: [u32; 3],
    /// Distance between neighbours along x, y and z [m].
    pub spacing: [f64; 3],
    /// Turn every copy at random, evenly over all orientations. Default false.
    #[serde(default)]
    pub random_orientation: bool,
    /// Move every copy at random by up to this along each axis [m]. Default 0.
    #[serde(default)]
    pub jitter: f64,
    /// Seed of the two random choices. Default 0.
    #[serde(default)]
    pub seed: u64,
}
