//! Laws that every overlap obeys, and the agreement of independent methods, on random bodies and poses.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

use super::{as_hull, at, cuboid, max_abs};
use crate::overlap::{OverlapKind, exact, overlap};
use crate::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Overlap, Pose, Shape, Sphere};

fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
    [range.clone(), range.clone(), range].prop_map(DVec3::from_array)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(-0.8..0.8), vector(-1.0..1.0), 0.0..6.3).prop_map(|(x, axis, angle)| {
        Pose::new(x, DQuat::from_axis_angle(axis.try_normalize().unwrap_or(DVec3::X), angle))
    })
}

fn polyhedron() -> impl Strategy<Value = Shape> {
    let hull = prop::collection::vec(vector(-0.7..0.7), 5..20)
        .prop_filter_map("points in a plane", |x| ConvexHull::from_points(&x).ok())
        .prop_map(|hull| Shape::Convex(Arc::new(hull)));
    prop_oneof![vector(0.1..0.8).prop_map(|half_size| Shape::Cuboid(Cuboid { half_size })), hull]
}

/// Every shape whose overlaps are exact to rounding, the half-space apart.
fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => polyhedron(),
        1 => (0.1..0.8).prop_map(|radius| Shape::Sphere(Sphere { radius })),
        1 => (0.1..0.5, 0.1..0.8).prop_map(|(radius, half_length)| Shape::Capsule(Capsule { radius, half_length })),
        1 => (0.1..0.7, 0.1..1.6).prop_map(|(radius, height)| Shape::Cylinder(Cylinder { radius, height })),
        1 => (0.1..0.7, 0.1..1.6).prop_map(|(radius, height)| Shape::Cone(Cone { radius, height })),
    ]
}

/// Whether the overlap is integrated numerically, which is not exact.
fn is_quadrature(a: &Shape, b: &Shape) -> bool {
    let is_ball = |s: &Shape| matches!(s, Shape::Sphere(_));
    a.has_round_side() && b.has_round_side() && !(is_ball(a) && is_ball(b))
}

fn scaled(shape: &Shape, s: f64) -> Shape {
    match shape {
        Shape::Sphere(Sphere { radius }) => Shape::Sphere(Sphere { radius: s * radius }),
        Shape::Capsule(Capsule { radius, half_length }) => {
            Shape::Capsule(Capsule { radius: s * radius, half_length: s * half_length })
        }
        Shape::Cylinder(Cylinder { radius, height }) => {
            Shape::Cylinder(Cylinder { radius: s * radius, height: s * height })
        }
        Shape::Cone(Cone { radius, height }) => Shape::Cone(Cone { radius: s * radius, height: s * height }),
        Shape::Cuboid(Cuboid { half_size }) => Shape::Cuboid(Cuboid { half_size: s * half_size }),
        Shape::Convex(hull) => {
            let points: Vec<_> = hull.vertices().iter().map(|x| s * x).collect();
            Shape::Convex(Arc::new(ConvexHull::from_points(&points).unwrap()))
        }
        Shape::HalfSpace | Shape::Mesh(_) => shape.clone(),
    }
}

/// Compares all numbers of two overlaps of bodies of size one.
fn assert_same(one: &Overlap, other: &Overlap, tolerance: f64) {
    // Slivers near rounding may be there on one side only.
    if one.volume.max(other.volume) < tolerance {
        return;
    }
    let relative = tolerance / one.volume.min(1.0);
    assert!((one.volume - other.volume).abs() < tolerance, "volume {} {}", one.volume, other.volume);
    assert!(one.centroid.distance(other.centroid) < relative, "centroid {} {}", one.centroid, other.centroid);
    assert!(max_abs(one.second_moment - other.second_moment) < tolerance);
    assert!(
        one.gradient.distance(other.gradient) < tolerance,
        "gradient {} {}",
        one.gradient,
        other.gradient
    );
    let turned = one.angular_gradient.distance(other.angular_gradient);
    assert!(turned < 2.0 * tolerance, "{} {}", one.angular_gradient, other.angular_gradient);
    for (x, y) in one.areas.into_iter().zip(other.areas) {
        assert!((x - y).abs() < 10.0 * tolerance, "areas {x} {y}");
    }
}

/// Compares two overlaps that were integrated numerically: each is good to 0.3 % of its volume, of its surface and of its
/// width, as [`overlap`] states.
fn assert_same_quadrature(one: &Overlap, other: &Overlap) {
    const PART: f64 = 2.0 * 3e-3;
    let (volume, area) = (one.volume.max(other.volume), one.areas[0] + one.areas[1]);
    // Slivers near rounding may be there on one side only.
    if volume < 1e-12 {
        return;
    }
    let width = one.bounds.diagonal();
    let off = |by: f64, whole: f64| assert!(by <= PART * whole, "{by} of {whole}: {one:?} {other:?}");
    off((one.volume - other.volume).abs(), volume);
    off(one.centroid.distance(other.centroid), width);
    off(max_abs(one.second_moment - other.second_moment), volume * width * width);
    off(one.gradient.distance(other.gradient), area);
    off(one.angular_gradient.distance(other.angular_gradient), area * (one.centroid.length() + width));
    for (x, y) in one.areas.into_iter().zip(other.areas) {
        off((x - y).abs(), area);
    }
}

proptest! {
    #![proptest_config(tactum_random::config(400))]

    #[test]
    fn convex_agrees_with_the_general_method(a in polyhedron(), b in polyhedron(), p in pose(), q in pose()) {
        let one = overlap(&a, &p, &b, &q);
        let [solid_a, solid_b] = [&a, &b].map(|shape| shape.to_solid().expect("a polyhedron"));
        let other = exact::overlap(&solid_a, &solid_b, &p.relative(&q)).rotated(p.rotation);
        assert_same(&one, &other, 1e-12);
        prop_assert!(one.kind == other.kind || one.volume < 1e-12);
    }

    #[test]
    fn exchange_of_the_bodies(a in shape(), b in shape(), p in pose(), q in pose()) {
        let one = overlap(&a, &p, &b, &q);
        let other = overlap(&b, &q, &a, &p).swapped(p.translation - q.translation);
        if is_quadrature(&a, &b) {
            assert_same_quadrature(&one, &other);
        } else {
            assert_same(&one, &other, 1e-11);
        }
    }

    #[test]
    fn rigid_motion_of_both(a in shape(), b in shape(), p in pose(), q in pose(), motion in pose()) {
        let one = overlap(&a, &p, &b, &q).rotated(motion.rotation);
        let other = overlap(&a, &motion.then(&p), &b, &motion.then(&q));
        // Where integrals along arcs begin hangs on the axes.
        if is_quadrature(&a, &b) {
            assert_same_quadrature(&one, &other);
        } else {
            assert_same(&one, &other, 1e-11);
        }
    }

    #[test]
    fn scale(a in shape(), b in shape(), p in pose(), q in pose(), exponent in -20..20) {
        // Powers of two scale without rounding, so that the powers are seen to the last digits.
        let s = f64::from(exponent).exp2();
        let moved = |p: &Pose| Pose { translation: s * p.translation, ..*p };
        let one = overlap(&a, &p, &b, &q);
        let other = overlap(&scaled(&a, s), &moved(&p), &scaled(&b, s), &moved(&q));
        let back = Overlap {
            volume: other.volume / s.powi(3),
            centroid: other.centroid / s,
            second_moment: other.second_moment * s.powi(-5),
            gradient: other.gradient / (s * s),
            angular_gradient: other.angular_gradient / s.powi(3),
            areas: other.areas.map(|area| area / (s * s)),
            ..other
        };
        let tolerance = if is_quadrature(&a, &b) { 1e-8 } else { 1e-11 };
        assert_same(&one, &back, tolerance);
    }

    #[test]
    fn larger_bodies_overlap_more(a in shape(), b in shape(), p in pose(), q in pose()) {
        prop_assume!(!is_quadrature(&a, &b));
        let one = overlap(&a, &p, &b, &q).volume;
        // All shapes contain the origin or are about it only if they are symmetric: hulls are left as they are.
        let larger = if matches!(a, Shape::Convex(_)) { a.clone() } else { scaled(&a, 1.1) };
        prop_assert!(overlap(&larger, &p, &b, &q).volume >= one * (1.0 - 1e-12) - 1e-13);
    }

    /// Central differences of the volume under translation and rotation of A.
    #[test]
    fn gradients_are_derivatives(a in shape(), b in shape(), p in pose(), q in pose()) {
        prop_assume!(!is_quadrature(&a, &b));
        let o = overlap(&a, &p, &b, &q);
        let step = 1e-5;
        let difference = |moved: &dyn Fn(f64) -> Pose| {
            (overlap(&a, &moved(step), &b, &q).volume - overlap(&a, &moved(-step), &b, &q).volume) / (2.0 * step)
        };
        for axis in DVec3::AXES {
            let shift = |h: f64| Pose { translation: p.translation + h * axis, ..p };
            let turn = |h: f64| Pose { rotation: DQuat::from_axis_angle(axis, h) * p.rotation, ..p };
            let (along, about) = (difference(&shift), difference(&turn));
            // Where the step crosses an edge of the other body the second derivative jumps: an error of the step
            // times the length of an edge, not its square.
            prop_assert!((along - o.gradient.dot(axis)).abs() < 1e-4, "{along} {}", o.gradient);
            prop_assert!((about - o.angular_gradient.dot(axis)).abs() < 2e-4, "{about} {}", o.angular_gradient);
        }
    }

    /// Boxes with corners on a lattice, in the poses of a cube's symmetry: most faces are coplanar with others.
    #[test]
    fn lattice_boxes(half in [1..4, 1..4, 1..4], other in [1..4, 1..4, 1..4], shift in [-4..5, -4..5, -4..5], turn in 0..4, flip in 0..4) {
        let size = |x: [i32; 3]| DVec3::from_array(x.map(|x| 0.5 * f64::from(x)));
        let (half, other) = (size(half), size(other));
        let quarter = FRAC_PI_2;
        let rotation = DQuat::from_rotation_z(quarter * f64::from(turn)) * DQuat::from_rotation_x(quarter * f64::from(flip));
        let b = Pose::new(size(shift), rotation);
        let sides = lattice_sides(half, other, &b);
        let slack = lattice_slack(sides, other, &b);
        let (one, two) = (Shape::Cuboid(Cuboid { half_size: half }), Shape::Cuboid(Cuboid { half_size: other }));
        for (a, b_shape) in [(one.clone(), two.clone()), (as_hull(&one), two.clone()), (as_hull(&one), as_hull(&two))] {
            let o = overlap(&a, &Pose::IDENTITY, &b_shape, &b);
            prop_assert!((o.volume - sides.element_product()).abs() <= slack, "{} {sides} {slack}", o.volume);
        }
    }
}

/// Sides of the box that two boxes share, the second turned by the quarter turns that its pose is meant to have. Exact:
/// all numbers are multiples of a half.
fn lattice_sides(half: DVec3, other: DVec3, b: &Pose) -> DVec3 {
    let turned = (rounded(DMat3::from_quat(b.rotation)) * other).abs();
    (half.min(b.translation + turned) - (-half).max(b.translation - turned)).max(DVec3::ZERO)
}

/// How far the volume of the overlap may be from the product of `sides`.
///
/// The pose has another rotation than was meant: the quaternion of a quarter turn is not a number of 64 bits. That takes
/// no corner of B, and so no point of its faces, farther along an axis than the rotation's error times its half-sizes. Both
/// ends of a side may be faces of B, so what is shared lies within a box with sides longer by twice that, and around one with
/// sides shorter by as much: the volume errs by at most Π(s + d) - Π s, which for a face that only touches is d times its
/// area.
fn lattice_slack(sides: DVec3, other: DVec3, b: &Pose) -> f64 {
    /// Half the spacing of numbers at one: what a rounded operation may err by, relatively.
    const ROUNDING: f64 = 0.5 * f64::EPSILON;
    /// Operations that place a corner: a matrix from the quaternion, a product with it, a sum.
    const PLACING: f64 = 16.0;
    /// Operations that an integral over faces of few corners adds up.
    const ADDING: f64 = 32.0;
    let found = DMat3::from_quat(b.rotation);
    let wrong = found - rounded(found);
    let tilt = DMat3::from_cols(wrong.x_axis.abs(), wrong.y_axis.abs(), wrong.z_axis.abs()) * other;
    let reach = b.translation.abs() + DVec3::splat(other.element_sum());
    let longer = sides + 2.0 * (tilt + PLACING * ROUNDING * reach);
    longer.element_product() * (1.0 + ADDING * ROUNDING) - sides.element_product()
}

/// The matrix with whole numbers that is meant by one near it.
fn rounded(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.round(), m.y_axis.round(), m.z_axis.round())
}

/// Bodies of a micrometre and of a thousand kilometres give the same numbers but for the powers of their size.
#[test]
fn extreme_scales() {
    for s in [1e-6, 1.0, 1e6] {
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5 * s) });
        let o = overlap(&cube, &Pose::IDENTITY, &cube, &at(0.5 * s, 0.4 * s, 0.3 * s));
        assert_eq!(o.kind, OverlapKind::Regular);
        assert!((o.volume / s.powi(3) - 0.21).abs() < 1e-15);
        assert!((o.gradient / (s * s)).distance(DVec3::new(0.42, 0.35, 0.30)) < 1e-15);
    }
}

/// A contact keeps its numbers when the scene moves away by 1e6 sizes; what is lost are the digits of the positions.
#[test]
fn far_from_the_origin() {
    let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
    let far = DVec3::new(1e6, -1e6, 1e6);
    let relative = Pose::new(DVec3::new(0.1, 0.2, 0.875), DQuat::from_rotation_z(0.3));
    let near = overlap(&cube, &Pose::IDENTITY, &cube, &relative);
    let moved = Pose { translation: relative.translation + far, ..relative };
    let away = overlap(&cube, &Pose::from_translation(far), &cube, &moved);
    assert!((away.volume - near.volume).abs() < 1e-9);
    assert!(away.centroid.distance(near.centroid) < 1e-9);
}

/// What lies on a plane to the last bit has hardly any depth, however it has rolled there: the width of what it touches is then rounding, and so is
/// where its ends are.
#[test]
fn what_touches_to_the_last_bit_is_not_deep() {
    let radius = 0.02;
    let shapes = [
        Shape::Sphere(Sphere { radius }),
        Shape::Capsule(Capsule { radius, half_length: 0.025 }),
        Shape::Cylinder(Cylinder { radius, height: 0.05 }),
    ];
    let grounds = [(cuboid([0.065, 0.2, 0.05]), at(0.0, 0.0, -0.05)), (Shape::HalfSpace, Pose::IDENTITY)];
    for rolled in 0..200 {
        let turn = DQuat::from_rotation_y(0.125 * f64::from(rolled)) * DQuat::from_rotation_x(FRAC_PI_2);
        let x = 2.5e-4 * f64::from(rolled % 40);
        for ulps in -2..=2 {
            let pose = Pose::new(DVec3::new(x, 0.0, radius * (1.0 + f64::from(ulps) * f64::EPSILON)), turn);
            for shape in &shapes {
                for (ground, place) in &grounds {
                    for o in [overlap(ground, place, shape, &pose), overlap(shape, &pose, ground, place)] {
                        // Ends of a line of contact are known to the square root of rounding, and depths to its square.
                        let deep = o.volume > 1e-12 * o.gradient.length();
                        assert!(o.kind == OverlapKind::Empty || !deep, "{shape:?} {rolled} {ulps}: {o:?}");
                    }
                }
            }
        }
    }
}
