//! Elliptic patches.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec2;

use super::{INSIDE_TOLERANCE, SEGMENT_WIDTH, bilinear_corner_radius};
use crate::SpinRule;

/// An ellipse about the contact point with its axes along `(u, w)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    semi_axes: DVec2,
    /// Mean distance of the ellipse's points to its centre \[m\].
    mean_radius: f64,
}

impl Ellipse {
    /// The ellipse with semi-axes `a` along `u` and `b` along `w` \[m\], not negative, in any order of size.
    pub fn new(a: f64, b: f64) -> Self {
        let (long, short) = if a >= b { (a, b) } else { (b, a) };
        // ∫ |r| dA over the area: 4 a E(m) / (3 π), m = 1 - (b/a)².
        let mean_radius =
            if long > 0.0 { 4.0 / (3.0 * PI) * long * complete_elliptic_e(short / long) } else { 0.0 };
        Self { semi_axes: DVec2::new(a, b), mean_radius }
    }

    /// Semi-axes along `u` and `w` \[m\].
    pub fn semi_axes(&self) -> DVec2 {
        self.semi_axes
    }

    pub(super) fn reach(&self) -> f64 {
        self.semi_axes.max_element()
    }

    fn is_segment(&self) -> bool {
        self.semi_axes.min_element() <= SEGMENT_WIDTH * self.reach()
    }

    pub(super) fn contains(&self, x: DVec2) -> bool {
        if self.is_segment() {
            return (x.abs() - self.semi_axes).max_element() <= INSIDE_TOLERANCE * self.reach();
        }
        (x / self.semi_axes).length_squared() <= 1.0 + 2.0 * INSIDE_TOLERANCE
    }

    /// The rim's point nearest to `y`, inside or outside; the segment's nearest point where the ellipse is one.
    ///
    /// With `s` measured from the pole at minus the square of the short semi-axis, the nearest point has the
    /// coordinates `a² y / (s + a² - b²)` at the largest root of `F(s) = Σ (a y / (s + a² - b²))² - 1` (Eberly,
    /// Distance from a point to an ellipse, 2013). Newton's method from a point where one term alone is at least 1 is
    /// monotone, because F is convex and decreasing there.
    pub fn nearest_on_rim(&self, y: DVec2) -> DVec2 {
        if self.is_segment() {
            return y.clamp(-self.semi_axes, self.semi_axes);
        }
        let squares = self.semi_axes * self.semi_axes;
        let gaps = squares - squares.min_element();
        let numerators = self.semi_axes * y.abs();
        let mut s = (numerators - gaps).max_element();
        if (y / self.semi_axes).length_squared() >= 1.0 {
            s = s.max(squares.min_element());
        } else if s <= 0.0 {
            return self.nearest_to_axis(y);
        }
        for _ in 0..NEWTON_LIMIT {
            let terms = (numerators / (s + gaps)).map(|c| c * c);
            let step = (terms.element_sum() - 1.0) / (2.0 * (terms / (s + gaps)).element_sum());
            if step.is_nan() {
                break;
            }
            s += step;
            if step <= NEWTON_CONVERGED * s {
                break;
            }
        }
        squares * y / (s + gaps)
    }

    /// The nearest rim point of a point on the long axis between the centres of curvature of its ends, where F has
    /// no root. Of the two that mirror each other it is the one with positive short coordinate.
    fn nearest_to_axis(&self, y: DVec2) -> DVec2 {
        let long = usize::from(self.semi_axes.y > self.semi_axes.x);
        let short = 1 - long;
        let gap = self.semi_axes[long].powi(2) - self.semi_axes[short].powi(2);
        // All rim points are equally near to the centre of a circle, which has no gap: the end of the axis serves.
        let along = if gap > 0.0 { self.semi_axes[long] * y[long] / gap } else { 1.0 };
        let mut x = DVec2::ZERO;
        x[long] = self.semi_axes[long] * along;
        x[short] = self.semi_axes[short] * (1.0 - along * along).max(0.0).sqrt();
        x
    }

    pub(super) fn falling_direction(&self, x: DVec2, gradient: DVec2) -> Option<DVec2> {
        if self.is_segment() {
            let axis = if self.semi_axes.x >= self.semi_axes.y { DVec2::X } else { DVec2::Y };
            let direction = axis * -gradient.dot(axis).signum();
            let ends = x.dot(direction) >= (1.0 - INSIDE_TOLERANCE) * self.reach();
            return (!ends && gradient.dot(direction) < 0.0).then_some(direction);
        }
        let tangent = (x / (self.semi_axes * self.semi_axes)).perp().normalize_or_zero();
        let direction = tangent * -gradient.dot(tangent).signum();
        (gradient.dot(direction) < 0.0).then_some(direction)
    }

    pub(super) fn lowest(&self, gradient: DVec2) -> DVec2 {
        let scaled = self.semi_axes * gradient;
        let length = scaled.length();
        if length > 0.0 { -(self.semi_axes * scaled) / length } else { DVec2::ZERO }
    }

    pub(super) fn min_spin_radius(&self, rule: SpinRule) -> f64 {
        match rule {
            // The mean distance is a convex and even function of x.
            SpinRule::Uniform => self.mean_radius,
            SpinRule::Hertz => self.hertz_radius(),
            SpinRule::Corners => 0.0,
        }
    }

    pub(super) fn spin_radius(&self, rule: SpinRule, x: DVec2) -> f64 {
        match rule {
            SpinRule::Uniform => self.mean_radius + self.mean_radius_gain(x),
            SpinRule::Hertz => self.hertz_radius(),
            SpinRule::Corners => bilinear_corner_radius(-self.semi_axes, self.semi_axes, x),
        }
    }

    /// Spin radius of Hertz's pressure, `3 a E(m) / 8`: 9 π / 32 of the mean radius.
    fn hertz_radius(&self) -> f64 {
        9.0 * PI / 32.0 * self.mean_radius
    }

    /// By how much the mean distance to `x` exceeds that to the centre.
    ///
    /// With `r = x + t (a cos φ, b sin φ)` the ellipse is the unit disc in `t, φ`, `dA = a b t dt dφ`, and the two
    /// rim distances along a line through ξ = (x_u/a, x_w/b) are `s ± B` with `B = ξ·(cos φ, sin φ)` and
    /// `s² = 1 - |ξ|² + B²`. Hence the mean is `2/(3π) ∫₀^π w(φ) s (s² + 3 B²) dφ`, `w = |(a cos φ, b sin φ)|`.
    fn mean_radius_gain(&self, x: DVec2) -> f64 {
        let part = |x: f64, semi_axis: f64| if semi_axis > 0.0 { x / semi_axis } else { 0.0 };
        let scaled = DVec2::new(part(x.x, self.semi_axes.x), part(x.y, self.semi_axes.y));
        let rest = 1.0 - scaled.length_squared();
        let sum: f64 = QUADRATURE
            .iter()
            .map(|&[cos, sin, weight]| {
                let speed = (self.semi_axes * DVec2::new(cos, sin)).length();
                let chord = |b: f64| {
                    let square = (rest + b * b).max(0.0);
                    square.sqrt() * (square + 3.0 * b * b)
                };
                let (along, across) = (scaled.x * cos, scaled.y * sin);
                weight * speed * (chord(along + across) + chord(along - across) - 2.0)
            })
            .sum();
        2.0 / (3.0 * PI) * sum
    }
}

/// Steps that Newton's method may take to the rim; it needs four on average and seven outside, more only next to the
/// long axis inside, where the start is far in units of the root's distance to the pole. No unit.
const NEWTON_LIMIT: u32 = 64;

/// A step this small against the distance to the pole leaves an error of one and a half times its square. No unit.
const NEWTON_CONVERGED: f64 = 1e-8;

/// Complete elliptic integral of the second kind with complementary modulus `0 <= k' <= 1`, by the
/// arithmetic-geometric mean (Abramowitz and Stegun 1964, 17.6).
fn complete_elliptic_e(complementary_modulus: f64) -> f64 {
    if complementary_modulus <= 0.0 {
        return 1.0;
    }
    let (mut a, mut g) = (1.0, complementary_modulus);
    let mut power = 0.5;
    let mut sum = power * (1.0 - g * g);
    // Converges quadratically: ten halvings of the logarithm reach any f64 modulus.
    while a - g > f64::EPSILON * a {
        let c = 0.5 * (a - g);
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
        power *= 2.0;
        sum += power * c * c;
    }
    FRAC_PI_2 / a * (1.0 - sum)
}

/// Gauss-Legendre nodes `[cos φ, sin φ, weight]` on a quarter turn. Eight of them give the mean distance to within
/// 2.2e-4 of itself, worst on the rim (4000 points of ellipses down to a ratio of axes of 1e-4).
const QUADRATURE: [[f64; 3]; 8] = [
    [0.999_513_685_211_59, 0.031_183_217_838_231_473, 0.079_504_706_485_874_09],
    [0.987_275_388_201_999_8, 0.159_019_834_770_982_47, 0.174_657_656_034_104_94],
    [0.931_367_258_055_444_1, 0.364_081_076_990_117_44, 0.246_384_623_518_066_03],
    [0.801_301_417_664_392, 0.598_260_844_489_287_7, 0.284_851_177_359_403_24],
    [0.598_260_844_489_287_7, 0.801_301_417_664_392, 0.284_851_177_359_403_24],
    [0.364_081_076_990_117_44, 0.931_367_258_055_444_1, 0.246_384_623_518_066_03],
    [0.159_019_834_770_982_47, 0.987_275_388_201_999_8, 0.174_657_656_034_104_94],
    [0.031_183_217_838_231_473, 0.999_513_685_211_59, 0.079_504_706_485_874_09],
];
