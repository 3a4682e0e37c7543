//! Cylinders and cones: closed forms, sampling, and the agreement of the ways to measure one solid.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::round::{assert_sampled, some_pose};
use super::{as_hull, at, cuboid, max_abs};
use crate::overlap::{OverlapKind, overlap};
use crate::{Cone, Cuboid, Cylinder, Overlap, Pose, Shape, Solid};

const R: f64 = 0.3;
const H: f64 = 0.8;

fn cylinder() -> Shape {
    Shape::Cylinder(Cylinder { radius: R, height: H })
}

fn cone() -> Shape {
    Shape::Cone(Cone { radius: R, height: H })
}

fn in_frustum(x: DVec3, top: f64) -> bool {
    let up = x.z / H + 0.5;
    (0.0..=1.0).contains(&up) && x.truncate().length() <= R + (top - R) * up
}

fn on_floor(shape: &Shape, pose: &Pose) -> Overlap {
    overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, pose)
}

fn is_near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!(
        (found - wanted).abs() <= tolerance * wanted.abs(),
        "{what}: {found} {wanted}, off by {:.1e}",
        found / wanted - 1.0
    );
}

/// `x - sin x` without its cancellation.
fn less_sine(x: f64) -> f64 {
    if x > 0.5 {
        return x - x.sin();
    }
    let (mut term, mut sum) = (x * x * x / 6.0, 0.0);
    for k in 2..14 {
        sum += term;
        term *= -x * x / f64::from(2 * k * (2 * k + 1));
    }
    sum
}

/// Half the angle that a chord at a depth takes of a circle.
fn half_angle(radius: f64, depth: f64) -> f64 {
    2.0 * (0.5 * depth / radius).sqrt().asin()
}

/// Area of the circular segment of a depth.
fn segment(radius: f64, depth: f64) -> f64 {
    0.5 * radius * radius * less_sine(2.0 * half_angle(radius, depth))
}

/// The integral by Simpson's rule.
fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const N: u32 = 20_000;
    let step = (to - from) / f64::from(N);
    let weight = |i: u32| if i == 0 || i == N { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=N).map(|i| weight(i) * f(from + f64::from(i) * step)).sum::<f64>() * step / 3.0
}

#[test]
fn lying_cylinder_is_a_circular_segment() {
    for depth in [0.3, 1e-9, 1e-6 * R, 1e-4, 0.01, 0.1, 0.3, 0.45] {
        for turn in [0.0, 0.7] {
            let rotation = DQuat::from_rotation_z(turn)
                * DQuat::from_rotation_x(FRAC_PI_2)
                * DQuat::from_rotation_z(turn);
            let o = on_floor(&cylinder(), &Pose::new(DVec3::new(0.2, 0.1, R - depth), rotation));
            let (area, angle) = (segment(R, depth), half_angle(R, depth));
            // The depth is known to some 1e-16 of the size.
            let tolerance = 1e-13 + 1e-14 / depth;
            let name = format!("{depth} {turn}");
            assert_eq!(o.kind, OverlapKind::Regular);
            is_near(o.volume, H * area, tolerance, &name);
            is_near(o.gradient.z, 2.0 * R * angle.sin() * H, tolerance, &name);
            assert!(o.gradient.truncate().length() < tolerance * o.gradient.z);
            is_near(o.areas[0], o.gradient.z, tolerance, &name);
            is_near(o.areas[1], 2.0 * (R * angle * H + area), tolerance, &name);
            // Mean square along the axis and the depth of the centroid.
            let axis = DQuat::from_rotation_z(turn) * DVec3::Y;
            is_near(axis.dot(o.second_moment * axis), o.volume * H * H / 12.0, tolerance, &name);
            let up = R - depth - 2.0 / 3.0 * (R * angle.sin()).powi(3) / area;
            assert!((o.centroid.z - up).abs() < tolerance * depth, "{name} {} {up}", o.centroid.z);
            let patch = o.patch.unwrap();
            is_near(patch.extent, depth, tolerance, &name);
            is_near(patch.mean_depth, H * area / o.gradient.z, 2.0 * tolerance, &name);
            let half = patch.polygon.iter().fold(0.0_f64, |m, x| m.max(x.x.abs()));
            is_near(half, 0.5 * H, tolerance.max(1e-9), &name);
        }
    }
}

#[test]
fn standing_cylinder_is_a_disc() {
    for depth in [1e-9, 1e-6, 1e-3, 0.4] {
        let o = on_floor(&cylinder(), &at(0.2, 0.1, 0.5 * H - depth));
        let tolerance = 1e-13 + 1e-14 / depth;
        is_near(o.volume, PI * R * R * depth, tolerance, "volume");
        is_near(o.gradient.z, PI * R * R, 1e-13, "gradient");
        is_near(o.areas[1], PI * R * R + 2.0 * PI * R * depth, tolerance, "area");
        is_near(o.second_moment.x_axis.x, PI * R.powi(4) / 4.0 * depth, tolerance, "second moment");
        is_near(
            o.second_moment.z_axis.z,
            PI * R * R * depth.powi(3) / 12.0,
            1e-12 + 1e-15 / depth.powi(2),
            "thickness",
        );
        let patch = o.patch.unwrap();
        assert_eq!(patch.polygon.len(), 32);
        assert!(patch.polygon.iter().all(|x| (x.length() - R).abs() < 1e-9));
        assert!((o.bounds.max.z - 0.0).abs() < 1e-15 && (o.bounds.max.x - 0.2 - R).abs() < 1e-9);
    }
}

/// A cylinder on its rim: a hoof between a segment of its end, of half the angle a, and the floor. With the end's points at
/// r cos ψ from the axis it is an integral over ψ of r (cos ψ - cos a) tan(lean) times the chord.
#[test]
fn leaning_cylinder_is_a_hoof() {
    for lean in [1e-4_f64, 0.05, 0.6, 1.5] {
        for depth in [1e-7, 1e-6, 1e-3, 0.05] {
            // How far the floor goes into the end disc, from the rim.
            let sagitta = depth / lean.sin();
            if sagitta > 2.0 * R || sagitta / lean.tan().recip() > H {
                continue;
            }
            let rotation = DQuat::from_rotation_y(lean);
            let lowest = rotation * DVec3::new(R, 0.0, -0.5 * H);
            let o = on_floor(&cylinder(), &Pose::new(DVec3::Z * (-depth - lowest.z), rotation));
            let a = half_angle(R, sagitta);
            let volume = integral(0.0, a, |psi: f64| {
                let fall = 2.0 * (0.5 * (a + psi)).sin() * (0.5 * (a - psi)).sin();
                2.0 * R.powi(3) * fall * lean.tan() * psi.sin().powi(2)
            });
            let tolerance = 1e-11 + 1e-14 / depth;
            let name = format!("lean {lean} depth {depth}");
            is_near(o.volume, volume, tolerance, &name);
            is_near(o.gradient.z, segment(R, sagitta) / lean.cos(), tolerance, &name);
            is_near(o.patch.unwrap().extent, depth, tolerance, &name);
        }
    }
}

#[test]
fn cone_on_its_tip_and_on_its_base() {
    for depth in [1e-7, 1e-3, 0.3] {
        let tolerance = 1e-12 + 1e-14 / depth;
        let upside_down = Pose::new(DVec3::Z * (0.5 * H - depth), DQuat::from_rotation_x(PI));
        let tip = on_floor(&cone(), &upside_down);
        let radius = R * depth / H;
        is_near(tip.volume, PI * radius * radius * depth / 3.0, tolerance, "tip");
        is_near(tip.gradient.z, PI * radius * radius, tolerance, "tip's area");
        is_near(tip.areas[1], PI * radius * radius.hypot(depth), tolerance, "tip's side");
        let base = on_floor(&cone(), &at(0.0, 0.0, 0.5 * H - depth));
        let rest = (1.0 - depth / H).powi(3);
        is_near(base.volume, PI * R * R * H / 3.0 * (1.0 - rest), tolerance, "base");
        is_near(base.gradient.z, PI * (R * (1.0 - depth / H)).powi(2), tolerance, "base's area");
    }
}

/// A cone on its side: slices across the axis are circular segments of a depth that grows evenly from the tip.
#[test]
fn lying_cone_is_a_stack_of_segments() {
    let slope = (R / H).atan();
    for (depth, tilt) in
        [(1e-7, 0.0), (1e-6, 0.0), (1e-4, 1e-5), (0.01, 0.0), (0.01, 0.02), (0.1, -0.1), (1e-3, -1e-3)]
    {
        // The lowest line of the side is horizontal, but for the tilt; the depth is that of its middle.
        let rotation = DQuat::from_rotation_y(FRAC_PI_2 + slope + tilt);
        let middle = rotation * DVec3::new(0.5 * R, 0.0, 0.0);
        let pose = Pose::new(DVec3::Z * (-depth - middle.z), rotation);
        let o = on_floor(&cone(), &pose);
        // Depth of the circle at a height, across the axis.
        let lean = slope + tilt;
        let below = |z: f64| {
            let radius = R * (0.5 - z / H);
            // The lowest point of the circle, and how much deeper it is than the one at z = 0 along the line of the side.
            let lowest = depth + z * (R / H).hypot(1.0) * tilt.sin();
            (radius, lowest / lean.cos())
        };
        let volume = integral(-1.0, 1.0, |s| {
            // Denser at the ends, where the segments begin.
            let z = 0.5 * H * s * (1.5 - 0.5 * s * s);
            let dz = 0.75 * H * (1.0 - s * s);
            let (radius, sagitta) = below(z);
            dz * match sagitta {
                _ if sagitta <= 0.0 || radius <= 0.0 => 0.0,
                _ if sagitta >= 2.0 * radius => PI * radius * radius,
                _ => segment(radius, sagitta),
            }
        });
        is_near(o.volume, volume, 1e-7 + 1e-13 / depth, &format!("depth {depth} tilt {tilt}"));
        assert!(o.gradient.normalize().distance(DVec3::Z) < 1e-13 + 1e-15 / depth);
    }
}

/// Central differences of the volume, and the moments against sampling, in many poses.
#[test]
fn in_boxes_they_agree_with_sampling() {
    let half_size = DVec3::new(0.6, 0.5, 0.3);
    let cuboid = Shape::Cuboid(Cuboid { half_size });
    let mut n_regular = 0;
    for (shape, top) in [(cylinder(), R), (cone(), 0.0)] {
        for i in 0..20 {
            let a_from_b = some_pose(i);
            // Turned, as the cells of the sampling are not to be parallel to the ends.
            let turn = Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7));
            let o = overlap(&shape, &turn, &cuboid, &turn.then(&a_from_b));
            if o.kind == OverlapKind::Empty {
                continue;
            }
            n_regular += u32::from(o.kind == OverlapKind::Regular);
            let b_from_a = a_from_b.inverse();
            let a_from_w = turn.inverse();
            let inside = |x: DVec3| {
                in_frustum(a_from_w.point(x), top)
                    && b_from_a.point(a_from_w.point(x)).abs().cmple(half_size).all()
            };
            let slack = assert_sampled(&o, inside, 0.0, &format!("{shape:?}, case {i}"));
            assert!(slack < 12.0, "{shape:?}, case {i}: the box stands off by {slack} cells");
        }
    }
    assert!(n_regular > 12, "{n_regular}");
}

/// A cube much larger than the body is a half-space to it, and its mesh and its hull are the same.
#[test]
fn meshes_hulls_and_half_spaces_give_the_same_overlap() {
    let half_size = DVec3::new(0.8, 0.5, 0.3);
    let hull = as_hull(&Shape::Cuboid(Cuboid { half_size }));
    let Shape::Convex(polyhedron) = &hull else { unreachable!() };
    let mesh = Shape::Mesh(Arc::new(Solid::new(polyhedron.to_mesh()).unwrap()));
    let pose = Pose::new(DVec3::new(0.3, -0.7, 0.2), DQuat::from_xyzw(0.3, 0.1, -0.5, 0.6));
    let coin = Shape::Cylinder(Cylinder { radius: 0.6, height: 1e-3 });
    let needle = Shape::Cylinder(Cylinder { radius: 1e-3, height: 1.5 });
    let thorn = Shape::Cone(Cone { radius: 1e-2, height: 1.5 });
    let hat = Shape::Cone(Cone { radius: 0.6, height: 1e-2 });
    for shape in [cylinder(), cone(), coin, needle, thorn, hat] {
        for i in 0..200 {
            let b = some_pose(i);
            let one = overlap(&shape, &Pose::IDENTITY, &hull, &b);
            let other = overlap(&shape, &Pose::IDENTITY, &mesh, &b);
            assert_same(&one, &other, 1e-12, &format!("{shape:?} {i}"));
            let in_cube = Pose::new(b.translation + DVec3::Z * 4.9, b.rotation);
            let cube = overlap(&shape, &pose.then(&in_cube), &cuboid([10.0; 3]), &pose);
            let floor =
                overlap(&shape, &pose.then(&in_cube), &Shape::HalfSpace, &pose.then(&at(0.0, 0.0, 5.0)));
            assert_same(&cube, &floor, 1e-12, &format!("{shape:?} {i} floor"));
        }
    }
}

fn assert_same(one: &Overlap, other: &Overlap, tolerance: f64, name: &str) {
    assert_eq!(one.kind, other.kind, "{name}");
    assert!((one.volume - other.volume).abs() < tolerance, "{name}: {} {}", one.volume, other.volume);
    assert!(one.centroid.distance(other.centroid) < tolerance / one.volume.clamp(1e-9, 1.0), "{name}");
    assert!(max_abs(one.second_moment - other.second_moment) < tolerance, "{name}");
    assert!(one.gradient.distance(other.gradient) < tolerance, "{name}: {} {}", one.gradient, other.gradient);
    assert!(one.angular_gradient.distance(other.angular_gradient) < 2.0 * tolerance, "{name}");
    for (x, y) in one.areas.into_iter().zip(other.areas) {
        assert!((x - y).abs() < 10.0 * tolerance, "{name}: {x} {y}");
    }
}

/// A ball on the side, on the end and on the rim of a cylinder, two parallel cylinders, two crossed ones.
#[test]
fn round_bodies_on_cylinders() {
    let r = 0.2;
    let mut worst = [0.0_f64; 4];
    for depth in [1e-7, 1e-6, 1e-4, 0.01, 0.05] {
        let ball = Shape::Sphere(crate::Sphere { radius: r });
        // Slices across the axis are lenses of two discs.
        let side = integral(-FRAC_PI_2, FRAC_PI_2, |t: f64| {
            let widest = (depth * (2.0 * r - depth)).sqrt();
            let z = widest * t.sin();
            let disc = (r * r - z * z).sqrt();
            lens(R, disc, (depth - z * z / (r + disc)).max(0.0)) * widest * t.cos()
        });
        for azimuth in [0.0, 0.123, 3.0] {
            let at_side =
                Pose::from_translation(DQuat::from_rotation_z(azimuth) * DVec3::X * (R + r - depth));
            let o = overlap(&ball, &at_side, &cylinder(), &Pose::IDENTITY);
            worst[0] = worst[0].max((o.volume / side - 1.0).abs());
            let toward = at_side.translation.normalize();
            assert!(o.gradient.normalize().distance(-toward) < 1e-3, "{depth} {azimuth} {}", o.gradient);
        }
        let on_end = overlap(&ball, &at(0.02, 0.01, 0.5 * H + r - depth), &cylinder(), &Pose::IDENTITY);
        worst[1] = worst[1].max((on_end.volume / (PI * depth * depth * (r - depth / 3.0)) - 1.0).abs());
        let thin = Shape::Cylinder(Cylinder { radius: r, height: 0.5 });
        for azimuth in [0.0, 0.123, 3.0] {
            let beside = Pose::new(
                DQuat::from_rotation_z(azimuth) * DVec3::new(R + r - depth, 0.0, 0.1),
                DQuat::from_rotation_z(0.3),
            );
            let o = overlap(&cylinder(), &Pose::IDENTITY, &thin, &beside);
            worst[2] = worst[2].max((o.volume / (0.5 * lens(R, r, depth)) - 1.0).abs());
        }
        let across = Pose::new(DVec3::Y * (R + r - depth), DQuat::from_rotation_y(FRAC_PI_2));
        // Rectangles between the half-chords of both.
        let volume = integral(0.0, PI, |t: f64| {
            let s = depth * (0.5 * t).sin().powi(2);
            let chord = |radius: f64, depth: f64| 2.0 * (depth * (2.0 * radius - depth)).sqrt();
            chord(R, s) * chord(r, depth - s) * 0.5 * depth * t.sin()
        });
        let o = overlap(&cylinder(), &Pose::IDENTITY, &thin, &across);
        worst[3] = worst[3].max((o.volume / volume - 1.0).abs());
        println!("{depth}: {worst:?}");
    }
    assert!(worst[0] < 1e-4 && worst[1] < 1e-7 && worst[2] < 1e-4 && worst[3] < 1e-4, "{worst:?}");
}

/// Area of the lens of two discs that is `depth` wide.
fn lens(r: f64, s: f64, depth: f64) -> f64 {
    if depth <= 0.0 {
        return 0.0;
    }
    let distance = r + s - depth;
    // How far the common chord is from the edge of each.
    let of_r = depth * (2.0 * s - depth) / (2.0 * distance);
    segment(r, of_r) + segment(s, depth - of_r)
}

/// Either body is the one that is replaced: both ways agree, and with sampling.
#[test]
fn round_bodies_in_any_pose() {
    let thin = Shape::Cylinder(Cylinder { radius: 0.2, height: 1.0 });
    let ball = Shape::Sphere(crate::Sphere { radius: 0.25 });
    let capsule = Shape::Capsule(crate::Capsule { radius: 0.15, half_length: 0.4 });
    let mut worst = [0.0_f64; 3];
    let mut n_regular = 0;
    for (a, top) in [(cylinder(), R), (cone(), 0.0)] {
        for (ix, b) in [&thin, &cone(), &ball, &capsule].into_iter().enumerate() {
            for i in 0..30 {
                let pose = some_pose(i);
                let o = overlap(&a, &Pose::IDENTITY, b, &pose);
                if o.kind != OverlapKind::Regular {
                    continue;
                }
                n_regular += 1;
                if ix < 2 {
                    let other = overlap(b, &pose, &a, &Pose::IDENTITY).swapped(-pose.translation);
                    worst[0] = worst[0].max((o.volume / other.volume - 1.0).abs());
                    worst[1] = worst[1].max(o.gradient.distance(other.gradient) / o.areas[0].min(o.areas[1]));
                    worst[2] = worst[2].max(o.centroid.distance(other.centroid) / o.bounds.diagonal());
                }
                if i % 5 == 0 {
                    let back = pose.inverse();
                    let reach = |x: DVec3, radius: f64, half: f64| {
                        x.distance(DVec3::Z * x.z.clamp(-half, half)) <= radius
                    };
                    let in_b = |x: DVec3| match ix {
                        0 => x.z.abs() <= 0.5 && x.truncate().length() <= 0.2,
                        1 => in_frustum(x, 0.0),
                        2 => reach(x, 0.25, 0.0),
                        _ => reach(x, 0.15, 0.4),
                    };
                    let inside = |x: DVec3| in_frustum(x, top) && in_b(back.point(x));
                    assert_volume_sampled(&o, inside, &format!("{a:?} {b:?} {i}"));
                }
            }
        }
    }
    println!("{n_regular} regular, worst {worst:?}");
    assert!(n_regular > 60 && worst.iter().all(|&x| x < 2e-4), "{n_regular} {worst:?}");
}

/// The volume by the midpoint rule on a grid.
fn assert_volume_sampled(o: &Overlap, inside: impl Fn(DVec3) -> bool, name: &str) {
    const N: u32 = 150;
    // Not parallel to what is sampled.
    let turn = glam::DMat3::from_quat(DQuat::from_xyzw(0.3, -0.5, 0.2, 0.7).normalize());
    let reach = 0.5 * o.bounds.diagonal() + 0.02;
    let cell = 2.0 * reach / f64::from(N);
    let place = |i: u32| (f64::from(i) + 0.5) * cell - reach;
    let mut n = 0.0;
    for (i, j, k) in (0..N).flat_map(|i| (0..N).flat_map(move |j| (0..N).map(move |k| (i, j, k)))) {
        let x = o.bounds.center() + turn * DVec3::new(place(i), place(j), place(k));
        n += f64::from(u8::from(inside(x)));
    }
    let volume = n * cell.powi(3);
    // The error of a cell at every place of the surface, which cancels at random.
    let error = cell * (o.areas[0] + o.areas[1]) * 0.03;
    assert!((volume - o.volume).abs() < error, "{name}: {} sampled {volume}", o.volume);
}

/// Poses that are none end in some result, in time.
#[test]
fn poses_that_are_not_finite() {
    let ball = Shape::Sphere(crate::Sphere { radius: 0.25 });
    let mesh = Shape::Mesh(cylinder().to_solid().unwrap());
    for a in [cylinder(), cone()] {
        for b in [&Shape::HalfSpace, &cuboid([1.0; 3]), &ball, &mesh, &cylinder(), &cone()] {
            for bad in [f64::NAN, f64::INFINITY, 1e300, 1e-300] {
                for turn in [DQuat::IDENTITY, DQuat::from_xyzw(bad, 0.0, 0.0, 1.0)] {
                    let pose = Pose { translation: DVec3::new(0.1, bad, 0.2), rotation: turn };
                    overlap(&a, &pose, b, &Pose::IDENTITY);
                    overlap(&a, &Pose::IDENTITY, b, &pose);
                }
            }
        }
    }
}

/// A cylinder or a cone that lies on its side on a floor or on a box overlaps it by no more than how deep it is allows, by rounding as well as
/// by what is far above it: wherever it lies, along whichever azimuth, its side touches along a line.
#[test]
fn what_lies_on_its_side_overlaps_by_its_depth_at_most() {
    let table = cuboid([40.0, 0.6, 0.2]);
    let footprint = 2.0 * R * (H * H + R * R).sqrt();
    for (shape, lean) in [(cylinder(), 0.0), (cone(), (R / H).atan())] {
        for turn in 0..60 {
            let azimuth = 0.2 * f64::from(turn);
            let at_x = 0.37 * f64::from(turn) - 9.0;
            let lies = DQuat::from_rotation_y(FRAC_PI_2 + lean) * DQuat::from_rotation_z(azimuth);
            let rotation = DQuat::from_rotation_z(0.5 * FRAC_PI_2 * f64::from(turn % 3)) * lies;
            let height = shape.reach(rotation.conjugate() * DVec3::NEG_Z);
            for depth in [0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6] {
                let lower = Pose::new(DVec3::Z * (height - depth), rotation);
                let higher = Pose::new(DVec3::new(at_x, 0.05, 0.1 + height - depth), rotation);
                let found = [
                    on_floor(&shape, &lower),
                    overlap(&table, &Pose::IDENTITY, &shape, &higher),
                    overlap(&shape, &higher, &table, &Pose::IDENTITY),
                ];
                // Places ten metres out are known to 2e-15 m.
                let most = (depth + 1e-14) * footprint;
                for overlap in found {
                    assert!(
                        (0.0..=most).contains(&overlap.volume),
                        "{shape:?} turned {turn}, {depth:e} m: {}",
                        overlap.volume
                    );
                }
            }
        }
    }
}

/// A cylinder with its rim on the end of another, over whose edge it leans: the end is as good as a floor, wherever around the axes they
/// meet, and what is above it does not overlap.
#[test]
fn a_rim_on_an_end_meets_a_plane() {
    let under = at(0.0, 0.0, -0.5 * H);
    for lean in [0.02, 0.3, 1.2] {
        for turn in [0.0, 0.61, 2.0, 4.4] {
            let rotation =
                DQuat::from_rotation_z(turn) * DQuat::from_rotation_y(lean) * DQuat::from_rotation_z(turn);
            let lowest = rotation.conjugate() * DVec3::NEG_Z;
            let lowest = rotation * (R * lowest.with_z(0.0).normalize() - DVec3::Z * (0.5 * H));
            let place = DQuat::from_rotation_z(2.0 * turn) * DVec3::X * 0.2;
            for depth in [-1e-9, 1e-6, 1e-4] {
                let pose = Pose::new(place - DVec3::Z * depth - lowest, rotation);
                let pair = overlap(&cylinder(), &under, &cylinder(), &pose);
                let floor = on_floor(&cylinder(), &pose);
                let name = format!("lean {lean} turn {turn} depth {depth}");
                assert_eq!(pair.kind, floor.kind, "{name}");
                if depth > 0.0 {
                    is_near(pair.volume, floor.volume, 1e-4, &name);
                    is_near(pair.gradient.length(), floor.gradient.length(), 1e-4, &name);
                    is_near(pair.patch.unwrap().extent, floor.patch.unwrap().extent, 1e-4, &name);
                }
            }
        }
    }
}
