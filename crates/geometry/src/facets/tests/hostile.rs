//! What is refused, and what is answered with a doubt.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{
    Candidates, Margins, Pressure, Query, RoundedMesh, Rounding, RoundingError, TouchError, touch,
};
use super::{ball, hertz, on_plate, plate, query, rounded, touched};
use crate::mesh::generate;
use crate::solid::SolidError;
use crate::{Pose, Solid, TriangleMesh};

#[test]
fn open_meshes_have_no_solid() {
    let mut mesh = generate::sphere(0.5, 320).unwrap();
    mesh.triangles.pop();
    assert!(matches!(Solid::new(mesh), Err(SolidError::NotClosed { n_open: 3, .. })));
}

#[test]
fn curvatures_that_make_no_sphere_are_named() {
    let solid = Arc::new(Solid::new(generate::sphere(0.5, 20).unwrap()).unwrap());
    let new = |rounding| RoundedMesh::new(solid.clone(), &rounding).map(|_| ());
    let small = new(Rounding::Uniform(10.0)).unwrap_err();
    assert!(matches!(small, RoundingError::TooSmall { .. }), "{small}");
    println!("{small}");
    let count = new(Rounding::Triangles(vec![None; 3])).unwrap_err();
    assert_eq!(count, RoundingError::Count { found: 3, n_triangles: 20 });
    println!("{count}");
    let nan = new(Rounding::Triangles(vec![Some(f64::NAN); 20])).unwrap_err();
    assert!(matches!(nan, RoundingError::NonFinite { triangle: 0, .. }), "{nan}");
    assert_eq!(new(Rounding::Triangles(vec![Some(2.0); 20])), Ok(()));
}

/// A given curvature belongs to its triangle of the mesh, wherever that is in the tree.
#[test]
fn curvatures_stay_with_their_triangles() {
    let mesh = generate::sphere(1.0, 320).unwrap();
    let own = |ix: usize| 0.5 + 1e-3 * ix as f64;
    let list = (0..320).map(|ix| Some(own(ix))).collect();
    let body = rounded(mesh.clone(), &Rounding::Triangles(list));
    for facet in 0..320 {
        let triangle = body.triangle(facet).unwrap() as usize;
        assert_eq!(body.cap(facet).unwrap().curvature, own(triangle));
        assert_eq!(body.cap(facet).unwrap().corners, mesh.corners(triangle));
    }
}

#[test]
fn triangles_without_area_are_left_out() {
    // A cube with a vertex on an edge, towards which one more triangle without area is folded.
    let mut mesh = generate::cuboid(DVec3::ONE, 12).unwrap();
    let [a, b, c] = mesh.triangles[0];
    let middle = mesh.vertices.len() as u32;
    mesh.vertices.push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
    mesh.triangles[0] = [a, middle, c];
    mesh.triangles.push([middle, b, c]);
    mesh.triangles.push([a, b, middle]);
    let body = rounded(mesh, &Rounding::Estimated);
    assert_eq!((body.report().n_thin, body.report().n_flat), (1, 13), "{:?}", body.report());
}

#[test]
fn doubts_are_counted_by_kind() {
    let plate = plate(4.0, 12);
    // Two flats.
    let cube = rounded(generate::cuboid(DVec3::ONE, 12).unwrap(), &Rounding::Estimated);
    let at = Pose::new(DVec3::Z * 0.999, DQuat::from_rotation_z(0.2));
    let found = touched(&plate, &Pose::IDENTITY, &cube, &at, 0.01, &hertz(1e3));
    println!("{:?}", found.doubts);
    assert!(found.force == DVec3::ZERO && found.doubts.two_flats.n >= 2);
    // Near each other is no doubt.
    let at = Pose::new(DVec3::Z * 1.001, DQuat::from_rotation_z(0.2));
    assert!(touched(&plate, &Pose::IDENTITY, &cube, &at, 0.01, &hertz(1e3)).doubts.is_empty());
    // Beyond a tenth of the radius.
    let ball = ball(0.5, 1280);
    let deep = touched(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, 0.051), 0.06, &hertz(1e3));
    assert!(deep.doubts.beyond_hertz.n == deep.n_facets && deep.force.z > 0.0);
    // A ball whose centre is under the surface is not pushed through it.
    let thin = rounded(generate::cuboid(DVec3::new(4.0, 4.0, 0.02), 12).unwrap(), &Rounding::Uniform(0.0));
    let at = Pose::from_translation(DVec3::Z * 0.2);
    let found = touched(&thin, &Pose::IDENTITY, &ball, &at, 1.0, &hertz(1e3));
    assert!(found.force.z > 0.0 && found.doubts.too_deep.n > 0, "{found:?}");
    // Deeper than was looked for: bodies that have come deeper since.
    let margins = Margins { depth: 0.01, gap: 0.0, skin: 0.02 };
    let list = Candidates::find(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, 5e-3), margins);
    let deep = touch(&plate, &Pose::IDENTITY, &ball, &on_plate(0.5, 0.02), &list, &hertz(1e3)).unwrap();
    assert!(deep.doubts.too_deep.n == deep.n_facets && deep.n_facets > 0);
    // A ring that candidates were not looked for.
    let law = Pressure::MaugisDugdale { modulus: 1e4, work: 0.2, stress: 20.0 };
    let margins = Margins { depth: 2e-3, gap: 0.0, skin: 0.0 };
    let at = on_plate(0.5, 1e-3);
    let list = Candidates::find(&plate, &Pose::IDENTITY, &ball, &at, margins);
    let cut = touch(&plate, &Pose::IDENTITY, &ball, &at, &list, &query(law)).unwrap();
    assert!(cut.doubts.ring_cut.n == cut.n_facets && cut.n_facets > 0);
}

/// A cylinder that lies on a plate touches it with its side; that its flat ends stand in the plate by the depth is no doubt.
#[test]
fn ends_of_a_lying_cylinder_raise_no_doubt() {
    let plate = plate(4.0, 12);
    let cylinder = rounded(generate::cylinder(0.5, 1.0, 4000).unwrap(), &Rounding::Estimated);
    let at = Pose::new(DVec3::Z * 0.995, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    let found = touched(&plate, &Pose::IDENTITY, &cylinder, &at, 0.02, &hertz(1e3));
    println!("{found:?}");
    assert!(found.doubts.is_empty() && found.force.z > 0.0);
    assert!(found.force.truncate().length() < 1e-2 * found.force.z);
    // On an edge and on a corner of a cube, a face of it is named.
    let cube = rounded(generate::cuboid(DVec3::ONE, 12).unwrap(), &Rounding::Estimated);
    let corner = DQuat::from_rotation_arc(DVec3::splat(-(3.0_f64.sqrt().recip())), -DVec3::Z);
    for (turn, height) in
        [(DQuat::from_rotation_x(0.25 * std::f64::consts::PI), 0.5_f64.sqrt()), (corner, 0.75_f64.sqrt())]
    {
        let at = Pose::new(DVec3::new(0.1, 0.05, 0.5 + height - 1e-3), turn);
        let found = touched(&plate, &Pose::IDENTITY, &cube, &at, 0.02, &hertz(1e3));
        assert!(found.doubts.two_flats.n > 0, "{found:?}");
    }
}

#[test]
fn bad_numbers_end_in_errors() {
    let (plate, ball) = (plate(4.0, 12), ball(0.5, 320));
    let at = on_plate(0.5, 0.01);
    let margins = Margins { depth: 0.02, gap: 0.0, skin: 0.0 };
    let list = Candidates::find(&plate, &Pose::IDENTITY, &ball, &at, margins);
    let ask = |q: &Query, at: &Pose| touch(&plate, &Pose::IDENTITY, &ball, at, &list, q).unwrap_err();
    for law in [
        Pressure::Hertz { modulus: 0.0 },
        Pressure::Linear { stiffness: f64::NAN },
        Pressure::Jkr { modulus: 1.0, work: -1.0 },
        Pressure::MaugisDugdale { modulus: 1.0, work: 1.0, stress: f64::INFINITY },
    ] {
        let error = ask(&query(law), &at);
        println!("{error}");
        assert!(matches!(error, TouchError::Pressure(_)));
    }
    let nowhere = Pose::from_translation(DVec3::NAN);
    assert_eq!(ask(&hertz(1.0), &nowhere), TouchError::NonFinite);
    assert!(matches!(ask(&hertz(1.0), &on_plate(0.5, 0.011)), TouchError::Stale { .. }));
    let swapped = touch(&ball, &at, &plate, &Pose::IDENTITY, &list, &hertz(1.0));
    assert_eq!(swapped, Err(TouchError::OtherMeshes));
    let mad = Margins { depth: f64::NAN, ..margins };
    let list = Candidates::find(&plate, &Pose::IDENTITY, &ball, &nowhere, mad);
    assert!(list.pairs().is_empty() && list.is_stale(&nowhere, &nowhere));
    let list = Candidates::find(&plate, &Pose::IDENTITY, &ball, &at, mad);
    assert!(list.pairs().is_empty());
}

/// Whatever the bodies and poses, sums are finite and nothing panics.
#[test]
fn slivers_and_wild_poses_give_finite_sums() {
    let mut rng = Rng::new(51);
    for _ in 0..rng.cases(60) {
        let mut x = |s: f64| DVec3::new(rng.range(-s, s), rng.range(-s, s), rng.range(-s, s));
        // Tetrahedra of any shape, some of them nearly flat.
        let mut mesh = TriangleMesh {
            vertices: vec![x(1.0), x(1.0), x(1.0), x(1.0)],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| mesh.vertices[i]);
        if (b - a).cross(c - a).dot(d - a) < 0.0 {
            for t in &mut mesh.triangles {
                t.swap(0, 1);
            }
        }
        let at = Pose::new(x(1.0), DQuat::from_scaled_axis(x(3.0)));
        let list = (0..4).map(|_| Some(rng.range(-0.3, 0.3))).collect();
        let Ok(solid) = Solid::new(mesh) else { continue };
        let Ok(body) = RoundedMesh::new(Arc::new(solid), &Rounding::Triangles(list)) else { continue };
        for law in [Pressure::Hertz { modulus: 1.0 }, Pressure::Jkr { modulus: 1.0, work: 0.1 }] {
            let found = touched(&body, &Pose::IDENTITY, &body, &at, 0.5, &query(law));
            assert!(found.force.is_finite() && found.moment.is_finite() && found.area >= -1e-12, "{found:?}");
        }
    }
}
