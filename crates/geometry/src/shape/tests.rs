//! Hulls, boxes and masses against closed forms.

use glam::{DMat3, DQuat};

use super::*;

fn cube_points() -> Vec<DVec3> {
    (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)) - 0.5).collect()
}

/// A unit cube whose every side is a grid of `n` x `n` squares.
fn gridded_cube(n: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (axis, outward) in [0, 1, 2].into_iter().flat_map(|a| [(a, false), (a, true)]) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let corner = |i: u32, j: u32| {
                let mut x = DVec3::splat(if outward { 0.5 } else { -0.5 });
                x[(axis + 1) % 3] = f64::from(i) / f64::from(n) - 0.5;
                x[(axis + 2) % 3] = f64::from(j) / f64::from(n) - 0.5;
                x
            };
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
            for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                let triangle = if outward { [a, b, c] } else { [a, c, b] };
                mesh.triangles.push(triangle.map(|v| first + v));
            }
        }
    }
    mesh
}

fn assert_is_unit_cube(hull: &ConvexHull) {
    assert_eq!((hull.vertices().len(), hull.planes().len()), (8, 6));
    assert!(hull.faces().all(|face| face.len() == 4));
    assert!((hull.moments().volume - 1.0).abs() < 1e-14);
    let (_, second) = hull.moments().central();
    let error = (second - DMat3::IDENTITY / 12.0).to_cols_array();
    assert!(error.iter().all(|x| x.abs() < 1e-14));
}

#[test]
fn hull_of_a_cube_has_six_squares_whatever_lies_inside_or_on_it() {
    let mut points = cube_points();
    points.extend([DVec3::ZERO, DVec3::new(0.5, 0.1, 0.2), DVec3::new(0.5, 0.5, 0.25), DVec3::splat(0.5)]);
    assert_is_unit_cube(&ConvexHull::from_points(&points).unwrap());
    points.reverse();
    assert_is_unit_cube(&ConvexHull::from_points(&points).unwrap());
    let pose = Pose::new(DVec3::new(0.2, 0.3, 0.1), DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9));
    let turned: Vec<_> = points.iter().map(|&x| pose.point(x)).collect();
    let hull = ConvexHull::from_points(&turned).unwrap();
    assert_eq!((hull.vertices().len(), hull.planes().len()), (8, 6));
    assert!((hull.moments().volume - 1.0).abs() < 1e-14);
}

/// 2000 points of a lattice ball: a hard case of many coplanar and collinear points. Every point is inside every
/// plane, and Euler's formula holds.
#[test]
fn hull_of_lattice_points_is_closed_and_contains_them() {
    let range = || (-4..=4).map(f64::from);
    let points: Vec<_> = range()
        .flat_map(|x| range().flat_map(move |y| range().map(move |z| DVec3::new(x, y, z))))
        .filter(|x| x.abs().element_sum() <= 7.0)
        .collect();
    let hull = ConvexHull::from_points(&points).unwrap();
    assert_eq!(hull.planes().len(), 14);
    for plane in hull.planes() {
        assert!(points.iter().all(|&x| plane.distance(x) < 1e-13));
    }
    let n_edges: usize = hull.faces().map(<[u32]>::len).sum::<usize>() / 2;
    assert_eq!(hull.vertices().len() + hull.planes().len(), n_edges + 2);
}

#[test]
fn hull_refuses_what_it_cannot_be() {
    let flat: Vec<_> = cube_points().into_iter().map(|x| x.with_z(0.25)).collect();
    assert!(matches!(ConvexHull::from_points(&flat), Err(HullError::Flat { n_points: 8 })));
    assert!(matches!(ConvexHull::from_points(&[]), Err(HullError::Flat { n_points: 0 })));
    assert!(matches!(ConvexHull::from_points(&[DVec3::NAN]), Err(HullError::NonFinite { point: 0 })));
    let ball: Vec<_> = (0..200)
        .map(|i| {
            let z = 1.0 - (f64::from(i) + 0.5) / 100.0;
            ((1.0 - z * z).sqrt() * glam::DVec2::from_angle(2.4 * f64::from(i))).extend(z)
        })
        .collect();
    let refused = ConvexHull::from_points(&ball);
    assert!(matches!(refused, Err(HullError::TooManyFaces { n_faces: 396 })), "{refused:?}");
}

#[test]
fn convex_meshes_are_recognised_and_others_are_not() {
    let cube = gridded_cube(5);
    assert_is_unit_cube(&ConvexHull::from_mesh(&cube).unwrap());
    assert!(matches!(Shape::from_mesh(cube.clone()), Ok(Shape::Convex(_))));
    let mut dented = cube.clone();
    for x in &mut dented.vertices {
        if x.distance(DVec3::new(-0.1, 0.1, 0.5)) < 1e-9 {
            x.z -= 1e-3;
        }
    }
    assert!(ConvexHull::from_mesh(&dented).is_none());
    assert!(matches!(Shape::from_mesh(dented), Ok(Shape::Mesh(_))));
    let mut open = cube.clone();
    open.triangles.pop();
    assert!(ConvexHull::from_mesh(&open).is_none());
    assert!(Shape::from_mesh(open).is_err());
    let mut inside_out = cube;
    for triangle in &mut inside_out.triangles {
        triangle.swap(0, 1);
    }
    assert!(ConvexHull::from_mesh(&inside_out).is_none());
    assert!(ConvexHull::from_mesh(&TriangleMesh::default()).is_none());
}

#[test]
fn masses_of_primitives_are_those_of_textbooks() {
    let diagonal = |shape: Shape| {
        let mass = shape.unit_mass().unwrap();
        (mass.volume, DVec3::new(mass.inertia.x_axis.x, mass.inertia.y_axis.y, mass.inertia.z_axis.z))
    };
    let (volume, inertia) = diagonal(Shape::Cuboid { half_size: DVec3::new(1.0, 1.5, 0.25) });
    assert!((volume - 3.0).abs() < 1e-15);
    assert!(inertia.distance(DVec3::new(2.3125, 1.0625, 3.25)) < 1e-14);
    let (volume, inertia) = diagonal(Shape::Sphere { radius: 2.0 });
    assert!(inertia.distance(DVec3::splat(0.4 * volume * 4.0)) < 1e-13);
    // A capsule without length is a ball; a long thin one is a rod.
    let (short, inertia) = diagonal(Shape::Capsule { radius: 2.0, half_length: 1e-300 });
    assert!((short - volume).abs() < 1e-13 && inertia.distance(DVec3::splat(0.4 * volume * 4.0)) < 1e-12);
    let (volume, inertia) = diagonal(Shape::Capsule { radius: 1e-9, half_length: 1.5 });
    assert!((inertia.x / volume - 9.0 / 12.0).abs() < 1e-8 && (inertia.z / volume - 0.5e-18).abs() < 1e-26);
    assert!(Shape::HalfSpace.unit_mass().is_none());
}

#[test]
fn boxes_of_posed_shapes_are_tight() {
    let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let capsule = Shape::Capsule { radius: 0.5, half_length: 2.0 };
    let aabb = capsule.aabb(&pose);
    // A few rounding errors of numbers below 5.
    assert!(aabb.min.distance(DVec3::new(0.5, -0.5, 2.5)) < 1e-14);
    assert!(aabb.max.distance(DVec3::new(1.5, 4.5, 3.5)) < 1e-14);
    let sphere = Shape::Sphere { radius: 0.5 }.aabb(&pose);
    assert!(sphere.max.distance(DVec3::new(1.5, 2.5, 3.5)) < 1e-14);
    let floor = Shape::HalfSpace.aabb(&Pose::from_translation(DVec3::Z));
    assert_eq!((floor.min.z, floor.max), (f64::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 1.0)));
    assert_eq!(Shape::HalfSpace.size(), f64::INFINITY);
    assert!(Shape::HalfSpace.aabb(&pose).max.z.is_infinite());
    assert!((capsule.size() - (1.0f64 + 1.0 + 25.0).sqrt()).abs() < 1e-15);
}
