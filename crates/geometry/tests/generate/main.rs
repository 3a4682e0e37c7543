//! Every generator over several numbers of triangles: closed, oriented, free of crossings, of the stated size.

mod catalogue;
mod hostile;
mod oracle;

use catalogue::{Case, cases};
use tactum_geometry::mesh::check;
use tactum_geometry::mesh::generate::{self, GenerateError};

/// Numbers of triangles asked for: below every minimum, then what tests, scenes and benches use.
const WANTED: [usize; 5] = [0, 300, 1_000, 5_000, 20_000];

fn for_every_mesh(test: impl Fn(&Case, usize)) {
    for case in cases() {
        for wanted in WANTED {
            test(&case, wanted);
        }
    }
}

#[test]
fn meshes_are_closed_oriented_and_of_the_stated_genus() {
    for_every_mesh(|case, wanted| {
        let mesh = case.make(wanted);
        let euler = oracle::assert_closed(case.name, &mesh);
        assert_eq!(euler, case.euler, "{} at {wanted}: Euler characteristic", case.name);
        assert_eq!(oracle::n_shells(&mesh), 1, "{} at {wanted}", case.name);
        assert!(oracle::volume(&mesh) > 0.0, "{} at {wanted}: inside out", case.name);
    });
}

#[test]
fn the_mesh_doctor_finds_nothing() {
    for_every_mesh(|case, wanted| {
        if wanted > 5_000 {
            return;
        }
        let checked = check::examine(case.make(wanted)).expect(case.name);
        assert!(checked.findings.is_empty(), "{} at {wanted}: {:?}", case.name, checked.findings);
    });
}

#[test]
fn no_two_triangles_cross() {
    for_every_mesh(|case, wanted| {
        if wanted <= 5_000 {
            oracle::assert_no_crossing(case.name, &case.make(wanted));
        }
    });
}

/// A surface cut into cells by whole numbers along two directions comes within half a step of either: some
/// `1 / √n` of n triangles times the step's multiple of four.
#[test]
fn number_of_triangles_is_near_the_wanted_one() {
    for_every_mesh(|case, wanted| {
        let n = case.make(wanted).triangles.len();
        if wanted <= case.min && !case.min_is_exact {
            assert!(n <= case.min, "{} at {wanted}: {n} triangles", case.name);
        } else if wanted <= case.min {
            assert_eq!(n, case.min, "{} at {wanted}: the stated minimum", case.name);
        } else {
            let error = (n as f64 - wanted as f64).abs() / wanted as f64;
            let allowed = case.count_step / (wanted as f64).sqrt();
            assert!(error < allowed, "{} at {wanted}: {n} triangles", case.name);
        }
    });
}

#[test]
fn bounding_boxes_are_as_documented() {
    for case in cases() {
        let found = case.make(20_000).aabb();
        let error =
            (found.min - case.bounds.min).abs().max((found.max - case.bounds.max).abs()).max_element();
        let allowed = case.bounds_tolerance * case.bounds.diagonal();
        assert!(error <= allowed, "{}: {found:?}, stated {:?}", case.name, case.bounds);
    }
}

/// Facets with corners on a smooth surface enclose its volume up to an error of second order in the edge length, and
/// plane faces enclose it exactly up to rounding.
#[test]
fn volumes_converge_to_the_closed_forms() {
    for case in cases() {
        let Some(expected) = case.volume else { continue };
        let error_of = |wanted| {
            let mesh = case.make(wanted);
            ((oracle::volume(&mesh) / expected - 1.0).abs(), mesh.triangles.len() as f64)
        };
        let ((coarse, n_coarse), (fine, n_fine)) = (error_of(3_000), error_of(48_000));
        if case.exact {
            // 48,000 terms, each added with a rounding of 1e-16 of a sum of the volume's order.
            assert!(coarse.max(fine) < 5e-12, "{}: relative error {coarse:e}, {fine:e}", case.name);
        } else {
            let order = case.edge_dimension * (coarse / fine).ln() / (n_fine / n_coarse).ln();
            assert!((order - 2.0).abs() < 0.2, "{}: order {order}, {coarse:e} -> {fine:e}", case.name);
            assert!(fine < 0.01, "{}: relative error {fine:e} at 48,000 triangles", case.name);
        }
    }
}

#[test]
fn stated_centres_of_mass_are_in_the_origin() {
    for case in cases() {
        if case.centred {
            let mesh = case.make(2_000);
            let offset = oracle::centroid(&mesh).length();
            // Fourfold or mirror symmetry is exact in the numbers of vertices; what is left is rounding.
            assert!(offset < 1e-12 * mesh.aabb().diagonal(), "{}: off by {offset:e}", case.name);
        }
    }
}

/// A nut anywhere on its thread keeps the stated clearance from the bolt: no vertex of either comes nearer to the other
/// thread's true surface than that, less what facets along the axis take off, `(π dz / pitch)² amplitude / 2`, which
/// 12 rings a pitch bound by 0.035 amplitude.
#[test]
fn nut_and_bolt_keep_their_clearance_all_along_the_thread() {
    let (thread, clearance) = (catalogue::THREAD, 0.0005);
    let nut = generate::Nut { thread, clearance, height: 0.04, width: 0.07, fade: 0.004 };
    let bolt = generate::Bolt {
        thread,
        thread_length: 0.16,
        fade: 0.01,
        shank_length: 0.0,
        head_height: 0.02,
        head_width: 0.07,
    };
    let [nut, bolt] = [generate::nut(&nut, 10_000), generate::bolt(&bolt, 10_000)]
        .map(|mesh| mesh.expect("the parameters fit"));
    let sag = 0.035 * thread.amplitude;
    // Midpoints of edges are where facets are farthest from the surface.
    let probes = |mesh: &tactum_geometry::TriangleMesh| -> Vec<glam::DVec3> {
        let edges = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let middles = edges.map(|e| 0.5 * (mesh.vertices[e[0] as usize] + mesh.vertices[e[1] as usize]));
        mesh.vertices.iter().copied().chain(middles).collect()
    };
    for shift in [0.0, 0.003, -0.0271] {
        let turn = std::f64::consts::TAU * shift / thread.pitch;
        let rotation = glam::DQuat::from_rotation_z(turn);
        for p in probes(&nut) {
            let q = rotation * p + glam::DVec3::Z * shift;
            let depth = q.truncate().length() - thread.radius_at(q.z, q.y.atan2(q.x));
            assert!(depth > clearance - sag, "the nut's {p} is {depth} m from the bolt's thread");
        }
    }
    for p in probes(&bolt).into_iter().filter(|p| p.z.abs() < 0.0799) {
        let height = p.truncate().length() - thread.radius_at(p.z, p.y.atan2(p.x));
        assert!(height < sag, "the bolt's {p} is {height} m outside its thread");
    }
}

/// The tube around a curve shorter than its radius of curvature has the volume of a straight one (Weyl 1939).
#[test]
fn torus_knot_has_the_volume_of_its_straightened_tube() {
    let knot = generate::TorusKnot { p: 3, q: 2, major_radius: 0.1, minor_radius: 0.04, tube_radius: 0.015 };
    let n = 4_000;
    let at = |i: usize| knot.point(i as f64 / n as f64);
    let length: f64 = (0..n).map(|i| at(i).distance(at(i + 1))).sum();
    let expected = std::f64::consts::PI * knot.tube_radius.powi(2) * length;
    let error =
        |wanted| 1.0 - oracle::volume(&generate::torus_knot(&knot, wanted).expect("a knot")) / expected;
    let (coarse, fine) = (error(8_000), error(32_000));
    assert!(coarse > 0.0 && coarse < 0.06, "{coarse}");
    // Half the edges, a quarter of the error, but for the rounding of the dozen around to a multiple of four.
    assert!((0.15..0.35).contains(&(fine / coarse)), "{coarse} -> {fine}");
}

#[test]
fn critters_differ_by_seed_and_repeat_bit_for_bit() {
    let of = |seed| generate::critter(0.3, seed, 3_000).expect("a critter");
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
    // More triangles give the same animal: volumes agree to the facets' second order.
    let [coarse, fine] =
        [3_000, 30_000].map(|n| oracle::volume(&generate::critter(0.3, 7, n).expect("a critter")));
    assert!((coarse / fine - 1.0).abs() < 0.04, "{coarse} against {fine}");
}

#[test]
fn impossible_parameters_are_refused_with_their_numbers() {
    let refused =
        |result: Result<_, GenerateError>| result.expect_err("the parameters are impossible").to_string();
    assert_eq!(
        refused(generate::cylinder(-1.0, 2.0, 100)),
        "cylinder: radius must be a length from 0.000000000001 to 1000000000000 m, found -1"
    );
    for bad in [f64::NAN, f64::INFINITY, 0.0, 1e300, 1e-300] {
        assert!(refused(generate::sphere(bad, 100)).contains("radius"), "{bad}");
        assert!(refused(generate::bowl(0.1, bad, 100)).contains("outer_radius"), "{bad}");
    }
    assert!(refused(generate::torus(1.0, 1.0, 100)).contains("minor_radius must be below 1"));
    assert!(
        refused(generate::prism(&generate::Prism { sides: 2, radius: 1.0, height: 1.0 }, 100))
            .contains("found 2")
    );
    assert!(refused(generate::sphere(1.0, usize::MAX)).contains("at most 20000000"));
    // A wall of 1e-14 of the radius needs more corners than a mesh has triangles.
    let foil = generate::Ring { inner_radius: 1.0 - 1e-14, outer_radius: 1.0, height: 1.0 };
    assert!(matches!(generate::ring(&foil, 100), Err(GenerateError::TooManyTriangles { .. })));
    assert!(matches!(generate::bowl(1.0 - 1e-14, 1.0, 100), Err(GenerateError::TooManyTriangles { .. })));
}
