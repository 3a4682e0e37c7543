//! Lists the clusters of both bodies that meet as seen along a direction, in the columns of space through the box and below it.

use glam::Vec3;

use super::extent::Extent;
use super::layout::{Cluster, LargeItem, PairFrame, argument, counter};
use super::memory::Operands;
use super::place::{by_direction, in_box};

pub fn run(on: &mut Operands<'_>) {
    for ix in 0..on.memory.arguments[argument::ITEMS + argument::COUNT] {
        let item = on.memory.items[ix as usize];
        if item.side % 2 == 1 {
            continue;
        }
        let pair = (item.side / 2) as usize;
        let (frame, meshes) = (on.memory.frames[pair], on.memory.pairs[pair]);
        let own = seen(&frame, 0, &on.meshes.clusters[item.cluster as usize]);
        for cluster in meshes.first[1]..meshes.first[1] + meshes.n[1] {
            let other = seen(&frame, 1, &on.meshes.clusters[cluster as usize]);
            let shared = own.shared(other);
            for direction in 0..3 {
                if !is_met(shared, [own, other], direction) {
                    continue;
                }
                let slot = on.memory.counters[counter::LARGE];
                on.memory.counters[counter::LARGE] += 1;
                if slot < on.round.large_cap {
                    on.memory.large[slot as usize] =
                        LargeItem { side: item.side, triangle: item.cluster, direction, tile: cluster };
                }
            }
        }
    }
}

/// The box of a cluster in box coordinates.
fn seen(frame: &PairFrame, side: u32, cluster: &Cluster) -> Extent {
    let (lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let extent = Extent::of(frame, side, cluster);
    Extent { lo: in_box(extent.lo, lo, scale), hi: in_box(extent.hi, lo, scale) }
}

/// Whether two clusters, which share a box, have something in one column through the pair's box, and neither is above it.
fn is_met(shared: Extent, boxes: [Extent; 2], direction: u32) -> bool {
    let (lo, hi) = (by_direction(shared.lo, direction), by_direction(shared.hi, direction));
    let bottom = |extent: Extent| by_direction(extent.lo, direction).z;
    lo.x.max(0.0) <= hi.x.min(1.0)
        && lo.y.max(0.0) <= hi.y.min(1.0)
        && bottom(boxes[0]).max(bottom(boxes[1])) <= 1.0
}
