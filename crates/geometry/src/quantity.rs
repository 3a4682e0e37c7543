//! Numbers that a user states: what each means, its unit and the range it may lie in, defined once for checks, schemas and
//! sliders.

use crate::words::number;

/// Numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
    /// Whether each end belongs to the range.
    closed: [bool; 2],
}

impl Range {
    /// All numbers that are neither infinite nor NaN.
    pub const FINITE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, closed: [false; 2] };
    /// Above zero.
    pub const POSITIVE: Self = Self { low: 0.0, ..Self::FINITE };
    /// Zero or more.
    pub const NOT_NEGATIVE: Self = Self::at_least(0.0);
    /// From zero to one.
    pub const FRACTION: Self = Self::between(0.0, 1.0);

    /// A number and all above it.
    pub const fn at_least(low: f64) -> Self {
        Self { low, high: f64::INFINITY, closed: [true, false] }
    }

    /// Both numbers and all between them.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low, high, closed: [true; 2] }
    }

    /// All numbers between the two, without them.
    pub const fn inside(low: f64, high: f64) -> Self {
        Self { low, high, closed: [false; 2] }
    }

    /// Whether a number lies in the range; one that is not finite never does.
    pub fn contains(&self, x: f64) -> bool {
        let above = if self.closed[0] { x >= self.low } else { x > self.low };
        let below = if self.closed[1] { x <= self.high } else { x < self.high };
        x.is_finite() && above && below
    }

    /// The end below all numbers of the range and whether it is one of them; `None` where there is none.
    pub fn low(&self) -> Option<(f64, bool)> {
        self.low.is_finite().then_some((self.low, self.closed[0]))
    }

    /// The end above all numbers of the range and whether it is one of them; `None` where there is none.
    pub fn high(&self) -> Option<(f64, bool)> {
        self.high.is_finite().then_some((self.high, self.closed[1]))
    }

    /// The end that is closer to a number outside, to show both with as many digits as tell them apart.
    pub fn nearer(&self, x: f64) -> f64 {
        if x < self.low || !self.high.is_finite() { self.low } else { self.high }
    }

    /// What a number has to be, to follow "has to be".
    pub fn words(&self) -> String {
        match (self.low(), self.high()) {
            (None, None) => "a finite number".to_owned(),
            (Some((0.0, false)), None) => "positive and finite".to_owned(),
            (Some((0.0, true)), None) => "zero or more, and finite".to_owned(),
            (Some((low, true)), None) => format!("{} or more", number(low)),
            (Some((low, true)), Some((high, true))) => {
                format!("between {} and {}", number(low), number(high))
            }
            ends => [Self::relation(ends.0, "above", "at least"), Self::relation(ends.1, "below", "at most")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" and "),
        }
    }

    fn relation(end: Option<(f64, bool)>, open: &str, closed: &str) -> Option<String> {
        end.map(|(at, is_in)| format!("{} {}", if is_in { closed } else { open }, number(at)))
    }

    /// The range in a few signs for a reference; empty where any number will do.
    pub fn brief(&self) -> String {
        match (self.low(), self.high()) {
            (None, None) => String::new(),
            (Some((low, true)), None) => format!("{} or more", number(low)),
            (Some((low, true)), Some((high, true))) => format!("{} to {}", number(low), number(high)),
            _ if *self == Self::POSITIVE => "above 0".to_owned(),
            _ => self.words(),
        }
    }
}

/// A number that a user states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Its key.
    pub name: &'static str,
    /// SI unit; empty for a number without one.
    pub unit: &'static str,
    /// What it means: a sentence, and more sentences if there is more to say.
    pub meaning: &'static str,
    /// Where it may lie.
    pub range: Range,
    /// Smallest value above zero and largest value that people try: where a slider runs. From zero where all between the two
    /// are as usual, or else by powers of ten.
    pub usual: (f64, f64),
}

impl Quantity {
    /// What is said of it in a reference: meaning, unit and range; `default` is in words.
    pub fn description(&self, default: &str) -> String {
        format!("{} Default {default}.", self.explanation())
    }

    /// Meaning, unit and range; unit and range stand behind the first statement.
    pub fn explanation(&self) -> String {
        let text = self.meaning.trim();
        let ends = [". ", "; "].into_iter().filter_map(|end| text.find(end));
        let (what, more) = text.split_at(ends.min().unwrap_or(text.len() - usize::from(text.ends_with('.'))));
        let range = self.range.brief();
        let range = if range.is_empty() { range } else { format!(", {range}") };
        let more = if more.is_empty() { "." } else { more };
        format!("{}{range}{more}", self.in_unit(what))
    }

    /// The value with the unit, as in "0.5 \[m/s\]".
    pub fn in_unit(&self, text: &str) -> String {
        if self.unit.is_empty() { text.to_owned() } else { format!("{text} [{}]", self.unit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_their_words_say() {
        for (range, inside, outside, words, brief) in [
            (Range::FINITE, -1.0, f64::INFINITY, "a finite number", ""),
            (Range::POSITIVE, 1e-300, 0.0, "positive and finite", "above 0"),
            (Range::NOT_NEGATIVE, 0.0, -1e-300, "zero or more, and finite", "0 or more"),
            (Range::FRACTION, 1.0, 1.1, "between 0 and 1", "0 to 1"),
            (Range::inside(0.0, 2.0), 1.9, 2.0, "above 0 and below 2", "above 0 and below 2"),
            (Range::at_least(1.0), 1.0, 0.0, "1 or more", "1 or more"),
        ] {
            assert!(range.contains(inside) && !range.contains(outside), "{range:?}");
            assert!(!range.contains(f64::NAN));
            assert_eq!((range.words().as_str(), range.brief().as_str()), (words, brief));
        }
    }

    #[test]
    fn a_description_has_unit_range_and_default() {
        let speed = Quantity {
            name: "speed",
            unit: "m/s",
            meaning: " How fast. Not how far.",
            range: Range::NOT_NEGATIVE,
            usual: (0.0, 1.0),
        };
        assert_eq!(speed.description("1"), "How fast [m/s], 0 or more. Not how far. Default 1.");
        let other = Quantity { unit: "", meaning: "How fast; not how far.", ..speed };
        assert_eq!(other.description("1"), "How fast, 0 or more; not how far. Default 1.");
        let short = Quantity { meaning: "How fast.", ..speed };
        assert_eq!(short.explanation(), "How fast [m/s], 0 or more.");
    }
}
