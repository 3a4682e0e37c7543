//! Meshes that a scene can ask for by their measures.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

mod make;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mesh made from its measures, closed by construction. Where a mesh takes `triangles`, it gets at least as many as
/// it needs and about as many as are asked for.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GenerateSpec {
    /// Box about the origin whose faces are cut into a grid.
    Cuboid(CuboidSpec),
    /// Regular prism about the origin, its axis along z.
    Prism(PrismSpec),
    /// Cylinder about the origin, its axis along z.
    Cylinder(RoundSpec),
    /// Cone, its axis along z and its tip up; the origin is its centre of mass, a quarter of the height above its base.
    Cone(RoundSpec),
    /// Ball of nearly equal triangles about the origin.
    Sphere(SphereSpec),
    /// Ellipsoid about the origin.
    Ellipsoid(EllipsoidSpec),
    /// Ball with spikes about the origin.
    Star(StarSpec),
    /// Torus about the z axis.
    Torus(TorusSpec),
    /// Ring of rectangular section about the z axis.
    Ring(RingSpec),
    /// Half of a hollow ball, open at the top; the origin is the middle of the rim.
    Bowl(BowlSpec),
    /// Block whose sides slant, about the origin: a stone of an arch, a truncated pyramid.
    TaperedBlock(TaperedBlockSpec),
    /// L-shaped block, its centre of mass at the origin.
    LShape(LShapeSpec),
    /// Table with four legs; the origin is on the floor below its middle.
    Table(TableSpec),
    /// Cube with bumps about the origin.
    BumpyCube(BumpyCubeSpec),
    /// Four-legged animal about the origin, looking along x, different for every seed.
    Critter(CritterSpec),
    /// Mug with a handle along +x, its axis along z; the origin is the middle of the bottom's underside.
    Mug(MugSpec),
    /// Tube along a torus knot about the z axis, the centre of the torus at the origin.
    TorusKnot(TorusKnotSpec),
    /// Spur gear about the origin, its axis along z and the middle of a tooth on +x.
    Gear(GearSpec),
    /// Bolt with a hexagonal head at its lower end, its axis along z; the origin is the middle of the thread.
    Bolt(BoltSpec),
    /// Hexagonal nut about the origin, its axis along z.
    Nut(NutSpec),
}

/// Measures of a box.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CuboidSpec {
    /// Side lengths [m].
    pub size: [f64; 3],
    /// Number of triangles. Default 12.
    #[serde(default)]
    pub triangles: usize,
}

/// Measures of a prism.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrismSpec {
    /// Number of sides, 3 or more.
    pub sides: u32,
    /// Distance of the vertical edges from the axis [m].
    pub radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Number of triangles. Default: as few as possible.
    #[serde(default)]
    pub triangles: usize,
}

/// Measures of a cylinder or cone.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundSpec {
    /// Radius [m].
    pub radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a ball.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereSpec {
    /// Radius [m].
    pub radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of an ellipsoid.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidSpec {
    /// Semi-axes along x, y and z [m].
    pub semi_axes: [f64; 3],
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a ball with spikes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StarSpec {
    /// Distance of the tips from the origin [m].
    pub radius: f64,
    /// Radius between the spikes [m].
    pub core_radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a torus.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusSpec {
    /// Radius of the centre circle [m].
    pub major_radius: f64,
    /// Radius of the tube [m].
    pub minor_radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a ring.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingSpec {
    /// Radius of the hole [m].
    pub inner_radius: f64,
    /// Outer radius [m].
    pub outer_radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a bowl.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BowlSpec {
    /// Radius inside [m].
    pub inner_radius: f64,
    /// Radius outside [m].
    pub outer_radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a block whose sides slant.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaperedBlockSpec {
    /// Side lengths of the lower face along x and y [m].
    pub bottom: [f64; 2],
    /// Side lengths of the upper face along x and y [m].
    pub top: [f64; 2],
    /// Distance of the two faces along z [m].
    pub height: f64,
    /// Number of triangles. Default: as few as possible.
    #[serde(default)]
    pub triangles: usize,
}

/// Measures of an L-shaped block.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LShapeSpec {
    /// Length of the foot along x [m].
    pub length: f64,
    /// Extent along y [m].
    pub width: f64,
    /// Height of the upright along z [m].
    pub height: f64,
    /// Thickness of both arms [m].
    pub thickness: f64,
    /// Number of triangles. Default: as few as possible.
    #[serde(default)]
    pub triangles: usize,
}

/// Measures of a table.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// Length of the top along x [m].
    pub length: f64,
    /// Width of the top along y [m].
    pub width: f64,
    /// Height of the upper face above the floor [m].
    pub height: f64,
    /// Thickness of the top [m].
    pub top_thickness: f64,
    /// Side of the legs' square section [m].
    pub leg_thickness: f64,
    /// Distance of the legs' outer faces from the edges of the top, along x and y [m]. Default [0, 0].
    #[serde(default)]
    pub leg_inset: [f64; 2],
    /// Number of triangles. Default: as few as possible.
    #[serde(default)]
    pub triangles: usize,
}

/// Measures of a cube with bumps.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BumpyCubeSpec {
    /// Side of the cube without bumps [m].
    pub side: f64,
    /// Number of bumps along an edge.
    pub bumps: u32,
    /// Height of a bump [m].
    pub bump_height: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a critter.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CritterSpec {
    /// Length of the trunk, a third or so of the whole [m].
    pub length: f64,
    /// Which critter. Default 0.
    #[serde(default)]
    pub seed: u64,
    /// Number of triangles. Default 3000.
    #[serde(default = "critter_triangles")]
    pub triangles: usize,
}

/// Measures of a mug.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MugSpec {
    /// Outer radius [m].
    pub radius: f64,
    /// Height [m].
    pub height: f64,
    /// Thickness of wall and bottom [m].
    pub wall: f64,
    /// Distance from the outer wall to the farthest point of the handle's middle line, along x [m].
    pub handle_reach: f64,
    /// Diameter of the handle [m].
    pub handle_thickness: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a torus knot.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusKnotSpec {
    /// Windings about the z axis; without a common divisor with `q`.
    pub p: u32,
    /// Windings about the centre circle; p = 2 and q = 3 is the trefoil.
    pub q: u32,
    /// Radius of the centre circle [m].
    pub major_radius: f64,
    /// Distance of the curve from the centre circle [m].
    pub minor_radius: f64,
    /// Radius of the tube [m].
    pub tube_radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// Measures of a spur gear with involute teeth.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GearSpec {
    /// Number of teeth, 5 or more.
    pub teeth: u32,
    /// Pitch diameter over number of teeth [m].
    pub module: f64,
    /// Pressure angle [degrees]. Default 20.
    #[serde(default = "default_pressure_angle")]
    pub pressure_angle_deg: f64,
    /// By how much each tooth is thinner than half the pitch [m]. Default 0.
    #[serde(default)]
    pub backlash: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Radius of the hole [m]. Default 0: none.
    #[serde(default)]
    pub bore_radius: f64,
    /// Number of triangles. Default 1000.
    #[serde(default = "default_triangles")]
    pub triangles: usize,
}

/// A helical thread; a bolt and a nut with the same one fit when their frames coincide.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadSpec {
    /// Mean radius [m].
    pub radius: f64,
    /// Distance between neighbouring crests along the axis [m].
    pub pitch: f64,
    /// Half the difference between the radii of crest and root [m].
    pub amplitude: f64,
    /// Number of helices. Default 1.
    #[serde(default = "one")]
    pub starts: u32,
}

/// Measures of a bolt.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoltSpec {
    /// The thread.
    pub thread: ThreadSpec,
    /// Length of the threaded part [m].
    pub thread_length: f64,
    /// Length over which the thread runs out at either end [m]. Default 0.
    #[serde(default)]
    pub fade: f64,
    /// Length of the plain part under the head [m]. Default 0.
    #[serde(default)]
    pub shank_length: f64,
    /// Height of the head [m]; 0 leaves head and shank away.
    pub head_height: f64,
    /// Width of the head across flats [m].
    pub head_width: f64,
    /// Number of triangles. Default 4000.
    #[serde(default = "thread_triangles")]
    pub triangles: usize,
}

/// Measures of a nut.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NutSpec {
    /// The bolt's thread.
    pub thread: ThreadSpec,
    /// Radial distance from the bolt's thread to the nut's [m].
    pub clearance: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Width across flats [m].
    pub width: f64,
    /// Length over which the thread opens at either end [m]. Default 0.
    #[serde(default)]
    pub fade: f64,
    /// Number of triangles. Default 4000.
    #[serde(default = "thread_triangles")]
    pub triangles: usize,
}

fn default_triangles() -> usize {
    1000
}

fn critter_triangles() -> usize {
    3000
}

fn thread_triangles() -> usize {
    4000
}

fn default_pressure_angle() -> f64 {
    20.0
}

fn one() -> u32 {
    1
}
