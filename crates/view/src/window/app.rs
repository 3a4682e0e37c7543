//! The state of the program and its queue of commands.

mod looking;
mod taking_pictures;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Rect;
use glam::DVec2;
use tactum::scene::schema::{BodySpec, KindSpec};
use winit::event_loop::EventLoopProxy;

use super::messages::Messages;
use super::pictures::Photographer;
use super::rate::Rate;
use super::scene_list::{SceneEntry, entries, held};
use super::sequence::Sequence;
use super::widget_state::WidgetState;
use super::{figures, style};
use crate::command::{Command, SimCommand, ViewCommand};
use crate::frame::Frame;
use crate::marks::marks;
use crate::motion::floor_of;
use crate::overlay::Overlay;
use crate::palette::Rgb;
use crate::paths::whole;
use crate::simulation::source::is_held;
use crate::simulation::{self, LogError, Simulation, Status, Update};
use crate::timeline::Timeline;
use crate::view::{View, usual_opacity};

/// Time after which a picture that does not change is taken for still.
const STILL: Duration = Duration::from_millis(300);

/// How to start.
#[derive(Clone, Debug)]
pub struct Options {
    /// Scene to open, or a folder of scenes.
    pub scene: PathBuf,
    /// Size of the window \[pixels\].
    pub size: [u32; 2],
    /// What is shown to begin with.
    pub view: View,
    /// Opacities of bodies that move and of those that do not, where they are to be others than a scene asks for.
    pub opacities: [Option<f32>; 2],
    /// How to simulate, and the log.
    pub simulation: simulation::Options,
    /// Time to run the scene for before the window closes by itself.
    pub measure: Option<Duration>,
    /// Numbers of pictures after which the device that draws is given up, for tests.
    pub lose_device_after: VecDeque<usize>,
    /// Where a list of the widgets is kept, for programs that drive the window.
    pub widget_list: Option<PathBuf>,
}

/// Something came from the simulation, or a picture is done.
#[derive(Clone, Copy, Debug)]
pub struct Wake;

/// What has come since the panels were made.
#[derive(Clone, Copy, Debug, Default)]
pub struct News {
    /// A step, whose figures change many times a second.
    pub figures: bool,
    /// Anything else, which is shown at once.
    pub more: bool,
}

/// The program behind the window.
pub struct App {
    context: egui::Context,
    /// Has the window look for what is new.
    proxy: EventLoopProxy<Wake>,
    adapter: Option<String>,
    opacities: [Option<f32>; 2],
    simulation: Simulation,
    /// What is shown.
    pub view: View,
    /// Recorded steps.
    pub timeline: Timeline,
    /// What the simulation is doing.
    pub status: Option<Status>,
    /// The scene in use.
    pub scene: Option<Box<simulation::Opened>>,
    /// Scenes of the folder.
    pub scenes: Vec<SceneEntry>,
    /// Messages to the user.
    pub messages: Messages,
    /// The device that draws.
    pub device: String,
    /// Whether the window is to close.
    pub is_closing: bool,
    /// State of widgets that is nobody else's business.
    pub widgets: WidgetState,
    /// Where the camera's picture lies, and what of it no panel covers \[points\].
    scene_area: Rect,
    clear_area: Rect,
    photographer: Option<Photographer>,
    sequence: Option<Sequence>,
    /// What the panels do not show yet.
    pub news: News,
    /// How fast pictures are drawn.
    pub rate: Rate,
    /// Time to run for, and when it began.
    measure: Option<(Duration, Option<Instant>)>,
    /// When the camera or the frame shown was last changed.
    moved: Instant,
    title: Option<String>,
    pub(super) widget_list: Option<PathBuf>,
    queue: Vec<Command>,
}

impl App {
    /// Starts the simulation and opens the scene; `proxy` is told when there is something new.
    ///
    /// # Errors
    /// If the log cannot be written.
    pub fn start(options: &Options, proxy: EventLoopProxy<Wake>) -> Result<Self, LogError> {
        let simulation = Simulation::start(&options.simulation, waker(&proxy))?;
        let context = egui::Context::default();
        style::prepare(&context);
        let is_folder = options.scene.is_dir();
        let folder =
            if is_folder { options.scene.as_path() } else { options.scene.parent().unwrap_or(Path::new("")) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut app = Self {
            context,
            proxy,
            adapter: options.simulation.backend.adapter.clone(),
            opacities: options.opacities,
            simulation,
            view: options.view.clone(),
            timeline: Timeline::default(),
            status: None,
            scene: None,
            scenes: if is_held(&options.scene) { held() } else { entries(folder) },
            messages: Messages::default(),
            device: String::new(),
            is_closing: false,
            widgets: WidgetState::default(),
            scene_area: Rect::ZERO,
            clear_area: Rect::ZERO,
            photographer: None,
            sequence: None,
            news: News::default(),
            rate: Rate::default(),
            measure: options.measure.map(|time| (time, None)),
            moved: Instant::now(),
            title: None,
            widget_list: options.widget_list.clone(),
            queue: Vec::new(),
        };
        let first = if is_folder {
            app.scenes.first().map(|entry| entry.path.clone())
        } else {
            Some(options.scene.clone())
        };
        match first {
            Some(path) => app.dispatch(Command::Sim(SimCommand::Open(path))),
            None => app.tell(format!("there are no scenes in '{}'", folder.display()), true),
        }
        Ok(app)
    }

    /// The toolkit's context.
    pub fn context(&self) -> &egui::Context {
        &self.context
    }

    /// Begins anew with the toolkit, for a device that has none of its textures; what panels remember stays.
    pub fn renew_context(&mut self) {
        let memory = self.context.memory(Clone::clone);
        self.context = egui::Context::default();
        self.context.memory_mut(|fresh| *fresh = memory);
        self.news.more = true;
    }

    /// Adds a command to the queue; it is carried out before the next picture.
    pub fn push(&mut self, command: Command) {
        self.queue.push(command);
    }

    /// Adds a command for the simulation. Where a recorded frame is shown it goes on from there.
    pub fn sim(&mut self, command: SimCommand) {
        if let Some(id) = self.view.shown.filter(|_| needs_present(&command)) {
            self.push(Command::Sim(SimCommand::GoTo(id)));
            self.push(Command::View(ViewCommand::Show(None)));
        }
        self.push(Command::Sim(command));
    }

    /// Adds a command for the view.
    pub fn show(&mut self, command: ViewCommand) {
        self.push(Command::View(command));
    }

    /// Carries out a command and hands it to the simulation, which records it.
    pub fn dispatch(&mut self, command: Command) {
        self.news.more = true;
        if let Command::View(command) = &command {
            self.view.apply(command);
            self.carry_out(command);
        }
        self.simulation.send(command);
    }

    fn carry_out(&mut self, command: &ViewCommand) {
        match command {
            ViewCommand::Screenshot(path) => self.take_picture(path.clone(), self.picture_size(), true),
            ViewCommand::Pictures(folder) => self.set_sequence(folder.clone()),
            ViewCommand::Export(path) => match figures::write(path, &self.timeline, &self.view.plots) {
                Ok(names) => {
                    self.tell(format!("wrote {} into '{}'", names.join(" and "), whole(path)), false);
                }
                Err(error) => {
                    self.tell(format!("cannot write tables into '{}': {error}", whole(path)), true);
                }
            },
            ViewCommand::Close => self.is_closing = true,
            _ => {}
        }
    }

    /// Tells something, in the window and where the program was started.
    pub fn tell(&mut self, text: String, is_trouble: bool) {
        self.news.more = true;
        if !self.messages.is_last(&text) {
            eprintln!("{}{text}", if is_trouble { "error: " } else { "" });
        }
        self.messages.add(text, is_trouble);
    }

    /// Takes in what the simulation has told; returns whether there was anything.
    pub fn receive(&mut self) -> bool {
        let mut is_new = false;
        while let Some(update) = self.simulation.next() {
            is_new = true;
            self.news.figures = true;
            self.news.more |= !matches!(update, Update::Frame(_));
            match update {
                Update::Opened(opened) => self.opened(opened),
                Update::Frame(frame) => self.recorded(&frame),
                Update::Status(status) => self.status = Some(*status),
                Update::Trouble(text) => self.tell(text, true),
                Update::Done(text) => self.tell(text, false),
            }
        }
        while let Some(outcome) = self.photographer.as_mut().and_then(Photographer::next) {
            self.keep_pace();
            match outcome {
                Ok(Some(path)) => self.tell(format!("wrote the picture '{}'", whole(&path)), false),
                Ok(None) => continue,
                Err(text) => self.tell(text, true),
            }
            is_new = true;
        }
        is_new
    }

    fn opened(&mut self, opened: Box<simulation::Opened>) {
        let is_same = self.scene.as_ref().is_some_and(|scene| scene.path == opened.path);
        // What was wrong before is mended, or another scene's.
        self.messages.forget_trouble();
        for warning in &opened.warnings {
            eprintln!("warning: {warning}");
            self.messages.add(warning.clone(), true);
        }
        self.title = Some(format!("Tactum: {}", opened.name));
        if is_same {
            self.tell(format!("read '{}' again", opened.path.display()), false);
        } else {
            (self.view.selected, self.view.followed) = (None, None);
        }
        self.widgets.must_frame = !is_same;
        self.widgets.new_floor = true;
        self.view.shown = None;
        self.scene = Some(opened);
    }

    fn recorded(&mut self, frame: &Arc<Frame>) {
        if std::mem::take(&mut self.widgets.new_floor) {
            self.view.floor = floor_of(frame);
        }
        if std::mem::take(&mut self.widgets.must_frame) {
            let view = self.scene_view();
            let part = |x: Option<f64>| x.map(|x| x as f32);
            self.view.camera = self.home(frame);
            self.view.opacity =
                self.opacities[0].or(part(view.opacity)).unwrap_or_else(|| usual_opacity(frame));
            self.view.fixed_opacity = self.opacities[1].or(part(view.fixed_opacity)).unwrap_or(1.0);
        }
        let n_bodies = frame.poses.len() as u32;
        self.view.selected = self.view.selected.filter(|body| *body < n_bodies);
        self.view.followed = self.view.followed.filter(|body| *body < n_bodies);
        self.timeline.push(frame.clone());
        // What is shown may have been forgotten.
        self.view.shown = self.view.shown.filter(|id| self.timeline.find(*id).is_some());
        let sequence = self.sequence.as_mut();
        let due = sequence.and_then(|sequence| Some((sequence.due(frame)?, sequence.size)));
        if let Some((path, size)) = due {
            self.take_picture(path, size, false);
            self.keep_pace();
        }
    }

    /// Puts new things in place before a picture is drawn.
    pub fn begin_picture(&mut self) {
        self.receive();
        self.follow();
        self.measure();
        self.news.more |= self.messages.forget_old();
    }

    /// Has the panels shown by `show`, and carries out what was done in them.
    pub fn show_panels(&mut self, show: impl FnOnce(&mut Self)) {
        let before = (self.view.camera, self.view.shown);
        show(self);
        for command in std::mem::take(&mut self.queue) {
            self.dispatch(command);
        }
        if before != (self.view.camera, self.view.shown) {
            self.moved = Instant::now();
        }
    }

    /// Keeps the followed body where it is in the picture.
    fn follow(&mut self) {
        let Some(body) = self.view.followed else { return self.widgets.followed_at = None };
        let Some(frame) = self.shown_frame() else { return };
        let at = frame.bounds_of(body).center();
        let Some((before, from)) = self.widgets.followed_at.replace((body, at)) else { return };
        if before == body && at.is_finite() && at != from {
            self.view.camera.target += at - from;
            self.moved = Instant::now();
        }
    }

    /// The frame that is shown.
    pub fn shown_frame(&self) -> Option<Arc<Frame>> {
        let shown = self.view.shown.and_then(|id| self.timeline.find(id));
        shown.or(self.timeline.last()).cloned()
    }

    /// Has the simulation wait while pictures of it are taken more slowly than they come, so that none is left out.
    fn keep_pace(&self) {
        let is_behind = self.photographer.as_ref().is_some_and(Photographer::is_behind);
        self.simulation.hold(is_behind && self.is_taking_pictures());
    }

    /// Colour of the panels, which are drawn without a ground of their own: where the processor draws, filling them through
    /// the toolkit took more than half of a picture's time.
    pub fn panel_colour(&self) -> Rgb {
        let colour = self.context.global_style().visuals.panel_fill;
        [colour.r(), colour.g(), colour.b()].map(|c| f32::from(c) / 255.0)
    }

    /// Whether the picture changes from moment to moment: the simulation runs, or the view has just been changed.
    pub fn is_moving(&self) -> bool {
        self.status.as_ref().is_some_and(|status| status.is_running) || self.moved.elapsed() < STILL
    }

    /// Marks over a frame.
    pub fn overlay(&self, frame: &Frame) -> Overlay {
        marks(frame, &self.timeline, &self.view.mark_style())
    }

    /// The window's title, once after each change.
    pub fn title(&mut self) -> Option<String> {
        self.title.take()
    }

    /// Width of the scene's part of the window by its height.
    pub fn aspect(&self) -> f64 {
        let size = self.scene_area.size();
        if size.y > 0.0 { f64::from(size.x / size.y) } else { 1.5 }
    }

    /// Goes back to the scene's start.
    pub fn reset(&mut self) {
        self.show(ViewCommand::Show(None));
        self.push(Command::Sim(SimCommand::Reset));
    }

    /// Changes the wanted speed by a factor, between a thousandth and a thousand.
    pub fn change_speed(&mut self, factor: f64) {
        let speed = self.status.as_ref().map_or(1.0, |status| status.speed);
        self.push(Command::Sim(SimCommand::Speed((speed * factor).clamp(1e-3, 1e3))));
    }

    /// Shows a recorded frame that is some places away from the one shown.
    pub fn scrub(&mut self, places: isize) {
        let last = self.timeline.len().saturating_sub(1);
        let here = self.view.shown.and_then(|id| self.timeline.place_of(id)).unwrap_or(last);
        self.scrub_to(here.saturating_add_signed(places).min(last));
    }

    /// Shows the recorded frame at a place, and stands still; the last place follows the simulation again.
    pub fn scrub_to(&mut self, place: usize) {
        let is_last = place + 1 >= self.timeline.len();
        let shown = self.timeline.get(place).filter(|_| !is_last).map(|frame| frame.id);
        if self.status.as_ref().is_some_and(|status| status.is_running) {
            self.push(Command::Sim(SimCommand::Pause));
        }
        if shown != self.view.shown {
            self.show(ViewCommand::Show(shown));
        }
    }

    /// The description of the selected body, if it is one of the scene's.
    pub fn copy_of_selected(&self) -> Option<BodySpec> {
        let body = self.scene.as_ref()?.bodies.get(self.view.selected? as usize)?;
        (body.kind == KindSpec::Dynamic).then(|| BodySpec {
            copies: None,
            poses: None,
            placed: None,
            ..body.clone()
        })
    }

    /// Whether pictures are drawn as fast as they can be, to tell how fast that is.
    pub fn is_measuring(&self) -> bool {
        matches!(self.measure, Some((_, Some(_))))
    }

    /// Runs the scene for the time that is to be measured while the camera turns, so that every picture is another one
    /// however slow the steps are, and closes the window after it.
    fn measure(&mut self) {
        /// Sideways motion of the mouse that the turning is worth \[pixels a picture\].
        const TURN: DVec2 = DVec2::new(1.0, 0.0);
        let is_running = self.status.as_ref().is_some_and(|status| status.is_running);
        match self.measure {
            Some((_, None)) if is_running => {
                self.rate.keep_all();
                self.measure = self.measure.map(|(time, _)| (time, Some(Instant::now())));
            }
            Some((_, None)) if self.scene.is_some() => self.dispatch(Command::Sim(SimCommand::Play)),
            Some((time, Some(begin))) if begin.elapsed() >= time => {
                self.dispatch(Command::View(ViewCommand::Close));
            }
            Some((_, Some(_))) => {
                self.view.camera.orbit(TURN, f64::from(self.scene_area.height()));
                self.moved = Instant::now();
            }
            _ => {}
        }
    }
}

/// Has the window look for what is new, from any thread. A window that is closing does not need to.
fn waker(proxy: &EventLoopProxy<Wake>) -> impl Fn() + Send + use<> {
    let proxy = proxy.clone();
    move || _ = proxy.send_event(Wake)
}

/// Whether a command is about the state that is shown.
fn needs_present(command: &SimCommand) -> bool {
    use SimCommand::{Drop, Grab, Kick, Play, Save, Step};
    matches!(command, Play | Step | Grab { .. } | Kick { .. } | Drop(_) | Save(_))
}
