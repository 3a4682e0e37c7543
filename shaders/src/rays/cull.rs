//! Lists the clusters that may cross the box of their pair, or the columns of space below it.

use glam::Vec3;

use super::layout::{Cluster, Item, PairFrame, Round, counter, state};
use super::memory::Operands;
use super::place::{in_box, in_frame, rows};

/// Growth of a cluster's box, as a part of the pair's reach: ten times what rounding moves a transformed point.
pub const SLACK: f32 = 1e-6;

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
            if is_needed(on.round, frame, rows(frame, side), &on.meshes.clusters[cluster as usize]) {
                on.memory.items[on.memory.counters[counter::ITEMS] as usize] = Item { side, cluster };
                on.memory.counters[counter::ITEMS] += 1;
            }
        }
    }
}

fn half_size(rows: &[[f32; 4]; 3], half: Vec3) -> Vec3 {
    let along = |r: &[f32; 4]| Vec3::new(r[0].abs(), r[1].abs(), r[2].abs()).dot(half);
    Vec3::new(along(&rows[0]), along(&rows[1]), along(&rows[2]))
}

fn is_needed(round: &Round, frame: &PairFrame, rows: &[[f32; 4]; 3], cluster: &Cluster) -> bool {
    let (lo, hi) = (Vec3::from(cluster.lo), Vec3::from(cluster.hi));
    let (box_lo, scale) = (Vec3::from(frame.lo), Vec3::from(frame.scale));
    let center = in_frame(rows, 0.5 * (lo + hi));
    let half = half_size(rows, 0.5 * (hi - lo)) + Vec3::splat(SLACK * frame.reach);
    let below = in_box(center - half, box_lo, scale).cmple(Vec3::ONE);
    let meets = below & in_box(center + half, box_lo, scale).cmpge(Vec3::ZERO);
    (round.columns & 1 != 0 && below.x && meets.y && meets.z)
        || (round.columns & 2 != 0 && below.y && meets.z && meets.x)
        || (round.columns & 4 != 0 && below.z && meets.x && meets.y)
}
