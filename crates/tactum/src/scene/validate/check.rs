//! Range checks in one wording.

use crate::scene::fault::Fault;
use crate::scene::locate::KeyPath;

/// Collects faults; every check says whether the value passed.
#[derive(Default)]
pub struct Checker {
    faults: Vec<(KeyPath, Fault)>,
}

impl Checker {
    /// All that was found.
    pub fn into_faults(self) -> Vec<(KeyPath, Fault)> {
        self.faults
    }

    /// Adds a fault.
    pub fn refuse(&mut self, at: &KeyPath, fault: Fault) {
        self.faults.push((at.clone(), fault));
    }

    /// Adds a doubt.
    pub fn warn(&mut self, at: &KeyPath, warning: Fault) {
        self.faults.push((at.clone(), warning));
    }

    /// Neither infinite nor NaN.
    pub fn finite(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.require(value.is_finite(), at, value, "a finite number", unit)
    }

    /// Three numbers, neither infinite nor NaN.
    pub fn finite_vector(&mut self, at: &KeyPath, values: [f64; 3], unit: &str) -> bool {
        let mut good = true;
        for (ix, value) in values.into_iter().enumerate() {
            good &= self.finite(&at.ix(ix), value, unit);
        }
        good
    }

    /// Above zero and finite.
    pub fn positive(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.require(value.is_finite() && value > 0.0, at, value, "positive and finite", unit)
    }

    /// Zero or above, and finite.
    pub fn not_negative(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.require(value.is_finite() && value >= 0.0, at, value, "zero or more, and finite", unit)
    }

    /// In a closed interval.
    pub fn between(&mut self, at: &KeyPath, value: f64, low: f64, high: f64, unit: &str) -> bool {
        self.require((low..=high).contains(&value), at, value, &format!("between {low} and {high}"), unit)
    }

    fn require(&mut self, holds: bool, at: &KeyPath, value: f64, wanted: &str, unit: &str) -> bool {
        if !holds {
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let fault = Fault::error(
                format!("{at} is {value}, but has to be {wanted}{unit}"),
                format!("{wanted}{unit}"),
            );
            self.refuse(at, fault);
        }
        holds
    }
}
