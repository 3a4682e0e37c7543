//! Parameters that can be changed while the simulation runs, each with a way back to the scene's value.

use egui::{CollapsingHeader, ComboBox, DragValue, Slider, Ui};
use tactum::backend::Backend;
use tactum::scene::schema::FRICTION;
use tactum_geometry::quantity::Quantity;
use tactum_geometry::words;
use tactum_sim::DEFAULT_FRICTION;
use tactum_sim::Settings;
use tactum_sim::settings::{Choice, Kind, Section, Setting, Value};

use super::super::app::App;
use crate::command::SimCommand;
use crate::simulation::{Parameter, Parameters};

/// Choices of rays a side.
const RAYS: [u32; 5] = [16, 32, 64, 128, 256];

pub fn show(app: &mut App, ui: &mut Ui) {
    let (Some(status), Some(scene)) = (&app.status, &app.scene) else { return };
    let (now, usual) = (status.parameters.clone(), scene.parameters.clone());
    let backend = status.backend.clone();
    let mut list = Changes { changes: Vec::new() };
    CollapsingHeader::new("Parameters").default_open(true).show(ui, |ui| {
        list.time_step(ui, [&now.settings, &usual.settings], &mut app.widgets.time_step);
        list.gravity(ui, [&now.settings, &usual.settings]);
        list.contact(ui, &now, &usual);
        list.settings(ui, Section::Solver, [&now.settings, &usual.settings]);
        list.overlaps(ui, &now, &usual, &backend);
        let is_other = now != usual;
        if ui.add_enabled(is_other, egui::Button::new("All as in the scene")).clicked() {
            list.changes.extend(all(&now, &usual));
        }
    });
    for parameter in list.changes {
        app.sim(SimCommand::Set(parameter));
    }
}

/// Every parameter with its value, and the way back of those that are of single joints and bodies.
fn all(now: &Parameters, values: &Parameters) -> Vec<Parameter> {
    let drives = now.drives.keys().map(|joint| Parameter::Drive(*joint, None));
    let masses = now.masses.keys().map(|body| Parameter::Mass(*body, None));
    let others = [
        Parameter::Friction(values.friction),
        Parameter::Backend(values.backend.to_string()),
        Parameter::Rays(values.rays),
    ];
    let setting = |setting: &Setting| Parameter::setting(setting.name(), setting.get(&values.settings));
    drives.chain(masses).chain(others).chain(Parameters::changeable().map(setting)).collect()
}

/// The name of a quantity in the panel.
fn label(quantity: &Quantity) -> String {
    quantity.name.replace('_', " ")
}

/// A value in the panel.
fn shown(value: Value) -> String {
    match value {
        Value::Number(x) => super::super::table::number(x),
        Value::Nothing => "none".to_owned(),
        Value::Vector(x) => x.map(super::super::table::number).join(", "),
        Value::Count(n) => n.to_string(),
        Value::Flag(is_on) => if is_on { "on" } else { "off" }.to_owned(),
        Value::Choice { name, number: None } => name.to_owned(),
        Value::Choice { name, number: Some(x) } => format!("{name}, {}", words::number(x)),
    }
}

struct Changes {
    changes: Vec<Parameter>,
}

impl Changes {
    /// A row with a slider, and a way back where the value is not the scene's.
    fn number(
        &mut self,
        ui: &mut Ui,
        quantity: &Quantity,
        explanation: &str,
        [now, usual]: [f64; 2],
        parameter: impl Fn(f64) -> Parameter,
    ) {
        let change = |ui: &mut Ui, x: &mut f64| ui.add(slider(x, quantity));
        self.sliding(
            ui,
            quantity,
            explanation,
            (change, super::super::table::number),
            [now, usual],
            parameter,
        );
    }

    /// A row with a slider over whole numbers.
    fn count(
        &mut self,
        ui: &mut Ui,
        quantity: &Quantity,
        explanation: &str,
        values: [f64; 2],
        parameter: impl Fn(f64) -> Parameter,
    ) {
        let whole = |x: f64| format!("{x:.0}");
        let change = |ui: &mut Ui, x: &mut f64| {
            ui.add(slider(x, quantity).step_by(1.0).custom_formatter(move |x, _| whole(x)))
        };
        self.sliding(ui, quantity, explanation, (change, whole), values, parameter);
    }

    /// A row with a slider that is made, and values that are written, as given.
    fn sliding(
        &mut self,
        ui: &mut Ui,
        quantity: &Quantity,
        explanation: &str,
        (change, written): (impl Fn(&mut Ui, &mut f64) -> egui::Response, impl Fn(f64) -> String),
        [now, usual]: [f64; 2],
        parameter: impl Fn(f64) -> Parameter,
    ) {
        ui.horizontal(|ui| {
            let mut x = now;
            if change(ui, &mut x).on_hover_text(explanation).changed() {
                self.changes.push(parameter(x));
            }
            ui.label(label(quantity)).on_hover_text(explanation);
            self.undo(ui, now != usual, || parameter(usual), &written(usual));
        });
    }

    fn undo(&mut self, ui: &mut Ui, is_other: bool, back: impl Fn() -> Parameter, usual: &str) {
        if is_other
            && ui.small_button("undo").on_hover_text(format!("Back to the scene's value, {usual}")).clicked()
        {
            self.changes.push(back());
        }
    }

    /// A row for the time step, with which the scene begins anew: it waits until the slider is let go.
    fn time_step(&mut self, ui: &mut Ui, of: [&Settings; 2], waiting: &mut Option<f64>) {
        for setting in Settings::of(Section::Scene).filter(|setting| setting.kind == Kind::Number) {
            let values = of.map(|settings| setting.get(settings));
            let [Value::Number(now), Value::Number(usual)] = values else { continue };
            let hint = format!("{} With another one the scene begins anew.", setting.description());
            let parameter = |x| Parameter::setting(setting.name(), Value::Number(x));
            ui.horizontal(|ui| {
                let mut x = waiting.unwrap_or(now);
                let slider = slider(&mut x, &setting.quantity).update_while_editing(false);
                if ui.add(slider).on_hover_text(&hint).changed() {
                    *waiting = Some(x);
                }
                if !ui.input(|input| input.pointer.any_down()) {
                    self.changes.extend(waiting.take().map(parameter));
                }
                ui.label(label(&setting.quantity)).on_hover_text(&hint);
                self.undo(ui, now != usual, || parameter(usual), &super::super::table::number(usual));
            });
        }
    }

    fn gravity(&mut self, ui: &mut Ui, of: [&Settings; 2]) {
        for setting in Settings::of(Section::Scene).filter(|setting| setting.kind == Kind::Vector) {
            self.setting(ui, setting, of.map(|settings| setting.get(settings)));
        }
    }

    fn contact(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let explanation = FRICTION.description(&words::number(DEFAULT_FRICTION));
        self.number(ui, &FRICTION, &explanation, [now.friction, usual.friction], Parameter::Friction);
        self.settings(ui, Section::Contact, [&now.settings, &usual.settings]);
    }

    /// Rows for the settings of a section that the law in force uses, or that were changed before another one was chosen.
    fn settings(&mut self, ui: &mut Ui, section: Section, of: [&Settings; 2]) {
        let [now, usual] = of;
        let is_shown = |setting: &&Setting| {
            let is_used = setting.laws.is_empty() || setting.laws.contains(&now.law);
            is_used || setting.get(now) != setting.get(usual)
        };
        for setting in Settings::of(section).filter(is_shown) {
            self.setting(ui, setting, of.map(|settings| setting.get(settings)));
        }
    }

    /// A row for a setting, whatever its kind.
    fn setting(&mut self, ui: &mut Ui, setting: &Setting, values: [Value; 2]) {
        let explanation = setting.description();
        match (setting.kind, values) {
            (Kind::Number, [Value::Number(now), Value::Number(usual)]) => {
                let parameter = |x| Parameter::setting(setting.name(), Value::Number(x));
                self.number(ui, &setting.quantity, &explanation, [now, usual], parameter);
            }
            (Kind::Count(most), [Value::Count(now), Value::Count(usual)]) => {
                let count = |x: f64| Value::Count((x.round().max(0.0) as u64).min(most));
                let parameter = |x| Parameter::setting(setting.name(), count(x));
                self.count(ui, &setting.quantity, &explanation, [now as f64, usual as f64], parameter);
            }
            (Kind::Flag, [Value::Flag(now), _]) => self.row(ui, setting, values, |ui| {
                let mut is_on = now;
                let check_box = ui.checkbox(&mut is_on, label(&setting.quantity));
                check_box.on_hover_text(&explanation).changed().then_some(Value::Flag(is_on))
            }),
            (Kind::Vector, [Value::Vector(now), _]) => self.row(ui, setting, values, |ui| {
                let mut x = now;
                let mut is_changed = false;
                for part in &mut x {
                    // Half of a number that is typed is another number.
                    let drag = DragValue::new(part).speed(0.1).update_while_editing(false);
                    is_changed |= ui.add(drag).on_hover_text(&explanation).changed();
                }
                ui.label(label(&setting.quantity)).on_hover_text(&explanation);
                is_changed.then_some(Value::Vector(x))
            }),
            (Kind::Optional, [now, _]) => {
                self.row(ui, setting, values, |ui| optional(ui, &setting.quantity, &explanation, now));
            }
            (Kind::Choice(choices), [now, _]) => self.row(ui, setting, values, |ui| {
                let chosen = choice(ui, setting.name(), choices, now);
                ui.label(label(&setting.quantity)).on_hover_text(&explanation);
                chosen
            }),
            _ => {}
        }
    }

    /// A row with something that may change a value, and a way back where the value is not the scene's.
    fn row(
        &mut self,
        ui: &mut Ui,
        setting: &Setting,
        [now, usual]: [Value; 2],
        content: impl FnOnce(&mut Ui) -> Option<Value>,
    ) {
        ui.horizontal(|ui| {
            let changed = content(ui);
            self.changes.extend(changed.map(|value| Parameter::setting(setting.name(), value)));
            self.undo(ui, now != usual, || Parameter::setting(setting.name(), usual), &shown(usual));
        });
    }

    fn overlaps(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters, in_use: &str) {
        let mut chosen = now.backend;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("backend").selected_text(chosen.to_string()).show_ui(ui, |ui| {
                for backend in Backend::ALL {
                    ui.selectable_value(&mut chosen, backend, backend.to_string());
                }
            });
            ui.label("overlaps").on_hover_text(format!("How overlaps are measured; in use: {in_use}"));
            let back = || Parameter::Backend(usual.backend.to_string());
            self.undo(ui, now.backend != usual.backend, back, &usual.backend.to_string());
        });
        if chosen != now.backend {
            self.changes.push(Parameter::Backend(chosen.to_string()));
        }
        let mut rays = now.rays;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("rays").selected_text(rays.to_string()).show_ui(ui, |ui| {
                for n in RAYS {
                    ui.selectable_value(&mut rays, n, n.to_string());
                }
            });
            ui.label("rays").on_hover_text("Rays a side across a contact, where rays are cast.");
            self.undo(ui, now.rays != usual.rays, || Parameter::Rays(usual.rays), &usual.rays.to_string());
        });
        if rays != now.rays {
            self.changes.push(Parameter::Rays(rays));
        }
    }
}

/// A slider over the usual values of a quantity.
fn slider<'a>(x: &'a mut f64, quantity: &Quantity) -> Slider<'a> {
    /// Numbers further apart than this are found by their powers of ten.
    const WIDE: f64 = 100.0;
    let (smallest, largest) = quantity.usual;
    let lowest = match quantity.range.low() {
        Some((low, true)) => low,
        _ => smallest,
    };
    let slider = Slider::new(x, lowest..=largest)
        .custom_formatter(|x, _| super::super::table::number(x))
        .clamping(egui::SliderClamping::Never);
    if smallest > 0.0 && largest >= WIDE * smallest {
        return slider.logarithmic(true).smallest_positive(smallest);
    }
    slider
}

/// A switch, and a number where it is on.
fn optional(ui: &mut Ui, quantity: &Quantity, explanation: &str, now: Value) -> Option<Value> {
    let (first, largest) = quantity.usual;
    let mut is_on = now != Value::Nothing;
    if ui.checkbox(&mut is_on, label(quantity)).on_hover_text(explanation).changed() {
        return Some(if is_on { Value::Number(first) } else { Value::Nothing });
    }
    let Value::Number(mut x) = now else { return None };
    let speed = x * 0.02;
    let drag = DragValue::new(&mut x).range(0.0..=largest).speed(speed).suffix(format!(" {}", quantity.unit));
    ui.add(drag.update_while_editing(false)).on_hover_text(explanation).changed().then_some(Value::Number(x))
}

/// A list to choose a word from, with the usual numbers of a word that takes one.
fn choice(ui: &mut Ui, name: &str, choices: &[Choice], now: Value) -> Option<Value> {
    let mut chosen = now;
    ComboBox::from_id_salt(name).selected_text(shown(now)).show_ui(ui, |ui| {
        for choice in choices {
            let numbers = choice.number.map_or(vec![None], |n| n.usual.iter().copied().map(Some).collect());
            for number in numbers {
                let value = Value::Choice { name: choice.name, number };
                ui.selectable_value(&mut chosen, value, shown(value)).on_hover_text(choice.meaning.trim());
            }
        }
    });
    (chosen != now).then_some(chosen)
}
