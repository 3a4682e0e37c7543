//! Intervals and roots against dense sampling: nothing is missed.

use tactum_random::Rng;

use super::super::{Bernstein, EdgeEdge, VertexFace};
use super::path;

/// Pairs of each kind, and times of each pair.
const PAIRS: usize = 100_000;
const TIMES: usize = 50;

/// What a sampled height or weight has to be away from zero by to count: rounding of terms of third and fourth degree.
const CLEAR: f64 = 1e-10;

/// At every sampled time the intervals say what the definitions say, but for times at which the definition itself is rounding.
#[test]
fn cp_04_intervals_of_vertex_and_face_miss_nothing() {
    let mut rng = Rng::new(4);
    let mut counts = [0_usize; 4];
    let mut n_culled = 0;
    for _ in 0..rng.cases(PAIRS) {
        let [a, b, c, p] = [(); 4].map(|()| path(&mut rng));
        let pair = VertexFace::new(p, [a, b, c]);
        let intervals = pair.intervals();
        counts[intervals.len().min(3)] += 1;
        let is_culled = pair.height().has_one_sign();
        n_culled += usize::from(is_culled);
        for i in 0..TIMES {
            let t = (i as f64 + 0.5) / TIMES as f64;
            // By the definition: positions at the time, plain geometry.
            let [a, b, c, p] = [a, b, c, p].map(|path| path.at(t));
            let m = (b - a).cross(c - a);
            let height = m.dot(p - a);
            let weights =
                [(b - p).cross(c - p), (c - p).cross(a - p), (a - p).cross(b - p)].map(|n| n.dot(m));
            if height.abs() < CLEAR || weights.iter().any(|w| w.abs() < CLEAR) {
                continue;
            }
            let truth = height < 0.0 && weights.iter().all(|w| *w >= 0.0);
            let found = intervals.iter().any(|[from, to]| (*from..=*to).contains(&t));
            assert_eq!(found, truth, "at {t} of {pair:?}: {intervals:?}");
            assert!(
                !is_culled || height.signum() == pair.height().0[0].signum(),
                "culled, but it changes sides"
            );
        }
    }
    let part = |n: usize| 100.0 * n as f64 / PAIRS as f64;
    println!("0, 1, 2, 3 intervals: {:?} %; culled {} %", counts.map(part), part(n_culled));
    assert!(counts.iter().all(|n| *n > 0), "every number of intervals occurs: {counts:?}");
}

#[test]
fn intervals_of_two_edges_miss_nothing() {
    let mut rng = Rng::new(6);
    for _ in 0..rng.cases(PAIRS) {
        let [a, b, c, d] = [(); 4].map(|()| path(&mut rng));
        let pair = EdgeEdge::new([a, b], [c, d]);
        let intervals = pair.intervals(1.0);
        for i in 0..TIMES {
            let t = (i as f64 + 0.5) / TIMES as f64;
            let Some([alpha, beta]) = pair.parameters_at(t) else { continue };
            let [a, b, c, d] = [a, b, c, d].map(|path| path.at(t));
            // The parameters are those of the lines' nearest points: what joins them is across both.
            let (on_ab, on_cd) = (a + alpha * (b - a), c + beta * (d - c));
            let joint = on_cd - on_ab;
            let scale = 1.0 + joint.length();
            assert!(joint.dot(b - a).abs() < 1e-9 * scale && joint.dot(d - c).abs() < 1e-9 * scale);
            let height = (b - a).cross(d - c).dot(joint);
            let from_ends = [alpha, 1.0 - alpha, beta, 1.0 - beta];
            // Near the bound of parallel edges, which the intervals take from the longest that the edges are, they may end sooner.
            let sine = (b - a).normalize().cross((d - c).normalize()).length();
            if height.abs() < CLEAR || from_ends.iter().any(|x| x.abs() < 1e-8) || sine < 0.3 {
                continue;
            }
            let truth = height < 0.0 && from_ends.iter().all(|x| *x >= 0.0);
            let found = intervals.iter().any(|[from, to]| (*from..=*to).contains(&t));
            let longest = pair.borders()[4].at(t) >= 0.0;
            assert!(found == truth || !longest, "at {t} of {pair:?}: {intervals:?}");
        }
    }
}

/// Roots of polynomials made from known ones, some of them double or at the ends.
#[test]
fn roots_are_found() {
    let mut rng = Rng::new(7);
    for _ in 0..rng.cases(20_000) {
        let mut roots: Vec<f64> = (0..4).map(|_| rng.range(-0.5, 1.5)).collect();
        roots.sort_by(f64::total_cmp);
        if roots.windows(2).any(|two| two[1] - two[0] < 1e-3) {
            continue;
        }
        // The blossom of Π (t - r): coefficient i is its value with i arguments 1 and the others 0, averaged over their order.
        let at = |ones: u32| -> f64 {
            let chosen = (0..16_u32).filter(|set| set.count_ones() == ones);
            let value =
                |set: u32| (0..4).map(|i| f64::from(set >> i & 1) - roots[i as usize]).product::<f64>();
            let (n, sum) = chosen.fold((0, 0.0), |(n, sum), set| (n + 1, sum + value(set)));
            sum / f64::from(n)
        };
        let quartic = Bernstein([0, 1, 2, 3, 4].map(at));
        let mut found = Vec::new();
        quartic.roots(&mut found);
        let expected: Vec<f64> = roots.into_iter().filter(|r| (0.0..=1.0).contains(r)).collect();
        assert_eq!(found.len(), expected.len(), "{found:?} for {expected:?}");
        // The coefficients round to 1e-16, over slopes of down to (1e-3)^3.
        assert!(found.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-6), "{found:?} for {expected:?}");
    }
    let mut double = Vec::new();
    // (t - 1/2)²
    Bernstein([0.25, -0.25, 0.25]).roots(&mut double);
    assert!(!double.is_empty() && double.iter().all(|t| (t - 0.5).abs() < 1e-7), "{double:?}");
}
