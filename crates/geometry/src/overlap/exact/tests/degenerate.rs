//! Coplanar faces, shared vertices and faces without area. Debug builds check every pair of faces, every winding number
//! and the closure of the sums on the way.

use tactum_random::Rng;

use super::*;
use crate::Aabb;
use crate::overlap::OverlapKind;

/// The 24 rotations that map the axes onto axes, exactly.
fn axis_rotations() -> Vec<DMat3> {
    let signs = [1.0, -1.0];
    let mut found = Vec::new();
    for (i, j) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        for (s, t) in signs.into_iter().flat_map(|s| signs.map(|t| (s, t))) {
            let (mut x, mut y) = (DVec3::ZERO, DVec3::ZERO);
            (x[i], y[j]) = (s, t);
            found.push(DMat3::from_cols(x, y, x.cross(y)));
        }
    }
    found
}

/// A body that touches the other one from inside all round is inside it: nothing of the other's surface is in it, and there
/// is no normal.
#[test]
fn what_touches_from_inside_is_swallowed() {
    let r = 0.4;
    let ends = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [r * axis, -r * axis]).concat();
    // The corners 0 and 1 lie on x, 2 and 3 on y, 4 and 5 on z.
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let inside = solid(TriangleMesh { vertices: ends, triangles });
    let around = solid(cuboid(2.0 * r, 2.0 * r, 2.0 * r));
    for turn in axis_rotations() {
        let pose = Pose::new(DVec3::ZERO, DQuat::from_mat3(&turn));
        for o in [overlap(&around, &inside, &pose), overlap(&inside, &around, &pose)] {
            assert_close(o.volume, 4.0 / 3.0 * r * r * r, 1e-12);
            assert_eq!((o.kind, o.gradient), (OverlapKind::Swallowed, DVec3::ZERO));
        }
    }
}

/// Two plates of one mesh, apart, whose faces rise at 45 degrees to both sides of the x axis.
fn groove_of_plates() -> Solid {
    let plate = |side: f64| {
        let turn = DQuat::from_rotation_x(side * std::f64::consts::FRAC_PI_4);
        let mut mesh = cuboid(16.0, 0.4, 0.1);
        mesh.vertices.iter_mut().for_each(|x| *x = turn * (*x + DVec3::new(0.0, side * 0.25, -0.05)));
        mesh
    };
    solid(merged([-1.0, 1.0].map(plate)))
}

/// A ball of facets that is in both walls of a groove by next to nothing is not inside the groove: it touches both, as deep as it is in them,
/// however small its corners in them are against their distance.
#[test]
fn what_touches_two_walls_is_not_inside() {
    let [groove, ball] = [groove_of_plates(), solid(generate::sphere(0.1, 1280).unwrap())];
    let walls = [-1.0, 1.0].map(|side| DVec3::new(0.0, side, 1.0).normalize());
    let mut rng = Rng::new(3);
    for case in 0..rng.cases(1000) {
        let turn = DQuat::from_scaled_axis(2.0 * DVec3::from([0, 1, 2].map(|_| rng.range(-1.0, 1.0))));
        let lowest = |wall: DVec3| {
            ball.mesh().vertices.iter().map(|x| -(turn * *x).dot(wall)).fold(f64::NEG_INFINITY, f64::max)
        };
        // What is less than 1e-13 m deep on average is taken for rounding of coordinates of 8 m.
        let depth = rng.log_range(1e-12, 1e-6);
        let place = walls.iter().map(|wall| *wall * (lowest(*wall) - depth)).sum::<DVec3>();
        let o = overlap(&groove, &ball, &Pose::new(place + DVec3::X * rng.range(-3.0, 3.0), turn));
        assert_eq!((o.kind, o.regions().len()), (OverlapKind::Regular, 2), "{case} at {depth}: {o:?}");
        for region in o.regions() {
            // A corner is a third as deep on average as at its tip, an edge half as deep.
            let mean = region.volume / region.gradient.length() / depth;
            assert!((0.3..0.6).contains(&mean), "{case} at {depth}: {mean} of it");
        }
    }
}

/// Boxes with corners on a lattice of 7 points: nearly every pair has faces, edges or corners in common.
#[test]
fn boxes_on_a_lattice() {
    let mut rng = Rng::new(1);
    let n_rounds = rng.cases(600);
    let rotations = axis_rotations();
    let mut lattice_box = || {
        let mut range = || {
            let low = rng.whole(0, 5);
            (low, rng.whole(low + 1, 6))
        };
        let ([x0, y0, z0], [x1, y1, z1]): ([i64; 3], [i64; 3]) = {
            let r = [range(), range(), range()];
            (r.map(|r| r.0), r.map(|r| r.1))
        };
        let min = DVec3::new(x0 as f64, y0 as f64, z0 as f64);
        Aabb { min, max: DVec3::new(x1 as f64, y1 as f64, z1 as f64) }
    };
    for round in 0..n_rounds {
        let (a, b) = (lattice_box(), lattice_box());
        let mesh = |aabb: &Aabb| {
            let size = aabb.max - aabb.min;
            cuboid(size.x, size.y, size.z).translated(aabb.center())
        };
        // The guest's own frame is turned, so that its triangulation is.
        let turn = rotations[round % 24];
        let mut guest = mesh(&b);
        guest.vertices.iter_mut().for_each(|x| *x = turn.transpose() * *x);
        let o = overlap(&solid(mesh(&a)), &solid(guest), &Pose::new(DVec3::ZERO, DQuat::from_mat3(&turn)));
        let common = a.intersection(&b);
        let volume = if common.is_empty() { 0.0 } else { (common.max - common.min).element_product() };
        assert_close(o.volume, volume, 1e-12);
        if volume > 0.0 {
            assert!(o.centroid.distance(common.center()) < 1e-12, "round {round}");
            assert_eq!(o.n_components, 1, "round {round}");
            assert!(o.bounds.min.distance(common.min) < 1e-12 && o.bounds.max.distance(common.max) < 1e-12);
        }
    }
}

/// A sphere's vertices rounded to a coarse lattice: many faces lose their area, many vertices coincide.
fn snapped_sphere(triangles: usize, step: f64, offset: DVec3) -> TriangleMesh {
    let mut mesh = generate::sphere(1.0, triangles).unwrap();
    mesh.vertices.iter_mut().for_each(|x| *x = ((*x + offset) / step).round() * step);
    mesh
}

#[test]
fn snapped_spheres_keep_every_law() {
    let mut rng = Rng::new(2);
    let n_rounds = rng.cases(120);
    let mut n_flat = 0;
    for round in 0..n_rounds {
        let step = 2_f64.powi(-(rng.whole(1, 4) as i32));
        let mut offset = || DVec3::from_array([(); 3].map(|()| rng.whole(-8, 8) as f64 / 16.0));
        let [mesh_a, mesh_b] = [180, 320].map(|n| snapped_sphere(n, step, offset()));
        n_flat += (0..mesh_a.triangles.len())
            .filter(|&t| {
                let [a, b, c] = mesh_a.corners(t);
                (b - a).cross(c - a) == DVec3::ZERO
            })
            .count();
        let (a, b) = (solid(mesh_a), solid(mesh_b));
        let one = overlap(&a, &b, &Pose::IDENTITY);
        let other = overlap(&b, &a, &Pose::IDENTITY);
        assert_close(one.volume, other.volume, 1e-13);
        // A wall through the lattice cuts A into two parts without loss.
        let wall = |side: f64| solid(cuboid(4.0, 8.0, 8.0).translated(DVec3::X * 2.0 * side));
        let parts = [-1.0, 1.0].map(|side| overlap(&a, &wall(side), &Pose::IDENTITY).volume);
        assert_close(parts[0] + parts[1], a.flux(0).volume().volume, 1e-13);
        assert!(one.volume >= 0.0, "round {round}");
    }
    assert!(n_flat > 1000, "{n_flat} faces without area are too few to test them");
}

/// A box on itself with another triangulation, turned out of the lattice: coplanar to rounding only.
#[test]
fn nearly_coplanar_boxes() {
    let a = solid(cuboid(1.0, 2.0, 3.0));
    let b = solid(generate::cuboid(DVec3::new(1.0, 2.0, 3.0), 300).unwrap());
    for i in 0..60 {
        let (w_from_a, turn) = (some_pose(i, 1.0), axis_half_turn(i));
        let o = overlap(&a, &b, &w_from_a.relative(&w_from_a.then(&turn)));
        assert_close(o.volume, 6.0, 1e-13);
        let shifted = Pose { translation: DVec3::X * 0.5, ..turn };
        let o = overlap(&a, &b, &w_from_a.relative(&w_from_a.then(&shifted)));
        assert_close(o.volume, 3.0, 1e-13);
        assert_eq!(o.n_components, 1);
    }
}

/// A half turn about an axis, which maps a box onto itself.
fn axis_half_turn(i: u32) -> Pose {
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][i as usize % 3];
    Pose::new(DVec3::ZERO, DQuat::from_axis_angle(axis, std::f64::consts::PI))
}

/// Two cubes of one mesh that touch along an edge, whose four faces meet there, stay two cubes.
#[test]
fn cubes_that_touch_along_an_edge() {
    let pair = merged([cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0).translated(DVec3::new(1.0, 1.0, 0.0))]);
    let open = {
        // Only the positions say that the two cubes have an edge in common, until vertices are taken as one.
        let mut soup = TriangleMesh::default();
        for t in 0..pair.triangles.len() {
            let first = soup.vertices.len() as u32;
            soup.vertices.extend(pair.corners(t));
            soup.triangles.push([first, first + 1, first + 2]);
        }
        soup
    };
    let room = solid(cuboid(9.0, 9.0, 9.0));
    for mesh in [pair, open] {
        let o = overlap(&room, &solid(mesh), &some_pose(5, 0.3));
        assert_close(o.volume, 2.0, 1e-14);
        assert_eq!(o.n_components, 2);
    }
}
