//! Where a row of rays crosses a triangle: the twin of `scanline.wgsl`.

use glam::{Vec2, Vec3};

use super::place::fma;

/// Ends of a row inside a triangle: (place along the row, depth) on the rising and on the falling edge.
#[derive(Clone, Copy, Default)]
pub struct Span {
    pub up: Vec2,
    pub down: Vec2,
    pub is_crossed: bool,
}

#[inline]
fn edge_at(lo: Vec3, hi: Vec3, y: f32) -> Vec2 {
    let k = (y - lo.y) / (hi.y - lo.y);
    Vec2::new(fma(k, hi.x - lo.x, lo.x), fma(k, hi.z - lo.z, lo.z))
}

impl Span {
    /// Corners are (along the row, across the rows, depth).
    #[inline]
    pub fn of_row([a, b, c]: [Vec3; 3], y: f32) -> Self {
        let mut span = Self::default();
        span.cross_edge(a, b, y);
        span.cross_edge(b, c, y);
        span.cross_edge(c, a, y);
        span
    }

    #[inline]
    fn cross_edge(&mut self, a: Vec3, b: Vec3, y: f32) {
        if a.y <= y && y < b.y {
            self.up = edge_at(a, b, y);
            self.is_crossed = true;
        } else if b.y <= y && y < a.y {
            self.down = edge_at(b, a, y);
        }
    }

    #[inline]
    pub fn depth_at(&self, x: f32) -> f32 {
        fma(x - self.down.x, (self.up.y - self.down.y) / (self.up.x - self.down.x), self.down.y)
    }

    /// A ray that finds the rising edge on its right leaves the body.
    #[inline]
    pub fn is_exit(&self) -> bool {
        self.up.x > self.down.x
    }
}
