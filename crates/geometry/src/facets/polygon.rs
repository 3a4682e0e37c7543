//! What two triangles have in common in a plane.

use glam::DVec2;

/// Most corners of what two triangles have in common.
pub const MAX_CORNERS: usize = 6;

/// Distance of two corners over the size of the triangles below which they are one: a hundred times the rounding of a cut.
const SAME: f64 = 1e-14;

/// How far a side of one triangle may be from the line of one of the other's, over the size of the triangles, to be on it: a hundred times that.
const ON_LINE: f64 = 1e-12;

/// How many times as long as that a side has to be to lie along a line: what is shorter is a corner on it.
const LONG: f64 = 10.0;

/// Area over the size squared below which there is no polygon: that of a strip between sides that lie on each other, as long as corners are apart at least. What is narrow and
/// long counts, as its sides' parts of what acts are those of wide ones.
const NO_AREA: f64 = SAME * ON_LINE;

/// Whose a side is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// The first triangle's.
    #[default]
    First,
    /// The second's.
    Second,
    /// Either's: half of what it does is done by each of them, so that it does not matter to which side rounding moves them.
    Both,
}

/// A convex polygon of up to six corners, counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: [DVec2; MAX_CORNERS],
    /// Whose side goes on from each corner.
    owners: [Owner; MAX_CORNERS],
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
        let mut polygon = Self { n: 3, ..Self::default() };
        polygon.corners[..3].copy_from_slice(&p);
        for (from, to) in [(q[0], q[1]), (q[1], q[2]), (q[2], q[0])] {
            polygon = polygon.cut(from, to, size);
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

    /// The same, each with whose it is.
    pub fn owned_sides(&self) -> impl Iterator<Item = ((DVec2, DVec2), Owner)> + '_ {
        self.sides().zip(self.owners)
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

    fn push(&mut self, x: DVec2, owner: Owner) {
        // A convex polygon gains a corner by a cut at most; rounding could make more, which are on a side then.
        if self.n < MAX_CORNERS {
            self.corners[self.n] = x;
            self.owners[self.n] = owner;
            self.n += 1;
        }
    }

    /// What lies left of a line, whose sides are the second triangle's.
    fn cut(&self, from: DVec2, to: DVec2, size: f64) -> Self {
        let along = to - from;
        let height = |x: DVec2| along.perp_dot(x - from);
        let (room, short) = (ON_LINE * size * along.length(), (LONG * ON_LINE * size).powi(2));
        let is_on_line = |a: DVec2, b: DVec2| {
            height(a).abs() <= room && height(b).abs() <= room && a.distance_squared(b) > short
        };
        let is_shared = self.sides().any(|(a, b)| is_on_line(a, b));
        let cutting = if is_shared { Owner::Both } else { Owner::Second };
        let mut left = Self::default();
        for ((a, b), owner) in self.owned_sides() {
            let (ha, hb) = (height(a), height(b));
            let leaves = hb < 0.0;
            let own = if is_shared && is_on_line(a, b) { Owner::Both } else { owner };
            if ha >= 0.0 {
                left.push(a, if ha == 0.0 && leaves { cutting } else { own });
            }
            if (ha > 0.0 && leaves) || (ha < 0.0 && hb > 0.0) {
                left.push(a + (b - a) * (ha / (ha - hb)), if leaves { cutting } else { own });
            }
        }
        left
    }

    /// With one corner in place of neighbours that are nearer to each other than `distance`.
    fn merged(&self, distance: f64) -> Self {
        let mut merged = Self::default();
        for ((a, b), owner) in self.sides().zip(self.owners) {
            if a.distance_squared(b) > distance * distance {
                merged.push(a, owner);
            }
        }
        merged
    }
}

fn counter_clockwise([a, b, c]: [DVec2; 3]) -> [DVec2; 3] {
    if (b - a).perp_dot(c - a) < 0.0 { [a, c, b] } else { [a, b, c] }
}
