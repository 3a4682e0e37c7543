//! Pictures of what the window shows: single ones, and sequences into a folder.

use std::path::PathBuf;

use super::{App, waker};
use crate::command::ViewCommand;
use crate::window::pictures::{Photographer, Shot};
use crate::window::sequence::Sequence;

impl App {
    /// Whether a sequence of pictures is being taken.
    pub fn is_taking_pictures(&self) -> bool {
        self.sequence.is_some()
    }

    /// Ends the sequence of pictures, if there is one, and begins another in a folder, if one is given.
    pub(super) fn set_sequence(&mut self, folder: Option<PathBuf>) {
        if let Some(ended) = self.sequence.take() {
            self.tell(ended.summary(), false);
            if let (Some(photographer), false) = (&mut self.photographer, ended.pictures.is_empty()) {
                let film = ended.film();
                photographer.join(ended.pictures, film);
            }
        }
        self.keep_pace();
        match folder.map(|folder| Sequence::begin(folder, self.picture_size())) {
            Some(Ok(sequence)) => self.sequence = Some(sequence),
            Some(Err(text)) => self.tell(text, true),
            None => {}
        }
    }

    /// Width and height of the camera's picture in the window \[pixels\].
    pub(super) fn picture_size(&self) -> [u32; 2] {
        let size = self.scene_area.size() * self.context.pixels_per_point();
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
            marks: self.view.mark_style(),
            frame,
            path,
            adapter: self.adapter.clone(),
            is_told,
        };
        let proxy = &self.proxy;
        let photographer = self.photographer.get_or_insert_with(|| Photographer::start(waker(proxy)));
        photographer.take(shot);
    }

    /// Writes the picture into the current folder.
    pub fn screenshot(&mut self) {
        let path = self.fresh_file("png");
        self.show(ViewCommand::Screenshot(path));
    }

    /// A name in the current folder that is not taken yet.
    pub fn fresh_file(&mut self, extension: &str) -> PathBuf {
        let name = self.scene.as_ref().map_or("scene", |scene| scene.name.as_str());
        let plain: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
        loop {
            let path = PathBuf::from(format!("{plain}-{:03}.{extension}", self.widgets.n_files));
            self.widgets.n_files += 1;
            if !path.exists() {
                return path;
            }
        }
    }
}
