//! What is known of each setting.

use tactum_geometry::quantity::{Quantity, Range};
use tactum_geometry::words::number;

use super::value::{Kind, Value};
use super::{ContactLaw, Settings, SettingsError};

/// Where a scene states a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Above all tables.
    Scene,
    /// In `[contact]`.
    Contact,
    /// In `[solver]`.
    Solver,
    /// Nowhere: for programs only.
    Unnamed,
}

/// A value that a setting takes in place of its default where a scene states another setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implied {
    /// Name of the other one.
    pub by: &'static str,
    /// The value.
    pub value: Value,
    /// The value in words.
    pub words: &'static str,
}

/// One setting: what it means, where it may lie, and the way to it in [`Settings`].
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name, unit, meaning, range and usual values.
    pub quantity: Quantity,
    /// Where a scene states it.
    pub section: Section,
    /// Of what kind its values are.
    pub kind: Kind,
    /// What it is where another one is stated and it is not.
    pub implied: Option<Implied>,
    /// The laws that use it; all do where there are none.
    pub laws: &'static [ContactLaw],
    get: fn(&Settings) -> Value,
    set: fn(&mut Settings, Value) -> Option<()>,
}

impl Setting {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.quantity.name
    }

    /// Its value among others.
    pub fn get(&self, settings: &Settings) -> Value {
        (self.get)(settings)
    }

    /// Changes its value, unchecked; a value of another kind changes nothing.
    ///
    /// Returns whether it was of the right kind.
    pub fn set(&self, settings: &mut Settings, value: Value) -> bool {
        (self.set)(settings, value).is_some()
    }

    /// Its default.
    pub fn default_value(&self) -> Value {
        self.get(&Settings::default())
    }

    /// Where the numbers of a value may lie.
    pub fn range_of(&self, value: Value) -> Range {
        match (self.kind, value) {
            (Kind::Choice(choices), Value::Choice { name, .. }) => choices
                .iter()
                .find(|choice| choice.name == name)
                .and_then(|choice| choice.number)
                .map_or(Range::FINITE, |number| number.range),
            _ => self.quantity.range,
        }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// If one of its numbers is out of range.
    pub fn check(&self, value: Value) -> Result<(), SettingsError> {
        let range = self.range_of(value);
        match value.numbers().find(|&x| !range.contains(x)) {
            None => Ok(()),
            Some(found) => {
                Err(SettingsError { name: self.name(), needed: self.quantity.in_unit(&range.words()), found })
            }
        }
    }

    /// What a user reads of it: meaning, unit, range and default.
    pub fn description(&self) -> String {
        let default = match self.default_value() {
            Value::Number(x) => number(x),
            Value::Nothing => "none".to_owned(),
            Value::Vector(x) => format!("[{}]", x.map(number).join(", ")),
            Value::Count(n) => n.to_string(),
            Value::Flag(is_on) => is_on.to_string(),
            Value::Choice { name, .. } => format!("\"{name}\""),
        };
        let text = match self.implied {
            Some(Implied { by, words, .. }) => format!("{default}, or {words} where `{by}` is given"),
            None => default,
        };
        self.quantity.description(&text)
    }

    /// Gives a setting its name, if it has no other, its meaning, its unit and the way to it.
    pub(super) const fn described(
        mut self,
        field: &'static str,
        unit: &'static str,
        meaning: &'static str,
        kind: Kind,
        get: fn(&Settings) -> Value,
        set: fn(&mut Settings, Value) -> Option<()>,
    ) -> Self {
        if self.quantity.name.is_empty() {
            self.quantity.name = field;
        }
        self.quantity.unit = unit;
        self.quantity.meaning = meaning;
        Self { kind, get, set, ..self }
    }

    /// Gives it another name in scenes than in [`Settings`].
    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.quantity.name = name;
        self
    }

    /// Where its numbers may lie; without this anywhere.
    pub(super) const fn range(mut self, range: Range) -> Self {
        self.quantity.range = range;
        self
    }

    /// Smallest value above zero and largest value that people try, see [`Quantity::usual`].
    pub(super) const fn usual(mut self, smallest: f64, largest: f64) -> Self {
        self.quantity.usual = (smallest, largest);
        self
    }

    /// Which laws use it, alone.
    pub(super) const fn of(self, laws: &'static [ContactLaw]) -> Self {
        Self { laws, ..self }
    }

    /// What it is in a scene that states the setting `by` and not this one.
    pub(super) const fn implied(self, by: &'static str, value: Value, words: &'static str) -> Self {
        Self { implied: Some(Implied { by, value, words }), ..self }
    }
}

const fn blank(section: Section) -> Setting {
    Setting {
        quantity: Quantity { name: "", unit: "", meaning: "", range: Range::FINITE, usual: (0.0, 1.0) },
        section,
        kind: Kind::Number,
        implied: None,
        laws: &[],
        get: |_| Value::Nothing,
        set: |_, _| None,
    }
}

/// A setting above all tables of a scene.
pub(super) const fn of_scene() -> Setting {
    blank(Section::Scene)
}

/// A setting in `[contact]`.
pub(super) const fn contact() -> Setting {
    blank(Section::Contact)
}

/// A setting in `[solver]`.
pub(super) const fn solver() -> Setting {
    blank(Section::Solver)
}

/// A setting that scenes do not state.
pub(super) const fn unnamed() -> Setting {
    blank(Section::Unnamed)
}

impl Settings {
    /// The setting of a name.
    pub fn find(name: &str) -> Option<&'static Setting> {
        Self::ALL.iter().find(|setting| setting.name() == name)
    }

    /// The settings that a scene states in a section.
    pub fn of(section: Section) -> impl Iterator<Item = &'static Setting> {
        Self::ALL.iter().filter(move |setting| setting.section == section)
    }
}

/// Makes [`Settings`], its defaults and its table from one list. A doc comment is what users read of the setting.
macro_rules! settings {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $type:ty $([$unit:literal])? = $default:expr => $setting:expr;
    )+) => {
        /// Settings of a world. The defaults are meant to hold for all scenes of bodies between a millimetre and ten metres.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Settings {
            $( $(#[doc = $doc])+ $(#[doc = concat!(" Unit: `", $unit, "`.")])? pub $field: $type, )+
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $( $field: $default, )+ }
            }
        }

        impl Settings {
            /// All settings, in the order in which they are shown.
            pub const ALL: &'static [Setting] = &[ $(
                $setting.described(
                    stringify!($field),
                    concat!("" $(, $unit)?),
                    concat!($($doc),+),
                    <$type as value::Typed>::KIND,
                    |settings| value::Typed::to_value(settings.$field),
                    |settings, value| {
                        settings.$field = value::Typed::from_value(value)?;
                        Some(())
                    },
                ),
            )+ ];
        }
    };
}
pub(super) use settings;
