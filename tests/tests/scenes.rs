//! Every scene of `scenes/` runs and meets its expectations.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tactum::backend::Detector;
use tactum::run::{Run, RunOptions, Stop};
use tactum::scene::Scene;

fn scene_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes").join(format!("{name}.toml"))
}

fn run(name: &str) {
    let scene = Scene::load(&scene_path(name)).unwrap_or_else(|error| panic!("{error}"));
    meets_expectations(name, scene);
}

/// Runs a scene with another step than its own.
fn run_with_step(name: &str, dt: f64) {
    let path = scene_path(name);
    let text = std::fs::read_to_string(&path).expect("the scene can be read");
    let with_step: Vec<String> = text
        .lines()
        .map(|line| if line.starts_with("dt = ") { format!("dt = {dt}") } else { line.to_owned() })
        .collect();
    let scene = Scene::parse(&with_step.join("\n"), &path).unwrap_or_else(|error| panic!("{error}"));
    assert!((scene.spec().dt - dt).abs() < f64::EPSILON, "{name} states no step");
    meets_expectations(&format!("{name} at {dt} s"), scene);
}

fn meets_expectations(name: &str, scene: Scene) {
    assert!(scene.warnings().is_empty(), "{name} has warnings: {:?}", scene.warnings());
    assert!(!scene.spec().expectations.is_empty(), "{name} expects nothing");
    assert!(scene.spec().description.is_some(), "{name} has no description");
    let run = Run::prepare(scene, &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.doubts(), Vec::<String>::new());
    let outcome =
        run.finish(&mut Detector::exact(), &AtomicBool::new(false), |_, _| {}).expect("nothing is written");
    assert!(matches!(outcome.stop, Stop::Finished), "{name} stopped: {:?}", outcome.stop);
    let failures: Vec<String> = outcome
        .monitor
        .state()
        .failures
        .iter()
        .map(|f| format!("at {:.4} s: {}", f.time, f.message))
        .collect();
    assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
}

macro_rules! scenes {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

scenes![
    arch,
    ball_firm,
    ball_flat,
    ball_meshes,
    ball_soft,
    billiards,
    bolt_and_nut,
    bumpy_cube,
    card_house,
    chain,
    coin,
    cubes_on_edge,
    dominoes,
    drop,
    drum,
    edge_creep,
    gear_pair,
    grains,
    hanging_balls,
    hertz_curve,
    hopper,
    knot,
    materials,
    moving_load,
    nested_stack,
    newtons_cradle,
    nut_holds_itself,
    nut_runs_down,
    octagon,
    paper,
    peg_in_hole,
    penalty_slide,
    pinch,
    rattleback,
    repose,
    ring_on_peg,
    roll,
    salad,
    seam,
    slide,
    slide_and_spin,
    sloppy_stack,
    spin,
    stack10,
    stack30,
    table_four_legs,
    thin_plate,
    tip,
    tippe_top,
    tumbling_cylinder,
    two_pinches,
    wedged,
    wheels,
];

#[test]
#[cfg_attr(not(shared), ignore = "needs the shared data folder beside the checkout")]
fn armadillos() {
    run("armadillos");
}

/// What fits into one another does so at steps that nobody chose for it.
#[test]
fn fits_hold_at_other_steps() {
    for dt in [1.0 / 100.0, 1.0 / 240.0] {
        for name in ["nut_runs_down", "nut_holds_itself", "peg_in_hole", "ring_on_peg"] {
            run_with_step(name, dt);
        }
    }
}

#[test]
fn no_scene_is_forgotten() {
    let mut files: Vec<String> = std::fs::read_dir(scene_path("drop").parent().expect("a folder"))
        .expect("the folder of scenes can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|name| name != "armadillos")
        .collect();
    files.sort();
    assert_eq!(files, NAMES);
}
