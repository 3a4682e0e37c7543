//! One contact as a six-dimensional constraint: its frame and its patch.

pub(crate) mod assemble;
mod constraint;
mod depth_field;
pub mod frame;
pub(crate) mod memory;
pub mod patch;
mod rows;

pub(crate) use constraint::{Contact, RecordedOverlap, RegionRef, VolumeRow};
pub use frame::ContactFrame;
pub use patch::ContactPatch;
