//! What a scene file may say: the serde types behind the TOML text and its JSON Schema.
//!
//! The doc comments below are the user's reference: they are printed by `tactum schema` and quoted in error messages,
//! so each one says what the key means, its unit and its default.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

mod expect;
mod joint;
mod material;
mod settings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use settings::AsSetting;
use tactum_geometry::mesh::generate::Generator;
use tactum_geometry::words;
use tactum_sim::Settings;

pub use expect::{About, Bound, Bounds, ExpectSpec, Facts, Observable, Reading, Start};
pub use joint::{
    JointKindSpec, JointSpec, PrismaticSpec, RevoluteSpec, SlidingMotorSpec, SlidingServoSpec, SphericalSpec,
    TurningMotorSpec, TurningServoSpec, ValueOverTimeSpec,
};
pub use material::{MaterialSpec, PairSpec};
pub use settings::{ContactSpec, FRICTION, GivenSettings, SolverSpec, ValueOf};

/// Longest name of a scene, body, copy, joint or group [characters]: so much fits into a line of a table.
pub const MAX_NAME: usize = 128;

/// Longest text that is printed with a result [characters]: a paragraph.
const MAX_REASON: usize = 1000;

/// Longest description [characters]: a few pages.
const MAX_DESCRIPTION: usize = 20_000;

/// Longest path of a file [characters], as on Linux.
const MAX_PATH: usize = 4096;

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
    /// How bodies touch.
    #[serde(default)]
    pub contact: ContactSpec,
    /// What solves the contacts, and when it may stop.
    #[serde(default)]
    pub solver: SolverSpec,
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
    /// Angular velocity along the world's axes [rad/s]. Default [0, 0, 0].
    #[serde(default)]
    pub angular_velocity: [f64; 3],
    /// Density [kg/m³]. Default 1000, unless `mass` is given.
    pub density: Option<f64>,
    /// Mass [kg]; instead of `density`.
    pub mass: Option<f64>,
    /// Inertia about the centre of mass along the shape's axes [kg m²]: [xx, yy, zz] or [xx, yy, zz, xy, yz, zx].
    /// Default: that of the shape filled evenly with the body's mass.
    pub inertia: Option<Vec<f64>>,
    /// Centre of mass in the shape's frame [m]. Default: that of the shape filled evenly.
    pub center_of_mass: Option<[f64; 3]>,
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
}

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

/// How a body is turned.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
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
    fn is_identity(&self) -> bool {
        matches!(self, Self::Identity)
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

impl SceneSpec {
    /// The settings of the scene's world.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings { dt: self.dt, gravity: self.gravity.into(), ..Settings::default() };
        self.contact.settings.apply(&mut settings);
        self.solver.settings.apply(&mut settings);
        settings
    }
}
