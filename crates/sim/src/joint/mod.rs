//! Joints: what holds two bodies together, or a body to the world.
//!
//! A joint is one block of rows of the contact solver, so that grasps, hinges and stacks are solved as one system. It is
//! made where the bodies stand; from then on each of them carries its half along. Joints hold at the end of a step and not
//! only to first order at its start (the SHAKE scheme of Ryckaert, Ciccotti and Berendsen 1977), so that a pendulum keeps
//! its energy over any number of swings.

mod check;
mod constraint;
mod motion;
mod offset;
mod step;
mod value_over_time;

use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use check::check_drive;
pub(crate) use constraint::Parts;
pub(crate) use motion::JointLaw;
pub use offset::Placement;
pub(crate) use step::{constraints, holding, report};
pub use value_over_time::ValueOverTime;

use crate::BodyId;
use crate::solver::Vec6;

/// Index of a joint in its world, in the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointId(pub u32);

/// How the two halves of a joint can move against each other.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// Not at all.
    Rigid,
    /// They turn about the anchor, in every direction.
    Spherical {
        /// Largest angle between the axes of the two halves \[rad\].
        limit: Option<f64>,
    },
    /// They turn about the axis.
    Revolute {
        /// Smallest and largest angle \[rad\]; it is 0 where the joint was made and counts full turns.
        limits: Option<[f64; 2]>,
        /// What turns it \[rad, N m\].
        drive: Option<Drive>,
    },
    /// They slide along the axis.
    Prismatic {
        /// Smallest and largest travel \[m\]; it is 0 where the joint was made.
        limits: Option<[f64; 2]>,
        /// What moves it \[m, N\].
        drive: Option<Drive>,
    },
}

/// What moves a joint along its axis. Values over time count from the world's start \[s\].
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Keeps to a speed as far as its strength goes; at speed 0 it is a brake, or dry friction.
    Motor {
        /// Speed of the second half against the first \[rad/s or m/s\].
        speed: ValueOverTime,
        /// Largest torque or force \[N m or N\]; infinite for a motor that always gets its way.
        strength: f64,
    },
    /// Pulls towards a position: proportional-derivative control, a spring with a damper. It is solved implicitly, so that
    /// it is stable however stiff.
    Servo {
        /// Wanted angle or travel \[rad or m\].
        target: ValueOverTime,
        /// Torque per angle or force per travel \[N m/rad or N/m\].
        stiffness: f64,
        /// Torque per angular velocity or force per velocity \[N m s/rad or N s/m\].
        damping: f64,
        /// Largest torque or force \[N m or N\].
        strength: f64,
    },
}

/// What is needed to put a joint into a world.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDesc {
    /// Name used in reports and errors; need not be unique.
    pub name: String,
    /// The body of the first half; `None` for the world.
    pub a: Option<BodyId>,
    /// The body of the second half.
    pub b: BodyId,
    /// How they can move.
    pub kind: JointKind,
    /// Where they are joined, world \[m\].
    pub anchor: DVec3,
    /// Axis of the joint, world, of any length but zero; by the right-hand rule, positive angles turn the second half.
    pub axis: DVec3,
    /// Whether the two bodies still touch each other.
    pub bodies_touch: bool,
    /// Force at which the joint breaks \[N\].
    pub break_force: Option<f64>,
    /// Torque about the anchor at which it breaks \[N m\].
    pub break_torque: Option<f64>,
}

/// A joint of a world.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name used in reports and errors.
    pub name: String,
    /// The body of the first half; `None` for the world.
    pub a: Option<BodyId>,
    /// The body of the second half.
    pub b: BodyId,
    /// How they can move.
    pub kind: JointKind,
    /// The halves' frames, each relative to its body's centre of mass along the axes of the body's shape, or to the world;
    /// x is the axis.
    pub halves: [Placement; 2],
    /// Whether the two bodies still touch each other.
    pub bodies_touch: bool,
    /// Force at which the joint breaks \[N\].
    pub break_force: f64,
    /// Torque about the anchor at which it breaks \[N m\].
    pub break_torque: f64,
}

/// What changes of a joint from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// Angle \[rad\] or travel \[m\] along the axis; of a spherical joint the angle between the halves' axes. Of a joint that
    /// has broken, what it was then.
    pub coordinate: f64,
    /// Impulse of the last step on the second body, world axes \[N s\].
    pub force: DVec3,
    /// Impulse of the last step on it about the second half's origin, world axes \[N m s\].
    pub torque: DVec3,
    /// Whether the joint has broken.
    pub broken: bool,
}

/// Why a joint cannot be put into a world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JointError {
    /// The id is not of this world.
    #[error("there is no joint {found}, the world has {needed}")]
    Unknown {
        /// The index given.
        found: u32,
        /// Number of joints of the world.
        needed: usize,
    },
    /// A body is not of this world.
    #[error("joint '{joint}': there is no body {found}, the world has {needed}")]
    UnknownBody {
        /// Name of the joint.
        joint: String,
        /// The index given.
        found: u32,
        /// Number of bodies of the world.
        needed: usize,
    },
    /// Both halves are of one body.
    #[error("joint '{joint}' joins the body '{body}' to itself")]
    SameBody {
        /// Name of the joint.
        joint: String,
        /// Name of the body.
        body: String,
    },
    /// Nothing can move.
    #[error("joint '{joint}' joins nothing dynamic, so it has no effect; make one of its bodies dynamic")]
    NothingDynamic {
        /// Name of the joint.
        joint: String,
    },
    /// The axis has no direction.
    #[error("joint '{joint}': the axis is {found}, but needs a direction")]
    Axis {
        /// Name of the joint.
        joint: String,
        /// What was given.
        found: String,
    },
    /// A number is out of its range.
    #[error("joint '{joint}': {what} is {found}, but needs {needed}")]
    Range {
        /// Name of the joint.
        joint: String,
        /// Which quantity.
        what: &'static str,
        /// What was given.
        found: String,
        /// The range, in words.
        needed: &'static str,
    },
    /// A drive was given to a joint without an axis to drive.
    #[error("joint '{joint}' is neither revolute nor prismatic, so it has no drive")]
    NoDrive {
        /// Name of the joint.
        joint: String,
    },
}

impl JointKind {
    /// Which rows are locked, in the order of a twist along the joint's axes.
    pub(crate) fn locked(&self) -> [bool; 6] {
        match self {
            Self::Rigid => [true; 6],
            Self::Spherical { .. } => [true, true, true, false, false, false],
            Self::Revolute { .. } => [true, true, true, false, true, true],
            Self::Prismatic { .. } => [false, true, true, true, true, true],
        }
    }

    /// A twist or wrench without its rows that are not locked.
    pub(crate) fn on_locked(&self, v: &Vec6) -> Vec6 {
        let locked = self.locked();
        Vec6(std::array::from_fn(|i| if locked[i] { v[i] } else { 0.0 }))
    }

    /// Smallest and largest coordinate \[rad or m\].
    pub(crate) fn limits(&self) -> Option<[f64; 2]> {
        match self {
            Self::Rigid => None,
            Self::Spherical { limit } => limit.map(|limit| [f64::NEG_INFINITY, limit]),
            Self::Revolute { limits, .. } | Self::Prismatic { limits, .. } => *limits,
        }
    }

    /// What moves the joint.
    pub fn drive(&self) -> Option<&Drive> {
        match self {
            Self::Revolute { drive, .. } | Self::Prismatic { drive, .. } => drive.as_ref(),
            Self::Rigid | Self::Spherical { .. } => None,
        }
    }

    /// The place of the drive, in joints that can have one.
    pub(crate) fn drive_mut(&mut self) -> Option<&mut Option<Drive>> {
        match self {
            Self::Revolute { drive, .. } | Self::Prismatic { drive, .. } => Some(drive),
            Self::Rigid | Self::Spherical { .. } => None,
        }
    }
}
