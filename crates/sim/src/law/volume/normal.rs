//! Which way a contact pushes.
//!
//! The gradient of the overlap's volume is the direction in which the overlap shrinks fastest. Where one of the two
//! surfaces inside the overlap is plane, it is that plane's normal, exactly. Where a plane ends within the overlap, as a rail does
//! under a wheel that is wider, its walls are part of the surface too, and the gradient leans to the wall that is alone; the plane's
//! own normal does not. Where both are such planes, as for a box that hangs over an edge, the gradient
//! leans by the ratio of the overlap's depth to its width, and a box on little friction creeps. The
//! direction in which a thin overlap is thinnest does not lean. Curved surfaces keep their gradient, with which their
//! overlap's volume is a potential: a pile of thirty animals then takes 90 sweeps a step instead of 161.

use glam::{DVec2, DVec3};
use tactum_geometry::overlap::{Beside, PlaneSide};

use crate::NormalRule;
use crate::law::volume::geometry::{ContactGeometry, principal_axes};
use crate::law::volume::rolling::Roller;

/// How thin an overlap has to be, as one minus the ratio of its thickness to its width, for its thinnest direction to
/// count, and to count alone. No unit.
const THIN: [f64; 2] = [0.5, 0.9];

/// Largest angle between gradient and thinnest direction at which the latter may be the contact's normal: 25 degrees, as
/// its cosine. Where an overlap is deeper than wide the thinnest direction is another one. No unit.
const MIN_COSINE: f64 = 0.906_307_787_036_65;

/// How much more area the plainer surface has than vector area, as a part of that and of the overlap's thickness over its
/// length, for the surface to count as a face with a step: a slab over an edge has one or more, as its side shows as a
/// strip of the slab's thickness; a lens of curved surfaces, whose gradient does not lean, has its thickness over its
/// width, which is little. No unit.
const STEP: f64 = 0.25;

/// The geometry of a contact with the normal that a rule gives it, of bodies A and B that may be round there.
///
/// What is round bends away from whatever it touches, so that nothing of its overlap is a slab: off a plane, over an edge or a corner, its
/// gradient is the normal.
pub fn with_rule<'a>(
    geometry: ContactGeometry<'a>,
    rule: NormalRule,
    rollers: &[Roller<'_>; 2],
) -> ContactGeometry<'a> {
    if rule == NormalRule::Gradient {
        return geometry;
    }
    if rule == NormalRule::Blend {
        let rolling = match rollers.each_ref().map(Roller::rolls) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        };
        if let Some(on) = rolling.and_then(|side| on_ground(&geometry, side, &rollers[side])) {
            return on;
        }
        let plane = plane_of(&geometry).filter(|side| rolling != Some(1 - side));
        if let Some(side) = plane.and_then(|side| geometry.planes[side].as_ref()) {
            return on_plane(&geometry, side);
        }
        if geometry.has_plane || rolling.is_some() {
            return geometry;
        }
    }
    let flatness = geometry.flatness;
    let (axes, half) = principal_axes(&geometry.second_moment, geometry.volume);
    // Of an overlap that is hardly more than rounding, all of its second moment may be.
    if half[1] == 0.0 {
        return geometry;
    }
    if rule == NormalRule::Blend && flatness.excess() < STEP * half[0] / half[2] {
        return geometry;
    }
    let thinnest = axes[0] * axes[0].dot(geometry.normal).signum();
    let part = match rule {
        NormalRule::Covariance => 1.0,
        _ if thinnest.dot(geometry.normal) < MIN_COSINE => 0.0,
        _ => smoothstep(THIN[0], THIN[1], 1.0 - half[0] / half[1]),
    };
    if part == 0.0 || !thinnest.is_finite() {
        return geometry;
    }
    let normal = ((1.0 - part) * geometry.normal + part * thinnest).normalize();
    let extent = (1.0 - part) * geometry.extent + part * 2.0 * half[0];
    along(&geometry, normal, extent)
}

/// The contact in the plane of the body on which the other one, A or B, rolls, where this touches that plane and not an edge of it. What
/// falls away beside the plane is nothing to what rolls over it.
fn on_ground<'a>(
    geometry: &ContactGeometry<'a>,
    rolling: usize,
    roller: &Roller<'_>,
) -> Option<ContactGeometry<'a>> {
    let side = geometry.planes[1 - rolling].as_ref()?;
    let on = on_plane(geometry, side);
    (side.beside == Beside::Nothing || roller.touches(rolling == 1, &on)).then_some(on)
}

/// On which body the plane is that a contact lies in: one that is all of its surface, or the only one that there is.
fn plane_of(geometry: &ContactGeometry<'_>) -> Option<usize> {
    let beside = geometry.planes.each_ref().map(|side| side.as_ref().map(|side| side.beside));
    let all = beside.iter().position(|beside| *beside == Some(Beside::Nothing));
    all.or(match beside {
        [Some(Beside::Walls), None] => Some(0),
        [None, Some(Beside::Walls)] => Some(1),
        _ => None,
    })
}

fn on_plane<'a>(geometry: &ContactGeometry<'a>, side: &'a PlaneSide) -> ContactGeometry<'a> {
    let seen = match side.beside {
        Beside::Nothing => geometry.clone(),
        _ => seen(geometry, side.normal, side.axes, side.extent),
    };
    ContactGeometry { tips: &side.tips, has_plane: true, ..seen }
}

/// The geometry seen along another normal, in which it is `extent` thick.
///
/// The gradient is that part of the overlap's own that lies along the normal; about the centroid it turns as before. The
/// patch is the shadow of the old patch: of a slab that hangs over an edge exactly the slab's own width.
pub fn along<'a>(geometry: &ContactGeometry<'a>, normal: DVec3, extent: f64) -> ContactGeometry<'a> {
    let u = (geometry.axes[0] - normal * normal.dot(geometry.axes[0])).normalize();
    seen(geometry, normal, [u, normal.cross(u)], extent)
}

fn seen<'a>(
    geometry: &ContactGeometry<'a>,
    normal: DVec3,
    axes: [DVec3; 2],
    extent: f64,
) -> ContactGeometry<'a> {
    let gradient = normal * normal.dot(geometry.gradient);
    let shadow = |x: &DVec2| {
        let offset = geometry.axes[0] * x.x + geometry.axes[1] * x.y;
        DVec2::new(offset.dot(axes[0]), offset.dot(axes[1]))
    };
    let polygon: Vec<DVec2> = geometry.polygon.iter().map(shadow).collect();
    ContactGeometry {
        angular_gradient: geometry.angular_gradient + geometry.point.cross(gradient - geometry.gradient),
        gradient,
        normal,
        axes,
        polygon: polygon.into(),
        tips: &[],
        mean_depth: geometry.volume / gradient.length(),
        extent,
        ..geometry.clone()
    }
}

/// 0 below `low`, 1 above `high`, smooth between (Hermite).
pub fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};
    use tactum_geometry::mesh::generate;
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Cuboid, Overlap, Pose, Shape};

    fn contact(measured: &Overlap) -> ContactGeometry<'_> {
        ContactGeometry::of(measured).expect("a contact")
    }

    fn keeps_its_normal(measured: &Overlap) -> bool {
        with_rule(contact(measured), NormalRule::Blend, &[Roller::Not; 2]).normal == contact(measured).normal
    }

    /// A unit cube that lies `width` over a table's edge, `depth` deep, in any pose.
    fn over_the_edge(width: f64, depth: f64, turn: DQuat) -> Overlap {
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let at = DVec3::new(1.0 - width, 0.0, 1.0 - depth);
        overlap(&cube, &Pose::new(DVec3::ZERO, turn), &cube, &Pose::new(turn * at, turn))
    }

    /// The gradient leans by depth over width (D6-07), the thinnest direction and the blend do not.
    #[test]
    fn d6_07_a_cube_over_an_edge_leans_by_its_gradient_only() {
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        for (width, depth) in [(0.1, 0.01), (0.5, 0.0155), (0.5, 5e-5)] {
            let measured = over_the_edge(width, depth, turn);
            let lean = |rule| {
                let seen = with_rule(contact(&measured), rule, &[Roller::Not; 2]);
                let n = turn.inverse() * seen.normal;
                let shadow = seen.polygon.iter().map(|x| x.x.abs().min(x.y.abs())).fold(0.0, f64::max);
                (n.x / n.z, 2.0 * shadow, seen.extent, seen.area())
            };
            assert!((lean(NormalRule::Gradient).0 / (depth / width) - 1.0).abs() < 1e-9);
            for rule in [NormalRule::Covariance, NormalRule::Blend] {
                let (tilt, shadow, extent, area) = lean(rule);
                assert!(tilt.abs() < 1e-9, "{rule:?}: {tilt}");
                assert!((shadow - width).abs() < 1e-9, "{rule:?} shadow {shadow} of {width}");
                assert!((extent / depth - 1.0).abs() < 1e-8, "{rule:?} extent {extent} of {depth}");
                assert!((area - width).abs() < 1e-9, "{area}");
            }
        }
    }

    /// An overlap whose second moment is rounding, of either sign, has a normal all the same.
    #[test]
    fn an_overlap_of_no_second_moment_keeps_its_gradient() {
        for second_moment in [DMat3::ZERO, DMat3::from_diagonal(DVec3::new(-1e-28, 3e-20, -4e-24))] {
            let measured = Overlap { second_moment, ..over_the_edge(0.1, 0.01, DQuat::IDENTITY) };
            for rule in [NormalRule::Covariance, NormalRule::Blend] {
                assert_eq!(
                    with_rule(contact(&measured), rule, &[Roller::Not; 2]).normal,
                    contact(&measured).normal
                );
            }
        }
    }

    /// An overlap that is about as deep as wide has no thinnest direction: the gradient stays.
    #[test]
    fn a_stout_overlap_keeps_its_gradient() {
        for (width, depth) in [(0.03, 0.02), (0.03, 0.03), (0.02, 0.03)] {
            let measured = over_the_edge(width, depth, DQuat::IDENTITY);
            assert!(keeps_its_normal(&measured));
        }
    }

    /// Curved surfaces have no step that their gradient could lean by, however the lens between them lies.
    #[test]
    fn a_lens_keeps_its_gradient() {
        let ball = |n| Shape::from_mesh(generate::sphere(0.5, n).expect("a ball")).expect("a ball is closed");
        // Deep enough for the facets to meet, which lie up to a few millimetres inside the balls.
        for depth in [5e-3, 1e-2] {
            let at = DVec3::new(0.6, 0.2, 0.77).normalize() * (1.0 - depth);
            let measured = overlap(&ball(5120), &Pose::IDENTITY, &ball(1280), &Pose::from_translation(at));
            assert!(keeps_its_normal(&measured), "{depth}");
        }
    }

    /// A plane's normal is exact, whatever lies tilted on it.
    #[test]
    fn a_plane_keeps_its_normal() {
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let pose = Pose::new(DVec3::Z * 0.5, DQuat::from_rotation_y(1e-4));
        let measured = overlap(&Shape::HalfSpace, &Pose::IDENTITY, &cube, &pose);
        assert_ne!(measured.second_moment, DMat3::ZERO);
        assert!(keeps_its_normal(&measured));
    }
}
