//! Broken meshes whose whole form is known: what comes out has its volume within 1 %, or is refused with the reason.

use glam::DVec3;

use super::*;
use crate::mesh::generate;

mod guesses;
mod mouths;
mod uniting;

/// Part of the whole volume by which a mended mesh may be off.
const VOLUME_TOLERANCE: f64 = 0.01;

fn volume(mesh: &TriangleMesh) -> f64 {
    MassMoments::of(mesh).volume
}

/// A bracket of 60 mm, in millimetres.
fn bracket() -> TriangleMesh {
    let size = generate::LShape { length: 0.06, width: 0.03, height: 0.04, thickness: 0.006 };
    generate::l_shape(&size, 600).expect("an L").scaled(1000.0)
}

fn ball(n: usize) -> TriangleMesh {
    generate::sphere(0.5, n).expect("a ball")
}

fn cube(side: f64, n: usize) -> TriangleMesh {
    generate::cuboid(DVec3::splat(side), n).expect("a cube")
}

fn both(mut a: TriangleMesh, b: TriangleMesh) -> TriangleMesh {
    let n = a.vertices.len() as u32;
    a.vertices.extend(b.vertices);
    a.triangles.extend(b.triangles.into_iter().map(|t| t.map(|v| v + n)));
    a
}

fn turned(mut mesh: TriangleMesh) -> TriangleMesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

/// Every facet with corners of its own, as in an STL file.
fn soup(mesh: &TriangleMesh) -> TriangleMesh {
    let vertices = (0..mesh.triangles.len()).flat_map(|ix| mesh.corners(ix)).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    TriangleMesh { vertices, triangles }
}

/// The mesh without the facets whose middle is chosen.
fn without(mut mesh: TriangleMesh, is_gone: impl Fn(DVec3) -> bool) -> TriangleMesh {
    let vertices = mesh.vertices.clone();
    mesh.triangles.retain(|t| !is_gone(t.map(|v| vertices[v as usize]).iter().sum::<DVec3>() / 3.0));
    mesh
}

/// Numbers that look like chance, from -1 to 1.
fn noise(k: usize) -> DVec3 {
    let wave = |s: f64| (k as f64 * s).sin();
    DVec3::new(wave(12.9898), wave(78.233), wave(37.719))
}

fn of(mesh: &TriangleMesh) -> Repaired {
    repair(mesh, &RepairSettings::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Mends a mesh and expects a volume and, in any order, these mends.
fn expect(mesh: &TriangleMesh, whole: f64, kinds: &[MendKind]) -> Repaired {
    let repaired = of(mesh);
    let [out] = &repaired.meshes[..] else { panic!("one mesh") };
    let found = volume(out);
    assert!(
        (found / whole - 1.0).abs() < VOLUME_TOLERANCE,
        "{found} instead of {whole}: {:?}",
        repaired.report
    );
    assert_eq!(repaired.report.volume_after, found);
    let mut met: Vec<MendKind> = repaired.report.mends.iter().map(|mend| mend.kind).collect();
    met.sort_unstable();
    met.dedup();
    let mut wanted = kinds.to_vec();
    wanted.sort_unstable();
    assert_eq!(met, wanted, "{:?}", repaired.report);
    // What was mended needs no mending.
    assert!(of(out).report.mends.is_empty(), "{:?}", of(out).report);
    repaired
}

#[test]
fn good_meshes_come_back_as_they_were() {
    let apart = both(cube(1.0, 12), cube(1.0, 12).translated(DVec3::X * 3.0));
    let hollow = both(cube(1.0, 12), turned(cube(0.5, 12)));
    let touching = both(cube(1.0, 12), cube(1.0, 12).translated(DVec3::new(1.0, 0.3, 0.0)));
    let torus = generate::torus(1.0, 0.3, 700).expect("a torus");
    for mesh in [bracket(), ball(500), apart, hollow, touching, torus.clone(), soup(&torus)] {
        let repaired = of(&mesh);
        assert_eq!(repaired.report.mends, []);
        assert_eq!(repaired.meshes, [mesh]);
    }
}

#[test]
fn holes_of_many_sizes_are_filled() {
    for n in [200, 1000, 5000] {
        for reach in [0.1, 0.2, 0.3] {
            let whole = ball(n);
            let open = without(whole.clone(), |x| x.distance(DVec3::Z * 0.5) < reach);
            if open.triangles.len() == whole.triangles.len() {
                continue;
            }
            let report = expect(&open, volume(&whole), &[MendKind::Hole]).report;
            let [hole] = &report.mends[..] else { panic!("one hole: {report:?}") };
            assert!(hole.at.z > 0.35 && (0.5 * reach..5.0 * reach).contains(&hole.size), "{hole:?}");
            assert!(
                hole.perimeter.is_some_and(|p| (2.0 * hole.size..4.5 * hole.size).contains(&p)),
                "{hole:?}"
            );
        }
    }
}

#[test]
fn ends_of_parts_are_filled_flat() {
    let cylinder = generate::cylinder(0.5, 2.0, 600).expect("a cylinder");
    let tube = without(cylinder.clone(), |x| x.z.abs() > 0.999);
    let repaired = expect(&tube, volume(&cylinder), &[MendKind::Hole]);
    assert_eq!(repaired.report.mends.len(), 2);
    assert!((repaired.report.volume_after / volume(&cylinder) - 1.0).abs() < 1e-12);
    let lidless = without(cube(1.0, 300), |x| x.z > 0.499);
    let repaired = expect(&lidless, 1.0, &[MendKind::Hole]);
    assert!((repaired.report.volume_after - 1.0).abs() < 1e-12);
    let top = bracket().aabb().max.x - 1e-6;
    let bent = without(bracket(), |x| x.x > top);
    expect(&bent, volume(&bracket()), &[MendKind::Hole]);
}

/// A tube without its ends, or one of them: the ring between its walls is closed, however it stands.
#[test]
fn rims_of_hollow_parts_are_rings_however_they_stand() {
    let size = generate::Ring { inner_radius: 0.4, outer_radius: 0.5, height: 1.0 };
    let ring = generate::ring(&size, 2000).expect("a ring");
    for turn in [0.0, 1e-9, 0.01, 0.7, std::f64::consts::FRAC_PI_2] {
        for lowest in [-1.0, 0.0] {
            let mut open = without(ring.clone(), |x| x.z.abs() > 0.499 && x.z > lowest);
            let axis = glam::DQuat::from_axis_angle(DVec3::new(1.0, 0.3, 0.2).normalize(), turn);
            open.vertices.iter_mut().for_each(|x| *x = axis * *x);
            for mesh in [open.clone(), both(open.clone(), cube(1.0, 12).translated(DVec3::X * 4.0))] {
                let whole = volume(&ring) + if mesh == open { 0.0 } else { 1.0 };
                let report = expect(&mesh, whole, &[MendKind::Hole]).report;
                assert!((report.volume_after / whole - 1.0).abs() < 1e-9, "{turn}: {report:?}");
            }
        }
    }
}

#[test]
fn holes_that_share_a_vertex_are_two() {
    let whole = ball(1000);
    let at = whole.vertices[0];
    let fan: Vec<usize> = (0..whole.triangles.len()).filter(|&ix| whole.corners(ix).contains(&at)).collect();
    let gone = [
        fan[0],
        fan.iter()
            .copied()
            .find(|&ix| {
                whole.triangles[ix].iter().filter(|v| whole.triangles[fan[0]].contains(v)).count() == 1
            })
            .expect("an opposite facet"),
    ];
    let mut open = whole.clone();
    let mut ix = 0;
    open.triangles.retain(|_| {
        ix += 1;
        !gone.contains(&(ix - 1))
    });
    let report = expect(&open, volume(&whole), &[MendKind::Hole]).report;
    assert_eq!(report.mends.iter().map(|mend| mend.n).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn vertices_displaced_by_less_than_the_tolerance_are_welded() {
    let whole = bracket();
    let mut torn = soup(&whole);
    let reach = 0.2 * WELD_PART * whole.aabb().diagonal();
    torn.vertices.iter_mut().enumerate().for_each(|(k, x)| *x += noise(k) * reach / 3.0_f64.sqrt());
    expect(&torn, volume(&whole), &[MendKind::Crack]);
}

/// Two blocks of one bracket that meet in faces of other triangles, 0.01 mm apart, without the faces.
#[test]
fn a_crack_of_a_hundredth_of_a_millimetre_along_t_junctions_is_closed() {
    let block = |n: usize, gap: f64| {
        let half = generate::cuboid(DVec3::new(30.0, 20.0, 10.0), n).expect("a block");
        without(half, |x| x.x > 14.999).translated(DVec3::X * -(15.0 + gap))
    };
    let other = |n: usize| {
        let half = generate::cuboid(DVec3::new(30.0, 20.0, 10.0), n).expect("a block");
        without(half, |x| x.x < -14.999).translated(DVec3::X * 15.0)
    };
    for (n, m) in [(12, 12), (12, 300), (200, 700), (300, 1000)] {
        let report = expect(&both(block(n, 0.01), other(m)), 12000.0, &[MendKind::Crack]).report;
        let [crack] = &report.mends[..] else { panic!("one crack: {report:?}") };
        assert!((crack.size / 0.01 - 1.0).abs() < 1e-6, "{crack:?}");
        assert!(crack.at.x.abs() < 0.02, "{crack:?}");
    }
}

#[test]
fn repeated_degenerate_and_turned_facets_are_mended() {
    let whole = ball(500);
    let mut mesh = whole.clone();
    mesh.triangles.extend([whole.triangles[5], whole.triangles[9], [3, 3, 4]]);
    expect(&mesh, volume(&whole), &[MendKind::DuplicateFacets, MendKind::DegenerateFacets]);
    // A copy that looks the other way takes the place of none.
    let mut mesh = whole.clone();
    let [a, b, c] = whole.triangles[5];
    mesh.triangles.push([a, c, b]);
    expect(&mesh, volume(&whole), &[MendKind::DuplicateFacets]);
    let mut mesh = whole.clone();
    for ix in [7, 100, 101, 300] {
        mesh.triangles[ix].swap(0, 1);
    }
    let report = expect(&mesh, volume(&whole), &[MendKind::TurnedFacets]).report;
    assert_eq!(report.mends[0].n, 4);
    let mut mesh = whole.clone();
    mesh.triangles.extend(whole.triangles.iter().copied());
    expect(&mesh, volume(&whole), &[MendKind::DuplicateFacets]);
}

/// A wall that is listed once more the other way, or a whole part: one of the two is it.
#[test]
fn a_wall_that_is_listed_both_ways_is_kept() {
    let whole = cube(1.0, 300);
    // One side, two sides, and the whole part, of which nothing tells which way it looks.
    let (one, two) = (DVec3::Z, DVec3::X + DVec3::Z);
    for (sides, mends) in [
        (one, &[MendKind::DuplicateFacets][..]),
        (two, &[MendKind::DuplicateFacets]),
        (DVec3::ONE, &[MendKind::DuplicateFacets, MendKind::TurnedShell]),
    ] {
        let is_of_wall = |x: DVec3| sides == DVec3::ONE || (sides * x).max_element() > 0.4999;
        let mut mesh = whole.clone();
        let wall = without(turned(whole.clone()), |x| !is_of_wall(x));
        mesh.triangles.extend(wall.triangles);
        expect(&mesh, 1.0, mends);
    }
}

#[test]
fn shells_that_look_the_wrong_way_are_turned() {
    let whole = ball(500);
    expect(&turned(whole.clone()), volume(&whole), &[MendKind::TurnedShell]);
    let hollow = both(cube(1.0, 12), cube(0.5, 12));
    let repaired = expect(&hollow, 0.875, &[MendKind::Cavity]);
    assert!(
        matches!(repaired.report.doubts[..], [Doubt::Cavities { n: 1, volume, .. }] if volume == 0.125),
        "{:?}",
        repaired.report
    );
    let nest = both(both(cube(1.0, 12), cube(0.5, 12)), turned(cube(0.25, 12)));
    expect(&nest, 0.875 + 0.25_f64.powi(3), &[MendKind::Cavity, MendKind::TurnedShell]);
    expect(
        &turned(both(cube(1.0, 12), turned(cube(0.5, 12)))),
        0.875,
        &[MendKind::Cavity, MendKind::TurnedShell],
    );
}

#[test]
fn facets_of_no_closed_surface_are_dropped() {
    let whole = ball(500);
    let alone = TriangleMesh {
        vertices: vec![DVec3::X, DVec3::X * 1.1, DVec3::new(1.0, 0.1, 0.0)],
        triangles: vec![[0, 1, 2]],
    };
    expect(&both(whole.clone(), alone), volume(&whole), &[MendKind::LooseFacets]);
    // A fin at an edge, and a wall within.
    let mut fin = whole.clone();
    let [a, b, _] = fin.triangles[20];
    fin.vertices.push(fin.vertices[a as usize] * 1.5);
    fin.triangles.push([a, b, fin.vertices.len() as u32 - 1]);
    expect(&fin, volume(&whole), &[MendKind::LooseFacets]);
    let mut walled = cube(1.0, 12);
    let at = |x: f64, y: f64, z: f64| {
        let x = DVec3::new(x, y, z) * 0.5;
        (0..).zip(&walled.vertices).find(|(_, v)| v.distance(x) < 1e-12).map(|(ix, _)| ix).expect("a corner")
    };
    let [p, q, r, s] = [at(-1., -1., -1.), at(1., 1., -1.), at(1., 1., 1.), at(-1., -1., 1.)];
    walled.triangles.extend([[p, q, r], [p, r, s]]);
    let repaired = of(&walled);
    assert!((repaired.report.volume_after - 1.0).abs() < 1e-12 || !repaired.report.mends.is_empty());
}

#[test]
fn unused_vertices_and_touching_shells_are_no_fault() {
    let mut mesh = ball(300);
    mesh.vertices.push(DVec3::splat(1e6));
    assert_eq!(of(&mesh).report.mends, []);
    let edge = both(cube(1.0, 12), cube(1.0, 12).translated(DVec3::new(1.0, 1.0, 0.0)));
    assert_eq!(of(&edge).report.mends, []);
    // A fault elsewhere does not tear what touches.
    let mut broken = both(edge, ball(200).translated(DVec3::X * 9.0));
    broken.triangles.pop();
    expect(&broken, 2.0 + volume(&ball(200)), &[MendKind::Hole]);
}

#[test]
fn slivers_do_no_harm() {
    // A cube one edge of which passes through a vertex of a needle without area.
    let mut mesh = cube(1.0, 12);
    let [a, b, c] = mesh.triangles[0];
    let middle = 0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]);
    mesh.vertices.push(middle);
    let m = mesh.vertices.len() as u32 - 1;
    mesh.triangles[0] = [a, m, c];
    mesh.triangles.extend([[m, b, c], [a, b, m]]);
    assert_eq!(of(&mesh).report.mends, []);
    mesh.triangles.pop();
    expect(&mesh, 1.0, &[MendKind::Crack]);
}

#[test]
fn shells_that_go_through_each_other_are_united() {
    let tilt = glam::DMat3::from_rotation_y(0.3) * glam::DMat3::from_rotation_z(0.7);
    let turned_by = |mut mesh: TriangleMesh| {
        mesh.vertices.iter_mut().for_each(|x| *x = tilt * *x);
        mesh
    };
    // Overlaps along the axes, with faces in one plane, and askew.
    for (shift, shared) in [
        (DVec3::new(0.5, 0.4, 0.3), 0.5 * 0.6 * 0.7),
        (DVec3::new(0.5, 0.0, 0.0), 0.5),
        (DVec3::new(0.25, 0.5, 0.0), 0.75 * 0.5),
    ] {
        for n in [12, 300] {
            let pair = both(cube(1.0, n), cube(1.0, n).translated(shift));
            expect(&pair, 2.0 - shared, &[MendKind::United]);
            expect(&turned_by(pair), 2.0 - shared, &[MendKind::United]);
        }
    }
    let plus = both(cube(1.0, 12), generate::cuboid(DVec3::new(2.0, 0.5, 0.5), 12).expect("a bar"));
    expect(&plus, 1.0 + 0.25, &[MendKind::United]);
    let three = both(plus, generate::cuboid(DVec3::new(0.5, 2.0, 0.5), 12).expect("a bar"));
    expect(&three, 1.5, &[MendKind::United]);
    let four = both(three, turned(generate::cuboid(DVec3::new(0.5, 0.5, 2.0), 12).expect("a bar")));
    expect(&four, 1.75, &[MendKind::United, MendKind::TurnedShell]);
}

/// A frame of four flush boxes that share corners, edges and planes, and a T whose stem shares an edge with its bar.
#[test]
fn flush_boxes_that_share_corners_are_united() {
    let block = |min: [f64; 3], max: [f64; 3]| {
        let (min, max) = (DVec3::from_array(min), DVec3::from_array(max));
        generate::cuboid(max - min, 12).expect("a block").translated(0.5 * (min + max))
    };
    let foot = block([0.0, 0.0, 0.0], [60.0, 10.0, 5.0]);
    let post = |x: f64| block([x, 0.0, 0.0], [x + 10.0, 10.0, 40.0]);
    let top = block([0.0, 0.0, 35.0], [60.0, 10.0, 40.0]);
    let frame = both(both(foot.clone(), post(0.0)), both(post(50.0), top));
    expect(&frame, 12000.0, &[MendKind::United]);
    expect(&soup(&frame), 12000.0, &[MendKind::United]);
    let tee = both(both(foot, post(20.0)), block([20.0, -20.0, 5.0], [30.0, 10.0, 12.0]));
    expect(&soup(&tee), 3000.0 + 10.0 * 10.0 * 35.0 + 20.0 * 10.0 * 7.0, &[MendKind::United]);
}

#[test]
fn balls_united_have_the_volume_of_two_caps_less() {
    for n in [200, 2000] {
        let distance = 0.6;
        let pair = both(ball(n), ball(n).translated(DVec3::new(distance, 0.1, 0.05)));
        let d = DVec3::new(distance, 0.1, 0.05).length();
        let whole = volume(&ball(n));
        let r: f64 = 0.5;
        let lens = std::f64::consts::PI * (4.0 * r + d) * (2.0 * r - d).powi(2) / 12.0;
        let round = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        expect(&pair, whole * (2.0 - lens / round), &[MendKind::United]);
    }
}

#[test]
fn bodies_are_split_with_their_cavities() {
    let two = both(both(cube(1.0, 12), turned(cube(0.5, 12))), cube(1.0, 12).translated(DVec3::X * 0.9));
    let settings = RepairSettings { split: true, ..RepairSettings::default() };
    let repaired = repair(&two, &settings).expect("two bodies");
    let mut volumes: Vec<f64> = repaired.meshes.iter().map(volume).collect();
    volumes.sort_by(f64::total_cmp);
    assert!((volumes[0] - 0.875).abs() < 1e-12 && (volumes[1] - 1.0).abs() < 1e-12, "{volumes:?}");
}

#[test]
fn everything_at_once_in_any_order() {
    let whole = bracket();
    let mut mesh = soup(&without(whole.clone(), |x| x.distance(DVec3::new(29.0, 15.0, 0.0)) < 3.0));
    let reach = 1e-3;
    mesh.vertices.iter_mut().enumerate().for_each(|(k, x)| *x += noise(k) * reach);
    for ix in [3, 77, 200] {
        mesh.triangles[ix].swap(1, 2);
    }
    let copy = mesh.triangles[11];
    mesh.triangles.push(copy);
    let n = mesh.triangles.len();
    // 389 has no divisor in common with the number of facets.
    let shuffled: Vec<[u32; 3]> = (0..n).map(|k| mesh.triangles[k * 389 % n]).collect();
    mesh.triangles = shuffled;
    let repaired = of(&mesh);
    assert!(
        (repaired.report.volume_after / volume(&whole) - 1.0).abs() < VOLUME_TOLERANCE,
        "{:?}",
        repaired.report
    );
    assert_eq!(of(&mesh), repaired);
}

#[test]
fn what_cannot_be_mended_is_refused_with_the_reason() {
    let refusal =
        |mesh: &TriangleMesh| repair(mesh, &RepairSettings::default()).expect_err("no volume").to_string();
    let mut bad = ball(300);
    bad.vertices[7].y = f64::NAN;
    assert!(refusal(&bad).contains("vertex 7 is not finite"));
    assert!(refusal(&TriangleMesh::default()).contains("no triangles"));
    let half = without(ball(1000), |x| x.z > 0.0);
    let text = refusal(&half);
    assert!(text.contains("hole of diameter") && text.contains("too large"), "{text}");
    let sheet = without(cube(1.0, 300), |x| x.z < 0.499);
    assert!(!refusal(&sheet).is_empty());
    let flat = both(sheet.clone(), turned(sheet));
    assert!(refusal(&flat).contains("no volume"), "{}", refusal(&flat));
    let limit = RepairSettings { max_hole: Some(0.1), ..RepairSettings::default() };
    let open = without(ball(1000), |x| x.z > 0.4);
    let text = repair(&open, &limit).expect_err("a limit").to_string();
    assert!(text.contains("the limit given is 0.1"), "{text}");
}
