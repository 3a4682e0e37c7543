//! Where surfaces that are round touch in a point, one of them at least that of a mesh: each other, hollows, cylinders, and edges.
//!
//! The facets of two meshes cross as they happen to lie: the normal of their overlap is off by a part of the angle between facets, and
//! the force of one ball on another misses their centres and makes them spin. The surfaces that the meshes stand for touch where
//! they face each other: where the normal through a point of the one meets the other in the point that has it too. With the support
//! points `p` of both and their roundings `ρ` (the Hessians of the support functions, negative where a surface is hollow) that normal is
//! found by Newton's method,
//!
//! `(ρ_A + ρ_B) dn = -(p_A(n) - p_B(-n))` across `n`,
//!
//! for two balls in one step, whatever their facets. A cylinder touches along a line, and so does an edge, which is as a round surface without
//! radius: nothing of `dn` leads along it but what lays `n` across it. A corner is an edge's end.

use glam::{DMat2, DVec2, DVec3};
use tactum_geometry::{Near, Pose, Ridge, Shape, SmoothSurface};

use crate::Body;
use crate::law::Situation;
use crate::law::volume::choose::Chosen;
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::normal::along;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::rolling::{RoundSide, SurfacePoint, bends_both_ways, farthest, on_axes};
use crate::{ContactModel, LocalSolver, RollingRule};

/// The contact of a region of a surface that bulges out in all directions and what it may touch in a point, as seen along the normal on which
/// they face each other; `None` of any other. B is moved by `shift` for it.
pub fn facing<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    region: &ContactGeometry<'a>,
    shift: DVec3,
) -> Option<Chosen<'a>> {
    let settings = situation.settings;
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    if bodies.iter().all(|body| body.smooth.is_none()) || !may_face(situation, pair) {
        return None;
    }
    let poses = pair.poses(situation.bodies, shift);
    // Surfaces lie no farther from facets than they bulge: others that face each other nearby are not those that overlap here.
    let bulges: f64 = bodies.iter().map(|body| body.bulge()).sum();
    let seen = Touching::of(bodies, &poses, region)?;
    if (seen.depth(region) - region.extent).abs() > bulges {
        return None;
    }
    let (geometry, touching) = seen.turned(bodies, &poses, region)?;
    if region.flatness.is_shell() && !lies_in_hollow(bodies, &touching, region.normal, geometry.normal) {
        return None;
    }
    let depth = touching.depth(&geometry);
    let round = touching.sides();
    // What gives, and what is held by its volume, does so by that of the facets.
    let is_held = settings.compliance == 0.0 && settings.target_volume.is_none();
    let depth = is_held.then_some(depth);
    Some(Chosen { round, depth, ..Chosen::new(geometry, shift) })
}

/// Whether the bodies of a pair are looked at as surfaces that face each other.
pub fn may_face(situation: &Situation<'_>, pair: &PairOverlaps<'_>) -> bool {
    let settings = situation.settings;
    let is_told = settings.contact == ContactModel::Patch
        && settings.rolling == RollingRule::Auto
        && settings.local == LocalSolver::Cone;
    let is_plane = |ix: u32| matches!(situation.bodies[ix as usize].shape, Shape::HalfSpace);
    // Threads slide on each other with their flanks, and not with crests and roots that face each other beside them.
    is_told && pair.onward.is_none() && !pair.bodies.into_iter().any(is_plane)
}

/// The geometry of a contact along the normal on which the surfaces of two bodies in these poses face each other, and where they do.
pub fn turned_to_face<'a>(
    bodies: [&Body; 2],
    poses: &[Pose; 2],
    seen: &ContactGeometry<'a>,
) -> Option<(ContactGeometry<'a>, Touching)> {
    Touching::of(bodies, poses, seen)?.turned(bodies, poses, seen)
}

/// Whether what is a shell of facets is the contact of a point in a hollow. Facets turn by no more than the angles over smooth edges away from the
/// surface's own normal; the flanks of a thread, whose crests and roots have points that face each other, face another way. Neither do legs and
/// tails of animals that lie along each other touch in a point.
fn lies_in_hollow(bodies: [&Body; 2], touching: &Touching, seen: DVec3, found: DVec3) -> bool {
    let angle: f64 =
        bodies.iter().filter_map(|body| body.smooth.as_ref()).map(|surface| surface.angle()).sum();
    let is_hollow = touching.0.iter().any(|touch| touch.point.bends.x_axis.x < 0.0);
    is_hollow && found.dot(seen) >= angle.cos()
}

/// Where two bodies touch planes across a contact's normal.
pub struct Touching([Touch; 2]);

/// Where one of them does.
#[derive(Clone, Copy)]
struct Touch {
    point: SurfacePoint,
    /// The direction in which it may do so anywhere, that of an edge or of a cylinder's axis; none where it bends both ways.
    along: DVec3,
    /// The round side that rolls, where it is one.
    side: Option<RoundSide>,
}

impl Touching {
    fn of(bodies: [&Body; 2], poses: &[Pose; 2], geometry: &ContactGeometry<'_>) -> Option<Self> {
        let points = [0, 1].map(|side| point_of(bodies[side], &poses[side], side == 1, geometry));
        let under = |round: SurfacePoint, side: usize| {
            Touch::under(round, bodies[side], &poses[side], side == 1, geometry)
        };
        match points {
            [Some(a), Some(b)] => Some(Self([a, b].map(Touch::round))),
            [Some(a), None] => Some(Self([Touch::round(a), under(a, 1)?])),
            [None, Some(b)] => Some(Self([under(b, 0)?, Touch::round(b)])),
            [None, None] => Self::rolling_over_edge(bodies, poses, geometry),
        }
    }

    /// Along the normal on which the surfaces face each other, from one on which they touch planes here.
    fn turned<'a>(
        self,
        bodies: [&Body; 2],
        poses: &[Pose; 2],
        seen: &ContactGeometry<'a>,
    ) -> Option<(ContactGeometry<'a>, Self)> {
        let mut geometry = ContactGeometry { tips: &[], ..seen.clone() };
        let (mut touching, mut last) = (self, f64::INFINITY);
        loop {
            let turn = touching.turn(&geometry);
            // Between facets surfaces are not smooth to the last bit.
            if turn.length() >= last || turn == DVec2::ZERO {
                return Some((geometry, touching));
            }
            last = 0.5 * turn.length();
            let normal = geometry.normal + geometry.axes[0] * turn.x + geometry.axes[1] * turn.y;
            geometry = along(&geometry, normal.normalize(), geometry.extent);
            touching = Self::of(bodies, poses, &geometry)?;
        }
    }

    /// Where what bends one way, as a wheel, is touched by an edge or a corner of the other.
    fn rolling_over_edge(
        bodies: [&Body; 2],
        poses: &[Pose; 2],
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        [0, 1].into_iter().find_map(|side| {
            let ground = 1 - side;
            let wheel = Touch::on_wheel(bodies[side].smooth.as_ref()?, &poses[side], side == 1, geometry)?;
            let out = out_of(ground, geometry);
            let on = Touch::on_edge(wheel.point, out, bodies[ground], &poses[ground], geometry)?;
            // The wheel's own line says how the normal may lean along the two.
            let edge = Touch { along: DVec3::ZERO, ..on };
            Some(Self(if side == 0 { [wheel, edge] } else { [edge, wheel] }))
        })
    }

    /// The round sides of both, where they roll on them.
    pub fn sides(&self) -> [Option<RoundSide>; 2] {
        self.0.map(|touch| touch.side)
    }

    /// The middle between where they do.
    pub fn middle(&self) -> DVec3 {
        let [a, b] = self.0;
        0.5 * (a.point.place + b.point.place)
    }

    /// How deep they are in each other along the normal \[m\].
    pub fn depth(&self, geometry: &ContactGeometry<'_>) -> f64 {
        let [a, b] = self.0;
        (a.point.place - b.point.place).dot(geometry.normal)
    }

    /// By how much the normal has to turn for them to face each other, on the contact's axes.
    fn turn(&self, geometry: &ContactGeometry<'_>) -> DVec2 {
        let [a, b] = self.0;
        let bends = a.point.bends + b.point.bends;
        let off = on_axes(geometry, b.point.place - a.point.place);
        let line = a.along + b.along;
        let Some(along) = on_axes(geometry, line).try_normalize() else {
            return bends.inverse() * off;
        };
        let across = along.perp();
        let lift = geometry.normal.dot(line) / on_axes(geometry, line).length();
        across * (off.dot(across) / across.dot(bends * across)) - along * lift
    }
}

impl Touch {
    fn round(point: SurfacePoint) -> Self {
        Self { point, along: DVec3::ZERO, side: Some(RoundSide::of_point(point)) }
    }

    /// Where a body that does not bulge out to a round point of another one is touched by it: on an edge that is nearest to the centre about which
    /// that bends, or in a hollow that is wider, or on a cylinder; `None` where it is nothing of these.
    fn under(
        round: SurfacePoint,
        body: &Body,
        pose: &Pose,
        is_b: bool,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let out = if is_b { -geometry.normal } else { geometry.normal };
        let wider = |touch: &Self| {
            let bends = round.bends + touch.point.bends;
            touch.along != DVec3::ZERO || bends.determinant() > 0.0 && bends.x_axis.x < 0.0
        };
        Self::on_edge(round, out, body, pose, geometry)
            .or_else(|| Self::on_side(round, body, pose, geometry))
            .or_else(|| Self::on_surface(round, out, body, pose, geometry).filter(wider))
    }

    fn on_edge(
        round: SurfacePoint,
        out: DVec3,
        body: &Body,
        pose: &Pose,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let ways = if bends_both_ways(round.bends) { 2.0 } else { 1.0 };
        let radius = (round.bends.x_axis.x + round.bends.y_axis.y) / ways;
        let own = pose.inverse();
        let center = own.point(round.place + out * radius);
        let reach = farthest(&geometry.polygon).hypot(geometry.extent) + round.place.distance(geometry.point);
        let near = Near { place: own.point(geometry.point), radius: reach };
        let is_sharp =
            |ridge: &Ridge| body.smooth.as_ref().is_none_or(|surface| ridge.turn() > surface.angle());
        let mut found: Option<(f64, DVec3, Ridge)> = None;
        for ridge in body.shape.ridges(&near) {
            let nearest = ridge.nearest(center);
            let off = nearest.distance_squared(center);
            if found.is_none_or(|(least, ..)| off < least) && is_sharp(&ridge) {
                found = Some((off, nearest, ridge));
            }
        }
        let (_, nearest, ridge) = found?;
        let along = if ridge.ends.contains(&nearest) { DVec3::ZERO } else { pose.vector(ridge.along()) };
        let point = SurfacePoint { place: pose.point(nearest), bends: DMat2::ZERO };
        ridge.is_before(center - nearest).then_some(Self { point, along, side: None })
    }

    /// On the round side of a capsule, a cylinder or a cone.
    fn on_side(
        round: SurfacePoint,
        body: &Body,
        pose: &Pose,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let side = RoundSide::of(&body.shape, pose, geometry)?;
        let out = (round.place - pose.translation).reject_from(pose.vector(DVec3::Z));
        let line = body.shape.side_line(pose.rotation.conjugate() * out.try_normalize()?)?;
        let [from, to] = line.map(|x| pose.point(x));
        let along = (to - from).try_normalize()?;
        let part = (round.place - from).dot(along);
        let point = SurfacePoint { place: from + along * part, bends: side.rounding() };
        (part > 0.0 && part < from.distance(to)).then_some(Self { point, along, side: Some(side) })
    }

    /// On the smooth surface of a mesh, in a hollow or where it bends one way.
    fn on_surface(
        round: SurfacePoint,
        out: DVec3,
        body: &Body,
        pose: &Pose,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let surface = body.smooth.as_ref()?;
        let within = width(surface, surface.size());
        let mut points = SurfacePoint::hollows(surface, pose, out, geometry, within);
        points.extend(SurfacePoint::all(surface, pose, out, geometry, within));
        let both_ways = points.iter().copied().filter(|point| bends_both_ways(point.bends));
        if let Some(point) = nearest(both_ways, geometry) {
            return near_patch(surface, &point, geometry).then(|| Self::round(point));
        }
        let touch = Self::on_line(nearest(points.iter().copied(), geometry)?, round.place, geometry);
        near_patch(surface, &touch.point, geometry).then_some(touch)
    }

    /// On the side of a mesh that bends one way, as far along its line as the contact is.
    fn on_wheel(
        surface: &SmoothSurface,
        pose: &Pose,
        is_b: bool,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Self> {
        let out = out_of(usize::from(is_b), geometry);
        let points = SurfacePoint::all(surface, pose, out, geometry, width(surface, surface.size()));
        let point = nearest(points.into_iter(), geometry)?;
        let touch = Self::on_line(point, geometry.point, geometry);
        // What bends less than the body is wide is a face.
        let radius = point.bends.x_axis.x + point.bends.y_axis.y;
        let is_wheel =
            !bends_both_ways(point.bends) && touch.along != DVec3::ZERO && radius <= surface.size();
        (is_wheel && near_patch(surface, &touch.point, geometry)).then_some(touch)
    }

    /// On the line along which a surface does not bend, as far along it as a place is.
    fn on_line(point: SurfacePoint, place: DVec3, geometry: &ContactGeometry<'_>) -> Self {
        let side = RoundSide::of_surface(point);
        let [u, w] = geometry.axes;
        let straight = side.straight();
        let along = u * straight.x + w * straight.y;
        let point = SurfacePoint { place: point.place + along * along.dot(place - point.place), ..point };
        Self { point, along, side: Some(side) }
    }
}

/// Where a body touches a plane across the contact's normal, if it bulges out to it.
fn point_of(body: &Body, pose: &Pose, is_b: bool, geometry: &ContactGeometry<'_>) -> Option<SurfacePoint> {
    match &body.shape {
        Shape::Sphere(sphere) => {
            let out = if is_b { -geometry.normal } else { geometry.normal };
            Some(SurfacePoint {
                place: pose.translation + out * sphere.radius,
                bends: DMat2::from_diagonal(DVec2::splat(sphere.radius)),
            })
        }
        _ => smooth_point(body.smooth.as_ref()?, pose, is_b, geometry),
    }
}

/// Where the smooth surface of a mesh bulges out to touch that plane, nearest to the patch.
fn smooth_point(
    surface: &SmoothSurface,
    pose: &Pose,
    is_b: bool,
    geometry: &ContactGeometry<'_>,
) -> Option<SurfacePoint> {
    let out = if is_b { -geometry.normal } else { geometry.normal };
    let points = SurfacePoint::all(surface, pose, out, geometry, width(surface, surface.size()));
    let bulging = points.into_iter().filter(|point| bends_both_ways(point.bends));
    nearest(bulging, geometry).filter(|point| near_patch(surface, point, geometry))
}

/// The way out of a body, A or B, across a contact.
fn out_of(side: usize, geometry: &ContactGeometry<'_>) -> DVec3 {
    if side == 1 { -geometry.normal } else { geometry.normal }
}

fn nearest(
    points: impl Iterator<Item = SurfacePoint>,
    geometry: &ContactGeometry<'_>,
) -> Option<SurfacePoint> {
    let off = |point: &SurfacePoint| point.place.distance(geometry.point);
    points.min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Whether a point is not farther from the patch than facets are wide, as the normal that it is sought along may be that of one.
fn near_patch(surface: &SmoothSurface, point: &SurfacePoint, geometry: &ContactGeometry<'_>) -> bool {
    let across = farthest(&geometry.polygon).max(geometry.extent);
    let radius = (point.bends.x_axis.x + point.bends.y_axis.y).abs();
    point.place.distance(geometry.point) <= across + width(surface, radius)
}

/// How wide facets of a surface are where it bends with this radius: a chord that a circle of radius R bulges out from by `b` is √(8 R b) wide.
fn width(surface: &SmoothSurface, radius: f64) -> f64 {
    (8.0 * radius * surface.bulge()).sqrt() + surface.bulge()
}
