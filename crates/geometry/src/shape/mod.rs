//! The shapes a body can have: one file each, and each answers for itself.
//!
//! | module | what it holds |
//! |---|---|
//! | `half_space`, `sphere`, `capsule`, `cylinder`, `cone`, `cuboid`, `hull`, `mesh` | the shapes |
//! | `frustum` | what cylinders and cones have in common |
//! | `round_end` | where their sides and those of capsules end |
//! | `form` | what a shape has to answer |
//! | [`surface`] | surfaces, for drawing or to stand for the shape |
//! | `drawn` | surfaces with the normals that they are drawn with |
//!
//! One shape more is a file here with its answers, an arm of [`Shape`] and one of `Shape::form`. It is measured as the mesh of
//! its surface until the table of pairs, [`crate::overlap::overlap`], lists a method of its own.

mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod drawn;
mod form;
mod frustum;
mod half_space;
mod hull;
mod mesh;
mod plane;
mod round_end;
mod sphere;
pub mod surface;

use std::sync::Arc;

use glam::DVec3;

use crate::mesh::MassMoments;
use crate::solid::SolidError;
use crate::{Aabb, Pose, Ray, SmoothSurface, Solid, TriangleMesh};
use form::Form;
use half_space::HalfSpace;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use drawn::DrawnSurface;
pub use form::{ShapeKey, SizeError, Symmetry};
pub(crate) use frustum::Frustum;
pub use hull::{ConvexHull, HullError};
pub use plane::Plane;
pub use round_end::RoundEnd;
pub use sphere::Sphere;
pub use surface::Surface;

/// Meridians of the mesh that stands for a smooth shape where no method of its own measures it.
const MERIDIANS: u32 = 64;

/// A solid shape in its own frame.
///
/// Every shape is closed and has an inside of positive volume; the half-space's is infinite. A clone shares the
/// polyhedron or mesh.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The points with z <= 0: a floor whose outward normal is +z.
    HalfSpace,
    /// A ball about the origin.
    Sphere(Sphere),
    /// The points near a segment of the z axis.
    Capsule(Capsule),
    /// A cylinder with flat ends about the z axis.
    Cylinder(Cylinder),
    /// A cone about the z axis.
    Cone(Cone),
    /// A box about the origin.
    Cuboid(Cuboid),
    /// A convex polyhedron with few faces, shared between bodies.
    Convex(Arc<ConvexHull>),
    /// Any closed triangle mesh, prepared for overlap queries and shared between bodies.
    Mesh(Arc<Solid>),
}

impl Shape {
    /// The shape of a closed mesh: [`Shape::Convex`] if it is a convex polyhedron of few planar faces, for which
    /// overlaps are measured faster, else [`Shape::Mesh`]. Of a convex mesh whose triangles meet between their corners, which is
    /// no solid, the hull is taken.
    ///
    /// # Errors
    ///
    /// [`SolidError`] if the mesh does not enclose a solid.
    pub fn from_mesh(mesh: TriangleMesh) -> Result<Self, SolidError> {
        Solid::check(&mesh)?;
        Ok(match ConvexHull::from_mesh(&mesh) {
            Some(hull) => Self::Convex(Arc::new(hull)),
            None => Self::Mesh(Arc::new(Solid::new(mesh)?)),
        })
    }

    /// Who answers.
    fn form(&self) -> &dyn Form {
        match self {
            Self::HalfSpace => &HalfSpace,
            Self::Sphere(sphere) => sphere,
            Self::Capsule(capsule) => capsule,
            Self::Cylinder(cylinder) => cylinder,
            Self::Cone(cone) => cone,
            Self::Cuboid(cuboid) => cuboid,
            Self::Convex(hull) => hull,
            Self::Mesh(solid) => solid,
        }
    }

    /// Whether it is a general mesh, of which nothing is known but its triangles.
    pub fn is_mesh(&self) -> bool {
        matches!(self, Self::Mesh(_))
    }

    /// The smooth surface that a polyhedron or mesh stands for, see [`SmoothSurface::new`]; `None` for other shapes, and where no
    /// edge is smooth.
    pub fn smooth_surface(&self, angle: f64) -> Option<SmoothSurface> {
        match self {
            Self::Convex(_) | Self::Mesh(_) => SmoothSurface::of(self.form().solid()?, angle),
            _ => None,
        }
    }

    /// The smallest box around the shape in its own frame; the half-space's is unbounded except for z <= 0.
    pub fn own_aabb(&self) -> Aabb {
        self.form().own_aabb()
    }

    /// A box around the posed shape along the world's axes.
    ///
    /// The smallest one for the half-space, the sphere, the capsule, the cylinder, the cone and the cuboid; for polyhedra and meshes the box
    /// around the turned box of [`Shape::own_aabb`], for meshes no larger than around a ball about its middle. Grown by rounding where it
    /// is not exact, never too small.
    pub fn aabb(&self, w_from_shape: &Pose) -> Aabb {
        self.form().aabb(w_from_shape)
    }

    /// Size of the shape: the diagonal of its own box \[m\], infinite for the half-space.
    pub fn size(&self) -> f64 {
        self.own_aabb().diagonal()
    }

    /// The geometric mean of the sides of the shape's own box \[m\]; infinite for the half-space.
    pub fn mean_side(&self) -> f64 {
        (2.0 * self.own_aabb().half_size()).element_product().cbrt()
    }

    /// How far the shape reaches from its origin in a direction of its frame (unit vector) \[m\]: the largest `x · direction`
    /// of its points, or for a mesh that of the box and of the ball around it, which is no less. Infinite for a
    /// half-space in any direction but that of its normal.
    pub fn reach(&self, direction: DVec3) -> f64 {
        self.form().reach(direction)
    }

    /// The same exactly: of a mesh its farthest vertex, looked for in the tree of its faces.
    pub fn farthest(&self, direction: DVec3) -> f64 {
        self.form().farthest(direction)
    }

    /// A point of a convex shape's core that is farthest in a direction \[m\]; `None` for a mesh and for what has no end. Shape frame.
    pub fn farthest_of_core(&self, direction: DVec3) -> Option<DVec3> {
        self.form().farthest_of_core(direction)
    }

    /// How far about its core a convex shape reaches: a capsule about a segment, a ball about its centre; others are their cores \[m\].
    pub fn margin(&self) -> f64 {
        self.form().margin()
    }

    /// Whether the shape has a normal that turns evenly all over its surface: no face, edge or corner.
    pub fn is_smooth(&self) -> bool {
        self.form().is_smooth()
    }

    /// Whether a part of the surface is round, so that the shape can roll: a ball, a capsule, a cylinder or a cone. A mesh's is not,
    /// however fine its faces.
    pub fn has_round_side(&self) -> bool {
        self.symmetry().is_some()
    }

    /// About what a shape with a round side may be turned without a change.
    pub fn symmetry(&self) -> Option<Symmetry> {
        self.form().symmetry()
    }

    /// Ends of the line on the round side that is farthest out in a unit direction: from rim to rim of a cylinder, one point of a ball
    /// \[m\]; `None` for a shape without a round side. Shape frame.
    pub fn side_line(&self, direction: DVec3) -> Option<[DVec3; 2]> {
        self.side_ends().map(|ends| ends.map(|end| end.point(direction)))
    }

    /// The ends of the round side; of a ball twice itself, `None` for a shape without a round side. Shape frame.
    pub fn side_ends(&self) -> Option<[RoundEnd; 2]> {
        self.form().side_ends()
    }

    /// The outward normal of a shape whose whole surface is one plane: the half-space's; `None` for all that have an end.
    pub fn plane_normal(&self) -> Option<DVec3> {
        self.form().plane_normal()
    }

    /// Whether the shape has an end in all directions.
    pub fn is_bounded(&self) -> bool {
        self.plane_normal().is_none()
    }

    /// Distance along a ray of the shape's frame at which it first enters the shape from outside \[m\]; `None` if it does not.
    /// A ray that starts inside only enters where it comes in again.
    pub fn ray(&self, ray: &Ray) -> Option<f64> {
        self.form().ray(ray)
    }

    /// Distance along a ray of the shape's frame at which it first leaves a mesh from inside \[m\]; `None` for shapes that have no hollows,
    /// of which the box tells how thick they are.
    pub fn exit(&self, ray: &Ray) -> Option<f64> {
        self.form().exit(ray)
    }

    /// The surface of the shape; a smooth one by points of it on this many meridians, an even number from 4.
    pub fn surface(&self, meridians: u32) -> Surface<'_> {
        self.form().surface(meridians)
    }

    /// Volume, centre and inertia for density 1; `None` for the half-space.
    pub fn unit_mass(&self) -> Option<MassMoments> {
        self.form().unit_mass()
    }

    /// Refuses measures that are not positive and finite. Polyhedra and meshes were checked when they were made.
    ///
    /// # Errors
    ///
    /// [`SizeError`]: the first measure that is none.
    pub fn check(&self) -> Result<(), SizeError> {
        self.form().check()
    }

    /// Number of plane faces, one for a shape that is measured in closed form: how long its overlaps take, up to a factor.
    pub fn n_faces(&self) -> usize {
        self.form().n_faces()
    }

    /// The shape as a solid, if it is a mesh or a convex polyhedron.
    pub fn solid(&self) -> Option<&Arc<Solid>> {
        self.form().solid()
    }

    /// The shape as a solid: its own, or one made for this call of the triangles of its surface. Those of a round shape lie up
    /// to 0.25 % of its radius within it. `None` for a shape without end, and where [`Shape::check`] refuses it.
    pub fn to_solid(&self) -> Option<Arc<Solid>> {
        if let Some(solid) = self.solid() {
            return Some(Arc::clone(solid));
        }
        self.check().ok()?;
        Some(Arc::new(Solid::new(self.surface(MERIDIANS).into_mesh()?).ok()?))
    }

    /// The same for shapes that are the same.
    pub fn key(&self) -> ShapeKey {
        self.form().key()
    }
}

#[cfg(test)]
mod tests;
