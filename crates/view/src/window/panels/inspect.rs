//! The selected body and its contacts in numbers.

use egui::{Align, Button, Grid, Label, Layout, Rect, RichText, ScrollArea, Shape, Stroke, Ui, vec2};
use glam::DVec3;
use tactum_sim::BodyKind;

use super::super::app::App;
use super::super::mouse_and_keys;
use super::super::table::{self, Column, Row, number};
use super::intervals;
use crate::command::ViewCommand;
use crate::frame::{BodyInfo, Frame};
use crate::legend::colour32;
use crate::simulation::Parameters;

pub fn show(app: &mut App, ui: &mut Ui) {
    let (Some(frame), Some(body)) = (app.shown_frame(), app.view.selected) else { return };
    let Some(info) = frame.model.bodies.get(body as usize) else { return };
    let rows = table::rows(&frame, Some(body), app.widgets.order);
    let mut is_closed = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new(&info.name).heading());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            is_closed = ui.button("×").on_hover_text("Select nothing [Esc]").clicked();
            let follows = app.view.followed == Some(body);
            let hint = "The camera goes with the body [C]";
            if ui.add(Button::new("Follow").selected(follows)).on_hover_text(hint).clicked() {
                mouse_and_keys::follow_selected(app);
            }
            if ui.button("Copy").on_hover_text("Copy the table, with tabs between the cells").clicked() {
                ui.ctx().copy_text(table::tabbed(&rows));
            }
            // What is left of the row; a narrow window tells the rest when the mouse is on it.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let now = app.status.as_ref().map(|now| &now.parameters);
                let text = [motion(&frame, body, now), surface(info, now)];
                ui.add(Label::new(text.concat()).truncate());
            });
        });
    });
    ui.separator();
    intervals::show(ui, &frame, body);
    if rows.is_empty() {
        ui.label("It touches nothing.");
    } else {
        contacts(app, ui, &rows);
    }
    if is_closed {
        app.show(ViewCommand::Select(None));
    }
}

/// The table; only those of its rows that are seen are laid out.
fn contacts(app: &mut App, ui: &mut Ui, rows: &[Row]) {
    const HEIGHT: f32 = 18.0;
    const SPACING: egui::Vec2 = vec2(16.0, 4.0);
    ui.spacing_mut().item_spacing.y = SPACING.y;
    ScrollArea::both().auto_shrink(false).show_rows(ui, HEIGHT, rows.len() + 1, |ui, seen| {
        let grid = Grid::new("contacts").striped(true).min_row_height(HEIGHT).spacing(SPACING);
        grid.start_row(seen.start).show(ui, |ui| {
            for ix in seen {
                match ix.checked_sub(1) {
                    None => Column::ALL.into_iter().for_each(|column| heading(app, ui, column)),
                    Some(ix) => cells(ui, &rows[ix]),
                }
                ui.end_row();
            }
        });
    });
}

fn cells(ui: &mut Ui, row: &Row) {
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
}

fn heading(app: &mut App, ui: &mut Ui, column: Column) {
    let (by, is_descending) = app.widgets.order;
    let room = if by == column { "    " } else { "" };
    let text = RichText::new(format!("{}{room}", column.title())).small().strong();
    let button = Button::new(text).frame(false);
    let response = ui.add(button).on_hover_text(format!("{} Click to sort.", column.explanation()));
    if by == column {
        paint_order(ui, response.rect, is_descending);
    }
    if response.clicked() {
        app.widgets.order = (column, if by == column { !is_descending } else { true });
    }
}

/// A triangle at the right end of a heading, which points to where rows get smaller.
fn paint_order(ui: &Ui, heading: Rect, is_descending: bool) {
    let middle = heading.right_center() - vec2(5.0, 0.0);
    let height = if is_descending { 3.0 } else { -3.0 };
    let corners = [vec2(-4.0, -height), vec2(4.0, -height), vec2(0.0, height)].map(|from| middle + from);
    let colour = ui.visuals().strong_text_color();
    ui.painter().add(Shape::convex_polygon(corners.to_vec(), colour, Stroke::NONE));
}

/// A coordinate to a tenth of a millimetre \[m\], without the sign of what rounds to zero.
fn shown(x: f64) -> f64 {
    (1e4 * x).round() / 1e4 + 0.0
}

/// What a body is made of and how it touches, in words that follow others; `now` are the parameters in force.
fn surface(info: &BodyInfo, now: Option<&Parameters>) -> String {
    let part = |name: &str, own: Option<f64>, of_scene: Option<f64>| {
        own.or(of_scene).map_or_else(String::new, |x| format!(", {name} {}", number(x)))
    };
    let material = info.material.as_ref().map_or_else(String::new, |name| format!(", {name}"));
    let friction = part("friction", info.friction, now.map(|now| now.friction));
    material + &friction + &part("restitution", info.restitution, now.map(|now| now.settings.restitution))
}

/// Mass and motion in words.
fn motion(frame: &Frame, body: u32, now: Option<&Parameters>) -> String {
    let (Some(info), Some(state)) =
        (frame.model.bodies.get(body as usize), frame.state.bodies.get(body as usize))
    else {
        return String::new();
    };
    match info.kind {
        BodyKind::Static => "static".to_owned(),
        BodyKind::Kinematic => "kinematic".to_owned(),
        BodyKind::Dynamic => format!(
            "{} kg, {}, at ({:.4}, {:.4}, {:.4}) m",
            number(now.and_then(|now| now.masses.get(&body)).copied().unwrap_or(info.mass.mass)),
            if state.rest.asleep {
                "asleep".to_owned()
            } else {
                let [linear, angular] = [state.linear_velocity, state.angular_velocity].map(DVec3::length);
                format!("{} m/s, {} rad/s", number(linear), number(angular))
            },
            shown(state.position.x),
            shown(state.position.y),
            shown(state.position.z)
        ),
    }
}
