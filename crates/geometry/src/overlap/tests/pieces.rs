//! Round bodies that touch one mesh in several places: each is the contact with what is there alone.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::at;
use crate::mesh::TriangleMesh;
use crate::mesh::generate::{self, Ring};
use crate::overlap::overlap;
use crate::{Capsule, Cylinder, Overlap, Pose, Shape, Solid, Sphere};

/// A block with a groove along y of walls at 45 degrees, whose bottom is the y axis.
fn groove() -> Shape {
    let outline = [(-2.0, -1.0), (2.0, -1.0), (2.0, 2.0), (0.0, 0.0), (-2.0, 2.0)];
    let vertices = [-5.0, 5.0].iter().flat_map(|y| outline.map(|(x, z)| DVec3::new(x, *y, z))).collect();
    // The ends are fans about the bottom of the groove, front and back; it sees all other corners.
    let mut triangles = Vec::new();
    for ix in 0..5_u32 {
        let next = (ix + 1) % 5;
        triangles.extend([[ix, next, next + 5], [ix, next + 5, ix + 5]]);
        if ix != 3 && next != 3 {
            triangles.extend([[3, next, ix], [8, ix + 5, next + 5]]);
        }
    }
    let mut mesh = TriangleMesh { vertices, triangles };
    if Solid::new(mesh.clone()).is_err() {
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    }
    Shape::Mesh(Arc::new(Solid::new(mesh).expect("a closed block")))
}

/// The same contact with one wall of the groove as a half-space.
fn wall(side: f64) -> Pose {
    Pose::new(DVec3::ZERO, DQuat::from_rotation_y(side * FRAC_PI_4))
}

fn regions_are_those_of_the_walls(shape: &Shape, pose: &Pose, tolerance: f64) {
    let mesh = groove();
    for (found, sign) in [
        (overlap(&mesh, &Pose::IDENTITY, shape, pose), 1.0),
        (overlap(shape, pose, &mesh, &Pose::IDENTITY), -1.0),
    ] {
        assert_eq!((found.regions.len(), found.n_components), (2, 2));
        let volume: f64 = found.regions.iter().map(|region| region.volume).sum();
        assert!((volume / found.volume - 1.0).abs() < tolerance);
        for side in [-1.0, 1.0] {
            let alone = overlap(&Shape::HalfSpace, &wall(side), shape, pose);
            let normal = sign * wall(side).vector(DVec3::Z);
            let is_this = |region: &&Overlap| region.gradient.normalize().dot(normal) > 0.99;
            let region = found.regions.iter().find(is_this).expect("a region that faces this way");
            assert!((region.volume / alone.volume - 1.0).abs() < tolerance, "{}", region.volume);
            assert!((region.gradient * sign - alone.gradient).length() < tolerance * alone.gradient.length());
            let [patch, wanted] = [region, &alone].map(|overlap| overlap.patch.as_ref().expect("a patch"));
            assert!((patch.extent - wanted.extent).abs() < tolerance * wanted.extent, "{}", patch.extent);
            let origin = if sign < 0.0 { pose.translation } else { DVec3::ZERO };
            assert!((region.centroid + origin - alone.centroid).length() < tolerance);
        }
    }
}

#[test]
fn a_ball_in_a_groove_touches_both_walls() {
    for depth in [1e-6_f64, 1e-4, 1e-2] {
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        // Volumes go with the depth squared, which is known to rounding of the poses.
        regions_are_those_of_the_walls(
            &ball,
            &at(0.0, 0.3, (0.5 - depth) * 2.0_f64.sqrt()),
            1e-9 + 1e-14 / depth,
        );
    }
}

/// A corner that has come through one wall by a ten thousandth of what the rest is deep in the other one is a region of its own all the
/// same, and both know their corners.
#[test]
fn a_ball_of_facets_that_hardly_touches_one_wall_touches_both() {
    let mesh = generate::sphere(0.5, 320).expect("a mesh");
    let reach = |wall: DVec3| mesh.vertices.iter().map(|x| -wall.dot(*x)).fold(0.0, f64::max);
    let walls = [-1.0, 1.0].map(|side| wall(side).vector(DVec3::Z));
    let [deep, shallow] = [1e-2, 1e-6];
    // As far above each wall as it reaches down to it, less by what it is in it.
    let place = walls[0] * (reach(walls[0]) - deep) + walls[1] * (reach(walls[1]) - shallow);
    let ball = Shape::Mesh(Arc::new(Solid::new(mesh.clone()).expect("a closed ball")));
    let found = overlap(&groove(), &Pose::IDENTITY, &ball, &Pose::from_translation(place));
    assert_eq!(found.regions.len(), 2, "{found:?}");
    for (region, (wall, depth)) in found.regions.iter().zip([(walls[0], deep), (walls[1], shallow)]) {
        assert!(region.gradient.normalize().dot(wall) > 1.0 - 1e-12);
        let patch = region.patch.as_ref().expect("a patch");
        // Places are known to some 1e-15, of a depth of 1e-6.
        assert!((patch.extent / depth - 1.0).abs() < 1e-8, "{} of {depth}", patch.extent);
        let inside = mesh.vertices.iter().filter(|x| (**x + place).dot(wall) < 0.0).count();
        let tips = &patch.planes[0].as_ref().expect("a plane wall").tips;
        assert!(inside > 0 && tips.len() >= inside, "{} of {inside}", tips.len());
    }
}

#[test]
fn a_capsule_and_a_cylinder_along_a_groove_touch_both_walls() {
    let lying =
        |depth: f64| Pose::new(DVec3::Z * (0.5 - depth) * 2.0_f64.sqrt(), DQuat::from_rotation_x(FRAC_PI_2));
    for depth in [1e-4, 1e-2] {
        let capsule = Shape::Capsule(Capsule { radius: 0.5, half_length: 0.7 });
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.5, height: 1.4 });
        for shape in [capsule, cylinder] {
            regions_are_those_of_the_walls(&shape, &lying(depth), 1e-8);
        }
    }
}

/// A ball on the rim of a ring of facets touches the middles of its edges, and is held by eight of them or groups of them, all around; its forces balance.
#[test]
fn a_ball_in_a_ring_is_held_all_around() {
    let ring = generate::ring(&Ring { inner_radius: 0.4, outer_radius: 0.6, height: 0.2 }, 100);
    let ring = Shape::from_mesh(ring.expect("a ring")).expect("closed");
    let ball = Shape::Sphere(Sphere { radius: 0.5 });
    let found = overlap(&ring, &Pose::IDENTITY, &ball, &at(0.0, 0.0, 0.1 + 0.3 - 1e-4));
    assert!(found.n_components > 8, "{}", found.n_components);
    assert!((4..=8).contains(&found.regions.len()), "{}", found.regions.len());
    let sum: DVec3 = found.regions.iter().map(|region| region.gradient).sum();
    assert!((sum - found.gradient).length() < 1e-9 * found.areas[1]);
    let mut angles: Vec<f64> = found.regions.iter().map(|r| r.gradient.y.atan2(r.gradient.x)).collect();
    angles.sort_by(f64::total_cmp);
    let widest = angles
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .fold(angles[0] + TAU - angles[angles.len() - 1], f64::max);
    assert!(widest < TAU / 3.0, "{angles:?}");
}

/// The two sides of a thin plate bound one piece, which is left as it is.
#[test]
fn a_plate_through_a_ball_is_one_piece() {
    let plate = generate::ring(&Ring { inner_radius: 3.0, outer_radius: 4.0, height: 0.01 }, 400);
    let plate = Shape::from_mesh(plate.expect("a ring")).expect("closed");
    let ball = Shape::Sphere(Sphere { radius: 0.2 });
    let found = overlap(&plate, &Pose::IDENTITY, &ball, &at(3.5, 0.0, 0.0));
    assert!(found.regions.is_empty() && found.n_components == 1);
}

/// Four feet on one plane are one region, however deep each of them is; on the inside of a bowl, where no plane has them all, each is one of its
/// own. The islands in which a fine ball lies in a fine cup are one region, as they share facets or lie on ones that touch; where such are missing
/// between them, in few poses, they are two.
#[test]
fn feet_are_one_region_on_a_plane_and_four_in_a_bowl() {
    let mesh = |mesh: TriangleMesh| Shape::Mesh(Arc::new(Solid::new(mesh).expect("closed")));
    let foot = generate::sphere(0.005, 320).expect("a ball");
    let mut feet = TriangleMesh::default();
    for place in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
        let first = feet.vertices.len() as u32;
        feet.vertices.extend(foot.vertices.iter().map(|x| *x + 0.04 * place));
        feet.triangles.extend(foot.triangles.iter().map(|corners| corners.map(|ix| ix + first)));
    }
    let lowest = feet.vertices.iter().map(|x| x.z).fold(0.0, f64::min);
    let feet = mesh(feet);
    let slab = mesh(generate::cuboid(DVec3::new(1.0, 1.0, 0.2), 300).expect("a slab"));
    for (tilt, depth) in [(0.0, 1e-6), (0.0, 1e-4), (5e-4, 3e-5), (1e-3, 1e-4)] {
        let pose = Pose::new(DVec3::Z * (0.1 - lowest - depth), DQuat::from_rotation_y(tilt));
        let measured = overlap(&slab, &Pose::IDENTITY, &feet, &pose);
        assert!(measured.n_components >= 3, "{tilt} {depth}: {}", measured.n_components);
        assert_eq!(measured.regions().len(), 1, "{tilt} {depth}");
    }
    let bowl = mesh(generate::bowl(0.3, 0.32, 20_000).expect("a bowl"));
    let height = -(0.295_f64.powi(2) - 0.04_f64.powi(2)).sqrt();
    for depth in [1e-5, 1e-4] {
        let pose = Pose::from_translation(DVec3::Z * (height - depth));
        let measured = overlap(&bowl, &Pose::IDENTITY, &feet, &pose);
        assert_eq!(measured.regions().len(), 4, "{depth}");
    }
    let (cup, ball) = (generate::bowl(0.06, 0.07, 20_000), generate::sphere(0.05, 20_480));
    let (cup, ball) = (mesh(cup.expect("a cup")), mesh(ball.expect("a ball")));
    let (mut n_broken, mut n_several) = (0, 0);
    for nth in 0..40 {
        let away = DVec3::new(0.1 + 0.001 * f64::from(nth), 0.03, -0.226).normalize();
        let measured = overlap(&cup, &Pose::IDENTITY, &ball, &Pose::from_translation(away * 0.009_99));
        n_broken += u32::from(measured.n_components > 1);
        n_several += u32::from(measured.regions().len() > 1);
    }
    assert!(n_broken > 10 && n_several <= 4, "{n_several} of {n_broken}");
}
