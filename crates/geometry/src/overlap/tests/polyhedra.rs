//! Cuboids and hulls: closed forms.

use glam::{DMat3, DQuat, DVec3};

use super::{as_hull, at, cube, cuboid, max_abs};
use crate::overlap::{OverlapKind, overlap};
use crate::{Overlap, Pose, Shape};

/// The overlap of a pair, checked to be the same for cuboids and for hulls of their corners.
fn measured(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    let result = overlap(a, w_from_a, b, w_from_b);
    for (a, b) in [(as_hull(a), b.clone()), (a.clone(), as_hull(b)), (as_hull(a), as_hull(b))] {
        let other = overlap(&a, w_from_a, &b, w_from_b);
        assert_eq!(other.kind, result.kind);
        // Same volume whichever of the two is cut; rounding of coordinates below 10.
        assert!((other.volume - result.volume).abs() < 1e-14, "{} {}", other.volume, result.volume);
        assert!(other.gradient.distance(result.gradient) < 1e-14);
        assert!(other.angular_gradient.distance(result.angular_gradient) < 1e-14);
        assert!(other.centroid.distance(result.centroid) < 1e-13);
    }
    result
}

/// Full side lengths of the box with the same second moment.
fn lengths(o: &Overlap) -> DVec3 {
    let c = o.second_moment;
    DVec3::new(c.x_axis.x, c.y_axis.y, c.z_axis.z).map(|x| (12.0 * x / o.volume).sqrt())
}

#[test]
fn offset_cubes_overlap_in_a_box() {
    let o = measured(&cube(), &Pose::IDENTITY, &cube(), &at(0.5, 0.4, 0.3));
    assert_eq!(o.kind, OverlapKind::Regular);
    assert!((o.volume - 0.21).abs() < 1e-15);
    assert!(o.gradient.distance(DVec3::new(0.42, 0.35, 0.30)) < 1e-15);
    assert!(o.centroid.distance(DVec3::new(0.25, 0.2, 0.15)) < 1e-15);
    let c = DMat3::from_diagonal(DVec3::new(0.25, 0.36, 0.49) * (0.21 / 12.0));
    assert!(max_abs(o.second_moment - c) < 1e-16);
    // dV/dθ_A about A's origin: forces on the three faces at x, y, z = 1/2 act at their centres.
    let k = DVec3::new(0.5, 0.2, 0.15).cross(DVec3::X * 0.42)
        + DVec3::new(0.25, 0.5, 0.15).cross(DVec3::Y * 0.35)
        + DVec3::new(0.25, 0.2, 0.5).cross(DVec3::Z * 0.30);
    assert!(o.angular_gradient.distance(k) < 1e-15);
    assert!((o.areas[0] - 1.07).abs() < 1e-15 && (o.areas[1] - 1.07).abs() < 1e-15);
    assert!(o.bounds.min.distance(DVec3::new(0.0, -0.1, -0.2)) < 1e-15);
    assert!(o.bounds.max.distance(DVec3::splat(0.5)) < 1e-15);
}

#[test]
fn cubes_with_coplanar_sides_overlap_in_a_slab() {
    let o = measured(&cube(), &Pose::IDENTITY, &cube(), &at(0.25, 0.0, 0.0));
    assert_eq!(o.kind, OverlapKind::Regular);
    assert!((o.volume - 0.75).abs() < 1e-15);
    assert!(o.gradient.distance(DVec3::X) < 1e-15);
    let same = measured(&cube(), &Pose::IDENTITY, &cube(), &Pose::IDENTITY);
    assert!((same.volume - 1.0).abs() < 1e-15);
    assert_eq!((same.kind, same.gradient), (OverlapKind::Swallowed, DVec3::ZERO));
}

#[test]
fn touching_cubes_do_not_overlap() {
    for b in [at(0.5, 0.4, 1.0), at(0.0, 0.0, -1.0), at(1.0, 1.0, 1.0), at(2.0, 0.0, 0.0)] {
        assert_eq!(measured(&cube(), &Pose::IDENTITY, &cube(), &b), Overlap::EMPTY);
    }
}

#[test]
fn d6_03_moments_of_a_cuboid() {
    let o = measured(&cuboid([2.0, 3.0, 0.5]), &Pose::IDENTITY, &cuboid([9.0; 3]), &Pose::IDENTITY);
    assert!((o.volume - 3.0).abs() < 3e-12);
    assert!(max_abs(o.second_moment - DMat3::from_diagonal(DVec3::new(1.0, 2.25, 0.0625))) < 1e-12);
    assert!(lengths(&o).distance(DVec3::new(2.0, 3.0, 0.5)) < 1e-12);
}

#[test]
fn d6_04_moments_turn_with_the_cuboid() {
    let (a, b) = (cuboid([2.0, 3.0, 0.5]), cuboid([9.0; 3]));
    for i in 0..20 {
        let t = f64::from(i);
        let axis = DVec3::new(t.sin(), (2.0 * t).cos(), 0.3).normalize();
        let pose = Pose::new(DVec3::new(0.5 * t.cos(), 0.2, 0.1), DQuat::from_axis_angle(axis, t));
        let o = measured(&a, &pose, &b, &Pose::IDENTITY);
        assert_eq!(o.kind, OverlapKind::Swallowed);
        assert!((o.volume - 3.0).abs() < 3e-12);
        let r = pose.matrix();
        let expected = r * DMat3::from_diagonal(DVec3::new(1.0, 2.25, 0.0625)) * r.transpose();
        assert!(max_abs(o.second_moment - expected) < 1e-12);
    }
}

#[test]
fn d6_07_cube_over_the_edge_of_another() {
    for (width, depth) in [(0.1, 0.01), (0.5, 0.0155)] {
        let o = measured(&cube(), &Pose::IDENTITY, &cube(), &at(1.0 - width, 0.0, 1.0 - depth));
        assert!((o.volume - width * depth).abs() < 1e-9 * width * depth);
        let normal = o.patch.as_ref().unwrap().normal;
        assert!((normal.x / normal.z - depth / width).abs() < 1e-9);
        let l = lengths(&o);
        assert!(l.distance(DVec3::new(width, 1.0, depth)) < 1e-9);
        assert!(l.z < l.x && l.z < l.y);
    }
}

#[test]
fn d6_08_cube_inside_a_bigger_cube() {
    let big = cube();
    for i in 0..20 {
        let t = f64::from(i);
        let axis = DVec3::new(t.cos(), (3.0 * t).sin(), 0.4).normalize();
        let pose = Pose::new(DVec3::new(0.05, -0.04, 0.03), DQuat::from_axis_angle(axis, t));
        let o = measured(&big, &Pose::IDENTITY, &cuboid([0.5; 3]), &pose);
        assert_eq!((o.kind, o.gradient), (OverlapKind::Swallowed, DVec3::ZERO));
        assert!((o.volume - 0.125).abs() < 1e-15);
        assert!(o.patch.is_none() && o.areas[0] == 0.0 && (o.areas[1] - 1.5).abs() < 1e-14);
    }
}

#[test]
fn d6_09_equal_cubes_aligned_have_no_double_caps() {
    for depth in [0.3, 1e-3, 1e-6, 1e-9] {
        let o = measured(&cube(), &Pose::IDENTITY, &cube(), &at(0.0, 0.0, 1.0 - depth));
        // The pose itself holds the depth to 1e-16 only.
        assert!((o.volume - depth).abs() < 1e-10 * depth + 3e-16, "{depth}: {}", o.volume);
        assert!(lengths(&o).distance(DVec3::new(1.0, 1.0, depth)) < 1e-10);
        assert!(o.gradient.distance(DVec3::Z) < 1e-14);
        let patch = o.patch.unwrap();
        assert_eq!(patch.polygon.len(), 4);
        assert!((patch.extent - depth).abs() < 1e-15 && (patch.mean_depth - depth).abs() < 1e-15);
    }
}

/// A cube edge down, and a cube corner down, by `d` into a plate: wedge and tetrahedron.
#[test]
fn cube_edge_and_corner_in_a_plate() {
    let plate = cuboid([6.0, 6.0, 1.0]);
    let d = 0.02;
    let edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let o =
        measured(&plate, &Pose::IDENTITY, &cube(), &Pose::new(DVec3::Z * (0.5 - d + 0.5f64.sqrt()), edge));
    assert!((o.volume - d * d).abs() < 1e-16);
    assert!(o.gradient.distance(DVec3::Z * 2.0 * d) < 1e-15);
    assert!((o.centroid.z - (0.5 - d / 3.0)).abs() < 1e-15);
    let deviations = lengths(&o) / 12f64.sqrt();
    assert!(deviations.distance(DVec3::new(12f64.recip().sqrt(), d / 6f64.sqrt(), d / 18f64.sqrt())) < 1e-13);

    let d = 0.05;
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
    let o =
        measured(&plate, &Pose::IDENTITY, &cube(), &Pose::new(DVec3::Z * (0.5 - d + 0.75f64.sqrt()), corner));
    assert!((o.volume - 0.75f64.sqrt() * d.powi(3)).abs() < 1e-17);
    assert!((o.gradient.length() - 1.5 * 3f64.sqrt() * d * d).abs() < 1e-15);
    assert!((o.patch.unwrap().mean_depth - d / 3.0).abs() < 1e-14);
}

/// A cuboid on a half-space, flat and far from the floor's origin.
#[test]
fn cuboid_in_a_half_space() {
    let b = cuboid([2.0, 3.0, 0.5]);
    for depth in [0.4, 1e-3, 1e-6] {
        for far in [0.0, 1e6] {
            let o = measured(&Shape::HalfSpace, &Pose::IDENTITY, &b, &at(far, -far, 0.25 - depth));
            assert!((o.volume - 6.0 * depth).abs() < 6e-16);
            assert!(o.gradient.distance(DVec3::Z * 6.0) < 1e-14);
            assert!(o.centroid.distance(DVec3::new(far, -far, -0.5 * depth)) < 1e-15 * (1.0 + far));
            let k = DVec3::new(far, -far, 0.0).cross(DVec3::Z * 6.0);
            assert!(o.angular_gradient.distance(k) < 1e-14 * (1.0 + far));
            assert_eq!(o.areas[0], 6.0);
        }
    }
    let deep = measured(&Shape::HalfSpace, &Pose::IDENTITY, &b, &at(0.0, 0.0, -7.0));
    assert_eq!(deep.kind, OverlapKind::Swallowed);
    assert!(measured(&b, &at(0.0, 0.0, 0.25), &Shape::HalfSpace, &Pose::IDENTITY) == Overlap::EMPTY);
}
