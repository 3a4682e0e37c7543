//! Adds up the tiles of each direction of each pair.

use super::layout::{RaySums, SLICES, TILE, WORKGROUP, sum};
use super::memory::Operands;
use super::tree::{add_sums, add_up};

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..3 * on.round.n_pairs {
        let direction = (ix % 3) as usize;
        let n_rays = on.round.rays[direction];
        let tiles = n_rays / TILE;
        let base = (ix / 3) * on.round.n_tiles + on.round.first_tile[direction];
        on.work.groups += 1;
        on.work.reads::<RaySums>((tiles * tiles) as usize);
        on.work.operations += u64::from(tiles * tiles) * sum::N as u64;
        on.work.writes::<RaySums>(1);
        let mut shares = [RaySums::default(); WORKGROUP as usize];
        for tile in 0..tiles * tiles {
            let mut part = on.memory.parts[(base + tile) as usize];
            part.columns = slices(part.columns, tile % tiles, n_rays);
            part.rows = slices(part.rows, tile / tiles, n_rays);
            let share = &mut shares[(tile % WORKGROUP) as usize];
            *share = add_sums(share, &part);
        }
        on.memory.sums[ix as usize] = add_up(&shares);
    }
}

/// Eight columns of a tile as slices: so many of them share the direction's rays.
fn slices(bits: u32, tile: u32, n_rays: u32) -> u32 {
    let mut mask = 0;
    for place in (0..TILE).filter(|k| bits & (1 << k) != 0).map(|k| tile * TILE + k) {
        for slice in place * SLICES / n_rays..((place + 1) * SLICES).div_ceil(n_rays) {
            mask |= 1 << slice;
        }
    }
    mask
}
