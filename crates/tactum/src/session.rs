//! Worlds together with what answers their questions: the loop that leads the conversation of a step.

use tactum_sim::{ContactDetail, Progress, Questions, StepError, StepReport, World};

use crate::backend::{Answered, Detector, FacetShare};

/// What a world's step came to.
#[derive(Debug)]
pub struct Stepped {
    /// Its report; after an error the world is as it was before the step.
    pub report: Result<StepReport, StepError>,
    /// Why pairs had to be measured again by another method, one cause for each of them.
    pub recoveries: Vec<&'static str>,
    /// Who answered questions about facets.
    pub facets: FacetShare,
}

/// One time step of every world, each with its own step size: what all of them ask is measured in one go, which a device does
/// in little more time than the pairs of one. A world whose step fails stays as it was before; the others go on.
///
/// Overlaps are measured in parallel on the current rayon pool. Each world ends as it would alone, whatever the size of the
/// pool: a pair's result does not depend on what it is measured with.
pub fn step_together(worlds: &mut [&mut World], detector: &mut Detector) -> Vec<Stepped> {
    let mut steps: Vec<Result<Progress, StepError>> =
        worlds.iter_mut().map(|world| world.begin_step()).collect();
    let mut told = vec![(Vec::new(), FacetShare::default()); worlds.len()];
    loop {
        let asking: Vec<usize> =
            (0..steps.len()).filter(|&ix| matches!(steps[ix], Ok(Progress::Ask(_)))).collect();
        if asking.is_empty() {
            break;
        }
        let asked: Vec<&Questions> = steps.iter().filter_map(questions).collect();
        let answers = detector.answer(&asked);
        for (ix, Answered { answers, recoveries, facets }) in asking.into_iter().zip(answers) {
            told[ix].0.extend(recoveries);
            told[ix].1.add(&facets);
            steps[ix] = worlds[ix].advance(answers);
        }
    }
    let done = |(step, (recoveries, facets))| {
        let report = match step {
            Ok(Progress::Done(report)) => Ok(report),
            Ok(Progress::Ask(_)) => unreachable!("the loop ends when nothing is asked"),
            Err(error) => Err(error),
        };
        Stepped { report, recoveries, facets }
    };
    steps.into_iter().zip(told).map(done).collect()
}

fn questions(step: &Result<Progress, StepError>) -> Option<&Questions> {
    match step {
        Ok(Progress::Ask(questions)) => Some(questions),
        Ok(Progress::Done(_)) | Err(_) => None,
    }
}

/// A world that can be stepped by hand.
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

    /// One time step, see [`step_together`].
    ///
    /// # Errors
    /// As [`World::step`]; the world is then as it was before the step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let mut steps = step_together(&mut [&mut self.world], &mut self.detector);
        steps.pop().expect("one world, one step").report
    }

    /// One time step, and what its solver knew of each contact of the report.
    ///
    /// # Errors
    /// As [`Session::step`].
    pub fn step_with_details(&mut self) -> Result<(StepReport, Vec<ContactDetail>), StepError> {
        let report = self.step()?;
        Ok((report, self.world.contact_details()))
    }
}
