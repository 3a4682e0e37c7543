//! The parts that a smooth surface consists of, and where each touches a plane.

use glam::{DMat2, DMat3, DVec2, DVec3};

use super::SmoothPoint;
use crate::Ridge;

/// Which way a surface bends in all directions in which it bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// Out, as that of a ball.
    Out,
    /// In, as that of a bowl.
    In,
}

impl Bend {
    /// The sign of its radii of curvature.
    fn sign(self) -> f64 {
        match self {
            Self::Out => 1.0,
            Self::In => -1.0,
        }
    }
}

/// A part of a smooth surface.
pub(super) trait Part: Clone {
    fn points(&self) -> &[DVec3];

    /// Normals between which it may touch; none where it may come from anywhere.
    fn normals(&self) -> &[DVec3] {
        &[]
    }

    /// How far beside what is between these normals it may touch \[rad\].
    fn aside(&self) -> f64 {
        0.0
    }

    /// Whether it may touch planes from a direction that is a sum of these.
    fn faces(&self, _cell: &[DVec3; 3]) -> bool {
        true
    }

    /// About how far the surface lies outside it at most \[m\].
    fn bulge(&self) -> f64 {
        0.0
    }

    /// Where it touches planes that come from a direction, if it bends that way there; what only bounds the surface does not.
    fn touch(&self, _toward: DVec3, _bend: Bend) -> Option<SmoothPoint> {
        None
    }
}

/// A vertex in which sharp edges end, or turn by more than a curve does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner(pub DVec3);

impl Part for Corner {
    fn points(&self) -> &[DVec3] {
        std::slice::from_ref(&self.0)
    }
}

impl Part for Ridge {
    fn points(&self) -> &[DVec3] {
        &self.ends
    }
}

/// A sharp edge as a part of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    pub ends: [DVec3; 2],
    /// Unit tangents from the first to the second end.
    pub tangents: [DVec3; 2],
    /// Of its arc \[m\].
    pub length: f64,
}

/// A facet of a smooth surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Facet {
    corners: [DVec3; 3],
    normals: [DVec3; 3],
    /// The product of a direction with each is the weight of that corner's normal in the direction.
    duals: [DVec3; 3],
}

impl Facet {
    /// `None` where the normals lie on an arc, two of them alike but for rounding, as it is the edges that touch then, and where they do not turn.
    pub fn new(corners: [DVec3; 3], normals: [DVec3; 3]) -> Option<Self> {
        let [n, m, o] = normals;
        let det = n.dot(m.cross(o));
        let turn = (m - n).length_squared().max((o - n).length_squared()).max((o - m).length_squared());
        let duals = [m.cross(o), o.cross(n), n.cross(m)].map(|dual| dual / det);
        (turn > NONE * NONE && det.abs() > ON_AN_ARC * turn).then_some(Self { corners, normals, duals })
    }
}

/// An edge between two facets of a smooth surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub ends: [DVec3; 2],
    pub normals: [DVec3; 2],
}

/// How many times as far as it bends away an edge that runs aslant over a cylinder counts as bulging, at most: what rolls is looked ahead for
/// by it. A wheel of 64 sides and half as wide as its radius loses less than 1e-3 of its energy in a second by five times and 2.5e-3 by once,
/// with steps of 10 ms. No unit.
const ASLANT: f64 = 5.0;

impl Span {
    /// Positive where it bulges out, negative where it is hollow.
    pub fn bends_by(&self) -> f64 {
        let [along, turn] = [self.ends, self.normals].map(|[from, to]| to - from);
        along.dot(turn)
    }

    /// How far the surface bends away from it, to either side \[m\].
    ///
    /// A facet of a sphere is bent away by a third more in its middle than at its edges. An edge that runs aslant over a cylinder is as
    /// long as the cylinder, but bends away only across it.
    pub fn bends_away(&self) -> f64 {
        let [along, turn] = [self.ends, self.normals].map(|[from, to]| to - from);
        let most = along.length() * turn.length();
        4.0 / 3.0 * most.min(ASLANT * self.bends_by().abs()) / 8.0
    }
}

/// Slope, difference of directions or determinant below which it is none: rounding. No unit.
pub(super) const NONE: f64 = 1e-9;

/// How far aside of the arc between an edge's normals a direction may lie, as a part of the arc, for the edge to be touched: a
/// cylinder's facets have no normals but on an arc. No unit.
const ASIDE: f64 = 0.05;

/// Angle that rounding may leave between directions that are the same, and more: [`NONE`] of a facet's normals, which lie less than a right
/// angle apart \[rad\].
const ROUNDED: f64 = 1e-6;

/// Part of the arc between an edge's normals beyond its ends up to which a direction is looked at more closely: more than rounding. No unit.
const WIDE: f64 = 1e-3;

/// Twice the area between a facet's normals, as a part of the square of their longest distance, below which they lie on an arc. No unit.
const ON_AN_ARC: f64 = 1e-3;

impl Part for Curve {
    fn points(&self) -> &[DVec3] {
        &self.ends
    }

    fn normals(&self) -> &[DVec3] {
        &[]
    }

    fn bulge(&self) -> f64 {
        let [s, t] = self.tangents;
        self.ends[0].distance(self.ends[1]) * s.angle_between(t) / 8.0
    }

    /// It rises at its start and falls at its end.
    fn faces(&self, cell: &[DVec3; 3]) -> bool {
        let [s, t] = self.tangents;
        cell.iter().any(|d| s.dot(*d) > 0.0) && cell.iter().any(|d| t.dot(*d) < 0.0)
    }

    /// Where the arc (cubic by its ends and tangents) reaches farthest, between its ends.
    fn touch(&self, toward: DVec3, bend: Bend) -> Option<SmoothPoint> {
        let Self { ends: [a, b], tangents: [s, t], length } = *self;
        let [rise, fall] = [s.dot(toward), t.dot(toward)];
        if bend == Bend::In || rise <= NONE || fall >= -NONE {
            return None;
        }
        // Zero of the slope `q2 u² + q1 u + q0`, which is positive at 0 and negative at 1.
        let across = (b - a).dot(toward);
        let q0 = length * rise;
        let q1 = 6.0 * across - length * (4.0 * rise + 2.0 * fall);
        let q2 = 3.0 * length * (rise + fall) - 6.0 * across;
        let root = (q1 * q1 - 4.0 * q2 * q0).max(0.0).sqrt();
        let u = (2.0 * q0 / (root - q1)).clamp(0.0, 1.0);
        let v = 1.0 - u;
        let place = a * (v * v * (1.0 + 2.0 * u))
            + b * (u * u * (1.0 + 2.0 * v))
            + (s * (u * v * v) - t * (u * u * v)) * length;
        let tangent = (s * v + t * u).normalize_or_zero();
        let curvature = -(2.0 * q2 * u + q1) / (length * length);
        let rounding = outer(tangent) * curvature.recip();
        (place.is_finite() && curvature > 0.0 && rounding.is_finite()).then_some(SmoothPoint {
            place,
            rounding,
            ends: [place; 2],
        })
    }
}

impl Part for Facet {
    fn points(&self) -> &[DVec3] {
        &self.corners
    }

    fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    fn aside(&self) -> f64 {
        ROUNDED
    }

    /// Neither lies beyond a side of the other.
    fn faces(&self, cell: &[DVec3; 3]) -> bool {
        let [a, b, c] = *cell;
        let sides = [a.cross(b), b.cross(c), c.cross(a)].map(|side| side * side.dot(a + b + c).signum());
        let is_beyond = |side: &DVec3| self.normals.iter().all(|n| n.dot(*side) < -ROUNDED * side.length());
        let is_behind = |dual: &DVec3| cell.iter().all(|d| d.dot(*dual) < -NONE);
        !sides.iter().any(is_beyond) && !self.duals.iter().any(is_behind)
    }

    fn bulge(&self) -> f64 {
        let side = |i: usize| {
            let of = |all: &[DVec3; 3]| [all[i], all[(i + 1) % 3]];
            Span { ends: of(&self.corners), normals: of(&self.normals) }
        };
        [0, 1, 2].map(|i| side(i).bulge()).into_iter().fold(0.0, f64::max)
    }

    /// Where the surface over the facet has the direction for its normal.
    fn touch(&self, toward: DVec3, bend: Bend) -> Option<SmoothPoint> {
        // Most facets face another way, which one of their normals tells.
        if self.duals.iter().any(|dual| toward.dot(*dual) < -NONE) {
            return None;
        }
        let weights = DVec3::from_array(self.duals.map(|dual| toward.dot(dual)));
        let weights = weights / weights.element_sum();
        let [u, w] = tangents(toward);
        let normals = self.normals.map(|n| turned(n, toward, u, w));
        let places = self.corners.map(|p| DVec2::new(p.dot(u), p.dot(w)));
        let by = DMat2::from_cols(normals[1] - normals[0], normals[2] - normals[0]);
        let moved = DMat2::from_cols(places[1] - places[0], places[2] - places[0]);
        let h = moved * by.inverse();
        let h = (h + h.transpose()) * 0.5;
        let bends_so = h.determinant() > 0.0 && bend.sign() * h.x_axis.x > 0.0 && h.is_finite();
        if !bends_so {
            return None;
        }
        let (mut reach, mut at) = (0.0, DVec2::ZERO);
        for i in 0..3 {
            let bent = h * normals[i];
            reach += weights[i] * (self.corners[i].dot(toward) + 0.5 * normals[i].dot(bent));
            at += (places[i] - bent) * weights[i];
        }
        let rounding = outer(u) * h.x_axis.x
            + outer(w) * h.y_axis.y
            + (DMat3::from_cols(u * w.x, u * w.y, u * w.z) + DMat3::from_cols(w * u.x, w * u.y, w * u.z))
                * h.x_axis.y;
        let place = u * at.x + w * at.y + toward * reach;
        Some(SmoothPoint { place, rounding, ends: [place; 2] })
    }
}

impl Part for Span {
    fn points(&self) -> &[DVec3] {
        &self.ends
    }

    fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    fn aside(&self) -> f64 {
        (ASIDE * self.normals[0].distance(self.normals[1])).min(1.0).asin() + ROUNDED
    }

    fn bulge(&self) -> f64 {
        if self.bends_by() > 0.0 { self.bends_away() } else { 0.0 }
    }

    /// Where the surface along the edge has the direction for its normal, or nearly.
    fn touch(&self, toward: DVec3, bend: Bend) -> Option<SmoothPoint> {
        let [n, m] = self.normals;
        let arc = m - n;
        // Most directions are far from the arc, or opposite; these take no root.
        let (square, part) = (arc.length_squared(), (toward - n).dot(arc));
        if part < -WIDE * square || part > (1.0 + WIDE) * square || toward.dot(n + m) <= 0.0 {
            return None;
        }
        let length = square.sqrt();
        if length <= NONE {
            return None;
        }
        let along = arc / length;
        let aside = along.cross(n).normalize_or_zero().dot(toward);
        let part = (toward - n).dot(along) / length;
        if aside.abs() > ASIDE * length || !(-NONE..=1.0 + NONE).contains(&part) {
            return None;
        }
        let t = (along - toward * along.dot(toward)).normalize_or_zero();
        let turns = self.normals.map(|n| n.dot(t).signum() * (2.0 - 2.0 * n.dot(toward)).max(0.0).sqrt());
        let places = self.ends.map(|p| p.dot(t));
        let radius = (places[1] - places[0]) / (turns[1] - turns[0]);
        let bends_so = bend.sign() * radius > 0.0 && radius.is_finite();
        if !bends_so {
            return None;
        }
        let reach = |i: usize| self.ends[i].dot(toward) + 0.5 * radius * turns[i] * turns[i];
        let between = self.ends[0] * (1.0 - part) + self.ends[1] * part;
        let at = (places[0] - radius * turns[0]) * (1.0 - part) + (places[1] - radius * turns[1]) * part;
        let place = between + t * (at - between.dot(t));
        let height = reach(0) * (1.0 - part) + reach(1) * part;
        let place = place + toward * (height - place.dot(toward));
        Some(SmoothPoint { place, rounding: outer(t) * radius, ends: self.ends })
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Two unit vectors at right angles to a third and each other.
fn tangents(n: DVec3) -> [DVec3; 2] {
    let (u, w) = n.any_orthonormal_pair();
    [u, w]
}

/// How a normal differs from a direction, on the tangent axes, as long as the chord between the two.
fn turned(n: DVec3, toward: DVec3, u: DVec3, w: DVec3) -> DVec2 {
    let flat = DVec2::new(n.dot(u), n.dot(w));
    flat.normalize_or_zero() * (2.0 - 2.0 * n.dot(toward)).max(0.0).sqrt()
}
