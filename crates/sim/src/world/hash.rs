//! The hash of a world's dynamic state.

use glam::DVec3;

/// FNV-1a over 64-bit words (Fowler, Noll and Vo 1991, with words in place of bytes): the same on every machine and
/// for every thread count, and different for any two states that differ in one bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateHash(u64);

impl StateHash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn value(self) -> u64 {
        self.0
    }

    pub fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.word(x.to_bits()));
    }

    pub fn word(&mut self, word: u64) {
        // The high half is folded in after the product, because a product alone carries no bit downwards.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }
}
