//! Which pairs of bodies have to be measured: those whose boxes meet.
//!
//! A few finite bodies are sorted along one axis and swept, many go through a bounding volume hierarchy; half-spaces,
//! which have no box, are tested one by one against the lowest point of every finite body.

use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tactum_geometry::{Aabb, Pose, Shape};

use crate::constants::BVH_BODIES;
use crate::{Body, BodyKind, PairJob};

/// The pairs of bodies that may touch, sorted by indices.
///
/// Two boxes that share only a point count as meeting. Pairs with no dynamic body and pairs that their group masks
/// forbid are left out.
pub fn pairs(bodies: &[Body]) -> Vec<PairJob> {
    let mut jobs = Vec::with_capacity(4 * bodies.len());
    let mut entries = Vec::with_capacity(bodies.len());
    for (ix, body) in bodies.iter().enumerate() {
        if matches!(body.shape, Shape::HalfSpace) {
            pair_half_space(bodies, ix, &mut jobs);
        } else {
            let aabb = body.shape.aabb(&body.w_from_shape());
            entries.push(Entry { aabb, ix: ix as u32, dynamic: body.kind == BodyKind::Dynamic });
        }
    }
    if entries.len() < BVH_BODIES {
        sweep(bodies, &mut entries, &mut jobs);
    } else {
        traverse_tree(bodies, &entries, &mut jobs);
    }
    jobs.sort_unstable_by_key(|job| job.bodies);
    jobs
}

/// A finite body and its box in the world.
struct Entry {
    aabb: Aabb,
    ix: u32,
    dynamic: bool,
}

/// Sort and sweep along the axis on which the boxes' centres spread most (Baraff 1992, with the axis of largest
/// variance instead of a fixed one).
fn sweep(bodies: &[Body], entries: &mut [Entry], jobs: &mut Vec<PairJob>) {
    let axis = widest_axis(entries);
    entries.sort_unstable_by(|a, b| a.aabb.min[axis].total_cmp(&b.aabb.min[axis]).then(a.ix.cmp(&b.ix)));
    for (k, a) in entries.iter().enumerate() {
        let end = a.aabb.max[axis];
        for b in entries[k + 1..].iter().take_while(|b| b.aabb.min[axis] <= end) {
            if (a.dynamic || b.dynamic) && a.aabb.meets(&b.aabb) {
                push_pair(bodies, a.ix, b.ix, jobs);
            }
        }
    }
}

/// A tree of all boxes, built anew and traversed against itself.
fn traverse_tree(bodies: &[Body], entries: &[Entry], jobs: &mut Vec<PairJob>) {
    let leaf = |v: DVec3| v.to_array().into();
    let leaves = entries.iter().map(|e| ParryAabb::new(leaf(e.aabb.min), leaf(e.aabb.max)));
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
    let mut workspace = BvhWorkspace::default();
    tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
        let (a, b) = (&entries[i as usize], &entries[j as usize]);
        if (a.dynamic || b.dynamic) && a.aabb.meets(&b.aabb) {
            push_pair(bodies, a.ix, b.ix, jobs);
        }
    });
}

fn widest_axis(entries: &[Entry]) -> usize {
    let n = entries.len().max(1) as f64;
    let mean = entries.iter().map(|e| e.aabb.center()).sum::<DVec3>() / n;
    let spread: DVec3 = entries.iter().map(|e| (e.aabb.center() - mean).powf(2.0)).sum();
    spread.max_position()
}

fn pair_half_space(bodies: &[Body], plane_ix: usize, jobs: &mut Vec<PairJob>) {
    let w_from_plane = bodies[plane_ix].w_from_shape();
    for (ix, body) in bodies.iter().enumerate() {
        if body.kind == BodyKind::Dynamic && height_above(&w_from_plane, body) <= 0.0 {
            push_pair(bodies, plane_ix as u32, ix as u32, jobs);
        }
    }
}

fn push_pair(bodies: &[Body], i: u32, j: u32, jobs: &mut Vec<PairJob>) {
    let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
    if a.groups & b.mask != 0 && b.groups & a.mask != 0 {
        jobs.push(PairJob { bodies: [i.min(j), i.max(j)] });
    }
}

/// Height of a body's lowest point above a half-space, or a lower bound of it for a polyhedron or mesh \[m\].
fn height_above(w_from_plane: &Pose, body: &Body) -> f64 {
    let w_from_shape = body.w_from_shape();
    let up_w = w_from_plane.vector(DVec3::Z);
    let height = up_w.dot(w_from_shape.translation - w_from_plane.translation);
    let up = w_from_shape.rotation.conjugate() * up_w;
    let reach = match &body.shape {
        Shape::HalfSpace => f64::INFINITY,
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half_length } => radius + half_length * up.z.abs(),
        Shape::Cuboid { half_size } => half_size.dot(up.abs()),
        Shape::Convex(_) | Shape::Mesh(_) => {
            let aabb = body.shape.own_aabb();
            aabb.half_size().dot(up.abs()) - aabb.center().dot(up)
        }
    };
    height - reach
}
