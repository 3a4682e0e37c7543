//! The volume that two meshes share, by rays: the stages that measure it, as shaders and as twins.
//!
//! Parallel rays in three directions through the box of each pair meet both surfaces; where a ray is inside both
//! bodies it carries a piece of their overlap (Faure et al. 2008; Wang et al. 2012).

mod align;
mod apart;
mod assemble;
mod bound;
mod clash;
pub mod compare;
mod compose;
mod crossings;
mod cull;
mod descend;
mod dispatch;
mod extent;
mod fixed;
mod hit;
mod hull;
mod large_crossings;
pub mod layout;
mod meet;
mod memory;
mod moments;
mod overlay;
mod pairing;
mod place;
mod plane;
mod polygon;
mod reduce;
mod rim;
mod scanline;
mod schedule;
mod shrink;
mod stages;
mod support;
mod sweep;
mod tighten;
mod total;
mod tree;
pub mod twin;
mod work;

pub use compose::source;
pub use descend::{FAN, n_boxes, with_levels};
pub use fixed::{ONE_BITS, fixed_rows};
pub use memory::{
    BYTES_PER_PAIR, BYTES_PER_PAIR_OF_TRIANGLES, BYTES_PER_RAY, BYTES_PER_TILE, Buffer, Capacity,
    EMPTY_BOUNDS, Memory, Meshes, Operands,
};
pub use schedule::{Command, Groups, Method, RoundIx, Rounds, needs_axes, schedule, schedule_of};
pub use stages::{STAGES, Stage, StageId};
pub use work::Work;
