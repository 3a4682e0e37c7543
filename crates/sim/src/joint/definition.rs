//! A joint: its description, what a world keeps of it, and what changes from step to step.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::BodyId;
use crate::joint::kind::JointKind;
use crate::placement::Placement;

/// Index of a joint in its world, in the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointId(pub u32);

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
    /// Whether its drive asks for nothing but the rate that the halves have, as in a step without forces.
    pub(crate) keeps_rate: bool,
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

impl JointState {
    /// Takes its impulse as that of a step that is so many times as long.
    pub(crate) fn stretch(&mut self, times: f64) {
        self.force *= times;
        self.torque *= times;
    }
}

impl Joint {
    /// The same joint with a drive that keeps the rate that the halves have, as far as its strength goes.
    pub(crate) fn that_keeps_rate(&self) -> Self {
        Self { keeps_rate: true, ..self.clone() }
    }
}
