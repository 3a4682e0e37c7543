//! The panels around the scene.

mod help;
mod inspect;
mod layers;
mod notices;
mod parameters;
mod plots;
mod scenes;
mod transport;

use egui::{CentralPanel, Frame, Panel, ScrollArea, Ui, pos2};

use super::app::App;
use super::mouse_and_keys;
use crate::layers::Layer;
use crate::legend;
use crate::palette::Theme;

/// Shows all panels, and the scene in what they leave.
pub fn show(app: &mut App, ui: &mut Ui) {
    ui.ctx().set_theme(match app.view.theme {
        Theme::Light => egui::Theme::Light,
        Theme::Dark => egui::Theme::Dark,
    });
    let clear = Frame::side_top_panel(ui.style()).fill(egui::Color32::TRANSPARENT);
    Panel::bottom("transport").frame(clear).show(ui, |ui| transport::show(app, ui));
    Panel::left("settings").frame(clear).resizable(true).default_size(232.0).size_range(180.0..=420.0).show(
        ui,
        |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                scenes::show(app, ui);
                layers::show(app, ui);
                parameters::show(app, ui);
            });
        },
    );
    if !app.view.plots.is_empty() {
        let plots = Panel::right("plots").frame(clear).resizable(true).default_size(300.0);
        plots.size_range(200.0..=640.0).show(ui, |ui| plots::show(app, ui));
    }
    if app.view.selected.is_some() {
        Panel::bottom("body")
            .frame(clear)
            .resizable(true)
            .default_size(180.0)
            .show(ui, |ui| inspect::show(app, ui));
    }
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        let rect = ui.max_rect();
        app.set_scene_area(rect);
        mouse_and_keys::mouse(app, ui, rect);
        if app.view.layers.has(Layer::Legend)
            && let Some(frame) = app.shown_frame()
        {
            let entries = legend::entries(&frame, &app.view.layers, app.view.theme.surroundings().ink);
            let height = legend::height(&entries);
            let corner = pos2(rect.left() + 12.0, rect.bottom() - height - 12.0);
            legend::paint(ui, corner, &entries, app.view.theme);
        }
        if app.scene.is_none() {
            let text = "No scene is open. Choose one under Scenes.";
            ui.put(rect, egui::Label::new(text).selectable(false));
        }
        notices::show(app, ui, rect);
    });
    if app.view.help {
        help::show(app, ui);
    }
}
