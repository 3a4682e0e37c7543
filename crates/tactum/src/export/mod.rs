//! What other programs read of a run that a folder holds: its motion as glTF, bodies and contacts in time for VTK, its tables as
//! Parquet.
//!
//! | module | what it holds |
//! |---|---|
//! | `claim` | that a file may be written where it is asked for |
//! | `sampling` | which of the recorded steps are shown |
//! | `tracks`, `sheet` | what moves and what stands, in which room; the part of a plane that is shown under it |
//! | `gltf`, `glb` | an animated scene: nodes, meshes, channels; the file they are packed into |
//! | `vtk`, `vtp` | series of surfaces and contacts; the file of one of them |
//! | `parquet` | the tables of the run, with units |
//! | `html` | a page for people |
//! | `error` | why it could not be written |

mod claim;
mod error;
mod glb;
mod gltf;
mod html;
mod parquet;
mod sampling;
mod sheet;
mod tracks;
mod vtk;
mod vtp;

pub use claim::Claim;
pub use error::ExportError;
pub use gltf::write_gltf;
pub use html::write_html;
pub use parquet::write_parquet;
pub use sampling::Sampling;
pub use vtk::{Series, write_vtk};

/// Meridians of the surfaces that stand for balls, capsules, cylinders and cones: their triangles lie up to (2 π / 64)² / 8, 0.12 %, of the
/// radius within them.
const MERIDIANS: u32 = 64;
