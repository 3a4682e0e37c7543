//! From constraints to impulses: islands, sweeps over their blocks, the exact solution of one block.
//!
//! The solver knows rows, patches and limits; what a contact or a joint is made from, it is not told.

mod anderson;
pub(crate) mod block_gs;
pub(crate) mod body;
mod coloring;
pub(crate) mod constraint;
pub(crate) mod convergence;
pub mod frame;
pub mod friction;
pub(crate) mod islands;
mod limits;
pub mod local;
pub(crate) mod momentum;
mod newton;
pub mod patch;
pub(crate) mod position;
mod sparse;
pub mod spatial;
mod stiffness;

pub use frame::ContactFrame;
pub use friction::LimitSurface;
pub use limits::ContactLimits;
pub use patch::{ContactPatch, Corner, Corners, Polygon};
pub use spatial::{Mat6, Vec6};
