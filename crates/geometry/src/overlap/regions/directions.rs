//! The directions that a surface faces.

use glam::DVec3;

use super::merge::MOST_REGIONS;
use crate::moments::SurfaceMoments;
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
pub(in crate::overlap) const COVERED: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Part of its area that the vector area of a mode must reach to be one cluster: a half ball has 0.5, a cap of 60°
/// 0.75, two equal faces at a right angle 0.71.
const ONE_DIRECTION: f64 = 0.8;

/// Part of a mode's area that its seeds have to cover.
const ENOUGH: f64 = 0.98;

/// Part of a cluster's area that the other body has to have opposite of it for it to be a side.
const FACED: f64 = 0.25;

/// Rounds of moving the seeds to the means of what is nearest to them (Lloyd 1982).
const ROUNDS: usize = 4;

/// Part of its area that the vector area of a chunk of surface must reach to count as facing one way: a cap of 10° has
/// 0.99, and no more than that is told apart by the bins.
const FLAT: f64 = 0.99;

/// A part of a surface that faces one way: the plane through its middle.
#[derive(Clone, Copy, Debug)]
pub(in crate::overlap) struct Side {
    /// Mean normal, from the host to the guest, unit.
    pub normal: DVec3,
    /// Area centroid.
    pub centre: DVec3,
}

impl Side {
    fn of(bin: &Bin) -> Self {
        Self { normal: bin.direction(), centre: bin.moment / bin.area }
    }
}

/// A sum over faces with similar normals.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::overlap) struct Bin {
    pub area: f64,
    /// Vector area.
    pub vector: DVec3,
    /// Area times centroid.
    pub moment: DVec3,
}

impl Bin {
    pub fn add(&mut self, other: &Bin) {
        self.area += other.area;
        self.vector += other.vector;
        self.moment += other.moment;
    }

    pub fn direction(&self) -> DVec3 {
        self.vector.normalize_or_zero()
    }
}

/// How much of a surface faces where, its normals from the host to the guest.
///
/// Normals are counted in bins of an octahedral map (Cigolle et al. 2014).
#[derive(Debug)]
pub(in crate::overlap) struct Directions {
    /// The bins that hold anything, each with its place in the map.
    bins: Vec<(usize, Bin)>,
    /// One more than the index of the bin at each place of the map.
    index: [u16; GRID * GRID],
}

impl Directions {
    pub fn new() -> Self {
        Self { bins: Vec::new(), index: [0; GRID * GRID] }
    }

    /// Counts a piece of surface if it faces one way; `sign` is -1 for one whose normals are against those from the host to the guest.
    pub fn take(&mut self, surface: &SurfaceMoments, sign: f64) -> bool {
        let SurfaceMoments { area_vector, arms, area, .. } = *surface;
        let length = area_vector.length();
        if length < FLAT * area.abs() {
            return false;
        }
        if length > 0.0 {
            let normal = area_vector / length.copysign(area);
            self.add(sign * normal, &Bin { area, vector: sign * area_vector, moment: arms * normal });
        }
        true
    }

    /// Counts what faces a direction.
    pub fn add(&mut self, direction: DVec3, bin: &Bin) {
        let place = place_of(direction);
        let index = &mut self.index[place];
        if *index == 0 {
            self.bins.push((place, Bin::default()));
            *index = self.bins.len() as u16;
        }
        self.bins[usize::from(*index) - 1].1.add(bin);
    }

    /// The bins with any area, in the order of the map.
    fn filled(&self) -> Vec<Bin> {
        let mut bins = self.bins.clone();
        bins.sort_unstable_by_key(|(place, _)| *place);
        bins.into_iter().map(|(_, bin)| bin).filter(|bin| bin.area > 0.0).collect()
    }
}

/// The sides from which an overlap is bounded, by the normals of one body's surface and then those of the other's.
///
/// Bins in reach of each other make modes. A mode that faces mostly one way is one cluster; others, a socket or the
/// wall of a hole, are covered by seeds 45° wide. Clusters to which the other body shows nothing, as the wall at the end of a table
/// and the ends of a wheel that rolls over it, are no sides, and those that meet at an edge which sticks out of both bodies are one.
pub(in crate::overlap) fn sides(own: &Directions, other: &Directions) -> Vec<Side> {
    let found = clusters(own);
    let (seeds, bins) = (found.iter().map(Bin::direction).collect::<Vec<_>>(), other.filled());
    let directions: Vec<DVec3> = bins.iter().map(Bin::direction).collect();
    let opposite = nearest(&bins, &directions, &seeds);
    joined(&found, &opposite, |_, _| true)
}

/// The clusters of one body's surface.
pub(in crate::overlap) fn clusters(own: &Directions) -> Vec<Bin> {
    let bins = own.filled();
    let whole: f64 = bins.iter().map(|bin| bin.area).sum();
    let mut found = Vec::new();
    for mode in modes(&bins, whole) {
        let mut sum = Bin::default();
        mode.iter().for_each(|bin| sum.add(bin));
        if sum.vector.length() >= ONE_DIRECTION * sum.area {
            found.push(sum);
        } else {
            found.extend(cover(&mode, sum.area));
        }
    }
    found.retain(|bin| bin.area >= LEAST_CLUSTER * whole);
    found
}

/// The sides that clusters make; `opposite` holds what of the other body's surface is nearest to each, and `may_meet` says whether two
/// clusters may have an edge in common.
pub(in crate::overlap) fn joined(
    clusters: &[Bin],
    opposite: &[Bin],
    may_meet: impl Fn(usize, usize) -> bool,
) -> Vec<Side> {
    let faced: Vec<usize> =
        (0..clusters.len()).filter(|&ix| opposite[ix].area > FACED * clusters[ix].area).collect();
    if faced.is_empty() {
        return clusters.iter().map(Side::of).collect();
    }
    let of = |bins: &[Bin]| faced.iter().map(|&ix| bins[ix]).collect::<Vec<_>>();
    let may_meet = |i: usize, j: usize| may_meet(faced[i], faced[j]);
    join_over_edges(&of(clusters), &of(opposite), may_meet).iter().map(Side::of).collect()
}

/// Joins the clusters that face away from each other on one body and towards each other on the other one.
///
/// Where a body sits in a corner or a hole, both surfaces bend the same way: of two sides each lies in front of the
/// other one's plane, seen from the body that goes around, on either surface. Where the edges of two bodies have just
/// caught each other, each body's sides lie behind the other's planes. Such an overlap has two faces on either body
/// because it is deep, not because it is held from two sides.
fn join_over_edges(clusters: &[Bin], opposite: &[Bin], may_meet: impl Fn(usize, usize) -> bool) -> Vec<Bin> {
    let seeds: Vec<DVec3> = clusters.iter().map(Bin::direction).collect();
    let bend = |bins: &[Bin], i: usize, j: usize| {
        (seeds[i] - seeds[j]).dot(bins[j].moment / bins[j].area - bins[i].moment / bins[i].area)
    };
    let mut sets = UnionFind::new(clusters.len());
    for i in 0..clusters.len() {
        for j in 0..i {
            if may_meet(i, j) && bend(clusters, i, j) * bend(opposite, i, j) < 0.0 {
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

/// Place of a unit vector in the map.
fn place_of(n: DVec3) -> usize {
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
    let near: Vec<BinSet> =
        directions.iter().map(|d| BinSet::of(directions.iter().map(|other| d.dot(*other) > NEAR))).collect();
    let area_of = |set: &BinSet| set.members().map(|ix| mode[ix].area).sum::<f64>();
    let mut seeds: Vec<DVec3> = Vec::new();
    let mut clusters = Vec::new();
    while seeds.len() < MOST_REGIONS {
        let is_uncovered = |d: &DVec3| seeds.iter().all(|seed| seed.dot(*d) < COVERED);
        let uncovered = BinSet::of(directions.iter().map(is_uncovered));
        if area_of(&uncovered) <= (1.0 - ENOUGH) * area {
            break;
        }
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for (direction, near) in directions.iter().zip(&near) {
            let area = area_of(&near.and(&uncovered));
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

/// A set of bins, a bit for each.
#[derive(Clone, Copy, Debug)]
struct BinSet([u64; GRID * GRID / 64]);

impl BinSet {
    /// The bins for which the flag is set, of as many as there are flags.
    fn of(flags: impl Iterator<Item = bool>) -> Self {
        let mut words = [0; GRID * GRID / 64];
        for (ix, flag) in flags.enumerate() {
            words[ix / 64] |= u64::from(flag) << (ix % 64);
        }
        Self(words)
    }

    fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The members, ascending.
    fn members(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let lowest = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (lowest < 64).then_some(64 * word + lowest)
            })
        })
    }
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
