use std::f64::consts::{PI, TAU};

use glam::DVec2;
use tactum_sim::ContactPatch;
use tactum_sim::SpinRule;
use tactum_sim::solver::patch::Ellipse;

use crate::random::{Rng, ellipse, polygon};

#[test]
fn d6_11_nearest_rim_point_of_an_ellipse() {
    let rim = Ellipse::new(2.0, 1.0);
    let outside = rim.nearest_on_rim(DVec2::new(3.0, 2.0));
    assert!((outside - DVec2::new(1.72541125, 0.50570644)).length() < 1e-7, "{outside}");
    let inside = rim.nearest_on_rim(DVec2::new(1.0, 0.0));
    assert!((inside.x - 1.3333333).abs() < 1e-7 && (inside.y.abs() - 0.7453560).abs() < 1e-7, "{inside}");
    let above = rim.nearest_on_rim(DVec2::new(0.0, 3.0));
    assert!((above - DVec2::new(0.0, 1.0)).length() < 1e-7, "{above}");
}

/// Nothing on the rim is nearer, inside and outside, whichever semi-axis is the longer, next to the axes too.
#[test]
fn nearest_rim_point_beats_the_sampled_rim() {
    let mut rng = Rng::new(11);
    for ix in 0..rng.cases(2000) {
        let (a, b) = (rng.log_range(1e-3, 1.0), rng.log_range(1e-3, 1.0));
        let scale = DVec2::new(a, b) * rng.log_range(1e-2, 1e3);
        let mut y = rng.plane_vector(1.0) * scale;
        match ix % 8 {
            0 => y.x = 0.0,
            1 => y.y = 0.0,
            2 => y.x *= 1e-12,
            3 => y.y *= 1e-12,
            _ => {}
        }
        let rim = Ellipse::new(a, b);
        let x = rim.nearest_on_rim(y);
        assert!(((x / DVec2::new(a, b)).length_squared() - 1.0).abs() < 1e-9, "{a} {b} {y} {x}");
        let sampled = (0..1000)
            .map(|k| DVec2::from_angle(TAU * f64::from(k) / 1000.0) * DVec2::new(a, b))
            .map(|p| p.distance(y))
            .fold(f64::INFINITY, f64::min);
        assert!(x.distance(y) <= sampled * (1.0 + 1e-9), "{a} {b} {y} {x} {sampled}");
    }
}

#[test]
fn d6_12_spin_radius_of_an_ellipse_by_three_rules() {
    let patch = ContactPatch::ellipse(0.3, 0.1);
    let turned = ContactPatch::ellipse(0.1, 0.3);
    let expected =
        [(SpinRule::Uniform, 0.14180592), (SpinRule::Hertz, 0.12529587), (SpinRule::Corners, 0.31622777)];
    for (rule, radius) in expected {
        for patch in [&patch, &turned] {
            let found = patch.spin_radius(rule, DVec2::ZERO);
            assert!((found / radius - 1.0).abs() < 1e-7, "{rule:?} {found}");
        }
    }
    let disc = ContactPatch::ellipse(1.0, 1.0);
    assert!((disc.spin_radius(SpinRule::Uniform, DVec2::ZERO) - 2.0 / 3.0).abs() < 1e-15);
    assert!((disc.spin_radius(SpinRule::Hertz, DVec2::ZERO) - 3.0 * PI / 16.0).abs() < 1e-15);
    // Mean distance of a disc's points to a point of its rim: 32 / (9 π) radii.
    let on_rim = disc.spin_radius(SpinRule::Uniform, DVec2::X);
    assert!((on_rim / (32.0 / (9.0 * PI)) - 1.0).abs() < 3e-4, "{on_rim}");
}

/// Mean distance over a patch by the midpoint rule on a grid of its bounding square, and the relative error of that.
///
/// A square of the grid that the border cuts counts whole or not at all, wrong by a third of its area or so, as chance has it:
/// the area by that times the root of their number, here with a border of 8 and five standard deviations.
fn mean_distance_by_grid(inside: impl Fn(DVec2) -> bool, size: f64, x: DVec2) -> (f64, f64) {
    let n = 600;
    let spacing = 2.0 * size / f64::from(n);
    let (mut sum, mut count) = (0.0, 0.0);
    for i in 0..n {
        for j in 0..n {
            let p = DVec2::new(f64::from(i) + 0.5, f64::from(j) + 0.5) * (2.0 * size / f64::from(n)) - size;
            if inside(p) {
                sum += p.distance(x);
                count += 1.0;
            }
        }
    }
    let wrong = 5.0 / 3.0 * (8.0_f64 / spacing).sqrt();
    (sum / count, wrong / count)
}

#[test]
fn uniform_spin_radius_is_the_mean_distance_over_the_patch() {
    let mut rng = Rng::new(12);
    for ix in 0..rng.cases(40) {
        let points: Vec<_> = (0..8).map(|_| rng.plane_vector(1.0)).collect();
        let patch = if ix % 2 == 0 {
            ContactPatch::polygon(&points)
        } else {
            ContactPatch::ellipse(rng.range(0.2, 1.0), rng.range(0.2, 1.0))
        };
        let x = patch.nearest(rng.plane_vector(0.8));
        let (expected, error) = mean_distance_by_grid(|p| patch.contains(p), 1.0, x);
        let found = patch.spin_radius(SpinRule::Uniform, x);
        // An ellipse's quadrature is good to 3e-4.
        assert!((found / expected - 1.0).abs() < error + 3e-4, "{patch:?} {x} {found} {expected}");
        assert!(found >= patch.min_spin_radius(SpinRule::Uniform) * (1.0 - 1e-12));
    }
    // The unit square from its centre, (sqrt 2 + asinh 1) / 6, and from a corner, twice that.
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(DVec2::from_array);
    let square = ContactPatch::polygon(&corners);
    let center = (2.0_f64.sqrt() + 1.0_f64.asinh()) / 6.0;
    let at = |x| square.spin_radius(SpinRule::Uniform, x);
    assert!((at(DVec2::splat(0.5)) - center).abs() < 1e-15);
    assert!((at(DVec2::ONE) - 2.0 * center).abs() < 1e-15);
    // A centre of pressure outside counts as its nearest point.
    assert_eq!(at(DVec2::splat(7.0)), at(DVec2::ONE));
    // Rotated and refined sides are the same polygon.
    let fine: Vec<_> =
        (0..64).map(|k| corners[k / 16].lerp(corners[(k / 16 + 1) % 4], (k % 16) as f64 / 16.0)).collect();
    let fine = ContactPatch::polygon(&fine).spin_radius(SpinRule::Uniform, DVec2::new(0.3, 0.9));
    assert!((fine - at(DVec2::new(0.3, 0.9))).abs() < 1e-15);
}

#[test]
fn polygon_with_many_corners_has_the_radii_of_its_ellipse() {
    let axes = DVec2::new(0.3, 0.1);
    let points: Vec<_> = (0..256).map(|k| DVec2::from_angle(TAU * f64::from(k) / 256.0) * axes).collect();
    let polygon = ContactPatch::polygon(&points);
    let ellipse = ContactPatch::ellipse(axes.x, axes.y);
    for x in [DVec2::ZERO, DVec2::new(0.1, 0.02), DVec2::new(-0.25, 0.04), DVec2::new(0.0, 0.099)] {
        for rule in [SpinRule::Uniform, SpinRule::Hertz, SpinRule::Corners] {
            let (p, e) = (polygon.spin_radius(rule, x), ellipse.spin_radius(rule, x));
            // The inscribed polygon has 1e-4 less area; the ellipse's quadrature is good to 2.2e-4.
            assert!((p / e - 1.0).abs() < 3e-4, "{rule:?} {x} {p} {e}");
        }
    }
}

#[test]
fn nearest_and_lowest_points_beat_the_sampled_patch() {
    let mut rng = Rng::new(13);
    for ix in 0..rng.cases(500) {
        let patch = if ix % 2 == 0 { ellipse(&mut rng, 1.0) } else { polygon(&mut rng, 1.0) };
        let (y, gradient) = (rng.plane_vector(2.0), rng.plane_vector(1.0));
        let (nearest, lowest) = (patch.nearest(y), patch.lowest(gradient));
        assert!(patch.contains(nearest) && patch.contains(lowest));
        for _ in 0..200 {
            let p = patch.nearest(rng.plane_vector(1.0) * patch.reach() * 2.0);
            assert!(p.distance(y) >= nearest.distance(y) - 1e-12);
            assert!(gradient.dot(p) >= gradient.dot(lowest) - 1e-12);
        }
    }
}

#[test]
fn degenerate_patches_are_segments_and_points() {
    let rules = [SpinRule::Uniform, SpinRule::Hertz, SpinRule::Corners];
    let (p, q) = (DVec2::new(-0.2, 0.1), DVec2::new(0.4, 0.4));
    let collinear: Vec<_> = (0..7).map(|k| p.lerp(q, f64::from(k) / 6.0)).collect();
    for points in [vec![p, q], vec![q, p, q], collinear] {
        let segment = ContactPatch::polygon(&points);
        assert!((segment.nearest(DVec2::new(0.0, 0.0)) - DVec2::new(-0.08, 0.16)).length() < 1e-9);
        assert!((segment.nearest(DVec2::new(9.0, 0.0)) - q).length() < 1e-15);
        assert!(segment.contains(p.midpoint(q)) && !segment.contains(p.midpoint(q) + DVec2::new(0.0, 1e-6)));
        assert!(!segment.contains(q + (q - p) * 1e-6));
        let length = p.distance(q);
        // Mean distance to the middle L/4, to an end L/2; the ellipse of a segment's variance L²/12 has a = L/√3.
        assert!((segment.spin_radius(SpinRule::Uniform, p.midpoint(q)) - length / 4.0).abs() < 1e-9);
        assert!((segment.spin_radius(SpinRule::Uniform, q) - length / 2.0).abs() < 1e-9);
        let hertz = 3.0 / 8.0 * length / 3.0_f64.sqrt();
        assert!((segment.spin_radius(SpinRule::Hertz, q) - hertz).abs() < 1e-9);
        for rule in rules {
            assert!(segment.spin_radius(rule, q) >= segment.min_spin_radius(rule) * (1.0 - 1e-12));
        }
    }
    let thin = ContactPatch::ellipse(0.5, 0.0);
    assert_eq!(thin.nearest(DVec2::new(2.0, 1.0)), DVec2::new(0.5, 0.0));
    assert_eq!(thin.lowest(DVec2::new(1.0, 5.0)), DVec2::new(-0.5, 0.0));
    assert!((thin.spin_radius(SpinRule::Uniform, DVec2::ZERO) - 2.0 / (3.0 * PI)).abs() < 1e-15);
    for (point, at) in [
        (ContactPatch::ellipse(0.0, 0.0), DVec2::ZERO),
        (ContactPatch::polygon(&[p]), p),
        (ContactPatch::polygon(&[p, p, p]), p),
        (ContactPatch::polygon(&[]), DVec2::ZERO),
    ] {
        assert_eq!(point.nearest(q), at);
        assert_eq!(point.lowest(q), at);
        assert!(point.contains(at) && !point.contains(at + DVec2::X));
        for rule in rules {
            assert_eq!((point.reach(), point.spin_radius(rule, q)), (0.0, 0.0));
        }
    }
}
