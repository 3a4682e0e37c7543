//! Which pairs of a step go to the device and which stay on the processor, by measured costs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use tactum_geometry::facets::{Candidates, Detail, Margins, Pressure, Query, RoundedMesh, Rounding};
use tactum_geometry::mesh::generate;
use tactum_geometry::overlap::exact;
use tactum_geometry::{Pose, Solid};
use tactum_sim::{BodyId, FacetsQuestion};

use super::facets::FacetDetector;
use super::rays::{MeshPair, RayDetector};
use super::{RunnerError, StageRunner};

/// What pairs of meshes cost on this machine \[s\].
///
/// An exact overlap follows the curve in which the surfaces cross, hence the square root of their triangles, and rounded meshes touch
/// over a part of their facets; what a device takes for a pair grows with its triangles as it was measured to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostModel {
    /// An exact pair, whatever its size.
    pub exact_pair: f64,
    /// More for each unit of the square root of its triangles.
    pub exact_root: f64,
    /// A submission to the device, whatever it holds.
    pub submission: f64,
    /// A pair more in a submission.
    pub cast_pair: f64,
    /// More for each of its triangles.
    pub cast_triangle: f64,
}

/// Triangles of the meshes that the costs of overlaps are measured on, both of a pair together, and of those of touches.
const OF_OVERLAPS: [usize; 2] = [2_000, 60_000];
const OF_FACETS: [usize; 2] = [160, 10_240];

/// Pairs in a submission when the cost of one more is measured.
const MANY: usize = 64;

/// Runs of each measurement; the fastest counts, as everything else on the machine only slows it down.
const RUNS: usize = 5;

/// Wall times \[s\] of pairs of two sizes.
struct Times {
    /// Triangles of both bodies of a small pair and of a large one.
    sizes: [usize; 2],
    /// Of one of each on the processor.
    exact: [f64; 2],
    /// Of one of each on the device.
    one: [f64; 2],
    /// Of [`MANY`] small ones in a submission.
    many: f64,
}

impl CostModel {
    /// Measured costs of overlaps by this machine's processor and the detector's device; read from the user's cache if they were
    /// measured before.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails.
    pub fn of_overlaps(detector: &mut RayDetector) -> Result<Self, RunnerError> {
        let path = cache_file(detector.runner(), &detector.rays().to_string());
        kept(path, || Self::measure_overlaps(detector))
    }

    /// The same of touches of facets.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails.
    pub fn of_facets(runner: &mut StageRunner, detector: &mut FacetDetector) -> Result<Self, RunnerError> {
        let path = cache_file(runner, "facets");
        kept(path, || Self::measure_facets(runner, detector))
    }

    fn measure_overlaps(detector: &mut RayDetector) -> Result<Self, RunnerError> {
        let pairs = OF_OVERLAPS.map(|n| [blob(n / 2, 1), blob(n / 2, 2)]);
        let exact = |[a, b]: &[Arc<Solid>; 2]| {
            fastest(|| {
                std::hint::black_box(exact::overlap(a, b, &in_contact()));
                Ok(())
            })
        };
        let exact = [exact(&pairs[0])?, exact(&pairs[1])?];
        let mut cast = |[a, b]: &[Arc<Solid>; 2], n: usize| {
            let pairs = vec![MeshPair { a, b, a_from_b: in_contact() }; n];
            detector.overlaps(&pairs)?;
            fastest(|| detector.overlaps(&pairs).map(|_| ()))
        };
        let one = [cast(&pairs[0], 1)?, cast(&pairs[1], 1)?];
        Ok(Self::from(Times { sizes: OF_OVERLAPS, exact, one, many: cast(&pairs[0], MANY)? }))
    }

    fn measure_facets(runner: &mut StageRunner, detector: &mut FacetDetector) -> Result<Self, RunnerError> {
        let pairs = OF_FACETS.map(|n| balls_in_touch(n / 2));
        let exact = |question: &FacetsQuestion| {
            fastest(|| {
                std::hint::black_box(question.answer());
                Ok(())
            })
        };
        let exact = [exact(&pairs[0])?, exact(&pairs[1])?];
        let mut by_stages = |question: &FacetsQuestion, n: usize| {
            let questions = vec![question; n];
            detector.answers(runner, &questions)?;
            fastest(|| detector.answers(runner, &questions).map(|_| ()))
        };
        let one = [by_stages(&pairs[0], 1)?, by_stages(&pairs[1], 1)?];
        Ok(Self::from(Times { sizes: OF_FACETS, exact, one, many: by_stages(&pairs[0], MANY)? }))
    }

    fn exact(&self, n_triangles: [usize; 2]) -> f64 {
        self.exact_pair + self.exact_root * (n_triangles.iter().sum::<usize>() as f64).sqrt()
    }

    fn cast(&self, n_triangles: [usize; 2]) -> f64 {
        self.cast_pair + self.cast_triangle * n_triangles.iter().sum::<usize>() as f64
    }

    /// Which of the pairs go to the device, given the triangles of both bodies of each, so that processor and device
    /// together are done soonest. The most expensive go first; none if a submission does not pay.
    pub fn share(&self, pairs: &[[usize; 2]], n_threads: usize) -> Vec<bool> {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&i, &j| self.gain(pairs[j]).total_cmp(&self.gain(pairs[i])));
        let threads = n_threads.max(1) as f64;
        let mut on_processor: f64 = pairs.iter().map(|&pair| self.exact(pair)).sum();
        let mut on_device = self.submission;
        let (mut best, mut n_cast) = (on_processor / threads, 0);
        for (ix, &pair) in order.iter().enumerate() {
            on_processor -= self.exact(pairs[pair]);
            on_device += self.cast(pairs[pair]);
            let time = (on_processor / threads).max(on_device);
            if time < best {
                (best, n_cast) = (time, ix + 1);
            }
        }
        let mut chosen = vec![false; pairs.len()];
        for &pair in &order[..n_cast] {
            chosen[pair] = true;
        }
        chosen
    }

    /// Processor time saved for each unit of device time.
    fn gain(&self, pair: [usize; 2]) -> f64 {
        self.exact(pair) / self.cast(pair).max(f64::MIN_POSITIVE)
    }
}

impl From<Times> for CostModel {
    fn from(Times { sizes: [small, large], exact, one, many }: Times) -> Self {
        let roots = [small, large].map(|n| (n as f64).sqrt());
        let exact_root = ((exact[1] - exact[0]) / (roots[1] - roots[0])).max(0.0);
        let pair = ((many - one[0]) / (MANY - 1) as f64).max(0.0);
        let cast_triangle = ((one[1] - one[0]) / (large - small) as f64).max(0.0);
        Self {
            exact_pair: (exact[0] - exact_root * roots[0]).max(0.0),
            exact_root,
            submission: (one[0] - pair).max(0.0),
            cast_pair: (pair - cast_triangle * small as f64).max(0.0),
            cast_triangle,
        }
    }
}

/// Costs from a file, or measured and kept there.
fn kept(
    path: Option<PathBuf>,
    measure: impl FnOnce() -> Result<CostModel, RunnerError>,
) -> Result<CostModel, RunnerError> {
    let cached = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    if let Some(costs) = cached.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(costs);
    }
    let costs = measure()?;
    if let (Some(path), Ok(text)) = (path, serde_json::to_string(&costs)) {
        // A cache that cannot be written only costs the measurement again.
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = std::fs::write(path, text);
    }
    Ok(costs)
}

fn fastest(mut run: impl FnMut() -> Result<(), RunnerError>) -> Result<f64, RunnerError> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = Instant::now();
        run()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn blob(triangles: usize, seed: u64) -> Arc<Solid> {
    let mesh = generate::critter(1.0, seed, triangles).expect("a critter of this size can be made");
    Arc::new(Solid::new(mesh).expect("a critter is closed"))
}

fn in_contact() -> Pose {
    Pose::new(DVec3::new(0.3, 0.1, 0.25), DQuat::from_rotation_y(0.5))
}

/// Two balls of so many facets each that touch as deep as bodies do.
fn balls_in_touch(facets: usize) -> FacetsQuestion {
    let radius = 1.0;
    let ball = || {
        let mesh = generate::sphere(radius, facets).expect("a ball of this size can be made");
        let solid = Arc::new(Solid::new(mesh).expect("a ball is closed"));
        Arc::new(RoundedMesh::new(solid, &Rounding::Uniform(1.0 / radius)).expect("a ball is round"))
    };
    let meshes = [ball(), ball()];
    let at_b = Pose::new(DVec3::X * (2.0 - 1e-3) * radius, DQuat::from_rotation_y(0.5));
    let poses = [Pose::IDENTITY, at_b];
    let margins = Margins { depth: 0.01, gap: 0.0, skin: 0.01 };
    let [a, b] = &meshes;
    let candidates = Some(Arc::new(Candidates::find(a, &poses[0], b, &poses[1], margins)));
    let pressure = Pressure::Hertz { modulus: 1e6 };
    let query = Query { pressure, in_touch: true, about: DVec3::ZERO, detail: Detail::Patches };
    FacetsQuestion { bodies: [BodyId(0), BodyId(1)], meshes, poses, candidates, margins, query }
}

/// Where costs are kept, by device and build of this program.
fn cache_file(runner: &StageRunner, how: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    let adapter = runner.adapter()?.to_string();
    let name: String = adapter.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let file = format!("costs-{}-{how}-{name}.json", env!("CARGO_PKG_VERSION"));
    Some(folder.join("tactum").join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: CostModel = CostModel {
        exact_pair: 2e-5,
        exact_root: 5e-6,
        submission: 2e-4,
        cast_pair: 1e-6,
        cast_triangle: 1e-10,
    };

    /// Time that a choice takes by the model.
    fn time(costs: &CostModel, pairs: &[[usize; 2]], chosen: &[bool], threads: f64) -> f64 {
        let (mut processor, mut device) = (0.0, 0.0);
        for (&pair, &cast) in pairs.iter().zip(chosen) {
            if cast {
                device += costs.cast(pair);
            } else {
                processor += costs.exact(pair);
            }
        }
        let submission = if chosen.contains(&true) { costs.submission } else { 0.0 };
        (processor / threads).max(device + submission)
    }

    #[test]
    fn a_single_small_pair_stays_and_many_large_ones_go() {
        assert_eq!(COSTS.share(&[[500, 500]], 2), [false]);
        assert_eq!(COSTS.share(&[], 2), [false; 0]);
        let many = COSTS.share(&vec![[50_000, 50_000]; 100], 2);
        assert!(many.iter().filter(|&&cast| cast).count() > 80);
    }

    #[test]
    fn sharing_is_never_slower_than_either_alone() {
        for n in [1, 3, 10, 40] {
            let pairs: Vec<[usize; 2]> =
                (0..n).map(|k| [1000 * (k % 7 + 1), 300 * (k * k % 11 + 1)]).collect();
            let chosen = COSTS.share(&pairs, 4);
            let shared = time(&COSTS, &pairs, &chosen, 4.0);
            // The processor's time is never above the smaller alternative but by the rounding of its sum.
            assert!(shared <= time(&COSTS, &pairs, &vec![false; n], 4.0) * (1.0 + 1e-12));
            assert!(shared <= time(&COSTS, &pairs, &vec![true; n], 4.0) * (1.0 + 1e-12));
        }
    }

    #[test]
    fn a_device_slower_than_the_processor_gets_nothing_large() {
        let slow = CostModel { cast_pair: 1e-2, ..COSTS };
        assert_eq!(slow.share(&[[1000, 1000]; 4], 2), [false; 4]);
    }
}
