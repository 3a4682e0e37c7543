//! Triangle meshes: what they are made of and what can be known of one mesh alone.

pub mod check;
pub mod export;
pub mod generate;
pub mod ground;
pub mod import;
mod load;
pub mod mass;
pub mod repair;
pub mod shell;
pub mod transform;
mod triangle_mesh;
mod weld;

pub use check::Checked;
pub use load::{LoadError, load_checked};
pub use mass::MassMoments;
pub use triangle_mesh::TriangleMesh;
