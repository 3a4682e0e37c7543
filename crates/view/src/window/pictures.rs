//! A thread that draws and writes pictures, so that neither the window nor the simulation waits for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use crate::camera::Camera;
use crate::draw::{Picture, Style};
use crate::frame::Frame;
use crate::layers::Layers;
use crate::legend;
use crate::offscreen::Studio;
use crate::overlay::Overlay;

/// Pictures that may wait; beyond that whoever asks has to, for a sequence without gaps.
const WAITING: usize = 8;

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
    pub layers: Layers,
    pub has_legend: bool,
    pub path: PathBuf,
    /// Whether the user is told.
    pub is_told: bool,
}

/// What became of a picture: the file to tell of, or what went wrong.
pub type Outcome = Result<Option<PathBuf>, String>;

/// The thread.
pub struct Photographer {
    shots: Option<SyncSender<Shot>>,
    outcomes: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
}

impl Photographer {
    /// Starts the thread; the window is drawn anew when a picture is done.
    pub fn start(context: egui::Context) -> Self {
        let (shots, orders) = sync_channel(WAITING);
        let (sender, outcomes) = channel();
        let thread = std::thread::spawn(move || work(&orders, &sender, &context));
        Self { shots: Some(shots), outcomes, thread: Some(thread) }
    }

    /// Hands over a picture.
    pub fn take(&self, shot: Shot) {
        if let Some(shots) = &self.shots {
            // A thread that has ended has told why.
            let _ = shots.send(shot);
        }
    }

    /// What became of the next picture, if that is known.
    pub fn next(&self) -> Option<Outcome> {
        self.outcomes.try_recv().ok()
    }
}

impl Drop for Photographer {
    /// Writes what is waiting.
    fn drop(&mut self) {
        self.shots = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(orders: &Receiver<Shot>, outcomes: &Sender<Outcome>, context: &egui::Context) {
    let mut studio = match Studio::open(None) {
        Ok(studio) => studio,
        Err(error) => {
            let _ = outcomes.send(Err(error.to_string()));
            return context.request_repaint();
        }
    };
    for shot in orders {
        let outcome = take(&mut studio, &shot).map_err(|error| error.to_string());
        let _ = outcomes.send(outcome.map(|()| shot.is_told.then_some(shot.path)));
        context.request_repaint();
    }
}

fn take(studio: &mut Studio, shot: &Shot) -> Result<(), crate::draw::DrawError> {
    let picture = Picture {
        frame: &shot.frame,
        camera: &shot.camera,
        style: &shot.style,
        overlay: &shot.overlay,
        selected: shot.selected,
        around: [0.0; 3],
        size: shot.size,
        viewport: [0, 0, shot.size[0], shot.size[1]],
        scale: shot.scale,
    };
    let ink = shot.style.theme.surroundings().ink;
    let entries = if shot.has_legend { legend::entries(&shot.frame, &shot.layers, ink) } else { Vec::new() };
    studio.draw(&picture, &entries)?.write(&shot.path)
}
