//! Pieces of conic sections as rational curves of degree two, which are the same for ellipses, parabolas, hyperbolas and
//! straight lines and go from one into the other without a loss of digits.

use glam::DVec3;

/// Weights of the middle between which a piece is integrated by one application of Gauss's rule of 16 points: the nearest poles
/// are then 0.6 of the piece's parameter beyond its ends, or 0.9 beside it, and the rule's error below 1e-16.
const SMOOTH: std::ops::RangeInclusive<f64> = 0.5..=1.5;

/// Ratio of the ends' squared distances from the axis up to which the same holds for the azimuth along a piece, whose poles are
/// where the side comes to its tip.
const EVENLY_FAR: f64 = 16.0;

/// Distance of the nearest pole from the middle of a piece, in halves of its length, from which Gauss's rule of 8 points has an error
/// below 1e-16.
const FAR_POLE: f64 = 14.0;

/// Halvings after which a piece is left as it is. A weight of a million takes ten, as every one takes the square root of half of it;
/// ends whose distances from the axis differ by a factor of 1e15, less than what rounding leaves at a tip, take 25.
const MOST_HALVINGS: u32 = 30;

/// Halvings of a curve, at least, whose points are wanted.
const FEWEST_HALVINGS: u32 = 2;

/// Sine of the angle about the axis from end to end up to which a curve is a straight line along the side: rounding.
const STRAIGHT: f64 = 1e-12;

/// The curve `((1-t)² from + 2 t (1-t) middle + t² to) / ((1-t)² + 2 t (1-t) weight + t²)` for t from 0 to 1 (Farin 2002, chapter
/// 12, in standard form): of `middle` / `weight` the point where the tangents at the ends meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rational {
    pub from: DVec3,
    pub to: DVec3,
    /// The middle control point times its weight \[m\].
    pub middle: DVec3,
    /// Below one for an ellipse, below zero for more than half of it, one for a parabola or a straight line, above for a hyperbola.
    pub weight: f64,
}

impl Rational {
    /// A straight line.
    pub fn line(from: DVec3, to: DVec3) -> Self {
        Self { from, to, middle: 0.5 * (from + to), weight: 1.0 }
    }

    /// The point at a parameter, and the derivative there.
    pub fn at(&self, t: f64) -> (DVec3, DVec3) {
        let s = 1.0 - t;
        let weight = s * s + 2.0 * s * t * self.weight + t * t;
        let x = (s * s * self.from + 2.0 * s * t * self.middle + t * t * self.to) / weight;
        let change = 2.0 * (s * (self.middle - self.from) + t * (self.to - self.middle));
        let weight_change = 2.0 * (s * (self.weight - 1.0) + t * (1.0 - self.weight));
        (x, (change - weight_change * x) / weight)
    }

    /// Both halves, cut where the curve is farthest from its chord.
    fn halves(&self) -> [Self; 2] {
        let weight = (0.5 * (1.0 + self.weight)).sqrt();
        let shoulder = (0.5 * (self.from + self.to) + self.middle) / (1.0 + self.weight);
        let half = |end: DVec3| 0.5 * (end + self.middle) / weight;
        [
            Self { from: self.from, to: shoulder, middle: half(self.from), weight },
            Self { from: shoulder, to: self.to, middle: half(self.to), weight },
        ]
    }

    /// Whether one application of Gauss's rule integrates it to rounding. What is not a number counts as smooth, so that halving
    /// ends.
    fn is_smooth(&self) -> bool {
        let (a, b) = (self.from.truncate(), self.to.truncate());
        let (square_a, square_b) = (a.length_squared(), b.length_squared());
        let is_bent = a.perp_dot(b).powi(2) > STRAIGHT * STRAIGHT * square_a * square_b;
        let is_uneven = square_a.max(square_b) > EVENLY_FAR * square_a.min(square_b);
        SMOOTH.contains(&self.weight) && !(is_uneven && is_bent)
    }

    /// Whether Gauss's rule of 8 points is enough: the poles where the weight is zero, and those where the curve's continuation comes to the axis,
    /// are far away.
    pub fn is_short(&self) -> bool {
        let (a, b) = (self.from.truncate(), self.to.truncate());
        let square = FAR_POLE * FAR_POLE;
        let nearest = a.length_squared().min(b.length_squared());
        square * (self.weight - 1.0).abs() < 1.0 + self.weight
            && square * a.distance_squared(b) < 4.0 * nearest
    }

    /// Visits pieces that Gauss's rule integrates to rounding, in order.
    pub fn for_each_smooth_part(&self, mut visit: impl FnMut(&Self)) {
        self.halve(0, &mut |part, depth| {
            let is_smooth = part.is_smooth() || depth == MOST_HALVINGS;
            if is_smooth {
                visit(part);
            }
            is_smooth
        });
    }

    /// Points along the curve, its ends among them, so that none of the pieces turns about the z axis by more than a
    /// `per_turn`-th of a turn; exactly so many where the curve is a circle about that axis, and at least a few where it is not
    /// straight.
    pub fn sample(&self, per_turn: u32, mut visit: impl FnMut(DVec3)) {
        // One rounding more than a piece of a circle turns by.
        let most = (std::f64::consts::TAU / f64::from(per_turn)).cos() - 1e-9;
        visit(self.from);
        self.halve(0, &mut |part, depth| {
            let (a, b) = (part.from.truncate(), part.to.truncate());
            let (cos, sin, one) = (a.dot(b), a.perp_dot(b).abs(), a.length() * b.length());
            let turns_much = cos < most * one || depth < FEWEST_HALVINGS && sin > STRAIGHT * one;
            let is_short = !turns_much && part.is_smooth() || depth == MOST_HALVINGS;
            if is_short {
                visit(part.to);
            }
            is_short
        });
    }

    /// Halves until `visit` takes a piece.
    fn halve(&self, depth: u32, visit: &mut impl FnMut(&Self, u32) -> bool) {
        if !visit(self, depth) {
            for half in self.halves() {
                half.halve(depth + 1, visit);
            }
        }
    }

    /// The curve's extreme points along an axis between its ends.
    pub fn extremes(&self, axis: DVec3, mut visit: impl FnMut(DVec3)) {
        // Along the axis from the curve's start; the derivative's numerator is a parabola in t, in the basis of Bernstein.
        let [middle, end] = [self.middle - self.weight * self.from, self.to - self.from].map(|x| x.dot(axis));
        let [a, b, c] = [middle, 0.5 * end, self.weight * end - middle];
        let (square, half_linear) = (a - 2.0 * b + c, b - a);
        let root = (half_linear * half_linear - square * a).sqrt();
        let larger = -(half_linear + root.copysign(half_linear));
        for t in [larger / square, a / larger] {
            if t > 0.0 && t < 1.0 {
                visit(self.at(t).0);
            }
        }
    }
}
