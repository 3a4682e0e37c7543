//! Which method measures the overlap of which shapes.

use super::Overlap;
use super::convex::{self, Polyhedron};
use super::round::capsule::{self, Capsule};
use super::sphere;
use crate::{Pose, Shape};

/// The overlap of two posed shapes.
pub fn overlap(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    use Shape::{Capsule as CapsuleShape, Convex, Cuboid, HalfSpace, Mesh, Sphere};
    if rank(b) < rank(a) {
        let origin_a = w_from_a.translation - w_from_b.translation;
        return overlap(b, w_from_b, a, w_from_a).swapped(origin_a);
    }
    match (a, b) {
        (HalfSpace, HalfSpace) => Overlap::EMPTY,
        (HalfSpace, &Sphere { radius }) => sphere::half_space_overlap(w_from_a, radius, w_from_b.translation),
        (HalfSpace, &CapsuleShape { radius, half_length }) => {
            capsule::half_space_overlap(w_from_a, &Capsule { radius, half_length }, w_from_b)
        }
        _ => match (round(a), polyhedron(a), polyhedron(b)) {
            (Some(a), _, Some(b)) => capsule::overlap(&a, w_from_a, &b, w_from_b),
            (_, Some(a), Some(b)) => convex::overlap(&a, w_from_a, &b, w_from_b),
            (_, None, Some(b)) => convex::half_space_overlap(w_from_a, &b, w_from_b),
            _ => match (a, b) {
                (&Sphere { radius: ra }, &Sphere { radius: rb }) => {
                    sphere::pair_overlap(ra, w_from_a.translation, rb, w_from_b.translation)
                }
                _ => Overlap::EMPTY,
            },
        },
    }
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::HalfSpace => 0,
        Shape::Sphere { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Cuboid { .. } => 3,
        Shape::Convex(_) => 4,
        Shape::Mesh(_) => 5,
    }
}

fn round(shape: &Shape) -> Option<Capsule> {
    match *shape {
        Shape::Sphere { radius } => Some(Capsule { radius, half_length: 0.0 }),
        Shape::Capsule { radius, half_length } => Some(Capsule { radius, half_length }),
        _ => None,
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
