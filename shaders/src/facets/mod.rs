//! Facets that are caps of spheres: which of many pairs of bodies touch, and the pressure between them, as shaders and as twins.
//!
//! The question and its equations are those of `tactum_geometry::facets` (Smeets, Odenthal et al. 2014), here in f32. Candidates are
//! counted, the counts summed, and the candidates written where the sums say: no atomic operation, and the same list in every run.
//! Each candidate is judged by a thread of its own, and a workgroup adds up those of a pair in a fixed order.

pub mod compare;
mod compose;
mod integral;
pub mod layout;
mod memory;
mod near;
mod place;
mod plane;
mod polygon;
mod pressure;
mod stages;
mod tri_count;
mod tri_fill;
mod tri_overlap;
mod tri_scan;
mod tri_sum;
pub mod twin;

pub use compose::source;
pub use memory::{Buffer, Memory};
pub use stages::{STAGES, Stage, StageId};
