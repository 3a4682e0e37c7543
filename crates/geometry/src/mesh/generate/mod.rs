//! Meshes of common shapes with a wanted number of triangles.

mod blocks;
mod critter;
mod error;
mod gear;
mod geodesic;
mod knot;
mod mug;
mod polygonise;
mod prism;
mod profile;
mod resolution;
mod revolved;
mod rings;
mod thread;

pub use blocks::{BumpyCube, LShape, Table, bumpy_cube, cuboid, l_shape, table};
pub use critter::critter;
pub use error::{GenerateError, MAX_LENGTH, MAX_TRIANGLES, MIN_LENGTH};
pub use gear::{Gear, gear};
pub use geodesic::{ellipsoid, sphere, star};
pub use knot::{TorusKnot, torus_knot};
pub use mug::{Mug, mug};
pub use prism::{Prism, prism};
pub use revolved::{Ring, bowl, capsule, coin, cone, cylinder, ring, torus, tube, uv_sphere};
pub use thread::{Bolt, Nut, Thread, bolt, nut};
