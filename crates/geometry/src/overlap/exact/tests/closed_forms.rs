//! Overlaps that are known in closed form.

use std::f64::consts::{FRAC_PI_4, PI};

use super::*;
use crate::mesh::generate::{Prism, Ring};
use crate::overlap::OverlapKind;

/// A plate 6 x 6 x 1 whose top is at z = 0.5.
pub(super) fn plate() -> Solid {
    solid(cuboid(6.0, 6.0, 1.0))
}

#[test]
fn shifted_cubes() {
    let cube = unit_cube();
    let o = overlap(&cube, &cube, &at(0.5, 0.4, 0.3));
    assert_eq!(o.kind, OverlapKind::Regular);
    assert_close(o.volume, 0.21, 1e-15);
    assert!(o.gradient.distance(DVec3::new(0.42, 0.35, 0.30)) < 1e-15);
    let c = DMat3::from_diagonal(DVec3::new(0.25, 0.36, 0.49)) * (0.21 / 12.0);
    assert!(max_abs(o.second_moment - c) < 1e-16);
    assert!(o.centroid.distance(DVec3::new(0.25, 0.2, 0.15)) < 1e-15);
    assert_close(o.areas[0], 0.42 + 0.35 + 0.30, 1e-15);
    assert_close(o.areas[1], 0.42 + 0.35 + 0.30, 1e-15);
    assert!(o.bounds.min.distance(DVec3::new(0.0, -0.1, -0.2)) < 1e-15);
    assert!(o.bounds.max.distance(DVec3::splat(0.5)) < 1e-15);
    assert_eq!(o.n_components, 1);
}

#[test]
fn flush_and_identical_cubes() {
    let cube = unit_cube();
    assert_close(overlap(&cube, &cube, &at(0.25, 0.0, 0.0)).volume, 0.75, 1e-15);
    assert_close(overlap(&cube, &cube, &Pose::IDENTITY).volume, 1.0, 1e-15);
}

/// Contact without depth is empty, whichever side the tie rule takes.
#[test]
fn touching_cubes_are_empty() {
    let cube = unit_cube();
    for (x, y, z) in [(0.5, 0.4, 1.0), (0.0, 0.0, -1.0), (1.0, 1.0, 0.3), (-1.0, 1.0, 1.0), (1.0, 0.0, 0.0)] {
        assert_eq!(overlap(&cube, &cube, &at(x, y, z)), Overlap::EMPTY, "{x} {y} {z}");
    }
    let turned = Pose::new(DVec3::new(0.1, 0.2, 1.0), DQuat::from_rotation_z(0.3));
    assert_eq!(overlap(&cube, &cube, &turned), Overlap::EMPTY);
}

/// A torus of many small faces resting on a box without depth, turned so that rounding takes either side.
#[test]
fn resting_torus_is_empty() {
    let torus = solid(generate::torus(0.5, 0.2, 3000).unwrap());
    let box_on_top = unit_cube();
    for i in 0..40 {
        let turn = DQuat::from_rotation_z(f64::from(i) * std::f64::consts::FRAC_PI_8);
        let x = 0.01 * f64::from(i % 9);
        let pose = Pose::new(DVec3::new(x, 0.0, torus.aabb().max.z + 0.5), turn);
        assert_eq!(overlap(&torus, &box_on_top, &pose), Overlap::EMPTY, "{i}");
        assert_eq!(overlap(&box_on_top, &torus, &pose.inverse()), Overlap::EMPTY, "{i}");
    }
}

/// A cube of half the size wholly inside, either way round.
#[test]
fn swallowed_cube() {
    let (outer, inner) = (solid(cuboid(3.0, 3.0, 3.0)), solid(cuboid(0.5, 0.5, 0.5)));
    for i in 0..20 {
        let pose = some_pose(i, 0.5);
        for o in [overlap(&outer, &inner, &pose), overlap(&inner, &outer, &pose.inverse())] {
            assert_eq!(o.kind, OverlapKind::Swallowed);
            assert_close(o.volume, 0.125, 1e-15);
            assert_eq!((o.gradient, o.angular_gradient), (DVec3::ZERO, DVec3::ZERO));
            assert_eq!(o.n_components, 1);
        }
        assert!(overlap(&outer, &inner, &pose).centroid.distance(pose.translation) < 1e-14);
    }
}

/// A cube on its edge, sunk by d into a plate: a prism with a right angle downwards.
#[test]
fn cube_on_its_edge() {
    let (plate, cube) = (plate(), unit_cube());
    let d = 0.02;
    let pose = Pose::new(DVec3::new(0.3, 0.1, 0.5 + 0.5_f64.sqrt() - d), DQuat::from_rotation_x(FRAC_PI_4));
    let o = overlap(&plate, &cube, &pose);
    assert_close(o.volume, d * d, 1e-17);
    assert!(o.gradient.distance(DVec3::new(0.0, 0.0, 2.0 * d)) < 1e-15);
    assert!(o.centroid.distance(DVec3::new(0.3, 0.1, 0.5 - d / 3.0)) < 1e-15);
    let spread = DVec3::new(1.0 / 12.0, d * d / 6.0, d * d / 18.0) * o.volume;
    // Relative to each direction's own spread: the points carry 1e-16 of the cube's size.
    for axis in 0..3 {
        assert_close(o.second_moment.col(axis)[axis] / spread[axis], 1.0, 1e-12);
    }
}

/// A cube on its corner, sunk by d: a regular pyramid.
#[test]
fn cube_on_its_corner() {
    let (plate, cube) = (plate(), unit_cube());
    let d = 0.05;
    let rotation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let o = overlap(&plate, &cube, &Pose::new(DVec3::Z * (0.5 + 0.75_f64.sqrt() - d), rotation));
    assert_close(o.volume, 0.75_f64.sqrt() * d.powi(3), 1e-17);
    assert_close(o.gradient.length(), 1.5 * 3_f64.sqrt() * d * d, 1e-15);
}

/// A peg of 64 sides pressed into a ring of 64 sides turned by half a side: no direction to part them.
#[test]
fn peg_in_a_tight_ring() {
    let prism = |radius, height| generate::prism(&Prism { sides: 64, radius, height }, 256).unwrap();
    let n_sides = 64.0;
    let hole = turned_over(prism(1.0, 0.5));
    let ring = solid(open_ring(&hole, &prism(1.5, 0.5)));
    let peg = solid(prism(1.01, 2.0));
    let o = overlap(&ring, &peg, &Pose::new(DVec3::ZERO, DQuat::from_rotation_z(PI / n_sides)));
    let shape = 32.0 * 0.5 * (2.0 * PI / n_sides).sin();
    // Two regular polygons turned by half a side: what sticks out at the corners of each is cut off the other.
    let apothem = (PI / n_sides).cos();
    assert!(o.volume > 0.5 * 2.0 * shape * (1.01 * 1.01 * apothem * apothem - 1.0));
    assert_close(o.volume, 16.0 * (PI / 32.0).sin() * 0.0201, 1e-14);
    assert!(o.gradient.length() < 1e-14);
    assert_eq!((o.kind, o.n_components, o.patch), (OverlapKind::NoNormal, 1, None));
}

/// The ring between two prisms of equal height: their side walls, and the ends as a strip.
pub(super) fn open_ring(hole: &TriangleMesh, outer: &TriangleMesh) -> TriangleMesh {
    let is_wall = |mesh: &TriangleMesh, t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
        (b - a).cross(c - a).normalize().z.abs() < 0.5
    };
    let walls = |mesh: &TriangleMesh| TriangleMesh {
        vertices: mesh.vertices.clone(),
        triangles: mesh.triangles.iter().copied().filter(|t| is_wall(mesh, t)).collect(),
    };
    let mut ring = merged([walls(hole), walls(outer)]);
    let n = 64;
    let corner = |mesh: &TriangleMesh, first: usize, i: usize, z: f64, radius: f64| {
        let (sin, cos) = (2.0 * PI * i as f64 / n as f64).sin_cos();
        let x = DVec3::new(radius * cos, radius * sin, z);
        (first + mesh.vertices.iter().position(|v| v.distance(x) < 1e-9).unwrap()) as u32
    };
    for z in [-0.25, 0.25] {
        for i in 0..n {
            let inner = [i, i + 1].map(|i| corner(hole, 0, i, z, 1.0));
            let rim = [i, i + 1].map(|i| corner(outer, hole.vertices.len(), i, z, 1.5));
            let quad = [[inner[0], rim[0], rim[1]], [inner[0], rim[1], inner[1]]];
            let flip = |[a, b, c]: [u32; 3]| if z > 0.0 { [a, b, c] } else { [a, c, b] };
            ring.triangles.extend(quad.map(flip));
        }
    }
    ring
}

/// A table on a plate: four pieces of overlap, in two triangles of the plate's top.
#[test]
fn table_has_four_feet_on_the_ground() {
    let foot = |x: f64, y: f64| cuboid(0.1, 0.1, 0.4).translated(DVec3::new(x, y, 0.2));
    let feet = [(0.5, 0.3), (-0.5, 0.3), (0.5, -0.3), (-0.5, -0.3)].map(|(x, y)| foot(x, y));
    let o = overlap(&plate(), &solid(merged(feet)), &at(0.0, 0.0, 0.499));
    assert_eq!(o.n_components, 4);
    assert_close(o.volume, 4e-5, 1e-16);
    let patch = o.patch.unwrap();
    assert!((patch.normal - DVec3::Z).length() < 1e-13);
    let polygon = &patch.polygon;
    let area: f64 =
        (0..polygon.len()).map(|i| 0.5 * polygon[i].perp_dot(polygon[(i + 1) % polygon.len()])).sum();
    assert_close(area, 1.1 * 0.7, 1e-12);
    assert_close(patch.extent, 1e-3, 1e-15);
}

/// A ring on a plate: its overlap's lower and upper faces have a hole, and it is one piece all the same.
#[test]
fn ring_on_a_plate_is_one_piece() {
    let size = Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.4 };
    let ring = solid(generate::ring(&size, 400).unwrap());
    for o in [overlap(&plate(), &ring, &at(0.7, 0.3, 0.69)), overlap(&ring, &plate(), &at(-0.7, -0.3, -0.69))]
    {
        assert_eq!((o.n_components, o.kind), (1, OverlapKind::Regular));
        assert_close(o.volume / (0.01 * PI * 0.21), 1.0, 0.05);
    }
}

/// A hollow ball cut by one large triangle, and a solid with a cavity wholly inside another: one piece each.
#[test]
fn cavities_are_no_pieces() {
    let ball = |radius| generate::sphere(radius, 2880).unwrap();
    let hollow = solid(merged([ball(0.5), turned_over(ball(0.3))]));
    let volume = |radius: f64| solid(ball(radius)).flux(0).volume().volume;
    let o = overlap(&plate(), &hollow, &at(0.3, 0.2, 0.9));
    assert_eq!(o.n_components, 1);
    let cap = |r: f64, h: f64| PI * h * h * (r - h / 3.0);
    assert_close(o.volume / (cap(0.5, 0.1 + 0.0)), 1.0, 0.1);
    let sunk = overlap(&plate(), &hollow, &at(0.3, 0.2, 0.4));
    assert_eq!(sunk.n_components, 1);
    let inside = overlap(&solid(cuboid(3.0, 3.0, 3.0)), &hollow, &some_pose(3, 0.5));
    assert_eq!((inside.n_components, inside.kind), (1, OverlapKind::Swallowed));
    assert_close(inside.volume, volume(0.5) - volume(0.3), 1e-13);
    let pebble = solid(cuboid(0.2, 0.2, 0.2));
    assert_eq!(overlap(&hollow, &pebble, &Pose::IDENTITY), Overlap::EMPTY);
}

/// Where a mesh overlaps itself, space counts twice.
#[test]
fn overlapping_shells_count_twice() {
    let twice = solid(merged([cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0).translated(DVec3::splat(0.5))]));
    let room = solid(cuboid(8.0, 8.0, 8.0));
    assert_close(overlap(&room, &twice, &some_pose(1, 0.4)).volume, 2.0, 1e-14);
    // The half y > 0.25 of both: 0.25 of the first and 0.75 of the second.
    assert_close(overlap(&room, &twice, &at(0.0, 3.75, 0.0)).volume, 1.0, 1e-14);
}
