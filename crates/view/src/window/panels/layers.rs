//! Switches of the layers.

use egui::{CollapsingHeader, Slider, Ui};

use super::super::app::App;
use crate::command::ViewCommand;
use crate::layers::Layer;

pub fn show(app: &mut App, ui: &mut Ui) {
    let mut commands = Vec::new();
    CollapsingHeader::new("Layers").default_open(true).show(ui, |ui| {
        for layer in Layer::ALL {
            let mut on = app.view.layers.has(layer);
            if ui.checkbox(&mut on, layer.title()).on_hover_text(layer.explanation()).changed() {
                commands.push(ViewCommand::Layer(layer, on));
            }
        }
        let mut only = app.view.only_selected;
        let text = "Marks only the contacts of the selected body.";
        if ui.checkbox(&mut only, "Only selected body").on_hover_text(text).changed() {
            commands.push(ViewCommand::OnlySelected(only));
        }
        ui.add_space(4.0);
        sliders(app, ui, &mut commands);
    });
    commands.into_iter().for_each(|command| app.show(command));
}

fn sliders(app: &App, ui: &mut Ui, commands: &mut Vec<ViewCommand>) {
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
    let (mut moving, mut fixed) = (app.view.opacity, app.view.fixed_opacity);
    let a = ui.add(Slider::new(&mut moving, 0.05..=1.0).text("bodies"));
    let b = ui.add(Slider::new(&mut fixed, 0.05..=1.0).text("static"));
    let a = a.on_hover_text("Opacity of bodies that move: overlaps show through translucent ones.");
    let b = b.on_hover_text("Opacity of bodies that do not move.");
    if a.changed() || b.changed() {
        commands.push(ViewCommand::Opacity(moving, fixed));
    }
}
