//! Rims of hollow parts: holes within one another in one plane.
//!
//! Where the end of a tube is gone, the loop of its inner wall lies within that of the outer one, runs the other way and in the same plane, or
//! where the end is torn, at the same height. What is missing is the ring between them. Lids over both would lie in one plane, and which of them
//! is the outer one would be up to rounding.

use glam::DVec3;

use super::fill::{self, Rim};
use super::guess;
use super::holes::sides;
use crate::mesh::TriangleMesh;

/// Takes rims together that bound one plane filling, as places in `rims`: first the outer one, then those within it. A rim alone
/// is a filling of its own. Level is what lies within the tolerance.
pub fn groups(rims: &[Rim], tolerance: f64) -> Vec<Vec<usize>> {
    let n = rims.len();
    let boxes: Vec<_> = rims
        .iter()
        .map(|rim| crate::Aabb::from_points(rim.places.iter().copied()).inflated(tolerance))
        .collect();
    let is_flat: Vec<bool> =
        rims.iter().map(|rim| rim.is_plane && !fill::is_domed(rim) || guess::is_end(rim)).collect();
    let around = |k: usize| -> Vec<usize> {
        let holds = |&o: &usize| {
            o != k
                && is_flat[o]
                && boxes[o].contains(rims[k].places[0])
                && rims[o].is_level_with(&rims[k], tolerance)
                && rims[k].places.iter().all(|x| is_within(&rims[o], *x))
        };
        (0..n).filter(holds).collect()
    };
    let around: Vec<Vec<usize>> = (0..n).map(|k| if is_flat[k] { around(k) } else { Vec::new() }).collect();
    let outer_of = |k: usize| {
        // What is solid and what is not take turns from the outside on.
        let area = |o: &usize| rims[*o].area.length();
        let outer = around[k].iter().copied().min_by(|a, b| area(a).total_cmp(&area(b)))?;
        (around[k].len() % 2 == 1 && rims[outer].area.dot(rims[k].area) < 0.0).then_some(outer)
    };
    let outer: Vec<Option<usize>> = (0..n).map(outer_of).collect();
    let within = |k: usize| (0..n).filter(move |&i| i != k);
    (0..n)
        .filter(|&k| outer[k].is_none())
        .map(|k| std::iter::once(k).chain(within(k).filter(|&i| outer[i] == Some(k))).collect())
        .collect()
}

/// Whether a point over the plane of a rim lies within it: the rim runs round it.
fn is_within(rim: &Rim, x: DVec3) -> bool {
    let normal = rim.area.normalize_or_zero();
    let turn = |(a, b): (DVec3, DVec3)| {
        let (a, b) = ((a - x).reject_from(normal), (b - x).reject_from(normal));
        a.cross(b).dot(normal).atan2(a.dot(b))
    };
    sides(&rim.places).map(turn).sum::<f64>().abs() > std::f64::consts::PI
}

/// One polygon of an outer rim and those within it: each is joined to it by a bridge that is run through there and back.
pub fn bridged(mesh: &TriangleMesh, outer: &Rim, inner: &[&Rim]) -> Vec<u32> {
    let mut way = outer.corners.clone();
    let normal = outer.area.normalize_or_zero();
    let place = |v: u32| mesh.vertices[v as usize];
    let mut left: Vec<&Rim> = inner.to_vec();
    while !left.is_empty() {
        let walls: Vec<[u32; 2]> =
            closed(&way).chain(left.iter().flat_map(|rim| closed(&rim.corners))).collect();
        let mut bridges: Vec<(f64, usize, usize, usize)> = Vec::new();
        for (r, rim) in left.iter().enumerate() {
            for (i, a) in way.iter().enumerate() {
                let to = rim.corners.iter().enumerate();
                bridges.extend(to.map(|(j, b)| (place(*a).distance_squared(place(*b)), r, i, j)));
            }
        }
        bridges.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
        let is_free = |&&(_, r, i, j): &&(f64, usize, usize, usize)| {
            let (a, b) = (way[i], left[r].corners[j]);
            !walls.iter().any(|wall| {
                !wall.contains(&a)
                    && !wall.contains(&b)
                    && cross([place(a), place(b)], wall.map(place), normal)
            })
        };
        let Some(&(_, r, i, j)) = bridges.iter().find(is_free).or(bridges.first()) else { break };
        let mut round = left.swap_remove(r).corners.clone();
        round.rotate_left(j);
        round.push(round[0]);
        round.push(way[i]);
        way.splice(i + 1..i + 1, round);
    }
    way
}

fn closed(way: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    (0..way.len()).map(|k| [way[k], way[(k + 1) % way.len()]])
}

/// Whether two lines in a plane cross.
fn cross(a: [DVec3; 2], b: [DVec3; 2], normal: DVec3) -> bool {
    let parts = |line: [DVec3; 2], other: [DVec3; 2]| {
        let side = |x: DVec3| (line[1] - line[0]).cross(x - line[0]).dot(normal);
        side(other[0]) * side(other[1]) <= 0.0
    };
    parts(a, b) && parts(b, a)
}
