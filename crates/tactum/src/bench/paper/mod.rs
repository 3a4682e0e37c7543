//! Tables 1 and 2 and figures 15 and 16 of Bouchard, Nesme, Tournier, Wang, Faure, Kry 2015 ("6D Frictional Contact for
//! Rigid Bodies") made again: contacts of six rows against contact points, on the same overlaps, in the same solver.
//!
//! Everything runs in one thread, so that the time of a phase is the work in it.

mod scenes;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use tactum_sim::ContactFrame;
use tactum_sim::solver::Mat6;
use tactum_sim::solver::local::Block;
use tactum_sim::{
    Accelerator, Body, BodyKind, ContactModel, LocalSolver, NormalRule, PatchModel, RollingRule, Settings,
    SpinRule, StepReport, World,
};

use self::scenes::{CASES, Case, OCTAGON};
use super::{BenchError, Measurement, Options, make_folder, write};
use crate::backend::Detector;
use crate::bench::median;
use crate::plot::{Legend, Line, Mark, Plot, Scale};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;
use crate::session::Session;

/// Steps that are measured, as in table 2.
const STEPS: usize = 100;

/// Update norm at which the solver stops, as in section 6.1.8 \[N s\].
const TOLERANCE: f64 = 1e-15;

/// One way to solve a contact.
struct Method {
    name: &'static str,
    /// Colour of its line, as in SVG.
    colour: &'static str,
    /// Its settings from those of the scene.
    settings: fn(Settings) -> Settings,
}

/// The engine's own solver, whatever the scene came to rest with.
fn shipped(settings: Settings) -> Settings {
    let Settings { local, accelerator, tolerance, motion_tolerance, max_solves, .. } = Settings::default();
    Settings { local, accelerator, tolerance, motion_tolerance, max_solves, ..settings }
}

/// Cold and to the last digit, as the source measures.
fn exhaustive(settings: Settings) -> Settings {
    Settings {
        tolerance: TOLERANCE,
        relative_tolerance: 0.0,
        motion_tolerance: 0.0,
        max_solves: u64::MAX,
        warm_start: false,
        ..shipped(settings)
    }
}

const SIX_D: Method = Method { name: "6D", colour: "#000000", settings: exhaustive };

/// Everything as the source has it: patch, normal, spin limit, projection and plain Gauss-Seidel.
const SIX_D_2015: Method = Method {
    name: "6D 2015",
    colour: "#767676",
    settings: |settings| Settings {
        patch: PatchModel::Ellipse { k: 3.0 },
        normal: NormalRule::Gradient,
        rolling: RollingRule::Pivot,
        spin: SpinRule::Corners,
        local: LocalSolver::Paper,
        accelerator: Accelerator::None,
        ..exhaustive(settings)
    },
};

const POINTS: Method = Method {
    name: "points",
    colour: "#0050d0",
    settings: |settings| Settings {
        contact: ContactModel::Points,
        accelerator: Accelerator::None,
        ..exhaustive(settings)
    },
};

/// The points with all the help that the six rows get.
const POINTS_HELPED: Method = Method {
    name: "points+",
    colour: "#56a0ff",
    settings: |settings| Settings { contact: ContactModel::Points, ..exhaustive(settings) },
};

/// The engine's defaults: warm-started, to its own tolerance.
const AS_SHIPPED: Method = Method { name: "default", colour: "#208040", settings: shipped };

const COLD: [Method; 4] = [SIX_D, SIX_D_2015, POINTS, POINTS_HELPED];

pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(BenchError::Threads)?;
    pool.install(|| measure(options))
}

fn measure(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let mut results = Vec::new();
    if let Some(dir) = &options.out {
        make_folder(dir)?;
    }
    for case in CASES {
        let start = case.settled()?;
        for method in COLD.into_iter().chain([AS_SHIPPED]) {
            results.push(Record::of(case, &start, &method)?);
        }
    }
    if let Some(dir) = &options.out {
        write(&dir.join("tables.csv"), &table(&results))?;
        for (name, case) in
            [("figure15-stack", &CASES[3]), ("figure15-salad", &CASES[1]), ("figure16", &OCTAGON)]
        {
            figure(dir, name, case)?;
        }
    }
    Ok(results.iter().flat_map(Record::lines).collect())
}

impl Case {
    /// The world at the first step to be measured.
    fn settled(&self) -> Result<World, BenchError> {
        let scene = Scene::parse(self.text, Path::new(self.name)).map_err(RunError::from)?;
        let world = Run::prepare(scene, &RunOptions::default())?.into_world();
        let mut session = Session::new(world, Detector::exact());
        for _ in 0..self.settling_steps {
            session.step()?;
        }
        Ok(session.world().clone())
    }
}

/// Mean and standard deviation.
#[derive(Clone, Debug, Default)]
struct Series(Vec<f64>);

impl Series {
    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        (self.0.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / self.0.len() as f64).sqrt()
    }

    fn largest(&self) -> f64 {
        self.0.iter().fold(0.0, |largest, &x| largest.max(x))
    }
}

/// What one method did on one scene.
struct Record {
    case: &'static str,
    method: &'static str,
    /// Time of each step \[ms\].
    detection: Series,
    assembly: Series,
    factorisation: Series,
    solve: Series,
    sweeps: Series,
    residual: Series,
    rows: Series,
    /// Steps that ended at the limit of sweeps.
    n_limited: usize,
}

impl Record {
    fn of(case: &Case, start: &World, method: &Method) -> Result<Self, BenchError> {
        let mut world = start.clone();
        let settings = (method.settings)(Settings { max_sweeps: case.max_sweeps, ..*world.settings() });
        world.set_settings(settings)?;
        let mut session = Session::new(world, Detector::exact());
        let series = Series::default;
        let mut result = Self {
            case: case.name,
            method: method.name,
            detection: series(),
            assembly: series(),
            factorisation: series(),
            solve: series(),
            sweeps: series(),
            residual: series(),
            rows: series(),
            n_limited: 0,
        };
        for _ in 0..STEPS {
            let report = session.step()?;
            result.add(&report, session.world());
        }
        Ok(result)
    }

    fn add(&mut self, report: &StepReport, world: &World) {
        let ms = |seconds: f64| 1e3 * seconds;
        let (n_rows, factorisation) = if world.settings().contact == ContactModel::Points {
            // Points have no matrix of their own to factorise.
            (3 * world.snapshot().memory.contacts.iter().map(|c| c.points.len()).sum::<usize>(), 0.0)
        } else {
            (6 * report.contacts.len(), factorisation(report, world))
        };
        self.detection.0.push(ms(report.times.broad + report.times.detect));
        self.assembly.0.push(ms((report.times.assemble - factorisation).max(0.0)));
        self.factorisation.0.push(ms(factorisation));
        self.solve.0.push(ms(report.times.solve));
        self.sweeps.0.push(f64::from(report.sweeps));
        self.residual.0.push(report.update_norm);
        self.rows.0.push(n_rows as f64);
        self.n_limited += usize::from(report.unconverged_islands > 0);
    }

    fn phases(&self) -> [(&'static str, &Series); 4] {
        [
            ("detection", &self.detection),
            ("assembly", &self.assembly),
            ("factorisation", &self.factorisation),
            ("solve", &self.solve),
        ]
    }

    /// One line per phase; that of the solve has the sweeps too.
    fn lines(&self) -> Vec<Measurement> {
        let line = |(phase, series): (&str, &Series)| {
            let mut remark = format!("mean {:.4} ± {:.4}", series.mean(), series.deviation());
            if phase == "solve" {
                let _ = write!(
                    remark,
                    "; {:.0} rows, {:.1} ± {:.1} sweeps, update norm {:.1e} ± {:.1e} N s",
                    self.rows.mean(),
                    self.sweeps.mean(),
                    self.sweeps.deviation(),
                    self.residual.mean(),
                    self.residual.deviation()
                );
                if self.n_limited > 0 {
                    let _ = write!(
                        remark,
                        "; {} of {STEPS} steps ended at the limit of {:.0} sweeps",
                        self.n_limited,
                        self.sweeps.largest()
                    );
                }
            }
            Measurement {
                bench: "paper",
                case: format!("{}, {phase}", self.case),
                method: self.method,
                median_ms: median(series.0.clone()),
                runs: series.0.len(),
                remark,
            }
        };
        self.phases().into_iter().map(line).collect()
    }
}

/// Wall time of factorising the blocks of a step once more \[s\].
///
/// The step does it in the midst of its assembly, contact by contact, where it is too short to be timed. The matrices are
/// those of the bodies after the step, which is one step's motion off.
fn factorisation(report: &StepReport, world: &World) -> f64 {
    let matrices: Vec<Mat6> = report
        .contacts
        .iter()
        .map(|contact| {
            let frame = ContactFrame::new(contact.point, contact.normal, contact.axes);
            let mut matrix = Mat6::ZERO;
            for body in contact.bodies.map(|id| world.body(id)) {
                if body.kind == BodyKind::Dynamic {
                    matrix += frame.admittance(body.mass.mass.recip(), &inverse_inertia(body), body.position);
                }
            }
            matrix
        })
        .collect();
    let start = Instant::now();
    for matrix in matrices {
        black_box(Block::new(matrix));
    }
    start.elapsed().as_secs_f64()
}

/// Inverse inertia in world axes \[1/(kg m²)\].
fn inverse_inertia(body: &Body) -> glam::DMat3 {
    let r = glam::DMat3::from_quat(body.orientation);
    r * body.mass.inertia.inverse() * r.transpose()
}

/// Tables 1 and 2 in one, as comma-separated values.
fn table(results: &[Record]) -> String {
    let mut text = String::from("scene,method,rows");
    for phase in ["detection", "assembly", "factorisation", "solve"] {
        let _ = write!(text, ",{phase}_ms_mean,{phase}_ms_deviation");
    }
    text += ",sweeps_mean,sweeps_deviation,update_norm_mean,update_norm_deviation,steps_at_limit\n";
    for result in results {
        let _ = write!(text, "{},{},{:.1}", result.case, result.method, result.rows.mean());
        for (_, series) in result.phases() {
            let _ = write!(text, ",{:.6},{:.6}", series.mean(), series.deviation());
        }
        for series in [&result.sweeps, &result.residual] {
            let _ = write!(text, ",{:e},{:e}", series.mean(), series.deviation());
        }
        let _ = writeln!(text, ",{}", result.n_limited);
    }
    text
}

/// The update norm of each sweep of one cold step, by all methods, as a table and as a plot.
fn figure(dir: &Path, name: &str, case: &Case) -> Result<(), BenchError> {
    let start = case.settled()?;
    let mut csv = String::from("method,sweep,update_norm\n");
    let mut lines = Vec::new();
    for method in COLD {
        let mut world = start.clone();
        let settings = Settings { max_sweeps: case.max_sweeps, ..*world.settings() };
        world.set_settings((method.settings)(settings))?;
        let norms = Session::new(world, Detector::exact()).step()?.update_norms;
        for (sweep, norm) in (1..).zip(&norms) {
            let _ = writeln!(csv, "{},{sweep},{norm:e}", method.name);
        }
        let points = (1..).zip(&norms).map(|(sweep, &norm)| [f64::from(sweep), norm]).collect();
        lines.push(Line {
            name: format!("{} ({})", method.name, norms.len()),
            colour: method.colour,
            mark: Mark::Joined,
            points,
            aside: 0.0,
        });
    }
    let labels = ["sweep", "update norm [N s]"].map(str::to_owned);
    let (title, scales) = (case.title.to_owned(), [Scale::Logarithmic; 2]);
    let plot = Plot { title, labels, scales, legend: Legend::Right, lines };
    write(&dir.join(format!("{name}.csv")), &csv)?;
    write(&dir.join(format!("{name}.svg")), &plot.svg())
}
