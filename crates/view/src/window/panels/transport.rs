//! Run, pause, step, speed, time line; and what else can be done at any time.

use egui::{Button, ComboBox, Label, RichText, Slider, Ui};

use super::super::app::App;
use super::super::mouse_and_keys;
use super::super::widget_state::DropShape;
use super::plots;
use crate::command::{SimCommand, ViewCommand};

pub fn show(app: &mut App, ui: &mut Ui) {
    ui.add_space(3.0);
    ui.horizontal(|ui| {
        run_buttons(app, ui);
        ui.separator();
        time_line(app, ui);
    });
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(app.scene.is_some(), |ui| {
            body_buttons(app, ui);
            ui.separator();
            file_buttons(app, ui);
        });
        ui.separator();
        window_buttons(app, ui);
    });
    // A row of their own, because they are now longer and now shorter.
    ui.horizontal(|ui| figures(app, ui));
    ui.add_space(2.0);
}

fn run_buttons(app: &mut App, ui: &mut Ui) {
    let is_running = app.status.as_ref().is_some_and(|status| status.is_running);
    let has_scene = app.scene.is_some();
    let button = |ui: &mut Ui, text: &str, hint: &str| {
        let size = egui::vec2(62.0, 22.0);
        ui.add_enabled(has_scene, Button::new(text).min_size(size)).on_hover_text(hint).clicked()
    };
    let (label, command) = if is_running { ("Pause", SimCommand::Pause) } else { ("Run", SimCommand::Play) };
    if button(ui, label, "Space") {
        app.sim(command);
    }
    if button(ui, "Step", "One step [.]") {
        app.sim(SimCommand::Step);
    }
    if button(ui, "Reset", "Back to the scene's start [R]") {
        app.reset();
    }
    let speed = app.status.as_ref().map_or(1.0, |status| status.speed);
    if ui.add_enabled(has_scene, Button::new("-")).on_hover_text("Half as fast [left bracket]").clicked() {
        app.change_speed(0.5);
    }
    ui.label(format!("{speed}x"))
        .on_hover_text("Simulated seconds per second, where the machine is fast enough");
    if ui.add_enabled(has_scene, Button::new("+")).on_hover_text("Twice as fast [right bracket]").clicked() {
        app.change_speed(2.0);
    }
}

fn time_line(app: &mut App, ui: &mut Ui) {
    let n = app.timeline.len();
    if n == 0 {
        return;
    }
    let shown = app.view.shown.and_then(|id| app.timeline.place_of(id)).unwrap_or(n - 1);
    let mut place = shown;
    ui.spacing_mut().slider_width = (ui.available_width() - 130.0).max(60.0);
    let slider = Slider::new(&mut place, 0..=(n - 1).max(1)).show_value(false);
    let hint = "Recorded steps: drag to look back [left, right]; Run goes on from there";
    if ui.add(slider).on_hover_text(hint).changed() {
        app.scrub_to(place);
    }
    if let Some(frame) = app.shown_frame() {
        let mark = if app.view.shown.is_some() { "back at " } else { "" };
        let text = RichText::new(format!("{mark}{:.4} s", frame.time));
        let duration = app.scene.as_ref().map_or(f64::INFINITY, |scene| scene.duration);
        // Half a step of rounding is no step.
        if frame.time > duration + 0.5 * frame.dt {
            let hint = format!(
                "step {}; the scene's duration is {duration} s, and nothing is expected of what comes after",
                frame.step()
            );
            ui.label(text.color(ui.visuals().warn_fg_color)).on_hover_text(hint);
        } else {
            ui.label(text).on_hover_text(format!("step {}, of {duration} s", frame.step()));
        }
    }
}

fn body_buttons(app: &mut App, ui: &mut Ui) {
    let is_selected = app.view.selected.is_some();
    if ui
        .add_enabled(is_selected, Button::new("Kick"))
        .on_hover_text("Kick the selected body away [K]")
        .clicked()
    {
        mouse_and_keys::kick(app);
    }
    if ui.button("Drop").on_hover_text("Drop a new body above the scene [B]").clicked() {
        mouse_and_keys::drop_body(app);
    }
    let name = |shape| match shape {
        DropShape::Box => "box",
        DropShape::Ball => "ball",
        DropShape::Capsule => "capsule",
        DropShape::Copy => "copy of selected",
    };
    let chosen = &mut app.widgets.drop_shape;
    ComboBox::from_id_salt("drop").width(70.0).selected_text(name(*chosen)).show_ui(ui, |ui| {
        for shape in [DropShape::Box, DropShape::Ball, DropShape::Capsule, DropShape::Copy] {
            ui.selectable_value(chosen, shape, name(shape));
        }
    });
}

fn file_buttons(app: &mut App, ui: &mut Ui) {
    if ui
        .button("Save scene")
        .on_hover_text("Write the present state as a scene file in the current folder")
        .clicked()
    {
        let path = app.fresh_file("toml");
        app.sim(SimCommand::Save(path));
    }
    if ui.button("Picture").on_hover_text("Write the picture as PNG in the current folder [P]").clicked() {
        app.screenshot();
    }
    let is_on = app.is_taking_pictures();
    let hint =
        "Write 30 pictures per simulated second into a folder, and at the end an animated PNG beside it";
    if ui.add(Button::new("Film").selected(is_on)).on_hover_text(hint).clicked() {
        let folder = (!is_on).then(|| app.fresh_file("pictures"));
        app.show(ViewCommand::Pictures(folder));
    }
    let hint = "Write all recorded steps as tables into a folder: poses, contacts, joints, and the figures that are plotted";
    if ui.button("CSV").on_hover_text(hint).clicked() {
        let folder = app.fresh_file("tables");
        app.sim(SimCommand::Tables(folder.clone()));
        app.show(ViewCommand::Export(folder));
    }
}

fn window_buttons(app: &mut App, ui: &mut Ui) {
    plots::switches(app, ui);
    if ui.button("Keys").on_hover_text("List of keys [F1]").clicked() {
        app.show(ViewCommand::Help(!app.view.help));
    }
    if ui.button("Hide").on_hover_text("Hide the panels; V shows them again [V]").clicked() {
        app.show(ViewCommand::Panels(false));
    }
    if ui.button("Theme").on_hover_text("Light or dark [T]").clicked() {
        app.show(ViewCommand::Theme(app.view.theme.other()));
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn figures(app: &App, ui: &mut Ui) {
    let Some(frame) = app.shown_frame() else {
        ui.label("no scene");
        return;
    };
    let mut text = format!(
        "{}, {}, {}",
        counted(frame.poses.len(), "body", "bodies"),
        counted(frame.contacts.len(), "contact", "contacts"),
        counted(frame.figures.sweeps as usize, "sweep", "sweeps")
    );
    if frame.figures.asleep > 0 {
        text += &format!(", {} asleep", frame.figures.asleep);
    }
    let answered = frame.figures.answered.part();
    if let Some(part) = answered {
        text += &format!(", answered by {}: {:.0} %", frame.figures.answered.who(), 100.0 * part);
    }
    if let Some(status) = app.status.as_ref().filter(|status| status.is_running) {
        let rate = app.rate.summary().per_second();
        text += &format!(", {:.2}x real time, {rate:.0} pictures/s", status.real_speed);
    }
    let megabytes = app.timeline.bytes() as f64 / f64::from(1 << 20);
    ui.add(Label::new(text).truncate()).on_hover_ui(|ui| {
        ui.label(format!("drawn by {}", app.device));
        ui.label(app.rate.summary().to_string());
        ui.label(format!("{} recorded steps take {megabytes:.1} MiB", app.timeline.len()));
        if answered.is_some() {
            ui.label(format!("of the step's overlaps {}", frame.figures.answered.in_words()));
        }
    });
}
