//! Parameters that can be changed while the simulation runs, each with a way back to the scene's value.

use egui::{CollapsingHeader, ComboBox, DragValue, Slider, Ui};
use tactum::backend::Backend;
use tactum::scene::schema::{AcceleratorSpec, LocalSpec, PatchSpec, SpinSpec};

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
        list.contact(ui, &now, &usual);
        list.solver(ui, &now, &usual);
        list.overlaps(ui, &now, &usual, &backend);
        let is_other = now != usual;
        if ui.add_enabled(is_other, egui::Button::new("All as in the scene")).clicked() {
            list.changes.extend(all(&usual));
        }
    });
    for parameter in list.changes {
        app.sim(SimCommand::Set(parameter));
    }
}

/// Every parameter with its value.
fn all(values: &Parameters) -> Vec<Parameter> {
    vec![
        Parameter::Friction(values.friction),
        Parameter::TargetDepth(values.target_depth),
        Parameter::TargetVolume(values.target_volume),
        Parameter::Compliance(values.compliance),
        Parameter::Damping(values.damping),
        Parameter::Restitution(values.restitution),
        Parameter::Stabilization(values.stabilization),
        Parameter::MaxSweeps(values.max_sweeps),
        Parameter::Tolerance(values.tolerance),
        Parameter::WarmStart(values.warm_start),
        Parameter::Accelerator(values.accelerator),
        Parameter::Local(values.local),
        Parameter::Patch(values.patch),
        Parameter::Spin(values.spin),
        Parameter::Backend(values.backend.to_string()),
        Parameter::Rays(values.rays),
    ]
}

/// A number with its range.
struct Number {
    name: &'static str,
    explanation: &'static str,
    /// Least and largest value.
    range: (f64, f64),
    /// The smallest value above zero of a logarithmic slider; `None` for an even one.
    smallest: Option<f64>,
}

struct Changes {
    changes: Vec<Parameter>,
}

impl Changes {
    /// A row with a slider, and a way back where the value is not the scene's.
    fn number(&mut self, ui: &mut Ui, row: &Number, [now, usual]: [f64; 2], parameter: fn(f64) -> Parameter) {
        ui.horizontal(|ui| {
            let mut x = now;
            let mut slider = Slider::new(&mut x, row.range.0..=row.range.1)
                .custom_formatter(|x, _| super::super::table::number(x))
                .clamping(egui::SliderClamping::Never);
            if let Some(smallest) = row.smallest {
                slider = slider.logarithmic(true).smallest_positive(smallest);
            }
            if ui.add(slider).on_hover_text(row.explanation).changed() {
                self.changes.push(parameter(x));
            }
            ui.label(row.name).on_hover_text(row.explanation);
            self.undo(ui, now != usual, || parameter(usual), &super::super::table::number(usual));
        });
    }

    fn undo(&mut self, ui: &mut Ui, is_other: bool, back: impl Fn() -> Parameter, usual: &str) {
        if is_other
            && ui.small_button("undo").on_hover_text(format!("Back to the scene's value, {usual}")).clicked()
        {
            self.changes.push(back());
        }
    }

    fn contact(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let mu = Number {
            name: "mu",
            explanation: "Coefficient of friction of all bodies that give none of their own.",
            range: (0.0, 1.5),
            smallest: None,
        };
        self.number(ui, &mu, [now.friction, usual.friction], Parameter::Friction);
        let depth = Number {
            name: "target depth",
            explanation: "Mean depth at which a resting contact is held, as a part of the smaller body's size.",
            range: (0.0, 0.05),
            smallest: Some(1e-6),
        };
        self.number(ui, &depth, [now.target_depth, usual.target_depth], Parameter::TargetDepth);
        self.target_volume(ui, now, usual);
        let compliance = Number {
            name: "compliance",
            explanation: "Compliance of a contact along its normal [m/N]; 0 is rigid.",
            range: (0.0, 0.01),
            smallest: Some(1e-9),
        };
        self.number(ui, &compliance, [now.compliance, usual.compliance], Parameter::Compliance);
        let damping = Number {
            name: "damping",
            explanation: "Damping of a compliant contact along its normal [N s/m].",
            range: (0.0, 1e4),
            smallest: Some(1e-2),
        };
        self.number(ui, &damping, [now.damping, usual.damping], Parameter::Damping);
        let restitution = Number {
            name: "restitution",
            explanation: "Coefficient of restitution, 0 to 1.",
            range: (0.0, 1.0),
            smallest: None,
        };
        self.number(ui, &restitution, [now.restitution, usual.restitution], Parameter::Restitution);
        self.patch(ui, now, usual);
        self.spin(ui, now, usual);
    }

    fn target_volume(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        /// Volume that the switch begins with \[m³\].
        const FIRST: f64 = 1e-6;
        ui.horizontal(|ui| {
            let mut on = now.target_volume.is_some();
            let text = "Holds every contact at this overlap volume [m³] instead of at a depth.";
            if ui.checkbox(&mut on, "target volume").on_hover_text(text).changed() {
                self.changes.push(Parameter::TargetVolume(on.then_some(FIRST)));
            }
            if let Some(mut volume) = now.target_volume {
                let speed = volume * 0.02;
                let drag = DragValue::new(&mut volume).range(0.0..=1.0).speed(speed).suffix(" m³");
                if ui.add(drag).on_hover_text(text).changed() {
                    self.changes.push(Parameter::TargetVolume(Some(volume)));
                }
            }
            let other = now.target_volume != usual.target_volume;
            self.undo(ui, other, || Parameter::TargetVolume(usual.target_volume), "as it was");
        });
    }

    fn patch(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let name = |patch: PatchSpec| match patch {
            PatchSpec::Polygon => "polygon".to_owned(),
            PatchSpec::Ellipse(k) => format!("ellipse, k = {k}"),
        };
        let mut chosen = now.patch;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("patch").selected_text(name(chosen)).show_ui(ui, |ui| {
                let ellipses = [3.0, 4.0, 5.0, 6.0].map(PatchSpec::Ellipse);
                for patch in [PatchSpec::Polygon].into_iter().chain(ellipses) {
                    ui.selectable_value(&mut chosen, patch, name(patch));
                }
            });
            ui.label("patch").on_hover_text("What bounds the centre of pressure.");
            self.undo(ui, now.patch != usual.patch, || Parameter::Patch(usual.patch), &name(usual.patch));
        });
        if chosen != now.patch {
            self.changes.push(Parameter::Patch(chosen));
        }
    }

    fn spin(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let name = |spin: SpinSpec| match spin {
            SpinSpec::Uniform => "uniform",
            SpinSpec::Hertz => "hertz",
            SpinSpec::Corners => "corners",
        };
        let mut chosen = now.spin;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("spin").selected_text(name(chosen)).show_ui(ui, |ui| {
                for spin in [SpinSpec::Uniform, SpinSpec::Hertz, SpinSpec::Corners] {
                    ui.selectable_value(&mut chosen, spin, name(spin));
                }
            });
            ui.label("spin").on_hover_text("Pressure that decides how far out friction resists spinning.");
            self.undo(ui, now.spin != usual.spin, || Parameter::Spin(usual.spin), name(usual.spin));
        });
        if chosen != now.spin {
            self.changes.push(Parameter::Spin(chosen));
        }
    }

    fn solver(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let sweeps = Number {
            name: "max sweeps",
            explanation: "Largest number of sweeps in a step.",
            range: (1.0, 2000.0),
            smallest: Some(1.0),
        };
        let values = [now.max_sweeps, usual.max_sweeps].map(f64::from);
        self.number(ui, &sweeps, values, |x| Parameter::MaxSweeps(x.round().max(1.0) as u32));
        let tolerance = Number {
            name: "tolerance",
            explanation: "Update norm of a sweep at which the solver stops [N s].",
            range: (0.0, 1e-2),
            smallest: Some(1e-12),
        };
        self.number(ui, &tolerance, [now.tolerance, usual.tolerance], Parameter::Tolerance);
        let stabilization = Number {
            name: "stabilisation",
            explanation: "Part of the volume above target that is taken out per step, 0 to 1.",
            range: (0.0, 1.0),
            smallest: None,
        };
        self.number(ui, &stabilization, [now.stabilization, usual.stabilization], Parameter::Stabilization);
        let mut warm = now.warm_start;
        ui.horizontal(|ui| {
            if ui
                .checkbox(&mut warm, "warm start")
                .on_hover_text("Begin with the impulses of the last step.")
                .changed()
            {
                self.changes.push(Parameter::WarmStart(warm));
            }
        });
        self.local(ui, now, usual);
        self.accelerator(ui, now, usual);
    }

    fn local(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let name = |local: LocalSpec| match local {
            LocalSpec::Cone => "cone",
            LocalSpec::Paper => "paper",
        };
        let mut chosen = now.local;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("local").selected_text(name(chosen)).show_ui(ui, |ui| {
                for local in [LocalSpec::Cone, LocalSpec::Paper] {
                    ui.selectable_value(&mut chosen, local, name(local));
                }
            });
            ui.label("one contact").on_hover_text("All limits of a contact at once, or one after the other.");
            self.undo(ui, now.local != usual.local, || Parameter::Local(usual.local), name(usual.local));
        });
        if chosen != now.local {
            self.changes.push(Parameter::Local(chosen));
        }
    }

    fn accelerator(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters) {
        let name = |accelerator: AcceleratorSpec| match accelerator {
            AcceleratorSpec::Anderson => "anderson",
            AcceleratorSpec::Nncg => "nncg",
            AcceleratorSpec::None => "none",
        };
        let mut chosen = now.accelerator;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("accelerator").selected_text(name(chosen)).show_ui(ui, |ui| {
                for accelerator in [AcceleratorSpec::Anderson, AcceleratorSpec::Nncg, AcceleratorSpec::None] {
                    ui.selectable_value(&mut chosen, accelerator, name(accelerator));
                }
            });
            ui.label("acceleration").on_hover_text("What speeds the sweeps up.");
            let (other, back) = (now.accelerator != usual.accelerator, usual.accelerator);
            self.undo(ui, other, || Parameter::Accelerator(back), name(back));
        });
        if chosen != now.accelerator {
            self.changes.push(Parameter::Accelerator(chosen));
        }
    }

    fn overlaps(&mut self, ui: &mut Ui, now: &Parameters, usual: &Parameters, in_use: &str) {
        let mut chosen = now.backend;
        ui.horizontal(|ui| {
            ComboBox::from_id_salt("backend").selected_text(chosen.to_string()).show_ui(ui, |ui| {
                for backend in [Backend::Auto, Backend::Exact, Backend::Rays, Backend::Gpu] {
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
