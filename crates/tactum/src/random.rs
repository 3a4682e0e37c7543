//! Seeded random numbers that are the same on every machine.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

/// SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain per number, no state but a counter.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        // The upper 53 bits fill a double's mantissa.
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A vector with components from -1 to 1.
    pub fn cube(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - DVec3::ONE
    }

    /// A rotation, even over all rotations (Shoemake 1992).
    pub fn rotation(&mut self) -> DQuat {
        let (u, a, b) = (self.unit(), TAU * self.unit(), TAU * self.unit());
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(r * a.sin(), r * a.cos(), s * b.sin(), s * b.cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first numbers of the generator for seed 1234567.
    #[test]
    fn sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    /// An even rotation takes a fixed axis to an even point of the sphere, whose mean is zero.
    #[test]
    fn rotations_are_unit_and_favour_no_direction() {
        const N: u32 = 10_000;
        let mut random = Random::new(1);
        let mut sum = DVec3::ZERO;
        for _ in 0..N {
            let q = random.rotation();
            assert!((q.length() - 1.0).abs() < 1e-12);
            sum += q * DVec3::Z;
        }
        // A component of the mean has standard deviation sqrt(1/(3 N)) = 0.0058; five of them.
        assert!((sum / f64::from(N)).abs().max_element() < 0.029);
    }
}
