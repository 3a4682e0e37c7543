//! Turns the axes of pairs without a known normal: the third along the normal, the second along the patch.

use glam::Vec3;

use super::layout::{PairFrame, RaySums, WORKGROUP, state};
use super::memory::Operands;
use super::moments::{Moments, PairSums, tangent_of};
use super::shrink::REACH_SLACK;

/// Half the difference of the principal variances, as a part of their sum, below which a patch has no long axis. The
/// coarse rays know variances to about a twentieth.
pub const ROUND_PATCH: f32 = 0.05;

pub fn run(on: &mut Operands<'_>) {
    let n_pairs = on.round.n_pairs as usize;
    on.work.groups += n_pairs.div_ceil(WORKGROUP as usize) as u64;
    on.work.reads::<(PairFrame, [RaySums; 3])>(n_pairs);
    on.work.writes::<PairFrame>(n_pairs);
    for pair in 0..n_pairs {
        let frame = &mut on.memory.frames[pair];
        if frame.state & (state::EMPTY | state::FIXED) != 0 {
            continue;
        }
        let sums = PairSums { round: on.round, sums: &on.memory.sums[3 * pair..3 * pair + 3] };
        let size = Vec3::from(frame.hi) - Vec3::from(frame.lo);
        let normal = sums.normal(size);
        let found = sums.combined(frame.state, size);
        if normal.dot(normal) == 0.0 || found.volume <= 0.0 {
            continue;
        }
        // Rows run across a long patch: its long edges are then met at a different place by each of them.
        let long = long_axis(&found, size, normal);
        turn_frame(frame, [long.cross(normal), long, normal]);
    }
}

fn turn_frame(frame: &mut PairFrame, axes: [Vec3; 3]) {
    let (lo, hi) = (Vec3::from(frame.lo), Vec3::from(frame.hi));
    let center = 0.5 * (lo + hi);
    let half = 0.5 * (hi - lo);
    let new_center = Vec3::from(axes.map(|axis| axis.dot(center)));
    let new_half = Vec3::from(axes.map(|axis| axis.abs().dot(half))) + Vec3::splat(REACH_SLACK * frame.reach);
    frame.frame_from_a = axes.map(|axis| turn_rows(axis, &frame.frame_from_a));
    frame.frame_from_b = axes.map(|axis| turn_rows(axis, &frame.frame_from_b));
    let (new_lo, new_hi) = (new_center - new_half, new_center + new_half);
    frame.lo = new_lo.to_array();
    frame.hi = new_hi.to_array();
    frame.scale = (Vec3::ONE / (new_hi - new_lo)).to_array();
    frame.state |= state::ALIGNED | state::FIXED;
}

fn turn_rows(axis: Vec3, rows: &[[f32; 4]; 3]) -> [f32; 4] {
    std::array::from_fn(|k| axis.x * rows[0][k] + axis.y * rows[1][k] + axis.z * rows[2][k])
}

/// The direction in the contact plane in which the overlap is largest.
fn long_axis(found: &Moments, size: Vec3, normal: Vec3) -> Vec3 {
    let turned = |x: Vec3| Vec3::new(x.y, x.z, x.x);
    let c = found.moment / found.volume;
    let diagonal = (found.diagonal / found.volume - c * c) * size * size;
    let mixed = (found.mixed / found.volume - c * turned(c)) * size * turned(size);
    let along = |x: Vec3| {
        Vec3::new(
            diagonal.x * x.x + mixed.x * x.y + mixed.z * x.z,
            mixed.x * x.x + diagonal.y * x.y + mixed.y * x.z,
            mixed.z * x.x + mixed.y * x.y + diagonal.z * x.z,
        )
    };
    let u = tangent_of(normal);
    let w = normal.cross(u);
    let half_difference = 0.5 * (u.dot(along(u)) - w.dot(along(w)));
    let product = w.dot(along(u));
    let root = (half_difference * half_difference + product * product).sqrt();
    let axis = if half_difference < 0.0 {
        [product, root - half_difference]
    } else {
        [half_difference + root, product]
    };
    let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
    // A round patch keeps to the axes it is in, which are a body's own.
    if root < ROUND_PATCH * (u.dot(along(u)) + w.dot(along(w))) || length == 0.0 {
        return w;
    }
    (u * axis[0] + w * axis[1]) / length
}
