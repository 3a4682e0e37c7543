//! When in the step the features of the selected body were in those of others: a time line from the start of the step to its end.

use egui::{Align2, FontId, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::table::number;
use crate::frame::Frame;
use crate::legend::colour32;
use crate::palette::mark;
use crate::penalty_marks::Bar;

/// Height of a bar's line \[points\].
const LINE: f32 = 14.0;

/// Width of the time line \[points\].
const WIDTH: f32 = 160.0;

/// Height of all lines at most \[points\]; the rest is scrolled to.
const HEIGHT: f32 = 90.0;

/// The bars of a body; nothing where it has none.
pub fn show(ui: &mut Ui, frame: &Frame, body: u32) {
    let bars = Bar::of(frame, body);
    if bars.is_empty() {
        return;
    }
    let most = bars.iter().map(|bar| bar.pressing).fold(0.0, f64::max);
    ui.label("In each other, from the start of the step to its end; impulse, normal and depth of each:");
    let area = ScrollArea::vertical().id_salt("intervals").max_height(HEIGHT);
    area.show_rows(ui, LINE, bars.len(), |ui, seen| {
        for bar in &bars[seen] {
            line(ui, bar, most);
        }
    });
    ui.separator();
}

/// What is written behind a bar.
fn words(bar: &Bar) -> String {
    let [x, y, z] = bar.normal.to_array().map(|x| (1e3 * x).round() / 1e3 + 0.0);
    format!(
        "{}: {} N s, across {} N s, along ({x}, {y}, {z}), {} mm deep",
        bar.pair,
        number(bar.pressing),
        number(bar.rubbing),
        number(1e3 * bar.depth)
    )
}

/// A bar on the step's time line, stronger the more it presses, and what it did.
fn line(ui: &mut Ui, bar: &Bar, most: f64) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let words = words(bar);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let (left, middle) = (rect.left(), rect.center().y);
    let colour = ui.visuals().text_color();
    ui.painter().hline(left..=left + WIDTH, middle, (1.0, ui.visuals().weak_text_color()));
    let [from, to] = bar.interval.map(|part| left + WIDTH * part as f32);
    let part = if most > 0.0 { (bar.pressing / most).clamp(0.0, 1.0) as f32 } else { 0.0 };
    let half = 1.0 + part * (0.5 * LINE - 3.0);
    let filled = Rect::from_min_max(pos2(from, middle - half), pos2(to.max(from + 1.0), middle + half));
    ui.painter().rect_filled(filled, 1.0, colour32(mark::ORANGE));
    let place = pos2(left + WIDTH + 8.0, middle);
    ui.painter().text(place, Align2::LEFT_CENTER, words, FontId::proportional(11.0), colour);
}
