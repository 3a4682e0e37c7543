//! An animal with body, head, ears, four limbs and a tail: a smooth non-convex solid that no two seeds give alike.

use glam::DVec3;

use super::GenerateError;
use super::error::Check;
use super::polygonise::{Lattice, Solid};
use crate::{Aabb, TriangleMesh};

/// Most triangles of a critter: the lattice it is cut from holds a value for every point of its box.
const MAX_CRITTER_TRIANGLES: usize = 1_000_000;

/// A four-legged animal about the origin, which is in the middle of its body; it looks along +x and stands on feet
/// below it.
///
/// `length` is the distance from hind to fore end of the trunk's axis, a third or so of the whole \[m\]. `seed` varies
/// proportions and posture; each seed gives one animal at every number of triangles. The surface is that of a smooth
/// union of round cones, one closed surface of genus 0; vertices lie on it up to a hundredth of an edge. Numbers of
/// triangles come within a few per cent; about 600 at least, where the lattice resolves the thinnest limb.
///
/// # Errors
/// A length that is not positive, or more than a million triangles.
pub fn critter(length: f64, seed: u64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("critter");
    check.length("length", length)?;
    check.require(triangles <= MAX_CRITTER_TRIANGLES, "triangles", triangles as f64, || {
        format!("at most {MAX_CRITTER_TRIANGLES}")
    })?;
    let animal = Animal::new(seed);
    Ok(fit(&animal, triangles).surface().scaled(length))
}

/// The lattice whose surface has nearest to the wanted number of triangles among a few tries.
fn fit(animal: &Animal, triangles: usize) -> Lattice<'_, Animal> {
    /// Longest lattice edge, in trunk lengths: a little more than the radius of the thinnest limb.
    const COARSEST: f64 = 0.16;
    /// Tries; each brings the number about three times nearer, until it depends on single lattice edges.
    const TRIES: usize = 4;
    /// Relative distance from the wanted number that ends the search.
    const NEAR: f64 = 0.01;
    let mut edge = COARSEST;
    let mut best = Lattice::new(animal, edge);
    let mut n = best.n_triangles();
    let mut least = n.abs_diff(triangles);
    for _ in 0..TRIES {
        if least as f64 <= NEAR * triangles as f64 {
            break;
        }
        // The number of cut edges is the area over the square of an edge.
        edge = (edge * (n as f64 / triangles as f64).sqrt()).min(COARSEST);
        let next = Lattice::new(animal, edge);
        n = next.n_triangles();
        if n.abs_diff(triangles) < least {
            least = n.abs_diff(triangles);
            best = next;
        }
    }
    best
}

/// The convex hull of two balls.
#[derive(Clone, Copy)]
struct RoundCone {
    ends: [DVec3; 2],
    radii: [f64; 2],
}

impl RoundCone {
    /// Signed distance to the surface.
    fn distance(&self, point: DVec3) -> f64 {
        let axis = self.ends[1] - self.ends[0];
        let length_squared = axis.length_squared();
        let narrowing = self.radii[0] - self.radii[1];
        let along = (point - self.ends[0]).dot(axis);
        let across = (point - self.ends[0]).cross(axis).length();
        // The nearest ball lies where the cone's normal through the point meets the axis, towards the wider end.
        let slope = narrowing / (length_squared - narrowing * narrowing).max(f64::MIN_POSITIVE).sqrt();
        let t = ((along - across * slope) / length_squared).clamp(0.0, 1.0);
        point.distance(self.ends[0] + t * axis) - (self.radii[0] - t * narrowing)
    }
}

/// A smooth union of round cones, in trunk lengths.
struct Animal {
    parts: Vec<RoundCone>,
}

/// Distance over which parts melt into each other, in trunk lengths.
const BLEND: f64 = 0.12;

impl Solid for Animal {
    fn value(&self, point: DVec3) -> f64 {
        // The quadratic smooth minimum: slopes stay below one.
        self.parts.iter().map(|part| part.distance(point)).fold(f64::MAX, |a, b| {
            let overlap = (BLEND - (a - b).abs()).max(0.0);
            a.min(b) - overlap * overlap / (4.0 * BLEND)
        })
    }

    fn bounds(&self) -> Aabb {
        let balls = self.parts.iter().flat_map(|part| part.ends.into_iter().zip(part.radii));
        let all = balls.fold(Aabb::EMPTY, |all, (c, r)| {
            all.union(&Aabb { min: c - DVec3::splat(r), max: c + DVec3::splat(r) })
        });
        // Melting adds to either of two equal parts a quarter of the blend, of several a little more.
        all.inflated(BLEND)
    }
}

impl Animal {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut parts = Vec::new();
        let mut chain = |points: &[(DVec3, f64)]| {
            parts.extend(
                points.windows(2).map(|w| RoundCone { ends: [w[0].0, w[1].0], radii: [w[0].1, w[1].1] }),
            );
        };
        let at = DVec3::new;
        let (hip, chest) = (dice.around(0.27, 0.15), dice.around(0.29, 0.15));
        let trunk_tilt = 0.08 * dice.signed();
        chain(&[(at(-0.5, 0.0, -trunk_tilt), hip), (at(0.5, 0.0, trunk_tilt), chest)]);

        let (reach, lift, head) = (dice.around(0.95, 0.08), dice.around(0.42, 0.3), dice.around(0.24, 0.15));
        let turn = 0.12 * dice.signed();
        let skull = at(reach, turn, lift);
        chain(&[(at(0.55, 0.0, trunk_tilt + 0.05), 0.8 * chest), (skull, head)]);
        let snout = dice.around(0.34, 0.35);
        chain(&[(skull, 0.85 * head), (skull + at(snout, 0.3 * turn, -0.12), dice.around(0.13, 0.15))]);
        let ear = dice.around(0.3, 0.4);
        for side in [-1.0, 1.0] {
            let root = skull + at(-0.04, side * 0.7 * head, 0.7 * head);
            chain(&[(root, 0.1), (root + at(-0.25 * ear, side * 0.55 * ear, 0.8 * ear), 0.085)]);
        }

        let (leg, thick) = (dice.around(0.72, 0.15), dice.around(0.14, 0.12));
        for (x, stance) in [(0.48, 0.27), (-0.48, 0.28)] {
            for side in [-1.0, 1.0] {
                let stride = 0.16 * dice.signed();
                let bend = if x > 0.0 { -0.06 } else { 0.1 };
                let shoulder = at(x, side * 0.16, -0.08);
                let knee = at(x + 0.5 * stride + bend, side * (stance + 0.02), -0.08 - 0.5 * leg);
                let ankle = at(x + stride, side * (stance + 0.04), -0.08 - leg);
                chain(&[(shoulder, 1.35 * thick), (knee, thick), (ankle, 0.9 * thick)]);
                chain(&[(ankle, 0.95 * thick), (ankle + at(0.14, side * 0.02, -0.02), 0.85 * thick)]);
            }
        }

        let (tail, swing, rise) = (dice.around(0.34, 0.3), 0.2 * dice.signed(), 0.25 * dice.signed());
        let mut points = vec![(at(-0.55, 0.0, 0.05), 0.2)];
        for i in 1..=3 {
            let t = f64::from(i);
            points.push((
                at(-0.6 - tail * t, swing * t * t / 3.0, 0.05 + rise * t * t / 3.0),
                0.17 - 0.025 * t,
            ));
        }
        chain(&points);
        Self { parts }
    }
}

/// Reproducible random numbers: `SplitMix64` (Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    /// Uniform in -1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        // The upper 53 bits fill the mantissa.
        2.0 * ((z >> 11) as f64 / (1_u64 << 53) as f64) - 1.0
    }

    /// Uniform within a relative spread of `middle`.
    fn around(&mut self, middle: f64, spread: f64) -> f64 {
        middle * (1.0 + spread * self.signed())
    }
}
