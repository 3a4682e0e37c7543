//! Force and torque of all patches of a pair of bodies.

use glam::DVec3;
use smallvec::SmallVec;
use tactum_geometry::Pose;
use tactum_geometry::facets::Patch;

use super::elastic::PairElastic;
use super::hold::{Slip, StoredPatch, hold, inherited};
use super::springs::Springs;
use crate::twist::Twist;

/// Where a body's centre of mass is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Centre of mass, world \[m\].
    pub center: DVec3,
    /// Velocities, world axes.
    pub twist: Twist,
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
    found: &[Patch],
    w_from_a: &Pose,
    motions: [Motion; 2],
    law: &PairElastic,
    dt: f64,
    before: &[StoredPatch],
    remembered: &mut SmallVec<[StoredPatch; 1]>,
) -> Action {
    let mut action = Action::default();
    let mut springs: SmallVec<[Springs; 1]> = remembered.drain(..).map(|patch| patch.springs).collect();
    let a_from_w = w_from_a.rotation.conjugate();
    let discs: SmallVec<[(DVec3, f64); 1]> =
        found.iter().map(|patch| (a_from_w * patch.point, patch.grip)).collect();
    let inherited = inherited(before, &discs);
    let whole: f64 = found.iter().map(|patch| law.stiffness(patch.grip, patch.area)).sum();
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
            let stiffness = law.stiffness(patch.grip, patch.area);
            let law = &law.bearing(stiffness / whole);
            let damper = law.normal_damper(stiffness, patch.area);
            let met = law.met_damper(damper, dt);
            force -= patch.normal * (met * slip.linear.dot(patch.normal));
            torque += rocking(patch, slip.angular) * met;
            let load = force.dot(patch.normal).max(0.0);
            let (across, about) = hold(&mut now, before, patch, &slip, load, law, dt);
            force += across;
            torque += patch.normal * about;
            let shear = law.shear_stiffness(patch.grip, patch.area);
            action.stiffness += stiffness.max(shear);
            action.damper += damper.max(law.shear_damper(shear, patch.area));
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
