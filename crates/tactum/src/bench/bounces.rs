//! Rebounds of a body that lands in many phases of a step, with continuous and with plain penalty forces.

use std::path::Path;
use std::time::Instant;

use super::{BenchError, Measurement, Options, make_folder, write};
use crate::backend::Detector;
use crate::plot::{COLOURS, Legend, Line, Mark, Plot, Scale};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;
use crate::session::Session;

/// Phases of the step.
const PHASES: u32 = 201;

/// `h² k/m` of the cases.
const STIFFNESSES: [f64; 3] = [0.01, 0.04, 0.25];

/// Penalty \[N/m\]; the mass is 1 kg, the body lands at 1 m/s.
const PENALTY: f64 = 1e4;

/// Half of the diagonal of the cube that lands on a corner \[m\], which as the corner is straight below its centre moves as a particle.
const CORNER: f64 = 0.173_205_080_756_887_7;

/// Steps after which it has come back in any case.
const MOST_STEPS: u32 = 10_000;

pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let (mut measured, mut lines) = (Vec::new(), Vec::new());
    for (ix, a) in STIFFNESSES.into_iter().enumerate() {
        for (method, remark) in [("continuous", "by continuous penalty"), ("instant", "by plain penalty")] {
            let start = Instant::now();
            let mut points = Vec::new();
            for phase in 0..PHASES {
                let part = f64::from(phase) / f64::from(PHASES);
                points.push([part, rebound(a, method, part)?]);
            }
            let n = f64::from(PHASES);
            let mean = points.iter().map(|point| point[1]).sum::<f64>() / n;
            let scatter = (points.iter().map(|point| (point[1] - mean).powi(2)).sum::<f64>() / n).sqrt();
            measured.push(Measurement {
                bench: "bounces",
                case: format!("h² k/m = {a}"),
                method,
                median_ms: 1e3 * start.elapsed().as_secs_f64() / n,
                runs: PHASES as usize,
                remark: format!("rebound {mean:.4} ± {scatter:.1e} of the speed {remark}"),
            });
            let (mark, colour) = match method {
                "continuous" => (Mark::Joined, COLOURS[ix]),
                _ => (Mark::Dots, COLOURS[ix]),
            };
            lines.push(Line { name: format!("{method}, h² k/m = {a}"), colour, mark, points, aside: 0.0 });
        }
    }
    if let Some(out) = &options.out {
        make_folder(out)?;
        let labels = ["phase of the step in which it touches", "rebound, as a part of the speed"];
        let title = "Restitution over the phases of a step".to_owned();
        let (labels, scales) = (labels.map(str::to_owned), [Scale::Linear; 2]);
        let plot = Plot { title, labels, scales, legend: Legend::Right, lines };
        write(&out.join("bounces.svg"), &plot.svg())?;
    }
    Ok(measured)
}

/// The part of its speed with which a body comes back that touches in a phase of a step, 0 to 1.
fn rebound(a: f64, penalty: &str, phase: f64) -> Result<f64, BenchError> {
    let dt = (a / PENALTY).sqrt();
    let side = 2.0 * CORNER / 3.0_f64.sqrt();
    let text = format!(
        r#"
        dt = {dt}
        gravity = [0, 0, 0]
        [contact]
        law = "continuous_penalty"
        penalty = "{penalty}"
        friction = 0
        stiffness = {PENALTY}
        [[body]]
        name = "floor"
        kind = "static"
        shape = {{ plane = {{}} }}
        [[body]]
        name = "cube"
        shape = {{ box = [{side}, {side}, {side}] }}
        mass = 1
        position = [0, 0, {height}]
        linear_velocity = [0, 0, -1]
        orientation = {{ axis_angle = {{ axis = [1, -1, 0], deg = {tilt} }} }}
        "#,
        // From the diagonal of the cube to the vertical.
        tilt = 3.0_f64.sqrt().recip().acos().to_degrees(),
        height = CORNER + dt * (3.0 + phase),
    );
    let scene = Scene::parse(&text, Path::new("bounce")).map_err(RunError::from)?;
    let world = Run::prepare(scene, &RunOptions::default())?.into_world();
    let mut session = Session::new(world, Detector::exact());
    for _ in 0..MOST_STEPS {
        session.step()?;
        let body = &session.world().bodies()[1];
        if body.linear_velocity.z > 0.0 && body.position.z > CORNER {
            break;
        }
    }
    Ok(session.world().bodies()[1].linear_velocity.z)
}
