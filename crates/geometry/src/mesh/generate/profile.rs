//! Plane profiles turned about the z axis.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::resolution::{Layout, pieces};
use super::rings::{Ring, RingCounts, Weaver};
use crate::TriangleMesh;

/// A curve in the half-plane of radius r (x) and height z (y), with material on its left: a curve that starts and
/// ends on the axis runs from the bottom pole to the top one, a closed one counter-clockwise.
#[derive(Clone, Default)]
pub(super) struct Profile {
    points: Vec<DVec2>,
}

impl Profile {
    /// A profile that starts at (r, z).
    pub fn from(r: f64, z: f64) -> Self {
        Self { points: vec![DVec2::new(r, z)] }
    }

    /// The end so far.
    fn end(&self) -> DVec2 {
        self.points[self.points.len() - 1]
    }

    /// Goes on straight to (r, z) in edges of about `edge`.
    pub fn line_to(mut self, r: f64, z: f64, edge: f64) -> Self {
        let (from, to) = (self.end(), DVec2::new(r, z));
        let n = pieces(from.distance(to), edge, 1);
        self.points.extend((1..n).map(|i| from.lerp(to, i as f64 / n as f64)));
        self.points.push(to);
        self
    }

    /// Goes on along a circle about (`center_r`, `center_z`) from angle `start` to `end` in edges of about `edge`, at
    /// least `min` of them; angles from +r towards +z \[rad\]. The arc's first point is where the profile ends.
    pub fn arc(mut self, center: [f64; 2], angles: [f64; 2], edge: f64, min: usize) -> Self {
        let (center, [start, end]) = (DVec2::from_array(center), angles);
        let radius = self.end().distance(center);
        let n = pieces(radius * (end - start).abs(), edge, min);
        self.points.extend((1..=n).map(|i| {
            let (sin, cos) = (start + (end - start) * (i as f64 / n as f64)).sin_cos();
            center + radius * DVec2::new(cos, sin)
        }));
        self
    }

    /// Moves the last point to the axis, where an arc's rounding left it a little off.
    pub fn end_on_axis(mut self) -> Self {
        let last = self.points.len() - 1;
        self.points[last].x = 0.0;
        self
    }

    /// Drops the last point, which repeats the first of a closed profile.
    pub fn close(mut self) -> Self {
        self.points.pop();
        self
    }

    /// The points.
    pub fn into_points(self) -> Vec<DVec2> {
        self.points
    }
}

/// A profile with the number of vertices on each of its rings.
pub(super) struct Revolved {
    profile: Profile,
    counts: RingCounts,
}

/// Number of vertices of a ring whose circumference holds about `around` edges: a multiple of four, so that rings of
/// all numbers share the vertices at ±x and ±y and the solid keeps a fourfold axis.
pub(super) fn fourfold(around: f64, min: usize) -> usize {
    4 * pieces(around, 4.0, min / 4)
}

/// Fewest vertices around a round shape.
pub(super) const MIN_AROUND: usize = 8;

impl Revolved {
    /// Turns an open profile; the rings have `around` vertices at the largest radius and fewer in proportion to the
    /// radius, but at least four.
    pub fn graded(profile: Profile, around: usize) -> Self {
        /// Relative shrinking of radii that keeps numbers halfway between two multiples of four from being rounded
        /// differently above and below the equator; far above rounding, far below any step.
        const TIE_BREAK: f64 = 1e-9;
        let widest = profile.points.iter().fold(0.0, |r: f64, p| r.max(p.x));
        let rings = profile.points.iter().map(|p| match p.x {
            0.0 => 1,
            r => fourfold(around as f64 * (r / widest) * (1.0 - TIE_BREAK), 4),
        });
        let counts = RingCounts { rings: rings.collect(), closed: false };
        Self { profile, counts }
    }

    /// Turns a profile with `around` vertices on every ring but the poles.
    pub fn uniform(profile: Profile, around: usize, closed: bool) -> Self {
        let rings = profile.points.iter().map(|p| if p.x == 0.0 { 1 } else { around }).collect();
        Self { profile, counts: RingCounts { rings, closed } }
    }

    /// The surface; the first vertex of every ring is in the x-z half-plane with x >= 0.
    pub fn mesh(&self) -> TriangleMesh {
        let mut weaver = Weaver::default();
        let rings: Vec<Ring> = self
            .profile
            .points
            .iter()
            .zip(&self.counts.rings)
            .map(|(p, &n)| weaver.ring(circle(p.x, p.y, n)))
            .collect();
        weaver.join_all(&rings);
        if self.counts.closed {
            weaver.join(&rings[rings.len() - 1], &rings[0]);
        }
        weaver.finish()
    }
}

impl Layout for Revolved {
    fn n_triangles(&self) -> usize {
        self.counts.n_triangles()
    }
}

/// The corners of a regular polygon of circumradius `r` at height `z`, counter-clockwise from +x.
///
/// Quarter turns are exact, so that polygons of 4 k corners reach ±r and their sums cancel.
pub(super) fn circle(r: f64, z: f64, n: usize) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |i| {
        let (cos, sin) = direction(i, n);
        DVec3::new(r * cos, r * sin, z)
    })
}

/// Cosine and sine of `i / n` of a turn, exact at quarter turns.
pub(super) fn direction(i: usize, n: usize) -> (f64, f64) {
    let (quarter, rest) = (4 * i / n % 4, 4 * i % n);
    let (sin, cos) = (TAU * (rest as f64 / (4 * n) as f64)).sin_cos();
    [(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)][quarter]
}
