//! Who begins in whom: what touches nothing is held by nothing, and what is in another body is pushed out the shortest way.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use tactum_random::Rng;

use super::super::{Matter, Motion, Passage, Surface, Wanted, passage};
use super::vector;
use crate::mesh::generate;
use crate::{Pose, TriangleMesh};

fn turn(rng: &mut Rng) -> DQuat {
    DQuat::from_scaled_axis(std::f64::consts::PI * vector(rng))
}

/// What two bodies at rest do of which nothing is known.
fn begin(meshes: [&TriangleMesh; 2], poses: [Pose; 2]) -> Passage {
    let [a, b] = meshes.map(|mesh| Matter::Surface(Arc::new(Surface::new(mesh).unwrap())));
    let [of_a, of_b] = poses.map(Motion::at_rest);
    passage([&a, &b], [&of_a, &of_b], None, Wanted::Penalty)
}

/// Whether a side of a triangle of the one goes through a triangle of the other one.
fn pierces([of, other]: [&TriangleMesh; 2], [w_from_of, w_from_other]: [Pose; 2]) -> bool {
    let placed = |mesh: &TriangleMesh, pose: Pose| -> Vec<[DVec3; 3]> {
        (0..mesh.triangles.len()).map(|ix| mesh.corners(ix).map(|x| pose.point(x))).collect()
    };
    let (of, other) = (placed(of, w_from_of), placed(other, w_from_other));
    let meets = |from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]| {
        let normal = (b - a).cross(c - a);
        let (low, high) = (normal.dot(from - a), normal.dot(to - a));
        let at = from.lerp(to, low / (low - high));
        low * high < 0.0
            && [(a, b), (b, c), (c, a)].into_iter().all(|(x, y)| normal.dot((y - x).cross(at - x)) >= 0.0)
    };
    of.iter().any(|[x, y, z]| {
        [(x, y), (y, z), (z, x)]
            .into_iter()
            .any(|(from, to)| other.iter().any(|face| meets(*from, *to, *face)))
    })
}

/// Whether two bodies whose surfaces do not meet are apart: neither is inside of the other.
fn are_apart([a, b]: [&TriangleMesh; 2], [w_from_a, w_from_b]: [Pose; 2]) -> bool {
    let holds = |mesh: &TriangleMesh, x: DVec3| Surface::new(mesh).unwrap().holds(x);
    !pierces([a, b], [w_from_a, w_from_b])
        && !pierces([b, a], [w_from_b, w_from_a])
        && !holds(b, w_from_b.inverse().point(w_from_a.point(a.vertices[0])))
        && !holds(a, w_from_a.inverse().point(w_from_b.point(b.vertices[0])))
}

/// Beside thin plates that are turned anyhow, over them and past their rims, bodies that are apart from them are held by nothing.
#[test]
fn what_is_apart_is_not_held() {
    let cuboid = |x: f64, y: f64, z: f64, n: usize| generate::cuboid(DVec3::new(x, y, z), n).unwrap();
    let plates = [
        cuboid(0.5, 0.5, 0.001, 12),
        cuboid(0.5, 0.5, 0.001, 192),
        cuboid(0.5, 0.1, 0.02, 12),
        cuboid(1.0, 1.0, 0.02, 12),
        generate::cylinder(0.25, 0.001, 80).unwrap(),
    ];
    let others = [
        cuboid(0.01, 0.01, 0.01, 12),
        cuboid(0.04, 0.04, 0.04, 12),
        cuboid(0.1, 0.004, 0.004, 12),
        cuboid(0.5, 0.1, 0.02, 12),
        generate::sphere(0.02, 80).unwrap(),
    ];
    let mut rng = Rng::new(41);
    let mut n_apart = 0;
    for i in 0..rng.cases(1500) {
        let meshes = [&plates[i % plates.len()], &others[i / plates.len() % others.len()]];
        let plate = Pose::new(0.3 * vector(&mut rng), turn(&mut rng));
        let beside = plate.point(vector(&mut rng) * DVec3::new(0.35, 0.35, 0.12));
        // A third of them parallel to the plate.
        let turned = if i % 3 == 0 { plate.rotation } else { turn(&mut rng) };
        let poses = [plate, Pose::new(beside, turned)];
        if are_apart(meshes, poses) {
            let found = begin(meshes, poses);
            assert!(found.tracks.is_empty() && found.presses.is_empty(), "case {i}: {:?}", found.tracks);
            n_apart += 1;
        }
    }
    assert!(n_apart > 800, "{n_apart}");
}

/// Cubes that begin flush in each other are pushed apart along the way that is shortest for the whole of their corners, not along sides in
/// which these lie already.
#[test]
fn flush_cubes_in_each_other_are_pushed_apart() {
    for (side, depth) in [(0.1, 1e-3), (0.1, 5e-3), (0.1, 0.04), (0.08, 0.05), (0.02, 0.01)] {
        let meshes = [0.1, side].map(|side| generate::cuboid(DVec3::new(side, side, 0.1), 12).unwrap());
        for turned in [DQuat::IDENTITY, DQuat::from_rotation_x(0.4), DQuat::from_rotation_y(2.0)] {
            let up = turned * DVec3::Z;
            let poses = [Pose::new(DVec3::ZERO, turned), Pose::new((0.1 - depth) * up, turned)];
            let found = begin([&meshes[0], &meshes[1]], poses);
            let push: DVec3 = found.presses.iter().map(|press| press.push).sum();
            // Four corners of one of them or, shared, of both.
            assert!((push - 4.0 * depth * up).length() < 1e-9 * depth, "{side} m, {depth} m: {push}");
        }
    }
}
