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
        pressure_angle: 0.2 + 0.02 * x[1].min(10.0),
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
