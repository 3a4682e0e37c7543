//! Which way a contact pushes.
//!
//! The gradient of the overlap's volume is the direction in which the overlap shrinks fastest. Where one of the two
//! surfaces inside the overlap is plane, it is that plane's normal, exactly. Where a plane ends within the overlap, as a rail does
//! under a wheel that is wider, its walls are part of the surface too, and the gradient leans to the wall that is alone; the plane's
//! own normal does not. Where both are such planes, as for a box that hangs over an edge, the gradient
//! leans by the ratio of the overlap's depth to its width, and a box on little friction creeps. The plane off which it leans less
//! is the face that is touched. How much it may lean is told by how deep the overlap is in the mean: what leans over an edge, a plank or
//! a can, is in it with a wedge, and pushed across its own side, which is the gradient. Where no plane is known the
//! direction in which a thin overlap is thinnest stands for one. Curved surfaces keep their gradient, with which their
//! overlap's volume is a potential: a pile of thirty animals then takes 90 sweeps a step instead of 161.

use glam::{DVec2, DVec3};
use tactum_geometry::overlap::{Beside, PlaneSide};

use crate::NormalRule;
use crate::law::volume::geometry::{ContactGeometry, principal_axes};
use crate::law::volume::rolling::Roller;

/// How thin an overlap has to be, as one minus the ratio of its thickness to its width, for its thinnest direction to
/// count, and to count alone. No unit.
const THIN: [f64; 2] = [0.5, 0.9];

/// Largest angle between gradient and another direction, the thinnest or a plane's, at which the latter may be the contact's normal: 25 degrees, as
/// its cosine. Where an overlap is deeper than wide the thinnest direction is another one; one that is so far aslant of the way is no gradient to go by. No unit.
pub const MIN_COSINE: f64 = 0.906_307_787_036_65;

/// By how many times as much as the height of the lower one of two even walls over a layer's width a gradient may lean off a plane. No unit. Under
/// a cylinder, half of which is over the end of a table, it is twice as much, and so it is of a layer with the outline of a triangle.
const WALLS: f64 = 4.0;

/// How much more area the plainer surface has than vector area, as a part of that and of the overlap's thickness over its
/// length, for the surface to count as a face with a step: a slab over an edge has one or more, as its side shows as a
/// strip of the slab's thickness; a lens of curved surfaces, whose gradient does not lean, has its thickness over its
/// width, which is little. No unit.
const STEP: f64 = 0.25;

/// The geometry of a contact with the normal that a rule gives it, of bodies A and B that may be round there.
///
/// What is round bends away from whatever it touches, so that nothing of its overlap is a slab, but where a line of it lies on a plane: off that, over an
/// edge or a corner, its gradient is the normal.
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
        let may_lie_in = |side: &usize| rolling != Some(1 - side) && is_leaned_off(&geometry, *side);
        if let Some(side) =
            plane_of(&geometry).filter(may_lie_in).and_then(|side| geometry.planes[side].as_ref())
        {
            return on_plane(&geometry, side);
        }
        if geometry.has_plane || rolling.is_some() {
            return geometry;
        }
    }
    // A plane of two that bend, as of a ball on the rim of a hole, says nothing of where they do.
    let bend = rollers.iter().all(Roller::rolls);
    if rule == NormalRule::Blend && !bend && geometry.planes.iter().any(Option::is_some) {
        return nearest_plane(&geometry)
            .map_or(geometry.clone(), |side| along(&geometry, side.normal, side.extent));
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
    let touches =
        || roller.touches(rolling == 1, &on).unwrap_or_else(|| is_leaned_off(geometry, 1 - rolling));
    (side.beside == Beside::Nothing || touches()).then_some(on)
}

/// Whether walls of both bodies, between which an overlap ends on two sides, can have made its gradient lean off the plane of one of them.
///
/// Of a layer of width w whose walls are `d₁ >= d₂` high, the gradient leans by `d₁ / w` off the face of the body that has the higher one, and by `d₂ / w` off that of
/// the other. The layer is `d₁` deep at most and `(d₁ + d₂) / 2` in the mean, which tells d₂. What leans over an edge with a side of its own overlaps in a
/// wedge, of which d₂ is nothing, and two edges that cross in less: there the gradient is the normal. Walls that are higher in their middle, or
/// longer than the layer is on average, make it lean by more, see [`WALLS`].
fn is_leaned_off(geometry: &ContactGeometry<'_>, side: usize) -> bool {
    let Some(plane) = &geometry.planes[side] else { return false };
    let facing = geometry.gradient.dot(plane.normal);
    let leaning = geometry.gradient - facing * plane.normal;
    let lower = (2.0 * geometry.volume / facing - plane.extent).max(0.0);
    let across = DVec2::from(geometry.axes.map(|axis| axis.dot(leaning))).normalize_or_zero();
    let along = geometry.polygon.iter().map(|x| x.dot(across));
    let width = along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min);
    plane.beside == Beside::Nothing || leaning.length() * width <= WALLS * lower * facing
}

/// Of the planes of both bodies that one off which the gradient leans least, and by no more than walls can have made it: where two faces lie in each other
/// over an edge of both, it is the face of the body whose own edge is less deep in the other. Beside a facet its neighbours lean the gradient too.
fn nearest_plane<'a>(geometry: &ContactGeometry<'a>) -> Option<&'a PlaneSide> {
    let are_both = geometry.planes.iter().all(Option::is_some);
    let is_facet = |plane: &PlaneSide| are_both && plane.beside == Beside::Slopes;
    let lies = |side: &usize| {
        is_leaned_off(geometry, *side) || geometry.planes[*side].as_ref().is_some_and(is_facet)
    };
    let planes = [0, 1].into_iter().filter(lies).filter_map(|side| geometry.planes[side].as_ref());
    let cosine = |plane: &PlaneSide| plane.normal.dot(geometry.normal);
    let near = planes.filter(|plane| cosine(plane) >= MIN_COSINE);
    near.max_by(|a, b| cosine(a).total_cmp(&cosine(b)))
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
    use crate::law::volume::rolling::RoundSide;
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
            let mut measured = Overlap { second_moment, ..over_the_edge(0.1, 0.01, DQuat::IDENTITY) };
            measured.patch.as_mut().expect("a patch").planes = [None, None];
            for rule in [NormalRule::Covariance, NormalRule::Blend] {
                assert_eq!(
                    with_rule(contact(&measured), rule, &[Roller::Not; 2]).normal,
                    contact(&measured).normal
                );
            }
        }
    }

    /// The normal of B in a contact with a unit cube whose edge along y is the origin, its top z = 0 and its side x = 0.
    fn on_edge_of_cube(b: &Shape, pose: &Pose) -> DVec3 {
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let at = Pose::from_translation(DVec3::new(0.5, 0.0, -0.5));
        let measured = overlap(&cube, &at, b, pose);
        let geometry = contact(&measured);
        let poses = Pose { translation: pose.translation - at.translation, ..*pose };
        let rolls = RoundSide::of(b, &poses, &geometry).is_some();
        let roller = if rolls { Roller::Round(b, poses) } else { Roller::Not };
        with_rule(geometry, NormalRule::Blend, &[Roller::Not, roller]).normal
    }

    /// What leans over an edge is pushed across its own side, however little it leans and however deep it is: a plank, a can and a hexagonal bar on an edge
    /// of its own, whose two edges cross.
    #[test]
    fn what_leans_over_an_edge_has_the_normal_of_its_side() {
        let bar =
            generate::prism(&generate::Prism { sides: 6, radius: 0.03, height: 0.3 }, 0).expect("a bar");
        let shapes = [
            Shape::Cuboid(Cuboid { half_size: DVec3::new(0.03, 0.03, 0.15) }),
            Shape::Cylinder(tactum_geometry::Cylinder { radius: 0.03, height: 0.3 }),
            Shape::from_mesh(bar).expect("closed"),
        ];
        for (shape, degrees) in shapes.iter().flat_map(|shape| [1.0_f64, 5.0, 20.0].map(|lean| (shape, lean)))
        {
            let (s, c) = degrees.to_radians().sin_cos();
            let side = DVec3::new(-s, 0.0, c);
            let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2 - degrees.to_radians());
            for depth in [1e-6, 1e-3] {
                let pose = Pose::new(side * (0.03 - depth), turn);
                let normal = on_edge_of_cube(shape, &pose);
                // Roundings of 1e-16 m over depths of 1e-6 m. Seen: 8e-12.
                assert!(normal.distance(side) < 1e-10, "{shape:?} {degrees} {depth}: {normal}");
            }
        }
    }

    /// What lies on a face over its edge has that face's normal, half a can no less than a cube.
    #[test]
    fn what_lies_over_an_edge_has_the_normal_of_the_face() {
        let can = Shape::Cylinder(tactum_geometry::Cylinder { radius: 0.03, height: 0.3 });
        for depth in [1e-6, 1e-3] {
            let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
            let normal = on_edge_of_cube(&can, &Pose::new(DVec3::Z * (0.03 - depth), turn));
            assert!(normal.distance(DVec3::Z) < 1e-12, "{depth}: {normal}");
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
