//! Named benchmarks: medians over runs, with the published alternatives beside them where they are compiled in.

mod bounces;
mod curves;
mod errors;
mod facets;
mod gpu;
mod overlap;
mod paper;
mod passage;
mod scenes;
mod step;
mod work;
mod worlds;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tactum_gpu::OpenError;
use tactum_sim::StepError;

use crate::backend::{Backend, BackendOptions, Detector, RunnerError};
use crate::run::RunError;

/// A run that takes longer is not repeated \[ms\].
const LONG: f64 = 1e3;

/// The back ends, in the order in which they are timed.
const BACKENDS: [Backend; 4] = [Backend::Exact, Backend::Rays, Backend::Gpu, Backend::Auto];

/// What benchmarks are told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder for the tables and plots of those that make some; created if missing. None are written without it.
    pub out: Option<PathBuf>,
    /// Folder whose scene files are run.
    pub scenes: PathBuf,
}

/// A named benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Name for the command line.
    pub name: &'static str,
    /// What it measures, in one line.
    pub what: &'static str,
    run: fn(&Options) -> Result<Vec<Measurement>, BenchError>,
}

/// Why a benchmark could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Its scene could not be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its mesh could not be made.
    #[error(transparent)]
    Mesh(#[from] tactum_geometry::mesh::generate::GenerateError),
    /// Its mesh makes no surface.
    #[error(transparent)]
    Surface(#[from] tactum_geometry::passage::SurfaceError),
    /// Its facets could not be rounded.
    #[error(transparent)]
    Rounding(#[from] tactum_geometry::facets::RoundingError),
    /// Its facets could not be asked about.
    #[error(transparent)]
    Touch(#[from] tactum_geometry::facets::TouchError),
    /// Its mesh could not be prepared.
    #[error(transparent)]
    Solid(#[from] tactum_geometry::solid::SolidError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Its world could not be made.
    #[error(transparent)]
    World(#[from] tactum_sim::SettingsError),
    /// A body could not be put into its world.
    #[error(transparent)]
    Body(#[from] tactum_sim::BodyError),
    /// There is a device, but it cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The device did not take a mesh.
    #[error(transparent)]
    Upload(#[from] tactum_gpu::UploadError),
    /// The stages could not be run.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// The device did not measure.
    #[error(transparent)]
    Measure(#[from] tactum_gpu::MeasureError),
    /// There is no thread to run in.
    #[error("cannot start a thread: {0}")]
    Threads(#[source] rayon::ThreadPoolBuildError),
    /// A folder or table cannot be read or written.
    #[error("cannot {what} '{}': {source}", path.display())]
    File {
        /// What was tried, in words.
        what: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A folder has no scenes.
    #[error("there are no scene files (*.toml) in '{}'", .0.display())]
    NoScenes(PathBuf),
}

/// One line of a benchmark's table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Measurement {
    /// Name of the benchmark.
    pub bench: &'static str,
    /// What was measured.
    pub case: String,
    /// With which method.
    pub method: &'static str,
    /// Median wall time \[ms\]; of a stage, its time on the device. Not a number where there was no run.
    pub median_ms: f64,
    /// Number of runs.
    pub runs: usize,
    /// What else there is to say.
    pub remark: String,
}

impl Measurement {
    fn remarked(self, remark: String) -> Self {
        Self { remark, ..self }
    }
}

impl Bench {
    /// Runs it.
    ///
    /// # Errors
    /// If its scene or meshes cannot be made, or a table cannot be written.
    pub fn run(&self, options: &Options) -> Result<Vec<Measurement>, BenchError> {
        (self.run)(options)
    }
}

/// All benchmarks.
pub fn all() -> Vec<Bench> {
    vec![
        Bench {
            name: "overlap",
            what: "the overlap of one pair of meshes, in one thread",
            run: |_| overlap::run(),
        },
        Bench {
            name: "gpu",
            what: "the overlaps of many pairs of meshes by every back end; stages on the device",
            run: |_| gpu::run(),
        },
        Bench {
            name: "work",
            what: "what the stages do for one pair of meshes, and the time below which a card of 3 TB/s and 50 Tflop/s is not done with it",
            run: work::run,
        },
        Bench {
            name: "step",
            what: "time steps of settled piles with all threads, those of meshes by every back end",
            run: |_| step::run(),
        },
        Bench {
            name: "worlds",
            what: "a step of 1,000 and of 4,096 small worlds with all threads: one at a time, and in lockstep by every back end",
            run: |_| worlds::run(),
        },
        Bench {
            name: "facets",
            what: "sub-steps of up to 10,648 grains of 80 facets and what they are made of, in one thread",
            run: |_| facets::run(),
        },
        Bench {
            name: "curves",
            what: "force over depth of balls and ellipsoids of facets beside Hertz', elliptic and JKR's contact, with a table and a plot",
            run: curves::run,
        },
        Bench {
            name: "passage",
            what: "passages of two balls of up to 20,480 facets, and a ring on another one by two contact laws",
            run: |_| passage::run(),
        },
        Bench {
            name: "bounces",
            what: "rebounds in 201 phases of a step with continuous and plain penalty forces, with a plot",
            run: bounces::run,
        },
        Bench {
            name: "scenes",
            what: "every scene of a folder from start to end in one thread: median times of a step's phases",
            run: scenes::run,
        },
        Bench {
            name: "errors",
            what: "how far motions with closed forms are off at steps of 10 ms down to 0.5 ms, with a plot",
            run: errors::run,
        },
        Bench {
            name: "paper",
            what: "tables 1 and 2 and figures 15 and 16 of Bouchard et al. 2015 made again, in one thread",
            run: paper::run,
        },
    ]
}

/// The measurements as one JSON object.
pub fn to_json(measured: &[Measurement]) -> String {
    serde_json::json!({ "measurements": measured, "version": env!("CARGO_PKG_VERSION") }).to_string()
}

/// Median wall time of a task \[ms\] and the number of runs: at least five, and as many as fit into half a second.
fn time<T>(mut task: impl FnMut() -> T) -> (f64, usize) {
    const MIN_RUNS: usize = 5;
    const BUDGET: Duration = Duration::from_millis(500);
    // The first run fills caches and is not counted.
    std::hint::black_box(task());
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < MIN_RUNS || begin.elapsed() < BUDGET {
        let start = Instant::now();
        std::hint::black_box(task());
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    let runs = times.len();
    (median(times), runs)
}

/// As [`time`], but a run that takes long is not repeated.
fn time_within<T>(mut task: impl FnMut() -> T) -> (f64, usize) {
    let begin = Instant::now();
    std::hint::black_box(task());
    let first = 1e3 * begin.elapsed().as_secs_f64();
    if first > LONG { (first, 1) } else { time(task) }
}

/// Writes a file into a folder that need not exist yet.
fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    let fault = |source| BenchError::File { what: "write", path: path.to_owned(), source };
    std::fs::write(path, text).map_err(fault)
}

/// Makes the folder for results, before the work is done.
fn make_folder(path: &Path) -> Result<(), BenchError> {
    let fault = |source| BenchError::File { what: "create the folder", path: path.to_owned(), source };
    std::fs::create_dir_all(path).map_err(fault)
}

/// A detector; none where there is no device for it.
fn open(backend: Backend) -> Result<Option<Detector>, BenchError> {
    match Detector::open(&BackendOptions { backend, ..BackendOptions::default() }) {
        Ok(detector) => Ok(Some(detector)),
        Err(OpenError::NoAdapter) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Median; 0 for no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => 0.5 * (values[n / 2 - 1] + values[n / 2]),
    }
}
