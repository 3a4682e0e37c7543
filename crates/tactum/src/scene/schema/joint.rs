//! Joints of a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MAX_NAME;
use tactum_geometry::words;

/// What holds two bodies together, or a body to the world, from where they stand at the start.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpec {
    /// Name for reports and expectations.
    #[schemars(length(max = MAX_NAME), regex(pattern = words::NAME))]
    pub name: String,
    /// Names of the two bodies; one name joins that body to the world. Copies are named with their number: "link-3".
    #[schemars(inner(length(max = MAX_NAME), regex(pattern = words::NAME)))]
    pub bodies: Vec<String>,
    /// How they can move against each other: "rigid", or a table with one key such as { revolute = {} }.
    pub kind: JointKindSpec,
    /// Where they are joined, in the world at the start [m].
    pub anchor: [f64; 3],
    /// Axis of the joint, in the world at the start, of any length but zero. By the right-hand rule, positive angles turn
    /// the second body against the first. Default [0, 0, 1].
    #[serde(default = "default_axis")]
    pub axis: [f64; 3],
    /// Whether the two bodies still touch each other. Default false.
    #[serde(default)]
    pub touch: bool,
    /// Force at which the joint breaks [N]. Default: it does not.
    pub break_force: Option<f64>,
    /// Torque about the anchor at which it breaks [N m]. Default: it does not.
    pub break_torque: Option<f64>,
}

fn default_axis() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

/// How the bodies of a joint can move against each other.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointKindSpec {
    /// Not at all.
    Rigid,
    /// They turn about the anchor in every direction, as on a ball.
    Spherical(SphericalSpec),
    /// They turn about the axis, as on a hinge.
    Revolute(RevoluteSpec),
    /// They slide along the axis.
    Prismatic(PrismaticSpec),
}

/// A ball joint.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SphericalSpec {
    /// Largest angle between the axes of the two bodies, up to 180 [degrees]. Default: any.
    pub limit_deg: Option<f64>,
}

/// A hinge.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RevoluteSpec {
    /// Smallest and largest angle, about 0 at the start [degrees]. Default: any, and full turns count.
    pub limits_deg: Option<[f64; 2]>,
    /// Keeps to a speed.
    pub motor: Option<TurningMotorSpec>,
    /// Pulls towards an angle.
    pub servo: Option<TurningServoSpec>,
}

/// A slide.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PrismaticSpec {
    /// Smallest and largest extension, about 0 at the start [m]. Default: any.
    pub limits: Option<[f64; 2]>,
    /// Keeps to a speed.
    pub motor: Option<SlidingMotorSpec>,
    /// Pulls towards an extension.
    pub servo: Option<SlidingServoSpec>,
}

/// A motor about an axis; at speed 0 it is a brake, or dry friction.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurningMotorSpec {
    /// Speed of the second body against the first [rad/s]; a number, or a list of [time, value] with straight lines between.
    pub speed: ValueOverTimeSpec,
    /// Largest torque [N m]. Default: whatever it takes.
    pub max_torque: Option<f64>,
}

/// A motor along an axis; at speed 0 it is a brake, or dry friction.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlidingMotorSpec {
    /// Speed of the second body against the first [m/s]; a number, or a list of [time, value] with straight lines between.
    pub speed: ValueOverTimeSpec,
    /// Largest force [N]. Default: whatever it takes.
    pub max_force: Option<f64>,
}

/// Proportional-derivative control of an angle: a spring and a damper.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurningServoSpec {
    /// Wanted angle [degrees]; a number, or a list of [time, value] with straight lines between.
    pub target_deg: ValueOverTimeSpec,
    /// Torque per angle [N m/rad].
    pub stiffness: f64,
    /// Torque per angular velocity [N m s/rad]. Default 0.
    #[serde(default)]
    pub damping: f64,
    /// Largest torque [N m]. Default: any.
    pub max_torque: Option<f64>,
}

/// Proportional-derivative control of an extension: a spring and a damper.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlidingServoSpec {
    /// Wanted extension [m]; a number, or a list of [time, value] with straight lines between.
    pub target: ValueOverTimeSpec,
    /// Force per extension [N/m].
    pub stiffness: f64,
    /// Force per velocity [N s/m]. Default 0.
    #[serde(default)]
    pub damping: f64,
    /// Largest force [N]. Default: any.
    pub max_force: Option<f64>,
}

/// A value over time.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number, or a list of [time, value] pairs")]
pub enum ValueOverTimeSpec {
    /// The same at all times.
    Constant(f64),
    /// Values at times [s] since the start, in order: straight between them, constant before and after; two values at one
    /// time are a jump.
    Points(Vec<[f64; 2]>),
}
