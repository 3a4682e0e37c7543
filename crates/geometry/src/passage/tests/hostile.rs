//! What is refused by name, and what is answered all the same.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Matter, Motion, Surface, SurfaceError, Tracks, Wanted, passage};
use super::vector;
use crate::mesh::generate;
use crate::{Pose, TriangleMesh};

#[test]
fn meshes_that_make_no_surface_are_named() {
    let corner = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let mesh = |vertices: &[DVec3], triangles: &[[u32; 3]]| TriangleMesh {
        vertices: vertices.to_vec(),
        triangles: triangles.to_vec(),
    };
    let refused = |mesh: &TriangleMesh| Surface::new(mesh).unwrap_err();
    assert_eq!(refused(&TriangleMesh::default()), SurfaceError::Empty);
    assert_eq!(refused(&mesh(&[DVec3::ZERO; 3], &[[0, 1, 2]])), SurfaceError::Empty);
    assert_eq!(
        refused(&mesh(&corner, &[[0, 1, 7]])),
        SurfaceError::VertexIndex { triangle: 0, vertex: 7, n_vertices: 3 }
    );
    let infinite = [DVec3::ZERO, DVec3::X, DVec3::Y * f64::INFINITY];
    assert_eq!(refused(&mesh(&infinite, &[[0, 1, 2]])), SurfaceError::NonFinite { vertex: 2 });
    let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let twisted = refused(&mesh(&square, &[[0, 1, 2], [0, 3, 2]]));
    assert!(matches!(twisted, SurfaceError::Misoriented { n: 1, .. }), "{twisted}");
    println!("{twisted}");
}

/// Facets without an area are left out and counted, and vertices at one place are one.
#[test]
fn degenerate_facets_and_coincident_vertices_are_taken_care_of() {
    let cube = generate::cuboid(DVec3::ONE, 12).unwrap();
    let mut soup = TriangleMesh::default();
    for ix in 0..cube.triangles.len() {
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(cube.corners(ix));
        soup.triangles.extend([[first, first + 1, first + 2], [first, first, first + 1]]);
    }
    let surface = Surface::new(&soup).unwrap();
    assert!(surface.is_closed());
    assert_eq!((surface.n_faces(), surface.n_dropped(), surface.vertices().len()), (12, 12, 8));
}

/// Motions without numbers, without end, from one place: no panic, and no numbers that are none.
#[test]
fn any_motion_has_an_answer() {
    let ball = Matter::Surface(Arc::new(Surface::new(&generate::sphere(0.5, 80).unwrap()).unwrap()));
    let mut rng = Rng::new(11);
    let wild = [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e150, 1e300, f64::INFINITY, f64::NAN];
    for _ in 0..rng.cases(150) {
        let mut pose = || {
            let scale = wild[rng.below(wild.len())];
            Pose {
                translation: scale * vector(&mut rng),
                rotation: DQuat::from_scaled_axis(vector(&mut rng)),
            }
        };
        let motions = [Motion { start: pose(), end: pose() }, Motion { start: pose(), end: pose() }];
        for pair in [[&ball, &ball], [&ball, &Matter::HalfSpace], [&Matter::HalfSpace, &ball]] {
            for tracks in [None, Some(&Tracks::default())] {
                let found = passage(pair, [&motions[0], &motions[1]], tracks, Wanted::Penalty);
                let is_far = motions
                    .iter()
                    .any(|m| m.start.translation.length().max(m.end.translation.length()) > 1e60);
                assert!(is_far || found.presses.iter().all(|press| press.push.is_finite()));
            }
        }
    }
}
