//! What the window shows, and how commands change it. Knows no window.

use std::collections::BTreeSet;

use tactum_sim::BodyKind;

use crate::camera::Camera;
use crate::command::{Plot, ViewCommand};
use crate::draw::Style;
use crate::frame::Frame;
use crate::layers::{Layer, Layers};
use crate::marks::MarkStyle;
use crate::palette::{Theme, mark};

/// State of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Where the scene is looked at from.
    pub camera: Camera,
    /// The selected body.
    pub selected: Option<u32>,
    /// The body that the camera goes with.
    pub followed: Option<u32>,
    /// Layers that are shown.
    pub layers: Layers,
    /// Factor on the length of arrows.
    pub force_scale: f64,
    /// How much of the trail is shown \[s\].
    pub trail_time: f64,
    /// Opacity of bodies that move.
    pub opacity: f32,
    /// Opacity of bodies that do not.
    pub fixed_opacity: f32,
    /// Whether only contacts of the selected body are marked.
    pub only_selected: bool,
    /// Light or dark.
    pub theme: Theme,
    /// Plots that are open.
    pub plots: BTreeSet<Plot>,
    /// Whether the panels around the scene are shown.
    pub panels: bool,
    /// Whether the list of keys is shown.
    pub help: bool,
    /// A recorded frame that is shown in place of the last one.
    pub shown: Option<u64>,
    /// Height of the sheet that a scene without ground stands on \[m\].
    pub floor: f64,
}

/// Opacity of bodies through which contacts are seen.
pub const SEE_THROUGH: f32 = 0.45;

/// Opacity of many bodies: a pile of glass is murk, and the marks of what is hidden are seen through anything.
const MANY_SEE_THROUGH: f32 = 0.75;

/// Bodies that are many.
const MANY: usize = 16;

/// Opacity of bodies that move where nothing else is asked for.
pub fn usual_opacity(frame: &Frame) -> f32 {
    let n_moving = frame.model.bodies.iter().filter(|body| body.kind != BodyKind::Static).count();
    if n_moving < MANY { SEE_THROUGH } else { MANY_SEE_THROUGH }
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            selected: None,
            followed: None,
            layers: Layers::default(),
            force_scale: 1.0,
            trail_time: 1.0,
            opacity: SEE_THROUGH,
            fixed_opacity: 1.0,
            only_selected: false,
            theme: Theme::default(),
            plots: BTreeSet::new(),
            panels: true,
            help: false,
            shown: None,
            floor: 0.0,
        }
    }
}

impl View {
    /// Carries out a command, except those that write files, resize or end.
    pub fn apply(&mut self, command: &ViewCommand) {
        match command {
            ViewCommand::Select(body) => self.selected = *body,
            ViewCommand::Look(camera) => self.camera = *camera,
            ViewCommand::Follow(body) => self.followed = *body,
            ViewCommand::Layer(layer, on) => self.layers.set(*layer, *on),
            ViewCommand::ForceScale(factor) => self.force_scale = *factor,
            ViewCommand::TrailTime(time) => self.trail_time = *time,
            ViewCommand::Opacity(moving, fixed) => (self.opacity, self.fixed_opacity) = (*moving, *fixed),
            ViewCommand::OnlySelected(on) => self.only_selected = *on,
            ViewCommand::Theme(theme) => self.theme = *theme,
            ViewCommand::Plot(plot, true) => _ = self.plots.insert(*plot),
            ViewCommand::Plot(plot, false) => _ = self.plots.remove(plot),
            ViewCommand::Panels(on) => self.panels = *on,
            ViewCommand::Help(on) => self.help = *on,
            ViewCommand::Show(frame) => self.shown = *frame,
            ViewCommand::Resize(..)
            | ViewCommand::Screenshot(_)
            | ViewCommand::Pictures(_)
            | ViewCommand::Export(_)
            | ViewCommand::Close => {}
        }
    }

    /// How bodies are drawn.
    pub fn style(&self) -> Style {
        Style {
            theme: self.theme,
            opacity: self.opacity,
            fixed_opacity: self.fixed_opacity,
            sees_into: self.layers.has(Layer::SeeInto),
            wireframe: self.layers.has(Layer::Wireframe),
            shadows: self.layers.has(Layer::Shadows),
            grid: self.layers.has(Layer::Grid),
            floor: self.floor,
        }
    }

    /// How contacts are marked.
    pub fn mark_style(&self) -> MarkStyle {
        MarkStyle {
            layers: self.layers.clone(),
            force_scale: self.force_scale,
            trail_time: self.trail_time,
            ink: self.theme.surroundings().ink,
            rim: if self.theme == Theme::Light { mark::INK } else { mark::PAPER },
            only: self.selected.filter(|_| self.only_selected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_change_what_they_name() {
        let mut view = View::default();
        let camera = Camera { distance: 7.0, ..Camera::default() };
        let commands = [
            ViewCommand::Select(Some(3)),
            ViewCommand::Look(camera),
            ViewCommand::Follow(Some(2)),
            ViewCommand::Layer(Layer::Box, true),
            ViewCommand::Layer(Layer::Force, false),
            ViewCommand::Opacity(0.2, 0.7),
            ViewCommand::OnlySelected(true),
            ViewCommand::Plot(Plot::Energy, true),
            ViewCommand::Plot(Plot::Depth, true),
            ViewCommand::Plot(Plot::Depth, false),
            ViewCommand::Theme(Theme::Dark),
            ViewCommand::Panels(false),
            ViewCommand::Show(Some(12)),
        ];
        commands.iter().for_each(|command| view.apply(command));
        assert_eq!((view.selected, view.camera, view.shown), (Some(3), camera, Some(12)));
        assert!(view.followed == Some(2) && !view.panels);
        assert!(view.layers.has(Layer::Box) && !view.layers.has(Layer::Force));
        assert_eq!((view.opacity, view.fixed_opacity, view.theme), (0.2, 0.7, Theme::Dark));
        assert_eq!(view.plots, BTreeSet::from([Plot::Energy]));
        assert_eq!(view.mark_style().only, Some(3));
        // A log holds every command as text that reads back to it.
        for command in commands {
            let text = serde_json::to_string(&command).expect("text");
            let again: ViewCommand = serde_json::from_str(&text).expect("a command");
            assert_eq!(again, command);
        }
    }
}
