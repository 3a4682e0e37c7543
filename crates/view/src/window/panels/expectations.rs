//! What the scene expects, and what has become of it at the time that is shown.

use egui::{CollapsingHeader, RichText, Ui};

use super::super::app::App;

pub fn show(app: &App, ui: &mut Ui) {
    let (Some(scene), Some(frame)) = (&app.scene, app.shown_frame()) else { return };
    let n_unmet = (0..scene.expectations.len()).filter(|ix| frame.expected.outcome(*ix).1).count();
    let title = match (scene.expectations.len(), n_unmet) {
        (0, _) => return,
        (n, 0) => format!("Expectations ({n})"),
        (n, unmet) => format!("Expectations ({unmet} of {n} not met)"),
    };
    CollapsingHeader::new(title).id_salt("expectations").default_open(false).show(ui, |ui| {
        for (ix, expectation) in scene.expectations.iter().enumerate() {
            let (outcome, is_unmet) = frame.expected.outcome(ix);
            ui.label(RichText::new(expectation).small());
            let outcome = RichText::new(outcome).small().strong();
            let colour = ui.visuals().error_fg_color;
            ui.label(if is_unmet { outcome.color(colour) } else { outcome });
            ui.add_space(3.0);
        }
    });
}
