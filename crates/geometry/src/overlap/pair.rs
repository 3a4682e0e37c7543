//! Which method measures the overlap of which shapes.

use super::round::{
    capsule_capsule, capsule_mesh, capsule_polyhedron, frustum_mesh, frustum_polyhedron, frustum_round,
};
use super::{Overlap, convex, exact, half_space, sphere};
use crate::{Pose, Shape};

/// The overlap of two posed shapes: world axes, positions relative to A's origin.
///
/// | pair | method | accuracy |
/// |---|---|---|
/// | cuboid, hull, half-space with a cuboid or hull | one cut by the planes of the other | rounding |
/// | mesh with mesh, cuboid, hull or half-space | [`exact`] | rounding |
/// | ball with ball or half-space | closed form | rounding |
/// | ball or capsule with half-space, cuboid, hull or mesh | integrals along arcs | rounding |
/// | cylinder or cone with half-space, cuboid, hull or mesh | integrals along arcs | rounding |
/// | ball, capsule, cylinder or cone with cylinder or cone | as with a hull that takes the latter's place, its sides the narrower the nearer they are to the contact | 1e-4 of the volume and of the surface |
/// | ball or capsule with capsule | integral over directions from a point inside | 1e-5 of the volume up to a tenth of the radius deep, 0.3 % beyond; gradients as much of the surface |
/// | any other with any | [`exact`] for the solids that stand for them, see [`Shape::to_solid`] | that of the solids |
/// | two half-spaces | none: [`Overlap::EMPTY`], as their overlap is not bounded | |
///
/// Rounding means that of the relative pose: a volume of mean depth h is good to some 1e-15 of the size per h.
/// Shapes that touch without a common inside do not overlap, nor do those that [`Shape::check`] refuses have to. The support
/// polygon of a round contact has [`super::Patch::MAX_CORNERS`] points of its rim. Regions are told apart by [`exact`], and where
/// a ball, a capsule, a cylinder or a cone meets a mesh in several places; any other overlap is one piece. The result is not finite only if
/// a pose or a shape is not.
pub fn overlap(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    let origin_a = w_from_a.translation - w_from_b.translation;
    let overlap = by_table(a, w_from_a, b, w_from_b)
        .or_else(|| Some(by_table(b, w_from_b, a, w_from_a)?.swapped(origin_a)))
        .unwrap_or_else(|| by_solids(a, w_from_a, b, w_from_b));
    if overlap.is_rounding(a.size().min(b.size())) { Overlap::EMPTY } else { overlap }
}

/// The table of pairs: their overlap by the method that is for them, `None` if they are not listed in this order.
fn by_table(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Option<Overlap> {
    use Shape::{Capsule, Cone, Convex, Cuboid, Cylinder, HalfSpace, Mesh, Sphere};
    Some(match (a, b) {
        (HalfSpace, Sphere(b)) => sphere::half_space_overlap(w_from_a, b.radius, w_from_b.translation),
        (HalfSpace, Capsule(b)) => capsule_polyhedron::half_space_overlap(w_from_a, b, w_from_b),
        (HalfSpace, Cylinder(b)) => frustum_polyhedron::half_space_overlap(w_from_a, &b.into(), w_from_b),
        (HalfSpace, Cone(b)) => frustum_polyhedron::half_space_overlap(w_from_a, &b.into(), w_from_b),
        (HalfSpace, Cuboid(b)) => convex::half_space_overlap(w_from_a, &b.into(), w_from_b),
        (HalfSpace, Convex(b)) => convex::half_space_overlap(w_from_a, &b.into(), w_from_b),

        (Sphere(a), Sphere(b)) => {
            sphere::pair_overlap(a.radius, w_from_a.translation, b.radius, w_from_b.translation)
        }
        (Sphere(a), Capsule(b)) => capsule_capsule::overlap(&a.into(), w_from_a, b, w_from_b),
        (Sphere(a), Cylinder(b)) => frustum_round::capsule_overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Sphere(a), Cone(b)) => frustum_round::capsule_overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Sphere(a), Cuboid(b)) => capsule_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Sphere(a), Convex(b)) => capsule_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Sphere(a), Mesh(b)) => capsule_mesh::overlap(&a.into(), w_from_a, b, w_from_b),

        (Capsule(a), Capsule(b)) => capsule_capsule::overlap(a, w_from_a, b, w_from_b),
        (Capsule(a), Cylinder(b)) => frustum_round::capsule_overlap(a, w_from_a, &b.into(), w_from_b),
        (Capsule(a), Cone(b)) => frustum_round::capsule_overlap(a, w_from_a, &b.into(), w_from_b),
        (Capsule(a), Cuboid(b)) => capsule_polyhedron::overlap(a, w_from_a, &b.into(), w_from_b),
        (Capsule(a), Convex(b)) => capsule_polyhedron::overlap(a, w_from_a, &b.into(), w_from_b),
        (Capsule(a), Mesh(b)) => capsule_mesh::overlap(a, w_from_a, b, w_from_b),

        (Cylinder(a), Cylinder(b)) => frustum_round::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cylinder(a), Cone(b)) => frustum_round::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cylinder(a), Cuboid(b)) => frustum_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cylinder(a), Convex(b)) => frustum_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cylinder(a), Mesh(b)) => frustum_mesh::overlap(&a.into(), w_from_a, b, w_from_b),
        (Cone(a), Cone(b)) => frustum_round::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cone(a), Cuboid(b)) => frustum_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cone(a), Convex(b)) => frustum_polyhedron::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cone(a), Mesh(b)) => frustum_mesh::overlap(&a.into(), w_from_a, b, w_from_b),

        (Cuboid(a), Cuboid(b)) => convex::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Cuboid(a), Convex(b)) => convex::overlap(&a.into(), w_from_a, &b.into(), w_from_b),
        (Convex(a), Convex(b)) => convex::overlap(&a.into(), w_from_a, &b.into(), w_from_b),

        (HalfSpace | Cuboid(_) | Convex(_) | Mesh(_), Mesh(_)) => by_solids(a, w_from_a, b, w_from_b),
        _ => return None,
    })
}

/// The overlap of any two shapes: that of the solids that stand for them.
fn by_solids(a: &Shape, w_from_a: &Pose, b: &Shape, w_from_b: &Pose) -> Overlap {
    let origin_a = w_from_a.translation - w_from_b.translation;
    match (a.to_solid(), b.to_solid()) {
        (Some(a), Some(b)) => exact::overlap(&a, &b, &w_from_a.relative(w_from_b)).rotated(w_from_a.rotation),
        (None, Some(b)) if !a.is_bounded() => {
            let mesh_first = half_space::overlap(&b, &w_from_b.relative(w_from_a));
            mesh_first.rotated(w_from_b.rotation).swapped(origin_a)
        }
        (Some(_), None) if !b.is_bounded() => by_solids(b, w_from_b, a, w_from_a).swapped(origin_a),
        _ => Overlap::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::{Capsule, Cuboid, Sphere};

    /// What has no method of its own is measured by solids; those of smooth shapes are inscribed, so that a contact with a
    /// patch of radius r, a tenth of theirs and more, loses little.
    #[test]
    fn the_general_method_agrees_with_the_methods_of_the_table() {
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        let capsule = Shape::Capsule(Capsule { radius: 0.3, half_length: 0.4 });
        let cuboid = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.4, 0.3) });
        let shapes = [&Shape::HalfSpace, &ball, &capsule, &cuboid];
        let at = |x, y, z| Pose::new(DVec3::new(x, y, z), DQuat::from_rotation_y(0.3));
        let (w_from_a, w_from_b) = (at(0.1, 0.2, 0.3), at(0.3, 0.1, 0.5));
        for (i, a) in shapes.into_iter().enumerate() {
            for (j, b) in shapes.into_iter().enumerate() {
                let [listed, general] = [overlap, by_solids].map(|by| by(a, &w_from_a, b, &w_from_b));
                assert_eq!(listed.kind, general.kind, "{a:?} {b:?}");
                if i == 0 && j == 0 {
                    assert_eq!(general, Overlap::EMPTY);
                    continue;
                }
                assert!(listed.volume > 0.01);
                // Half a per cent of a ball's volume, twice.
                assert!((general.volume / listed.volume - 1.0).abs() < 0.02, "{a:?} {b:?}");
                assert!(general.centroid.distance(listed.centroid) < 2e-3, "{a:?} {b:?}");
                let change = general.gradient.distance(listed.gradient);
                assert!(change < 0.02 * listed.areas[0].min(listed.areas[1]), "{a:?} {b:?} {change}");
            }
        }
    }

    #[test]
    fn a_shape_that_encloses_nothing_overlaps_nothing() {
        let none = Shape::Cuboid(Cuboid { half_size: DVec3::new(1.0, 0.0, f64::NAN) });
        let ball = Shape::Sphere(Sphere { radius: 0.5 });
        assert_eq!(by_solids(&none, &Pose::IDENTITY, &ball, &Pose::IDENTITY), Overlap::EMPTY);
        assert_eq!(by_solids(&ball, &Pose::IDENTITY, &none, &Pose::IDENTITY), Overlap::EMPTY);
    }
}
