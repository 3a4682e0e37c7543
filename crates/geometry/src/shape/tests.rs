//! Shapes' answers against closed forms, and against each other's.

use std::f64::consts::PI;

use glam::{DMat3, DQuat};
use tactum_random::Rng;

use super::*;
use crate::mesh::generate;

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
    // A corner of one triangle in the side of another: no solid, but convex.
    let mut between = ConvexHull::from_points(&cube_points()).unwrap().to_mesh();
    let [a, b, c] = between.triangles.remove(0);
    let middle = between.vertices.len() as u32;
    between.vertices.push(0.5 * (between.vertices[a as usize] + between.vertices[b as usize]));
    between.triangles.extend([[a, middle, c], [middle, b, c]]);
    assert!(Solid::new(between.clone()).is_err());
    assert!(matches!(Shape::from_mesh(between.clone()), Ok(Shape::Convex(_))));
    between.triangles[0][0] = 99;
    assert!(matches!(Shape::from_mesh(between), Err(SolidError::VertexIndex { vertex: 99, .. })));
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
    let (volume, inertia) = diagonal(Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 1.5, 0.25) }));
    assert!((volume - 3.0).abs() < 1e-15);
    assert!(inertia.distance(DVec3::new(2.3125, 1.0625, 3.25)) < 1e-14);
    let (volume, inertia) = diagonal(Shape::Sphere(Sphere { radius: 2.0 }));
    assert!(inertia.distance(DVec3::splat(0.4 * volume * 4.0)) < 1e-13);
    // A capsule without length is a ball; a long thin one is a rod.
    let (short, inertia) = diagonal(Shape::Capsule(Capsule { radius: 2.0, half_length: 1e-300 }));
    assert!((short - volume).abs() < 1e-13 && inertia.distance(DVec3::splat(0.4 * volume * 4.0)) < 1e-12);
    let (volume, inertia) = diagonal(Shape::Capsule(Capsule { radius: 1e-9, half_length: 1.5 }));
    assert!((inertia.x / volume - 9.0 / 12.0).abs() < 1e-8 && (inertia.z / volume - 0.5e-18).abs() < 1e-26);
    assert!(Shape::HalfSpace.unit_mass().is_none());
    let (r, h) = (0.3, 0.8);
    let (volume, inertia) = diagonal(Shape::Cylinder(Cylinder { radius: r, height: h }));
    assert!((volume / (PI * r * r * h) - 1.0).abs() < 1e-14);
    let across = (3.0 * r * r + h * h) / 12.0;
    assert!((inertia / volume).distance(DVec3::new(across, across, 0.5 * r * r)) < 1e-14);
    // Of a cone about its centre of mass, which is a quarter of its height above its base.
    let cone = Shape::Cone(Cone { radius: r, height: h });
    assert!(cone.unit_mass().unwrap().center.distance(DVec3::Z * (-0.25 * h)) < 1e-15);
    let (volume, inertia) = diagonal(cone);
    assert!((volume / (PI * r * r * h / 3.0) - 1.0).abs() < 1e-14);
    let across = 3.0 / 20.0 * (r * r + 0.25 * h * h);
    assert!((inertia / volume).distance(DVec3::new(across, across, 0.3 * r * r)) < 1e-14);
}

#[test]
fn boxes_of_posed_shapes_are_tight() {
    let pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let capsule = Shape::Capsule(Capsule { radius: 0.5, half_length: 2.0 });
    let aabb = capsule.aabb(&pose);
    // A few rounding errors of numbers below 5.
    assert!(aabb.min.distance(DVec3::new(0.5, -0.5, 2.5)) < 1e-14);
    assert!(aabb.max.distance(DVec3::new(1.5, 4.5, 3.5)) < 1e-14);
    let sphere = Shape::Sphere(Sphere { radius: 0.5 }).aabb(&pose);
    assert!(sphere.max.distance(DVec3::new(1.5, 2.5, 3.5)) < 1e-14);
    // Lying along y: the axis' ends are at -2 and 2, the cone's tip at -2.
    let cylinder = Shape::Cylinder(Cylinder { radius: 0.5, height: 4.0 }).aabb(&pose);
    assert!(cylinder.min.distance(DVec3::new(0.5, 0.0, 2.5)) < 1e-14);
    assert!(cylinder.max.distance(DVec3::new(1.5, 4.0, 3.5)) < 1e-14);
    let leaning = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(1.2));
    let cone = Shape::Cone(Cone { radius: 0.5, height: 4.0 }).aabb(&leaning);
    let (sin, cos) = 1.2_f64.sin_cos();
    assert!(cone.min.distance(DVec3::new(-2.0 * sin - 0.5 * cos, -0.5, -2.0 * cos - 0.5 * sin)) < 1e-14);
    assert!(cone.max.distance(DVec3::new(2.0 * sin, 0.5, 2.0 * cos)) < 1e-14);
    let floor = Shape::HalfSpace.aabb(&Pose::from_translation(DVec3::Z));
    assert_eq!((floor.min.z, floor.max), (f64::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 1.0)));
    assert_eq!(Shape::HalfSpace.size(), f64::INFINITY);
    assert!(Shape::HalfSpace.aabb(&pose).max.z.is_infinite());
    assert!((capsule.size() - (1.0f64 + 1.0 + 25.0).sqrt()).abs() < 1e-15);
}

/// One of each kind, of size about one and off its origin where it can be.
fn one_of_each() -> [Shape; 8] {
    let offset = DVec3::new(0.1, -0.2, 0.3);
    let knot = generate::critter(1.0, 3, 400).unwrap().translated(offset);
    let hull: Vec<_> =
        [[1.0, 0.2, 0.1], [-0.5, 0.8, 0.2], [-0.4, -0.9, 0.0], [0.1, 0.0, 1.1], [0.2, 0.1, -0.7]]
            .map(|x| DVec3::from_array(x) + offset)
            .to_vec();
    [
        Shape::HalfSpace,
        Shape::Sphere(Sphere { radius: 0.7 }),
        Shape::Capsule(Capsule { radius: 0.4, half_length: 0.5 }),
        Shape::Cylinder(Cylinder { radius: 0.6, height: 0.9 }),
        Shape::Cone(Cone { radius: 0.7, height: 1.1 }),
        Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.7, 0.9) }),
        Shape::Convex(Arc::new(ConvexHull::from_points(&hull).unwrap())),
        Shape::from_mesh(knot).unwrap(),
    ]
}

/// Rays at a shape, from around it and from inside: where each enters, and where the first triangle of its surface is that
/// faces it.
fn entries(shape: &Shape, n: usize) -> Vec<(Ray, Option<f64>, Option<f64>)> {
    let mesh = shape.surface(128).into_mesh().unwrap();
    let mut rng = Rng::new(3);
    let mut vector = move || DVec3::from_array(std::array::from_fn(|_| rng.range(-1.5, 1.5)));
    (0..n)
        .map(|_| {
            let origin = vector();
            let ray = Ray { origin, direction: (0.5 * vector() - origin).normalize() };
            let through = |ix| {
                let [a, b, c] = mesh.corners(ix).map(|x| x - ray.origin);
                let volumes = [b.cross(c), c.cross(a), a.cross(b)].map(|arm| arm.dot(ray.direction));
                let normal = (b - a).cross(c - a);
                let distance = a.dot(normal) / ray.direction.dot(normal);
                (volumes.iter().all(|&v| v <= 0.0) && distance >= 0.0).then_some(distance)
            };
            let first = (0..mesh.triangles.len()).filter_map(through).min_by(f64::total_cmp);
            (ray, shape.ray(&ray), first)
        })
        .collect()
}

/// However a mesh is turned, its box holds its vertices, and is no larger than around the ball about the middle of its own box.
#[test]
fn boxes_hold_turned_meshes() {
    let mut rng = Rng::new(11);
    let torus = generate::torus(1.0, 0.3, 600).unwrap();
    for mesh in [generate::sphere(0.7, 320).unwrap(), torus, gridded_cube(3)] {
        let shape = Shape::from_mesh(mesh.clone()).unwrap();
        let middle = shape.own_aabb().center();
        let radius = mesh.vertices.iter().map(|x| x.distance(middle)).fold(0.0, f64::max);
        for _ in 0..100 {
            let [x, y, z, w] = std::array::from_fn(|_| rng.range(-1.0, 1.0));
            let translation = DVec3::new(rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), rng.range(-9.0, 9.0));
            let pose = Pose::new(translation, DQuat::from_xyzw(x, y, z, w).normalize());
            let aabb = shape.aabb(&pose);
            assert!(mesh.vertices.iter().all(|x| {
                let x = pose.point(*x);
                x.cmpge(aabb.min).all() && x.cmple(aabb.max).all()
            }));
            assert!(aabb.half_size().max_element() < radius + 1e-13, "{aabb:?}, a ball of {radius}");
        }
    }
}

/// The triangles of smooth shapes are inscribed, so that a ray may just miss them, and meets them late at a slant.
#[test]
fn rays_enter_shapes_where_they_first_meet_a_triangle_that_faces_them() {
    for shape in &one_of_each()[1..] {
        let mut n_hits = 0;
        for (ray, found, triangle) in entries(shape, 400) {
            match (found, triangle) {
                (Some(found), Some(triangle)) => {
                    n_hits += 1;
                    let tolerance = if shape.has_round_side() { 0.04 } else { 1e-12 };
                    assert!((found - triangle).abs() < tolerance, "{shape:?} {ray:?} {found} {triangle}");
                }
                (None, None) => {}
                _ => assert!(shape.has_round_side(), "{shape:?} {ray:?} {found:?} {triangle:?}"),
            }
        }
        assert!(n_hits > 40, "{shape:?}: {n_hits}");
    }
}

#[test]
fn rays_enter_a_half_space_from_above_and_nothing_from_inside() {
    let down = |z| Ray { origin: DVec3::new(1.0, 2.0, z), direction: DVec3::new(0.6, 0.0, -0.8) };
    assert_eq!(Shape::HalfSpace.ray(&down(2.0)), Some(2.5));
    assert_eq!(Shape::HalfSpace.ray(&down(-2.0)), None);
    assert_eq!(Shape::HalfSpace.ray(&Ray { direction: DVec3::X, ..down(2.0) }), None);
    for shape in &one_of_each()[1..7] {
        let inside = Ray { origin: shape.unit_mass().unwrap().center, direction: DVec3::Z };
        assert_eq!(shape.ray(&inside), None, "{shape:?}");
    }
}

/// No point of a surface is beyond the reach in any direction, and with convex shapes of closed form one is there.
#[test]
fn shapes_reach_as_far_as_their_surface() {
    for shape in &one_of_each()[1..] {
        let mesh = shape.surface(128).into_mesh().unwrap();
        for (ray, ..) in entries(shape, 30) {
            let reach = shape.reach(ray.direction);
            let farthest =
                mesh.vertices.iter().map(|x| x.dot(ray.direction)).fold(f64::NEG_INFINITY, f64::max);
            assert!(farthest <= reach + 1e-15, "{shape:?}");
            let found = shape.farthest(ray.direction);
            assert!(farthest <= found + 1e-15 && found <= reach + 1e-15, "{shape:?}");
            if shape.is_mesh() {
                // The same products, one way or the other fused.
                assert!((farthest - found).abs() < 1e-15, "{shape:?}: {found}, not {farthest}");
            }
            if shape.solid().is_none() {
                assert!(farthest > reach - 1e-3, "{shape:?} {farthest} {reach}");
            }
        }
    }
    assert_eq!(Shape::HalfSpace.farthest(DVec3::Z), 0.0);
    assert_eq!(Shape::HalfSpace.reach(DVec3::Z), 0.0);
    assert_eq!(Shape::HalfSpace.reach(DVec3::X), f64::INFINITY);
}

#[test]
fn solids_that_stand_for_shapes_have_their_volume_and_centre() {
    for shape in &one_of_each()[1..] {
        let solid = shape.to_solid().unwrap();
        let [own, of_solid] = [shape.unit_mass().unwrap(), MassMoments::of(solid.mesh())];
        // (2 π / 64)² / 2 of a ball.
        let missing = 1.0 - of_solid.volume / own.volume;
        assert!((-1e-14..5e-3).contains(&missing), "{shape:?} {missing}");
        assert!(own.center.distance(of_solid.center) < 1e-14, "{shape:?}");
    }
    assert!(Shape::HalfSpace.to_solid().is_none());
}

#[test]
fn what_is_round_somewhere_rolls_and_only_what_is_round_everywhere_is_smooth() {
    let smooth = one_of_each().map(|shape| shape.is_smooth());
    let round = one_of_each().map(|shape| shape.has_round_side());
    assert_eq!(smooth, [false, true, true, false, false, false, false, false]);
    assert_eq!(round, [false, true, true, true, true, false, false, false]);
}

#[test]
fn measures_that_are_none_are_named() {
    let refused = |shape: Shape| shape.check().unwrap_err().to_string();
    let error = refused(Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, -2.0, 1.0) }));
    assert_eq!(error, "the half size is -2.0, but has to be positive and finite");
    assert!(refused(Shape::Sphere(Sphere { radius: f64::NAN })).starts_with("the radius is NaN"));
    let capsule = Capsule { radius: 1.0, half_length: f64::INFINITY };
    assert!(refused(Shape::Capsule(capsule)).starts_with("the half length is inf"));
    let cone = Cone { radius: 1.0, height: 0.0 };
    assert_eq!(refused(Shape::Cone(cone)), "the height is 0.0, but has to be positive and finite");
    let cylinder = Cylinder { radius: -1.0, height: 1.0 };
    assert!(refused(Shape::Cylinder(cylinder)).starts_with("the radius is -1.0"));
    assert!(one_of_each().iter().all(|shape| shape.check().is_ok()));
}

#[test]
fn keys_are_those_of_equal_or_shared_shapes() {
    let [shapes, others] = [one_of_each(), one_of_each()];
    for (i, a) in shapes.iter().enumerate() {
        assert_eq!(a.key(), a.clone().key());
        for (j, b) in shapes.iter().enumerate() {
            assert_eq!(a.key() == b.key(), i == j);
        }
        assert_eq!(a.key() == others[i].key(), a.solid().is_none());
    }
}
