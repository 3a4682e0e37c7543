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
/// triangles come within a few per cent; about 600 at least. Where these are so few that a thin limb would be lost,
/// it is made as thick as an edge is long, so every number gives the same limbs.
///
/// # Errors
/// A length that is not positive, or more than a million triangles.
pub fn critter(length: f64, seed: u64, triangles: usize) -> Result<TriangleMesh, GenerateError> {
    let check = Check("critter");
    check.length("length", length)?;
    check.require(triangles <= MAX_CRITTER_TRIANGLES, "triangles", triangles as f64, || {
        format!("at most {MAX_CRITTER_TRIANGLES}")
    })?;
    Ok(fit(seed, triangles).surface().scaled(length))
}

/// The lattice whose surface has nearest to the wanted number of triangles among a few tries.
fn fit(seed: u64, triangles: usize) -> Lattice<Animal> {
    /// Longest lattice edge, in trunk lengths: limbs thickened for it still leave a gap between them.
    const COARSEST: f64 = 0.2;
    /// Least radius of a limb in lattice edges: a rod of that radius holds connected lattice points however it lies.
    const LEAST_RADIUS: f64 = 0.9;
    /// Tries: two or three to the largest number, the others to come near it.
    const TRIES: usize = 5;
    /// Most refinements by seven per cent each that open a loop: the last is a quarter of the first edge.
    const REFINEMENTS: usize = 20;
    /// Largest growth of the number in one try.
    const LARGEST_STEP: f64 = 25.0;
    /// Relative distance from the wanted number that ends the search.
    const NEAR: f64 = 0.01;
    let lattice = |mut edge: f64| {
        // Limbs that meet in a coarse lattice close a loop, which a finer one opens.
        for _ in 0..REFINEMENTS {
            let cut = Lattice::new(Animal::new(seed, LEAST_RADIUS * edge), edge);
            if cut.euler_characteristic() == 2 {
                return cut;
            }
            edge *= 0.93;
        }
        Lattice::new(Animal::new(seed, LEAST_RADIUS * edge), edge)
    };
    let mut edge = COARSEST;
    let mut best = lattice(edge);
    let mut n = best.n_triangles();
    let mut least = n.abs_diff(triangles);
    for _ in 0..TRIES {
        if least as f64 <= NEAR * triangles as f64 {
            break;
        }
        // The number of cut edges is the area over the square of an edge. A step of limited size measures the area
        // well before the full number is tried.
        let ratio = (n as f64 / triangles as f64).max(1.0 / LARGEST_STEP);
        edge = (edge * ratio.sqrt()).min(COARSEST);
        let next = lattice(edge);
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
    start: DVec3,
    /// From the first centre to the second, and that over its squared length.
    unit_per_length: DVec3,
    axis: DVec3,
    radii: [f64; 2],
    /// Tangent of the angle between side and axis.
    slope: f64,
}

impl RoundCone {
    fn new([(a, r_a), (b, r_b)]: [(DVec3, f64); 2]) -> Self {
        let axis = b - a;
        let narrowing = r_a - r_b;
        // A ball inside the other leaves no side; the other's surface is then found at the end of the axis.
        let side = (axis.length_squared() - narrowing * narrowing).max(1e-12).sqrt();
        let unit_per_length = axis / axis.length_squared();
        Self { start: a, unit_per_length, axis, radii: [r_a, r_b], slope: narrowing / side }
    }

    /// Signed distance to the surface.
    fn distance(&self, point: DVec3) -> f64 {
        // The nearest ball lies where the cone's normal through the point meets the axis, towards the wider end.
        let from_start = point - self.start;
        let along = from_start.dot(self.unit_per_length);
        let across = from_start.cross(self.unit_per_length).length();
        let t = (along - across * self.slope).clamp(0.0, 1.0);
        (from_start - t * self.axis).length() - (self.radii[0] + t * (self.radii[1] - self.radii[0]))
    }
}

/// Round cones that share a ball with the next, and a ball around them all.
struct Chain {
    links: Vec<RoundCone>,
    center: DVec3,
    radius: f64,
}

impl Chain {
    fn new(balls: &[(DVec3, f64)]) -> Self {
        let links = balls.windows(2).map(|w| RoundCone::new([w[0], w[1]])).collect();
        let center = balls.iter().map(|b| b.0).sum::<DVec3>() / balls.len() as f64;
        let radius = balls.iter().map(|(c, r)| c.distance(center) + r).fold(0.0, f64::max);
        Self { links, center, radius }
    }
}

/// A smooth union of chains of round cones, in trunk lengths.
struct Animal {
    chains: Vec<Chain>,
}

/// Distance over which parts melt into each other, in trunk lengths.
const BLEND: f64 = 0.12;

impl Solid for Animal {
    fn value(&self, point: DVec3) -> f64 {
        self.chains.iter().fold(f64::MAX, |nearest, chain| {
            if point.distance(chain.center) - chain.radius > nearest + BLEND {
                return nearest;
            }
            // Links of a chain share a ball and need no melting.
            let next = chain.links.iter().map(|c| c.distance(point)).fold(f64::MAX, f64::min);
            // The quadratic smooth minimum keeps slopes below one.
            let overlap = (BLEND - (nearest - next).abs()).max(0.0);
            nearest.min(next) - overlap * overlap / (4.0 * BLEND)
        })
    }

    fn bounds(&self) -> Aabb {
        let all = self.chains.iter().flat_map(|chain| &chain.links).fold(Aabb::EMPTY, |all, link| {
            let ends = [(link.start, link.radii[0]), (link.start + link.axis, link.radii[1])];
            ends.into_iter().fold(all, |all, (c, r)| {
                all.union(&Aabb { min: c - DVec3::splat(r), max: c + DVec3::splat(r) })
            })
        });
        // Melting adds to either of two equal parts a quarter of the blend, of several a little more.
        all.inflated(BLEND)
    }
}

impl Animal {
    /// The animal of a seed, its limbs nowhere thinner than `least_radius`.
    fn new(seed: u64, least_radius: f64) -> Self {
        let mut dice = Dice(seed);
        let mut chains = Vec::new();
        let mut chain = |points: &[(DVec3, f64)]| {
            let thick: Vec<_> =
                points.iter().map(|&(center, radius)| (center, radius.max(least_radius))).collect();
            chains.push(Chain::new(&thick));
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
                let toe = ankle + at(0.14, side * 0.02, -0.02);
                chain(&[
                    (shoulder, 1.4 * thick),
                    (knee, 1.1 * thick),
                    (ankle, 0.95 * thick),
                    (toe, 0.85 * thick),
                ]);
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
        Self { chains }
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
