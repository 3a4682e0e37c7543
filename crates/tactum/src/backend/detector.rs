//! A step's pairs handed to the method that measures them, and what had to be measured again.

use std::collections::BTreeMap;

use tactum_geometry::Overlap;
use tactum_gpu::{Adapter, OpenError};
use tactum_sim::{PairJob, World};

use super::rays::{MeshPair, RayDetector};
use super::{Backend, BackendOptions, distrust_name, exact};

/// Number of pairs that were measured exactly in place of by rays, by cause.
pub type Recoveries = BTreeMap<&'static str, u64>;

/// What measures the overlaps of a world's pairs.
#[derive(Debug)]
pub struct Detector {
    backend: Backend,
    rays: Option<RayDetector>,
    recoveries: Recoveries,
    trouble: Option<String>,
}

impl Detector {
    /// A detector.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if a device is asked for and cannot be used.
    pub fn open(options: &BackendOptions) -> Result<Self, OpenError> {
        let caster = options.caster()?;
        // Without hardware to share the work with, the best is the exact method.
        let backend = if caster.is_some() { options.backend } else { Backend::Exact };
        let rays = caster.map(|caster| RayDetector::new(caster, options.rays));
        Ok(Self { backend, rays, recoveries: Recoveries::new(), trouble: None })
    }

    /// The back end in use.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The device in use.
    pub fn adapter(&self) -> Option<&Adapter> {
        self.rays.as_ref().and_then(|rays| rays.caster().adapter())
    }

    /// Pairs that were measured exactly because the rays were not to be trusted, since the detector was opened.
    pub fn recoveries(&self) -> &Recoveries {
        &self.recoveries
    }

    /// Why the device was given up, if it was. Overlaps have been measured exactly since then.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The overlaps of jobs, in their order.
    ///
    /// Rays are for pairs of meshes where the bodies are; all others, and pairs looked at ahead of their contact, have a
    /// method that is exact and fast. What rays cannot tell is measured exactly and counted.
    pub fn overlaps(&mut self, world: &World, jobs: &[PairJob]) -> Vec<Overlap> {
        let Some(rays) = &mut self.rays else { return exact::overlaps(world, jobs) };
        let by_rays: Vec<usize> =
            (0..jobs.len()).filter(|&ix| mesh_pair(world, &jobs[ix]).is_some()).collect();
        let pairs: Vec<MeshPair<'_>> = by_rays.iter().filter_map(|&ix| mesh_pair(world, &jobs[ix])).collect();
        let mut overlaps: Vec<Option<Overlap>> = vec![None; jobs.len()];
        match rays.overlaps(&pairs) {
            Ok(measured) => {
                for (&ix, measured) in by_rays.iter().zip(measured) {
                    match measured.overlap {
                        Ok(overlap) => {
                            let [w_from_a, _] = jobs[ix].poses(world.bodies());
                            overlaps[ix] = Some(overlap.rotated(w_from_a.rotation));
                        }
                        Err(distrust) => *self.recoveries.entry(distrust_name(distrust)).or_default() += 1,
                    }
                }
            }
            Err(error) => {
                self.trouble = Some(error.to_string());
                self.rays = None;
                *self.recoveries.entry("device_failed").or_default() += pairs.len() as u64;
            }
        }
        complete(world, jobs, overlaps)
    }
}

/// Measures exactly what has no overlap yet.
fn complete(world: &World, jobs: &[PairJob], overlaps: Vec<Option<Overlap>>) -> Vec<Overlap> {
    let missing: Vec<PairJob> =
        jobs.iter().zip(&overlaps).filter(|(_, overlap)| overlap.is_none()).map(|(job, _)| *job).collect();
    let mut exact = exact::overlaps(world, &missing).into_iter();
    let take = |overlap: Option<Overlap>| overlap.or_else(|| exact.next()).unwrap_or(Overlap::EMPTY);
    overlaps.into_iter().map(take).collect()
}

/// The pair as two meshes, if rays are for it.
fn mesh_pair<'a>(world: &'a World, job: &PairJob) -> Option<MeshPair<'a>> {
    use tactum_geometry::Shape;
    let [a, b] = job.bodies.map(|ix| &world.bodies()[ix as usize].shape);
    let is_mesh = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    if job.is_ahead() || !(is_mesh(a) || is_mesh(b)) {
        return None;
    }
    let [w_from_a, w_from_b] = job.poses(world.bodies());
    Some(MeshPair { a: a.solid()?, b: b.solid()?, a_from_b: w_from_a.relative(&w_from_b) })
}
