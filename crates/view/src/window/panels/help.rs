//! The list of keys.

use egui::{Align2, Grid, Ui, Window, vec2};

use super::super::app::App;
use crate::command::ViewCommand;

const KEYS: [(&str, &str); 25] = [
    ("left drag", "turn about the middle"),
    ("right, middle or Shift+left drag", "move sideways"),
    ("wheel", "nearer or farther, towards the mouse"),
    ("click", "select a body"),
    ("double click, F", "look at the selected body"),
    ("Home", "look at everything, as at first"),
    ("C", "the camera goes with the selected body, or stays"),
    ("Ctrl+left drag", "pull a body by a spring"),
    ("Space", "run or pause"),
    (".", "one step"),
    ("R", "back to the scene's start"),
    ("[  ]", "half or twice as fast"),
    ("left, right", "look back and forth over recorded steps"),
    ("K", "kick the selected body"),
    ("B", "drop a new body"),
    ("W", "wireframe"),
    ("X", "translucent or solid bodies"),
    ("1 to 5", "plots"),
    ("T", "light or dark"),
    ("P", "write a picture"),
    ("V", "hide the panels, or show them"),
    ("Ctrl + and -", "larger and smaller letters and marks"),
    ("Esc", "select nothing, close this list"),
    ("F1, H", "this list"),
    ("Ctrl+Q", "close the window"),
];

pub fn show(app: &mut App, ui: &Ui) {
    let mut is_open = true;
    Window::new("Keys and mouse")
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .collapsible(false)
        .resizable(false)
        .vscroll(true)
        .open(&mut is_open)
        .show(ui, |ui| {
            Grid::new("keys").num_columns(2).spacing(vec2(18.0, 4.0)).show(ui, |ui| {
                for (key, what) in KEYS {
                    ui.strong(key);
                    ui.label(what);
                    ui.end_row();
                }
            });
        });
    if !is_open {
        app.show(ViewCommand::Help(false));
    }
}
