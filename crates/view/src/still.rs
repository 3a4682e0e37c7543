//! A picture of a scene at a time, one of every scene, and an animated one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use tactum::backend::BackendOptions;
use tactum::scene::schema::ViewSpec;
use tactum_geometry::Aabb;
use thiserror::Error;

use crate::camera::Camera;
use crate::draw::{DrawError, Picture, Style};
use crate::film::{Film, RATE};
use crate::frame::Frame;
use crate::layers::{Layer, Layers};
use crate::legend::Caption;
use crate::marks::{MarkStyle, marks};
use crate::motion::Motion;
use crate::offscreen::{Image, Studio};
use crate::palette::{Theme, mark};
use crate::simulation::{Engine, EngineError};
use crate::timeline::Timeline;
use crate::view::usual_opacity;

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
    /// The folder of the pictures cannot be made.
    #[error("cannot make the folder '{}': {source}", path.display())]
    Make {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder cannot be read.
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
    /// Opacity of bodies that move; by default as the scene says, or else less than solid where marks of contacts are shown.
    pub opacity: Option<f32>,
    /// Opacity of bodies that do not; by default as the scene says.
    pub fixed_opacity: Option<f32>,
    /// Camera's direction and height \[degrees\], and a factor on how near it is; by default as the scene says.
    pub look: Option<Look>,
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
            look: None,
            select: None,
            close: false,
            force_scale: 1.0,
            trail_time: 1.0,
        }
    }
}

/// What there is to be seen of a scene at a time.
#[derive(Debug)]
pub struct Subject {
    /// The last step.
    pub frame: Arc<Frame>,
    /// The steps before it.
    pub timeline: Timeline,
    /// All that moved until then.
    pub motion: Motion,
    /// How the scene wants to be looked at.
    pub view: ViewSpec,
}

impl Subject {
    /// Runs a scene to a time, by default that of its picture, or else its duration.
    ///
    /// # Errors
    /// A scene that cannot be run.
    pub fn of(scene: &Path, time: Option<f64>, backend: &BackendOptions) -> Result<Self, StillError> {
        let mut engine = Engine::open(scene, backend)?;
        let view = engine.scene().spec().view;
        let mut timeline = Timeline::default();
        timeline.push(engine.frame().clone());
        let mut motion = Motion::from(engine.frame());
        for _ in 0..steps_to(&engine, time.or(view.time))? {
            let frame = engine.step()?.clone();
            motion.add(&frame);
            timeline.push(frame);
        }
        motion.end(engine.frame());
        Ok(Self { frame: engine.frame().clone(), timeline, motion, view })
    }

    /// Draws it, with a title if one is given.
    ///
    /// # Errors
    /// A body that there is not, or a device that cannot draw.
    pub fn draw(
        &self,
        studio: &mut Studio,
        options: &Options,
        title: Option<String>,
    ) -> Result<Image, StillError> {
        let options = &options.or_of(&self.view);
        let camera = camera(&self.frame, &self.motion, &self.view, options)?;
        let scenery = Scenery { timeline: &self.timeline, floor: self.motion.floor, camera, title };
        draw(studio, &self.frame, &scenery, options)
    }
}

/// Runs a scene to a time (by default its duration) and writes what happens as an animated picture, seen from where all of it
/// is seen.
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
    // Where things will go is known after a first run; the second one is the same bit for bit.
    let mut engine = Engine::open(scene, backend)?;
    let time = time.unwrap_or(engine.scene().spec().duration);
    let Subject { motion, view, .. } = Subject::of(scene, Some(time), backend)?;
    let options = &options.or_of(&view);
    let camera = camera(engine.frame(), &motion, &view, options)?;
    let n_steps = steps_to(&engine, Some(time))?;
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
        let scenery = Scenery { timeline: &timeline, floor: motion.floor, camera, title: None };
        film.add(&draw(studio, engine.frame(), &scenery, options)?)?;
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

/// Where a motion is looked at from: all of it, or the selected body where it is in a frame.
///
/// # Errors
/// A body that there is not.
fn camera(frame: &Frame, motion: &Motion, view: &ViewSpec, options: &Options) -> Result<Camera, StillError> {
    let selected = options.select.as_ref().map(|name| find(frame, name)).transpose()?;
    let aspect = f64::from(options.size[0]) / f64::from(options.size[1]);
    let close = selected.filter(|_| options.close).map(|ix| frame.bounds_of(ix));
    let bounds = close.unwrap_or_else(|| looked_at(view, &motion.bounds));
    Ok(look(&options.look.unwrap_or_else(|| Look::of(view)), &bounds, aspect))
}

/// Height of a picture above which lines and letters grow with it \[pixels\].
const USUAL_HEIGHT: f32 = 800.0;

/// What a frame is drawn with.
struct Scenery<'a> {
    timeline: &'a Timeline,
    /// Height of the sheet that a scene without ground stands on \[m\].
    floor: f64,
    camera: Camera,
    title: Option<String>,
}

fn draw(
    studio: &mut Studio,
    frame: &Arc<Frame>,
    scenery: &Scenery<'_>,
    options: &Options,
) -> Result<Image, StillError> {
    let selected = options.select.as_ref().map(|name| find(frame, name)).transpose()?;
    let around = options.theme.surroundings();
    let has_marks = Layer::ALL.iter().any(|layer| layer.is_of_contacts() && options.layers.has(*layer));
    let style = Style {
        theme: options.theme,
        opacity: options.opacity.unwrap_or_else(|| if has_marks { usual_opacity(frame) } else { 1.0 }),
        fixed_opacity: options.fixed_opacity.unwrap_or(1.0),
        // Who says how opaque they are is obeyed.
        sees_into: options.layers.has(Layer::SeeInto) && options.fixed_opacity.is_none(),
        wireframe: options.layers.has(Layer::Wireframe),
        shadows: options.layers.has(Layer::Shadows),
        grid: options.layers.has(Layer::Grid),
        floor: scenery.floor,
    };
    let mark_style = MarkStyle {
        layers: options.layers.clone(),
        force_scale: options.force_scale,
        trail_time: options.trail_time,
        ink: around.ink,
        rim: if options.theme == Theme::Light { mark::INK } else { mark::PAPER },
        only: selected.filter(|_| options.close),
    };
    let overlay = marks(frame, scenery.timeline, &mark_style);
    let picture = Picture {
        frame,
        camera: &scenery.camera,
        style: &style,
        overlay: &overlay,
        selected,
        around: [0.0; 3],
        size: options.size,
        viewport: [0, 0, options.size[0], options.size[1]],
        clip: [0, 0, options.size[0], options.size[1]],
        scale: (options.size[1] as f32 / USUAL_HEIGHT).max(1.0),
    };
    let size = options.size.map(|n| n as f32 / picture.scale).into();
    let usual = Caption::of(frame, &mark_style, &scenery.camera, size, options.theme);
    Ok(studio.draw(&picture, &Caption { title: scenery.title.clone(), ..usual })?)
}

fn find(frame: &Frame, name: &str) -> Result<u32, StillError> {
    let known = || {
        let names: Vec<&str> = frame.model.bodies.iter().map(|body| body.name.as_str()).take(20).collect();
        names.join(", ")
    };
    let ix = frame.model.bodies.iter().position(|body| body.name == name);
    ix.map(|ix| ix as u32).ok_or_else(|| StillError::NoBody { name: name.to_owned(), known: known() })
}

impl Options {
    /// These, and what a scene asks for where they leave it open.
    fn or_of(&self, view: &ViewSpec) -> Self {
        let part = |x: Option<f64>| x.map(|x| x as f32);
        Self {
            opacity: self.opacity.or(part(view.opacity)),
            fixed_opacity: self.fixed_opacity.or(part(view.fixed_opacity)),
            ..self.clone()
        }
    }
}

/// What a scene wants to be looked at: a box that it gives, or else `moving`, the box around all that moves.
pub fn looked_at(view: &ViewSpec, moving: &Aabb) -> Aabb {
    let center = view.target.map_or(moving.center(), DVec3::from_array);
    let half = view.size.map_or(moving.half_size(), |size| DVec3::splat(0.5 * size));
    Aabb { min: center - half, max: center + half }
}

impl Look {
    /// How a scene wants to be looked at.
    pub fn of(view: &ViewSpec) -> Self {
        let usual = Self::default();
        Self {
            yaw: view.yaw_deg.unwrap_or(usual.yaw),
            pitch: view.pitch_deg.unwrap_or(usual.pitch),
            zoom: usual.zoom,
        }
    }

    /// The camera that looks so at anything.
    pub fn camera(&self) -> Camera {
        Camera { yaw: self.yaw.to_radians(), pitch: self.pitch.to_radians(), ..Camera::default() }
    }
}

/// The camera of a look at a box.
pub fn look(look: &Look, bounds: &Aabb, aspect: f64) -> Camera {
    let mut camera = look.camera();
    camera.frame(bounds, aspect);
    camera.distance /= look.zoom.max(1e-3);
    camera
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
