//! The half-space against a large box, which is measured by the other method.

use super::super::half_space;
use super::*;
use crate::overlap::OverlapKind;

/// A half-space as a box far larger than what lies on it, its top in the plane.
fn ground() -> Solid {
    solid(cuboid(40.0, 40.0, 20.0).translated(DVec3::new(0.0, 0.0, -10.0)))
}

fn assert_same(o: &Overlap, expected: &Overlap, case: u32) {
    assert_eq!((o.kind, o.n_components), (expected.kind, expected.n_components), "case {case}");
    assert_close(o.volume, expected.volume, 1e-12);
    if o.kind == OverlapKind::Empty {
        return;
    }
    assert!(o.centroid.distance(expected.centroid) < 1e-10, "case {case}");
    assert!(max_abs(o.second_moment - expected.second_moment) < 1e-12, "case {case}");
    assert!(o.gradient.distance(expected.gradient) < 1e-12, "case {case}");
    assert!(o.angular_gradient.distance(expected.angular_gradient) < 1e-12, "case {case}");
    assert_close(o.areas[0], expected.areas[0], 1e-12);
    assert_close(o.areas[1], expected.areas[1], 1e-12);
    assert!(o.bounds.min.distance(expected.bounds.min) < 1e-9, "case {case}");
    assert!(o.bounds.max.distance(expected.bounds.max) < 1e-9, "case {case}");
    assert_eq!(o.patch.is_some(), expected.patch.is_some(), "case {case}");
}

#[test]
fn half_space_is_a_very_large_box() {
    let mut star = generate::star(1.0, 0.4, 600).unwrap();
    star.vertices.iter_mut().for_each(|x| x.z *= 0.7);
    let ball = |radius| generate::sphere(radius, 720).unwrap();
    let shapes = [
        solid(star),
        solid(generate::torus(0.7, 0.2, 900).unwrap()),
        solid(merged([ball(0.8), turned_over(ball(0.6))])),
    ];
    let ground = ground();
    let mut n_several = 0;
    for i in 0..90 {
        let mesh_from_plane = some_pose(i, 1.0);
        let mesh = &shapes[i as usize % shapes.len()];
        let o = half_space::overlap(mesh, &mesh_from_plane);
        assert_same(&o, &overlap(mesh, &ground, &mesh_from_plane), i);
        n_several += u32::from(o.n_components > 1);
    }
    assert!(n_several >= 5, "{n_several}");
}

#[test]
fn cube_on_a_half_space() {
    let cube = unit_cube();
    for depth in [1e-9, 1e-3, 0.5, 1.0 - 1e-3] {
        let o = half_space::overlap(&cube, &at(0.2, 0.3, depth - 0.5));
        assert_close(o.volume / depth, 1.0, 1e-7_f64.min(1e-15 / depth));
        assert!(o.gradient.distance(DVec3::NEG_Z) < 1e-15);
        assert_eq!(o.kind, OverlapKind::Regular);
        let patch = o.patch.unwrap();
        assert_eq!(patch.polygon.len(), 4);
        assert_close(patch.extent, depth, 1e-15);
    }
    assert_eq!(half_space::overlap(&cube, &at(0.0, 0.0, -0.5)), Overlap::EMPTY);
    assert_eq!(half_space::overlap(&cube, &at(0.0, 0.0, -3.0)), Overlap::EMPTY);
    let sunk = half_space::overlap(&cube, &at(0.0, 0.0, 3.0));
    assert_eq!((sunk.kind, sunk.n_components), (OverlapKind::Swallowed, 1));
    assert_close(sunk.volume, 1.0, 1e-15);
}
