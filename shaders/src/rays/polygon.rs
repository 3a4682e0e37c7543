//! Joins the tiles' farthest points into the pair's support points.

use glam::{Vec2, Vec3};

use super::layout::{SUPPORT_SLOTS, SUPPORTS};
use super::memory::Operands;
use super::support::{NOWHERE, SOMEWHERE, directions, is_farther};

pub fn run(on: &mut Operands<'_>) {
    let directions = directions();
    for pair in 0..on.round.n_pairs {
        on.work.groups += 1;
        let parts = &on.memory.parts[(pair * on.round.n_tiles) as usize..][..on.round.n_tiles as usize];
        let n_filled = parts.iter().filter(|part| part.columns != 0).count();
        // Every slot's thread reads a word of all parts.
        on.work.reads::<[u32; SUPPORT_SLOTS as usize]>(parts.len());
        on.work.reads::<[[f32; 2]; SUPPORT_SLOTS as usize]>(n_filled);
        on.work.writes::<[[f32; 2]; SUPPORT_SLOTS as usize]>(1);
        let normal = Vec3::from(on.memory.blocks[pair as usize].normal);
        for slot in 0..SUPPORT_SLOTS {
            let mut best = Vec2::new(NOWHERE, 0.0);
            if normal.dot(normal) > 0.0 {
                best = farthest_of_pair(on, pair, slot);
            }
            if best.x < SOMEWHERE {
                best = Vec2::ZERO;
            }
            if slot < SUPPORTS {
                let [c, s] = directions[slot as usize];
                best = Vec2::new(best.x * c - best.y * s, best.x * s + best.y * c);
            }
            on.memory.blocks[pair as usize].supports[slot as usize] = best.to_array();
        }
    }
}

fn farthest_of_pair(on: &Operands<'_>, pair: u32, slot: u32) -> Vec2 {
    let mut best = Vec2::new(NOWHERE, 0.0);
    for part in pair * on.round.n_tiles..(pair + 1) * on.round.n_tiles {
        if on.memory.parts[part as usize].columns != 0 {
            let found = Vec2::from(on.memory.supports[(part * SUPPORT_SLOTS + slot) as usize]);
            if is_farther(found, best) {
                best = found;
            }
        }
    }
    best
}
