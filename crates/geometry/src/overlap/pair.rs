//! Which method measures the overlap of which shapes.

use super::Overlap;
use super::convex::{self, Polyhedron};
use super::round::capsule::{self, Capsule};
use super::round::{mesh as round_mesh, pair as round_pair};
use super::sphere;
use crate::{Pose, Shape, Solid};

/// The overlap of two posed shapes.
pub fn overlap(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    if rank(b) < rank(a) {
        let origin_a = w_from_a.translation - w_from_b.translation;
        return overlap(b, w_from_b, a, w_from_a).swapped(origin_a);
    }
    match (a, b) {
        (Shape::HalfSpace, Shape::HalfSpace) => Overlap::EMPTY,
        (Shape::HalfSpace, &Shape::Sphere { radius }) => {
            sphere::half_space_overlap(w_from_a, radius, w_from_b.translation)
        }
        (&Shape::Sphere { radius: ra }, &Shape::Sphere { radius: rb }) => {
            sphere::pair_overlap(ra, w_from_a.translation, rb, w_from_b.translation)
        }
        _ => match (kind(a), kind(b)) {
            (Kind::Round(a), Kind::Round(b)) => round_pair::overlap(&a, w_from_a, &b, w_from_b),
            (Kind::Round(a), Kind::Polyhedron(b)) => capsule::overlap(&a, w_from_a, &b, w_from_b),
            (Kind::Round(a), Kind::Mesh(b)) => round_mesh::overlap(&a, w_from_a, b, w_from_b),
            (Kind::HalfSpace, Kind::Round(b)) => capsule::half_space_overlap(w_from_a, &b, w_from_b),
            (Kind::HalfSpace, Kind::Polyhedron(b)) => convex::half_space_overlap(w_from_a, &b, w_from_b),
            (Kind::Polyhedron(a), Kind::Polyhedron(b)) => convex::overlap(&a, w_from_a, &b, w_from_b),
            _ => Overlap::EMPTY,
        },
    }
}

/// What the methods tell apart.
enum Kind<'a> {
    HalfSpace,
    Round(Capsule),
    Polyhedron(Polyhedron<'a>),
    Mesh(&'a Solid),
}

fn kind(shape: &Shape) -> Kind<'_> {
    match *shape {
        Shape::HalfSpace => Kind::HalfSpace,
        Shape::Sphere { radius } => Kind::Round(Capsule { radius, half_length: 0.0 }),
        Shape::Capsule { radius, half_length } => Kind::Round(Capsule { radius, half_length }),
        Shape::Cuboid { half_size } => Kind::Polyhedron(Polyhedron::Cuboid(half_size)),
        Shape::Convex(ref hull) => Kind::Polyhedron(Polyhedron::Hull(hull)),
        Shape::Mesh(ref solid) => Kind::Mesh(solid),
    }
}

/// The order in which the methods take their shapes.
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
