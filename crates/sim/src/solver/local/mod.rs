//! Solvers of one contact block.

pub mod block;
mod border;
pub mod cone;
pub(crate) mod point;
pub mod project;

pub use block::Block;
pub use cone::{ConeSolution, solve_cone};
pub(crate) use point::PointBlock;
pub use project::project;
