//! Facets that are caps of spheres: which of many pairs of bodies touch, and the pressure between them, as shaders and as twins.
//!
//! The question and its equations are those of `tactum_geometry::facets` (Smeets, Odenthal et al. 2014), here in f32. Candidates are
//! counted, the counts summed, and the candidates written where the sums say: no atomic operation, and the same list in every run.
//! Each candidate is judged by a thread of its own, and a workgroup adds up those of a pair in a fixed order.
//!
//! A *stretch* is a run of sub-steps that go on without the host. Candidates are found once, wide enough for all of it; in each sub-step the
//! facets are placed, touches found, gathered to patches, and given springs and dampers; bodies are kicked and drift on. The first
//! sub-step that needs the processor stops the stretch: bodies and springs stay as they were before it.

pub mod compare;
mod compose;
mod gradient;
mod integral;
pub mod layout;
mod memory;
mod near;
mod place;
mod plane;
mod polygon;
mod pressure;
mod spring;
mod stages;
pub mod stretch;
mod stretch_group;
mod stretch_hold;
mod stretch_judge;
pub mod stretch_layout;
mod stretch_move;
mod stretch_note;
mod stretch_place;
mod threads;
mod tri_count;
mod tri_fill;
mod tri_overlap;
mod tri_scan;
mod tri_sum;
mod turn;
pub mod twin;

pub use compose::source;
pub use memory::{Buffer, Memory};
pub use stages::{BEGIN_STRETCH, STAGES, SUBSTEP, Stage, StageId, TOUCH};
