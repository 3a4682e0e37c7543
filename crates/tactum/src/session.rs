//! Worlds together with what answers their questions: the loop that leads the conversation of a step.

use std::collections::BTreeMap;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use tactum_sim::{ContactDetail, Progress, Questions, StepError, StepReport, World};

use crate::backend::{Answered, Detector, FACETS, FacetShare, OverlapAnswers, OverlapShare, OverlapTimes};

/// What a world's step came to.
#[derive(Debug)]
pub struct Stepped {
    /// Its report; after an error the world is as it was before the step.
    pub report: Result<StepReport, StepError>,
    /// Why pairs had to be measured again by another method, one cause for each of them.
    pub recoveries: Vec<&'static str>,
    /// Who answered questions about overlaps of meshes.
    pub overlaps: OverlapShare,
    /// How long that took.
    pub overlap_times: OverlapTimes,
    /// Who answered questions about facets.
    pub facets: FacetShare,
}

impl Stepped {
    /// Who answered questions about overlaps of meshes, and why the stages, on a device or not, did not.
    pub fn answered(&self, on_device: bool) -> OverlapAnswers {
        let mut causes = BTreeMap::new();
        for cause in self.recoveries.iter().filter(|cause| !cause.starts_with(FACETS)) {
            *causes.entry(*cause).or_default() += 1;
        }
        OverlapAnswers { on_device, share: self.overlaps, times: self.overlap_times.clone(), causes }
    }
}

/// Worlds that a thread takes at a time: as many as one step of a small one is too short for.
const AT_A_TIME: usize = 8;

/// A world in the middle of a step.
struct Lane<'w> {
    world: &'w mut World,
    step: Result<Progress, StepError>,
    answered: Option<Answered>,
    recoveries: Vec<&'static str>,
    overlaps: OverlapShare,
    overlap_times: OverlapTimes,
    facets: FacetShare,
}

/// One time step of every world, each with its own step size: what all of them ask is measured in one go, which a device does
/// in little more time than the pairs of one. A world whose step fails stays as it was before; the others go on.
///
/// Worlds step, and overlaps are measured, in parallel on the current rayon pool. Each world ends as it would alone, whatever the size of
/// the pool: a pair's result does not depend on what it is measured with.
pub fn step_together(worlds: &mut [&mut World], detector: &mut Detector) -> Vec<Stepped> {
    let mut lanes = begin(worlds);
    loop {
        let asked: Vec<&Questions> = lanes.iter().filter_map(|lane| questions(&lane.step)).collect();
        if asked.is_empty() {
            break;
        }
        let answers = detector.answer(&asked);
        let asking = lanes.iter_mut().filter(|lane| questions(&lane.step).is_some());
        asking.zip(answers).for_each(|(lane, answered)| lane.answered = Some(answered));
        match lanes.as_mut_slice() {
            [lane] => lane.advance(),
            lanes => lanes.par_iter_mut().with_min_len(AT_A_TIME).for_each(Lane::advance),
        }
    }
    let done = |Lane { step, recoveries, overlaps, overlap_times, facets, .. }: Lane<'_>| {
        let report = match step {
            Ok(Progress::Done(report)) => Ok(report),
            Ok(Progress::Ask(_)) => unreachable!("the loop ends when nothing is asked"),
            Err(error) => Err(error),
        };
        Stepped { report, recoveries, overlaps, overlap_times, facets }
    };
    lanes.into_iter().map(done).collect()
}

fn begin<'w>(worlds: &'w mut [&mut World]) -> Vec<Lane<'w>> {
    let begin = |world: &'w mut World| {
        let step = world.begin_step();
        Lane {
            world,
            step,
            answered: None,
            recoveries: Vec::new(),
            overlaps: OverlapShare::default(),
            overlap_times: OverlapTimes::default(),
            facets: FacetShare::default(),
        }
    };
    match worlds {
        [world] => vec![begin(world)],
        worlds => worlds.par_iter_mut().with_min_len(AT_A_TIME).map(|world| begin(world)).collect(),
    }
}

impl Lane<'_> {
    /// Goes on with the answers to what was asked, if anything was.
    fn advance(&mut self) {
        if let Some(answered) = self.answered.take() {
            self.recoveries.extend(answered.recoveries);
            self.overlaps += answered.overlaps;
            self.overlap_times += &answered.overlap_times;
            self.facets.add(&answered.facets);
            self.step = self.world.advance(answered.answers);
        }
    }
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
    answered: OverlapAnswers,
}

impl Session {
    /// A session on a world.
    pub fn new(world: World, detector: Detector) -> Self {
        Self { world, detector, answered: OverlapAnswers::default() }
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

    /// Who answered the last step's questions about overlaps of meshes.
    pub fn answered(&self) -> &OverlapAnswers {
        &self.answered
    }

    /// One time step, see [`step_together`].
    ///
    /// # Errors
    /// As [`World::step`]; the world is then as it was before the step.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let mut steps = step_together(&mut [&mut self.world], &mut self.detector);
        let step = steps.pop().expect("one world, one step");
        self.answered = step.answered(self.detector.adapter().is_some());
        step.report
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
