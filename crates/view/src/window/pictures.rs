//! A thread that draws and writes pictures, so that neither the window nor the simulation waits for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::camera::Camera;
use crate::draw::{DrawError, Picture, Style};
use crate::film;
use crate::frame::Frame;
use crate::legend::Caption;
use crate::marks::MarkStyle;
use crate::offscreen::Studio;
use crate::overlay::Overlay;

/// Orders that may wait before the simulation is to wait for them.
const MANY: usize = 8;

/// A picture to be taken.
#[derive(Debug)]
pub struct Shot {
    pub frame: Arc<Frame>,
    pub overlay: Overlay,
    pub camera: Camera,
    pub style: Style,
    pub selected: Option<u32>,
    pub size: [u32; 2],
    pub scale: f32,
    pub marks: MarkStyle,
    pub path: PathBuf,
    /// The device that is wanted, see [`tactum_gpu::Options::adapter`].
    pub adapter: Option<String>,
    /// Whether the user is told.
    pub is_told: bool,
}

/// What is to be done.
#[derive(Debug)]
enum Order {
    Take(Box<Shot>),
    /// Make a film of pictures that were taken.
    Join(Vec<PathBuf>, PathBuf),
}

/// What became of an order: the file to tell of, or what went wrong.
pub type Outcome = Result<Option<PathBuf>, String>;

/// The thread.
pub struct Photographer {
    orders: Option<Sender<Order>>,
    outcomes: Receiver<Outcome>,
    /// Orders without an outcome yet.
    n_open: usize,
    thread: Option<JoinHandle<()>>,
}

impl Photographer {
    /// Starts the thread; `wake` is called when a picture is done.
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let (orders, waiting) = channel();
        let (sender, outcomes) = channel();
        let thread = std::thread::spawn(move || work(&waiting, &sender, &wake));
        Self { orders: Some(orders), outcomes, n_open: 0, thread: Some(thread) }
    }

    /// Hands over a picture.
    pub fn take(&mut self, shot: Shot) {
        self.order(Order::Take(Box::new(shot)));
    }

    /// Has a film made of pictures that were handed over before.
    pub fn join(&mut self, pictures: Vec<PathBuf>, film: PathBuf) {
        self.order(Order::Join(pictures, film));
    }

    fn order(&mut self, order: Order) {
        if let Some(orders) = &self.orders {
            // A thread that has ended has told why.
            self.n_open += usize::from(orders.send(order).is_ok());
        }
    }

    /// What became of the next picture, if that is known.
    pub fn next(&mut self) -> Option<Outcome> {
        let outcome = self.outcomes.try_recv().ok();
        self.n_open -= usize::from(outcome.is_some());
        outcome
    }

    /// Whether more pictures are wanted than are taken.
    pub fn is_behind(&self) -> bool {
        self.n_open >= MANY
    }
}

impl Drop for Photographer {
    /// Writes what is waiting.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(orders: &Receiver<Order>, outcomes: &Sender<Outcome>, wake: &impl Fn()) {
    let mut studio = None;
    for order in orders {
        let outcome = match order {
            Order::Take(shot) => take(&mut studio, &shot).map(|()| shot.is_told.then_some(shot.path)),
            Order::Join(pictures, path) => film::join(&pictures, &path).map(|()| Some(path)),
        };
        // A window that is closing does not need to know.
        let _ = outcomes.send(outcome.map_err(|error| error.to_string()));
        wake();
    }
}

/// Draws and writes a picture; after a failure the next one begins with a device of its own.
fn take(studio: &mut Option<Studio>, shot: &Shot) -> Result<(), DrawError> {
    let mut open = match studio.take() {
        Some(open) => open,
        None => Studio::open(shot.adapter.as_deref())?,
    };
    draw(&mut open, shot)?;
    *studio = Some(open);
    Ok(())
}

fn draw(studio: &mut Studio, shot: &Shot) -> Result<(), DrawError> {
    let picture = Picture {
        frame: &shot.frame,
        camera: &shot.camera,
        style: &shot.style,
        overlay: &shot.overlay,
        selected: shot.selected,
        around: [0.0; 3],
        size: shot.size,
        viewport: [0, 0, shot.size[0], shot.size[1]],
        clip: [0, 0, shot.size[0], shot.size[1]],
        scale: shot.scale,
    };
    let size = shot.size.map(|n| n as f32 / shot.scale).into();
    let caption = Caption::of(&shot.frame, &shot.marks, &shot.camera, size, shot.style.theme);
    studio.draw(&picture, &caption)?.write(&shot.path)
}
