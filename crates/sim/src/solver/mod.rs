//! From contact blocks to impulses.

pub mod local;
pub mod spatial;

pub use spatial::{Mat6, Vec6};
