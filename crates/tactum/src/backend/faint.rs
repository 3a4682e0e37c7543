//! Which pairs act on each other so weakly that 32 bits do not know how much.
//!
//! Places are rounded by some 4.2e-8 of two bodies' sizes, as if they lay elsewhere by so much. That matters where the force that it makes, the
//! contact's stiffness times it, is no longer small beside what moves the bodies: what they press each other by, or their weights and the
//! forces from outside. Two grains that hardly touch in a heap are pressed by next to nothing, and no rounding of it moves them; a steel ball that
//! rests on a plate by its weight is pressed by all that it weighs over a depth that is a millionth of it.

use std::f64::consts::PI;

use glam::DVec3;
use tactum_geometry::facets::Pressure;
use tactum_sim::law::facets::{Moving, MovingPair};

/// By how much places are rounded at worst, in sizes of two bodies: as of the balls that `tactum_geometry::facets` was tried on.
const ROUNDING: f64 = 4.2e-8;

/// What rounding may be of the force: so much is left of Hertz' where the depth is 1e-5 of the sizes.
const PART: f64 = 0.0063;

/// Whether rounding may be more than a hundredth or so of what two bodies of this size do to each other, and of all else that acts on them; `meeting` is
/// the middle of what their boxes have in common, or of the gap between these.
pub fn is_faint(pair: &MovingPair, [a, b]: [&Moving; 2], size: f64, meeting: DVec3) -> bool {
    let curvature: f64 = pair.meshes.iter().map(|mesh| mesh.least_curvature()).sum();
    let curvature = curvature.max(size.recip());
    // What draws at a distance changes over that distance, not over the overlap.
    let depth = depth_of(pair, [a, b], curvature, meeting) + pair.margins.gap;
    let [force, stiffness] = answer_to(&pair.law.pressure, depth, curvature);
    let weight = [a, b].into_iter().filter(|body| body.is_dynamic);
    let weight =
        weight.map(|body| body.acceleration.length() / body.inverse_mass).fold(f64::INFINITY, f64::min);
    stiffness * ROUNDING * size > PART * force.max(weight)
}

/// How deep two bodies are in each other, or would be pressed by what draws them together or by their speed \[m\].
fn depth_of(pair: &MovingPair, [a, b]: [&Moving; 2], curvature: f64, meeting: DVec3) -> f64 {
    let law = &pair.law;
    let speed = approach(pair, [a, b], meeting);
    let load = law.mass * (b.acceleration - a.acceleration).length();
    let energy = 0.5 * law.mass * speed * speed;
    let [by_load, by_speed] = match law.pressure {
        // Force π s d² / k, energy π s d³ / (3 k).
        Pressure::Linear { stiffness } => {
            let s = PI * stiffness / curvature;
            [(load / s).sqrt(), (3.0 * energy / s).cbrt()]
        }
        // Force 4/3 E* d^1.5 / √k, energy 8/15 E* d^2.5 / √k.
        Pressure::Hertz { modulus }
        | Pressure::Jkr { modulus, .. }
        | Pressure::MaugisDugdale { modulus, .. } => {
            let e = modulus / curvature.sqrt();
            [(0.75 * load / e).powf(2.0 / 3.0), (1.875 * energy / e).powf(0.4)]
        }
    };
    // Hertz' a² = d / k.
    let grips = pair.stored.iter().flatten().map(|patch| patch.grip * patch.grip * curvature);
    grips.fold(by_load.max(by_speed), f64::max)
}

/// How fast two bodies come at each other where they touch, or else where they may come to \[m/s\]: what spins or slides along does not press.
///
/// Without a touch the way is told by where the boxes meet, from there to the middle of the smaller body; the less that is beside its reach, as where one
/// box holds the other, the more of the speed across counts too.
fn approach(pair: &MovingPair, [a, b]: [&Moving; 2], meeting: DVec3) -> f64 {
    let speed_at = |place: DVec3| {
        let of = |body: &Moving| body.velocity + body.angular.cross(place - body.center);
        of(b) - of(a)
    };
    let patches = pair.stored.iter().flatten();
    let pressed = patches.map(|patch| speed_at(a.w_from_shape.point(patch.point)).dot(patch.normal).abs());
    pressed.reduce(f64::max).unwrap_or_else(|| {
        let smaller = if a.reach < b.reach { a } else { b };
        let arm = smaller.center - meeting;
        let speed = speed_at(meeting);
        let along = speed.dot(arm.normalize_or_zero());
        let unsure = (1.0 - arm.length_squared() / (smaller.reach * smaller.reach)).max(0.0);
        (along * along + unsure * (speed.length_squared() - along * along)).sqrt()
    })
}

/// Force \[N\] and stiffness \[N/m\] of a contact this deep \[m\], drawn by nothing.
fn answer_to(pressure: &Pressure, depth: f64, curvature: f64) -> [f64; 2] {
    match *pressure {
        Pressure::Linear { stiffness } => {
            let s = PI * stiffness / curvature;
            [s * depth * depth, 2.0 * s * depth]
        }
        Pressure::Hertz { modulus }
        | Pressure::Jkr { modulus, .. }
        | Pressure::MaugisDugdale { modulus, .. } => {
            let e = modulus / curvature.sqrt();
            [4.0 / 3.0 * e * depth.powf(1.5), 2.0 * e * depth.sqrt()]
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DMat3;
    use tactum_geometry::facets::{Margins, RoundedMesh, Rounding};
    use tactum_geometry::mesh::generate;
    use tactum_geometry::{Pose, Solid};
    use tactum_sim::law::facets::{PairElastic, Springs, StoredPatch};

    use super::*;

    const RADIUS: f64 = 0.01;
    const MASS: f64 = 0.03;
    const SIZE: f64 = 0.05;
    const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

    fn ball() -> Moving {
        Moving {
            w_from_shape: Pose::IDENTITY,
            center: DVec3::ZERO,
            velocity: DVec3::ZERO,
            angular: DVec3::ZERO,
            is_dynamic: true,
            inverse_mass: MASS.recip(),
            inverse_inertia: DMat3::IDENTITY,
            momentum: DVec3::ZERO,
            acceleration: GRAVITY,
            torque: DVec3::ZERO,
            reach: RADIUS,
            allowance: 0.0,
            lightness: MASS.recip(),
        }
    }

    fn fixed() -> Moving {
        Moving { is_dynamic: false, inverse_mass: 0.0, acceleration: DVec3::ZERO, ..ball() }
    }

    /// Two balls, or one on something fixed.
    fn pair(modulus: f64, mass: f64) -> MovingPair {
        let solid = Solid::new(generate::sphere(RADIUS, 80).expect("a ball")).expect("a solid");
        let mesh = RoundedMesh::new(Arc::new(solid), &Rounding::Uniform(RADIUS.recip())).expect("caps");
        let mesh = Arc::new(mesh);
        MovingPair {
            bodies: [0, 1],
            meshes: [mesh.clone(), mesh],
            law: PairElastic {
                pressure: Pressure::Hertz { modulus },
                modulus,
                shear: modulus,
                friction: 0.5,
                damping: 0.0,
                areal: [0.0; 2],
                mass,
            },
            margins: Margins { depth: 1e-4, gap: 0.0, skin: 0.0 },
            stored: None,
        }
    }

    /// Where boxes meet of balls side by side along x, the second of which is at the origin.
    const BESIDE: DVec3 = DVec3::new(-RADIUS, 0.0, 0.0);

    /// Depth at which Hertz' force on two such balls is a load.
    fn depth_under(load: f64, modulus: f64) -> f64 {
        (0.75 * load / modulus / (0.5 * RADIUS).sqrt()).powf(2.0 / 3.0)
    }

    #[test]
    fn what_lies_by_its_weight_is_faint_where_that_presses_it_a_hundred_thousandth_of_the_sizes() {
        // At this modulus it is just so much; rounding is by then 1.5 · 4.2e-8 / 1e-5 of the force.
        let just = 0.75 * MASS * 9.81 / (1e-5 * SIZE).powf(1.5) / (0.5 * RADIUS).sqrt();
        assert!((depth_under(MASS * 9.81, just) / SIZE - 1e-5).abs() < 1e-12);
        for (modulus, faint) in [(0.97 * just, false), (1.03 * just, true), (1e6, false), (2e11, true)] {
            let found = is_faint(&pair(modulus, MASS), [&fixed(), &ball()], SIZE, BESIDE);
            assert_eq!(found, faint, "{modulus:e} Pa, {:e} deep", depth_under(MASS * 9.81, modulus));
        }
        // A hundredth as heavy it is just so much at a hundredth of the modulus.
        let light = Moving { inverse_mass: 100.0 / MASS, ..ball() };
        for (modulus, faint) in [(0.0097 * just, false), (0.0103 * just, true)] {
            assert_eq!(is_faint(&pair(modulus, 0.01 * MASS), [&fixed(), &light], SIZE, BESIDE), faint);
        }
    }

    #[test]
    fn grains_side_by_side_are_not_faint_however_little_they_press_beside_their_weights() {
        let (a, b) = (ball(), ball());
        for modulus in [1e5, 1e7, 1e11] {
            let mut side_by_side = pair(modulus, 0.5 * MASS);
            assert!(!is_faint(&side_by_side, [&a, &b], SIZE, BESIDE), "apart, {modulus:e} Pa");
            // Of what is remembered of them: the depth, by Hertz' a² = R* d.
            let mut with_depth = |depth: f64| {
                let patch = StoredPatch {
                    point: DVec3::ZERO,
                    normal: DVec3::X,
                    grip: (0.5 * RADIUS * depth).sqrt(),
                    springs: Springs::default(),
                };
                side_by_side.stored = Some(std::iter::once(patch).collect());
                is_faint(&side_by_side, [&a, &b], SIZE, BESIDE)
            };
            assert!(!with_depth(1.1e-5 * SIZE), "deep enough by itself");
            // Rounding of 4.2e-8 of the sizes is 0.0063 of the weight at this depth.
            let most = (0.0063 * MASS * 9.81 / (4.2e-8 * SIZE) / (2.0 * modulus)).powi(2) / (0.5 * RADIUS);
            assert!(!with_depth(0.9 * most));
            assert_eq!(with_depth(1.1 * most), 1.1 * most < 1e-5 * SIZE);
        }
    }

    #[test]
    fn without_weight_it_is_the_speed_that_presses() {
        let still = Moving { acceleration: DVec3::ZERO, ..ball() };
        let going = |speed: f64| Moving { velocity: DVec3::X * speed, ..still.clone() };
        let modulus = 1e9;
        let pair = pair(modulus, 0.5 * MASS);
        // Energy m v²/2 = 8/15 E* √R* d^2.5.
        let just = 1e-5 * SIZE;
        let energy = 8.0 / 15.0 * modulus * (0.5 * RADIUS).sqrt() * just.powf(2.5);
        let speed = (2.0 * energy / (0.5 * MASS)).sqrt();
        let faint = |a: &Moving, b: &Moving| is_faint(&pair, [a, b], SIZE, BESIDE);
        for (factor, expected) in [(0.95, true), (1.05, false), (0.0, false)] {
            assert_eq!(faint(&still, &going(factor * speed)), expected, "{factor} of {speed:e} m/s");
        }
        // What spins does not press, nor what goes by; what is turned on a long arm does.
        let comes = going(0.95 * speed);
        let spins = |angular: DVec3| Moving { angular, ..comes.clone() };
        assert!(faint(&still, &spins(DVec3::new(3.0, 100.0, -30.0))));
        assert!(faint(&still, &Moving { velocity: comes.velocity + DVec3::Y * 10.0, ..comes.clone() }));
        let far = DVec3::new(-RADIUS, 1.0, 0.0);
        let swings = Moving { center: far, reach: 1.0, angular: DVec3::NEG_Z * speed, ..still.clone() };
        assert!(!faint(&swings, &comes));
        // Where the boxes do not tell the way, any speed may press.
        let by = Moving { velocity: DVec3::Y * 1.05 * speed, ..still.clone() };
        assert!(!is_faint(&pair, [&still, &by], SIZE, DVec3::ZERO));
        assert_eq!(depth_of(&pair, [&still, &by], 2.0 / RADIUS, BESIDE), 0.0);
        // A spring foundation: π s R* d³ / 3.
        let foundation = PairElastic { pressure: Pressure::Linear { stiffness: 1e10 }, ..pair.law };
        let pair = MovingPair { law: foundation, ..pair };
        let just = 2.0 * 4.2e-8 * SIZE / 0.0063;
        let energy = PI * 1e10 * 0.5 * RADIUS * just.powi(3) / 3.0;
        let speed = (2.0 * energy / (0.5 * MASS)).sqrt();
        for (factor, faint) in [(0.95, true), (1.05, false)] {
            assert_eq!(is_faint(&pair, [&still, &going(factor * speed)], SIZE, BESIDE), faint);
        }
    }
}
