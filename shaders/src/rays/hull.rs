//! Writes the support points of each pair's patch from the farthest places that its points have.

use glam::{Vec2, Vec3};

use super::layout::{ContactBlock, SUPPORT_SLOTS, SUPPORTS, span};
use super::memory::Operands;
use super::rim::unpacked;
use super::support::{directions, probe};

pub fn run(on: &mut Operands<'_>) {
    let directions = directions();
    let n_pairs = on.round.n_pairs as usize;
    on.work.groups += n_pairs as u64;
    on.work.reads::<(ContactBlock, [u32; span::N - span::SUPPORTS])>(n_pairs);
    on.work.writes::<[u32; span::N - span::SUPPORTS + 2 * SUPPORT_SLOTS as usize]>(n_pairs);
    for pair in 0..n_pairs {
        let words = &mut on.memory.spans[pair * span::N..][..span::N];
        let block = &mut on.memory.blocks[pair];
        let size = Vec3::from(block.hi) - Vec3::from(block.lo);
        if words[span::OVERFLOW] != 0 {
            // Only some of the points are in the words, and which ones depends on the order of threads.
            block.overflow = 1.0;
            words[span::SUPPORTS..span::BOUNDS].fill(0);
            words[span::SLICES..][..3].fill(u32::MAX);
        }
        for slot in 0..SUPPORT_SLOTS {
            let axes = probe(slot, Vec3::from(block.normal), Vec3::from(block.tangent), &directions);
            let found = unpacked(words[span::SUPPORTS + slot as usize], size, axes);
            let mut place = Vec2::from(found.unwrap_or_default());
            if slot < SUPPORTS {
                let [c, s] = directions[slot as usize];
                place = Vec2::new(place.x * c - place.y * s, place.x * s + place.y * c);
            }
            block.supports[slot as usize] = place.to_array();
        }
        block.slices.copy_from_slice(&words[span::SLICES..][..3]);
        words[span::SUPPORTS..].fill(0);
    }
}
