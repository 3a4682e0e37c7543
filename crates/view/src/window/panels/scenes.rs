//! The list of scenes.

use egui::{CollapsingHeader, RichText, Ui};

use super::super::app::App;
use crate::command::SimCommand;

pub fn show(app: &mut App, ui: &mut Ui) {
    let open = app.scene.as_ref().map(|scene| scene.path.clone());
    let mut wanted = None;
    CollapsingHeader::new("Scenes").default_open(false).show(ui, |ui| {
        for entry in &app.scenes {
            let is_open = open.as_ref().is_some_and(|path| *path == entry.path);
            if ui.selectable_label(is_open, &entry.name).on_hover_text(&entry.description).clicked() {
                wanted = Some(entry.path.clone());
            }
        }
    });
    if let Some(scene) = &app.scene {
        ui.label(RichText::new(&scene.name).strong());
        if !scene.description.is_empty() {
            ui.label(RichText::new(&scene.description).small());
        }
    }
    ui.separator();
    if let Some(path) = wanted {
        app.sim(SimCommand::Open(path));
    }
}
