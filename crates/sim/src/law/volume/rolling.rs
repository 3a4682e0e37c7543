//! Rolling: how much of a patch the centre of pressure may move over, all of it where a face stands on another, none of it where
//! a smooth surface or an edge touches.
//!
//! A ball does not stand on the rim of the small circle in which it overlaps the floor: it rolls. What tells a face from
//! a curve is where the overlap has its volume. Along a direction in which the depth is even, its variance is that of the
//! patch's own area, whatever the outline; in a cap it is two thirds, under a lying cylinder three fifths, under an edge
//! one half of that.
//!
//! The measurement is asked only where a round body takes part. The facets of a mesh are faces, however small: taken for a
//! curve in one step and for a face in the next they would never come to rest.

use glam::DVec2;

use crate::constants::MAX_LANDING_SLOPE;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::normal::smoothstep;
use crate::law::volume::tilted_face::{DepthField, moments};

/// Variance of an overlap, as a part of that of its patch, at which a direction counts as curved and as even. A cap has
/// at most 0.7 until it is a tenth of its radius deep. No unit.
const EVEN: [f64; 2] = [0.75, 0.95];

/// By how much of itself the patch may be used along `u` and `w`, 0 to 1 each.
///
/// A face that lies tilted on another has an uneven depth too. It is known by a depth that is linear over the whole patch,
/// and counts as even while it is flat enough to come to lie.
pub fn resisting_part(geometry: &ContactGeometry<'_>) -> DVec2 {
    let Some((area, _, second)) = moments(&geometry.polygon) else { return DVec2::ONE };
    let lying = DepthField::new(geometry)
        .map_or(0.0, |field| 1.0 - smoothstep(0.5 * MAX_LANDING_SLOPE, MAX_LANDING_SLOPE, field.steepness()));
    let of_area = [second.x_axis.x, second.y_axis.y].map(|x| x / area);
    let of_volume = geometry.axes.map(|t| t.dot(geometry.second_moment * t) / geometry.volume);
    let even = |i: usize| lying.max(smoothstep(EVEN[0], EVEN[1], of_volume[i] / of_area[i]));
    DVec2::new(even(0), even(1))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    use super::*;
    use glam::{DQuat, DVec3};
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Capsule, Cuboid, Pose, Shape, Sphere};

    fn on_floor(shape: &Shape, height: f64, turn: DQuat) -> DVec2 {
        let pose = Pose::new(DVec3::Z * height, turn);
        let overlap = overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, &pose);
        resisting_part(&ContactGeometry::of(&overlap).expect("a contact"))
    }

    #[test]
    fn faces_are_full_and_curves_are_not() {
        let cuboid = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.3, 0.2) });
        assert_eq!(on_floor(&cuboid, 0.2 - 1e-5, DQuat::IDENTITY), DVec2::ONE);
        // Tilted, and only partly in.
        assert_eq!(on_floor(&cuboid, 0.2 + 0.004, DQuat::from_rotation_y(0.01)), DVec2::ONE);
        for depth in [1e-6, 1e-3, 1e-2] {
            assert_eq!(
                on_floor(&Shape::Sphere(Sphere { radius: 0.5 }), 0.5 - depth, DQuat::IDENTITY),
                DVec2::ZERO
            );
        }
        // A capsule on its side: a line. u is the long axis.
        let capsule = Shape::Capsule(Capsule { radius: 0.1, half_length: 0.3 });
        let side = on_floor(&capsule, 0.1 - 1e-5, DQuat::from_rotation_x(FRAC_PI_2));
        assert!(side.x > 0.9 && side.y == 0.0, "{side}");
        // A box on an edge: a line as well; on a corner: a point.
        let edge = on_floor(
            &cuboid,
            0.5 * 0.5_f64.sqrt() + 0.2 * 0.5_f64.sqrt() - 1e-4,
            DQuat::from_rotation_y(FRAC_PI_4),
        );
        assert!((edge.x - 1.0).abs() < 1e-9 && edge.y == 0.0, "{edge}");
        let turn = DQuat::from_rotation_arc(DVec3::new(0.5, 0.3, 0.2).normalize(), DVec3::NEG_Z);
        let corner = on_floor(&cuboid, 0.38_f64.sqrt() - 1e-4, turn);
        assert!(corner.max_element() < 0.1, "{corner}");
    }
}
