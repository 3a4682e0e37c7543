//! What the random tests of the workspace draw from.
//!
//! A plain run of the tests draws the same cases each time and everywhere, so that it fails only where something has
//! changed. `cargo xtask fuzz` draws new ones: it sets [`SEED`] and [`TIMES`], which nothing else reads. A test draws
//! either by [`config`], in a `proptest!` block, or by [`Rng::new`] and [`Rng::cases`]; `cargo xtask fuzz` finds it by
//! these words. No failure is kept in a file: the output of one names the command that draws it again.

use proptest::test_runner::{Config, RngSeed};

/// The environment variable with the seed of new cases, a whole number; without it they are the fixed ones.
pub const SEED: &str = "TACTUM_FUZZ_SEED";

/// The environment variable with the number by which each test's number of cases is multiplied; 1 without it.
pub const TIMES: &str = "TACTUM_FUZZ_TIMES";

/// The seed of the fixed cases of `proptest!` blocks. Any number would do.
const FIXED: u64 = 1;

/// Shrinking stops after so many tries, those of 512 cases by the library's own rule, however many cases are drawn.
const SHRINK_TRIES: u32 = 2048;

/// Inputs that may be refused for each case that is wanted: more, and the test hardly tests anything. Small numbers of
/// cases have the library's own bound, 1024 in all.
const REFUSED_PER_CASE: u32 = 2;

/// The configuration of a `proptest!` block of so many cases.
pub fn config(cases: u32) -> Config {
    let (seed, times) = (variable(SEED), variable(TIMES).unwrap_or(1));
    let cases = u32::try_from(u64::from(cases).saturating_mul(times)).unwrap_or(u32::MAX);
    announce(u64::from(cases), seed, times);
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed.unwrap_or(FIXED)),
        failure_persistence: None,
        max_shrink_iters: SHRINK_TRIES,
        max_global_rejects: cases.saturating_mul(REFUSED_PER_CASE).max(1024),
        max_local_rejects: cases.saturating_mul(REFUSED_PER_CASE).max(65_536),
        ..Config::default()
    }
}

/// `SplitMix64` (Steele, Lea and Flood 2014): the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The numbers of one test: those of `fixed`, or new ones.
    pub fn new(fixed: u64) -> Self {
        match variable(SEED) {
            None => Self(fixed),
            Some(seed) => Self(Self(fixed).bits() ^ Self(seed).bits().rotate_left(32)),
        }
    }

    /// How many cases a test of `n` cases has in this run.
    pub fn cases(&self, n: usize) -> usize {
        let times = variable(TIMES).unwrap_or(1);
        let cases = n.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX));
        announce(cases as u64, variable(SEED), times);
        cases
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [`min`, `max`).
    pub fn range(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    /// Between `min` and `max`, with uniform logarithm.
    pub fn log_range(&mut self, min: f64, max: f64) -> f64 {
        self.range(min.ln(), max.ln()).exp()
    }

    /// A whole number in `low..=high`, uniform but for 2⁻⁶⁴ of the number of choices.
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        let n_choices = high.abs_diff(low) + 1;
        low + (self.bits() % n_choices) as i64
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// One line about what is drawn, for `cargo xtask fuzz` to count and for whoever reads a failure.
fn announce(cases: u64, seed: Option<u64>, times: u64) {
    let thread = std::thread::current();
    // The runner of the tests names the thread after the test.
    let name = thread.name().filter(|name| *name != "main").unwrap_or("NAME");
    let times = if times == 1 { String::new() } else { format!(" --times {times}") };
    let whence = match seed {
        Some(seed) => {
            format!("from seed {seed}; again by `cargo xtask fuzz --seed {seed}{times} {name}`")
        }
        None => format!("the same in every run; new ones by `cargo xtask fuzz {name}`"),
    };
    println!("random: {cases} cases, {whence}");
}

/// A whole number from the environment; one that is set wrongly ends the test.
fn variable(name: &str) -> Option<u64> {
    let text = std::env::var_os(name)?;
    let number = text.to_str().and_then(|text| text.parse().ok());
    Some(number.unwrap_or_else(|| panic!("{name} is {}, not a whole number", text.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first numbers of the generator for seed 1234567.
    #[test]
    fn numbers_are_those_of_the_publication() {
        let mut rng = Rng(1_234_567);
        let first = [rng.bits(), rng.bits(), rng.bits()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn whole_numbers_reach_both_ends() {
        let mut rng = Rng(3);
        let drawn: Vec<i64> = (0..200).map(|_| rng.whole(-2, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&2)));
    }
}
