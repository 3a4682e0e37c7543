//! What carries out the stages.

use rayon::prelude::*;
use tactum_gpu::{
    ADAPTER_VARIABLE, Adapter, FacetAnswers, FacetDetail, FacetError, Gpu, MeasureError, OpenError, Options,
    ReopenError, UploadError,
};
use tactum_shaders::facets;
use tactum_shaders::facets::layout::{Candidate, Facet, FacetPair};
use tactum_shaders::facets::stretch::{Stretch, StretchEnd};
use tactum_shaders::rays::layout::{
    Cluster, ClusterTriangles, ContactBlock, MeshPlace, PairFrame, PairMeshes,
};
use tactum_shaders::rays::{
    Capacity, Memory, Meshes, Method, Rounds, StageId, Work, needs_axes, schedule_of, twin,
};
use thiserror::Error;

/// Why stages could not be run.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// A mesh could not be uploaded.
    #[error(transparent)]
    Upload(UploadError),
    /// The device refused the pairs, or failed again after it was opened anew.
    #[error("the device could not measure: {0}")]
    Failed(MeasureError),
    /// The same where touches of facets were asked for.
    #[error("the device could not find touches: {0}")]
    Untouched(FacetError),
    /// The device failed and could not be opened again.
    #[error("the device failed and did not come back: {0}")]
    Gone(ReopenError),
}

/// What carries out the stages.
pub enum StageRunner {
    /// Their twins, on the processor.
    Twins(Box<Twins>),
    /// A device.
    Device(Box<Gpu>),
}

impl StageRunner {
    /// The stages' twins.
    pub fn twins() -> Self {
        Self::Twins(Box::default())
    }

    /// A device that is more than the processor itself, if there is one. A device asked for by name is taken at its word.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the device asked for cannot be used.
    pub fn hardware(adapter: Option<&str>) -> Result<Option<Self>, OpenError> {
        let is_asked_for =
            adapter.is_some() || std::env::var_os(ADAPTER_VARIABLE).is_some_and(|name| !name.is_empty());
        if !is_asked_for && !tactum_gpu::may_have_hardware() {
            return Ok(None);
        }
        let runner = Self::device(adapter.map(str::to_owned));
        let is_software = |runner: &Self| runner.adapter().is_some_and(Adapter::is_software);
        match runner {
            Ok(runner) if is_software(&runner) => Ok(None),
            Ok(runner) => Ok(Some(runner)),
            Err(error) if is_asked_for => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The device, if it is one.
    pub fn adapter(&self) -> Option<&Adapter> {
        match self {
            Self::Twins(_) => None,
            Self::Device(gpu) => Some(gpu.adapter()),
        }
    }

    /// A device; `adapter` as in [`Options::adapter`].
    ///
    /// # Errors
    ///
    /// [`OpenError`] if there is none that can be used.
    pub fn device(adapter: Option<String>) -> Result<Self, OpenError> {
        let options = Options { adapter, ..Options::default() };
        Ok(Self::Device(Box::new(Gpu::open(options)?)))
    }

    /// What the stages of overlaps did since this was last asked for. Only their twins count it: a device is not slowed down for that.
    pub fn take_work(&mut self) -> StageWork {
        match self {
            Self::Twins(twins) => std::mem::take(&mut twins.work),
            Self::Device(_) => StageWork::default(),
        }
    }

    /// Keeps a mesh for later pairs, and says where it is.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device has no room for it or fails.
    pub fn upload(
        &mut self,
        triangles: &[ClusterTriangles],
        boxes: &[Cluster],
    ) -> Result<MeshPlace, RunnerError> {
        match self {
            Self::Twins(twins) => Ok(twins.meshes.add(triangles, boxes)),
            Self::Device(gpu) => {
                let place = match gpu.upload(triangles, boxes) {
                    Err(UploadError::Fault(_)) => {
                        gpu.reopen().map_err(RunnerError::Gone)?;
                        gpu.upload(triangles, boxes)
                    }
                    uploaded => uploaded,
                };
                place.map_err(RunnerError::Upload)
            }
        }
    }

    /// Keeps meshes with all of their boxes, whose places are counted from those that it holds.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device has no room for them or fails.
    pub fn upload_packed(&mut self, meshes: &Meshes) -> Result<(), RunnerError> {
        match self {
            Self::Twins(twins) => {
                twins.meshes.triangles.extend_from_slice(&meshes.triangles);
                twins.meshes.clusters.extend_from_slice(&meshes.clusters);
                Ok(())
            }
            Self::Device(gpu) => gpu.upload_packed(meshes).map_err(RunnerError::Upload),
        }
    }

    /// Measures pairs: by rays, this many a side across the third axis of each frame and half as many across the others, or by
    /// triangles. A device that fails is opened again once, unless it hangs.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device fails for good.
    pub fn measure(
        &mut self,
        pairs: &[PairMeshes],
        frames: &[PairFrame],
        method: impl Into<Method>,
    ) -> Result<Vec<ContactBlock>, RunnerError> {
        let method = method.into();
        match self {
            Self::Twins(twins) => Ok(twins.measure(pairs, frames, method)),
            Self::Device(gpu) => {
                let mut blocks = Vec::with_capacity(pairs.len());
                let mut outcome = gpu.measure(pairs, frames, method, &mut blocks);
                if let Err(MeasureError::Fault(fault)) = &outcome
                    && fault.may_pass()
                {
                    gpu.reopen().map_err(RunnerError::Gone)?;
                    outcome = gpu.measure(pairs, frames, method, &mut blocks);
                }
                outcome.map(|()| blocks).map_err(RunnerError::Failed)
            }
        }
    }
}

impl StageRunner {
    /// Keeps a body's facets for later pairs; the place of the first.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the device has no room for them.
    pub fn upload_facets(&mut self, of_body: &[Facet]) -> Result<u32, RunnerError> {
        match self {
            Self::Twins(twins) => Ok(twins.facets.add_body(of_body)),
            Self::Device(gpu) => gpu.upload_facets(of_body).map_err(RunnerError::Upload),
        }
    }

    /// Says how the facets of pairs of bodies touch, with the touch of each candidate. A device that fails is opened again once,
    /// unless it hangs.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if a pair alone is too large for the device, or it fails for good.
    pub fn touch(&mut self, pairs: &[FacetPair]) -> Result<FacetAnswers, RunnerError> {
        match self {
            Self::Twins(twins) => Ok(twins.touch(pairs)),
            Self::Device(gpu) => {
                let mut answers = FacetAnswers::default();
                let mut outcome = gpu.touch_facets(pairs, FacetDetail::Touches, &mut answers);
                if let Err(FacetError::Fault(fault)) = &outcome
                    && fault.may_pass()
                {
                    gpu.reopen().map_err(RunnerError::Gone)?;
                    outcome = gpu.touch_facets(pairs, FacetDetail::Touches, &mut answers);
                }
                outcome.map(|()| answers).map_err(RunnerError::Untouched)
            }
        }
    }

    /// Goes through a stretch of sub-steps. A device that fails is opened again once, unless it hangs.
    ///
    /// # Errors
    ///
    /// [`RunnerError`] if the stretch is too large for the device, or it fails for good.
    pub fn stretch(&mut self, stretch: &Stretch) -> Result<StretchEnd, RunnerError> {
        match self {
            Self::Twins(twins) => Ok(stretch.run_twins(&mut twins.facets)),
            Self::Device(gpu) => {
                let mut outcome = gpu.stretch(stretch);
                if let Err(FacetError::Fault(fault)) = &outcome
                    && fault.may_pass()
                {
                    gpu.reopen().map_err(RunnerError::Gone)?;
                    outcome = gpu.stretch(stretch);
                }
                outcome.map_err(RunnerError::Untouched)
            }
        }
    }
}

impl std::fmt::Debug for StageRunner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Twins(_) => f.write_str("Twins"),
            Self::Device(gpu) => write!(f, "Device({})", gpu.adapter()),
        }
    }
}

/// The stages' twins, a pair at a time on all threads.
#[derive(Debug, Default)]
pub struct Twins {
    meshes: Meshes,
    /// Facets of bodies, with nothing else.
    facets: facets::Memory,
    /// What was done since it was last asked for.
    work: StageWork,
}

/// What each stage did, in the order of their table.
pub type StageWork = [Work; StageId::ALL.len()];

/// Places for tiles of large triangles of one pair that are there from the start.
const LARGE_CAP: u32 = 4096;

impl Twins {
    fn measure(&mut self, pairs: &[PairMeshes], frames: &[PairFrame], method: Method) -> Vec<ContactBlock> {
        let measure = |memory: &mut Memory, (pair, frame): (&PairMeshes, &PairFrame)| {
            let mut large_cap = LARGE_CAP;
            loop {
                let work = self.measure_one(memory, pair, frame, method, &Rounds::of(method, 1, large_cap));
                if memory.large_wanted() <= large_cap {
                    return (memory.blocks[0], work);
                }
                large_cap = memory.large_wanted();
            }
        };
        let found: Vec<(ContactBlock, StageWork)> =
            pairs.par_iter().zip(frames).map_init(Memory::default, measure).collect();
        let mut blocks = Vec::with_capacity(found.len());
        for (block, work) in found {
            blocks.push(block);
            self.work.iter_mut().zip(work).for_each(|(sum, work)| *sum += work);
        }
        blocks
    }

    fn measure_one(
        &self,
        memory: &mut Memory,
        pair: &PairMeshes,
        frame: &PairFrame,
        method: Method,
        rounds: &Rounds,
    ) -> StageWork {
        memory.prepare(&Capacity {
            n_pairs: 1,
            n_tiles: rounds.n_tiles(),
            n_items: pair.n[0] + pair.n[1],
            large_cap: rounds.rounds[0].large_cap,
        });
        memory.pairs[0] = *pair;
        memory.frames[0] = *frame;
        let mut work = StageWork::default();
        let commands = schedule_of(method, 1, rounds, needs_axes(&[*frame]));
        twin::count(&commands, rounds, &self.meshes, memory, &mut work);
        work
    }

    fn touch(&self, pairs: &[FacetPair]) -> FacetAnswers {
        let found: Vec<facets::Memory> = pairs.par_iter().map(|pair| self.touch_one(pair)).collect();
        let mut answers = FacetAnswers::default();
        for (ix, one) in (0..).zip(found) {
            answers.blocks.extend(one.blocks);
            answers
                .candidates
                .extend(one.candidates.into_iter().map(|found| Candidate { pair: ix, ..found }));
            answers.touches.extend(one.touches);
        }
        answers
    }

    fn touch_one(&self, pair: &FacetPair) -> facets::Memory {
        let mut memory = facets::Memory::default();
        let body = |ix: usize| &self.facets.facets[pair.first[ix] as usize..][..pair.n[ix] as usize];
        let first = [0, 1].map(|ix| memory.add_body(body(ix)));
        memory.add_pair(FacetPair { first, ..*pair });
        facets::twin::run(&mut memory, false);
        memory
    }
}
