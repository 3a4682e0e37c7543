//! Which geometry a region's contact is made from: the region's own, that of a face about to land, of the corners that come
//! down next, or of two curved surfaces.

use glam::DVec3;
use tactum_geometry::{Pose, Shape, Symmetry};

use crate::constants::TOUCHING;
use crate::law::Situation;
use crate::law::volume::apart::Apart;
use crate::law::volume::contact::MeasuredOverlap;
use crate::law::volume::continued::ahead_of;
use crate::law::volume::corners::{self, Corners};
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::meeting::Meeting;
use crate::law::volume::memory::StoredContact;
use crate::law::volume::overlaps::{PairOverlaps, RegionRef, Seen};
use crate::law::volume::rolling::{Roller, RoundSide, SurfacePoint, bends_both_ways};
use crate::law::volume::tilted_face::DepthField;
use crate::law::volume::unforeseen::{Surface, Unforeseen};
use crate::law::volume::{bulging, curved, flush, look_ahead, nearest, normal, rolling};
use crate::motion;
use crate::{Body, ContactModel, LocalSolver, PatchModel, Settings};

/// The geometry chosen for a contact.
pub struct Chosen<'a> {
    pub geometry: ContactGeometry<'a>,
    /// How far B was moved for it.
    pub shift: DVec3,
    /// How deep it is where, if it is that of a plane face.
    pub field: Option<DepthField>,
    /// How deep the surfaces that the bodies stand for are in each other where they touch in a point; negative where they are apart \[m\].
    pub depth: Option<f64>,
    /// The overlap where the bodies are; `None` if they do not overlap yet.
    pub measured: Option<MeasuredOverlap>,
    /// Whether a face lies tilted, so that the next step has to look ahead for where it lands.
    pub uneven: bool,
    /// Those of a body on an edge or a corner, where the contact is made from them.
    pub corners: Option<OnCorners<'a>>,
    /// The round sides of A and B, where they roll on them.
    pub round: [Option<RoundSide>; 2],
    /// How the bodies meet, where that is known and they bounce off each other.
    pub meeting: Option<Meeting<'a>>,
}

/// A contact of the corners that one of the bodies may come to stand on.
pub struct OnCorners<'a> {
    /// The corners.
    pub corners: Corners,
    /// The region where the bodies are, if they overlap.
    pub here: Option<ContactGeometry<'a>>,
}

impl<'a> Chosen<'a> {
    pub fn new(geometry: ContactGeometry<'a>, shift: DVec3) -> Self {
        Self {
            geometry,
            shift,
            field: None,
            depth: None,
            measured: None,
            uneven: false,
            corners: None,
            round: [None; 2],
            meeting: None,
        }
    }

    /// How much nearer to each other along the normal than they are the bodies were measured \[m\].
    pub fn nearer(&self) -> f64 {
        -self.shift.dot(self.geometry.normal)
    }

    /// Whether it is that of a smooth surface that rolls.
    fn rolls(&self) -> bool {
        self.corners.as_ref().is_some_and(|on| on.corners.are_round())
    }
}

/// What a region's contact is made from; `remembered` is the contact of the last step that it continues.
pub fn choose<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    source: RegionRef,
    remembered: Option<&StoredContact>,
) -> Chosen<'a> {
    let settings = situation.settings;
    let shift = pair.shift(source);
    if let Seen::Apart(points) = source.seen {
        return nearest::in_points(situation, pair, points);
    }
    let region = &pair.regions(source)[source.region as usize];
    let is_here = source.seen == Seen::Here;
    let measured = |geometry: &ContactGeometry<'_>| is_here.then(|| geometry.into());
    let Some(own) = ContactGeometry::of(region) else {
        let normal = remembered.map_or_else(|| fallback_normal(situation, pair.bodies), |c| c.normal);
        let geometry = ContactGeometry::of_equivalent_box(region, normal);
        return Chosen { measured: measured(&geometry), ..Chosen::new(geometry, shift) };
    };
    if let Some(unforeseen) = pair.unforeseen {
        return where_led(situation, pair, unforeseen, &own);
    }
    if let Some(chosen) = across_the_way(situation, pair, source, &own) {
        return chosen;
    }
    if pair.may_pass
        && let Some(chosen) = as_a_whole(situation, pair, &own, shift)
    {
        return Chosen { measured: measured(&own), ..chosen };
    }
    if let Some(chosen) = bulging::facing(situation, pair, &own, shift) {
        return Chosen { measured: measured(&chosen.geometry), ..chosen };
    }
    let is_ahead = matches!(source.seen, Seen::Ahead(_));
    if settings.contact == ContactModel::Patch
        && !is_ahead
        && let Some(geometry) = curved::of(region)
    {
        return Chosen { measured: measured(&geometry), ..Chosen::new(geometry, shift) };
    }
    let rollers = rollers(situation, pair, shift, &own);
    let geometry = flush::on_faces(situation, pair, shift, &own, &rollers)
        .unwrap_or_else(|| normal::with_rule(own, settings.normal, &rollers));
    let measured = measured(&geometry);
    // What is round has no face there that could come to lie: it touches along a line, however its cap is cut off by an edge.
    let has_face = !rollers.iter().any(Roller::is_round);
    let field = has_face.then(|| DepthField::new(&geometry)).flatten();
    let depth = target_depth(situation, pair.bodies, geometry.area());
    let lands = field.is_some_and(|field| field.is_landing(depth));
    let n_smooth = are_smooth(situation, pair.bodies).iter().filter(|rolls| **rolls).count();
    // What lies on a plane face does not roll, however round its sides are.
    let may_roll = !is_here || field.is_none();
    let moves_corners = (may_roll && n_smooth == 1)
        || rollers.iter().any(Roller::is_round)
        || lands
        || stands_on_rim(situation, pair, &rollers) && field.is_none()
        || corners::is_sharp(&geometry)
        || look_ahead::turns(situation, pair.bodies, geometry.normal);
    // Surfaces that slide on each other are held by how deep they are at the end of their way, and no facet's corner is.
    if pair.onward.is_none()
        && (moves_corners || may_roll && n_smooth == 2)
        && let Some(chosen) = on_corners(situation, pair, source, &geometry)
        && (moves_corners || chosen.rolls())
    {
        return Chosen { measured, ..chosen };
    }
    // A face that lies tilted touches with a part of itself. Where the rest is about to land is seen ahead.
    if lands
        && let Some(ahead) = ahead_of(pair, situation, source)
        && let Some(geometry) = ContactGeometry::of(ahead.overlap)
    {
        let rollers = self::rollers(situation, pair, ahead.shift.by, &geometry);
        let geometry = normal::with_rule(geometry, settings.normal, &rollers);
        if ahead.leads_along(geometry.normal) {
            let field = DepthField::new(&geometry);
            return Chosen { field, measured, uneven: true, ..Chosen::new(geometry, ahead.shift.by) };
        }
    }
    // What bounces off a plane does so with all of the places that strike it together, not with one of those that are as near.
    let strikes_plane = geometry.has_plane && may_bounce(situation, pair, shift, &geometry);
    if is_ahead
        && !strikes_plane
        && let Some(points) = nearest::about_region(situation, pair, &geometry, shift)
    {
        let [on_a, on_b] = points;
        return match flush::evenly(&geometry, (on_b - on_a).normalize()) {
            Some(faces) => Chosen { field: DepthField::new(&faces), ..Chosen::new(faces, shift) },
            None => nearest::in_points(situation, pair, points),
        };
    }
    Chosen { field, uneven: measured.is_some() && lands, measured, ..Chosen::new(geometry, shift) }
}

/// The contact with a face across the way of a pair.
fn across_the_way<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    source: RegionRef,
    own: &ContactGeometry<'a>,
) -> Option<Chosen<'a>> {
    let ahead = pair.looked_ahead(source)?;
    let face = flush::across_the_way(situation, pair.bodies, ahead, own)?;
    Some(Chosen { field: DepthField::new(&face), ..Chosen::new(face, ahead.shift.by) })
}

/// The contact of what bodies are led into, where it is on them when contacts are measured.
fn where_led<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    unforeseen: &Unforeseen,
    region: &ContactGeometry<'a>,
) -> Chosen<'a> {
    let masses = pair.bodies.map(|ix| situation.free[ix as usize].inverse_mass);
    let Surface { normal, point, pitch, depth, .. } = unforeseen.surface;
    let geometry = normal::along(region, normal, region.extent);
    let geometry = rolling::at_point(geometry, point).moved(unforeseen.moved(masses));
    let geometry = ContactGeometry { pitch, ..geometry };
    Chosen { depth, ..Chosen::new(geometry, DVec3::ZERO) }
}

/// The contact of a body with the corners that it may stand on after the step; `None` where they are not known. Without a
/// measurement ahead they are those of the region itself.
fn on_corners<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    source: RegionRef,
    region: &ContactGeometry<'a>,
) -> Option<Chosen<'a>> {
    let corners_of = |geometry: ContactGeometry<'a>, shift: DVec3| {
        let footprint = (geometry.point, geometry.polygon.clone());
        let (geometry, corners) = match on_line(situation, pair, shift, &geometry) {
            Some(line) => Some(line),
            None => minds_corners(situation, pair, shift, &geometry).then(|| Corners::of(geometry)).flatten(),
        }?;
        Some((geometry, corners, footprint))
    };
    let ahead = ahead_of(pair, situation, source).and_then(|ahead| {
        let geometry = ContactGeometry::of(ahead.overlap)?;
        let rollers = rollers(situation, pair, ahead.shift.by, &geometry);
        let geometry = normal::with_rule(geometry, situation.settings.normal, &rollers);
        let corners =
            ahead.leads_along(geometry.normal).then(|| corners_of(geometry, ahead.shift.by)).flatten()?;
        Some((ahead.shift.by, corners))
    });
    let (shift, (geometry, corners, (middle, footprint))) = match ahead {
        Some(found) => found,
        None => (pair.shift(source), corners_of(region.clone(), pair.shift(source))?),
    };
    let [a, b] = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let poses = pair.poses(situation.bodies, shift);
    let (side, pose, ground, under) =
        if corners.are_of_b { (b, poses[1], a, poses[0]) } else { (a, poses[0], b, poses[1]) };
    let (geometry, corners) = match &side.smooth {
        Some(surface) if !bulges_out(ground, &under, !corners.are_of_b, &geometry) => {
            let held = target_depth(situation, pair.bodies, geometry.area());
            corners.rounded(geometry, (middle, &footprint), surface, &pose, held)
        }
        _ => (geometry, corners),
    };
    let here = (source.seen == Seen::Here).then(|| region.clone());
    Some(Chosen { uneven: true, corners: Some(OnCorners { here, corners }), ..Chosen::new(geometry, shift) })
}

/// The contact of a body that touches a plane of the other with its round side, on the ends of the line along which that comes nearest to it; `None`
/// of any other. What is round all about is no line, and has no end that could come down.
fn on_line<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'a>,
) -> Option<(ContactGeometry<'a>, Corners)> {
    let rollers = rollers(situation, pair, shift, geometry);
    let (side, shape, pose) = match rollers {
        [Roller::Round(shape, pose), Roller::Not] => (0, shape, pose),
        [Roller::Not, Roller::Round(shape, pose)] => (1, shape, pose),
        _ => return None,
    };
    let ground = geometry.planes[1 - side].as_ref()?;
    let is_on_ground = geometry.has_plane && ground.normal.dot(geometry.normal) >= 1.0 - TOUCHING;
    if !is_on_ground
        || shape.symmetry() != Some(Symmetry::Axis)
        || !are_corners_told(situation, pair, shift, geometry)
    {
        return None;
    }
    let ends = shape.side_ends()?.map(|end| end.posed(&pose));
    Corners::of_line(geometry.clone(), side == 1, ends, -shift.dot(geometry.normal))
}

/// Which bodies of a pair stand for a smooth surface.
fn are_smooth(situation: &Situation<'_>, pair: [u32; 2]) -> [bool; 2] {
    pair.map(|ix| situation.bodies[ix as usize].smooth.is_some())
}

/// What the bodies of a pair are in a contact for which B was moved by `shift`.
fn rollers<'a>(
    situation: &Situation<'a>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'_>,
) -> [Roller<'a>; 2] {
    let poses = pair.poses(situation.bodies, shift);
    [0, 1].map(|side| Roller::of(&situation.bodies[pair.bodies[side] as usize], poses[side], geometry))
}

/// Whether the smooth surface that a body stands for bulges out to a contact: what is plane of it there is a facet of something round, and
/// no ground to roll on, as it is where the surface is hollow.
fn bulges_out(body: &Body, pose: &Pose, is_b: bool, geometry: &ContactGeometry<'_>) -> bool {
    // The edges of a hollow's facets may seem to bend one way, as they do not lie across it.
    surface_point(body, pose, is_b, geometry).is_some_and(|point| bends_both_ways(point.bends))
}

/// Where the smooth surface that a body stands for touches the plane of a contact.
pub fn surface_point(
    body: &Body,
    pose: &Pose,
    is_b: bool,
    geometry: &ContactGeometry<'_>,
) -> Option<SurfacePoint> {
    let out = if is_b { -geometry.normal } else { geometry.normal };
    SurfacePoint::of(body.smooth.as_ref()?, pose, out, geometry)
}

/// The contact of two bodies of which the smaller one may not turn past the other in the step; `None` for a ball, which cannot.
fn as_a_whole<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    region: &ContactGeometry<'a>,
    shift: DVec3,
) -> Option<Chosen<'a>> {
    let [a, b] = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let is_b = b.mean_side <= a.mean_side;
    let (body, moved) = if is_b { (b, shift) } else { (a, DVec3::ZERO) };
    if !are_corners_told(situation, pair, shift, region) || matches!(body.shape, Shape::Sphere(_)) {
        return None;
    }
    let pose = body.w_from_shape();
    let about_point = pose.translation + moved - a.w_from_shape().translation - region.point;
    let corners = body.shape.own_aabb().corners().map(|x| about_point + pose.rotation * x);
    let (geometry, corners) = Corners::around(is_b, &corners, region.clone());
    let here = (shift == DVec3::ZERO).then(|| region.clone());
    let corners = Some(OnCorners { here, corners });
    Some(Chosen { uneven: true, corners, ..Chosen::new(geometry, shift) })
}

/// Whether one of a pair has a round side that ends in a rim, and touches with an end: the rim is its corners, as far as the overlap shows it.
fn stands_on_rim(situation: &Situation<'_>, pair: &PairOverlaps<'_>, rollers: &[Roller<'_>; 2]) -> bool {
    let stands = |side: usize| has_rim(&situation.bodies[pair.bodies[side] as usize].shape);
    [0, 1].iter().any(|&side| stands(side) && !rollers[side].is_round())
}

fn has_rim(shape: &Shape) -> bool {
    shape.side_ends().is_some_and(|ends| ends.iter().any(|end| end.axis.is_some()))
}

/// Whether the corners of a pair's overlap are looked for, for which B was moved by `shift`. Round sides have none, but flat ends have rims, and may
/// carry corners of others.
fn minds_corners(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'_>,
) -> bool {
    let rollers = rollers(situation, pair, shift, geometry);
    let is_round = [0, 1].map(|side| {
        let shape = &situation.bodies[pair.bodies[side] as usize].shape;
        rollers[side].is_round() || shape.has_round_side() && !has_rim(shape)
    });
    let has_round_corners = match geometry.corners_are_of_b() {
        Some(are_of_b) => is_round[usize::from(are_of_b)],
        None => is_round.contains(&true),
    };
    !has_round_corners && are_corners_told(situation, pair, shift, geometry)
}

/// Whether a pair's contact may be made from corners that are kept from passing through a plane. What bounces does so where it strikes.
fn are_corners_told(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'_>,
) -> bool {
    may_have_corners(situation.settings) && !may_bounce(situation, pair, shift, geometry)
}

/// Whether contacts may be made from corners. What gives is held by its volume, and ellipses, points and the paper's projection are for
/// comparison.
pub fn may_have_corners(settings: &Settings) -> bool {
    let Settings { compliance, contact, local, patch, .. } = *settings;
    compliance == 0.0
        && contact == ContactModel::Patch
        && local == LocalSolver::Cone
        && patch == PatchModel::Polygon
}

/// Whether the bodies of a contact, for which B was moved by `shift`, approach so fast that they may bounce off each other somewhere on it. What
/// rolls or lies does not, whatever their restitution: a smooth surface approaches where it touches, and not with its facets.
pub fn may_bounce(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'_>,
) -> bool {
    if !pair.may_strike || situation.touch(pair.bodies).restitution == 0.0 {
        return false;
    }
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let poses = pair.poses(situation.bodies, shift);
    let speed = |side: usize, at: DVec3| velocity_at(bodies[side], &poses[side], at).dot(geometry.normal);
    let is_fast = |at: DVec3| speed(0, at) - speed(1, at) > situation.settings.restitution_threshold;
    if bodies.iter().all(|body| body.smooth.is_none()) {
        let ends = geometry.polygon.iter().map(|at| geometry.place(*at));
        return ends.chain([geometry.point]).any(is_fast);
    }
    let mut smooth = [0, 1].into_iter().filter(|&side| bodies[side].smooth.is_some());
    let turn = situation.settings.dt * (bodies[1].angular_velocity - bodies[0].angular_velocity);
    smooth.any(|side| {
        let (body, pose) = (bodies[side], &poses[side]);
        let (out, turn) = if side == 1 { (-geometry.normal, -turn) } else { (geometry.normal, turn) };
        let mut places = Vec::new();
        if let Some(surface) = &body.smooth {
            // What touches at the end of the step may be elsewhere on it.
            for out in [out, motion::exp(turn) * out] {
                let points = SurfacePoint::all(surface, pose, out, geometry, surface.facet());
                places.extend(points.iter().map(|point| point.place));
            }
            let near = SurfacePoint::near(pose, geometry, surface.facet());
            places.extend(surface.corners(&near).map(|corner| pose.point(corner)));
        }
        if places.is_empty() {
            // A hollow of it, and where it ends, turn about the centre that it rolls about.
            places.push(pose.point(body.mass.center));
        }
        places.into_iter().any(is_fast)
    })
}

/// The velocity of a body at a place, at a pose relative to the same origin \[m/s\].
pub fn velocity_at(body: &Body, pose: &Pose, at: DVec3) -> DVec3 {
    body.linear_velocity + body.angular_velocity.cross(at - pose.point(body.mass.center))
}

/// Volume at which a contact is held \[m³\].
///
/// What touches a plane with a corner or a cap is held by its deepest point, whether or not it is known by its corners in this step, so
/// that it does not go up and down as one follows the other; faces and what is round, at their mean depth.
pub fn target_volume(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'_>,
    shift: DVec3,
    geometry: &ContactGeometry<'_>,
) -> f64 {
    let depth = target_depth(situation, pair.bodies, geometry.area());
    let has_corners = !geometry.tips.is_empty() && minds_corners(situation, pair, shift, geometry);
    if has_corners && situation.settings.target_volume.is_none() && DepthField::new(geometry).is_none() {
        depth * geometry.volume / geometry.extent
    } else {
        depth * geometry.area()
    }
}

/// Mean depth at which a contact of this patch area is held \[m\].
pub fn target_depth(situation: &Situation<'_>, pair: [u32; 2], area: f64) -> f64 {
    let Settings { target_depth, target_volume, .. } = *situation.settings;
    target_volume.map_or_else(
        || {
            let [a, b] = pair.map(|ix| situation.bodies[ix as usize].mean_side);
            target_depth * a.min(b)
        },
        |volume| volume / area,
    )
}

/// The direction from A to B where the overlap does not say: a half-space's own normal, else that of the plane across which the bodies are least
/// in each other.
fn fallback_normal(situation: &Situation<'_>, pair: [u32; 2]) -> DVec3 {
    let bodies = pair.map(|ix| &situation.bodies[ix as usize]);
    let own = |(body, sign): (&Body, f64)| Some(sign * (body.orientation * body.shape.plane_normal()?));
    bodies.into_iter().zip([1.0, -1.0]).find_map(own).unwrap_or_else(|| Apart::of(bodies).normal)
}
