//! Putting a crossing into its ray's list: the twin of `hit.wgsl`.

use super::layout::{LIST_CAP, Round, TILE, ray_bit};
use super::memory::Operands;

/// First ray at or after a place; ray i stands at i + offset.
#[inline]
pub fn ray_from(x: f32, offset: f32, n: f32) -> u32 {
    (x - offset).ceil().clamp(0.0, n) as u32
}

#[inline]
fn ray_ix(round: &Round, pair: u32, direction: u32, i: u32, j: u32) -> usize {
    let d = direction as usize;
    let tile = round.first_tile[d] + (j / TILE) * (round.rays[d] / TILE) + i / TILE;
    ((pair * round.n_tiles + tile) * (TILE * TILE) + (j % TILE) * TILE + i % TILE) as usize
}

/// One crossing of the surface of `side` with the ray (i, j) of a direction.
#[derive(Clone, Copy)]
pub struct Hit {
    pub side: u32,
    pub direction: u32,
    pub i: u32,
    pub j: u32,
    pub depth: f32,
    pub leaves: bool,
}

impl Hit {
    /// Below the box a crossing only changes the winding the ray begins with; above it, nothing.
    #[inline]
    pub fn add(self, on: &mut Operands<'_>) {
        on.work.cross(1);
        let (round, memory) = (on.round, &mut *on.memory);
        let ray = ray_ix(round, self.side / 2, self.direction, self.i, self.j);
        let body = self.side % 2;
        let count = &mut memory.counts[ray];
        if self.depth < 0.0 {
            let one = 1 << (ray_bit::COUNT + ray_bit::WINDING * body);
            *count = if self.leaves { count.wrapping_sub(one) } else { count.wrapping_add(one) };
        } else if self.depth < 1.0 {
            let slot = *count & ray_bit::COUNT_MASK;
            *count = count.wrapping_add(1);
            if slot < LIST_CAP {
                let entry = if self.leaves { 0 } else { 2 };
                memory.lists[ray * LIST_CAP as usize + slot as usize] =
                    (self.depth.to_bits() & ray_bit::DEPTH_MASK) | body | entry;
            }
        }
    }
}
