//! Which method measures the overlap of which shapes.

use super::convex::{self, Polyhedron};
use super::round::capsule::{self, Capsule};
use super::round::{mesh as round_mesh, pair as round_pair};
use super::sphere;
use super::{Overlap, exact, half_space};
use crate::{Pose, Shape, Solid};

/// The overlap of two posed shapes: world axes, positions relative to A's origin.
///
/// | pair | method | accuracy |
/// |---|---|---|
/// | cuboid, hull, half-space with a cuboid or hull | one cut by the planes of the other | rounding |
/// | mesh with mesh, cuboid, hull or half-space | [`exact`] | rounding |
/// | ball with ball or half-space | closed form | rounding |
/// | ball or capsule with half-space, cuboid, hull or mesh | integrals along arcs | rounding |
/// | ball or capsule with capsule | integral over directions from a point inside | 1e-5 of the volume up to a tenth of the radius deep, 0.3 % beyond; gradients as much of the surface |
/// | two half-spaces | none: [`Overlap::EMPTY`], as their overlap is not bounded | |
///
/// Rounding means that of the relative pose: a volume of mean depth h is good to some 1e-15 of the size per h.
/// Shapes that touch without a common inside do not overlap. The support polygon of a round contact has
/// [`super::Patch::MAX_CORNERS`] points of its rim. Overlaps with balls and capsules are counted as one piece even
/// where a mesh makes several; only [`exact`] divides overlaps into regions. The result is not finite only if a pose or a shape is not.
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
            (Kind::HalfSpace, Kind::Mesh(b)) => {
                let origin_a = w_from_a.translation - w_from_b.translation;
                let mesh_first = half_space::overlap(b, &w_from_b.relative(w_from_a));
                mesh_first.rotated(w_from_b.rotation).swapped(origin_a)
            }
            (Kind::Polyhedron(Polyhedron::Hull(a)), Kind::Mesh(b)) => {
                meshes(a.solid(), w_from_a, b, w_from_b)
            }
            (Kind::Polyhedron(a @ Polyhedron::Cuboid(_)), Kind::Mesh(b)) => {
                let a =
                    Solid::new(a.to_mesh()).expect("a cuboid of positive sides is closed and faces outwards");
                meshes(&a, w_from_a, b, w_from_b)
            }
            (Kind::Mesh(a), Kind::Mesh(b)) => meshes(a, w_from_a, b, w_from_b),
            (Kind::HalfSpace, Kind::HalfSpace)
            | (Kind::Round(_), Kind::HalfSpace)
            | (Kind::Polyhedron(_), Kind::HalfSpace | Kind::Round(_))
            | (Kind::Mesh(_), Kind::HalfSpace | Kind::Round(_) | Kind::Polyhedron(_)) => {
                unreachable!("shapes are in the order of their rank, and two half-spaces were dealt with")
            }
        },
    }
}

fn meshes(a: &Solid, w_from_a: &Pose, b: &Solid, w_from_b: &Pose) -> Overlap {
    exact::overlap(a, b, &w_from_a.relative(w_from_b)).rotated(w_from_a.rotation)
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
