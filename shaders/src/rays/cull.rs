//! Lists the clusters that may cross the box of their pair, or the columns of space below it or below its corners.

use glam::Vec3;

use super::descend::descend;
use super::extent::Extent;
use super::layout::{CORNERS, Cluster, Item, PairFrame, PairMeshes, Round, counter, state};
use super::memory::Operands;
use super::place::in_box;

pub fn run(on: &mut Operands<'_>) {
    for side in 0..2 * on.round.n_pairs {
        let pair = (side / 2) as usize;
        let frame = &on.memory.frames[pair];
        if frame.state & state::EMPTY != 0 || (on.round.coarse != 0 && frame.state & state::FIXED != 0) {
            continue;
        }
        let meshes = &on.memory.pairs[pair];
        let body = (side % 2) as usize;
        on.work.groups += 1;
        on.work.reads::<(PairFrame, PairMeshes)>(1);
        let (items, n_items) = (&mut on.memory.items, &mut on.memory.counters[counter::ITEMS]);
        let n_before = *n_items;
        let boxes = on.meshes.boxes_of(meshes, side % 2);
        let is_wanted = |cluster: &Cluster| is_needed(on.round, frame, side, cluster);
        descend(boxes, meshes.n[body], on.work, is_wanted, |ix| {
            items[*n_items as usize] = Item { side, cluster: meshes.first[body] + ix };
            *n_items += 1;
        });
        on.work.writes::<(Item, u32)>((*n_items - n_before) as usize);
    }
}

fn is_needed(round: &Round, frame: &PairFrame, side: u32, cluster: &Cluster) -> bool {
    let (box_lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let extent = Extent::of(frame, side, cluster);
    let (lower, upper) = (in_box(extent.lo, box_lo, scale), in_box(extent.hi, box_lo, scale));
    let below = lower.cmple(Vec3::ONE);
    let meets = below & upper.cmpge(Vec3::ZERO);
    let has_corner = (lower.cmple(Vec3::ZERO) & upper.cmpge(Vec3::ZERO)) | (below & upper.cmpge(Vec3::ONE));
    meets.all()
        || (round.columns & CORNERS != 0 && below.z && has_corner.x && has_corner.y)
        || (round.columns & 1 != 0 && below.x && meets.y && meets.z)
        || (round.columns & 2 != 0 && below.y && meets.z && meets.x)
        || (round.columns & 4 != 0 && below.z && meets.x && meets.y)
}
