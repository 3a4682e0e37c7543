//! The validation cases of rounded triangles, by id.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use tactum_random::Rng;

use super::super::cap::Cap;
use super::super::{
    ContactPlane, Detail, Polygon, Pressure, Profile, Query, Refusal, local_overlap, over_polygon,
    share_among_corners,
};
use super::{ball, hertz, on_plate, plate, rounded, touched};
use crate::Pose;
use crate::facets::Rounding;
use crate::mesh::generate;

/// A facet of a sphere whose outward normal is `normal`, small beside the sphere; its apex is the sphere's point there.
fn cap_on(center: DVec3, radius: f64, normal: DVec3) -> Cap {
    let (u, w) = normal.any_orthonormal_pair();
    let half = 0.3 * radius.abs();
    let lift = radius.signum() * (radius * radius - half * half).sqrt();
    let corner = |angle: f64| center + normal * lift + (u * angle.cos() + w * angle.sin()) * half;
    Cap::through([0.0, 2.0, 4.0].map(|k| corner(k * PI / 3.0)), radius.recip()).unwrap()
}

#[test]
fn rt_01_plane_and_local_overlap_of_two_spheres() {
    let a = cap_on(DVec3::ZERO, 1.0, DVec3::X);
    let b = cap_on(DVec3::X * 1.5, 0.7, -DVec3::X);
    let plane = ContactPlane::between(&a, &b).unwrap();
    // The case's figures have eight digits.
    assert!((plane.normal - DVec3::X).length() < 1e-14);
    assert!((plane.center - DVec3::X * 0.92).length() < 1e-8);
    assert!((plane.rim_squared.sqrt() - 0.391_918_36).abs() < 1e-8);
    let at = |h| local_overlap(plane.overlap, a.curvature, b.curvature, h);
    println!("overlap {}, at 0.2 {}, at rim {:e}", plane.overlap, at(0.2), at(plane.rim_squared.sqrt()));
    assert!((at(0.2) - 0.150_616_29).abs() < 1e-8);
    assert!(at(plane.rim_squared.sqrt()).abs() < 1e-14);
}

fn star() -> Polygon {
    let corner = |turn: f64| DVec2::from_angle(turn);
    let up = [0.5, 7.0 / 6.0, 11.0 / 6.0].map(|k| corner(k * PI));
    let down = up.map(|x| -x);
    Polygon::common(up, down).unwrap()
}

fn nearest(p: [DVec2; 3], q: [DVec2; 3], to: DVec2) -> DVec2 {
    Polygon::common(p.map(|x| x - to), q.map(|x| x - to)).unwrap().nearest_to_origin() + to
}

#[test]
fn rt_02_star_is_a_hexagon() {
    let polygon = star();
    assert_eq!(polygon.corners().len(), 6);
    assert!((polygon.area() - 0.75_f64.sqrt()).abs() < 1e-9);
    let up = [0.5, 7.0 / 6.0, 11.0 / 6.0].map(|k| DVec2::from_angle(k * PI));
    let down = up.map(|x| -x);
    assert!(nearest(up, down, DVec2::new(0.0, 2.0)).distance(DVec2::new(0.0, 0.5)) < 1e-9);
    assert!(nearest(up, down, DVec2::X).distance(DVec2::X / 3.0_f64.sqrt()) < 1e-9);
}

#[test]
fn rt_03_corners_that_meet_sides_make_a_square() {
    let p = [DVec2::ZERO, DVec2::X * 2.0, DVec2::Y * 2.0];
    let q = [DVec2::ONE, DVec2::new(-1.0, 1.0), DVec2::new(1.0, -1.0)];
    let polygon = Polygon::common(p, q).unwrap();
    assert_eq!(polygon.corners().len(), 4);
    assert!((polygon.area() - 1.0).abs() < 1e-12);
    assert!(nearest(p, q, DVec2::splat(2.0)).distance(DVec2::ONE) < 1e-12);
}

#[test]
fn rt_04_random_pairs_against_samples() {
    let mut rng = Rng::new(4);
    let (mut counts, mut worst) = ([0_u32; 7], 0.0_f64);
    for case in 0..3000 {
        let mut point = || DVec2::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let [p, q] = [[point(), point(), point()], [point(), point(), point()]];
        let Some(polygon) = Polygon::common(p, q) else { continue };
        let n = polygon.corners().len();
        assert!((3..=6).contains(&n));
        counts[n] += 1;
        if case >= 300 {
            continue;
        }
        let near = polygon.nearest_to_origin().length();
        let inside = |t: &[DVec2; 3], x: DVec2| {
            let [a, b, c] = [0, 1, 2].map(|i| (t[(i + 1) % 3] - t[i]).perp_dot(x - t[i]) > 0.0);
            a == b && b == c
        };
        let (mut n_inside, mut sampled) = (0_u32, f64::INFINITY);
        for _ in 0..20_000 {
            let x = DVec2::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            if inside(&p, x) && inside(&q, x) {
                n_inside += 1;
                sampled = sampled.min(x.length());
            }
        }
        assert!(near <= sampled + 1e-12, "{near} {sampled}");
        let share = f64::from(n_inside) / 20_000.0;
        // Five standard deviations of the number of samples inside, and one sample.
        let spread = 5.0 * (0.25 * polygon.area() * (1.0 - 0.25 * polygon.area()) / 20_000.0).sqrt() + 5e-5;
        worst = worst.max((share - 0.25 * polygon.area()).abs() / spread);
        assert!((share - 0.25 * polygon.area()).abs() < spread);
    }
    println!("corners 3..6: {:?}, area off by {worst} of what chance allows", &counts[3..]);
    assert!(counts[3..].iter().all(|n| *n > 0));
}

#[test]
fn rt_05_hertz_over_a_square() {
    let profile = Pressure::Hertz { modulus: 1000.0 }.profile(0.01, 2.0, false).unwrap();
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|x| DVec2::from_array(x) * 0.2);
    // Two halves along a diagonal, which runs through the axis.
    let half = |i: usize, j: usize, k: usize| {
        let t = [corners[i], corners[j], corners[k]];
        over_polygon(&profile, &Polygon::common(t, t).unwrap())
    };
    let (lower, upper) = (half(0, 1, 2), half(0, 2, 3));
    let force = lower.force + upper.force;
    println!("force {force}, a {}, p0 {}", profile.contact, profile.pressure(0.0));
    let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.01_f64.powf(1.5);
    assert!((force / exact - 1.0).abs() < 1e-10 && (exact - 0.942_809_04).abs() < 1e-8);
    assert!((profile.force() / exact - 1.0).abs() < 1e-14);
    assert!((profile.contact - 0.070_710_68).abs() < 1e-8);
    assert!((profile.pressure(0.0) - 90.031_632).abs() < 1e-6);
    assert!(((lower.area + upper.area) / (PI * profile.contact.powi(2)) - 1.0).abs() < 1e-12);
    assert!((lower.first + upper.first).length() < 1e-14 * force);
}

/// The least force over the branch that holds, found by halving the interval of overlaps around it.
fn pull_off(pressure: &Pressure, curvature: f64, overlaps: [f64; 2]) -> f64 {
    let force = |overlap| pressure.profile(overlap, curvature, true).map_or(0.0, |p| p.force());
    let n = 4000;
    let at = |i: i32| overlaps[0] + (overlaps[1] - overlaps[0]) * f64::from(i) / f64::from(n);
    (0..=n).map(|i| force(at(i))).fold(f64::INFINITY, f64::min)
}

#[test]
fn rt_06_jkr_pull_off_and_zero_load() {
    let (modulus, work, radius) = (1e4, 0.05, 0.01);
    let pressure = Pressure::Jkr { modulus, work };
    let found = pull_off(&pressure, 1.0 / radius, [-1e-4, 2e-4]);
    println!("pull-off {found:e}, exact {:e}", -1.5 * PI * work * radius);
    // A scan of 4,000 overlaps is at most 4e-8 m off the least force, where the force is even.
    assert!((found / -2.356_194_5e-3 - 1.0).abs() < 1e-6);
    let rest = pressure.profile(1.227_722_9e-4, 1.0 / radius, true).unwrap();
    println!("zero load: a {:e}, force {:e}", rest.contact, rest.force());
    assert!((rest.contact / 1.919_158_3e-3 - 1.0).abs() < 1e-6);
    // The overlap is given to eight digits.
    assert!(rest.force().abs() < 1e-6 * 2.356_194_5e-3);
}

#[test]
fn rt_07_maugis_from_dmt_to_jkr() {
    let (modulus, work, radius) = (0.75e6, 0.05, 0.01);
    let unit = PI * work * radius;
    let stiff: f64 = 4.0 / 3.0 * modulus;
    let scale = ((PI * work).powi(2) * radius / stiff.powi(2)).cbrt();
    for (lambda, pull, allowed) in [
        (1e-3, -2.0, 2e-3),
        (0.5, -1.718_245, 1e-5),
        (1.0, -1.600_735, 1e-5),
        (2.0, -1.534_603, 1e-5),
        (20.0, -1.5, 1e-3),
    ] {
        let stress = 0.5 * lambda * (PI * work * stiff * stiff / radius).cbrt();
        let pressure = Pressure::MaugisDugdale { modulus, work, stress };
        let found = pull_off(&pressure, 1.0 / radius, [-3.0 * scale, 3.0 * scale]) / unit;
        println!("lambda {lambda}: pull-off {found}");
        assert!((found - pull).abs() < allowed, "lambda {lambda}: {found} {pull}");
    }
}

#[test]
fn rt_08_cohesive_force() {
    // Its share in the punch is a part of the cohesive stress.
    let ring = 0.5_f64.powi(2) - 0.3_f64.powi(2);
    let profile = Profile {
        contact: 0.3,
        reach: 0.5,
        cohesion: 2.0,
        punch: -2.0 / PI * ring.sqrt(),
        ..Profile::default()
    };
    let corners = [DVec2::new(-3.0, -2.0), DVec2::new(3.1, -2.0), DVec2::new(0.2, 4.0)];
    let force = over_polygon(&profile, &Polygon::common(corners, corners).unwrap()).force;
    println!("closed {}, over a polygon {force}", profile.force());
    assert!((profile.force() / -1.407_295_22 - 1.0).abs() < 1e-6);
    assert!((force / profile.force() - 1.0).abs() < 1e-12);
}

#[test]
fn rt_09_ball_on_plate_with_its_radius() {
    let plate = plate(4.0, 12);
    for triangles in [20, 80, 320, 1280, 5120] {
        let ball = ball(0.5, triangles);
        let at = on_plate(0.5, 0.02);
        let ask = Query { about: at.translation, detail: Detail::Polygons, ..hertz(1000.0) };
        let found = touched(&plate, &Pose::IDENTITY, &ball, &at, 0.021, &ask);
        let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.02_f64.powf(1.5);
        assert!(
            found.moment.length() < 1e-8 * exact * 0.5,
            "no moment about the ball's centre: {}",
            found.moment
        );
        for facet in &found.facets {
            let touch = &facet.touch;
            let corners = &touch.corners;
            let turns = corners.windows(2).skip(1).map(|x| (x[0] - corners[0]).cross(x[1] - corners[0]));
            assert!(turns.into_iter().all(|t| t.dot(touch.plane.normal) >= 0.0), "counter-clockwise");
        }
        println!("{triangles}: F/F_Hertz - 1 = {:e}, {} pairs", found.force.z / exact - 1.0, found.n_facets);
        assert!((found.force.z / exact - 1.0).abs() < 1e-8);
        assert!(found.force.truncate().length() < 1e-8 * exact);
        assert!((found.area / (PI * 0.01) - 1.0).abs() < 1e-8);
        assert!((found.deepest - 0.02).abs() < 1e-10);
        assert!(found.doubts.is_empty(), "{:?}", found.doubts);
    }
}

#[test]
fn rt_10_ball_on_plate_with_estimated_radius() {
    let plate = plate(4.0, 12);
    // Three times the error that was found for icosahedra halved again and again.
    for (triangles, allowed) in [(320, 3.0 * 8e-5), (1280, 3.0 * 1.34e-5), (5120, 3.0 * 2.0e-6)] {
        let ball = rounded(generate::sphere(0.5, triangles).unwrap(), &Rounding::Estimated);
        let found = touched(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, 0.02), 0.021, &hertz(1000.0));
        let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.02_f64.powf(1.5);
        println!("{triangles}: F/F_Hertz - 1 = {:e}", found.force.z / exact - 1.0);
        assert!((found.force.z / exact - 1.0).abs() < allowed);
    }
}

#[test]
fn rt_11_force_off_the_facet_at_its_corners() {
    let mut rng = Rng::new(11);
    for _ in 0..200 {
        let mut x = || DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let (corners, point, force, moment) = ([x(), x(), x()], x() * 2.0, x(), x());
        let thin = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
        if thin < 0.1 {
            continue;
        }
        let shares = share_among_corners(&corners, point, force, moment);
        let sum: DVec3 = shares.iter().sum();
        let turn: DVec3 = corners.iter().zip(&shares).map(|(x, f)| x.cross(*f)).sum();
        assert!((sum - force).length() < 1e-12 && (turn - moment - point.cross(force)).length() < 1e-12);
    }
}

#[test]
fn rt_12_facets_that_look_away_and_hollow_ones() {
    let a = cap_on(DVec3::ZERO, 1.0, DVec3::X);
    let back = cap_on(DVec3::X * 1.5, 0.7, DVec3::X);
    assert_eq!(ContactPlane::between(&a, &back), Err(Refusal::FacingAway));

    // A ball of radius 0.8 in a hollow of radius 1, 0.01 deep, touching it at -x: the hollow looks towards its centre.
    let ball = cap_on(DVec3::X * -0.21, 0.8, -DVec3::X);
    let hollow = cap_on(DVec3::ZERO, -1.0, DVec3::X);
    let plane = ContactPlane::between(&hollow, &ball).unwrap();
    assert!((plane.overlap - 0.01).abs() < 1e-14 && (plane.normal - DVec3::X).length() < 1e-14);
    assert!((plane.curvature - 0.25).abs() < 1e-14);
    // Its spheres meet where both are: on the circle of radius a_g in the plane through C.
    let rim = plane.center + DVec3::Y * plane.rim_squared.sqrt();
    assert!((rim.length() - 1.0).abs() < 1e-12 && (rim.distance(DVec3::X * -0.21) - 0.8).abs() < 1e-12);
    // The side of the hollow that is opposite to the ball looks away.
    let opposite = cap_on(DVec3::ZERO, -1.0, -DVec3::X);
    assert_eq!(ContactPlane::between(&opposite, &ball), Err(Refusal::FacingAway));

    // A test by centroids, n_a.(g_b - g_a) > 0, is wrong as soon as the triangles are in each other, as here where the
    // hollow's is coarse and the ball's is fine.
    let middle = |cap: &Cap| cap.corners.iter().sum::<DVec3>() / 3.0;
    let fine =
        Cap::through(ball.corners.map(|x| x * 0.01 + (ball.apex - middle(&ball) * 0.01)), 1.25).unwrap();
    let deep = Cap::through(hollow.corners, -1.0).unwrap();
    assert!(deep.normal.dot(middle(&fine) - middle(&deep)) < 0.0);
    assert!(ContactPlane::between(&deep, &fine).is_ok());
}
