//! Lists the clusters that may cross the box of their pair, or the columns of space below it.

use glam::Vec3;

use super::extent::Extent;
use super::layout::{Cluster, Item, PairFrame, Round, counter, state};
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
        for cluster in meshes.first[body]..meshes.first[body] + meshes.n[body] {
            if is_needed(on.round, frame, side, &on.meshes.clusters[cluster as usize]) {
                on.memory.items[on.memory.counters[counter::ITEMS] as usize] = Item { side, cluster };
                on.memory.counters[counter::ITEMS] += 1;
            }
        }
    }
}

fn is_needed(round: &Round, frame: &PairFrame, side: u32, cluster: &Cluster) -> bool {
    let (box_lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let extent = Extent::of(frame, side, cluster);
    let below = in_box(extent.lo, box_lo, scale).cmple(Vec3::ONE);
    let meets = below & in_box(extent.hi, box_lo, scale).cmpge(Vec3::ZERO);
    (round.columns & 1 != 0 && below.x && meets.y && meets.z)
        || (round.columns & 2 != 0 && below.y && meets.z && meets.x)
        || (round.columns & 4 != 0 && below.z && meets.x && meets.y)
}
