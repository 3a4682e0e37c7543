//! The shapes a body can have.

mod convex;
mod hull;
mod moments;

use std::sync::Arc;

use glam::DVec3;

use crate::solid::SolidError;
use crate::{Aabb, Pose, Solid, TriangleMesh};

pub use convex::{ConvexHull, HullError, Plane};

/// A solid shape in its own frame.
///
/// Every shape is closed and has an inside of positive volume; the half-space's is infinite. A clone shares the
/// polyhedron or mesh.
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
        half_size: DVec3,
    },
    /// A convex polyhedron with few faces, shared between bodies.
    Convex(Arc<ConvexHull>),
    /// Any closed triangle mesh, prepared for overlap queries and shared between bodies.
    Mesh(Arc<Solid>),
}

impl Shape {
    /// The shape of a closed mesh: [`Shape::Convex`] if it is a convex polyhedron of few planar faces, for which
    /// overlaps are measured faster, else [`Shape::Mesh`].
    ///
    /// # Errors
    ///
    /// [`SolidError`] if the mesh does not enclose a solid.
    pub fn from_mesh(mesh: TriangleMesh) -> Result<Self, SolidError> {
        let solid = Solid::new(mesh)?;
        let hull = ConvexHull::from_mesh(solid.mesh());
        Ok(hull.map_or_else(|| Self::Mesh(Arc::new(solid)), |hull| Self::Convex(Arc::new(hull))))
    }

    /// The shape as a solid, if it is a mesh or a convex polyhedron.
    pub fn solid(&self) -> Option<&Arc<Solid>> {
        match self {
            Self::Convex(hull) => Some(hull.solid()),
            Self::Mesh(solid) => Some(solid),
            Self::HalfSpace | Self::Sphere { .. } | Self::Capsule { .. } | Self::Cuboid { .. } => None,
        }
    }

    /// The smallest box around the shape in its own frame; the half-space's is unbounded except for z <= 0.
    pub fn own_aabb(&self) -> Aabb {
        let about_origin = |half: DVec3| Aabb { min: -half, max: half };
        match self {
            Self::HalfSpace => Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY.with_z(0.0) },
            Self::Sphere { radius } => about_origin(DVec3::splat(*radius)),
            Self::Capsule { radius, half_length } => {
                about_origin(DVec3::new(*radius, *radius, radius + half_length))
            }
            Self::Cuboid { half_size } => about_origin(*half_size),
            Self::Convex(hull) => hull.aabb(),
            Self::Mesh(solid) => solid.aabb(),
        }
    }

    /// A box around the posed shape along the world's axes.
    ///
    /// The smallest one for the half-space, the sphere, the capsule and the cuboid; for polyhedra and meshes the box
    /// around the turned box of [`Shape::own_aabb`]. Grown by rounding where it is not exact, never too small.
    pub fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        match self {
            Self::HalfSpace => half_space_aabb(w_from_shape),
            Self::Sphere { radius } => {
                Aabb { min: DVec3::ZERO, max: DVec3::ZERO }.transformed(w_from_shape).inflated(*radius)
            }
            Self::Capsule { radius, half_length } => {
                let end = DVec3::Z * *half_length;
                Aabb { min: -end, max: end }.transformed(w_from_shape).inflated(*radius)
            }
            Self::Cuboid { .. } | Self::Convex(_) | Self::Mesh(_) => {
                self.own_aabb().transformed(w_from_shape)
            }
        }
    }

    /// Size of the shape: the diagonal of its own box \[m\], infinite for the half-space.
    pub fn size(&self) -> f64 {
        self.own_aabb().diagonal()
    }
}

/// A half-space is bounded along a world axis only if its normal lies along that axis exactly.
fn half_space_aabb(w_from_shape: &Pose) -> Aabb {
    let normal = w_from_shape.vector(DVec3::Z);
    let mut aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    for axis in 0..3 {
        let others = normal[(axis + 1) % 3].abs().max(normal[(axis + 2) % 3].abs());
        if others == 0.0 && normal[axis] > 0.0 {
            aabb.max[axis] = w_from_shape.translation[axis];
        } else if others == 0.0 {
            aabb.min[axis] = w_from_shape.translation[axis];
        }
    }
    aabb
}

#[cfg(test)]
mod tests;
