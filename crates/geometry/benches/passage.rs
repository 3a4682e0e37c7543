//! Time of the passage of two meshes: `cargo bench -p tactum-geometry --bench passage`.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // a bench prints, and stops where its meshes cannot be made

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;
use tactum_geometry::Pose;
use tactum_geometry::mesh::generate;
use tactum_geometry::passage::{Matter, Motion, Surface, Tracks, Wanted, passage};

/// Runs of each case, of which the median counts.
const RUNS: usize = 21;

/// Radius of the balls \[m\], and how far they come nearer in the step.
const RADIUS: f64 = 0.5;
const WAY: f64 = 0.002;

fn main() {
    println!("facets each, depth: µs, pairs of faces, of features, left by signs, intervals");
    for triangles in [320, 1280, 2000, 5120, 20_480] {
        for depth in [0.001, 0.05] {
            let mesh = generate::sphere(RADIUS, triangles).unwrap();
            let ball = Matter::Surface(Arc::new(Surface::new(&mesh).unwrap()));
            let at = |depth: f64| Pose::from_translation(DVec3::new(0.01, 0.02, 2.0 * RADIUS - depth));
            let still = Motion::at_rest(Pose::IDENTITY);
            let coming = Motion { start: at(-0.001), end: at(depth) };
            let inside = passage([&ball, &ball], [&still, &coming], Some(&Tracks::default()), Wanted::Tracks);
            let motion = Motion { start: at(depth), end: at(depth + WAY) };
            let go = || passage([&ball, &ball], [&still, &motion], Some(&inside.tracks), Wanted::Penalty);
            let mut times: Vec<f64> = (0..RUNS)
                .map(|_| {
                    let start = Instant::now();
                    black_box(go());
                    1e6 * start.elapsed().as_secs_f64()
                })
                .collect();
            times.sort_unstable_by(f64::total_cmp);
            let counts = go().counts;
            println!(
                "{:6}, {depth}: {:8.0} µs, {}, {}, {}, {}",
                mesh.triangles.len(),
                times[RUNS / 2],
                counts.faces,
                counts.features,
                counts.crossing,
                counts.intervals
            );
        }
    }
}
