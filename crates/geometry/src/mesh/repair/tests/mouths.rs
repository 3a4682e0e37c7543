//! Holes that are the two ends of something: bores without a wall, pipes and trays without a rim.

use glam::DVec2;

use super::guesses::{filled, refusal};
use super::*;

/// A plate whose bore has no wall: closed above and below it would be a plate without a bore.
#[test]
fn a_bore_without_a_wall_is_not_closed_above_and_below() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let ring = generate::ring(&size, 2000).expect("a ring");
    let open = without(ring, |x| x.truncate().length() < 0.201);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
    assert!((filled(&open) / (std::f64::consts::PI * 0.25 * 0.1) - 1.0).abs() < 0.01);
}

/// Of a bore only the middle of the wall is gone: what is left of it on either side would be closed by plugs.
#[test]
fn a_bore_without_the_middle_of_its_wall_is_not_plugged() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.6 };
    let ring = generate::ring(&size, 4000).expect("a ring");
    let open = without(ring, |x| x.truncate().length() < 0.201 && x.z.abs() < 0.12);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
}

/// A window into a closed box whose four walls are gone has one rim in the outer and one in the inner skin.
#[test]
fn a_window_into_a_cavity_is_not_closed() {
    // Grids of a tenth, on the same lines.
    let inner = turned(cube(0.8, 768));
    let open =
        without(both(cube(1.0, 1200), inner), |x| x.z > 0.39 && x.abs().truncate().max_element() < 0.2);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
}

/// A bore that widens has no wall either.
#[test]
fn a_bore_that_widens_is_not_closed() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let mut ring = generate::ring(&size, 2000).expect("a ring");
    for x in &mut ring.vertices {
        if x.z > 0.0 && x.truncate().length() < 0.201 {
            *x = (x.truncate() * 1.1).extend(x.z);
        }
    }
    let open = without(ring, |x| x.z.abs() < 0.0499 && x.truncate().length() < 0.25);
    let text = refusal(&open);
    assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
}

/// Small holes all over the wall of a tube are no ends of pieces, and facets that were lost no mouths.
#[test]
fn small_holes_in_the_wall_of_a_tube_are_filled() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.25, height: 1.0 };
    let whole = generate::ring(&size, 6000).expect("a tube");
    let mut open = whole.clone();
    let mut k = 0_usize;
    open.triangles.retain(|_| {
        k += 1;
        !k.is_multiple_of(97)
    });
    let repaired = expect(&open, volume(&whole), &[MendKind::Hole]);
    assert!(repaired.report.doubts.is_empty());
}

/// The rims of a pipe so short that they are most of its surface.
#[test]
fn rims_of_short_pipes_are_rings() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.1 };
    let whole = generate::ring(&size, 2000).expect("a ring");
    let open = without(whole.clone(), |x| x.z.abs() > 0.0499);
    let repaired = expect(&open, volume(&whole), &[MendKind::Hole]);
    assert!((repaired.report.volume_after / volume(&whole) - 1.0).abs() < 1e-9, "{:?}", repaired.report);
}

/// A bore through a slanting plate has rims that are no circles, tilted against each other, but of one outline along it. One mouth of a pipe
/// may have lost its rim besides.
#[test]
fn a_bore_of_a_wedge_or_an_oblique_one_is_not_closed() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.8, height: 0.2 };
    let ring = generate::ring(&size, 4000).expect("a ring");
    let open = without(ring, |x| x.truncate().length() < 0.201);
    let shaped = |shape: &dyn Fn(DVec3) -> DVec3| {
        let mut mesh = open.clone();
        mesh.vertices.iter_mut().for_each(|x| *x = shape(*x));
        mesh
    };
    let wedge = shaped(&|x| if x.z > 0.0 { x + DVec3::Z * (1.0 + 1.2 * x.x) } else { x });
    // A ring sheared along its sides is bored obliquely by 45 degrees.
    let oblique = shaped(&|x| x + DVec3::X * x.z);
    let size = generate::Ring { inner_radius: 0.4, outer_radius: 0.5, height: 2.0 };
    let pipe = generate::ring(&size, 2000).expect("a pipe");
    let pipe = without(pipe, |x| x.truncate().length() < 0.401 || x.z > 0.9999);
    for mesh in [wedge, oblique, pipe] {
        let text = refusal(&mesh);
        assert!(text.contains("the wall of a bore between them may be missing"), "{text}");
    }
}

/// A tray so low that its inner wall and floor, without the rim, are as open as a sheet.
#[test]
fn rims_of_low_trays_are_rings() {
    let outer = generate::cuboid(DVec3::new(4.0, 3.0, 0.2), 12).expect("a box");
    let inner = generate::cuboid(DVec3::new(3.8, 2.8, 0.2), 12).expect("a box").translated(DVec3::Z * 0.05);
    let lid = |x: DVec3| x.z > 0.0999;
    let low = TriangleMesh {
        vertices: inner.vertices.iter().map(|x| DVec3::new(x.x, x.y, x.z.min(0.1))).collect(),
        triangles: inner.triangles,
    };
    let open = both(without(outer, lid), turned(without(low, lid)));
    let whole = 4.0 * 3.0 * 0.2 - 3.8 * 2.8 * 0.15;
    let repaired = expect(&open, whole, &[MendKind::Hole]);
    assert!((repaired.report.volume_after / whole - 1.0).abs() < 1e-12);
}

/// A plate with an outline, from z = 0 up to a height.
fn plate(outline: &[DVec2], height: f64) -> TriangleMesh {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |x| x.extend(z));
    let mut mesh =
        TriangleMesh { vertices: level(0.0).chain(level(height)).collect(), triangles: Vec::new() };
    let taken = fill::Taken::of(&[]);
    let (top, bottom): (Vec<u32>, Vec<u32>) = ((n..2 * n).collect(), (0..n).rev().collect());
    fill::fill_plane(&mut mesh, &top, &taken);
    fill::fill_plane(&mut mesh, &bottom, &taken);
    for k in 0..n {
        let next = (k + 1) % n;
        mesh.triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    mesh
}

/// A slot in the edge of a plate without its walls is open above, below and outside: the planes of these go on over it, as over a bite.
#[test]
fn a_slot_without_its_walls_is_not_closed() {
    let turn = |k: u32| std::f64::consts::PI * (1.0 - f64::from(k) / 12.0);
    let round = (0..=12).map(|k| DVec2::new(0.5 * turn(k).cos(), -1.0 + 0.5 * turn(k).sin()));
    let square = [[-0.5, -0.5], [0.5, -0.5]].map(DVec2::from_array);
    let mouth = [[-0.5, -2.0], [0.5, -2.0]].map(DVec2::from_array);
    let corners = [[2.0, -2.0], [2.0, 2.0], [-2.0, 2.0], [-2.0, -2.0]].map(DVec2::from_array);
    let about = |end: Vec<DVec2>| -> Vec<DVec2> {
        [mouth[0]].into_iter().chain(end).chain([mouth[1]]).chain(corners).collect()
    };
    for end in [square.to_vec(), round.collect()] {
        let whole = plate(&about(end), 0.8);
        assert!(of(&whole).report.mends.is_empty());
        let open = without(whole, |x| x.x.abs() < 0.51 && (x.z - 0.4).abs() < 0.39 && x.y > -1.99);
        let text = refusal(&open);
        assert!(text.contains("cannot be filled with any certainty"), "{text}");
        assert!((filled(&open) / (16.0 * 0.8) - 1.0).abs() < 1e-9);
    }
}

/// A keyway along a round rod without its walls: over an edge between a plane and a round side there are many ways to close it.
#[test]
fn a_keyway_of_a_rod_is_not_closed() {
    let turn = |k: u32| std::f64::consts::TAU * (f64::from(k) + 0.5) / 48.0;
    let round = (1..47).map(|k| DVec2::new(turn(k).cos(), turn(k).sin()));
    // From the last corner of the circle to its first, 0.39 apart.
    let notch = [[0.7, -0.195], [0.7, 0.195]].map(DVec2::from_array);
    let outline: Vec<DVec2> = round.chain(notch).collect();
    let whole = plate(&outline, 1.5);
    let open = without(whole, |x| x.z > 0.01 && x.z < 1.49 && x.y.abs() < 0.196 && x.x > 0.6);
    let text = refusal(&open);
    assert!(text.contains("cannot be filled with any certainty"), "{text}");
}

/// A bore with a keyway whose round wall is gone has one rim, over which the sides of the keyway stand as the wall of a tube does.
#[test]
fn a_bore_with_a_keyway_is_not_closed() {
    let size = generate::Ring { inner_radius: 0.2, outer_radius: 0.5, height: 0.4 };
    let mut ring = generate::ring(&size, 2000).expect("a ring");
    for x in &mut ring.vertices {
        if x.truncate().length() < 0.201 && x.y.abs() < 0.06 && x.x > 0.0 {
            x.x = 0.3;
        }
    }
    let whole = volume(&ring);
    let open = without(ring, |x| x.truncate().length() < 0.201);
    let text = refusal(&open);
    assert!(text.contains("cannot be filled with any certainty"), "{text}");
    assert!((filled(&open) / whole - 1.0).abs() > 0.05, "{} of {whole}", filled(&open));
}

/// The end of a pipe that is torn off has rims of which each is as ragged as a row of facets is high, with the ring of the wall between them.
#[test]
fn a_pipe_that_is_torn_off_stays_hollow() {
    let size = generate::Ring { inner_radius: 0.4, outer_radius: 0.5, height: 2.0 };
    let whole = generate::ring(&size, 6000).expect("a pipe");
    let outer = whole.vertices.iter().filter(|x| x.truncate().length() > 0.499);
    let mut rows: Vec<f64> = outer.map(|x| x.z).collect();
    rows.sort_by(f64::total_cmp);
    rows.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    let [row, next] = [rows[rows.len() * 4 / 5], rows[rows.len() * 4 / 5 + 1]];
    // Of each pair of triangles in this row one is gone.
    let torn = without(whole.clone(), |x| x.z > row + 0.5 * (next - row));
    let repaired = of(&torn);
    let volume_up_to = |z: f64| volume(&whole) * (1.0 + z) / 2.0;
    let range = volume_up_to(row)..volume_up_to(next);
    assert!(range.contains(&repaired.report.volume_after), "{range:?}: {:?}", repaired.report);
    // Lids on both rims would enclose the same volume.
    let mesh = &repaired.meshes[0];
    let nearest = (0..mesh.triangles.len())
        .map(|ix| (mesh.corners(ix).iter().sum::<DVec3>() / 3.0).truncate().length())
        .fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.39, "{nearest}");
}

/// The wall and floor of a blind hole in a boss that has lost its side are no rod.
#[test]
fn a_bore_whose_surroundings_are_gone_is_doubted() {
    let bore = turned(without(generate::cylinder(0.2, 0.8, 900).expect("a cylinder"), |x| x.z > 0.399));
    let repaired = of(&both(cube(1.0, 12).translated(DVec3::X * 2.0), bore.clone()));
    assert!(matches!(repaired.report.doubts[..], [Doubt::Turned { n: 1, .. }]), "{:?}", repaired.report);
    // A file that is inside out as a whole says what it is.
    assert!(of(&bore).report.doubts.is_empty());
}

/// What is missing in a side may be a part of it, or what is behind the mouth of a pocket; what is torn has no such form.
#[test]
fn a_hole_of_the_form_of_a_mouth_is_doubted() {
    let whole = cube(1.0, 768);
    let square = without(whole.clone(), |x| x.z > 0.49 && x.truncate().abs().max_element() < 0.24);
    let repaired = expect(&square, 1.0, &[MendKind::Hole]);
    assert!(matches!(repaired.report.doubts[..], [Doubt::Mouths { n: 1, .. }]), "{:?}", repaired.report);
    let torn = without(whole, |x| x.z > 0.49 && x.x.abs() + x.y.abs() < 0.3 && x.x + x.y < 0.1);
    let repaired = expect(&torn, 1.0, &[MendKind::Hole]);
    assert!(repaired.report.doubts.is_empty(), "{:?}", repaired.report);
}

/// A plane facet of four corners that was lost is put back as it was, however the facets beside it lean.
#[test]
fn lost_plane_facets_are_plane() {
    let whole = generate::cylinder(0.5, 1.0, 24).expect("a prism");
    let side = |x: &DVec3| x.z.abs() < 0.49 && x.x > 0.0 && x.y > 0.0 && x.y < 0.3;
    let n = whole.triangles.len();
    let open = without(whole.clone(), |x| side(&x));
    assert_eq!(n - open.triangles.len(), 2);
    let repaired = of(&open);
    let report = &repaired.report;
    assert!(
        (report.volume_after / volume(&whole) - 1.0).abs() < 1e-12 && report.doubts.is_empty(),
        "{report:?}"
    );
    assert_eq!(repaired.meshes[0].triangles.len(), n);
}

/// Who allows a hole to be filled that nobody can be sure of is told of it all the same; and who lost the wall of a small bore.
#[test]
fn what_a_limit_allows_is_doubted() {
    let ring = |inner_radius: f64| {
        let size = generate::Ring { inner_radius, outer_radius: 0.5, height: 0.1 };
        let ring = generate::ring(&size, 2000).expect("a ring");
        without(ring, move |x| x.truncate().length() < inner_radius + 1e-3)
    };
    let settings = RepairSettings { max_hole: Some(2.0), ..RepairSettings::default() };
    let report = repair(&ring(0.2), &settings).expect("it is filled").report;
    let [Doubt::Allowed(error)] = &report.doubts[..] else { panic!("{report:?}") };
    assert!(matches!(**error, RepairError::OppositeHoles { .. }), "{error}");
    let text = report.doubts[0].to_string();
    assert!(
        text.contains("the wall of a bore between them may be missing, 16 % of the volume")
            && !text.contains("max"),
        "{text}"
    );
    // A bore that takes 0.8 % of the volume.
    let report = of(&ring(0.045)).report;
    assert!(matches!(report.doubts[..], [Doubt::Bores { n: 1, .. }]), "{report:?}");
}
