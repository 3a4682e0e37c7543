//! From contact blocks to impulses.

mod anderson;
pub(crate) mod block_gs;
pub(crate) mod constraint;
pub(crate) mod islands;
pub mod local;
pub mod spatial;

pub use spatial::{Mat6, Vec6};
