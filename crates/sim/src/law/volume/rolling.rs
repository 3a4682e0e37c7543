//! Rolling: how much of a patch the centre of pressure may move over, all of it where a face stands on another, none of it where
//! a smooth surface or an edge touches.
//!
//! A ball does not stand on the rim of the small circle in which it overlaps the floor: it rolls. All normals of a ball go through its
//! centre and all of a cylinder's side through its axis, so that no pressure, wherever it acts, has a torque about them: across the
//! axis there is nothing to stand on. That holds on whatever they lie, be it one facet of a tube or the valley between two.
//!
//! Where a cylinder touches with its end or its rim, what tells a face from a curve is where the overlap has its volume. Along a direction
//! in which the depth is even, its variance is that of the patch's own area, whatever the outline; in a cap it is two thirds,
//! under a lying cylinder three fifths, under an edge one half of that.
//!
//! Both are asked only where a round body takes part. The facets of a mesh are faces, however small: taken for a
//! curve in one step and for a face in the next they would never come to rest.

use glam::{DMat2, DMat3, DVec2, DVec3};
use tactum_geometry::smooth::SmoothPoint;
use tactum_geometry::{Near, Pose, Shape, SmoothSurface, Symmetry};

use crate::Body;
use crate::constants::MAX_LANDING_SLOPE;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::normal::smoothstep;
use crate::law::volume::tilted_face::{DepthField, moments};
use crate::solver::{ContactPatch, Polygon};

/// Variance of an overlap, as a part of that of its patch, at which a direction counts as curved and as even. A cap has
/// at most 0.7 until it is a tenth of its radius deep. No unit.
const EVEN: [f64; 2] = [0.75, 0.95];

/// Product of the radii in two directions over the square of the larger one from which on a smooth surface bends both ways: far below that
/// of any ellipsoid that rolls, far above rounding. No unit.
const ONE_WAY: f64 = 1e-6;

/// A round side of a body under a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundSide {
    /// A point on the normal along which it touches, from the origin of A's shape \[m\].
    through: DVec3,
    /// What of a direction on the contact's axes is one in which the side does not bend.
    straight: DMat2,
    /// How what touches it moves over it when it turns, on the contact's axes \[m\]; see [`SmoothPoint::rounding`].
    rounding: DMat2,
}

impl RoundSide {
    /// Of a ball, a capsule, a cylinder or a cone at a pose relative to the origin of A's shape; `None` for any other shape, and where
    /// the contact is with an end, so flat on it that it may come to lie.
    pub fn of(shape: &Shape, pose: &Pose, geometry: &ContactGeometry<'_>) -> Option<Self> {
        let through = pose.translation;
        let axis = match shape.symmetry()? {
            Symmetry::Point => {
                let radius = (geometry.point - through).dot(geometry.normal).abs();
                return Some(Self {
                    through,
                    straight: DMat2::ZERO,
                    rounding: DMat2::from_diagonal(DVec2::splat(radius)),
                });
            }
            Symmetry::Axis => pose.vector(DVec3::Z),
        };
        let across = axis.cross(geometry.normal);
        if across.length() <= MAX_LANDING_SLOPE * axis.dot(geometry.normal).abs() {
            return None;
        }
        // Of the circle about the axis on which it touches the normal leaves the plane by some angle (Meusnier 1785).
        let sine = across.length();
        let out = across.cross(axis) / sine;
        let radius = (geometry.point - through).dot(out).abs() / sine;
        let across = on_axes(geometry, across / sine);
        let rounding = match shape {
            Shape::Capsule(capsule) if (geometry.point - through).dot(axis).abs() > capsule.half_length => {
                DMat2::from_diagonal(DVec2::splat(capsule.radius))
            }
            _ => outer(across) * radius,
        };
        Some(Self { through, straight: DMat2::IDENTITY - outer(across), rounding })
    }

    /// Of the smooth surface that a mesh stands for, where it touches; of one that bends both ways nothing is straight, of a cylinder what
    /// is not across.
    pub fn of_surface(SurfacePoint { place, bends, .. }: SurfacePoint) -> Self {
        let straight = DMat2::IDENTITY - outer(across(bends));
        let straight = if bends_both_ways(bends) { DMat2::ZERO } else { straight };
        Self { through: place, straight, rounding: bends }
    }

    /// Of a surface that touches in a point of it, and bends in all directions.
    pub fn of_point(SurfacePoint { place, bends, .. }: SurfacePoint) -> Self {
        Self { through: place, straight: DMat2::ZERO, rounding: bends }
    }

    /// The direction in which it does not bend, on the contact's axes; none where it bends both ways.
    pub fn straight(&self) -> DVec2 {
        let DMat2 { x_axis, y_axis } = self.straight;
        let longer = if x_axis.length_squared() < y_axis.length_squared() { y_axis } else { x_axis };
        longer.normalize_or_zero()
    }

    /// How what touches it moves over it when it turns, on the contact's axes \[m\].
    pub fn rounding(&self) -> DMat2 {
        self.rounding
    }
}

/// A point in which a smooth surface touches a contact's plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Where it is, from the origin of A's shape \[m\].
    pub place: DVec3,
    /// How it moves over the surface when that turns, on the contact's axes \[m\]; see [`SmoothPoint::rounding`].
    pub bends: DMat2,
    /// Between which places it may touch as well, from the origin of A's shape; see [`SmoothPoint::ends`] \[m\].
    pub ends: [DVec3; 2],
}

impl SurfacePoint {
    /// One at a place, which touches nowhere else.
    pub fn at(place: DVec3, bends: DMat2) -> Self {
        Self { place, bends, ends: [place; 2] }
    }

    /// Whether the surface is hollow there, as the wall of a hole is.
    pub fn is_hollow(&self) -> bool {
        self.bends.x_axis.x + self.bends.y_axis.y < 0.0
    }

    /// Where a smooth surface at a pose relative to the origin of A's shape, whose outward normal towards the contact is `out`, touches
    /// its plane over the patch; `None` where it is hollow or ends.
    pub fn of(
        surface: &SmoothSurface,
        pose: &Pose,
        out: DVec3,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let footprint = ContactPatch::polygon(&geometry.polygon);
        let is_over = |point: &Self| {
            let away = point.place - geometry.point;
            let at = on_axes(geometry, away);
            let beyond = away.dot(geometry.normal).abs() - geometry.extent;
            footprint.nearest(at).distance(at).max(beyond) <= surface.bulge()
        };
        Self::all(surface, pose, out, geometry, surface.bulge()).into_iter().find(is_over)
    }

    /// Where it touches planes across the contact's normal: all of the points that are `within` this of the overlap, others perhaps.
    pub fn all(
        surface: &SmoothSurface,
        pose: &Pose,
        out: DVec3,
        geometry: &ContactGeometry<'_>,
        within: f64,
    ) -> Vec<Self> {
        let least = (geometry.point - pose.translation).dot(out) - geometry.extent - within;
        let mut points = Vec::new();
        let toward = pose.rotation.conjugate() * out;
        surface.touching(toward, least, &Self::near(pose, geometry, within), &mut points);
        points.iter().map(|point| Self::placed(point, pose, geometry)).collect()
    }

    /// The same of points in which the surface is hollow.
    pub fn hollows(
        surface: &SmoothSurface,
        pose: &Pose,
        out: DVec3,
        geometry: &ContactGeometry<'_>,
        within: f64,
    ) -> Vec<Self> {
        let mut points = Vec::new();
        let toward = pose.rotation.conjugate() * out;
        surface.hollows(toward, &Self::near(pose, geometry, within), &mut points);
        points.iter().map(|point| Self::placed(point, pose, geometry)).collect()
    }

    /// Where on a body at a pose an overlap is, and as much about that.
    pub fn near(pose: &Pose, geometry: &ContactGeometry<'_>, within: f64) -> Near {
        let [along, across] = [geometry.extent, farthest(&geometry.polygon)].map(|x| x + within);
        Near { place: pose.inverse().point(geometry.point), radius: along.hypot(across) }
    }

    fn placed(point: &SmoothPoint, pose: &Pose, geometry: &ContactGeometry<'_>) -> Self {
        let turn = DMat3::from_quat(pose.rotation);
        let rounding = turn * point.rounding * turn.transpose();
        let [u, w] = geometry.axes.map(|axis| on_axes(geometry, rounding * axis));
        let ends = point.ends.map(|end| pose.point(end));
        Self { place: pose.point(point.place), bends: DMat2::from_cols(u, w), ends }
    }
}

/// A body that may roll in a contact.
#[derive(Clone, Copy, Debug)]
pub enum Roller<'a> {
    /// One that is not round there.
    Not,
    /// One that touches with the round side of its shape, at a pose relative to the origin of A's shape.
    Round(&'a Shape, Pose),
    /// A mesh that stands for a smooth surface, at such a pose.
    Smooth(&'a SmoothSurface, Pose),
}

impl<'a> Roller<'a> {
    /// What a body is in a contact, at a pose relative to the origin of A's shape.
    pub fn of(body: &'a Body, pose: Pose, geometry: &ContactGeometry<'_>) -> Self {
        match &body.smooth {
            Some(surface) => Self::Smooth(surface, pose),
            None if RoundSide::of(&body.shape, &pose, geometry).is_some() => Self::Round(&body.shape, pose),
            None => Self::Not,
        }
    }

    /// Whether it does.
    pub fn rolls(&self) -> bool {
        !matches!(self, Self::Not)
    }

    /// Whether it has a round side, and no facets.
    pub fn is_round(&self) -> bool {
        matches!(self, Self::Round(..))
    }

    /// Whether it touches the plane that a contact lies in within the patch, and not an edge at which the patch ends; `None` where that cannot be told from
    /// where it is lowest: of a line that crosses the patch, and of a mesh that has nothing round there, as a gear that lies on its side.
    pub fn touches(&self, is_b: bool, geometry: &ContactGeometry<'_>) -> Option<bool> {
        let toward = if is_b { -geometry.normal } else { geometry.normal };
        let mut places = Vec::new();
        let mut off = 0.0;
        let on_plane = |x: DVec3| on_axes(geometry, x - geometry.point);
        match self {
            Self::Not => return Some(false),
            // It stands on it with its end.
            Self::Round(shape, pose) if RoundSide::of(shape, pose, geometry).is_none() => return Some(true),
            Self::Round(shape, pose) => {
                let line = shape.side_line(pose.rotation.conjugate() * toward);
                places.extend(line.into_iter().flatten().map(|x| on_plane(pose.point(x))));
            }
            Self::Smooth(surface, pose) => {
                off = surface.bulge();
                let least = (geometry.point - pose.translation).dot(toward) - geometry.extent - off;
                let mut points = Vec::new();
                surface.touching(pose.rotation.conjugate() * toward, least, &Near::ANYWHERE, &mut points);
                places.extend(points.iter().map(|point| on_plane(pose.point(point.place))));
            }
        }
        let footprint = Polygon::hull(&geometry.polygon);
        let is_over = |x: DVec2| footprint.nearest(x).distance(x) <= off;
        let middle_within = |from: DVec2, to: DVec2| {
            let [enters, leaves] = footprint.span_of(from, to)?;
            Some(from.lerp(to, 0.5 * (enters + leaves)))
        };
        let crosses = |(ix, from): (usize, &DVec2)| {
            places[..ix].iter().filter_map(|to| middle_within(*from, *to)).any(is_over)
        };
        let is_line = matches!(self, Self::Round(shape, _) if shape.symmetry() != Some(Symmetry::Point));
        let touches = places.iter().any(|x| is_over(*x)) || places.iter().enumerate().any(crosses);
        (!(places.is_empty() || is_line && touches)).then_some(touches)
    }
}

/// The direction in which a surface bends that bends one way.
pub fn across(bends: DMat2) -> DVec2 {
    let longer = bends.x_axis + bends.y_axis * bends.x_axis.dot(bends.y_axis).signum();
    longer.normalize_or_zero()
}

/// Whether a surface that bends so is round in all directions.
pub fn bends_both_ways(bends: DMat2) -> bool {
    bends.determinant() > ONE_WAY * bends.x_axis.x.abs().max(bends.y_axis.y.abs()).powi(2)
}

/// How far points are from the origin at most.
pub fn farthest(points: &[DVec2]) -> f64 {
    points.iter().fold(0.0, |most, x| x.length().max(most))
}

pub fn on_axes(geometry: &ContactGeometry<'_>, x: DVec3) -> DVec2 {
    let [u, w] = geometry.axes;
    DVec2::new(u.dot(x), w.dot(x))
}

fn outer(x: DVec2) -> DMat2 {
    DMat2::from_cols(x * x.x, x * x.y)
}

/// The geometry with its contact point where the normal through it meets what those of the round sides meet.
pub fn centered<'a>(
    mut geometry: ContactGeometry<'a>,
    sides: &[Option<RoundSide>; 2],
) -> ContactGeometry<'a> {
    for side in sides.iter().flatten() {
        let [u, w] = geometry.axes;
        let off = on_axes(&geometry, side.through - geometry.point);
        let aside = off - side.straight * off;
        let point = geometry.point + u * aside.x + w * aside.y;
        geometry = at_point(geometry, point);
    }
    geometry
}

/// The geometry with its contact point at another place across the normal.
pub fn at_point<'a>(mut geometry: ContactGeometry<'a>, point: DVec3) -> ContactGeometry<'a> {
    let aside = on_axes(&geometry, point - geometry.point);
    geometry.point = point;
    geometry.polygon.to_mut().iter_mut().for_each(|x| *x -= aside);
    geometry
}

/// What of a direction is one in which neither side bends, on the contact's axes.
fn straight(sides: &[Option<RoundSide>; 2]) -> DMat2 {
    sides.iter().flatten().fold(DMat2::IDENTITY, |all, side| side.straight * all)
}

/// What of the patch may be used: the map under which its points, on `u` and `w`, are those where the centre of pressure may be.
///
/// A face that lies tilted on another has an uneven depth too. It is known by a depth that is linear over the whole patch,
/// and counts as even while it is flat enough to come to lie.
pub fn resisting_part(geometry: &ContactGeometry<'_>, sides: &[Option<RoundSide>; 2]) -> DMat2 {
    let straight = straight(sides);
    let Some((area, _, second)) = moments(&geometry.polygon) else { return straight };
    let lying = DepthField::new(geometry)
        .map_or(0.0, |field| 1.0 - smoothstep(0.5 * MAX_LANDING_SLOPE, MAX_LANDING_SLOPE, field.steepness()));
    let of_area = [second.x_axis.x, second.y_axis.y].map(|x| x / area);
    let of_volume = geometry.axes.map(|t| t.dot(geometry.second_moment * t) / geometry.volume);
    let even = |i: usize| lying.max(smoothstep(EVEN[0], EVEN[1], of_volume[i] / of_area[i]));
    straight * DMat2::from_diagonal(DVec2::new(even(0), even(1)))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    use super::*;
    use glam::{DQuat, DVec3};
    use tactum_geometry::mesh::generate::{self, Ring};
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Capsule, Cuboid, Cylinder, Pose, Shape, Sphere};

    /// What resists on a floor, along `u` and `w`.
    fn on_floor(shape: &Shape, height: f64, turn: DQuat) -> DVec2 {
        let pose = Pose::new(DVec3::Z * height, turn);
        let overlap = overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, &pose);
        let contact = ContactGeometry::of(&overlap).expect("a contact");
        let part = resisting_part(&contact, &[None, RoundSide::of(shape, &pose, &contact)]);
        assert!(part.x_axis.y.abs() < 1e-12 && part.y_axis.x.abs() < 1e-12, "{part}");
        DVec2::new(part.x_axis.x, part.y_axis.y)
    }

    #[test]
    fn faces_are_full_and_curves_are_not() {
        let cuboid = Shape::Cuboid(Cuboid { half_size: DVec3::new(0.5, 0.3, 0.2) });
        assert_eq!(on_floor(&cuboid, 0.2 - 1e-5, DQuat::IDENTITY), DVec2::ONE);
        // Tilted, and only partly in.
        assert_eq!(on_floor(&cuboid, 0.2 + 0.004, DQuat::from_rotation_y(0.01)), DVec2::ONE);
        for depth in [1e-6, 1e-3, 1e-2] {
            let ball = Shape::Sphere(Sphere { radius: 0.5 });
            assert_eq!(on_floor(&ball, 0.5 - depth, DQuat::IDENTITY), DVec2::ZERO);
        }
        // A capsule on its side: a line. u is the long axis.
        let capsule = Shape::Capsule(Capsule { radius: 0.1, half_length: 0.3 });
        let side = on_floor(&capsule, 0.1 - 1e-5, DQuat::from_rotation_x(FRAC_PI_2));
        assert!(side.x > 0.9 && side.y.abs() < 1e-15, "{side}");
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

    /// A cylinder stands on its end, but not across its side.
    #[test]
    fn a_cylinder_has_an_end_and_a_side() {
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.1, height: 0.3 });
        assert!((on_floor(&cylinder, 0.15 - 1e-5, DQuat::IDENTITY) - DVec2::ONE).abs().max_element() < 1e-9);
        let side = on_floor(&cylinder, 0.1 - 1e-5, DQuat::from_rotation_x(FRAC_PI_2));
        assert!((side.x - 1.0).abs() < 1e-9 && side.y.abs() < 1e-15, "{side}");
    }

    /// A cylinder in a tube of facets lies on one of them or in the valley between two, where the overlap's volume is at both ends of its
    /// patch: neither resists, and the normal goes through the axis.
    #[test]
    fn nothing_in_a_tube_resists_a_cylinder() {
        let size = Ring { inner_radius: 0.011, outer_radius: 0.014, height: 0.1 };
        let tube = Shape::from_mesh(generate::tube(&size, 800).expect("a tube")).expect("closed");
        let cylinder = Shape::Cylinder(Cylinder { radius: 0.01, height: 0.04 });
        for (turn, tilt) in [(0.0, 0.0), (0.03, 0.0), (0.2, 0.0), (1.0, 1e-3)] {
            let down = DQuat::from_rotation_z(turn) * DVec3::X;
            let pose = Pose::new(down * 1.3e-3, DQuat::from_rotation_y(tilt));
            let measured = overlap(&tube, &Pose::IDENTITY, &cylinder, &pose);
            for region in measured.regions() {
                let contact = ContactGeometry::of(region).expect("a contact");
                let sides = [None, RoundSide::of(&cylinder, &pose, &contact)];
                let geometry = centered(contact, &sides);
                let part = resisting_part(&geometry, &sides);
                let [u, w] = geometry.axes;
                for x in geometry.polygon.iter().map(|x| part * *x).chain([DVec2::ZERO]) {
                    let at = geometry.point + u * x.x + w * x.y - pose.translation;
                    let torque = at.cross(geometry.normal).dot(pose.vector(DVec3::Z));
                    // Some ten roundings of a lever of 10 mm.
                    assert!(torque.abs() < 2e-17, "{turn} {tilt}: {torque}");
                }
            }
        }
    }
}
