//! Generators with parameters nobody would choose: each refuses or gives a closed mesh.

use glam::{DVec2, DVec3};
use proptest::prelude::*;
use tactum_geometry::TriangleMesh;
use tactum_geometry::mesh::generate::*;

use super::oracle;

/// Lengths over four orders of magnitude, so that ratios reach from flat to needle.
fn length() -> impl Strategy<Value = f64> {
    (-2.0..2.0).prop_map(|exponent: f64| 10_f64.powf(exponent))
}

/// What may be wrong with a single number.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-1.0),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::MIN_POSITIVE),
        Just(1e-12),
        Just(1e12),
        Just(1e308),
        length(),
    ]
}

/// Calls every generator with lengths from `x`, counts from `c` and angles near 20°.
fn all(x: &[f64], c: &[u32], n: usize) -> Vec<(&'static str, i64, Result<TriangleMesh, GenerateError>)> {
    let thread = Thread { radius: x[0], pitch: x[1], amplitude: 0.3 * x[2], starts: c[0] };
    let bolt_size = Bolt {
        thread,
        thread_length: x[3],
        fade: 0.1 * x[4],
        shank_length: x[5],
        head_height: x[6],
        head_width: 2.0 * x[7],
    };
    let nut_size = Nut { thread, clearance: 0.1 * x[3], height: x[4], width: 2.0 * x[5], fade: 0.1 * x[6] };
    let gear_size = Gear {
        teeth: c[0],
        module: x[0],
        pressure_angle_deg: 11.0 + x[1].min(10.0),
        backlash: 0.05 * x[2],
        height: x[3],
        bore_radius: x[4],
    };
    let table_size = Table {
        length: x[0],
        width: x[1],
        height: x[2],
        top_thickness: x[3],
        leg_thickness: 0.2 * x[4],
        leg_inset: DVec2::new(0.1 * x[5], 0.1 * x[6]),
    };
    let ring_size = Ring { inner_radius: x[0], outer_radius: x[1], height: x[2] };
    let knot =
        TorusKnot { p: c[0], q: c[1], major_radius: x[0], minor_radius: x[1], tube_radius: 0.2 * x[2] };
    let mug_size = Mug {
        radius: x[0],
        height: x[1],
        wall: 0.1 * x[2],
        handle_reach: x[3],
        handle_thickness: 0.2 * x[4],
    };
    let tapered = TaperedBlock { bottom: DVec2::new(x[0], x[1]), top: DVec2::new(x[2], x[3]), height: x[4] };
    let l = LShape { length: x[0], width: x[1], height: x[2], thickness: x[3] };
    vec![
        ("cuboid", 2, cuboid(DVec3::new(x[0], x[1], x[2]), n)),
        ("tapered_block", 2, tapered_block(&tapered, n)),
        ("l_shape", 2, l_shape(&l, n)),
        ("table", 2, table(&table_size, n)),
        ("bumpy_cube", 2, bumpy_cube(&BumpyCube { side: x[0], bumps: c[0], bump_height: x[1] }, n)),
        ("prism", 2, prism(&Prism { sides: c[0], radius: x[0], height: x[1] }, n)),
        ("sphere", 2, sphere(x[0], n)),
        ("ellipsoid", 2, ellipsoid(DVec3::new(x[0], x[1], x[2]), n)),
        ("star", 2, star(x[0], x[1], n)),
        ("uv_sphere", 2, uv_sphere(x[0], n)),
        ("cylinder", 2, cylinder(x[0], x[1], n)),
        ("coin", 2, coin(x[0], x[1], n)),
        ("cone", 2, cone(x[0], x[1], n)),
        ("capsule", 2, capsule(x[0], x[1], n)),
        ("torus", 0, torus(x[0], x[1], n)),
        ("ring", 0, ring(&ring_size, n)),
        ("bowl", 2, bowl(x[0], x[1], n)),
        ("gear", if x[4] == 0.0 { 2 } else { 0 }, gear(&gear_size, n)),
        ("bolt", 2, bolt(&bolt_size, n)),
        ("nut", 0, nut(&nut_size, n)),
        ("torus_knot", 0, torus_knot(&knot, n)),
        ("mug", 0, mug(&mug_size, n)),
        ("critter", 2, critter(x[0], u64::from(c[1]), n)),
    ]
}

proptest! {
    #![proptest_config(tactum_random::config(16))]

    #[test]
    fn unusual_proportions_give_closed_meshes_or_are_refused(
        x in prop::collection::vec(length(), 8),
        c in prop::collection::vec(0_u32..40, 2),
        n in 0_usize..1_500,
    ) {
        for (name, euler, made) in all(&x, &c, n) {
            // Long bodies of the fewest rings have many triangles; the crossing test is quadratic in the worst case.
            if let Ok(mesh) = made && mesh.triangles.len() < 20_000 {
                prop_assert_eq!(oracle::assert_closed_loosely(name, &mesh), euler, "{}", name);
                prop_assert!(oracle::volume(&mesh) > 0.0, "{}", name);
                if mesh.triangles.len() < 2_000 {
                    oracle::assert_no_crossing(name, &mesh);
                }
            }
        }
    }

    #[test]
    fn impossible_numbers_never_panic(
        x in prop::collection::vec(any_number(), 8),
        c in prop::collection::vec(prop_oneof![Just(0_u32), Just(u32::MAX), 1_u32..40], 2),
        n in prop_oneof![Just(usize::MAX), 0_usize..3_000],
    ) {
        for (name, _, made) in all(&x, &c, n) {
            if let Ok(mesh) = made {
                prop_assert!(mesh.vertices.iter().all(|p| p.is_finite()), "{}", name);
            }
        }
    }
}

/// Windings that nearly touch need shorter chords than a knot with room around it.
#[test]
fn the_windings_of_a_tight_knot_do_not_cross() {
    let size = TorusKnot { p: 5, q: 6, major_radius: 47.1, minor_radius: 3.58, tube_radius: 1.0 };
    let mesh = torus_knot(&size, 0).expect("the windings are further apart than the tube is wide");
    oracle::assert_no_crossing("torus_knot", &mesh);
}

/// Generous for any refusal or small mesh: before, these went on until memory or patience ended.
const AT_ONCE: std::time::Duration = std::time::Duration::from_secs(20);

/// A part below the rounding of what it is added to is not there: no edge length gives such a shape its triangles.
#[test]
fn parts_that_rounding_would_eat_are_refused_at_once() {
    let start = std::time::Instant::now();
    let (long, thin) = (1e12, 1e-12);
    let l = LShape { length: long, width: long, height: long, thickness: thin };
    let knot = TorusKnot { p: 2, q: 3, major_radius: long, minor_radius: thin, tube_radius: thin };
    let table_size = Table {
        length: long,
        width: long,
        height: long,
        top_thickness: thin,
        leg_thickness: 0.1 * long,
        leg_inset: DVec2::ZERO,
    };
    let mug_size = Mug { radius: long, height: long, wall: thin, handle_reach: long, handle_thickness: thin };
    let root = 0.5 * 20.0 - 1.25;
    let gear_size = Gear {
        teeth: 20,
        module: 1.0,
        pressure_angle_deg: 20.0,
        backlash: 0.0,
        height: 1.0,
        bore_radius: root * (1.0 - 1e-15),
    };
    for n in [0, 491, 3_000, 20_000_000] {
        let made = [
            ("l_shape", l_shape(&l, n)),
            ("l_shape with half of it", l_shape(&LShape { length: 1.0, ..l }, n)),
            ("table", table(&table_size, n)),
            ("table on needles", table(&Table { top_thickness: 1.0, leg_thickness: thin, ..table_size }, n)),
            ("capsule", capsule(thin, long, n)),
            ("flat capsule", capsule(long, thin, n)),
            ("torus", torus(long, thin, n)),
            ("torus without a hole", torus(1.0, 1.0 - f64::EPSILON, n)),
            ("torus_knot", torus_knot(&knot, n)),
            ("mug", mug(&mug_size, n)),
            ("gear", gear(&gear_size, n)),
            ("gear on a wire", gear(&Gear { module: thin, height: long, bore_radius: thin, ..gear_size }, n)),
            ("gear as a tube", gear(&Gear { height: long, ..gear_size }, n)),
            ("ring of a film", ring(&Ring { inner_radius: 1.0, outer_radius: 1.0 + 1e-15, height: long }, n)),
        ];
        for (name, made) in made {
            assert!(made.is_err(), "{name} {n}");
        }
    }
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
}

/// The longest length of a bolt may be across it, and what it has no head for does not count.
#[test]
fn bolts_of_any_head_are_made_at_once() {
    let start = std::time::Instant::now();
    let thread = Thread { radius: 1e-3, pitch: 1e-3, amplitude: 1e-4, starts: 1 };
    let bolt_size = Bolt {
        thread,
        thread_length: 1e-2,
        fade: 1e-3,
        shank_length: 1e-2,
        head_height: 1e-3,
        head_width: MAX_LENGTH,
    };
    for n in [0, 20_000] {
        let mesh = bolt(&bolt_size, n).expect("a bolt with a wide head");
        assert!(mesh.triangles.len() < 30_000, "{}", mesh.triangles.len());
        assert_eq!(oracle::assert_closed_loosely("bolt", &mesh), 2);
        for shank_length in [f64::INFINITY, f64::NAN, -1.0, MAX_LENGTH] {
            let rod = Bolt { shank_length, head_height: 0.0, ..bolt_size };
            let mesh = bolt(&rod, n).expect("a rod has no shank");
            assert_eq!(mesh, bolt(&Bolt { shank_length: 0.0, ..rod }, n).expect("a rod"));
        }
    }
    let buried = Bolt { shank_length: 1e12, head_width: 1.0, ..bolt_size };
    let refused = bolt(&buried, 3_000).expect_err("the thread is lost in rounding").to_string();
    assert!(refused.contains("thread_length"), "{refused}");
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
}
