//! Walks along each ray of a tile, finds the intervals inside both bodies and adds up their moments.

use super::layout::{LIST_CAP, RaySums, Round, TILE, WORKGROUP, ray_bit, sum};
use super::memory::{Memory, Operands};
use super::place::{direction_of_tile, fma, row_offset};
use super::tree::add_up;

const CAP: usize = LIST_CAP as usize;

/// Where the winding of B begins, and how far the sign of either is from the lowest bit.
const WINDING_SHIFT: u32 = ray_bit::COUNT + ray_bit::WINDING;

pub fn run(on: &mut Operands<'_>) {
    for part in 0..on.round.n_pairs * on.round.n_tiles {
        let mut shares = [RaySums::default(); WORKGROUP as usize];
        let first = (part * WORKGROUP) as usize;
        let busy = on.memory.counts[first..first + WORKGROUP as usize].iter().any(|&count| count != 0);
        on.work.groups += 1;
        on.work.reads::<u32>(WORKGROUP as usize);
        on.work.writes::<RaySums>(1);
        if busy {
            for lane in 0..WORKGROUP {
                let n = on.memory.counts[first + lane as usize] & ray_bit::COUNT_MASK;
                on.work.walk(u64::from(n.min(LIST_CAP)));
                shares[lane as usize] = sums_of_ray(on.round, on.memory, part, lane);
            }
            on.memory.parts[part as usize] = add_up(&shares);
        } else {
            on.memory.parts[part as usize] = RaySums::default();
        }
    }
}

fn sums_of_ray(round: &Round, memory: &mut Memory, part: u32, lane: u32) -> RaySums {
    let ray = (part * (TILE * TILE) + lane) as usize;
    let count = memory.counts[ray];
    if count == 0 {
        return RaySums::default();
    }
    let mut total = walk(round, memory, ray, count);
    let tile = part % round.n_tiles;
    let direction = direction_of_tile(round, tile) as usize;
    let in_direction = tile - round.first_tile[direction];
    let n = round.rays[direction];
    let i = (in_direction % (n / TILE)) * TILE + lane % TILE;
    let j = (in_direction / (n / TILE)) * TILE + lane / TILE;
    // The number of rays is a power of two, so places are exact.
    spread(
        &mut total.sums,
        (i as f32 + row_offset(j, n)) / n as f32 - 0.5,
        (j as f32 + 0.5) / n as f32 - 0.5,
    );
    if i.is_multiple_of(2) && j.is_multiple_of(2) {
        total.sums[sum::QUARTER_LENGTH] = total.sums[sum::LENGTH];
        total.sums[sum::QUARTER_AREA] = total.sums[sum::AREA];
    }
    if total.longest > 0.0 {
        total.columns = 1 << (lane % TILE);
        total.rows = 1 << (lane / TILE);
    }
    total
}

/// An end of an interval adds its part of the integrals along the ray.
fn add_end(sums: &mut [f32; sum::N], z: f32, s: f32) {
    sums[sum::LENGTH] = fma(s, z, sums[sum::LENGTH]);
    sums[sum::SQUARE] = fma(s * z, 0.5 * z, sums[sum::SQUARE]);
    sums[sum::CUBE] = fma(s * z * z, z * (1.0 / 3.0), sums[sum::CUBE]);
}

fn add_surface(sums: &mut [f32; sum::N], z: f32, s: f32, body: u32) {
    if body == 0 {
        sums[sum::AREA] += s;
        sums[sum::AREA_Z] = fma(s, z, sums[sum::AREA_Z]);
        sums[sum::ENDS_A] += 1.0;
    } else {
        sums[sum::ENDS_B] += 1.0;
    }
}

/// The sums of one ray without its place; the ends of its intervals replace its crossings.
fn walk(round: &Round, memory: &mut Memory, ray: usize, count: u32) -> RaySums {
    let mut total = RaySums::default();
    let n = (count & ray_bit::COUNT_MASK) as usize;
    if n > CAP {
        total.sums[sum::OVERFLOW] = 1.0;
        memory.counts[ray] = 0;
        return total;
    }
    let mut winding = [0; 2];
    winding[0] = ((count << ray_bit::WINDING) as i32) >> WINDING_SHIFT;
    winding[1] = (count.wrapping_sub((winding[0] as u32) << ray_bit::COUNT) as i32) >> WINDING_SHIFT;
    let list = &mut memory.lists[ray * CAP..][..CAP];
    let mut words = [0; CAP];
    words[..n].copy_from_slice(&list[..n]);
    words[..n].sort_unstable();
    let is_inside = |winding: [i32; 2]| winding[0] > 0 && winding[1] > 0;
    let is_below = |winding: [i32; 2]| winding[0] < 0 || winding[1] < 0;
    let mut inside = is_inside(winding);
    let mut is_negative = is_below(winding);
    // An interval that is open where the box begins has no surface there.
    let (mut opener, mut opened) = (2, -0.5);
    if inside {
        add_end(&mut total.sums, -0.5, -1.0);
    }
    let mut n_ends = 0;
    for &word in &words[..n] {
        let body = word & 1;
        winding[body as usize] += if word & 2 != 0 { 1 } else { -1 };
        let now = is_inside(winding);
        if now == inside {
            continue;
        }
        let z = f32::from_bits(word & ray_bit::DEPTH_MASK) - 0.5;
        let s = if now { -1.0 } else { 1.0 };
        add_end(&mut total.sums, z, s);
        add_surface(&mut total.sums, z, s, body);
        if now {
            (opener, opened) = (body, z);
        } else {
            total.longest = total.longest.max(z - opened);
            if opener + body == 1 {
                total.sums[sum::MIXED] += 1.0;
            }
        }
        list[n_ends] = word;
        n_ends += 1;
        inside = now;
    }
    if inside {
        add_end(&mut total.sums, 0.5, 1.0);
        total.longest = total.longest.max(0.5 - opened);
    }
    // In between, crossings at one depth may come in the wrong order: thin edges do not count.
    is_negative |= is_below(winding);
    total.sums[sum::NEGATIVE] = f32::from(u8::from(is_negative));
    total.sums[sum::OPEN] = f32::from(u8::from(winding != [0, 0]));
    // Later stages pass over tiles whose intervals have no length, so those must leave no ends.
    memory.counts[ray] = if round.coarse == 0 && total.longest > 0.0 { n_ends as u32 } else { 0 };
    total
}

/// Multiplies the sums along a ray by its place.
fn spread(sums: &mut [f32; sum::N], x: f32, y: f32) {
    let length = sums[sum::LENGTH];
    sums[sum::LENGTH_X] = length * x;
    sums[sum::LENGTH_Y] = length * y;
    sums[sum::LENGTH_XX] = length * x * x;
    sums[sum::LENGTH_YY] = length * y * y;
    sums[sum::LENGTH_XY] = length * x * y;
    sums[sum::SQUARE_X] = sums[sum::SQUARE] * x;
    sums[sum::SQUARE_Y] = sums[sum::SQUARE] * y;
    sums[sum::AREA_X] = sums[sum::AREA] * x;
    sums[sum::AREA_Y] = sums[sum::AREA] * y;
}
