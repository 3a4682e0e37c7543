//! Messages over the scene: bad news stays until it is dismissed.

use egui::{Align2, Area, Frame, Id, Label, Rect, RichText, Ui, vec2};

use super::super::app::App;

/// Messages that are shown at once.
const SHOWN: usize = 4;

pub fn show(app: &mut App, ui: &Ui, rect: Rect) {
    if app.messages.is_empty() {
        return;
    }
    let mut dismissed = None;
    let width = (rect.width() - 40.0).clamp(120.0, 560.0);
    Area::new(Id::unique("messages"))
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(rect.center_top() + vec2(0.0, 10.0))
        .default_width(width)
        .constrain_to(rect)
        .show(ui.ctx(), |ui| {
            ui.set_max_width(width);
            for (ix, message) in app.messages.last(SHOWN) {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        if message.is_trouble && ui.small_button("×").on_hover_text("Dismiss").clicked() {
                            dismissed = Some(ix);
                        }
                        let text = RichText::new(&message.text);
                        let colour = ui.visuals().error_fg_color;
                        let text = if message.is_trouble { text.color(colour) } else { text };
                        ui.add(Label::new(text).wrap());
                    });
                });
            }
        });
    if let Some(ix) = dismissed {
        app.messages.dismiss(ix);
    }
    // Good news goes away by itself.
    ui.ctx().request_repaint_after_secs(1.0);
}
