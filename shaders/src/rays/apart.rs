//! Ends pairs in which no ray passed through an overlap, no triangles cross and no shell of one body is inside the other: they are
//! apart.
//!
//! An overlap without crossing triangles would be bounded by whole shells, and they would be in the box. So a point of each shell in
//! the box is enough. Surfaces that [`super::clash`] tells apart are farther from each other than rounding moves them, so
//! that on which side of one a point of the other is does not depend on it.

use glam::Vec3;

use super::descend::descend;
use super::extent::Extent;
use super::layout::{BOUNDS, CLUSTER, Cluster, PairFrame, PairMeshes, bound, shell, state};
use super::memory::{Memory, Meshes, Operands};
use super::place::{box_corners, in_box};
use super::scanline::Span;
use super::work::Work;

/// Shells in the box that are looked at; pairs with more are left open.
pub const MAX_SEEDS: usize = 8;

/// Clusters in the columns below points that are looked at, all points together; pairs with more are left open. A workgroup keeps a list of
/// them, of which its threads take a triangle each.
pub const MAX_COLUMN: usize = 1024;

pub fn run(on: &mut Operands<'_>) {
    for pair in 0..on.round.n_pairs as usize {
        let is_empty = on.memory.blocks[pair].volume <= 0.0;
        if !is_empty || on.memory.frames[pair].state & (state::CELL | state::EMPTY) != 0 {
            continue;
        }
        on.work.groups += 1;
        on.work.reads::<(PairFrame, PairMeshes)>(1);
        let mut is_free = |side: u32| is_free(on.meshes, on.memory, pair, side, on.work);
        let is_clear = is_free(0) && is_free(1);
        let clash = 2 * pair * BOUNDS + bound::CLASH;
        if is_clear && on.memory.bounds[clash] == 0 {
            on.memory.blocks[pair].state |= state::EMPTY;
        }
        on.memory.bounds[clash] = 0;
    }
}

/// Whether no shell of a body that is in the box is inside the other body.
fn is_free(meshes: &Meshes, memory: &Memory, pair: usize, side: u32, work: &mut Work) -> bool {
    let (frame, pair) = (&memory.frames[pair], &memory.pairs[pair]);
    let (boxes, first) = (meshes.boxes_of(pair, side), pair.first[side as usize]);
    let mut begun = Vec::new();
    let is_wanted = |one: &Cluster| {
        one.shell == shell::UNKNOWN || one.shell == shell::NEXT && is_in_box(frame, side, one)
    };
    descend(boxes, pair.n[side as usize], work, is_wanted, |ix| begun.push(ix));
    if begun.iter().any(|&ix| boxes[ix as usize].shell == shell::UNKNOWN) {
        return false;
    }
    let mut seeds = Vec::new();
    for ix in begun {
        work.place_triangle();
        let [seed, ..] = box_corners(frame, side, &meshes.triangles[(first + ix) as usize], 0);
        if seed.cmpge(Vec3::ZERO).all() && seed.cmple(Vec3::ONE).all() {
            seeds.push(seed);
        }
    }
    seeds.len() <= MAX_SEEDS
        && windings(meshes, frame, pair, 1 - side, &seeds, work)
            .is_some_and(|windings| windings.iter().all(|&winding| winding <= 0))
}

/// Whether a box around clusters has anything in the pair's box.
fn is_in_box(frame: &PairFrame, side: u32, cluster: &Cluster) -> bool {
    let (box_lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let extent = Extent::of(frame, side, cluster);
    in_box(extent.lo, box_lo, scale).cmple(Vec3::ONE).all()
        && in_box(extent.hi, box_lo, scale).cmpge(Vec3::ZERO).all()
}

/// How often a body goes around each point; `None` where there would be too much to look at.
fn windings(
    meshes: &Meshes,
    frame: &PairFrame,
    pair: &PairMeshes,
    side: u32,
    seeds: &[Vec3],
    work: &mut Work,
) -> Option<Vec<i32>> {
    let (boxes, body) = (meshes.boxes_of(pair, side), side as usize);
    let mut below = Vec::new();
    let is_wanted = |one: &Cluster| seeds.iter().any(|seed| is_below(frame, side, one, *seed));
    descend(boxes, pair.n[body], work, is_wanted, |ix| {
        let has_below = |k: &usize| is_below(frame, side, &boxes[ix as usize], seeds[*k]);
        below.extend((0..seeds.len()).filter(has_below).map(|k| (ix, k)));
    });
    if below.len() > MAX_COLUMN {
        return None;
    }
    let mut windings = vec![0_i32; seeds.len()];
    for (ix, k) in below {
        work.place_cluster();
        let triangles = &meshes.triangles[(pair.first[body] + ix) as usize];
        for lane in 0..CLUSTER {
            windings[k] += winding_of(box_corners(frame, side, triangles, lane), seeds[k]);
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
