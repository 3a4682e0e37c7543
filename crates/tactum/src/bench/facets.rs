//! Grains whose facets are caps of spheres, side by side on a lattice: what a sub-step of many contacts takes, and of what it is made.

use std::path::Path;
use std::time::Instant;

use tactum_sim::report::PhaseTimes;
use tactum_sim::{FacetsAnswer, FacetsQuestion, Progress, World};

use super::{BenchError, Measurement, median, open, time_within};
use crate::backend::{Backend, Detector};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;
use crate::session::Session;

/// Grains along each side of the lattices: 125, 1,000 and 10,648 of them.
const SIDES: [usize; 3] = [5, 10, 22];

/// Steps that are timed, after a first one that finds candidates.
const STEPS: usize = 4;

/// Grains of 1 cm and 80 facets each, 10 µm in each of their six neighbours; steps of some twenty sub-steps.
fn lattice(side: usize) -> String {
    format!(
        r#"
        dt = 2e-4
        gravity = [0, 0, 0]
        max_bodies = 20000
        [contact]
        law = "facets"
        young = 1e7
        [[body]]
        name = "grain"
        shape = {{ generate = {{ sphere = {{ radius = 0.005, triangles = 80 }} }} }}
        rounding = {{ radius = 0.005 }}
        density = 1200
        copies = {{ grid = [{side}, {side}, {side}], spacing = [0.00999, 0.00999, 0.00999], random_orientation = true }}
        "#
    )
}

pub fn run() -> Result<Vec<Measurement>, BenchError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(BenchError::Threads)?;
    let mut measured = Vec::new();
    for side in SIDES {
        measured.extend(pool.install(|| measure(side))?);
    }
    Ok(measured)
}

fn measure(side: usize) -> Result<Vec<Measurement>, BenchError> {
    let scene = Scene::parse(&lattice(side), Path::new("lattice")).map_err(RunError::from)?;
    let world = Run::prepare(scene, &RunOptions::default())?.into_world();
    let mut session = Session::new(world, Detector::exact());
    session.step()?;
    let mut lengths = Vec::new();
    let (mut times, mut n_contacts) = (PhaseTimes::default(), 0);
    for _ in 0..STEPS {
        let start = Instant::now();
        let report = session.step()?;
        lengths.push(1e3 * start.elapsed().as_secs_f64() / f64::from(report.substeps.max(1)));
        times.broad += report.times.broad;
        times.detect += report.times.detect;
        times.assemble += report.times.assemble;
        times.integrate += report.times.integrate;
        n_contacts = report.contacts.len();
    }
    let share = |time: f64| 100.0 * time / times.whole();
    // Of the whole program: what a larger lattice is built in may be what a smaller one has left.
    let memory =
        resident().map_or_else(String::new, |bytes| format!("; {:.0} MB in the whole program", 1e-6 * bytes));
    let remark = format!(
        "{n_contacts} contacts of bodies; of its time pairs of bodies {:.0} %, candidates and touches {:.0} %, sums and springs {:.0} %, motion {:.0} %{memory}",
        share(times.broad),
        share(times.detect),
        share(times.assemble),
        share(times.integrate)
    );
    let case = format!("{} grains of 80 facets", side.pow(3));
    let sub_step = Measurement {
        bench: "facets",
        case: case.clone(),
        method: "a sub-step",
        median_ms: median(lengths),
        runs: STEPS,
        remark,
    };
    let mut measured = vec![sub_step];
    measured.extend(measure_questions(&case, session.world())?);
    Ok(measured)
}

/// What the questions of a sub-step take: to find candidates, and to answer with those that are kept.
fn measure_questions(case: &str, world: &World) -> Result<Vec<Measurement>, BenchError> {
    let mut world = world.clone();
    // A world that is changed forgets what lies near what: all pairs are asked about.
    world.wake_all();
    let Progress::Ask(questions) = world.begin_step()? else { return Ok(Vec::new()) };
    let mut questions = questions.facets;
    let answer = |questions: &[FacetsQuestion]| {
        questions.iter().map(FacetsQuestion::answer).collect::<Vec<FacetsAnswer>>()
    };
    let found = answer(&questions);
    let (finding, finds) = time_within(|| answer(&questions));
    for (question, answer) in questions.iter_mut().zip(&found) {
        question.candidates = answer.candidates.clone();
    }
    let (touching, touches) = time_within(|| answer(&questions));
    let n_listed: usize =
        found.iter().flat_map(|answer| &answer.candidates).map(|candidates| candidates.pairs().len()).sum();
    let n_touching: usize = found.iter().flat_map(|answer| &answer.touch).map(|touch| touch.n_facets).sum();
    let measurement = |method, median_ms, runs, remark| Measurement {
        bench: "facets",
        case: case.to_owned(),
        method,
        median_ms,
        runs,
        remark,
    };
    let remark = |n: usize, median_ms: f64| {
        format!("{n} pairs of facets touch, {:.2e} a second", n as f64 / (1e-3 * median_ms))
    };
    let mut measured = vec![
        measurement(
            "candidates",
            finding - touching,
            finds,
            format!(
                "found for {} pairs of bodies that are near: {n_listed} pairs of facets",
                questions.len()
            ),
        ),
        measurement("touches", touching, touches, remark(n_touching, touching)),
    ];
    // The same of the pairs of bodies that touch, which are those that the stages answer for.
    if let Some(mut detector) = open(Backend::Gpu)? {
        let asked: Vec<&FacetsQuestion> =
            questions.iter().filter(|question| question.query.in_touch).collect();
        let adapter = detector.adapter().map(ToString::to_string).unwrap_or_default();
        let answered = detector.touches(&asked);
        let n = answered.answers.iter().flat_map(|answer| &answer.touch).map(|touch| touch.n_facets).sum();
        let (median_ms, runs) = time_within(|| detector.touches(&asked));
        let left = answered.recoveries.len();
        let remark = format!(
            "{}, candidates found as well; {left} of {} pairs of bodies left to the processor; {adapter}",
            remark(n, median_ms),
            asked.len()
        );
        measured.push(measurement("touches by the device", median_ms, runs, remark));
    }
    Ok(measured)
}

/// Memory that the process holds \[bytes\], where the system says so.
fn resident() -> Option<f64> {
    let pages: f64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // The page of all systems that have this file and run this program.
    Some(4096.0 * pages)
}
