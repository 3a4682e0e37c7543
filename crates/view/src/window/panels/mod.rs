//! The panels around the scene.

mod help;
mod inspect;
mod layers;
mod notices;
mod parameters;
mod plots;
mod scenes;
mod transport;

use egui::style::ScrollStyle;
use egui::{CentralPanel, Context, FontId, Frame, Panel, ScrollArea, TextStyle, Ui, pos2};

use super::app::App;
use super::scenery::{self, Gesture};
use super::table::Column;
use crate::layers::Layer;
use crate::legend;
use crate::palette::Theme;

/// Smallest text \[points\].
const SMALL: f32 = 12.0;

/// What falls from the sky.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DropShape {
    /// A cube.
    #[default]
    Box,
    /// A ball.
    Ball,
    /// A capsule.
    Capsule,
    /// A copy of the selected body.
    Copy,
}

/// State of widgets.
#[derive(Debug)]
pub struct Widgets {
    /// What the mouse is doing to the scene.
    pub gesture: Gesture,
    /// What is dropped next.
    pub drop_shape: DropShape,
    /// Column that contacts are sorted by, and whether from large to small.
    pub order: (Column, bool),
    /// Whether the next frame is to be looked at as a whole.
    pub must_frame: bool,
    /// Whether the next frame tells where the ground is.
    pub new_floor: bool,
    /// Number of the next file of each kind.
    pub n_files: u32,
}

impl Default for Widgets {
    fn default() -> Self {
        Self {
            gesture: Gesture::None,
            drop_shape: DropShape::default(),
            order: (Column::Normal, true),
            must_frame: false,
            new_floor: false,
            n_files: 1,
        }
    }
}

/// Fonts and colours.
pub fn prepare(context: &Context) {
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Small, FontId::proportional(SMALL)),
            (TextStyle::Body, FontId::proportional(13.5)),
            (TextStyle::Button, FontId::proportional(13.5)),
            (TextStyle::Monospace, FontId::monospace(12.5)),
            (TextStyle::Heading, FontId::proportional(16.0)),
        ]
        .into();
        style.interaction.selectable_labels = false;
        // Bars that are seen before the mouse is on them tell that there is more.
        style.spacing.scroll = ScrollStyle { bar_inner_margin: 2.0, ..ScrollStyle::solid() };
    });
}

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
        app.set_scenery(rect);
        scenery::mouse(app, ui, rect);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_small() {
        let context = Context::default();
        prepare(&context);
        for theme in [egui::Theme::Light, egui::Theme::Dark] {
            let style = context.style_of(theme);
            let sizes = style.text_styles.values().map(|font| font.size);
            assert!(sizes.chain([legend::TEXT]).all(|size| size >= 12.0), "{theme:?}");
        }
    }
}
