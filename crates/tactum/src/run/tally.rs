//! Sums and times over the steps of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum_sim::StepReport;
use tactum_sim::report::PhaseTimes;

/// Sums over the steps of a run; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Steps made since the scene's start.
    pub steps: u64,
    /// Sum of the steps' sweeps.
    pub sweeps_sum: u64,
    /// Largest number of sweeps of a step.
    pub sweeps_max: u32,
    /// Largest final update norm of a step.
    pub update_norm_max: f64,
    /// Steps in which an island ended above the tolerance.
    pub unconverged_steps: u64,
    /// Largest residual of a contact's friction at the end of a step, as a part of its coefficient.
    pub friction_residual_max: f64,
    /// Contacts that went without friction because none has an answer, summed over the steps.
    pub frictionless_sum: u64,
    /// Deepest mean depth of a contact so far \[m\].
    pub max_depth: f64,
    /// Number of pairs that had to be measured again by another method, by cause.
    pub recoveries: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds a step.
    pub fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sweeps_sum += u64::from(report.sweeps);
        self.sweeps_max = self.sweeps_max.max(report.sweeps);
        self.update_norm_max = self.update_norm_max.max(report.update_norm);
        self.unconverged_steps += u64::from(report.unconverged_islands > 0);
        for island in &report.islands {
            self.friction_residual_max = self.friction_residual_max.max(island.friction_residual);
            self.frictionless_sum += u64::from(island.n_frictionless);
        }
        self.max_depth = self.max_depth.max(report.max_depth);
    }
}

/// Wall times of a run's steps, per phase \[s\]: of all of them up to 65,536, then of every second, fourth, ... one, so that
/// a long run needs no more memory than a short one.
#[derive(Clone, Debug)]
pub struct Timings {
    kept: Vec<PhaseTimes>,
    /// One step of so many is kept.
    stride: u64,
    n_steps: u64,
}

impl Default for Timings {
    fn default() -> Self {
        Self { kept: Vec::new(), stride: 1, n_steps: 0 }
    }
}

impl Timings {
    /// Number of steps whose times are kept at most; even, so that halving keeps them equally spaced.
    const MOST: usize = 1 << 16;

    /// Adds a step.
    pub fn add(&mut self, times: PhaseTimes) {
        if self.n_steps.is_multiple_of(self.stride) {
            if self.kept.len() == Self::MOST {
                let mut ix = 0;
                self.kept.retain(|_| {
                    ix += 1;
                    ix % 2 == 1
                });
                self.stride *= 2;
            }
            self.kept.push(times);
        }
        self.n_steps += 1;
    }

    /// The steps whose times were kept, equally spaced over the run.
    pub fn steps(&self) -> &[PhaseTimes] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_long_run_are_equally_spaced_and_bounded() {
        let mut timings = Timings::default();
        let n = 5 * Timings::MOST as u64 + 3;
        for step in 0..n {
            timings.add(PhaseTimes { solve: step as f64, ..PhaseTimes::default() });
        }
        // More than four times as many as are kept: one of eight.
        let expected: Vec<f64> = (0..n).step_by(8).map(|step| step as f64).collect();
        let found: Vec<f64> = timings.steps().iter().map(|times| times.solve).collect();
        assert_eq!(found, expected);
        assert!(timings.steps().len() <= Timings::MOST);
    }
}
