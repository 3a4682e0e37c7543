//! A step's pairs handed to the method that answers for them, and what had to be answered again.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::time::Instant;

use tactum_geometry::Overlap;
use tactum_gpu::{Adapter, OpenError};
use tactum_sim::law::facets::{Stretch, Stretched};
use tactum_sim::{Answers, FacetsAnswer, FacetsQuestion, OverlapQuestion, Questions};

use super::cost_model::CostModel;
use super::facets::{FacetDetector, Said};
use super::rays::{Measured, MeshPair, RayDetector};
use super::share::{FacetShare, OverlapShare, OverlapTimes};
use super::{Backend, BackendOptions, DEFAULT_RAYS, RunnerError, StageRunner, distrust_name, exact};

/// The overlaps of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// One for each question, in their order.
    pub overlaps: Vec<Overlap>,
    /// Questions whose rays were not to be trusted, by their numbers, and why: their overlaps were measured exactly.
    pub recoveries: Vec<(usize, &'static str)>,
    /// Questions that rays are for, by their numbers, and whether the stages were asked; none without stages.
    pub asked: Vec<(usize, bool)>,
    /// How long it took.
    pub times: OverlapTimes,
}

impl Found {
    /// Takes the causes and the shares of the questions from a number on.
    fn split_off(&mut self, first: usize) -> (Vec<&'static str>, OverlapShare) {
        let own = self.recoveries.partition_point(|(ix, _)| *ix < first);
        let causes: Vec<_> = self.recoveries.split_off(own).into_iter().map(|(_, cause)| cause).collect();
        let asked = self.asked.split_off(self.asked.partition_point(|(ix, _)| *ix < first));
        let n_asked = asked.iter().filter(|(_, is_asked)| *is_asked).count();
        let share =
            OverlapShare { questions: asked.len() as u64, by_stages: (n_asked - causes.len()) as u64 };
        (causes, share)
    }
}

/// The touches of rounded meshes.
#[derive(Clone, Debug, Default)]
pub struct FoundTouches {
    /// One for each question, in their order.
    pub answers: Vec<FacetsAnswer>,
    /// Questions that the stages left to the processor, by their numbers, and why.
    pub recoveries: Vec<(usize, &'static str)>,
    /// Whether the stages were asked, question by question; empty without stages.
    pub asked: Vec<bool>,
    /// How often a list of candidates was too short and all was done again with a longer one.
    pub n_grown: u32,
}

/// What a world's questions came to.
#[derive(Debug)]
pub struct Answered {
    /// The answers.
    pub answers: Answers,
    /// Why pairs were answered again by another method, a cause for each.
    pub recoveries: Vec<&'static str>,
    /// Who answered questions about overlaps.
    pub overlaps: OverlapShare,
    /// How long that took: of what is asked together, each world's part by the number of its questions.
    pub overlap_times: OverlapTimes,
    /// Who answered questions about facets.
    pub facets: FacetShare,
}

/// The pair of a question as two meshes, if rays are for it.
fn meshes(question: &OverlapQuestion) -> Option<MeshPair<'_>> {
    let [a, b] = &question.shapes;
    if question.is_ahead || !(a.is_mesh() || b.is_mesh()) {
        return None;
    }
    let [w_from_a, w_from_b] = &question.poses;
    Some(MeshPair { a: a.solid()?, b: b.solid()?, a_from_b: w_from_a.relative(w_from_b) })
}

/// What answers the questions about worlds' pairs.
#[derive(Debug)]
pub struct Detector {
    backend: Backend,
    rays: Option<RayDetector>,
    /// Meshes that the stages of facets hold, which the runner of the rays runs too.
    facets: FacetDetector,
    /// With them, pairs go to whichever of processor and device is done first.
    costs: Option<Costs>,
    trouble: Option<String>,
}

/// What pairs cost, by kind of question.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// Overlaps.
    pub overlaps: CostModel,
    /// Touches of facets; `None` until the first are asked for.
    pub facets: Option<CostModel>,
}

impl Detector {
    /// A detector.
    ///
    /// `auto` is the exact method unless there is a device that is more than the processor itself; then the work is
    /// shared between both.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if a device is asked for and cannot be used.
    pub fn open(options: &BackendOptions) -> Result<Self, OpenError> {
        let (backend, runner) = match options.backend {
            Backend::Exact => (Backend::Exact, None),
            Backend::Rays => (Backend::Rays, Some(StageRunner::twins())),
            Backend::Gpu => (Backend::Gpu, Some(StageRunner::device(options.adapter.clone())?)),
            Backend::Auto => match StageRunner::hardware(options.adapter.as_deref())? {
                Some(runner) => (Backend::Auto, Some(runner)),
                None => (Backend::Exact, None),
            },
        };
        let mut rays = runner.map(|runner| RayDetector::new(runner, options.rays));
        let costs = match &mut rays {
            Some(rays) if backend == Backend::Auto => {
                CostModel::of_overlaps(rays).ok().map(|overlaps| Costs { overlaps, facets: None })
            }
            _ => None,
        };
        Ok(Self { rays, costs, ..Self::of(backend) })
    }

    /// A detector by the exact method, on the processor.
    pub fn exact() -> Self {
        Self::of(Backend::Exact)
    }

    fn of(backend: Backend) -> Self {
        Self { backend, rays: None, facets: FacetDetector::default(), costs: None, trouble: None }
    }

    /// A detector that leaves to any runner all that stages can answer.
    pub fn of_stages(runner: StageRunner, rays: u32) -> Self {
        let backend = if runner.adapter().is_some() { Backend::Gpu } else { Backend::Rays };
        Self { rays: Some(RayDetector::new(runner, rays)), ..Self::of(backend) }
    }

    /// A detector that shares pairs between processor and any runner by given costs.
    pub fn shared(runner: StageRunner, rays: u32, costs: Costs) -> Self {
        Self { rays: Some(RayDetector::new(runner, rays)), costs: Some(costs), ..Self::of(Backend::Auto) }
    }

    /// The back end in use: [`Backend::Exact`] once the device has been given up.
    pub fn backend(&self) -> Backend {
        if self.trouble.is_some() { Backend::Exact } else { self.backend }
    }

    /// The device in use.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.rays.as_ref().and_then(|rays| rays.runner().adapter())
    }

    /// What decides the numbers that come out: the back end, its rays, the device.
    pub fn description(&self) -> String {
        let Some(rays) = &self.rays else { return self.backend.to_string() };
        let device = self.adapter().map(|adapter| format!(" on {adapter}")).unwrap_or_default();
        format!("{} with {} rays{device}", self.backend, rays.n_rays())
    }

    /// The options that open such a detector, on whatever machine has that device.
    pub fn options(&self) -> BackendOptions {
        BackendOptions {
            backend: self.backend,
            rays: self.rays.as_ref().map_or(DEFAULT_RAYS, RayDetector::n_rays),
            adapter: self.adapter().map(|adapter| adapter.name.clone()),
        }
    }

    /// What carries out the rays, if they are in use: for trying out what happens when it fails.
    pub fn runner(&self) -> Option<&StageRunner> {
        self.rays.as_ref().map(RayDetector::runner)
    }

    /// The same, to make it fail for good.
    pub fn runner_mut(&mut self) -> Option<&mut StageRunner> {
        self.rays.as_mut().map(RayDetector::runner_mut)
    }

    /// Why the device was given up, if it was. Overlaps have been measured exactly since then.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The answers to what steps ask, in their order; several worlds share one submission.
    pub fn answer(&mut self, asked: &[&Questions]) -> Vec<Answered> {
        let overlaps: Vec<&OverlapQuestion> =
            asked.iter().flat_map(|questions| &questions.overlaps).collect();
        let mut found = self.overlaps(&overlaps);
        let n_asked = found.asked.len().max(1) as f64;
        let touches: Vec<&FacetsQuestion> = asked.iter().flat_map(|questions| &questions.facets).collect();
        let mut touches = self.touches(&touches);
        let mut answers: Vec<Answered> = asked
            .iter()
            .rev()
            .map(|questions| {
                // From the end, so that the overlaps of a single world are handed on as they are.
                let first = found.overlaps.len() - questions.overlaps.len();
                let (mut causes, share) = found.split_off(first);
                let (touching, again, mut facets) = touches.split_off(questions.facets.len());
                let takes_stretches = self.takes_stretches(questions, facets.by_stages + again.len() as u64);
                causes.extend(again);
                let stretched =
                    questions.stretch.as_ref().and_then(|stretch| self.stretched(stretch, &mut facets));
                let answers = questions.answered_with(found.overlaps.split_off(first), touching);
                let answers = answers
                    .with_passages(exact::passages(&questions.passages))
                    .with_stretched(stretched, takes_stretches);
                let overlap_times = found.times.part(share.questions as f64 / n_asked);
                Answered { answers, recoveries: causes, overlaps: share, overlap_times, facets }
            })
            .collect();
        answers.reverse();
        answers
    }

    /// Whether the stages go through the rest of a step by themselves: where they share the work with the processor, if of this sub-step's
    /// questions they had all that are for them.
    fn takes_stretches(&self, questions: &Questions, n_asked: u64) -> bool {
        let n_touching = questions.facets.iter().filter(|question| question.query.in_touch).count() as u64;
        self.rays.is_some() && (self.costs.is_none() || (n_touching > 0 && n_asked == n_touching))
    }

    /// What becomes of sub-steps that are wanted in one go; `None` if they have to be asked about one after the other.
    fn stretched(&mut self, stretch: &Stretch, share: &mut FacetShare) -> Option<Stretched> {
        let runner = self.rays.as_mut()?.runner_mut();
        match self.facets.stretched(runner, stretch) {
            Ok(gone) => {
                share.lists_grown += u64::from(gone.n_grown);
                let n_done = gone.stretched.as_ref().map_or(0, |stretched| stretched.n_done);
                share.substeps_alone += u64::from(n_done);
                share.goes += u64::from(n_done > 0);
                gone.stretched
            }
            Err(error) => {
                self.give_up(error.to_string());
                None
            }
        }
    }

    /// The touches that are asked for, in their order.
    ///
    /// Where stages and processor share the work, the stages get pairs that touch; what they leave is answered exactly, and they say
    /// why.
    pub fn touches(&mut self, questions: &[&FacetsQuestion]) -> FoundTouches {
        let by_stages = self.for_stages(questions);
        let Some(rays) = &mut self.rays else {
            return FoundTouches { answers: exact::facets(questions), ..FoundTouches::default() };
        };
        let chosen: Vec<&FacetsQuestion> = by_stages.iter().map(|&ix| questions[ix]).collect();
        let is_rest = |ix: &usize| by_stages.binary_search(ix).is_err();
        let rest: Vec<usize> = (0..questions.len()).filter(is_rest).collect();
        let facets = &mut self.facets;
        // The device works while the processor does.
        let (said, exact) =
            rayon::join(|| facets.answers(rays.runner_mut(), &chosen), || answer_exactly(questions, &rest));
        let mut answers: Vec<Option<FacetsAnswer>> = vec![None; questions.len()];
        put(&mut answers, &rest, exact);
        let Said { answers: said, n_grown } = said.unwrap_or_else(|error| {
            self.give_up(error.to_string());
            Said { answers: chosen.iter().map(|_| Err(DEVICE_FAILED)).collect(), n_grown: 0 }
        });
        let mut recoveries = Vec::new();
        let mut asked = vec![false; questions.len()];
        for (&ix, said) in by_stages.iter().zip(said) {
            asked[ix] = true;
            match said {
                Ok(answer) => answers[ix] = Some(answer),
                Err(cause) => recoveries.push((ix, cause)),
            }
        }
        let again: Vec<usize> = recoveries.iter().map(|(ix, _)| *ix).collect();
        put(&mut answers, &again, answer_exactly(questions, &again));
        FoundTouches { answers: answers.into_iter().flatten().collect(), recoveries, asked, n_grown }
    }

    /// The numbers of the questions that go to the stages.
    fn for_stages(&mut self, questions: &[&FacetsQuestion]) -> Vec<usize> {
        if self.rays.is_none() {
            return Vec::new();
        }
        if self.costs.is_none() {
            return (0..questions.len()).collect();
        }
        // Pairs that touch are asked about in any case, whatever is known of others: so the choice does not depend on the past.
        let touching: Vec<usize> = (0..questions.len()).filter(|&ix| questions[ix].query.in_touch).collect();
        let Some(costs) = self.facet_costs(!touching.is_empty()) else { return Vec::new() };
        let n_facets = |&ix: &usize| [0, 1].map(|side: usize| questions[ix].meshes[side].n_facets());
        let sizes: Vec<[usize; 2]> = touching.iter().map(n_facets).collect();
        let chosen = costs.share(&sizes, rayon::current_num_threads());
        touching.into_iter().zip(chosen).filter_map(|(ix, is_chosen)| is_chosen.then_some(ix)).collect()
    }

    /// What touches cost, measured when they are needed first; `None` if the device cannot be measured.
    fn facet_costs(&mut self, is_needed: bool) -> Option<CostModel> {
        let (costs, rays) = (self.costs.as_mut()?, self.rays.as_mut()?);
        if costs.facets.is_none() && is_needed {
            match CostModel::of_facets(rays.runner_mut(), &mut self.facets) {
                Ok(measured) => costs.facets = Some(measured),
                Err(error) => self.give_up(error.to_string()),
            }
        }
        self.costs.and_then(|costs| costs.facets)
    }

    /// Does without the device from now on. What a device that hangs may still be at work on is not freed under its hands, which some
    /// drivers answer by ending the program.
    fn give_up(&mut self, trouble: String) {
        self.trouble = Some(trouble);
        let _at_work = ManuallyDrop::new(self.rays.take());
    }

    /// The overlaps that are asked for, in their order.
    ///
    /// Rays are for pairs of meshes where the bodies are; all others, and pairs looked at ahead of their contact, have a
    /// method that is exact and fast. What rays cannot tell is measured exactly, and says why.
    pub fn overlaps(&mut self, questions: &[&OverlapQuestion]) -> Found {
        let Some(rays) = &mut self.rays else {
            return Found { overlaps: exact::overlaps(questions), ..Found::default() };
        };
        let mut by_rays: Vec<(usize, MeshPair<'_>)> =
            questions.iter().enumerate().filter_map(|(ix, question)| Some((ix, meshes(question)?))).collect();
        let mut asked: Vec<(usize, bool)> = by_rays.iter().map(|(ix, _)| (*ix, true)).collect();
        if let Some(costs) = &self.costs {
            let n_triangles = |pair: &MeshPair<'_>| [pair.a, pair.b].map(|mesh| mesh.mesh().triangles.len());
            let sizes: Vec<[usize; 2]> = by_rays.iter().map(|(_, pair)| n_triangles(pair)).collect();
            let chosen = costs.overlaps.share(&sizes, rayon::current_num_threads());
            asked.iter_mut().zip(chosen).for_each(|((_, is_asked), is_chosen)| *is_asked = is_chosen);
            let mut is_asked = asked.iter().map(|(_, is_asked)| *is_asked);
            by_rays.retain(|_| is_asked.next().unwrap_or(false));
        }
        let (chosen, pairs): (Vec<usize>, Vec<MeshPair<'_>>) = by_rays.into_iter().unzip();
        let is_rest = |ix: &usize| chosen.binary_search(ix).is_err();
        let rest: Vec<usize> = (0..questions.len()).filter(is_rest).collect();
        let mut overlaps = vec![None; questions.len()];
        let began = Instant::now();
        // The device works while the processor does.
        let (cast, exact) = rayon::join(|| rays.overlaps(&pairs), || measure_exactly(questions, &rest));
        put(&mut overlaps, &rest, exact);
        let recoveries = self.take_rays(questions, &chosen, cast, &mut overlaps);
        let stages = began.elapsed();
        // Whatever has no answer yet, for whatever reason, is measured exactly.
        let again: Vec<usize> = (0..questions.len()).filter(|&ix| overlaps[ix].is_none()).collect();
        let chosen: Vec<&OverlapQuestion> = again.iter().map(|&ix| questions[ix]).collect();
        let (answers, seconds): (Vec<Overlap>, Vec<f64>) = exact::timed_overlaps(&chosen).into_iter().unzip();
        put(&mut overlaps, &again, answers);
        let mut times = OverlapTimes {
            stages: stages.as_secs_f64(),
            again: (began.elapsed() - stages).as_secs_f64(),
            by_cause: BTreeMap::new(),
        };
        let part = times.again / seconds.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for ((_, cause), time) in recoveries.iter().zip(seconds) {
            *times.by_cause.entry(cause).or_default() += part * time;
        }
        Found { overlaps: overlaps.into_iter().flatten().collect(), recoveries, asked, times }
    }

    /// Takes over what the rays found and is to be trusted; why the rest is not, by the numbers of the questions.
    fn take_rays(
        &mut self,
        questions: &[&OverlapQuestion],
        chosen: &[usize],
        cast: Result<Vec<Measured>, RunnerError>,
        overlaps: &mut [Option<Overlap>],
    ) -> Vec<(usize, &'static str)> {
        let measured = match cast {
            Ok(measured) if measured.len() == chosen.len() => measured,
            cast => {
                let short = || "the device answered for other pairs than it was given".to_owned();
                self.give_up(cast.map_or_else(|error| error.to_string(), |_| short()));
                return chosen.iter().map(|&ix| (ix, DEVICE_FAILED)).collect();
            }
        };
        let mut recoveries = Vec::new();
        for (&ix, measured) in chosen.iter().zip(measured) {
            match measured.overlap {
                Ok(overlap) => overlaps[ix] = Some(overlap.rotated(questions[ix].poses[0].rotation)),
                Err(distrust) => recoveries.push((ix, distrust_name(distrust))),
            }
        }
        recoveries
    }
}

/// The name in reports of what a device that was given up was asked.
const DEVICE_FAILED: &str = "device_failed";

impl FoundTouches {
    /// Takes the last answers, those of a world's questions, with the causes why some were answered again, and who answered.
    fn split_off(&mut self, n: usize) -> (Vec<FacetsAnswer>, Vec<&'static str>, FacetShare) {
        let first = self.answers.len() - n;
        let own = self.recoveries.partition_point(|(ix, _)| *ix < first);
        let causes: Vec<_> = self.recoveries.split_off(own).into_iter().map(|(_, cause)| cause).collect();
        let asked = self.asked.split_off(first.min(self.asked.len()));
        let n_asked = asked.into_iter().filter(|is_asked| *is_asked).count();
        let share = FacetShare {
            questions: n as u64,
            by_stages: (n_asked - causes.len()) as u64,
            lists_grown: if n_asked > 0 { self.n_grown.into() } else { 0 },
            ..FacetShare::default()
        };
        (self.answers.split_off(first), causes, share)
    }
}

fn answer_exactly(questions: &[&FacetsQuestion], which: &[usize]) -> Vec<FacetsAnswer> {
    exact::facets(&which.iter().map(|&ix| questions[ix]).collect::<Vec<_>>())
}

fn measure_exactly(questions: &[&OverlapQuestion], which: &[usize]) -> Vec<Overlap> {
    exact::overlaps(&which.iter().map(|&ix| questions[ix]).collect::<Vec<_>>())
}

fn put<T>(answers: &mut [Option<T>], which: &[usize], found: Vec<T>) {
    for (&ix, answer) in which.iter().zip(found) {
        answers[ix] = Some(answer);
    }
}
