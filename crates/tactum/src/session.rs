//! A world together with what measures its overlaps.

use std::time::Instant;

use tactum_geometry::Overlap;
use tactum_sim::{ContactInsight, StepError, StepPlan, StepReport, World};

use crate::backend::{Detector, Task};

/// A world that can be stepped: plan, measure the overlaps, solve.
#[derive(Debug)]
pub struct Session {
    world: World,
    detector: Detector,
}

impl Session {
    /// A session on a world.
    pub fn new(world: World, detector: Detector) -> Self {
        Self { world, detector }
    }

    /// The world in its present state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for setting velocities and forces between steps or restoring a snapshot.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// What measures the overlaps.
    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    /// What measures the overlaps, for timing its device or for putting another one in its place.
    pub fn detector_mut(&mut self) -> &mut Detector {
        &mut self.detector
    }

    /// One time step.
    ///
    /// Overlaps are measured in parallel on the current rayon pool; the result does not depend on its size.
    ///
    /// # Errors
    /// As [`World::solve`]; the world is then as it was before the step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        Ok(self.advance()?.0)
    }

    /// One time step, and what its solver knew of each contact of the report.
    ///
    /// # Errors
    /// As [`Session::step`].
    pub fn step_with_insights(&mut self) -> Result<(StepReport, Vec<ContactInsight>), StepError> {
        let (report, plan, overlaps) = self.advance()?;
        let insights = self.world.insights(&plan, &overlaps);
        Ok((report, insights))
    }

    fn advance(&mut self) -> Result<(StepReport, StepPlan, Vec<Overlap>), StepError> {
        let plan = self.world.plan();
        let begin = Instant::now();
        let tasks: Vec<Task<'_>> = Task::all(&self.world, &plan.jobs).collect();
        let overlaps = self.detector.overlaps(&tasks);
        let detect = begin.elapsed().as_secs_f64();
        let mut report = self.world.solve(&plan, &overlaps)?;
        report.times.detect = detect;
        Ok((report, plan, overlaps))
    }
}
