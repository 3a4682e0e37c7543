//! Finds, for each tile, the points of the overlap's surface that lie farthest in each direction of the contact plane
//! and both ways along the normal.

use glam::{Vec2, Vec3};

use super::layout::{LIST_CAP, SUPPORT_SLOTS, SUPPORTS, TILE, WORKGROUP, ray_bit};
use super::memory::Operands;
use super::place::{by_axis, direction_of_tile, row_offset};

/// Nothing was found: lower than any place.
pub const NOWHERE: f32 = -3e38;

/// Whatever was found is higher than this.
pub const SOMEWHERE: f32 = -2e38;

/// Operations for a point and a direction: two products of vectors and a comparison.
const POINT_COST: u64 = 12;

/// Cosines and sines of the directions, rounded once for shader and twin.
pub fn directions() -> [[f32; 2]; SUPPORTS as usize] {
    std::array::from_fn(|k| {
        let angle = std::f64::consts::TAU * k as f64 / f64::from(SUPPORTS);
        [angle.cos() as f32, angle.sin() as f32]
    })
}

pub fn run(on: &mut Operands<'_>) {
    let directions = directions();
    for part in 0..on.round.n_pairs * on.round.n_tiles {
        if on.memory.parts[part as usize].columns == 0 {
            continue;
        }
        on.work.groups += 1;
        let block = &on.memory.blocks[(part / on.round.n_tiles) as usize];
        let normal = Vec3::from(block.normal);
        if normal.dot(normal) > 0.0 {
            let points = points_of_tile(on, part);
            let u = Vec3::from(block.tangent);
            on.work.reads::<u32>(WORKGROUP as usize + points.len());
            on.work.operations += POINT_COST * u64::from(SUPPORT_SLOTS) * points.len() as u64;
            on.work.writes::<[[f32; 2]; SUPPORT_SLOTS as usize]>(1);
            on.work.writes::<u32>(WORKGROUP as usize);
            for slot in 0..SUPPORT_SLOTS {
                let axes = probe(slot, normal, u, &directions);
                let mut best = Vec2::new(NOWHERE, 0.0);
                for &at in &points {
                    let found = Vec2::new(at.dot(axes[0]), at.dot(axes[1]));
                    if is_farther(found, best) {
                        best = found;
                    }
                }
                on.memory.supports[(part * SUPPORT_SLOTS + slot) as usize] = best.to_array();
            }
        }
        let first = (part * TILE * TILE) as usize;
        on.memory.counts[first..first + WORKGROUP as usize].fill(0);
    }
}

/// Ends of the tile's intervals, from the centroid, in the frame's axes \[m\].
fn points_of_tile(on: &Operands<'_>, part: u32) -> Vec<Vec3> {
    let block = &on.memory.blocks[(part / on.round.n_tiles) as usize];
    let size = Vec3::from(block.hi) - Vec3::from(block.lo);
    let centroid = Vec3::from(block.moment) / block.volume * size;
    let tile = part % on.round.n_tiles;
    let direction = direction_of_tile(on.round, tile);
    let in_direction = tile - on.round.first_tile[direction as usize];
    let n = on.round.rays[direction as usize];
    let (column, row) = ((in_direction % (n / TILE)) * TILE, (in_direction / (n / TILE)) * TILE);
    let mut points = Vec::new();
    for lane in 0..TILE * TILE {
        let ray = (part * TILE * TILE + lane) as usize;
        let j = row + lane / TILE;
        let x = ((column + lane % TILE) as f32 + row_offset(j, n)) / n as f32 - 0.5;
        let y = (j as f32 + 0.5) / n as f32 - 0.5;
        for &word in &on.memory.lists[ray * LIST_CAP as usize..][..on.memory.counts[ray] as usize] {
            let z = f32::from_bits(word & ray_bit::DEPTH_MASK) - 0.5;
            points.push(by_axis(Vec3::new(x, y, z), direction) * size - centroid);
        }
    }
    points
}

/// Axes in which a slot measures: the first is to be maximal, the second decides between equals.
pub fn probe(slot: u32, normal: Vec3, u: Vec3, directions: &[[f32; 2]]) -> [Vec3; 2] {
    if slot == SUPPORTS {
        return [normal, Vec3::ZERO];
    }
    if slot > SUPPORTS {
        return [-normal, Vec3::ZERO];
    }
    let w = normal.cross(u);
    let [c, s] = directions[slot as usize];
    [u * c + w * s, w * c - u * s]
}

pub fn is_farther(a: Vec2, b: Vec2) -> bool {
    a.x > b.x || (a.x == b.x && a.y > b.y)
}
