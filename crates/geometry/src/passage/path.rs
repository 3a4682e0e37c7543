//! Points on straight paths, and the vectors of second degree that edges between them span.

use glam::DVec3;

use super::bernstein::Bernstein;
use crate::Aabb;

/// A point, or a difference of points, that moves straight and evenly from τ = 0 to τ = 1, \[m\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Path {
    /// At τ = 0.
    pub start: DVec3,
    /// At τ = 1.
    pub end: DVec3,
}

impl Path {
    /// At a time τ.
    pub fn at(&self, t: f64) -> DVec3 {
        self.start + t * (self.end - self.start)
    }

    /// The box around it.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: self.start.min(self.end), max: self.start.max(self.end) }
    }

    /// Derivative by τ.
    pub fn slope(&self) -> DVec3 {
        self.end - self.start
    }

    /// From another to this one.
    #[must_use]
    pub fn from(&self, other: &Self) -> Self {
        Self { start: self.start - other.start, end: self.end - other.end }
    }
}

/// A vector of second degree in τ, in Bernstein form: the unnormalised normal of a face that moves, or of two edges (Tang et al.
/// 2012, theorems 1 and 2; the second is printed with a basis that runs backwards) \[m²\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadratic(pub [DVec3; 3]);

impl Quadratic {
    /// `u(τ) × v(τ)`.
    ///
    /// The middle coefficient `(u0 × v1 + u1 × v0)/2` is the theorems' `(n0 + n2 - ω)/2` without its cancellation.
    pub fn cross(u: &Path, v: &Path) -> Self {
        let middle = 0.5 * (u.start.cross(v.end) + u.end.cross(v.start));
        Self([u.start.cross(v.start), middle, u.end.cross(v.end)])
    }

    /// At a time τ.
    pub fn at(&self, t: f64) -> DVec3 {
        let [n0, n1, n2] = self.0;
        let s = 1.0 - t;
        s * s * n0 + 2.0 * s * t * n1 + t * t * n2
    }

    /// Product with a straight path, a cubic.
    pub fn dot_path(&self, r: &Path) -> Bernstein<4> {
        let [n0, n1, n2] = self.0;
        Bernstein([
            n0.dot(r.start),
            (2.0 * n1.dot(r.start) + n0.dot(r.end)) / 3.0,
            (2.0 * n1.dot(r.end) + n2.dot(r.start)) / 3.0,
            n2.dot(r.end),
        ])
    }

    /// Product of two, a quartic; of one with itself it is the theorems' `L(τ)`, the squared length.
    pub fn dot(&self, other: &Self) -> Bernstein<5> {
        let ([x0, x1, x2], [y0, y1, y2]) = (self.0, other.0);
        Bernstein([
            x0.dot(y0),
            0.5 * (x0.dot(y1) + x1.dot(y0)),
            (x0.dot(y2) + 4.0 * x1.dot(y1) + x2.dot(y0)) / 6.0,
            0.5 * (x1.dot(y2) + x2.dot(y1)),
            x2.dot(y2),
        ])
    }

    /// Coefficients of `s²`, `s` and 1 of the vector at `τ = about + s`.
    pub fn powers_about(&self, about: f64) -> [DVec3; 3] {
        let [n0, n1, n2] = self.0;
        let square = n0 - 2.0 * n1 + n2;
        [square, 2.0 * about * square + 2.0 * (n1 - n0), self.at(about)]
    }

    /// The largest length among the coefficients, which no value exceeds.
    pub fn largest(&self) -> f64 {
        self.0.iter().map(|n| n.length()).fold(0.0, f64::max)
    }
}
