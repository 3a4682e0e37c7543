//! What two triangles have in common in the plane of contact: the twin of `polygon.wgsl`.

use glam::Vec2;

use super::layout::MAX_CORNERS;

/// Distance of two corners over the size of the triangles below which they are one: ten times the rounding of a cut.
pub const SAME: f32 = 1e-6;

/// Area over the size squared below which there is no polygon: that of a strip as wide as corners are apart at least.
pub const NO_AREA: f32 = 1e-6;

#[derive(Clone, Copy, Default)]
pub struct Polygon {
    pub corners: [Vec2; MAX_CORNERS],
    pub n: usize,
}

#[inline]
fn turn_of(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

impl Polygon {
    fn push(&mut self, x: Vec2) {
        if self.n < MAX_CORNERS {
            self.corners[self.n] = x;
            self.n += 1;
        }
    }

    pub fn next_of(&self, i: usize) -> Vec2 {
        if i + 1 < self.n { self.corners[i + 1] } else { self.corners[0] }
    }

    fn cut(&self, start: Vec2, end: Vec2) -> Self {
        let along = end - start;
        let mut left = Self::default();
        for i in 0..self.n {
            let (a, b) = (self.corners[i], self.next_of(i));
            let (ha, hb) = (turn_of(along, a - start), turn_of(along, b - start));
            if ha >= 0.0 {
                left.push(a);
            }
            if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
                left.push(a + (b - a) * (ha / (ha - hb)));
            }
        }
        left
    }

    fn merged(&self, squared: f32) -> Self {
        let mut found = Self::default();
        for i in 0..self.n {
            let a = self.corners[i];
            if square(self.next_of(i) - a) > squared {
                found.push(a);
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
            polygon.push(x);
        }
        for i in 0..3 {
            polygon = polygon.cut(q[i], q[(i + 1) % 3]);
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
