//! The volume that two meshes share, by rays: the stages that measure it, as shaders and as twins.
//!
//! Parallel rays in three directions through the box of each pair meet both surfaces; where a ray is inside both
//! bodies it carries a piece of their overlap (Faure et al. 2008; Wang et al. 2012).

mod align;
mod apart;
mod assemble;
mod clash;
pub mod compare;
mod compose;
mod crossings;
mod cull;
mod dispatch;
mod extent;
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
mod stages;
mod support;
mod sweep;
mod tighten;
mod tree;
pub mod twin;

pub use compose::source;
pub use memory::{
    BYTES_PER_PAIR, BYTES_PER_RAY, BYTES_PER_TILE, Buffer, Capacity, EMPTY_BOUNDS, Memory, Meshes, Operands,
};
pub use schedule::{Command, Groups, RoundIx, Rounds, needs_axes, schedule};
pub use stages::{STAGES, Stage, StageId};
