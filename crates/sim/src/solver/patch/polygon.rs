//! Polygonal patches.

use std::f64::consts::PI;

use glam::{DMat2, DVec2};

use super::{Ellipse, INSIDE_TOLERANCE, SEGMENT_WIDTH, bilinear_corner_radius};
use crate::SpinRule;

/// A convex polygon of the contact plane, a segment (two corners) or a point (one).
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Corners, counter-clockwise seen against the normal's tip, each with the side that leaves it.
    sides: Vec<Side>,
    /// Area \[m²\]; zero for a segment or a point.
    area: f64,
    /// Centroid of the area; the middle where there is none \[m\].
    centroid: DVec2,
    /// Middle of the bounding rectangle and distance from it to the farthest corner \[m\].
    middle: DVec2,
    reach: f64,
    bounds: [DVec2; 2],
    hertz_radius: f64,
}

/// A corner of a polygon with the side that leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    pub corner: DVec2,
    /// Unit vector to the next corner; zero for a point.
    pub direction: DVec2,
    pub length: f64,
}

impl Side {
    /// The sides of a polygon.
    pub(crate) fn around(corners: &[DVec2]) -> Vec<Self> {
        let side = |ix: usize| {
            let edge = corners[(ix + 1) % corners.len()] - corners[ix];
            Self { corner: corners[ix], direction: edge.normalize_or_zero(), length: edge.length() }
        };
        (0..corners.len()).map(side).collect()
    }

    /// Nearest point of the side.
    fn nearest(&self, x: DVec2) -> DVec2 {
        self.corner + self.direction * self.direction.dot(x - self.corner).clamp(0.0, self.length)
    }

    /// How far inside the side's line `x` lies \[m\].
    pub(crate) fn inset(&self, x: DVec2) -> f64 {
        self.direction.perp_dot(x - self.corner)
    }
}

impl Polygon {
    /// The convex hull of points \[m\], which may be in any order, repeated or collinear. No points make the contact
    /// point. A hull narrower than a billionth of its length is a segment.
    pub fn hull(points: &[DVec2]) -> Self {
        let mut corners = convex_hull(points);
        let (min, max) = corners
            .iter()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), c| (min.min(*c), max.max(*c)));
        let middle = (min + max) * 0.5;
        let reach = corners.iter().map(|c| c.distance(middle)).fold(0.0, f64::max);
        let mut moments = AreaMoments::of(&corners, middle);
        if moments.area <= SEGMENT_WIDTH * reach * reach {
            corners = segment(&corners);
            moments.area = 0.0;
            moments.centroid = middle;
        }
        let hertz = moments.ellipse(&corners).spin_radius(SpinRule::Hertz, DVec2::ZERO);
        Self {
            sides: Side::around(&corners),
            area: moments.area,
            centroid: moments.centroid,
            middle,
            reach,
            bounds: [min, max],
            hertz_radius: hertz,
        }
    }

    /// Corners, counter-clockwise seen against the normal's tip \[m\].
    pub fn corners(&self) -> impl ExactSizeIterator<Item = DVec2> + '_ {
        self.sides.iter().map(|side| side.corner)
    }

    /// Area \[m²\]; zero for a segment or a point.
    pub fn area(&self) -> f64 {
        self.area
    }

    pub(crate) fn centroid(&self) -> DVec2 {
        self.centroid
    }

    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// About how wide it is across its length \[m\].
    pub(super) fn width(&self) -> f64 {
        if self.area > 0.0 { self.area / self.reach } else { 0.0 }
    }

    pub(super) fn contains(&self, x: DVec2) -> bool {
        let tolerance = INSIDE_TOLERANCE * self.reach;
        if self.area == 0.0 {
            return self.nearest_on_sides(x).distance(x) <= tolerance;
        }
        self.sides.iter().all(|side| side.inset(x) >= -tolerance)
    }

    /// Which part of the line between two points is inside, 0 being the first and 1 the other, or beside it where this is a segment or a
    /// point; `None` where nothing is.
    pub(crate) fn span_of(&self, from: DVec2, to: DVec2) -> Option<[f64; 2]> {
        if self.area == 0.0 {
            let along = (to - from) / to.distance_squared(from);
            let parts = self.corners().map(|x| along.dot(x - from).clamp(0.0, 1.0));
            let (low, high) =
                parts.fold((1.0_f64, 0.0_f64), |(low, high), part| (low.min(part), high.max(part)));
            return (low < high).then_some([low, high]);
        }
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for side in &self.sides {
            let (inset, change) = (side.inset(from), side.direction.perp_dot(to - from));
            if change == 0.0 {
                leaves = if inset < 0.0 { -1.0 } else { leaves };
            } else if change > 0.0 {
                enters = enters.max(-inset / change);
            } else {
                leaves = leaves.min(-inset / change);
            }
        }
        (enters < leaves).then_some([enters, leaves])
    }

    pub(crate) fn nearest(&self, x: DVec2) -> DVec2 {
        if self.contains(x) { x } else { self.nearest_on_sides(x) }
    }

    fn nearest_on_sides(&self, x: DVec2) -> DVec2 {
        let mut best = (f64::INFINITY, self.sides[0].corner);
        for side in &self.sides {
            let point = side.nearest(x);
            let distance = point.distance_squared(x);
            if distance < best.0 {
                best = (distance, point);
            }
        }
        best.1
    }

    pub(crate) fn lowest(&self, gradient: DVec2) -> DVec2 {
        let mut best = (f64::INFINITY, self.sides[0].corner);
        for corner in self.corners() {
            let height = gradient.dot(corner);
            if height < best.0 {
                best = (height, corner);
            }
        }
        best.1
    }

    pub(super) fn falling_direction(&self, x: DVec2, gradient: DVec2) -> Option<DVec2> {
        let tolerance = INSIDE_TOLERANCE * self.reach;
        let mut best = (0.0, None);
        for side in self.sides.iter().filter(|side| side.nearest(x).distance(x) <= tolerance) {
            let along = side.direction.dot(x - side.corner);
            for (direction, length) in [(side.direction, side.length - along), (-side.direction, along)] {
                let slope = gradient.dot(direction);
                if slope < best.0 && length > tolerance {
                    best = (slope, Some(direction));
                }
            }
        }
        best.1
    }

    pub(super) fn min_spin_radius(&self, rule: SpinRule) -> f64 {
        match rule {
            // Of all shapes of one area the disc, seen from its centre, has the smallest mean distance: 2/3 radius.
            SpinRule::Uniform if self.area > 0.0 => 2.0 / 3.0 * (self.area / PI).sqrt(),
            SpinRule::Uniform => 0.5 * self.reach,
            SpinRule::Hertz => self.hertz_radius,
            SpinRule::Corners => 0.0,
        }
    }

    pub(super) fn spin_radius(&self, rule: SpinRule, x: DVec2) -> f64 {
        match rule {
            SpinRule::Uniform if self.area > 0.0 => self.mean_distance(x),
            SpinRule::Uniform => self.mean_distance_of_segment(x),
            SpinRule::Hertz => self.hertz_radius,
            SpinRule::Corners => bilinear_corner_radius(self.bounds[0], self.bounds[1], x),
        }
    }

    /// Mean distance `(1/A) ∫ |r - x| dA` of the polygon's points to `x`, in closed form.
    ///
    /// The polygon is the signed sum of the triangles from `x` to its sides. In polar coordinates about `x` a side
    /// at distance `h`, with its ends at `t₁` and `t₂` along it, bounds `∫ ρ³/3 dθ` with `ρ = h / cos θ` and
    /// `t = h tan θ`, which is `[h t ρ + h³ asinh(t/h)] / 6` between the ends, `ρ = sqrt(h² + t²)`.
    fn mean_distance(&self, x: DVec2) -> f64 {
        let negligible = f64::EPSILON * self.reach;
        let sum: f64 = self
            .sides
            .iter()
            .map(|side| {
                let h = side.inset(x);
                if h.abs() <= negligible {
                    return 0.0;
                }
                let t1 = side.direction.dot(side.corner - x);
                let t2 = t1 + side.length;
                let (r1, r2) = ((h * h + t1 * t1).sqrt(), (h * h + t2 * t2).sqrt());
                h * (t2 * r2 - t1 * r1 + h * h * asinh_difference(h, [t1, r1], [t2, r2]))
            })
            .sum();
        sum / (6.0 * self.area)
    }

    /// Mean distance of a segment's or a point's points to a point on it.
    fn mean_distance_of_segment(&self, x: DVec2) -> f64 {
        let Side { corner, direction, length } = self.sides[0];
        if length == 0.0 {
            return x.distance(corner);
        }
        let before = direction.dot(x - corner).clamp(0.0, length);
        let after = length - before;
        (before * before + after * after) / (2.0 * length)
    }
}

/// `asinh(t₂/h) - asinh(t₁/h)` for `t₂ > t₁`, given `[t, hypot(h, t)]` of both; even in `h`. The logarithm's argument
/// is a quotient of sums of numbers of one sign, so that nothing cancels.
pub(crate) fn asinh_difference(h: f64, [t1, r1]: [f64; 2], [t2, r2]: [f64; 2]) -> f64 {
    if t1 >= 0.0 {
        ((t2 + r2) / (t1 + r1)).ln()
    } else if t2 <= 0.0 {
        ((r1 - t1) / (r2 - t2)).ln()
    } else {
        ((t2 + r2) * (r1 - t1) / (h * h)).ln()
    }
}

/// Corners of the convex hull, counter-clockwise, by Andrew's monotone chain (1979); at least one.
fn convex_hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    if sorted.is_empty() {
        return vec![DVec2::ZERO];
    }
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull: Vec<DVec2> = Vec::with_capacity(sorted.len() + 1);
    let mut chain = |points: &mut dyn Iterator<Item = &DVec2>| {
        let start = hull.len();
        for &p in points {
            while let [.., a, b] = hull[start..]
                && (b - a).perp_dot(p - b) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    chain(&mut sorted.iter());
    chain(&mut sorted.iter().rev());
    hull
}

/// The two corners farthest apart, or the only one.
fn segment(corners: &[DVec2]) -> Vec<DVec2> {
    let mut best = (0.0, corners[0], corners[0]);
    for (ix, a) in corners.iter().enumerate() {
        for b in &corners[ix + 1..] {
            let distance = a.distance_squared(*b);
            if distance > best.0 {
                best = (distance, *a, *b);
            }
        }
    }
    if best.0 == 0.0 { vec![best.1] } else { vec![best.1, best.2] }
}

/// Area and second moment about the centroid.
struct AreaMoments {
    area: f64,
    centroid: DVec2,
    /// `∫ (r-c)(r-c)ᵀ dA` \[m⁴\].
    second: DMat2,
}

impl AreaMoments {
    /// Moments of the polygon, summed over the triangles from `origin` to its sides.
    fn of(corners: &[DVec2], origin: DVec2) -> Self {
        let outer = |a: DVec2, b: DVec2| DMat2::from_cols(a * b.x, a * b.y);
        let (mut area, mut first, mut second) = (0.0, DVec2::ZERO, DMat2::ZERO);
        for (ix, corner) in corners.iter().enumerate() {
            let (a, b) = (*corner - origin, corners[(ix + 1) % corners.len()] - origin);
            let det = a.perp_dot(b);
            area += det / 2.0;
            first += (a + b) * (det / 6.0);
            second += (outer(a, a) + outer(b, b) + outer(a + b, a + b)) * (det / 24.0);
        }
        if area > 0.0 {
            second -= outer(first, first) * (1.0 / area);
        }
        let centroid = if area > 0.0 { origin + first / area } else { origin };
        Self { area, centroid, second }
    }

    /// The flat ellipse with the same second moment per area: its semi-axes are twice the principal deviations. That
    /// of a segment is the segment's own, `length / sqrt(12)` per deviation.
    fn ellipse(&self, corners: &[DVec2]) -> Ellipse {
        if self.area == 0.0 {
            let length = corners[0].distance(corners[corners.len() - 1]);
            return Ellipse::new(length / 3.0_f64.sqrt(), 0.0);
        }
        let (xx, yy, xy) = (self.second.x_axis.x, self.second.y_axis.y, self.second.x_axis.y);
        let (mean, radius) = ((xx + yy) / 2.0, ((xx - yy) / 2.0).hypot(xy));
        let semi_axis = |moment: f64| 2.0 * (moment / self.area).max(0.0).sqrt();
        Ellipse::new(semi_axis(mean + radius), semi_axis(mean - radius))
    }
}
