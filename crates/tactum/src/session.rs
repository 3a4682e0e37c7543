//! A world together with what measures its overlaps.

use std::time::Instant;

use tactum_geometry::Overlap;
use tactum_sim::{BodyId, ContactInsight, PairJob, StepError, StepPlan, StepReport, World};

use crate::backend::{Detector, Task};

/// A world that can be stepped: plan, measure the overlaps, solve.
#[derive(Debug)]
pub struct Session {
    world: World,
    detector: Detector,
    deepest_of_size: f64,
}

impl Session {
    /// A session on a world.
    pub fn new(world: World, detector: Detector) -> Self {
        Self { world, detector, deepest_of_size: 0.0 }
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
        let deepest_of_size = self.deepest(&plan, &overlaps);
        let mut report = self.world.solve(&plan, &overlaps)?;
        self.deepest_of_size = deepest_of_size;
        report.times.detect = detect;
        Ok((report, plan, overlaps))
    }

    /// Mean thickness `2 V / S` of the thickest contact region that the last step began with, as a part of the size (the
    /// diagonal of the box) of the smaller of its bodies; `S` is what of the bodies' surfaces bounds the region.
    ///
    /// It is the mean depth of a flat contact, half the depth of a shallow cap, and stays meaningful for overlaps that
    /// have no contact normal.
    pub fn deepest_of_size(&self) -> f64 {
        self.deepest_of_size
    }

    fn deepest(&self, plan: &StepPlan, overlaps: &[Overlap]) -> f64 {
        let part = |(job, overlap): (&PairJob, &Overlap)| {
            let [a, b] = job.bodies.map(|ix| self.world.body(BodyId(ix)).shape.size());
            let thickness = |region: &Overlap| {
                let surface = region.areas[0] + region.areas[1];
                if surface > 0.0 { 2.0 * region.volume / surface / a.min(b) } else { 0.0 }
            };
            overlap.regions().iter().map(thickness).fold(0.0, f64::max)
        };
        plan.jobs.iter().zip(overlaps).filter(|(job, _)| !job.is_ahead()).map(part).fold(0.0, f64::max)
    }
}
