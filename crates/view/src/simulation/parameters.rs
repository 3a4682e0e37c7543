//! What of a scene can be changed while it runs.

use serde::{Deserialize, Serialize};
use tactum::backend::{Backend, BackendOptions};
use tactum::scene::SceneSpec;
use tactum::scene::schema::{AcceleratorSpec, LocalSpec, PatchSpec, SpinSpec};
use tactum_sim::{PatchModel, Settings, SpinRule};

/// A parameter with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// Coefficient of friction of the bodies that give none of their own.
    Friction(f64),
    /// Mean depth at which a resting contact is held, as a part of the smaller body's size.
    TargetDepth(f64),
    /// Overlap volume at which every contact is held \[m³\]; replaces the target depth where given.
    TargetVolume(Option<f64>),
    /// Compliance of a contact along its normal \[m/N\].
    Compliance(f64),
    /// Damping of a compliant contact along its normal \[N s/m\].
    Damping(f64),
    /// Coefficient of restitution.
    Restitution(f64),
    /// Part of the volume above target that is taken out per step.
    Stabilization(f64),
    /// Largest number of sweeps in a step.
    MaxSweeps(u32),
    /// Update norm at which the solver stops.
    Tolerance(f64),
    /// Whether a step starts from the last one's impulses.
    WarmStart(bool),
    /// What speeds the sweeps up.
    Accelerator(AcceleratorSpec),
    /// What solves one contact.
    Local(LocalSpec),
    /// What bounds the centre of pressure.
    Patch(PatchSpec),
    /// How far from the centre of pressure friction resists spinning.
    Spin(SpinSpec),
    /// How overlaps are measured: `auto`, `exact`, `rays` or `gpu`.
    Backend(String),
    /// Rays a side across a contact.
    Rays(u32),
}

/// Values of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// See [`Parameter::Friction`].
    pub friction: f64,
    /// See [`Parameter::TargetDepth`].
    pub target_depth: f64,
    /// See [`Parameter::TargetVolume`].
    pub target_volume: Option<f64>,
    /// See [`Parameter::Compliance`].
    pub compliance: f64,
    /// See [`Parameter::Damping`].
    pub damping: f64,
    /// See [`Parameter::Restitution`].
    pub restitution: f64,
    /// See [`Parameter::Stabilization`].
    pub stabilization: f64,
    /// See [`Parameter::MaxSweeps`].
    pub max_sweeps: u32,
    /// See [`Parameter::Tolerance`].
    pub tolerance: f64,
    /// See [`Parameter::WarmStart`].
    pub warm_start: bool,
    /// See [`Parameter::Accelerator`].
    pub accelerator: AcceleratorSpec,
    /// See [`Parameter::Local`].
    pub local: LocalSpec,
    /// See [`Parameter::Patch`].
    pub patch: PatchSpec,
    /// See [`Parameter::Spin`].
    pub spin: SpinSpec,
    /// See [`Parameter::Backend`].
    pub backend: Backend,
    /// See [`Parameter::Rays`].
    pub rays: u32,
}

impl Parameters {
    /// The values that a scene begins with: its world's settings, and the back end asked for.
    pub fn of(spec: &SceneSpec, settings: &Settings, backend: &BackendOptions) -> Self {
        Self {
            friction: spec.contact.friction,
            target_depth: settings.target_depth,
            target_volume: settings.target_volume,
            compliance: settings.compliance,
            damping: settings.damping,
            restitution: settings.restitution,
            stabilization: settings.stabilization,
            max_sweeps: settings.max_sweeps,
            tolerance: settings.tolerance,
            warm_start: settings.warm_start,
            accelerator: spec.solver.accelerator,
            local: spec.solver.local,
            patch: spec.contact.patch,
            spin: spec.contact.spin,
            backend: backend.backend,
            rays: backend.rays,
        }
    }

    /// Takes over one value; fails with the words of a wrong one, and is then unchanged.
    pub fn set(&mut self, parameter: &Parameter) -> Result<(), String> {
        match parameter {
            Parameter::Friction(x) if x.is_finite() && *x >= 0.0 => self.friction = *x,
            Parameter::Friction(x) => return Err(format!("friction is {x}, but needs to be 0 or more")),
            Parameter::TargetDepth(x) => self.target_depth = *x,
            Parameter::TargetVolume(x) => self.target_volume = *x,
            Parameter::Compliance(x) => self.compliance = *x,
            Parameter::Damping(x) => self.damping = *x,
            Parameter::Restitution(x) => self.restitution = *x,
            Parameter::Stabilization(x) => self.stabilization = *x,
            Parameter::MaxSweeps(n) => self.max_sweeps = *n,
            Parameter::Tolerance(x) => self.tolerance = *x,
            Parameter::WarmStart(on) => self.warm_start = *on,
            Parameter::Accelerator(accelerator) => self.accelerator = *accelerator,
            Parameter::Local(local) => self.local = *local,
            Parameter::Patch(patch) => self.patch = *patch,
            Parameter::Spin(spin) => self.spin = *spin,
            Parameter::Backend(name) => {
                self.backend = name.parse().map_err(|error| format!("{error}"))?;
            }
            Parameter::Rays(n) if n.is_power_of_two() && (16..=256).contains(n) => self.rays = *n,
            Parameter::Rays(n) => return Err(format!("{n} rays: needed is a power of two from 16 to 256")),
        }
        Ok(())
    }

    /// A world's settings with these values in place of its own.
    pub fn settings(&self, base: &Settings) -> Settings {
        Settings {
            target_depth: self.target_depth,
            target_volume: self.target_volume,
            compliance: self.compliance,
            damping: self.damping,
            restitution: self.restitution,
            stabilization: self.stabilization,
            max_sweeps: self.max_sweeps,
            tolerance: self.tolerance,
            warm_start: self.warm_start,
            accelerator: self.accelerator.into(),
            local: self.local.into(),
            patch: match self.patch {
                PatchSpec::Polygon => PatchModel::Polygon,
                PatchSpec::Ellipse(k) => PatchModel::Ellipse { k },
            },
            spin: match self.spin {
                SpinSpec::Uniform => SpinRule::Uniform,
                SpinSpec::Hertz => SpinRule::Hertz,
                SpinSpec::Corners => SpinRule::Corners,
            },
            ..*base
        }
    }

    /// Writes the values into what a scene file says.
    pub fn write_to(&self, spec: &mut SceneSpec) {
        let contact = &mut spec.contact;
        contact.friction = self.friction;
        contact.target_depth = Some(self.target_depth);
        contact.target_volume = self.target_volume;
        contact.compliance = self.compliance;
        contact.damping = self.damping;
        contact.restitution = self.restitution;
        contact.stabilization = Some(self.stabilization);
        contact.patch = self.patch;
        contact.spin = self.spin;
        if self.max_sweeps != spec.solver.max_sweeps.unwrap_or(Settings::default().max_sweeps) {
            spec.solver.max_sweeps = Some(self.max_sweeps);
        }
        spec.solver.tolerance = Some(self.tolerance);
        spec.solver.warm_start = self.warm_start;
        spec.solver.accelerator = self.accelerator;
        spec.solver.local = self.local;
    }

    /// The back end as options of the library; `adapter` names the device.
    pub fn backend_options(&self, adapter: Option<String>) -> BackendOptions {
        BackendOptions { backend: self.backend, rays: self.rays, adapter }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tactum::scene::Scene;

    use super::*;

    fn scene() -> Scene {
        let text = "[[body]]\nname = \"a\"\nshape = { sphere = 1.0 }\norientation = { euler_deg = [0, 0, 0] }\n[contact]\nfriction = 0.3\npatch = { ellipse = 3 }\nspin = \"corners\"\n[solver]\nmax_sweeps = 7";
        Scene::parse(text, Path::new("x.toml")).expect("a scene")
    }

    /// What a scene says survives the way through the parameters into a world and into another scene.
    #[test]
    fn values_go_through() {
        let scene = scene();
        let world = tactum::build::build(&scene).expect("a world").world;
        let parameters = Parameters::of(scene.spec(), world.settings(), &BackendOptions::default());
        assert_eq!(parameters.settings(&Settings::default()).max_sweeps, 7);
        assert_eq!(&parameters.settings(world.settings()), world.settings());
        let mut spec = scene.spec().clone();
        spec.contact = Default::default();
        spec.solver = Default::default();
        parameters.write_to(&mut spec);
        let text = toml::to_string(&spec).expect("a scene can be written");
        let again = Scene::parse(&text, Path::new("y.toml")).expect("a scene");
        let world = tactum::build::build(&again).expect("a world").world;
        assert_eq!(Parameters::of(again.spec(), world.settings(), &BackendOptions::default()), parameters);
    }

    #[test]
    fn wrong_values_are_refused_with_what_was_needed() {
        let scene = scene();
        let mut parameters = Parameters::of(scene.spec(), &Settings::default(), &BackendOptions::default());
        let before = parameters.clone();
        let wrong = [Parameter::Friction(-1.0), Parameter::Rays(100), Parameter::Backend("cpu".to_owned())];
        for parameter in wrong {
            let error = parameters.set(&parameter).expect_err("refused");
            assert!(error.len() > 10, "{error}");
        }
        assert_eq!(parameters, before);
    }
}
