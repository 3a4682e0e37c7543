//! Solvers of one contact block.

pub mod block;
pub mod project;

pub use block::Block;
pub use project::project;
