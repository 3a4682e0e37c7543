//! Which of the recorded steps are shown.

/// How many pictures of a second of the run there are to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// Every recorded step.
    EveryStep,
    /// About so many pictures a second: every so many-th step, whatever comes nearest, never more than one a step.
    PerSecond(f64),
}

impl Sampling {
    /// The steps from one picture to the next, of steps of `dt` \[s\].
    pub fn every(self, dt: f64) -> u64 {
        match self {
            Self::EveryStep => 1,
            // Out of range are only rates that ask for no picture but the first and the last.
            Self::PerSecond(rate) => (1.0 / (rate * dt)).round().max(1.0) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_of_steps_is_taken() {
        for (rate, dt, every) in
            [(60.0, 0.01, 2), (60.0, 0.001, 17), (60.0, 0.1, 1), (25.0, 0.01, 4), (1e-30, 1e-3, u64::MAX)]
        {
            assert_eq!(Sampling::PerSecond(rate).every(dt), every, "{rate} {dt}");
        }
        assert_eq!(Sampling::EveryStep.every(1e-6), 1);
    }
}
