//! What of a scene can be changed while it runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum::backend::{Backend, BackendOptions};
use tactum::scene::SceneSpec;
use tactum::scene::schema::{FRICTION, GivenSettings};
use tactum_geometry::quantity::Range;
use tactum_geometry::words::number;
use tactum_sim::Settings;
use tactum_sim::settings::{Section, Setting, Value};

/// A parameter with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// Coefficient of friction of the bodies that give none of their own.
    Friction(f64),
    /// How overlaps are measured: `auto`, `exact`, `rays` or `gpu`.
    Backend(String),
    /// Rays a side across a contact.
    Rays(u32),
    /// The position or speed that the drive of a joint asks for \[rad, m, rad/s or m/s\]; `None` for what the scene says over time.
    Drive(u32, Option<f64>),
    /// The mass of a body, its inertia in proportion \[kg\]; `None` for its own.
    Mass(u32, Option<f64>),
    /// Settings of the world, by their names in a scene.
    #[serde(untagged)]
    Settings(GivenSettings),
}

impl Parameter {
    /// A setting of the world with its value.
    pub fn setting(name: &str, value: Value) -> Self {
        Self::Settings(GivenSettings::one(name, value))
    }
}

/// Values of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// See [`Parameter::Friction`].
    pub friction: f64,
    /// Settings of the world.
    pub settings: Settings,
    /// See [`Parameter::Backend`].
    pub backend: Backend,
    /// See [`Parameter::Rays`].
    pub rays: u32,
    /// See [`Parameter::Drive`]: by joint, those that are not as the scene says.
    pub drives: BTreeMap<u32, f64>,
    /// See [`Parameter::Mass`]: by body, those that are not their own.
    pub masses: BTreeMap<u32, f64>,
}

impl Parameters {
    /// The values that a scene begins with: its world's settings, and the back end asked for.
    pub fn of(spec: &SceneSpec, settings: &Settings, backend: &BackendOptions) -> Self {
        Self {
            friction: spec.contact.friction,
            settings: *settings,
            backend: backend.backend,
            rays: backend.rays,
            drives: BTreeMap::new(),
            masses: BTreeMap::new(),
        }
    }

    /// The settings that can be changed while a scene runs: all that it can state. With another time step it begins anew.
    pub fn changeable() -> impl Iterator<Item = &'static Setting> {
        [Section::Scene, Section::Contact, Section::Solver].into_iter().flat_map(Settings::of)
    }

    /// Takes over a value; fails with the words of a wrong one, and is then unchanged.
    pub fn set(&mut self, parameter: &Parameter) -> Result<(), String> {
        match parameter {
            Parameter::Friction(x) if FRICTION.range.contains(*x) => self.friction = *x,
            Parameter::Friction(x) => {
                return Err(format!("friction is {}, but has to be {}", number(*x), FRICTION.range.words()));
            }
            Parameter::Backend(name) => {
                self.backend = name.parse().map_err(|error| format!("{error}"))?;
            }
            Parameter::Rays(n) if n.is_power_of_two() && (16..=256).contains(n) => self.rays = *n,
            Parameter::Rays(n) => return Err(format!("{n} rays: needed is a power of two from 16 to 256")),
            Parameter::Drive(joint, wanted) => {
                put(&mut self.drives, *joint, *wanted, Range::FINITE, "what a drive asks for")?;
            }
            Parameter::Mass(body, mass) => put(&mut self.masses, *body, *mass, Range::POSITIVE, "the mass")?,
            Parameter::Settings(given) => self.settings = self.changed(given)?,
        }
        Ok(())
    }

    /// The settings with other values.
    fn changed(&self, given: &GivenSettings) -> Result<Settings, String> {
        let mut settings = self.settings;
        for (setting, value) in given.iter() {
            let name = setting.name();
            if !Self::changeable().any(|known| known.name() == name) {
                return Err(format!("{name} cannot be changed while a scene runs"));
            }
            setting.check(value).map_err(|error| error.to_string())?;
            if !setting.set(&mut settings, value) {
                return Err(format!("{name} takes other values"));
            }
        }
        Ok(settings)
    }

    /// Writes the values into what a scene file says.
    pub fn write_to(&self, spec: &mut SceneSpec) {
        spec.dt = self.settings.dt;
        spec.gravity = self.settings.gravity.to_array();
        spec.contact.friction = self.friction;
        spec.contact.settings = GivenSettings::of(&self.settings, Section::Contact);
        spec.solver.settings = GivenSettings::of(&self.settings, Section::Solver);
    }

    /// The back end as options of the library; `adapter` names the device.
    pub fn backend_options(&self, adapter: Option<String>) -> BackendOptions {
        BackendOptions { backend: self.backend, rays: self.rays, adapter }
    }
}

/// Puts a number in the place of what is usual, or takes it away.
fn put(
    changed: &mut BTreeMap<u32, f64>,
    ix: u32,
    value: Option<f64>,
    range: Range,
    what: &str,
) -> Result<(), String> {
    match value {
        None => _ = changed.remove(&ix),
        Some(x) if range.contains(x) => _ = changed.insert(ix, x),
        Some(x) => return Err(format!("{what} is {}, but has to be {}", number(x), range.words())),
    }
    Ok(())
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
        assert_eq!(parameters.settings.max_sweeps, 7);
        assert_eq!(&parameters.settings, world.settings());
        let mut spec = scene.spec().clone();
        spec.dt = 1.0;
        spec.gravity = [0.0; 3];
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
        let wrong = [
            Parameter::Friction(-1.0),
            Parameter::Rays(100),
            Parameter::Backend("cpu".to_owned()),
            Parameter::setting("compliance", Value::Number(-1.0)),
            Parameter::setting("max_sweeps", Value::Flag(true)),
            Parameter::setting("dt", Value::Number(0.0)),
            Parameter::setting("relative_tolerance", Value::Number(1e-9)),
            Parameter::Drive(0, Some(f64::NAN)),
            Parameter::Mass(0, Some(0.0)),
        ];
        for parameter in wrong {
            let error = parameters.set(&parameter).expect_err("refused");
            assert!(error.len() > 10, "{error}");
        }
        assert_eq!(parameters, before);
    }

    /// A log says a parameter by its name, whatever it is.
    #[test]
    fn parameters_are_logged_by_their_names() {
        for (parameter, text) in [
            (Parameter::Friction(0.5), r#"{"friction":0.5}"#),
            (Parameter::Drive(1, Some(-0.5)), r#"{"drive":[1,-0.5]}"#),
            (Parameter::Mass(3, None), r#"{"mass":[3,null]}"#),
            (Parameter::setting("compliance", Value::Number(0.5)), r#"{"compliance":0.5}"#),
            (Parameter::setting("dt", Value::Number(0.005)), r#"{"dt":0.005}"#),
            (Parameter::setting("max_sweeps", Value::Count(7)), r#"{"max_sweeps":7}"#),
            (Parameter::setting("target_volume", Value::Nothing), r#"{"target_volume":null}"#),
            (Parameter::setting("gravity", Value::Vector([0.0, 1.0, -9.0])), r#"{"gravity":[0.0,1.0,-9.0]}"#),
            (
                Parameter::setting("patch", Value::Choice { name: "ellipse", number: Some(3.0) }),
                r#"{"patch":{"ellipse":3.0}}"#,
            ),
            (
                Parameter::setting("accelerator", Value::Choice { name: "nncg", number: None }),
                r#"{"accelerator":"nncg"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&parameter).expect("it can be written"), text);
            assert_eq!(serde_json::from_str::<Parameter>(text).expect("it can be read"), parameter);
        }
        assert!(serde_json::from_str::<Parameter>(r#"{"complience":0.5}"#).is_err());
    }
}
