//! Lists the clusters of both bodies that meet as seen along a direction, in the columns of space through the box and below it.

use glam::Vec3;

use super::descend::descend;
use super::extent::Extent;
use super::layout::{Cluster, Item, LargeItem, PairFrame, PairMeshes, argument, counter};
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
        let own = seen(&frame, 0, on.meshes.box_of(&meshes, 0, item.cluster));
        on.work.groups += 1;
        on.work.reads::<(Item, PairFrame, PairMeshes)>(1);
        on.work.look_at_boxes(1);
        let boxes = on.meshes.boxes_of(&meshes, 1);
        let mut near = Vec::new();
        let is_wanted = |cluster: &Cluster| {
            let other = seen(&frame, 1, cluster);
            (0..3).any(|direction| is_met(own, other, direction))
        };
        descend(boxes, meshes.n[1], on.work, is_wanted, |ix| near.push(ix));
        for ix in near {
            let other = seen(&frame, 1, &boxes[ix as usize]);
            for direction in (0..3).filter(|&direction| is_met(own, other, direction)) {
                on.work.writes::<(LargeItem, u32)>(1);
                let slot = on.memory.counters[counter::LARGE];
                on.memory.counters[counter::LARGE] += 1;
                if slot < on.round.large_cap {
                    on.memory.large[slot as usize] = LargeItem {
                        side: item.side,
                        triangle: item.cluster,
                        direction,
                        tile: meshes.first[1] + ix,
                    };
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

/// Whether two clusters have something in one column through the pair's box, and neither is above it.
fn is_met(own: Extent, other: Extent, direction: u32) -> bool {
    let shared = own.shared(other);
    let (lo, hi) = (by_direction(shared.lo, direction), by_direction(shared.hi, direction));
    lo.x.max(0.0) <= hi.x.min(1.0) && lo.y.max(0.0) <= hi.y.min(1.0) && lo.z <= 1.0
}
