//! Many worlds in lockstep.

use tactum_geometry::Overlap;
use tactum_sim::{StepError, StepPlan, StepReport, World};

use crate::backend::{Detector, Task};

/// Worlds that are stepped together: the pairs of all of them are measured in one go, which a device does in little more
/// time than the pairs of one.
///
/// Each world ends as it would alone: with the exact method bit for bit, and with rays as well, because a pair's
/// result does not depend on what it is measured with.
#[derive(Debug)]
pub struct Batch {
    worlds: Vec<World>,
    detector: Detector,
}

impl Batch {
    /// A batch of worlds.
    pub fn new(worlds: Vec<World>, detector: Detector) -> Self {
        Self { worlds, detector }
    }

    /// The worlds in their present states.
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// The worlds, for setting velocities and forces between steps.
    pub fn worlds_mut(&mut self) -> &mut [World] {
        &mut self.worlds
    }

    /// What measures the overlaps.
    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    /// One time step of every world, each with its own step size. A world whose step fails stays as it was before; the
    /// others go on.
    pub fn step(&mut self) -> Vec<Result<StepReport, StepError>> {
        let plans: Vec<StepPlan> = self.worlds.iter().map(World::plan).collect();
        let tasks: Vec<Task<'_>> =
            self.worlds.iter().zip(&plans).flat_map(|(world, plan)| Task::all(world, &plan.jobs)).collect();
        let mut overlaps = self.detector.overlaps(&tasks).into_iter();
        let solve = |(world, plan): (&mut World, &StepPlan)| {
            let own: Vec<Overlap> = overlaps.by_ref().take(plan.jobs.len()).collect();
            world.solve(plan, &own)
        };
        self.worlds.iter_mut().zip(&plans).map(solve).collect()
    }
}
