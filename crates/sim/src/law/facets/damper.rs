//! What damps the approach of two bodies: how much of critical damping an impact's restitution takes, shared among their patches.

use glam::{DMat3, DVec3};
use tactum_geometry::facets::{Patch, Touch};

use super::act::Motion;
use super::elastic::PairElastic;

/// The dampers of all patches of a pair, each along its patch's normal.
///
/// Let the patches hold the energy U(d) where the bodies have come to each other by d, and press with the loads `F_i`, which sum up to F = dU/dd. Dampers that are
/// the loads times one number,
///
/// ```text
/// c_i = 2 β (F_i / F) sqrt(k m),    k = F² / (2 U),
/// ```
///
/// make `y = sqrt(2 U)` a linear oscillator whatever U(d) is: `y'' + 2 β y' + y = 0` in the time that passes by `sqrt(k / m)`. So an impact gives back the same part
/// e of its speed at any speed, between any shapes, with `β = -ln e / sqrt(π² + ln² e)` (Antypov and Elliott 2011 for a power of d).
///
/// The mass m is what answers the patches where they are: `1/m = P · M⁻¹ P` with the loads' wrench P over F, so that a body that is hit off its centre, and turns away, gives
/// back e there too. Where loads cancel, as of a body in a slot, P says nothing: 1/m is at least the mean square cosine of the angle between two of the normals, by loads, over
/// the reduced mass of both, which is right for patches that are parallel, opposite or at right angles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dampers {
    /// Coefficient over what a patch weighs ([`PairElastic::weight`]), of what restitution takes.
    per_weight: f64,
    /// Part of a velocity that all of them take in a unit of time \[1/s\].
    rate: f64,
}

impl Dampers {
    /// Of bodies that touch so and move so, the origin of A's mesh being somewhere in the world.
    pub fn of(touch: &Touch, origin: DVec3, motions: &[Motion; 2], law: &PairElastic) -> Self {
        let whole: f64 = gripping(touch).map(|patch| law.weight(patch)).sum();
        if whole <= 0.0 || (law.damping == 0.0 && law.areal[0] == 0.0) {
            return Self::default();
        }
        let (mut force, mut torques, mut normals) = (DVec3::ZERO, [DVec3::ZERO; 2], DMat3::ZERO);
        let (mut stiffness, mut area) = (0.0, 0.0);
        for patch in gripping(touch) {
            let push = patch.normal * (law.weight(patch) / whole);
            let at = origin + patch.point;
            force += push;
            torques = [0, 1].map(|i| torques[i] + (at - motions[i].center).cross(push));
            normals += outer(push, patch.normal);
            stiffness += law.stiffness(patch.grip, patch.area);
            area += patch.area;
        }
        let turning: f64 = motions.iter().zip(torques).map(|(motion, torque)| motion.yielding(torque)).sum();
        let square_cosine = normals.to_cols_array().iter().map(|x| x * x).sum::<f64>();
        let inverse_mass = (force.length_squared() / law.mass + turning).max(square_cosine / law.mass);
        let coefficient =
            2.0 * law.damping * (law.secant(whole, touch.energy, stiffness) / inverse_mass).sqrt();
        let rate = (coefficient + law.areal[0] * area) * inverse_mass;
        Self { per_weight: coefficient / whole, rate }
    }

    /// Coefficient of what restitution takes at a patch \[N s/m\].
    pub fn at(&self, patch: &Patch, law: &PairElastic) -> f64 {
        self.per_weight * law.weight(patch)
    }

    /// What acts of a damper before a kick that is `dt` \[s\] after the one before, over its coefficient.
    ///
    /// It acts on the mean of the velocities before and after, by which a velocity v becomes `D v + K`, K being the elastic kick and `D = (1 - g) / (1 + g)`, `g = c dt / 2m`.
    /// But for the ends of the contact, where g is nothing, that is half of the damper, the kick and the other half, with drifts longer by `1 + g`: as if the contact were so much
    /// stiffer, to which the damper goes as the root. What is at rest is not touched by it.
    pub fn met(&self, dt: f64) -> f64 {
        let part = self.rate * dt;
        let felt = 1.0 + 0.25 * part;
        felt / (1.0 + 0.5 * part * felt)
    }
}

fn gripping(touch: &Touch) -> impl Iterator<Item = &Patch> {
    touch.patches.iter().filter(|patch| patch.grip > 0.0)
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use smallvec::SmallVec;
    use tactum_geometry::facets::{Doubts, Pressure};

    use super::*;

    const MASS: f64 = 2.0;
    const DAMPING: f64 = 0.2;

    /// A foundation, whose patches are linear springs by their areas.
    fn law() -> PairElastic {
        PairElastic {
            pressure: Pressure::Linear { stiffness: 1e6 },
            modulus: 1e6,
            shear: 1e5,
            friction: 0.0,
            damping: DAMPING,
            areal: [0.0; 2],
            mass: MASS,
        }
    }

    /// A spring at a place, along a normal, pressed by so much.
    fn spring(point: DVec3, normal: DVec3, stiffness: f64, depth: f64) -> Patch {
        let force = normal * (stiffness * depth);
        Patch { point, normal, force, grip: 1.0, area: 1e-6 * stiffness, deepest: depth, ..Patch::default() }
    }

    fn touch(patches: &[Patch]) -> Touch {
        let energy = patches.iter().map(|patch| 0.5 * patch.force.length() * patch.deepest).sum();
        Touch {
            force: DVec3::ZERO,
            moment: DVec3::ZERO,
            energy,
            area: 0.0,
            n_facets: patches.len(),
            deepest: 0.0,
            doubts: Doubts::default(),
            patches: SmallVec::from_slice(patches),
            facets: Vec::new(),
        }
    }

    /// The part of critical damping that a motion of B by these velocities has.
    fn part(touch: &Touch, [shift, turn]: [DVec3; 2], inertia: f64) -> f64 {
        let still = Motion::still(DVec3::ZERO, DMat3::ZERO);
        let moves = Motion::still(DVec3::ZERO, DMat3::IDENTITY * inertia.recip());
        let dampers = Dampers::of(touch, DVec3::ZERO, &[still, moves], &law());
        let (mut spring, mut damper) = (0.0, 0.0);
        for patch in &touch.patches {
            let met = (shift + turn.cross(patch.point)).dot(patch.normal);
            spring += law().stiffness(patch.grip, patch.area) * met * met;
            damper += dampers.at(patch, &law()) * met * met;
        }
        let mass = MASS * shift.length_squared() + inertia * turn.length_squared();
        damper / (2.0 * (mass * spring).sqrt())
    }

    #[test]
    fn every_motion_that_bodies_are_pressed_by_has_its_part_of_critical_damping() {
        let (k, d) = (1e4, 1e-4);
        let up = DVec3::Z;
        let lift = [DVec3::Z, DVec3::ZERO];
        let along = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians()) * DVec3::Z;
        let one = touch(&[spring(DVec3::ZERO, up, k, d)]);
        let feet = touch(&[spring(DVec3::X * 0.3, up, k, d), spring(DVec3::X * -0.3, up, k, d)]);
        // A notch, whose sides share what presses.
        let notch = |degrees: f64| {
            let side = |degrees: f64| spring(DVec3::ZERO, along(degrees), k, d);
            touch(&[side(degrees), side(-degrees)])
        };
        let slot = touch(&[spring(DVec3::ZERO, DVec3::X, k, d), spring(DVec3::ZERO, DVec3::NEG_X, k, d)]);
        // A foot off the centre: B lifts and turns as the force has it.
        let (arm, inertia) = (0.2, 0.03);
        let aside = touch(&[spring(DVec3::X * arm, up, k, d)]);
        let turning = [DVec3::Z / MASS, DVec3::Y * (-arm / inertia)];
        for (name, touch, motion, inertia) in [
            ("one", &one, lift, 1.0),
            ("two feet", &feet, lift, 1.0),
            ("feet of which one is pressed more", &touch_of_unequal_feet(k, d), lift, 1e9),
            ("a notch of 60 degrees", &notch(30.0), lift, 1.0),
            ("a notch of 90 degrees", &notch(45.0), lift, 1.0),
            ("across a notch of 90 degrees", &notch(45.0), [DVec3::X, DVec3::ZERO], 1.0),
            ("a slot", &slot, [DVec3::X, DVec3::ZERO], 1.0),
            ("off the centre", &aside, turning, inertia),
        ] {
            let found = part(touch, motion, inertia);
            assert!((found / DAMPING - 1.0).abs() < 1e-9, "{name}: {found}");
        }
    }

    /// Two feet of which one is twice as stiff, pressed as deep.
    fn touch_of_unequal_feet(k: f64, d: f64) -> Touch {
        touch(&[spring(DVec3::X * 0.3, DVec3::Z, k, d), spring(DVec3::X * -0.3, DVec3::Z, 2.0 * k, d)])
    }

    #[test]
    fn no_rounding_of_the_energy_makes_a_damper_stronger_than_its_spring() {
        let pressed = touch(&[spring(DVec3::ZERO, DVec3::Z, 1e4, 1e-4)]);
        for energy in [0.0, 1e-300, pressed.energy] {
            let touch = Touch { energy, ..pressed.clone() };
            let found = part(&touch, [DVec3::Z, DVec3::ZERO], 1.0);
            assert!((found / DAMPING - 1.0).abs() < 1e-9, "{found} with {energy} J");
        }
    }
}
