//! A mesh as its file has it.

use std::fmt;

use crate::TriangleMesh;
use crate::words::counted;

/// A mesh as its file describes it, and what the reader found odd about the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Vertices in file order, triangles in file order with each polygon's triangles in a row.
    pub mesh: TriangleMesh,
    /// Oddities that leave the mesh usable.
    pub oddities: Vec<Oddity>,
}

/// Something odd about a file that was read nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Bytes after the announced end; they were not read.
    TrailingBytes {
        /// How many.
        n_bytes: usize,
    },
    /// A binary STL holds more whole triangles than its header announces; all were read.
    CountTooSmall {
        /// Triangles announced.
        announced: u64,
        /// Triangles in the file.
        found: u64,
    },
    /// glTF primitives that are points, lines, strips or fans; they were not read.
    PrimitivesSkipped {
        /// How many.
        n: usize,
    },
    /// glTF nodes with a skin, or with morph targets that have weight; their meshes were read as they are stored.
    DeformationsSkipped {
        /// How many.
        n: usize,
    },
    /// glTF nodes that place their mesh many times (`EXT_mesh_gpu_instancing`); each was read once.
    InstancesSkipped {
        /// How many.
        n: usize,
    },
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrailingBytes { n_bytes } => {
                let n = counted(*n_bytes as u64, "trailing byte", "trailing bytes");
                write!(f, "{n} after the announced end not read")
            }
            Self::CountTooSmall { announced, found } => write!(
                f,
                "trailing bytes: {announced} triangles announced but the file holds {found}; all {found} were read"
            ),
            Self::PrimitivesSkipped { n } => {
                let n = counted(*n as u64, "primitive", "primitives");
                write!(f, "strips, fans, lines and points are not read: {n} left out")
            }
            Self::DeformationsSkipped { n } => write!(
                f,
                "skins and morph targets are not applied: meshes are read as they are stored at {}",
                counted(*n as u64, "node", "nodes")
            ),
            Self::InstancesSkipped { n } => write!(
                f,
                "instances (EXT_mesh_gpu_instancing) are not placed: meshes are read once at {}",
                counted(*n as u64, "node", "nodes")
            ),
        }
    }
}
