//! Ends pairs in which no ray passed through an overlap, no triangles cross and no shell of one body is inside the other: they are
//! apart.
//!
//! An overlap without crossing triangles would be bounded by whole shells, and they would be in the box. So a point of each shell in
//! the box is enough. Surfaces that [`super::clash`] tells apart are farther from each other than rounding moves them, so
//! that on which side of one a point of the other is does not depend on it.

use glam::Vec3;

use super::extent::Extent;
use super::layout::{BOUNDS, CLUSTER, Cluster, PairFrame, WORKGROUP, bound, shell, state};
use super::memory::{Memory, Meshes, Operands};
use super::place::{box_corners, in_box};
use super::scanline::Span;

/// Shells in the box that are looked at; pairs with more are left open.
pub const MAX_SEEDS: usize = 8;

/// Clusters in the columns below points that a thread looks at, all points together; pairs with more are left open. Some drivers end a
/// thread after 65,536 turns of its loops.
pub const MAX_COLUMN: u32 = 256;

pub fn run(on: &mut Operands<'_>) {
    for pair in 0..on.round.n_pairs as usize {
        let is_empty = on.memory.blocks[pair].volume <= 0.0;
        if !is_empty || on.memory.frames[pair].state & (state::CELL | state::EMPTY) != 0 {
            continue;
        }
        let is_free = |side: u32| is_free(on.meshes, on.memory, pair, side);
        let is_clear = is_free(0) && is_free(1);
        let clash = 2 * pair * BOUNDS + bound::CLASH;
        if is_clear && on.memory.bounds[clash] == 0 {
            on.memory.blocks[pair].state |= state::EMPTY;
        }
        on.memory.bounds[clash] = 0;
    }
}

/// Whether no shell of a body that is in the box is inside the other body.
fn is_free(meshes: &Meshes, memory: &Memory, pair: usize, side: u32) -> bool {
    let (frame, pair) = (&memory.frames[pair], &memory.pairs[pair]);
    let mut seeds = Vec::new();
    for ix in pair.first[side as usize]..pair.first[side as usize] + pair.n[side as usize] {
        match meshes.clusters[ix as usize].shell {
            shell::UNKNOWN => return false,
            shell::NEXT => {
                let [seed, ..] = box_corners(frame, side, &meshes.triangles[ix as usize], 0);
                if seed.cmpge(Vec3::ZERO).all() && seed.cmple(Vec3::ONE).all() {
                    seeds.push(seed);
                }
            }
            _ => {}
        }
    }
    let other = 1 - side;
    let (first, n) = (pair.first[other as usize], pair.n[other as usize]);
    seeds.len() <= MAX_SEEDS
        && windings(meshes, frame, other, first..first + n, &seeds)
            .is_some_and(|windings| windings.iter().all(|&winding| winding <= 0))
}

/// How often a body goes around each point; `None` where there would be too much to look at.
fn windings(
    meshes: &Meshes,
    frame: &PairFrame,
    side: u32,
    clusters: std::ops::Range<u32>,
    seeds: &[Vec3],
) -> Option<Vec<i32>> {
    let mut windings = vec![0_i32; seeds.len()];
    let mut n_looked_at = [0; WORKGROUP as usize];
    for (thread, ix) in clusters.enumerate() {
        for (seed, winding) in seeds.iter().zip(&mut windings) {
            if !is_below(frame, side, &meshes.clusters[ix as usize], *seed) {
                continue;
            }
            let n = &mut n_looked_at[thread % WORKGROUP as usize];
            *n += 1;
            if *n > MAX_COLUMN {
                return None;
            }
            for lane in 0..CLUSTER {
                *winding += winding_of(box_corners(frame, side, &meshes.triangles[ix as usize], lane), *seed);
            }
        }
    }
    Some(windings)
}

/// Whether a cluster has anything in the column below a point.
fn is_below(frame: &PairFrame, side: u32, cluster: &Cluster, seed: Vec3) -> bool {
    let (box_lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let extent = Extent::of(frame, side, cluster);
    let (lower, upper) = (in_box(extent.lo, box_lo, scale), in_box(extent.hi, box_lo, scale));
    lower.cmple(seed).all() && upper.x >= seed.x && upper.y >= seed.y
}

/// How often a triangle of the other body makes a ray to a point enter it.
fn winding_of(corners: [Vec3; 3], seed: Vec3) -> i32 {
    let span = Span::of_row(corners, seed.y);
    let is_crossed =
        span.is_crossed && span.up.x.min(span.down.x) <= seed.x && seed.x < span.up.x.max(span.down.x);
    match is_crossed && span.depth_at(seed.x) < seed.z {
        true if span.is_exit() => -1,
        true => 1,
        false => 0,
    }
}
