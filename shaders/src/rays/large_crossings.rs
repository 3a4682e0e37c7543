//! Casts the rays of one tile against a triangle that covers many.

use super::crossings::on_grid;
use super::hit::{Hit, ray_from};
use super::layout::{CLUSTER, LargeItem, PairFrame, TILE, argument};
use super::memory::Operands;
use super::place::{box_corners, row_offset};
use super::scanline::Span;

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..on.memory.arguments[argument::LARGE + argument::COUNT] {
        let item = on.memory.large[ix as usize];
        if item.direction > 2 {
            continue;
        }
        let frame = on.memory.frames[(item.side / 2) as usize];
        let triangles = &on.meshes.triangles[item.triangle as usize / CLUSTER];
        let corners = box_corners(&frame, item.side, triangles, item.triangle as usize % CLUSTER);
        let corners = on_grid(on.round, item.direction, corners);
        on.work.groups += 1;
        on.work.reads::<(LargeItem, PairFrame)>(1);
        on.work.place_triangle();
        let rays = on.round.rays[item.direction as usize];
        let tiles = rays / TILE;
        for lane in 0..TILE * TILE {
            let i = (item.tile % tiles) * TILE + lane % TILE;
            let j = (item.tile / tiles) * TILE + lane / TILE;
            let span = Span::of_row(corners, j as f32 + 0.5);
            let (n, offset) = (rays as f32, row_offset(j, rays));
            if span.is_crossed
                && i >= ray_from(span.up.x.min(span.down.x), offset, n)
                && i < ray_from(span.up.x.max(span.down.x), offset, n)
            {
                let hit = Hit {
                    side: item.side,
                    direction: item.direction,
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
