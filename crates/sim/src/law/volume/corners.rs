//! A body over a plane of another: which of its corners come down, and how far apart they are from the plane.
//!
//! An overlap shows the corners that a body stands on. The next one, towards which it rolls or comes to lie, shows once it has
//! sunk in, up to a step too late, and by then the body has fallen farther than it should. So where a pair is measured as deep as
//! its corners may come down within the step, each of them has a gap of its own, and is kept from passing through the plane
//! (Stewart and Trinkle 1996): a tilted face that lands, a wheel that rolls from side to side, a coin on its rim and an edge
//! are one case.

use glam::{DMat2, DMat3, DVec2, DVec3};
use tactum_geometry::shape::RoundEnd;
use tactum_geometry::smooth::SmoothPoint;
use tactum_geometry::{Near, Pose, SmoothSurface};

use crate::law::volume::geometry::ContactGeometry;
use crate::law::volume::rolling::{across, bends_both_ways};
use crate::law::volume::tilted_face::DepthField;
use crate::solver::Polygon;

/// Depth over width from which an overlap is that of an edge or a corner: an edge whose sides rise at 6 degrees and more. A
/// face that lies flatter is known by its depth; the cap of a smooth surface, whose corners come and go with every step, has
/// some thousandths.
const SHARP: f64 = 0.1;

/// Whether a contact is that of an edge or a corner: deep against its width.
pub fn is_sharp(geometry: &ContactGeometry<'_>) -> bool {
    let across = geometry.polygon.iter().map(|x| x.y);
    let (low, high) =
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    geometry.extent >= SHARP * (high - low)
}

/// The corners that a body stands on, or may come to stand on.
#[derive(Clone, Debug)]
pub struct Corners {
    /// Whether they are corners of B in a plane of A, or of A in one of B.
    pub are_of_b: bool,
    /// The deepest first.
    pub(super) places: Vec<Place>,
    /// Where a smooth surface touches the plane, on the axes about the contact point, and how deep it is there; none where no such does \[m\].
    touching: Vec<(DVec2, f64)>,
    /// Size of the body with the smooth surface; zero where there is none \[m\].
    pub(super) size: f64,
}

/// A corner, or a point of a smooth surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Where it is about the contact point, on the axes \[m\].
    pub at: DVec2,
    /// How deep it is where the overlap was measured \[m\].
    pub depth: f64,
    /// How it moves on its body when that turns, see [`SmoothPoint::rounding`]; world axes.
    pub rounding: DMat3,
    /// The round side that it is the lowest point of, its centre from there, world axes; of a corner or a mesh's surface none \[m\].
    pub round: Option<RoundEnd>,
}

/// Part of the depth at which bodies are held by which corners of a smooth surface give way to its points between them: a wheel rolls
/// on these, and lies on its corners. No unit.
const GIVES_WAY: f64 = 0.1;

impl Corners {
    /// The corners of an overlap, and the overlap as a contact with its point in the plane of the deepest one, in the middle of
    /// all, and with their hull as its patch; `None` where none of its sides is plane, nor two faces lie on each other.
    pub fn of<'a>(geometry: ContactGeometry<'a>) -> Option<(ContactGeometry<'a>, Self)> {
        let Some(deepest) = geometry.tips.first() else { return Self::of_faces(geometry) };
        let ContactGeometry { tips, extent, .. } = geometry;
        let places = tips.iter().map(|tip| (tip.truncate(), extent - (tip.z - deepest.z).abs())).collect();
        Some(Self::at(places, deepest.z, geometry.corners_are_of_b()?, geometry))
    }

    /// The corners of the patch of two faces, neither of which covers the other.
    fn of_faces<'a>(geometry: ContactGeometry<'a>) -> Option<(ContactGeometry<'a>, Self)> {
        let field = DepthField::new(&geometry)?;
        let mut places: Vec<_> = geometry.polygon.iter().map(|x| (*x, field.depth(*x))).collect();
        places.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let (_, deepest) = *places.first()?;
        Some(Self::at(places, 0.5 * geometry.mean_depth - deepest, true, geometry))
    }

    /// The corners of a body over the other as a plane, or of a box around it, about the contact point, the deepest as deep as the
    /// overlap \[m\]: what moves so fast that it could turn past the other in a step, about the one place that it touches, is kept on its
    /// side as a whole.
    pub fn around<'a>(
        are_of_b: bool,
        corners: &[DVec3],
        geometry: ContactGeometry<'a>,
    ) -> (ContactGeometry<'a>, Self) {
        let along = |x: &DVec3| x.dot(geometry.normal);
        let ends = corners.iter().map(along);
        let deepest = if are_of_b {
            ends.fold(f64::INFINITY, f64::min)
        } else {
            ends.fold(f64::NEG_INFINITY, f64::max)
        };
        let place = |x: &DVec3| {
            let at = DVec2::new(x.dot(geometry.axes[0]), x.dot(geometry.axes[1]));
            (at, geometry.extent - (along(x) - deepest).abs())
        };
        let mut places: Vec<_> = corners.iter().map(place).collect();
        places.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Self::at(places, deepest, are_of_b, geometry)
    }

    /// Corners at these places on the axes, with these depths, the deepest first and this far along the normal.
    fn at<'a>(
        places: Vec<(DVec2, f64)>,
        deepest: f64,
        are_of_b: bool,
        mut geometry: ContactGeometry<'a>,
    ) -> (ContactGeometry<'a>, Self) {
        let middle = places.iter().fold(DVec2::ZERO, |sum, (at, _)| sum + at) / places.len() as f64;
        geometry.point +=
            geometry.axes[0] * middle.x + geometry.axes[1] * middle.y + geometry.normal * deepest;
        let place = |(at, depth)| Place { at: at - middle, depth, rounding: DMat3::ZERO, round: None };
        let places: Vec<_> = places.into_iter().map(place).collect();
        geometry.polygon = places.iter().map(|place| place.at).collect();
        (geometry, Self { are_of_b, places, touching: Vec::new(), size: 0.0 })
    }

    /// The ends of the line along which the round side of a body comes nearest to the plane of another one, as far as that is within the overlap's
    /// footprint: a cylinder that comes down flat, or rocks from end to end, has them for its corners. `None` where it is beside all of the
    /// footprint. `ends` are relative to the origin of A's shape, and bodies were measured `nearer` than they are. The contact point is in the middle of
    /// where it rubs: what turns there stands still, wherever the other end comes down.
    pub fn of_line<'a>(
        mut geometry: ContactGeometry<'a>,
        are_of_b: bool,
        ends: [RoundEnd; 2],
        nearer: f64,
    ) -> Option<(ContactGeometry<'a>, Self)> {
        let toward = if are_of_b { -geometry.normal } else { geometry.normal };
        let place = |end: RoundEnd| {
            let lowest = end.point(toward);
            let away = lowest - geometry.point;
            let at = DVec2::from_array(geometry.axes.map(|axis| axis.dot(away)));
            let round = Some(RoundEnd { center: end.center - lowest, ..end });
            Place { at, depth: away.dot(toward), rounding: end.rounding(toward), round }
        };
        let [from, to] = ends.map(|end| place(end).at);
        let within = Polygon::hull(&geometry.polygon).span_of(from, to)?;
        let mut places = within.map(|part| place(RoundEnd::between(ends, part)));
        places.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        // The plane is as far from the lowest of them as the overlap is deep.
        let deepest = places[0].depth;
        places.iter_mut().for_each(|place| place.depth += geometry.extent - deepest);
        let touching = places.iter().map(|place| (place.at, place.depth)).collect();
        let mut corners = Self { are_of_b, places: places.to_vec(), touching, size: 0.0 };
        let rubs = corners.rubbing(nearer);
        let middle = rubs.iter().sum::<DVec2>() / rubs.len() as f64;
        corners.places.iter_mut().for_each(|place| place.at -= middle);
        corners.touching.iter_mut().for_each(|(at, _)| *at -= middle);
        geometry.point = geometry.place(middle) + toward * deepest;
        geometry.polygon = corners.places.iter().map(|place| place.at).collect();
        Some((geometry, corners))
    }

    /// Whether a smooth surface touches the plane.
    pub fn are_round(&self) -> bool {
        !self.touching.is_empty()
    }

    /// Between which places that rubs on the plane when the bodies are farther apart by `nearer` than they were measured: between those in which it
    /// touches where they are equally deep, about the deepest alone where the others are not in the plane \[m\].
    pub fn rubbing(&self, nearer: f64) -> Vec<DVec2> {
        let deepest = self.touching.iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((from, deepest)) = deepest else { return Vec::new() };
        let most = deepest - nearer;
        let pressed = |depth: f64| if most > 0.0 { ((depth - nearer) / most).max(0.0) } else { 0.0 };
        self.touching.iter().map(|(at, depth)| from.lerp(*at, pressed(*depth))).collect()
    }

    /// Where the corners are, and a place on the plane, both from the origin of A's shape in the pose in which this geometry was measured \[m\].
    pub fn over_plane(&self, geometry: &ContactGeometry<'_>) -> (Vec<DVec3>, DVec3) {
        let out = if self.are_of_b { geometry.normal } else { -geometry.normal };
        let deepest = self.places.first().map_or(0.0, |place| place.depth);
        let place = |place: &Place| geometry.place(place.at) + (deepest - place.depth) * out;
        (self.places.iter().map(place).collect(), geometry.point + deepest * out)
    }

    /// The same with the points in which the smooth surface that the body stands for touches the plane within the overlap's footprint about
    /// its middle, at this pose relative to the origin of A's shape, where bodies are held `held` deep.
    pub fn rounded<'a>(
        mut self,
        mut geometry: ContactGeometry<'a>,
        (middle, footprint): (DVec3, &[DVec2]),
        surface: &SmoothSurface,
        from_shape: &Pose,
        held: f64,
    ) -> (ContactGeometry<'a>, Self) {
        let toward = if self.are_of_b { -geometry.normal } else { geometry.normal };
        let deepest = self.places.first().map_or(0.0, |place| place.depth);
        // How far the plane is along the way to it, from the shape's origin.
        let plane = (geometry.point - from_shape.translation).dot(toward) - deepest;
        let mut points = Vec::new();
        surface.touching(from_shape.rotation.conjugate() * toward, plane, &Near::ANYWHERE, &mut points);
        let on_axes = |x: DVec3| DVec2::new(x.dot(geometry.axes[0]), x.dot(geometry.axes[1]));
        let middle = on_axes(middle - geometry.point);
        let footprint = Polygon::hull(&footprint.iter().map(|x| middle + *x).collect::<Vec<_>>());
        let turn = DMat3::from_quat(from_shape.rotation);
        let place = |point: &SmoothPoint| {
            let away = from_shape.rotation * point.place + from_shape.translation - geometry.point;
            Place {
                at: on_axes(away),
                depth: away.dot(toward) + deepest,
                rounding: turn * point.rounding * turn.transpose(),
                round: None,
            }
        };
        // Neither beside the patch nor beyond its corners: other teeth of a gear may have the same normal.
        let is_over = |place: &Place| {
            footprint.nearest(place.at).distance(place.at).max(place.depth - deepest) <= surface.bulge()
        };
        let mut round: Vec<Place> = points.iter().map(place).collect();
        round.extend(ends_within(&round, &footprint));
        round.retain(is_over);
        if round.is_empty() {
            return (geometry, self);
        }
        self.places.retain(|corner| !is_rolled_over(corner, &round, geometry.axes, surface.bulge()));
        self.size = surface.size();
        self.touching.extend(round.iter().map(|place| (place.at, place.depth)));
        self.places.iter_mut().for_each(|place| place.depth -= GIVES_WAY * held);
        self.places.extend(round);
        self.places.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        self.places.dedup_by(|a, b| a.at.distance(b.at) <= GIVES_WAY * held);
        geometry.point += toward * (self.places[0].depth - deepest);
        geometry.polygon = self.places.iter().map(|place| place.at).collect();
        (geometry, self)
    }
}

/// Whether a corner is on the round side of a wheel that touches along a line: rolling brings the side down there, and no corner. How far that
/// comes down is known by the turn alone, where a corner's row goes by where it is before it.
fn is_rolled_over(corner: &Place, round: &[Place], axes: [DVec3; 2], bulge: f64) -> bool {
    round.iter().any(|place| {
        let bends = DMat2::from_cols_array_2d(&axes.map(|a| axes.map(|b| b.dot(place.rounding * a))));
        let radius = bends.x_axis.x + bends.y_axis.y;
        let across = across(bends);
        let off = |other: &Place| (other.at - place.at).dot(across);
        let beside = |other: &Place| (other.at - place.at).perp_dot(across).abs();
        let is_line = || round.iter().any(|other| off(other).abs() <= bulge && beside(other) > bulge);
        let rise = radius - (radius * radius - off(corner).powi(2)).max(0.0).sqrt();
        let is_on_circle = beside(corner) <= bulge && (place.depth - corner.depth - rise).abs() <= bulge;
        !bends_both_ways(bends) && is_on_circle && is_line()
    })
}

/// Where the lines between places enter and leave a footprint: of a wheel that is wider than its rail, or half over the end of a table, what
/// touches is between the ends of its line.
fn ends_within(places: &[Place], footprint: &Polygon) -> Vec<Place> {
    let between = |(from, to): (&Place, &Place)| {
        let ends = footprint.span_of(from.at, to.at);
        let at = |part: f64| Place {
            at: from.at.lerp(to.at, part),
            depth: from.depth + part * (to.depth - from.depth),
            rounding: from.rounding + part * (to.rounding - from.rounding),
            round: None,
        };
        ends.into_iter().flatten().filter(|part| *part > 0.0 && *part < 1.0).map(at).collect::<Vec<_>>()
    };
    let pairs =
        places.iter().enumerate().flat_map(|(ix, from)| places[..ix].iter().map(move |to| (from, to)));
    pairs.flat_map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use tactum_geometry::mesh::generate::{self, Prism};
    use tactum_geometry::overlap::overlap;
    use tactum_geometry::{Cuboid, Overlap, Pose, Shape};

    fn contact(measured: &Overlap) -> ContactGeometry<'_> {
        ContactGeometry::of(measured).expect("a contact")
    }

    /// A prism of 16 sides that leans by 30 degrees, its lowest corner `depth` below the floor.
    fn leaning(depth: f64) -> (Shape, Pose) {
        let mesh = generate::prism(&Prism { sides: 16, radius: 0.1, height: 0.02 }, 0).expect("a prism");
        let lean = 30.0_f64.to_radians();
        let height = 0.1 * lean.sin() + 0.01 * lean.cos() - depth;
        let pose = Pose::new(DVec3::new(0.3, -0.2, height), DQuat::from_rotation_x(lean));
        (Shape::from_mesh(mesh).expect("closed"), pose)
    }

    /// The corners of the rim that are below the floor are found where they are, in both orders of the pair.
    #[test]
    fn the_corners_of_a_leaning_coin_are_found() {
        let (coin, pose) = leaning(0.01);
        let below = |corner: u32| {
            let angle = std::f64::consts::TAU * f64::from(corner) / 16.0;
            let x =
                pose.translation + pose.rotation * DVec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), -0.01);
            (x.z < 0.0).then_some(x)
        };
        let corners: Vec<DVec3> = (0..16).filter_map(below).collect();
        assert!(corners.len() >= 3, "{}", corners.len());
        let floor = Pose::IDENTITY;
        for coin_is_b in [true, false] {
            let (measured, origin) = if coin_is_b {
                (overlap(&Shape::HalfSpace, &floor, &coin, &pose), DVec3::ZERO)
            } else {
                (overlap(&coin, &pose, &Shape::HalfSpace, &floor), pose.translation)
            };
            assert!(is_sharp(&contact(&measured)));
            let (geometry, found) = Corners::of(contact(&measured)).expect("corners of a plane face");
            assert_eq!(found.are_of_b, coin_is_b);
            assert_eq!(found.places.len(), corners.len());
            assert!((origin.z + geometry.point.z + 0.01).abs() < 1e-12, "{}", geometry.point);
            for Place { at: x, depth, .. } in &found.places {
                let at = origin + geometry.point + geometry.axes[0] * x.x + geometry.axes[1] * x.y;
                let nearest = corners.iter().min_by(|a, b| {
                    let away = |c: &DVec3| (*c - at).truncate().length();
                    away(a).total_cmp(&away(b))
                });
                let corner = nearest.expect("a corner");
                assert!((*corner - at).truncate().length() < 1e-12, "{corner} {at}");
                assert!((depth + corner.z).abs() < 1e-12, "{depth} {corner}");
            }
        }
    }

    /// An edge has two corners, a corner one; the cap of a ball's mesh is flat.
    #[test]
    fn edges_and_corners_are_sharp_and_caps_are_not() {
        let on_floor = |shape: &Shape, turn: DQuat, height: f64| {
            overlap(&Shape::HalfSpace, &Pose::IDENTITY, shape, &Pose::new(DVec3::Z * height, turn))
        };
        let cube = Shape::Cuboid(Cuboid { half_size: DVec3::splat(0.5) });
        let edge = on_floor(&cube, DQuat::from_rotation_x(0.5), 0.5 * (0.5_f64.sin() + 0.5_f64.cos()) - 1e-3);
        let places = |measured| Corners::of(contact(measured)).expect("corners").1.places;
        let [Place { at: a, depth: of_a, .. }, Place { at: b, depth: of_b, .. }] = places(&edge)[..] else {
            panic!("two ends")
        };
        assert!((a.distance(b) - 1.0).abs() < 1e-12);
        assert!((of_a - 1e-3).abs() < 1e-12 && (of_b - 1e-3).abs() < 1e-12);
        let turn = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
        let corner = on_floor(&cube, turn, 0.75_f64.sqrt() - 1e-3);
        let [Place { at, depth, .. }] = places(&corner)[..] else { panic!("one corner") };
        assert!(at.length() < 1e-12 && (depth - 1e-3).abs() < 1e-12);
        for sharp in [&edge, &corner] {
            assert!(is_sharp(&contact(sharp)));
        }
        let ball = Shape::from_mesh(generate::sphere(0.5, 5120).expect("a ball")).expect("closed");
        let cap = on_floor(&ball, DQuat::IDENTITY, 0.5 - 2e-3);
        assert!(!is_sharp(&contact(&cap)));
    }
}
