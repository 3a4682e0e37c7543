//! Meshes of common shapes with a wanted number of triangles.

mod blocks;
mod error;
mod geodesic;
mod prism;
mod profile;
mod resolution;
mod revolved;
mod rings;

pub use blocks::{BumpyCube, LShape, Table, bumpy_cube, cuboid, l_shape, table};
pub use error::{GenerateError, MAX_LENGTH, MAX_TRIANGLES, MIN_LENGTH};
pub use geodesic::{ellipsoid, sphere, star};
pub use prism::{Prism, prism};
pub use revolved::{Ring, bowl, capsule, coin, cone, cylinder, ring, torus, tube, uv_sphere};
