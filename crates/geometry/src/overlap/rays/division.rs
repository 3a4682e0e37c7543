//! The regions that a pair's cells make: pieces that hang together, each divided by the directions that its surface faces.
//!
//! The meaning is that of the exact method's regions. It cuts a piece where a point is as far from one side's plane as from another's;
//! here cells are shared out as a whole, and one that holds several sides as much as its surface faces each.

use glam::{DMat3, DVec3};

use crate::Aabb;
use crate::moments::{SurfaceMoments, VolumeMoments, outer};
use crate::overlap::Overlap;
use crate::overlap::regions::{
    Bin, COVERED, Directions, ONE_SIDED, Part, Side, clusters, joined, merge, without_rims,
};
use crate::union_find::UnionFind;

/// Gap between the boxes of two cells, as a part of their diagonals, up to which what is in them is one piece: what boxes are grown by
/// and rounded to, many times. A cut at a gap leaves an eighth of the box.
const TOUCHING: f64 = 1e-3;

/// Part of a pair's area below which a cell's surface says nothing of where it faces.
const LEAST_AREA: f64 = 1e-4;

/// Rounds in which the shares of a cell's sides are found, one side after the other (Gauss and Seidel). Two sides at a right angle take
/// two, two at 45 degrees some twenty to a thousandth.
const SHARE_ROUNDS: usize = 64;

/// Part of a cell's surface, by its vector area and what is seen of it along each axis, that its sides may leave out for it to be of them.
const UNEXPLAINED: f64 = 0.3;

/// Part of the smaller of two sides that has to be in cells which hold both for them to have an edge in common.
const MEETING: f64 = 0.01;

/// Half sides of a box with the second moments of what a cell holds: √3 of the mean deviation.
const BOX_OF_MOMENTS: f64 = 1.732_050_807_568_877_2;

/// What is in a cell that is not empty, in A's axes about A's origin.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub part: Part,
    /// `∫ n dS` over B's surface, which triangles know \[m²\].
    pub area_b: DVec3,
    /// The axes that all cells have, as columns.
    pub axes: DMat3,
    /// `∫ |n_d| dS` over A's and over B's surface along each of these axes \[m²\].
    pub covers: [DVec3; 2],
    /// Points that span it; none where it faces several ways.
    pub points: Vec<DVec3>,
    /// Its box, in the axes that all cells have, about A's origin \[m\].
    pub cell: Aabb,
    /// Parts of the box's lower and of its upper faces across each axis that are in both bodies; `None` by rays.
    pub open: Option<[DVec3; 2]>,
}

/// Part of a cell's face below which what it has of both bodies is rounding.
const LEAST_OPENING: f64 = 1e-5;

impl Leaf {
    /// Whether what it has of A's surface faces several ways.
    fn is_askew(&self, least: f64) -> bool {
        let area = self.part.areas[0];
        area > least && self.part.surface.area_vector.length() < ONE_SIDED * area
    }

    /// Whether the overlap may go on from here into another cell: their boxes touch, and so does what is in them.
    fn goes_on_in(&self, other: &Self) -> bool {
        let margin = TOUCHING * (self.cell.diagonal() + other.cell.diagonal());
        if self.cell.inflated(margin).intersection(&other.cell).is_empty() {
            return false;
        }
        let (Some(own), Some(others)) = (self.open, other.open) else { return true };
        (0..3).any(|k| {
            let between = |low: &Aabb, high: &Aabb| (low.max[k] - high.min[k]).abs() <= margin;
            let is_open = |faces: [&DVec3; 2]| faces.iter().all(|parts| parts[k] > LEAST_OPENING);
            between(&self.cell, &other.cell) && is_open([&own[1], &others[0]])
                || between(&other.cell, &self.cell) && is_open([&others[1], &own[0]])
        })
    }

    /// The middle of A's surface in it, or of what it holds.
    fn centre_of(&self, of: usize) -> DVec3 {
        let SurfaceMoments { area_vector, arms, .. } = self.part.surface;
        let area = self.part.areas[0];
        if of == 0 && area > 0.0 && area_vector.length() >= ONE_SIDED * area {
            return arms * area_vector / area_vector.length_squared();
        }
        self.centre()
    }

    /// How much of a body's surface is that of a side with one of some normals: nothing that faces elsewhere.
    fn facing(&self, of: usize, normals: &[DVec3], vector: DVec3) -> Vec<f64> {
        let area = self.part.areas[of];
        if area > 0.0 && vector.length() >= ONE_SIDED * area {
            let cosines: Vec<f64> =
                normals.iter().map(|normal| normal.dot(vector) / vector.length()).collect();
            let best = cosines.iter().copied().fold(COVERED, f64::max);
            return cosines.iter().map(|&x| if x == best { area } else { 0.0 }).collect();
        }
        let areas = self.faced(of, normals, vector);
        let sum_of = |of: &dyn Fn(DVec3) -> DVec3| -> DVec3 {
            normals.iter().zip(&areas).map(|(normal, area)| of(*normal) * *area).sum()
        };
        let left = (vector - sum_of(&|normal| normal)).length()
            + (self.covers[of] - sum_of(&|normal| (self.axes.transpose() * normal).abs())).length();
        if left > UNEXPLAINED * area { vec![0.0; normals.len()] } else { areas }
    }

    /// How much of a body's surface faces each of some directions, by its vector area, what is seen of it along each axis and its plain area:
    /// least squares, none below zero.
    fn faced(&self, of: usize, normals: &[DVec3], vector: DVec3) -> Vec<f64> {
        let mut areas = vec![0.0; normals.len()];
        let (mut vector_left, mut covers_left, mut area_left) =
            (vector, self.covers[of], self.part.areas[of]);
        for _ in 0..SHARE_ROUNDS {
            for (normal, own) in normals.iter().zip(&mut areas) {
                let size = (self.axes.transpose() * *normal).abs();
                // The normal, its magnitudes and 1 make a vector of length √3.
                let match_of = normal.dot(vector_left) + size.dot(covers_left) + area_left;
                let more = (match_of / 3.0).max(-*own);
                *own += more;
                vector_left -= *normal * more;
                covers_left -= size * more;
                area_left -= more;
            }
        }
        areas
    }

    /// The middle of what it holds.
    fn centre(&self) -> DVec3 {
        match self.part.volume {
            VolumeMoments { volume, .. } if volume > 0.0 => self.part.volume.central().0,
            _ => self.part.bounds.center(),
        }
    }

    /// Points that span it, about where its second moments say where no others are known.
    fn spanning(&self) -> Vec<DVec3> {
        if !self.points.is_empty() || self.part.volume.volume <= 0.0 {
            return self.points.clone();
        }
        let (centre, second) = self.part.volume.central();
        let half = [0, 1, 2].map(|k| (second.col(k)[k] / self.part.volume.volume).max(0.0).sqrt());
        let half = (DVec3::from(half) * BOX_OF_MOMENTS).min(self.part.bounds.half_size());
        let sign = |corner: u32, k: u32| if corner >> k & 1 == 0 { -1.0 } else { 1.0 };
        (0..8).map(|c| centre + half * DVec3::new(sign(c, 0), sign(c, 1), sign(c, 2))).collect()
    }
}

/// What faces one way of one piece.
struct Piece {
    part: Part,
    points: Vec<DVec3>,
    lump: u32,
}

/// A pair's cells by the pieces of the overlap that they are in.
#[derive(Debug)]
pub(super) struct Lumps<'a> {
    leaves: &'a [Leaf],
    /// The first leaf of the piece that each leaf is of.
    of_leaf: Vec<u32>,
    /// Whether a leaf is of a piece that faces several ways and does so itself.
    pub askew: Vec<bool>,
}

impl<'a> Lumps<'a> {
    /// Halves of one piece touch where it was cut.
    pub fn new(leaves: &'a [Leaf]) -> Self {
        let mut sets = UnionFind::new(leaves.len());
        for (i, a) in leaves.iter().enumerate() {
            for (j, b) in leaves[..i].iter().enumerate() {
                if a.goes_on_in(b) {
                    sets.join(i as u32, j as u32);
                }
            }
        }
        let of_leaf = (0..leaves.len()).map(|ix| sets.find(ix as u32)).collect();
        let mut lumps = Self { leaves, of_leaf, askew: vec![false; leaves.len()] };
        let least = LEAST_AREA * lumps.area();
        for lump in lumps.numbers() {
            if !lumps.is_one_sided(lump) {
                let members: Vec<usize> = lumps.members(lump).collect();
                for ix in members {
                    lumps.askew[ix] = leaves[ix].is_askew(least);
                }
            }
        }
        lumps
    }

    /// How many pieces there are.
    pub fn count(&self) -> u32 {
        self.numbers().len() as u32
    }

    /// The part of A's surface that is in leaves which face several ways.
    pub fn askew_part(&self) -> f64 {
        let askew = self.leaves.iter().zip(&self.askew).filter(|(_, is_askew)| **is_askew);
        let area: f64 = askew.map(|(leaf, _)| leaf.part.areas[0]).sum();
        if area > 0.0 { area / self.area() } else { 0.0 }
    }

    fn area(&self) -> f64 {
        self.leaves.iter().map(|leaf| leaf.part.areas[0].max(0.0)).sum()
    }

    fn numbers(&self) -> Vec<u32> {
        (0..).zip(&self.of_leaf).filter(|(ix, lump)| ix == *lump).map(|(ix, _)| ix).collect()
    }

    fn members(&self, lump: u32) -> impl Iterator<Item = usize> {
        self.of_leaf.iter().enumerate().filter(move |(_, of)| **of == lump).map(|(ix, _)| ix)
    }

    fn whole(&self, lump: u32) -> Part {
        let mut members = self.members(lump).map(|ix| &self.leaves[ix].part);
        let first = members.next().cloned().expect("a piece has its first leaf");
        members.fold(first, |mut whole, part| {
            whole.add(part.clone());
            whole
        })
    }

    fn is_one_sided(&self, lump: u32) -> bool {
        let whole = self.whole(lump);
        whole.surface.area_vector.length() >= ONE_SIDED * whole.areas[0].min(whole.areas[1])
    }

    /// The regions, the largest first; none if the overlap is but one. `bounds` is its box.
    pub fn regions(&self, bounds: &Aabb) -> Vec<Overlap> {
        let origin = bounds.center();
        let pieces: Vec<Piece> = self.numbers().into_iter().flat_map(|lump| self.divide(lump)).collect();
        let about_origin = |(piece, number): (&Piece, u32)| Part {
            volume: piece.part.volume.translated(-origin),
            surface: piece.part.surface.translated(-origin),
            bounds: piece.part.bounds.moved(-origin),
            around: piece.part.around.map(|around| around.moved(-origin)),
            members: vec![number],
            ..piece.part.clone()
        };
        // Every piece holds volume that can be trusted.
        let parts = pieces.iter().zip(0..).map(about_origin).collect();
        let lumps: Vec<u32> = pieces.iter().map(|piece| piece.lump).collect();
        let parts = merge(without_rims(parts, &lumps), bounds.diagonal(), 0.0);
        if parts.len() < 2 {
            return Vec::new();
        }
        let region = |part: &Part| {
            let members = part.members.iter().map(|&ix| &pieces[ix as usize]);
            let points: Vec<DVec3> = members.clone().flat_map(|piece| piece.points.iter().copied()).collect();
            // Members are in the order of their pieces.
            let mut lumps: Vec<u32> = members.map(|piece| piece.lump).collect();
            lumps.dedup();
            let part = Part { areas: plane_areas(part.areas, part.surface.area_vector), ..part.clone() };
            Overlap { n_components: lumps.len() as u32, ..part.overlap(&points, origin) }
        };
        let mut regions: Vec<Overlap> = parts.iter().map(region).collect();
        regions.sort_by(|a, b| b.gradient.length_squared().total_cmp(&a.gradient.length_squared()));
        regions
    }

    /// A piece by its sides.
    fn divide(&self, lump: u32) -> Vec<Piece> {
        let sides = if self.is_one_sided(lump) { Vec::new() } else { self.sides(lump) };
        if sides.len() < 2 {
            let part = Part { is_apart: true, ..self.whole(lump) };
            let points = self.members(lump).flat_map(|ix| self.leaves[ix].spanning()).collect();
            return vec![Piece { part, points, lump }];
        }
        let mut pieces: Vec<Option<Piece>> = sides.iter().map(|_| None).collect();
        for ix in self.members(lump) {
            let leaf = &self.leaves[ix];
            for (piece, part) in pieces.iter_mut().zip(shared_out(leaf, self.askew[ix], &sides)) {
                match (piece.as_mut(), part) {
                    (Some(piece), Some(part)) => piece.part.add(part),
                    (None, Some(part)) => *piece = Some(Piece { part, points: Vec::new(), lump }),
                    (_, None) => {}
                }
            }
        }
        for x in self.members(lump).flat_map(|ix| self.leaves[ix].spanning()) {
            if let Some(piece) = &mut pieces[nearest(&sides, x, |_| true).unwrap_or(0)] {
                piece.points.push(x);
            }
        }
        pieces.into_iter().flatten().collect()
    }

    /// The sides of a piece: clusters of what faces one way, each with all that faces it.
    fn sides(&self, lump: u32) -> Vec<Side> {
        let mut directions = Directions::new();
        let leaves: Vec<&Leaf> = self.members(lump).map(|ix| &self.leaves[ix]).collect();
        for leaf in &leaves {
            let (surface, area) = (&leaf.part.surface, leaf.part.areas[0]);
            if area > 0.0 && surface.area_vector.length() >= ONE_SIDED * area {
                let normal = surface.area_vector.normalize();
                let bin = Bin { area, vector: surface.area_vector, moment: surface.arms * normal };
                directions.add(normal, &bin);
            }
        }
        let normals: Vec<DVec3> = clusters(&directions).iter().map(Bin::direction).collect();
        let mut facing = [0, 1].map(|_| vec![Bin::default(); normals.len()]);
        // Of every two clusters, the area of the smaller one in cells that hold both.
        let mut shared = vec![0.0; normals.len() * normals.len()];
        for leaf in &leaves {
            let vectors = [leaf.part.surface.area_vector, -leaf.area_b];
            for (of, facing) in facing.iter_mut().enumerate() {
                let centre = leaf.centre_of(of);
                let areas = leaf.facing(of, &normals, vectors[of]);
                if of == 0 {
                    for (ix, shared) in shared.iter_mut().enumerate() {
                        *shared += areas[ix / areas.len()].min(areas[ix % areas.len()]);
                    }
                }
                for ((bin, normal), area) in facing.iter_mut().zip(&normals).zip(areas) {
                    bin.add(&Bin { area, vector: *normal * area, moment: area * centre });
                }
            }
        }
        let [own, opposite] = &facing;
        joined(own, opposite, |i, j| shared[i * own.len() + j] > MEETING * own[i].area.min(own[j].area))
    }
}

/// A leaf as the parts of it that are of each side: of its surface what faces the side, of its volume what is nearest to the side's plane.
fn shared_out(leaf: &Leaf, is_askew: bool, sides: &[Side]) -> Vec<Option<Part>> {
    let (part, centre) = (&leaf.part, leaf.centre());
    let vector = part.surface.area_vector;
    let normals: Vec<DVec3> = sides.iter().map(|side| side.normal).collect();
    let areas = if is_askew { leaf.faced(0, &normals, vector) } else { vec![0.0; sides.len()] };
    let total: f64 = areas.iter().sum();
    let shares: Vec<f64> = if total > 0.0 {
        areas.iter().map(|area| area / total).collect()
    } else {
        let normal = vector.normalize_or_zero();
        let faces = |side: &Side| side.normal.dot(normal) > COVERED;
        let own = nearest(sides, centre, faces).or_else(|| nearest(sides, centre, |_| true));
        (0..sides.len()).map(|ix| if own == Some(ix) { 1.0 } else { 0.0 }).collect()
    };
    let volumes = nearest_volumes(leaf, sides).unwrap_or_else(|| {
        let VolumeMoments { volume, first, second } = part.volume;
        let of =
            |share| VolumeMoments { volume: volume * share, first: first * share, second: second * share };
        shares.iter().map(|share| of(*share)).collect()
    });
    let known: DVec3 = sides.iter().zip(&areas).map(|(side, area)| side.normal * *area).sum();
    let arms = part.surface.arms - outer(centre, vector);
    let of_side = |ix: usize| {
        let share = shares[ix];
        // What sides do not explain is shared out as the rest is, so that nothing is lost.
        let area_vector = sides[ix].normal * areas[ix] + (vector - known) * share;
        let arms = outer(centre, area_vector) + arms * share;
        let surface = SurfaceMoments { area_vector, arms, ..Default::default() };
        Part { volume: volumes[ix], surface, areas: part.areas.map(|area| area * share), ..part.clone() }
    };
    (0..sides.len()).map(|ix| (shares[ix] > 0.0 || volumes[ix].volume > 0.0).then(|| of_side(ix))).collect()
}

/// Points along each side of a box that stands for what a cell holds.
const POINTS: i32 = 6;

/// The volume moments of what is nearest to each side's plane: that of a box with the cell's own moments, by points in it. `None` of a cell
/// without volume.
fn nearest_volumes(leaf: &Leaf, sides: &[Side]) -> Option<Vec<VolumeMoments>> {
    let VolumeMoments { volume, .. } = leaf.part.volume;
    let (centre, second) = leaf.part.volume.central();
    if volume <= 0.0 {
        return None;
    }
    let half = DVec3::from([0, 1, 2].map(|k| (second.col(k)[k] / volume).max(0.0).sqrt())) * BOX_OF_MOMENTS;
    let place = |k: i32| (f64::from(2 * k + 1) / f64::from(POINTS)) - 1.0;
    let mut found = vec![VolumeMoments::default(); sides.len()];
    let one = volume / f64::from(POINTS.pow(3));
    // A point stands for a box of its own.
    let own = DMat3::from_diagonal((half / f64::from(POINTS)).powf(2.0) / 3.0);
    for (i, j, k) in
        (0..POINTS).flat_map(|i| (0..POINTS).flat_map(move |j| (0..POINTS).map(move |k| (i, j, k))))
    {
        let x = centre + half * DVec3::new(place(i), place(j), place(k));
        let side = nearest(sides, x, |_| true)?;
        found[side] += VolumeMoments { volume: one, first: one * x, second: one * (outer(x, x) + own) };
    }
    let mut rest = leaf.part.volume.second;
    found.iter().for_each(|part| rest -= part.second);
    // What a box along the axes has no place for is shared out as the volume is.
    found.iter_mut().for_each(|part| part.second += rest * (part.volume / volume));
    Some(found)
}

/// The side whose plane is nearest to a point, of those that are wanted.
fn nearest(sides: &[Side], x: DVec3, is_wanted: impl Fn(&Side) -> bool) -> Option<usize> {
    let distance = |side: &Side| side.normal.dot(x - side.centre).abs();
    let wanted = sides.iter().enumerate().filter(|(_, side)| is_wanted(side));
    wanted.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(ix, _)| ix)
}

/// Part by which a plain area may exceed the vector area for the surface to be taken for plane: what 32-bit sums round to, some times. A
/// shell that spans half a degree has as much.
pub(super) const PLANE: f64 = 1e-5;

/// The areas of A's and of B's surface, a plane one as large as its vector area to the last digit.
pub(super) fn plane_areas(areas: [f64; 2], vector: DVec3) -> [f64; 2] {
    areas.map(|area| if (area / vector.length() - 1.0).abs() < PLANE { vector.length() } else { area })
}
