//! Where what bends one way, as a pin, lies in what is hollow and wider, as the hole that it is in: along a line.
//!
//! The facets of pin and hole overlap in parts of a shell as they happen to lie, or only at corners of the one: neither their normals nor
//! where they are along the pin is that of the surfaces, which touch all along it.

use glam::{DMat2, DMat3, DVec3};
use tactum_geometry::SmoothSurface;

use crate::Body;
use crate::law::Situation;
use crate::law::volume::bulging::{Side, Touch, Touching, near_patch, turned_to_face, width};
use crate::law::volume::choose::{Chosen, target_depth};
use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::overlaps::PairOverlaps;
use crate::law::volume::rolling::{SurfacePoint, at_point, bends_both_ways, farthest, on_axes};

/// Largest angle between the lines of two surfaces that lie along each other, as its cosine: 8 degrees. A pin leans in a hole by its play
/// over the length of that, less than this in any that guides it.
const ALONG: f64 = 0.99;

/// How far forces may bend the way of a body in a step at most, as a part of the play, for its surfaces to be followed round in it: what swings on a pin
/// is held by 2.5, and thrown out by 5 in some cases. What goes farther is held by its facets, which stop it. No unit.
const MAX_GAINED: f64 = 2.5;

/// Where one of two sides lies in the hollow of the other.
pub fn in_hollow(sides: &[Side<'_>; 2], geometry: &ContactGeometry<'_>) -> Option<Touching> {
    [0, 1].into_iter().find_map(|side| {
        let wheel = sides[side].wheel(geometry)?;
        let hollow = sides[1 - side].hollow_about(&wheel, geometry)?;
        Some(Touching(if side == 0 { [wheel, hollow] } else { [hollow, wheel] }))
    })
}

impl Side<'_> {
    /// On the side of a mesh or of a shape that bends one way, as far along its line as the contact is.
    fn wheel(&self, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let Some(surface) = &self.body.smooth else {
            return self.on_side_facing(self.out, geometry.point, geometry);
        };
        let touch = on_common_line(surface, &self.points, geometry.point, geometry)?;
        // What bends less than the body is wide is a face.
        (!touch.point.is_hollow() && trace(touch.point.bends) <= surface.size()).then_some(touch)
    }

    /// In a hollow of a mesh that is wider than a wheel and lies along it.
    fn hollow_about(&self, wheel: &Touch, geometry: &ContactGeometry<'_>) -> Option<Touch> {
        let surface = self.body.smooth.as_ref()?;
        let within = width(surface, surface.size());
        let points = SurfacePoint::hollows(surface, &self.pose, self.out, geometry, within);
        let touch = on_common_line(surface, &points, wheel.point.place, geometry)?;
        let is_wider = trace(wheel.point.bends + touch.point.bends) < 0.0;
        let sense = touch.along.dot(wheel.along);
        (is_wider && sense.abs() >= ALONG).then_some(Touch { along: touch.along * sense.signum(), ..touch })
    }
}

/// On the line along which a surface does not bend that is nearest to the contact, as far along it as a place is; with all that it reaches over the
/// edges of rows of facets.
fn on_common_line(
    surface: &SmoothSurface,
    points: &[SurfacePoint],
    place: DVec3,
    geometry: &ContactGeometry<'_>,
) -> Option<Touch> {
    // The edges of one facet may be as long as the body, and touch far from the contact.
    let off = |point: &SurfacePoint| {
        let [from, to] = point.ends;
        let part = (geometry.point - from).dot(to - from) / (to - from).length_squared();
        (from + (to - from) * part.clamp(0.0, 1.0)).distance(geometry.point)
    };
    let lines = points.iter().filter(|point| point.ends[0] != point.ends[1] && !bends_both_ways(point.bends));
    let nearest = lines.clone().min_by(|a, b| off(a).total_cmp(&off(b)))?;
    let touch = Touch::on_line(*nearest, place, geometry);
    let Touch { point: SurfacePoint { place: at, .. }, along, .. } = touch;
    if along == DVec3::ZERO || !near_patch(surface, &touch.point, geometry) {
        return None;
    }
    let goes_on = |other: &&SurfacePoint| (other.place - at).reject_from(along).length() <= surface.bulge();
    let ends = reach(lines.filter(goes_on).flat_map(|other| other.ends), at, along);
    let point = SurfacePoint { ends: ends.map(|part| at + along * part), ..touch.point };
    Some(Touch { point, ..touch })
}

/// How far places reach along a line from a place of it: the least and the most \[m\].
fn reach(places: impl Iterator<Item = DVec3>, from: DVec3, along: DVec3) -> [f64; 2] {
    let parts = places.map(|place| (place - from).dot(along));
    parts.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], part| [low.min(part), high.max(part)])
}

/// The contact of a pair of which one body lies in a hollow of the other, seen in a region with B moved by `shift`; `None` where it is none of that.
///
/// The surfaces themselves say where they touch as the bodies are, wherever facets do: in which shell, how far ahead.
pub fn along_hollow<'a>(
    situation: &Situation<'_>,
    pair: &PairOverlaps<'a>,
    region: &ContactGeometry<'a>,
    shift: DVec3,
) -> Option<Chosen<'a>> {
    let bodies = pair.bodies.map(|ix| &situation.bodies[ix as usize]);
    let poses = pair.poses(situation.bodies, DVec3::ZERO);
    let (geometry, touching) = turned_to_face(bodies, &poses, region)?;
    if !touching.is_line() || shift == DVec3::ZERO && !is_of_shell(bodies, region, &geometry, &touching) {
        return None;
    }
    let Touching([a, b]) = &touching;
    let play = -trace(a.point.bends + b.point.bends);
    let gained = pair.bodies.map(|ix| situation.free[ix as usize].gained.length());
    if gained.into_iter().any(|way| way > MAX_GAINED * play) {
        return None;
    }
    let held = target_depth(situation, pair.bodies, geometry.area());
    let (geometry, depth) = strip(&touching, &geometry, held)?;
    Some(Chosen { round: touching.sides(), depth: Some(depth), ..Chosen::new(geometry, DVec3::ZERO) })
}

/// Whether facets that overlap in a region are those of surfaces that touch like this. They lie no farther from these than they bulge; what a shell
/// reaches along the normal is mostly how far the hollow goes round.
fn is_of_shell(
    bodies: [&Body; 2],
    region: &ContactGeometry<'_>,
    geometry: &ContactGeometry<'_>,
    touching: &Touching,
) -> bool {
    let bulges: f64 = bodies.iter().map(|body| body.bulge()).sum();
    let aslant = farthest(&region.polygon) * geometry.normal.distance(region.normal);
    let depth = touching.depth(geometry);
    depth <= region.extent + bulges + aslant && region.mean_depth <= depth + bulges
}

/// The contact over that part of the line that both have on which they are in each other when they are held so deep on average, and its depth:
/// all of the line where they are parallel, its one end where they lean. `None` where they are beside each other.
fn strip<'a>(
    touching: &Touching,
    geometry: &ContactGeometry<'a>,
    held: f64,
) -> Option<(ContactGeometry<'a>, f64)> {
    let Touching([a, b]) = touching;
    let along = (a.along + b.along).reject_from_normalized(geometry.normal).try_normalize()?;
    let [of_a, of_b] = [a, b].map(|touch| reach(touch.point.ends.into_iter(), touching.middle(), along));
    let [low, high] = [of_a[0].max(of_b[0]), of_a[1].min(of_b[1])];
    if low >= high {
        return None;
    }
    let slope = (a.along - b.along).dot(geometry.normal);
    let length = (high - low).min(2.0 * held / slope.abs());
    let middle = if slope > 0.0 { high - 0.5 * length } else { low + 0.5 * length };
    let at = at_point(geometry.clone(), touching.middle() + along * middle);
    let line = on_axes(geometry, along);
    let sides = at.polygon.iter().map(|x| x.dot(line.perp()));
    let [left, right] = sides.fold([0.0_f64; 2], |[least, most], x| [least.min(x), most.max(x)]);
    let corner = |part: f64, aside: f64| line * (part * length) + line.perp() * aside;
    let polygon = vec![corner(-0.5, left), corner(0.5, left), corner(0.5, right), corner(-0.5, right)];
    // As deep everywhere.
    let more = at.volume * length * length / 12.0 - along.dot(at.second_moment * along);
    let second_moment = at.second_moment + outer(along) * more;
    let depth = touching.depth(geometry) + slope * middle;
    Some((ContactGeometry { polygon: polygon.into(), second_moment, ..at }, depth))
}

/// The radius of what bends one way, negative where it is hollow \[m\].
fn trace(bends: DMat2) -> f64 {
    bends.x_axis.x + bends.y_axis.y
}

fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}
