//! The `tactum-view` program.

mod args;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use tactum::Scene;
use tactum::folder::check_folder_of;
use tactum::inputs::Inputs;
use tactum_view::draw::DrawError;
use tactum_view::motion::Motion;
use tactum_view::offscreen::Studio;
use tactum_view::palette::Theme;
use tactum_view::sheet::{self, Sheet};
use tactum_view::simulation::source::demos;
use tactum_view::simulation::{self, EngineError, replay};
use tactum_view::still::{self, Look, Options, StillError, Subject, scenes_in};
use tactum_view::timeline::Timeline;
use tactum_view::view::View;
use tactum_view::window;

use args::Args;

/// How the program ends; the numbers are part of its contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Fine = 0,
    Unexpected = 1,
    BadInput = 2,
    Stopped = 3,
    Device = 4,
    Unwritten = 5,
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Exit::BadInput as u8 } else { Exit::Fine as u8 });
        }
    };
    let exit = run(&args).unwrap_or_else(|error| {
        eprintln!("error: {}", words(&error));
        exit_of(&error)
    });
    ExitCode::from(exit as u8)
}

/// What went wrong, with advice where there is some.
fn words(error: &anyhow::Error) -> String {
    match error.downcast_ref::<StillError>() {
        Some(StillError::Engine(error)) => error.with_help(),
        _ => error.to_string(),
    }
}

fn exit_of(error: &anyhow::Error) -> Exit {
    let of_drawing = |error: &DrawError| match error {
        DrawError::Write { .. } | DrawError::Read { .. } => Exit::Unwritten,
        DrawError::Size { .. } => Exit::BadInput,
        _ => Exit::Device,
    };
    match (error.downcast_ref::<StillError>(), error.downcast_ref::<DrawError>()) {
        (Some(StillError::Engine(EngineError::Step(_))), _) => Exit::Stopped,
        (Some(StillError::Engine(EngineError::Device(_))), _) => Exit::Device,
        (Some(StillError::Engine(EngineError::Save { .. } | EngineError::Tables(_))), _) => Exit::Unwritten,
        (Some(StillError::Make { .. }), _) => Exit::Unwritten,
        (Some(StillError::Draw(error)), _) | (_, Some(error)) => of_drawing(error),
        _ if error.is::<window::WindowError>() => Exit::Device,
        _ => Exit::BadInput,
    }
}

fn run(args: &Args) -> Result<Exit> {
    for file in [&args.png, &args.film].into_iter().flatten() {
        check_folder_of(file)?;
        spare_scene(args, file)?;
        check_ending(file)?;
    }
    if let Some(log) = &args.replay {
        return run_replay(args, log);
    }
    if let Some(folder) = &args.gallery {
        return run_gallery(args, folder);
    }
    if let Some(film) = &args.film {
        return run_film(args, film);
    }
    let Some(png) = &args.png else { return run_window(args) };
    let scene = args.scene.as_deref().context("a picture needs a scene")?;
    let mut studio = Studio::open(args.backend.adapter.as_deref()).map_err(StillError::from)?;
    let subject = Subject::of(scene, args.time, &args.backend.options())?;
    subject.draw(&mut studio, &options(args), None)?.write(png)?;
    eprintln!("wrote {}", png.display());
    Ok(Exit::Fine)
}

/// Refuses a name that says that something else is in the file than there will be.
fn check_ending(file: &Path) -> Result<()> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is_png = matches!(ending.as_str(), "" | "png" | "apng");
    anyhow::ensure!(
        is_png,
        "'{}' would be a PNG file, animated where it is a film, but is called .{ending}; call it .png: browsers show it, and \
         ffmpeg -i film.png film.mp4 makes another film of it",
        file.display()
    );
    Ok(())
}

/// Refuses a picture in the place of the scene that it shows, or of a mesh. Whoever shows the scene says why it cannot be read.
fn spare_scene(args: &Args, file: &Path) -> Result<()> {
    if let Some(Ok(scene)) = args.scene.as_deref().map(Scene::load) {
        Inputs::of_scene(&scene).spare(vec![file.to_owned()])?;
    }
    Ok(())
}

fn run_film(args: &Args, film: &Path) -> Result<Exit> {
    let scene = args.scene.as_deref().context("a film needs a scene")?;
    let mut studio = Studio::open(args.backend.adapter.as_deref()).map_err(StillError::from)?;
    let n = still::film(&mut studio, scene, args.time, &args.backend.options(), &options(args), film)?;
    eprintln!("wrote {}, {n} pictures", film.display());
    Ok(Exit::Fine)
}

fn run_window(args: &Args) -> Result<Exit> {
    let drawn = window::run(&window::Options {
        scene: opened(args),
        size: args.size,
        view: View {
            layers: args.layers.clone().unwrap_or_default(),
            theme: theme(args),
            force_scale: args.force_scale,
            ..View::default()
        },
        opacities: [args.opacity, args.fixed_opacity],
        simulation: simulation::Options { backend: args.backend.options(), log: args.log.clone() },
        measure: args.measure.map(Duration::from_secs_f64),
        lose_device_after: args.lose_device_after.clone().into(),
        widget_list: args.widget_list.clone(),
    })?;
    if args.measure.is_some() {
        println!("{drawn}");
    }
    Ok(Exit::Fine)
}

fn theme(args: &Args) -> Theme {
    if args.dark { Theme::Dark } else { Theme::Light }
}

fn options(args: &Args) -> Options {
    let usual = Options::default();
    Options {
        size: args.size,
        layers: args.layers.clone().unwrap_or(usual.layers),
        theme: theme(args),
        opacity: args.opacity,
        fixed_opacity: args.fixed_opacity,
        look: args.look.map(|[yaw, pitch, zoom]| Look { yaw, pitch, zoom }),
        select: args.select.clone(),
        close: args.close,
        force_scale: args.force_scale,
        trail_time: usual.trail_time,
    }
}

/// The folder of scenes that was given or that is usual.
fn scene_folder(args: &Args) -> &Path {
    args.scene.as_deref().unwrap_or(Path::new("scenes"))
}

/// What the window opens: what was given, or else the folder of scenes, or where there is none a scene that the program holds.
fn opened(args: &Args) -> PathBuf {
    let folder = scene_folder(args);
    let held = (args.scene.is_none() && !folder.is_dir()).then(|| demos().next()).flatten();
    held.map_or_else(|| folder.to_owned(), PathBuf::from)
}

fn run_gallery(args: &Args, folder: &Path) -> Result<Exit> {
    std::fs::create_dir_all(folder).map_err(|source| StillError::Make { path: folder.to_owned(), source })?;
    let mut studio = Studio::open(args.backend.adapter.as_deref()).map_err(StillError::from)?;
    let (mut exit, mut sheet) = (Exit::Fine, Sheet::default());
    for scene in scenes_in(scene_folder(args))? {
        let subject = match Subject::of(&scene, args.time, &args.backend.options()) {
            Ok(subject) => subject,
            Err(error) => {
                // One scene without its files is no reason to do without the others.
                eprintln!("error: {}: {error}", scene.display());
                exit = Exit::BadInput;
                continue;
            }
        };
        let name = scene.file_stem().context("a scene has a name")?.to_string_lossy().into_owned();
        let path = folder.join(format!("{name}.png"));
        subject.draw(&mut studio, &options(args), None)?.write(&path)?;
        eprintln!("wrote {}", path.display());
        let small = Options { size: sheet::TILE, ..options(args) };
        sheet.add(subject.draw(&mut studio, &small, Some(name))?);
    }
    let path = folder.join(sheet::FILE);
    sheet.into_image().write(&path)?;
    eprintln!("wrote {}, all of them on one sheet", path.display());
    Ok(exit)
}

fn run_replay(args: &Args, log: &Path) -> Result<Exit> {
    let replay = replay(log, &args.backend.options())?;
    let world = replay.engine.world();
    println!(
        "{} commands, {} steps, {:.4} s, state {}",
        replay.n_commands,
        replay.engine.n_steps(),
        world.time(),
        replay.state_hash.0
    );
    if let Some(png) = &args.png {
        let mut studio = Studio::open(args.backend.adapter.as_deref()).map_err(StillError::from)?;
        let mut timeline = Timeline::default();
        timeline.push(replay.engine.frame().clone());
        let frame = replay.engine.frame().clone();
        let view = replay.engine.scene().spec().view;
        let subject = Subject { motion: Motion::from(&frame), frame, timeline, view };
        subject.draw(&mut studio, &options(args), None)?.write(png)?;
        eprintln!("wrote {}", png.display());
    }
    match (replay.is_equal(), &replay.state_hash.1) {
        (Some(false), Some(recorded)) => {
            eprintln!("error: the log ends in state {recorded}");
            Ok(Exit::Unexpected)
        }
        (None, _) => {
            eprintln!("note: the log has no end to compare with");
            Ok(Exit::Fine)
        }
        _ => Ok(Exit::Fine),
    }
}
