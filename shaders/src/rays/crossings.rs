//! Puts every crossing of a triangle with a ray into the ray's list, in all three directions.

use glam::{UVec2, Vec3};

use super::hit::{Hit, ray_from};
use super::layout::{CLUSTER, Item, LARGE_TRIANGLE, LargeItem, PairFrame, Round, TILE, argument, counter};
use super::memory::Operands;
use super::place::{box_corners, by_direction, row_offset};
use super::scanline::Span;

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..on.memory.arguments[argument::ITEMS + argument::COUNT] {
        let item = on.memory.items[ix as usize];
        let frame = on.memory.frames[(item.side / 2) as usize];
        on.work.groups += 1;
        on.work.reads::<(Item, PairFrame)>(1);
        on.work.place_cluster();
        for lane in 0..CLUSTER {
            let corners = box_corners(&frame, item.side, &on.meshes.triangles[item.cluster as usize], lane);
            let triangle = item.cluster * CLUSTER as u32 + lane as u32;
            for direction in 0..3 {
                let cast = Cast { side: item.side, triangle, direction };
                cast.run(on, on_grid(on.round, direction, corners));
            }
        }
    }
}

/// Corners as (along the row, across the rows, depth), the first two in rays.
#[inline]
pub fn on_grid(round: &Round, direction: u32, corners: [Vec3; 3]) -> [Vec3; 3] {
    let n = round.rays[direction as usize] as f32;
    corners.map(|x| by_direction(x, direction) * Vec3::new(n, n, 1.0))
}

struct Cast {
    side: u32,
    triangle: u32,
    direction: u32,
}

impl Cast {
    fn run(&self, on: &mut Operands<'_>, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        if a.z.min(b.z.min(c.z)) >= 1.0 {
            return;
        }
        let n = on.round.rays[self.direction as usize] as f32;
        let (lo, hi) = (a.min(b.min(c)), a.max(b.max(c)));
        // Rays stand anywhere between two columns, and a rounded crossing may reach one beyond the corners.
        let first = UVec2::new(ray_from(lo.x, 2.0, n), ray_from(lo.y, 0.5, n));
        let end = UVec2::new(ray_from(hi.x, -1.0, n), ray_from(hi.y, 0.5, n));
        if first.x >= end.x || first.y >= end.y {
            return;
        }
        let size = end - first;
        if size.x * size.y > LARGE_TRIANGLE {
            self.hand_out(on, first, end);
        } else {
            self.cast_rows(on, corners, [first.y, end.y]);
        }
    }

    /// Hands the triangle's rays out by tiles. Where the list is full the result is void: the host sees from the number of
    /// tiles that it has to make the list longer.
    fn hand_out(&self, on: &mut Operands<'_>, first: UVec2, end: UVec2) {
        let (round, memory) = (on.round, &mut *on.memory);
        let lo = first / TILE;
        let hi = (end + (TILE - 1)) / TILE;
        let n_tiles = (hi.x - lo.x) * (hi.y - lo.y);
        on.work.writes::<LargeItem>(n_tiles as usize);
        let mut at = memory.counters[counter::LARGE];
        memory.counters[counter::LARGE] += n_tiles;
        let fits = memory.counters[counter::LARGE] <= round.large_cap;
        for ty in lo.y..hi.y {
            for tx in lo.x..hi.x {
                if at < round.large_cap {
                    // A place that was taken in vain names no direction.
                    let mut item =
                        LargeItem { side: self.side, triangle: self.triangle, direction: 3, tile: 0 };
                    if fits {
                        item.direction = self.direction;
                        item.tile = ty * (round.rays[self.direction as usize] / TILE) + tx;
                    }
                    memory.large[at as usize] = item;
                }
                at += 1;
            }
        }
    }

    fn cast_rows(&self, on: &mut Operands<'_>, corners: [Vec3; 3], rows: [u32; 2]) {
        let n_rays = on.round.rays[self.direction as usize];
        let n = n_rays as f32;
        for j in rows[0]..rows[1] {
            let span = Span::of_row(corners, j as f32 + 0.5);
            if !span.is_crossed {
                continue;
            }
            let offset = row_offset(j, n_rays);
            let [lo, hi] = [span.up.x.min(span.down.x), span.up.x.max(span.down.x)];
            for i in ray_from(lo, offset, n)..ray_from(hi, offset, n) {
                let hit = Hit {
                    side: self.side,
                    direction: self.direction,
                    i,
                    j,
                    depth: span.depth_at(i as f32 + offset),
                    leaves: span.is_exit(),
                };
                hit.add(on);
            }
        }
    }
}
