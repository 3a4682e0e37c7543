//! Force and torque of all patches of a pair of bodies.

use glam::{DMat3, DQuat, DVec3};
use smallvec::SmallVec;
use tactum_geometry::Pose;
use tactum_geometry::facets::{Patch, Touch};

use super::damper::Dampers;
use super::elastic::PairElastic;
use super::hold::{Pressed, Slip, StoredPatch, hold, inherited};
use super::springs::Springs;
use crate::twist::Twist;
use crate::{Body, BodyKind};

/// Where a body's centre of mass is, how it moves, and how it is turned.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Centre of mass, world \[m\].
    pub center: DVec3,
    /// Velocities, world axes.
    pub twist: Twist,
    orientation: DQuat,
    /// On the shape's axes, zero for a body that no force turns \[1/(kg m²)\].
    inverse_inertia: DMat3,
}

impl Motion {
    /// Of a body with this inverse inertia on its shape's axes.
    pub fn of(body: &Body, inverse_inertia: &DMat3) -> Self {
        let is_dynamic = body.kind == BodyKind::Dynamic;
        Self {
            center: body.position,
            twist: body.twist(),
            orientation: body.orientation,
            inverse_inertia: if is_dynamic { *inverse_inertia } else { DMat3::ZERO },
        }
    }

    /// Of a body at rest with its mesh's axes on the world's.
    #[cfg(test)]
    pub(super) fn still(center: DVec3, inverse_inertia: DMat3) -> Self {
        Self { center, twist: Twist::default(), orientation: DQuat::IDENTITY, inverse_inertia }
    }

    /// `τ · I⁻¹ τ` for a torque about the centre of mass.
    pub(super) fn yielding(&self, torque: DVec3) -> f64 {
        let own = self.orientation.conjugate() * torque;
        own.dot(self.inverse_inertia * own)
    }
}

/// What two bodies do to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Action {
    /// Force on B; the one on A is its negative \[N\].
    pub force: DVec3,
    /// Torques on A and on B about their centres of mass, world axes \[N m\].
    pub torques: [DVec3; 2],
    /// Stiffness against any shift, and coefficient of the dampers: no larger in any direction \[N/m, N s/m\].
    pub stiffness: f64,
    /// See `stiffness`.
    pub damper: f64,
    /// Its patches, nearly always one.
    pub patches: SmallVec<[PatchAction; 1]>,
}

/// A patch and what acts over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchAction {
    /// The patch, positions relative to A's origin.
    pub patch: Patch,
    /// Force on B at the patch's point, elastic and damping \[N\].
    pub force: DVec3,
    /// Torque on B about the patch's point \[N m\].
    pub torque: DVec3,
}

/// What patches come to after `dt` \[s\] in which the bodies have moved like this; `before` is what is remembered of the pair. What will be
/// takes the place of what `remembered` holds, whose memory it uses.
pub fn act(
    touch: &Touch,
    w_from_a: &Pose,
    motions: [Motion; 2],
    law: &PairElastic,
    dt: f64,
    before: &[StoredPatch],
    remembered: &mut SmallVec<[StoredPatch; 1]>,
) -> Action {
    let mut action = Action::default();
    let found = &touch.patches;
    let mut springs: SmallVec<[Springs; 1]> = remembered.drain(..).map(|patch| patch.springs).collect();
    let a_from_w = w_from_a.rotation.conjugate();
    let discs: SmallVec<[(DVec3, f64); 1]> =
        found.iter().map(|patch| (a_from_w * patch.point, patch.grip)).collect();
    let inherited = inherited(before, &discs);
    let dampers = Dampers::of(touch, w_from_a.translation, &motions, law);
    let met = dampers.met(dt);
    for ((patch, (point, _)), before) in found.iter().zip(discs).zip(inherited) {
        let at = w_from_a.translation + patch.point;
        let mut now = StoredPatch {
            point,
            normal: patch.normal,
            grip: patch.grip,
            springs: springs.pop().unwrap_or_default(),
        };
        let (mut force, mut torque) = (patch.force, patch.moment);
        if patch.grip > 0.0 {
            let slip = slip_at(at, motions);
            let by_restitution = dampers.at(patch, law);
            let damper = by_restitution + law.areal[0] * patch.area;
            force -= patch.normal * (damper * met * slip.linear.dot(patch.normal));
            torque += rocking(patch, slip.angular) * (damper * met);
            let shear_damper = by_restitution * law.shear_part().sqrt() + law.areal[1] * patch.area;
            let pressed = Pressed { patch, load: force.dot(patch.normal).max(0.0), damper: shear_damper };
            let (across, about) = hold(&mut now, before, &pressed, &slip, law, dt);
            force += across;
            torque += patch.normal * about;
            action.stiffness += law.stiffness(patch.grip, patch.area) * law.shear_part().max(1.0);
            action.damper += damper.max(shear_damper);
            remembered.push(now);
        }
        action.force += force;
        action.torques[0] -= (at - motions[0].center).cross(force) + torque;
        action.torques[1] += (at - motions[1].center).cross(force) + torque;
        action.patches.push(PatchAction { patch: *patch, force, torque });
    }
    action
}

/// Torque about a patch's point on B, over the dampers' coefficient, by a relative angular velocity \[m² rad/s\]: each of its discs has a part of the damper.
fn rocking(patch: &Patch, angular: DVec3) -> DVec3 {
    patch.normal.cross(patch.spread * patch.normal.cross(angular))
}

/// How B moves against A at a place of the world.
fn slip_at(at: DVec3, [a, b]: [Motion; 2]) -> Slip {
    let velocity = |body: &Motion| body.twist.linear + body.twist.angular.cross(at - body.center);
    Slip {
        linear: velocity(&b) - velocity(&a),
        angular: b.twist.angular - a.twist.angular,
        turning: 0.5 * (a.twist.angular + b.twist.angular),
    }
}
