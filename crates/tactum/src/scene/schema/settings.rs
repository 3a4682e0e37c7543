//! Keys of `[contact]` and `[solver]`. All that are settings of a world come from its own list of them,
//! [`Settings::ALL`](tactum_sim::Settings::ALL).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tactum_geometry::quantity::{Quantity, Range};
use tactum_geometry::words::number;
use tactum_sim::DEFAULT_FRICTION;
use tactum_sim::Settings;
use tactum_sim::settings::{Choice, Kind, Section, Setting, Value};

/// Coefficient of friction of the bodies that give none.
pub const FRICTION: Quantity = Quantity {
    name: "friction",
    unit: "",
    meaning: "Coefficient of friction of every body that gives none of its own and whose material gives none; a pair uses the \
              geometric mean.",
    range: Range::NOT_NEGATIVE,
    usual: (0.0, 1.5),
};

/// How bodies touch.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct ContactSpec {
    /// Coefficient of friction of every body that gives none of its own.
    pub friction: f64,
    /// The settings that are given.
    #[serde(flatten)]
    pub settings: GivenSettings,
}

impl Default for ContactSpec {
    fn default() -> Self {
        Self { friction: DEFAULT_FRICTION, settings: GivenSettings::default() }
    }
}

/// What solves the contacts, and when it may stop.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SolverSpec {
    /// Number of steps that may run out of sweeps before the run stops with exit code 3; `None` for any number.
    pub max_unconverged_steps: Option<u64>,
    /// The settings that are given.
    #[serde(flatten)]
    pub settings: GivenSettings,
}

/// The settings that a scene states in a section, by name; all others have their defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenSettings(BTreeMap<&'static str, Value>);

impl GivenSettings {
    /// Each setting that is stated, with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Setting, Value)> {
        self.0.iter().filter_map(|(name, &value)| Some((Settings::find(name)?, value)))
    }

    /// The value of a setting that is stated.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.get(name).copied()
    }

    /// One setting with its value; none if there is no such setting.
    pub fn one(name: &str, value: Value) -> Self {
        Self(Settings::find(name).map(|setting| (setting.name(), value)).into_iter().collect())
    }

    /// Puts what is stated, and what follows from it, into a world's settings.
    pub fn apply(&self, settings: &mut Settings) {
        for setting in Settings::ALL {
            let implied = setting.implied.filter(|implied| self.0.contains_key(implied.by));
            if let Some(value) = self.get(setting.name()).or(implied.map(|implied| implied.value)) {
                setting.set(settings, value);
            }
        }
    }

    /// What a section has to state so that a world gets these settings.
    pub fn of(settings: &Settings, section: Section) -> Self {
        let mut given = BTreeMap::new();
        let is_other = |setting: &Setting| setting.get(settings) != setting.default_value();
        let implies = |by: &Setting| {
            Settings::of(section).any(|setting| {
                let implied = setting.implied.filter(|implied| implied.by == by.name());
                is_other(setting) && implied.is_some_and(|implied| implied.value == setting.get(settings))
            })
        };
        for setting in Settings::of(section).filter(|setting| setting.implied.is_none()) {
            if is_other(setting) || implies(setting) {
                given.insert(setting.name(), setting.get(settings));
            }
        }
        for (setting, implied) in Settings::of(section).filter_map(|s| Some((s, s.implied?))) {
            let otherwise =
                if given.contains_key(implied.by) { implied.value } else { setting.default_value() };
            if setting.get(settings) != otherwise {
                given.insert(setting.name(), setting.get(settings));
            }
        }
        Self(given)
    }
}

impl Serialize for GivenSettings {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(&self.0)
    }
}

impl<'de> Deserialize<'de> for GivenSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Given;
        impl<'de> Visitor<'de> for Given {
            type Value = GivenSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of settings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GivenSettings, A::Error> {
                let mut given = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let setting = Settings::find(&name)
                        .ok_or_else(|| A::Error::custom(format!("there is no setting '{name}'")))?;
                    given.insert(setting.name(), map.next_value_seed(ValueOf(setting.kind))?);
                }
                Ok(GivenSettings(given))
            }
        }
        from.deserialize_map(Given)
    }
}

/// Reads a value of a kind.
#[derive(Clone, Copy, Debug)]
pub struct ValueOf(pub Kind);

impl<'de> DeserializeSeed<'de> for ValueOf {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self.0 {
            Kind::Number => f64::deserialize(from).map(Value::Number),
            Kind::Optional => {
                Option::<f64>::deserialize(from).map(|x| x.map_or(Value::Nothing, Value::Number))
            }
            Kind::Vector => <[f64; 3]>::deserialize(from).map(Value::Vector),
            Kind::Count(most) => match u64::deserialize(from)? {
                n if n <= most => Ok(Value::Count(n)),
                n => Err(D::Error::custom(format!("{n} is more than {most}"))),
            },
            Kind::Flag => bool::deserialize(from).map(Value::Flag),
            Kind::Choice(choices) => from.deserialize_any(ChoiceOf(choices)),
        }
    }
}

/// Reads a word, or a table of a word and its number.
struct ChoiceOf(&'static [Choice]);

impl ChoiceOf {
    fn find<E: Error>(&self, word: &str, has_number: bool) -> Result<&'static str, E> {
        let fits = |choice: &&Choice| choice.name == word && choice.number.is_some() == has_number;
        self.0
            .iter()
            .find(fits)
            .map(|choice| choice.name)
            .ok_or_else(|| E::custom(format!("'{word}' is no choice here")))
    }
}

impl<'de> Visitor<'de> for ChoiceOf {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of several words")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Value, E> {
        Ok(Value::Choice { name: self.find(word, false)?, number: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (word, x) =
            map.next_entry::<String, f64>()?.ok_or_else(|| A::Error::custom("a word is missing"))?;
        if map.next_key::<String>()?.is_some() {
            return Err(A::Error::custom("one word is enough"));
        }
        Ok(Value::Choice { name: self.find(&word, true)?, number: Some(x) })
    }
}

impl JsonSchema for ContactSpec {
    fn schema_name() -> Cow<'static, str> {
        "ContactSpec".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut friction = number_schema(FRICTION.range);
        friction.insert("description".into(), FRICTION.description(&number(DEFAULT_FRICTION)).into());
        friction.insert("default".into(), DEFAULT_FRICTION.into());
        section("How bodies touch.", Section::Contact, ("friction", friction))
    }
}

impl JsonSchema for SolverSpec {
    fn schema_name() -> Cow<'static, str> {
        "SolverSpec".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = "Number of steps that may run out of sweeps, while impulses still change by more than `tolerance` or a millionth of \
                    themselves, before the run stops with exit code 3. Default: any number.";
        let mut limit = count_schema(u64::MAX, Range::NOT_NEGATIVE);
        limit.insert("description".into(), text.into());
        let about = "What solves the contacts, and when it may stop.";
        section(about, Section::Solver, ("max_unconverged_steps", limit))
    }
}

/// The schema of a section: its settings and one key more.
fn section(about: &str, section: Section, (name, other): (&str, Map<String, Json>)) -> Schema {
    let mut properties = Map::new();
    properties.insert(name.into(), other.into());
    for setting in Settings::of(section) {
        properties.insert(setting.name().into(), Json::Object(setting_schema(setting)));
    }
    json_schema!({
        "type": "object",
        "description": about,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Puts what is known of the setting of this name in place of a schema.
pub(super) struct AsSetting(pub &'static str);

impl Transform for AsSetting {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(setting) = Settings::find(self.0) {
            *schema = setting_schema(setting).into();
        }
    }
}

/// The schema of a setting: type, range, default and meaning.
fn setting_schema(setting: &Setting) -> Map<String, Json> {
    let range = setting.quantity.range;
    let mut schema = match setting.kind {
        Kind::Number | Kind::Optional => number_schema(range),
        Kind::Vector => {
            let mut list = typed("array");
            list.insert("items".into(), number_schema(range).into());
            list.insert("minItems".into(), 3.into());
            list.insert("maxItems".into(), 3.into());
            list
        }
        Kind::Count(most) => count_schema(most, range),
        Kind::Flag => typed("boolean"),
        Kind::Choice(choices) => {
            let choices: Vec<Json> = choices.iter().map(|choice| choice_schema(choice).into()).collect();
            Map::from_iter([("oneOf".into(), choices.into())])
        }
    };
    schema.insert("description".into(), setting.description().into());
    if let Ok(default) = serde_json::to_value(setting.default_value())
        && !default.is_null()
    {
        schema.insert("default".into(), default);
    }
    schema
}

fn choice_schema(choice: &Choice) -> Map<String, Json> {
    let mut schema = match choice.number {
        None => {
            let mut word = typed("string");
            word.insert("const".into(), choice.name.into());
            word
        }
        Some(number) => {
            let mut table = typed("object");
            let property = Map::from_iter([(choice.name.to_owned(), number_schema(number.range).into())]);
            table.insert("properties".into(), Json::Object(property));
            table.insert("required".into(), vec![choice.name].into());
            table.insert("additionalProperties".into(), false.into());
            table
        }
    };
    schema.insert("description".into(), choice.meaning.trim().into());
    schema
}

fn typed(name: &str) -> Map<String, Json> {
    Map::from_iter([("type".into(), name.into())])
}

/// The schema of a number in a range.
fn number_schema(range: Range) -> Map<String, Json> {
    let mut schema = typed("number");
    schema.insert("format".into(), "double".into());
    bounded(&mut schema, range, Json::from);
    schema
}

/// The schema of a whole number in a range.
fn count_schema(most: u64, range: Range) -> Map<String, Json> {
    let mut schema = typed("integer");
    schema.insert("format".into(), if most <= u32::MAX.into() { "uint32" } else { "uint64" }.into());
    bounded(&mut schema, range, |x| Json::from(x as u64));
    schema
}

fn bounded(schema: &mut Map<String, Json>, range: Range, json: impl Fn(f64) -> Json) {
    let ends =
        [(range.low(), ["exclusiveMinimum", "minimum"]), (range.high(), ["exclusiveMaximum", "maximum"])];
    for (end, [open, closed]) in ends {
        if let Some((at, is_in)) = end {
            schema.insert(if is_in { closed } else { open }.into(), json(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use tactum_sim::{LocalSolver, PatchModel};

    use super::*;

    /// What is written of some settings gives the same ones again, whatever other settings follow from those that are stated.
    #[test]
    fn settings_survive_being_stated() {
        let base = Settings::default();
        let loose = Settings { motion_tolerance: 0.0, ..base };
        let bounded = Settings { max_sweeps: 7, ..base };
        let cases = [
            base,
            loose,
            bounded,
            Settings { max_solves: u64::MAX, ..bounded },
            Settings { max_solves: u64::MAX, ..base },
            Settings { tolerance: 1e-3, ..loose },
            Settings { tolerance: 1e-3, ..base },
            Settings { patch: PatchModel::Ellipse { k: 3.0 }, local: LocalSolver::Paper, ..base },
            Settings { target_volume: Some(1e-6), warm_start: false, ..base },
        ];
        for settings in cases {
            let mut again = base;
            for section in [Section::Contact, Section::Solver] {
                let text =
                    toml::to_string(&GivenSettings::of(&settings, section)).expect("settings are TOML");
                let given: GivenSettings = toml::from_str(&text).expect("what was written can be read");
                given.apply(&mut again);
            }
            assert_eq!(again, settings);
        }
        assert_eq!(GivenSettings::of(&base, Section::Solver), GivenSettings::default());
    }

    /// Every setting that implies another is one, in the same section, and stands before it in the list.
    #[test]
    fn what_implies_a_setting_is_one() {
        for setting in Settings::ALL {
            let Some(implied) = setting.implied else { continue };
            let by = Settings::find(implied.by).expect("it is a setting");
            assert_eq!(by.section, setting.section, "{}", setting.name());
            assert!(by.implied.is_none(), "{}", setting.name());
            assert!(setting.set(&mut Settings::default(), implied.value), "{}", setting.name());
        }
    }
}
