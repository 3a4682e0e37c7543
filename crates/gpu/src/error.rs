//! What can go wrong.

use std::time::Duration;

use tactum_shaders::rays::Buffer;

/// Why no device could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// This machine has no device.
    #[error(
        "no graphics device and no software driver was found; on Debian and Ubuntu the package mesa-vulkan-drivers \
         gives a software driver, elsewhere install the driver of the graphics card"
    )]
    NoAdapter,
    /// The device that was asked for is not there.
    #[error("no adapter matches '{wanted}'; there are: {}", found.join(", "))]
    NoMatch {
        /// What was asked for.
        wanted: String,
        /// All adapters, by index.
        found: Vec<String>,
    },
    /// The device is too small.
    #[error("{adapter} grants {found} {limit}, {needed} are needed")]
    LimitTooLow {
        /// Name of the adapter.
        adapter: String,
        /// What it has too little of.
        limit: &'static str,
        /// What the stages need.
        needed: u64,
        /// What the adapter grants.
        found: u64,
    },
    /// The driver refused to open the device.
    #[error("{adapter} could not be opened: {message}")]
    Device {
        /// Name of the adapter.
        adapter: String,
        /// The driver's words.
        message: String,
    },
    /// The driver refused a shader.
    #[error("the shader of stage {stage} was refused: {message}")]
    Shader {
        /// Name of the stage.
        stage: &'static str,
        /// The compiler's words.
        message: String,
    },
}

/// What can happen to a device at any time. Its scratch memory is made anew afterwards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The device is gone (driver update, reset after a hang, unplugged). [`crate::Gpu::reopen`] gets it back.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// The device was not done with what it was given: it hangs, or is far slower than any that was thought of. It counts as
    /// lost from then on.
    #[error("the device was not done after {} s", waited.as_secs_f64())]
    TimedOut {
        /// How long it was waited for, see [`crate::wait_limit`].
        waited: Duration,
    },
    /// The device has no memory left.
    #[error("the device is out of memory")]
    OutOfMemory,
    /// The driver refused a command: a fault of this program or of the driver.
    #[error("the device refused a command: {0}")]
    Refused(String),
}

impl Fault {
    /// Whether opening the device again may help: one that hangs would be waited for once more, in vain.
    pub fn may_pass(&self) -> bool {
        !matches!(self, Self::TimedOut { .. })
    }
}

/// Why a mesh could not be uploaded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadError {
    /// Triangles and boxes do not belong together.
    #[error("{n_triangles} clusters of triangles came with {n_boxes} boxes")]
    Mismatch {
        /// Clusters of triangles.
        n_triangles: usize,
        /// Boxes.
        n_boxes: usize,
    },
    /// All meshes together would not fit into one binding.
    #[error("the meshes would need {needed} bytes of device memory, a binding holds {limit}")]
    Full {
        /// Bytes that all triangles would take.
        needed: u64,
        /// Bytes that there are.
        limit: u64,
    },
    /// The device failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why pairs could not be measured.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// The two lists of pairs have different lengths.
    #[error("{n_pairs} pairs came with {n_frames} frames")]
    Mismatch {
        /// Pairs.
        n_pairs: usize,
        /// Frames.
        n_frames: usize,
    },
    /// Rays come as a power of two, in whole tiles, and not so many that places are no longer exact.
    #[error("{rays} rays a side: needed is a power of two from {} to {}", crate::RAYS.start(), crate::RAYS.end())]
    Rays {
        /// What was asked for.
        rays: u32,
    },
    /// A pair names clusters that were never uploaded.
    #[error("pair {pair} names clusters up to {end}, {n_clusters} were uploaded")]
    UnknownCluster {
        /// Index of the pair.
        pair: usize,
        /// One past its last cluster.
        end: u64,
        /// Clusters on the device.
        n_clusters: u32,
    },
    /// A pair names boxes that were never uploaded.
    #[error("pair {pair} names boxes up to {end}, {n_boxes} were uploaded")]
    UnknownBox {
        /// Index of the pair.
        pair: usize,
        /// One past its last box.
        end: u64,
        /// Boxes on the device.
        n_boxes: usize,
    },
    /// One pair alone needs more than a binding holds.
    #[error("pair {pair} needs {needed} bytes for {buffer:?}, a binding holds {limit}")]
    PairTooLarge {
        /// Index of the pair.
        pair: usize,
        /// The buffer.
        buffer: Buffer,
        /// Bytes that it would take.
        needed: u64,
        /// Bytes that there are.
        limit: u64,
    },
    /// The device failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why the touches of pairs could not be found.
#[derive(Debug, thiserror::Error)]
pub enum FacetError {
    /// A pair names facets that were never uploaded, or does not begin where a body does.
    #[error("pair {pair} names facets up to {end}, {n_facets} were uploaded")]
    UnknownFacet {
        /// Index of the pair.
        pair: usize,
        /// One past its last facet.
        end: u64,
        /// Facets on the device.
        n_facets: u64,
    },
    /// A pair's body B has more facets than a thread can look at.
    #[error("pair {pair} has {n} facets of B, {limit} are the most")]
    TooManyPartners {
        /// Index of the pair.
        pair: usize,
        /// Facets of B.
        n: u32,
        /// The most, [`tactum_shaders::facets::layout::MAX_PARTNERS`].
        limit: u32,
    },
    /// One pair alone needs more than a binding holds.
    #[error("pair {pair} needs {needed} bytes for {buffer:?}, a binding holds {limit}")]
    PairTooLarge {
        /// Index of the pair.
        pair: u32,
        /// The buffer.
        buffer: tactum_shaders::facets::Buffer,
        /// Bytes that it would take.
        needed: u64,
        /// Bytes that there are.
        limit: u64,
    },
    /// The stages could not be compiled.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The device failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why a lost device could not be brought back.
#[derive(Debug, thiserror::Error)]
pub enum ReopenError {
    /// It could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It could not take the meshes.
    #[error(transparent)]
    Fault(#[from] Fault),
}
