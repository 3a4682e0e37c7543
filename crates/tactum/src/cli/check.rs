//! `tactum check`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Result;
use tactum::doctor;
use tactum::mesh_file::OPEN_SHEETS;
use tactum::repair::prospect;
use tactum::run::{Run, RunOptions};
use tactum::scene::schema::{BodySpec, MaterialSpec, PairSpec, ShapeSpec};
use tactum::scene::{Scene, SceneSpec};
use tactum_geometry::mesh::import::Format;
use tactum_geometry::words;
use tactum_sim::{Body, BodyKind};

use super::Exit;
use super::args::CheckArgs;
use super::console::Console;
use super::run::warn;

/// Examines files; one that cannot be used does not keep the others from being looked at.
pub fn check(args: &CheckArgs, console: &Console) -> Result<Exit> {
    let mut exit = Exit::Fine;
    for path in &args.files {
        let usable = if is_mesh(path) { check_mesh(path, console) } else { check_scene(path, console) };
        if !usable {
            exit = Exit::BadInput;
        }
    }
    Ok(exit)
}

/// Whether a file's name or content is that of a mesh; any other one is a scene, as for `tactum run`.
fn is_mesh(path: &Path) -> bool {
    /// Bytes at the beginning of a file by which the formats can be told.
    const HEAD: u64 = 4096;
    if Format::of_extension(path).is_some() {
        return true;
    }
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    // Pipes and devices are not opened: whoever reads a scene refuses them.
    if is_toml || !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && Format::of_content(&head).is_some()
}

fn check_mesh(path: &Path, console: &Console) -> bool {
    match doctor::examine(path) {
        Ok(facts) => {
            for finding in facts.warnings() {
                console.warn(&format!("{}: {finding}", words::path(path)));
            }
            let verdict = verdict(facts.warnings().count());
            // The file is none the worse for it: a scene says what its numbers mean.
            let units = facts.doubt_of_units().map(|doubt| {
                let advice =
                    "in a scene units = \"mm\" beside `file` says so, units = \"m\" that it is meant";
                format!("{:>10}  a body of it {doubt} {advice}\n", "unit")
            });
            let mends = if facts.warnings().next().is_some() { prospect(path) } else { None };
            console.result(&format!(
                "{}: {verdict}\n{facts}{}{}",
                words::path(path),
                units.unwrap_or_default(),
                mends.map(|mends| mends.text).unwrap_or_default()
            ));
            true
        }
        Err(error) => {
            console.error(&error.to_string());
            let mends = prospect(path);
            // What can be mended is a part with holes, not a sheet that is meant.
            let sheets =
                match error.is_of_an_open_mesh() && !mends.as_ref().is_some_and(|mends| mends.is_possible) {
                    true => format!("{:>10}  {OPEN_SHEETS}\n", "in scenes"),
                    false => String::new(),
                };
            let mends = mends.map(|mends| mends.text).unwrap_or_default();
            console.result(&format!("{}: unusable\n{mends}{sheets}", words::path(path)));
            false
        }
    }
}

fn check_scene(path: &Path, console: &Console) -> bool {
    let unusable = || {
        console.result(&format!("{}: unusable\n", words::path(path)));
        false
    };
    let scene = match Scene::load(path) {
        Ok(scene) => scene,
        Err(error) => {
            console.scene_error(&error);
            return unusable();
        }
    };
    let run = match Run::prepare(scene, &RunOptions::default()) {
        Ok(run) => run,
        Err(tactum::run::RunError::Scene(error)) => {
            console.scene_error(&error);
            return unusable();
        }
        Err(error) => {
            console.error(&format!("{}: {error}", words::path(path)));
            return unusable();
        }
    };
    let verdict = verdict(warn(&run, console).len());
    console.result(&format!("{}: {verdict}\n{}", words::path(path), scene_facts(&run)));
    true
}

fn verdict(n_warnings: usize) -> String {
    match n_warnings {
        0 => "good".to_owned(),
        1 => "usable, with a warning".to_owned(),
        n => format!("usable, with {n} warnings"),
    }
}

fn scene_facts(run: &Run) -> String {
    let scene = run.scene();
    let bodies = run.world().bodies();
    // Those of meshes and of convex polyhedra; round shapes and boxes have none.
    let triangles: usize =
        bodies.iter().filter_map(|body| body.shape.solid()).map(|solid| solid.mesh().triangles.len()).sum();
    let spec = scene.spec();
    let facts = format!(
        "{:>10}  {}\n{:>10}  {} of {}, {} in meshes\n{:>10}  {} s in {} of {} s\n{:>10}  {}\n",
        "scene",
        scene.name(),
        "bodies",
        bodies.len(),
        words::counted(spec.bodies.len() as u64, "kind", "kinds"),
        words::counted(triangles as u64, "triangle", "triangles"),
        "run",
        spec.duration,
        words::counted(run.n_steps(), "step", "steps"),
        spec.dt,
        "expects",
        spec.expectations.len()
    );
    facts + &smooth(run) + &faceted(run) + &materials(spec) + &pairs(spec)
}

/// How many bodies have meshes that stand for round ones, and up to which edges.
fn smooth(run: &Run) -> String {
    let bodies = run.world().bodies();
    let n = bodies.iter().filter(|body| body.smooth.is_some()).count();
    let mut angles: Vec<f64> = run.scene().spec().bodies.iter().map(|body| body.smooth_deg).collect();
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    let angles: Vec<String> =
        angles.iter().filter(|angle| **angle > 0.0).map(|angle| words::number(*angle)).collect();
    let of = words::counted(n as u64, "body", "bodies");
    if n == 0 {
        return String::new();
    }
    format!(
        "{:>10}  {of} over edges that turn by up to {} degrees (smooth_deg)\n",
        "round",
        angles.join(" or ")
    )
}

/// The bodies whose meshes were made for round ones and are too coarse to count as such.
fn faceted(run: &Run) -> String {
    let bodies = run.world().bodies();
    let line = |spec: &BodySpec| {
        let is_round = matches!(&spec.shape, ShapeSpec::Generate(generate) if generate.is_round());
        let is_one = |name: &str| {
            name.strip_prefix(&spec.name).is_some_and(|copy| copy.is_empty() || copy.starts_with('-'))
        };
        let is_faceted =
            |body: &&Body| body.kind == BodyKind::Dynamic && body.smooth.is_none() && is_one(&body.name);
        let n = bodies.iter().filter(is_faceted).count();
        if !is_round || spec.smooth_deg == 0.0 || n == 0 {
            return String::new();
        }
        format!(
            "{:>10}  {}: edges that turn by more than {} degrees (smooth_deg) are edges that it rolls over\n",
            "faceted",
            spec.name,
            words::number(spec.smooth_deg)
        )
    };
    run.scene().spec().bodies.iter().map(line).collect()
}

/// Each material with its coefficients and the bodies that are made of it.
fn materials(spec: &SceneSpec) -> String {
    let line = |material: &MaterialSpec| {
        let is_of = |body: &&BodySpec| body.material.as_ref() == Some(&material.name);
        let bodies: Vec<&str> = spec.bodies.iter().filter(is_of).map(|body| body.name.as_str()).collect();
        let of = if bodies.is_empty() { String::new() } else { format!("; {}", words::listed(&bodies)) };
        let what = coefficients(material.friction, material.restitution);
        format!("{:>10}  {}: {what}{of}\n", "material", material.name)
    };
    spec.materials.iter().map(line).collect()
}

/// What is said of each pair.
fn pairs(spec: &SceneSpec) -> String {
    let line = |pair: &PairSpec| {
        let (kind, names) = match (&pair.materials, &pair.bodies) {
            (Some(names), _) => ("materials", names),
            (None, Some(names)) => ("bodies", names),
            (None, None) => return String::new(),
        };
        let what = coefficients(pair.friction, pair.restitution);
        format!("{:>10}  {kind} {} and {}: {what}\n", "pair", names[0], names[1])
    };
    spec.pairs.iter().map(line).collect()
}

fn coefficients(friction: Option<f64>, restitution: Option<f64>) -> String {
    let part = |name: &str, x: Option<f64>| x.map(|x| format!("{name} {}", words::number(x)));
    let said: Vec<String> =
        [part("friction", friction), part("restitution", restitution)].into_iter().flatten().collect();
    if said.is_empty() { "nothing of its own".to_owned() } else { said.join(", ") }
}
