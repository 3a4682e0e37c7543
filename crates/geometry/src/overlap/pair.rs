//! Which method measures the overlap of which shapes.

use super::Overlap;
use super::convex::{self, Polyhedron};
use crate::{Pose, Shape};

/// The overlap of two posed shapes.
pub fn overlap(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    match (a, b) {
        (Shape::HalfSpace, Shape::HalfSpace) => Overlap::EMPTY,
        _ => match (polyhedron(a), polyhedron(b)) {
            (Some(a), Some(b)) => convex::overlap(&a, w_from_a, &b, w_from_b),
            (None, Some(b)) => convex::half_space_overlap(w_from_a, &b, w_from_b),
            _ => Overlap::EMPTY,
        },
    }
}

/// The shape as a convex polyhedron, if it is one.
fn polyhedron(shape: &Shape) -> Option<Polyhedron<'_>> {
    match shape {
        Shape::Cuboid { half_size } => Some(Polyhedron::Cuboid(*half_size)),
        Shape::Convex(hull) => Some(Polyhedron::Hull(hull)),
        _ => None,
    }
}
