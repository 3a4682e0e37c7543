//! A step's pairs handed to the method that measures them, and what had to be measured again.

use std::collections::BTreeMap;

use tactum_geometry::{Overlap, Pose, Shape};
use tactum_gpu::{Adapter, OpenError};
use tactum_sim::{PairJob, World};

use super::rays::{Measured, MeshPair, RayDetector};
use super::share::Costs;
use super::{Backend, BackendOptions, CastError, Caster, distrust_name, exact};

/// Number of pairs that were measured exactly in place of by rays, by cause.
pub type Recoveries = BTreeMap<&'static str, u64>;

/// A pair of a world whose overlap is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The world.
    pub world: &'a World,
    /// The pair.
    pub job: &'a PairJob,
}

impl<'a> Task<'a> {
    /// Tasks for all jobs of a plan.
    pub fn all(world: &'a World, jobs: &'a [PairJob]) -> impl Iterator<Item = Self> {
        jobs.iter().map(move |job| Self { world, job })
    }

    /// The shapes of A and B.
    pub fn shapes(&self) -> [&'a Shape; 2] {
        self.job.bodies.map(|ix| &self.world.bodies()[ix as usize].shape)
    }

    /// Where A and B are to be measured.
    pub fn poses(&self) -> [Pose; 2] {
        self.job.poses(self.world.bodies())
    }

    /// The pair as two meshes, if rays are for it.
    fn meshes(&self) -> Option<MeshPair<'a>> {
        let [a, b] = self.shapes();
        if self.job.is_ahead() || !(a.is_mesh() || b.is_mesh()) {
            return None;
        }
        let [w_from_a, w_from_b] = self.poses();
        Some(MeshPair { a: a.solid()?, b: b.solid()?, a_from_b: w_from_a.relative(&w_from_b) })
    }
}

/// What measures the overlaps of worlds' pairs.
#[derive(Debug)]
pub struct Detector {
    backend: Backend,
    rays: Option<RayDetector>,
    /// With it, pairs go to whichever of processor and device is done first.
    costs: Option<Costs>,
    recoveries: Recoveries,
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
            Backend::Rays => (Backend::Rays, Some(Caster::twins())),
            Backend::Gpu => (Backend::Gpu, Some(Caster::device(options.adapter.clone())?)),
            Backend::Auto => match Caster::hardware(options.adapter.as_deref())? {
                Some(caster) => (Backend::Auto, Some(caster)),
                None => (Backend::Exact, None),
            },
        };
        let mut rays = caster.map(|caster| RayDetector::new(caster, options.rays));
        let costs = match &mut rays {
            Some(rays) if backend == Backend::Auto => Costs::of_this_machine(rays).ok(),
            _ => None,
        };
        Ok(Self { backend, rays, costs, recoveries: Recoveries::new(), trouble: None })
    }

    /// A detector that shares pairs between processor and any caster by given costs.
    pub fn shared(caster: Caster, rays: u32, costs: Costs) -> Self {
        Self {
            backend: Backend::Auto,
            rays: Some(RayDetector::new(caster, rays)),
            costs: Some(costs),
            recoveries: Recoveries::new(),
            trouble: None,
        }
    }

    /// The back end in use.
    pub fn backend(&self) -> Backend {
        self.backend
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
    pub fn caster(&self) -> Option<&Caster> {
        self.rays.as_ref().map(RayDetector::caster)
    }

    /// The same, to make it fail for good.
    pub fn caster_mut(&mut self) -> Option<&mut Caster> {
        self.rays.as_mut().map(RayDetector::caster_mut)
    }

    /// Pairs that were measured exactly because the rays were not to be trusted, since the detector was opened.
    pub fn recoveries(&self) -> &Recoveries {
        &self.recoveries
    }

    /// Why the device was given up, if it was. Overlaps have been measured exactly since then.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The overlaps of tasks, in their order; tasks of several worlds share one submission.
    ///
    /// Rays are for pairs of meshes where the bodies are; all others, and pairs looked at ahead of their contact, have a
    /// method that is exact and fast. What rays cannot tell is measured exactly and counted.
    pub fn overlaps(&mut self, tasks: &[Task<'_>]) -> Vec<Overlap> {
        let Some(rays) = &mut self.rays else { return exact::overlaps(tasks) };
        let mut by_rays: Vec<(usize, MeshPair<'_>)> =
            tasks.iter().enumerate().filter_map(|(ix, task)| Some((ix, task.meshes()?))).collect();
        if let Some(costs) = &self.costs {
            let n_triangles = |pair: &MeshPair<'_>| [pair.a, pair.b].map(|mesh| mesh.mesh().triangles.len());
            let sizes: Vec<[usize; 2]> = by_rays.iter().map(|(_, pair)| n_triangles(pair)).collect();
            let mut chosen = costs.share(&sizes, rayon::current_num_threads()).into_iter();
            by_rays.retain(|_| chosen.next().unwrap_or(false));
        }
        let (chosen, pairs): (Vec<usize>, Vec<MeshPair<'_>>) = by_rays.into_iter().unzip();
        let is_rest = |ix: &usize| chosen.binary_search(ix).is_err();
        let rest: Vec<usize> = (0..tasks.len()).filter(is_rest).collect();
        let mut overlaps = vec![None; tasks.len()];
        // The device works while the processor does.
        let (cast, exact) = rayon::join(|| rays.overlaps(&pairs), || measure_exactly(tasks, &rest));
        put(&mut overlaps, &rest, exact);
        let again = self.take_rays(tasks, &chosen, cast, &mut overlaps);
        put(&mut overlaps, &again, measure_exactly(tasks, &again));
        overlaps.into_iter().map(|overlap| overlap.unwrap_or(Overlap::EMPTY)).collect()
    }

    /// Takes over what the rays found; the tasks that have to be measured exactly.
    fn take_rays(
        &mut self,
        tasks: &[Task<'_>],
        chosen: &[usize],
        cast: Result<Vec<Measured>, CastError>,
        overlaps: &mut [Option<Overlap>],
    ) -> Vec<usize> {
        let measured = match cast {
            Ok(measured) => measured,
            Err(error) => {
                self.trouble = Some(error.to_string());
                self.rays = None;
                *self.recoveries.entry("device_failed").or_default() += chosen.len() as u64;
                return chosen.to_vec();
            }
        };
        let mut again = Vec::new();
        for (&ix, measured) in chosen.iter().zip(measured) {
            match measured.overlap {
                Ok(overlap) => overlaps[ix] = Some(overlap.rotated(tasks[ix].poses()[0].rotation)),
                Err(distrust) => {
                    *self.recoveries.entry(distrust_name(distrust)).or_default() += 1;
                    again.push(ix);
                }
            }
        }
        again
    }
}

fn measure_exactly(tasks: &[Task<'_>], which: &[usize]) -> Vec<Overlap> {
    let tasks: Vec<Task<'_>> = which.iter().map(|&ix| tasks[ix]).collect();
    exact::overlaps(&tasks)
}

fn put(overlaps: &mut [Option<Overlap>], which: &[usize], found: Vec<Overlap>) {
    for (&ix, overlap) in which.iter().zip(found) {
        overlaps[ix] = Some(overlap);
    }
}
