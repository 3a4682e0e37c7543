//! Meshes of common shapes with a wanted number of triangles.
//!
//! Every generator returns one closed, outward-oriented surface without internal faces, unused vertices or crossing
//! triangles; the same parameters always give the same mesh, bit for bit. Lengths are in metres, z is up. The last
//! parameter of each is `triangles`, the wanted number: the result has the number nearest to it that the construction
//! allows, never fewer than the minimum below, and is refused above [`MAX_TRIANGLES`].
//!
//! | generator | parameters | origin | triangles |
//! |---|---|---|---|
//! | [`cuboid`] | `size` | middle | `4 (nx ny + ny nz + nz nx)`, from 12 |
//! | [`tapered_block`] | [`TaperedBlock`] | middle | as `cuboid`, from 12 |
//! | [`l_shape`] | [`LShape`] | centre of mass | grids, from 28 |
//! | [`table`] | [`Table`] | floor below the middle | grids, from 172 (92 with flush legs) |
//! | [`bumpy_cube`] | [`BumpyCube`] | middle | `12 n²`, n from 4 a bump |
//! | [`prism()`] | [`Prism`] | middle | grids and rings, from `4 sides` |
//! | [`sphere`] | `radius` | middle | `20 n²`, from 20 |
//! | [`ellipsoid`] | `semi_axes` | middle | `20 n²`, from 20 |
//! | [`star`] | `radius, core_radius` | middle | `20 n²`, from 320 |
//! | [`uv_sphere`] | `radius` | middle | `8 k (2 k - 1)`, from 48 |
//! | [`cylinder`] | `radius, height` | middle | rings of `4 k`, from 32 |
//! | [`coin`] | `radius, thickness` | middle | `16 k`, all in the rim, from 32 |
//! | [`cone`] | `radius, height` | centre of mass | rings of `4 k`, from 16 |
//! | [`capsule`] | `radius, half_length` | middle | rings of `4 k`, from 48 |
//! | [`torus`] | `major_radius, minor_radius` | middle | `2 m n`, from 128 |
//! | [`ring`], [`tube`] | [`Ring`] | middle | `2 m n`, from 64, more for thin walls |
//! | [`bowl`] | `inner_radius, outer_radius` | centre of the spheres, in the rim's plane | rings of `4 k`, from 104, more for thin walls |
//! | [`gear()`] | [`Gear`] | middle | from some 40 a tooth |
//! | [`bolt`] | [`Bolt`] | middle of the thread, head below | from 24 around by 12 rings a pitch |
//! | [`nut`] | [`Nut`] | middle | from 24 around by 12 rings a pitch |
//! | [`torus_knot`] | [`TorusKnot`] | middle of the torus | `2 m n`, from `256 max(p, q)` |
//! | [`mug()`] | [`Mug`] | middle of the underside | grids and rings, from some 600 |
//! | [`critter()`] | `length, seed` | middle of the trunk | within a few per cent, from some 600 to a million |
//!
//! Lengths are from [`MIN_LENGTH`] to [`MAX_LENGTH`], and where positions are sums of two of them the shorter is at least
//! [`MIN_SHARE`] of the longer. Numbers outside are refused at once, whatever the number of triangles.
//!
//! Round shapes have their vertices on the true surface, but for holes: the facets of `ring`, `tube`, `gear` and `nut`
//! touch the hole's true surface from outside, so that what fits the true hole fits the mesh.
//!
//! [`Generator`] is any of them that a user can name, with its [`Measures`]; a generator more is its function, its measures in
//! `measures` and a line of the list in `generator`.
//!
//! Behind them stand four builders: lattices of boxes (`blocks`), subdivided icosahedra (`geodesic`), rings joined each
//! with the next (`rings`, and `profile` for those turned about z) and polygonised implicit solids (`polygonise`);
//! `resolution` turns a wanted number of triangles into an edge length.

mod blocks;
mod critter;
mod error;
mod gear;
mod generator;
mod geodesic;
mod knot;
mod measures;
mod mug;
mod polygonise;
mod prism;
mod profile;
mod resolution;
mod revolved;
mod rings;
mod thread;

pub use blocks::{bumpy_cube, cuboid, l_shape, table, tapered_block};
pub use critter::critter;
pub use error::{GenerateError, MAX_LENGTH, MAX_TRIANGLES, MIN_LENGTH, MIN_SHARE};
pub use gear::gear;
pub use generator::{Generator, Measures, Meshed};
pub use geodesic::{ellipsoid, sphere, star};
pub use knot::torus_knot;
pub use measures::{
    Bolt, Bowl, BumpyCube, Cone, Critter, Cuboid, Cylinder, Ellipsoid, Gear, LShape, Mug, Nut, Prism, Ring,
    Sphere, Star, Table, TaperedBlock, Thread, Torus, TorusKnot,
};
pub use mug::mug;
pub use prism::prism;
pub use revolved::{bowl, capsule, coin, cone, cylinder, ring, torus, tube, uv_sphere};
pub use thread::{bolt, nut};
