//! Solvers of one contact block.

pub mod block;
mod border;
pub mod cone;
pub mod project;

pub use block::Block;
pub use cone::{ConeSolution, solve_cone};
pub use project::{project, project_without_patch};
