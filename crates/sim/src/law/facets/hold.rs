//! What holds a patch across and about its normal up to the friction there is, and what is remembered of it.
//!
//! A patch goes on from the one of the step before it whose disc it meets, whatever facets they consist of. Its [`Springs`] hold it against sliding
//! and against turning about its normal, up to the [`Limit`] of both.

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use tactum_geometry::facets::Patch;

use super::elastic::PairElastic;
use super::limit::Limit;
use super::springs::Springs;
use crate::world::hash::StateHash;

/// A patch as it is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPatch {
    /// Where it is, in the frame of A's shape \[m\].
    pub point: DVec3,
    /// Its normal, world axes.
    pub normal: DVec3,
    /// Its grip \[m\].
    pub grip: f64,
    /// The springs that hold it.
    pub springs: Springs,
}

/// What is remembered of two bodies that touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredFacets {
    /// The bodies, the smaller index first.
    pub bodies: [u32; 2],
    /// Their patches, nearly always one.
    pub patches: SmallVec<[StoredPatch; 1]>,
    /// Greatest overlap of their facets \[m\].
    pub deepest: f64,
}

/// What a patch goes on from.
#[derive(Clone, Copy, Debug)]
pub struct Inherited<'a> {
    /// The patch of the step before.
    pub patch: &'a StoredPatch,
    /// The part of it that goes on here.
    pub share: f64,
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

/// A patch, and what bears on what holds it.
#[derive(Clone, Copy, Debug)]
pub struct Pressed<'a> {
    /// The patch.
    pub patch: &'a Patch,
    /// What presses it, dampers included \[N\].
    pub load: f64,
    /// Coefficient of the damper across the normal \[N s/m\].
    pub damper: f64,
}

impl StoredFacets {
    pub(crate) fn hash(&self, hash: &mut StateHash) {
        self.bodies.into_iter().for_each(|ix| hash.word(u64::from(ix)));
        hash.word(self.deepest.to_bits());
        for patch in &self.patches {
            [patch.point, patch.normal].into_iter().for_each(|v| hash.vector(v));
            patch.springs.hash(hash);
            hash.word(patch.grip.to_bits());
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.deepest.is_finite() && self.patches.iter().all(StoredPatch::is_finite)
    }
}

impl StoredPatch {
    /// Whether all of its numbers are some.
    pub fn is_finite(&self) -> bool {
        [self.point, self.normal].iter().all(|v| v.is_finite())
            && self.springs.is_finite()
            && self.grip.is_finite()
    }
}

/// What each of these discs goes on from, by their points of A's shape and radii: the remembered patch that it meets, the nearest of
/// them. A patch that has come apart is shared among those that go on from it by their radii, so that they hold no more than it did.
pub fn inherited<'a>(
    patches: &'a [StoredPatch],
    discs: &[(DVec3, f64)],
) -> SmallVec<[Option<Inherited<'a>>; 1]> {
    if let [disc] = discs {
        return smallvec![met(patches, *disc).map(|ix| Inherited { patch: &patches[ix], share: 1.0 })];
    }
    let met: Vec<Option<usize>> = discs.iter().map(|disc| met(patches, *disc)).collect();
    let mut taken = vec![0.0; patches.len()];
    for (ix, (_, radius)) in met.iter().zip(discs) {
        ix.iter().for_each(|ix| taken[*ix] += radius);
    }
    let of = |(ix, (_, radius)): (Option<usize>, &(DVec3, f64))| {
        ix.map(|ix| Inherited { patch: &patches[ix], share: radius / taken[ix] })
    };
    met.into_iter().zip(discs).map(of).collect()
}

/// The nearest patch that a disc meets.
fn met(patches: &[StoredPatch], (point, radius): (DVec3, f64)) -> Option<usize> {
    let distance = |patch: &StoredPatch| patch.point.distance(point);
    let near = patches.iter().enumerate().filter(|(_, patch)| distance(patch) <= radius + patch.grip);
    near.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(ix, _)| ix)
}

/// Force on B across the normal and torque about it, after `dt` \[s\] of a slip; `stored` becomes what is remembered, whatever
/// springs it had.
pub fn hold(
    stored: &mut StoredPatch,
    before: Option<Inherited<'_>>,
    &Pressed { patch, load, damper }: &Pressed<'_>,
    slip: &Slip,
    law: &PairElastic,
    dt: f64,
) -> (DVec3, f64) {
    // Nothing to hold with, and nothing to remember.
    if law.friction == 0.0 {
        stored.springs.clear();
        return (DVec3::ZERO, 0.0);
    }
    let unknown = StoredPatch { normal: patch.normal, ..StoredPatch::default() };
    let Inherited { patch: before, share } = before.unwrap_or(Inherited { patch: &unknown, share: 1.0 });
    let normal = patch.normal;
    let across = slip.linear - normal * normal.dot(slip.linear);
    // Turning as sliding of what is as far from the axis as the springs are in the mean.
    let moved = across + normal * (slip.angular.dot(normal) * patch.gyration);

    let stiffness = law.shear_stiffness(patch.grip, patch.area);
    let turned = DQuat::from_rotation_arc(before.normal, normal)
        * DQuat::from_axis_angle(normal, slip.turning.dot(normal) * dt);
    stored.springs.go_on_from(&before.springs, share, &DMat3::from_quat(turned), stiffness, -moved * dt);
    let (most, limit) = (law.friction * load, Limit { normal, lever: patch.lever / patch.gyration });
    let held = stored.springs.slip(most, &limit, |part| law.load_within(part));
    let held = limit.held(held - moved * damper, most);
    let about = held.dot(normal);
    (held - normal * about, about * patch.gyration)
}

#[cfg(test)]
mod tests {
    use tactum_geometry::facets::Pressure;
    use tactum_random::Rng;

    use super::*;

    fn law() -> PairElastic {
        PairElastic {
            pressure: Pressure::Hertz { modulus: 1e7 },
            modulus: 1e7,
            shear: 2e6,
            friction: 0.5,
            damping: 0.1,
            areal: [0.0; 2],
            mass: 1.0,
        }
    }

    /// A single disc.
    fn disc(normal: DVec3, grip: f64) -> Patch {
        let gyration = grip * (2.0_f64 / 3.0).sqrt();
        let lever = 3.0 * std::f64::consts::PI / 16.0 * grip;
        Patch { normal, grip, gyration, lever, area: grip * grip, ..Patch::default() }
    }

    /// A patch under a load, damped as a part of critically for a mass of 1 kg.
    fn pressed(patch: &Patch, load: f64, part: f64) -> Pressed<'_> {
        let damper = 2.0 * part * law().shear_stiffness(patch.grip, patch.area).sqrt();
        Pressed { patch, load, damper }
    }

    fn whole(patch: &StoredPatch) -> Inherited<'_> {
        Inherited { patch, share: 1.0 }
    }

    /// Grip, relative velocities and turning of a patch, sub-step by sub-step.
    fn history(rng: &mut Rng) -> Vec<(f64, Slip)> {
        let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| rng.range(-size, size)));
        let slip = |vector: &mut dyn FnMut(f64) -> DVec3| Slip {
            linear: vector(0.1),
            angular: vector(10.0),
            turning: vector(10.0),
        };
        (0..40).map(|_| (1e-3 * vector(1.0).length(), slip(&mut vector))).collect()
    }

    /// Force and torque after each part of a history, with what is given turned and the bodies swapped.
    fn held(history: &[(f64, Slip)], view: DQuat, swapped: bool) -> Vec<(DVec3, f64)> {
        let (dt, law) = (1e-4, law());
        let sign = if swapped { -1.0 } else { 1.0 };
        let mut normal = DVec3::Z;
        let mut before: Option<StoredPatch> = None;
        let mut all = Vec::new();
        for (grip, slip) in history {
            // The patch goes with the bodies' mean motion.
            normal = (DQuat::from_scaled_axis(slip.turning * dt) * normal).normalize();
            let seen = view * normal * sign;
            let slip = Slip {
                linear: view * slip.linear * sign,
                angular: view * slip.angular * sign,
                turning: view * slip.turning,
            };
            let patch = disc(seen, *grip);
            let mut now = StoredPatch { normal: seen, grip: *grip, ..StoredPatch::default() };
            let load = 1e7 * grip.powi(3) / 0.05;
            let (force, torque) =
                hold(&mut now, before.as_ref().map(whole), &pressed(&patch, load, 0.1), &slip, &law, dt);
            assert!(force.dot(seen).abs() <= 1e-12 * law.friction * load, "across the normal");
            assert!(force.length() <= law.friction * load * (1.0 + 1e-12), "within the friction");
            all.push((view.conjugate() * force * sign, torque));
            before = Some(now);
        }
        all
    }

    #[test]
    fn what_holds_is_the_same_from_everywhere_and_opposite_on_the_other_body() {
        let mut rng = Rng::new(11);
        for _ in 0..rng.cases(50) {
            let history = history(&mut rng);
            let here = held(&history, DQuat::IDENTITY, false);
            assert!(here.iter().any(|(force, _)| force.length() > 1e-3));
            let view = DQuat::from_scaled_axis(DVec3::new(0.3, -2.0, 1.1));
            for other in [held(&history, view, false), held(&history, DQuat::IDENTITY, true)] {
                for ((force, torque), (seen, about)) in here.iter().zip(other) {
                    assert!((*force - seen).length() < 1e-9, "{force}, not {seen}");
                    // Both sides of the normal change, so the torque about it stays.
                    assert!((torque - about).abs() < 1e-12, "{torque}, not {about}");
                }
            }
        }
    }

    #[test]
    fn a_drawn_patch_that_only_turns_keeps_its_pull() {
        let mut stored = StoredPatch::default();
        let patch = |normal: DVec3| disc(normal, 1e-3);
        let still = Slip { linear: DVec3::ZERO, angular: DVec3::ZERO, turning: DVec3::ZERO };
        let drawn = Slip { linear: DVec3::X * 1e-4, angular: DVec3::Z * 0.1, ..still };
        let (start, _) = hold(&mut stored, None, &pressed(&patch(DVec3::Z), 10.0, 0.1), &drawn, &law(), 1e-3);
        stored = StoredPatch { normal: DVec3::Z, grip: 1e-3, ..stored };
        let pull = stored.springs.force();
        assert!(start.x < 0.0 && pull.x < 0.0);
        let (turning, dt) = (DVec3::new(0.4, -0.7, 1.5), 1e-3);
        let mut normal = DVec3::Z;
        for _ in 0..1000 {
            normal = (DQuat::from_scaled_axis(turning * dt) * normal).normalize();
            let before = stored.clone();
            let slip = Slip { turning, ..still };
            hold(&mut stored, Some(whole(&before)), &pressed(&patch(normal), 10.0, 0.1), &slip, &law(), dt);
            stored.normal = normal;
        }
        let turned = DQuat::from_scaled_axis(turning) * pull;
        // The way of the normal over a curved course is taken in straight pieces.
        assert!((stored.springs.force() - turned).length() < 2e-3 * pull.length());
    }

    #[test]
    fn from_touch_to_parting_work_is_only_put_in() {
        let mut rng = Rng::new(7);
        for _ in 0..rng.cases(200) {
            let damping = rng.range(0.0, 0.5);
            let dt = rng.log_range(1e-6, 1e-2);
            let mut before: Option<StoredPatch> = None;
            let mut work = 0.0;
            for (grip, slip) in history(&mut rng) {
                let patch = disc(DVec3::Z, grip);
                let mut now = StoredPatch { normal: DVec3::Z, grip, ..StoredPatch::default() };
                let slip = Slip { turning: DVec3::ZERO, ..slip };
                let load = rng.range(0.0, 2e8) * grip.powi(3);
                let inherited = before.as_ref().map(whole);
                let (force, torque) =
                    hold(&mut now, inherited, &pressed(&patch, load, damping), &slip, &law(), dt);
                work -= (force.dot(slip.linear) + torque * slip.angular.z) * dt;
                // What the springs hold is still to be had.
                let held = now.springs.energy();
                assert!(work >= held * (1.0 - 1e-9) - 1e-18, "{work} J put in, {held} J held");
                before = Some(now);
            }
        }
    }

    #[test]
    fn a_patch_that_comes_apart_holds_no_more_than_before() {
        let still = Slip { linear: DVec3::ZERO, angular: DVec3::ZERO, turning: DVec3::ZERO };
        let drawn = Slip { linear: DVec3::X * 1e-4, angular: DVec3::Z, ..still };
        let patch = |grip: f64| disc(DVec3::Z, grip);
        let mut one = StoredPatch { normal: DVec3::Z, grip: 1e-3, ..StoredPatch::default() };
        hold(&mut one, None, &pressed(&patch(1e-3), 10.0, 0.1), &drawn, &law(), 1e-3);
        let stored = [one.clone()];
        let discs = [(DVec3::X * 6e-4, 7e-4), (DVec3::X * -8e-4, 3e-4), (DVec3::X * 1e-2, 1e-3)];
        let inherited = inherited(&stored, &discs);
        assert!(inherited[2].is_none(), "that lies elsewhere");
        let (mut force, mut twist, mut energy) = (DVec3::ZERO, 0.0, 0.0);
        for (inherited, (_, grip)) in inherited.into_iter().zip(discs).take(2) {
            let mut now = StoredPatch::default();
            // Each has its share of the load.
            let load = 10.0 * grip / 1e-3;
            hold(&mut now, inherited, &pressed(&patch(grip), load, 0.1), &still, &law(), 1e-3);
            force += now.springs.force();
            twist += now.springs.force().z * patch(grip).gyration;
            energy += now.springs.energy();
        }
        // Their stiffness is in the ratio of their grips, so nothing is cut off.
        assert!((force - one.springs.force()).length() < 1e-9 * one.springs.force().length());
        assert!(energy <= one.springs.energy() * (1.0 + 1e-9));
        // Narrower ones hold as well as one that is turned, but by less of a torque.
        assert!(twist.abs() > 0.0 && twist.abs() < one.springs.force().z.abs() * patch(1e-3).gyration);
    }
}
