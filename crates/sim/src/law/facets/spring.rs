//! What holds a patch across and about its normal: springs up to the friction there is, and what is remembered of them.
//!
//! The springs' forces are stored, not their lengths. While a patch grows, its stiffness acts on what it is moved from then on;
//! while it shrinks, its force falls with the stiffness: so nothing is gained by pressing and letting go (Thornton, Cummins and Cleary
//! 2013). A patch goes on from the one of the step before it whose disc it meets, whatever facets they consist of.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::elastic::PairElastic;
use super::patch::Patch;
use crate::world::hash::StateHash;

/// A patch as it is remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPatch {
    /// Where it is, in the frame of A's shape \[m\].
    pub point: DVec3,
    /// Its normal, world axes.
    pub normal: DVec3,
    /// Its grip \[m\] and area \[m²\].
    pub grip: f64,
    /// See `grip`.
    pub area: f64,
    /// Force of the spring across on B, world axes \[N\].
    pub pull: DVec3,
    /// Torque of the spring about the normal on B \[N m\].
    pub twist: f64,
}

/// What is remembered of two bodies that touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredFacets {
    /// The bodies, the smaller index first.
    pub bodies: [u32; 2],
    /// Their patches.
    pub patches: Vec<StoredPatch>,
}

/// How B moves against A at a patch, world axes.
#[derive(Clone, Copy, Debug)]
pub struct Slip {
    /// Relative velocity \[m/s\] and angular velocity \[rad/s\].
    pub linear: DVec3,
    /// See `linear`.
    pub angular: DVec3,
    /// Mean angular velocity of both, with which the patch turns \[rad/s\].
    pub turning: DVec3,
}

impl StoredFacets {
    /// The remembered patch that a disc about a point of A's shape meets, the nearest of them.
    pub fn meets(&self, point: DVec3, radius: f64) -> Option<&StoredPatch> {
        let distance = |patch: &StoredPatch| patch.point.distance(point);
        let near = self.patches.iter().filter(|patch| distance(patch) <= radius + patch.grip);
        near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    pub(crate) fn hash(&self, hash: &mut StateHash) {
        self.bodies.into_iter().for_each(|ix| hash.word(u64::from(ix)));
        for patch in &self.patches {
            [patch.point, patch.normal, patch.pull].into_iter().for_each(|v| hash.vector(v));
            [patch.grip, patch.area, patch.twist].into_iter().for_each(|x| hash.word(x.to_bits()));
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.patches.iter().all(|patch| {
            [patch.point, patch.normal, patch.pull].iter().all(|v| v.is_finite())
                && [patch.grip, patch.area, patch.twist].iter().all(|x| x.is_finite())
        })
    }
}

/// Force on B across the normal and torque about it under a load \[N\], after `dt` \[s\] of a slip; `stored` becomes what is remembered.
pub fn hold(
    stored: &mut StoredPatch,
    before: Option<&StoredPatch>,
    patch: &Patch,
    slip: &Slip,
    load: f64,
    law: &PairElastic,
    dt: f64,
) -> (DVec3, f64) {
    let before = before.copied().unwrap_or(StoredPatch { normal: patch.normal, ..StoredPatch::default() });
    let normal = patch.normal;
    let across = |v: DVec3| v - normal * normal.dot(v);

    let stiffness = law.shear_stiffness(patch.grip, patch.area);
    let kept = kept(stiffness, law.shear_stiffness(before.grip, before.area));
    let turned = DQuat::from_rotation_arc(before.normal, normal)
        * DQuat::from_axis_angle(normal, slip.turning.dot(normal) * dt);
    let moved = across(turned * before.pull) * kept - across(slip.linear) * (stiffness * dt);
    let most = law.friction * load;
    stored.pull = moved.clamp_length_max(most);
    let damper = law.shear_damper(stiffness, patch.area);
    let force = (stored.pull - across(slip.linear) * damper).clamp_length_max(most);

    // Of a disc of radius a the stiffness is 16/3 G* a³, that across times 2/3 a²; Hertz' pressure holds 3 π / 16 μ N a.
    let about = 2.0 / 3.0 * patch.grip * patch.grip;
    let twisted = before.twist * kept * (patch.grip / before.grip.max(patch.grip)).powi(2)
        - slip.angular.dot(normal) * about * stiffness * dt;
    let most = 3.0 * PI / 16.0 * most * patch.grip;
    stored.twist = twisted.clamp(-most, most);
    let damped = stored.twist - slip.angular.dot(normal) * about * damper;
    (force, damped.clamp(-most, most))
}

/// What is left of a spring's force when its stiffness has become another one.
fn kept(stiffness: f64, before: f64) -> f64 {
    if before > stiffness { stiffness / before } else { 1.0 }
}
