//! How errors grow with the step: motions whose answer is known, at several steps.

use std::f64::consts::{FRAC_PI_4, PI};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use tactum_sim::{Body, World};

use super::{BenchError, Measurement, Options, make_folder, write};
use crate::backend::Detector;
use crate::build::build;
use crate::plot::{Legend, Line, Mark, Plot, Scale};
use crate::run::{Run, RunError, RunOptions};
use crate::scene::Scene;

/// The steps \[s\].
const STEPS: [f64; 5] = [0.01, 0.005, 0.0025, 0.001, 0.0005];

const FLOOR: &str = "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { plane = {} }\n";

/// An error that is rounding, and is not drawn.
const ROUNDING: f64 = 1e-12;

/// Standard gravity, that of scenes which say nothing else \[m/s²\].
const G: f64 = 9.81;

/// A motion whose answer is known.
struct Case {
    name: &'static str,
    colour: &'static str,
    /// The scene without its step.
    scene: String,
    /// How long it goes on \[s\].
    duration: f64,
    /// What is looked at of the world before and after.
    found: fn(&World, &World) -> f64,
    right: f64,
}

/// A body named 'it' over a floor.
fn over_floor(head: &str, shape: &str, rest: &str) -> String {
    format!("{head}\n{FLOOR}[[body]]\nname = 'it'\nshape = {shape}\n{rest}\n")
}

fn cases() -> Vec<Case> {
    let rolling = "position = [0, 0, 0.1]\nlinear_velocity = [1, 0, 0]\nangular_velocity = [0, 10, 0]";
    let wheel = "orientation = { euler_deg = [90, 0, 0] }";
    // A prism's side stands on the floor, its axis a little lower than its radius.
    let polygon = format!(
        "orientation = {{ euler_deg = [90, {}, 0] }}\nposition = [0, 0, {}]\nsmooth_deg = 0\nlinear_velocity = [1, 0, 0]\n\
         angular_velocity = [0, 10, 0]",
        180.0 / 64.0,
        0.1 * (PI / 64.0).cos()
    );
    let prism = "{ generate = { prism = { sides = 64, radius = 0.1, height = 0.05 } } }";
    let slide = over_floor(
        "[contact]\nfriction = 0.3",
        "{ box = [0.2, 0.2, 0.1] }",
        "position = [0, 0, 0.05]\nlinear_velocity = [2, 0, 0]",
    );
    let slide_and_roll = over_floor(
        "[contact]\nfriction = 0.3",
        "{ sphere = 0.1 }",
        "position = [0, 0, 0.1]\nlinear_velocity = [2, 0, 0]",
    );
    let bounce = over_floor("[contact]\nrestitution = 0.5", "{ sphere = 0.1 }", "position = [0, 0, 0.6]");
    let groove = groove();
    // Sliding until 2 v / (7 μ g), then rolling with 5/7 v.
    let sliding: f64 = 2.0 * 2.0 / (7.0 * 0.3 * G);
    let rolled = 2.0 * sliding - 0.5 * 0.3 * G * sliding * sliding + 10.0 / 7.0 * (1.0 - sliding);
    // Down 0.5 m, up with half the speed.
    let fall = (2.0 * 0.5 / G).sqrt();
    let since: f64 = 0.5 - fall;
    let height = 0.1 + 0.5 * G * fall * since - 0.5 * G * since * since;
    vec![
        case("box slides to rest", "#1f77b4", slide, 1.0, |_, end| it(end).position.x, 2.0 / (0.3 * G)),
        case("ball slides, then rolls", "#2ca02c", slide_and_roll, 1.0, |_, end| it(end).position.x, rolled),
        case("ball bounces, e = 0.5", "#9467bd", bounce, 0.5, |_, end| it(end).position.z, height),
        case(
            "ball down a V",
            "#8c564b",
            groove,
            1.0,
            |_, end| it(end).position.x,
            // The ball turns about an axis R/√2 above where it touches: 9/5 of its mass.
            0.5 * G * 10.0_f64.to_radians().sin() / 1.8,
        ),
        case(
            "wheel of 64, smooth",
            "#ff7f0e",
            over_floor("", prism, &format!("{rolling}\n{wheel}")),
            1.0,
            energy_left,
            1.0,
        ),
        case(
            "wheel of 64, polygon",
            "#d62728",
            over_floor("", prism, &polygon),
            1.0,
            energy_left,
            left_of_polygon(),
        ),
    ]
}

fn case(
    name: &'static str,
    colour: &'static str,
    scene: String,
    duration: f64,
    found: fn(&World, &World) -> f64,
    right: f64,
) -> Case {
    Case { name, colour, scene, duration, found, right }
}

/// Two walls at right angles whose groove goes down along x by 10 degrees of gravity, and a ball in it.
fn groove() -> String {
    let angle = 10.0_f64.to_radians();
    let lift = 0.5 * FRAC_PI_4.sin();
    let wall = |name: &str, side: f64| {
        format!(
            "[[body]]\nname = '{name}'\nkind = 'static'\nshape = {{ box = [8, 4, 1] }}\nposition = [0, {}, {}]\n\
             orientation = {{ euler_deg = [{}, 0, 0] }}\n",
            side * lift,
            -lift,
            45.0 * side
        )
    };
    format!(
        "gravity = [{}, 0, {}]\n[contact]\nfriction = 0.5\n{}{}[[body]]\nname = 'it'\nshape = {{ sphere = 0.1 }}\nposition = [0, 0, {}]\n",
        G * angle.sin(),
        -G * angle.cos(),
        wall("left", 1.0),
        wall("right", -1.0),
        0.1 * 2.0_f64.sqrt()
    )
}

/// Part of its kinetic energy that is left after a second to a wheel of 64 sides and radius 0.1 m that rolls from side to side at 1 m/s: it
/// falls about each corner as a pendulum, and loses by the next one what is not angular momentum about it.
fn left_of_polygon() -> f64 {
    const PARTS: u32 = 200;
    let (side, radius) = (2.0 * PI / 64.0, 0.1_f64);
    let gyration_squared = radius.powi(2) / 6.0 * (1.0 + 2.0 * (0.5 * side).cos().powi(2));
    let about_corner = gyration_squared + radius.powi(2);
    let (mut energy, mut time) = (1.0, 0.0);
    let first = 1.0 / radius;
    loop {
        for k in 0..PARTS {
            let angle = side * ((f64::from(k) + 0.5) / f64::from(PARTS) - 0.5);
            let risen = 2.0 * G * radius * (angle.cos() - (0.5 * side).cos()) / about_corner;
            let now = energy - risen / first.powi(2);
            time += side / f64::from(PARTS) / (first * now.sqrt());
            if time >= 1.0 {
                return now;
            }
        }
        energy *= ((gyration_squared + radius.powi(2) * side.cos()) / about_corner).powi(2);
    }
}

/// Runs every case at every step; with a folder, a plot of the errors.
pub fn run(options: &Options) -> Result<Vec<Measurement>, BenchError> {
    let mut measured = Vec::new();
    let mut lines = Vec::new();
    for case in cases() {
        let mut points = Vec::new();
        for dt in STEPS {
            let (error, wall) = case.error(dt)?;
            if error > ROUNDING {
                points.push([1e3 * dt, error]);
            }
            measured.push(Measurement {
                bench: "errors",
                case: format!("{}, {} ms", case.name, 1e3 * dt),
                method: "exact",
                median_ms: 1e3 * wall,
                runs: 1,
                remark: format!("off by {error:.1e}"),
            });
        }
        if !points.is_empty() {
            let (name, mark) = (case.name.to_owned(), Mark::Joined);
            lines.push(Line { name, colour: case.colour, mark, points, aside: 0.0 });
        }
    }
    if let Some(out) = &options.out {
        make_folder(out)?;
        let labels = ["step [ms]", "error"].map(str::to_owned);
        let (title, scales) = ("Errors, as a part of the answer".to_owned(), [Scale::Logarithmic; 2]);
        let plot = Plot { title, labels, scales, legend: Legend::Left, lines };
        write(&out.join("errors.svg"), &plot.svg())?;
    }
    Ok(measured)
}

impl Case {
    /// By what part of the answer it is off with a step, and how long that took \[s\].
    fn error(&self, dt: f64) -> Result<(f64, f64), BenchError> {
        let text = format!("dt = {dt}\nduration = {}\n{}", self.duration, self.scene);
        let scene = Scene::parse(&text, Path::new(self.name)).map_err(RunError::from)?;
        let start = build(&scene).map_err(RunError::from)?.world;
        let outcome = Run::prepare(scene, &RunOptions::default())?.finish(
            &mut Detector::exact(),
            &AtomicBool::new(false),
            |_, _| {},
        )?;
        let found = (self.found)(&start, &outcome.world);
        Ok(((found / self.right - 1.0).abs(), outcome.wall))
    }
}

/// The body that a case is about.
fn it(world: &World) -> &Body {
    world.bodies().iter().find(|body| body.name == "it").expect("every case has it")
}

fn energy_left(start: &World, end: &World) -> f64 {
    end.kinetic_energy() / start.kinetic_energy()
}
