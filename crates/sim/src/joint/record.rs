//! What is reported of a joint.

use serde::{Deserialize, Serialize};

use crate::JointId;

/// A joint of one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointRecord {
    /// Which joint.
    pub joint: JointId,
    /// Angle \[rad\] or travel \[m\] along its axis after the step; of a spherical joint the angle between its axes.
    pub coordinate: f64,
    /// Impulse on its second body at the second half's origin, in the joint's axes: force \[N s\], torque \[N m s\]; the
    /// first of each is along the axis.
    pub impulse: [f64; 6],
    /// Whether it broke in this step.
    pub broke: bool,
}

impl JointRecord {
    /// The same with impulses `factor` times as large.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { impulse: self.impulse.map(|x| factor * x), ..*self }
    }
}
