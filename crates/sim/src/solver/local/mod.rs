//! Solvers of one contact block.

pub mod block;
mod border;
pub mod cone;
pub(crate) mod joint;
pub(crate) mod point;
pub mod project;

pub use block::Block;
pub use cone::{ConeSolution, solve_cone};
pub(crate) use joint::{DriveRow, JointBlock};
pub(crate) use point::PointBlock;
pub use project::{project, project_without_patch};

use crate::LocalSolver;
use crate::solver::{ContactLimits, Vec6};

/// The total impulse of a contact over a patch, in contact axes about the contact point \[N s, N m s\], and how well friction
/// is found.
///
/// `e` is the twist that the contact would have with no impulse of its own (bias included). The result keeps to the limits
/// and, but for `accuracy` (see [`solve_cone`]) and rounding, does not depend on the impulse that is guessed.
pub fn solve(
    solver: LocalSolver,
    block: &Block,
    e: &Vec6,
    limits: &ContactLimits,
    guess: &Vec6,
    accuracy: f64,
) -> ConeSolution {
    match solver {
        LocalSolver::Cone => solve_cone(block, e, limits, guess, accuracy),
        LocalSolver::Paper => ConeSolution { impulse: project(block, e, limits), residual: 0.0, steps: 0 },
    }
}
