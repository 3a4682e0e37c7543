//! One contact as a six-dimensional constraint: its frame and its patch.

pub mod frame;
pub mod patch;

pub use frame::ContactFrame;
pub use patch::ContactPatch;
