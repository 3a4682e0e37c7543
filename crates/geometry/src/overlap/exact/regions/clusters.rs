//! The directions that a surface faces.

use glam::DVec3;

use super::MOST_REGIONS;
use super::soup::{Source, Triangle};
use crate::union_find::UnionFind;

/// Bins along each side of the octahedral map of directions; neighbouring bins are some 10° apart.
const GRID: usize = 16;

/// Part of the whole area below which a bin is left out: slivers must not link what faces different ways.
const LEAST_BIN: f64 = 1e-3;

/// Part of the whole area below which a cluster is dropped.
const LEAST_CLUSTER: f64 = 0.01;

/// Cosine of 30°: bins at most this far apart belong to one mode, and count for a seed.
const NEAR: f64 = 0.866_025_403_784_438_6;

/// Cosine of 45°: bins at most this far from a seed are covered by it.
const COVERED: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Part of its area that the vector area of a mode must reach to be one cluster: a half ball has 0.5, a cap of 60°
/// 0.75, two equal faces at a right angle 0.71.
const ONE_DIRECTION: f64 = 0.8;

/// Part of a mode's area that its seeds have to cover.
const ENOUGH: f64 = 0.98;

/// Rounds of moving the seeds to the means of what is nearest to them (Lloyd 1982).
const ROUNDS: usize = 4;

/// A part of a surface that faces one way: the plane through its middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    /// Mean normal, from the host to the guest, unit.
    pub normal: DVec3,
    /// Area centroid.
    pub centre: DVec3,
}

impl Cluster {
    fn of(bin: &Bin) -> Self {
        Self { normal: bin.direction(), centre: bin.moment / bin.area }
    }
}

/// A sum over faces with similar normals.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    area: f64,
    /// Vector area.
    vector: DVec3,
    /// Area times centroid.
    moment: DVec3,
}

impl Bin {
    fn add(&mut self, other: &Bin) {
        self.area += other.area;
        self.vector += other.vector;
        self.moment += other.moment;
    }

    fn direction(&self) -> DVec3 {
        self.vector.normalize_or_zero()
    }
}

/// The sides from which an overlap is bounded, by the normals of the surface of `source` and then those of `other`.
///
/// Normals are counted in bins of an octahedral map (Cigolle et al. 2014). Bins in reach of each other make modes. A
/// mode that faces mostly one way is one cluster; others, a socket or the wall of a hole, are covered by seeds 45°
/// wide. Clusters that meet at an edge which sticks out of both bodies are one side.
pub(super) fn sides(triangles: &[Triangle], source: Source, other: Source) -> Vec<Cluster> {
    let bins_of_source = bins(triangles, source);
    let whole: f64 = bins_of_source.iter().map(|bin| bin.area).sum();
    let mut found = Vec::new();
    for mode in modes(&bins_of_source, whole) {
        let mut sum = Bin::default();
        mode.iter().for_each(|bin| sum.add(bin));
        if sum.vector.length() >= ONE_DIRECTION * sum.area {
            found.push(sum);
        } else {
            found.extend(cover(&mode, sum.area));
        }
    }
    found.retain(|bin| bin.area >= LEAST_CLUSTER * whole);
    if found.len() > 1 {
        found = join_over_edges(&found, &bins(triangles, other));
    }
    found.iter().map(Cluster::of).collect()
}

/// Joins the clusters that face away from each other on one body and towards each other on the other one.
///
/// Where a body sits in a corner or a hole, both surfaces bend the same way: of two sides each lies in front of the
/// other one's plane, seen from the body that goes around, on either surface. Where the edges of two bodies have just
/// caught each other, each body's sides lie behind the other's planes. Such an overlap has two faces on either body
/// because it is deep, not because it is held from two sides.
fn join_over_edges(clusters: &[Bin], other: &[Bin]) -> Vec<Bin> {
    let seeds: Vec<DVec3> = clusters.iter().map(Bin::direction).collect();
    let directions: Vec<DVec3> = other.iter().map(Bin::direction).collect();
    let opposite = nearest(other, &directions, &seeds);
    let bend = |bins: &[Bin], i: usize, j: usize| {
        (seeds[i] - seeds[j]).dot(bins[j].moment / bins[j].area - bins[i].moment / bins[i].area)
    };
    let mut sets = UnionFind::new(clusters.len());
    for i in 0..clusters.len() {
        for j in 0..i {
            // A side that the other surface does not show gives no number, which joins nothing.
            if bend(clusters, i, j) * bend(&opposite, i, j) < 0.0 {
                sets.join(i as u32, j as u32);
            }
        }
    }
    let mut joined = vec![Bin::default(); clusters.len()];
    for (ix, cluster) in clusters.iter().enumerate() {
        joined[sets.find(ix as u32) as usize].add(cluster);
    }
    joined.retain(|bin| bin.area > 0.0);
    joined
}

/// The bins that hold anything, in the order of the map.
fn bins(triangles: &[Triangle], source: Source) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); GRID * GRID];
    let sign = if source == Source::Host { 1.0 } else { -1.0 };
    for triangle in triangles.iter().filter(|t| t.source == source && t.normal != DVec3::ZERO) {
        let [a, b, c] = triangle.corners;
        let area = triangle.area();
        bins[bin_of(sign * triangle.normal)].add(&Bin {
            area,
            vector: sign * triangle.area_vector(),
            moment: area * (a + b + c) / 3.0,
        });
    }
    bins.retain(|bin| bin.area > 0.0);
    bins
}

/// Index of the bin of a unit vector.
fn bin_of(n: DVec3) -> usize {
    let n = n / n.abs().element_sum();
    let fold = |x: f64, y: f64| (1.0 - y.abs()).copysign(x);
    let (u, v) = if n.z >= 0.0 { (n.x, n.y) } else { (fold(n.x, n.y), fold(n.y, n.x)) };
    let cell = |x: f64| ((0.5 * (x + 1.0) * GRID as f64) as usize).min(GRID - 1);
    cell(v) * GRID + cell(u)
}

/// Sets of bins that can be reached from each other by steps of up to 30°.
fn modes(bins: &[Bin], whole: f64) -> Vec<Vec<Bin>> {
    let bins: Vec<Bin> = bins.iter().filter(|bin| bin.area > LEAST_BIN * whole).copied().collect();
    let directions: Vec<DVec3> = bins.iter().map(Bin::direction).collect();
    let mut sets = UnionFind::new(bins.len());
    for i in 0..bins.len() {
        for j in 0..i {
            if directions[i].dot(directions[j]) > NEAR {
                sets.join(i as u32, j as u32);
            }
        }
    }
    let mut modes = vec![Vec::new(); bins.len()];
    for (ix, bin) in bins.iter().enumerate() {
        modes[sets.find(ix as u32) as usize].push(*bin);
    }
    modes.retain(|mode: &Vec<Bin>| !mode.is_empty());
    modes
}

/// Covers a mode with seeds, each where most area is left uncovered.
fn cover(mode: &[Bin], area: f64) -> Vec<Bin> {
    let directions: Vec<DVec3> = mode.iter().map(Bin::direction).collect();
    let mut seeds: Vec<DVec3> = Vec::new();
    let mut clusters = Vec::new();
    while seeds.len() < MOST_REGIONS {
        let uncovered: Vec<usize> = (0..mode.len())
            .filter(|&ix| seeds.iter().all(|seed| seed.dot(directions[ix]) < COVERED))
            .collect();
        let area_of = |of: &mut dyn Iterator<Item = &usize>| of.map(|&ix| mode[ix].area).sum::<f64>();
        if area_of(&mut uncovered.iter()) <= (1.0 - ENOUGH) * area {
            break;
        }
        let around = |d: DVec3| area_of(&mut uncovered.iter().filter(|&&ix| directions[ix].dot(d) > NEAR));
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for direction in &directions {
            let area = around(*direction);
            if area > best.0 {
                best = (area, *direction);
            }
        }
        seeds.push(best.1);
        for _ in 0..ROUNDS {
            clusters = nearest(mode, &directions, &seeds);
            seeds = clusters.iter().map(Bin::direction).collect();
        }
    }
    clusters
}

/// What of a mode is nearest to each seed, and not farther than 45°.
fn nearest(mode: &[Bin], directions: &[DVec3], seeds: &[DVec3]) -> Vec<Bin> {
    let mut sums = vec![Bin::default(); seeds.len()];
    for (bin, direction) in mode.iter().zip(directions) {
        let mut best = (COVERED, None);
        for (ix, seed) in seeds.iter().enumerate() {
            let cosine = seed.dot(*direction);
            if cosine > best.0 {
                best = (cosine, Some(ix));
            }
        }
        if let Some(ix) = best.1 {
            sums[ix].add(bin);
        }
    }
    sums
}
