//! Holes that can be filled in more ways than one.

use super::*;

pub fn refusal(mesh: &TriangleMesh) -> String {
    let Err(error) = repair(mesh, &RepairSettings::default()) else { panic!("it is mended") };
    error.to_string()
}

/// Fills whatever holes there are.
pub fn filled(mesh: &TriangleMesh) -> f64 {
    let any = RepairSettings { max_hole: Some(mesh.aabb().diagonal()), ..RepairSettings::default() };
    repair(mesh, &any).unwrap_or_else(|error| panic!("{error}")).report.volume_after
}

/// A cube without a corner: filled without it, a large one costs up to the cell of three eighths of the cube's side; of a small one nothing
/// that counts is lost. Of the coarsest cube a sixth would be lost.
#[test]
fn a_corner_that_is_gone_is_filled_where_it_is_small() {
    let without_corner = |n: usize, part: f64| {
        let end = DVec3::splat(0.5 - part);
        without(cube(1.0, 12 * n * n), |x| x.cmpgt(end).all())
    };
    expect(&without_corner(10, 0.1), 1.0, &[MendKind::Hole]);
    let large = without_corner(8, 0.375);
    let text = refusal(&large);
    assert!(text.contains("the surface leans into it") && text.contains("max_hole"), "{text}");
    let lost = 1.0 - filled(&large);
    assert!((0.01..0.053).contains(&lost), "{lost}");
    let corner = |k: u32| DVec3::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    let low = TriangleMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: vec![
            [1, 2, 3],
            [1, 5, 4],
            [2, 4, 6],
            [4, 5, 7],
            [4, 7, 6],
            [2, 6, 7],
            [2, 7, 3],
            [1, 3, 7],
            [1, 7, 5],
        ],
    };
    assert!(refusal(&low).contains("the surface leans into it"), "{}", refusal(&low));
}

/// One facet of a coarse mesh is put back, however much hangs on it.
#[test]
fn a_facet_that_was_lost_is_put_back() {
    let whole = ball(20);
    let mut open = whole.clone();
    open.triangles.remove(3);
    let repaired = expect(&open, volume(&whole), &[MendKind::Hole]);
    assert!((repaired.report.volume_after / volume(&whole) - 1.0).abs() < 1e-12);
}

/// Caps of a ball: as wide as they are domed well they are filled, wider ones are refused; nothing comes out that is off.
#[test]
fn caps_of_a_ball_are_filled_well_or_not_at_all() {
    let whole = ball(5000);
    let mut n_refused = 0;
    for k in 1..=10 {
        let half_width = 0.1 * f64::from(k);
        let open = without(whole.clone(), |x| x.normalize().dot(noise(7).normalize()) > half_width.cos());
        match repair(&open, &RepairSettings::default()) {
            Ok(repaired) => {
                let off = repaired.report.volume_after / volume(&whole) - 1.0;
                assert!(off.abs() < VOLUME_TOLERANCE, "{half_width}: {off}");
            }
            Err(error) => {
                n_refused += 1;
                assert!(half_width > 0.6, "{half_width}: {error}");
            }
        }
    }
    assert!(n_refused > 0, "caps of one radian are guessed");
}

/// Two holes that look at each other over a gap: a belt of a ball, a piece of a ring. The ends of a tube look away from each other.
#[test]
fn a_piece_that_is_gone_is_not_closed_on_both_sides() {
    let belt = without(ball(5000), |x| x.z.abs() < 0.02);
    let ring = without(generate::torus(1.0, 0.3, 3000).expect("a torus"), |x| x.x > 0.0 && x.y.abs() < 0.1);
    // Pieces of 60 and 110 degrees.
    let piece = |degrees: f64| {
        let torus = generate::torus(1.0, 0.3, 3000).expect("a torus");
        without(torus, |x| x.y.atan2(x.x).abs() < 0.5 * degrees.to_radians())
    };
    for mesh in [belt, turned(ring.clone()), ring, piece(60.0), turned(piece(110.0))] {
        let text = refusal(&mesh);
        assert!(text.contains("lie opposite each other: a piece between them may be missing"), "{text}");
        assert!(filled(&mesh) > 0.0);
    }
    let cylinder = generate::cylinder(0.5, 0.8, 900).expect("a cylinder");
    let tube = without(cylinder.clone(), |x| x.z.abs() > 0.3999);
    expect(&tube, volume(&cylinder), &[MendKind::Hole]);
    let inward = turned(tube);
    expect(&inward, volume(&cylinder), &[MendKind::Hole, MendKind::TurnedShell]);
}

/// A plate of `CELLS`² square cells, of which some are bores; the walls of the last `n_open` of these are missing.
fn perforated(bores: &[[usize; 2]], n_open: usize) -> TriangleMesh {
    let is_bore = |cell: [i32; 2]| bores.iter().position(|bore| bore.map(|k| k as i32) == cell);
    let is_out = |cell: [i32; 2]| cell.iter().any(|k| !(0..CELLS).contains(k));
    let mut mesh = TriangleMesh::default();
    let mut quad = |corners: [[i32; 3]; 4]| {
        let n = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|x| DVec3::from(x.map(f64::from))));
        mesh.triangles.extend([[n, n + 1, n + 2], [n, n + 2, n + 3]]);
    };
    for (x, y) in (0..CELLS).flat_map(|x| (0..CELLS).map(move |y| (x, y))) {
        if is_bore([x, y]).is_some() {
            continue;
        }
        let ring = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        quad(ring.map(|[x, y]| [x, y, 1]));
        quad([3, 2, 1, 0].map(|k| [ring[k][0], ring[k][1], 0]));
        for (k, next) in [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]].into_iter().enumerate() {
            let ([a, b], [c, d]) = (ring[k], ring[(k + 1) % 4]);
            if is_out(next) || is_bore(next).is_some_and(|bore| bore + n_open < bores.len()) {
                quad([[a, b, 0], [c, d, 0], [c, d, 1], [a, b, 1]]);
            }
        }
    }
    mesh
}

/// Cells along a side of a perforated plate: a bore is 0.39 % of it.
const CELLS: i32 = 16;

/// What each of several guesses may cost adds up: the walls of one bore or two may be missing, those of more may not.
#[test]
fn guesses_add_up() {
    let bores: Vec<[usize; 2]> = (0..8).map(|k| [1 + 2 * k % 14, 1 + 5 * k % 14]).collect();
    let all = f64::from(CELLS * CELLS);
    for (n_open, n) in (0_usize..).zip((0..=8).map(f64::from)) {
        let open = perforated(&bores, n_open);
        if n_open <= 2 {
            let whole = of(&open).report.volume_after;
            assert!((whole - (all - 8.0 + n)).abs() < 1e-9, "{whole}");
            continue;
        }
        let text = refusal(&open);
        let part = crate::words::percent(n / (all - 8.0 + n));
        let told = format!("may together be wrong by {part} of the volume");
        assert!(text.contains(&told), "{told}: {text}");
    }
}

/// A guess about a small part is not little because a large one lies beside it, nor where it lies within the other's box.
#[test]
fn a_guess_is_measured_by_the_body_that_it_is_about() {
    let nut = generate::Ring { inner_radius: 0.02, outer_radius: 0.05, height: 0.02 };
    let nut = generate::ring(&nut, 800).expect("a ring");
    let open = without(nut, |x| x.truncate().length() < 0.021);
    let size = generate::LShape { length: 1.0, width: 0.5, height: 1.0, thickness: 0.2 };
    let large = generate::l_shape(&size, 12).expect("an L");
    let within = 0.5 * (large.aabb().min + large.aabb().max) + DVec3::new(0.2, 0.0, 0.2);
    for at in [within, DVec3::X * 3.0] {
        let text = refusal(&both(large.clone(), open.clone().translated(at)));
        assert!(text.contains("the wall of a bore between them may be missing, 16 %"), "{text}");
    }
    // In a cavity of the large one it is the nut's all the same; the cavity's own wall is that of the large one.
    let hollow = both(cube(1.0, 12), turned(cube(0.9, 12)));
    let text = refusal(&both(hollow.clone(), open));
    assert!(text.contains("the wall of a bore between them may be missing, 16 %"), "{text}");
}

/// Two mouths that face each other may be a rod's that has lost its middle: that is said, however far apart.
#[test]
fn the_ends_of_two_rods_on_one_axis_are_doubtful() {
    let rod = generate::cylinder(0.2, 1.0, 900).expect("a cylinder");
    let open = without(rod, |x| x.z.abs() > 0.4999);
    for gap in [0.5, 3.0] {
        let far = open.clone().translated(DVec3::Z * (1.0 + gap));
        for mesh in [both(open.clone(), far.clone()), both(turned(open.clone()), far)] {
            let [Doubt::Ends(doubt @ Ends { of: EndsOf::TwoPieces, .. }), ..] = of(&mesh).report.doubts[..]
            else {
                panic!("{gap}: {:?}", of(&mesh).report)
            };
            assert!((doubt.at[0].distance(doubt.at[1]) - gap).abs() < 1e-6, "{doubt:?}");
        }
    }
    let beside = open.clone().translated(DVec3::X);
    assert_eq!(of(&both(open, beside)).report.doubts, []);
}

/// A bite out of an edge, or a slanting one out of the rim of a thin plate: the faces go on and meet where they met.
#[test]
fn an_edge_of_plane_faces_goes_on_over_a_bite() {
    let bitten = without(cube(1.0, 1200), |x| x.distance(DVec3::new(0.5, 0.5, 0.03)) < 0.31);
    let plate = generate::cuboid(DVec3::new(1.0, 1.0, 0.05), 1200).expect("a plate");
    let slanting = |x: DVec3| x + DVec3::X * (4.0 * x.z);
    let bitten_plate = without(plate.clone(), |x| slanting(x).distance(DVec3::new(0.5, 0.02, 0.0)) < 0.25);
    for (mesh, whole) in [(bitten, 1.0), (bitten_plate, 0.05)] {
        let repaired = expect(&mesh, whole, &[MendKind::Hole]);
        assert!((repaired.report.volume_after / whole - 1.0).abs() < 1e-12, "{:?}", repaired.report);
    }
}

/// Where the edge that is bitten is round, or a corner is gone with it, filling the hole costs what the bite has.
#[test]
fn other_bites_out_of_an_edge_are_filled_where_they_cost_little() {
    let ring = generate::Ring { inner_radius: 0.3, outer_radius: 0.5, height: 0.2 };
    let ring = generate::ring(&ring, 2000).expect("a ring");
    let plate = generate::cuboid(DVec3::new(1.0, 1.0, 0.05), 1200).expect("a plate");
    let (mut n_mended, mut n_refused) = (0, 0);
    for (whole, at) in [(&ring, DVec3::new(0.5, 0.02, 0.1)), (&plate, DVec3::new(0.5, 0.5, 0.0))] {
        for reach in [0.04, 0.08, 0.15, 0.3] {
            let open = without(whole.clone(), |x| x.distance(at) < reach);
            match repair(&open, &RepairSettings::default()) {
                Ok(repaired) => {
                    let off = repaired.report.volume_after / volume(whole) - 1.0;
                    assert!(off.abs() < VOLUME_TOLERANCE, "{reach}: {off}");
                    n_mended += 1;
                }
                Err(error) => {
                    assert!(error.to_string().contains("cannot be filled with any certainty"), "{error}");
                    n_refused += 1;
                }
            }
        }
    }
    assert!(n_mended >= 2 && n_refused >= 2, "{n_mended} {n_refused}");
}

/// The floor of a blind hole that has lost its wall, the cap of a ball beside a cube: what they tell of is not thrown away.
#[test]
fn facets_that_tell_of_a_part_are_not_dropped() {
    let square = |side: f64, z: f64| {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        TriangleMesh {
            vertices: corners.map(|(x, y)| DVec3::new(0.5 * side * x, 0.5 * side * y, z)).to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    };
    let mouth = without(cube(1.0, 1200), |x| x.z > 0.499 && x.abs().truncate().max_element() < 0.2);
    let cap = without(ball(2000), |x| x.z < 0.25).translated(DVec3::X * 3.0);
    for mesh in [both(mouth.clone(), square(0.4, 0.1)), both(cube(1.0, 12), cap)] {
        let text = refusal(&mesh);
        assert!(text.contains("of no closed surface at") && text.contains("max_hole"), "{text}");
        assert!(filled(&mesh) > 0.99);
    }
    // Close below its mouth a floor tells of little, and a sheet beside a surface that is closed without it of nothing.
    expect(&both(mouth, square(0.4, 0.48)), 1.0, &[MendKind::LooseFacets, MendKind::Hole]);
    expect(&both(cube(1.0, 12), square(0.8, 3.0)), 1.0, &[MendKind::LooseFacets]);
}

/// A wall that floats in a solid may be what is left of a cavity's, unless that is small.
#[test]
fn what_is_left_of_a_cavity_is_not_dropped() {
    let wall = |side: f64| {
        let corners =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.3));
        TriangleMesh {
            vertices: corners.map(|x| x * DVec3::new(0.5 * side, 0.5 * side, 1.0)).to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    };
    let text = refusal(&both(cube(1.0, 12), wall(0.5)));
    assert!(text.contains("of no closed surface at"), "{text}");
    expect(&both(cube(1.0, 12), wall(0.1)), 1.0, &[MendKind::LooseFacets]);
}

/// Many facets that float go all at once.
#[test]
fn hundreds_of_crumbs_are_dropped() {
    let mut mesh = cube(1.0, 1200);
    for k in 0..600 {
        let at = DVec3::X + 0.4 * noise(k);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([DVec3::ZERO, DVec3::X, DVec3::Y].map(|x| at + 1e-3 * x));
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    expect(&mesh, 1.0, &[MendKind::LooseFacets]);
}

/// A crumb that floats before a hole is no bottom of it.
#[test]
fn crumbs_before_a_hole_are_dropped() {
    let whole = ball(5000);
    let open = without(whole.clone(), |x| x.distance(DVec3::X * 0.5) < 0.1);
    // A third as large as the hole: as its bottom it would tell of 1.3 % of the ball.
    let corners = [[0.0, -0.08, -0.07], [0.0, 0.08, -0.07], [0.0, 0.0, 0.07]].map(DVec3::from_array);
    let crumb =
        TriangleMesh { vertices: corners.map(|x| x + DVec3::X * 1.1).to_vec(), triangles: vec![[0, 1, 2]] };
    expect(&both(open, crumb), volume(&whole), &[MendKind::LooseFacets, MendKind::Hole]);
}

/// The ends of a bent piece may be those of a ring that has lost more than a third of itself: that is said. Those of a straight tube are not.
#[test]
fn the_ends_of_a_bent_piece_are_doubtful() {
    for gap in [150.0_f64, 180.0, 240.0] {
        let torus = generate::torus(1.0, 0.3, 20000).expect("a torus");
        let piece = without(torus, |x| x.y.atan2(x.x).abs() < 0.5 * gap.to_radians());
        for mesh in [piece.clone(), turned(piece)] {
            let [Doubt::Ends(doubt @ Ends { of: EndsOf::BentPiece, .. })] = of(&mesh).report.doubts[..]
            else {
                panic!("{gap}: {:?}", of(&mesh).report)
            };
            assert!(doubt.n_pairs == 1 && (doubt.diameter / 0.6 - 1.0).abs() < 0.1, "{doubt:?}");
            let apart = doubt.at[0].distance(doubt.at[1]);
            assert!((apart / (2.0 * (0.5 * gap).to_radians().sin()) - 1.0).abs() < 0.1, "{doubt:?}");
        }
    }
    let tube = without(generate::cylinder(0.2, 2.0, 900).expect("a cylinder"), |x| x.z.abs() > 0.999);
    assert_eq!(of(&tube).report.doubts, []);
}

/// Cracks that the default tolerance leaves open are no holes: the tolerance that closes them is told.
#[test]
fn a_wider_tolerance_that_mends_is_told() {
    let whole = bracket();
    let mut torn = soup(&whole);
    let reach = 2.0 * WELD_PART * whole.aabb().diagonal();
    torn.vertices.iter_mut().enumerate().for_each(|(k, x)| *x += noise(k) * reach / 3.0_f64.sqrt());
    let error = repair(&torn, &RepairSettings::default()).expect_err("wide cracks");
    let RepairError::WideCracks { tolerance, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains("by closing cracks alone"), "{error}");
    let wide = RepairSettings { tolerance: Some(tolerance), ..RepairSettings::default() };
    let found = repair(&torn, &wide).expect("mended").report.volume_after;
    assert!((found / volume(&whole) - 1.0).abs() < VOLUME_TOLERANCE, "{found}");
    let narrow = RepairSettings { tolerance: Some(1e-3), ..RepairSettings::default() };
    let error = repair(&torn, &narrow).expect_err("a tolerance of one's own");
    assert!(!matches!(error, RepairError::WideCracks { .. }), "{error}");
}

/// Two boxes on one base have a side in common that is as much of the one as of the other: what is left is not the part of one over the other.
#[test]
fn a_side_that_two_solids_share_is_kept() {
    let [low, high] = [1.0, 1.2].map(|height| {
        let on_base = DVec3::Z * (0.5 * height);
        generate::cuboid(DVec3::new(1.0, 1.0, height), 12).expect("a box").translated(on_base)
    });
    match repair(&both(low, high.clone()), &RepairSettings::default()) {
        Ok(repaired) => assert!((repaired.report.volume_after - 1.2).abs() < 0.012, "{:?}", repaired.report),
        Err(error) => assert!(error.to_string().contains("cross"), "{error}"),
    }
    // A part that is listed twice is one.
    expect(&both(high.clone(), high), 1.2, &[MendKind::DuplicateFacets]);
}

/// A bar without an end whose rim lies on another bar encloses most of what it did.
#[test]
fn a_bar_without_an_end_is_not_dropped() {
    let bar = |size: DVec3, at: DVec3| generate::cuboid(size, 12).expect("a bar").translated(at);
    let upright = bar(DVec3::new(0.2, 0.2, 1.0), DVec3::new(0.0, 0.0, 0.5));
    // Its end is flush with a side of the other: they have an edge in common.
    let lying = without(bar(DVec3::new(1.0, 0.2, 0.2), DVec3::new(0.4, 0.0, 0.1)), |x| x.x < -0.0999);
    match repair(&both(upright, lying), &RepairSettings::default()) {
        Ok(repaired) => {
            assert!((repaired.report.volume_after - 0.072).abs() < 7.2e-4, "{:?}", repaired.report);
        }
        Err(error) => assert!(error.to_string().contains("of no closed surface"), "{error}"),
    }
}

/// The side of a cylinder lost all but round: a filling without the arcs has much less, and is a guess.
#[test]
fn a_side_of_a_cylinder_is_not_closed_by_a_chord() {
    let cylinder = generate::cylinder(0.2, 2.0, 4000).expect("a cylinder");
    for half_angle in [5.0_f64, 60.0, 80.0, 100.0] {
        let is_gone = |x: DVec3| {
            x.z.abs() < 0.6 && x.truncate().length() > 0.19 && x.y.atan2(x.x).abs() < half_angle.to_radians()
        };
        let open = without(cylinder.clone(), is_gone);
        match repair(&open, &RepairSettings::default()) {
            Ok(repaired) => {
                let off = repaired.report.volume_after / volume(&cylinder) - 1.0;
                assert!(off.abs() < VOLUME_TOLERANCE, "{half_angle}: {off}");
            }
            Err(error) => assert!(half_angle > 5.0, "{half_angle}: {error}"),
        }
    }
}

/// What a plane cut off, as of a scan that stood on a table, is not domed over where that costs more than a guess may.
#[test]
fn a_plane_cut_is_not_domed_over() {
    let whole = generate::uv_sphere(1.0, 4000).expect("a ball");
    let mut circles: Vec<f64> =
        whole.vertices.iter().map(|x| x.z).filter(|z| (0.5..0.999).contains(z)).collect();
    circles.sort_by(f64::total_cmp);
    circles.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    assert!(circles.len() > 5);
    for height in circles {
        let mut open = whole.clone();
        let above = |v: &u32| whole.vertices[*v as usize].z > height - 1e-9;
        open.triangles.retain(|corners| !corners.iter().all(above));
        let part = (1.0 - height).powi(2) * (2.0 + height) / 4.0;
        match repair(&open, &RepairSettings::default()) {
            // A dome is an eighth off, and so is what it is taken to hold.
            Ok(_) => assert!(part < 0.01 * 1.125, "{part}"),
            Err(error) => {
                assert!(
                    part > 0.01 / 1.125 && error.to_string().contains("leans into it"),
                    "{part}: {error}"
                );
            }
        }
    }
}

/// The core of a spool lost: both of its flanges have a round hole, and look at each other.
#[test]
fn a_spool_without_its_core_is_doubtful() {
    let flange = generate::cylinder(0.5, 0.1, 2000).expect("a flange");
    let upper =
        without(flange.clone(), |x| x.z < -0.0499 && x.truncate().length() < 0.3).translated(DVec3::Z);
    let lower = without(flange, |x| x.z > 0.0499 && x.truncate().length() < 0.3);
    let report = of(&both(upper, lower)).report;
    assert!(matches!(report.doubts[..], [Doubt::Ends(Ends { of: EndsOf::TwoPieces, .. })]), "{report:?}");
}
