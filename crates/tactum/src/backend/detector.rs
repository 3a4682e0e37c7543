//! A step's pairs handed to the method that measures them, and what had to be measured again.

use tactum_geometry::Overlap;
use tactum_gpu::{Adapter, OpenError};
use tactum_sim::{Answers, OverlapQuestion, Questions};

use super::cost_model::CostModel;
use super::rays::{Measured, MeshPair, RayDetector};
use super::{Backend, BackendOptions, CastError, RayCaster, distrust_name, exact};

/// The overlaps of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// One for each question, in their order.
    pub overlaps: Vec<Overlap>,
    /// Questions whose rays were not to be trusted, by their numbers, and why: their overlaps were measured exactly.
    pub recoveries: Vec<(usize, &'static str)>,
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

/// What measures the overlaps of worlds' pairs.
#[derive(Debug)]
pub struct Detector {
    backend: Backend,
    rays: Option<RayDetector>,
    /// With it, pairs go to whichever of processor and device is done first.
    costs: Option<CostModel>,
    trouble: Option<String>,
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
        let (backend, caster) = match options.backend {
            Backend::Exact => (Backend::Exact, None),
            Backend::Rays => (Backend::Rays, Some(RayCaster::twins())),
            Backend::Gpu => (Backend::Gpu, Some(RayCaster::device(options.adapter.clone())?)),
            Backend::Auto => match RayCaster::hardware(options.adapter.as_deref())? {
                Some(caster) => (Backend::Auto, Some(caster)),
                None => (Backend::Exact, None),
            },
        };
        let mut rays = caster.map(|caster| RayDetector::new(caster, options.rays));
        let costs = match &mut rays {
            Some(rays) if backend == Backend::Auto => CostModel::of_this_machine(rays).ok(),
            _ => None,
        };
        Ok(Self { backend, rays, costs, trouble: None })
    }

    /// A detector by the exact method, on the processor.
    pub fn exact() -> Self {
        Self { backend: Backend::Exact, rays: None, costs: None, trouble: None }
    }

    /// A detector that shares pairs between processor and any caster by given costs.
    pub fn shared(caster: RayCaster, rays: u32, costs: CostModel) -> Self {
        Self {
            backend: Backend::Auto,
            rays: Some(RayDetector::new(caster, rays)),
            costs: Some(costs),
            trouble: None,
        }
    }

    /// The back end in use: [`Backend::Exact`] once the device has been given up.
    pub fn backend(&self) -> Backend {
        if self.trouble.is_some() { Backend::Exact } else { self.backend }
    }

    /// The device in use.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.rays.as_ref().and_then(|rays| rays.caster().adapter())
    }

    /// What decides the numbers that come out: the back end, its rays, the device.
    pub fn description(&self) -> String {
        let Some(rays) = &self.rays else { return self.backend.to_string() };
        let device = self.adapter().map(|adapter| format!(" on {adapter}")).unwrap_or_default();
        format!("{} with {} rays{device}", self.backend, rays.n_rays())
    }

    /// What carries out the rays, if they are in use: for trying out what happens when it fails.
    pub fn caster(&self) -> Option<&RayCaster> {
        self.rays.as_ref().map(RayDetector::caster)
    }

    /// The same, to make it fail for good.
    pub fn caster_mut(&mut self) -> Option<&mut RayCaster> {
        self.rays.as_mut().map(RayDetector::caster_mut)
    }

    /// Why the device was given up, if it was. Overlaps have been measured exactly since then.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The answers to what steps ask, in their order, each with the causes why pairs were measured again; several worlds share
    /// one submission.
    pub fn answer(&mut self, asked: &[&Questions]) -> Vec<(Answers, Vec<&'static str>)> {
        let all: Vec<&OverlapQuestion> = asked.iter().flat_map(|questions| &questions.overlaps).collect();
        let Found { mut overlaps, mut recoveries } = self.overlaps(&all);
        let mut answers: Vec<_> = asked
            .iter()
            .rev()
            .map(|questions| {
                // From the end, so that the overlaps of a single world are handed on as they are.
                let first = overlaps.len() - questions.overlaps.len();
                let own = recoveries.partition_point(|(ix, _)| *ix < first);
                let causes = recoveries.split_off(own).into_iter().map(|(_, cause)| cause).collect();
                let facets = exact::facets(&questions.facets);
                let passages = exact::passages(&questions.passages);
                let answers = questions.answered_with(overlaps.split_off(first), facets);
                (answers.with_passages(passages), causes)
            })
            .collect();
        answers.reverse();
        answers
    }

    /// The overlaps that are asked for, in their order.
    ///
    /// Rays are for pairs of meshes where the bodies are; all others, and pairs looked at ahead of their contact, have a
    /// method that is exact and fast. What rays cannot tell is measured exactly, and says why.
    pub fn overlaps(&mut self, questions: &[&OverlapQuestion]) -> Found {
        let Some(rays) = &mut self.rays else {
            return Found { overlaps: exact::overlaps(questions), recoveries: Vec::new() };
        };
        let mut by_rays: Vec<(usize, MeshPair<'_>)> =
            questions.iter().enumerate().filter_map(|(ix, question)| Some((ix, meshes(question)?))).collect();
        if let Some(costs) = &self.costs {
            let n_triangles = |pair: &MeshPair<'_>| [pair.a, pair.b].map(|mesh| mesh.mesh().triangles.len());
            let sizes: Vec<[usize; 2]> = by_rays.iter().map(|(_, pair)| n_triangles(pair)).collect();
            let mut chosen = costs.share(&sizes, rayon::current_num_threads()).into_iter();
            by_rays.retain(|_| chosen.next().unwrap_or(false));
        }
        let (chosen, pairs): (Vec<usize>, Vec<MeshPair<'_>>) = by_rays.into_iter().unzip();
        let is_rest = |ix: &usize| chosen.binary_search(ix).is_err();
        let rest: Vec<usize> = (0..questions.len()).filter(is_rest).collect();
        let mut overlaps = vec![None; questions.len()];
        // The device works while the processor does.
        let (cast, exact) = rayon::join(|| rays.overlaps(&pairs), || measure_exactly(questions, &rest));
        put(&mut overlaps, &rest, exact);
        let recoveries = self.take_rays(questions, &chosen, cast, &mut overlaps);
        // Whatever has no answer yet, for whatever reason, is measured exactly.
        let again: Vec<usize> = (0..questions.len()).filter(|&ix| overlaps[ix].is_none()).collect();
        put(&mut overlaps, &again, measure_exactly(questions, &again));
        Found { overlaps: overlaps.into_iter().flatten().collect(), recoveries }
    }

    /// Takes over what the rays found and is to be trusted; why the rest is not, by the numbers of the questions.
    fn take_rays(
        &mut self,
        questions: &[&OverlapQuestion],
        chosen: &[usize],
        cast: Result<Vec<Measured>, CastError>,
        overlaps: &mut [Option<Overlap>],
    ) -> Vec<(usize, &'static str)> {
        let measured = match cast {
            Ok(measured) if measured.len() == chosen.len() => measured,
            cast => {
                let short = || "the device answered for other pairs than it was given".to_owned();
                self.trouble = Some(cast.map_or_else(|error| error.to_string(), |_| short()));
                self.rays = None;
                return chosen.iter().map(|&ix| (ix, "device_failed")).collect();
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

fn measure_exactly(questions: &[&OverlapQuestion], which: &[usize]) -> Vec<Overlap> {
    exact::overlaps(&which.iter().map(|&ix| questions[ix]).collect::<Vec<_>>())
}

fn put(overlaps: &mut [Option<Overlap>], which: &[usize], found: Vec<Overlap>) {
    for (&ix, overlap) in which.iter().zip(found) {
        overlaps[ix] = Some(overlap);
    }
}
