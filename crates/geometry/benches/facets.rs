//! Time of a pair of facets and of a pair of bodies: `cargo bench -p tactum-geometry --bench facets`.
//!
//! Medians over batches of calls on one thread.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{DQuat, DVec3};
use tactum_geometry::facets::{
    Candidates, Detail, Margins, Pressure, Query, RoundedMesh, Rounding, touch, touch_caps,
};
use tactum_geometry::mesh::generate;
use tactum_geometry::{Pose, Solid};

const N_BATCHES: usize = 31;

/// Median time of a call \[ns\].
fn median(batch: u32, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..N_BATCHES)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..batch {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(batch)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[N_BATCHES / 2]
}

fn ball(triangles: usize) -> RoundedMesh {
    let mesh = generate::sphere(0.5, triangles).expect("a mesh");
    RoundedMesh::new(Arc::new(Solid::new(mesh).expect("a solid")), &Rounding::Uniform(2.0)).expect("a ball")
}

fn main() {
    let laws = [
        ("linear", Pressure::Linear { stiffness: 1e5 }),
        ("Hertz", Pressure::Hertz { modulus: 1e5 }),
        ("JKR", Pressure::Jkr { modulus: 1e5, work: 0.1 }),
        ("Maugis-Dugdale", Pressure::MaugisDugdale { modulus: 1e5, work: 0.1, stress: 1e3 }),
    ];
    for triangles in [1280, 20480] {
        let (a, b) = (ball(triangles), ball(triangles));
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -0.7, 1.1);
        let at = Pose::new(DVec3::new(0.31, -0.47, 0.83).normalize() * 0.99, turn);
        let margins = Margins { depth: 0.012, gap: 1e-3, skin: 5e-3 };
        let find = || Candidates::find(&a, &Pose::IDENTITY, &b, &at, margins);
        let list = find();
        let time = median(5, || {
            black_box(find());
        });
        println!("{triangles} facets each: {} candidates found in {:.1} us", list.pairs().len(), time * 1e-3);
        for (name, pressure) in laws {
            let query = Query { pressure, in_touch: true, about: DVec3::ZERO, detail: Detail::Sums };
            let ask = || touch(&a, &Pose::IDENTITY, &b, &at, &list, &query).expect("an answer");
            let found = ask();
            let time = median(5, || {
                black_box(ask());
            });
            let each = time / list.pairs().len() as f64;
            let pair =
                touch(&a, &Pose::IDENTITY, &b, &at, &list, &Query { detail: Detail::Polygons, ..query });
            let [i, j] = pair.expect("an answer").facets[0].facets;
            let (cap_a, cap_b) = (a.cap(i).expect("a cap"), b.cap(j).expect("a cap").moved(&at));
            let one = median(200, || {
                black_box(touch_caps(black_box(cap_a), black_box(&cap_b), &pressure, true).ok());
            });
            println!(
                "  {name:<15} {:>8.1} us, {each:>6.0} ns a candidate, {} touch; a touching pair {one:.0} ns",
                time * 1e-3,
                found.n_facets
            );
        }
    }
}
