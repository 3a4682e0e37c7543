//! Sums and times over the steps of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tactum_sim::report::PhaseTimes;
use tactum_sim::{BodyId, StepReport, World};

use crate::backend::{FacetShare, OverlapShare, OverlapTimes};

use super::doubtful::Doubtful;
use super::fast::Fast;
use super::spread::Spread;
use super::unsolved::Unsolved;

/// Sums over the steps of a run; goes on over checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Steps made since the scene's start.
    pub steps: u64,
    /// Sweeps of the island that took most.
    pub sweeps: Spread,
    /// Largest final update norm of an island, in the unit of the tolerance.
    pub update_norm: Spread,
    /// Largest estimate of what an island's velocities are off by \[m/s\].
    pub velocity_error: Spread,
    /// Steps in which an island ended above the tolerance.
    pub unconverged_steps: u64,
    /// Those of them in which that matters.
    pub unsolved: Unsolved,
    /// Sub-steps of a step, where it goes in such.
    #[serde(default)]
    pub substeps: Spread,
    /// How often sub-steps were asked about once more, see [`StepReport::substeps_redone`].
    #[serde(default)]
    pub substeps_redone: u64,
    /// Pairs of bodies of whose facets something was doubtful.
    #[serde(default)]
    pub doubtful: Doubtful,
    /// Pairs that came at each other too fast for the step.
    #[serde(default)]
    pub fast: Fast,
    /// Largest residual of a contact's friction at the end of a step, as a part of its coefficient.
    pub friction_residual_max: f64,
    /// Contacts that went without friction because none has an answer, summed over the steps.
    pub frictionless_sum: u64,
    /// Deepest mean depth of a contact so far \[m\].
    pub max_depth: f64,
    /// The deepest overlap so far.
    pub deepest: Option<Deepest>,
    /// Number of pairs that had to be measured again by another method, by cause.
    pub recoveries: BTreeMap<String, u64>,
    /// Who answered questions about overlaps of meshes.
    #[serde(default)]
    pub overlaps: OverlapShare,
    /// Who answered questions about facets.
    #[serde(default)]
    pub facets: FacetShare,
}

impl Tally {
    /// Adds the step that has led a world to where it is.
    pub fn add(&mut self, world: &World, report: &StepReport) {
        self.steps += 1;
        self.sweeps.add(report.sweeps.into());
        self.update_norm.add(report.update_norm);
        self.velocity_error.add(report.velocity_error);
        self.unconverged_steps += u64::from(report.unconverged_islands > 0);
        self.unsolved.add(self.steps, world, report);
        self.fast.add(self.steps, &report.fast);
        self.substeps.add(report.substeps.into());
        self.substeps_redone += u64::from(report.substeps_redone);
        self.doubtful.add(self.steps, &report.doubts);
        for island in &report.islands {
            self.friction_residual_max = self.friction_residual_max.max(island.friction_residual);
            self.frictionless_sum += u64::from(island.n_frictionless);
        }
        self.max_depth = self.max_depth.max(report.max_depth);
        for contact in &report.contacts {
            let (depth, step, bodies) = (contact.deepest(), self.steps, contact.bodies);
            if depth > self.deepest.map_or(0.0, |deepest| deepest.depth) {
                self.deepest = Some(Deepest { depth, step, bodies });
            }
        }
    }
}

/// The deepest overlap of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deepest {
    /// How deep it is where it is deepest, along the contact's normal \[m\].
    pub depth: f64,
    /// The step that began with it.
    pub step: u64,
    /// The two bodies.
    pub bodies: [BodyId; 2],
}

/// Wall times of a run's steps, per phase \[s\].
#[derive(Clone, Debug, Default)]
pub struct Timings {
    /// Broad phase.
    pub broad: Spread,
    /// Overlaps.
    pub detect: Spread,
    /// Contact blocks.
    pub assemble: Spread,
    /// Sweeps.
    pub solve: Spread,
    /// Integration and stabilisation.
    pub integrate: Spread,
    /// All phases of a step together.
    pub whole: Spread,
    /// Overlaps of meshes by stages, and what these handed back, of all steps together.
    pub overlaps: OverlapTimes,
}

impl Timings {
    /// Adds a step.
    pub fn add(&mut self, times: PhaseTimes) {
        self.broad.add(times.broad);
        self.detect.add(times.detect);
        self.assemble.add(times.assemble);
        self.solve.add(times.solve);
        self.integrate.add(times.integrate);
        self.whole.add(times.whole());
    }
}
