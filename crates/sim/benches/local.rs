//! Times of one contact block: median over rounds of many calls, by patch and by what the contact does.
//!
//! `cargo bench -p tactum-sim --bench local -- [PART OF A CONTACT'S NAME]`

use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;

use glam::{DMat3, DVec2, DVec3};
use tactum_sim::ContactLimits;
use tactum_sim::solver::Vec6;
use tactum_sim::solver::local::{self, Block};
use tactum_sim::{ContactFrame, ContactPatch, LimitSurface};
use tactum_sim::{LocalSolver, SpinCoupling, SpinRule};

#[allow(dead_code)] // shared with the tests, which use more of it
#[path = "../tests/local/random.rs"]
mod random;

/// Calls per round: long against the clock's resolution, short against a time slice, so that a busy machine disturbs
/// few rounds.
const N_CALLS: u32 = 100;
/// Rounds per median.
const N_ROUNDS: usize = 501;

fn median_ns(mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..N_ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..N_CALLS {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(N_CALLS)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[N_ROUNDS / 2]
}

/// A polygon of `n` corners on a circle that touches a unit cube's faces.
fn polygon(n: u32) -> ContactPatch {
    let corner = |k: u32| DVec2::from_angle((f64::from(k) + 0.5) * TAU / f64::from(n)) * 0.5;
    ContactPatch::polygon(&(0..n).map(corner).collect::<Vec<_>>())
}

fn main() {
    // A unit cube on the ground, its centre of mass a little off the patch's middle.
    let frame = ContactFrame::new(DVec3::new(0.05, 0.03, -0.5), DVec3::Z, [DVec3::X, DVec3::Y]);
    let block = Block::new(frame.admittance(1.0, &DMat3::from_diagonal(DVec3::splat(6.0)), DVec3::ZERO));
    let twist = |v, omega| frame.twist(DVec3::ZERO, v, omega);
    let fall = DVec3::new(0.0, 0.0, -0.1);
    let cases: [(&str, Vec6); 6] = [
        ("sticking", twist(fall + DVec3::X * 0.01, DVec3::ZERO)),
        ("sliding", twist(fall + DVec3::X, DVec3::ZERO)),
        ("spinning", twist(fall, DVec3::Z * 3.0)),
        ("sliding and spinning", twist(fall + DVec3::X, DVec3::Z * 3.0)),
        ("tipping", twist(fall, DVec3::new(1.0, 2.0, 0.1))),
        ("landing on its border", twist(DVec3::Z * 0.2, DVec3::new(1.0, 2.0, 0.1))),
    ];
    let patches = [
        ("ellipse", ContactPatch::ellipse(0.5, 0.4)),
        ("4 corners", polygon(4)),
        ("16 corners", polygon(16)),
        ("32 corners", polygon(32)),
    ];
    println!(
        "{:<24}{:<12}{:>12}{:>12}{:>18}",
        "contact", "patch", "paper [ns]", "cone [ns]", "ellipsoid [ns]"
    );
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for (what, e) in cases.iter().filter(|(what, _)| what.contains(&filter)) {
        for (shape, patch) in &patches {
            let limits = |coupling| ContactLimits::new(patch.clone(), 0.3, SpinRule::Uniform, coupling);
            let time = |solver, limits: &ContactLimits| {
                median_ns(|| {
                    black_box(local::solve(solver, &block, black_box(e), limits, &Vec6::ZERO, 0.0));
                })
            };
            let surface = limits(SpinCoupling::Surface);
            let ellipsoid = limits(SpinCoupling::Ellipsoid);
            let [paper, cone] = [LocalSolver::Paper, LocalSolver::Cone].map(|solver| time(solver, &surface));
            let simple = time(LocalSolver::Cone, &ellipsoid);
            println!("{what:<24}{shape:<12}{paper:>12.0}{cone:>12.0}{simple:>18.0}");
        }
    }
    random_blocks();
    let matrix = *block.matrix();
    let prepare = median_ns(|| {
        black_box(Block::new(black_box(matrix)));
    });
    let hull: Vec<_> = (0..32).map(|k| DVec2::from_angle(f64::from(k) * TAU / 32.0)).collect();
    let patch = median_ns(|| {
        black_box(ContactPatch::polygon(black_box(&hull)));
    });
    println!("{:<36}{prepare:>12.0}", "prepare a block");
    println!("{:<36}{patch:>12.0}", "make a polygon of 32 corners");
    let made = ContactPatch::polygon(&hull);
    let surface = median_ns(|| {
        black_box(LimitSurface::new(black_box(&made), SpinRule::Uniform, SpinCoupling::Surface));
    });
    println!("{:<36}{surface:>12.0}", "make its limit surface");
}

/// Mean times over 1000 random blocks, which open, stick, slide, spin and tip, cold and from their answers.
fn random_blocks() {
    let mut rng = random::Rng::new(28);
    let cases: Vec<_> = (0..1000)
        .map(|ix| {
            let case = random::case(&mut rng);
            let patch = match ix % 2 {
                0 => random::ellipse(&mut rng, case.size),
                _ => random::polygon(&mut rng, case.size),
            };
            let limits = ContactLimits::new(patch, case.friction, SpinRule::Uniform, SpinCoupling::Surface);
            (case, limits)
        })
        .collect();
    for solver in [LocalSolver::Paper, LocalSolver::Cone] {
        let solve = |(case, limits): &(random::Case, ContactLimits), guess: &Vec6| {
            local::solve(solver, &case.block, black_box(&case.e), limits, guess, 0.0)
        };
        let answers: Vec<Vec6> = cases.iter().map(|case| solve(case, &Vec6::ZERO).impulse).collect();
        let mut best = [f64::INFINITY; 2];
        for _ in 0..50 {
            for (best, warm) in best.iter_mut().zip([false, true]) {
                let start = Instant::now();
                for (case, answer) in cases.iter().zip(&answers) {
                    black_box(solve(case, if warm { answer } else { &Vec6::ZERO }));
                }
                *best = best.min(start.elapsed().as_secs_f64() * 1e9 / cases.len() as f64);
            }
        }
        let [cold, warm] = best;
        println!(
            "1000 random blocks, {solver:?}: {cold:.0} ns each, {warm:.0} ns from the answer (best of 50)"
        );
    }
}
