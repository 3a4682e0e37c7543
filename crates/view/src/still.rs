//! A picture of a scene at a time, one of every scene, and an animated one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tactum::backend::BackendOptions;
use tactum_geometry::Aabb;
use tactum_sim::BodyKind;
use thiserror::Error;

use crate::camera::Camera;
use crate::draw::{DrawError, Picture, Style};
use crate::film::{Film, RATE};
use crate::frame::Frame;
use crate::layers::{Layer, Layers};
use crate::legend;
use crate::marks::{MarkStyle, marks};
use crate::offscreen::{Image, Studio};
use crate::palette::{Theme, mark};
use crate::simulation::{Engine, EngineError};
use crate::timeline::Timeline;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum StillError {
    /// The scene cannot be run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The picture cannot be drawn or written.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The time is no time.
    #[error("a picture at {0} s is not possible: the time has to be 0 or more and finite")]
    Time(f64),
    /// There is no such body.
    #[error("the scene has no body '{name}'; it has: {known}")]
    NoBody {
        /// The name given.
        name: String,
        /// Names of the bodies.
        known: String,
    },
    /// A folder cannot be read or made.
    #[error("cannot use the folder '{}': {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// What a picture shows besides the scene.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width and height \[pixels\].
    pub size: [u32; 2],
    /// Layers.
    pub layers: Layers,
    /// Light or dark.
    pub theme: Theme,
    /// Opacity of bodies that move; by default less than solid where marks of contacts are shown.
    pub opacity: Option<f32>,
    /// Opacity of bodies that do not.
    pub fixed_opacity: Option<f32>,
    /// Camera's direction and height \[degrees\], and a factor on how near it is.
    pub look: Look,
    /// Name of a body to outline.
    pub select: Option<String>,
    /// Whether to look at the selected body instead of the whole scene.
    pub close: bool,
    /// Factor on the length of arrows.
    pub force_scale: f64,
    /// How much of the trail is shown \[s\].
    pub trail_time: f64,
}

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Direction of the camera about z, from x \[degrees\].
    pub yaw: f64,
    /// Height of the camera above the horizon \[degrees\].
    pub pitch: f64,
    /// Factor on the size of what is looked at.
    pub zoom: f64,
}

impl Default for Look {
    fn default() -> Self {
        Self { yaw: -60.0, pitch: 30.0, zoom: 1.0 }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            size: [1280, 800],
            layers: Layers::default(),
            theme: Theme::default(),
            opacity: None,
            fixed_opacity: None,
            look: Look::default(),
            select: None,
            close: false,
            force_scale: 1.0,
            trail_time: 1.0,
        }
    }
}

/// Opacity of bodies through which marks are to be seen.
const SEE_THROUGH: f32 = 0.42;

/// Runs a scene to a time (by default its duration) and draws it.
///
/// # Errors
/// A scene that cannot be run, or a device that cannot draw.
pub fn still(
    studio: &mut Studio,
    scene: &Path,
    time: Option<f64>,
    backend: &BackendOptions,
    options: &Options,
) -> Result<Image, StillError> {
    let mut engine = Engine::open(scene, backend)?;
    let floor = floor_of(engine.frame());
    let mut timeline = Timeline::default();
    timeline.push(engine.frame().clone());
    for _ in 0..steps_to(&engine, time)? {
        timeline.push(engine.step()?.clone());
    }
    let camera = camera(engine.frame(), options)?;
    draw(studio, engine.frame(), &timeline, floor, &camera, options)
}

/// Runs a scene to a time (by default its duration) and writes what happens as an animated picture, seen from where the
/// window would look at its start.
///
/// # Errors
/// A scene that cannot be run, a device that cannot draw, or a file that cannot be written.
pub fn film(
    studio: &mut Studio,
    scene: &Path,
    time: Option<f64>,
    backend: &BackendOptions,
    options: &Options,
    path: &Path,
) -> Result<u32, StillError> {
    let mut engine = Engine::open(scene, backend)?;
    let floor = floor_of(engine.frame());
    let camera = camera(engine.frame(), options)?;
    let n_steps = steps_to(&engine, time)?;
    let dt = engine.scene().spec().dt;
    // The step after which each picture is taken; a step longer than a picture is shown as often as it lasts.
    let n_pictures = (n_steps as f64 * dt * f64::from(RATE) + 1e-9).floor() as u32 + 1;
    let step_of = |ix: u32| (f64::from(ix) / f64::from(RATE) / dt + 1e-9).floor() as u64;
    let mut film = Film::create(path, options.size, n_pictures)?;
    let mut timeline = Timeline::default();
    timeline.push(engine.frame().clone());
    for ix in 0..n_pictures {
        while engine.frame().step() < step_of(ix) {
            timeline.push(engine.step()?.clone());
        }
        film.add(&draw(studio, engine.frame(), &timeline, floor, &camera, options)?)?;
    }
    film.finish()?;
    Ok(n_pictures)
}

/// Steps from a scene's start to a time.
fn steps_to(engine: &Engine, time: Option<f64>) -> Result<u64, StillError> {
    let time = time.unwrap_or(engine.scene().spec().duration);
    if !(time.is_finite() && time >= 0.0) {
        return Err(StillError::Time(time));
    }
    Ok((time / engine.scene().spec().dt).round() as u64)
}

/// Where a frame is looked at from: all of it, or the selected body.
///
/// # Errors
/// A body that there is not.
pub fn camera(frame: &Frame, options: &Options) -> Result<Camera, StillError> {
    let selected = options.select.as_ref().map(|name| find(frame, name)).transpose()?;
    let aspect = f64::from(options.size[0]) / f64::from(options.size[1]);
    let bounds =
        selected.filter(|_| options.close).map_or_else(|| interesting(frame), |ix| frame.bounds_of(ix));
    Ok(look(&options.look, &bounds, aspect))
}

/// Draws a frame as seen by a camera.
///
/// # Errors
/// A body that there is not, or a device that cannot draw.
pub fn draw(
    studio: &mut Studio,
    frame: &Arc<Frame>,
    timeline: &Timeline,
    floor: f64,
    camera: &Camera,
    options: &Options,
) -> Result<Image, StillError> {
    let selected = options.select.as_ref().map(|name| find(frame, name)).transpose()?;
    let around = options.theme.surroundings();
    let has_marks = Layer::ALL[..14].iter().any(|layer| options.layers.has(*layer));
    let style = Style {
        theme: options.theme,
        opacity: options.opacity.unwrap_or(if has_marks { SEE_THROUGH } else { 1.0 }),
        fixed_opacity: options.fixed_opacity.unwrap_or(1.0),
        wireframe: options.layers.has(Layer::Wireframe),
        shadows: options.layers.has(Layer::Shadows),
        grid: options.layers.has(Layer::Grid),
        floor,
    };
    let mark_style = MarkStyle {
        layers: options.layers.clone(),
        force_scale: options.force_scale,
        trail_time: options.trail_time,
        ink: around.ink,
        rim: if options.theme == Theme::Light { mark::INK } else { mark::PAPER },
        only: selected.filter(|_| options.close),
    };
    let overlay = marks(frame, timeline, &mark_style);
    let picture = Picture {
        frame,
        camera,
        style: &style,
        overlay: &overlay,
        selected,
        around: [0.0; 3],
        size: options.size,
        viewport: [0, 0, options.size[0], options.size[1]],
        scale: 1.0,
    };
    let entries = if options.layers.has(Layer::Legend) {
        legend::entries(frame, &options.layers, around.ink)
    } else {
        Vec::new()
    };
    Ok(studio.draw(&picture, &entries)?)
}

fn find(frame: &Frame, name: &str) -> Result<u32, StillError> {
    let known = || {
        let names: Vec<&str> = frame.model.bodies.iter().map(|body| body.name.as_str()).take(20).collect();
        names.join(", ")
    };
    let ix = frame.model.bodies.iter().position(|body| body.name == name);
    ix.map(|ix| ix as u32).ok_or_else(|| StillError::NoBody { name: name.to_owned(), known: known() })
}

/// The camera of a look at a box.
pub fn look(look: &Look, bounds: &Aabb, aspect: f64) -> Camera {
    let mut camera =
        Camera { yaw: look.yaw.to_radians(), pitch: look.pitch.to_radians(), ..Camera::default() };
    camera.frame(bounds, aspect);
    camera.distance /= look.zoom.max(1e-3);
    camera
}

/// Height of the lowest point of a scene's bodies, on which a sheet is put where the scene has no ground \[m\].
pub fn floor_of(frame: &Frame) -> f64 {
    frame.bounds().min.z
}

/// The box around what moves and what is not much larger than that.
pub fn interesting(frame: &Frame) -> Aabb {
    /// A body at rest is part of the picture unless it is this many times larger than all that moves.
    const MUCH: f64 = 8.0;
    let bodies = || (0_u32..).zip(&frame.model.bodies);
    let moving = bodies()
        .filter(|(_, body)| body.kind != BodyKind::Static)
        .fold(Aabb::EMPTY, |all, (ix, _)| all.union(&frame.bounds_of(ix)));
    if moving.is_empty() {
        return frame.bounds();
    }
    let limit = MUCH * moving.diagonal();
    let near = bodies().map(|(ix, _)| frame.bounds_of(ix)).filter(|aabb| aabb.diagonal() < limit);
    near.fold(moving, |all, one| all.union(&one))
}

/// The scene files of a folder, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn scenes_in(folder: &Path) -> Result<Vec<PathBuf>, StillError> {
    let fail = |source| StillError::Folder { path: folder.to_owned(), source };
    let entries = std::fs::read_dir(folder).map_err(fail)?;
    let mut paths =
        entries.map(|entry| Ok(entry.map_err(fail)?.path())).collect::<Result<Vec<_>, StillError>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    Ok(paths)
}
