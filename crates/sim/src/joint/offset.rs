//! Where the two halves of a joint stand to each other, and by how much that breaks the joint.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::joint::kind::JointKind;
use crate::placement::Placement;
use crate::solver::Vec6;

/// Pose of the second half of a joint in the frame of the first; the joint's axis is x in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset(Placement);

impl Offset {
    /// The offset of halves that stand so in the world.
    pub fn between(a: &Placement, b: &Placement) -> Self {
        Self(a.locate(b))
    }

    /// What the locked rows want to be zero, in the order of a twist \[m, rad\]; the other rows hold anything. Its rate is,
    /// to first order about zero, the relative twist at the second half's origin along the first half's axes.
    pub fn error(&self, kind: &JointKind) -> Vec6 {
        let Placement { origin, rotation } = self.0;
        let turned = match kind {
            JointKind::Rigid | JointKind::Prismatic { .. } => rotation_vector(rotation),
            JointKind::Revolute { .. } | JointKind::Spherical { .. } => self.swing(),
        };
        Vec6::from_parts(origin, turned)
    }

    /// Travel along the axis \[m\], or the angle about it nearest to `near`, or for a spherical joint the angle between the
    /// two axes \[rad\].
    pub fn coordinate(&self, kind: &JointKind, near: f64) -> f64 {
        match kind {
            JointKind::Rigid => 0.0,
            JointKind::Prismatic { .. } => self.0.origin.x,
            JointKind::Revolute { .. } => {
                let angle = 2.0 * self.0.rotation.x.atan2(self.0.rotation.w);
                angle + TAU * ((near - angle) / TAU).round()
            }
            JointKind::Spherical { .. } => {
                let sine = self.swing().length();
                sine.atan2((self.0.rotation * DVec3::X).x)
            }
        }
    }

    /// The direction of motion along which the coordinate grows, a unit twist; `None` where it has none.
    pub fn axis(&self, kind: &JointKind) -> Option<Vec6> {
        match kind {
            JointKind::Rigid => None,
            JointKind::Prismatic { .. } => Some(Vec6::from_parts(DVec3::X, DVec3::ZERO)),
            JointKind::Revolute { .. } => Some(Vec6::from_parts(DVec3::ZERO, DVec3::X)),
            JointKind::Spherical { .. } => {
                self.swing().try_normalize().map(|axis| Vec6::from_parts(DVec3::ZERO, axis))
            }
        }
    }

    /// `x_a × x_b`: the axis about which the second half's axis has turned away, times the sine of the angle.
    fn swing(&self) -> DVec3 {
        DVec3::X.cross(self.0.rotation * DVec3::X)
    }
}

/// Axis times angle, the shorter way round \[rad\].
fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let sine = q.xyz().length();
    // 2 atan(s/w) = 2 s/w to the last bits for s < 1e-6.
    q.xyz() * if sine < 1e-6 { 2.0 / q.w } else { 2.0 * sine.atan2(q.w) / sine }
}
