//! What each generator is told. A measure is defined here and nowhere else: scenes state it by its name here, and their schema
//! quotes what is said of it. Lengths are positive, unless it is said that one may be zero.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in plain brackets: the texts are shown to users as they are"
)]

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// Measures of a box.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Cuboid {
    /// Side lengths [m].
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub size: DVec3,
}

/// Measures of a prism.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Prism {
    /// Number of sides, 3 to 1,000,000.
    pub sides: u32,
    /// Distance of the vertical edges from the axis [m].
    pub radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
}

/// Measures of a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Cylinder {
    /// Radius [m].
    pub radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
}

/// Measures of a cone.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Cone {
    /// Radius [m].
    pub radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
}

/// Measures of a ball.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Sphere {
    /// Radius [m].
    pub radius: f64,
}

/// Measures of an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Ellipsoid {
    /// Semi-axes along x, y and z [m].
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]"))]
    pub semi_axes: DVec3,
}

/// Measures of a ball with spikes.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Star {
    /// Distance of the tips from the origin [m].
    pub radius: f64,
    /// Radius between the spikes [m], below `radius`.
    pub core_radius: f64,
}

/// Measures of a torus.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Torus {
    /// Radius of the centre circle [m].
    pub major_radius: f64,
    /// Radius of the tube [m].
    pub minor_radius: f64,
}

/// Measures of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Ring {
    /// Radius of the hole [m].
    pub inner_radius: f64,
    /// Outer radius [m].
    pub outer_radius: f64,
    /// Extent along the axis [m].
    pub height: f64,
}

/// Measures of a bowl.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Bowl {
    /// Radius inside [m].
    pub inner_radius: f64,
    /// Radius outside [m].
    pub outer_radius: f64,
}

/// Measures of a block whose sides slant.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TaperedBlock {
    /// Side lengths of the lower face along x and y [m].
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 2]"))]
    pub bottom: DVec2,
    /// Side lengths of the upper face along x and y [m].
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 2]"))]
    pub top: DVec2,
    /// Distance of the two faces along z [m].
    pub height: f64,
}

/// Measures of an L-shaped block.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LShape {
    /// Length of the foot along x, over the upright's thickness [m].
    pub length: f64,
    /// Extent along y [m].
    pub width: f64,
    /// Height of the upright along z, over the foot's thickness [m].
    pub height: f64,
    /// Thickness of both arms [m], below `length` and `height`.
    pub thickness: f64,
}

/// Measures of a table.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Table {
    /// Length of the top along x [m].
    pub length: f64,
    /// Width of the top along y [m].
    pub width: f64,
    /// Height of the upper face above the floor [m].
    pub height: f64,
    /// Thickness of the top [m], below `height`.
    pub top_thickness: f64,
    /// Side of the legs' square section [m].
    pub leg_thickness: f64,
    /// Distance of the legs' outer faces from the edges of the top, along x and y [m]. Default [0, 0].
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "[f64; 2]"))]
    pub leg_inset: DVec2,
}

/// Measures of a cube with bumps.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BumpyCube {
    /// Side of the cube without bumps [m].
    pub side: f64,
    /// Number of bumps along an edge, 1 to 1000: each face has its square.
    pub bumps: u32,
    /// Height of a bump [m].
    pub bump_height: f64,
}

/// Measures of a critter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Critter {
    /// Length of the trunk, a third or so of the whole [m].
    pub length: f64,
    /// Which critter. Default 0.
    #[serde(default)]
    pub seed: u64,
}

/// Measures of a mug.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Mug {
    /// Outer radius [m].
    pub radius: f64,
    /// Height [m].
    pub height: f64,
    /// Thickness of wall and bottom [m], below a quarter of radius and height.
    pub wall: f64,
    /// Distance from the outer wall to the farthest point of the handle's middle line, along x [m].
    pub handle_reach: f64,
    /// Diameter of the handle [m]; its roots are wider.
    pub handle_thickness: f64,
}

/// Measures of a torus knot.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TorusKnot {
    /// Windings about the z axis, 1 to 32; without a common divisor with `q`.
    pub p: u32,
    /// Windings about the centre circle, 1 to 32; p = 2 and q = 3 is the trefoil.
    pub q: u32,
    /// Radius of the centre circle [m].
    pub major_radius: f64,
    /// Distance of the curve from the centre circle [m], below `major_radius`.
    pub minor_radius: f64,
    /// Radius of the tube [m].
    pub tube_radius: f64,
}

/// Measures of a spur gear with involute teeth.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Gear {
    /// Number of teeth, 5 to 2000. At a pressure angle of 20 degrees gears of 17 and more run together freely; smaller ones would
    /// have to be undercut, which these are not.
    pub teeth: u32,
    /// Pitch diameter over number of teeth [m]; gears of one module and pressure angle mesh.
    pub module: f64,
    /// Angle between the line of action and the common tangent of the pitch circles [degrees], 10 to 30. Default 20.
    #[serde(default = "usual_pressure_angle")]
    pub pressure_angle_deg: f64,
    /// By how much each tooth is thinner than half the pitch, along the pitch circle [m]. Default 0.
    #[serde(default)]
    pub backlash: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Radius of the hole [m]. Default 0: none.
    #[serde(default)]
    pub bore_radius: f64,
}

/// A helical thread; a bolt and a nut with the same one fit when their frames coincide.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Thread {
    /// Mean radius [m].
    pub radius: f64,
    /// Distance between neighbouring crests along the axis [m].
    pub pitch: f64,
    /// Half the difference between the radii of crest and root [m], below half the radius.
    pub amplitude: f64,
    /// Number of helices, 1 to 16; one turn advances by as many pitches. Default 1.
    #[serde(default = "one")]
    pub starts: u32,
}

/// Measures of a bolt.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Bolt {
    /// The thread, with its phase fixed to the bolt's frame.
    pub thread: Thread,
    /// Length of the threaded part [m].
    pub thread_length: f64,
    /// Length over which the thread runs out at either end [m], at most half the thread's length; 0 cuts it off. Default 0.
    #[serde(default)]
    pub fade: f64,
    /// Length of the plain part under the head, which has the radius of the crests [m]. Default 0.
    #[serde(default)]
    pub shank_length: f64,
    /// Height of the head [m]; 0 leaves head and shank away.
    pub head_height: f64,
    /// Width of the head across flats [m].
    pub head_width: f64,
}

/// Measures of a nut.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Nut {
    /// The bolt's thread.
    pub thread: Thread,
    /// Radial distance from the bolt's thread to the nut's [m]; may be 0.
    pub clearance: f64,
    /// Extent along the axis [m].
    pub height: f64,
    /// Width across flats [m].
    pub width: f64,
    /// Length over which the thread opens to the radius of its roots at either end [m], at most half the height; 0 cuts it
    /// off. Default 0.
    #[serde(default)]
    pub fade: f64,
}

fn usual_pressure_angle() -> f64 {
    20.0
}

fn one() -> u32 {
    1
}
