//! Writes what the rays of each pair found.

use bytemuck::Zeroable;
use glam::Vec3;

use super::layout::{ContactBlock, PairFrame, RaySums, WORKGROUP, sum};
use super::memory::Operands;
use super::moments::{PairSums, tangent_of};
use super::place::by_axis;

pub fn run(on: &mut Operands<'_>) {
    let n_pairs = on.round.n_pairs as usize;
    on.work.groups += n_pairs.div_ceil(WORKGROUP as usize) as u64;
    on.work.reads::<(PairFrame, [RaySums; 3])>(n_pairs);
    on.work.writes::<ContactBlock>(n_pairs);
    for pair in 0..n_pairs {
        let sums = PairSums { round: on.round, sums: &on.memory.sums[3 * pair..3 * pair + 3] };
        on.memory.blocks[pair] = block(&on.memory.frames[pair], &sums);
    }
}

fn block(frame: &PairFrame, sums: &PairSums<'_>) -> ContactBlock {
    let size = Vec3::from(frame.hi) - Vec3::from(frame.lo);
    let found = sums.combined(frame.state, size);
    let normal = if found.volume > 0.0 || sums.is_exact() { sums.normal(size) } else { Vec3::ZERO };
    let tangent = if normal.dot(normal) > 0.0 { tangent_of(normal) } else { Vec3::ZERO };
    let count = |k: usize| sums.sums[0].sums[k] + sums.sums[1].sums[k] + sums.sums[2].sums[k];
    let arms = [0, 1, 2].map(|d| arms_of(sums, d));
    let area = sums.face_parts(sum::AREA);
    let of_rays = |x: f32| if sums.is_exact() { 0.0 } else { x };
    let of_triangles = |x: f32| if sums.is_exact() { x } else { 0.0 };
    let quarter = sums.face_parts(sum::QUARTER_AREA) * 4.0;
    let [x, y, z] = sums.sums else { unreachable!("a pair has the sums of three directions") };
    ContactBlock {
        frame_from_a: frame.frame_from_a,
        lo: frame.lo,
        state: frame.state,
        hi: frame.hi,
        volume: found.volume,
        moment: found.moment.to_array(),
        longest: of_rays(z.longest),
        second_diagonal: found.diagonal.to_array(),
        overflow: count(sum::OVERFLOW),
        second_mixed: found.mixed.to_array(),
        negative: of_rays(count(sum::NEGATIVE)),
        area: area.to_array(),
        open: of_rays(count(sum::OPEN)),
        arms: [0, 1, 2].map(|i| [arms[0][i], arms[1][i], arms[2][i], of_triangles(sums.sums[i].longest)]),
        normal: normal.to_array(),
        quarter_volume: found.quarter_volume,
        quarter_area: if sums.is_exact() { area } else { quarter }.to_array(),
        plain_a: of_triangles(sums.plain_area(sum::PLAIN_A, size)),
        tangent: tangent.to_array(),
        plain_b: of_triangles(sums.plain_area(sum::PLAIN_B, size)),
        area_b: sums.face_parts(sum::AREA_B).to_array().map(of_triangles),
        cover_a: sums.face_parts(sum::ENDS_A).to_array(),
        cover_b: sums.face_parts(sum::ENDS_B).to_array(),
        // Rays along d see slices across the two axes after it.
        slices: [z.columns | y.rows, x.columns | z.rows, y.columns | x.rows],
        ..ContactBlock::zeroed()
    }
}

/// Component d of all arms comes from the rays along d.
fn arms_of(sums: &PairSums<'_>, d: usize) -> Vec3 {
    let total = &sums.sums[d].sums;
    let along = Vec3::new(total[sum::AREA_X], total[sum::AREA_Y], total[sum::AREA_Z]);
    by_axis(along, d as u32) * sums.ray_area(d)
}
