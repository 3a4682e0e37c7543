//! Switches of the layers.

use egui::{CollapsingHeader, Slider, Ui};

use super::super::app::App;
use crate::command::ViewCommand;
use crate::layers::Layer;

pub fn show(app: &mut App, ui: &mut Ui) {
    let mut commands = Vec::new();
    CollapsingHeader::new("Contacts").default_open(true).show(ui, |ui| {
        switches(app, ui, &mut commands, Layer::is_of_contacts);
        let mut only = app.view.only_selected;
        let text = "Marks only the contacts of the selected body.";
        if ui.checkbox(&mut only, "Only selected body").on_hover_text(text).changed() {
            commands.push(ViewCommand::OnlySelected(only));
        }
        lengths(app, ui, &mut commands);
    });
    CollapsingHeader::new("Bodies and ground").default_open(false).show(ui, |ui| {
        switches(app, ui, &mut commands, |layer| !layer.is_of_contacts());
        opacities(app, ui, &mut commands);
    });
    commands.into_iter().for_each(|command| app.show(command));
}

fn switches(app: &App, ui: &mut Ui, commands: &mut Vec<ViewCommand>, is_here: fn(Layer) -> bool) {
    for layer in Layer::ALL.into_iter().filter(|layer| is_here(*layer)) {
        let mut on = app.view.layers.has(layer);
        if ui.checkbox(&mut on, layer.title()).on_hover_text(layer.explanation()).changed() {
            commands.push(ViewCommand::Layer(layer, on));
        }
    }
}

fn lengths(app: &App, ui: &mut Ui, commands: &mut Vec<ViewCommand>) {
    let mut scale = app.view.force_scale;
    let slider = Slider::new(&mut scale, 0.05..=20.0).logarithmic(true).text("arrows");
    let text = "Factor on the length of arrows; at 1 the weight of a body of median size is half as long as the body.";
    if ui.add(slider).on_hover_text(text).changed() {
        commands.push(ViewCommand::ForceScale(scale));
    }
    let mut time = app.view.trail_time;
    let slider = Slider::new(&mut time, 0.05..=10.0).logarithmic(true).suffix(" s").text("trail");
    if ui.add(slider).on_hover_text("How much of the trail is shown [s].").changed() {
        commands.push(ViewCommand::TrailTime(time));
    }
}

fn opacities(app: &App, ui: &mut Ui, commands: &mut Vec<ViewCommand>) {
    let (mut moving, mut fixed) = (app.view.opacity, app.view.fixed_opacity);
    let a = ui.add(Slider::new(&mut moving, 0.05..=1.0).text("moving"));
    let b = ui.add(Slider::new(&mut fixed, 0.05..=1.0).text("static"));
    let a = a.on_hover_text("Opacity of bodies that move, 0 to 1: overlaps show through translucent ones.");
    let b = b.on_hover_text("Opacity of bodies that do not move, 0 to 1.");
    if a.changed() || b.changed() {
        commands.push(ViewCommand::Opacity(moving, fixed));
    }
}
