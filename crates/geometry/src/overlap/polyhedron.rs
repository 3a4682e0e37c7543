//! Boxes, hulls and what stands for cylinders and cones as the polyhedra that are cut.

use std::sync::Arc;

use glam::DVec3;

use super::faceted::Faceted;
use crate::shape::{ConvexHull, Cuboid, Plane};
use crate::{Aabb, Pose};

/// A convex polyhedron in its own frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Polyhedron<'a> {
    /// A box about the origin.
    Cuboid(Cuboid),
    /// A hull.
    Hull(&'a ConvexHull),
    /// What stands for a cylinder or a cone.
    Faceted(&'a Faceted),
}

impl Polyhedron<'_> {
    /// Number of faces.
    pub fn n_faces(&self) -> usize {
        match self {
            Self::Cuboid(_) => Cuboid::FACES.len(),
            Self::Hull(hull) => hull.planes().len(),
            Self::Faceted(body) => body.planes.len(),
        }
    }

    /// The plane of a face.
    pub fn plane(&self, face: usize) -> Plane {
        match self {
            Self::Cuboid(cuboid) => cuboid.plane(face),
            Self::Hull(hull) => hull.planes()[face],
            Self::Faceted(body) => body.planes[face],
        }
    }

    /// Corner indices of each face, counter-clockwise from outside.
    pub fn for_each_face(&self, mut visit: impl FnMut(&[u32])) {
        match self {
            Self::Cuboid(_) => Cuboid::FACES.iter().for_each(|face| visit(face)),
            Self::Hull(hull) => hull.faces().for_each(visit),
            Self::Faceted(body) => body.faces().for_each(visit),
        }
    }

    /// Corners moved by `pose`.
    pub fn for_each_vertex(&self, pose: &Pose, mut visit: impl FnMut(DVec3)) {
        let r = pose.matrix();
        match self {
            Self::Cuboid(Cuboid { half_size: half }) => {
                let axes = [r.x_axis * half.x, r.y_axis * half.y, r.z_axis * half.z];
                for corner in 0..8 {
                    let signed = |k: usize| if corner >> k & 1 == 0 { -axes[k] } else { axes[k] };
                    visit(pose.translation + (signed(0) + signed(1) + signed(2)));
                }
            }
            Self::Hull(hull) => hull.vertices().iter().for_each(|&x| visit(r * x + pose.translation)),
            Self::Faceted(body) => body.vertices.iter().for_each(|&x| visit(r * x + pose.translation)),
        }
    }

    /// Diagonal of the box around it \[m\].
    pub fn size(&self) -> f64 {
        match self {
            Self::Cuboid(cuboid) => 2.0 * cuboid.half_size.length(),
            Self::Hull(hull) => hull.aabb().diagonal(),
            Self::Faceted(body) => body.size(),
        }
    }

    /// A box around it after it was moved by `pose`.
    pub fn box_in(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Cuboid(Cuboid { half_size }) => Aabb { min: -*half_size, max: *half_size },
            Self::Hull(hull) => hull.aabb(),
            Self::Faceted(body) => body.aabb(),
        }
        .transformed(pose)
    }
}

impl From<&Cuboid> for Polyhedron<'_> {
    fn from(cuboid: &Cuboid) -> Self {
        Self::Cuboid(*cuboid)
    }
}

impl<'a> From<&'a Arc<ConvexHull>> for Polyhedron<'a> {
    fn from(hull: &'a Arc<ConvexHull>) -> Self {
        Self::Hull(hull)
    }
}
