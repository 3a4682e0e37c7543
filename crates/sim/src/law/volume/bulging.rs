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
use crate::law::volume::lying_in_hollow;
use crate::law::volume::normal::along;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::rolling::{RoundSide, SurfacePoint, bends_both_ways, farthest, on_axes};
use crate::{ContactModel, LocalSolver, RollingRule};

/// The contact of a region of a surface that bulges out in all directions and what it may touch in a point, or of one that lies along a hollow, as
/// seen along the normal on which they face each other; `None` of any other. B is moved by `shift` for it.
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
    // Surfaces lie no farther from facets than they bulge: others that face each other nearby are not those that overlap here.
    let bulges: f64 = bodies.iter().map(|body| body.bulge()).sum();
    let poses = pair.poses(situation.bodies, shift);
    let fits = |touching: &Touching, geometry: &ContactGeometry<'_>| {
        let aslant = farthest(&region.polygon) * geometry.normal.distance(region.normal);
        let depth = touching.depth(geometry);
        // Where facets are apart as the bodies are, surfaces are in each other by no more than that either.
        let is_near = shift == DVec3::ZERO || depth + shift.dot(geometry.normal) <= bulges;
        is_near && (depth - region.extent).abs() <= bulges + aslant
    };
    let seen = Touching::of(bodies, &poses, region)?;
    // What gives, and what is held by its volume, does so by that of the facets.
    let is_held = settings.compliance == 0.0 && settings.target_volume.is_none();
    if seen.is_line() {
        return if is_held { lying_in_hollow::along_hollow(situation, pair, region, shift) } else { None };
    }
    if !fits(&seen, region) {
        return None;
    }
    let (geometry, touching) = seen.turned(bodies, &poses, region)?;
    if !fits(&touching, &geometry) {
        return None;
    }
    if region.flatness.is_shell() && !lies_in_hollow(bodies, &touching, region.normal, geometry.normal) {
        return None;
    }
    let depth = touching.depth(&geometry);
    let round = touching.sides();
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
    let is_hollow = touching.0.iter().any(|touch| touch.point.is_hollow());
    is_hollow && found.dot(seen) >= angle.cos()
}

/// Where two bodies touch planes across a contact's normal.
pub struct Touching(pub [Touch; 2]);

/// Where one of them does.
#[derive(Clone, Copy)]
pub struct Touch {
    pub point: SurfacePoint,
    /// The direction in which it may do so anywhere, that of an edge or of a cylinder's axis; none where it bends both ways.
    pub along: DVec3,
    /// The round side that rolls, where it is one.
    pub side: Option<RoundSide>,
}

impl Touching {
    fn of(bodies: [&Body; 2], poses: &[Pose; 2], geometry: &ContactGeometry<'_>) -> Option<Self> {
        let sides = [0, 1].map(|side| Side::new(bodies[side], poses[side], side, geometry));
        let under = |round: SurfacePoint, side: usize| sides[side].under(round, geometry);
        match [0, 1].map(|side| sides[side].bulging(geometry)) {
            [Some(a), Some(b)] => Some(Self([a, b].map(Touch::round))),
            [Some(a), None] => Some(Self([Touch::round(a), under(a, 1)?])),
            [None, Some(b)] => Some(Self([under(b, 0)?, Touch::round(b)])),
            // The rim of a hole is an edge of facets; its wall is the surface.
            [None, None] => lying_in_hollow::in_hollow(&sides, geometry)
                .or_else(|| Self::rolling_over_edge(&sides, geometry)),
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
    fn rolling_over_edge(sides: &[Side<'_>; 2], geometry: &ContactGeometry<'_>) -> Option<Self> {
        [0, 1].into_iter().find_map(|side| {
            let wheel = sides[side].on_wheel(geometry)?;
            let on = sides[1 - side].on_edge(wheel.point, geometry)?;
            // The wheel's own line says how the normal may lean along the two.
            let edge = Touch { along: DVec3::ZERO, ..on };
            Some(Self(if side == 0 { [wheel, edge] } else { [edge, wheel] }))
        })
    }

    /// Whether they touch along a line that both have.
    pub fn is_line(&self) -> bool {
        self.0.iter().all(|touch| touch.along != DVec3::ZERO)
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

    /// On the line along which a surface does not bend, as far along it as a place is.
    pub fn on_line(point: SurfacePoint, place: DVec3, geometry: &ContactGeometry<'_>) -> Self {
        let side = RoundSide::of_surface(point);
        let [u, w] = geometry.axes;
        let straight = side.straight();
        let along = u * straight.x + w * straight.y;
        let point = SurfacePoint { place: point.place + along * along.dot(place - point.place), ..point };
        Self { point, along, side: Some(side) }
    }
}

/// One of the two bodies.
pub struct Side<'a> {
    pub body: &'a Body,
    pub pose: Pose,
    /// The way out of it across the contact.
    pub out: DVec3,
    /// Where the smooth surface of a mesh, or a ball, touches planes across the contact's normal.
    pub points: Vec<SurfacePoint>,
}

impl<'a> Side<'a> {
    /// A or B, which have the numbers 0 and 1.
    fn new(body: &'a Body, pose: Pose, side: usize, geometry: &ContactGeometry<'_>) -> Self {
        let out = if side == 1 { -geometry.normal } else { geometry.normal };
        let points = match (&body.shape, &body.smooth) {
            (Shape::Sphere(sphere), _) => vec![SurfacePoint::at(
                pose.translation + out * sphere.radius,
                DMat2::from_diagonal(DVec2::splat(sphere.radius)),
            )],
            (_, Some(surface)) => {
                SurfacePoint::all(surface, &pose, out, geometry, width(surface, surface.size()))
            }
            _ => Vec::new(),
        };
        Self { body, pose, out, points }
    }

    /// The point in which it bulges out to the other one, nearest to the patch.
    fn bulging(&self, geometry: &ContactGeometry<'_>) -> Option<SurfacePoint> {
        let Some(surface) = &self.body.smooth else { return self.points.first().copied() };
        let bulging = self.points.iter().copied().filter(|point| bends_both_ways(point.bends));
        nearest(bulging, geometry).filter(|point| near_patch(surface, point, geometry))
    }

    /// Where a body that does not bulge out to a round point of another one is touched by it: on an edge that is nearest to the centre about which
    /// that bends, or in a hollow that is wider, or on a cylinder; `None` where it is nothing of these.
    fn under(&self, round: SurfacePoint, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let wider = |touch: &Touch| {
            let bends = round.bends + touch.point.bends;
            touch.along != DVec3::ZERO || bends.determinant() > 0.0 && bends.x_axis.x < 0.0
        };
        self.on_edge(round, geometry)
            .or_else(|| self.on_side(round, geometry))
            .or_else(|| self.on_surface(round, geometry).filter(wider))
    }

    fn on_edge(&self, round: SurfacePoint, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let ways = if bends_both_ways(round.bends) { 2.0 } else { 1.0 };
        let radius = (round.bends.x_axis.x + round.bends.y_axis.y) / ways;
        let own = self.pose.inverse();
        let center = own.point(round.place + self.out * radius);
        let reach = farthest(&geometry.polygon).hypot(geometry.extent) + round.place.distance(geometry.point);
        let near = Near { place: own.point(geometry.point), radius: reach };
        let (ridge, is_before) = match &self.body.smooth {
            Some(surface) => nearest_ridge(surface.ridges(&near), center),
            None => nearest_ridge(self.body.shape.ridges(&near).iter(), center),
        }?;
        let nearest = ridge.nearest(center);
        let is_end = ridge.ends.contains(&nearest);
        let along = if is_end { DVec3::ZERO } else { self.pose.vector(ridge.along()) };
        let point = SurfacePoint::at(self.pose.point(nearest), DMat2::ZERO);
        is_before.then_some(Touch { point, along, side: None })
    }

    /// On the round side of a capsule, a cylinder or a cone.
    fn on_side(&self, round: SurfacePoint, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        self.on_side_facing(round.place - self.pose.translation, round.place, geometry)
    }

    /// The same on the line of it that faces a direction, as far along that as a place is.
    pub fn on_side_facing(
        &self,
        toward: DVec3,
        place: DVec3,
        geometry: &ContactGeometry<'_>,
    ) -> Option<Touch> {
        let Self { body, pose, .. } = self;
        let side = RoundSide::of(&body.shape, pose, geometry)?;
        let out = toward.reject_from(pose.vector(DVec3::Z));
        let line = body.shape.side_line(pose.rotation.conjugate() * out.try_normalize()?)?;
        let ends @ [from, to] = line.map(|x| pose.point(x));
        let along = (to - from).try_normalize()?;
        let part = (place - from).dot(along);
        let point = SurfacePoint { place: from + along * part, bends: side.rounding(), ends };
        (part > 0.0 && part < from.distance(to)).then_some(Touch { point, along, side: Some(side) })
    }

    /// On the smooth surface of a mesh, in a hollow or where it bends one way.
    fn on_surface(&self, round: SurfacePoint, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let surface = self.body.smooth.as_ref()?;
        let within = width(surface, surface.size());
        let mut points = SurfacePoint::hollows(surface, &self.pose, self.out, geometry, within);
        points.extend(&self.points);
        let both_ways = points.iter().copied().filter(|point| bends_both_ways(point.bends));
        if let Some(point) = nearest(both_ways, geometry) {
            return near_patch(surface, &point, geometry).then(|| Touch::round(point));
        }
        let touch = Touch::on_line(nearest(points.iter().copied(), geometry)?, round.place, geometry);
        near_patch(surface, &touch.point, geometry).then_some(touch)
    }

    /// On the side of a mesh that bends one way, as far along its line as the contact is.
    fn on_wheel(&self, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let surface = self.body.smooth.as_ref()?;
        let point = nearest(self.points.iter().copied(), geometry)?;
        let touch = Touch::on_line(point, geometry.point, geometry);
        // What bends less than the body is wide is a face.
        let radius = point.bends.x_axis.x + point.bends.y_axis.y;
        let is_wheel =
            !bends_both_ways(point.bends) && touch.along != DVec3::ZERO && radius <= surface.size();
        (is_wheel && near_patch(surface, &touch.point, geometry)).then_some(touch)
    }
}

/// The edge that is nearest to a place, the first of several that end there in a corner, and whether the place is before all of these.
fn nearest_ridge<'a>(ridges: impl Iterator<Item = &'a Ridge>, place: DVec3) -> Option<(Ridge, bool)> {
    let mut found: Option<(f64, Ridge, bool)> = None;
    for ridge in ridges {
        let away = place - ridge.nearest(place);
        let (off, is_before) = (away.length_squared(), ridge.is_before(away));
        match &mut found {
            Some((least, ..)) if off > *least => {}
            Some((least, _, all)) if off == *least => *all &= is_before,
            _ => found = Some((off, *ridge, is_before)),
        }
    }
    found.map(|(_, ridge, is_before)| (ridge, is_before))
}

fn nearest(
    points: impl Iterator<Item = SurfacePoint>,
    geometry: &ContactGeometry<'_>,
) -> Option<SurfacePoint> {
    let off = |point: &SurfacePoint| point.place.distance(geometry.point);
    points.min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Whether a point is not farther from the patch than facets are wide, as the normal that it is sought along may be that of one.
pub fn near_patch(surface: &SmoothSurface, point: &SurfacePoint, geometry: &ContactGeometry<'_>) -> bool {
    let across = farthest(&geometry.polygon).max(geometry.extent);
    let radius = (point.bends.x_axis.x + point.bends.y_axis.y).abs();
    point.place.distance(geometry.point) <= across + width(surface, radius)
}

/// How wide facets of a surface are where it bends with this radius: a chord that a circle of radius R bulges out from by `b` is √(8 R b) wide.
pub fn width(surface: &SmoothSurface, radius: f64) -> f64 {
    (8.0 * radius * surface.bulge()).sqrt() + surface.bulge()
}
