//! Pictures that the window is asked for: single ones, and a sequence of them while time goes on.

use std::path::PathBuf;
use std::sync::Arc;

use super::app::{App, waker};
use super::pictures::{Photographer, Shot};
use crate::frame::Frame;
use crate::layers::Layer;

/// Simulated time between two pictures of a sequence \[s\].
const PICTURE_INTERVAL: f64 = 1.0 / crate::film::RATE as f64;

/// A sequence of pictures that is being taken.
#[derive(Debug)]
pub struct Sequence {
    folder: PathBuf,
    pictures: Vec<PathBuf>,
    /// Simulated time from which on the next one is due \[s\].
    next: f64,
    /// Width and height \[pixels\], the same for all whatever becomes of the window.
    size: [u32; 2],
}

impl App {
    /// Takes the next picture of a sequence when it is due.
    pub(super) fn continue_sequence(&mut self, frame: &Arc<Frame>) {
        if let Some(sequence) = &mut self.sequence
            && (frame.time >= sequence.next || frame.after.is_none())
        {
            sequence.next = frame.time + PICTURE_INTERVAL * (1.0 - 1e-9);
            let path = sequence.folder.join(format!("{:06}.png", sequence.pictures.len()));
            sequence.pictures.push(path.clone());
            let size = sequence.size;
            self.take_picture(path, size, false);
            self.keep_pace();
        }
    }

    /// Has the simulation wait while pictures of it are taken more slowly than they come, so that none is left out.
    pub(super) fn keep_pace(&self) {
        let is_behind = self.photographer.as_ref().is_some_and(Photographer::is_behind);
        self.simulation.hold(is_behind && self.is_taking_pictures());
    }

    /// Whether a sequence of pictures is being taken.
    pub fn is_taking_pictures(&self) -> bool {
        self.sequence.is_some()
    }

    pub(super) fn set_sequence(&mut self, folder: Option<PathBuf>) {
        if let Some(ended) = self.sequence.take() {
            self.tell(
                format!("took {} pictures in '{}'", ended.pictures.len(), ended.folder.display()),
                false,
            );
            if let (Some(photographer), false) = (&mut self.photographer, ended.pictures.is_empty()) {
                let mut film = ended.folder.into_os_string();
                film.push(".png");
                photographer.join(ended.pictures, film.into());
            }
        }
        self.keep_pace();
        let Some(folder) = folder else { return };
        let (pictures, next, size) = (Vec::new(), f64::NEG_INFINITY, self.picture_size());
        match std::fs::create_dir_all(&folder) {
            Ok(()) => self.sequence = Some(Sequence { folder, pictures, next, size }),
            Err(error) => self.tell(format!("cannot make the folder '{}': {error}", folder.display()), true),
        }
    }

    /// Width and height of the scene's part of the window \[pixels\].
    pub(super) fn picture_size(&self) -> [u32; 2] {
        let size = self.scenery().size() * self.context.pixels_per_point();
        [(size.x as u32).max(1), (size.y as u32).max(1)]
    }

    pub(super) fn take_picture(&mut self, path: PathBuf, size: [u32; 2], is_told: bool) {
        let Some(frame) = self.shown_frame() else { return };
        let shot = Shot {
            overlay: self.overlay(&frame),
            camera: self.view.camera,
            style: self.view.style(),
            selected: self.view.selected,
            size,
            scale: self.context.pixels_per_point(),
            has_legend: self.view.layers.has(Layer::Legend),
            layers: self.view.layers.clone(),
            frame,
            path,
            adapter: self.adapter.clone(),
            is_told,
        };
        let proxy = &self.proxy;
        let photographer = self.photographer.get_or_insert_with(|| Photographer::start(waker(proxy)));
        photographer.take(shot);
    }
}
