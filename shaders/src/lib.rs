//! The contract between host and device: the stages that answer questions there, as shaders and as their CPU twins.
//!
//! Parallel rays in three directions through the box of each pair meet both surfaces; where a ray is inside both
//! bodies it carries a piece of their overlap (Faure et al. 2008; Wang et al. 2012). Every stage is a WGSL file
//! and a Rust file of the same stem: the same operations on the same memory in the same order, so that results agree
//! bit for bit where the device rounds as IEEE 754 asks.
//!
//! [`facets`] is another question with stages of its own: which caps of spheres touch, and how hard.
//!
//! This crate names no graphics interface and no shapes; it builds in seconds so that both sides can depend on it.

mod align;
mod assemble;
pub mod compare;
mod compose;
mod crossings;
mod cull;
mod dispatch;
pub mod facets;
mod groups;
mod hit;
mod large_crossings;
pub mod layout;
mod memory;
mod moments;
mod place;
mod polygon;
mod reduce;
mod scanline;
mod schedule;
mod shrink;
mod stage;
mod support;
mod sweep;
mod tighten;
mod tree;
pub mod twin;

pub use compose::source;
pub use groups::Groups;
pub use memory::{
    BYTES_PER_PAIR, BYTES_PER_RAY, BYTES_PER_TILE, Buffer, Capacity, EMPTY_BOUNDS, Memory, Meshes, Operands,
};
pub use schedule::{Command, RoundIx, Rounds, needs_axes, schedule};
pub use stage::{Access, Binding, STAGES, Stage, StageId};
