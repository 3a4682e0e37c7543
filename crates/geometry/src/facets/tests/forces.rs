//! Forces of whole meshes: closed forms, and laws that every touch obeys.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Candidates, Cap, Detail, Margins, Pressure, Query, RoundedMesh, Rounding, touch};
use super::{ball, hertz, on_plate, plate, query, rounded, touched};
use crate::mesh::generate;
use crate::{Pose, TriangleMesh};

#[test]
fn two_balls_press_as_hertz_has_it() {
    let (a, b) = (ball(0.5, 320), ball(0.3, 1280));
    let axis = DVec3::new(0.3, -0.5, 0.7).normalize();
    let round = 1.0 / 0.5 + 1.0 / 0.3;
    for depth in [1e-6, 1e-4, 1e-2] {
        let at_b = Pose::new(axis * (0.8 - depth), DQuat::from_rotation_x(0.7));
        let found = touched(&a, &Pose::IDENTITY, &b, &at_b, 0.02, &hertz(1000.0));
        let exact = 4.0 / 3.0 * 1000.0 * (1.0_f64 / round).sqrt() * depth.powf(1.5);
        println!("{depth:e}: {:e}, {} pairs", found.force.length() / exact - 1.0, found.n_facets);
        // Rounding of positions over the depth, and of the centres: a sphere's centre is good to 1e-16 over the facet's angle.
        assert!((found.force - axis * exact).length() < exact * (1e-10 + 1e-14 / depth));
    }
}

#[test]
fn a_ball_in_a_hollow_presses_as_hertz_has_it() {
    let bowl = generate::bowl(1.0, 1.3, 4000).unwrap();
    let curvature = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| bowl.vertices[v as usize]);
        let normal = (b - a).cross(c - a);
        let is_inner = [a, b, c].iter().all(|x| (x.length() - 1.0).abs() < 1e-9) && normal.dot(a) < 0.0;
        let is_outer = [a, b, c].iter().all(|x| (x.length() - 1.3).abs() < 1e-9);
        Some(if is_inner {
            -1.0
        } else if is_outer {
            1.0 / 1.3
        } else {
            0.0
        })
    };
    let list = bowl.triangles.iter().map(curvature).collect();
    let bowl = rounded(bowl, &Rounding::Triangles(list));
    assert!(bowl.report().n_hollow > 500, "{:?}", bowl.report());
    let small = ball(0.3, 1280);
    let (depth, toward) = (1e-3, DVec3::new(0.2, 0.1, -0.9).normalize());
    let at = Pose::from_translation(toward * (0.7 + depth));
    let found = touched(&bowl, &Pose::IDENTITY, &small, &at, 0.01, &hertz(1000.0));
    let exact = 4.0 / 3.0 * 1000.0 * (1.0_f64 / (1.0 / 0.3 - 1.0)).sqrt() * depth.powf(1.5);
    println!("in a bowl: {:e}, {} pairs", found.force.length() / exact - 1.0, found.n_facets);
    assert!((found.force + toward * exact).length() < 1e-9 * exact);
    // A ball that fills the bowl is refused.
    let tight = ball(1.0, 1280);
    let at = Pose::from_translation(DVec3::Z * -1e-3);
    let found = touched(&bowl, &Pose::IDENTITY, &tight, &at, 0.01, &hertz(1000.0));
    // Its rim, which is flat, is not.
    assert!(found.doubts.tight_sockets.n > 0, "{found:?}");
    let at = Pose::from_translation(DVec3::Z * -1e-3);
    let inner = |f: &u32| bowl.cap(*f).is_some_and(|cap| cap.curvature < 0.0);
    let ask = Query { detail: Detail::Polygons, ..hertz(1e3) };
    let found = touched(&bowl, &Pose::IDENTITY, &tight, &at, 0.01, &ask);
    assert!(found.facets.iter().all(|f| !inner(&f.facets[0])));
}

/// A tube between two radii along z, of one row of facets on each of its four sides.
fn short_tube(radii: [f64; 2], height: f64, sides: u32) -> TriangleMesh {
    let corners = [(radii[0], 0.0), (radii[1], 0.0), (radii[1], height), (radii[0], height)];
    let at = |ix: u32, (r, z): (f64, f64)| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(ix) / f64::from(sides)).sin_cos();
        DVec3::new(r * cos, r * sin, z)
    };
    let vertices = (0..sides).flat_map(|ix| corners.map(|corner| at(ix, corner))).collect();
    let quad = |ix: u32, k: u32| {
        let [p, q] = [ix, (ix + 1) % sides].map(|ix| [4 * ix + k, 4 * ix + (k + 1) % 4]);
        [[p[0], q[0], q[1]], [p[0], q[1], p[1]]]
    };
    let triangles = (0..sides).flat_map(|ix| (0..4).flat_map(move |k| quad(ix, k))).collect();
    TriangleMesh { vertices, triangles }
}

#[test]
fn curved_meshes_are_known_for_what_they_are() {
    let of = |mesh| rounded(mesh, &Rounding::Estimated);
    let cube = of(generate::cuboid(DVec3::ONE, 300).unwrap());
    assert_eq!(cube.report().n_flat, cube.n_facets());
    let ball = of(generate::sphere(0.5, 320).unwrap());
    assert_eq!(ball.report().n_convex, 320);
    let worst = (0..320).map(|f| (ball.cap(f).unwrap().curvature * 0.5 - 1.0).abs()).fold(0.0, f64::max);
    println!("curvature of 320 facets within {worst:e}");
    assert!(worst < 2e-3);
    // A cylinder's side has half its curvature, and its ends are planes.
    let cylinder = of(generate::cylinder(0.5, 1.0, 4000).unwrap());
    for facet in 0..cylinder.n_facets() as u32 {
        let cap = cylinder.cap(facet).unwrap();
        let on_side = cap.normal.z.abs() < 0.5;
        let exact = if on_side { 1.0 } else { 0.0 };
        assert!((cap.curvature - exact).abs() < 0.02, "{cap:?}");
    }
    // So has one row of facets between two rims, whose edges alone are curved, inside and out; exactly, as all of its corners are on it.
    for (radius, sign) in [(0.5, 1.0), (0.2, -1.0)] {
        let ring = of(short_tube([0.2, 0.5], 0.05, 64));
        let on_it = |cap: &Cap| cap.corners.iter().all(|x| (x.truncate().length() - radius).abs() < 1e-12);
        let caps: Vec<&Cap> =
            (0..ring.n_facets() as u32).filter_map(|f| ring.cap(f)).filter(|cap| on_it(cap)).collect();
        assert_eq!(caps.len(), 128);
        for cap in caps {
            assert!((cap.curvature * radius * 2.0 - sign).abs() < 1e-9, "{cap:?}");
        }
    }
    let torus = of(generate::torus(1.0, 0.3, 8000).unwrap());
    for facet in 0..torus.n_facets() as u32 {
        let cap = torus.cap(facet).unwrap();
        let middle: DVec3 = cap.corners.iter().sum::<DVec3>() / 3.0;
        let across = (middle.truncate().length() - 1.0) / 0.3;
        let exact = 0.5 * (1.0 / 0.3 + across / (1.0 + 0.3 * across));
        assert!((cap.curvature / exact - 1.0).abs() < 0.03, "{} {exact}", cap.curvature);
    }
}

/// Closed forms of the laws for a ball on a plate.
#[test]
fn balls_of_any_law_press_as_their_spheres() {
    let (ball, plate) = (ball(0.5, 1280), plate(4.0, 12));
    let laws = [
        Pressure::Linear { stiffness: 1e5 },
        Pressure::Jkr { modulus: 1e4, work: 0.2 },
        Pressure::MaugisDugdale { modulus: 1e4, work: 0.2, stress: 200.0 },
        Pressure::MaugisDugdale { modulus: 1e4, work: 0.2, stress: 20.0 },
    ];
    for law in laws {
        let least = ball.least_curvature() + plate.least_curvature();
        assert!((law.range(least) - law.range(2.0)).abs() < 1e-15);
        for overlap in [0.01, 1e-4, -1e-3] {
            let exact = law.profile(overlap, 2.0, true).map_or(0.0, |p| p.force());
            let found = touched(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, overlap), 0.02, &query(law));
            let pressed = law.profile(0.01, 2.0, true).unwrap().force().abs();
            println!("{law:?} {overlap}: {} {exact}", found.force.z);
            assert!((found.force.z - exact).abs() < 1e-9 * pressed);
            assert!(found.doubts.ring_cut.n == 0);
        }
    }
}

/// Pull-off of meshes: the least force as the ball is drawn off.
#[test]
fn meshes_pull_off_as_their_laws_do() {
    let (ball, plate) = (ball(0.5, 1280), plate(4.0, 12));
    let (modulus, work): (f64, f64) = (1e4, 0.2);
    let stiff = 4.0 / 3.0 * modulus;
    let unit = PI * work * 0.5;
    let of_lambda = |lambda: f64| 0.5 * lambda * (PI * work * stiff * stiff / 0.5).cbrt();
    let maugis = |lambda| Pressure::MaugisDugdale { modulus, work, stress: of_lambda(lambda) };
    let depth = ((PI * work).powi(2) * 0.5 / stiff.powi(2)).cbrt();
    for (law, exact) in [
        (Pressure::Jkr { modulus, work }, -1.5),
        (maugis(0.5), -1.718_245),
        (maugis(1.0), -1.600_735),
        (maugis(2.0), -1.534_603),
    ] {
        let force = |i: i32| {
            let overlap = depth * (0.01 * f64::from(i) - 1.5);
            touched(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, overlap), 0.02, &query(law)).force.z / unit
        };
        let found = (0..250).map(force).fold(f64::INFINITY, f64::min);
        println!("{law:?}: {found} for {exact}");
        assert!((found / exact - 1.0).abs() < 1e-3);
    }
}

fn random_pose(rng: &mut Rng, at: DVec3) -> Pose {
    let mut x = || rng.range(-1.0, 1.0);
    Pose::new(at, DQuat::from_xyzw(x(), x(), x(), x() + 1.5))
}

/// Two ellipsoids in touch, at random.
fn pair(rng: &mut Rng) -> (RoundedMesh, RoundedMesh, Pose, Pose) {
    let mut body = |n| {
        let axes = DVec3::new(rng.range(0.8, 1.2), rng.range(0.8, 1.2), rng.range(0.8, 1.2));
        rounded(generate::ellipsoid(axes, n).unwrap(), &Rounding::Estimated)
    };
    let (a, b) = (body(320), body(720));
    let at_b =
        DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)).normalize() * 1.85;
    let pose_a = random_pose(rng, DVec3::ZERO);
    let pose_b = random_pose(rng, at_b);
    (a, b, pose_a, pose_b)
}

#[test]
fn forces_turn_with_the_bodies_and_swap_with_them() {
    let mut rng = Rng::new(31);
    let mut n_touching = 0;
    for _ in 0..rng.cases(12) {
        let (a, b, at_a, at_b) = pair(&mut rng);
        let about = DVec3::new(0.4, -0.2, 0.9);
        let ask = Query { about, detail: Detail::Polygons, ..hertz(1e5) };
        let one = touched(&a, &at_a, &b, &at_b, 0.4, &ask);
        n_touching += usize::from(one.n_facets > 0);
        let scale = one.force.length().max(1e-6);
        let whole: DVec3 = one.facets.iter().map(|f| f.touch.push).sum();
        assert!((whole - one.force).length() < 1e-12 * scale);
        let area: f64 = one.facets.iter().map(|f| f.touch.area).sum();
        assert!((area - one.area).abs() < 1e-12);

        // Equal and opposite, about the same point.
        let back = touched(&b, &at_b, &a, &at_a, 0.4, &ask);
        assert!((one.force + back.force).length() < 1e-9 * scale, "{} {}", one.force, back.force);
        assert!((one.moment + back.moment).length() < 1e-9 * scale);
        assert_eq!(one.n_facets, back.n_facets);

        let motion = random_pose(&mut rng, DVec3::new(3.0, -2.0, 1.0));
        let far = Query { about: motion.point(about), ..ask };
        let moved = touched(&a, &motion.then(&at_a), &b, &motion.then(&at_b), 0.4, &far);
        assert!((motion.vector(one.force) - moved.force).length() < 1e-9 * scale);
        assert!((motion.vector(one.moment) - moved.moment).length() < 1e-9 * scale);
        assert_eq!(touched(&a, &at_a, &b, &at_b, 0.4, &ask), one);
    }
    assert!(n_touching > 3, "{n_touching}");
}

/// Cotangents are exact on a ball's mesh, of triangles of any shape.
#[test]
fn estimated_radii_of_balls_are_exact() {
    for mesh in [generate::sphere(0.5, 80), generate::sphere(0.5, 5120), generate::uv_sphere(0.5, 1000)] {
        let ball = rounded(mesh.unwrap(), &Rounding::Estimated);
        let off = |f: u32| (ball.cap(f).unwrap().curvature * 0.5 - 1.0).abs();
        let worst = (0..ball.n_facets() as u32).map(off).fold(0.0, f64::max);
        println!("{} facets: {worst:e}", ball.n_facets());
        // Sides of a hundredth of the radius are good to 1e-14, and their heights to as many digits fewer again.
        assert!(worst < 1e-10);
    }
}

/// Far from the world's origin, at places that are numbers of 64 bits, nothing changes by a bit.
#[test]
fn far_places_lose_nothing() {
    let (ball, plate) = (ball(0.5, 320), plate(4.0, 12));
    let at = |shift: f64| {
        let place = DVec3::new(shift, -2.0 * shift, 3.0 * shift);
        let w_from_ball = Pose::from_translation(place + DVec3::new(0.0625, 0.03125, 0.984_375));
        let ask = Query { about: place + DVec3::X, ..hertz(1000.0) };
        touched(&plate, &Pose::from_translation(place), &ball, &w_from_ball, 0.03, &ask)
    };
    assert!(at(0.0).n_facets > 0);
    assert_eq!(at(0.0), at(f64::from(1 << 20)));
}

/// Mean curvature of an ellipsoid at a point of it: (sum of squares - x²) terms of its implicit equation (Goldman 2005).
fn mean_curvature(axes: DVec3, x: DVec3) -> f64 {
    let inverse = (axes * axes).recip();
    let gradient = x * inverse;
    let steep = gradient.length();
    let bent = gradient.dot(gradient * inverse) / (steep * steep);
    (inverse.element_sum() - bent) / (2.0 * steep)
}

#[test]
fn estimated_curvatures_converge() {
    let axes = DVec3::new(1.2, 1.0, 0.8);
    let error = |triangles: usize| {
        let body = rounded(generate::ellipsoid(axes, triangles).unwrap(), &Rounding::Estimated);
        let squares = (0..body.n_facets() as u32).map(|facet| {
            let cap = body.cap(facet).unwrap();
            let middle: DVec3 = cap.corners.iter().sum::<DVec3>() / 3.0;
            let on_surface = middle / (middle / axes).length();
            (cap.curvature / mean_curvature(axes, on_surface) - 1.0).powi(2)
        });
        (squares.sum::<f64>() / body.n_facets() as f64).sqrt()
    };
    let errors = [320, 1280, 5120, 20480].map(error);
    println!("root mean square of the curvature's error: {errors:?}");
    assert!(errors.windows(2).all(|e| e[1] < 0.5 * e[0]) && errors[1] < 0.02);
}

/// Coordinates of 32 bits leave the curvature of a vertex off by their rounding over the rise of a cap, 6e-8 over 2e-3
/// and 6e-4 here, and less on the average over a contact.
#[test]
fn coordinates_of_32_bits_are_enough() {
    let plate = plate(4.0, 12);
    let exact = 4.0 / 3.0 * 1000.0 * 0.5_f64.sqrt() * 0.02_f64.powf(1.5);
    for (triangles, allowed) in [(1280, 1e-6), (5120, 1e-5)] {
        let mut mesh = generate::sphere(0.5, triangles).unwrap();
        for x in &mut mesh.vertices {
            *x = x.as_vec3().as_dvec3();
        }
        let ball = rounded(mesh, &Rounding::Estimated);
        let found = touched(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, 0.02), 0.03, &hertz(1000.0));
        println!("{triangles}: {:e}", found.force.z / exact - 1.0);
        assert!((found.force.z / exact - 1.0).abs() < allowed);
    }
}

/// The force does no jump as the contact moves from facet to facet.
#[test]
fn sliding_over_facets_is_smooth_with_the_radius_known() {
    let (ball, plate) = (ball(0.5, 320), plate(4.0, 48));
    let margins = Margins { depth: 0.03, gap: 0.0, skin: 0.2 };
    let start = on_plate(0.5, 0.01);
    let found = Candidates::find(&plate, &Pose::IDENTITY, &ball, &start, margins);
    let forces: Vec<DVec3> = (0..100)
        .map(|i| {
            let at = Pose::new(
                start.translation + DVec3::X * 1e-3 * f64::from(i),
                DQuat::from_rotation_y(1e-3 * f64::from(i)) * start.rotation,
            );
            touch(&plate, &Pose::IDENTITY, &ball, &at, &found, &hertz(1000.0)).unwrap().force
        })
        .collect();
    assert!(forces.iter().all(|f| (*f - forces[0]).length() < 1e-9 * forces[0].length()));
}

/// Bodies that are deeper in each other than the margin have the force of their depth, and it is said where that is no longer right.
#[test]
fn a_deep_start_has_its_force() {
    let (ball, plate) = (ball(0.5, 320), plate(4.0, 48));
    let hertz_force =
        |curvature: f64, depth: f64| 4.0 / 3.0 * 1000.0 * curvature.powf(-0.5) * depth.powf(1.5);
    for depth in [0.02, 0.1, 0.2, 0.3] {
        let at = on_plate(0.5, depth);
        let found = touched(&plate, &Pose::IDENTITY, &ball, &at, 0.005, &hertz(1000.0));
        let force = hertz_force(2.0, depth);
        // The polygons are those of the whole disc.
        assert!((found.force.z / force - 1.0).abs() < 1e-8, "{depth}: {} N, not {force} N", found.force.z);
        assert_eq!(found.doubts.beyond_hertz.n > 0, depth > 0.05);
        let turn = at.rotation;
        let beside = Pose::new(turn * DVec3::Z * (1.0 - depth), turn);
        let found = touched(&ball, &Pose::IDENTITY, &ball, &beside, 0.005, &hertz(1000.0));
        let force = hertz_force(4.0, depth);
        assert!((found.force.length() / force - 1.0).abs() < 1e-8, "{depth}: {found:?}, not {force} N");
    }
}
