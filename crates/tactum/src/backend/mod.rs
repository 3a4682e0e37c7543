//! What answers the questions of a step.
//!
//! | module | what it holds |
//! |---|---|
//! | `exact` | every pair on the processor, exactly |
//! | `rays` | pairs of meshes by rays: meshes that are held, cells, passes |
//! | `facets` | rounded meshes by the facet stages: meshes that are held, what is asked, what is read |
//! | `stretch` | the rest of a step by the facet stages: what goes to them, what is read of their answer |
//! | `faint` | which pairs act on each other too weakly for these |
//! | `runner` | what carries out the stages: their twins or a device |
//! | `cost_model` | which pairs go to the device, by measured costs |
//! | `share` | how much of what is asked the stages answer |
//! | `args` | the choice of a back end on a command line |
//! | `detector` | a step's pairs handed to the method that answers for them, and what had to be answered again |

mod args;
pub mod cost_model;
mod detector;
pub mod exact;
pub mod facets;
mod faint;
pub mod rays;
mod runner;
mod share;
mod stretch;

use std::fmt;
use std::str::FromStr;

use tactum_geometry::overlap::rays::Distrust;
use tactum_gpu::OpenError;
use thiserror::Error;

pub use args::{BackendArgs, adapter_name};
pub use detector::{Answered, Costs, Detector, Found, FoundTouches};
pub use facets::FACETS;
pub use runner::{RunnerError, StageRunner};
pub use share::{FacetShare, OverlapAnswers, OverlapShare, OverlapTimes, in_words};

/// Rays a side across a contact, unless said otherwise.
pub const DEFAULT_RAYS: u32 = 64;

/// How overlaps are measured, and touches of facets found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best that this build and machine have.
    #[default]
    Auto,
    /// Exactly, on the processor, in 64-bit numbers.
    Exact,
    /// By rays, and by the stages of facets, on the processor: what a device does, to compare with.
    Rays,
    /// The same on a device.
    Gpu,
}

impl Backend {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Exact, Self::Rays, Self::Gpu];

    /// Its name on a command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::Rays => "rays",
            Self::Gpu => "gpu",
        }
    }

    /// Whether pairs of meshes are measured by rays.
    pub fn casts_rays(self) -> bool {
        matches!(self, Self::Rays | Self::Gpu)
    }

    /// Whether a device may measure.
    pub fn may_use_device(self) -> bool {
        matches!(self, Self::Auto | Self::Gpu)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A back end that there is not.
#[derive(Debug, Error)]
#[error("there is no backend '{name}'; there are: {}", Backend::ALL.map(Backend::name).join(", "))]
pub struct UnknownBackend {
    name: String,
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        let named = Self::ALL.into_iter().find(|backend| backend.name() == name);
        named.ok_or_else(|| UnknownBackend { name: name.to_owned() })
    }
}

/// What measures, and with how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendOptions {
    /// The back end.
    pub backend: Backend,
    /// Rays a side across a contact: a power of two from 16 to 256.
    pub rays: u32,
    /// The device, see [`tactum_gpu::Options::adapter`].
    pub adapter: Option<String>,
}

impl Default for BackendOptions {
    fn default() -> Self {
        Self { backend: Backend::default(), rays: DEFAULT_RAYS, adapter: None }
    }
}

impl BackendOptions {
    /// What runs the stages of a back end that casts rays on all pairs of meshes, if it is one.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if a device is asked for and cannot be used.
    pub fn runner(&self) -> Result<Option<StageRunner>, OpenError> {
        match self.backend {
            Backend::Auto | Backend::Exact => Ok(None),
            Backend::Rays => Ok(Some(StageRunner::twins())),
            Backend::Gpu => StageRunner::device(self.adapter.clone()).map(Some),
        }
    }
}

/// The name in reports of what kept rays from being trusted.
pub fn distrust_name(distrust: Distrust) -> &'static str {
    match distrust {
        Distrust::LongList => "long_list",
        Distrust::Unbalanced => "unbalanced",
        Distrust::Shallow => "shallow",
        Distrust::Unseen => "unseen",
        Distrust::Missed => "missed",
        Distrust::Several => "several",
        Distrust::Uncertain => "uncertain",
        Distrust::NoRoom => "no_room",
        Distrust::OverlapsItself => "overlaps_itself",
        Distrust::NotFinite => "not_finite",
    }
}
