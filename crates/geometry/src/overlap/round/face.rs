//! A convex polygon cut by a ball, a cylinder or a cone.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DMat3, DVec3};

use super::frustum::PlaneSection;
use super::rational::Rational;
use crate::Aabb;
use crate::moments::{VolumeMoments, outer};

/// Angle below which an arc may as well be a whole turn by rounding: its ends are the roots of a quadratic, known to
/// 1e-8 where they nearly coincide.
pub(super) const FULL_TURN: f64 = 1e-6;

/// Largest angle of an arc integrated by one application of Gauss's rule.
const ARC_STEP: f64 = FRAC_PI_2;

/// Distance by which rounding puts a point of a face's plane out of the face's box, per unit of the coordinates.
const ON_PLANE: f64 = 1e-14;

/// Largest angle of an arc that the rule of 8 points integrates as well: what a pole adds falls off with the power of the number of
/// points of its distance in arcs, which is an eighth part smaller for the same error.
const SHORT_ARC: f64 = ARC_STEP / 8.0;

/// Positive nodes and the weights of Gauss's rule of 16 points on [-1, 1] (Abramowitz and Stegun 1964, table 25.4).
const GAUSS_16: [(f64, f64); 8] = [
    (0.09501250983763744, 0.1894506104550685),
    (0.2816035507792589, 0.18260341504492358),
    (0.45801677765722737, 0.16915651939500254),
    (0.6178762444026438, 0.14959598881657674),
    (0.755404408355003, 0.12462897125553388),
    (0.8656312023878318, 0.09515851168249279),
    (0.9445750230732326, 0.062253523938647894),
    (0.9894009349916499, 0.027152459411754096),
];

/// The same of the rule of 8 points.
const GAUSS_8: [(f64, f64); 4] = [
    (0.1834346424956498, 0.362683783378362),
    (0.525532409916329, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.10122853629037626),
];

/// A surface of second order about the origin that cuts polygons: a sphere, a cylinder along z, or one half of a cone along z.
/// What is inside is convex.
pub(super) trait Quadric {
    /// Negative inside, zero on the surface.
    fn value(&self, x: DVec3) -> f64;

    /// Half the second and half the first derivative of the value along `x + t d`: of a cylinder the squared length of the part
    /// of `d` across it, and its product with that of `x`.
    fn products(&self, x: DVec3, d: DVec3) -> (f64, f64);

    /// Whether a convex polygon is seen to lie outside of the surface, for less than cutting it costs; some that do are not seen to.
    fn misses(&self, _polygon: &[DVec3]) -> bool {
        false
    }

    /// The curve in which the plane through `at` with this unit normal cuts the surface; `None` if there is none, or
    /// straight lines.
    fn section(&self, normal: DVec3, at: DVec3) -> Option<Section>;
}

/// A curve in which a plane cuts a round surface.
#[derive(Clone, Copy, Debug)]
pub(super) enum Section {
    /// A circle or an ellipse.
    Conic(Conic),
    /// Any curve of a cylinder or a cone.
    OfFrustum(PlaneSection),
}

impl Section {
    /// A point of the plane inside the curve; `None` if that is not closed.
    fn inner_point(&self) -> Option<DVec3> {
        match self {
            Self::Conic(conic) => Some(conic.center),
            Self::OfFrustum(section) => section.inner_point(),
        }
    }

    /// The arcs of the whole closed curve.
    fn whole(&self) -> Vec<Arc> {
        match *self {
            Self::Conic(conic) => vec![Arc::Conic { conic, start: 0.0, angle: TAU }],
            Self::OfFrustum(section) => section.whole(),
        }
    }

    /// The arcs from where a polygon leaves the round body to where it comes back.
    fn between(&self, polygon: &[DVec3], normal: DVec3, leave: DVec3, enter: DVec3) -> Vec<Arc> {
        let is_in_face = |x: DVec3| contains(polygon, normal, x);
        match self {
            Self::Conic(conic) => conic.between(leave, enter, is_in_face).into_iter().collect(),
            Self::OfFrustum(section) => section.between(leave, enter, is_in_face),
        }
    }
}

/// The closed curve `center + cos t · cosine + sin t · sine`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conic {
    pub center: DVec3,
    pub cosine: DVec3,
    pub sine: DVec3,
    /// Rows that give cos t and sin t of a point from its offset to the centre.
    pub to_angle: [DVec3; 2],
}

impl Conic {
    fn point(&self, t: f64) -> DVec3 {
        let (sin, cos) = t.sin_cos();
        self.center + cos * self.cosine + sin * self.sine
    }

    fn angle(&self, x: DVec3) -> f64 {
        let offset = x - self.center;
        self.to_angle[1].dot(offset).atan2(self.to_angle[0].dot(offset))
    }

    /// The arc between two of its points; `None` if it has no length.
    fn between(self, leave: DVec3, enter: DVec3, is_in_face: impl FnOnce(DVec3) -> bool) -> Option<Arc> {
        let start = self.angle(leave);
        let angle = (self.angle(enter) - start).rem_euclid(TAU);
        let angle = match WholeTurn::of(angle, || is_in_face(self.point(start + 0.5 * TAU))) {
            WholeTurn::No => angle,
            WholeTurn::Yes(angle) => angle,
            WholeTurn::Nothing(residual) if residual > 0.0 => angle,
            WholeTurn::Nothing(_) => return None,
        };
        Some(Arc::Conic { conic: self, start, angle })
    }
}

/// What an arc is whose ends nearly coincide: nothing or everything lies between them, which the far side of the curve knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum WholeTurn {
    /// The ends do not coincide.
    No,
    /// The whole curve, by this angle.
    Yes(f64),
    /// No more than rounding: the angle from end to end, of either sign.
    Nothing(f64),
}

impl WholeTurn {
    /// Of an angle from 0 to a turn; `far_side` says whether the far side of the curve belongs to the arc.
    pub fn of(angle: f64, far_side: impl FnOnce() -> bool) -> Self {
        if (FULL_TURN..=TAU - FULL_TURN).contains(&angle) {
            return Self::No;
        }
        let is_short = angle < 1.0;
        match (far_side(), is_short) {
            (true, true) => Self::Yes(angle + TAU),
            (true, false) => Self::Yes(angle),
            (false, true) => Self::Nothing(angle),
            (false, false) => Self::Nothing(angle - TAU),
        }
    }
}

/// Where a face and the round surface meet, run counter-clockwise about the face's normal: the round surface inside
/// the polyhedron is on the right.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arc {
    /// From angle `start` on through `angle` > 0.
    Conic { conic: Conic, start: f64, angle: f64 },
    /// A piece of any plane curve of a cylinder or a cone.
    Rational(Rational),
    /// A straight line of a cylinder.
    Line { from: DVec3, to: DVec3 },
}

impl Arc {
    /// Calls `visit(x, dx)` at the nodes of the quadrature, `dx` being the weighted line element.
    pub fn integrate(&self, mut visit: impl FnMut(DVec3, DVec3)) {
        match *self {
            Self::Line { from, to } => {
                gauss(true, 0.0, 1.0, |s, ds| visit(from.lerp(to, s), (to - from) * ds));
            }
            Self::Rational(curve) => curve.for_each_smooth_part(|part| {
                gauss(part.is_short(), 0.0, 1.0, |t, dt| {
                    let (x, derivative) = part.at(t);
                    visit(x, derivative * dt);
                });
            }),
            Self::Conic { conic, start, angle } => {
                let n_steps = (angle / ARC_STEP).ceil().max(1.0);
                let step = angle / n_steps;
                for i in 0..n_steps as u32 {
                    let from = start + f64::from(i) * step;
                    gauss(step <= SHORT_ARC, from, from + step, |t, dt| {
                        let (sin, cos) = t.sin_cos();
                        let (along, across) = (conic.cosine, conic.sine);
                        visit(conic.center + cos * along + sin * across, (cos * across - sin * along) * dt);
                    });
                }
            }
        }
    }

    /// Where it starts and where it ends.
    fn ends(&self) -> [DVec3; 2] {
        match *self {
            Self::Line { from, to } => [from, to],
            Self::Rational(curve) => [curve.from, curve.to],
            Self::Conic { conic, start, angle } => [conic.point(start), conic.point(start + angle)],
        }
    }

    /// Points along the arc, its ends among them, at most a `per_turn`-th of a turn apart.
    pub fn sample(&self, per_turn: u32, mut visit: impl FnMut(DVec3)) {
        match *self {
            Self::Line { from, to } => [from, to].into_iter().for_each(visit),
            Self::Rational(curve) => curve.sample(per_turn, visit),
            Self::Conic { conic, start, angle } => {
                let n = (angle / TAU * f64::from(per_turn) - 1e-9).ceil().max(1.0);
                for i in 0..=n as u32 {
                    visit(conic.point(start + angle * (f64::from(i) / n)));
                }
            }
        }
    }

    /// The arc's extreme points along an axis, if the arc has any besides its ends.
    pub fn extremes(&self, axis: DVec3, mut visit: impl FnMut(DVec3)) {
        match *self {
            Self::Line { .. } => {}
            Self::Rational(curve) => curve.extremes(axis, visit),
            Self::Conic { conic, start, angle } => {
                let top = conic.sine.dot(axis).atan2(conic.cosine.dot(axis));
                for t in [top, top + 0.5 * TAU] {
                    if (t - start).rem_euclid(TAU) <= angle {
                        visit(conic.point(t));
                    }
                }
            }
        }
    }
}

/// Gauss's rule of 16 points on an interval, or of 8 where the curve is short: `visit(t, weight)`.
fn gauss(is_short: bool, from: f64, to: f64, mut visit: impl FnMut(f64, f64)) {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let rule: &[(f64, f64)] = if is_short { &GAUSS_8 } else { &GAUSS_16 };
    for (node, weight) in rule {
        visit(middle - half * node, half * weight);
        visit(middle + half * node, half * weight);
    }
}

/// The part of a face inside the round body: its moments about a point in its plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarPiece {
    pub normal: DVec3,
    pub origin: DVec3,
    pub area: f64,
    pub first: DVec3,
    pub second: DMat3,
}

impl PlanarPiece {
    pub fn new(normal: DVec3, origin: DVec3) -> Self {
        Self { normal, origin, area: 0.0, first: DVec3::ZERO, second: DMat3::ZERO }
    }

    /// Adds the triangles between the origin and a line element.
    pub fn add_element(&mut self, x: DVec3, dx: DVec3) {
        let r = x - self.origin;
        let twice_area = self.normal.dot(r.cross(dx));
        self.area += 0.5 * twice_area;
        self.first += twice_area / 3.0 * r;
        self.second += 0.25 * twice_area * outer(r, r);
    }

    /// Adds the triangle between the origin and a segment.
    pub fn add_segment(&mut self, from: DVec3, to: DVec3) {
        let (p, q) = (from - self.origin, to - self.origin);
        let twice_area = self.normal.dot(p.cross(q));
        let sum = p + q;
        self.area += 0.5 * twice_area;
        self.first += twice_area / 6.0 * sum;
        self.second += twice_area / 24.0 * (outer(p, p) + outer(q, q) + outer(sum, sum));
    }
}

/// What the faces of a polyhedron and a round body have in common.
#[derive(Debug, Default)]
pub(super) struct Cut {
    pub pieces: Vec<PlanarPiece>,
    pub arcs: Vec<Arc>,
    /// Ends of the straight sides of the pieces.
    pub corners: Vec<DVec3>,
}

/// Where a polygon's side goes through the round surface.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Enter(DVec3),
    Leave(DVec3),
}

impl Cut {
    /// Cuts one face and keeps its piece and arcs; nothing if it has no corners.
    pub fn add_face(&mut self, quadric: &impl Quadric, normal: DVec3, polygon: &[DVec3]) {
        let Some(&corner) = polygon.first() else { return };
        if quadric.misses(polygon) {
            return;
        }
        let mut piece: Option<PlanarPiece> = None;
        let (mut first_entry, mut exit) = (None, None);
        let mut spans = Vec::new();
        for (ix, &to) in polygon.iter().enumerate() {
            let from = if ix == 0 { polygon[polygon.len() - 1] } else { polygon[ix - 1] };
            let (segment, events) = side_inside(quadric, from, to);
            if let Some([from, to]) = segment {
                piece.get_or_insert_with(|| PlanarPiece::new(normal, from)).add_segment(from, to);
                self.corners.extend([from, to]);
            }
            for event in events.into_iter().flatten() {
                match (event, exit) {
                    (Event::Leave(x), _) => exit = Some(x),
                    (Event::Enter(x), None) => first_entry = Some(x),
                    (Event::Enter(x), Some(leave)) => {
                        spans.push((leave, x));
                        exit = None;
                    }
                }
            }
        }
        spans.extend(exit.zip(first_entry));
        let section = quadric.section(normal, corner);
        match (&mut piece, section) {
            (Some(piece), _) => {
                for (leave, enter) in spans {
                    self.add_arc(piece, section, polygon, leave, enter);
                }
            }
            (None, Some(section)) => {
                let inner = section.inner_point().filter(|&x| contains(polygon, normal, x));
                if let Some(x) = inner {
                    let mut disc = PlanarPiece::new(normal, x);
                    for arc in section.whole() {
                        arc.integrate(|x, dx| disc.add_element(x, dx));
                        self.arcs.push(arc);
                    }
                    piece = Some(disc);
                }
            }
            (None, None) => {}
        }
        self.pieces.extend(piece);
    }

    /// Adds the arcs from where the polygon leaves the round body to where it comes back.
    fn add_arc(
        &mut self,
        piece: &mut PlanarPiece,
        section: Option<Section>,
        polygon: &[DVec3],
        leave: DVec3,
        enter: DVec3,
    ) {
        let Some(section) = section else {
            piece.add_segment(leave, enter);
            self.arcs.push(Arc::Line { from: leave, to: enter });
            return;
        };
        let arcs = section.between(polygon, piece.normal, leave, enter);
        // The ends of the curve are the sides' ends up to rounding; two short segments close the outline.
        if let (Some(first), Some(last)) = (arcs.first(), arcs.last()) {
            piece.add_segment(leave, first.ends()[0]);
            piece.add_segment(last.ends()[1], enter);
        }
        for arc in arcs {
            arc.integrate(|x, dx| piece.add_element(x, dx));
            self.arcs.push(arc);
        }
    }
}

/// The part of a polygon's side inside a quadric, and where it goes through the surface.
///
/// Whether an end is inside is decided for the end alone, so that neighbouring sides agree.
pub(super) fn side_inside(
    quadric: &impl Quadric,
    from: DVec3,
    to: DVec3,
) -> (Option<[DVec3; 2]>, [Option<Event>; 2]) {
    let (value_from, value_to) = (quadric.value(from), quadric.value(to));
    let side = to - from;
    if value_from <= 0.0 && value_to <= 0.0 {
        return (Some([from, to]), [None, None]);
    }
    // From the point of the side that is deepest, so that the roots of a side that barely comes in keep their digits.
    let (square, product) = quadric.products(from, side);
    let deepest = (-product / square).clamp(0.0, 1.0);
    let deepest = if deepest.is_nan() { 0.0 } else { deepest };
    let middle = from + deepest * side;
    let (value, (_, product)) = (quadric.value(middle), quadric.products(middle, side));
    let discriminant = product * product - square * value;
    let root = discriminant.max(0.0).sqrt();
    let larger = -(product + root.copysign(product));
    let (p, q) = (deepest + larger / square, deepest + value / larger);
    // A side along a line of the surface has one root or none; without any its ends are inside or outside together but for
    // rounding.
    let (low, high) = match (p.is_finite(), q.is_finite()) {
        (true, true) => (p.min(q), p.max(q)),
        (false, true) => (q, q),
        _ => (0.5, 0.5),
    };
    // A steep side meets both halves of a cone: between its roots it is outside.
    let (entry, exit) = if square < 0.0 { (high, low) } else { (low, high) };
    let at = |t: f64| from + t.clamp(0.0, 1.0) * side;
    if value_from <= 0.0 {
        let leave = at(exit);
        (Some([from, leave]), [Some(Event::Leave(leave)), None])
    } else if value_to <= 0.0 {
        let enter = at(entry);
        (Some([enter, to]), [Some(Event::Enter(enter)), None])
    } else if discriminant > 0.0 && square > 0.0 && low > 0.0 && high < 1.0 {
        let (enter, leave) = (at(low), at(high));
        (Some([enter, leave]), [Some(Event::Enter(enter)), Some(Event::Leave(leave))])
    } else {
        (None, [None, None])
    }
}

/// Whether a convex polygon contains a point of its plane; one without area contains none.
///
/// The box keeps points off that lie on the line of a sliver but beyond its ends, whose sides are too short to tell.
fn contains(polygon: &[DVec3], normal: DVec3, x: DVec3) -> bool {
    let aabb = Aabb::from_points(polygon.iter().copied());
    let rounding = ON_PLANE * (aabb.min.abs().max(aabb.max.abs())).max_element();
    let mut has_width = false;
    aabb.inflated(rounding).contains(x)
        && (0..polygon.len()).all(|ix| {
            let (a, b) = (polygon[ix], polygon[(ix + 1) % polygon.len()]);
            let turn = normal.dot((b - a).cross(x - a));
            has_width |= turn > 0.0;
            turn >= 0.0
        })
        && has_width
}

/// The point of a convex polygon nearest to the origin.
pub(super) fn nearest_to_origin(polygon: &[DVec3], normal: DVec3) -> DVec3 {
    let foot = normal * normal.dot(polygon[0]);
    if contains(polygon, normal, foot) {
        return foot;
    }
    let mut nearest = polygon[0];
    for ix in 0..polygon.len() {
        let (a, b) = (polygon[ix], polygon[(ix + 1) % polygon.len()]);
        let side = b - a;
        let t = (-a.dot(side) / side.length_squared()).clamp(0.0, 1.0);
        // A side without length has t = NaN and its start as nearest point.
        let x = if t.is_nan() { a } else { a + t * side };
        if x.length_squared() < nearest.length_squared() {
            nearest = x;
        }
    }
    nearest
}

/// Adds the cones from `apex` over planar pieces: `h/3`, `h/4`, `h/5` times the pieces' moments about the apex.
pub(super) fn add_cones(sum: &mut VolumeMoments, pieces: &[PlanarPiece], apex: DVec3) {
    for piece in pieces {
        let arm = piece.origin - apex;
        let height = piece.normal.dot(arm);
        let first = piece.first + piece.area * arm;
        let cross = outer(arm, piece.first);
        let second: DMat3 = piece.second + cross + cross.transpose() + piece.area * outer(arm, arm);
        sum.volume += height / 3.0 * piece.area;
        sum.first += height / 4.0 * first;
        sum.second += height / 5.0 * second;
    }
}
