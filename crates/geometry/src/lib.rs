//! Closed triangle meshes and the volume in which two of them overlap, in f64 on the CPU.
//!
//! The crate knows shapes and poses; it knows no bodies, no time and no device. Its one large operation is
//! [`overlap::overlap`]: volume, moments, gradient and contact patch of the intersection of two posed [`Shape`]s.
//!
//! | module | what it holds |
//! |---|---|
//! | [`overlap`] | the overlap of two posed shapes |
//! | [`facets`] | two meshes whose facets are caps of spheres: which touch, and the pressure between them |
//! | [`passage`] | two meshes that move through each other: when, and the penalty integrated over the motion |
//! | [`separation`] | where two convex shapes are nearest to each other |
//! | [`shape`] | the shapes a body can have |
//! | [`solid`] | the prepared mesh behind the general one |
//! | [`mesh`] | import, mesh doctor, mass properties, generators |
//! | [`pose`] | rigid motions;  [`aabb`]: axis-aligned boxes;  [`ray`]: rays;  [`moments`]: integrals over triangles |
//! | [`quantity`] | numbers that users state: meaning, unit and range |
//! | [`mod@file`], [`json`], [`words`] | files of a user read within bounds; what is wrong with them, in plain words |
//!
//! ```
//! use glam::DVec3;
//! use tactum_geometry::{Cuboid, Pose, Shape, overlap::overlap};
//!
//! let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
//! let b = Pose::from_translation(DVec3::new(0.5, 0.4, 0.3));
//! let o = overlap(&cube, &Pose::IDENTITY, &cube, &b);
//! assert!((o.volume - 0.21).abs() < 1e-15);
//! assert!((o.gradient - DVec3::new(0.42, 0.35, 0.30)).length() < 1e-15);
//! ```
//!
//! A module of the table imports from those below it only.
//!
//! All lengths are in metres unless a function says that it is free of units.

pub mod aabb;
pub mod facets;
pub mod file;
pub mod json;
mod majority;
pub mod mesh;
pub mod moments;
pub mod overlap;
pub mod passage;
pub mod pose;
pub mod quantity;
pub mod ray;
pub mod separation;
pub mod shape;
pub mod smooth;
pub mod solid;
mod triangle;
pub mod union_find;
pub mod words;

pub use aabb::Aabb;
pub use mesh::TriangleMesh;
pub use overlap::Overlap;
pub use pose::Pose;
pub use ray::Ray;
pub use shape::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Shape, Sphere, Symmetry};
pub use smooth::{Near, SmoothSurface};
pub use solid::{Ridge, Solid};
