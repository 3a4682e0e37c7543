//! Which pairs of bodies may come to touch within a step: those whose boxes, swept along the free motion, meet.
//!
//! A few finite bodies are sorted along one axis and swept, many go through a bounding volume hierarchy. Half-spaces have
//! no box: they are paired with every dynamic body.

use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tactum_geometry::Aabb;

use crate::constants::BVH_BODIES;
use crate::motion::FreeMotion;
use crate::{Body, BodyKind};

/// What the broad phase looks at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The bodies.
    pub bodies: &'a [Body],
    /// Their free motion in the step.
    pub free: &'a [FreeMotion],
    /// Pairs that never touch, sorted.
    pub apart: &'a [[u32; 2]],
}

/// What the broad phase found.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The pairs, each with the smaller index first, sorted.
    pub pairs: Vec<[u32; 2]>,
    /// Box of each body where it is, world \[m\].
    pub boxes: Vec<Aabb>,
}

/// The pairs of bodies that may come to touch within a step.
///
/// Boxes that share a point meet. Pairs with no dynamic body, pairs that their group masks forbid and pairs that a joint
/// keeps from touching are left out.
pub fn candidates(input: &Input<'_>) -> Candidates {
    let bodies = input.bodies;
    let boxes: Vec<Aabb> = bodies.iter().map(|body| body.shape.aabb(&body.w_from_shape())).collect();
    let mut pairs = Vec::with_capacity(4 * bodies.len());
    let mut entries = Vec::with_capacity(bodies.len());
    for (ix, body) in bodies.iter().enumerate() {
        if !body.shape.is_bounded() {
            pair_half_space(input, ix, &mut pairs);
        } else {
            entries.push(Entry::new(input, &boxes[ix], ix));
        }
    }
    if entries.len() < BVH_BODIES {
        sweep(input, &mut entries, &mut pairs);
    } else {
        traverse_tree(input, &entries, &mut pairs);
    }
    pairs.sort_unstable();
    Candidates { pairs, boxes }
}

/// A finite body: its box around where it is and where the free motion takes it.
struct Entry {
    swept: Aabb,
    ix: u32,
    dynamic: bool,
}

impl Entry {
    fn new(input: &Input<'_>, now: &Aabb, ix: usize) -> Self {
        let displacement = input.free[ix].displacement;
        let after = Aabb { min: now.min + displacement, max: now.max + displacement };
        Self { swept: now.union(&after), ix: ix as u32, dynamic: input.bodies[ix].kind == BodyKind::Dynamic }
    }
}

fn push_pair(input: &Input<'_>, a: &Entry, b: &Entry, pairs: &mut Vec<[u32; 2]>) {
    let pair = [a.ix.min(b.ix), a.ix.max(b.ix)];
    if (a.dynamic || b.dynamic) && a.swept.meets(&b.swept) && allowed(input, pair) {
        pairs.push(pair);
    }
}

/// Sort and sweep along the axis on which the boxes' centres spread most (Baraff 1992, with the axis of largest
/// variance instead of a fixed one).
fn sweep(input: &Input<'_>, entries: &mut [Entry], pairs: &mut Vec<[u32; 2]>) {
    let axis = widest_axis(entries);
    entries.sort_unstable_by(|a, b| a.swept.min[axis].total_cmp(&b.swept.min[axis]).then(a.ix.cmp(&b.ix)));
    for (k, a) in entries.iter().enumerate() {
        let end = a.swept.max[axis];
        for b in entries[k + 1..].iter().take_while(|b| b.swept.min[axis] <= end) {
            push_pair(input, a, b, pairs);
        }
    }
}

/// A tree of all boxes, built anew and traversed against itself.
fn traverse_tree(input: &Input<'_>, entries: &[Entry], pairs: &mut Vec<[u32; 2]>) {
    let leaf = |v: DVec3| v.to_array().into();
    let leaves = entries.iter().map(|e| ParryAabb::new(leaf(e.swept.min), leaf(e.swept.max)));
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
    let mut workspace = BvhWorkspace::default();
    tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
        push_pair(input, &entries[i as usize], &entries[j as usize], pairs);
    });
}

fn widest_axis(entries: &[Entry]) -> usize {
    let n = entries.len().max(1) as f64;
    let mean = entries.iter().map(|e| e.swept.center()).sum::<DVec3>() / n;
    let spread: DVec3 = entries.iter().map(|e| (e.swept.center() - mean).powf(2.0)).sum();
    spread.max_position()
}

fn pair_half_space(input: &Input<'_>, plane: usize, pairs: &mut Vec<[u32; 2]>) {
    for (ix, body) in input.bodies.iter().enumerate() {
        let pair = [plane.min(ix) as u32, plane.max(ix) as u32];
        if body.kind == BodyKind::Dynamic && allowed(input, pair) {
            pairs.push(pair);
        }
    }
}

fn allowed(input: &Input<'_>, pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|ix| &input.bodies[ix as usize]);
    a.groups & b.mask != 0 && b.groups & a.mask != 0 && input.apart.binary_search(&pair).is_err()
}

/// Height of a body's lowest point above a plane (a point of it, its unit normal), or a lower bound of it \[m\].
pub fn height_above(on_plane: DVec3, up: DVec3, body: &Body) -> f64 {
    let w_from_shape = body.w_from_shape();
    let height = up.dot(w_from_shape.translation - on_plane);
    height - body.shape.reach(-(w_from_shape.rotation.conjugate() * up))
}
