//! Laws that the overlap of any two meshes obeys.

use super::*;
use crate::overlap::OverlapKind;

fn blob(seed: f64, triangles: usize) -> Solid {
    let mut mesh = generate::sphere(1.0, triangles).unwrap();
    for x in &mut mesh.vertices {
        let bump = (4.0 * x.x + seed).sin() + (5.0 * x.y - seed).cos() + (3.0 * x.z + 2.0 * seed).sin();
        *x *= 1.0 + 0.1 * bump;
    }
    solid(mesh)
}

/// Gradients against central differences of the volume.
#[test]
fn gradients_are_derivatives_of_the_volume() {
    /// Balances the third derivative, some 50, times the square of the step against the volume's rounding, some 5e-15,
    /// over the step: both give 1e-9.
    const STEP: f64 = 5e-6;
    let (a, b) = (blob(0.3, 500), blob(1.7, 320));
    let mut n_regular = 0;
    for i in 0..12 {
        let w_from_a = some_pose(i, 0.2);
        let w_from_b = some_pose(i + 50, 1.3);
        let o = overlap(&a, &b, &w_from_a.relative(&w_from_b)).rotated(w_from_a.rotation);
        n_regular += usize::from(o.kind == OverlapKind::Regular);
        if o.kind == OverlapKind::Empty {
            continue;
        }
        let volume = |moved: Pose| overlap(&a, &b, &moved.relative(&w_from_b)).volume;
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let shifted = |s: f64| Pose { translation: w_from_a.translation + s * axis, ..w_from_a };
            let turned =
                |s: f64| Pose { rotation: DQuat::from_axis_angle(axis, s) * w_from_a.rotation, ..w_from_a };
            let slope = (volume(shifted(STEP)) - volume(shifted(-STEP))) / (2.0 * STEP);
            assert_close(o.gradient.dot(axis), slope, 2e-9);
            let slope = (volume(turned(STEP)) - volume(turned(-STEP))) / (2.0 * STEP);
            assert_close(o.angular_gradient.dot(axis), slope, 2e-9);
        }
    }
    assert!(n_regular >= 4, "{n_regular}");
}

/// Exchanging the meshes, in every field.
#[test]
fn exchanged_meshes_mirror_the_overlap() {
    let (a, b) = (blob(0.3, 500), blob(1.7, 320));
    for i in 0..20 {
        let a_from_b = some_pose(i, 1.2);
        let one = overlap(&a, &b, &a_from_b);
        let other = overlap(&b, &a, &a_from_b.inverse());
        assert_eq!((one.kind, one.n_components), (other.kind, other.n_components));
        if one.kind == OverlapKind::Empty {
            continue;
        }
        let b_from_a = a_from_b.inverse();
        let back = other.swapped(b_from_a.translation).rotated(a_from_b.rotation);
        assert_close(one.volume, back.volume, 1e-14);
        assert!(one.centroid.distance(back.centroid) < 1e-12);
        assert!(max_abs(one.second_moment - back.second_moment) < 1e-14);
        assert!(one.gradient.distance(back.gradient) < 1e-14);
        assert!(one.angular_gradient.distance(back.angular_gradient) < 1e-13);
        assert_close(one.areas[0], back.areas[0], 1e-13);
        assert_close(one.areas[1], back.areas[1], 1e-13);
    }
}

/// The same mesh over itself in one pose: every predicate of a face with its like is a tie.
#[test]
fn mesh_on_itself_has_its_own_volume() {
    let small = blob(0.8, 500);
    let whole = small.flux(0).volume();
    let o = overlap(&small, &small, &Pose::IDENTITY);
    assert_close(o.volume / whole.volume, 1.0, 1e-14);
    assert_eq!(o.n_components, 1);
}

/// A mesh with many faces agrees with the sum over slabs, whose faces cut it: node integrals against cut faces.
#[test]
fn slabs_add_up_to_the_whole() {
    let mesh = blob(2.2, 8000);
    let whole = mesh.flux(0).volume().volume;
    for i in 0..6 {
        let pose = some_pose(i, 0.3);
        let slab = solid(cuboid(6.0, 6.0, 0.5));
        let parts = (-8..8).map(|k| {
            let offset = Pose::from_translation(DVec3::new(0.0, 0.0, 0.25 + 0.5 * f64::from(k)));
            overlap(&mesh, &slab, &pose.then(&offset))
        });
        let parts: Vec<Overlap> = parts.collect();
        let sum: f64 = parts.iter().map(|o| o.volume).sum();
        assert_close(sum / whole, 1.0, 1e-13);
        let gradient: DVec3 = parts.iter().map(|o| o.gradient).sum();
        assert!(gradient.length() < 1e-12, "{gradient}");
    }
}

#[test]
fn far_from_the_origin_little_is_lost() {
    let (a, b) = (blob(0.3, 500), blob(1.7, 320));
    for i in 0..10 {
        let (w_from_a, w_from_b) = (some_pose(i, 0.2), some_pose(i + 7, 0.8));
        let here = overlap(&a, &b, &w_from_a.relative(&w_from_b));
        let far = |pose: Pose| Pose { translation: pose.translation + DVec3::new(1e6, -2e6, 3e6), ..pose };
        let there = overlap(&a, &b, &far(w_from_a).relative(&far(w_from_b)));
        // The positions themselves are rounded to 5e-10 there.
        assert_close(here.volume, there.volume, 1e-8);
    }
}

/// A contact patch a thousand times smaller than the triangles it lies in has the moments of one between small ones.
#[test]
fn small_contact_on_a_large_triangle() {
    let foot = solid(cuboid(1e-3, 1e-3, 1e-3));
    let pose = at(0.137, 0.211, 0.5 + 0.4e-3);
    let large = overlap(&solid(cuboid(6.0, 6.0, 1.0)), &foot, &pose);
    let small = overlap(&solid(cuboid(0.006, 0.006, 0.001)), &foot, &at(0.0001, 0.0002, 0.9e-3));
    assert_close(large.volume / small.volume, 1.0, 1e-11);
    for axis in 0..3 {
        let ratio = large.second_moment.col(axis)[axis] / small.second_moment.col(axis)[axis];
        assert_close(ratio, 1.0, 1e-9);
    }
}

/// The patch of a blob sunk into a plate spans what the overlap spans, inner subtrees included.
#[test]
fn patch_spans_the_pieces_inside() {
    let (plate, ball) = (solid(cuboid(6.0, 6.0, 2.0)), solid(generate::sphere(1.0, 20_000).unwrap()));
    let o = overlap(&plate, &ball, &at(0.0, 0.0, 1.6));
    let patch = o.patch.unwrap();
    assert_close(patch.extent, 0.4, 1e-3);
    let radius = (1.0_f64 - 0.6 * 0.6).sqrt();
    let largest = patch.polygon.iter().map(|x| x.length()).fold(0.0, f64::max);
    assert_close(largest, radius, 1e-3);
    let size = o.bounds.max - o.bounds.min;
    assert!((size - DVec3::new(2.0 * radius, 2.0 * radius, 0.4)).abs().max_element() < 2e-3, "{size}");
    // Sunk beyond its middle, the widest ring lies in subtrees that the curve does not touch.
    let o = overlap(&plate, &ball, &at(0.0, 0.0, 0.6));
    let largest = o.patch.unwrap().polygon.iter().map(|x| x.length()).fold(0.0, f64::max);
    assert_close(largest, 1.0, 1e-3);
}
