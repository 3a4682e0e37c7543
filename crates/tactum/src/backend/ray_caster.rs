//! What carries out the ray stages.

use rayon::prelude::*;
use tactum_gpu::{
    ADAPTER_VARIABLE, Adapter, Gpu, MeasureError, OpenError, Options, ReopenError, UploadError,
};
use tactum_shaders::rays::layout::{Cluster, ClusterTriangles, ContactBlock, PairFrame, PairMeshes};
use tactum_shaders::rays::{Capacity, Memory, Meshes, Rounds, needs_axes, schedule, twin};
use thiserror::Error;

/// Why rays could not be cast.
#[derive(Debug, Error)]
pub enum CastError {
    /// A mesh could not be uploaded.
    #[error(transparent)]
    Upload(UploadError),
    /// The device refused the pairs, or failed again after it was opened anew.
    #[error("the device could not measure: {0}")]
    Failed(MeasureError),
    /// The device failed and could not be opened again.
    #[error("the device failed and did not come back: {0}")]
    Gone(ReopenError),
}

/// What carries out the ray stages.
pub enum RayCaster {
    /// Their twins, on the processor.
    Twins(Twins),
    /// A device.
    Device(Box<Gpu>),
}

impl RayCaster {
    /// The stages' twins.
    pub fn twins() -> Self {
        Self::Twins(Twins::default())
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
        let caster = Self::device(adapter.map(str::to_owned));
        let is_software = |caster: &Self| caster.adapter().is_some_and(Adapter::is_software);
        match caster {
            Ok(caster) if is_software(&caster) => Ok(None),
            Ok(caster) => Ok(Some(caster)),
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

    /// Keeps a mesh for later pairs; the number of its first cluster.
    ///
    /// # Errors
    ///
    /// [`CastError`] if the device has no room for it or fails.
    pub fn upload(&mut self, triangles: &[ClusterTriangles], boxes: &[Cluster]) -> Result<u32, CastError> {
        match self {
            Self::Twins(twins) => Ok(twins.upload(triangles, boxes)),
            Self::Device(gpu) => {
                let first = match gpu.upload(triangles, boxes) {
                    Err(UploadError::Fault(_)) => {
                        gpu.reopen().map_err(CastError::Gone)?;
                        gpu.upload(triangles, boxes)
                    }
                    uploaded => uploaded,
                };
                first.map(|range| range.start).map_err(CastError::Upload)
            }
        }
    }

    /// Casts `rays` rays a side across the third axis of each frame, and half as many across the others. A device that
    /// fails is opened again once.
    ///
    /// # Errors
    ///
    /// [`CastError`] if the device fails for good.
    pub fn measure(
        &mut self,
        pairs: &[PairMeshes],
        frames: &[PairFrame],
        rays: u32,
    ) -> Result<Vec<ContactBlock>, CastError> {
        match self {
            Self::Twins(twins) => Ok(twins.measure(pairs, frames, rays)),
            Self::Device(gpu) => {
                let mut blocks = Vec::with_capacity(pairs.len());
                let mut outcome = gpu.measure(pairs, frames, rays, &mut blocks);
                if let Err(MeasureError::Fault(_)) = outcome {
                    gpu.reopen().map_err(CastError::Gone)?;
                    outcome = gpu.measure(pairs, frames, rays, &mut blocks);
                }
                outcome.map(|()| blocks).map_err(CastError::Failed)
            }
        }
    }
}

impl std::fmt::Debug for RayCaster {
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
}

/// Places for tiles of large triangles of one pair that are there from the start.
const LARGE_CAP: u32 = 4096;

impl Twins {
    fn upload(&mut self, triangles: &[ClusterTriangles], boxes: &[Cluster]) -> u32 {
        let first = self.meshes.clusters.len() as u32;
        self.meshes.triangles.extend_from_slice(triangles);
        self.meshes.clusters.extend_from_slice(boxes);
        first
    }

    fn measure(&self, pairs: &[PairMeshes], frames: &[PairFrame], rays: u32) -> Vec<ContactBlock> {
        let measure = |memory: &mut Memory, (pair, frame): (&PairMeshes, &PairFrame)| {
            let mut large_cap = LARGE_CAP;
            loop {
                self.measure_one(memory, pair, frame, &Rounds::new(1, rays, large_cap));
                if memory.large_wanted() <= large_cap {
                    return memory.blocks[0];
                }
                large_cap = memory.large_wanted();
            }
        };
        pairs.par_iter().zip(frames).map_init(Memory::default, measure).collect()
    }

    fn measure_one(&self, memory: &mut Memory, pair: &PairMeshes, frame: &PairFrame, rounds: &Rounds) {
        memory.prepare(&Capacity {
            n_pairs: 1,
            n_tiles: rounds.n_tiles(),
            n_items: pair.n[0] + pair.n[1],
            large_cap: rounds.rounds[0].large_cap,
        });
        memory.pairs[0] = *pair;
        memory.frames[0] = *frame;
        twin::run(&schedule(1, rounds, needs_axes(&[*frame])), rounds, &self.meshes, memory);
    }
}
