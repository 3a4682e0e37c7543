//! The panels around the scene.

mod bodies;
mod drives;
mod expectations;
mod help;
mod inspect;
mod intervals;
mod layers;
mod notices;
mod parameters;
mod plots;
mod scenes;
mod transport;

use egui::{CentralPanel, Frame, Panel, ScrollArea, Ui};

use super::app::App;
use super::mouse_and_keys;
use crate::legend::Caption;
use crate::palette::Theme;
use crate::view::View;

/// Shows all panels, and the scene in what they leave.
pub fn show(app: &mut App, ui: &mut Ui) {
    ui.ctx().set_theme(match app.view.theme {
        Theme::Light => egui::Theme::Light,
        Theme::Dark => egui::Theme::Dark,
    });
    let clear = Frame::side_top_panel(ui.style()).fill(egui::Color32::TRANSPARENT);
    if app.view.panels {
        around(app, ui, clear);
    }
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        // What comes and goes lies over the scene, so that the view does not jump.
        let whole = ui.max_rect();
        // Of two widgets at one place the mouse acts on the one made later: the scene lies below what covers it.
        let scene = mouse_and_keys::sense(ui, whole);
        if app.view.panels {
            passing(app, ui, clear);
        }
        let clear = ui.available_rect_before_wrap();
        app.set_scene_area(whole, clear);
        mouse_and_keys::mouse(app, ui, &scene);
        if let Some(frame) = app.shown_frame() {
            let View { camera, theme, .. } = &app.view;
            let marks = app.view.mark_style();
            Caption::of(&frame, &marks, camera, whole.size(), *theme).paint(ui, clear, *theme);
        }
        if app.scene.is_none() {
            let text = "No scene is open. Choose one under Scenes.";
            ui.put(clear, egui::Label::new(text).selectable(false));
        }
        notices::show(app, ui, clear);
    });
    if app.view.help {
        help::show(app, ui);
    }
}

/// The panels of plots and of the selected body.
fn passing(app: &mut App, ui: &mut Ui, frame: Frame) {
    // A table needs the width, plots the height that is left.
    if app.view.selected.is_some() {
        let body = Panel::bottom("body").frame(frame).resizable(true).default_size(180.0);
        body.show(ui, |ui| inspect::show(app, ui));
    }
    if !app.view.plots.is_empty() {
        let plots = Panel::right("plots").frame(frame).resizable(true).default_size(300.0);
        plots.size_range(200.0..=640.0).show(ui, |ui| plots::show(app, ui));
    }
}

/// The panels that stay.
fn around(app: &mut App, ui: &mut Ui, frame: Frame) {
    Panel::bottom("transport").frame(frame).show(ui, |ui| transport::show(app, ui));
    let settings = Panel::left("settings").frame(frame).resizable(true).default_size(232.0);
    settings.size_range(180.0..=420.0).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            scenes::show(app, ui);
            expectations::show(app, ui);
            bodies::show(app, ui);
            layers::show(app, ui);
            drives::show(app, ui);
            parameters::show(app, ui);
        });
    });
}
