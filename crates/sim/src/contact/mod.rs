//! One contact as a six-dimensional constraint: its frame and its patch.

pub(crate) mod assemble;
mod bent;
mod constraint;
mod depth_field;
pub mod frame;
mod fullness;
pub mod limit_surface;
pub(crate) mod memory;
mod normal;
pub mod patch;
mod rows;
mod tips;

pub(crate) use constraint::{Contact, RecordedOverlap, RegionRef, VolumeRow};
pub use frame::ContactFrame;
pub use limit_surface::LimitSurface;
pub use patch::ContactPatch;
