//! What a scene file may say: the serde types behind the TOML text and its JSON Schema.
//!
//! The doc comments below are the user's reference: they are printed by `tactum schema` and quoted in error messages,
//! so each one says what the key means, its unit and its default.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

pub mod generate;
mod joint;
mod material;
mod solver;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tactum_geometry::words;
use tactum_sim::DEFAULT_FRICTION;

pub use joint::{
    JointKindSpec, JointSpec, PrismaticSpec, RevoluteSpec, SlidingMotorSpec, SlidingServoSpec, SphericalSpec,
    TurningMotorSpec, TurningServoSpec, ValueOverTimeSpec,
};
pub use material::{MaterialSpec, PairSpec};
pub use solver::{AcceleratorSpec, LocalSpec, OrderSpec, SolverSpec};

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
    #[schemars(length(max = MAX_NAME), regex(pattern = words::ONE_LINE))]
    pub name: Option<String>,
    /// What the scene shows, for people.
    #[schemars(length(max = MAX_DESCRIPTION), regex(pattern = words::SEVERAL_LINES))]
    pub description: Option<String>,
    /// Time step [s]. Default 0.01.
    #[serde(default = "default_dt")]
    pub dt: f64,
    /// Simulated time [s], to the closest whole number of steps; `--time` and `--steps` replace it. Default 1.
    #[serde(default = "default_duration")]
    pub duration: f64,
    /// Acceleration of gravity [m/s²]. Default [0, 0, -9.81]; turn it to tilt the whole scene.
    #[serde(default = "default_gravity")]
    pub gravity: [f64; 3],
    /// Largest number of bodies the file may ask for, copies included. Default 100000, at most 10000000.
    #[serde(default = "default_max_bodies")]
    pub max_bodies: u64,
    /// How bodies touch.
    #[serde(default)]
    pub contact: ContactSpec,
    /// When the contact solver may stop.
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
    0.01
}

fn default_duration() -> f64 {
    1.0
}

fn default_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn default_max_bodies() -> u64 {
    100_000
}

/// How bodies touch.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactSpec {
    /// Coefficient of friction of every body that gives none of its own and whose material gives none; a pair uses the
    /// geometric mean. Default 0.5.
    pub friction: f64,
    /// Which rows a contact is solved with: "patch" or, to compare with, "points". Default "patch".
    pub model: ModelSpec,
    /// What bounds the centre of pressure: "polygon" or { ellipse = 3 }. Default "polygon".
    pub patch: PatchSpec,
    /// Which way a contact pushes. Default "blend".
    pub normal: NormalSpec,
    /// Over how much of its patch a contact resists rolling. Default "auto".
    pub rolling: RollingSpec,
    /// How far from the centre of pressure friction resists spinning. Default "uniform".
    pub spin: SpinSpec,
    /// How friction against sliding and against spinning limit each other. Default "surface".
    pub coupling: CouplingSpec,
    /// Mean depth at which a resting contact is held, as a part of the smaller body's size. Default 5e-5.
    pub target_depth: Option<f64>,
    /// Overlap volume at which every contact is held [m³]; replaces `target_depth`.
    pub target_volume: Option<f64>,
    /// Compliance of a contact along its normal [m/N]. Default 0: rigid.
    pub compliance: f64,
    /// Damping of a compliant contact along its normal [N s/m]. Default 0.
    pub damping: f64,
    /// Coefficient of restitution of every body whose material gives none, 0 to 1; a pair uses the larger of its two. Default 0.
    pub restitution: f64,
    /// Approach speed below which nothing bounces [m/s]. Default 0.05.
    pub restitution_threshold: Option<f64>,
    /// Part of the volume above target that is taken out per step by moving the bodies apart, 0 to 1. Default 1.
    pub stabilization: Option<f64>,
}

impl Default for ContactSpec {
    fn default() -> Self {
        Self {
            friction: DEFAULT_FRICTION,
            model: ModelSpec::default(),
            patch: PatchSpec::default(),
            normal: NormalSpec::default(),
            rolling: RollingSpec::default(),
            spin: SpinSpec::default(),
            coupling: CouplingSpec::default(),
            target_depth: None,
            target_volume: None,
            compliance: 0.0,
            damping: 0.0,
            restitution: 0.0,
            restitution_threshold: None,
            stabilization: None,
        }
    }
}

/// Which rows a contact is solved with.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelSpec {
    /// One block of six rows over the contact's patch.
    #[default]
    Patch,
    /// Three rows at each corner of the same patch, as in engines of contact points; `patch` and `spin` do nothing.
    Points,
}

/// What bounds the centre of pressure of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatchSpec {
    /// The support polygon of the overlap.
    #[default]
    Polygon,
    /// An ellipse whose squared semi-axes are this many tangential variances of the overlap: 3 for a rectangular
    /// prism, 4 for a flat ellipse, 5 for an ellipsoid, 6 for a shallow cap.
    Ellipse(f64),
}

/// How far from the centre of pressure friction acts when it resists spinning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpinSpec {
    /// Uniform pressure over the patch.
    #[default]
    Uniform,
    /// Hertz's pressure over an ellipse.
    Hertz,
    /// The four corners of the rectangle around the patch, weighted bilinearly.
    Corners,
}

/// Which way a contact pushes.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NormalSpec {
    /// Along the gradient of the overlap's volume, or the thinnest direction of a thin overlap where neither surface is
    /// plane.
    #[default]
    Blend,
    /// Along the gradient. A box that hangs over an edge is pushed aside a little.
    Gradient,
    /// Along the overlap's thinnest direction.
    Covariance,
}

/// Over how much of its patch a contact resists rolling.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RollingSpec {
    /// Over all of it where a face stands on another; not at all where a ball or capsule touches with its curve.
    #[default]
    Auto,
    /// Over all of it: a ball pivots over the rim of its patch.
    Pivot,
}

/// How friction against sliding and friction against spinning limit each other.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CouplingSpec {
    /// The limit surface of uniform pressure over the patch.
    #[default]
    Surface,
    /// The ellipsoid with the same semi-axes; takes more power from bodies that slide and spin at once.
    Ellipsoid,
}

/// A body, or a block of copies of one.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Name for reports and expectations; copies get "-0", "-1", ... behind it.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::ONE_LINE))]
    pub name: String,
    /// What may move it: "dynamic" (forces and contacts, the default), "static" or "kinematic" (its own velocities).
    #[serde(default)]
    pub kind: KindSpec,
    /// Its shape: a table with one key, for example { box = [0.1, 0.1, 0.1] } or { mesh = { file = "part.obj" } }.
    pub shape: ShapeSpec,
    /// Where the origin of the shape's own frame stands [m]. Default [0, 0, 0].
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
    #[schemars(length(max = MAX_NAME), regex(pattern = words::ONE_LINE))]
    pub material: Option<String>,
    /// Coefficient of friction. Default: that of its material, or else of [contact].
    pub friction: Option<f64>,
    /// Groups the body belongs to, by names of your choice. Default: none.
    #[serde(default)]
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::ONE_LINE)))]
    pub groups: Vec<String>,
    /// Groups it touches; bodies in no group are touched by all. Default: everything.
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::ONE_LINE)))]
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
    Generate(generate::GenerateSpec),
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
    /// Path of the file, from the folder of the scene file.
    #[schemars(length(max = MAX_PATH), regex(pattern = words::ONE_LINE))]
    pub file: String,
    /// Factor on all coordinates: 0.001 where the file is in millimetres. Default 1.
    #[serde(default = "default_scale")]
    pub scale: f64,
}

fn default_scale() -> f64 {
    1.0
}

/// Bounds on what a run must give, for some bodies at some time.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ExpectSpec {
    /// Where the numbers come from; printed when the expectation fails.
    #[schemars(length(max = MAX_REASON), regex(pattern = words::SEVERAL_LINES))]
    pub why: Option<String>,
    /// Name of a body; "*" at the end stands for any rest ("box-*"), "*" alone for every body that is not static.
    /// Needed by x, y, z, travel, speed, spin, spin_z, tilt_deg and turn_deg.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::ONE_LINE))]
    pub body: Option<String>,
    /// When to look [s]: after the step that ends closest to it, at 0 before the first. Default: at the end. At 0 there are no contacts, forces and torques yet.
    pub time: Option<f64>,
    /// Look after every step. Default false.
    pub always: bool,
    /// Centre of mass, x [m].
    pub x: Option<Bound>,
    /// Centre of mass, y [m].
    pub y: Option<Bound>,
    /// Centre of mass, z [m].
    pub z: Option<Bound>,
    /// Distance of the centre of mass from where it began [m].
    pub travel: Option<Bound>,
    /// Speed of the centre of mass [m/s].
    pub speed: Option<Bound>,
    /// Magnitude of the angular velocity [rad/s].
    pub spin: Option<Bound>,
    /// Angular velocity about the vertical, by the right-hand rule [rad/s].
    pub spin_z: Option<Bound>,
    /// Angle from the vertical of the body's direction that was vertical at the start [degrees].
    pub tilt_deg: Option<Bound>,
    /// Angle of the rotation since the start, 0 to 180 [degrees].
    pub turn_deg: Option<Bound>,
    /// Name of a joint; patterns as for bodies. Needed by angle_deg, extension, force and torque.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::ONE_LINE))]
    pub joint: Option<String>,
    /// Angle of a revolute joint since the start, or between the axes of a spherical one [degrees].
    pub angle_deg: Option<Bound>,
    /// Extension of a prismatic joint since the start [m].
    pub extension: Option<Bound>,
    /// Magnitude of the force that the joint carries [N].
    pub force: Option<Bound>,
    /// Magnitude of the torque that the joint carries about its anchor [N m].
    pub torque: Option<Bound>,
    /// Kinetic energy of all bodies [J].
    pub kinetic_energy: Option<Bound>,
    /// Kinetic energy of all bodies as a part of its largest value so far.
    pub kinetic_energy_of_peak: Option<Bound>,
    /// Mean thickness of the thickest overlap as a part of the size (the diagonal of the box) of the smaller of its
    /// bodies.
    pub depth_of_size: Option<Bound>,
    /// Number of contacts.
    pub contacts: Option<Bound>,
}

/// What a number must be: { is = 1.0, within = 1e-6 }, { below = 2.0 }, { above = 0.5 } or several of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bound {
    /// Expected value.
    pub is: Option<f64>,
    /// Largest distance from `is`.
    pub within: Option<f64>,
    /// The number must be smaller than this.
    pub below: Option<f64>,
    /// The number must be larger than this.
    pub above: Option<f64>,
}
