//! Finds pairs in which triangles of both bodies may cross inside the box, of those where no ray passed through an overlap.
//!
//! Two triangles are apart where some axis has them on different sides (Gottschalk, Lin, Manocha 1996), by more than rounding moves
//! their corners. What is not told apart so is a clash, whether it crosses or not.

use glam::Vec3;

use super::descend::descend;
use super::extent::Extent;
use super::layout::{BOUNDS, CLUSTER, Cluster, Item, PairFrame, PairMeshes, argument, bound, state};
use super::memory::{Meshes, Operands};
use super::place::{fma, in_frame, rows};
use super::work::{PARTED, Work};

/// Distance along an axis, as a part of the pair's reach, above which triangles are apart. A corner is moved by less than 1.2e-6
/// of the reach: by packing (3e-8 a coordinate), by the axes' rounding (2.6e-7), by the translation's (2e-7), by the map's (1.8e-7);
/// products with an axis are off by 5e-7. Both bodies make 3e-6.
pub const SEPARATION: f32 = 4e-6;

/// A product of lengths below which 32-bit numbers lose digits \[powers of m\].
pub const TINY: f32 = 1e-30;

/// Clusters of B near one of A that are looked at. Some drivers end a thread after 65,536 turns of its loops; these are half of them.
pub const MAX_NEAR: usize = 512;

type Triangle = [Vec3; 3];

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..on.memory.arguments[argument::ITEMS + argument::COUNT] {
        let item = on.memory.items[ix as usize];
        let pair = (item.side / 2) as usize;
        let frame = &on.memory.frames[pair];
        let is_empty = on.memory.blocks[pair].volume <= 0.0;
        let word = item.side as usize * BOUNDS + bound::CLASH;
        // One clash is enough.
        if item.side % 2 == 1 || !is_empty || frame.state & state::CELL != 0 || on.memory.bounds[word] != 0 {
            continue;
        }
        let pair = &on.memory.pairs[pair];
        on.work.groups += 1;
        on.work.reads::<(Item, PairFrame, PairMeshes)>(1);
        on.memory.bounds[word] = u32::from(clashes(on.meshes, frame, pair, item.cluster, on.work));
    }
}

/// Whether any triangle of a cluster of A may cross one of B's.
fn clashes(meshes: &Meshes, frame: &PairFrame, pair: &PairMeshes, cluster: u32, work: &mut Work) -> bool {
    work.look_at_boxes(1);
    let margin = SEPARATION * frame.reach;
    let inside = Extent { lo: Vec3::from(frame.lo), hi: Vec3::from(frame.hi) };
    let around = Extent::of(frame, 0, meshes.box_of(pair, 0, cluster)).shared(inside);
    let is_near = |cluster: &Cluster| !Extent::of(frame, 1, cluster).shared(around).is_parted(margin);
    let mut near = Vec::new();
    descend(meshes.boxes_of(pair, 1), pair.n[1], work, is_near, |ix| near.push(pair.first[1] + ix));
    if near.len() > MAX_NEAR {
        return true;
    }
    work.place_cluster();
    let is_looked_at = |a: &Triangle| !is_point(a) && !extent_of(a).shared(inside).is_parted(margin);
    let of_a: Vec<Triangle> = triangles(meshes, frame, 0, cluster).filter(is_looked_at).collect();
    near.iter().any(|&ix| {
        work.place_cluster();
        work.compare_with(CLUSTER);
        let of_b: Vec<Triangle> = triangles(meshes, frame, 1, ix).filter(|b| !is_point(b)).collect();
        let mut are_apart = |a, b| {
            let extent = extent_of(a).shared(extent_of(b)).shared(inside);
            let is_parted = extent.is_parted(margin);
            work.look_at_pairs(u64::from(!is_parted), PARTED);
            is_parted || are_apart(a, b, margin)
        };
        of_a.iter().any(|a| of_b.iter().any(|b| !are_apart(a, b)))
    })
}

/// The triangles of a cluster of the body that a side stands for, in the pair's frame.
fn triangles(meshes: &Meshes, frame: &PairFrame, side: u32, cluster: u32) -> impl Iterator<Item = Triangle> {
    let corners = &meshes.triangles[cluster as usize].corners;
    let corner = move |lane: usize, k: usize| {
        let x = Vec3::new(corners[3 * k][lane], corners[3 * k + 1][lane], corners[3 * k + 2][lane]);
        in_frame(rows(frame, side), x)
    };
    (0..CLUSTER).map(move |lane| [0, 1, 2].map(|k| corner(lane, k)))
}

fn extent_of([a, b, c]: &Triangle) -> Extent {
    Extent { lo: a.min(b.min(*c)), hi: a.max(b.max(*c)) }
}

/// Unused places of a cluster repeat one point.
pub fn is_point([a, b, c]: &Triangle) -> bool {
    a == b && b == c
}

fn scalar(a: Vec3, b: Vec3) -> f32 {
    fma(a.x, b.x, fma(a.y, b.y, a.z * b.z))
}

fn vector(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x)))
}

/// Whether two triangles, given from the first one's first corner on, are apart along an axis; any axis proves it.
fn is_apart_along(axis: Vec3, [_, a1, a2]: &Triangle, b: &Triangle, margin: f32) -> bool {
    let [a1, a2] = [a1, a2].map(|x| scalar(axis, *x));
    let [b0, b1, b2] = b.map(|x| scalar(axis, x));
    let gap =
        (b0.min(b1.min(b2)) - 0.0_f32.max(a1.max(a2))).max(0.0_f32.min(a1.min(a2)) - b0.max(b1.max(b2)));
    let least = margin * (axis.x.abs() + axis.y.abs() + axis.z.abs());
    least > TINY && gap > least
}

/// Whether two triangles are certainly apart: along their normals, the normals of their sides or what is normal to a side of each.
fn are_apart(a: &Triangle, b: &Triangle, margin: f32) -> bool {
    let from = a.map(|x| x - a[0]);
    let to = b.map(|x| x - a[0]);
    let p = [from[1], from[2] - from[1], from[2]];
    let q = [to[1] - to[0], to[2] - to[1], to[0] - to[2]];
    let (n, m) = (vector(p[0], p[2]), vector(q[0], q[1]));
    let is_apart = |axis: Vec3| is_apart_along(axis, &from, &to, margin);
    is_apart(n)
        || is_apart(m)
        || p.iter().any(|&p| q.iter().any(|&q| is_apart(vector(p, q))))
        || p.iter().any(|&p| is_apart(vector(n, p)))
        || q.iter().any(|&q| is_apart(vector(m, q)))
}
