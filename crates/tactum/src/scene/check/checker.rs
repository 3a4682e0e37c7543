//! Range checks in one wording.

use crate::scene::fault::Fault;
use crate::scene::gathered::{Gathered, Place};
use crate::scene::key_path::KeyPath;
use tactum_geometry::quantity::Range;
use tactum_geometry::words::{number, number_beside};

/// Collects faults; every check says whether the value passed.
#[derive(Default)]
pub struct Checker {
    faults: Gathered,
}

impl Checker {
    /// All that was found.
    pub fn into_faults(self) -> Gathered {
        self.faults
    }

    /// Adds a fault.
    pub fn refuse(&mut self, at: &KeyPath, fault: Fault) {
        self.refuse_with(at, || fault);
    }

    /// Adds a fault whose words take a while to find, if it will be told.
    pub fn refuse_with(&mut self, at: &KeyPath, make: impl FnOnce() -> Fault) {
        self.faults.error(|| Place::Key(at.clone()), make);
    }

    /// Adds a fault that is about two places.
    pub fn refuse_two(
        &mut self,
        at: impl FnOnce() -> KeyPath,
        other: impl FnOnce() -> (KeyPath, &'static str),
        make: impl FnOnce() -> Fault,
    ) {
        self.faults.error_of_two(at, other, make);
    }

    /// Adds a doubt.
    pub fn warn(&mut self, at: &KeyPath, warning: Fault) {
        self.faults.warning(|| Place::Key(at.clone()), || warning);
    }

    /// Neither infinite nor NaN.
    pub fn finite(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.within(at, value, Range::FINITE, unit)
    }

    /// A vector whose length can be computed.
    pub fn vector(&mut self, at: &KeyPath, values: [f64; 3], unit: &str) -> bool {
        let mut good = true;
        for (ix, value) in values.into_iter().enumerate() {
            good &= self.finite(&at.ix(ix), value, unit);
        }
        if good && !values.iter().map(|x| x * x).sum::<f64>().is_finite() {
            let largest = values.into_iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { x } else { m });
            let message = format!(
                "{at} has the component {}, too large to compute with: its square is beyond the numbers of 64 bits",
                number(largest)
            );
            self.refuse(at, Fault::error(message, format!("at most about 1e150 [{unit}]")));
            good = false;
        }
        good
    }

    /// A direction: finite, and not zero in all components.
    pub fn direction(&mut self, at: &KeyPath, values: &[f64], what: &str) -> bool {
        let good = values.iter().all(|x| x.is_finite()) && values.iter().any(|&x| x != 0.0);
        if !good {
            let list = values.iter().map(|&x| number(x)).collect::<Vec<_>>().join(", ");
            let message =
                format!("{at} is [{list}], but {what} has to have finite numbers that are not all zero");
            self.refuse(at, Fault::error(message, "no direction"));
        }
        good
    }

    /// Above zero and finite.
    pub fn positive(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.within(at, value, Range::POSITIVE, unit)
    }

    /// Zero or above, and finite.
    pub fn not_negative(&mut self, at: &KeyPath, value: f64, unit: &str) -> bool {
        self.within(at, value, Range::NOT_NEGATIVE, unit)
    }

    /// In a range.
    pub fn within(&mut self, at: &KeyPath, value: f64, range: Range, unit: &str) -> bool {
        let holds = range.contains(value);
        if !holds {
            let wanted = format!("{}{}", range.words(), bracketed(unit));
            let message =
                format!("{at} is {}, but has to be {wanted}", number_beside(value, range.nearer(value)));
            self.refuse(at, Fault::error(message, wanted));
        }
        holds
    }
}

fn bracketed(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" [{unit}]") }
}
