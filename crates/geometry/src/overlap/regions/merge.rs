//! Putting together what pushes the same way.

use glam::{DMat3, DVec3};

use super::part::Part;
use crate::Aabb;

/// Largest number of regions of a pair, and of the cells of space that rays measure it in.
pub(in crate::overlap) const MOST_REGIONS: usize = 8;

/// Cost up to which two parts are one region: feet in one plane cost nothing, an eighth of a foot's area tilted by 22°
/// against the rest 0.01, and so does any part below half a percent of the area.
const CHEAP: f64 = 0.01;

/// Least share of the area that a part counts as which touches no other: however small, it is no part of one that faces more than 37
/// degrees away from it.
const LEAST_APART: f64 = 0.05;

/// How many times as thick as the thicker of two pieces by itself they may be together and be one region, where they touch nowhere: what stands
/// on two places of one plane, however deep in each. No unit.
const THICKER: f64 = 2.0;

/// How much a step between two parallel parts counts, per square of its height in sizes of the overlap.
const STEP: f64 = 4.0;

impl Part {
    fn summary(&self, thinnest: f64) -> Summary {
        let vector = self.surface.area_vector;
        let is_flat = self.is_flat(thinnest);
        let (centroid, second_moment) = self.volume.central();
        let centre = if is_flat { self.bounds.center() } else { centroid };
        let (normal, is_apart) = (vector.normalize_or_zero(), self.is_apart);
        let variance = second_moment * self.volume.volume.recip();
        let around = self.around;
        Summary { vector, area: vector.length(), normal, centre, variance, around, is_flat, is_apart }
    }
}

/// What the cost of merging a part is made of.
#[derive(Clone, Copy, Debug)]
struct Summary {
    vector: DVec3,
    area: f64,
    normal: DVec3,
    centre: DVec3,
    /// Of its volume about its centre \[m²\].
    variance: DMat3,
    /// Boxes around the faces of both bodies.
    around: [Aabb; 2],
    is_flat: bool,
    is_apart: bool,
}

impl Summary {
    /// What is lost by taking two parts of an overlap for one: the smaller one's share of the area times the
    /// difference of normals and the step between the planes. `scale` is 1 / (whole area), `size` the overlap's.
    ///
    /// What lies apart may hold as much with the least of areas, as a tip does beside a face.
    fn cost(&self, other: &Self, scale: f64, size: f64) -> f64 {
        let step = (self.centre - other.centre).dot((self.vector + other.vector).normalize_or_zero()) / size;
        let share = self.area.min(other.area) * scale;
        let are_apart = self.is_apart && other.is_apart;
        let share = if are_apart { share.max(LEAST_APART) } else { share };
        let cost = share * (1.0 - self.normal.dot(other.normal) + STEP * step * step);
        // Never cheap.
        if are_apart && !self.is_beside(other) && !self.is_level_with(other) { cost + CHEAP } else { cost }
    }

    /// Whether two parts are on the same faces of both bodies, or on ones that touch: islands of one contact that facets have broken up.
    fn is_beside(&self, other: &Self) -> bool {
        (0..2).all(|of| self.around[of].meets(&other.around[of]))
    }

    /// Whether two parts lie in one plane, as far as their own thickness tells.
    fn is_level_with(&self, other: &Self) -> bool {
        let normal = (self.vector + other.vector).normalize_or_zero();
        let along = |part: &Self, n: DVec3| n.dot(part.variance * n);
        let own = along(self, self.normal).max(along(other, other.normal));
        let step = (self.centre - other.centre).dot(normal);
        let together = along(self, normal).max(along(other, normal)) + step * step;
        together <= THICKER * THICKER * own
    }
}

/// Merges the cheapest two parts of an overlap until none is cheap and there are few enough; parts without volume go
/// first.
///
/// `size` is the diagonal of the overlap's box \[m\]; a part with no more volume per area than `thinnest` \[m\] counts as
/// without volume.
pub(in crate::overlap) fn merge(mut parts: Vec<Part>, size: f64, thinnest: f64) -> Vec<Part> {
    let mut summaries: Vec<Summary> = parts.iter().map(|part| part.summary(thinnest)).collect();
    let scale = summaries.iter().map(|s| s.area).sum::<f64>().max(f64::MIN_POSITIVE).recip();
    // Partner and cost of each part among those before it.
    let mut best: Vec<Best> = (0..parts.len()).map(|ix| Best::of(ix, &summaries, scale, size)).collect();
    while parts.len() > 1 {
        let cheapest = (1..best.len())
            .min_by(|&a, &b| best[a].key().partial_cmp(&best[b].key()).unwrap_or(std::cmp::Ordering::Equal));
        let Some(gone) = cheapest else { break };
        let Best { partner, cost, is_forced } = best[gone];
        // Costs that are not numbers leave no partner.
        if partner >= gone || !is_forced && cost > CHEAP && parts.len() <= MOST_REGIONS {
            break;
        }
        let part = parts.remove(gone);
        parts[partner].add(part);
        summaries.remove(gone);
        summaries[partner] = parts[partner].summary(thinnest);
        best.remove(gone);
        for (ix, best) in best.iter_mut().enumerate() {
            let was = best.partner;
            if was != usize::MAX && was > gone {
                best.partner -= 1;
            }
            if ix == partner || was == gone || was == partner {
                *best = Best::of(ix, &summaries, scale, size);
            } else if ix > partner {
                best.challenge(ix, partner, &summaries, scale, size);
            }
        }
    }
    parts
}

/// The part that one part is merged with at the least cost.
#[derive(Clone, Copy, Debug)]
struct Best {
    partner: usize,
    cost: f64,
    /// Whether one of the two has no volume, so that they are merged whatever it costs.
    is_forced: bool,
}

impl Best {
    fn of(ix: usize, summaries: &[Summary], scale: f64, size: f64) -> Self {
        let mut best = Self { partner: usize::MAX, cost: f64::INFINITY, is_forced: false };
        for partner in 0..ix {
            best.challenge(ix, partner, summaries, scale, size);
        }
        best
    }

    fn challenge(&mut self, ix: usize, partner: usize, summaries: &[Summary], scale: f64, size: f64) {
        let [a, b] = [&summaries[ix], &summaries[partner]];
        let other = Self { partner, cost: a.cost(b, scale, size), is_forced: a.is_flat || b.is_flat };
        if other.key() < self.key() {
            *self = other;
        }
    }

    fn key(&self) -> (bool, f64) {
        (!self.is_forced, self.cost)
    }
}
