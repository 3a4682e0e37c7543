//! Loose triangles of an overlap's surface.

use glam::DVec3;

use crate::overlap::exact::predicates::Owner;

/// An oriented triangle of an overlap's surface, positions about the origin of the sums.
///
/// The triangles of a face cut by the crossing curve are fans; where the face's part is not star-shaped they overlap
/// with opposite orientations, and only their sum has a meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [DVec3; 3],
    /// How often it counts.
    pub weight: f64,
    /// Unit normal of the face that it is part of; zero for a face without area and for a cut.
    pub normal: DVec3,
    /// Whose surface it belongs to; `None` for a cut through the overlap.
    pub owner: Option<Owner>,
}

impl Triangle {
    /// Vector area with its weight.
    pub fn area_vector(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a) * (0.5 * self.weight)
    }

    /// Area with its weight, negative where the triangle is turned against its face.
    pub fn area(&self) -> f64 {
        self.area_vector().dot(self.normal)
    }
}
