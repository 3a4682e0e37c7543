//! What two triangles have in common in the plane of contact: the twin of `polygon.wgsl`.

use glam::Vec2;

use super::layout::MAX_CORNERS;

/// Distance of two corners over the size of the triangles below which they are one: ten times the rounding of a cut.
pub const SAME: f32 = 1e-6;

/// How far a side of one triangle may be from the line of one of the other's, over the size of the triangles, to be on it: what rounding of places in bodies leaves of facets a
/// hundredth as large, ten times.
pub const ON_LINE: f32 = 1e-4;

/// How long a side has to be to lie along a line, over the size of the triangles: what is shorter is a corner on it.
pub const LONG: f32 = 1e-3;

/// Area over the size squared below which there is no polygon: that of a strip between sides that lie on each other, as long as corners are apart at least.
pub const NO_AREA: f32 = 1e-10;

/// Whose a side is: the first triangle's, the second's, or either's, each of which does half of what it does.
pub const OF_FIRST: u32 = 0;
/// See [`OF_FIRST`].
pub const OF_SECOND: u32 = 1;
/// See [`OF_FIRST`].
pub const OF_BOTH: u32 = 2;

#[derive(Clone, Copy, Default)]
pub struct Polygon {
    pub corners: [Vec2; MAX_CORNERS],
    /// Whose side goes on from each corner.
    pub owners: [u32; MAX_CORNERS],
    pub n: usize,
}

#[inline]
pub fn turn_of(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

impl Polygon {
    fn push(&mut self, x: Vec2, owner: u32) {
        if self.n < MAX_CORNERS {
            self.corners[self.n] = x;
            self.owners[self.n] = owner;
            self.n += 1;
        }
    }

    pub fn next_of(&self, i: usize) -> Vec2 {
        if i + 1 < self.n { self.corners[i + 1] } else { self.corners[0] }
    }

    fn cut(&self, start: Vec2, end: Vec2, size_squared: f32) -> Self {
        let along = end - start;
        let room = ON_LINE * (size_squared * square(along)).sqrt();
        let mut cutting = OF_SECOND;
        for i in 0..self.n {
            if self.is_on_line(i, start, along, room, size_squared) {
                cutting = OF_BOTH;
            }
        }
        let mut left = Self::default();
        for i in 0..self.n {
            let (a, b) = (self.corners[i], self.next_of(i));
            let (ha, hb) = (turn_of(along, a - start), turn_of(along, b - start));
            let mut owner = self.owners[i];
            if cutting == OF_BOTH && self.is_on_line(i, start, along, room, size_squared) {
                owner = OF_BOTH;
            }
            if ha >= 0.0 {
                left.push(a, if ha == 0.0 && hb < 0.0 { cutting } else { owner });
            }
            if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
                left.push(a + (b - a) * (ha / (ha - hb)), if hb < 0.0 { cutting } else { owner });
            }
        }
        left
    }

    fn is_on_line(&self, i: usize, start: Vec2, along: Vec2, room: f32, size_squared: f32) -> bool {
        let (a, b) = (self.corners[i], self.next_of(i));
        turn_of(along, a - start).abs() <= room
            && turn_of(along, b - start).abs() <= room
            && square(b - a) > LONG * LONG * size_squared
    }

    fn merged(&self, squared: f32) -> Self {
        let mut found = Self::default();
        for i in 0..self.n {
            let a = self.corners[i];
            if square(self.next_of(i) - a) > squared {
                found.push(a, self.owners[i]);
            }
        }
        found
    }

    fn area(&self) -> f32 {
        let first = self.corners[0];
        let mut area = 0.0;
        for i in 0..self.n {
            area += turn_of(self.corners[i] - first, self.next_of(i) - first);
        }
        0.5 * area
    }

    /// Without corners if the triangles have no area in common.
    pub fn common(first: [Vec2; 3], second: [Vec2; 3]) -> Self {
        let (p, q) = (counter_clockwise(first), counter_clockwise(second));
        let size_squared = longest_squared(&p).min(longest_squared(&q));
        let mut polygon = Self::default();
        for x in p {
            polygon.push(x, OF_FIRST);
        }
        for i in 0..3 {
            polygon = polygon.cut(q[i], q[(i + 1) % 3], size_squared);
        }
        let mut found = polygon.merged(SAME * SAME * size_squared);
        if found.n < 3 || found.area() <= NO_AREA * size_squared {
            found.n = 0;
        }
        found
    }

    pub fn nearest_to_origin(&self) -> Vec2 {
        let mut is_inside = true;
        let mut nearest = self.corners[0];
        for i in 0..self.n {
            let (a, b) = (self.corners[i], self.next_of(i));
            is_inside = is_inside && turn_of(a, b) >= 0.0;
            let along = b - a;
            let part = (-a.dot(along) / square(along)).clamp(0.0, 1.0);
            let x = a + along * part;
            if square(x) < square(nearest) {
                nearest = x;
            }
        }
        if is_inside { Vec2::ZERO } else { nearest }
    }
}

#[inline]
pub fn square(a: Vec2) -> f32 {
    a.dot(a)
}

fn longest_squared(t: &[Vec2; 3]) -> f32 {
    square(t[0] - t[1]).max(square(t[1] - t[2])).max(square(t[2] - t[0]))
}

fn counter_clockwise(t: [Vec2; 3]) -> [Vec2; 3] {
    if turn_of(t[1] - t[0], t[2] - t[0]) < 0.0 { [t[0], t[2], t[1]] } else { t }
}
