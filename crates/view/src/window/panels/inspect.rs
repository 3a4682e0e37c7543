//! The selected body and its contacts in numbers.

use egui::{Grid, RichText, ScrollArea, Ui, vec2};
use tactum_sim::BodyKind;

use super::super::app::App;
use super::super::table::{self, Column, number};
use crate::command::ViewCommand;
use crate::frame::Frame;
use crate::legend::colour32;

pub fn show(app: &mut App, ui: &mut Ui) {
    let (Some(frame), Some(body)) = (app.shown_frame(), app.view.selected) else { return };
    let Some(info) = frame.model.bodies.get(body as usize) else { return };
    let rows = table::rows(&frame, Some(body), app.widgets.order);
    let mut is_closed = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new(&info.name).heading());
        ui.label(motion(&frame, body));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            is_closed = ui.small_button("x").on_hover_text("Select nothing [Esc]").clicked();
            if ui.small_button("Copy").on_hover_text("Copy the table, with tabs between the cells").clicked()
            {
                ui.ctx().copy_text(table::tabbed(&rows));
            }
        });
    });
    ui.separator();
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        Grid::new("contacts").striped(true).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
            for column in Column::ALL {
                heading(app, ui, column);
            }
            ui.end_row();
            for row in &rows {
                for column in Column::ALL {
                    let text = RichText::new(row.cell(column)).small();
                    if column == Column::State {
                        ui.horizontal(|ui| {
                            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), egui::Sense::hover());
                            ui.painter().rect_filled(rect, 2.0, colour32(row.state.colour()));
                            ui.label(text);
                        });
                    } else {
                        ui.label(text);
                    }
                }
                ui.end_row();
            }
        });
        if rows.is_empty() {
            ui.label("It touches nothing.");
        }
    });
    if is_closed {
        app.show(ViewCommand::Select(None));
    }
}

fn heading(app: &mut App, ui: &mut Ui, column: Column) {
    let (by, is_descending) = app.widgets.order;
    let arrow = match (by == column, is_descending) {
        (false, _) => "",
        (true, true) => " ↓",
        (true, false) => " ↑",
    };
    let text = RichText::new(format!("{}{arrow}", column.title())).small().strong();
    if ui.button(text).on_hover_text(column.explanation()).clicked() {
        app.widgets.order = (column, if by == column { !is_descending } else { true });
    }
}

/// Mass and motion in words.
fn motion(frame: &Frame, body: u32) -> String {
    let (Some(info), Some(state)) =
        (frame.model.bodies.get(body as usize), frame.state.bodies.get(body as usize))
    else {
        return String::new();
    };
    match info.kind {
        BodyKind::Static => "static".to_owned(),
        BodyKind::Kinematic => "kinematic".to_owned(),
        BodyKind::Dynamic => format!(
            "{} kg, {} m/s, {} rad/s, at ({:.4}, {:.4}, {:.4}) m",
            number(info.mass.mass),
            number(state.linear_velocity.length()),
            number(state.angular_velocity.length()),
            state.position.x,
            state.position.y,
            state.position.z
        ),
    }
}
