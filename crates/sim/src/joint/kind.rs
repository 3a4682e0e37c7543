//! How the halves of a joint can move against each other, and what moves them.

use crate::joint::value_over_time::ValueOverTime;
use crate::solver::Vec6;

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

impl Drive {
    /// The same drive that asks for one position or speed at all times \[rad, m, rad/s or m/s\].
    #[must_use]
    pub fn asking_for(&self, wanted: f64) -> Self {
        let mut drive = self.clone();
        let (Self::Motor { speed: over_time, .. } | Self::Servo { target: over_time, .. }) = &mut drive;
        *over_time = ValueOverTime::constant(wanted);
        drive
    }

    /// Whether it asks for something else after a time \[s\].
    pub(crate) fn changes_after(&self, time: f64) -> bool {
        let (Self::Motor { speed: wanted, .. } | Self::Servo { target: wanted, .. }) = self;
        wanted.changes_after(time)
    }
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
