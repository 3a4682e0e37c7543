//! Runs the stages of [`tactum_shaders`] on a graphics processor, or on a driver that computes on the processor.
//!
//! The crate knows bytes and stages. Meshes come as clusters and stay on the device; pairs go up, contact blocks come
//! back, all of them in one submission whatever their number.
//!
//! ```no_run
//! # use tactum_gpu::{Gpu, Options};
//! # use tactum_shaders::rays::layout::{Cluster, ClusterTriangles, PairFrame, PairMeshes};
//! # type Outcome = Result<(), Box<dyn std::error::Error>>;
//! /// Two copies of a mesh, placed by `frame`.
//! fn print_overlap(triangles: &[ClusterTriangles], boxes: &[Cluster], frame: PairFrame) -> Outcome {
//!     let mut gpu = Gpu::open(Options::default())?;
//!     let mesh = gpu.upload(triangles, boxes)?;
//!     let pair = PairMeshes::of([mesh; 2]);
//!     let mut blocks = Vec::new();
//!     gpu.measure(&[pair], &[frame], 32, &mut blocks)?;
//!     println!("{} of the box", blocks[0].volume);
//!     Ok(())
//! }
//! ```

mod adapter;
mod buffers;
mod chunk;
mod command;
mod device;
mod error;
mod facets;
mod measure;
mod pipeline;
mod stretch;
mod timing;

use std::ops::RangeInclusive;
use std::time::Duration;

use tactum_shaders::facets as stages;
use tactum_shaders::rays::layout::{Cluster, ClusterTriangles, MeshPlace};
use tactum_shaders::rays::{Buffer, Meshes};

pub use adapter::{ADAPTER_VARIABLE, Adapter, AdapterKind, adapters, choose, may_have_hardware};
pub use error::{FacetError, Fault, MeasureError, OpenError, ReopenError, UploadError};
pub use facets::{FacetAnswers, FacetDetail};
pub use timing::Report;

use buffers::{Buffers, Transfer};
use device::Device;
use facets::FacetStages;
use pipeline::Pipeline;

/// Rays a side that can be cast: powers of two in this range.
pub const RAYS: RangeInclusive<u32> = 16..=1024;

/// How long a device may take over a submission of so many chunks of pairs: five minutes, and one more for each chunk. A driver
/// that computes on a slow processor takes seconds for a chunk; a device that is not done by then hangs.
pub fn wait_limit(n_chunks: usize) -> Duration {
    Duration::from_secs(60 * (5 + n_chunks as u64))
}

/// Scratch memory on graphics hardware, in bytes.
const HARDWARE_SCRATCH: u64 = 512 << 20;

/// Scratch memory where it is the processor's own, in bytes.
const SOFTWARE_SCRATCH: u64 = 128 << 20;

/// How to open and use a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The adapter: an index into [`adapters`], or a part of its name, kind, backend or driver. Without it the
    /// environment variable [`ADAPTER_VARIABLE`] decides, and without that hardware comes before software.
    pub adapter: Option<String>,
    /// Bytes of scratch memory that a chunk of pairs should take; by default 512 MiB on hardware, 128 MiB on software.
    pub max_scratch: Option<u64>,
    /// Places for tiles of large triangles to begin with. The results do not depend on it: where more are wanted, there
    /// will be more, and what was measured is measured again.
    pub large_cap: u32,
    /// The same for pairs of facets that may touch; at first there is room for some hundred pairs of bodies that rest on each other.
    pub facet_cap: u32,
    /// How long the device may take over a submission before it counts as lost ([`Fault::TimedOut`]); by default
    /// [`wait_limit`].
    pub max_wait: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self { adapter: None, max_scratch: None, large_cap: 1 << 16, facet_cap: 1 << 14, max_wait: None }
    }
}

/// A device with all stages compiled, and the meshes it holds.
pub struct Gpu {
    options: Options,
    device: Device,
    pipelines: Vec<Pipeline>,
    buffers: Buffers,
    input: Transfer,
    readback: Transfer,
    meshes: Meshes,
    /// Facets of bodies, with nothing else.
    facets: stages::Memory,
    /// The stages of facets, once they were asked for.
    facet_stages: Option<FacetStages>,
    /// Places for tiles of large triangles by now.
    large_cap: u32,
    is_timing: bool,
    is_unplugged: bool,
    report: Report,
    /// Stages of all measurements since they were last asked for.
    stage_times: Report,
}

impl Gpu {
    /// Opens a device and compiles all stages.
    pub fn open(options: Options) -> Result<Self, OpenError> {
        let variable = std::env::var(ADAPTER_VARIABLE).ok().filter(|name| !name.is_empty());
        let device = Device::open(options.adapter.as_deref().or(variable.as_deref()))?;
        let pipelines = pipeline::build_rays(&device)?;
        Ok(Self {
            buffers: Buffers::new(&device),
            input: Transfer::input("input"),
            readback: Transfer::readback("blocks"),
            meshes: Meshes::default(),
            facets: stages::Memory::default(),
            facet_stages: None,
            large_cap: options.large_cap,
            is_timing: false,
            is_unplugged: false,
            report: Report::default(),
            stage_times: Report::default(),
            options,
            device,
            pipelines,
        })
    }

    /// The device in use.
    pub fn adapter(&self) -> &Adapter {
        &self.device.adapter
    }

    /// Adds a mesh, which stays on the device; returns where it is. `boxes` are those around its clusters; those around
    /// them are made here.
    pub fn upload(
        &mut self,
        triangles: &[ClusterTriangles],
        boxes: &[Cluster],
    ) -> Result<MeshPlace, UploadError> {
        if triangles.len() != boxes.len() {
            return Err(UploadError::Mismatch { n_triangles: triangles.len(), n_boxes: boxes.len() });
        }
        let mut mesh = Meshes::default();
        let place = mesh.add(triangles, boxes);
        // A binding holds less than 2^32 clusters.
        let (first, boxes) = (self.meshes.triangles.len() as u32, self.meshes.clusters.len() as u32);
        self.upload_packed(&mesh)?;
        Ok(MeshPlace { first, boxes, ..place })
    }

    /// Adds meshes with all of their boxes to those that the device holds; their places are counted from there on.
    pub fn upload_packed(&mut self, meshes: &Meshes) -> Result<(), UploadError> {
        let held = [Buffer::Triangles, Buffer::Clusters].map(|buffer| self.meshes.bytes(buffer).len());
        let (needed, limit) =
            ((held[0] + meshes.bytes(Buffer::Triangles).len()) as u64, self.device.max_binding());
        if needed > limit {
            return Err(UploadError::Full { needed, limit });
        }
        for (buffer, held) in [Buffer::Triangles, Buffer::Clusters].into_iter().zip(held) {
            self.write_mesh(buffer, held, meshes.bytes(buffer));
        }
        self.device.check()?;
        self.meshes.triangles.extend_from_slice(&meshes.triangles);
        self.meshes.clusters.extend_from_slice(&meshes.clusters);
        Ok(())
    }

    fn write_mesh(&mut self, buffer: Buffer, used: usize, bytes: &[u8]) {
        let used = used as u64;
        self.buffers.extend(&self.device, buffer, used, used + bytes.len() as u64);
        self.device.queue.write_buffer(self.buffers.get(buffer), used, bytes);
    }

    /// Opens the device again after it was lost, with the meshes it held.
    pub fn reopen(&mut self) -> Result<(), ReopenError> {
        if self.is_unplugged {
            return Err(OpenError::NoAdapter.into());
        }
        let mut fresh = Self::open(self.options.clone())?;
        fresh.is_timing = self.is_timing;
        fresh.meshes = std::mem::take(&mut self.meshes);
        fresh.facets = std::mem::take(&mut self.facets);
        let outcome = fresh.restore_meshes();
        if outcome.is_err() {
            (self.meshes, self.facets) = (fresh.meshes, fresh.facets);
        } else {
            *self = fresh;
        }
        Ok(outcome?)
    }

    fn restore_meshes(&mut self) -> Result<(), Fault> {
        for buffer in [Buffer::Triangles, Buffer::Clusters] {
            let bytes = self.meshes.bytes(buffer);
            self.buffers.reserve(&self.device, buffer, bytes.len() as u64);
            self.device.queue.write_buffer(self.buffers.get(buffer), 0, bytes);
        }
        self.device.check()
    }

    /// Whether to time each stage from now on. Timing takes time itself: every stage becomes a pass of its own.
    /// Returns whether the device can do so.
    pub fn time_stages(&mut self, is_timing: bool) -> bool {
        self.is_timing = is_timing && self.device.has_timestamps();
        self.device.has_timestamps()
    }

    /// Device time of each stage in all successful measurements since the last call, in the order of first use: a step may
    /// take several. Empty unless stages are timed.
    pub fn take_stage_times(&mut self) -> Vec<(tactum_shaders::rays::StageId, Duration)> {
        std::mem::take(&mut self.stage_times.stages)
    }

    /// What the last successful measurement took.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// How long to wait for a submission of so many chunks.
    fn wait_limit(&self, n_chunks: usize) -> Duration {
        self.options.max_wait.unwrap_or_else(|| wait_limit(n_chunks))
    }

    /// Gives the device up as if its driver had been reset, to try out what follows.
    pub fn lose_device(&self) {
        self.device.handle.destroy();
    }

    /// Gives the device up as if it had been unplugged: [`Gpu::reopen`] finds none.
    pub fn unplug(&mut self) {
        self.is_unplugged = true;
        self.lose_device();
    }
}
