//! Sliders for what drives of joints ask for, and for the mass of the selected body.

use std::ops::RangeInclusive;

use egui::{CollapsingHeader, Slider, SliderClamping, Ui};
use tactum_sim::joint::JointKind;
use tactum_sim::{BodyKind, Drive, Joint};

use super::super::app::App;
use super::super::table::number;
use crate::command::SimCommand;
use crate::simulation::Parameter;

/// Factor between the mass of a body and the ends of its slider.
const MASSES: f64 = 100.0;

pub fn show(app: &mut App, ui: &mut Ui) {
    let (Some(status), Some(frame)) = (&app.status, app.shown_frame()) else { return };
    let (now, model) = (&status.parameters, &frame.model);
    let mut changes = Vec::new();
    if model.joints.iter().any(|joint| joint.kind.drive().is_some()) {
        CollapsingHeader::new("Drives").default_open(true).show(ui, |ui| {
            for (ix, joint) in (0..).zip(&model.joints) {
                let Some(drive) = joint.kind.drive() else { continue };
                let said = now.drives.get(&ix).copied();
                let asked = Asked::of(joint, drive, frame.time);
                let change = asked.row(ui, &joint.name, said);
                changes.extend(change.map(|wanted| Parameter::Drive(ix, wanted)));
            }
        });
    }
    let selected = app.view.selected.and_then(|ix| Some((ix, model.bodies.get(ix as usize)?)));
    if let Some((ix, info)) = selected.filter(|(_, info)| info.kind == BodyKind::Dynamic) {
        let own = info.mass.mass;
        let asked = Asked {
            usual: own,
            range: own / MASSES..=own * MASSES,
            factor: 1.0,
            suffix: " kg",
            is_logarithmic: true,
            hint: "Mass of the selected body; its inertia goes with it. Undo goes back to its own.",
        };
        let change = asked.row(ui, &format!("mass of {}", info.name), now.masses.get(&ix).copied());
        changes.extend(change.map(|mass| Parameter::Mass(ix, mass)));
    }
    for parameter in changes {
        app.sim(SimCommand::Set(parameter));
    }
}

/// What can be asked for by a slider.
struct Asked {
    /// What holds where nothing else is said.
    usual: f64,
    /// Ends of the slider, as it shows them.
    range: RangeInclusive<f64>,
    /// What is shown of one.
    factor: f64,
    suffix: &'static str,
    is_logarithmic: bool,
    hint: &'static str,
}

impl Asked {
    /// What a drive asks for at a time \[s\]: a position within the limits of its joint, or a speed.
    fn of(joint: &Joint, drive: &Drive, time: f64) -> Self {
        /// Ends of sliders for what has none \[rad/s, m/s, m\]; angles go once around.
        const SPEED: f64 = 10.0;
        const SLIDE: f64 = 1.0;
        let (turns, limits) = match &joint.kind {
            JointKind::Revolute { limits, .. } => (true, *limits),
            JointKind::Prismatic { limits, .. } => (false, *limits),
            JointKind::Rigid | JointKind::Spherical { .. } => (false, None),
        };
        let hint = "What the drive asks for. Undo goes back to what the scene says over time.";
        let (usual, [low, high], factor, suffix) = match drive {
            Drive::Motor { speed, .. } => {
                let usual = speed.at(time);
                let end = if turns { SPEED } else { SLIDE }.max(4.0 * usual.abs());
                (usual, [-end, end], 1.0, if turns { " rad/s" } else { " m/s" })
            }
            Drive::Servo { target, .. } if turns => {
                let ends = limits.unwrap_or([-std::f64::consts::PI, std::f64::consts::PI]);
                (target.at(time), ends, 1_f64.to_degrees(), "°")
            }
            Drive::Servo { target, .. } => (target.at(time), limits.unwrap_or([-SLIDE, SLIDE]), 1.0, " m"),
        };
        Self { usual, range: factor * low..=factor * high, factor, suffix, is_logarithmic: false, hint }
    }

    /// A slider with a name; what is to be said now, if that has changed, with a way back where something is said.
    fn row(&self, ui: &mut Ui, name: &str, said: Option<f64>) -> Option<Option<f64>> {
        let mut shown = said.unwrap_or(self.usual) * self.factor;
        let mut change = None;
        ui.horizontal(|ui| {
            let slider = Slider::new(&mut shown, self.range.clone())
                .logarithmic(self.is_logarithmic)
                .suffix(self.suffix)
                .custom_formatter(|x, _| number(x))
                .clamping(SliderClamping::Never);
            if ui.add(slider).on_hover_text(self.hint).changed() {
                change = Some(Some(shown / self.factor));
            }
            ui.label(name).on_hover_text(self.hint);
            if said.is_some() && ui.small_button("undo").on_hover_text(self.hint).clicked() {
                change = Some(None);
            }
        });
        change
    }
}
