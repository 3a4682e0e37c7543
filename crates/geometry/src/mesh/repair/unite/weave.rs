//! Triangles that fill a region.

use glam::{DVec2, DVec3};
use robust::{Coord, orient2d};

use super::cut::{Axes, Region};
use crate::mesh::import::polygon;

/// Adds triangles with all sides of a region; holes are first joined with its rim by the shortest bridges that cross
/// nothing.
pub fn fill(region: &Region, axes: Axes, nodes: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    let [rim, holes @ ..] = &region.rims[..] else { return };
    let flat = |v: u32| axes.project(nodes[v as usize]);
    let mut rim = rim.clone();
    let mut left: Vec<&Vec<u32>> = holes.iter().collect();
    while !left.is_empty() {
        let (hole, at, from) = bridge(&rim, &left, &flat);
        let hole = left.remove(hole);
        let mut longer: Vec<u32> = rim[..=at].to_vec();
        longer.extend(hole[from..].iter().chain(&hole[..=from]));
        longer.extend(&rim[at..]);
        rim = longer;
    }
    if let [a, b, c] = rim[..] {
        triangles.push([a, b, c]);
        return;
    }
    // In the plane, so that what rounding did to the places does not choose another.
    let places: Vec<DVec3> = rim.iter().map(|&v| flat(v).extend(0.0)).collect();
    let numbers: Vec<u32> = (0..rim.len() as u32).collect();
    let mut found = Vec::new();
    polygon::triangulate(&numbers, &places, &mut found);
    triangles.extend(found.into_iter().map(|corners| corners.map(|ix| rim[ix as usize])));
}

/// Which hole to join next, from which corner of the rim, to which of the hole.
fn bridge(rim: &[u32], holes: &[&Vec<u32>], flat: &impl Fn(u32) -> DVec2) -> (usize, usize, usize) {
    let mut ways = Vec::new();
    for (hole, corners) in holes.iter().enumerate() {
        for (at, &a) in rim.iter().enumerate() {
            for (from, &b) in corners.iter().enumerate() {
                ways.push((flat(a).distance_squared(flat(b)), hole, at, from));
            }
        }
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    let sides =
        |ring: &[u32]| (0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]).collect::<Vec<_>>();
    let all: Vec<[u32; 2]> =
        sides(rim).into_iter().chain(holes.iter().flat_map(|hole| sides(hole))).collect();
    let is_clear = |a: u32, b: u32| {
        all.iter()
            .all(|side| side.contains(&a) || side.contains(&b) || !cross([a, b].map(flat), side.map(flat)))
    };
    // The shortest way is clear but for rounding.
    let found = ways.iter().find(|&&(_, hole, at, from)| is_clear(rim[at], holes[hole][from]));
    found.or(ways.first()).map_or((0, 0, 0), |&(_, hole, at, from)| (hole, at, from))
}

fn cross([a, b]: [DVec2; 2], [p, q]: [DVec2; 2]) -> bool {
    let turn = |a: DVec2, b: DVec2, c: DVec2| {
        let coord = |x: DVec2| Coord { x: x.x, y: x.y };
        orient2d(coord(a), coord(b), coord(c))
    };
    turn(a, b, p) * turn(a, b, q) <= 0.0 && turn(p, q, a) * turn(p, q, b) <= 0.0
}
