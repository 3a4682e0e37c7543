//! Bodies and joints by name: those that hold a text, one of which is selected by a click.

use egui::{CollapsingHeader, ScrollArea, TextEdit, Ui};
use tactum_sim::{BodyId, BodyKind, JointKind};

use super::super::app::App;
use crate::command::ViewCommand;
use crate::frame::Frame;
use crate::layers::Layer;

/// Height of the list \[points\].
const HEIGHT: f32 = 160.0;

/// A line of the list.
#[derive(Debug, PartialEq)]
struct Line {
    text: String,
    /// What it is, for a tooltip.
    hint: String,
    /// The body that a click selects.
    body: u32,
    is_joint: bool,
}

pub fn show(app: &mut App, ui: &mut Ui) {
    let Some(frame) = app.shown_frame() else { return };
    let mut wanted = None;
    CollapsingHeader::new("Bodies and joints").default_open(false).show(ui, |ui| {
        let search = &mut app.widgets.search;
        ui.add(TextEdit::singleline(search).hint_text("part of a name").desired_width(f32::INFINITY));
        let lines = lines(&frame, search);
        let row = ui.text_style_height(&egui::TextStyle::Button) + 2.0;
        let list = ScrollArea::vertical().id_salt("bodies").max_height(HEIGHT).auto_shrink([false, true]);
        list.show_rows(ui, row, lines.len(), |ui, seen| {
            for line in &lines[seen] {
                let is_selected = !line.is_joint && app.view.selected == Some(line.body);
                if ui.selectable_label(is_selected, &line.text).on_hover_text(&line.hint).clicked() {
                    wanted = Some((line.body, line.is_joint));
                }
            }
        });
    });
    if let Some((body, is_joint)) = wanted {
        app.show(ViewCommand::Select(Some(body)));
        if is_joint && !app.view.layers.has(Layer::Joints) {
            app.show(ViewCommand::Layer(Layer::Joints, true));
        }
    }
}

/// The bodies whose name holds a text, whatever its case, each with its joints below it, and those joints alone that hold it.
fn lines(frame: &Frame, search: &str) -> Vec<Line> {
    let search = search.to_lowercase();
    let holds = |name: &str| name.to_lowercase().contains(&search);
    let model = &frame.model;
    let mut joints_of = vec![Vec::new(); model.bodies.len()];
    for (joint, state) in model.joints.iter().zip(&frame.state.joints) {
        let BodyId(body) = joint.b;
        let coordinate = match joint.kind {
            JointKind::Revolute { .. } => format!(", at {:.3} degrees", state.coordinate.to_degrees()),
            JointKind::Prismatic { .. } => format!(", at {:.5} m", state.coordinate),
            JointKind::Rigid | JointKind::Spherical { .. } => String::new(),
        };
        let kind = match joint.kind {
            JointKind::Revolute { .. } => "revolute",
            JointKind::Prismatic { .. } => "prismatic",
            JointKind::Rigid => "rigid",
            JointKind::Spherical { .. } => "spherical",
        };
        let broken = if state.broken { ", broken" } else { "" };
        if let Some(list) = joints_of.get_mut(body as usize) {
            list.push((joint.name.clone(), format!("{kind} joint{coordinate}{broken}")));
        }
    }
    let mut lines = Vec::new();
    for (body, info) in (0..).zip(&model.bodies) {
        let is_found = holds(&info.name);
        if is_found {
            let kind = match info.kind {
                BodyKind::Static => "static",
                BodyKind::Kinematic => "kinematic",
                BodyKind::Dynamic => "dynamic",
            };
            let hint = format!("{kind} body");
            lines.push(Line { text: info.name.clone(), hint, body, is_joint: false });
        }
        for (name, hint) in joints_of[body as usize].drain(..).filter(|(name, _)| is_found || holds(name)) {
            lines.push(Line { text: format!("    joint {name}"), hint, body, is_joint: true });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tactum_geometry::{Shape, Sphere};

    use super::*;
    use crate::frame::{BodyInfo, Model};

    #[test]
    fn bodies_are_found_by_a_part_of_their_name() {
        let ball = |name| BodyInfo::of_shape(name, Shape::Sphere(Sphere { radius: 1.0 }));
        let bodies = ["Red ball", "box-1", "box-2"].map(ball).to_vec();
        let frame = Frame { model: Arc::new(Model { bodies, ..Model::default() }), ..Frame::default() };
        let found = |search: &str| lines(&frame, search).iter().map(|line| line.body).collect::<Vec<_>>();
        assert_eq!(found(""), [0, 1, 2]);
        assert_eq!(found("red"), [0]);
        assert_eq!(found("BOX"), [1, 2]);
        assert_eq!(found("cone"), Vec::<u32>::new());
    }
}
