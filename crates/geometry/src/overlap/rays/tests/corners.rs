//! The corners of a body off the plane that it stands in.

use super::*;
use crate::TriangleMesh;
use crate::overlap::{Beside, Flatness};

/// Tips in A's axes about A's origin.
fn places(overlap: &Overlap) -> Vec<DVec3> {
    let Some(patch) = &overlap.patch else { return Vec::new() };
    let place =
        |tip: &DVec3| overlap.centroid + patch.axes[0] * tip.x + patch.axes[1] * tip.y + patch.normal * tip.z;
    let side = patch.planes.iter().flatten().find(|side| side.beside == Beside::Nothing);
    side.into_iter().flat_map(|side| &side.tips).map(place).collect()
}

/// Four legs of a table, one edge and one corner of a cube: found where the exact method has them, whichever body is first.
#[test]
fn corners_off_a_plane_are_those_of_the_exact_method() {
    let size = Table {
        length: 2.0,
        width: 1.5,
        height: 1.0,
        top_thickness: 0.1,
        leg_thickness: 0.2,
        leg_inset: DVec2::ZERO,
    };
    let table = || Solid::new(generate::table(&size, 100).expect("a table")).expect("a table is closed");
    let on_edge = DQuat::from_rotation_x(FRAC_PI_4) * DQuat::from_rotation_z(0.3);
    let on_corner = DQuat::from_rotation_x(0.6) * DQuat::from_rotation_y(0.5);
    let cases = [(table(), DQuat::from_rotation_x(1e-3)), (cube(), on_edge), (cube(), on_corner)];
    for (ix, (body, turn)) in cases.into_iter().enumerate() {
        let lowest = body.mesh().vertices.iter().map(|x| (turn * *x).z).fold(f64::INFINITY, f64::min);
        let a_from_b = Pose::new(DVec3::new(0.2, 0.1, 0.5 - lowest - 1e-3), turn);
        for is_swapped in [false, true] {
            let body = Solid::new(body.mesh().clone()).expect("it was closed");
            let pair = if is_swapped {
                Pair::new(body, slab(), a_from_b.inverse())
            } else {
                Pair::new(slab(), body, a_from_b)
            };
            let wanted = places(&pair.exact());
            let grid = Grid::default().for_triangles(&pair.blocks(&Grid::default()));
            let mut found = pair.by_triangles(&grid).expect("triangles tell").overlap;
            find_corners(&mut found, &pair.solids[0], &pair.solids[1], &pair.a_from_b);
            let found = places(&found);
            assert!(!wanted.is_empty());
            assert_eq!(found.len(), wanted.len(), "{ix} {is_swapped}");
            for x in &found {
                let off = wanted.iter().map(|y| x.distance(*y)).fold(f64::INFINITY, f64::min);
                // Places are about a centroid that is known to 32 bits.
                assert!(off < 1e-6, "{ix} {is_swapped}: {off}");
            }
        }
    }
}

/// Two cubes that stand with a corner each on slabs that are not parallel by a tenth of a degree: to 32 bits the slabs are one plane, of
/// which one of the corners would be an arm's length away.
#[test]
fn faces_that_are_not_parallel_are_no_plane() {
    let both = |[mut first, second]: [TriangleMesh; 2]| {
        let n = first.vertices.len() as u32;
        first.vertices.extend(second.vertices);
        first.triangles.extend(second.triangles.iter().map(|t| t.map(|v| v + n)));
        Solid::new(first).expect("two boxes are closed")
    };
    let placed = |size: DVec3, pose: Pose| {
        let mut mesh = generate::cuboid(size, 12).expect("a box");
        mesh.vertices.iter_mut().for_each(|x| *x = pose.point(*x));
        mesh
    };
    let turn = DQuat::from_rotation_x(0.6) * DQuat::from_rotation_y(0.5);
    let lowest =
        placed(DVec3::ONE, Pose::new(DVec3::ZERO, turn)).vertices.iter().map(|x| x.z).fold(0.0, f64::min);
    let slabs = both([-2.0, 2.0].map(|x| {
        let tilt = if x > 0.0 { 2e-3 } else { 0.0 };
        placed(DVec3::new(3.0, 3.0, 1.0), Pose::new(DVec3::new(x, 0.0, -0.5), DQuat::from_rotation_y(tilt)))
    }));
    let cubes =
        both([-2.0, 2.0].map(|x| placed(DVec3::ONE, Pose::new(DVec3::new(x, 0.0, -lowest - 1e-3), turn))));
    let pair = Pair::new(slabs, cubes, Pose::IDENTITY);
    let wanted = pair.exact();
    let grid = Grid::default().for_triangles(&pair.blocks(&Grid::default()));
    let mut found = pair.by_triangles(&grid).expect("triangles tell").overlap;
    let is_plane =
        |overlap: &Overlap| Flatness::new(overlap.areas, overlap.gradient.length(), None).are_plane()[0];
    assert!(is_plane(&found) && !places(&found).is_empty());
    find_corners(&mut found, &pair.solids[0], &pair.solids[1], &pair.a_from_b);
    assert!(!is_plane(&found) && !is_plane(&wanted));
    assert!(places(&found).is_empty() && places(&wanted).is_empty());
}
