//! Overlaps of several regions: what is known of them in closed form, and that their sums are the whole.

use std::f64::consts::PI;

use super::closed_forms::{open_ring, plate};
use super::*;
use crate::mesh::generate::{Gear, LShape, Prism};
use crate::moments::outer;
use crate::overlap::OverlapKind;

/// Asserts that the regions add up to the whole, and that each can make a contact.
fn assert_regions_add_up(o: &Overlap, what: &str) {
    let sum = |f: &dyn Fn(&Overlap) -> f64| o.regions().iter().map(f).sum::<f64>();
    let vector = |f: &dyn Fn(&Overlap) -> DVec3| o.regions().iter().map(f).sum::<DVec3>();
    let size = o.bounds.diagonal();
    let area = o.areas[0] + o.areas[1];
    let near = |a: f64, b: f64, scale: f64| assert!((a - b).abs() <= 1e-12 * scale, "{what}: {a} is not {b}");
    near(sum(&|r| r.volume), o.volume, o.volume + 1e-3 * area * size);
    let centre = o.centroid;
    let first = vector(&|r| r.volume * (r.centroid - centre));
    near(first.length(), 0.0, (o.volume + 1e-3 * area * size) * size);
    let mut second = DMat3::ZERO;
    for r in o.regions() {
        second += r.second_moment + outer(r.centroid - centre, r.centroid - centre) * r.volume;
    }
    near(max_abs(second - o.second_moment), 0.0, (o.volume + 1e-3 * area * size) * size * size);
    near(vector(&|r| r.gradient).distance(o.gradient), 0.0, area);
    let reach = size + o.centroid.length();
    near(vector(&|r| r.angular_gradient).distance(o.angular_gradient), 0.0, area * reach);
    near(sum(&|r| r.areas[0]), o.areas[0], area);
    near(sum(&|r| r.areas[1]), o.areas[1], area);
    assert!(o.regions.len() <= 8 && o.regions.len() != 1, "{what}: {} regions", o.regions.len());
    for r in &o.regions {
        assert!(r.volume > 0.0 && r.regions.is_empty(), "{what}");
        assert_eq!(r.patch.is_some(), r.kind == OverlapKind::Regular, "{what}");
        assert_spanned(r, what);
    }
}

/// Asserts that a patch is as wide and as thick as the region's volume says at least: what lies within a length l has a
/// variance of l²/4 at most (Popoviciu 1935).
fn assert_spanned(r: &Overlap, what: &str) {
    let Some(patch) = &r.patch else { return };
    let deviation = |axis: DVec3| (axis.dot(r.second_moment * axis).max(0.0) / r.volume).sqrt();
    let width = |along: fn(&glam::DVec2) -> f64| {
        let ends = patch.polygon.iter().map(along);
        ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min)
    };
    let [u, w] = patch.axes;
    let found = [(patch.normal, patch.extent), (u, width(|x| x.x)), (w, width(|x| x.y))];
    // A moment about the centroid is a difference of larger ones.
    let rounding = 1e-6 * r.bounds.diagonal();
    for (axis, length) in found {
        assert!(length >= 2.0 * deviation(axis) - rounding, "{what}: {length} along {axis}, {r:?}");
    }
}

/// The overlap, checked both ways round.
fn checked(a: &Solid, b: &Solid, a_from_b: &Pose, what: &str) -> Overlap {
    let o = overlap(a, b, a_from_b);
    assert_regions_add_up(&o, what);
    let back = overlap(b, a, &a_from_b.inverse());
    assert_regions_add_up(&back, what);
    assert_eq!(o.regions.len(), back.regions.len(), "{what}: the same from either side");
    o
}

fn volumes(o: &Overlap) -> Vec<f64> {
    o.regions.iter().map(|r| r.volume).collect()
}

fn normals(o: &Overlap) -> Vec<DVec3> {
    o.regions.iter().map(|r| r.patch.as_ref().expect("a region has a normal").normal).collect()
}

#[test]
fn ring_round_a_peg_is_held_from_all_sides() {
    let prism = |radius, height| generate::prism(&Prism { sides: 64, radius, height }, 256).unwrap();
    let ring = solid(open_ring(&turned_over(prism(1.0, 0.5)), &prism(1.5, 0.5)));
    let turn = DQuat::from_rotation_z(PI / 64.0);
    let o = checked(&ring, &solid(prism(1.01, 2.0)), &Pose::new(DVec3::ZERO, turn), "ring");
    assert_close(o.volume, 16.0 * (PI / 32.0).sin() * 0.0201, 1e-14);
    assert!((4..=6).contains(&o.regions.len()), "{:?}", volumes(&o));
    for normal in normals(&o) {
        assert!(normal.z.abs() < 1e-12);
    }
    // In every direction some region pushes back.
    for i in 0..64 {
        let d = DQuat::from_rotation_z(f64::from(i) * PI / 32.0) * DVec3::X;
        assert!(normals(&o).iter().any(|n| n.dot(d) > 0.5), "{i}");
    }
    // Off centre in a wider hole: one wall, and slivers on either side of it at most.
    let o = checked(&ring, &solid(prism(0.995, 2.0)), &Pose::new(DVec3::X * 0.01, turn), "peg off centre");
    let deepest = o.regions().iter().max_by(|a, b| a.volume.total_cmp(&b.volume)).unwrap();
    assert!(deepest.volume > 0.95 * o.volume, "{:?}", volumes(&o));
    assert!(deepest.patch.as_ref().unwrap().normal.x.abs() > 0.999);
}

/// A peg of side 1.01 in a square hole of side 1, half a side deep: each wall has an eighth of the frame-shaped overlap.
#[test]
fn square_peg_in_a_square_hole_has_four_walls() {
    let wall = |x: f64, y: f64, w: f64, d: f64| cuboid(w, d, 0.5).translated(DVec3::new(x, y, 0.0));
    let frame = square_frame(1.0, 2.0, 0.5);
    let o = checked(&frame, &solid(cuboid(1.01, 1.01, 2.0)), &Pose::IDENTITY, "square peg");
    assert_eq!(o.kind, OverlapKind::NoNormal);
    assert_eq!(o.regions.len(), 4);
    for r in &o.regions {
        assert_close(r.volume, (1.01 * 1.01 - 1.0) * 0.5 / 4.0, 1e-14);
    }
    let mut sum = DVec3::ZERO;
    for n in normals(&o) {
        assert_close(n.abs().max_element(), 1.0, 1e-12);
        assert!(n.z.abs() < 1e-12);
        sum += n;
    }
    assert!(sum.length() < 1e-12);
    // The same hole of four loose walls is no different.
    let walls = [
        wall(1.5, 0.0, 2.0, 5.0),
        wall(-1.5, 0.0, 2.0, 5.0),
        wall(0.0, 1.5, 1.0, 2.0),
        wall(0.0, -1.5, 1.0, 2.0),
    ];
    let o = overlap(&solid(merged(walls)), &solid(cuboid(1.01, 1.01, 2.0)), &Pose::IDENTITY);
    assert_eq!(o.regions.len(), 4);
}

/// A square tube about z: hole of side `inner`, outer side `outer`.
fn square_frame(inner: f64, outer: f64, height: f64) -> Solid {
    let ring = |side: f64, z: f64| {
        let h = 0.5 * side;
        [(h, h), (-h, h), (-h, -h), (h, -h)].map(|(x, y)| DVec3::new(x, y, z))
    };
    let (low, high) = (-0.5 * height, 0.5 * height);
    let vertices = [ring(inner, low), ring(outer, low), ring(inner, high), ring(outer, high)].concat();
    let mut triangles = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..4 {
        let j = (i + 1) % 4;
        let at = |ring: u32, k: u32| 4 * ring + k;
        quad([at(1, i), at(1, j), at(3, j), at(3, i)]);
        quad([at(0, j), at(0, i), at(2, i), at(2, j)]);
        quad([at(2, i), at(3, i), at(3, j), at(2, j)]);
        quad([at(1, i), at(0, i), at(0, j), at(1, j)]);
    }
    solid(TriangleMesh { vertices, triangles })
}

/// A unit cube pressed into the corner of an L, deeper into one arm than into the other.
#[test]
fn cube_in_a_corner_touches_wall_and_floor() {
    let size = LShape { length: 4.0, width: 3.0, height: 4.0, thickness: 1.0 };
    let corner = solid(generate::l_shape(&size, 12).unwrap());
    // The inner edge of the L, from where it is whatever its origin is.
    let inner = corner.aabb().min + DVec3::new(1.0, 1.5, 1.0);
    let cube = unit_cube();
    for (wall, floor, v_wall, v_floor) in
        [(0.02, 0.01, 0.0197, 0.0101), (0.0005, 0.01, 5.4975e-4, 9.94525e-3)]
    {
        let pose = Pose::from_translation(inner + DVec3::new(0.5 - wall, 0.0, 0.5 - floor));
        let o = checked(&corner, &cube, &pose, "corner");
        assert_close(o.volume, wall + floor - wall * floor, 1e-13);
        assert_eq!(o.regions.len(), 2);
        let of = |axis: DVec3| {
            o.regions.iter().find(|r| r.patch.as_ref().unwrap().normal.dot(axis) > 0.999_999).unwrap()
        };
        assert!((of(DVec3::X).volume - v_wall).abs() < 1e-9, "{:?}", volumes(&o));
        assert!((of(DVec3::Z).volume - v_floor).abs() < 1e-9, "{:?}", volumes(&o));
        assert_close(of(DVec3::X).gradient.length(), 1.0 - floor, 1e-12);
        assert_close(of(DVec3::Z).gradient.length(), 1.0 - wall, 1e-12);
    }
    let turned = Pose::new(
        inner + DVec3::new(0.49, 0.0, 0.49) + DVec3::new(0.0, 0.0, 0.0),
        DQuat::from_rotation_y(3_f64.to_radians()),
    );
    let o = checked(&corner, &cube, &turned, "turned in the corner");
    assert_eq!(o.regions.len(), 2);
}

/// The end of an arm pressed aslant over the edge of a cube: four faces of the arm bound the overlap, and the corners of
/// each one's share lie where the shares meet.
#[test]
fn regions_reach_to_where_they_are_divided() {
    let size = LShape { length: 0.5, width: 0.5, height: 0.5, thickness: 0.2 };
    let arm = solid(generate::l_shape(&size, 12).unwrap());
    let cases = [([0.42, 0.0, 0.78], [0.0, 45.0, 0.0]), ([0.42, 0.0, 0.7], [0.0, 45.0, 10.0])];
    for (position, degrees) in cases {
        let [x, y, z] = degrees.map(f64::to_radians);
        let turn = DQuat::from_euler(glam::EulerRot::ZYX, z, y, x);
        let pose = Pose::new(DVec3::from(position), turn);
        let o = checked(&unit_cube(), &arm, &pose, "arm over an edge");
        assert!(o.regions.len() >= 2, "{degrees:?}");
        for patch in o.regions.iter().filter_map(|r| r.patch.as_ref()) {
            assert!(patch.extent >= patch.mean_depth, "{degrees:?}: {patch:?}");
        }
    }
}

/// A wheel deep in the end of a table shows nothing to the wall there: its sides stand across, and what is before it leans by 38 degrees.
#[test]
fn a_wheel_on_the_end_of_a_table_has_one_region() {
    let table = solid(generate::cuboid(DVec3::new(1.0, 0.6, 0.2), 12).unwrap());
    let wheel = solid(generate::prism(&Prism { sides: 64, radius: 0.05, height: 0.1 }, 0).unwrap());
    let lies = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    for (place, depth) in [(0.475, 0.0107), (0.49, 0.006), (0.46, 0.0124)] {
        let pose = Pose::new(DVec3::new(place, 0.0, 0.15 - depth), lies);
        assert_eq!(checked(&table, &wheel, &pose, "over the end").regions.len(), 0, "{place}");
    }
}

#[test]
fn feet_in_one_plane_are_one_region() {
    let foot = |x: f64| cuboid(0.2, 0.4, 0.4).translated(DVec3::new(x, 0.0, 0.2));
    let shoes = solid(merged([foot(0.5), foot(-0.5)]));
    let o = checked(&plate(), &shoes, &at(0.0, 0.0, 0.499), "two feet");
    assert_eq!((o.n_components, o.regions.len()), (2, 0));
    assert_close(o.volume, 2.0 * 8e-5, 1e-15);
    let tilt = Pose::new(DVec3::new(0.0, 0.0, 0.499), DQuat::from_rotation_y(0.05_f64.to_radians()));
    assert_eq!(checked(&plate(), &shoes, &tilt, "tilted feet").regions.len(), 0);
    let legs = [(0.5, 0.3), (-0.5, 0.3), (0.5, -0.3), (-0.5, -0.3)]
        .map(|(x, y)| cuboid(0.1, 0.1, 0.4).translated(DVec3::new(x, y, 0.2)));
    let o = checked(&plate(), &solid(merged(legs)), &at(0.0, 0.0, 0.499), "table");
    assert_eq!((o.n_components, o.regions.len()), (4, 0));
}

/// Steps of a stair are regions of their own: their planes are apart.
#[test]
fn steps_of_a_stair_are_several_regions() {
    let stair = |side: f64| {
        let step = |i: f64| cuboid(side, side, 1.0).translated(DVec3::new(1.5 * i, 0.0, 0.5 * i));
        solid(merged([step(0.0), step(1.0), step(2.0)]))
    };
    let o = checked(&stair(1.0), &stair(0.8), &at(0.0, 0.0, 0.99), "stair");
    assert_eq!((o.n_components, o.regions.len()), (3, 3));
    for r in &o.regions {
        assert_close(r.volume, 0.01 * 0.64, 1e-14);
        assert!(r.gradient.distance(DVec3::Z * 0.64) < 1e-13);
        assert_eq!(r.patch.as_ref().unwrap().polygon.len(), 4);
    }
}

/// A rail between two jaws that both press on it.
#[test]
fn opposite_jaws_are_two_regions() {
    let jaws =
        merged([cuboid(1.0, 1.0, 1.0).translated(DVec3::X), cuboid(1.0, 1.0, 1.0).translated(-DVec3::X)]);
    let o = checked(&solid(jaws), &solid(cuboid(1.02, 0.5, 3.0)), &Pose::IDENTITY, "jaws");
    assert_eq!((o.kind, o.n_components, o.regions.len()), (OverlapKind::NoNormal, 2, 2));
    let n = normals(&o);
    assert!((n[0].x.abs() - 1.0).abs() < 1e-12 && n[0].distance(-n[1]) < 1e-12);
    for r in &o.regions {
        assert_close(r.volume, 0.01 * 0.5, 1e-14);
    }
}

#[test]
fn shallow_caps_edges_and_corners_are_one_region() {
    let ball = solid(generate::sphere(1.0, 2880).unwrap());
    let o = checked(&plate(), &ball, &at(0.1, 0.2, 1.49), "cap");
    assert_eq!(o.regions.len(), 0);
    let edge = Pose::new(
        DVec3::new(0.3, 0.1, 0.5 + 0.5_f64.sqrt() - 0.02),
        DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4),
    );
    assert_eq!(checked(&plate(), &unit_cube(), &edge, "edge").regions.len(), 0);
    let on_corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let pose = Pose::new(DVec3::Z * (0.5 + 0.75_f64.sqrt() - 0.05), on_corner);
    assert_eq!(checked(&plate(), &unit_cube(), &pose, "corner").regions.len(), 0);
}

/// Two boxes that have caught each other by an edge, or by a corner, are not held from two or three sides.
#[test]
fn edges_that_stick_out_of_both_bodies_divide_nothing() {
    let (cube, slab) = (unit_cube(), solid(cuboid(2.0, 0.9, 1.0)));
    for (x, z) in [(0.02, 0.01), (0.01, 0.01), (0.002, 0.02), (0.001, 0.0003)] {
        let o = checked(&slab, &cube, &at(1.5 - x, 0.0, 1.0 - z), "edges");
        assert_close(o.volume, x * z * 0.9, 1e-15);
        assert_eq!(o.regions.len(), 0, "{x} {z}");
        let corner = checked(&slab, &cube, &at(1.5 - x, 0.95 - 0.015, 1.0 - z), "corners");
        assert_eq!(corner.regions.len(), 0, "{x} {z}");
    }
}

/// Animals in each other, in many poses: whatever the regions are, they add up.
#[test]
fn regions_of_entangled_animals_add_up() {
    let animal = |seed| solid(generate::critter(1.0, seed, 1500).unwrap());
    let (a, b) = (animal(1), animal(2));
    let mut divided = 0;
    for i in 0..60 {
        let pose = some_pose(i, 0.9);
        let o = overlap(&a, &b, &pose);
        if o.kind != OverlapKind::Empty {
            assert_regions_add_up(&o, &format!("animals {i}"));
            assert_regions_add_up(&overlap(&b, &a, &pose.inverse()), &format!("animals {i} swapped"));
        }
        divided += u32::from(!o.regions.is_empty());
    }
    assert!(divided >= 10, "{divided}");
}

/// Gears that lie in each other by their faces: teeth of either look at the other one's across what is common to the faces. By the
/// face's way the bodies are out of each other after some 2 mm, by the walls' after 27.
#[test]
fn walls_round_a_face_are_no_sides() {
    let size = Gear {
        teeth: 12,
        module: 5.0,
        pressure_angle_deg: 20.0,
        backlash: 0.0,
        height: 10.0,
        bore_radius: 8.0,
    };
    let gear = solid(generate::gear(&size, 2000).unwrap());
    for (translation, turn) in [
        ([39.506, 20.9357, 9.7346], [0.01573, -0.00626, 0.56765, 0.82309]),
        ([-39.6628, 21.1492, 9.8540], [0.00954, 0.01209, -0.90274, 0.42991]),
        ([-38.4753, -14.9845, 9.6565], [0.01426, 0.00243, 0.39368, 0.91916]),
    ] {
        let pose = Pose::new(DVec3::from(translation), DQuat::from_array(turn).normalize());
        let o = checked(&gear, &gear, &pose, &format!("{translation:?}"));
        for region in o.regions() {
            let depth = region.volume / region.gradient.length();
            assert!(depth < 2.0, "{translation:?}: {depth} mm deep along {}", region.gradient.normalize());
        }
    }
}
