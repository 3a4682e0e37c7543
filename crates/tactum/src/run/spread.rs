//! How a figure is spread over the steps of a run, in a bounded amount of memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Mean, largest and parts of a figure that is never negative; goes on over checkpoints.
///
/// The parts come from counts of all values that agree in their leading eight binary digits: whole numbers up to 256 are told apart,
/// all others by a part in 128. A long run needs no more memory than a short one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    n: u64,
    sum: f64,
    max: f64,
    /// Number of the values that begin like this, by their exponent and the first digits after the leading one.
    counts: BTreeMap<u32, u64>,
}

impl Spread {
    /// Binary digits of a value that are not told apart, of the 52 after the leading one.
    const DROPPED: u32 = 52 - 7;

    /// Adds the value of a step.
    pub fn add(&mut self, value: f64) {
        // A zero without a sign; what is no number counts as zero.
        let value = value.max(0.0) + 0.0;
        self.n += 1;
        self.sum += value;
        self.max = self.max.max(value);
        *self.counts.entry((value.to_bits() >> Self::DROPPED) as u32).or_default() += 1;
    }

    /// Number of values.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Mean; 0 of no values.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum / self.n as f64 }
    }

    /// Largest; 0 of no values.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// What half of the values do not exceed, see [`Spread::quantile`].
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// What 95 % of the values do not exceed, see [`Spread::quantile`].
    pub fn p95(&self) -> f64 {
        self.quantile(0.95)
    }

    /// The smallest value that so large a part of the values does not exceed, rounded down to eight binary digits; 0 of no values.
    pub fn quantile(&self, part: f64) -> f64 {
        // Seven hundredths of 200 values are 14 of them, whatever the product is rounded to.
        const ROUNDING: f64 = 1e-12;
        let rank = ((part * self.n as f64 * (1.0 - ROUNDING)).ceil() as u64).max(1);
        let mut n_below = 0;
        for (&digits, &n) in &self.counts {
            n_below += n;
            if n_below >= rank {
                return f64::from_bits(u64::from(digits) << Self::DROPPED);
            }
        }
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut spread = Spread::default();
        values.into_iter().for_each(|x| spread.add(x));
        spread
    }

    #[test]
    fn whole_numbers_are_told_apart() {
        // Of 1 to 200 in any order.
        let spread = of((0..200).map(|ix| f64::from(ix * 77 % 200 + 1)));
        assert_eq!((spread.n(), spread.mean(), spread.max()), (200, 100.5, 200.0));
        for percent in 1..=100 {
            assert_eq!(spread.quantile(f64::from(percent) / 100.0), f64::from(2 * percent), "{percent} %");
        }
        assert_eq!((spread.median(), spread.p95()), (100.0, 190.0));
    }

    #[test]
    fn other_numbers_are_known_by_a_part_in_128() {
        // Over twelve powers of ten.
        let values: Vec<f64> = (0..1000).map(|ix| 10_f64.powf(f64::from(ix) * 0.012 - 15.0)).collect();
        let spread = of(values.iter().copied());
        for percent in [1, 5, 37, 50, 95, 99] {
            let found = spread.quantile(f64::from(percent) / 100.0);
            let exact = values[10 * percent as usize - 1];
            assert!(found <= exact && found > exact * (1.0 - 1.0 / 128.0), "{percent} %: {found} of {exact}");
        }
        // Between one and two there are 128 that are told apart, however many values there are.
        assert_eq!(of((0..10_000).map(|ix| 1.0 + f64::from(ix) * 1e-4)).counts.len(), 128);
    }

    #[test]
    fn nothing_and_zeros_have_a_spread() {
        let none = Spread::default();
        assert_eq!((none.mean(), none.p95(), none.max()), (0.0, 0.0, 0.0));
        let zeros = of([0.0, -0.0, f64::NAN, -1.0]);
        assert_eq!((zeros.n(), zeros.mean(), zeros.median(), zeros.max()), (4, 0.0, 0.0, 0.0));
        assert_eq!(zeros.counts.len(), 1);
    }

    /// Whatever was added before is kept bit by bit.
    #[test]
    fn a_spread_survives_being_written() {
        let spread = of((1..50).map(|ix| f64::from(ix).recip()));
        let text = serde_json::to_string(&spread).expect("JSON");
        assert_eq!(serde_json::from_str::<Spread>(&text).expect("a spread"), spread);
    }
}
