//! Integrals of pressure against independent ones, and the laws against what they are derived from.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use tactum_random::Rng;

use super::super::{Polygon, Pressure, Profile, over_polygon};

const LAWS: [Pressure; 6] = [
    Pressure::Linear { stiffness: 3e4 },
    Pressure::Hertz { modulus: 1000.0 },
    Pressure::Jkr { modulus: 1e4, work: 0.5 },
    Pressure::MaugisDugdale { modulus: 1e4, work: 0.5, stress: 300.0 },
    Pressure::MaugisDugdale { modulus: 1e4, work: 0.5, stress: 30.0 },
    Pressure::MaugisDugdale { modulus: 1e4, work: 0.5, stress: 3000.0 },
];

/// The parts of a circle about the origin that are inside a polygon, as intervals of angles.
fn arcs(polygon: &Polygon, r: f64) -> Vec<[f64; 2]> {
    let mut angles = vec![0.0, TAU];
    for (p, q) in polygon.sides() {
        let along = (q - p).normalize();
        let foot = p - along * p.dot(along);
        let half = r * r - foot.length_squared();
        if half > 0.0 {
            for sign in [-1.0, 1.0] {
                let x = foot + along * (sign * half.sqrt());
                angles.push(x.to_angle().rem_euclid(TAU));
            }
        }
    }
    angles.sort_by(f64::total_cmp);
    let inside = |x: DVec2| polygon.sides().all(|(p, q)| (q - p).perp_dot(x - p) > 0.0);
    angles
        .windows(2)
        .filter(|w| inside(DVec2::from_angle(0.5 * (w[0] + w[1])) * r))
        .map(|w| [w[0], w[1]])
        .collect()
}

/// Force and first moment by circles about the axis: midpoints in an angle in which the rim is smooth.
fn by_circles(profile: &Profile, polygon: &Polygon) -> (f64, DVec2) {
    const N: u32 = 20_000;
    let (mut force, mut first) = (0.0, DVec2::ZERO);
    for [from, to] in [[0.0, profile.contact], [profile.contact, profile.reach]] {
        for i in 0..N {
            // The root of the rim is linear in the cosine.
            let angle = (f64::from(i) + 0.5) / f64::from(N) * PI / 2.0;
            let r = from + (to - from) * angle.sin();
            let dr = (to - from) * angle.cos() * PI / 2.0 / f64::from(N);
            for [s, e] in arcs(polygon, r) {
                force += profile.pressure(r) * r * (e - s) * dr;
                first +=
                    DVec2::new(e.sin() - s.sin(), s.cos() - e.cos()) * (profile.pressure(r) * r * r * dr);
            }
        }
    }
    (force, first)
}

#[test]
fn polygons_add_up_to_what_circles_do() {
    let mut rng = Rng::new(21);
    let mut worst = 0.0_f64;
    for law in LAWS {
        let profile = law.profile(0.01, 2.0, true).unwrap();
        let size = profile.reach;
        for _ in 0..6 {
            let mut x = || DVec2::new(rng.range(-1.5, 1.5), rng.range(-1.5, 1.5)) * size;
            let (p, q) = ([x(), x(), x()], [x(), x(), x()]);
            let Some(polygon) = Polygon::common(p, q) else { continue };
            let load = over_polygon(&profile, &polygon);
            let (force, first) = by_circles(&profile, &polygon);
            let pressed = Profile { punch: -profile.punch, cohesion: 0.0, ..profile }.force().abs()
                + profile.cohesion * size * size;
            let off =
                ((load.force - force).abs() / pressed).max((load.first - first).length() / (pressed * size));
            worst = worst.max(off);
            // Circles that touch a side leave a kink of (1/20,000)^(3/2), and more where the pressure is infinite.
            assert!(off < 3e-6, "{law:?} {polygon:?}: {load:?} {force} {first}");
        }
    }
    println!("worst {worst:e} of the whole");
}

/// A square around the disc, cut into many triangles: force, moment and area are those of the disc, for all laws.
#[test]
fn tilings_add_up_to_the_disc() {
    let mut rng = Rng::new(22);
    for law in LAWS {
        let profile = law.profile(0.01, 2.0, true).unwrap();
        let (n, size) = (7, 2.5 * profile.reach);
        let mut grid = vec![DVec2::ZERO; (n + 1) * (n + 1)];
        for (ix, x) in grid.iter_mut().enumerate() {
            let (i, j) = (ix % (n + 1), ix / (n + 1));
            // Less than a quarter of a cell, at which triangles could turn over.
            let mut shift = |k: usize| if k == 0 || k == n { 0.0 } else { rng.range(-0.2, 0.2) };
            let cell = |k: usize, by: f64| (k as f64 + by) / n as f64 - 0.5;
            *x = DVec2::new(cell(i, shift(i)), cell(j, shift(j))) * size;
        }
        let (mut force, mut first, mut area) = (0.0, DVec2::ZERO, 0.0);
        for ix in 0..n * n {
            let at = |i: usize, j: usize| grid[(ix / n + j) * (n + 1) + ix % n + i];
            for t in [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]] {
                let load = over_polygon(&profile, &Polygon::common(t, t).unwrap());
                force += load.force;
                first += load.first;
                area += load.area;
            }
        }
        println!("{law:?}: {:e}", force / profile.force() - 1.0);
        assert!((force / profile.force() - 1.0).abs() < 1e-12);
        assert!(first.length() < 1e-12 * force.abs() * size);
        assert!((area / (PI * profile.contact.powi(2)) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn potentials_have_the_pressure_for_their_slope() {
    for law in LAWS {
        let profile = law.profile(0.01, 2.0, true).unwrap();
        for part in [0.1, 0.4, 0.7, 0.95, 0.999, 1.01, 1.2] {
            let r = part * profile.contact;
            let step = 1e-5 * profile.contact;
            let slope = (profile.potential(r + step) - profile.potential(r - step)) / (2.0 * step * r);
            let scale = profile.pressure(0.0).abs() + profile.cohesion;
            // The central difference is good to the square of the step over the distance from the rim.
            assert!((slope - profile.pressure(r)).abs() < 2e-4 * scale, "{law:?} {part}: {slope}");
        }
    }
}

/// Maugis' law in its own terms: the radii solve both of his equations, and the force is his.
#[test]
fn maugis_radii_solve_his_equations() {
    let (modulus, work, radius) = (0.75e6, 0.05, 0.01);
    let stiff: f64 = 4.0 / 3.0 * modulus;
    let unit = ((PI * work).powi(2) * radius / stiff.powi(2)).cbrt();
    let wide = (PI * work * radius * radius / stiff).cbrt();
    for lambda in [0.01_f64, 0.3, 1.0, 5.0, 50.0] {
        let stress = 0.5 * lambda * (PI * work * stiff * stiff / radius).cbrt();
        let law = Pressure::MaugisDugdale { modulus, work, stress };
        for deep in [-0.3, 0.0, 1.0, 30.0] {
            let Some(profile) = law.profile(deep * unit, 1.0 / radius, true) else { continue };
            let a = profile.contact / wide;
            if a == 0.0 {
                continue;
            }
            let m = profile.reach / profile.contact;
            // The rounding of a ring that is thin beside the contact is that of m² - 1.
            let s = (m * m - 1.0).sqrt();
            let t = s.atan();
            let opening = 0.5 * lambda * a * a * (s + (m * m - 2.0) * t)
                + 4.0 / 3.0 * lambda * lambda * a * (s * t - m + 1.0);
            let depth = a * a - 4.0 / 3.0 * lambda * a * s;
            let force = a.powi(3) - lambda * a * a * (s + m * m * t);
            let found = profile.force() / (PI * work * radius);
            println!("lambda {lambda} deep {deep}: a {a} m {m} opening {opening} F {force} {found}");
            assert!((opening - 1.0).abs() < 1e-6 && (depth - deep).abs() < 1e-6 * (1.0 + lambda));
            assert!((found - force).abs() < 1e-6 * (1.0 + force.abs()));
        }
    }
}

/// The undeformed gap at the end of the ring never exceeds the range that is told.
#[test]
fn ranges_bound_the_gaps_at_which_bodies_act() {
    let (modulus, work, radius) = (0.75e6, 0.05, 0.01);
    let stiff: f64 = 4.0 / 3.0 * modulus;
    let unit = ((PI * work).powi(2) * radius / stiff.powi(2)).cbrt();
    let mut laws = vec![Pressure::Jkr { modulus, work }];
    for i in -40..=40 {
        let lambda = 10_f64.powf(0.1 * f64::from(i));
        let stress = 0.5 * lambda * (PI * work * stiff * stiff / radius).cbrt();
        laws.push(Pressure::MaugisDugdale { modulus, work, stress });
    }
    let mut widest = 0.0_f64;
    for law in laws {
        let range = law.range(1.0 / radius);
        for i in -400..400 {
            let overlap = 0.01 * f64::from(i) * unit.max(0.25 * range);
            for in_touch in [false, true] {
                let Some(profile) = law.profile(overlap, 1.0 / radius, in_touch) else { continue };
                let gap = 0.5 * profile.reach.powi(2) / radius - overlap;
                widest = widest.max(gap / range);
                assert!(gap <= range * (1.0 + 1e-12), "{law:?} {overlap}: {gap} {range}");
            }
        }
    }
    println!("widest {widest} of the range");
}

/// Bodies that approach jump into contact nearer to each other than they let go; in between the force is continuous.
#[test]
fn adhesion_remembers_whether_it_held() {
    let law = Pressure::Jkr { modulus: 1e4, work: 0.05 };
    let held = law.profile(-1e-5, 100.0, true).unwrap();
    assert!(held.force() < 0.0 && law.profile(-1e-5, 100.0, false).is_none());
    assert!(law.profile(-1e-3, 100.0, true).is_none());
    // Hard bodies by Maugis' law have no jump: the force falls from DMT's as the gap widens to w/sigma0.
    let (work, stress) = (0.05, 1e6);
    let law = Pressure::MaugisDugdale { modulus: 1e12, work, stress };
    let mut last = f64::NAN;
    for i in 0..=100 {
        let overlap = -1.1 * work / stress * f64::from(i) / 100.0;
        let [held, met] = [true, false].map(|t| law.profile(overlap, 100.0, t).map_or(0.0, |p| p.force()));
        let dmt = -2.0 * PI * work * 0.01;
        assert!((held - met).abs() < 1e-3 * dmt.abs(), "{overlap} {held} {met}");
        assert!(i == 0 || (held - last).abs() < 0.02 * dmt.abs(), "{overlap} {held} {last}");
        last = held;
    }
}
