//! Values of settings, whatever their types.

use glam::DVec3;
use serde::{Serialize, Serializer};

use tactum_geometry::quantity::Range;

/// Of what kind the values of a setting are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number.
    Number,
    /// A number that may be left out.
    Optional,
    /// Three numbers.
    Vector,
    /// A whole number from 0 to this.
    Count(u64),
    /// Yes or no.
    Flag,
    /// One word out of these.
    Choice(&'static [Choice]),
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// No number, where one may be left out.
    Nothing,
    /// Three numbers.
    Vector([f64; 3]),
    /// A whole number.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// A word, and the number that goes with it where one does.
    Choice {
        /// The word.
        name: &'static str,
        /// The number.
        number: Option<f64>,
    },
}

impl Value {
    /// The numbers in it.
    pub fn numbers(self) -> impl Iterator<Item = f64> {
        let (numbers, n) = match self {
            Self::Number(x) => ([x, 0.0, 0.0], 1),
            Self::Count(count) => ([count as f64, 0.0, 0.0], 1),
            Self::Choice { number: Some(x), .. } => ([x, 0.0, 0.0], 1),
            Self::Vector(numbers) => (numbers, 3),
            Self::Nothing | Self::Flag(_) | Self::Choice { number: None, .. } => ([0.0; 3], 0),
        };
        numbers.into_iter().take(n)
    }
}

/// As a scene says it: a number, a word, or a word with its number.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(x) => x.serialize(to),
            Self::Nothing => to.serialize_none(),
            Self::Vector(numbers) => numbers.serialize(to),
            Self::Count(n) => n.serialize(to),
            Self::Flag(is_on) => is_on.serialize(to),
            Self::Choice { name, number: None } => name.serialize(to),
            Self::Choice { name, number: Some(x) } => to.collect_map([(name, x)]),
        }
    }
}

/// A type that settings can be of.
pub(super) trait Typed: Sized {
    /// Of what kind its values are.
    const KIND: Kind;

    /// As a value.
    fn to_value(self) -> Value;

    /// From a value; `None` if it is of another kind.
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! typed {
    ($($type:ty, $kind:expr, $to:expr, $($pattern:pat => $from:expr),+;)+) => { $(
        impl Typed for $type {
            const KIND: Kind = $kind;

            fn to_value(self) -> Value {
                $to(self)
            }

            fn from_value(value: Value) -> Option<Self> {
                match value { $($pattern => $from,)+ _ => None }
            }
        }
    )+ };
}

typed! {
    f64, Kind::Number, Value::Number, Value::Number(x) => Some(x);
    Option<f64>, Kind::Optional, |x: Self| x.map_or(Value::Nothing, Value::Number),
        Value::Number(x) => Some(Some(x)), Value::Nothing => Some(None);
    DVec3, Kind::Vector, |x: Self| Value::Vector(x.to_array()), Value::Vector(x) => Some(Self::from_array(x));
    u32, Kind::Count(u32::MAX as u64), |n: Self| Value::Count(n.into()), Value::Count(n) => n.try_into().ok();
    u64, Kind::Count(u64::MAX), Value::Count, Value::Count(n) => Some(n);
    bool, Kind::Flag, Value::Flag, Value::Flag(is_on) => Some(is_on);
}

/// A word that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The number that goes with it, where one does, and its usual values.
    pub number: Option<ChoiceNumber>,
}

/// A number that goes with a chosen word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceNumber {
    /// Where it may lie.
    pub range: Range,
    /// Values to choose from.
    pub usual: &'static [f64],
}
