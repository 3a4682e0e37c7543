//! The shapes a body can have.

use std::sync::Arc;

use crate::solid::Solid;

/// A solid shape in its own frame.
///
/// Every shape is closed and has an inside of positive volume; the half-space's is infinite.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The points with z <= 0: a floor whose outward normal is +z.
    HalfSpace,
    /// A ball about the origin.
    Sphere {
        /// Radius \[m\], positive.
        radius: f64,
    },
    /// The points within `radius` of the segment from (0, 0, -`half_length`) to (0, 0, `half_length`).
    Capsule {
        /// Radius \[m\], positive.
        radius: f64,
        /// Half the length of the segment \[m\], positive.
        half_length: f64,
    },
    /// A box about the origin.
    Cuboid {
        /// Half the side lengths \[m\], positive.
        half_size: glam::DVec3,
    },
    /// Any closed triangle mesh, prepared for overlap queries and shared between bodies.
    Mesh(Arc<Solid>),
}
