//! What two triangles have in common in a plane.

use glam::DVec2;

/// Most corners of what two triangles have in common.
pub const MAX_CORNERS: usize = 6;

/// Distance of two corners over the size of the triangles below which they are one: a hundred times the rounding of a cut.
const SAME: f64 = 1e-14;

/// Area over the size squared below which there is no polygon: that of a strip as wide as corners are apart at least.
const NO_AREA: f64 = 1e-14;

/// A convex polygon of up to six corners, counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: [DVec2; MAX_CORNERS],
    n: usize,
}

impl Polygon {
    /// The common part of two triangles of any orientation: the first cut by the sides of the second (Sutherland and Hodgman
    /// 1974). `None` if it has no area.
    ///
    /// Cutting keeps the order of the corners. To gather crossings and inner corners and sort them by their dot product with
    /// the first one, as the supplement of Smeets et al. (2014) has it, does not give a polygon: a dot product is no angle.
    pub fn common(p: [DVec2; 3], q: [DVec2; 3]) -> Option<Self> {
        let [p, q] = [p, q].map(counter_clockwise);
        let longest_squared = |[a, b, c]: [DVec2; 3]| {
            a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a))
        };
        // Not both: what is small beside a large triangle is as large as the small one.
        let size = longest_squared(p).min(longest_squared(q)).sqrt();
        let mut polygon = Self { corners: [DVec2::ZERO; MAX_CORNERS], n: 3 };
        polygon.corners[..3].copy_from_slice(&p);
        for (from, to) in [(q[0], q[1]), (q[1], q[2]), (q[2], q[0])] {
            polygon = polygon.cut(from, to);
            if polygon.n == 0 {
                return None;
            }
        }
        let polygon = polygon.merged(SAME * size);
        (polygon.n >= 3 && polygon.area() > NO_AREA * size * size).then_some(polygon)
    }

    /// Its corners, counter-clockwise.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..self.n]
    }

    /// Its sides, each from one corner to the next.
    pub fn sides(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let corners = self.corners();
        // No remainder of a division: it would take longer than what is done with a side.
        let after = |i: usize| if i + 1 < corners.len() { i + 1 } else { 0 };
        (0..corners.len()).map(move |i| (corners[i], corners[after(i)]))
    }

    /// Its area.
    pub fn area(&self) -> f64 {
        let first = self.corners[0];
        0.5 * self.sides().map(|(a, b)| (a - first).perp_dot(b - first)).sum::<f64>()
    }

    /// Its point next to the origin: the origin itself if that is inside.
    pub fn nearest_to_origin(&self) -> DVec2 {
        if self.sides().all(|(a, b)| a.perp_dot(b) >= 0.0) {
            return DVec2::ZERO;
        }
        let mut nearest = self.corners[0];
        for (a, b) in self.sides() {
            let along = b - a;
            let part = (-a.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let x = a + along * part;
            if x.length_squared() < nearest.length_squared() {
                nearest = x;
            }
        }
        nearest
    }

    fn push(&mut self, x: DVec2) {
        // A convex polygon gains a corner by a cut at most; rounding could make more, which are on a side then.
        if self.n < MAX_CORNERS {
            self.corners[self.n] = x;
            self.n += 1;
        }
    }

    /// What lies left of a line.
    fn cut(&self, from: DVec2, to: DVec2) -> Self {
        let along = to - from;
        let height = |x: DVec2| along.perp_dot(x - from);
        let mut left = Self::default();
        let [first, others @ ..] = self.corners() else { return left };
        let (mut a, mut ha) = (*first, height(*first));
        for b in others.iter().chain([first]).copied() {
            let hb = height(b);
            if ha >= 0.0 {
                left.push(a);
            }
            if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
                left.push(a + (b - a) * (ha / (ha - hb)));
            }
            (a, ha) = (b, hb);
        }
        left
    }

    /// With one corner in place of neighbours that are nearer to each other than `distance`.
    fn merged(&self, distance: f64) -> Self {
        let mut merged = Self::default();
        for (a, b) in self.sides() {
            if a.distance_squared(b) > distance * distance {
                merged.push(a);
            }
        }
        merged
    }
}

fn counter_clockwise([a, b, c]: [DVec2; 3]) -> [DVec2; 3] {
    if (b - a).perp_dot(c - a) < 0.0 { [a, c, b] } else { [a, b, c] }
}
