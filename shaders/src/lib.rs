//! The contract between host and device: the stages that measure overlaps by rays, as shaders and as their CPU twins.
//!
//! Parallel rays in three directions through the box of each pair meet both surfaces; where a ray is inside both
//! bodies it carries a piece of their overlap (Faure et al. 2008; Wang et al. 2012). Every stage is a WGSL file
//! and a Rust file of the same stem: the same operations on the same memory in the same order, so that results agree
//! bit for bit where the device rounds as IEEE 754 asks.
//!
//! This crate names no graphics interface and no shapes; it builds in seconds so that both sides can depend on it.

mod align;
mod assemble;
mod bin;
mod bin_large;
pub mod compare;
mod compose;
mod cull;
mod dispatch;
mod hit;
pub mod layout;
mod memory;
mod moments;
mod place;
mod polygon;
mod record;
mod reduce;
mod scanline;
mod settle;
mod stage;
mod support;
mod sweep;
mod tighten;
mod tree;
pub mod twin;

pub use compose::source;
pub use memory::{
    BYTES_PER_PAIR, BYTES_PER_RAY, BYTES_PER_TILE, Buffer, Capacity, EMPTY_BOUNDS, Memory, Meshes, Operands,
};
pub use record::{Command, Groups, RoundIx, Rounds, needs_axes, record};
pub use stage::{Access, Binding, STAGES, Stage, StageId};
