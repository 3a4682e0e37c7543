//! What a program that drives the window needs to know: which widgets there are and where.

use std::path::{Path, PathBuf};

use egui::accesskit::TreeUpdate;
use serde::Serialize;

use super::app::App;

/// A widget as it is told to assistive technology.
#[derive(Debug, Serialize)]
struct Widget {
    /// What it is, such as `Button` or `CheckBox`.
    role: String,
    /// Its text.
    label: String,
    /// Left, upper, right and lower border in the window \[pixels\].
    place: [f64; 4],
}

impl App {
    /// Writes the list of widgets where it is wanted.
    pub(super) fn list_widgets(&mut self, update: &TreeUpdate, pixels_per_point: f32) {
        let Some(path) = &self.widget_list else { return };
        if let Err(error) = write(path, &widgets(update, pixels_per_point)) {
            let text = format!("cannot write the list of widgets '{}': {error}", path.display());
            self.widget_list = None;
            self.tell(text, true);
        }
    }
}

/// Widgets of a window, in no order.
fn widgets(update: &TreeUpdate, pixels_per_point: f32) -> Vec<Widget> {
    let scale = f64::from(pixels_per_point);
    let widget = |(_, node): &(_, egui::accesskit::Node)| {
        let place = node.bounds()?;
        Some(Widget {
            role: format!("{:?}", node.role()),
            label: node.label().or(node.value()).unwrap_or_default().to_owned(),
            place: [place.x0, place.y0, place.x1, place.y1].map(|x| x * scale),
        })
    };
    update.nodes.iter().filter_map(widget).collect()
}

/// Writes widgets as JSON; whoever reads the file finds the old list or the new one, never a part of one.
fn write(path: &Path, widgets: &[Widget]) -> std::io::Result<()> {
    let mut beside = PathBuf::from(path).into_os_string();
    beside.push(".new");
    std::fs::write(&beside, serde_json::to_vec(widgets)?)?;
    std::fs::rename(&beside, path)
}
