//! Small meshes, sound and broken, built here.

use glam::DVec3;
use proptest::prelude::*;

use super::*;

/// A box as a mesh with its corner `k` at `min + size·(bits of k)`.
fn cuboid(min: DVec3, size: DVec3) -> TriangleMesh {
    let corner = |k: u32| min + size * DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    TriangleMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

fn cube() -> TriangleMesh {
    cuboid(DVec3::ZERO, DVec3::ONE)
}

fn reversed(mut mesh: TriangleMesh) -> TriangleMesh {
    mesh.triangles.iter_mut().for_each(turn_over);
    mesh
}

fn joined(parts: impl IntoIterator<Item = TriangleMesh>) -> TriangleMesh {
    parts.into_iter().fold(TriangleMesh::default(), |mut sum, part| {
        let shift = sum.vertices.len() as u32;
        sum.vertices.extend(part.vertices);
        sum.triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + shift)));
        sum
    })
}

/// A torus or, glued with a twist, a Klein bottle immersed in space.
fn tube(is_twisted: bool) -> TriangleMesh {
    const N: u32 = 12;
    let vertex = |i: u32, j: u32| {
        let [u, v] = [i, j].map(|k| f64::from(k) * std::f64::consts::TAU / f64::from(N));
        let turn = if is_twisted { u / 2.0 } else { 0.0 };
        // Half a turn takes the figure-eight cross-section to itself, but the way round it from v to -v.
        let (x, y) = if is_twisted { (v.sin(), (2.0 * v).sin()) } else { (v.cos(), v.sin()) };
        let radius = 3.0 + turn.cos() * x - turn.sin() * y;
        DVec3::new(radius * u.cos(), radius * u.sin(), turn.sin() * x + turn.cos() * y)
    };
    let ix = |i: u32, j: u32| {
        let j = if i == N && is_twisted { (2 * N - j) % N } else { j % N };
        i % N * N + j
    };
    TriangleMesh {
        vertices: (0..N).flat_map(|i| (0..N).map(move |j| vertex(i, j))).collect(),
        triangles: (0..N)
            .flat_map(|i| (0..N).map(move |j| (i, j)))
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [ix(i, j), ix(i + 1, j), ix(i + 1, j + 1), ix(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect(),
    }
}

fn defects(mesh: TriangleMesh) -> Vec<Defect> {
    let error = examine(mesh).expect_err("the mesh is broken");
    assert!(!error.to_string().is_empty());
    error.defects
}

fn warnings(mesh: TriangleMesh) -> (f64, Vec<Finding>) {
    let checked = examine(mesh).expect("the mesh is usable");
    (checked.volume, checked.warnings().cloned().collect())
}

#[test]
fn sound_meshes_are_accepted_as_they_are() {
    let hollow = joined([cuboid(DVec3::ZERO, DVec3::ONE * 3.0), reversed(cuboid(DVec3::ONE, DVec3::ONE))]);
    for (mesh, volume) in
        [(cube(), 1.0), (hollow, 26.0), (joined([cube(), cube().translated(DVec3::X * 2.0)]), 2.0)]
    {
        let checked = examine(mesh.clone()).unwrap();
        assert_eq!(checked, Checked { mesh, volume: checked.volume, findings: vec![] });
        assert!((checked.volume - volume).abs() < 1e-13);
    }
    assert_eq!(warnings(tube(false)).1, []);
}

#[test]
fn holes_are_counted_and_placed() {
    let mut mesh = cube();
    mesh.triangles.remove(3);
    let at = [[1, 5], [1, 7], [5, 7]].map(|edge| edge.map(|ix: u32| mesh.vertices[ix as usize]));
    let expected = |first, at| Defect::NotClosed { n_edges: 3, n_crowded: 0, first, at };
    assert_eq!(defects(mesh.clone()), [expected([1, 5], at[0])]);
    assert_eq!(
        defects(mesh)[0].to_string(),
        "not closed: 3 boundary edges, first between vertices 1 and 5, from \
        [1, 0, 0] to [1, 0, 1]"
    );
    // A wall inside: four edges with three faces.
    let mut mesh = cube();
    mesh.triangles.extend([[0, 1, 7], [0, 7, 6]]);
    let [Defect::NotClosed { n_edges, n_crowded, .. }] = defects(mesh)[..] else { panic!("one defect") };
    assert_eq!((n_edges, n_crowded), (4, 4));
}

#[test]
fn turned_faces_are_named_and_one_sided_surfaces_recognised() {
    let mut mesh = cube();
    turn_over(&mut mesh.triangles[7]);
    assert_eq!(defects(mesh), [Defect::Misoriented { n_edges: 3, n_triangles: 1, first: 7 }]);
    let half = joined([cube(), reversed(cube()).translated(DVec3::X * 2.0)]);
    assert!(matches!(warnings(half.clone()).1[..], [Finding::NoVolume]));
    let n = 288;
    assert!(
        matches!(defects(tube(true))[..], [Defect::NotOrientable { n_triangles, .. }] if n_triangles == n)
    );
}

#[test]
fn copies_of_faces_are_told_from_copies_of_shells() {
    let mut mesh = cube();
    let [a, b, c] = mesh.triangles[5];
    mesh.triangles.push([b, c, a]);
    assert_eq!(defects(mesh.clone()), [Defect::DuplicateFaces { n: 1, first: [12, 5], n_edges: 3 }]);
    // A copy and a hole are two causes.
    mesh.triangles.remove(0);
    let found = defects(mesh);
    assert!(matches!(found[0], Defect::DuplicateFaces { n: 1, first: [11, 4], .. }), "{found:?}");
    let (volume, found) = warnings(joined([cube(), cube()]));
    assert_eq!(found, [Finding::Repeated { n: 12, first: [12, 0], winding: 2 }]);
    assert!((volume - 2.0).abs() < 1e-14);
    // The same triangle back to back is a wall that encloses nothing.
    let mut mesh = cube();
    mesh.triangles.push([c, b, a]);
    mesh.triangles.push([a, b, c]);
    let checked = examine(mesh).unwrap();
    assert_eq!(checked.findings, [Finding::FlapsDropped { n: 1, first: [5, 12] }]);
    assert_eq!((checked.volume, checked.mesh.triangles.len()), (1.0, 12));
}

#[test]
fn a_wall_without_thickness_has_no_volume_however_it_is_split() {
    let square = [DVec3::ZERO, DVec3::X, DVec3::ONE - DVec3::Z, DVec3::Y].to_vec();
    for back in [[[2, 1, 0], [3, 2, 0]], [[3, 1, 0], [3, 2, 1]]] {
        let triangles = [[[0, 1, 2], [0, 2, 3]], back].concat();
        let mesh = TriangleMesh { vertices: square.clone(), triangles };
        assert_eq!(warnings(mesh), (0.0, vec![Finding::NoVolume]));
    }
}

#[test]
fn vertices_are_welded_and_dropped_and_degenerate_triangles_with_them() {
    let mesh = cube();
    let corners: Vec<DVec3> = (0..12).flat_map(|ix| mesh.corners(ix)).collect();
    let mut soup = TriangleMesh {
        triangles: (0..12).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
        vertices: corners,
    };
    soup.vertices.push(DVec3::splat(1e6));
    soup.vertices.push(soup.vertices[0]);
    soup.triangles.push([0, 0, 5]);
    soup.triangles.push([0, 37, 5]);
    let checked = examine(soup).unwrap();
    assert_eq!(
        checked.findings,
        [
            Finding::UnusedVertices { n: 1, first: 36 },
            Finding::Welded { n: 29 },
            Finding::DegenerateTriangles { n: 1, first: 12 },
            Finding::ZeroAreaTriangles { n: 1, first: 13 },
        ]
    );
    assert_eq!((checked.mesh.vertices.len(), checked.mesh.triangles.len(), checked.volume), (8, 12, 1.0));
}

#[test]
fn hairline_cracks_are_closed_and_holes_are_not() {
    let cracked = |gap: f64| {
        let mut mesh = cube();
        mesh.triangles[2] = [8, 9, 10];
        for (place, shift) in [(1, DVec3::ONE), (3, DVec3::NEG_Y), (7, DVec3::X)] {
            mesh.vertices.push(mesh.vertices[place] + shift * gap);
        }
        mesh
    };
    let (volume, found) = warnings(cracked(1e-7));
    assert!(matches!(found[..], [Finding::CracksWelded { n: 3, .. }]), "{found:?}");
    assert_eq!(volume, 1.0);
    // Ten times the largest tolerance, which is 1e-5 of the diagonal.
    assert!(matches!(defects(cracked(2e-4))[..], [Defect::NotClosed { n_edges: 6, .. }]));
}

#[test]
fn parts_that_look_inward_are_turned_over() {
    let (volume, found) = warnings(reversed(cube()));
    assert_eq!((volume, found), (1.0, vec![Finding::InsideOut { signed_volume: -1.0 }]));
    let inverted = reversed(cube()).translated(DVec3::X * 5.0);
    let hollow = joined([cuboid(DVec3::ZERO, DVec3::ONE * 3.0), reversed(cuboid(DVec3::ONE, DVec3::ONE))]);
    let (volume, found) = warnings(joined([hollow.clone(), inverted]));
    assert_eq!(found, [Finding::PartsInsideOut { n_triangles: 12, first: 24 }]);
    assert!((volume - 27.0).abs() < 1e-13);
    let (volume, found) = warnings(reversed(hollow));
    assert!(matches!(found[..], [Finding::InsideOut { .. }]));
    assert!((volume - 26.0).abs() < 1e-13);
}

#[test]
fn nested_shells_with_the_same_orientation_count_twice_and_say_so() {
    let nested = joined([cuboid(DVec3::ZERO, DVec3::ONE * 3.0), cuboid(DVec3::ONE, DVec3::ONE)]);
    let (volume, found) = warnings(nested);
    assert!((volume - 28.0).abs() < 1e-13);
    assert_eq!(found, [Finding::Overlapping { n_triangles: 12, first: 12, winding: 2 }]);
}

/// Two unit cubes, one moved: overlapping in general position, by exactly half (where edges meet diagonals and each
/// other), along one axis with faces in common planes, and touching at a face, an edge or a corner.
#[test]
fn overlapping_cubes_are_found_in_every_position_and_touching_ones_never() {
    let pair = |offset: [f64; 3]| warnings(joined([cube(), cube().translated(DVec3::from(offset))])).1;
    for offset in [[0.3, 0.4, 0.55], [0.5, 0.5, 0.5], [0.5, 0.25, 0.5], [-0.5, 0.5, 0.25], [0.25, 0.0, 0.1]] {
        let found = pair(offset);
        assert!(matches!(found[..], [Finding::SelfIntersecting { .. }]), "{offset:?}: {found:?}");
    }
    let wall = pair([1.0, 0.0, 0.0]);
    assert!(matches!(wall[..], [Finding::FlapsDropped { n: 2, .. }]), "{wall:?}");
    for offset in [[1.0, 0.3, 0.2], [1.0, 1.0, 0.0], [1.0, 1.0, 0.5], [1.0, 1.0, 1.0], [0.0, 0.5, 1.0]] {
        assert_eq!(pair(offset), [], "{offset:?}");
    }
}

#[test]
fn bars_through_each_other_and_edges_on_edges_are_told_apart() {
    let bar = |min: [f64; 3], size: [f64; 3]| cuboid(DVec3::from(min), DVec3::from(size));
    let crossing = joined([bar([0., 1., 1.], [3., 1., 1.]), bar([1.25, 0., 1.25], [0.5, 3., 0.5])]);
    assert!(matches!(warnings(crossing).1[..], [Finding::SelfIntersecting { .. }]));
    // Two prisms that touch with one edge across the other, ridge on ridge.
    let prism = |ridge: f64, foot: f64| TriangleMesh {
        vertices: [
            [-1., -1., foot],
            [-1., 1., foot],
            [-1., 0., ridge],
            [1., -1., foot],
            [1., 1., foot],
            [1., 0., ridge],
        ]
        .map(DVec3::from)
        .to_vec(),
        triangles: vec![
            [0, 2, 1],
            [3, 4, 5],
            [0, 1, 4],
            [0, 4, 3],
            [0, 3, 5],
            [0, 5, 2],
            [1, 2, 5],
            [1, 5, 4],
        ],
    };
    let turned = |mut mesh: TriangleMesh| {
        mesh.vertices.iter_mut().for_each(|x| *x = DVec3::new(-x.y, x.x, x.z));
        mesh
    };
    let lower = prism(0.0, -1.0);
    let lower = if MassMoments::of(&lower).volume < 0.0 { reversed(lower) } else { lower };
    let upper = |at: f64| reversed(turned(prism(at, at + 1.0)));
    assert_eq!(
        warnings(joined([lower.clone(), reversed(upper(0.0))])).1.len(),
        1,
        "the upper one looks inward"
    );
    assert_eq!(warnings(joined([lower.clone(), upper(0.0)])).1, []);
    let found = warnings(joined([lower, upper(-0.25)])).1;
    assert!(matches!(found[..], [Finding::SelfIntersecting { .. }]), "{found:?}");
}

/// A tetrahedron whose faces look outward.
fn tetrahedron(corners: [DVec3; 4]) -> TriangleMesh {
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = TriangleMesh { vertices: corners.to_vec(), triangles };
    if MassMoments::of(&mesh).volume < 0.0 { reversed(mesh) } else { mesh }
}

/// Marsaglia's xorshift (2003), in 0..1.
fn randoms() -> impl FnMut() -> f64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as f64 / u64::MAX as f64
    }
}

/// Whether an edge of one triangle passes through the other, by the signs of volumes; exact for corners on a grid.
fn cross_by_volumes(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a).signum();
    let pierces = |[p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]| {
        let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
        volume(a, b, c, p) != volume(a, b, c, q) && sides.iter().all(|&side| side == sides[0])
    };
    let any =
        |[p, q, r]: [DVec3; 3], face| [[p, q], [q, r], [r, p]].into_iter().any(|side| pierces(side, face));
    any(a, b) || any(b, a)
}

#[test]
fn every_pair_of_triangles_that_cross_is_counted() {
    let mut random = randoms();
    for n in [2, 10, 40] {
        // Corners of a random lattice of 2²⁰ steps: products of three differences are exact in 64 bits but for the last
        // sums, and no four corners lie in a plane.
        let mut corner = || DVec3::from([0; 3].map(|_| (random() * 1_048_576.0).floor()));
        let mesh = joined((0..n).map(|_| tetrahedron([0; 4].map(|_| corner()))));
        let expected: usize = (0..mesh.triangles.len())
            .flat_map(|i| (i / 4 * 4 + 4..mesh.triangles.len()).map(move |j| (i, j)))
            .filter(|&(i, j)| cross_by_volumes(mesh.corners(i), mesh.corners(j)))
            .count();
        let found = examine(mesh).unwrap().findings;
        let counted = found.iter().find_map(|finding| match finding {
            Finding::SelfIntersecting { n_pairs, is_complete, .. } => Some((*n_pairs, *is_complete)),
            _ => None,
        });
        assert_eq!(counted.unwrap_or((0, true)), (expected, true));
    }
}

/// All pairs of these would take minutes; a slow machine takes seconds for what is searched of them.
#[test]
fn tangles_and_nests_end_in_bounded_time_and_say_what_was_left_out() {
    let start = std::time::Instant::now();
    let mut random = randoms();
    let mut corner = || DVec3::from([0; 3].map(|_| random()));
    let tangle = joined((0..5000).map(|_| tetrahedron([0; 4].map(|_| corner()))));
    let found = warnings(tangle).1;
    assert!(matches!(found[..], [Finding::SelfIntersecting { is_complete: false, n_pairs: 1000.., .. }, ..]));

    let base = [DVec3::ONE, DVec3::new(1., -1., -1.), DVec3::new(-1., 1., -1.), DVec3::new(-1., -1., 1.)];
    let nest = joined((0..5000).map(|k| tetrahedron(base.map(|x| x * (1.0 + 1e-3 * f64::from(k))))));
    let findings = examine(nest).unwrap().findings;
    assert!(findings.iter().any(|found| matches!(found, Finding::SearchEnded { n: 20_000, .. })));
    assert!(findings.iter().any(|found| matches!(found, Finding::PartsNotExamined { of: 5000, .. })));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Each of very many parts is looked at, wherever it lies; those that look inward are found among them.
#[test]
fn scattered_parts_are_all_examined() {
    let part = |k: u32| {
        let mut part = cube().translated(DVec3::new(2.0 * f64::from(k), 0.0, 0.0));
        if k % 100 == 7 {
            part.triangles.iter_mut().for_each(turn_over);
        }
        part
    };
    let (volume, found) = warnings(joined((0..5000).map(part)));
    assert!(matches!(found[..], [Finding::PartsInsideOut { n_triangles: 600, .. }]), "{found:?}");
    assert_eq!(volume.round(), 5000.0);
    // Within another part the same is a cavity, and stays.
    let mut hollow = cube().scaled(0.5).translated(DVec3::splat(0.25));
    hollow.triangles.iter_mut().for_each(turn_over);
    let (volume, found) = warnings(joined([cube(), hollow]));
    assert!(found.is_empty() && (volume - 0.875).abs() < 1e-12, "{volume} {found:?}");
}

/// A part that looks outward is not turned over because a ray from a needle of it went astray.
#[test]
fn volumes_are_never_negative_however_thin_the_parts() {
    let mut random = randoms();
    for _ in 0..200 {
        let parts = (0..3).map(|_| {
            let thin = 10.0_f64.powf(-14.0 * random());
            let at = [0; 3].map(|_| (random() * 8.0).floor() / 8.0);
            cuboid(DVec3::from(at), DVec3::new(1.0, thin, thin * random()))
        });
        let mesh = joined(parts.collect::<Vec<_>>());
        let checked = examine(mesh).expect("closed parts make a closed mesh");
        assert!(checked.volume >= 0.0, "{}: {:?}", checked.volume, checked.findings);
    }
}

#[test]
fn nonsense_is_refused_with_its_place() {
    let with = |change: fn(&mut TriangleMesh)| {
        let mut mesh = cube();
        change(&mut mesh);
        defects(mesh)
    };
    assert_eq!(defects(TriangleMesh::default()), [Defect::NoTriangles]);
    assert_eq!(with(|m| m.vertices[3].y = f64::NAN), [Defect::NotFinite { n: 1, first: 3 }]);
    let out = Defect::IndexOutOfRange { triangle: 4, index: 8, n_vertices: 8 };
    assert_eq!(with(|m| m.triangles[4][1] = 8), [out]);
    assert_eq!(with(|m| m.triangles.iter_mut().for_each(|t| t[1] = t[0])), [Defect::NoTriangles]);
    assert!(matches!(defects(cube().scaled(1e200))[..], [Defect::TooLarge { .. }]));
}

#[test]
fn size_and_place_are_judged_by_what_32_bits_hold() {
    assert!(matches!(warnings(cube().scaled(1e-33)).1[..], [Finding::OutOfRange32 { .. }]));
    assert!(matches!(warnings(cube().scaled(1e39)).1[..], [Finding::OutOfRange32 { .. }]));
    for scale in [1e-9, 1e9] {
        assert_eq!(warnings(cube().scaled(scale)).1, []);
    }
    let far = examine(cube().translated(DVec3::splat(1e9))).unwrap();
    assert!(matches!(far.findings[..], [Finding::FarFromOrigin { n: 7, .. }]));
    assert_eq!(far.volume, 1.0);
}

proptest! {
    #![proptest_config(tactum_random::config(256))]

    /// Whatever is done to a mesh, it is refused or keeps its promise; and a sound mesh stays one.
    #[test]
    fn accepted_meshes_are_balanced(edits in prop::collection::vec((0_usize..24, 0_usize..3, 0_u32..16), 0..4)) {
        let mut mesh = joined([cube(), cube().translated(DVec3::new(0.5, 1.0, 0.25))]);
        for (triangle, corner, vertex) in edits {
            mesh.triangles[triangle][corner] = vertex;
        }
        if let Ok(checked) = examine(mesh) {
            prop_assert!(topology::Edges::of(&checked.mesh.triangles).unbalanced().next().is_none());
            prop_assert!(checked.volume >= 0.0);
            let again = examine(checked.mesh.clone()).unwrap();
            prop_assert_eq!(again.volume, checked.volume);
            prop_assert_eq!(again.mesh.triangles, checked.mesh.triangles);
        }
    }
}
