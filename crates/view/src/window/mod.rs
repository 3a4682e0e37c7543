//! The window: input becomes commands, frames become pictures.
//!
//! | module | what it holds |
//! |---|---|
//! | `app` | the state of the program, its queue of commands |
//! | `screen` | the window's surface and what draws into it |
//! | `mouse_and_keys` | what they do where the window shows the scene |
//! | `pictures` | a thread that draws and writes pictures |
//! | `sequence` | a sequence of pictures while time goes on |
//! | `rate` | how fast the window is drawn |
//! | `table` | figures of contacts as text: rows to show and to copy |
//! | `figures` | recorded figures, and what is plotted, as tables |
//! | `plots` | what is plotted: figures of recorded steps as curves |
//! | `panels` | one file for each panel |
//! | `panes` | the panels as triangles |
//! | `messages` | what the user is told |
//! | `scene_list` | scenes that can be opened |
//! | `style` | fonts and scroll bars of the panels |
//! | `widget_state` | what widgets keep from picture to picture |
//! | `widget_list` | where widgets are, for programs that drive the window |

mod app;
mod figures;
mod messages;
mod mouse_and_keys;
mod panels;
mod panes;
mod pictures;
mod plots;
mod rate;
mod scene_list;
mod screen;
mod sequence;
mod style;
mod table;
mod widget_list;
mod widget_state;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::command::{Command, SimCommand, ViewCommand};
use crate::draw::DrawError;
use crate::simulation::LogError;
pub use app::Options;
use app::{App, Wake};
pub use rate::Summary;
use screen::Screen;

/// Least time between two pictures where the processor draws, which also has to simulate.
const SOFTWARE_INTERVAL: Duration = Duration::from_millis(25);

/// Time for which a device that took the place of another has to draw before it may be replaced in its turn.
const TRIAL: Duration = Duration::from_secs(10);

/// Why there is no window.
#[derive(Debug, Error)]
pub enum WindowError {
    /// The window system cannot be reached or refuses.
    #[error("no window can be opened: {0}; --png draws without one")]
    System(String),
    /// Nothing can be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Opens the window and stays until it is closed; returns how fast it was drawn.
///
/// # Errors
/// If there can be no window, or nothing can be drawn in it.
pub fn run(options: &Options) -> Result<Summary, WindowError> {
    let system = |error: &dyn std::fmt::Display| WindowError::System(error.to_string());
    let event_loop = EventLoop::<Wake>::with_user_event().build().map_err(|error| system(&error))?;
    let app = App::start(options, event_loop.create_proxy())?;
    let mut handler = Handler {
        app,
        size: options.size,
        adapter: options.simulation.backend.adapter.clone(),
        screen: None,
        outcome: Ok(()),
        drawn: Instant::now(),
        due: None,
        lost: None,
        lose_device_after: options.lose_device_after.clone(),
    };
    event_loop.run_app(&mut handler).map_err(|error| system(&error))?;
    handler.outcome.map(|()| handler.app.rate.summary())
}

struct Handler {
    app: App,
    size: [u32; 2],
    adapter: Option<String>,
    screen: Option<Screen>,
    outcome: Result<(), WindowError>,
    drawn: Instant,
    /// When the next picture is due, if one is wanted.
    due: Option<Instant>,
    /// When a device failed last.
    lost: Option<Instant>,
    /// Numbers of pictures after which a device is given up.
    lose_device_after: VecDeque<usize>,
}

impl Handler {
    fn open(&self, event_loop: &ActiveEventLoop) -> Result<Arc<Window>, WindowError> {
        let [width, height] = self.size;
        let attributes = Window::default_attributes()
            .with_title("Tactum")
            .with_inner_size(PhysicalSize::new(width, height))
            .with_min_inner_size(PhysicalSize::new(480, 320));
        let window = event_loop.create_window(attributes);
        window.map(Arc::new).map_err(|error| WindowError::System(error.to_string()))
    }

    /// Has a device draw in a window.
    fn equip(&mut self, event_loop: &ActiveEventLoop, window: Arc<Window>) -> Result<(), WindowError> {
        let display = Box::new(event_loop.owned_display_handle());
        let screen = Screen::new(window, display, self.adapter.as_deref(), self.app.context())?;
        self.app.device = screen.device();
        self.screen = Some(screen);
        self.want(Duration::ZERO);
        Ok(())
    }

    /// Takes another device, or the same one anew, in place of one that has failed. One that fails again at once is not
    /// worth a third try.
    fn recover(&mut self, event_loop: &ActiveEventLoop, error: DrawError) -> Result<(), WindowError> {
        let is_again = self.lost.is_some_and(|lost| lost.elapsed() < TRIAL);
        let (DrawError::Failed(_), false, Some(mut screen)) = (&error, is_again, self.screen.take()) else {
            return Err(error.into());
        };
        self.lost = Some(Instant::now());
        let window = screen.window().clone();
        let unheard = screen.panes().unheard();
        // A window has one surface at a time.
        drop(screen);
        self.app.renew_context();
        self.equip(event_loop, window)?;
        if let Some(screen) = &mut self.screen {
            screen.panes().hear(unheard);
        }
        self.app.tell(format!("{error}; drawn by {} from now on", self.app.device), true);
        Ok(())
    }

    fn stop(&mut self, event_loop: &ActiveEventLoop, error: WindowError) {
        self.outcome = Err(error);
        event_loop.exit();
    }

    /// Asks for a picture after a while, but not before the least interval is over.
    fn want(&mut self, after: Duration) {
        let interval = self.screen.as_ref().map_or(Duration::ZERO, |screen| {
            if screen.is_software() { SOFTWARE_INTERVAL } else { Duration::ZERO }
        });
        let Some(due) = Instant::now().checked_add(after) else { return };
        let due = due.max(self.drawn + interval);
        self.due = Some(self.due.map_or(due, |before| before.min(due)));
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else { return };
        self.due = None;
        self.drawn = Instant::now();
        if self.lose_device_after.front().is_some_and(|n| self.app.rate.n_pictures() >= *n) {
            self.lose_device_after.pop_front();
            screen.lose_device();
        }
        let outcome = screen.draw(&mut self.app);
        if self.app.is_closing {
            event_loop.exit();
        }
        match outcome {
            Ok(after) => self.want(after),
            // A window without a device cannot show why.
            Err(error) => {
                if let Err(error) = self.recover(event_loop, error) {
                    self.stop(event_loop, error);
                }
            }
        }
    }
}

impl ApplicationHandler<Wake> for Handler {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let opened = self.open(event_loop).and_then(|window| self.equip(event_loop, window));
        if let Err(error) = opened {
            self.stop(event_loop, error);
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause
            && let Some(screen) = &self.screen
        {
            screen.window().request_redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, _: Wake) {
        if self.app.receive() {
            self.want(Duration::ZERO);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        match &event {
            WindowEvent::RedrawRequested => return self.draw(event_loop),
            WindowEvent::CloseRequested => {
                self.app.dispatch(Command::View(ViewCommand::Close));
                return event_loop.exit();
            }
            // A scene, or a mesh, which becomes a body on a floor.
            WindowEvent::DroppedFile(path) => self.app.sim(SimCommand::Open(path.clone())),
            WindowEvent::Resized(size) if screen.resize([size.width, size.height]) => {
                self.app.dispatch(Command::View(ViewCommand::Resize(size.width, size.height)));
            }
            _ => {}
        }
        if screen.take(&event) {
            self.want(Duration::ZERO);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(due) = self.due else { return event_loop.set_control_flow(ControlFlow::Wait) };
        if due <= Instant::now() {
            if let Some(screen) = &self.screen {
                screen.window().request_redraw();
            }
            event_loop.set_control_flow(ControlFlow::Wait);
        } else {
            event_loop.set_control_flow(ControlFlow::WaitUntil(due));
        }
    }
}
